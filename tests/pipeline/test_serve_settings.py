"""Settings of the service from a file, the environment and the command line: which counts, and what is told of them."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

pytest.importorskip("fastapi")

from aef.commands import main
from aef.service import keys

FILE = 'port = 8443\nno-auth = false\nhost = "localhost"\n[limits]\nsize = 5\nper-client = 7\n'


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(out: str) -> dict[str, list[str]]:
    """Of each setting that has one its value, and where it came from."""
    rows = [line.split(maxsplit=2) for line in out.splitlines()[2:]]
    return {row[0]: row[1:] for row in rows if len(row) == 3}


def test_the_nearest_source_counts_and_is_told(
    in_folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("aef.toml").write_text(FILE)
    monkeypatch.setenv("AEF_SERVE_HOST", "127.0.0.1")
    monkeypatch.setenv("AEF_SERVE_MAX_SIZE", "6")
    assert main(["serve", "--config", "aef.toml", "--max-size", "7", "check"]) == 0
    found = shown(capsys.readouterr().out)
    assert found["port"] == ["8443", "aef.toml, port"]
    assert found["host"] == ["127.0.0.1", "AEF_SERVE_HOST"]
    assert found["max_size"] == ["7.0", "command line"]
    assert found["max_per_client"] == ["7.0", "aef.toml, limits.per-client"]
    assert found["no_auth"] == ["False", "aef.toml, no-auth"]
    assert found["scheme"] == ["initials", "default"]
    assert list(in_folder.iterdir()) == [Path("aef.toml").resolve()], "a check makes nothing"


def test_the_file_may_be_named_by_the_environment(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("aef.toml").write_text('data = "elsewhere"\n')
    monkeypatch.setenv("AEF_SERVE_CONFIG", "aef.toml")
    assert main(["serve", "keys", "add", "registry"]) == 0
    assert [row["name"] for row in keys.listed(Path("elsewhere/keys.json"))] == ["registry"]


WRONG = [
    ("port = 'x'", {}, "aef.toml, port: invalid int value: 'x' (--port)"),
    ("prot = 1", {}, "aef.toml: there is no setting 'prot'. There are: host, port"),
    ("[limits]\nsise = 1", {}, "there is no setting 'limits.sise'"),
    ("[limits]\nsize = 0", {}, "--max-size 0: a number above 0 is wanted"),
    ("no-auth = 1", {}, "aef.toml, no-auth: '1': true or false is wanted"),
    ("host = ['a']", {}, "one string or number is wanted"),
    ("port = 1\nhost = x", {}, "aef.toml: is not valid TOML: Invalid value (at line 2"),
    ("", {"AEF_SERVE_PROT": "1"}, "AEF_SERVE_PROT: there is no such setting"),
    ("", {"AEF_SERVE_PORT": "x"}, "AEF_SERVE_PORT: invalid int value: 'x'"),
    ("", {"AEF_SERVE_NO_AUTH": "perhaps"}, "AEF_SERVE_NO_AUTH: 'perhaps': true or false"),
    ("", {"AEF_SERVE_CONFIG": "missing.toml"}, "missing.toml: no such file"),
]


@pytest.mark.parametrize(("content", "environment", "said"), WRONG, ids=[row[2][:40] for row in WRONG])
def test_what_is_no_setting_is_told_with_its_place(
    content: str,
    environment: dict[str, str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    Path("aef.toml").write_text(content)
    for name, value in {"AEF_SERVE_CONFIG": "aef.toml", **environment}.items():
        monkeypatch.setenv(name, value)
    assert main(["serve", "check"]) == 2
    assert said in capsys.readouterr().err


def certificate(days: int) -> None:
    """A certificate of one's own in ``c.pem`` and its key in ``k.pem``, in force until so many days from now."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.x509.oid import NameOID

    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")]), datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(now - timedelta(days=30)).not_valid_after(now + timedelta(days=days))
    Path("c.pem").write_bytes(made.sign(key, hashes.SHA256()).public_bytes(serialization.Encoding.PEM))
    Path("k.pem").touch(0o600)
    plain = (serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    Path("k.pem").write_bytes(key.private_bytes(serialization.Encoding.PEM, *plain))


def test_a_check_tells_all_that_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    certificate(days=-1)
    Path("data").mkdir(mode=0o755)
    Path("data/keys.json").write_text("{}")
    Path("queue.key").touch(0o600)
    options = ["--data", "data", "--queue-key", "queue.key", "--certificate", "c.pem", "--private-key", "k.pem"]
    options += ["--no-auth", "--host", "0.0.0.0", "--queue", "postgresql+psycopg://aef:Hidden7@127.0.0.1:1/x"]
    assert main(["serve", *options, "check"]) == 2
    told = capsys.readouterr()
    for said in ("--no-auth goes with", "is open to others", "holds no key", "is in force no more", "cannot be opened"):
        assert said in told.err
    assert "Hidden7" not in told.out + told.err.partition("the queue cannot")[2], "no password is shown"


def test_a_certificate_of_another_key_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    certificate(days=30)
    key = Path("k.pem").read_bytes()
    assert main(["serve", "--certificate", "c.pem", "--private-key", "k.pem", "check"]) == 0
    certificate(days=30)
    Path("k.pem").write_bytes(key)
    assert main(["serve", "--certificate", "c.pem", "--private-key", "k.pem", "check"]) == 2
    assert "cannot be used for HTTPS" in capsys.readouterr().err


def test_workers_know_no_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    from aef.workers.settings import environment_without_keys

    monkeypatch.setenv("AEF_SERVE_QUEUE", "postgresql://aef:Hidden7@db/aef")
    assert "Hidden7" not in json.dumps(environment_without_keys())


@pytest.mark.parametrize(
    ("options", "environment", "warned", "reason"),
    [
        (["--queue", "postgresql+psycopg://aef:Hidden7@127.0.0.1:1/x"], None, True, "in the list of processes"),
        (["--queue", "postgresql+psycopg://aef@127.0.0.1:1/x"], None, False, "no password in it"),
        (["--queue-file", "url"], None, False, "a file of the owner's alone"),
        ([], "AEF_QUEUE", False, "the environment"),
        ([], "AEF_SERVE_QUEUE", False, "the environment, as any setting"),
    ],
)
def test_who_shows_the_password_of_the_database_is_told(
    options: list[str],
    environment: str | None,
    warned: bool,
    reason: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    url = "postgresql+psycopg://aef:Hidden7@127.0.0.1:1/x"
    Path("url").touch(0o600)
    Path("url").write_text(url)
    if environment:
        monkeypatch.setenv(environment, url)
    assert main(["serve", *options, "check"]) == 2, "nobody answers there"
    told = capsys.readouterr()
    assert ("shows in the list of processes" in told.err) == warned, reason
    assert "Hidden7" not in told.out + told.err and "cannot be opened" in told.err, reason
