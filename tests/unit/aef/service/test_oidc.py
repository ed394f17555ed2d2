"""Log-in by OpenID Connect: who comes in, and who does not, by what a provider, or an enemy, says."""

from __future__ import annotations

import hmac
import json
import time
import warnings
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from idp import AUDIENCE, CLIENT, SECRET, Provider, provided
from serving import Serving, serving_with

from aef.commands import main
from aef.errors import InputError
from aef.service.oidc import Away
from aef.service.oidc import provider as oidc
from aef.workers.audit import segments
from aef.workers.settings import Settings, SignIn

RIGHTS = {"aef-editors": ("review",), "registry": ("submit", "read"), "chiefs": ("admin",)}
FORM = {"files": {"file": ("a.txt", b"Mr. Hale appeals.")}}


@pytest.fixture
def provider() -> Iterator[Provider]:
    with provided() as made:
        yield made


@pytest.fixture
def service(provider: Provider, tmp_path: Path) -> Iterator[Serving]:
    """A service that believes the provider."""
    with serving_with(settings(provider, tmp_path)) as made:
        assert made.made.app._entry.logins is not None
        made.made.app._entry.logins.provider._cooling = 0.0
        yield made


def settings(provider: Provider, folder: Path) -> Settings:
    (folder / "secret").touch(0o600)
    (folder / "secret").write_text(f"{SECRET}\n")
    asks = SignIn(provider.issuer, CLIENT, folder / "secret", AUDIENCE, claim="realm_access.roles", rights=RIGHTS)
    return Settings(folder / "data", port=0, log=folder / "log", sign_in=asks)


@contextmanager
def browser(service: Serving) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"http://127.0.0.1:{service.port}", timeout=20) as page:
        yield page


def to_the_provider(page: httpx.Client) -> httpx.Response:
    """What the page sends the browser to, and that answers."""
    sent = page.get("/enter/provider")
    assert sent.status_code == 303
    return httpx.get(sent.headers["Location"])


def is_in(page: httpx.Client, where: str = "/edit/") -> bool:
    return page.get(where).status_code == 200


def refused(service: Serving) -> list[str]:
    """The reasons in the audit log."""
    lines = b"".join(path.read_bytes() for path in segments(service.made.desk.settings.audit)).splitlines()
    return [line["reason"] for line in map(json.loads, lines) if line["what"] == "refused" and "reason" in line]


# --- people ---------------------------------------------------------------------------------------------------------


def test_a_person_logs_in_and_out(service: Serving, provider: Provider) -> None:
    with browser(service) as page:
        assert page.get("/enter/ways").json() == {"provider": True} and not is_in(page)
        sent = urlsplit(page.get("/enter/provider").headers["Location"])
        asked = {name: values[0] for name, values in parse_qs(sent.query).items()}
        assert asked["response_type"] == "code" and asked["code_challenge_method"] == "S256"
        assert asked["redirect_uri"] == f"http://127.0.0.1:{service.port}/enter/back"
        back = to_the_provider(page).headers["Location"]
        came = page.get(back)
        assert came.status_code == 200 and "url=/edit/" in came.text
        cookie = next(c for c in came.headers.get_list("set-cookie") if c.startswith("aef_service="))
        assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
        assert is_in(page) and page.get("/status/figures").status_code == 403
        page.post("/enter/leave")
        assert not is_in(page)


def test_the_secret_goes_as_the_provider_wants_it(service: Serving, provider: Provider) -> None:
    provider.way = "post"
    with browser(service) as page:
        assert page.get(to_the_provider(page).headers["Location"]).status_code == 200 and is_in(page)


def test_the_claim_says_what_somebody_may(service: Serving, provider: Provider) -> None:
    provider.roles = ["chiefs", "something else"]
    with browser(service) as page:
        page.get(to_the_provider(page).headers["Location"])
        assert is_in(page, "/status/") and page.get("/edit/").status_code == 403


def test_a_person_sees_the_rulings_of_that_name_alone(service: Serving, provider: Provider) -> None:
    with service.client() as owner:
        ruling = owner.post("/v1/rulings", **FORM, data={"reviewer": "editor"}).json()["id"]
        owner.post("/v1/rulings", **FORM, data={"reviewer": "another"})
    with browser(service) as page:
        page.get(to_the_provider(page).headers["Location"])
        assert [found["id"] for found in page.get("/edit/api/rulings").json()] == [ruling]


def change(**values: Any) -> Callable[[dict[str, Any]], None]:
    def changed(claims: dict[str, Any]) -> None:
        claims.update(values)
        for name in [name for name, value in claims.items() if value is None]:
            del claims[name]

    return changed


