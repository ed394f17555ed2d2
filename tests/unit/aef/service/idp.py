"""An OpenID Connect provider that does as it should, or as the test wants it to."""

from __future__ import annotations

import hashlib
import json
import secrets
import threading
import time
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET, AUDIENCE = "aef-pages", "hush/hush: hush", "aef-api"


@dataclass
class Provider:
    """roles : of whoever logs in. twist : what is done to an ID token's claims; sign : how it is signed. way : how
    clients say who they are."""

    issuer: str = ""
    roles: list[str] = field(default_factory=lambda: ["aef-editors"])
    twist: Callable[[dict[str, Any]], None] = lambda claims: None
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)
    way: str = "basic"

    def __post_init__(self) -> None:
        self.sign: Callable[[dict[str, Any]], str] = self.signed
        self.rotate()

    def rotate(self) -> None:
        """A new key; the old one is not published any more."""
        self.key = rsa.generate_private_key(65537, 2048)
        self.kid = secrets.token_hex(4)

    def claims(self, audience: str, **more: Any) -> dict[str, Any]:
        now = int(time.time())
        standard = {"iss": self.issuer, "aud": audience, "sub": "editor", "iat": now, "exp": now + 300}
        return {**standard, "realm_access": {"roles": self.roles}, **more}

    def signed(self, claims: dict[str, Any]) -> str:
        return jwt.encode(claims, self.key, "RS256", {"kid": self.kid})

    def answer(self, path: str, given: dict[str, str], authorization: str) -> Any:
        """JSON; None: that is refused; a string: where to go."""
        self.asked.append(path)
        if path == "/.well-known/openid-configuration":
            ends = {name: f"{self.issuer}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
            ways = {"token_endpoint_auth_methods_supported": [f"client_secret_{self.way}"]}
            return {"issuer": self.issuer, **ways, "id_token_signing_alg_values_supported": ["RS256"], **ends}
        if path == "/jwks_uri":
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
            return {"keys": [{**public, "kid": self.kid, "use": "sig", "alg": "RS256"}]}
        if path == "/authorization_endpoint":
            self.codes[code := secrets.token_hex(8)] = given
            return f"{given['redirect_uri']}?{urlencode({'code': code, 'state': given['state']})}"
        return self._token(given, authorization)

    def _token(self, given: dict[str, str], authorization: str) -> Any:
        asked = self.codes.pop(given["code"], None)
        basic = "Basic " + b64encode(f"{CLIENT}:{quote(SECRET, safe='')}".encode()).decode()
        shown = {"basic": authorization, "post": f"{given.get('client_id')}:{given.get('client_secret')}"}
        if asked is None or shown[self.way] != {"basic": basic, "post": f"{CLIENT}:{SECRET}"}[self.way]:
            return None
        digest = hashlib.sha256(given["code_verifier"].encode()).digest()
        challenge = urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked["redirect_uri"] != given["redirect_uri"] or asked["code_challenge"] != challenge:
            return None
        claims = self.claims(asked["client_id"], nonce=asked["nonce"])
        self.twist(claims)
        return {"id_token": self.sign(claims), "access_token": "x", "token_type": "Bearer"}


@contextmanager
def provided() -> Iterator[Provider]:
    """A provider as long as it is needed."""
    provider = Provider()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            self._answer(parts.path, parts.query)

        def do_POST(self) -> None:
            self._answer(self.path, self.rfile.read(int(self.headers["Content-Length"])).decode())

        def _answer(self, path: str, query: str) -> None:
            found = provider.answer(
                path, {k: v[0] for k, v in parse_qs(query).items()}, self.headers.get("Authorization", "")
            )
            self.send_response(400 if found is None else 302 if isinstance(found, str) else 200)
            if isinstance(found, str):
                self.send_header("Location", found)
            self.end_headers()
            self.wfile.write(json.dumps(found).encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)
