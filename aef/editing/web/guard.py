"""What every request to the page goes through: the Host header, the one-time key, the cookie, the headers of an answer.

The address that the browser is opened with holds a key that works once; it is turned into a cookie that scripts cannot
read. A web page elsewhere cannot send requests here that count: its cookie is not sent (SameSite), its Origin and Host
are not ours.
"""

from __future__ import annotations

import hmac
import json
import secrets
import time
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 100_000
"""Bytes of a request: an answer is short."""
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_NAMES = ("127.0.0.1", "localhost")


class Guard:
    """An ASGI application around the page's. ``last`` is when it was asked something last (monotonic seconds)."""

    def __init__(self, app: ASGIApp, port: int = 0) -> None:
        self._app, self._covered, self.port = app, Covered(app), port
        self.key: str | None = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)
        self.last = time.monotonic()

    @property
    def cookie(self) -> str:
        """The cookie's name: rulings open on several ports do not take each other's."""
        return f"aef_edit_{self.port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        status, problem = self._refused(scope)
        if problem:
            await _answer(send, status, problem)
        elif scope["path"] == "/enter":
            self.last = time.monotonic()
            await _answer(send, 303, "", {"Location": "/", "Set-Cookie": self._set_cookie()})
        else:
            self.last = time.monotonic()
            await self._covered(scope, receive, send)

    def _refused(self, scope: Scope) -> tuple[int, str]:
        """The status and reason why a request is refused, or no reason."""
        headers = Headers(scope=scope)
        if not self._is_ours(headers.get("host", "")):
            return 403, "This page answers on 127.0.0.1 alone."
        origin = headers.get("origin")
        if origin is not None and not self._is_ours(origin.removeprefix("http://")):
            return 403, "Other pages may not ask here."
        if scope["path"] == "/enter":
            known = self._known(headers) or self._enters(scope)
            return (0, "") if known else (403, "This address was used already. Start 'aef edit' anew.")
        if not self._known(headers):
            return 403, "Without its key this page shows nothing. Take the address that 'aef edit' printed."
        if not headers.get("content-length", "0").isdecimal() or int(headers.get("content-length", "0")) > MAX_BODY:
            return 413, "That is too long for an answer."
        return 0, ""

    def _is_ours(self, host: str) -> bool:
        return host in {f"{name}:{self.port}" for name in _NAMES}

    def _enters(self, scope: Scope) -> bool:
        """Whether the key is right; it works once."""
        given = parse_qs(scope["query_string"].decode("latin-1")).get("key", [""])[0]
        if self.key is None or not hmac.compare_digest(given.encode(), self.key.encode()):
            return False
        self.key = None
        return True

    def _known(self, headers: Headers) -> bool:
        try:
            given = SimpleCookie(headers.get("cookie", "")).get(self.cookie)
        except CookieError:
            return False
        return given is not None and hmac.compare_digest(given.value.encode(), self._cookie.encode())

    def _set_cookie(self) -> str:
        return f"{self.cookie}={self._cookie}; HttpOnly; SameSite=Strict; Path=/"


class Covered:
    """An ASGI application around the page's: bodies as short as answers are, headers, no word of an error."""

    def __init__(self, app: ASGIApp, most: int = MAX_BODY) -> None:
        self._app, self._most = app, most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        begun = False

        async def with_headers(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                message["headers"] = [*message.get("headers", ()), *_encoded(HEADERS)]
            await send(message)

        try:
            await self._app(scope, _measured(receive, self._most), with_headers)
        except Exception:  # the application has answered; nothing of it goes into a log
            if not begun:
                await _answer(send, 500, "Something went wrong here. Your answers are saved.")


def _measured(receive: Receive, most: int) -> Receive:
    """The body, cut off where it is too long."""
    seen = 0

    async def measured() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        return message if seen <= most else {"type": "http.disconnect"}

    return measured


def _encoded(headers: dict[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.lower().encode(), value.encode()) for name, value in headers.items()]


async def _answer(send: Send, status: int, problem: str, headers: dict[str, str] | None = None) -> None:
    body = json.dumps({"error": problem}).encode()
    more = {**HEADERS, "Content-Type": "application/json", **(headers or {})}
    await send({"type": "http.response.start", "status": status, "headers": _encoded(more)})
    await send({"type": "http.response.body", "body": body})