NOW = int(time.time())
CLAIMS = [
    ("another issuer", change(iss="http://127.0.0.1:1"), "InvalidIssuerError"),
    ("for another client", change(aud="another"), "InvalidAudienceError"),
    ("for nobody", change(aud=None), "MissingRequiredClaimError"),
    ("over", change(exp=NOW - 3600), "ExpiredSignatureError"),
    ("without an end", change(exp=None), "MissingRequiredClaimError"),
    ("not yet in force", change(nbf=NOW + 3600), "ImmatureSignatureError"),
    ("issued tomorrow", change(iat=NOW + 86400), "ImmatureSignatureError"),
    ("of another log-in", change(nonce="another"), "wrong_nonce"),
    ("of no log-in", change(nonce=None), "wrong_nonce"),
    ("for several, issued to another", change(aud=[CLIENT, "another"], azp="another"), "issued_for_another"),
    ("nobody's", change(sub=None), "MissingRequiredClaimError"),
    ("of a name that is none", change(sub="a/b\n"), "no_name"),
    ("without rights", change(realm_access={"roles": ["cleaners"]}), "no_right"),
    ("with rights of another shape", change(realm_access=["aef-editors"]), "no_right"),
    ("with rights that open no page", change(realm_access={"roles": ["registry"]}), "no_right"),
]


@pytest.mark.parametrize(("what", "twist", "reason"), CLAIMS, ids=[row[0] for row in CLAIMS])
def test_an_id_token_that_is_wrong_lets_nobody_in(
    service: Serving, provider: Provider, what: str, twist: Callable[[dict[str, Any]], None], reason: str
) -> None:
    provider.twist = twist
    with browser(service) as page:
        came = page.get(to_the_provider(page).headers["Location"])
        assert (came.status_code, came.headers["Location"]) == (303, "/enter/#refused")
        assert "set-cookie" not in came.headers and not is_in(page)
    assert refused(service) == [reason]


def unsigned(provider: Provider, claims: dict[str, Any]) -> str:
    return jwt.encode(claims, None, "none", {"kid": provider.kid})


def signed_by_the_public_key(provider: Provider, claims: dict[str, Any]) -> str:
    """Everybody has that one: who takes it for a shared secret believes everybody."""
    public = provider.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return by_hmac({"alg": "HS256", "typ": "JWT", "kid": provider.kid}, claims, public)


def signed_by_the_clients_secret(provider: Provider, claims: dict[str, Any]) -> str:
    return by_hmac({"alg": "HS256", "typ": "JWT", "kid": provider.kid}, claims, SECRET.encode())


def by_hmac(header: dict[str, str], claims: dict[str, Any], key: bytes) -> str:
    parts = [urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in (header, claims)]
    signature = hmac.digest(key, b".".join(parts), "sha256")
    return b".".join([*parts, urlsafe_b64encode(signature).rstrip(b"=")]).decode()


def signed_by_another(provider: Provider, claims: dict[str, Any]) -> str:
    return str(jwt.encode(claims, rsa.generate_private_key(65537, 2048), "RS256", {"kid": provider.kid}))


def signed_by_a_key_it_brings(provider: Provider, claims: dict[str, Any]) -> str:
    own = rsa.generate_private_key(65537, 2048)
    public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(own.public_key()))
    return str(jwt.encode(claims, own, "RS256", {"kid": "mine", "jwk": public}))


def changed_after(provider: Provider, claims: dict[str, Any]) -> str:
    head, _, signature = provider.signed(claims).split(".")
    body = urlsafe_b64encode(json.dumps({**claims, "sub": "chief"}).encode()).rstrip(b"=").decode()
    return f"{head}.{body}.{signature}"


SIGNED = [
    unsigned,
    signed_by_the_public_key,
    signed_by_the_clients_secret,
    signed_by_another,
    signed_by_a_key_it_brings,
    changed_after,
    lambda provider, claims: "no.token.atall",
    lambda provider, claims: "..",
]
NAMES = [getattr(how, "__name__", "") for how in SIGNED]


@pytest.mark.parametrize("how", SIGNED, ids=NAMES)
def test_a_token_that_the_provider_did_not_sign_lets_nobody_in(
    service: Serving, provider: Provider, how: Callable[[Provider, dict[str, Any]], str]
) -> None:
    provider.sign = lambda claims: how(provider, claims)
    with browser(service) as page:
        came = page.get(to_the_provider(page).headers["Location"])
        assert came.headers["Location"] == "/enter/#refused" and not is_in(page)
        bearer = {"Authorization": f"Bearer {how(provider, provider.claims(AUDIENCE))}"}
        assert page.get("/v1/rulings/0", headers=bearer).status_code == 401


