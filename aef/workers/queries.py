"""What the queue asks its database for in several places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, and_, case, func, or_, select

from aef.workers.database import CONTENTS, RULINGS
from aef.workers.settings import Limits
from aef.workers.states import DONE, FAILED, QUEUED, RUNNING, UNDER_WAY, Conflict, Full, Job, State, state_of


def own(owner: str, ruling: str) -> Any:
    return and_(RULINGS.c.id == ruling, RULINGS.c.owner == owner)


def held(job: Job) -> Any:
    return and_(RULINGS.c.id == job.id, RULINGS.c.state == RUNNING, RULINGS.c.lease == job.lease)


def sealed_content(connection: Connection, ruling: str, kind: str) -> bytes | None:
    where = and_(CONTENTS.c.ruling == ruling, CONTENTS.c.kind == kind)
    found: bytes | None = connection.execute(select(CONTENTS.c.sealed).where(where)).scalar_one_or_none()
    return found


def seen(connection: Connection, values: Mapping[str, Any]) -> str | None:
    """The id under which an idempotency key came before. Raises `Conflict` where it came with something else."""
    if values["request_key"] is None:
        return None
    same = and_(RULINGS.c.owner == values["owner"], RULINGS.c.request_key == values["request_key"])
    row = connection.execute(select(RULINGS.c.id, RULINGS.c.fingerprint).where(same)).one_or_none()
    if row is not None and row.fingerprint != values["fingerprint"]:
        raise Conflict
    return str(row.id) if row is not None else None


def ahead(connection: Connection, row: Row[Any] | None) -> int | None:
    """How many rulings are before a queued one."""
    if row is None or row.state != QUEUED:
        return None
    same = and_(RULINGS.c.priority == row.priority, RULINGS.c.seq < row.seq)
    before = and_(RULINGS.c.state == QUEUED, or_(RULINGS.c.priority > row.priority, same))
    return int(connection.execute(select(func.count()).where(before)).scalar_one())


def ended(connection: Connection, since: float) -> tuple[dict[str, int], dict[str, int]]:
    """How many rulings were done and failed since then, and why these failed."""
    over = select(RULINGS.c.state, RULINGS.c.reason, func.count()).where(RULINGS.c.finished >= since)
    outcomes: dict[str, int] = {DONE: 0, FAILED: 0}
    reasons: dict[str, int] = {}
    for state, reason, number in connection.execute(over.group_by(RULINGS.c.state, RULINGS.c.reason)):
        outcomes[FAILED if state == FAILED else DONE] += number
        if reason is not None:
            reasons[reason] = reasons.get(reason, 0) + number
    return outcomes, reasons


def ended_since(connection: Connection, owner: str, moment: float) -> list[State]:
    theirs = and_(RULINGS.c.owner == owner, RULINGS.c.finished >= moment)
    return [
        state_of(row, None) for row in connection.execute(select(RULINGS).where(theirs).order_by(RULINGS.c.finished))
    ]


def first_of_each(connection: Connection, lowest: int, lowest_first: bool) -> list[tuple[str, int]]:
    """Of the highest priority that waits, or the lowest one, each client with the first of its rulings."""
    waits = and_(RULINGS.c.state == QUEUED, RULINGS.c.priority >= lowest)
    which = func.min if lowest_first else func.max
    priority = select(which(RULINGS.c.priority)).where(waits).scalar_subquery()
    query = select(RULINGS.c.owner, func.min(RULINGS.c.seq)).where(RULINGS.c.state == QUEUED)
    rows = connection.execute(query.where(RULINGS.c.priority == priority).group_by(RULINGS.c.owner))
    return [(owner, first) for owner, first in rows]


def next_up(connection: Connection, lowest: int, wanted: Iterable[int]) -> Row[Any] | None:
    """The first of the wanted rulings that nobody else has, else any that waits; it is locked."""
    waiting = select(RULINGS).where(RULINGS.c.state == QUEUED, RULINGS.c.priority >= lowest)
    for seq in wanted:
        row = connection.execute(waiting.where(RULINGS.c.seq == seq).with_for_update(skip_locked=True)).one_or_none()
        if row is not None:
            return row
    by_rank = waiting.order_by(RULINGS.c.priority.desc(), RULINGS.c.seq).limit(1)
    return connection.execute(by_rank.with_for_update(skip_locked=True)).one_or_none()


def must_have_room(connection: Connection, owner: str, limits: Limits) -> None:
    """Raises `Full` where the client, or all together, have as many rulings waiting as may be."""
    mine = func.sum(case((RULINGS.c.owner == owner, 1), else_=0))
    waiting = select(func.count(), mine).where(RULINGS.c.state.in_(UNDER_WAY))
    everybody, own = connection.execute(waiting).one()
    if (own or 0) >= limits.per_client:
        raise Full(own=True)
    if everybody >= limits.queued:
        raise Full(own=False)
