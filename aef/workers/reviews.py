"""Rulings that an editor goes through: original and answers lie sealed, and done is what the editor ends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, delete, insert, select, update

from aef.workers.database import ANSWERS, CONTENTS, GOLD, ORIGINAL, PROTOCOL, RESULT, RULINGS, Database
from aef.workers.queries import sealed_content
from aef.workers.settings import Limits
from aef.workers.states import DONE, REVIEW
from aef.workers.vault import Unsealable, Vault


@dataclass(frozen=True)
class Review:
    """A ruling on an editor's page. answers : what was told, as plain values; empty at first."""

    id: str
    owner: str
    format: str
    options: dict[str, Any]
    original: bytes
    answers: dict[str, Any]


@dataclass(frozen=True)
class Finished:
    """What an editor's work comes to. gold : the ruling as a line of a gold corpus; protocol : who is who, as JSON."""

    result: bytes
    gold: bytes
    protocol: bytes
    figures: Mapping[str, int]


class Reviews:
    """The rulings of one database that are reviewed; those of one reviewer are nobody else's."""

    def __init__(
        self, database: Database, vault: Vault, limits: Limits, clock: Callable[[], float] = time.time
    ) -> None:
        self._database, self._vault, self._limits, self._clock = database, vault, limits, clock

    def listed(self, reviewer: str) -> dict[str, str]:
        """The ids of the rulings that wait, with their formats, the oldest first."""
        mine = and_(RULINGS.c.reviewer == reviewer, RULINGS.c.state == REVIEW)
        with self._database.reading() as connection:
            rows = connection.execute(select(RULINGS.c.id, RULINGS.c.format).where(mine).order_by(RULINGS.c.seq))
            return {row.id: row.format for row in rows}

    def opened(self, reviewer: str, ruling: str) -> Review | None:
        """None for what is not there to be reviewed (any more), or is another's, or cannot be unsealed."""
        with self._database.reading() as connection:
            row = connection.execute(select(RULINGS).where(_mine(reviewer, ruling, REVIEW))).one_or_none()
            if row is None:
                return None
            original, answers = (self._content(connection, ruling, kind) for kind in (ORIGINAL, ANSWERS))
        if original is None:
            return None
        told = json.loads(answers) if answers else {}
        return Review(ruling, row.owner, row.format, json.loads(row.options), original, told)

    def save(self, reviewer: str, ruling: str, answers: Mapping[str, Any]) -> bool:
        """Keep what was told; whether the ruling is still there to be reviewed."""
        with self._database.writing() as connection:
            later = {"expires": self._clock() + self._limits.review}
            if not connection.execute(update(RULINGS).where(_mine(reviewer, ruling, REVIEW)).values(later)).rowcount:
                return False
            connection.execute(delete(CONTENTS).where(_kind(ruling, ANSWERS)))
            self._store(connection, ruling, ANSWERS, json.dumps(dict(answers)).encode())
        return True

    def finish(self, reviewer: str, ruling: str, made: Finished) -> bool:
        """The ruling is done: its original and the answers are erased; whether it was there to be reviewed."""
        now = self._clock()
        values = {"state": DONE, "figures": json.dumps(dict(made.figures)), "finished": now}
        with self._database.writing() as connection:
            ended = update(RULINGS).where(_mine(reviewer, ruling, REVIEW))
            if not connection.execute(ended.values(**values, expires=now + self._limits.keep)).rowcount:
                return False
            connection.execute(delete(CONTENTS).where(CONTENTS.c.ruling == ruling))
            for kind, content in ((RESULT, made.result), (GOLD, made.gold), (PROTOCOL, made.protocol)):
                self._store(connection, ruling, kind, content)
        return True

    def made(self, client: str, ruling: str, kind: str) -> tuple[str, bytes] | None:
        """Format and content of a kind of what was made of a ruling that is done, for its owner and its reviewer."""
        mine = and_(RULINGS.c.id == ruling, RULINGS.c.state == DONE, RULINGS.c.reviewer.is_not(None))
        theirs = and_(mine, (RULINGS.c.owner == client) | (RULINGS.c.reviewer == client))
        with self._database.reading() as connection:
            row = connection.execute(select(RULINGS.c.format).where(theirs)).one_or_none()
            content = self._content(connection, ruling, kind) if row is not None else None
        return (row.format, content) if row is not None and content is not None else None

    def _content(self, connection: Connection, ruling: str, kind: str) -> bytes | None:
        sealed = sealed_content(connection, ruling, kind)
        try:
            return self._vault.opened(sealed, f"{ruling} {kind}") if sealed is not None else None
        except Unsealable:
            return None

    def _store(self, connection: Connection, ruling: str, kind: str, content: bytes) -> None:
        sealed = self._vault.sealed(content, f"{ruling} {kind}")
        connection.execute(insert(CONTENTS).values(ruling=ruling, kind=kind, sealed=sealed))


def _mine(reviewer: str, ruling: str, state: str) -> Any:
    return and_(RULINGS.c.id == ruling, RULINGS.c.reviewer == reviewer, RULINGS.c.state == state)


def _kind(ruling: str, kind: str) -> Any:
    return and_(CONTENTS.c.ruling == ruling, CONTENTS.c.kind == kind)
