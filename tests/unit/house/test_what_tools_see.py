"""What type checkers, editors and ``help`` see of `aef`, although its names are loaded when they are asked for."""

from __future__ import annotations

import argparse
import ast
import importlib
import inspect
import pydoc
import subprocess
import sys
from pathlib import Path

import pytest

import aef

ROOT = Path(__file__).resolve().parents[3]
TREE = ast.parse((ROOT / "aef" / "__init__.py").read_text(encoding="utf-8"))

SCRIPT = """
import aef

ruling = aef.read("ruling.docx")
reveal_type(ruling)
finder = aef.Finder("nine", target="person").fit([ruling])
reveal_type(finder.tag(ruling))
reveal_type(aef.anonymize("a.docx", "b.docx", finder=finder).people)
reveal_type(aef.evaluate([ruling], finder).micro)
reveal_type(aef.explain(ruling, "Millar", scheme="letters").words)
reveal_type(aef.compare([ruling], folds=2).to_csv())
aef.explain(ruling, shceme="letters")
aef.Finder(featuers="nine")
aef.nonsense
"""
REVEALED = [
    "aef.corpus_tools.document.Document",
    "aef.corpus_tools.document.Document",
    "dict[str, list[str]]",
    "dict[str, float]",
    "list[aef.anonymization.explanation.WordExplanation]",
    "str",
]
WRONG = ['"shceme"', '"featuers"', '"nonsense"']


def shipped(folder: Path) -> Path:
    """The package as it is installed: links to the folders of the house, in the place that ``setup.cfg`` gives them."""
    package = folder / "aef"
    package.mkdir(parents=True)
    for path in (ROOT / "aef").iterdir():
        (package / path.name).symlink_to(path)
    for name in ("corpus_tools", "features", "lexicons"):
        (package / name).symlink_to(ROOT / name)
    return folder


def test_mypy_sees_the_types_in_a_users_script(tmp_path: Path) -> None:
    script = tmp_path / "user.py"
    script.write_text(SCRIPT, encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "pyproject.toml"), "--follow-imports=silent"]
    command += ["--cache-dir", str(ROOT / ".mypy_cache" / "user"), "--hide-error-context", "user.py"]
    shown = {"MYPYPATH": str(shipped(tmp_path / "shipped")), "PATH": "", "HOME": str(tmp_path)}
    done = subprocess.run(command, cwd=tmp_path, env=shown, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("user.py")]
    revealed = [line.partition('Revealed type is "')[2].rstrip('"') for line in lines if "Revealed type" in line]
    assert [kind.replace("builtins.", "") for kind in revealed] == REVEALED, done.stdout + done.stderr
    errors = [line for line in lines if "error:" in line]
    assert len(errors) == len(WRONG) and all(w in line for w, line in zip(WRONG, errors, strict=True)), done.stdout


@pytest.mark.parametrize(
    ("typed", "completed"),
    [("aef.anon", "anonymize"), ("aef.Finder('nine').ta", "tag_all"), ("aef.read('ruling.docx').men", "mentions")],
)
def test_editors_complete_names_and_what_calls_return(typed: str, completed: str, tmp_path: Path) -> None:
    jedi = pytest.importorskip("jedi", reason="comes with the extra docs, by IPython")
    project = jedi.Project(tmp_path, added_sys_path=[str(shipped(tmp_path / "shipped"))])
    script = jedi.Script(f"import aef\n{typed}", project=project)
    assert completed in [one.name for one in script.complete(2, len(typed))]


def test_checkers_and_python_are_told_the_same_names() -> None:
    guarded = next(n for n in TREE.body if isinstance(n, ast.If) and ast.unparse(n.test) == "TYPE_CHECKING")
    imports = [(node, alias) for node in guarded.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    assert all(alias.name == alias.asname for _, alias in imports), "only a name imported as itself is public"
    assert {alias.name: node.module for node, alias in imports} == aef._WHERE


@pytest.mark.parametrize("command", ["anonymize", "compare", "evaluate", "select"])
def test_a_default_of_the_command_line_is_one_in_python(command: str) -> None:
    parser = argparse.ArgumentParser()
    importlib.import_module(f"aef.commands.{command}").add_arguments(parser)
    signature = inspect.signature(getattr(aef, command))
    shared = {name: parser.get_default(name) for name in signature.parameters}
    told = {name: default for name, default in shared.items() if default not in (None, [], ())}
    assert told, "nothing to compare"
    assert {name: signature.parameters[name].default for name in told} == told


def test_help_is_a_page_in_the_order_of_need() -> None:
    assert aef.__doc__ is not None
    missing = [name for name in aef.__all__ if name != "__version__" and f"`{name}`" not in aef.__doc__]
    missing = [name for name in missing if name != "Mention"]  # there in the plural
    assert missing == []
    heads = [line for line in aef.__doc__.splitlines() if line and not line.startswith(" ")]
    assert heads[2:] == ["Hide", "Read", "Find", "Judge and choose", "scikit-learn", "Extend"]
    assert "Ms. A.Z. did not appear." in pydoc.plain(pydoc.render_doc(aef))


def test_importing_aef_imports_nothing_of_it() -> None:
    code = "import sys, aef; print(sorted(m for m in sys.modules if m.startswith('aef.') or m in ('numpy', 're')))"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() in ("[]", "['re']")
