"""Whether the queue takes rulings, looked at every second by a thread of its own: who asks is answered at once."""

from __future__ import annotations

import shutil
import threading
import time

from sqlalchemy.exc import SQLAlchemyError

from aef.workers.queue import Queue
from aef.workers.settings import Settings
from aef.workers.states import QUEUED, RUNNING, total

OK, FULL, FAILING = "ok", "full", "failing"
_EVERY, _STALE = 1.0, 3.0  # seconds; a look that takes longer than this has met a lock, or nobody


class Watch(threading.Thread):
    """Looks until it is stopped."""

    def __init__(self, queue: Queue, settings: Settings) -> None:
        super().__init__(name="watch", daemon=True)
        self._queue, self._settings = queue, settings
        self._over = threading.Event()
        self._disk = OK
        self._look()

    def run(self) -> None:
        while not self._over.wait(_EVERY):
            self._look()

    def stop(self) -> None:
        self._over.set()

    def queue(self) -> str:
        """`OK`, `FULL`, or `FAILING` where the database is away or locked."""
        return self._found if time.monotonic() - self._seen < _STALE else FAILING

    def disk(self) -> str:
        """`FULL` where the data folder has no room for one more ruling."""
        return self._disk

    def trouble(self) -> None:
        """Something could not be written a moment ago."""
        self._found, self._seen = FAILING, time.monotonic()

    def _look(self) -> None:
        try:
            free = shutil.disk_usage(self._settings.data).free
            self._disk = FULL if free < self._settings.limits.size else OK
            self._queue.try_lock()
            waiting = total(self._queue.counts(), (QUEUED, RUNNING))
            self._found = FULL if waiting >= self._settings.limits.queued else OK
        except (SQLAlchemyError, OSError):
            self._found = FAILING
        self._seen = time.monotonic()
