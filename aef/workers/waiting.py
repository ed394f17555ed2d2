"""Who waits for whom: workers for a ruling to come, requests for theirs to end, clients for their turn."""

from __future__ import annotations

import asyncio
import threading
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Iterable
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


TURN = 8
"""Every so many claims it is the turn of the lowest priority, so that no batch waits for ever."""


class Shares:
    """The clients by when each was served last: who waited longest for a turn has the next one."""

    def __init__(self) -> None:
        self._served: dict[str, int] = {}
        self._claims = 0

    def is_turn_of_the_lowest(self) -> bool:
        return self._claims % TURN == TURN - 1

    def ordered(self, firsts: Iterable[tuple[str, int]]) -> list[int]:
        """The clients' first rulings in the order of their turns; of those who never had one, by age."""
        return [seq for _, seq in sorted(firsts, key=lambda first: (self._served.get(first[0], -1), first[1]))]

    def served(self, owner: str) -> None:
        self._claims += 1
        self._served[owner] = self._claims


class Pace:
    """How fast each client may hand in: so many a minute, and as many at once after a minute's rest."""

    def __init__(self, a_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._most, self._clock = a_minute, clock
        self._left: dict[str, tuple[float, float]] = {}
        self._lock = threading.Lock()

    def wait(self, owner: str, own: float | None = None) -> float:
        """Take one; or the seconds after which there is one to take, above 0. own : a pace of its own, or None."""
        pace = self._most if own is None else own
        most = max(pace, 1.0)
        with self._lock:
            now = self._clock()
            left, since = self._left.get(owner, (most, now))
            left = min(most, left + (now - since) * pace / 60)
            taken = left >= 1
            self._left[owner] = (left - taken, now)
            return 0.0 if taken else (1 - left) * 60 / pace
