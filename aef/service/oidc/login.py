"""A browser on its way to the provider and back: what was sent along comes back once, in the same browser, in time."""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aef.service.keys import Client
from aef.service.oidc import Refused

if TYPE_CHECKING:
    from aef.service.oidc.provider import Provider

COOKIE = "aef_login"
BACK = "/enter/back"
"""Where the provider sends browsers back to."""
_LASTS = 600.0  # seconds that somebody may take to log in
_MOST = 10_000


@dataclass(frozen=True)
class _Journey:
    browser: str
    verifier: str
    nonce: str
    back: str
    began: float


class Logins:
    """The journeys that have begun."""

    def __init__(self, provider: Provider, clock: Callable[[], float] = time.monotonic) -> None:
        self.provider, self._clock = provider, clock
        self._begun: dict[str, _Journey] = {}
        self._lock = threading.Lock()

    def begun(self, origin: str) -> tuple[str, str]:
        """Where a browser of the page at this origin goes, and a cookie by which it is known again. Raises `Away`."""
        address = self.provider.described()["authorization_endpoint"]
        state, journey = self._kept(f"{origin}{BACK}")
        asked = {
            "response_type": "code",
            "client_id": self.provider.settings.client,
            "redirect_uri": journey.back,
            "scope": self.provider.settings.scope,
            "state": state,
            "nonce": journey.nonce,
            "code_challenge": _challenge(journey.verifier),
            "code_challenge_method": "S256",
        }
        # Lax: it comes back with the provider's redirect
        cookie = f"{COOKIE}={journey.browser}; HttpOnly; SameSite=Lax; Path=/enter; Max-Age={_LASTS:.0f}"
        secure = "; Secure" if origin.startswith("https:") else ""
        return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}", cookie + secure

    def ended(self, given: Mapping[str, str], cookies: str) -> Client:
        """Who came back, with these parameters and cookies. Raises `Refused`, `Away`."""
        with self._lock:
            journey = self._begun.pop(given.get("state", ""), None)
        if journey is None or self._clock() - journey.began > _LASTS:
            raise Refused("unknown_state")
        if not hmac.compare_digest(_browser(cookies).encode(), journey.browser.encode()):
            raise Refused("another_browser")
        if "iss" in given and given["iss"] != self.provider.settings.issuer:  # RFC 9207
            raise Refused("another_provider")
        if "code" not in given:
            raise Refused("no_code")
        return self.provider.person(given["code"], journey.verifier, journey.nonce, journey.back)

    def _kept(self, back: str) -> tuple[str, _Journey]:
        state, browser, nonce = (secrets.token_urlsafe(32) for _ in range(3))
        journey = _Journey(browser, secrets.token_urlsafe(64), nonce, back, self._clock())
        with self._lock:
            for old in [s for s, j in self._begun.items() if self._clock() - j.began > _LASTS]:
                del self._begun[old]
            while len(self._begun) >= _MOST:
                del self._begun[next(iter(self._begun))]
            self._begun[state] = journey
        return state, journey


def _challenge(verifier: str) -> str:
    """Of RFC 7636, 4.2, by SHA-256."""
    return urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()


def _browser(cookies: str) -> str:
    try:
        found = SimpleCookie(cookies).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found is not None else ""
