"""No word of a ruling lies in clear in any file, at any time, after a power cut, and after the next start."""

from __future__ import annotations

import io
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import docx
import httpx
import pytest

pytest.importorskip("fastapi")

from aef.benchmarks.postgres import NotInstalled, own_server
from aef.benchmarks.served import Server, start
from aef.service import keys

WORDS = (b"Quistgaard", b"Zebulon", b"Osei", b"Kelowna", b"Lower Barton")
PACKED = b"word/document.xml"
"""In every DOCX, whose words are packed."""
TEXT = b"""IN THE SUPREME COURT

Between: Mr. Zebulon Quistgaard, Plaintiff, and Ms. Tilda Osei, Defendant.

1. Mr. Quistgaard was born on 3 May 1961 in Lower Barton. He lives in Kelowna with Ms. Osei.
"""
LONG = TEXT * 400
"""Which a worker is at for some seconds."""


def found(*folders: Path) -> list[tuple[str, bytes]]:
    """The words of the rulings in clear, with the files they are in or the names of; a link into a process's memory is
    no file."""
    left = []
    for folder in folders:
        for path in folder.rglob("*"):
            with suppress(OSError):  # gone while it was looked at
                content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
                told = content + os.fsencode(path.name)
                left += [(str(path), word) for word in (*WORDS, PACKED) if word in told]
    return left


def as_docx(text: bytes) -> bytes:
    document, into = docx.Document(), io.BytesIO()
    for line in text.decode().split("\n\n"):
        document.add_paragraph(line)
    document.save(into)
    return into.getvalue()


@contextmanager
def watched(*folders: Path) -> Iterator[list[tuple[str, bytes]]]:
    """What is found by looking again and again."""
    left: list[tuple[str, bytes]] = []
    over = threading.Event()

    def look() -> None:
        while not over.wait(0.02):
            left.extend(found(*folders))

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield left
    finally:
        over.set()
        watcher.join()


def test_a_file_that_was_there_for_a_moment_is_found(tmp_path: Path) -> None:
    with watched(tmp_path) as left:
        (tmp_path / "moment").write_bytes(TEXT + as_docx(TEXT))
        until = time.monotonic() + 20
        while not left and time.monotonic() < until:
            time.sleep(0.01)
        (tmp_path / "moment").unlink()
    assert {word for _, word in left} == {*WORDS, PACKED}


@contextmanager
def temporary(folder: Path) -> Iterator[Path]:
    """A folder of one's own for all that would go into the system's."""
    before, folder = os.environ.get("TMPDIR"), folder / "temporary"
    folder.mkdir()
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    yield folder
    os.environ.pop("TMPDIR")
    if before is not None:
        os.environ["TMPDIR"] = before
    tempfile.tempdir = None


def kill_all(server: Server) -> None:
    """Service, workers and the reviewer's process at once, as the end of a machine does."""
    parent = server.process.pid
    children = [int(path.parent.name) for path in Path("/proc").glob("[0-9]*/stat") if _parent(path) == parent]
    for pid in (parent, *children):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    server.process.wait()


def _parent(stat: Path) -> int:
    with suppress(OSError):
        return int(stat.read_text().rpartition(")")[2].split()[1])
    return 0


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("queue", ["sqlite", "postgres"])
def test_no_word_of_a_ruling_is_in_any_file(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, queue: str
) -> None:
    """With PostgreSQL the work folder lies elsewhere, too."""
    options = ("--workers", "1", "--reserved", "0", "--max-time", "60")
    if queue == "sqlite":
        _no_word(tmp_path, [], *options)
        return
    work = tmp_path_factory.mktemp("work")
    try:
        with own_server() as database:
            (tmp_path / "url").touch(0o600)
            (tmp_path / "url").write_text(database.url)
            more = ("--queue-file", str(tmp_path / "url"), "--work", str(work))
            _no_word(tmp_path, [work, database.log.parent], *options, *more)
    except NotInstalled as missing:
        pytest.skip(str(missing))


def _no_word(tmp_path: Path, elsewhere: list[Path], *options: str) -> None:
    """elsewhere : the folders outside of the first in which the service, or its database, has files."""
    places = {tmp_path, *elsewhere, Path("/dev/shm")}
    with temporary(tmp_path), watched(*places) as ever:
        server = start(tmp_path, *options)
        editor = keys.add(server.data / "keys.json", "editor", ["review"])
        with server.client() as client:

            def handed_in(text: bytes, name: str = "Zebulon v. Osei.txt", **more: str) -> str:
                form = {"files": {"file": (name, text)}, "data": more}
                return str(client.post("/v1/rulings", **form).json()["id"])  # type: ignore[arg-type]

            def clear(when: str) -> None:
                assert found(*places) == [], when

            reviewed = handed_in(TEXT, reviewer="editor")
            with httpx.Client(base_url=server.address, timeout=60) as page:
                page.post("/enter/", json={"key": editor})
                version = page.get(f"/edit/api/{reviewed}").json()["version"]
                clear("while it is reviewed")
                told = {"version": version, "facts": [{"kind": "hide", "place": [0, 2]}]}
                assert page.post(f"/edit/api/{reviewed}/tell", json=told).status_code == 200
            first, waits = handed_in(LONG), [handed_in(TEXT), handed_in(as_docx(TEXT), "Zebulon.docx"), handed_in(TEXT)]
            while client.get(f"/v1/rulings/{first}").json()["state"] == "queued":
                time.sleep(0.02)
            clear("while one is worked on and others wait")
            broken = handed_in(TEXT, "Zebulon.docx")
            kill_all(server)
            clear("after a power cut")
        server = start(tmp_path, *options, key=server.key)
        clear("after the next start")
        with server.client(timeout=120) as client:
            states = [client.get(f"/v1/rulings/{r}", params={"wait": 60}).json() for r in (first, *waits, broken)]
            assert [state["state"] for state in states] == ["done"] * 4 + ["failed"]
            clear("after they are done and failed")
            assert client.get(f"/v1/rulings/{reviewed}").json()["state"] == "review"
        assert server.stop() == 0
        clear("after the service has stopped")
    assert ever == []
