"""What both interfaces do for a client: take a ruling in, wait for it, hand it out."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from sqlalchemy.exc import SQLAlchemyError
from starlette.requests import Request

from aef.service.answers import Accepted, Problem
from aef.service.keys import READ, SUBMIT, URGENT, Client
from aef.workers.audit import ORIGIN, Audit, NotRecorded, fingerprint
from aef.workers.logs import RULING
from aef.workers.metrics import Metrics
from aef.workers.queue import Queue
from aef.workers.reviews import Reviews
from aef.workers.settings import BATCH, INTERACTIVE, Settings
from aef.workers.states import (
    DONE,
    EXPIRED,
    FAILED,
    QUEUED,
    REVIEW,
    TAKEN,
    UNDER_WAY,
    Conflict,
    Full,
    State,
    Submission,
)
from aef.workers.states import is_interactive as interactive
from aef.workers.waiting import Bell, Pace, Waiters
from aef.workers.watch import Watch

T = TypeVar("T")


@dataclass
class Desk:
    """queue : where rulings are. audit : where deeds are written. bell : wakes workers; waiters : are woken by them.

    ready, failing : how the workers are; watch : how the queue is. stopping : set while the service stops; draining :
    while nothing is taken in, and what was is finished. versions, began : of what runs, and since when.
    """

    settings: Settings
    queue: Queue
    reviews: Reviews
    audit: Audit
    metrics: Metrics
    bell: Bell
    waiters: Waiters
    ready: Callable[[], int]
    failing: Callable[[], bool]
    watch: Watch
    stopping: threading.Event = field(default_factory=threading.Event)
    draining: threading.Event = field(default_factory=threading.Event)
    versions: Mapping[str, str] = field(default_factory=dict)
    began: float = field(default_factory=time.time)

    def __post_init__(self) -> None:
        self._pace = Pace(self.settings.limits.rate)

    async def ask(self, what: Callable[..., T], *given: Any) -> T:
        """What is to be asked of the queue, in a thread. Raises `Problem` where it does not answer in time."""
        try:
            with anyio.fail_after(self.settings.limits.answer):
                return await anyio.to_thread.run_sync(partial(what, *given), abandon_on_cancel=True)
        except SQLAlchemyError:
            self.watch.trouble()
            raise
        except NotRecorded as error:
            raise Problem(503, "not_recorded", "The audit log cannot be written. Try again later") from error
        except TimeoutError as error:
            self.watch.trouble()
            raise Problem(503, "queue_unavailable", "The queue's database does not answer. Try again") from error

    async def record(self, what: str, ruling: str | None = None, client: Client | None = None, **more: Any) -> None:
        """Write a deed of the client that asks, or of another. Raises `Problem` where that cannot be."""
        if client is not None:
            ORIGIN.set(replace(ORIGIN.get(), who=client.name, key=client.id))
        await self.ask(partial(self.audit.write, what, ruling, **more))

    def drain(self, on: bool) -> None:
        """Take no more rulings in and finish those that were, or take them in again."""
        (self.draining.set if on else self.draining.clear)()

    async def taken_in(self, client: Client, submission: Submission) -> Accepted:
        """What the client is told of a ruling that it handed in, perhaps once more. Raises `Problem`."""
        ruling, new = await self.accept(client, submission)
        state = REVIEW if submission.reviewer else QUEUED
        return Accepted(id=ruling, state=state if new else (await self.state(client, ruling)).state)

    async def accept(self, client: Client, submission: Submission) -> tuple[str, bool]:
        """The ruling's id, and whether it is new. Raises `Problem`."""
        if self.stopping.is_set():
            raise Problem(503, "stopping", "The service is being stopped. Try again")
        if self.draining.is_set():
            raise Problem(503, "draining", "The service finishes what it has, and takes nothing in. Try again later")
        if (seconds := self._pace.wait(client.name, client.rate)) > 0:
            self.metrics.refused.labels("rate").inc()
            raise Problem(429, "too_fast", "Rulings of yours come too fast. Send them slower", retry=str(ceil(seconds)))
        try:
            ruling, new = await self._submitted(submission)
        except Full as full:
            raise self._full(full) from None
        except Conflict:
            detail = "The idempotency key came with another ruling or other options before. Take a new one"
            raise Problem(409, "key_reused", detail) from None
        RULING.set(ruling)
        if new:
            self.metrics.accepted.labels("interactive" if interactive(submission.priority) else "batch").inc()
            self.bell.ring()
        return ruling, new

    async def _submitted(self, submission: Submission) -> tuple[str, bool]:
        """Taken in in time, or not at all: who was told that it was not will send it again."""
        too_late = threading.Event()

        def submitted() -> tuple[str, bool]:
            ruling, new = self.queue.submit(submission)
            if new and too_late.is_set():
                self.queue.remove(submission.owner, ruling)
            elif new:
                self._write_down(submission, ruling)
            return ruling, new

        try:
            return await self.ask(submitted)
        except Problem:
            too_late.set()
            raise

    def _write_down(self, submission: Submission, ruling: str) -> None:
        """That it was taken in; what cannot be written down is not. Raises `NotRecorded`."""
        chosen = {"options": dict(submission.options), "reviewer": submission.reviewer}
        try:
            self.audit.write("submitted", ruling, input=fingerprint(submission.content), **chosen)
        except NotRecorded:
            self.queue.remove(submission.owner, ruling)
            raise

    def _full(self, full: Full) -> Problem:
        self.metrics.refused.labels("client" if full.own else "queue").inc()
        if full.own:
            most = self.settings.limits.per_client
            return Problem(429, "too_many", f"{most} rulings of yours wait already, which is the most. Try again later")
        return Problem(503, "queue_full", "The queue is full. Try again later", retry="30")

    async def state(self, client: Client, ruling: str) -> State:
        """Raises `Problem` for what is not the client's."""
        _must_be_an_id(ruling)
        state = await self.ask(self.queue.state, client.name, ruling)
        if state is None:
            raise _unknown()
        RULING.set(ruling)
        return state

    async def remove(self, client: Client, ruling: str) -> None:
        """Erase a ruling. Raises `Problem` for what is not the client's."""
        _must_be_an_id(ruling)
        if not await self.ask(self.queue.remove, client.name, ruling):
            raise _unknown()
        RULING.set(ruling)
        await self.record("erased", ruling)

    async def ended(self, client: Client, ruling: str, seconds: float, request: Request) -> State:
        """The state when the ruling has ended, or the time is over, or the client went away, or the service stops."""
        until = time.monotonic() + seconds
        poll = 1.0 if self.settings.queue is None else 0.05  # other servers' workers do not wake anybody here
        async with self.waiters.waiting(ruling) as something:
            while True:
                something.clear()
                state = await self.state(client, ruling)
                left = until - time.monotonic()
                if state.state not in UNDER_WAY or left <= 0 or self._in_vain(state) or await request.is_disconnected():
                    return state
                with suppress(TimeoutError):
                    await asyncio.wait_for(something.wait(), min(left, poll))

    async def done(self, client: Client, submission: Submission, request: Request) -> tuple[State, bytes]:
        """Accept a ruling, wait for its end, and hand out its result. Raises `Problem`."""
        ruling, new = await self.accept(client, submission)
        state = await self.ended(client, ruling, self.settings.limits.wait, request)
        if submission.request_key is None and await request.is_disconnected():
            await self.ask(self.queue.remove, client.name, ruling)  # nobody else knows of it
        if state.state in UNDER_WAY:
            raise self._not_now(ruling)
        if not new and state.state in (TAKEN, EXPIRED):
            raise Problem(409, "key_used", f"The idempotency key came before. {_GONE[state.state]} under a new one")
        return state, await self.result(client, state)

    def _not_now(self, ruling: str) -> Problem:
        detail = "The ruling goes on, under the id given here: ask for its result"
        if self.stopping.is_set():
            return Problem(503, "stopping", f"The service is being stopped. {detail} when it runs again", ruling=ruling)
        return Problem(504, "not_done_in_time", detail, ruling=ruling)

    def _in_vain(self, state: State) -> bool:
        """A stop finishes what is begun, and nothing else."""
        return self.stopping.is_set() and state.state == QUEUED

    async def delivered(self, client: Client, ruling: str) -> None:
        """The result was handed over whole."""
        await self.ask(self.queue.delivered, client.name, ruling)
        await self.record("delivered", ruling)

    async def result(self, client: Client, state: State) -> bytes:
        """The result of a ruling that is done. Raises `Problem` for one that is not, or is done with."""
        if state.state in UNDER_WAY:
            raise Problem(409, "not_done", f"The ruling is {state.state}. Ask again, or with ?wait=60", retry="1")
        if state.state == FAILED:
            raise failed(state)
        content = await self.ask(self.queue.result, client.name, state.id)
        if content is None:
            raise Problem(410, EXPIRED if state.state == EXPIRED else TAKEN, _GONE[state.state])
        await self.record("fetched", state.id, output=fingerprint(content))
        return content

    async def made(self, client: Client, ruling: str, kind: str) -> bytes:
        """What an editor's work came to beside the result. Raises `Problem` for what was not reviewed, or is over."""
        await self.state(client, ruling)
        found = await self.ask(self.reviews.made, client.name, ruling, kind)
        if found is None:
            raise Problem(409, "not_reviewed", "No editor has gone through this ruling, or its result is erased")
        await self.record("fetched", ruling, kind=kind, output=fingerprint(found[1]))
        return found[1]


