"""What a year's rulings take: ``python -m aef.benchmarks.capacity [--year 10000000] [--json]``.

Measured here: the processor time of one ruling (DOCX, lengths log-normal about ``--words``), its way through the queue
(SQLite on this disk: handed in, claimed, finished, delivered, and four lines of the audit log), its bytes. Simulated:
the busiest day, ``--busiest`` times the mean of 250, each hour with its share of it (`HOURS`: a court's day, with peaks
before and after noon), arrivals at random, ``--urgent`` of them while somebody waits. Urgent ones go first, and
have reserved workers besides, as in the service; who is begun is finished.

Told: the fewest workers with which 99 of 100 urgent rulings wait less than ``--wait`` seconds and no other one longer
than ``--batch`` minutes, and what that asks of connections, queue and disk. A worker is one core of this machine.
"""

from __future__ import annotations

import argparse
import heapq
import math
import random
import statistics
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aef.batch.recipe import Recipe
from aef.commands.common import print_json, table
from aef.corpus_tools.samples.compose import batch
from aef.workers.audit import Audit, fingerprint, segments
from aef.workers.database import Database
from aef.workers.queue import Queue
from aef.workers.settings import Limits
from aef.workers.states import Submission
from aef.workers.vault import Vault

HOURS = (0, 0, 0, 0, 0, 0, 1, 3, 8, 13, 15, 12, 6, 8, 13, 11, 6, 3, 1, 0, 0, 0, 0, 0)
"""Shares of a day, from midnight on: an assumption, no measurement."""
DAYS = 250
_SPREAD = 0.7  # of the logarithm of a ruling's length
_RESERVED = 0.1  # of all workers


@dataclass(frozen=True)
class Cost:
    """Of one ruling. seconds : of a processor, one value each. queue : seconds of its way through the queue. size :
    bytes of original and result; row, audit : that stay of it in the database and the audit log."""

    seconds: Sequence[float]
    queue: float
    size: float
    row: float
    audit: float


@dataclass(frozen=True)
class Day:
    """Seconds that urgent rulings and others waited; the most of each that were there at once."""

    urgent: Sequence[float]
    others: Sequence[float]
    most_urgent: int
    most_others: int


def measured(number: int, words: int, seed: int = 1) -> Cost:
    """The cost of rulings on this machine."""
    chance = random.Random(seed)
    lengths = [max(100, round(words * math.exp(chance.gauss(0, _SPREAD)))) for _ in range(number)]
    rulings = [ruling.original_docx() for ruling in batch(lengths, seed, [0.0] * number)]
    with tempfile.TemporaryDirectory() as folder:
        results, seconds = _anonymized(rulings, Path(folder))
        queue, row, audit = _queued(rulings, results, Path(folder, "data"))
    size = statistics.mean(map(len, [*rulings, *results])) * 2
    return Cost(seconds, queue, size, row, audit)


def _anonymized(rulings: Sequence[bytes], folder: Path) -> tuple[list[bytes], list[float]]:
    anonymizer, results, seconds = Recipe().load(), [], []
    source = folder / "ruling.docx"
    for ruling in [rulings[0], *rulings]:  # the first one twice: it loads what all need
        source.write_bytes(ruling)
        began = time.process_time()
        results.append(anonymizer(source).content)
        seconds.append(time.process_time() - began)
    return results[1:], seconds[1:]


def _queued(rulings: Sequence[bytes], results: Sequence[bytes], folder: Path) -> tuple[float, float, float]:
    """Seconds of a ruling in the queue, and the bytes that stay of it in the database and the audit log."""
    folder.mkdir()
    with closing(Database(f"sqlite:///{folder / 'queue.sqlite'}")) as database:
        queue, audit = Queue(database, Vault(bytes(32)), Limits(again=0.0)), Audit(folder / "audit")
        began = time.perf_counter()
        for content, result in zip(rulings, results, strict=True):
            ruling, _ = queue.submit(Submission("registry", content, "docx"))
            audit.write("submitted", ruling, input=fingerprint(content), options={}, reviewer=None)
            job = queue.claim()
            assert job is not None and queue.finish(job, result, {"replacements": 41})
            audit.write("done", ruling, output=fingerprint(result))
            audit.write("fetched", ruling, output=fingerprint(result))
            queue.delivered("registry", ruling)
            audit.write("delivered", ruling)
        took = time.perf_counter() - began
        queue.expire()
        with database.writing() as connection:
            pages = connection.exec_driver_sql("SELECT sum(pgsize) FROM dbstat WHERE name LIKE '%aef_rulings%'")
            rows = float(pages.scalar() or 0)
    lines = sum(path.stat().st_size for path in segments(folder / "audit"))
    return took / len(rulings), rows / len(rulings), lines / len(rulings)


def arrivals(number: float, urgent: float, chance: random.Random) -> list[tuple[float, bool]]:
    """The moments of a day (seconds) at which so many rulings come in, and whether somebody waits for each."""
    found: list[tuple[float, bool]] = []
    for hour, share in enumerate(HOURS):
        rate, now = number * share / sum(HOURS) / 3600, 0.0
        while share and (now := now + chance.expovariate(rate)) < 3600:
            found.append((3600 * hour + now, chance.random() < urgent))
    return found


