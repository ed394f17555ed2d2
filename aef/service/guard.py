"""What every request goes through: who sent it, how large it is, what is told when all goes wrong, and the books.

A request without a right key is turned away before a byte of its body is read.
"""

from __future__ import annotations

import re
import time
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Any
from uuid import uuid4

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from aef.service.answers import Problem, unexpected
from aef.service.bodies import too_large
from aef.service.keys import LOCAL, Client, KeyRing
from aef.service.review.entry import PAGES, Entry, bare
from aef.workers.audit import ORIGIN, Audit, NotRecorded, Origin
from aef.workers.logs import RULING, Log
from aef.workers.metrics import Metrics
from aef.workers.settings import Limits

HEALTH = ("/v1/live", "/v1/ready", "/v1/health", "/checkHealth")
"""What answers where there is no room for another connection, too."""
PUBLIC = ("/", "/docs", "/openapi.json", "/v1/version", "/getVersion", *HEALTH)
"""What answers without a key: it tells nothing of anybody."""
STATIC = "/static-docs/"
_HEADERS = {
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
}
_PARENT = re.compile("00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}")
_LOCAL_NAMES = ("localhost", "127.0.0.1", "[::1]")


class Guard:
    """An ASGI application around another. ``keys`` None: whoever reaches this computer's own address may do all."""

    def __init__(
        self, app: ASGIApp, keys: KeyRing | None, limits: Limits, log: Log, metrics: Metrics, entry: Entry, audit: Audit
    ) -> None:
        self._app, self._keys, self._limits, self._log, self._metrics = app, keys, limits, log, metrics
        self._entry, self._audit = entry, audit
        self._refused_at, self._refused = 0.0, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send)
        began = time.perf_counter()
        try:
            scope.setdefault("state", {}).update(client=None, request=answer.id)
            if scope["state"].get("lane") and scope["path"] not in HEALTH:
                raise Problem(503, "too_many_connections", "There are too many connections. Try again later")
            if handover := scope["state"].get("handover"):
                await handover.settled()
            ORIGIN.set(Origin(address=_address(scope)))
            RULING.set(None)  # a request may begin in the context of the one before it
            scope["state"]["client"] = client = await self._admitted(scope)
            if client is not None:
                ORIGIN.set(Origin(client.name, client.id, _address(scope)))
            await self._app(scope, self._measured(scope, receive), answer)
        except Problem as problem:
            await answer.instead(problem, scope, receive)
        except ClientDisconnect:
            answer.status = 499  # it went away: nobody to answer
        except Exception as error:  # answered by the application already, most likely
            self._log.error("request_failed", error, request=answer.id)
            await answer.instead(unexpected(error, answer.id), scope, receive)
        finally:
            self._book(scope, answer, time.perf_counter() - began)

    async def _admitted(self, scope: Scope) -> Client | None:
        """Who sent it. Raises `Problem`."""
        headers = Headers(scope=scope)
        if self._keys is None:
            if bare(headers.get("host", "")) not in _LOCAL_NAMES:  # a web page may have its own name lead here
                raise Problem(403, "wrong_host", "Without keys, the service answers to localhost alone")
            if "origin" in headers and bare(headers["origin"].partition("//")[2]) not in _LOCAL_NAMES:
                raise Problem(403, "wrong_origin", "Without keys, the service does not answer to other web pages")
            return LOCAL
        path = scope["path"]
        if path in PUBLIC or path.startswith(STATIC):
            return None
        if path.startswith(tuple(f"{page}/" for page in PAGES)) or path in PAGES:
            return self._entry.admitted(headers)
        client = self._keys.client(token := _token(headers))
        if client is None and self._entry.logins is not None:
            client = await run_in_threadpool(self._entry.by_access_token, token)
        if client is None:
            self._note_refusal(token)
            raise Problem(401, "no_key", "Send an API key that is valid: Authorization: Bearer KEY")
        return client

    def _note_refusal(self, token: str) -> None:
        """Write down that a wrong key was shown, once a second; who tries many does not fill the log."""
        self._refused += bool(token)
        if token and time.monotonic() - self._refused_at > 1.0:
            with suppress(NotRecorded):
                self._audit.write("refused", times=self._refused)
            self._refused_at, self._refused = time.monotonic(), 0

    def _measured(self, scope: Scope, receive: Receive) -> Receive:
        """The request's body, no more than may be. Raises `Problem`."""
        most, seen = self._limits.body, 0
        said = Headers(scope=scope).get("content-length", "0")
        if said.isdecimal() and int(said[:20]) > most:
            raise too_large(self._limits.size)

        async def measured() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > most:
                raise too_large(self._limits.size)
            return message

        return measured

    def _book(self, scope: Scope, answer: _Answer, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", "-")
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        self._metrics.requests.labels(method, route, answer.status).inc()
        self._metrics.request.labels(route).observe(seconds)
        client = scope["state"]["client"]
        more = {"ruling": RULING.get(), "trace": _trace(scope)}
        self._log.event(
            "request", request=answer.id, method=method, route=route, status=answer.status,
            ms=round(1000 * seconds, 1), client=client.id if client else None,
            **{name: value for name, value in more.items() if value is not None},
        )  # fmt: skip


_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")


class _Answer:
    """Sends an answer on, with headers that all have, and remembers its status."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.id, self.status, self._begun = uuid4().hex, 500, False

    async def __call__(self, message: MutableMapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.status, self._begun = message["status"], True
            given = {name.lower() for name, _ in message.get("headers", ())}
            more = {"X-Request-ID": self.id, **_HEADERS}
            extra = [(n.lower().encode(), v.encode()) for n, v in more.items() if n.lower().encode() not in given]
            message["headers"] = [*message.get("headers", ()), *extra]
        await self._send(message)

    async def instead(self, problem: Problem, scope: Scope, receive: Receive) -> None:
        """The problem, where no answer has begun."""
        if not self._begun:
            response = problem.response()
            if problem.status in (401, 413) or scope["state"].get("lane"):  # the rest of the body is not read
                response.headers["Connection"] = "close"
            await response(scope, receive, self)


def _address(scope: Scope) -> str:
    return str(scope["client"][0]) if scope.get("client") else "-"


def _trace(scope: Scope) -> str | None:
    """The span of the client's that the request is part of (W3C Trace Context)."""
    given = Headers(scope=scope).get("traceparent", "")
    return given if _PARENT.fullmatch(given) else None


def _token(headers: Headers) -> str:
    """The key of a request: that of ``Authorization: Bearer``, else of ``X-API-Key``."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else headers.get("x-api-key", "")
