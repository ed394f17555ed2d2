"""An OpenID Connect provider: what it says of itself, its keys, and whose a token is.

Tokens are checked by PyJWT: signature under a key that the provider publishes (fetched anew where one is not known),
asymmetric algorithms alone, issuer, audience, times. ID tokens after OpenID Connect Core 1.0, 3.1.3.7; access tokens
are JWTs for an audience of their own, after RFC 9068, so that an ID token is none.
"""

from __future__ import annotations

import hmac
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import jwt

from aef.errors import InputError
from aef.service.keys import CLIENT_NAME, FOREIGN, Client
from aef.service.oidc import Away, Refused
from aef.service.private import must_be_private
from aef.workers.settings import SignIn

ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
"""None that has a secret in common with the provider, and never the absence of one."""
_ENDPOINTS = ("authorization_endpoint", "token_endpoint", "jwks_uri")
_POSTS = "client_secret_post"
_TIMEOUT, _LASTS, _PAUSE, _LEEWAY = 5.0, 3600.0, 5.0, 30.0  # seconds
_COOLING = 30.0  # seconds between two looks for a key that is not known
_LOCAL = ("localhost", "127.0.0.1", "::1")


class Provider:
    """A provider, asked when something is wanted of it. cooling : seconds between two looks for unknown keys."""

    def __init__(self, settings: SignIn, clock: Callable[[], float] = time.monotonic, cooling: float = _COOLING):
        self.settings, self._clock, self._cooling = settings, clock, cooling
        self._secret = _secret(settings)
        self._lock = threading.Lock()
        self._found: dict[str, str] = {}
        self._keys: jwt.PyJWKClient | None = None
        self._since, self._away_until = 0.0, 0.0

    def described(self) -> Mapping[str, str]:
        """What the provider says of itself: its addresses. Raises `Away`."""
        with self._lock:
            now = self._clock()
            if not self._found or now - self._since > _LASTS:
                self._pause_after_failure(now)
                try:
                    self._found = _discovered(self.settings.issuer)
                except Away:
                    self._away_until = now + _PAUSE
                    raise
                self._since = now
            if self._keys is None or self._keys.uri != self._found["jwks_uri"]:
                self._keys = jwt.PyJWKClient(self._found["jwks_uri"], timeout=_TIMEOUT, cooldown_duration=self._cooling)
            return self._found

    def _pause_after_failure(self, now: float) -> None:
        """Who sends tokens without end does not keep threads waiting for a provider that is away."""
        if now < self._away_until:
            raise Away("it did not answer a moment ago")

    def person(self, code: str, verifier: str, nonce: str, back: str) -> Client:
        """Who logged in, by the code that came back. Raises `Refused`, `Away`."""
        given = {"grant_type": "authorization_code", "code": code, "redirect_uri": back, "code_verifier": verifier}
        address, posts = (self.described()[name] for name in ("token_endpoint", _POSTS))
        basic = None
        if not self._secret or posts:
            given |= {"client_id": self.settings.client} | ({"client_secret": self._secret} if self._secret else {})
        else:  # RFC 6749, 2.3.1: what all providers take
            basic = httpx.BasicAuth(quote(self.settings.client, ""), quote(self._secret, ""))
        try:
            answer = httpx.post(address, data=given, auth=basic, timeout=_TIMEOUT)
            token = answer.json()["id_token"] if answer.status_code == 200 else None
        except httpx.HTTPError as error:
            raise Away("its token endpoint does not answer") from error
        except (ValueError, KeyError, TypeError) as error:
            raise Refused("no_id_token") from error
        if not isinstance(token, str):
            raise Refused("code_refused")
        claims = self._believed(token, self.settings.client)
        if not hmac.compare_digest(str(claims.get("nonce", "")).encode(), nonce.encode()):
            raise Refused("wrong_nonce")
        if isinstance(claims["aud"], list) and len(claims["aud"]) > 1 and claims.get("azp") != self.settings.client:
            raise Refused("issued_for_another")
        return self._client(claims)

    def program(self, token: str) -> Client:
        """Whose access token it is. Raises `Refused`, `Away`."""
        if self.settings.audience is None:
            raise Refused("no_access_tokens")
        return self._client(self._believed(token, self.settings.audience))

    def _believed(self, token: str, audience: str) -> dict[str, Any]:
        """What a token claims. Raises `Refused`, `Away`."""
        self.described()
        assert self._keys is not None
        try:
            header = jwt.get_unverified_header(token)
            if header.get("alg") not in ALGORITHMS:  # before a key is looked for
                raise Refused("InvalidAlgorithmError")
            return jwt.decode(
                token,
                self._key(self._keys, header.get("kid")),
                algorithms=list(ALGORITHMS),
                audience=audience,
                issuer=self.settings.issuer,
                leeway=_LEEWAY,
                options={"require": ["exp", "iat", "iss", "aud", "sub"]},
            )
        except jwt.PyJWKClientConnectionError as error:
            raise Away("its keys cannot be fetched") from error
        except jwt.PyJWTError as error:
            raise Refused(type(error).__name__) from error

    def _key(self, keys: jwt.PyJWKClient, named: str | None) -> jwt.PyJWK:
        """The key that a token names; a provider of one key may leave the name out (OpenID Connect Core 1.0, 10.1)."""
        if named is not None:
            return keys.get_signing_key(named)
        found = keys.get_signing_keys()
        if len(found) != 1:
            raise Refused("no_key_named")
        return found[0]

    def _client(self, claims: Mapping[str, Any]) -> Client:
        """Name and rights, as the settings read them from the claims. Raises `Refused`."""
        name = claims.get(self.settings.name)
        if not isinstance(name, str) or not CLIENT_NAME.fullmatch(name):
            raise Refused("no_name")
        if self.settings.name == "email" and claims.get("email_verified") is not True:
            raise Refused("email_not_verified")
        return Client(name, FOREIGN, frozenset(self._rights(claims)))

    def _rights(self, claims: Mapping[str, Any]) -> set[str]:
        found: Any = claims
        for part in self.settings.claim.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        values = found.split() if isinstance(found, str) else found if isinstance(found, list) else []
        return {right for value in values for right in self.settings.rights.get(str(value), ())}


