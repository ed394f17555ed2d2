"""What goes wrong within: told without a word of what was sent, and logged without it."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy.exc import OperationalError

from aef.service.server import service
from aef.workers.logs import Log
from aef.workers.settings import Settings

SECRET = "Zebulon Quistgaard"


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (RuntimeError(SECRET), 500, "internal_error"),
        (KeyError(SECRET), 500, "internal_error"),
        (OperationalError(SECRET, {"sealed": SECRET}, Exception(SECRET)), 503, "queue_unavailable"),
    ],
    ids=["an error of ours", "another", "the database is away"],
)
def test_what_goes_wrong_within_is_told_and_logged_without_a_word_of_it(
    error: Exception, status: int, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> Any:
        raise error

    log = tmp_path / "log.jsonl"
    with service(Settings(tmp_path / "data", auth=False, log=log)) as made:
        monkeypatch.setattr(made.desk.queue, "state", fails)

        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(made.app)
            async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
                return await client.get(f"/v1/rulings/{'1' * 32}")

        answer = asyncio.run(ask())
    problem = answer.json()
    assert (answer.status_code, problem["status"], problem["code"]) == (status, status, code)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    found = next(line for line in lines if line["level"] == "error")
    assert found["error"] == type(error).__name__ and "test_errors_and_logs.py:" in found["at"]
    assert found["request"] == answer.headers["x-request-id"]
    assert "Quist" not in answer.text + log.read_text()


def test_what_libraries_log_is_reduced_to_who_and_where() -> None:
    stream, root = io.StringIO(), logging.getLogger()
    before = root.handlers[:], root.level
    try:
        Log(stream).take_over()
        try:
            raise ValueError(SECRET)
        except ValueError:
            logging.getLogger("uvicorn.error").exception("cannot read %s", SECRET)
        logging.getLogger("some.library").warning(SECRET)
        logging.getLogger("some.library").info("not worth a line")
    finally:
        root.handlers[:], level = before
        root.setLevel(level)
    first, second = map(json.loads, stream.getvalue().splitlines())
    assert (first["logger"], first["error"]) == ("uvicorn.error", "ValueError")
    assert first["at"].startswith("test_errors_and_logs.py:") and second["logger"] == "some.library"
    assert "Quist" not in stream.getvalue()


class Disk(io.StringIO):
    """A stream that takes nothing while it is full, but for half a line."""

    full = False

    def write(self, text: str) -> int:
        super().write(text[: len(text) // 2] if self.full else text)
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        return len(text)


def test_where_the_log_has_no_room_work_goes_on_and_the_gap_is_told() -> None:
    disk, heard = Disk(), list[str]()
    log = Log(disk)
    log.listeners.append(lambda event, _: heard.append(event))
    for event, disk.full in (("first", False), ("second", True), ("third", True), ("fourth", False), ("fifth", False)):
        log.event(event)
    assert heard == ["first", "second", "third", "fourth", "fifth"]
    whole = []
    for line in filter(None, disk.getvalue().splitlines()):
        with suppress(ValueError):  # the half of one
            whole.append(json.loads(line))
    assert [line["event"] for line in whole] == ["first", "log_gap", "fourth", "fifth"]
    assert whole[1]["lines"] == 2
