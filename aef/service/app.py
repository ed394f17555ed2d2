"""The HTTP application: both interfaces, health, figures, and the page that explains them, without a foreign server."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Depends, FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.security import APIKeyHeader, HTTPBearer
from fastapi_offline import FastAPIOffline
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import compile_path

import aef
from aef.service import events, rest, saroj
from aef.service.answers import Problem, ProblemShape, invalid, problems, unexpected
from aef.service.bodies import Document, Fields
from aef.service.desk import Desk, needs
from aef.service.guard import HEALTH, STATIC
from aef.service.keys import ADMIN
from aef.service.review.entry import Entry
from aef.service.review.pages import add_pages
from aef.service.review.reviewer import Office
from aef.workers.metrics import CONTENT_TYPE
from aef.workers.watch import FULL
from aef.workers.worker import PIPELINES

_KNOWN = [
    *Document.model_fields,
    *Fields.model_fields,
    "file",
    "id",
    "ruling",
    "wait",
    "keep",
    "Idempotency-Key",
    "last-event-id",
]
_DESCRIPTION = """Rulings in, anonymized rulings out. Send `Authorization: Bearer KEY` (or `X-API-Key: KEY`).

    curl -H "Authorization: Bearer $KEY" -F file=@ruling.docx http://127.0.0.1:8000/v1/anonymize -o safe.docx
    curl -H "Authorization: Bearer $KEY" -F file=@ruling.docx http://127.0.0.1:8000/v1/rulings
    curl -H "Authorization: Bearer $KEY" "http://127.0.0.1:8000/v1/rulings/$ID/result?wait=60" -o safe.docx

