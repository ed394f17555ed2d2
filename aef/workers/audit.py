"""The audit log: who did what, from where, when, with which ruling and which version, and never a word of a ruling.

A file a month, to which lines of JSON are added and nothing else. Each line holds the hash of the one before and its
own, so that whoever changes, removes or inserts one has to make all later ones anew; who keeps the last hash elsewhere
(it is what `verified` gives) can tell that, too. What was written is on the disk before the deed is answered.
"""

from __future__ import annotations

import calendar
import fcntl
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aef.errors import InputError

FIRST = "0" * 64
"""The hash before the first line."""
_TAIL = 65_536  # bytes, of which the last line has some hundreds


@dataclass(frozen=True)
class Origin:
    """Who asks: a client, the id of its key, an address."""

    who: str = "-"
    key: str = "-"
    address: str = "-"


_SERVICE = Origin("service")
ORIGIN: ContextVar[Origin] = ContextVar("origin", default=_SERVICE)
"""On whose behalf this thread, or task, does what it does."""


class NotRecorded(Exception):
    """A line could not be written."""


class Audit:
    """The log in a folder, for several processes at once. versions : of what runs, in each line."""

    def __init__(
        self, folder: Path, versions: Mapping[str, str] | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._folder, self._versions, self._clock = folder, dict(versions or {}), clock

    def write(self, what: str, ruling: str | None = None, **more: Any) -> None:
        """Add a line. more : plain values, none of them a ruling's. Raises `NotRecorded` where that cannot be."""
        origin = ORIGIN.get()
        said = {"what": what, "who": origin.who, "key": origin.key, "from": origin.address}
        if ruling is not None:
            said["ruling"] = ruling
        try:
            with self._alone():
                self._add({**said, **self._versions, **more})
        except OSError as error:
            raise NotRecorded from error

    def retire(self, older: float) -> list[str]:
        """Erase the months that ended so many seconds ago; their names."""
        now = self._clock()
        gone = [path for path in segments(self._folder) if _end(path) + older < now]
        for path in gone:
            path.unlink()
            self.write("audit_retired", segment=path.stem)
        return [path.stem for path in gone]

    def _add(self, said: Mapping[str, Any]) -> None:
        now = self._clock()
        path = self._folder / f"{time.strftime('%Y-%m', time.gmtime(now))}.jsonl"
        torn = _mended(path)
        number, before = _last(self._folder)
        stamp = f"{time.strftime('%Y-%m-%dT%H:%M:%S', time.gmtime(now))}.{int(now % 1 * 1000):03d}Z"
        line = {"n": number + 1, "time": stamp, **said, **({"torn": torn} if torn else {}), "before": before}
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600), "wb") as stream:
            stream.write((json.dumps({**line, "hash": _hash(line)}) + "\n").encode())
            stream.flush()
            os.fsync(stream.fileno())

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = os.open(self._folder, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)


def fingerprint(content: bytes) -> str:
    """What stands in the log for a file."""
    return hashlib.sha256(content).hexdigest()


def segments(folder: Path) -> list[Path]:
    """The files of the log, the oldest first."""
    return sorted(folder.glob("[0-9][0-9][0-9][0-9]-[0-9][0-9].jsonl"))


def verified(folder: Path, known: str | None = None) -> tuple[int, str]:
    """How many lines there are, and the hash of the last one. known : a hash that must be among them.

    Raises `InputError` naming the first line that is broken.
    """
    number, before, count, seen = 0, "", 0, False
    for path in segments(folder):
        for place, text in enumerate(path.read_bytes().splitlines(), 1):
            line = _read(path, place, text)
            if before and (line["before"] != before or line["n"] != number + 1):
                raise _broken(path, place, "does not follow from the line before it")
            if line["n"] == 1 and line["before"] != FIRST:
                raise _broken(path, place, "is not how the log begins")
            number, before, count = line["n"], line["hash"], count + 1
            seen = seen or before == known
    if known is not None and not seen:
        raise InputError.at(folder, f"no line has the hash {known[:12]}…, which was there", remedy=_REMEDY)
    return count, before


def _read(path: Path, place: int, text: bytes) -> dict[str, Any]:
    try:
        line = json.loads(text)
        given = line.pop("hash")
        if given != _hash(line) or not isinstance(line["n"], int):
            raise ValueError
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise _broken(path, place, "is not as it was written") from error
    return {**line, "hash": given}


_REMEDY = "Compare with a backup: somebody, or the disk, has changed the log"


def _broken(path: Path, place: int, problem: str) -> InputError:
    return InputError.at(path, problem, line=place, remedy=_REMEDY)


def _hash(line: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(dict(line), sort_keys=True).encode()).hexdigest()


def _last(folder: Path) -> tuple[int, str]:
    """Number and hash of the last line there is."""
    for path in reversed(segments(folder)):
        if lines := _tail(path).splitlines():
            try:
                found = json.loads(lines[-1])
                return int(found["n"]), str(found["hash"])
            except (ValueError, TypeError, KeyError):
                return 0, "unreadable"  # the chain begins anew, and `verified` tells where
    return 0, FIRST


def _tail(path: Path) -> bytes:
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - _TAIL))
        return stream.read()


def _mended(path: Path) -> int:
    """Take off a line that a power cut left half: nothing was answered for it. How many bytes it had."""
    if not path.exists() or not (content := _tail(path)) or content.endswith(b"\n"):
        return 0
    torn = len(content) - (content.rfind(b"\n") + 1)
    os.truncate(path, path.stat().st_size - torn)
    return torn


def _end(path: Path) -> float:
    """When the month of a segment was over, in seconds since 1970."""
    year, month = map(int, path.stem.split("-"))
    return float(calendar.timegm((year + month // 12, month % 12 + 1, 1, 0, 0, 0)))
