"""The queue: against a plain model of it, under threads, and what is left of a ruling that was erased."""

from __future__ import annotations

import json
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, rule

from aef.errors import InputError
from aef.workers.database import Database
from aef.workers.queue import Queue
from aef.workers.settings import Limits
from aef.workers.states import DEATH, OUTAGE, STOP, Conflict, Full, Job, Submission
from aef.workers.vault import Vault
from aef.workers.waiting import TURN

KEY = bytes(range(32))
LIMITS = Limits(attempts=2, outages=3, lease=10.0, keep=100.0, again=20.0, forget=100.0, queued=6, per_client=4)


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def opened(url: str, limits: Limits = LIMITS, clock: Clock | None = None, key: bytes = KEY) -> Iterator[Queue]:
    with closing(Database(url)) as database:
        yield Queue(database, Vault(key), limits, clock or Clock())


def ruling(content: bytes = b"Mr. Millar appeals.", **values: Any) -> Submission:
    return Submission(**{"owner": "registry", "content": content, "format": "txt", **values})


# --- against a model ------------------------------------------------------------------------------------------------


@dataclass
class Modelled:
    """A ruling as the model has it."""

    owner: str
    content: bytes
    priority: int
    order: int
    state: str = "queued"
    attempts: int = 0
    deaths: int = 0
    outages: int = 0
    delivered: bool = False
    lease: str | None = None
    until: float = 0.0
    expires: float = 0.0
    result: bytes | None = None


@dataclass
class Model:
    rulings: dict[str, Modelled] = field(default_factory=dict)
    made: int = 0
    claims: int = 0
    turns: dict[str, int] = field(default_factory=dict)

    def waiting(self, owner: str | None = None) -> int:
        return sum(r.state in ("queued", "running") and owner in (None, r.owner) for r in self.rulings.values())

    def next(self, lowest: int) -> str | None:
        """Of the highest priority, every so many claims of the lowest, that of the client whose last turn was longest
        ago; of a client the oldest."""
        waits = {i: r for i, r in self.rulings.items() if r.state == "queued" and r.priority >= lowest}
        which = min if self.claims % TURN == TURN - 1 else max
        priority = which((r.priority for r in waits.values()), default=0)
        ranked = [(self.turns.get(r.owner, 0), r.order, i) for i, r in waits.items() if r.priority == priority]
        return min(ranked, default=(0, 0, None))[2]

    def served(self, owner: str) -> None:
        self.claims += 1
        self.turns[owner] = self.claims

    def give_back(self, ruling: Modelled, why: str, now: float) -> None:
        ruling.lease = None
        ruling.deaths += why == DEATH
        ruling.outages += why == OUTAGE
        ruling.attempts -= why == STOP
        if ruling.deaths >= LIMITS.attempts or ruling.outages >= LIMITS.outages:
            ruling.state, ruling.expires = "failed", now + LIMITS.keep
        else:
            ruling.state = "queued"