A ruling is sealed while it waits, belongs to the client that sent it, and ends done or failed with a reason. Its result
can be fetched again for some minutes once it was delivered whole, and is erased then, or at once by DELETE. What goes
wrong is told as problems (RFC 9457). A person reads what was made before it is published."""


class Health(BaseModel):
    """How the service is: starting (rulings are accepted, no worker is ready), ok, failing, draining (what
    it has is finished, nothing is taken in), stopping."""

    status: Literal["ok", "starting", "failing", "draining", "stopping"]
    modules: Annotated[dict[str, str], Field(examples=[{"queue": "ok", "disk": "ok", "workers": "ok"}])]


class Alive(BaseModel):
    """That it answers."""

    status: Literal["alive"]


class Version(BaseModel):
    """What runs."""

    version: str
    languages: Annotated[list[str], Field(description="with a ready pipeline")]


def application(desk: Desk, entry: Entry, office: Office) -> FastAPI:
    """The application of a desk, with the pages of an office; `aef.service.guard` goes around it."""
    app: FastAPI = FastAPIOffline(
        title="aef", version=aef.__version__, description=_DESCRIPTION, redoc_url=None, static_url=STATIC.rstrip("/")
    )
    documented = [Depends(HTTPBearer(auto_error=False, scheme_name="bearer", description="an API key"))]
    documented += [Depends(APIKeyHeader(name="X-API-Key", auto_error=False, scheme_name="header"))]
    app.include_router(rest.router(desk), dependencies=documented)
    app.include_router(saroj.router(desk), dependencies=documented)
    app.include_router(events.router(desk), dependencies=documented)
    add_pages(app, desk, entry, office, documented)
    _health(app, desk)
    _figures(app, desk, documented)
    _problems(app)
    app.add_api_route("/", lambda: RedirectResponse("/docs"), include_in_schema=False)
    return app


def _health(app: FastAPI, desk: Desk) -> None:
    failing: dict[int | str, dict[str, Any]] = {503: {"model": Health, "description": "Failing, or being stopped"}}

    async def alive() -> Alive:
        """That the service answers: who gets no answer may start it anew. Nothing else is asked for."""
        return Alive(status="alive")

    async def health(response: Response) -> Health:
        """Whether rulings are taken in, for load balancers and monitors. Answered at once, whatever else must wait."""
        found = _healthy(desk)
        response.status_code = 503 if found.status in ("failing", "draining", "stopping") else 200
        return found

    async def version() -> Version:
        """The version of what runs."""
        return Version(version=aef.__version__, languages=sorted(PIPELINES))

    asked = (("/v1/health", "REST", "health"), ("/v1/ready", "REST", "ready"), ("/checkHealth", "SAROJ", "checkHealth"))
    for path, tag, name in asked:
        app.add_api_route(path, health, responses=failing | problems(500), tags=[tag], operation_id=name)
        app.add_api_route(path, health, methods=["HEAD"], include_in_schema=False)
    app.add_api_route("/v1/live", alive, responses=problems(500), tags=["REST"], operation_id="live")
    app.add_api_route("/v1/live", alive, methods=["HEAD"], include_in_schema=False)
    for path, tag, name in (("/v1/version", "REST", "version"), ("/getVersion", "SAROJ", "getVersion")):
        app.add_api_route(path, version, responses=problems(500), tags=[tag], operation_id=name)


def _healthy(desk: Desk) -> Health:
    workers = "ok" if desk.ready() else "failing" if desk.failing() else "starting"
    modules = {"queue": desk.watch.queue(), "disk": desk.watch.disk(), "workers": workers}
    if desk.stopping.is_set():
        return Health(status="stopping", modules=modules)
    if "failing" in modules.values() or modules["disk"] == FULL:
        return Health(status="failing", modules=modules)
    if desk.draining.is_set():
        return Health(status="draining", modules=modules)
    return Health(status="ok" if desk.ready() else "starting", modules=modules)


def _figures(app: FastAPI, desk: Desk, documented: list[Any]) -> None:
    shown = {200: {"content": {"text/plain": {"schema": {"type": "string"}}}}}

    @app.get(
        "/metrics",
        response_class=Response,
        tags=["operation"],
        operation_id="metrics",
        dependencies=documented,
        responses=problems(401, 403, 500, 503, also=shown),
    )
    async def metrics(request: Request) -> Response:
        """Figures for Prometheus; the key needs the right `admin`."""
        needs(request, ADMIN)
        return Response(await desk.ask(desk.metrics.text), media_type=CONTENT_TYPE)


def _problems(app: FastAPI) -> None:
    """Have everything that goes wrong told in one shape, and in words of our own."""

    async def problem(_: Request, error: Exception) -> Response:
        assert isinstance(error, Problem)
        return error.response()

    async def unfit(_: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        return invalid(error.errors(), _KNOWN).response()

    async def other(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        if isinstance(error.__cause__, Problem):  # what went wrong while the body was read
            return error.__cause__.response()
        code, detail = _OTHERS.get(error.status_code, ("bad_request", "The request cannot be understood"))
        response = Problem(error.status_code, code, detail).response()
        if error.status_code == 405:
            response.headers["Allow"] = ", ".join(sorted(_methods(app, request)))
        return response

    async def erred(request: Request, error: Exception) -> Response:
        return unexpected(error, request.state.request).response()

    app.add_exception_handler(Problem, problem)
    app.add_exception_handler(Exception, erred)
    app.add_exception_handler(RequestValidationError, unfit)
    app.add_exception_handler(HTTPException, other)
    described = app.openapi

    def openapi() -> dict[str, Any]:
        schema = described()
        schema.setdefault("components", {}).setdefault("schemas", {})["ProblemShape"] = ProblemShape.model_json_schema()
        schema["components"]["schemas"].pop("HTTPValidationError", None)
        schema["components"]["schemas"].pop("ValidationError", None)
        return schema

    app.openapi = openapi  # type: ignore[method-assign]


def _methods(app: FastAPI, request: Request) -> set[str]:
    """What an address can be asked, over all routes that lead there."""
    found: set[str] = set()
    for path, operations in app.openapi()["paths"].items():
        if compile_path(path)[0].fullmatch(request.scope["path"]):
            found |= {method.upper() for method in operations}
    return found | ({"HEAD"} if request.scope["path"] in HEALTH else set())


_OTHERS = {
    404: ("no_such_address", "There is nothing at this address. /docs lists what there is"),
    405: ("wrong_method", "This address is not asked that way. /docs says how"),
    400: ("bad_request", "The body cannot be read"),
}