def simulated(
    day: Sequence[tuple[float, bool]], seconds: Sequence[float], workers: int, reserved: int, seed: int = 1
) -> Day:
    """A day with so many workers, and further ones for urgent rulings alone; each ruling takes one of the seconds."""
    chance = random.Random(seed)
    waiting: tuple[deque[float], deque[float]] = (deque(), deque())  # others, urgent
    waited: tuple[list[float], list[float]] = ([], [])
    free, busy = [workers, reserved], list[tuple[float, int, bool]]()
    most, there = [0, 0], [0, 0]

    def begin(now: float, came: float, urgent: bool, lane: int) -> None:
        free[lane] -= 1
        waited[urgent].append(now - came)
        heapq.heappush(busy, (now + chance.choice(seconds), lane, urgent))

    def end_until(now: float) -> None:
        while busy and busy[0][0] <= now:
            ended, lane, urgent = heapq.heappop(busy)
            free[lane] += 1
            there[urgent] -= 1
            following = next((kind for kind in (True, False)[: 2 - lane] if waiting[kind]), None)
            if following is not None:
                begin(ended, waiting[following].popleft(), following, lane)

    for now, urgent in day:
        end_until(now)
        there[urgent] += 1
        most[urgent] = max(most[urgent], there[urgent])
        lane = next((lane for lane in ((1, 0) if urgent else (0,)) if free[lane]), None)
        if lane is None:
            waiting[urgent].append(now)
        else:
            begin(now, now, urgent, lane)
    end_until(float("inf"))
    return Day(waited[True], waited[False], most[True], most[False])


def fewest(day: Sequence[tuple[float, bool]], cost: Cost, wait: float, longest: float) -> tuple[int, int, Day]:
    """The fewest workers, and reserved ones besides, with which nobody waits too long, and the day with them."""
    most = math.ceil(len(day) * statistics.mean(cost.seconds) / 3600) + 8  # as if all came within an hour

    def enough(workers: int) -> tuple[bool, int, Day]:
        reserved = math.ceil(workers * _RESERVED)
        found = simulated(day, cost.seconds, workers, reserved)
        holds = _percentile(found.urgent, 0.99) <= wait and max(found.others, default=0.0) <= longest
        return holds, reserved, found

    low, high = 1, most
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle)[0] else (middle + 1, high)
    return low, *enough(low)[1:]


def _percentile(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else 0.0


def figures(year: float, cost: Cost, asked: argparse.Namespace) -> dict[str, Any]:
    """What a year's rulings take."""
    number = year / DAYS * asked.busiest
    day = arrivals(number, asked.urgent, random.Random(asked.seed))
    workers, reserved, found = fewest(day, cost, asked.wait, 60 * asked.batch)
    peak = number * max(HOURS) / sum(HOURS) / 3600
    memory = (workers + reserved) * 0.25
    return {
        "processor seconds of a ruling, mean": round(statistics.mean(cost.seconds), 3),
        "rulings on the busiest day": round(number),
        "rulings a second in the busiest hour": round(peak, 2),
        "workers (cores)": workers,
        "reserved workers besides": reserved,
        "GB of memory for workers": round(memory, 1),
        "seconds urgent ones wait, 99th percentile": round(_percentile(found.urgent, 0.99), 2),
        "minutes others wait, longest": round(max(found.others, default=0.0) / 60, 1),
        "requests that wait for a ruling at once, most": found.most_urgent,
        "rulings in the queue at once, most": found.most_others,
        "share of its time that one SQLite queue is written to": round(peak * cost.queue, 3),
        "GB sealed at once, if none is fetched for a day": round(number * cost.size / 1e9, 1),
        "GB of states, kept for a week": round(number * 7 * cost.row / 1e9, 2),
        "GB of audit log a year": round(year * cost.audit / 1e9, 1),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m aef.benchmarks.capacity", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("--year", type=float, default=1e7, help="rulings a year (default: 10 million)")
    parser.add_argument("--busiest", type=float, default=1.5, help="the busiest day by the mean one (default: 1.5)")
    parser.add_argument("--urgent", type=float, default=0.1, help="share for which somebody waits (default: 0.1)")
    parser.add_argument("--wait", type=float, default=1.0, help="seconds that 99 of 100 urgent ones may wait")
    parser.add_argument("--batch", type=float, default=15.0, help="minutes that any other may wait (default: 15)")
    parser.add_argument("--words", type=int, default=1500, help="of a ruling, median (default: 1500)")
    parser.add_argument("--rulings", type=int, default=60, help="to measure (default: 60)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args(arguments)
    found = figures(asked.year, measured(asked.rulings, asked.words, asked.seed), asked)
    if asked.json:
        print_json(found)
    else:
        print(table([[name, str(value)] for name, value in found.items()], ["what", "figure"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