class QueueAgainstModel(RuleBasedStateMachine):
    """Any order of what clients, workers and time do."""

    ids: Bundle[str] = Bundle("ids")
    jobs: Bundle[Job] = Bundle("jobs")
    owners = st.sampled_from(["registry", "chamber"])

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.clock, self.model = Clock(), Model()
        self.database = Database(f"sqlite:///{self.folder.name}/q.sqlite")
        self.queue = Queue(self.database, Vault(KEY), LIMITS, self.clock)

    def teardown(self) -> None:
        self.database.close()
        self.folder.cleanup()

    @rule(target=ids, owner=owners, priority=st.sampled_from([0, 10]))
    def submit(self, owner: str, priority: int) -> str:
        model, content = self.model, f"ruling {self.model.made}".encode()
        full = model.waiting(owner) >= LIMITS.per_client or model.waiting() >= LIMITS.queued
        try:
            made, new = self.queue.submit(ruling(content, owner=owner, priority=priority))
        except Full:
            assert full
            return "0" * 32
        assert new and not full
        model.rulings[made] = Modelled(owner, content, priority, model.made)
        model.made += 1
        return made

    @rule(target=jobs, lowest=st.sampled_from([0, 10]))
    def claim(self, lowest: int) -> Job | None:
        job, wanted = self.queue.claim(lowest), self.model.next(lowest)
        assert (job.id if job else None) == wanted
        if job is not None:
            held = self.model.rulings[job.id]
            self.model.served(held.owner)
            assert job.content == held.content
            held.state, held.lease, held.until = "running", job.lease, self.clock.now + LIMITS.lease
            held.attempts += 1
        return job

    def held(self, job: Job | None) -> Modelled | None:
        """The ruling, where the job's lease is the one in force."""
        found = self.model.rulings.get(job.id) if job else None
        return found if found and job and found.lease == job.lease else None

    @rule(job=jobs)
    def renew(self, job: Job | None) -> None:
        if job is not None:
            held = self.held(job)
            assert self.queue.renew(job) == (held is not None)
            if held:
                held.until = self.clock.now + LIMITS.lease

    @rule(job=jobs)
    def finish(self, job: Job | None) -> None:
        if job is not None:
            held, result = self.held(job), b"done " + job.lease.encode()
            assert self.queue.finish(job, result, {"persons": 1}) == (held is not None)
            if held:
                held.state, held.lease, held.result = "done", None, result
                held.expires = self.clock.now + LIMITS.keep

    @rule(job=consumes(jobs), why=st.sampled_from([DEATH, OUTAGE, STOP]))
    def release(self, job: Job | None, why: str) -> None:
        if job is not None:
            held = self.held(job)
            assert self.queue.release(job, why) == (held is not None)
            if held:
                self.model.give_back(held, why, self.clock.now)

    @rule(job=consumes(jobs))
    def fail(self, job: Job | None) -> None:
        if job is not None:
            held = self.held(job)
            assert self.queue.fail(job, "unreadable", "is damaged") == (held is not None)
            if held:
                held.state, held.lease, held.expires = "failed", None, self.clock.now + LIMITS.keep

    @rule(made=ids, owner=owners)
    def deliver(self, made: str, owner: str) -> None:
        held = self.model.rulings.get(made)
        mine = held is not None and held.owner == owner
        result = self.queue.result(owner, made)
        assert result == (held.result if mine and held and held.state == "done" else None)
        first = held is not None and not held.delivered
        assert self.queue.delivered(owner, made) == (result is not None and first)
        if result is not None and held and first:
            held.delivered, held.expires = True, min(held.expires, self.clock.now + LIMITS.again)

    @rule(made=ids, owner=owners)
    def remove(self, made: str, owner: str) -> None:
        held = self.model.rulings.get(made)
        mine = held is not None and held.owner == owner
        assert self.queue.remove(owner, made) == mine
        if mine:
            del self.model.rulings[made]

    @rule(seconds=st.sampled_from([3.0, 11.0, 120.0]))
    def time_goes_by(self, seconds: float) -> None:
        self.clock.now += seconds
        now = self.clock.now
        self.queue.recover()
        self.queue.expire()
        for held in self.model.rulings.values():
            if held.state == "running" and held.until < now:
                self.model.give_back(held, OUTAGE, now)
        for held in self.model.rulings.values():
            if held.state == "done" and held.expires < now:
                held.state, held.result = "taken" if held.delivered else "expired", None
        over = ("failed", "taken", "expired")
        self.model.rulings = {
            made: held
            for made, held in self.model.rulings.items()
            if held.state not in over or held.expires >= now - LIMITS.forget
        }

    @invariant()
    def states_are_those_of_the_model(self) -> None:
        for made, held in self.model.rulings.items():
            found = self.queue.state(held.owner, made)
            assert found is not None and (found.state, found.attempts) == (held.state, held.attempts)
        wanted = Counter((held.state, held.priority) for held in self.model.rulings.values())
        assert self.queue.counts() == dict(wanted)


TestQueueAgainstModel = QueueAgainstModel.TestCase
TestQueueAgainstModel.settings = settings(max_examples=20, stateful_step_count=25, deadline=None)


# --- on both databases ----------------------------------------------------------------------------------------------


def test_a_ruling_s_way(url: str) -> None:
    clock = Clock()
    with opened(url, clock=clock) as queue:
        made, new = queue.submit(ruling(options={"scheme": "letters"}))
        assert new and queue.state("registry", made).state == "queued"  # type: ignore[union-attr]
        job = queue.claim()
        assert job and (job.id, job.content, job.options) == (made, b"Mr. Millar appeals.", {"scheme": "letters"})
        assert queue.claim() is None and queue.renew(job)
        assert queue.finish(job, b"M.", {"persons": 1}) and not queue.finish(job, b"twice", {})
        assert queue.result("registry", made) == b"M." and queue.result("chamber", made) is None
        assert not queue.delivered("chamber", made) and queue.delivered("registry", made)
        assert queue.expire() == 0 and queue.result("registry", made) == b"M.", "it may be fetched again"
        clock.now += LIMITS.again + 1
        assert queue.expire() == 1 and queue.result("registry", made) is None
        state = queue.state("registry", made)
        assert state and (state.state, state.figures, state.attempts) == ("taken", {"persons": 1}, 1)


