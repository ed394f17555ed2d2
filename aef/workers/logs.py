"""Logs as lines of JSON, in which nothing of a ruling can stand: values are numbers and words of our own.

What libraries log is reduced to who said it, how loud, and the kind and place of an error; their sentences may quote a
path, a request or a ruling.
"""

from __future__ import annotations

import json
import logging
import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from pathlib import Path
from typing import TextIO

from aef.errors import InputError

Value = str | int | float | bool | None


RULING: ContextVar[str | None] = ContextVar("ruling", default=None)
"""The ruling that a request is about."""


class Log:
    """Writes events to a stream, whole lines at a time, and tells them to its listeners.

    Where the stream takes nothing, as a full disk does, work goes on: the next line that is written is preceded by one
    that tells how many are missing.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream or sys.stderr
        self._lock, self._missing = threading.Lock(), 0
        self.listeners: list[Callable[[str, Mapping[str, Value]], None]] = []

    def event(self, event: str, level: str = "info", **values: Value) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        line = json.dumps({"time": now, "level": level, "event": event, **values})
        with self._lock:
            try:
                if self._missing:  # the first of them may be written in half
                    gap = {"time": now, "level": "error", "event": "log_gap", "lines": self._missing}
                    print(f"\n{json.dumps(gap)}", file=self._stream, flush=True)
                print(line, file=self._stream, flush=True)
                self._missing = 0
            except OSError:
                self._missing += 1
        for told in self.listeners:
            told(event, values)

    def error(self, event: str, error: BaseException, **values: Value) -> None:
        """An error by its kind and place: what it says may be of a ruling."""
        self.event(event, "error", error=type(error).__name__, at=place_of(error), **values)

    def take_over(self) -> None:
        """Have what libraries log go through here."""
        root = logging.getLogger()
        root.handlers[:] = [_Reduced(self)]
        root.setLevel(logging.WARNING)
        for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "asyncio"):
            logger = logging.getLogger(name)
            logger.handlers[:], logger.propagate = [], True
            logger.setLevel(logging.WARNING)


class _Reduced(logging.Handler):
    def __init__(self, log: Log) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        kind = {"error": type(error).__name__, "at": place_of(error)} if error else {}
        self._log.event("library", record.levelname.lower(), logger=record.name, **kind)


def opened(path: Path | None) -> Log:
    """A log to a file, for its owner alone, or to standard error. Raises `InputError`."""
    if path is None:
        return Log()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        return Log(path.open("a", encoding="utf-8"))
    except OSError as error:
        raise InputError.at(path, f"cannot be written ({error.strerror})", remedy="Name another --log") from error


def place_of(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)
    return f"{Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
