"""The page's addresses. No ruling's text stands in one, nor in a log, nor in the HTML: it comes as JSON, and a script
puts it on the page as text.

No template engine is used: there is nothing to fill in, so there is nothing to escape.
"""

from __future__ import annotations

from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any

from fastapi import Body, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import FileResponse, JSONResponse, Response

from aef.editing.web.desk import Desk, Ruling, Stale, answered, told
from aef.errors import InputError

_KINDS = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".json": "application/json"}
_START = "page.html"
Version = Annotated[int, Body()]
Word = Annotated[str, Body(max_length=100)]


def application(desk: Desk) -> FastAPI:
    """The application, to be put behind `aef.editing.web.guard.Guard`."""
    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
    for add in (_pages, _rulings, _answers, _ends, _problems):
        add(app, desk)
    return app


class _Unknown(Exception):
    """There is no such ruling."""


def _pages(app: FastAPI, _: Desk) -> None:
    def serve(file: Traversable) -> None:
        content, kind = file.read_bytes(), _KINDS["." + file.name.rpartition(".")[2]]

        @app.get("/" if file.name == _START else f"/{file.name}")
        def static() -> Response:
            return Response(content, media_type=kind)

    for file in files("aef.editing.web").joinpath("static").iterdir():
        serve(file)


def _open(desk: Desk, key: str) -> Ruling:
    if (ruling := desk.ruling(key)) is None:
        raise _Unknown
    return ruling


def _rulings(app: FastAPI, desk: Desk) -> None:
    @app.get("/api/rulings")
    def rulings() -> list[dict[str, Any]]:
        return [{"id": key, "name": r.name, "finished": r.finished} for key, r in desk.rulings.items()]

    @app.get("/api/{key}")
    def shown(key: str) -> JSONResponse:
        return JSONResponse(_open(desk, key).shown())


def _answers(app: FastAPI, desk: Desk) -> None:
    @app.post("/api/{key}/answer")
    def answer(key: str, version: Version, question: Word, reply: Word) -> JSONResponse:
        return JSONResponse(_open(desk, key).change(version, answered(question, reply)))

    @app.post("/api/{key}/tell")
    def tell(key: str, version: Version, fact: Annotated[dict[str, Any], Body()]) -> JSONResponse:
        return JSONResponse(_open(desk, key).change(version, told(fact)))

    @app.post("/api/{key}/settle")
    def settle(key: str, version: Version, sure: Annotated[int, Body(ge=0, le=100)], reply: Word) -> JSONResponse:
        return JSONResponse(_open(desk, key).change(version, lambda session: session.settle(sure, reply)))

    @app.post("/api/{key}/undo")
    def undo(key: str, version: Annotated[int, Body(embed=True)]) -> JSONResponse:
        return JSONResponse(_open(desk, key).change(version, lambda session: session.undo()))

    @app.post("/api/{key}/redo")
    def redo(key: str, version: Annotated[int, Body(embed=True)]) -> JSONResponse:
        return JSONResponse(_open(desk, key).change(version, lambda session: session.redo()))


def _ends(app: FastAPI, desk: Desk) -> None:
    @app.post("/api/{key}/finish")
    def finish(
        key: str, version: Version, force: Annotated[bool, Body()] = False, review: Annotated[bool, Body()] = False
    ) -> JSONResponse:
        return JSONResponse(_open(desk, key).finish(version, force, review))

    @app.get("/api/{key}/safe")
    def safe(key: str) -> FileResponse:
        ruling = _open(desk, key)
        if not ruling.finished:
            raise _Unknown
        return FileResponse(ruling.target, filename=ruling.target.name, media_type="application/octet-stream")


def _problems(app: FastAPI, _: Desk) -> None:
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

    @app.exception_handler(RequestValidationError)
    async def malformed(_: Request, __: Exception) -> JSONResponse:
        return JSONResponse({"error": "That is no answer that this page sends."}, 422)

    @app.exception_handler(Exception)
    async def ours(_: Request, error: Exception) -> JSONResponse:
        """Its text may be the ruling's, and is told nobody."""
        said = f"Something went wrong here ({type(error).__name__}). Your answers are saved."
        return JSONResponse({"error": said}, 500)
