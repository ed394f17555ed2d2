"""Who waits for whom: workers for a ruling to come, requests for theirs to end."""

from __future__ import annotations

import asyncio
import threading
from collections import defaultdict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Bell:
    """Wakes threads that wait for something new; what rang between looking and waiting is not missed."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._rings = 0

    def heard(self) -> int:
        """What to remember before one looks whether there is anything."""
        with self._condition:
            return self._rings

    def ring(self) -> None:
        with self._condition:
            self._rings += 1
            self._condition.notify_all()

    def wait(self, heard: int, seconds: float) -> None:
        """Until it rings, or rang since ``heard``, or the time is over."""
        with self._condition:
            self._condition.wait_for(lambda: self._rings != heard, seconds)


class Waiters:
    """Requests of an event loop that wait for a ruling, woken from the workers' threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: defaultdict[str, list[tuple[asyncio.AbstractEventLoop, asyncio.Event]]] = defaultdict(list)

    def ended(self, ruling: str) -> None:
        with self._lock:
            waiting = self._waiting.get(ruling, ())
            for loop, event in waiting:
                if not loop.is_closed():
                    loop.call_soon_threadsafe(event.set)

    @asynccontextmanager
    async def waiting(self, ruling: str) -> AsyncIterator[asyncio.Event]:
        """An event that is set when something has become of the ruling."""
        entry = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._waiting[ruling].append(entry)
        try:
            yield entry[1]
        finally:
            with self._lock:
                self._waiting[ruling].remove(entry)
                if not self._waiting[ruling]:
                    del self._waiting[ruling]