_GONE = {
    EXPIRED: "The result was not fetched in time, and is erased. Hand the ruling in again",
    TAKEN: "The result was fetched, and is erased. Hand the ruling in again",
    DONE: "The result is erased. Hand the ruling in again",
}


def _must_be_an_id(ruling: str) -> None:
    """What has not the shape of one need not be looked for, and no database has to take it."""
    if len(ruling) != 32 or not set("0123456789abcdef").issuperset(ruling):
        raise _unknown()


def _unknown() -> Problem:
    return Problem(404, "unknown_ruling", "There is no such ruling of yours. Ids come from handing one in")


def failed(state: State) -> Problem:
    """The problem of a ruling that could not be done."""
    detail = state.detail or "The ruling could not be anonymized"
    return Problem(422, state.reason or "failed", detail, ruling=state.id)


def needs(request: Request, right: str) -> Client:
    """Who sent the request. Raises `Problem` where the key has not the right."""
    client = request.state.client
    if not isinstance(client, Client):
        raise Problem(401, "no_key", "Send an API key that is valid: Authorization: Bearer KEY")
    if right not in client.rights:
        raise Problem(403, "no_right", f"This key has not the right '{right}'")
    return client


def at_once(client: Client) -> int:
    """The priority of what a client waits for: before all others, or in its turn."""
    return INTERACTIVE if URGENT in client.rights else BATCH


async def submitter(request: Request) -> Client:
    return needs(request, SUBMIT)


async def reader(request: Request) -> Client:
    return needs(request, READ)
