"""The page's addresses. No ruling's text stands in one, nor in a log, nor in the HTML: it comes as JSON, and a script
puts it on the page as text.

No template engine is used: there is nothing to fill in, so there is nothing to escape.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import Body, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response

from aef.corpus_tools.files import Unwritten
from aef.editing.lists import MOST
from aef.editing.web.desk import Desk, Shown, Stale
from aef.errors import InputError

_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json"}
_START = "page.html"
Version = Annotated[int, Body()]
Word = Annotated[str, Body(max_length=100)]
Facts = Annotated[list[dict[str, Any]], Body(min_length=1, max_length=MOST)]
Percent = Annotated[int, Body(ge=0, le=100)]


DeskOf = Callable[[Request], Desk]
"""Whose rulings are open, by who asks."""


def application(desk_of: DeskOf) -> FastAPI:
    """The application, to be put behind a guard: `aef.editing.web.guard.Guard`, or that of a service. Its addresses are
    relative to where it is mounted."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    for add in (_pages, _rulings, _answers, _ends, _problems):
        add(app, desk_of)
    return app


class _Unknown(Exception):
    """There is no such ruling."""


def _pages(app: FastAPI, _: DeskOf) -> None:
    def serve(file: Traversable) -> None:
        content, kind = file.read_bytes(), _KINDS["." + file.name.rpartition(".")[2]]

        @app.get("/" if file.name == _START else f"/{file.name}")
        def static() -> Response:
            return Response(content, media_type=kind)

    for file in files("aef.editing.web").joinpath("static").iterdir():
        serve(file)


def _open(desk: Desk, key: str) -> Shown:
    if (ruling := desk.ruling(key)) is None:
        raise _Unknown
    return ruling


def _rulings(app: FastAPI, desk_of: DeskOf) -> None:
    @app.get("/api/rulings")
    def rulings(request: Request) -> list[dict[str, Any]]:
        return [{"id": key, "name": r.name, "finished": r.finished} for key, r in desk_of(request).rulings.items()]

    @app.get("/api/here")
    def here(request: Request) -> dict[str, bool]:
        """What can be done here."""
        desk = desk_of(request)
        return {"takes": desk.takes, "copies": desk.copies}

    @app.get("/api/{key}/text")
    def text(request: Request, key: str) -> JSONResponse:
        return JSONResponse(_open(desk_of(request), key).text())

    @app.get("/api/{key}")
    def shown(request: Request, key: str) -> JSONResponse:
        return JSONResponse(_open(desk_of(request), key).shown())


def _answers(app: FastAPI, desk_of: DeskOf) -> None:
    def change(request: Request, key: str, version: int, action: str, **values: Any) -> JSONResponse:
        return JSONResponse(_open(desk_of(request), key).change(version, action, **values))

    @app.post("/api/{key}/tell")
    def tell(request: Request, key: str, version: Version, facts: Facts) -> JSONResponse:
        return change(request, key, version, "tell", facts=facts)

    @app.post("/api/{key}/settle")
    def settle(request: Request, key: str, version: Version, sure: Percent, reply: Word) -> JSONResponse:
        return change(request, key, version, "settle", sure=sure, reply=reply)

    @app.post("/api/{key}/undo")
    def undo(request: Request, key: str, version: Annotated[int, Body(embed=True)]) -> JSONResponse:
        return change(request, key, version, "undo")

    @app.post("/api/{key}/redo")
    def redo(request: Request, key: str, version: Annotated[int, Body(embed=True)]) -> JSONResponse:
        return change(request, key, version, "redo")


def _ends(app: FastAPI, desk_of: DeskOf) -> None:
    @app.post("/api/{key}/finish")
    def finish(
        request: Request,
        key: str,
        version: Version,
        force: Annotated[bool, Body()] = False,
        review: Annotated[bool, Body()] = False,
    ) -> JSONResponse:
        return JSONResponse(_open(desk_of(request), key).finish(version, force, review))

    @app.get("/api/{key}/safe")
    def safe(request: Request, key: str) -> Response:
        ruling = _open(desk_of(request), key)
        if not ruling.finished:
            raise _Unknown
        name, content = ruling.safe()
        named = {"Content-Disposition": f"attachment; filename*=utf-8''{quote(name, safe='')}"}
        return Response(content, media_type="application/octet-stream", headers=named)


def _problems(app: FastAPI, _: DeskOf) -> None:
    @app.exception_handler(_Unknown)
    async def unknown(_: Request, __: Exception) -> JSONResponse:
        return JSONResponse({"error": "There is no such ruling here."}, 404)

    @app.exception_handler(Stale)
    async def stale(_: Request, __: Exception) -> JSONResponse:
        said = "The ruling was changed in another window: it is shown anew, and your last key was not taken."
        return JSONResponse({"error": said}, 409)

    @app.exception_handler(InputError)
    async def wrong(_: Request, error: Exception) -> JSONResponse:
        return JSONResponse({"error": str(error)}, 422)

    @app.exception_handler(Unwritten)
    @app.exception_handler(OSError)
    async def unwritten(_: Request, error: OSError) -> JSONResponse:
        said = f"A file cannot be written ({error.strerror}). Your answers are kept: make room for it, and try again."
        return JSONResponse({"error": said}, 507)

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, __: Exception) -> JSONResponse:
        return JSONResponse({"error": "That is no answer that this page sends."}, 422)

    @app.exception_handler(Exception)
    async def ours(_: Request, error: Exception) -> JSONResponse:
        """Its text may be the ruling's, and is told nobody."""
        said = f"Something went wrong here ({type(error).__name__}). Your answers are saved."
        return JSONResponse({"error": said}, 500)
