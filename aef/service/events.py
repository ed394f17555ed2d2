"""Server-sent events: a client is told when its rulings end, and need not ask again and again."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Request
from starlette.responses import StreamingResponse

from aef.service.answers import problems
from aef.service.desk import Desk, reader
from aef.service.keys import Client

_EVERY, _ALIVE, _LASTS = 0.5, 15.0, 300.0  # seconds: looks, signs of life, and the stream, which is asked for anew then
_OVERLAP = 5.0  # seconds by which servers' clocks, and commits, may be out of order
_ROUNDED = 1e-6  # by so much an event's id is earlier than the event, which rounding must not put behind it
_SHOWN = {
    200: {
        "description": "Events `ruling`: {id, state, reason}. A stream ends after some minutes; asked for anew with "
        "the last event's id, it goes on there (an event may come twice)",
        "content": {"text/event-stream": {}},
    }
}


def router(desk: Desk) -> APIRouter:
    """``/v1/events``."""
    routes = APIRouter(prefix="/v1", tags=["REST"])

    @routes.get(
        "/events",
        response_class=StreamingResponse,
        operation_id="events",
        responses=problems(401, 403, 422, 500, 503, also=_SHOWN),
    )
    async def events(
        request: Request,
        client: Annotated[Client, Depends(reader)],
        last_event_id: Annotated[str, Header(pattern=r"^[0-9]{1,12}(\.[0-9]{1,6})?$")] = "",
    ) -> StreamingResponse:
        """A stream that tells of each ruling of the client that ends, from now on or from an event on."""
        since = float(last_event_id) if last_event_id else time.time()
        return StreamingResponse(_told(desk, client, since, request), media_type="text/event-stream")

    return routes


async def _told(desk: Desk, client: Client, since: float, request: Request) -> AsyncIterator[str]:
    """The events of a stream; a line of comment where there is none for a while."""
    seen: set[str] = set()
    until, alive = time.monotonic() + _LASTS, 0.0
    began = since
    while time.monotonic() < until and not desk.stopping.is_set() and not await request.is_disconnected():
        for state in await desk.ask(desk.queue.ended_since, client.name, max(began, since - _OVERLAP)):
            if state.id not in seen and state.finished is not None:
                seen.add(state.id)
                since = max(since, state.finished)
                said = {"id": state.id, "state": state.state, "reason": state.reason}
                at = state.finished - _ROUNDED
                yield f"event: ruling\nid: {at:.6f}\ndata: {json.dumps(said)}\n\n"
                alive = time.monotonic()
        if time.monotonic() - alive > _ALIVE:
            alive = time.monotonic()
            yield ":\n\n"
        await asyncio.sleep(_EVERY)
