"""Where outputs go: folders kept, names replaced where they must be, the same names in whatever order work is done."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from aef.batch.publishing import Publisher
from aef.batch.state import Outcome, State

TREES: list[tuple[str, dict[str, str | None], dict[str, str]]] = [
    (
        "nothing to hide: all stays",
        {"a.txt": "a.txt", "x/b.txt": "x/b.txt", "x/y/c.txt": "x/y/c.txt"},
        {"a.txt": "a.txt", "x/b.txt": "x/b.txt", "x/y/c.txt": "x/y/c.txt"},
    ),
    (
        "two files of one safe name are numbered in order",
        {"Green.txt": "G.txt", "Grey.txt": "G.txt", "Gross.txt": "G.txt"},
        {"Green.txt": "G.txt", "Grey.txt": "G-2.txt", "Gross.txt": "G-3.txt"},
    ),
    (
        "what keeps its name has it, letter case aside",
        {"Green.txt": "G.txt", "g.txt": "g.txt"},
        {"Green.txt": "G-2.txt", "g.txt": "g.txt"},
    ),
    (
        "a folder that one of its rulings must not name",
        {"Green/a.txt": "Green/a.txt", "Green/b.txt": "G/b.txt"},
        {"Green/a.txt": "G/a.txt", "Green/b.txt": "G/b.txt"},
    ),
    (
        "a folder in which each ruling hides another name",
        {"Green v Lee/a.txt": "G v Lee/a.txt", "Green v Lee/b.txt": "Green v L/b.txt"},
        {"Green v Lee/a.txt": "folder-1/a.txt", "Green v Lee/b.txt": "folder-1/b.txt"},
    ),
    (
        "two folders of one safe name are not mixed",
        {"Green/a.txt": "G/a.txt", "Gross/a.txt": "G/a.txt"},
        {"Green/a.txt": "G/a.txt", "Gross/a.txt": "G-2/a.txt"},
    ),
    (
        "folders in folders",
        {"x/Green/a.txt": "x/G/a.txt", "x/Gross/a.txt": "x/G/a.txt", "x/Gross/Lee.txt": "x/Gross/L.txt"},
        {"x/Green/a.txt": "x/G/a.txt", "x/Gross/a.txt": "x/G-2/a.txt", "x/Gross/Lee.txt": "x/G-2/L.txt"},
    ),
    (
        "a refused one has no place",
        {"Green.txt": None, "Grey.txt": "G.txt", "x/a.txt": None},
        {"Grey.txt": "G.txt"},
    ),
]


def outcome(state: State, ruling: str, safe: str | None) -> Outcome:
    """The outcome of a ruling with its safe path, its output in the folder of the attempt."""
    if safe is None:
        return Outcome(ruling, status="refused")
    *folders, name = safe.split("/")
    made = Outcome(ruling, attempt=ruling.replace("/", "-"), name=name, folders=tuple(folders))
    state.staged(made).parent.mkdir(parents=True)
    state.staged(made).write_text(ruling)
    return made


def refuse(outcome: Outcome, why: str) -> None:
    raise AssertionError(why)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("why", "tree", "expected"), TREES, ids=[t[0] for t in TREES])
def test_places(tmp_path: Path, seed: int, why: str, tree: dict[str, str | None], expected: dict[str, str]) -> None:
    state = State(tmp_path)
    state.folder.mkdir()
    state.begin({})
    order = list(tree)
    random.Random(seed).shuffle(order)
    stop = seed % (len(order) + 1)  # stopped after so many, and gone on with what the file says
    publisher = Publisher(state, list(tree), False, refuse)
    for ruling in order[:stop]:
        state.add(outcome(state, ruling, tree[ruling]))
        publisher.settle(ruling)
    state = State.open(tmp_path)
    publisher = Publisher(state, list(tree), False, refuse)
    for ruling in order[:stop]:
        publisher.settle(ruling)
    for ruling in order[stop:]:
        state.add(outcome(state, ruling, tree[ruling]))
        publisher.settle(ruling)
    found = {p.read_text(): p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*.txt")}
    assert found == expected == state.published, why


def test_what_stands_there_is_not_overwritten_without_force(tmp_path: Path) -> None:
    for force, content in [(False, "foreign"), (True, "a.txt")]:
        state = State(tmp_path / str(force))
        state.folder.mkdir(parents=True)
        state.begin({})
        (state.output / "a.txt").write_text("foreign")
        refused: list[str] = []
        publisher = Publisher(state, ["a.txt"], force, lambda _, why, told=refused: told.append(why))
        state.add(outcome(state, "a.txt", "a.txt"))
        publisher.settle("a.txt")
        assert (state.output / "a.txt").read_text() == content
        assert [("exists already" in why) for why in refused] == ([] if force else [True])
