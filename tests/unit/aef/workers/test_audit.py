"""The audit log: what is changed, taken out, put in or cut off is found, at the first line where it was."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from aef.errors import InputError
from aef.workers.audit import FIRST, ORIGIN, Audit, Origin, fingerprint, segments, verified

NOVEMBER, DECEMBER = 1795000000.0, 1797000000.0  # 2026-11-18, 2026-12-11


def written(folder: Path, number: int = 6, at: float = NOVEMBER) -> Path:
    audit = Audit(folder, {"aef": "0.1"}, lambda: at)
    for turn in range(number):
        audit.write("submitted", f"{turn:032x}", input=fingerprint(b"Mr. Quistgaard"))
    return segments(folder)[-1]


def test_a_line_says_who_did_what_from_where(tmp_path: Path) -> None:
    token = ORIGIN.set(Origin("registry", "1f2e3d4c", "10.0.0.7"))
    path = written(tmp_path, 2)
    ORIGIN.reset(token)
    first, second = map(json.loads, path.read_text().splitlines())
    assert {k: first[k] for k in ("n", "what", "who", "key", "from", "aef", "ruling", "before")} == {
        "n": 1, "what": "submitted", "who": "registry", "key": "1f2e3d4c", "from": "10.0.0.7", "aef": "0.1",
        "ruling": "0" * 32, "before": FIRST,
    }  # fmt: skip
    assert first["time"].startswith("2026-11-18T") and second["before"] == first["hash"]
    assert "Quist" not in path.read_text() and stat.S_IMODE(path.stat().st_mode) == 0o600
    assert verified(tmp_path) == (2, second["hash"])


def swapped(lines: list[bytes]) -> list[bytes]:
    return [*lines[:2], lines[3], lines[2], *lines[4:]]


def forged(lines: list[bytes]) -> list[bytes]:
    """A line changed, with a hash of its own that is right."""
    from aef.workers.audit import _hash

    line = json.loads(lines[2])
    line.pop("hash")
    line["who"] = "nobody"
    return [*lines[:2], json.dumps({**line, "hash": _hash(line)}).encode(), *lines[3:]]


BROKEN: list[tuple[str, Callable[[list[bytes]], list[bytes]], int]] = [
    ("a word is changed", lambda x: [*x[:2], x[2].replace(b"submitted", b"submotted"), *x[3:]], 3),
    ("a line is taken out", lambda x: [*x[:2], *x[3:]], 3),
    ("a line is put in", lambda x: [*x[:3], x[2], *x[3:]], 4),
    ("two lines change places", swapped, 3),
    ("a line is made anew, and fits in itself", forged, 4),
    ("a line is no JSON", lambda x: [*x[:4], b"x", *x[5:]], 5),
    ("the first line is gone", lambda x: [x[0].replace(FIRST.encode(), b"1" * 64), *x[1:]], 1),
]


@pytest.mark.parametrize(("reason", "change", "place"), BROKEN, ids=[row[0] for row in BROKEN])
def test_the_first_broken_line_is_named(
    tmp_path: Path, reason: str, change: Callable[[list[bytes]], list[bytes]], place: int
) -> None:
    path = written(tmp_path)
    path.write_bytes(b"\n".join(change(path.read_bytes().splitlines())) + b"\n")
    with pytest.raises(InputError, match=f"2026-11.jsonl, line {place}: ") as told:
        verified(tmp_path)
    assert "Compare with a backup" in str(told.value), reason


def test_lines_cut_off_at_the_end_are_missed_by_who_kept_the_last_hash(tmp_path: Path) -> None:
    path = written(tmp_path)
    _, last = verified(tmp_path)
    path.write_bytes(b"\n".join(path.read_bytes().splitlines()[:4]) + b"\n")
    assert verified(tmp_path)[0] == 4
    with pytest.raises(InputError, match="which was there"):
        verified(tmp_path, last)


def test_the_chain_goes_on_over_months_and_after_the_first_of_them_are_erased(tmp_path: Path) -> None:
    old = written(tmp_path, 3)
    written(tmp_path, 3, DECEMBER)
    assert verified(tmp_path)[0] == 6 and len(segments(tmp_path)) == 2
    audit = Audit(tmp_path, clock=lambda: DECEMBER)
    assert audit.retire(12 * 86400.0) == []
    assert audit.retire(5 * 86400.0) == ["2026-11"] and not old.exists()
    assert verified(tmp_path)[0] == 4
    assert json.loads(segments(tmp_path)[-1].read_text().splitlines()[-1])["what"] == "audit_retired"


def test_a_line_that_a_power_cut_left_half_is_taken_off_and_told(tmp_path: Path) -> None:
    path = written(tmp_path, 3)
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"n": 4, "wh')
    written(tmp_path, 1)
    assert path.read_bytes().startswith(whole) and verified(tmp_path)[0] == 4
    assert json.loads(path.read_text().splitlines()[-1])["torn"] == 12


def test_several_write_at_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as several:
        list(several.map(lambda _: Audit(tmp_path).write("submitted"), range(60)))
    assert verified(tmp_path)[0] == 60
