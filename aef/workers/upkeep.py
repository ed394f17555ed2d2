"""The upkeep of the queue: rulings whose server is gone are given back, what is over is erased."""

from __future__ import annotations

import threading

from sqlalchemy.exc import SQLAlchemyError

from aef.workers.audit import Audit, NotRecorded
from aef.workers.logs import Log
from aef.workers.queue import Queue
from aef.workers.settings import Settings
from aef.workers.waiting import Bell

_VACUUM = 60  # seconds between two in PostgreSQL
_RETIRE = 3600  # seconds between two looks at the audit log's age


class Upkeep(threading.Thread):
    """Sees to the queue every second, until ``stopping``. bell : rung where there is work again."""

    def __init__(
        self, queue: Queue, settings: Settings, log: Log, bell: Bell, stopping: threading.Event, audit: Audit
    ) -> None:
        super().__init__(name="upkeep", daemon=True)
        self._queue, self._log, self._bell, self._stopping = queue, log, bell, stopping
        self._audit, self._keep = audit, settings.limits.audit
        self._scrub_every = 1 if settings.queue is None else _VACUUM

    def run(self) -> None:
        turns = 0
        while not self._stopping.wait(1.0):
            try:
                if lost := self._queue.recover():
                    self._log.event("recovered", "warning", rulings=len(lost))
                    self._bell.ring()
                self._queue.expire()
                if turns % self._scrub_every == 0:
                    self._queue.scrub()
                if turns % _RETIRE == 0:
                    self._audit.retire(self._keep)
                turns += 1
            except (SQLAlchemyError, NotRecorded, OSError) as error:
                self._log.error("upkeep_failed", error)
