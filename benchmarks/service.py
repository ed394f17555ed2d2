"""What the service promises, measured on a real one: ``python -m aef.benchmarks.service [--only PART,PART]``.

kills      rulings are handed in by several clients while a worker, the server, or all of them at once are killed in
           turn (``--kills``). Every accepted ruling must end done, or failed where so many workers died of it, none be
           lost, none be done twice, and each result be that of its ruling; nothing of them may be left in a file.
latency    doAnonymization of a two-page ruling while a batch waits in the queue and the workers are busy with it.
openapi    schemathesis with all of its checks and many examples.

Exit code 1 where a promise is broken. Times are wall-clock seconds, clients and service on one machine.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import statistics
import sys
import tempfile
import threading
import time
from base64 import b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from aef.benchmarks.postgres import postgres
from aef.benchmarks.served import Server, running, schemathesis, start
from aef.commands.common import print_json, table
from aef.corpus_tools.samples.compose import batch
from aef.errors import InputError
from aef.recipe import Anonymizer, Recipe
from aef.workers.settings import Limits

TWO_PAGES = 480  # words
_OVER = ("done", "failed", "taken", "expired")


@dataclass
class Outcome:
    """Figures to print, and promises that were broken."""

    figures: dict[str, Any] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)

    def must(self, holds: bool, promise: str) -> None:
        if not holds:
            self.broken.append(promise)


@dataclass(frozen=True)
class Asked:
    """What a run is to do."""

    rulings: int
    kills: int
    interactive: int
    examples: int
    workers: int = 2
    queue: str | None = None

    @property
    def options(self) -> list[str]:
        return ["--queue", self.queue] if self.queue else []


def rulings(number: int, seed: int = 1) -> list[bytes]:
    """Two-page rulings as DOCX."""
    return [ruling.original_docx() for ruling in batch([TWO_PAGES] * number, seed, [0.0] * number)]


# --- kills ----------------------------------------------------------------------------------------------------------


class _Mistreated:
    """A service that is killed and started again while clients go on."""

    def __init__(self, folder: Path, options: Sequence[str]) -> None:
        self._options = ["--workers", "2", "--reserved", "0", *options]
        self.server = start(folder, *self._options)
        self._port = int(self.server.address.rpartition(":")[2])
        self.killed: Counter[str] = Counter()

    def kill_all(self) -> None:
        """Workers and server at once, as the end of a machine does."""
        for pid in self._workers():
            with suppress(ProcessLookupError):
                os.kill(pid, 9)
        self.kill_server("all")

    def kill_server(self, kind: str = "server") -> None:
        self.server.kill()
        self.killed[kind] += 1
        key = self.server.key
        while True:
            with suppress(RuntimeError):
                self.server = start(self.server.folder, *self._options, port=self._port, key=key)
                return

    def kill_worker(self, chance: random.Random) -> None:
        """One that lives."""
        while True:
            pids = self._workers()
            for pid in chance.sample(pids, len(pids)):
                with suppress(ProcessLookupError):
                    os.kill(pid, 9)
                    self.killed["worker"] += 1
                    return
            time.sleep(0.1)  # none is ready yet

    def _workers(self) -> list[int]:
        """Of those that the log names, the last ones."""
        return [line["pid"] for line in self.server.events("worker_ready")[-2:]]

    def ask(self, how: Callable[[httpx.Client], httpx.Response]) -> httpx.Response:
        """Ask until there is an answer, as a client does whose connections break."""
        while True:
            with suppress(httpx.TransportError), self.server.client(timeout=30) as client:
                answer = how(client)
                if answer.status_code not in (502, 503):
                    return answer
            time.sleep(0.1)


def kills(asked: Asked, folder: Path) -> Outcome:
    """Kill server and workers under load."""
    outcome, began = Outcome(), time.perf_counter()
    texts = [_text(number) for number in range(asked.rulings)]
    service = _Mistreated(folder, asked.options)
    stop = threading.Event()
    murderer = threading.Thread(target=_murder, args=(service, asked.kills, stop))
    murderer.start()
    with ThreadPoolExecutor(6) as clients:
        ids = list(clients.map(lambda number: _hand_in(service, number, texts[number], stop), range(asked.rulings)))
    murderer.join()
    states = [_ended(service, ruling) for ruling in ids]
    _judge(outcome, service, ids, states)
    outcome.figures["seconds"] = round(time.perf_counter() - began, 1)
    outcome.must(service.server.stop() == 0, "a graceful stop ends with exit code 0")
    return outcome


def _text(number: int) -> str:
    """A two-page ruling, another for each number."""
    (ruling,) = batch([TWO_PAGES], number, [0.0])
    return ruling.text


def _murder(service: _Mistreated, number: int, stop: threading.Event) -> None:
    chance = random.Random(5)
    for turn in range(number):
        time.sleep(chance.uniform(0.3, 1.5))
        (lambda: service.kill_worker(chance), service.kill_server, service.kill_all)[turn % 3]()
    stop.set()


def _hand_in(service: _Mistreated, number: int, text: str, stop: threading.Event) -> str:
    """The id of an accepted ruling; some time is left between two, so that killing goes on under load."""
    key = {"Idempotency-Key": f"ruling-{number}"}
    form = {"file": ("ruling.txt", text)}
    answer = service.ask(lambda client: client.post("/v1/rulings", files=form, headers=key))
    stop.wait(0.5)
    answer.raise_for_status()
    return str(answer.json()["id"])


def _ended(service: _Mistreated, ruling: str) -> dict[str, Any]:
    while True:
        answer = service.ask(lambda client: client.get(f"/v1/rulings/{ruling}", params={"wait": 20}))
        state: dict[str, Any] = answer.json()
        if answer.status_code != 200 or state["state"] in _OVER:
            return state


def _judge(outcome: Outcome, service: _Mistreated, ids: list[str], states: list[dict[str, Any]]) -> None:
    ends = Counter(state.get("state", "lost") for state in states)
    outcome.figures |= {"kills": dict(service.killed), "rulings": len(ids), "ends": dict(ends)}
    outcome.figures["reasons"] = dict(Counter(state["reason"] for state in states if state.get("reason")))
    attempts = [state.get("attempts", 0) for state in states]
    outcome.figures["taken up more than once"] = sum(number > 1 for number in attempts)
    outcome.figures["most often"] = max(attempts)  # who is given back is first in the queue, and hit again
    outcome.must(len(set(ids)) == len(ids), "each ruling has one id, however often it was sent")
    outcome.must(ends["lost"] == 0, "no accepted ruling is lost")
    outcome.must(set(ends) <= {"done", "failed"}, "each ends done or failed")
    why = {state.get("reason") for state in states if state.get("state") == "failed"}
    lost = outcome.figures["reasons"].get("worker_lost", 0)
    outcome.must(why <= {"worker_lost"}, f"who failed has a reason that lies in the kills of workers, not {why}")
    outcome.must(lost * Limits().attempts <= service.killed["worker"], "no other kill is held against a ruling")
    ended = Counter(line["ruling"] for line in service.server.events("ruling_ended"))
    outcome.must(max(ended.values(), default=0) <= 1, "none is done twice")
    anonymizer = Recipe().load()
    done = [(number, ruling) for number, ruling in enumerate(ids) if states[number].get("state") == "done"]
    right = sum(_is_own(service, anonymizer, number, ruling) for number, ruling in done)
    outcome.must(right == ends["done"], "each result is that of its ruling")
    outcome.figures["own results"] = right
    _look_for_traces(outcome, service.server)


def _is_own(service: _Mistreated, anonymizer: Anonymizer, number: int, ruling: str) -> bool:
    """Whether the result is what is made of this ruling without a service, and stays that; it is erased then."""
    answers = [
        service.ask(lambda client: client.get(f"/v1/rulings/{ruling}/result", params={"keep": True})) for _ in range(2)
    ]
    service.ask(lambda client: client.delete(f"/v1/rulings/{ruling}"))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "ruling.txt")
        source.write_text(_text(number), "utf-8")
        expected = anonymizer(source).content
    return answers[0].content == answers[1].content == expected


def _look_for_traces(outcome: Outcome, server: Server) -> None:
    """Names of the rulings in any file of the service, once all are erased."""
    time.sleep(1.5)  # the log written ahead is given up within a second
    names = {word for number in range(20) for word in re.findall(r"(?:Mr|Ms)\. ([A-Z][a-zé]{4,})", _text(number))}
    files = server.files()
    found = {f"{name} in {path}" for path, content in files.items() for name in names if name.encode() in content}
    outcome.figures["names looked for"], outcome.figures["files"] = len(names), len(files)
    outcome.must(not found, f"nothing of a ruling is left: {sorted(found)[:3]}")
    secret = server.key.split("-", 2)[2].encode()
    outcome.must(not any(secret in content for content in files.values()), "no key is left")


# --- latency --------------------------------------------------------------------------------------------------------


def latency(asked: Asked, folder: Path) -> Outcome:
    """Interactive rulings while a batch of 200 waits."""
    outcome = Outcome()
    waiting, urgent = rulings(200), rulings(asked.interactive, seed=2)
    workers = ["--workers", str(asked.workers), "--max-grace", "1"]
    with running(folder, *workers, *asked.options) as server, server.client() as client:
        _ready(client, asked.workers + 1)
        alone = [_seconds(client, ruling) for ruling in urgent[:10]]
        began = time.perf_counter()
        for ruling in waiting:
            client.post("/v1/rulings", files={"file": ("ruling.docx", ruling)}).raise_for_status()
        handed_in = time.perf_counter() - began
        busy, left = [], []
        for ruling in urgent:
            left.append(_queued(client))
            busy.append(_seconds(client, ruling))
        took, undone = time.perf_counter() - began, _queued(client)
    outcome.figures = {
        "median alone": round(statistics.median(alone), 3),
        "median": round(statistics.median(busy), 3),
        "90th percentile": round(statistics.quantiles(busy, n=10)[-1], 3),
        "worst": round(max(busy), 3),
        "in the queue, first to last": f"{left[0]:.0f} to {left[-1]:.0f}",
        "200 handed in within": round(handed_in, 1),
        "rulings a second, of both kinds": round((200 - undone + len(urgent)) / took, 2),
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
    with running(folder, "--workers", "1", "--max-size", "1", *asked.options) as server:
        for seed in (1, 2, 3):
            right, said = schemathesis(server, asked.examples, seed)
            found = re.search(r"^ *(\d+ generated.*)$", said, re.MULTILINE)
            outcome.figures[f"seed {seed}"] = found[1] if found else "?"
            outcome.must(right, said[-3000:])
        outcome.must(not server.events("request_failed"), "no request makes the service err")
    return outcome


PARTS: dict[str, Callable[[Asked, Path], Outcome]] = {"kills": kills, "latency": latency, "openapi": openapi}


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
        with tempfile.TemporaryDirectory() as folder, postgres() if given.postgres else nullcontext() as queue:
            asked = Asked(given.rulings, given.kills, given.interactive, given.examples, given.workers, queue)
            yield part, PARTS[part](asked, Path(folder))


if __name__ == "__main__":
    sys.exit(main())
