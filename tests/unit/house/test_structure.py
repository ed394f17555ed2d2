"""The house: folders import only from below, the list of packages is complete, names and docs are in order."""

from __future__ import annotations

import ast
import configparser
from pathlib import Path

import pytest

import aef

ROOT = Path(__file__).resolve().parents[3]
FLOORS = ["lexicons", "features", "corpus_tools", "aef", "experiments", "benchmarks"]
MODULES = sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """The project's modules a file imports, anywhere in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in names if name.split(".")[0] == "aef"}


def floor_of(module: str) -> str | None:
    """The folder a module is in; `aef.errors` and `aef.plugins` are the ground under all of them."""
    second = module.split(".")[1] if "." in module else ""
    if second in ("errors", "plugins"):
        return None
    return second if second in FLOORS else "aef"


@pytest.mark.parametrize("path", MODULES, ids=[str(p.relative_to(ROOT)) for p in MODULES])
def test_a_folder_imports_only_from_folders_below_it(path: Path) -> None:
    own = FLOORS.index(path.relative_to(ROOT).parts[0])
    above = {m for m in imported(path) if (floor := floor_of(m)) and FLOORS.index(floor) > own}
    assert not above


def test_setup_cfg_lists_every_package() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    listed = set(config["options"]["packages"].split())
    folders = {path.parent.relative_to(ROOT) for path in MODULES if path.name == "__init__.py"}
    names = {".".join(p.parts if p.parts[0] == "aef" else ("aef", *p.parts)) for p in folders}
    assert listed == names


def test_every_module_says_what_it_is() -> None:
    silent = [
        p for p in MODULES if p.read_text(encoding="utf-8").strip() and not ast.get_docstring(ast.parse(p.read_text()))
    ]
    assert silent == []


def test_public_names_load_and_unknown_ones_do_not() -> None:
    for name in aef.__all__:
        assert getattr(aef, name) is not None
    with pytest.raises(AttributeError, match="nonsense"):
        _ = aef.nonsense
    assert dir(aef) == sorted(aef.__all__)


def test_no_test_stands_where_its_folder_would_shadow_the_package() -> None:
    # pytest puts a test's folder on the import path, where tests/unit/aef would be found as "aef" by child processes
    assert not list((ROOT / "tests" / "unit").glob("*.py"))
