"""Sealing at rest, and API keys."""

from __future__ import annotations

import json
import stat
import time
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

pytest.importorskip("cryptography")
pytest.importorskip("fastapi")

from hypothesis import given
from hypothesis import strategies as st

from aef.errors import InputError
from aef.service import keys
from aef.service.server import service
from aef.workers.settings import Settings
from aef.workers.vault import ENVIRONMENT, Unsealable, Vault

KEY = bytes(range(32))


@given(st.binary(max_size=200), st.text(max_size=20))
def test_what_is_sealed_opens_in_its_place_alone(content: bytes, place: str) -> None:
    vault = Vault(KEY)
    sealed = vault.sealed(content, place)
    assert vault.opened(sealed, place) == content
    assert vault.sealed(content, place) != sealed  # a nonce of its own
    for other, where in ((vault, place + "x"), (Vault(bytes(32)), place)):
        with pytest.raises(Unsealable):
            other.opened(sealed, where)


@given(st.binary(min_size=1, max_size=60), st.data())
def test_a_changed_bit_is_noticed(content: bytes, data: st.DataObject) -> None:
    sealed = bytearray(Vault(KEY).sealed(content, "here"))
    sealed[data.draw(st.integers(0, len(sealed) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    with pytest.raises(Unsealable):
        Vault(KEY).opened(bytes(sealed), "here")


def test_digests_tell_parts_apart_and_need_the_key() -> None:
    vault = Vault(KEY)
    assert vault.digest(b"ab", b"c") == vault.digest(b"ab", b"c") != vault.digest(b"a", b"bc")
    assert vault.digest(b"ab") != Vault(bytes(32)).digest(b"ab")


def test_the_key_is_made_once_for_its_owner_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(ENVIRONMENT, raising=False)
    sealed = Vault.load(tmp_path).sealed(b"x", "here")
    assert stat.S_IMODE((tmp_path / "queue.key").stat().st_mode) == 0o600
    assert Vault.load(tmp_path).opened(sealed, "here") == b"x"
    monkeypatch.setenv(ENVIRONMENT, b64encode(KEY).decode())
    with pytest.raises(Unsealable):
        Vault.load(tmp_path).opened(sealed, "here")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "empty"),
        ("secret", "a word is no key"),
        (b64encode(bytes(16)).decode(), "too short"),
        (b64encode(bytes(33)).decode(), "too long"),
        ("é" * 44, "no Base64"),
        (None, "missing"),
    ],
)
def test_what_is_no_key_is_refused(tmp_path: Path, content: str | None, why: str) -> None:
    path = tmp_path / "key"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match="key"):
        Vault.load(tmp_path, path)


# --- API keys -------------------------------------------------------------------------------------------------------


