"""``aef anonymize --case`` and ``aef restore`` from the command line: a case through three runs and back."""

from __future__ import annotations

import json
import re
import stat
from pathlib import Path

import pytest

from aef.commands import main
from aef.corpus_tools.document import Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.corpus_tools.rulings.readers import read
from aef.replacement import sealing as sealed

TEXTS = {
    "one.txt": "Joanne Green sued Mr. David Millar. The Greens left.",
    "two.txt": "Ms. Green and Mr. Millar met Sue Ray and John Millar.",
    "three.txt": "Ms. Ray and Millar left; AA is no label here.",
}
NAMES = r"Joanne Green|David Millar|John Millar|Sue Ray|Greens|Green|Millar|Ray"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Three rulings of one case, a gold corpus of them, and a passphrase; keys cost little to make."""
    monkeypatch.setattr(sealed, "COST", 2)
    monkeypatch.delenv("AEF_PASSPHRASE", raising=False)
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
    rulings = [read(tmp_path / name) for name in TEXTS]
    marked = [d.with_mentions(Mention(*m.span(), "PERSON") for m in re.finditer(NAMES, d.text)) for d in rulings]
    write_gold(marked, tmp_path / "gold.jsonl")
    (tmp_path / "secret.txt").write_text("open sesame\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def anonymize(*arguments: str) -> int:
    return main(["anonymize", *arguments, "--gold", "gold.jsonl", "--quiet"])


def test_three_runs_and_back(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in TEXTS:
        assert anonymize(name, "-o", f"safe-{name}", "--case", "case", "--scheme", "counters") == 0
    assert (folder / "safe-one.txt").read_text() == "Person1 sued Mr. Person2. The Person3s left."
    assert (folder / "safe-two.txt").read_text() == "Ms. Person1 and Mr. Person4 met Person5 and Person4."
    assert (folder / "safe-three.txt").read_text() == "Ms. Person5 and Person6 left; AA is no label here."
    assert stat.S_IMODE((folder / "case").stat().st_mode) == 0o600
    for name, text in TEXTS.items():
        assert main(["restore", f"safe-{name}", "-o", f"back-{name}", "--case", "case"]) == 0
        assert (folder / f"back-{name}").read_text() == text
    assert "safe-one.txt -> back-one.txt (one.txt, byte for byte)" in capsys.readouterr().err


def test_rulings_of_one_run_know_each_others_words(folder: Path) -> None:
    assert anonymize(*TEXTS, "-o", "safe", "--case", "case", "--scheme", "letters") == 0
    assert (folder / "safe" / "one.txt").read_text() == "BB sued Mr. CC. The DDs left."


@pytest.mark.parametrize("way", ["file", "environment"])
def test_under_a_passphrase(folder: Path, way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "environment":
        monkeypatch.setenv("AEF_PASSPHRASE", "open sesame")
    given = ["--case", "case", *(["--passphrase-file", "secret.txt"] if way == "file" else [])]
    assert anonymize("one.txt", "-o", "safe.txt", *given) == 0
    assert b"Green" not in (folder / "case").read_bytes()
    assert main(["restore", "safe.txt", "-o", "back.txt", *given]) == 0
    assert (folder / "back.txt").read_text() == TEXTS["one.txt"]


def test_a_seed_and_kept_initials(folder: Path) -> None:
    outputs = []
    for number, options in enumerate([["--seed", "1"], ["--seed", "1"], ["--seed", "2"], ["--keep-initials"]]):
        assert anonymize("one.txt", "-o", f"{number}.txt", "--scheme", "pseudonyms", *options) == 0
        outputs.append((folder / f"{number}.txt").read_text())
    assert outputs[0] == outputs[1] != outputs[2]
    assert re.fullmatch(r"J\w+ (G\w+) sued Mr\. D\w+ M\w+\. The \1s left\.", outputs[3])


def test_the_figures_list_what_is_in_doubt(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "Juan Pérez y Juan Gómez. Juan calló."
    (folder / "four.txt").write_text(text)
    ruling = read(folder / "four.txt")
    people = [Mention(*m.span(), "PERSON") for m in re.finditer(r"Juan (?:Pérez|Gómez)|Juan(?= c)", text)]
    write_gold([ruling.with_mentions(people)], folder / "four.jsonl")
    arguments = ["anonymize", "four.txt", "-o", "safe.txt", "--gold", "four.jsonl", "--json"]
    assert main(arguments) == 0
    output = capsys.readouterr()
    doubts = json.loads(output.out)[0]["unsure"]
    assert [(d["label"], sorted(d["candidates"])) for d in doubts] == [("J.", ["J.G.", "J.P."])]
    assert "paragraph 1: Juan (J.) may be J.G. or J.P." in output.err and "Pérez" not in output.err


def test_the_key_is_its_owners_alone(folder: Path) -> None:
    assert anonymize("one.txt", "-o", "safe.txt", "--key", "key.json") == 0
    assert stat.S_IMODE((folder / "key.json").stat().st_mode) == 0o600


BAD = [
    ("no case file", "restore safe.txt -o back.txt --case none", "none: no such file"),
    ("another case", "restore safe.txt -o back.txt --case other", "is none of the 1 rulings of this case"),
    ("a ruling that was edited", "restore edited.txt -o back.txt --case case", "is none of the 1 rulings"),
    ("not the anonymized one", "restore one.txt -o back.txt --case case", "is none of the 1 rulings"),
    ("no ruling of that name", "restore safe.txt -o back.txt --case case --ruling x.txt", "from 'x.txt'"),
    ("the original exists", "restore safe.txt -o one.txt --case case", "exists already"),
    ("another format", "restore safe.txt -o back.docx --case case", "the original is a .txt"),
    ("from standard input", "restore - -o back.txt --case case", "not from standard input"),
    ("no such ruling", "restore none.txt -o back.txt --case case", "none.txt: no such file"),
    ("no passphrase", "restore safe.txt -o back.txt --case sealed", "is sealed with a passphrase"),
    (
        "a wrong passphrase",
        "restore safe.txt -o back.txt --case sealed --passphrase-file one.txt",
        "passphrase is wrong",
    ),
    ("no file of the passphrase", "restore safe.txt -o back.txt --case case --passphrase-file x", "x: no such file"),
    ("a ruling for a case file", "anonymize two.txt -o x.txt --gold gold.jsonl --case one.txt", "is no case file"),
    ("a folder for a case file", "anonymize two.txt -o x.txt --gold gold.jsonl --case .", "is a folder"),
    ("the case file is the output", "anonymize two.txt -o x.txt --gold gold.jsonl --case ./x.txt", "and an output"),
    ("a passphrase for nothing", "anonymize two.txt -o x.txt --gold gold.jsonl --passphrase-file secret.txt", "--case"),
    ("a scheme with a slip", "anonymize two.txt -o x.txt --gold gold.jsonl --scheme conters", "Did you mean counters"),
]


@pytest.mark.parametrize(("reason", "line", "message"), BAD, ids=[c[0] for c in BAD])
def test_bad_input_touches_no_file(
    folder: Path, reason: str, line: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    anonymize("one.txt", "-o", "safe.txt", "--case", "case")
    anonymize("two.txt", "-o", "other.txt", "--case", "other")
    anonymize("one.txt", "-o", "safe.txt", "--case", "sealed", "--passphrase-file", "secret.txt", "--force")
    (folder / "edited.txt").write_text((folder / "safe.txt").read_text() + " Indeed.")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    capsys.readouterr()
    assert main(line.split()) == 2, reason
    said = capsys.readouterr().err
    assert message in said and "Traceback" not in said and "sesame" not in said
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
