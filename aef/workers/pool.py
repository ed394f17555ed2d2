"""Worker processes and who looks after them: a thread for each, which fetches rulings, watches the clock, and stores.

The thread gives the signs of life for the lease, so that a worker deep in a ruling needs none of its own; a worker that
dies is noticed at once by the end of its pipe, and started anew.
"""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from multiprocessing.connection import wait
from typing import Any
from uuid import uuid4

from sqlalchemy.exc import SQLAlchemyError

from aef.errors import InputError
from aef.workers import frames
from aef.workers.audit import Audit, NotRecorded, fingerprint
from aef.workers.logs import Log
from aef.workers.metrics import Metrics
from aef.workers.queue import Queue
from aef.workers.settings import INTERACTIVE, Settings
from aef.workers.states import DEATH, DONE, FAILED, MEMORY, OUTAGE, STOP, Job
from aef.workers.upkeep import Upkeep
from aef.workers.waiting import Bell, Waiters

SUFFIXES = {"docx": ".docx", "html": ".html", "txt": ".txt"}
TIME = "time_limit"
_START = 120.0  # seconds in which a worker has to be ready
_NICE = 10  # what a batch yields to interactive rulings and to requests
_SETTLE = 1.0  # seconds after a death in which one sees whether the worker died alone
_BACK_OFF = (0.0, 0.1, 0.5, 2.0, 5.0)  # seconds before a worker is started that did not get ready so many times


class _Ended(Exception):
    """The worker will not answer: it died, or was killed for the reason."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


DIED, TOO_LONG, IN_VAIN, STOPPED = "died", "time_limit", "lease_lost", "stopped"


class Pool:
    """The workers of a service and the upkeep of its queue."""

    def __init__(
        self,
        queue: Queue,
        settings: Settings,
        log: Log,
        metrics: Metrics,
        waiters: Waiters,
        audit: Audit | None = None,
    ) -> None:
        self.audit = audit or Audit(settings.audit)
        self.queue, self.settings, self.log, self.metrics, self.waiters = queue, settings, log, metrics, waiters
        self.bell = Bell()
        self.stopping, self.handing_back = threading.Event(), threading.Event()
        self.poll = 0.5 if settings.queue is None else 0.05  # others may put rulings into a database that is shared
        lowest = [0] * settings.workers + [INTERACTIVE] * settings.reserved
        self._keepers = [_Keeper(self, number, priority) for number, priority in enumerate(lowest)]
        self.deaths: dict[int, float] = {}  # of each keeper's worker the last one, on the monotonic clock
        self._upkeep = Upkeep(queue, settings, log, self.bell, self.stopping, self.audit)

    def make_room(self) -> None:
        """Make the workers' folder anew, without what a service that was killed left. Raises `InputError`."""
        folder = self.settings.work_folder
        shutil.rmtree(folder, ignore_errors=True)
        try:
            folder.mkdir(parents=True, mode=0o700)
        except OSError as error:
            raise InputError.at(folder, f"cannot be made ({error.strerror})", remedy="Name another --work") from error

    def start(self) -> None:
        """Begin to work; after `make_room`."""
        self.queue.recover(everything=self.settings.queue is None)
        for thread in (*self._keepers, self._upkeep):
            thread.start()

    def ready(self) -> int:
        """Workers that wait for a ruling or are at one."""
        return sum(keeper.is_ready for keeper in self._keepers)

    def failing(self) -> bool:
        """Whether no worker is ready, and some have tried in vain."""
        return not self.ready() and any(keeper.failures > 1 for keeper in self._keepers)

    def stop(self) -> None:
        """Take no more rulings, finish those begun within the time of grace, give the others back."""
        self.stopping.set()
        self.bell.ring()
        until = time.monotonic() + self.settings.limits.grace
        for keeper in self._keepers:
            keeper.join(max(until - time.monotonic(), 0))
        self.handing_back.set()
        for thread in (*self._keepers, self._upkeep):
            thread.join(_START)
        with suppress(SQLAlchemyError):
            self.queue.scrub()
        shutil.rmtree(self.settings.work_folder, ignore_errors=True)