def test_a_state_works_once_in_the_browser_it_was_made_for(service: Serving, provider: Provider) -> None:
    with browser(service) as page, browser(service) as another:
        back = to_the_provider(page).headers["Location"]
        assert another.get(back).headers["Location"] == "/enter/#refused", "nobody logs another one in"
        assert page.get(back).headers["Location"] == "/enter/#refused", "and that state is used"
        back = to_the_provider(page).headers["Location"]
        assert page.get(back).status_code == 200
        assert page.get(back).headers["Location"] == "/enter/#refused", "nor does it work twice"
        assert page.get("/enter/back?code=x&state=guessed").headers["Location"] == "/enter/#refused"
        assert page.get("/enter/back").headers["Location"] == "/enter/#refused"
    assert refused(service) == ["another_browser", "unknown_state", "unknown_state", "unknown_state", "unknown_state"]


def test_a_code_works_once_and_for_the_journey_it_was_made_for(service: Serving, provider: Provider) -> None:
    with browser(service) as page:
        first = to_the_provider(page).headers["Location"]
        code = parse_qs(urlsplit(first).query)["code"][0]
        assert page.get(first).status_code == 200
    for used in (code, "stolen"):
        with browser(service) as thief:
            if used == "stolen":  # a code that nobody has used, of somebody else's journey: PKCE ties it to that one
                with browser(service) as victim:
                    used = parse_qs(urlsplit(to_the_provider(victim).headers["Location"]).query)["code"][0]
            state = parse_qs(urlsplit(thief.get("/enter/provider").headers["Location"]).query)["state"][0]
            came = thief.get("/enter/back", params={"code": used, "state": state})
            assert came.headers["Location"] == "/enter/#refused" and not is_in(thief)
    assert refused(service) == ["code_refused", "code_refused"]


def test_who_says_no_at_the_provider_is_not_in(service: Serving) -> None:
    with browser(service) as page:
        state = parse_qs(urlsplit(page.get("/enter/provider").headers["Location"]).query)["state"][0]
        came = page.get("/enter/back", params={"error": "access_denied", "state": state})
        assert came.headers["Location"] == "/enter/#refused"
        state = parse_qs(urlsplit(page.get("/enter/provider").headers["Location"]).query)["state"][0]
        mixed = page.get("/enter/back", params={"code": "x", "iss": "https://evil.example", "state": state})
        assert mixed.headers["Location"] == "/enter/#refused"
    assert refused(service) == ["no_code", "another_provider"]


def test_a_page_elsewhere_gets_nothing(service: Serving) -> None:
    with browser(service) as page:
        assert page.get("/enter/provider", headers={"Host": "evil.example"}).status_code == 403


# --- programs -------------------------------------------------------------------------------------------------------


def test_a_program_brings_an_access_token(service: Serving, provider: Provider) -> None:
    provider.roles = ["registry"]
    token = provider.signed(provider.claims(AUDIENCE, sub="program"))
    with browser(service) as programs:
        programs.headers["Authorization"] = f"Bearer {token}"
        ruling = programs.post("/v1/rulings", **FORM).json()["id"]
        assert programs.get(f"/v1/rulings/{ruling}").json()["state"] == "queued"
        assert programs.get("/metrics").status_code == 403
        with service.client() as another:
            assert another.get(f"/v1/rulings/{ruling}").status_code == 404
        assert not is_in(programs), "pages take no token"


NO_ACCESS = [
    ("an ID token", change(aud=CLIENT)),
    ("for another service", change(aud="another")),
    ("over", change(exp=NOW - 3600)),
    ("another issuer's", change(iss="https://evil.example")),
    ("without a name", change(sub="")),
]


@pytest.mark.parametrize(("what", "twist"), NO_ACCESS, ids=[row[0] for row in NO_ACCESS])
def test_an_access_token_that_is_wrong_opens_nothing(
    service: Serving, provider: Provider, what: str, twist: Callable[[dict[str, Any]], None]
) -> None:
    claims = provider.claims(AUDIENCE)
    twist(claims)
    with browser(service) as programs:
        answer = programs.get("/v1/rulings/0", headers={"Authorization": f"Bearer {provider.signed(claims)}"})
    assert answer.status_code == 401, what


def test_keys_are_rotated(service: Serving, provider: Provider) -> None:
    provider.roles = ["registry"]
    with browser(service) as programs:

        def status() -> int:
            bearer = {"Authorization": f"Bearer {token}"}
            return programs.get("/v1/rulings/0", headers=bearer).status_code

        old = token = provider.signed(provider.claims(AUDIENCE))
        assert status() == 404
        provider.rotate()
        token = provider.signed(provider.claims(AUDIENCE))
        assert status() == 404, "the new key is fetched"
        token = old
        assert status() == 401, "the old one is not there any more"


