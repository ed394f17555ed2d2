"""A result handed over: known to have arrived whole, or not counted as delivered.

That all was written says nothing: the system sends on after that, and the other side may be gone. A result has arrived
where the other side's system has acknowledged each byte, and the other side then asks the next thing on the connection,
or ends it in order, or keeps it open until it is closed as idle. Who ends a connection with something unread, or dies,
resets it, and nothing counts. Of what a proxy does with a result nobody here knows: hence the time of grace
(`Limits.again`), in which it can be fetched again, and ``keep`` with DELETE as acknowledgement.
"""

from __future__ import annotations

import asyncio
import fcntl
import socket
import struct
import sys
import termios
from asyncio.sslproto import SSLProtocol
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from contextvars import Context, copy_context
from typing import Any, ClassVar

from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from aef.service.answers import Problem

Told = Callable[[], Awaitable[None]]


class Handover:
    """What was written to a connection, until it is known whether it arrived. patience : seconds that a connection is
    kept open for nothing but to learn that."""

    _telling: ClassVar[set[asyncio.Task[None]]] = set()

    def __init__(self, transport: asyncio.Transport, patience: float) -> None:
        self._transport, self._patience = transport, patience
        self._waiting: list[tuple[Told, Context]] = []
        self._told: list[asyncio.Task[None]] = []
        self._over = asyncio.Event()
        _hear_of_the_end(transport, self.ended)

    def expects(self, told: Told) -> None:
        """Have told be called once what was written has arrived."""
        if not self._over.is_set():
            self._waiting.append((told, copy_context()))

    def confirmed(self) -> None:
        """The other side did what it does once it has everything: so it is, where its system has everything."""
        if self._waiting and not _unsent(self._transport):
            for told, context in self._waiting:
                task = asyncio.get_running_loop().create_task(_say(told), context=context)
                self._telling.add(task)
                task.add_done_callback(self._telling.discard)
                self._told.append(task)
            self._waiting.clear()

    def ended(self) -> None:
        """The other side ended the connection in order."""
        self.confirmed()
        self.lost()

    def lost(self) -> None:
        """The connection is no more: what is not known by now will never be."""
        self._waiting.clear()
        self._over.set()

    async def closes(self) -> None:
        """Wait for the end of a connection on which nothing more is sent."""
        if _below(self._transport) is None:
            with suppress(OSError):
                self._transport.get_extra_info("socket").shutdown(socket.SHUT_WR)
        try:
            await asyncio.wait_for(self._over.wait(), self._patience)
        except TimeoutError:
            self.confirmed()

    async def settled(self) -> None:
        """Wait until what has arrived is written down."""
        told, self._told = self._told, []
        await asyncio.gather(*told)


class Delivery(Response):
    """An answer that says when it has arrived. delivered : is told; None: nobody wants to know."""

    def __init__(
        self,
        content: bytes,
        delivered: Told | None,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        super().__init__(content, headers=headers, media_type=media_type)
        self._delivered = delivered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        handover: Handover | None = scope["state"].get("handover")
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": True})  # once the first is on its way
        if handover is not None and self._delivered is not None:
            handover.expects(self._delivered)
            if _is_the_last(scope):
                await handover.closes()
        await send({"type": "http.response.body", "body": b""})


def _is_the_last(scope: Scope) -> bool:
    """Whether the connection is closed after this answer."""
    named = [value.lower() for name, value in scope["headers"] if name == b"connection"]
    return scope["http_version"] == "1.0" or b"close" in b",".join(named).replace(b" ", b"").split(b",")


async def _say(told: Told) -> None:
    with suppress(Problem):  # it cannot be written down: then it is erased later, as what nobody fetched
        await told()


def _unsent(transport: asyncio.Transport) -> bool:
    """Whether there are bytes that the other side's system has not acknowledged, as far as this one tells."""
    buffered = transport.get_write_buffer_size()
    if (below := _below(transport)) is not None and below._transport is not None:
        buffered += below._transport.get_write_buffer_size()
    if buffered or sys.platform != "linux":
        return bool(buffered)
    try:
        found = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, struct.pack("i", 0))
    except (OSError, ValueError):  # it is closed
        return True
    return bool(struct.unpack("i", found)[0])


def _below(transport: asyncio.Transport) -> Any:
    """What does TLS for a transport; None without."""
    found = getattr(transport, "_ssl_protocol", None)
    return found if isinstance(found, SSLProtocol) else None


def _hear_of_the_end(transport: asyncio.Transport, told: Callable[[], None]) -> None:
    """Be told of an end of TCP without one of TLS, which most clients leave out and asyncio keeps for itself."""
    if (below := _below(transport)) is None:
        return
    goes_on = below.eof_received

    def ended() -> Any:
        told()
        return goes_on()

    below.eof_received = ended
