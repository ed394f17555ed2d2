"""Who comes in by a browser: an API key, or an address that works once, turned into a cookie that no script can read.

A page elsewhere cannot send requests here that count: its cookie is not sent (SameSite), its Origin and Host are not
ours. A key that was taken back, or is over, closes the pages, too.
"""

from __future__ import annotations

import hmac
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers

from aef.service.answers import Problem
from aef.service.keys import FOREIGN, Client, KeyRing
from aef.service.oidc import Away, Refused
from aef.service.oidc.login import Logins
from aef.workers.settings import Settings

PAGES = ("/enter", "/edit", "/status")
"""What browsers are shown; everything else is for programs, and takes no cookie."""
COOKIE = "aef_service"
_TICKET = 60.0  # seconds in which an address that works once has to be opened
_DAY = 12 * 3600.0  # seconds after which who has no key of ours is sent to the provider again
_MOST = 10_000
_LOCAL = ("localhost", "127.0.0.1", "[::1]")


@dataclass
class _Session:
    client: Client
    began: float
    last: float


class Entry:
    """The browsers that have come in. keys : None where no key is asked for. logins : at a provider, beside keys."""

    def __init__(
        self,
        keys: KeyRing | None,
        settings: Settings,
        logins: Logins | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._keys, self._idle, self._clock, self.logins = keys, settings.limits.idle, clock, logins
        self._names = {*_LOCAL, settings.host, *settings.names}
        self._sessions: dict[str, _Session] = {}
        self._tickets: dict[str, _Session] = {}
        self._lock = threading.Lock()

    def admitted(self, headers: Headers) -> Client | None:
        """Who asks for a page; None for a stranger. Raises `Problem` for another Host or Origin than ours."""
        if bare(headers.get("host", "")) not in self._names:
            raise Problem(403, "wrong_host", "The pages answer to this service's own names alone. Name it in --names")
        if "origin" in headers and bare(headers["origin"].partition("//")[2]) not in self._names:
            raise Problem(403, "wrong_origin", "Other web pages may not ask here")
        return self._known(_cookie(headers))

    def ticket(self, client: Client) -> str:
        """What makes an address that works once, for a minute."""
        return self._kept(self._tickets, client)

    def enter(self, client: Client, secure: bool) -> str:
        """The cookie for a client. secure : over HTTPS alone."""
        cookie = self._kept(self._sessions, client)
        return f"{COOKIE}={cookie}; HttpOnly; SameSite=Strict; Path=/{'; Secure' if secure else ''}"

    def redeemed(self, ticket: str) -> Client | None:
        """Whose ticket it is, once."""
        with self._lock:
            found = self._tickets.pop(ticket, None)
        if found is None or self._clock() - found.last > _TICKET:
            return None
        return self._still(found)

    def by_key(self, token: str) -> Client | None:
        return self._keys.client(token) if self._keys is not None else None

    def by_access_token(self, token: str) -> Client | None:
        """Whose token of the provider it is. Raises `Problem` where the provider cannot be asked."""
        if self.logins is None or token.count(".") != 2:
            return None
        try:
            return self.logins.provider.program(token)
        except Refused:
            return None
        except Away as error:
            raise Problem(503, "provider_unavailable", "The provider of log-ins does not answer. Try again") from error

    def leave(self, headers: Headers) -> None:
        with self._lock:
            self._sessions.pop(_cookie(headers), None)

    def _known(self, cookie: str) -> Client | None:
        with self._lock:
            found = next((s for known, s in self._sessions.items() if hmac.compare_digest(known, cookie)), None)
            if found is None:
                return None
            if self._clock() - found.last > self._idle:
                self._sessions.pop(cookie, None)
                return None
            found.last = self._clock()
        return self._still(found)

    def _still(self, session: _Session) -> Client | None:
        """Its client, if what it came in by is still good."""
        if session.client.id == FOREIGN:
            return session.client if self._clock() - session.began < _DAY else None
        return self._keys.with_id(session.client.id) if self._keys is not None else None

    def _kept(self, where: dict[str, _Session], client: Client) -> str:
        with self._lock:
            now = self._clock()
            for token in [t for t, s in where.items() if now - s.last > self._idle]:
                del where[token]
            while len(where) >= _MOST:
                del where[next(iter(where))]
            token = secrets.token_urlsafe(32)
            where[token] = _Session(client, now, now)
        return token


def bare(host: str) -> str:
    """A host without its port."""
    return host if host.endswith("]") else host.rpartition(":")[0] or host


def _cookie(headers: Headers) -> str:
    try:
        given = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return given.value if given is not None and given.value.isascii() else ""