def test_who_sends_unknown_keys_does_not_make_the_service_ask_for_ever(provider: Provider, tmp_path: Path) -> None:
    with serving_with(settings(provider, tmp_path)) as service, browser(service) as programs:
        for _ in range(20):
            bearer = {"Authorization": f"Bearer {signed_by_a_key_it_brings(provider, provider.claims(AUDIENCE))}"}
            assert programs.get("/v1/rulings/0", headers=bearer).status_code == 401
    assert provider.asked.count("/jwks_uri") == 1


def test_where_the_provider_is_away_keys_still_work(tmp_path: Path) -> None:
    with provided() as gone:
        token = gone.signed(gone.claims(AUDIENCE))
    with serving_with(settings(gone, tmp_path)) as service, browser(service) as page:
        assert page.get("/enter/provider").headers["Location"] == "/enter/#away"
        answer = page.get("/v1/rulings/0", headers={"Authorization": f"Bearer {token}"})
        assert (answer.status_code, answer.json()["code"]) == (503, "provider_unavailable")
        with service.client() as client:
            assert client.get("/v1/rulings/0").status_code == 404


# --- the operator ---------------------------------------------------------------------------------------------------


def test_a_provider_that_cannot_be_used_is_told(provider: Provider) -> None:
    usable = SignIn(provider.issuer, CLIENT)
    oidc.must_be_usable(usable)
    for issuer, said in (
        (f"{provider.issuer}/", "of another issuer"),
        ("http://127.0.0.1:1", "does not answer"),
        ("http://evil.example", "no https address"),
        ("nothing", "no https address"),
    ):
        with pytest.raises(InputError, match=said):
            oidc.must_be_usable(replace(usable, issuer=issuer))
    with pytest.raises(Away, match="a moment ago"):
        broken = oidc.Provider(replace(usable, issuer="http://127.0.0.1:1"))
        for _ in range(2):
            try:
                broken.described()
            except Away as away:
                last = away
        raise last


def test_check_tells_what_is_wrong_with_log_in(
    provider: Provider, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "aef.toml").write_text(
        f'data = "{tmp_path / "data"}"\n[oidc]\nissuer = "{provider.issuer}"\nclient = "{CLIENT}"\n'
        'rights = "aef-editors=review,registry=submit+read"\n'
    )
    given = ["serve", "--config", str(tmp_path / "aef.toml")]
    assert main([*given, "check"]) == 0, capsys.readouterr().err
    (tmp_path / "open").touch(0o644)
    for options, said in (
        (["--oidc-audience", CLIENT], "an audience of their own"),
        (["--oidc-rights", "aef-editors=everything"], "gives no rights"),
        (["--oidc-rights", "aef-editors"], "gives no rights"),
        (["--oidc-issuer", "https://127.0.0.1:1"], "does not answer"),
        (["--oidc-secret", str(tmp_path / "none")], "cannot be read"),
        (["--no-auth"], "asks nobody who they are"),
    ):
        assert main([*given, *options, "check"]) == 2
        assert said in capsys.readouterr().err
    assert main(["serve", "--oidc-issuer", provider.issuer, "check"]) == 2
    assert "needs --oidc-client" in capsys.readouterr().err


# --- a provider that is not of our own ------------------------------------------------------------------------------


def test_log_in_at_a_provider_of_another_s(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        mock = pytest.importorskip("oidc_provider_mock")
    editor = mock.User(sub="editor", claims={"groups": ["aef-editors"]})
    with mock.run_server_in_thread(user_claims=[editor]) as server:
        (tmp_path / "secret").touch(0o600)
        (tmp_path / "secret").write_text(SECRET)
        issuer = f"http://localhost:{server.server_port}"
        asks = SignIn(issuer, CLIENT, tmp_path / "secret", claim="groups", rights=RIGHTS)
        oidc.must_be_usable(asks)
        with (
            serving_with(Settings(tmp_path / "data", port=0, log=tmp_path / "log", sign_in=asks)) as service,
            browser(service) as page,
        ):
            form = page.get("/enter/provider").headers["Location"]
            back = httpx.post(form, data={"sub": "editor"}).headers["Location"]
            assert page.get(back).status_code == 200 and is_in(page)
            form = page.get("/enter/provider").headers["Location"]
            back = httpx.post(form, data={"sub": "cleaner"}).headers["Location"]
            assert page.get(back).headers["Location"] == "/enter/#refused"
