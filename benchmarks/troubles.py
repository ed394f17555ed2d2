"""What may happen to a service under load, one thing a part of `aef.benchmarks.service`."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx

from aef.benchmarks.mistreated import Asked, Mistreated, Outcome, long_text, text, under_load
from aef.benchmarks.postgres import own_server

ENDINGS, JUMPS, LOCKED = 8, (86_400, 0, -86_400, 0), 15.0
"""Of PostgreSQL; of the clock, in seconds from the true time; how many seconds the database is locked, or the disk is
full."""
ROOM = 40_000_000
"""Bytes of the disk that is filled."""
_FAKETIME = Path("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1")


class Impossible(Exception):
    """What a part needs is not here."""


def kills(asked: Asked, folder: Path) -> Outcome:
    """Kill server and workers."""
    service, chance, met = Mistreated(folder, asked.options), random.Random(5), 0

    def murder() -> None:
        nonlocal met
        for turn in range(asked.kills):
            met += service.is_at_work()
            time.sleep(chance.uniform(0.0, 0.3))
            (lambda: service.kill_worker(chance), service.kill_server, service.kill_all)[turn % 3]()

    outcome = under_load([service], asked.rulings, murder, long_text)
    outcome.figures["kills with a ruling at work"] = met
    return outcome


def database(asked: Asked, folder: Path) -> Outcome:
    """PostgreSQL is ended and started again; no worker dies."""
    with own_server() as server:
        service = Mistreated(folder, ["--queue", server.url])

        def end() -> None:
            for _ in range(ENDINGS):
                time.sleep(2.0)
                server.stop()
                time.sleep(1.0)
                server.start()

        outcome = under_load([service], asked.rulings, end)
    outcome.figures["PostgreSQL ended"] = ENDINGS
    outcome.must(outcome.figures["ends"] == {"done": asked.rulings}, "an outage of the database costs no ruling")
    return outcome


def clock(asked: Asked, folder: Path) -> Outcome:
    """The clock of server and workers jumps by a day, forward and back, twice each (libfaketime)."""
    if not _FAKETIME.exists():
        raise Impossible("the clock cannot be moved: libfaketime is not installed")
    at = folder / "clock"
    at.write_text("+0")
    faked = {"LD_PRELOAD": str(_FAKETIME), "FAKETIME_TIMESTAMP_FILE": str(at), "FAKETIME_CACHE_DURATION": "1"}
    faked |= {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    os.environ.update(faked)
    try:
        service = Mistreated(folder, ["--max-keep", "100", *asked.options])
    finally:
        for name in faked:
            del os.environ[name]

    def jump() -> None:
        for seconds in JUMPS * 2:
            at.write_text(f"{seconds:+d}")
            time.sleep(4.0)

    outcome = under_load([service], asked.rulings, jump)
    outcome.must(_days(service) > 0, "the clock of the service jumped")
    outcome.must(outcome.figures["ends"] == {"done": asked.rulings}, "no jump costs a ruling")
    return outcome


def _days(service: Mistreated) -> int:
    """On how many days besides the first the log says that something was."""
    return len({line["time"][:10] for line in service.server.events("request")}) - 1


def lock(asked: Asked, folder: Path) -> Outcome:
    """The database (SQLite) is locked: health answers, what is handed in is told to come again."""
    service = Mistreated(folder, [])
    refused: list[httpx.Response] = []
    waited: list[float] = []

    def locked() -> None:
        time.sleep(3.0)
        with closing(sqlite3.connect(service.server.data / "queue.sqlite", isolation_level=None)) as other:
            other.execute("BEGIN EXCLUSIVE")
            until = time.monotonic() + LOCKED
            while time.monotonic() < until:
                _timed(service, "/v1/live", waited)
                refused.append(_submitted(service))
            other.execute("ROLLBACK")

    outcome = under_load([service], asked.rulings, locked)
    outcome.figures |= {"live answers, worst": round(max(waited), 2), "refused while locked": len(refused)}
    told = all(answer.status_code == 503 and "Retry-After" in answer.headers for answer in refused)
    outcome.must(told, "what is handed in while the database is locked is told to come again")
    outcome.must(outcome.figures["ends"] == {"done": asked.rulings}, "a lock costs no ruling")
    return outcome


def disk(asked: Asked, folder: Path) -> Outcome:
    """The disk of the data folder is full for a while, and then is not (a tmpfs; root alone may make one)."""
    with _small_disk(folder):
        service = Mistreated(folder, ["--max-size", "1"])
        refused: list[httpx.Response] = []
        told: list[str] = []

        def full() -> None:
            time.sleep(3.0)
            (folder / "filler").write_bytes(bytes(max(0, shutil.disk_usage(folder).free - 8192)))
            until = time.monotonic() + LOCKED
            while time.monotonic() < until:
                refused.append(_submitted(service, large=True))
                with service.server.client() as client:
                    told.append(client.get("/v1/ready").json()["modules"]["disk"])
                time.sleep(0.5)
            (folder / "filler").unlink()

        outcome = under_load([service], asked.rulings, full)
    outcome.figures |= {"refused while full": sum(answer.status_code == 503 for answer in refused)}
    outcome.must(all(answer.status_code == 503 for answer in refused), "what has no room is told to come again")
    outcome.must("full" in told, "health tells of the full disk")
    outcome.must(outcome.figures["ends"] == {"done": asked.rulings}, "a full disk costs no accepted ruling")
    return outcome


@contextmanager
def _small_disk(folder: Path) -> Iterator[None]:
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={ROOM}", "aef", str(folder)], capture_output=True)
    if made.returncode:
        raise Impossible("no small disk can be made here: mount wants root")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _submitted(service: Mistreated, large: bool = False) -> httpx.Response:
    """A ruling that is not of the load; a large one has as many bytes as may be."""
    content = text(0) * (300 if large else 1)
    with service.server.client() as client:
        return client.post("/v1/rulings", files={"file": ("more.txt", content)})


def _timed(service: Mistreated, path: str, into: list[float]) -> None:
    began = time.monotonic()
    with service.server.client() as client:
        client.get(path).raise_for_status()
    into.append(time.monotonic() - began)
