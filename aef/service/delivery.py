"""A result handed over: sent whole, or known not to have been."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

_NEWS = 0.01  # seconds in which the event loop is told of a connection that broke while it was written to


class Delivery(Response):
    """An answer that says when all of it was given to the network, over a connection that did not break.

    What the network does with the last of it nobody here can know: hence the time of grace (`Limits.again`).
    """

    def __init__(
        self,
        content: bytes,
        delivered: Callable[[], Awaitable[None]] | None,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        super().__init__(content, headers=headers, media_type=media_type)
        self._delivered = delivered

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": True})  # once the first is on its way
        await asyncio.sleep(_NEWS)
        broken = await Request(scope, receive).is_disconnected()
        await send({"type": "http.response.body", "body": b""})
        if self._delivered is not None and not broken:
            await self._delivered()
