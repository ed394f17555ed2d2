"""The pages of the service: signing in, the editor's page, the state of the service."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Any

from fastapi import FastAPI, Request
from pydantic import BaseModel, Field
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from aef.editing.web.app import application
from aef.editing.web.guard import Covered
from aef.service.answers import Accepted, problems
from aef.service.bodies import form
from aef.service.desk import Desk, needs
from aef.service.keys import ADMIN, REVIEW, SUBMIT, Client
from aef.service.oidc import Away, Refused
from aef.service.review.entry import Entry
from aef.service.review.reviewer import Office
from aef.service.review.status import figures
from aef.workers.states import Submission

_KEY = 200  # characters


class Address(BaseModel):
    """Where the page is opened, once."""

    address: Annotated[str, Field(description="relative to the service; works once, for a minute")]


class Only:
    """An application for clients with one right; a browser that nobody has signed in is shown where to."""

    def __init__(self, app: ASGIApp, right: str) -> None:
        self._app, self._right = app, right

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope["state"]["client"]
        if not isinstance(client, Client) and scope["method"] == "GET" and scope["path"].endswith("/"):
            await RedirectResponse("/enter/", 303)(scope, receive, send)
            return
        needs(Request(scope), self._right)
        await self._app(scope, receive, send)


def add_pages(app: FastAPI, desk: Desk, entry: Entry, office: Office, documented: list[Any]) -> None:
    """Mount the pages, and add the address that opens one."""

    @app.post(
        "/v1/entry",
        tags=["operation"],
        operation_id="entry",
        response_model=Address,
        dependencies=documented,
        responses=problems(401, 403, 500, 503),
    )
    async def ticket(request: Request) -> Address:
        """An address that opens the editor's page, or that of the state of the service, in a browser, once. The key
        needs the right `review` or `admin`."""
        client = request.state.client
        right = ADMIN if isinstance(client, Client) and REVIEW not in client.rights else REVIEW
        return Address(address=f"/enter/?key={entry.ticket(needs(request, right))}")

    @app.post("/edit/api/rulings", include_in_schema=False)
    async def bring(request: Request) -> Accepted:
        """A ruling brought to the page by who reviews it."""
        client = needs(request, REVIEW)
        needs(request, SUBMIT)
        content, kind, fields = await form(request, desk.settings.limits.size)
        sent = Submission(client.name, content, kind, fields.chosen(), reviewer=client.name)
        return await desk.taken_in(client, sent)

    app.mount("/enter", Covered(_Entrance(desk, entry).application()))
    app.mount("/edit", Only(Covered(application(lambda request: office.desk(_asker(request).name))), REVIEW))
    app.mount("/status", Only(Covered(_state(desk)), ADMIN))


def _asker(request: Request) -> Client:
    return needs(request, REVIEW)


@dataclass(frozen=True)
class _Entrance:
    """The pages by which somebody comes in: by a key, by a ticket in the address, or by a provider of log-ins."""

    desk: Desk
    entry: Entry

    def application(self) -> Starlette:
        asked = [
            Route("/", self.come),
            Route("/", self.enter, methods=["POST"]),
            Route("/leave", self.leave, methods=["POST"]),
        ]
        asked += [
            Route("/ways", self.ways),
            Route("/provider", self.leave_for_provider),
            Route("/back", self.come_back),
        ]
        return Starlette(routes=[*asked, *_static("enter.js", "page.css")])

    async def come(self, request: Request) -> Response:
        ticket = request.query_params.get("key")
        if ticket is None:
            return _file("enter.html")
        client = await run_in_threadpool(self.entry.redeemed, ticket)
        return await self._entered(request, client) if client is not None else RedirectResponse("/enter/", 303)

    async def enter(self, request: Request) -> Response:
        try:
            token = (await request.json())["key"]
        except (ValueError, TypeError, KeyError):
            token = None
        known = isinstance(token, str) and len(token) <= _KEY
        client = await run_in_threadpool(self.entry.by_key, str(token).strip()) if known else None
        if client is None or not {REVIEW, ADMIN} & client.rights:
            return JSONResponse({"error": "refused"}, 403)
        return await self._entered(request, client)

    async def ways(self, _: Request) -> Response:
        return JSONResponse({"provider": self.entry.logins is not None})

    async def leave_for_provider(self, request: Request) -> Response:
        if self.entry.logins is None:
            return RedirectResponse("/enter/", 303)
        try:
            address, cookie = await run_in_threadpool(self.entry.logins.begun, _origin(request))
        except Away:
            return RedirectResponse("/enter/#away", 303)
        return RedirectResponse(address, 303, {"Set-Cookie": cookie})

    async def come_back(self, request: Request) -> Response:
        if self.entry.logins is None:
            return RedirectResponse("/enter/", 303)
        given, cookies = dict(request.query_params), request.headers.get("cookie", "")
        try:
            client = await run_in_threadpool(self.entry.logins.ended, given, cookies)
            if not {REVIEW, ADMIN} & client.rights:
                raise Refused("no_right")
        except Away:
            return RedirectResponse("/enter/#away", 303)
        except Refused as refused:
            await self.desk.record("refused", reason=str(refused))
            return RedirectResponse("/enter/#refused", 303)
        answer = await self._entered(request, client)
        # our own page leads on: a cookie that is for us alone does not go along with a redirect from elsewhere
        cookie = {"Set-Cookie": answer.headers["Set-Cookie"]}
        return HTMLResponse(_ON.format(answer.headers["Location"]), headers=cookie)

    async def _entered(self, request: Request, client: Client) -> Response:
        await self.desk.record("entered", client=client)
        answer = RedirectResponse("/edit/" if REVIEW in client.rights else "/status/", 303)
        answer.headers["Set-Cookie"] = self.entry.enter(client, request.url.scheme == "https")
        return answer

    async def leave(self, request: Request) -> Response:
        self.entry.leave(request.headers)
        return RedirectResponse("/enter/", 303)


_ON = '<!DOCTYPE html><title>aef</title><meta http-equiv="refresh" content="0;url={0}"><a href="{0}">{0}</a>'


def _origin(request: Request) -> str:
    return f"{request.url.scheme}://{request.headers['host']}"


def _state(desk: Desk) -> Starlette:
    async def shown(_: Request) -> Response:
        return _file("status.html")

    async def asked(_: Request) -> Response:
        return JSONResponse(await desk.ask(figures, desk))

    async def drain(request: Request) -> Response:
        desk.drain((await request.body()) == b"true")
        await desk.record("drained" if desk.draining.is_set() else "opened")
        return JSONResponse(await desk.ask(figures, desk))

    routes = [Route("/", shown), Route("/figures", asked), Route("/drain", drain, methods=["POST"])]
    return Starlette(routes=[*routes, *_static("status.js", "page.css")])


_KINDS = {"html": "text/html", "css": "text/css", "js": "text/javascript"}


def _static(*names: str) -> list[Route]:
    return [Route(f"/{name}", _shows(name)) for name in names]


def _shows(name: str) -> Callable[[Request], Any]:
    async def shows(_: Request) -> Response:
        return _file(name)

    return shows


def _file(name: str) -> Response:
    home = "aef.editing.web" if name == "page.css" else "aef.service.review"
    return Response(files(home).joinpath("static", name).read_bytes(), media_type=_KINDS[name.rpartition(".")[2]])
