"""What the service promises, measured on a real one: ``python -m aef.benchmarks.service [--only PART,PART]``.

In most parts rulings are handed in by several clients while something happens (``--rulings``, all limits by default).
Every accepted ruling must end done, or failed where so many workers died of it, none be lost, none be done twice, and
each result be that of its ruling; nothing of them may be left in a file.

kills       a worker, the server, or all of them at once are killed in turn (``--kills``), while a ruling is worked on.
database    PostgreSQL, which the queue is in, is ended eight times.
servers     two servers with a worker each, on one PostgreSQL, are killed in turn with their workers (``--kills``) in
            the same way.
clock       the clock of the service jumps by a day, forward and back (libfaketime).
lock        somebody else locks the database for fifteen seconds.
disk        the disk of the data folder is full for fifteen seconds (a small one of its own: root alone).
latency     doAnonymization of a two-page ruling while a batch waits in the queue and the workers are busy with it.
throughput  rulings a minute by one worker, by two, and by one server and two on one PostgreSQL.
openapi     schemathesis with all of its checks, links between requests among them, and many examples.

Exit code 1 where a promise is broken; a part that cannot be here says why. Times are wall-clock seconds, clients and
service on one machine.
"""

from __future__ import annotations

import argparse
import os
import re
import statistics
import sys
import tempfile
import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

import httpx

from aef.benchmarks.machines import servers, throughput
from aef.benchmarks.mistreated import TWO_PAGES, Asked, Outcome
from aef.benchmarks.postgres import NotInstalled, postgres
from aef.benchmarks.served import running, schemathesis
from aef.benchmarks.troubles import Impossible, clock, database, disk, kills, lock
from aef.commands.common import print_json, table
from aef.corpus_tools.samples.compose import batch
from aef.errors import InputError


def rulings(number: int, seed: int = 1) -> list[bytes]:
    """Two-page rulings as DOCX."""
    return [ruling.original_docx() for ruling in batch([TWO_PAGES] * number, seed, [0.0] * number)]


# --- latency --------------------------------------------------------------------------------------------------------


def latency(asked: Asked, folder: Path) -> Outcome:
    """Interactive rulings while a batch of 200 waits."""
    outcome = Outcome()
    waiting, urgent = rulings(200), rulings(asked.interactive, seed=2)
    workers = ["--workers", str(asked.workers), "--max-grace", "1"]
    with running(folder, *workers, *asked.options) as server, server.client() as client:
        _ready(client, asked.workers + 1)
        alone = [_seconds(client, ruling) for ruling in urgent[:10]]
        began, spent = time.perf_counter(), server.processor()
        for ruling in waiting:
            client.post("/v1/rulings", files={"file": ("ruling.docx", ruling)}).raise_for_status()
        handed_in = time.perf_counter() - began
        busy, left = [], []
        for ruling in urgent:
            left.append(_queued(client))
            busy.append(_seconds(client, ruling))
        took, undone, spent = time.perf_counter() - began, _queued(client), server.processor() - spent
    outcome.figures = {
        "median alone": round(statistics.median(alone), 3),
        "median": round(statistics.median(busy), 3),
        "95th percentile": round(statistics.quantiles(busy, n=20)[-1], 3),
        "worst": round(max(busy), 3),
        "in the queue, first to last": f"{left[0]:.0f} to {left[-1]:.0f}",
        "200 handed in within": round(handed_in, 1),
        "rulings a second, of both kinds": round((200 - undone + len(urgent)) / took, 2),
        "processor seconds each": round(spent / (200 - undone + len(urgent)), 3),
        "cores; load at the end": f"{os.cpu_count()}; {os.getloadavg()[0]:.1f}",
    }
    outcome.must(min(left) > 0, "the batch waited all the while")
    outcome.must(statistics.median(busy) < 0.5, "half a second at the median")
    return outcome


