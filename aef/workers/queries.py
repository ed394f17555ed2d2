"""What the queue asks its database for in several places."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Row, and_, case, func, or_, select

from aef.workers.database import CONTENTS, RULINGS
from aef.workers.settings import Limits
from aef.workers.states import QUEUED, RUNNING, Full, Job


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


def must_have_room(connection: Connection, owner: str, limits: Limits) -> None:
    """Raises `Full` where the client, or all together, have as many rulings waiting as may be."""
    mine = func.sum(case((RULINGS.c.owner == owner, 1), else_=0))
    waiting = select(func.count(), mine).where(or_(RULINGS.c.state == QUEUED, RULINGS.c.state == RUNNING))
    everybody, own = connection.execute(waiting).one()
    if (own or 0) >= limits.per_client:
        raise Full(own=True)
    if everybody >= limits.queued:
        raise Full(own=False)
