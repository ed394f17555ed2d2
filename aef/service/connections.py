"""Connections: how long a client may take, how many an address may have, and a lane that is kept for health.

A connection is a stranger's until a request on it came with a valid key. Strangers that send nothing give way, the
oldest first, where there is no room for a new connection. One for which no room can be made is answered about health
alone; a few of these, and the next are closed.
"""

from __future__ import annotations

import asyncio
import ipaddress
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

from aef.service.delivery import Handover
from aef.workers.settings import Limits

HEADER, BODY, WORK, ANSWER = "header", "body", "work", "answer"
"""What is waited for: a request's header, its body, the service itself, or that the answer is taken."""
_LANE = 16
_PACE = 10_000  # bytes a second: what a slow line does, and who only pretends to send does not


class Doors:
    """The connections of a server, the oldest first."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._open: list[Connection] = []

    def let_in(self, new: Connection) -> bool:
        """Whether there is room, in the lane for health at least; who was there too long for nothing has to go."""
        if self._no_room_among(self._crowd(new)):
            new.keep_to_health()
            lane = [one for one in self._open if one.in_lane]
            if len(lane) >= _LANE and self._no_room_among(lane):
                return False
        self._open.append(new)
        return True

    def left(self, one: Connection) -> None:
        if one in self._open:
            self._open.remove(one)

    def sweep(self, now: float) -> None:
        """Close the connections of those who take too long."""
        for one in [one for one in self._open if one.is_overdue(now)]:
            self._close(one)

    def _crowd(self, new: Connection) -> list[Connection]:
        """Those of whom one is too many, if the new one comes in."""
        others = [one for one in self._open if not one.in_lane]
        neighbours = [one for one in others if one.address == new.address]
        if len(neighbours) >= self.limits.per_address:
            return neighbours
        return others if len(others) >= self.limits.connections else []

    def _no_room_among(self, crowd: list[Connection]) -> bool:
        idle = next((one for one in crowd if one.is_idle_stranger), None)
        if idle is not None:
            self._close(idle)
        return bool(crowd) and idle is None

    def _close(self, one: Connection) -> None:
        self.left(one)
        one.transport.abort()


class Connection(H11Protocol):
    """uvicorn's connection, with an eye on the clock."""

    def __init__(self, doors: Doors, **given: Any) -> None:
        super().__init__(**given)
        self._doors = doors
        self.in_lane, self.address = False, ""
        self._received = 0
        self._waits: tuple[str, int] = (HEADER, 0)
        self._since, self._mark = self.loop.time(), 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=1, low=0)  # who has written goes on once all of it is on its way
        self.address = neighbourhood(self.client[0]) if self.client else ""
        self._handover = Handover(transport, self.timeout_keep_alive)
        self.app_state = {**self.app_state, "handover": self._handover}
        if not self._doors.let_in(self):
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._handover.lost()
        super().connection_lost(exc)
        self._doors.left(self)

    def eof_received(self) -> None:
        self._handover.ended()
        super().eof_received()

    def data_received(self, data: bytes) -> None:
        self._received += len(data)
        if self.cycle is not None and self.cycle.response_complete:
            self._handover.confirmed()
        super().data_received(data)

    def timeout_keep_alive_handler(self) -> None:
        self._handover.confirmed()
        super().timeout_keep_alive_handler()

    def keep_to_health(self) -> None:
        self.in_lane = True
        self.app_state = {**self.app_state, "lane": True}

    @property
    def is_idle_stranger(self) -> bool:
        """Whether no key was shown on it, and it is waited for a header."""
        known = self.cycle is not None and self.cycle.scope.get("state", {}).get("client") is not None
        return not known and self._phase() == HEADER

    def is_overdue(self, now: float) -> bool:
        waits = self._phase(), id(self.cycle)
        if waits != self._waits:
            self._waits, self._since, self._mark = waits, now, self._moved(waits[0])
        limits = self._doors.limits
        patience = {HEADER: limits.header, BODY: limits.stall, ANSWER: limits.stall}.get(waits[0], float("inf"))
        return now - self._since > patience + abs(self._moved(waits[0]) - self._mark) / _PACE

    def _phase(self) -> str:
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return HEADER
        if self.flow.write_paused:
            return ANSWER
        return BODY if cycle.more_body and not self.flow.read_paused else WORK

    def _moved(self, phase: str) -> int:
        """Bytes that came, or are yet to go, while it is waited for them."""
        sent = self.transport.get_write_buffer_size() if phase == ANSWER else 0
        return self._received if phase == BODY else sent


def neighbourhood(address: str) -> str:
    """An address, or the network of 64 bits that one has who has one in IPv6."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return address
    return address if found.version == 4 else str(ipaddress.ip_network((int(found), 64), strict=False))