def _seconds(client: httpx.Client, ruling: bytes) -> float:
    began = time.perf_counter()
    answer = client.post("/doAnonymization", json={"document": b64encode(ruling).decode(), "type": "docx"})
    answer.raise_for_status()
    assert answer.json()["state"] == "done"
    return time.perf_counter() - began


def _queued(client: httpx.Client) -> float:
    found = re.search(
        r'^aef_rulings\{priority="batch",state="queued"\} (\S+)', client.get("/metrics").text, re.MULTILINE
    )
    return float(found[1]) if found else 0.0


def _ready(client: httpx.Client, workers: int) -> None:
    while f"aef_workers_ready {workers:.1f}" not in client.get("/metrics").text:
        time.sleep(0.1)
    time.sleep(3.0)  # ready is a process that runs; its model is loaded a moment later


# --- the rest -------------------------------------------------------------------------------------------------------


def openapi(asked: Asked, folder: Path) -> Outcome:
    """Schemathesis, three seeds."""
    outcome = Outcome()
    limits = ("--max-size", "1", "--max-wait", "3")  # schemathesis gives up after ten seconds
    with running(folder, "--workers", "1", *limits, *asked.options) as server:
        for seed in (1, 2, 3):
            right, said = schemathesis(server, asked.examples, seed)
            found = re.search(r"^ *(\d+ generated.*)$", said, re.MULTILINE)
            outcome.figures[f"seed {seed}"] = found[1] if found else "?"
            outcome.must(right, said[-3000:])
        outcome.must(not server.events("request_failed"), "no request makes the service err")
    return outcome


PARTS: dict[str, Callable[[Asked, Path], Outcome]] = {
    part.__name__: part for part in (kills, database, servers, clock, lock, disk, latency, throughput, openapi)
}


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        outcomes = dict(_run(given))
    except InputError as error:
        print(f"aef.benchmarks.service: {error}", file=sys.stderr)
        return 2
    if given.json:
        print_json({part: {"figures": o.figures, "broken": o.broken} for part, o in outcomes.items()})
    else:
        rows = [[part, name, str(value)] for part, o in outcomes.items() for name, value in o.figures.items()]
        print(table(rows, ["part", "figure", "value"]))
    for part, outcome in outcomes.items():
        for promise in outcome.broken:
            print(f"BROKEN, {part}: {promise}", file=sys.stderr)
    return int(any(outcome.broken for outcome in outcomes.values()))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m aef.benchmarks.service",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--only", default=",".join(PARTS), metavar="PARTS", help="some parts, separated by commas")
    parser.add_argument("--rulings", type=int, default=150, help="handed in while there are kills (default: 150)")
    parser.add_argument("--kills", type=int, default=20, help="(default: 20)")
    parser.add_argument("--interactive", type=int, default=40, help="rulings of doAnonymization (default: 40)")
    parser.add_argument("--workers", type=int, default=2, help="of the service whose latency is measured (default: 2)")
    parser.add_argument("--examples", type=int, default=100, help="of schemathesis for each operation (default: 100)")
    parser.add_argument("--postgres", action="store_true", help="the queue in a PostgreSQL server of our own")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    return parser


def _run(given: argparse.Namespace) -> Iterator[tuple[str, Outcome]]:
    chosen = given.only.split(",")
    if unknown := [part for part in chosen if part not in PARTS]:
        raise InputError(f"--only {given.only}: no part is called '{unknown[0]}'. There are {', '.join(PARTS)}")
    for part in chosen:
        try:
            with tempfile.TemporaryDirectory() as folder, postgres() if given.postgres else nullcontext() as queue:
                asked = Asked(given.rulings, given.kills, given.interactive, given.examples, given.workers, queue)
                yield part, PARTS[part](asked, Path(folder))
        except (Impossible, NotInstalled) as reason:
            yield part, Outcome({"not run": str(reason)})


if __name__ == "__main__":
    sys.exit(main())
