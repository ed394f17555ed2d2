"""A service under load to which something happens: what is accepted must end, once, with the result of its ruling."""

from __future__ import annotations

import os
import random
import re
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from aef.batch.recipe import Anonymizer, Recipe
from aef.benchmarks.served import Server, start
from aef.corpus_tools.samples.compose import batch
from aef.workers.settings import Limits

TWO_PAGES = 480  # words
_OVER = ("done", "failed", "taken", "expired")
_HUNG = 600.0  # seconds without an answer
_SOON = 30.0  # seconds in which a worker that was begun anew is at a ruling
_RUNNING = re.compile(r'^aef_rulings\{.*state="running"\} [1-9]', re.MULTILINE)


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


class Mistreated:
    """A service that is killed and started again while clients go on."""

    def __init__(self, folder: Path, options: Sequence[str], workers: int = 2, key: str = "") -> None:
        self._options, self.wanted = ["--workers", str(workers), "--reserved", "0", *options], workers
        self.server = start(folder, *self._options, key=key)
        self._port = int(self.server.address.rpartition(":")[2])
        self.killed: Counter[str] = Counter()

    def kill_all(self) -> None:
        """Workers and server at once, as the end of a machine does."""
        for pid in self.workers():
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
            pids = self.workers()
            for pid in chance.sample(pids, len(pids)):
                with suppress(ProcessLookupError):
                    os.kill(pid, 9)
                    self.killed["worker"] += 1
                    return
            time.sleep(0.1)  # none is ready yet

    def is_at_work(self) -> bool:
        """Whether a ruling is worked on, within some seconds."""
        until = time.monotonic() + _SOON
        while time.monotonic() < until:
            with suppress(httpx.TransportError), self.server.client() as client:
                if _RUNNING.search(client.get("/metrics").text):
                    return True
            time.sleep(0.02)
        return False

    def workers(self) -> list[int]:
        """Of those that the log names, the last ones."""
        return [line["pid"] for line in self.server.events("worker_ready")[-self.wanted :]]

    def ask(self, how: Callable[[httpx.Client], httpx.Response]) -> httpx.Response:
        """Ask until there is an answer, as a client does whose connections break.

        Raises `RuntimeError` where there is none for ten minutes.
        """
        until = time.monotonic() + _HUNG
        while time.monotonic() < until:
            with suppress(httpx.TransportError), self.server.client(timeout=30) as client:
                answer = how(client)
                if answer.status_code not in (502, 503):
                    return answer
            time.sleep(0.1)
        raise RuntimeError("the service has not answered for ten minutes")


# --- load -----------------------------------------------------------------------------------------------------------


def text(number: int) -> str:
    """A two-page ruling, another for each number."""
    (ruling,) = batch([TWO_PAGES], number, [0.0])
    return ruling.text


def long_text(number: int) -> str:
    """A ruling of twenty pages, at which a worker is long enough to be killed."""
    return text(number) * 10


def under_load(
    services: Sequence[Mistreated], rulings: int, trouble: Callable[[], None], content: Callable[[int], str] = text
) -> Outcome:
    """Hand rulings in while something happens; what came of them, and a graceful stop in the end.

    Services of one queue are asked in turn, and another one for the result than for the ruling. content : of the
    ruling of a number.
    """
    outcome, began = Outcome(), time.perf_counter()
    over = threading.Event()
    troubled = ThreadPoolExecutor(1).submit(_happens, trouble, over)

    def hand_in(number: int) -> str:
        return _handed_in(services[number % len(services)], number, content(number), over)

    with ThreadPoolExecutor(6) as clients:
        ids = list(clients.map(hand_in, range(rulings)))
    troubled.result()
    states = [_ended(services[(n + 1) % len(services)], ruling) for n, ruling in enumerate(ids)]
    _judge(outcome, services, ids, states, content)
    outcome.figures["seconds"] = round(time.perf_counter() - began, 1)
    stopped = [service.server.stop() for service in services]
    outcome.must(not any(stopped), "a graceful stop ends with exit code 0")
    return outcome


def _happens(trouble: Callable[[], None], over: threading.Event) -> None:
    try:
        trouble()
    finally:
        over.set()


def _handed_in(service: Mistreated, number: int, content: str, over: threading.Event) -> str:
    """The id of an accepted ruling; some time is left between two, so that trouble comes under load."""
    key = {"Idempotency-Key": f"ruling-{number}"}
    form = {"file": ("ruling.txt", content)}
    answer = service.ask(lambda client: client.post("/v1/rulings", files=form, headers=key))
    over.wait(0.5)
    answer.raise_for_status()
    return str(answer.json()["id"])


def _ended(service: Mistreated, ruling: str) -> dict[str, Any]:
    while True:
        answer = service.ask(lambda client: client.get(f"/v1/rulings/{ruling}", params={"wait": 20}))
        state: dict[str, Any] = answer.json()
        if answer.status_code != 200 or state["state"] in _OVER:
            return state


# --- what came of it ------------------------------------------------------------------------------------------------


def _judge(
    outcome: Outcome,
    services: Sequence[Mistreated],
    ids: list[str],
    states: list[dict[str, Any]],
    content: Callable[[int], str],
) -> None:
    killed = sum((service.killed for service in services), Counter[str]())
    ends = Counter(state.get("state", "lost") for state in states)
    outcome.figures |= {"kills": dict(killed), "rulings": len(ids), "ends": dict(ends)}
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
    outcome.must(lost * Limits().attempts <= killed["worker"], "no other kill is held against a ruling")
    lines = [line["ruling"] for service in services for line in service.server.events("ruling_ended")]
    outcome.must(max(Counter(lines).values(), default=0) <= 1, "none is done twice")
    done = {ruling: content(number) for number, ruling in enumerate(ids) if states[number].get("state") == "done"}
    outcome.figures["own results"] = right = _own(services[0], done)
    outcome.must(right == ends["done"], "each result is that of its ruling")
    time.sleep(1.5)  # the log written ahead is given up within a second
    for service in services:
        _look_for_traces(outcome, service.server)


def _own(service: Mistreated, done: dict[str, str]) -> int:
    anonymizer = Recipe().load()
    return sum(_is_own(service, anonymizer, ruling, content) for ruling, content in done.items())


def _is_own(service: Mistreated, anonymizer: Anonymizer, ruling: str, content: str) -> bool:
    """Whether the result is what is made of this ruling without a service, and stays that; it is erased then."""
    answers = [
        service.ask(lambda client: client.get(f"/v1/rulings/{ruling}/result", params={"keep": True})) for _ in range(2)
    ]
    service.ask(lambda client: client.delete(f"/v1/rulings/{ruling}"))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "ruling.txt")
        source.write_text(content, "utf-8")
        expected = anonymizer(source).content
    return answers[0].content == answers[1].content == expected


def _look_for_traces(outcome: Outcome, server: Server) -> None:
    """Names of the rulings in any file of the service, once all are erased."""
    names = {word for number in range(20) for word in re.findall(r"(?:Mr|Ms)\. ([A-Z][a-zé]{4,})", text(number))}
    files = server.files()
    found = {f"{name} in {path}" for path, content in files.items() for name in names if name.encode() in content}
    outcome.figures["names looked for"], outcome.figures["files"] = len(names), len(files)
    outcome.must(not found, f"nothing of a ruling is left: {sorted(found)[:3]}")
    secret = server.key.split("-", 2)[2].encode()
    outcome.must(not any(secret in content for content in files.values()), "no key is left")
