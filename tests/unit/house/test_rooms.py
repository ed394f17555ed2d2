"""The rooms of the house: in order and without a circle, small enough to be seen through, and drawn in CONTRIBUTING."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from aef.experiments import rooms

ROOT = Path(__file__).resolve().parents[3]
FLOORS = {floor.folder: floor for floor in (rooms.CORPUS_TOOLS, rooms.AEF)}
ARROWS = {folder: rooms.arrows(floor, ROOT / folder) for folder, floor in FLOORS.items()}
FLAT = {"corpus_tools": 5, "aef": 1}
MODULES, LINES, PARAMETERS = 16, 300, 7

# What is above its bound today: it may shrink and must not grow, and goes from the list when it is within the bound.
LONG: dict[str, int] = {
    "aef/citations/case_names.py": 321,
    "aef/learning/study/page.py": 301,
    "aef/replacement/plan.py": 336,
    "corpus_tools/alignment/report.py": 315,
    "corpus_tools/gold/conll.py": 392,
    "corpus_tools/gold/conllu_plus.py": 329,
    "corpus_tools/docx/review.py": 424,
    "corpus_tools/alignment/hidden_runs.py": 331,
    "corpus_tools/invented/cast.py": 402,
    "corpus_tools/alignment/missed_names.py": 324,
    "corpus_tools/samples/case.py": 349,
    "features/extraction.py": 486,
}
MANY: dict[str, int] = {
    "aef/anonymization/run.py:anonymize": 16,
    "aef/anonymization/run.py:_write_review": 8,
    "aef/learning/study/plan.py:Plan.of": 8,
    "aef/batch/recipe.py:Anonymizer.__call__": 9,
    "aef/tagging/training.py:Learner.__init__": 16,
}


@pytest.mark.parametrize(("folder", "room"), [(folder, room) for folder in FLOORS for room in sorted(ARROWS[folder])])
def test_a_room_imports_only_from_rooms_below_it(folder: str, room: str) -> None:
    order = FLOORS[folder].order
    assert room in order, f"{folder}/{room} has no place in aef.experiments.rooms"
    assert {other for other in ARROWS[folder][room] if order.index(other) > order.index(room)} == set()


@pytest.mark.parametrize("folder", FLOORS)
def test_every_room_in_the_order_is_there(folder: str) -> None:
    assert set(FLOORS[folder].order) == set(ARROWS[folder])


@pytest.mark.parametrize("folder", FLOORS)
def test_few_modules_stand_outside_of_rooms(folder: str) -> None:
    flat = [p for p in (ROOT / folder).glob("*.py") if p.stem not in ("__init__", "errors")]
    assert len(flat) <= FLAT[folder]


@pytest.mark.parametrize("folder", FLOORS)
def test_rooms_are_small(folder: str) -> None:
    found = [path for _, path in rooms.modules(ROOT / folder) if path.name != "__init__.py"]
    sizes = Counter(str(path.parent.relative_to(ROOT)) for path in found)
    too_full = {room: size for room, size in sizes.items() if size > MODULES and room != "aef/commands"}
    assert too_full == {}  # a command is a module of its own, and they know nothing of each other


def sources() -> Iterator[tuple[str, str]]:
    for top in ("aef", "features", "corpus_tools"):
        for path in sorted((ROOT / top).rglob("*.py")):
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def functions(tree: ast.AST, prefix: str = "") -> Iterator[tuple[str, int]]:
    """Each function's name and number of parameters, ``self`` and ``cls`` aside."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
            yield prefix + node.name, len([name for name in names if name not in ("self", "cls")])
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield from functions(node, f"{prefix}{node.name}.")


def above(found: dict[str, int], bound: int, listed: dict[str, int]) -> dict[str, int]:
    """What is above its bound and no listed exception, or grew; and exceptions that are none any more."""
    grown = {name: size for name, size in found.items() if size > max(bound, listed.get(name, 0))}
    needless = {name: found.get(name, 0) for name in listed if found.get(name, 0) <= bound}
    return grown | needless


def test_modules_are_short() -> None:
    assert above({name: len(text.splitlines()) for name, text in sources()}, LINES, LONG) == {}


def test_functions_take_few_parameters() -> None:
    found = {f"{name}:{where}": n for name, text in sources() for where, n in functions(ast.parse(text))}
    assert above(found, PARAMETERS, MANY) == {}


@pytest.mark.parametrize("folder", FLOORS)
def test_contributing_shows_the_rooms_as_they_are(folder: str) -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    shown = rooms.written(text, FLOORS[folder], ROOT / folder)
    assert shown == text, "python -m aef.experiments.rooms --write CONTRIBUTING.md"


def test_arrows_that_follow_from_others_are_not_drawn() -> None:
    assert rooms.short({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == {"a": {"b"}, "b": {"c"}, "c": set()}


@pytest.mark.parametrize(
    ("reason", "source", "found"),
    [
        ("inside of a function", "def f():\n    from aef.roles import policy\n", {"roles.policy"}),
        ("a module by its name", "import aef.linking.linker\n", {"linking.linker"}),
        ("a flat module", "from aef import review\n", {"review"}),
        ("nothing of ours", "import json\nfrom pathlib import Path\n", set()),
    ],
)
def test_imports(tmp_path: Path, reason: str, source: str, found: set[str]) -> None:
    path = tmp_path / "module.py"
    path.write_text(source, encoding="utf-8")
    assert rooms.imports(path) == found, reason


def test_imports_of_another_floor(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("from aef.corpus_tools.docx import policy\nfrom aef import lexicons\n", encoding="utf-8")
    assert rooms.imports(path, "aef.corpus_tools") == {"docx.policy"}
