"""Workers and servers: what they get done together, and that one outlives the other (`aef.benchmarks.service`)."""

from __future__ import annotations

import os
import time
from base64 import b64encode
from pathlib import Path

from aef.benchmarks.mistreated import Asked, Mistreated, Outcome, long_text, text, under_load
from aef.benchmarks.postgres import Postgres, own_server
from aef.benchmarks.served import processor

_WARM = 4
"""Rulings for each worker before the clock starts: models are loaded."""


def servers(asked: Asked, folder: Path) -> Outcome:
    """Two servers of a worker each on one PostgreSQL, killed in turn with their workers."""
    with own_server() as database:
        options = shared(folder, database.url)
        first = Mistreated(folder / "0", options, 1)
        pair, met = [first, Mistreated(folder / "1", options, 1, first.server.key)], 0

        def murder() -> None:
            nonlocal met
            for turn in range(asked.kills):
                met += pair[turn % 2].is_at_work()
                pair[turn % 2].kill_all()

        outcome = under_load(pair, asked.rulings, murder, long_text)
    outcome.figures["kills with a ruling at work"] = met
    outcome.must(outcome.figures["ends"] == {"done": asked.rulings}, "the end of a machine costs no ruling")
    return outcome


def shared(folder: Path, url: str) -> list[str]:
    """The options that services of one queue have in common; their files go into the folder."""
    for name, content in (("key", b64encode(os.urandom(32)).decode()), ("url", url)):
        (folder / name).touch(0o600)
        (folder / name).write_text(content)
    files = {"--queue-file": "url", "--queue-key": "key", "--keys": "keys.json"}
    return [word for option, name in files.items() for word in (option, str(folder / name))]


def throughput(asked: Asked, folder: Path) -> Outcome:
    """Two-page rulings a minute by one worker, by two, and by one server and two of a worker each on PostgreSQL."""
    outcome = Outcome()
    for name, workers in (("one worker", 1), ("two workers", 2)):
        _rate(outcome, name, [Mistreated(folder / name, asked.options, workers)], asked.rulings)
    with own_server() as database:
        options = shared(folder, database.url)
        one = Mistreated(folder / "0", options, 1)
        key = one.server.key
        alone = _rate(outcome, "one server on PostgreSQL", [one], asked.rulings, database)
        pair = [Mistreated(folder / name, options, 1, key) for name in ("0", "1")]
        both = _rate(outcome, "two servers on PostgreSQL", pair, asked.rulings, database)
    outcome.figures["two servers to one"] = round(both / alone, 2)
    outcome.figures["cores; load at the end"] = f"{os.cpu_count()}; {os.getloadavg()[0]:.1f}"
    return outcome


def _rate(
    outcome: Outcome, name: str, services: list[Mistreated], rulings: int, database: Postgres | None = None
) -> float:
    """Rulings a minute, from the first that is handed in to the last that is done; the services are stopped."""

    def spent() -> dict[str, float]:
        seconds = {"processor": sum(service.server.processor() for service in services), "client": time.process_time()}
        return seconds | ({"PostgreSQL": processor(database.processes())} if database else {})

    for service in services:
        while len(service.server.events("worker_ready")) < service.wanted:
            time.sleep(0.1)
    _done(services[0], [text(number) for number in range(_WARM * sum(s.wanted for s in services))])
    texts = [text(number) for number in range(rulings)]
    began, before = time.perf_counter(), spent()
    _done(services[0], texts)
    rate = 60 * rulings / (time.perf_counter() - began)
    each = {f"{name}, {who} seconds each": round((s - before[who]) / rulings, 3) for who, s in spent().items()}
    outcome.figures |= {f"{name}, a minute": round(rate)} | each
    for service in services:
        service.server.stop()
    return rate


def _done(service: Mistreated, texts: list[str]) -> None:
    """Hand them in, and wait for the last.  Raises `RuntimeError` where one is not done."""
    with service.server.client(timeout=300) as client:
        ids = [client.post("/v1/rulings", files={"file": ("ruling.txt", one)}).json()["id"] for one in texts]
        for ruling in ids:
            while (state := client.get(f"/v1/rulings/{ruling}", params={"wait": 20}).json()["state"]) != "done":
                if state not in ("queued", "running"):
                    raise RuntimeError(f"a ruling ended as {state}")
