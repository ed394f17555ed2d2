"""The Python client against a real service, and against answers that come wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from pages import blocks

pytest.importorskip("fastapi")

from aef.benchmarks.served import Server, running
from aef.client import Client, Refused
from aef.service import keys

TEXT = "Between: Mr. Zebulon Quistgaard, Plaintiff.\n\n1. Mr. Quistgaard was born on 3 May 1961.\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(tmp_path_factory.mktemp("client"), "--workers", "1", "--reserved", "0") as made:
        yield made


@pytest.fixture
def ruling(tmp_path: Path) -> Path:
    path = tmp_path / "Quistgaard v. Osei.txt"
    path.write_text(TEXT)
    return path


def test_the_whole_way(server: Server, ruling: Path) -> None:
    with Client(server.address, server.key) as client:
        assert b"Quistgaard" not in client.anonymize(ruling, scheme="letters", seed=3)
        made = client.hand_in(ruling)
        ended = next(event for event in client.events("0") if event.id == made)
        assert ended.state == "done" and client.ruling(made, wait=5).figures
        assert b"Quistgaard" not in client.result(made)
        client.erase(made)
        with pytest.raises(Refused, match="no such ruling") as refused:
            client.ruling(made)
        assert (refused.value.status, refused.value.code) == (404, "unknown_ruling")
        kept = client.hand_in(ruling, reviewer="editor")
        assert client.ruling(kept).state == "review"
        with pytest.raises(Refused, match="not_reviewed"):
            client.corrections(kept)


def test_the_program_of_the_docs_fetches_what_it_hands_in(server: Server, ruling: Path, tmp_path: Path) -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "how-to" / "operation.md").read_text("utf-8")
    program = next(block for block in blocks(page) if block.file == "fetch.py")
    (tmp_path / "fetch.py").write_text(program.code)
    (other := tmp_path / "another.txt").write_text(TEXT)
    environment = {**os.environ, "AEF_SERVICE": server.address, "KEY": server.key}
    subprocess.run([sys.executable, "fetch.py", ruling, other], cwd=tmp_path, env=environment, check=True, timeout=120)
    for path in (ruling, other):
        safe = path.with_stem(f"{path.stem}-safe").read_text()
        assert "Quistgaard" not in safe and "Plaintiff" in safe


def test_what_is_refused_is_told(server: Server, ruling: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.docx").write_bytes(b"no package")
    with Client(server.address, server.key) as client:
        with pytest.raises(Refused, match="unreadable") as refused:
            client.anonymize(tmp_path / "broken.docx")
        assert refused.value.ruling
        with pytest.raises(Refused, match="there are"):
            client.hand_in(ruling, scheme="nonsense")
    with Client(server.address, "aef-wrong") as client, pytest.raises(Refused, match="no_key"):
        client.anonymize(ruling)
    reads = keys.add(server.data / "keys.json", "reader", ["read"])
    with Client(server.address, reads) as client, pytest.raises(Refused, match="no_right"):
        client.hand_in(ruling)


def answering(*answers: httpx.Response | Exception) -> tuple[httpx.MockTransport, list[httpx.Request]]:
    """A service that gives these answers in turn, and what it was asked."""
    left, asked = list(answers), []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request)
        found = left.pop(0)
        if isinstance(found, Exception):
            raise found
        return found

    return httpx.MockTransport(answer), asked


FULL = {"code": "queue_full", "detail": "The queue is full. Try again later"}
LATER: list[Callable[[], httpx.Response | Exception]] = [
    lambda: httpx.Response(503, json=FULL, headers={"Retry-After": "7"}),
    lambda: httpx.ConnectError("nobody is there"),
]


@pytest.mark.parametrize(("later", "waits"), [(LATER[0], 7.0), (LATER[1], 1.0)], ids=["refused", "broken"])
def test_what_fails_for_a_moment_is_sent_again_as_the_same_ruling(
    ruling: Path, later: Callable[[], httpx.Response | Exception], waits: float
) -> None:
    transport, asked = answering(later(), httpx.Response(202, json={"id": "a" * 32, "state": "queued"}))
    slept: list[float] = []
    with Client("http://aef", "key", transport=transport, sleep=slept.append) as client:
        assert client.hand_in(ruling) == "a" * 32
    assert slept == [waits] and len({request.headers["idempotency-key"] for request in asked}) == 1
    assert all(b"Quistgaard v. Osei" not in request.content for request in asked), "nor is the file's name told"


def test_what_fails_for_ever_is_told_in_the_end(ruling: Path) -> None:
    transport, asked = answering(*[httpx.Response(503, json=FULL) for _ in range(9)])
    client = Client("http://aef", "key", transport=transport, sleep=lambda _: None)
    with client, pytest.raises(Refused, match="queue_full"):
        client.hand_in(ruling)
    assert len(asked) == 6


def test_what_is_no_answer_of_the_service_is_told() -> None:
    transport, _ = answering(httpx.Response(502, text="<html>bad gateway"))
    with Client("http://aef", "key", transport=transport) as client, pytest.raises(Refused, match="no answer of the"):
        client.result("a" * 32)