def test_an_interactive_ruling_overtakes(url: str) -> None:
    with opened(url, Limits()) as queue:
        batch = [queue.submit(ruling())[0] for _ in range(3)]
        urgent = queue.submit(ruling(priority=10))[0]
        assert queue.state("registry", batch[2]).ahead == 3  # type: ignore[union-attr]
        assert queue.state("registry", urgent).ahead == 0  # type: ignore[union-attr]
        first = queue.claim(lowest=10)
        assert first and first.id == urgent and queue.claim(lowest=10) is None
        assert [job.id for _ in range(3) if (job := queue.claim())] == batch


def test_a_worker_believed_dead_changes_nothing(url: str) -> None:
    clock = Clock()
    with opened(url, clock=clock) as queue:
        made, _ = queue.submit(ruling())
        dead = queue.claim()
        assert dead and queue.recover() == []
        clock.now += LIMITS.lease + 1
        assert queue.recover() == [made]
        alive = queue.claim()
        assert alive and alive.id == made and alive.attempts == 2
        assert not queue.renew(dead) and not queue.finish(dead, b"late", {}) and not queue.fail(dead, "x", "y")
        assert not queue.release(dead, DEATH)
        assert queue.finish(alive, b"in time", {}) and queue.result("registry", made) == b"in time"


def test_a_ruling_that_kills_workers_fails_in_the_end(url: str) -> None:
    with opened(url) as queue:
        made, _ = queue.submit(ruling())
        for _ in range(LIMITS.attempts):
            job = queue.claim()
            assert job and queue.release(job, DEATH)
        state = queue.state("registry", made)
        assert state and (state.state, state.reason) == ("failed", "worker_lost") and queue.claim() is None
        assert state.detail == "the worker that was at this ruling died, 2 times"


def test_outages_are_not_held_against_a_ruling_but_end(url: str) -> None:
    """All killed, and then the one worker's death: the ruling has another try of its own."""
    limits = Limits(attempts=2, outages=5)
    with opened(url, limits) as queue:
        made, _ = queue.submit(ruling())
        for _ in range(4):
            assert queue.claim() and queue.recover(everything=True) == [made]
        job = queue.claim()
        assert job and queue.release(job, DEATH)
        state = queue.state("registry", made)
        assert state and state.state == "queued"
        assert queue.claim() and queue.recover(everything=True) == [made]
        state = queue.state("registry", made)
        assert state and (state.state, state.reason) == ("failed", "interrupted")


def test_a_queue_of_an_earlier_version_goes_on(tmp_path: Path) -> None:
    """Its table has fewer columns."""
    import sqlite3

    url = f"sqlite:///{tmp_path / 'q.sqlite'}"
    with opened(url) as queue:
        made, _ = queue.submit(ruling())
    with closing(sqlite3.connect(tmp_path / "q.sqlite")) as connection:
        for column in ("deaths", "outages", "delivered"):
            connection.execute(f"ALTER TABLE aef_rulings DROP COLUMN {column}")
    with opened(url) as queue:
        job = queue.claim()
        assert job and queue.release(job, OUTAGE)
        job = queue.claim()
        assert job and queue.finish(job, b"M.", {}) and queue.delivered("registry", made)


def test_what_is_handed_back_is_not_held_against_it(url: str) -> None:
    with opened(url) as queue:
        queue.submit(ruling())
        for _ in range(LIMITS.attempts + 2):
            job = queue.claim()
            assert job and job.attempts == 1 and queue.release(job, STOP)


@pytest.mark.parametrize(
    ("second", "why"),
    [
        ({}, "the same again is the same ruling"),
        ({"owner": "chamber"}, "another client's key is another key"),
        ({"content": b"Ms. Osei appeals."}, "another ruling under one key is a mistake"),
        ({"options": {"scheme": "letters"}}, "and so are other options"),
        ({"format": "html"}, "and another format"),
    ],
)
def test_idempotency_keys(url: str, second: dict[str, Any], why: str) -> None:
    with opened(url) as queue:
        made, _ = queue.submit(ruling(request_key="k1"))
        again = ruling(**{"request_key": "k1", **second})
        if second == {}:
            assert queue.submit(again) == (made, False), why
        elif "owner" in second:
            assert queue.submit(again)[0] != made, why
        else:
            with pytest.raises(Conflict):
                queue.submit(again)
        assert queue.submit(ruling())[1], "without a key, all are new"


