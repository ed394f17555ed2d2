"""What clients are told: problems (RFC 9457) in words of our own, and the shapes of answers.

No sentence quotes a request: what was sent may be a ruling.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy.exc import SQLAlchemyError
from starlette.responses import JSONResponse

from aef.workers.states import STATES, State
from aef.workers.states import is_interactive as interactive

MEDIA_TYPE = "application/problem+json"
TITLES = {
    400: "Bad request",
    401: "No key, or a wrong one",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    409: "Not now",
    410: "Gone",
    413: "Too large",
    415: "Unsupported format",
    422: "Cannot be processed",
    429: "Too many",
    500: "Internal error",
    503: "Not available",
    504: "Not done in time",
}
_RETRY = {429: "30", 503: "5", 504: "5"}


class Problem(Exception):
    """A request that is refused. code : one word for programs; detail : a sentence for people; ruling : its id."""

    def __init__(self, status: int, code: str, detail: str, *, ruling: str | None = None, retry: str | None = None):
        super().__init__(code)
        self.status, self.code, self.detail, self.ruling = status, code, detail, ruling
        self.retry = retry or _RETRY.get(status)

    def response(self) -> JSONResponse:
        content: dict[str, Any] = {"type": "about:blank", "title": TITLES.get(self.status, "Error")}
        content |= {"status": self.status, "code": self.code, "detail": self.detail}
        if self.ruling is not None:
            content["ruling"] = self.ruling
        headers = {"Retry-After": self.retry} if self.retry else {}
        if self.status == 401:
            headers["WWW-Authenticate"] = 'Bearer realm="aef"'
        return JSONResponse(content, self.status, headers, MEDIA_TYPE)


class ProblemShape(BaseModel):
    """A problem, as RFC 9457 has it."""

    type: str
    title: str
    status: int
    code: Annotated[str, Field(description="one word, for programs")]
    detail: Annotated[str, Field(description="a sentence, for people")]
    ruling: Annotated[str | None, Field(description="the ruling it is about, where it goes on")] = None


class Accepted(BaseModel):
    """A ruling that was taken in."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"id": "0f8c…", "state": "queued"}]})
    id: str
    state: Annotated[
        str,
        Field(
            json_schema_extra={"enum": list(STATES)},
            description="queued, or what has become of it since it was handed in first under this idempotency key",
        ),
    ]


class RulingState(BaseModel):
    """What became of a ruling. Times in seconds since 1970."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "id": "5b0f7a3d9c8e4f61a2b3c4d5e6f70819",
                    "state": "done",
                    "format": "docx",
                    "priority": "batch",
                    "attempts": 1,
                    "created": 1790000000.1,
                    "started": 1790000000.2,
                    "finished": 1790000000.6,
                    "expires": 1790086400.6,
                    "figures": {"replacements": 41, "persons": 5, "organisations": 1, "other": 7},
                }
            ]
        }
    )
    id: str
    state: Annotated[
        str,
        Field(
            json_schema_extra={"enum": list(STATES)},
            description="queued, running, review (it waits for its editor), done (the result can be fetched), failed "
            "(see reason), taken (the result was delivered, and is erased), expired (it was not, and is erased)",
        ),
    ]
    format: str
    priority: Literal["batch", "interactive"]
    attempts: Annotated[int, Field(description="how often a worker has begun with it")]
    ahead: Annotated[int | None, Field(description="how many rulings are before it, while it is queued")] = None
    created: float
    started: float | None = None
    finished: float | None = None
    expires: Annotated[float | None, Field(description="until when the result can be fetched")] = None
    reason: Annotated[
        str | None,
        Field(
            description="why it failed, for programs: unreadable, names_remain, time_limit, memory_limit, worker_lost, "
            "interrupted, unsealable, internal_error"
        ),
    ] = None
    detail: Annotated[str | None, Field(description="why it failed, for people")] = None
    figures: Annotated[
        dict[str, int] | None,
        Field(
            description="what was replaced, and what to look at: names of hidden people that still stand in the text "
            "(in_clear), names that may be several people's (unsure), parts taken out of the file (dropped_parts), "
            "1 where the text does not read like the language that it was read in (other_language)"
        ),
    ] = None


def shape(state: State) -> RulingState:
    return RulingState(
        id=state.id, state=state.state, format=state.format, attempts=state.attempts, ahead=state.ahead,
        priority="interactive" if interactive(state.priority) else "batch",
        created=state.created, started=state.started, finished=state.finished, expires=state.expires,
        reason=state.reason, detail=state.detail, figures=state.figures,
    )  # fmt: skip


def problems(*statuses: int, also: Mapping[Any, Any] | None = None) -> dict[int | str, dict[str, Any]]:
    """The part of the OpenAPI description that says which problems an address answers with."""
    described = {status: {"description": TITLES[status], "content": _example(status)} for status in statuses}
    return {**(also or {}), **described}


def _example(status: int) -> dict[str, Any]:
    code, detail = _EXAMPLES[status]
    told = {"type": "about:blank", "title": TITLES[status], "status": status, "code": code, "detail": detail}
    return {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/ProblemShape"}, "example": told}}


_EXAMPLES = {
    400: ("not_json", "The body is no valid JSON. Send a JSON object"),
    401: ("no_key", "Send an API key that is valid: Authorization: Bearer KEY"),
    403: ("no_right", "This key has not the right 'submit'"),
    404: ("unknown_ruling", "There is no such ruling of yours. Ids come from handing one in"),
    409: ("not_done", "The ruling is queued. Ask again, or with ?wait=60"),
    410: ("taken", "The result was fetched, and is erased. Hand the ruling in again"),
    413: ("too_large", "A ruling may have 20 MB here. Take large pictures out of it"),
    415: ("unsupported_format", "The format is not known. Send DOCX, HTML or TXT, and say so"),
    422: ("unreadable", "the ruling: is no DOCX document. Open it in a word processor and save it as DOCX"),
    429: ("too_many", "10000 rulings of yours wait already, which is the most. Try again later"),
    500: ("internal_error", "The service erred. Its log says where, under 0f8c2d"),
    503: ("queue_full", "The queue is full. Try again later"),
    504: ("not_done_in_time", "The ruling goes on, under the id given here: ask for its result"),
}


def unexpected(error: Exception, request: str) -> Problem:
    """The problem of an error within, told by the id of the request alone."""
    if isinstance(error, SQLAlchemyError):
        return Problem(503, "queue_unavailable", "The queue's database does not answer. Try again")
    return Problem(500, "internal_error", f"The service erred. Its log says where, under {request}")


def invalid(errors: Iterable[Mapping[str, Any]], known: Sequence[str]) -> Problem:
    """The problem of a request that has not the shape it should: which of the fields, and what is wrong with it."""
    first = next(iter(errors), {})
    kind = str(first.get("type", ""))
    if kind == "json_invalid":
        return Problem(400, "not_json", "The body is no valid JSON. Send a JSON object")
    names = [part for part in first.get("loc", ()) if part in known]
    if kind == "extra_forbidden":
        return Problem(
            422, "unknown_field", f"The request has a field that is not known. There are: {', '.join(known)}"
        )
    place = names[-1] if names else "The body"
    return Problem(422, "invalid", f"{place}: {_SAID.get(kind) or first.get('msg', 'is not as it should be')}")


_SAID = {"missing": "is missing", "model_attributes_type": "is no JSON object"}
