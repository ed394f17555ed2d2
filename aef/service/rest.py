"""The REST interface: rulings as resources, files as they are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Path, Query, Request, Response

from aef.service.answers import Accepted, Problem, RulingState, problems, shape
from aef.service.bodies import PRIORITIES, form, form_shape
from aef.service.delivery import Delivery
from aef.service.desk import Desk, at_once, needs, reader, submitter
from aef.service.keys import URGENT, Client
from aef.service.options import MEDIA_TYPES
from aef.workers.database import GOLD, PROTOCOL
from aef.workers.settings import INTERACTIVE
from aef.workers.states import State, Submission

Id = Annotated[
    str,
    Path(
        description="the ruling's id, as handing it in gave it",
        json_schema_extra={"pattern": "^[0-9a-f]{32}$"},  # what is none is unknown, like any other: 404
        examples=["5b0f7a3d9c8e4f61a2b3c4d5e6f70819"],
    ),
]
RequestKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=200,
        pattern=r"^[!-~]+$",
        description="of your own choice: the same ruling sent again under it, after a broken connection, is taken once",
    ),
]
Wait = Annotated[float, Query(ge=0, le=600, description="seconds to wait for the ruling's end")]
_FILE = {
    200: {
        "description": "The anonymized ruling, in the format it came in",
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in MEDIA_TYPES.values()},
        "headers": {
            "Content-Disposition": {"schema": {"type": "string"}},
            "Content-Location": {"description": "where it can be fetched again", "schema": {"type": "string"}},
        },
    }
}
_JSON = {200: {"description": "As JSON, a line", "content": {"application/json": {"schema": {"type": "object"}}}}}
_CREATED = {
    202: {
        "description": "Accepted; it is on the disk, and waits",
        "headers": {"Location": {"description": "where its state is", "schema": {"type": "string"}}},
        "links": {
            name: {"operationId": name, "parameters": {"ruling": "$response.body#/id"}}
            for name in ("state", "result", "takeBack")
        },
    }
}


def router(desk: Desk) -> APIRouter:
    """``/v1/rulings`` and what is below it, and ``/v1/anonymize``."""
    routes = APIRouter(prefix="/v1", tags=["REST"])
    for add in (_handing_in, _results, _reviewed, _at_once, _taking_back):
        add(routes, desk)
    return routes


async def _sent(
    desk: Desk, request: Request, client: Client, key: str | None, priority: int | None = None
) -> Submission:
    content, kind, fields = await form(request, desk.settings.limits.size)
    if fields.reviewer and priority is not None:
        raise Problem(422, "invalid", "reviewer: nobody waits for an editor. Hand the ruling in at /v1/rulings")
    if priority is None:
        priority = PRIORITIES[fields.priority]
        if priority == INTERACTIVE:
            needs(request, URGENT)
    return Submission(client.name, content, kind, fields.chosen(), priority, key, fields.reviewer or None)


def _handing_in(routes: APIRouter, desk: Desk) -> None:
    @routes.post(
        "/rulings",
        status_code=202,
        response_model=Accepted,
        operation_id="handIn",
        responses=problems(400, 401, 403, 409, 413, 415, 422, 429, 500, 503, also=_CREATED),
        openapi_extra=form_shape(),
    )
    async def hand_in(
        request: Request,
        response: Response,
        client: Annotated[Client, Depends(submitter)],
        idempotency_key: RequestKey = None,
    ) -> Accepted:
        """Hand in a ruling: a form with a file (DOCX, HTML or TXT)."""
        accepted = await desk.taken_in(client, await _sent(desk, request, client, idempotency_key))
        response.headers["Location"] = f"/v1/rulings/{accepted.id}"
        return accepted


def _results(routes: APIRouter, desk: Desk) -> None:
    longest = desk.settings.limits.wait

    @routes.get(
        "/rulings/{ruling}",
        response_model=RulingState,
        response_model_exclude_none=True,
        operation_id="state",
        responses=problems(401, 403, 404, 422, 500, 503),
    )
    async def state(
        ruling: Id, request: Request, client: Annotated[Client, Depends(reader)], wait: Wait = 0.0
    ) -> RulingState:
        """The state of a ruling."""
        return shape(await desk.ended(client, ruling, min(wait, longest), request))

    @routes.get(
        "/rulings/{ruling}/result",
        response_class=Response,
        operation_id="result",
        responses=problems(401, 403, 404, 409, 410, 422, 500, 503, also=_FILE),
    )
    async def result(
        ruling: Id,
        request: Request,
        client: Annotated[Client, Depends(reader)],
        wait: Wait = 0.0,
        keep: Annotated[bool, Query(description="do not erase it now: DELETE does, or the time")] = False,
    ) -> Response:
        """The anonymized ruling. Once it was delivered whole, it can be fetched again for some minutes, and is erased
        then (unless ``keep``), or at once by DELETE."""
        state = await desk.ended(client, ruling, min(wait, longest), request)
        content = await desk.result(client, state)
        return _file(desk, client, state, content, keep)


def _reviewed(routes: APIRouter, desk: Desk) -> None:
    for kind, name, said in ((GOLD, "corrections", "as a line of a gold corpus"), (PROTOCOL, "protocol", "who is who")):
        routes.add_api_route(
            f"/rulings/{{ruling}}/{name}",
            _giving(desk, kind),
            response_class=Response,
            operation_id=name,
            description=f"What an editor made of a ruling: {said}. It holds the names, keep it secret",
            responses=problems(401, 403, 404, 409, 422, 500, 503, also=_JSON),
        )


def _giving(desk: Desk, kind: str) -> Callable[..., Awaitable[Response]]:
    async def giving(ruling: Id, client: Annotated[Client, Depends(reader)]) -> Response:
        return Response(await desk.made(client, ruling, kind), media_type="application/json")

    return giving


def _at_once(routes: APIRouter, desk: Desk) -> None:
    @routes.post(
        "/anonymize",
        response_class=Response,
        operation_id="anonymize",
        responses=problems(400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 504, also=_FILE),
        openapi_extra=form_shape(),
    )
    async def anonymize(
        request: Request,
        client: Annotated[Client, Depends(submitter)],
        _: Annotated[Client, Depends(reader)],
        idempotency_key: RequestKey = None,
    ) -> Response:
        """A ruling in, the anonymized ruling out, while the client waits. By a key with the right `urgent` it overtakes
        what was handed in otherwise."""
        state, content = await desk.done(
            client, await _sent(desk, request, client, idempotency_key, at_once(client)), request
        )
        return _file(desk, client, state, content)


def _taking_back(routes: APIRouter, desk: Desk) -> None:
    @routes.delete(
        "/rulings/{ruling}", status_code=204, operation_id="takeBack", responses=problems(401, 403, 404, 422, 500, 503)
    )
    async def take_back(ruling: Id, client: Annotated[Client, Depends(submitter)]) -> None:
        """Erase a ruling and all that is known of it, whatever its state."""
        await desk.remove(client, ruling)


def _file(desk: Desk, client: Client, state: State, content: bytes, keep: bool = False) -> Response:
    named = {"Content-Disposition": f'attachment; filename="anonymized.{state.format}"'}
    named["Content-Location"] = f"/v1/rulings/{state.id}/result"
    delivered = None if keep else partial(desk.delivered, client, state.id)
    return Delivery(content, delivered, headers=named, media_type=MEDIA_TYPES[state.format])
