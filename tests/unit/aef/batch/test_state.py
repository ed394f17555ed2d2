"""The state of a batch: whatever it was cut off at, what was whole is there again; damage and other files are told."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.batch.state import Outcome, State, digest_of, locked
from aef.errors import InputError

names = st.text(max_size=5)
outcomes = st.builds(
    Outcome,
    ruling=names,
    case=st.none() | names,
    size=st.integers(0, 9),
    status=st.sampled_from(["done", "refused"]),
    why=names,
    folders=st.lists(names, max_size=2).map(tuple),
    seconds=st.floats(0, 9),
    figures=st.dictionaries(names, st.integers(0, 9), max_size=2),
)


def begun(folder: str | Path) -> State:
    state = State(folder)
    state.folder.mkdir(parents=True, exist_ok=True)
    state.begin({"fingerprint": "f"})
    return state


@settings(max_examples=50)
@given(st.lists(outcomes, max_size=6), st.data())
def test_cut_off_anywhere_it_holds_what_was_whole(added: list[Outcome], data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder:
        state = begun(folder)
        sizes = [state.path.stat().st_size]
        for outcome in added:
            state.add(outcome)
            sizes.append(state.path.stat().st_size)
        cut = data.draw(st.integers(sizes[0], sizes[-1]))
        content = state.path.read_bytes()[:cut]
        state.path.write_bytes(content)
        whole = added[: sum(size <= cut for size in sizes) - 1]
        again = State.open(folder)
        assert again.outcomes == {outcome.ruling: outcome for outcome in whole}
        again.add(Outcome("one more"))
        assert set(State.open(folder).outcomes) == {"one more", *(o.ruling for o in whole)}


def test_odd_file_names_come_back(tmp_path: Path) -> None:
    odd = "caf\udce9 \u2028 \n.txt"
    begun(tmp_path).add(Outcome(odd))
    assert list(State.open(tmp_path).outcomes) == [odd]


DAMAGED = [
    (1, b'{"format": "other", "version": 1}', "another program's file"),
    (1, b'{"format": "aef batch", "version": 2}', "of a later version"),
    (2, b'{"outcome": {"ruling"', "a line cut off in the middle of the file"),
    (2, b'{"outcome": {"ruling": 3}}', "a value of another kind"),
    (2, b'{"outcome": {"ruling": "a", "secret": 1}}', "an unknown key"),
    (2, b"[]", "a list"),
    (2, b'{"publish": "a", "as": "../x.txt"}', "an output outside the folder"),
    (2, b'{"publish": "a", "as": "/etc/x"}', "an absolute path"),
    (2, b'{"outcome": {"ruling": "a", "attempt": "../.."}}', "an attempt outside its folder"),
    (2, b'{"outcome": {"ruling": "a", "name": "x/y.txt"}}', "a path for a name"),
]


@pytest.mark.parametrize(("number", "line", "why"), DAMAGED, ids=[d[2] for d in DAMAGED])
def test_damage_is_told_with_its_line(tmp_path: Path, number: int, line: bytes, why: str) -> None:
    state = begun(tmp_path)
    state.add(Outcome("a"))
    lines = state.path.read_bytes().splitlines()
    lines[number - 1] = line
    state.path.write_bytes(b"\n".join([*lines, b""]))
    with pytest.raises(InputError, match=rf"state\.jsonl, line {number}: is damaged.*--force"):
        State.open(tmp_path)


def test_what_is_to_be_done_again_is_forgotten_and_removed(tmp_path: Path) -> None:
    state = begun(tmp_path)
    for ruling in ("a", "b"):
        state.add(Outcome(ruling, attempt=ruling, name="x.txt"))
        state.publish(ruling, f"{ruling}.txt")
        (tmp_path / f"{ruling}.txt").write_text("safe")
    assert state.is_published("a") and state.is_there("a")
    state.again("a")
    for known in (state, State.open(tmp_path)):
        assert (list(known.outcomes), list(known.published)) == (["b"], ["b"])
    assert [p.name for p in tmp_path.glob("*.txt")] == ["b.txt"]
    state.remove_all()
    assert not list(tmp_path.glob("*.txt")) and State.open(tmp_path).header is None


def test_records_of_workers_are_taken_once_and_only_whole(tmp_path: Path) -> None:
    state = begun(tmp_path)
    for attempt, ruling, output in [("1", "a", "whole"), ("2", "b", "half"), ("3", "c", "whole"), ("4", "d", "whole")]:
        outcome = Outcome(ruling, attempt=attempt, name="x.txt")
        (state.work / attempt).mkdir(parents=True)
        state.staged(outcome).write_text("whole")
        outcome = replace(outcome, output=digest_of(state.staged(outcome)))
        state.staged(outcome).write_text(output)
        (state.work / attempt / "record.json").write_text(outcome.as_json())
    (state.work / "5").mkdir()
    (state.work / "5" / "record.json").write_text("{")
    state.add(Outcome("c"))
    assert [o.ruling for o in state.harvest(["a", "b", "c"])] == ["a"], "b is half, c is known, d was not asked for"
    state.sweep()
    assert list(state.work.glob("*")) == [], "nobody waits for any of them"


def test_two_batches_do_not_work_in_one_folder(tmp_path: Path) -> None:
    pytest.importorskip("fcntl", reason="this system has no such locks")
    with locked(tmp_path), pytest.raises(InputError, match="another batch is at work"), locked(tmp_path):
        pass
    with locked(tmp_path):
        assert (tmp_path / ".aef-batch").stat().st_mode & 0o777 == 0o700
