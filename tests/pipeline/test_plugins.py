"""Plug-ins: files that the user names and packages that are installed, from the command line; nothing else runs."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from aef import plugins
from aef.corpus_tools import handwritten
from aef.corpus_tools.gold.corpora import write_gold
from aef.errors import InputError

FILE = '''
"""What is ours."""
from aef import annotator_kind, feature, pipeline, reader, scheme
from aef.corpus_tools.formats.registry import Line, Written
from aef.corpus_tools.edits import apply_edits
from pathlib import Path

@feature
def Zed(word: str) -> bool:
    """Begins with Z."""
    return word[:1] in "Zz"

@scheme("stars", "asterisks")
def by_stars(entities, naming):
    """Everybody is some stars of our own."""
    return {e.entity_id: "*" * (n + 3) for n, e in enumerate(entities)}

class Zeds:
    def __init__(self, letter):
        self.letter = letter
    def tag(self, document):
        from aef import Mention
        places = zip(document.tokens.starts.tolist(), document.tokens.ends.tolist())
        return document.with_mentions(Mention(a, b, "PERSON") for a, b in places if document.text[a] == self.letter)

@annotator_kind("zeds", "letter")
def _zeds(settings, language):
    """Words with our letter: ``letter``."""
    return Zeds(settings.text("letter", "Z"))

def write_notes(data, name, edits, telling):
    lines = data.decode().splitlines()
    return Written("\\n".join(apply_edits(x, edits.get(n, ())) for n, x in enumerate(lines)).encode())

@reader(".notes", write=write_notes)
def read_notes(data, name):
    return [Line(line) for line in data.decode().splitlines()]

(Path(__file__).parent / "ours.toml").write_text('description = "zeds alone"\\n[[step]]\\nrun = "zeds"\\n')
pipeline("ours", Path(__file__).parent / "ours.toml")
'''
TEXT = "[1] The applicant, Ms. Zwetkow, filed a petition."


def aef(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "import sys; from aef.commands import main; sys.exit(main())", *arguments]
    env = {k: v for k, v in os.environ.items() if k != plugins.VARIABLE} | environment
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "mine.py").write_text(FILE, encoding="utf-8")
    (tmp_path / "a.notes").write_text(TEXT, encoding="utf-8")
    return tmp_path


def installed(folder: Path, module: str = FILE) -> dict[str, str]:
    """The environment in which the module is of an installed package."""
    site = folder / "site"
    (site / "ours-1.2.dist-info").mkdir(parents=True)
    (site / "ours-1.2.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: ours\nVersion: 1.2\n")
    (site / "ours-1.2.dist-info" / "entry_points.txt").write_text(f"[{plugins.GROUP}]\nours = our_plugin\n")
    (site / "our_plugin.py").write_text(module, encoding="utf-8")
    return {"PYTHONPATH": str(site)}


def test_a_file_brings_reader_annotator_and_scheme(folder: Path) -> None:
    options = ["--annotator", "zeds:Z", "--scheme", "asterisks"]
    without = aef(folder, "anonymize", "a.notes", "-o", "b.notes", *options)
    assert (without.returncode, without.stderr.count("\n")) == (2, 1) and "unknown scheme 'asterisks'" in without.stderr
    done = aef(folder, "anonymize", "a.notes", "-o", "b.notes", *options, "--plugin", "mine.py")
    assert done.returncode == 0, done.stderr
    assert (folder / "b.notes").read_text() == "[1] The applicant, Ms. ***, filed a petition."


def test_a_package_brings_the_same_and_help_lists_it(folder: Path) -> None:
    environment = installed(folder)
    done = aef(
        folder, "anonymize", "a.notes", "-o", "b.notes", "--annotator", "ours", "--scheme", "stars", **environment
    )
    assert done.returncode == 0 and "***" in (folder / "b.notes").read_text(), done.stderr
    told = aef(folder, "anonymize", "--help", **environment)
    assert "stars" in told.stdout and "some stars of our own" in told.stdout and "{schemes}" not in told.stdout
    listed = json.loads(aef(folder, "pipeline", "show", "--json", **environment).stdout)
    assert listed["pipelines"]["ours"] == "zeds alone" and "our letter" in listed["annotators"]["zeds"]


def test_a_model_says_which_plug_in_it_needs(folder: Path) -> None:
    write_gold(handwritten.rulings(half="open")[:3], folder / "gold.jsonl")
    learn = ["train", "gold.jsonl", "-o", "m.aef", "--features", "FirstCap,Zed", "--threshold", "0.3", "--quiet"]
    assert aef(folder, *learn).returncode == 2, "nobody knows Zed"
    assert aef(folder, *learn, "--plugin", "mine.py").returncode == 0
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    without = aef(folder, "tag", "a.txt", "--annotator", "maxent:m.aef")
    assert without.returncode == 2 and "Traceback" not in without.stderr
    assert "m.aef: needs the plug-in mine.py for its features Zed. Install the package" in without.stderr
    named = {plugins.VARIABLE: str(folder / "mine.py")}
    for arguments, environment in [(["--plugin", "mine.py"], {}), ([], named), ([], installed(folder))]:
        done = aef(folder, "tag", "a.txt", "--annotator", "maxent:m.aef", *arguments, **environment)
        assert done.returncode == 0, done.stderr


def test_nothing_that_is_read_runs_code(folder: Path) -> None:
    write_gold(handwritten.rulings(half="open")[:3], folder / "gold.jsonl")
    learn = ["train", "gold.jsonl", "-o", "m.aef", "--features", "FirstCap,Zed", "--threshold", "0.3"]
    assert aef(folder, *learn, "--plugin", "mine.py").returncode == 0
    evil = f"from pathlib import Path\nPath({str(folder / 'ran')!r}).touch()\n"
    for name in ("evil.py", "mine.py", "Zed.py"):
        (folder / name).write_text(evil, encoding="utf-8")
    shutil.copy(folder / "m.aef", folder / "old.aef")
    with zipfile.ZipFile(folder / "old.aef") as old, zipfile.ZipFile(folder / "m.aef", "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, data.replace(b'"mine.py"', b'"./evil.py"') if name == "model.json" else data)
    (folder / "p.toml").write_text('[[step]]\nrun = "evil"\n')
    (folder / "a.txt").write_text(TEXT, encoding="utf-8")
    for annotator, said in [("maxent:m.aef", "./evil.py"), ("p.toml", "run is 'evil'"), ("evil.py", "evil.py")]:
        refused = aef(folder, "tag", "a.txt", "--annotator", annotator)
        assert refused.returncode == 2 and said in refused.stderr and "Traceback" not in refused.stderr
    assert not (folder / "ran").exists()


BAD = [
    ("no such file", "gone.py", None, "gone.py: is no Python file"),
    ("another file", "plugin.txt", "x = 1", "plugin.txt: is no Python file"),
    ("an error in it", "bad.py", "1 / 0", "bad.py: cannot be run as a plug-in: ZeroDivisionError"),
    ("no Python", "bad.py", "def", "bad.py: cannot be run as a plug-in: SyntaxError"),
    ("a name that is taken", "bad.py", FILE.replace("def Zed", "def FirstCap"), "FirstCap is registered already"),
    ("a scheme without help", "bad.py", FILE.replace('"""Everybody is some stars of our own."""', ""), "no docstring"),
]


@pytest.mark.parametrize(("reason", "name", "text", "said"), BAD, ids=[case[0] for case in BAD])
def test_what_is_wrong_with_a_file_is_told(reason: str, name: str, text: str | None, said: str, tmp_path: Path) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, encoding="utf-8")
    done = aef(tmp_path, "features", "--set", "nine", "--plugin", name)
    assert done.returncode == 2 and said in done.stderr and "Traceback" not in done.stderr, reason


def test_a_listed_feature_tells_which_plug_in_it_is_of(folder: Path) -> None:
    (folder / "mine.py").write_text(FILE)
    of_file = aef(folder, "features", "--set", "Zed", "--plugin", "mine.py")
    of_package = aef(folder, "features", "--set", "Zed", **installed(folder, FILE))
    assert of_file.stdout.split() == ["Zed", "mine.py", "Begins", "with", "Z."]
    assert of_package.stdout.split() == ["Zed", "ours", "1.2", "Begins", "with", "Z."]


def test_a_package_that_cannot_be_imported_stops_nobody_else(folder: Path) -> None:
    environment = installed(folder, "raise RuntimeError('broken')")
    assert aef(folder, "features", "--set", "all", **environment).returncode == 0
    done = aef(folder, "features", "--set", "Zed", **environment)
    assert done.returncode == 2 and "the plug-in 'ours' (ours 1.2) cannot be imported: RuntimeError" in done.stderr


def test_a_file_is_run_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(plugins.VARIABLE, "")
    monkeypatch.setattr("aef.plugins._loaded", {})  # no later test works with it
    (tmp_path / "count.py").write_text(f"open({str(tmp_path / 'runs')!r}, 'a').write('x')\n", encoding="utf-8")
    assert plugins.load(tmp_path / "count.py") is plugins.load(tmp_path / "count.py")
    assert (tmp_path / "runs").read_text() == "x" and str(tmp_path / "count.py") in os.environ[plugins.VARIABLE]
    assert (tmp_path / "count.py").resolve() in list(plugins.files())
    with pytest.raises(InputError):
        plugins.load(tmp_path)
