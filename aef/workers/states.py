"""What goes into the queue and comes out of it, and what may be said of a ruling there."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Row

from aef.workers.settings import INTERACTIVE

QUEUED, RUNNING, REVIEW, DONE, FAILED, TAKEN, EXPIRED = STATES = (
    *("queued", "running", "review"),
    *("done", "failed", "taken", "expired"),
)
UNDER_WAY = (QUEUED, RUNNING, REVIEW)
"""What is not over yet."""

LOST = "worker_lost"
MEMORY = "memory_limit"
INTERRUPTED = "interrupted"
UNSEALABLE = "unsealable"
DETAILS = {
    LOST: "the worker that was at this ruling died, {} times",
    INTERRUPTED: "the service was interrupted {} times while it was at this ruling",
    UNSEALABLE: "the ruling was sealed under another key than the service has now",
}

DEATH, OUTAGE, STOP = "death", "outage", "stop"
"""Why a ruling is given back undone: its worker was seen to die, perhaps of it; something else came between, as when
all is killed or the database is away; the service is being stopped."""


class Full(Exception):
    """There is no room. own : the client's own share is used up."""

    def __init__(self, own: bool) -> None:
        super().__init__(own)
        self.own = own


class Conflict(Exception):
    """The idempotency key came with another ruling or other options before."""


@dataclass(frozen=True)
class Submission:
    """A ruling to accept. options : the request's own choices, plain JSON values. request_key : idempotency key.
    reviewer : who is to go through it on the editor's page; None: no worker's result is looked at here."""

    owner: str
    content: bytes
    format: str
    options: Mapping[str, Any] = field(default_factory=dict)
    priority: int = 0
    request_key: str | None = None
    reviewer: str | None = None


@dataclass(frozen=True)
class Job:
    """A ruling in a worker's hands. waited : seconds from its arrival until then."""

    id: str
    lease: str
    format: str
    options: dict[str, Any]
    content: bytes
    priority: int
    attempts: int
    waited: float = 0.0


@dataclass(frozen=True)
class State:
    """What its client may know of a ruling; times in seconds since 1970. ahead : rulings before it in the queue."""

    id: str
    state: str
    format: str
    priority: int
    attempts: int
    created: float
    started: float | None
    finished: float | None
    expires: float | None
    reason: str | None
    detail: str | None
    figures: dict[str, Any] | None
    ahead: int | None = None


def is_interactive(priority: int) -> bool:
    return priority >= INTERACTIVE


def total(counts: Mapping[tuple[str, int], int], states: Iterable[str]) -> int:
    return sum(number for (state, _), number in counts.items() if state in states)


def state_of(row: Row[Any], ahead: int | None) -> State:
    figures = json.loads(row.figures) if row.figures else None
    return State(
        row.id, row.state, row.format, row.priority, row.attempts, row.created, row.started, row.finished, row.expires,
        row.reason, row.detail, figures, ahead,
    )  # fmt: skip
