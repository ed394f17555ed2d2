"""SAROJ's five endpoints: JSON alone, documents in Base64 (Păiș et al.; their shapes of JSON are not published)."""

from __future__ import annotations

from base64 import b64encode
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from aef.service.answers import Accepted, Problem, RulingState, problems, shape
from aef.service.bodies import Document
from aef.service.delivery import Delivery
from aef.service.desk import Desk, at_once, reader, submitter
from aef.service.keys import Client
from aef.service.rest import RequestKey
from aef.workers.settings import BATCH
from aef.workers.states import DONE, State, Submission

_CREATED = {
    202: {
        "description": "Accepted; it is on the disk, and waits",
        "links": {"result": {"operationId": "getResult", "requestBody": {"id": "$response.body#/id"}}},
    }
}


class Asked(BaseModel):
    """Which ruling."""

    model_config = ConfigDict(
        extra="forbid", strict=True, json_schema_extra={"examples": [{"id": "5b0f7a3d9c8e4f61a2b3c4d5e6f70819"}]}
    )
    id: Annotated[str, Field(description="as startAnonymization gave it")]


class Anonymized(RulingState):
    """The state of a ruling, and its document where it is done."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "5b0f7a3d9c8e4f61a2b3c4d5e6f70819",
                    "state": "done",
                    "format": "txt",
                    "priority": "interactive",
                    "attempts": 1,
                    "created": 1790000000.1,
                    "document": "TXIuIEEuIGFwcGVhbHMuCg==",
                    "messages": ["1 words of hidden names still stand in the text"],
                }
            ]
        }
    )
    document: Annotated[
        str | None, Field(description="the anonymized file, in Base64", json_schema_extra={"contentEncoding": "base64"})
    ] = None
    messages: Annotated[list[str], Field(default_factory=list, description="what to look at")]


def router(desk: Desk) -> APIRouter:
    """startAnonymization, getResult, doAnonymization; the two others answer without a key, see `aef.service.app`."""
    routes = APIRouter(tags=["SAROJ"])
    for add in (_starting, _results, _at_once):
        add(routes, desk)
    return routes


def _submission(desk: Desk, client: Client, given: Document, priority: int, key: str | None) -> Submission:
    content, kind = given.content(desk.settings.limits.size)
    return Submission(client.name, content, kind, given.chosen(), priority, key)


def _starting(routes: APIRouter, desk: Desk) -> None:
    @routes.post(
        "/startAnonymization",
        status_code=202,
        response_model=Accepted,
        operation_id="startAnonymization",
        responses=problems(400, 401, 403, 409, 413, 415, 422, 429, 500, 503, also=_CREATED),
    )
    async def start(
        given: Document, client: Annotated[Client, Depends(submitter)], idempotency_key: RequestKey = None
    ) -> Accepted:
        """Hand in a ruling; getResult has its result."""
        handed_in = await run_in_threadpool(_submission, desk, client, given, BATCH, idempotency_key)
        return await desk.taken_in(client, handed_in)


def _results(routes: APIRouter, desk: Desk) -> None:
    @routes.post(
        "/getResult",
        response_model=Anonymized,
        response_model_exclude_none=True,
        operation_id="getResult",
        responses=problems(400, 401, 403, 404, 413, 422, 500, 503),
    )
    async def get_result(given: Asked, client: Annotated[Client, Depends(reader)]) -> Anonymized | Response:
        """The state of a ruling, and its result where it is done, which can be fetched again for some minutes once it
        was delivered whole, and is erased then."""
        state = await desk.state(client, given.id)
        if state.state != DONE:
            return _anonymized(state)
        try:
            content = await desk.result(client, state)
        except Problem:  # handed over to another request a moment ago
            return _anonymized(await desk.state(client, given.id))
        return _handed(desk, client, state, content)


def _at_once(routes: APIRouter, desk: Desk) -> None:
    @routes.post(
        "/doAnonymization",
        response_model=Anonymized,
        response_model_exclude_none=True,
        operation_id="doAnonymization",
        responses=problems(400, 401, 403, 409, 413, 415, 422, 429, 500, 503, 504),
    )
    async def do(
        given: Document,
        request: Request,
        client: Annotated[Client, Depends(submitter)],
        _: Annotated[Client, Depends(reader)],
        idempotency_key: RequestKey = None,
    ) -> Response:
        """Anonymize a ruling while the client waits. By a key with the right `urgent` it overtakes what was handed in
        otherwise."""
        handed_in = await run_in_threadpool(_submission, desk, client, given, at_once(client), idempotency_key)
        state, content = await desk.done(client, handed_in, request)
        return _handed(desk, client, state, content)


def _handed(desk: Desk, client: Client, state: State, content: bytes) -> Response:
    answer = _anonymized(state, content).model_dump_json(exclude_none=True)
    return Delivery(answer.encode(), partial(desk.delivered, client, state.id), media_type="application/json")


def _anonymized(state: State, content: bytes | None = None) -> Anonymized:
    given: dict[str, Any] = shape(state).model_dump()
    document = None if content is None else b64encode(content).decode("ascii")
    return Anonymized(**given, document=document, messages=_messages(state))


def _messages(state: State) -> list[str]:
    """What somebody has to look at, in words."""
    figures = state.figures or {}
    said = {
        "in_clear": "names of hidden people still stand in the text",
        "unsure": "names may be several people's, and got labels of their own",
        "other_language": "ruling does not read like the language that it was read in",
        "dropped_parts": "parts were taken out of the file",
    }
    found = [f"{figures[name]} {text}" for name, text in said.items() if figures.get(name)]
    return [*found, state.detail] if state.detail else found