def test_a_key_opens_until_it_is_taken_back(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    ring = keys.KeyRing(path)
    token = keys.add(path, "registry", ["read", "submit"])
    second = keys.add(path, "registry", ["admin"])
    client = ring.client(token)
    assert client and (client.name, client.rights) == ("registry", {"submit", "read"})
    assert token not in path.read_text() and token.split("-", 2)[2] not in path.read_text()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    keys.remove(path, client.id)
    assert ring.client(token) is None and ring.client(second)
    assert [row["name"] for row in keys.listed(path)] == ["registry"]


@pytest.mark.parametrize(
    "wrong",
    ["", "aef", "aef-00000000-" + "x" * 43, "Bearer", "aef-\u00e9", "\ud800", "x" * 10_000],
    ids=["none", "short", "unknown id", "word", "letters", "surrogate", "long"],
)
def test_wrong_keys_open_nothing(tmp_path: Path, wrong: str) -> None:
    token = keys.add(tmp_path / "keys.json", "registry")
    ring = keys.KeyRing(tmp_path / "keys.json")
    assert ring.client(wrong) is None
    assert ring.client(token + "x") is None and ring.client(token[:-1]) is None
    assert ring.client(token[:-1] + ("a" if token[-1] != "a" else "b")) is None


@pytest.mark.parametrize(
    ("name", "rights", "said"),
    [
        ("", ["read"], "no client's name"),
        ("a/b", ["read"], "no client's name"),
        ("x" * 64, ["read"], "no client's name"),
        ("registry", ["write"], "unknown right 'write'"),
        ("registry", [], "without rights"),
    ],
)
def test_keys_that_cannot_be(tmp_path: Path, name: str, rights: list[str], said: str) -> None:
    with pytest.raises(InputError, match=said):
        keys.add(tmp_path / "keys.json", name, rights)
    assert not (tmp_path / "keys.json").exists()


def test_keys_that_are_made_at_once_are_all_kept(tmp_path: Path) -> None:
    path = tmp_path / "service" / "keys.json"
    with ThreadPoolExecutor(8) as several:
        made = list(several.map(lambda number: keys.add(path, f"client {number}"), range(24)))
    ring = keys.KeyRing(path)
    assert [client.name for token in made if (client := ring.client(token))] == [f"client {n}" for n in range(24)]
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_key_ends_when_it_should(tmp_path: Path) -> None:
    path, now = tmp_path / "keys.json", time.time()
    token = keys.add(path, "registry", ["read"], days=2)
    clock = [now]
    ring = keys.KeyRing(path, clock=lambda: clock[0])
    assert ring.client(token)
    for days, open_still in ((1.99, True), (2.01, False), (1.99, True)):
        clock[0] = now + 86400 * days
        found = ring.client(token)
        assert (found is not None) == open_still, days
    assert keys.listed(path)[0]["expires"].startswith("20")


def test_a_key_is_renewed_without_a_gap(tmp_path: Path) -> None:
    path, now = tmp_path / "keys.json", time.time()
    old = keys.add(path, "registry", ["read", "submit"])
    ring = keys.KeyRing(path)
    first = ring.client(old)
    assert first
    new = keys.rotate(path, first.id, hours=1)
    second = ring.client(new)
    assert second and (second.name, second.rights) == (first.name, first.rights) and second.id != first.id
    assert ring.client(old) == first, "it still opens"
    later = keys.KeyRing(path, clock=lambda: now + 3700)
    assert later.client(old) is None and later.client(new) and later.with_id(first.id) is None
    again = keys.rotate(path, second.id, hours=0)
    with pytest.raises(InputError, match="has no key"):
        keys.rotate(path, second.id)  # it is over: nobody gets a key for it
    assert ring.client(new) is None and ring.client(again)


@pytest.mark.parametrize(("rights", "now"), [("submit,read", {"submit", "read", "urgent"}), ("read,admin", None)])
def test_who_could_go_before_others_still_can_after_an_upgrade(
    tmp_path: Path, rights: str, now: set[str] | None
) -> None:
    """Keys of before there was the right `urgent`: whoever handed in could."""
    path, given = tmp_path / "keys.json", rights.split(",")
    token = keys.add(path, "registry", given)
    made = json.loads(path.read_text())
    path.write_text(json.dumps({"keys": [{k: v for k, v in key.items() if k != "rate"} for key in made["keys"]]}))
    for _ in range(2):
        client = keys.KeyRing(path).client(token)
        assert client and client.rights == (now or set(given)) and client.rate is None
        keys.add(path, "another")  # writes the file in today's format


@pytest.mark.parametrize("rate", [0.0, -1.0, float("nan"), float("inf")])
def test_a_pace_that_cannot_be(tmp_path: Path, rate: float) -> None:
    with pytest.raises(InputError, match="rulings a minute"):
        keys.add(tmp_path / "keys.json", "registry", rate=rate)


def test_a_pace_goes_on_with_the_next_key(tmp_path: Path) -> None:
    path = tmp_path / "keys.json"
    first = keys.KeyRing(path).client(keys.add(path, "registry", rate=30))
    assert first
    second = keys.KeyRing(path).client(keys.rotate(path, first.id))
    assert second and (first.rate, second.rate) == (30, 30)
    assert [row["rate"] for row in keys.listed(path)] == ["30", "30"]


@pytest.mark.parametrize("days", [-1.0, float("nan"), float("inf")])
def test_a_key_that_cannot_end(tmp_path: Path, days: float) -> None:
    with pytest.raises(InputError, match="number of days"):
        keys.add(tmp_path / "keys.json", "registry", days=days)


def test_when_a_key_was_used_last_is_kept_to_the_minute(tmp_path: Path) -> None:
    path, used, clock = tmp_path / "keys.json", tmp_path / "used.json", [time.time()]
    token = keys.add(path, "registry")
    other = keys.add(path, "chamber")
    ring = keys.KeyRing(path, used, lambda: clock[0])
    assert [row["used"] for row in keys.listed(path, used)] == ["", ""]
    ring.client(token)
    first = keys.listed(path, used)[0]["used"]
    clock[0] += 30
    ring.client(token)
    assert keys.listed(path, used)[0]["used"] == first
    clock[0] += 31
    ring.client(token)
    ring.client(other + "x")
    assert keys.listed(path, used)[0]["used"] > first and keys.listed(path, used)[1]["used"] == ""
    assert token not in used.read_text() and stat.S_IMODE(used.stat().st_mode) == 0o600
    used.write_text("damaged")
    assert keys.KeyRing(path, used).client(token) and keys.listed(path, used)[0]["used"] != ""


def test_where_the_last_use_cannot_be_kept_keys_open_all_the_same(tmp_path: Path) -> None:
    token = keys.add(tmp_path / "keys.json", "registry")
    assert keys.KeyRing(tmp_path / "keys.json", Path("/dev/null/used")).client(token)


OPEN = [
    ("data", 0o777, "chmod o-rwx", "whoever likes puts a key of his own there"),
    ("data", 0o701, "chmod o-rwx", "others may come in"),
    ("data/queue.key", 0o666, "chmod 600", "the key that opens all"),
    ("data/queue.key", 0o604, "chmod 600", "others may read it"),
    ("data/keys.json", 0o620, "chmod 600", "the group may add keys"),
    ("key", 0o644, "chmod 600", "a key given by --queue-key"),
]


@pytest.mark.parametrize(("name", "mode", "remedy", "reason"), OPEN, ids=[row[-1] for row in OPEN])
def test_what_is_open_to_others_is_refused(tmp_path: Path, name: str, mode: int, remedy: str, reason: str) -> None:
    (tmp_path / "key").write_text(b64encode(bytes(32)).decode())
    (tmp_path / "key").chmod(0o640)
    settings = Settings(tmp_path / "data", key_file=tmp_path / "key")
    keys.add(settings.keys, "registry")
    (tmp_path / "data" / "queue.key").touch(0o600)
    with service(settings):
        pass
    (tmp_path / name).chmod(mode)
    with pytest.raises(InputError, match=remedy) as refused, service(settings):
        pass
    assert f"mode {mode:o}" in str(refused.value), reason


@pytest.mark.parametrize("content", ["", "[]", '{"keys": [{}]}', '{"keys": [{"id": 1}]}', "\xff"])
def test_a_damaged_file_of_keys_opens_nothing(tmp_path: Path, content: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(content, encoding="latin-1")
    with pytest.raises(InputError, match="API keys"):
        keys.KeyRing(path)