def must_be_usable(settings: SignIn) -> None:
    """Raise `InputError` where nobody could log in. The provider is asked."""
    try:
        Provider(settings).described()
    except Away as error:
        remedy = "Give the issuer as the provider writes it, and let this computer reach it"
        raise InputError.at(f"oidc-issuer {settings.issuer}", f"cannot be used: {error}", remedy=remedy) from error


def _discovered(issuer: str) -> dict[str, str]:
    """The addresses of a provider (OpenID Connect Discovery 1.0, 4). Raises `Away`."""
    address = issuer.rstrip("/") + "/.well-known/openid-configuration"
    if not is_safe(address):
        raise Away("it is no https address")
    try:
        answer = httpx.get(address, timeout=_TIMEOUT)
        found = answer.json() if answer.status_code == 200 else None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise Away("it does not answer") from error
    except ValueError as error:
        raise Away("what it says of itself is no JSON") from error
    if not isinstance(found, dict) or found.get("issuer") != issuer:
        raise Away("what it says of itself is of another issuer")
    for name in _ENDPOINTS:
        if not is_safe(str(found.get(name, ""))):
            raise Away(f"its {name} is no https address")
    offered = found.get("id_token_signing_alg_values_supported", [])
    if not isinstance(offered, list) or not set(map(str, offered)) & set(ALGORITHMS):
        raise Away("it signs by no algorithm that is believed here")
    methods = found.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
    posts = _POSTS in methods and "client_secret_basic" not in methods
    return {name: str(found[name]) for name in _ENDPOINTS} | {_POSTS: _POSTS if posts else ""}


def is_safe(address: str) -> bool:
    """Whether an address is of HTTPS, or of this computer."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return bool(parts.hostname) and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOCAL))


def _secret(settings: SignIn) -> str:
    """Of this service at the provider; empty where it has none. Raises `InputError`."""
    if settings.secret is None:
        return ""
    must_be_private(settings.secret)
    try:
        return settings.secret.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(settings.secret, "cannot be read", remedy="Write the client's secret into it") from error