class _Keeper(threading.Thread):
    """Looks after one worker."""

    def __init__(self, pool: Pool, number: int, lowest: int) -> None:
        super().__init__(name=f"worker-{number}", daemon=True)
        self._pool, self._number, self._lowest = pool, number, lowest
        self._folder = pool.settings.work_folder / "none yet"
        self._process: subprocess.Popen[bytes] | None = None
        self.failures = 0

    @property
    def is_ready(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def run(self) -> None:
        pool = self._pool
        while not pool.stopping.is_set():
            try:
                self._turn()
            except _Ended as ended:
                self._end(ended.why)
            except (SQLAlchemyError, OSError) as error:
                pool.log.error("worker_waits", error, worker=self._number)
                pool.stopping.wait(1.0)
        self._end(STOPPED)

    def _turn(self) -> None:
        """One ruling, or one wait for it."""
        if not self.is_ready:
            if self._process is not None:
                self._pool.deaths[self._number] = time.monotonic()
                self._end(DIED)
            self._start()
        heard = self._pool.bell.heard()
        job = self._pool.queue.claim(self._lowest)
        if job is None:
            self._pool.bell.wait(heard, self._pool.poll)
        else:
            self._do(job)

    # --- one ruling -------------------------------------------------------------------------------------------------

    def _do(self, job: Job) -> None:
        began = time.monotonic()
        try:
            answer, result = self._worked(job, began + self._pool.settings.limits.time)
        except _Ended as ended:
            self._end(ended.why)
            self._not_done(job, ended.why)
            return
        except BaseException:
            self._end(DIED)  # it may still answer, and would to the next ruling
            raise
        seconds = time.monotonic() - began
        self._pool.metrics.work.observe(seconds)
        self._keep(job, answer, result, seconds)

    def _worked(self, job: Job, until: float) -> tuple[dict[str, Any], bytes]:
        """The worker's answer. Raises `_Ended`."""
        assert self._process is not None and self._process.stdin is not None
        message = {"suffix": SUFFIXES[job.format], "options": job.options, "lease": job.lease}
        try:
            frames.write(self._process.stdin, message, job.content)
        except OSError as error:
            raise _Ended(DIED) from error
        answer, result = self._answer(until, job)
        if answer["lease"] != job.lease:  # never one ruling's result for another's
            raise _Ended(DIED)
        return answer, result

    def _answer(self, until: float, job: Job | None = None) -> tuple[dict[str, Any], bytes]:
        """Wait for an answer, and keep the lease meanwhile."""
        process, pool = self._process, self._pool
        assert process is not None and process.stdout is not None
        alive = time.monotonic()
        while not wait([process.stdout.fileno()], 0.2):
            now = time.monotonic()
            if (pool.stopping if job is None else pool.handing_back).is_set():
                raise _Ended(STOPPED)
            if now > until:
                raise _Ended(TOO_LONG)
            if job is not None and now - alive > pool.settings.limits.lease / 4:
                alive = now
                self._renew(job)
        try:
            return frames.read(process.stdout)
        except EOFError as error:
            raise _Ended(DIED) from error

    def _renew(self, job: Job) -> None:
        """A sign of life; where the database is away, the next one may reach it. Raises `_Ended`."""
        try:
            if not self._pool.queue.renew(job):
                raise _Ended(IN_VAIN)
        except SQLAlchemyError as error:
            self._pool.log.error("queue_away", error, worker=self._number)

    def _insist(self, on: Callable[[], bool]) -> bool:
        """Tell the queue what became of a ruling, as soon as the database answers. What comes too late changes nothing;
        what cannot be told before a stop is over is an outage to the next start."""
        while True:
            try:
                return on()
            except SQLAlchemyError as error:
                self._pool.log.error("queue_away", error, worker=self._number)
                if self._pool.handing_back.wait(1.0):
                    return False

    def _keep(self, job: Job, answer: Mapping[str, Any], result: bytes, seconds: float) -> None:
        queue = self._pool.queue
        if answer.get("reason") == MEMORY:
            self._end(MEMORY)  # what it holds now it would hold for the next ruling
        if "reason" in answer:
            kept = self._insist(partial(queue.fail, job, answer["reason"], answer["detail"]))
            self._say(job, FAILED, kept, seconds, answer["reason"])
        else:
            kept = self._insist(partial(queue.finish, job, result, answer["figures"]))
            self._say(job, DONE, kept, seconds, None, fingerprint(result))

    def _not_done(self, job: Job, why: str) -> None:
        queue, limit = self._pool.queue, self._pool.settings.limits.time
        if why == TOO_LONG:
            detail = f"it took longer than the {limit:g} seconds that a ruling may take"
            kept = self._insist(partial(queue.fail, job, TIME, detail))
            self._say(job, FAILED, kept, limit, TIME)
        elif why != IN_VAIN:
            because = STOP if why == STOPPED else self._blamed()
            self._insist(partial(queue.release, job, because))
            self._pool.log.event("ruling_given_back", "warning", ruling=job.id, why=because, attempts=job.attempts)
            self._pool.bell.ring()
        self._pool.waiters.ended(job.id)  # it may have failed for good

    def _blamed(self) -> str:
        """Whether a death may be the ruling's fault: that of its worker alone, in a service that lives on. One ruling
        kills one worker; who ends several at a time is somebody else."""
        pool, own = self._pool, time.monotonic()
        pool.deaths[self._number] = own
        stopped = pool.stopping.wait(_SETTLE)
        others = any(abs(at - own) <= _SETTLE for number, at in pool.deaths.items() if number != self._number)
        return OUTAGE if stopped or others else DEATH

    def _say(
        self, job: Job, outcome: str, kept: bool, seconds: float, reason: str | None, output: str | None = None
    ) -> None:
        self._pool.waiters.ended(job.id)
        if not kept:  # taken back by its client, or another's by now
            self._pool.log.event("ruling_in_vain", ruling=job.id)
            return
        self._pool.metrics.ended.labels(reason or outcome).inc()
        named: dict[str, Any] = {"reason": reason} if reason else {}
        try:
            self._pool.audit.write(outcome, job.id, **named, **({"output": output} if output else {}))
        except NotRecorded as error:
            self._pool.log.error("not_recorded", error, ruling=job.id)
        times: dict[str, Any] = {"seconds": round(seconds, 3), "waited": round(job.waited, 3)}
        self._pool.log.event("ruling_ended", ruling=job.id, outcome=outcome, **times, **named)

    # --- the process ------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start a worker and wait until it is ready. Raises `_Ended`."""
        self._pool.stopping.wait(_BACK_OFF[min(self.failures, len(_BACK_OFF) - 1)])
        # another one for each process: a worker whose service was killed may still be at its last ruling
        self._folder = self._pool.settings.work_folder / uuid4().hex
        self._folder.mkdir(mode=0o700)
        self.failures += 1
        self._process = frames.spawned("aef.workers.worker")
        assert self._process.stdin is not None
        nice = _NICE if self._lowest == 0 else 0
        recipe = self._pool.settings.recipe.resolved().as_dict()
        try:
            told = {"recipe": recipe, "folder": str(self._folder.resolve()), "nice": nice}
            frames.write(self._process.stdin, {**told, "memory": self._pool.settings.limits.memory})
        except OSError as error:
            raise _Ended(DIED) from error
        self._answer(time.monotonic() + _START)
        self.failures = 0
        self._pool.log.event("worker_ready", worker=self._number, pid=self._process.pid)

    def _end(self, why: str) -> None:
        """End the worker, whatever it does, and wipe what it had."""
        process, self._process = self._process, None
        if process is None:
            return
        frames.ended(process)
        shutil.rmtree(self._folder, ignore_errors=True)
        if why != STOPPED:
            self._pool.metrics.restarts.labels(why).inc()
            self._pool.log.event("worker_ended", "warning", worker=self._number, why=why)
