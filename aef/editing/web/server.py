"""The page served to this machine, until it is stopped or nobody asks any more."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable

import uvicorn

from aef.editing.web.app import application
from aef.editing.web.desk import Desk
from aef.editing.web.guard import Guard
from aef.errors import InputError

HOST = "127.0.0.1"
_LOOK = 5.0
"""Seconds between looks at whether somebody is still there."""


def serve(desk: Desk, port: int = 0, idle: float = 3600.0, started: Callable[[str], object] = bool) -> None:
    """Serve the page until SIGINT or SIGTERM, or until nothing was asked for ``idle`` seconds; ``started`` is told the
    address with its key, which works once. Raises `InputError` for a port that is taken."""
    listening = _listening(port)
    guard = Guard(application(lambda _: desk), listening.getsockname()[1])
    config = uvicorn.Config(guard, log_config=None, access_log=False, server_header=False, timeout_graceful_shutdown=5)
    server = _Server(config, guard, idle, started)
    with listening:
        server.run(sockets=[listening])


def _listening(port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((HOST, port))
    except (OSError, OverflowError) as error:
        found.close()
        raise InputError(f"port {port} cannot be listened to: is it taken? Choose another --port") from error
    return found


class _Server(uvicorn.Server):
    """Says where it listens, and stops by itself."""

    def __init__(self, config: uvicorn.Config, guard: Guard, idle: float, told: Callable[[str], object]) -> None:
        super().__init__(config)
        self._guard, self._idle, self._told = guard, idle, told
        self._watch: asyncio.Task[None] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._told(f"http://{HOST}:{self._guard.port}/enter?key={self._guard.key}")
            self._watch = asyncio.create_task(self._until_idle())

    async def _until_idle(self) -> None:
        while time.monotonic() - self._guard.last < self._idle:
            await asyncio.sleep(min(_LOOK, self._idle))
        self.should_exit = True
