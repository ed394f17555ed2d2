"""What the queue asks its database for in several places."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, and_, case, func, or_, select

from aef.workers.database import CONTENTS, RULINGS
from aef.workers.settings import Limits
from aef.workers.states import DONE, FAILED, QUEUED, RUNNING, UNDER_WAY, Full, Job


def own(owner: str, ruling: str) -> Any:
    return and_(RULINGS.c.id == ruling, RULINGS.c.owner == owner)


def held(job: Job) -> Any:
    return and_(RULINGS.c.id == job.id, RULINGS.c.state == RUNNING, RULINGS.c.lease == job.lease)


def sealed_content(connection: Connection, ruling: str, kind: str) -> bytes | None:
    where = and_(CONTENTS.c.ruling == ruling, CONTENTS.c.kind == kind)
    found: bytes | None = connection.execute(select(CONTENTS.c.sealed).where(where)).scalar_one_or_none()
    return found


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


def must_have_room(connection: Connection, owner: str, limits: Limits) -> None:
    """Raises `Full` where the client, or all together, have as many rulings waiting as may be."""
    mine = func.sum(case((RULINGS.c.owner == owner, 1), else_=0))
    waiting = select(func.count(), mine).where(RULINGS.c.state.in_(UNDER_WAY))
    everybody, own = connection.execute(waiting).one()
    if (own or 0) >= limits.per_client:
        raise Full(own=True)
    if everybody >= limits.queued:
        raise Full(own=False)
