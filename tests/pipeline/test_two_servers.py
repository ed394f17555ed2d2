"""Two services with their workers on one queue in PostgreSQL, each killed in turn: nothing is lost, or done twice."""

from __future__ import annotations

import os
import signal
import time
from base64 import b64encode
from collections import Counter
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

pytest.importorskip("fastapi")
pytest.importorskip("psycopg")

from aef.benchmarks.postgres import NotInstalled, own_server
from aef.benchmarks.served import Server, start

RULINGS, KILLS = 16, 4


def text(number: int) -> str:
    """A ruling that a worker is at for a moment, and that is told from the others by a sum."""
    facts = f"{number}. Mr. Quistgaard says that Ms. Osei paid ${1000 + number}.\n" * 150
    return (
        f"IN THE SUPREME COURT\n\nBetween: Mr. Zebulon Quistgaard, Plaintiff, and Ms. Tilda Osei, Defendant.\n\n{facts}"
    )


def shared(folder: Path, url: str) -> list[str]:
    """The options that services of one queue have in common."""
    for name, content in (("key", b64encode(bytes(32)).decode()), ("url", url)):
        (folder / name).touch(0o600)
        (folder / name).write_text(content)
    files = {"--queue-file": "url", "--queue-key": "key", "--keys": "keys.json"}
    return ["--workers", "1", "--reserved", "0"] + [w for o, name in files.items() for w in (o, str(folder / name))]


def kill(server: Server) -> None:
    """The service and the worker that it had last, as the end of a machine does."""
    for line in server.events("worker_ready")[-1:]:
        with suppress(ProcessLookupError):
            os.kill(line["pid"], signal.SIGKILL)
    server.kill()


def ended(server: Server, ruling: str) -> httpx.Response:
    with server.client(timeout=120) as client:
        return client.get(f"/v1/rulings/{ruling}", params={"wait": 100})


@pytest.mark.slow
def test_two_services_with_one_queue_outlive_each_other(tmp_path: Path) -> None:
    try:
        with own_server() as database:
            _outlive(tmp_path, shared(tmp_path, database.url))
    except NotInstalled as missing:
        pytest.skip(str(missing))


def _outlive(folder: Path, options: list[str]) -> None:
    servers = [start(folder / "0", *options)]
    servers.append(start(folder / "1", *options, key=servers[0].key))
    ids = []
    for number in range(RULINGS):
        with servers[number % 2].client() as client:
            ids.append(client.post("/v1/rulings", files={"file": ("ruling.txt", text(number))}).json()["id"])
    for turn in range(KILLS):
        time.sleep(1.5)
        kill(servers[turn % 2])
        servers[turn % 2] = start(folder / str(turn % 2), *options, key=servers[0].key)
    states = [ended(servers[number % 2], ruling).json() for number, ruling in enumerate(ids)]
    assert Counter(state["state"] for state in states) == {"done": RULINGS}
    for number, ruling in enumerate(ids):
        with servers[(number + 1) % 2].client() as client:  # any service hands out what any worker did
            result = client.get(f"/v1/rulings/{ruling}/result", params={"keep": True}).text
        assert f"${1000 + number}." in result and "Quistgaard" not in result
    told = Counter(line["ruling"] for server in servers for line in server.events("ruling_ended"))
    assert set(told.values()) == {1} and set(told) <= set(ids)
    assert all(server.events("ruling_ended") for server in servers), "both had their share"
    assert [server.stop() for server in servers] == [0, 0]
