"""The queue: what was accepted ends done or failed with a reason, and is done once as seen by its client.

A worker has a ruling under a lease with a token of its own, kept alive by signs of life. A lease that ran out gives the
ruling back; a result counts only with the token of the lease that is in force (fencing), so that a worker believed dead
changes nothing. The contents of a ruling are erased with the state that needs them no more.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, and_, case, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from aef.errors import InputError
from aef.workers import queries
from aef.workers.database import CONTENTS, ORIGINAL, RESULT, RULINGS, SERVICE, Database
from aef.workers.queries import held, own, sealed_content, seen
from aef.workers.settings import Limits
from aef.workers.states import (
    DEATH,
    DETAILS,
    DONE,
    EXPIRED,
    FAILED,
    INTERRUPTED,
    LOST,
    OUTAGE,
    QUEUED,
    REVIEW,
    RUNNING,
    STOP,
    TAKEN,
    UNSEALABLE,
    Job,
    State,
    Submission,
    state_of,
)
from aef.workers.vault import Unsealable, Vault
from aef.workers.waiting import Shares


class Queue:
    """The rulings of one database. ``clock`` gives seconds since 1970; servers that share a database agree on it
    within a fraction of a lease."""

    def __init__(
        self, database: Database, vault: Vault, limits: Limits | None = None, clock: Callable[[], float] = time.time
    ) -> None:
        self._database, self._vault, self._clock = database, vault, clock
        self.limits = limits or Limits()
        self._shares = Shares()
        self._to_scrub = True  # what a run before this one left
        self._check_key()

    # --- for clients ------------------------------------------------------------------------------------------------

    def submit(self, given: Submission) -> tuple[str, bool]:
        """Accept a ruling: its id, and whether it is new (else its idempotency key was seen before).

        Raises `Full` and `Conflict`. When it returns, the ruling is on the disk.
        """
        values = self._row(given)
        try:
            with self._database.writing() as connection:
                if known := seen(connection, values):
                    return known, False
                queries.must_have_room(connection, given.owner, self.limits)
                connection.execute(insert(RULINGS).values(values))
                self._store(connection, values["id"], ORIGINAL, given.content)
        except IntegrityError:  # the same key came twice at once, through two servers
            with self._database.reading() as connection:
                if known := seen(connection, values):
                    return known, False
            raise
        return str(values["id"]), True

    def state(self, owner: str, ruling: str) -> State | None:
        """None for what does not exist, or is another's."""
        with self._database.reading() as connection:
            row = connection.execute(select(RULINGS).where(own(owner, ruling))).one_or_none()
            return state_of(row, queries.ahead(connection, row)) if row is not None else None

    def ended_since(self, owner: str, moment: float) -> list[State]:
        """The rulings of a client that ended then or later, in that order."""
        with self._database.reading() as connection:
            return queries.ended_since(connection, owner, moment)

    def result(self, owner: str, ruling: str) -> bytes | None:
        """The result, which stays; None where there is none (any more)."""
        mine = and_(own(owner, ruling), RULINGS.c.state == DONE, CONTENTS.c.kind == RESULT)
        query = select(CONTENTS.c.sealed).join(RULINGS, RULINGS.c.id == CONTENTS.c.ruling).where(mine)
        with self._database.reading() as connection:
            sealed = connection.execute(query).scalar_one_or_none()
        try:
            return self._vault.opened(sealed, f"{ruling} {RESULT}") if sealed is not None else None
        except Unsealable:
            return None

    def delivered(self, owner: str, ruling: str) -> bool:
        """The result was handed over whole: it is erased after a time of grace; False where it was before."""
        until = self._clock() + self.limits.again
        sooner = case((RULINGS.c.expires < until, RULINGS.c.expires), else_=until)
        first = and_(own(owner, ruling), RULINGS.c.state == DONE, RULINGS.c.delivered.is_(None))
        with self._database.writing() as connection:
            values = {"delivered": self._clock(), "expires": sooner}
            return bool(connection.execute(update(RULINGS).where(first).values(values)).rowcount)

    def remove(self, owner: str, ruling: str) -> bool:
        """Erase everything about a ruling, whatever its state; whether there was one."""
        with self._database.writing() as connection:
            connection.execute(
                delete(CONTENTS).where(CONTENTS.c.ruling.in_(select(RULINGS.c.id).where(own(owner, ruling))))
            )
            gone = connection.execute(delete(RULINGS).where(own(owner, ruling))).rowcount
        self._to_scrub = self._to_scrub or bool(gone)
        return bool(gone)

    # --- for workers ------------------------------------------------------------------------------------------------

    def claim(self, lowest: int = 0) -> Job | None:
        """The next ruling of a priority of at least ``lowest``, leased; the others' claims do not wait for this one.
        Of those of one priority, each client's turn comes (`aef.workers.waiting`)."""
        now, lease = self._clock(), uuid4().hex
        with self._database.reading() as connection:  # most of the time there is none: no need to keep writers waiting
            firsts = queries.first_of_each(connection, lowest, self._shares.is_turn_of_the_lowest())
        if not firsts:
            return None
        with self._database.writing() as connection:
            row = queries.next_up(connection, lowest, self._shares.ordered(firsts))
            if row is None:
                return None
            self._shares.served(row.owner)
            taken = {"state": RUNNING, "lease": lease, "lease_until": now + self.limits.lease}
            counted = {"attempts": row.attempts + 1, "started": now}
            connection.execute(update(RULINGS).where(RULINGS.c.seq == row.seq).values(**taken, **counted))
            sealed = sealed_content(connection, row.id, ORIGINAL)
        try:
            content = self._vault.opened(sealed or b"", f"{row.id} {ORIGINAL}")
        except Unsealable:
            self._fail(and_(RULINGS.c.id == row.id, RULINGS.c.lease == lease), UNSEALABLE, DETAILS[UNSEALABLE], row.id)
            return None
        options = json.loads(row.options)
        return Job(row.id, lease, row.format, options, content, row.priority, row.attempts + 1, now - row.created)

    def renew(self, job: Job) -> bool:
        """A sign of life; False where the lease is no longer in force, and the work in vain."""
        until = {"lease_until": self._clock() + self.limits.lease}
        with self._database.writing() as connection:
            return bool(connection.execute(update(RULINGS).where(held(job)).values(until)).rowcount)

    def finish(self, job: Job, result: bytes, figures: Mapping[str, Any]) -> bool:
        """Store a result and erase the original; False, and nothing stored, where the lease is no longer in force."""
        values = {"state": DONE, "figures": json.dumps(dict(figures)), **self._ended()}
        with self._database.writing() as connection:
            if not connection.execute(update(RULINGS).where(held(job)).values(values)).rowcount:
                return False
            connection.execute(delete(CONTENTS).where(CONTENTS.c.ruling == job.id))
            self._store(connection, job.id, RESULT, result)
        self._to_scrub = True
        return True

    def fail(self, job: Job, reason: str, detail: str) -> bool:
        """The ruling cannot be done: erase it, and say why; False where the lease is no longer in force."""
        return self._fail(held(job), reason, detail, job.id)

    def release(self, job: Job, why: str) -> bool:
        """Give a ruling back, undone. After so many of a kind (`DEATH`, `OUTAGE`) it fails; a `STOP` is not counted."""
        number, most, reason = {
            DEATH: (RULINGS.c.deaths, self.limits.attempts, LOST),
            OUTAGE: (RULINGS.c.outages, self.limits.outages, INTERRUPTED),
            STOP: (RULINGS.c.attempts, 0, ""),
        }[why]
        back = {"state": QUEUED, "lease": None, "lease_until": None}
        with self._database.writing() as connection:
            once_more = update(RULINGS).where(held(job)).values({**back, number: number + (-1 if why == STOP else 1)})
            if why == STOP or (connection.execute(select(number).where(held(job))).scalar() or 0) + 1 < most:
                return bool(connection.execute(once_more).rowcount)
        return self.fail(job, reason, DETAILS[reason].format(most))

    # --- upkeep -----------------------------------------------------------------------------------------------------

    def recover(self, everything: bool = False) -> list[str]:
        """Give back rulings whose lease ran out (``everything``: all that are running, where no other server can have
        them); the ids."""
        until = RULINGS.c.state == RUNNING if everything else RULINGS.c.lease_until < self._clock()
        lost = and_(RULINGS.c.state == RUNNING, until)
        with self._database.reading() as connection:
            rows = connection.execute(select(RULINGS).where(lost)).all()
        jobs = [Job(r.id, r.lease, r.format, {}, b"", r.priority, r.attempts) for r in rows]
        return [job.id for job in jobs if self.release(job, OUTAGE)]

    def expire(self) -> int:
        """Erase results that were delivered some time ago, or never; forget rulings that are long over. How many were
        erased."""
        now = self._clock()
        over = and_(RULINGS.c.state.in_((DONE, REVIEW)), RULINGS.c.expires < now)
        with self._database.reading() as connection:
            old = connection.execute(select(RULINGS.c.id, RULINGS.c.delivered).where(over)).all()
        erased = sum(
            self._close(and_(RULINGS.c.id == ruling, over), EXPIRED if delivered is None else TAKEN, ruling)
            for ruling, delivered in old
        )
        ended = and_(RULINGS.c.state.in_((FAILED, TAKEN, EXPIRED)), RULINGS.c.expires < now - self.limits.forget)
        with self._database.writing() as connection:
            connection.execute(delete(RULINGS).where(ended))
        return erased

    def scrub(self) -> None:
        """Have what was erased leave the database's files, too, as soon as nobody reads them."""
        if self._to_scrub:
            self._to_scrub = False
            try:
                self._to_scrub = not self._database.scrub()
            except SQLAlchemyError:
                self._to_scrub = True

    def try_lock(self) -> None:
        """Raises `SQLAlchemyError` where a ruling could not be taken in now."""
        self._database.try_lock()

    def counts(self) -> dict[tuple[str, int], int]:
        """How many rulings by state and priority."""
        query = select(RULINGS.c.state, RULINGS.c.priority, func.count()).group_by(RULINGS.c.state, RULINGS.c.priority)
        with self._database.reading() as connection:
            return {(state, priority): number for state, priority, number in connection.execute(query)}

    def ended(self, hours: float) -> tuple[dict[str, int], dict[str, int]]:
        """Of the last hours, how many were done and failed, and why these failed."""
        with self._database.reading() as connection:
            return queries.ended(connection, self._clock() - 3600 * hours)

    def oldest(self) -> float:
        """Seconds that the first ruling in the queue has waited."""
        with self._database.reading() as connection:
            first = connection.execute(select(func.min(RULINGS.c.created)).where(RULINGS.c.state == QUEUED)).scalar()
        return max(self._clock() - first, 0.0) if first is not None else 0.0

    # --- within -----------------------------------------------------------------------------------------------------

    def _row(self, given: Submission) -> dict[str, Any]:
        options = json.dumps(dict(given.options), sort_keys=True)
        parts = [given.format.encode(), options.encode(), given.content]
        parts += [given.reviewer.encode()] if given.reviewer else []
        key, now = given.request_key, self._clock()
        return {
            "id": uuid4().hex,
            "owner": given.owner,
            "priority": given.priority,
            "state": REVIEW if given.reviewer else QUEUED,
            "format": given.format,
            "options": options,
            "attempts": 0,
            "created": now,
            "reviewer": given.reviewer,
            "expires": now + self.limits.review if given.reviewer else None,
            "request_key": None if key is None else self._vault.digest(b"request key", key.encode("utf-8", "replace")),
            "fingerprint": self._vault.digest(b"request", *parts),
        }

    def _store(self, connection: Connection, ruling: str, kind: str, content: bytes) -> None:
        sealed = self._vault.sealed(content, f"{ruling} {kind}")
        connection.execute(insert(CONTENTS).values(ruling=ruling, kind=kind, sealed=sealed))

    def _ended(self) -> dict[str, Any]:
        now = self._clock()
        return {"lease": None, "lease_until": None, "finished": now, "expires": now + self.limits.keep}

    def _fail(self, where: Any, reason: str, detail: str, ruling: str) -> bool:
        return self._close(where, FAILED, ruling, reason=reason, detail=detail, **self._ended())

    def _close(self, where: Any, state: str, ruling: str, **values: Any) -> bool:
        """Bring a ruling into a state in which nothing of it is kept; whether it was ``where`` it should be."""
        with self._database.writing() as connection:
            changed = connection.execute(update(RULINGS).where(where).values(state=state, **values)).rowcount
            if changed:
                connection.execute(delete(CONTENTS).where(CONTENTS.c.ruling == ruling))
        self._to_scrub = self._to_scrub or bool(changed)
        return bool(changed)

    def _check_key(self) -> None:
        """Raise `InputError` where the queue was made with another key: nothing in it could be opened."""
        own = self._vault.check
        with self._database.writing() as connection:
            made_with = connection.execute(select(SERVICE.c.key_check)).scalars().all()
            if not made_with:
                connection.execute(insert(SERVICE).values(key_check=own))
            elif own not in made_with:
                raise InputError(
                    "the queue was made with another key than this one. Give that key (--queue-key or AEF_QUEUE_KEY), "
                    "or name a new data folder"
                )