def test_one_key_sent_by_many_at_once_is_one_ruling(url: str) -> None:
    with opened(url, Limits()) as queue:
        found: list[tuple[str, bool]] = []
        _together(8, lambda _: found.append(queue.submit(ruling(request_key="k"))))
        assert len({made for made, _ in found}) == 1 and sum(new for _, new in found) == 1


def test_each_ruling_is_one_worker_s(url: str) -> None:
    with opened(url, Limits()) as queue:
        made = {queue.submit(ruling(f"{n}".encode()))[0] for n in range(40)}
        claimed: list[str] = []

        def work(_: int) -> None:
            while job := queue.claim():
                claimed.append(job.id)
                assert queue.finish(job, job.content + b" done", {})

        _together(6, work)
        assert sorted(claimed) == sorted(made)
        assert queue.counts() == {("done", 0): 40}


def _together(number: int, what: Any) -> None:
    threads = [threading.Thread(target=what, args=(n,)) for n in range(number)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_rooms_end(url: str) -> None:
    with opened(url) as queue:
        for _ in range(LIMITS.per_client):
            queue.submit(ruling())
        with pytest.raises(Full) as own:
            queue.submit(ruling())
        for _ in range(LIMITS.queued - LIMITS.per_client):
            queue.submit(ruling(owner="chamber"))
        with pytest.raises(Full) as everybody:
            queue.submit(ruling(owner="bailiff"))
        assert (own.value.own, everybody.value.own) == (True, False)


def test_a_queue_is_opened_with_its_own_key(url: str) -> None:
    with opened(url) as queue:
        queue.submit(ruling())
    with pytest.raises(InputError, match="another key"), opened(url, key=bytes(32)):
        pass
    with opened(url) as queue:
        assert queue.claim()


# --- what is left ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ["taken", "failed", "removed", "expired"])
def test_an_erased_ruling_is_in_no_file_of_the_database(tmp_path: Path, end: str) -> None:
    clock, name, kept = Clock(), b"Zebulon Quist", []
    with opened(f"sqlite:///{tmp_path / 'q.sqlite'}", clock=clock) as queue:

        def files() -> bytes:
            return b"".join(path.read_bytes() for path in sorted(tmp_path.iterdir()))

        made, _ = queue.submit(ruling(name * 2000, request_key="Zebulon's key"))
        queue.submit(ruling(b"another", owner="chamber"))  # the files stay in use
        kept.append(_sealed(tmp_path))
        assert kept[0] in files() or len(kept[0]) > 4096  # a long one lies in several pages
        job = queue.claim()
        assert job
        if end == "failed":
            queue.fail(job, "unreadable", "is damaged")
        else:
            queue.finish(job, b"result of " + name * 1000, {})
            kept.append(_sealed(tmp_path))
        if end == "taken":
            queue.delivered("registry", made)
            clock.now += LIMITS.again + 1
            assert queue.expire() == 1
        elif end == "removed":
            queue.remove("registry", made)
        elif end == "expired":
            clock.now += 1000
            queue.expire()
        queue.scrub()
        left = files()
        assert name not in left and b"Zebulon" not in left
        for sealed in kept:
            pieces = [sealed[at : at + 32] for at in range(0, len(sealed) - 32, 500)]
            assert pieces and not any(piece in left for piece in pieces)


def _sealed(folder: Path) -> bytes:
    """The first ruling's sealed content, as it lies in the database."""
    import sqlite3

    with closing(sqlite3.connect(folder / "q.sqlite")) as connection:
        found = connection.execute("SELECT sealed FROM aef_contents ORDER BY length(sealed) DESC LIMIT 1").fetchone()
    return bytes(found[0])


def test_nothing_of_a_ruling_is_in_its_row(tmp_path: Path) -> None:
    import sqlite3

    with opened(f"sqlite:///{tmp_path / 'q.sqlite'}") as queue:
        queue.submit(ruling(b"Mr. Zebulon Quist", request_key="Quist v. Hale"))
        with closing(sqlite3.connect(tmp_path / "q.sqlite")) as connection:
            rows = connection.execute("SELECT * FROM aef_rulings").fetchall()
        assert "Quist" not in json.dumps(rows)
