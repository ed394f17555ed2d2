"""Workers and who looks after them, without HTTP."""

from __future__ import annotations

import io
import os
import re
import signal
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import docx
import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("prometheus_client")

from aef.batch.recipe import Recipe
from aef.benchmarks.postgres import NotInstalled, own_server
from aef.workers import frames
from aef.workers.database import Database
from aef.workers.logs import Log
from aef.workers.metrics import Metrics
from aef.workers.pool import Pool
from aef.workers.queue import Queue
from aef.workers.settings import Limits, Settings
from aef.workers.states import State, Submission
from aef.workers.vault import Vault
from aef.workers.waiting import Bell, Waiters
from aef.workers.worker import Failure, anonymized, recipe_of

TEXT = "Mr. Zebulon Quistgaard appeals. Ms. Tilda Osei, his sister, lives in Kelowna.\n"


# --- what they say to each other ------------------------------------------------------------------------------------


@given(st.lists(st.tuples(st.dictionaries(st.text(), st.integers() | st.text()), st.binary()), max_size=4))
def test_frames_come_as_they_went(messages: list[tuple[dict[str, Any], bytes]]) -> None:
    stream = io.BytesIO()
    for message, body in messages:
        frames.write(stream, message, body)
    stream.seek(0)
    assert [frames.read(stream) for _ in messages] == messages
    with pytest.raises(EOFError):
        frames.read(stream)


@given(st.integers(0, 40))
def test_a_frame_that_is_cut_off_is_none(length: int) -> None:
    stream = io.BytesIO()
    frames.write(stream, {"lease": "1"}, b"a ruling of some length")
    whole = stream.getvalue()
    with pytest.raises(EOFError):
        frames.read(io.BytesIO(whole[: min(length, len(whole) - 1)]))


# --- one ruling -----------------------------------------------------------------------------------------------------


PARTS = [
    ("word/D'Osei.xml", bytes(5_000_000), "an apostrophe in the name of a part that packs too well"),
    ("word/Quistgaard.xml", b"<!DOCTYPE a><a/>", "the name of a part that declares a document type"),
]


@pytest.mark.parametrize(("part", "content", "reason"), PARTS, ids=[p[2] for p in PARTS])
def test_no_name_out_of_the_file_is_in_a_detail(part: str, content: bytes, reason: str, tmp_path: Path) -> None:
    file = io.BytesIO()
    docx.Document().save(file)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(part, content)
    with pytest.raises(Failure) as failed:
        anonymized(file.getvalue(), ".docx", Recipe(), tmp_path)
    assert not any(name in failed.value.detail for name in ("Osei", "Quistgaard", str(tmp_path))), reason
    assert "a part of it" in failed.value.detail


def test_a_ruling_is_anonymized_and_leaves_no_file(tmp_path: Path) -> None:
    content, figures = anonymized(TEXT.encode(), ".txt", Recipe(scheme="blank"), tmp_path)
    assert b"Quistgaard" not in content and b"[...]" in content and figures["replacements"] > 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "suffix", "said"),
    [
        (b"", ".txt", "the ruling: is empty"),
        (b"Quistgaard", ".docx", "is no DOCX"),
        (b"PK\x03\x04Quistgaard", ".docx", "damaged"),
        (b"<p></p>", ".html", "no text"),
        (b"\x00\x01Quistgaard\x00", ".txt", "binary"),
    ],
)
def test_a_ruling_that_cannot_be_read_fails_without_a_word_of_it(
    content: bytes, suffix: str, said: str, tmp_path: Path
) -> None:
    with pytest.raises(Failure) as failure:
        anonymized(content, suffix, Recipe(), tmp_path)
    assert failure.value.reason == "unreadable" and said in failure.value.detail
    assert "Quist" not in failure.value.detail and str(tmp_path) not in failure.value.detail
    assert list(tmp_path.iterdir()) == []


def test_a_name_inside_an_archive_is_not_told(tmp_path: Path) -> None:
    import zipfile

    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("word/Zebulon Quistgaard.xml", b"0" * 30_000_000)
    with pytest.raises(Failure) as failure:
        anonymized(made.getvalue(), ".docx", Recipe(), tmp_path)
    assert "archive bomb" in failure.value.detail and "Quistgaard" not in failure.value.detail


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, Recipe(model="ours.aef", cost=3.0, scheme="letters")),
        ({"scheme": "blank", "seed": 4}, Recipe(model="ours.aef", cost=3.0, scheme="blank", seed=4)),
        ({"language": "es"}, Recipe(annotator="court-es", scheme="letters")),
        ({"pipeline": "court-fr", "policy": "all"}, Recipe(annotator="court-fr", policy="all", scheme="letters")),
        ({"pipeline": "court-fr", "language": "es"}, Recipe(annotator="court-fr", scheme="letters")),
    ],
)
def test_what_a_request_chooses_goes_before_what_the_operator_set(options: dict[str, Any], expected: Recipe) -> None:
    assert recipe_of(Recipe(model="ours.aef", cost=3.0, scheme="letters"), options) == expected


# --- the pool -------------------------------------------------------------------------------------------------------


class Watched:
    """A pool at work, its log in memory."""

    def __init__(self, pool: Pool, queue: Queue, log: io.StringIO) -> None:
        self.pool, self.queue, self.log = pool, queue, log

    def submit(self, content: str = TEXT, priority: int = 0) -> str:
        made, _ = self.queue.submit(Submission("registry", content.encode(), "txt", {}, priority))
        self.pool.bell.ring()
        return made

    def state(self, made: str) -> State:
        found = self.queue.state("registry", made)
        assert found is not None
        return found

    def until(self, made: str, holds: Callable[[State], bool]) -> State:
        """The state when it is as it should be; a test that waits in vain ends."""
        hung = time.monotonic() + 120
        while not holds(state := self.state(made)):
            assert time.monotonic() < hung, state
            time.sleep(0.005)
        return state

    def ended(self, made: str) -> State:
        return self.until(made, lambda state: state.state not in ("queued", "running"))

    def running(self, made: str, attempt: int = 1) -> None:
        self.until(made, lambda state: state.state == "running" and state.attempts == attempt)

    def until_ready(self, workers: int) -> None:
        hung = time.monotonic() + 120
        while len(re.findall('"worker_ready"', self.log.getvalue())) < workers:
            assert time.monotonic() < hung
            time.sleep(0.05)

    def folders(self) -> set[Path]:
        return {keeper._folder for keeper in self.pool._keepers}

    def pids(self) -> list[int]:
        return [k._process.pid for k in self.pool._keepers if k._process]


@contextmanager
def watched(folder: Path, workers: int = 1, url: str | None = None, **limits: Any) -> Iterator[Watched]:
    settings = Settings(folder, url, workers=workers, reserved=0, limits=Limits(**limits))
    log = io.StringIO()
    with closing(Database(settings.url)) as database:
        queue = Queue(database, Vault(bytes(32)), settings.limits)
        pool = Pool(queue, settings, Log(log), Metrics(), Waiters())
        pool.make_room()
        pool.start()
        try:
            yield Watched(pool, queue, log)
        finally:
            pool.stop()


@pytest.mark.slow
def test_a_ruling_that_kills_its_worker_is_given_up_after_so_many_times(tmp_path: Path) -> None:
    with watched(tmp_path, attempts=2, lease=5.0) as at_work:
        bystander = at_work.ended(at_work.submit())
        assert bystander.state == "done"
        long, folders = at_work.submit(TEXT * 4000, priority=10), at_work.folders()
        for attempt in (1, 2):
            at_work.running(long, attempt)
            folders |= at_work.folders()
            for pid in at_work.pids():
                os.kill(pid, signal.SIGKILL)
        state = at_work.ended(long)
        assert (state.state, state.reason, state.attempts) == ("failed", "worker_lost", 2)
        assert at_work.ended(at_work.submit()).state == "done"
        assert len(folders | at_work.folders()) == 3, "no two workers ever have one folder"
        assert "Quistgaard" not in at_work.log.getvalue()
    assert not (tmp_path / "work").exists()


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Two workers, who may not die once of a ruling, with room in memory for the models and short rulings."""
    with watched(tmp_path_factory.mktemp("pair"), workers=2, attempts=1, memory=350_000_000) as at_work:
        assert at_work.ended(at_work.submit()).state == "done"
        at_work.until_ready(2)
        yield at_work


def test_a_ruling_lies_in_no_file_and_who_kills_all_workers_is_not_the_ruling(pair: Watched) -> None:
    long, folder = pair.submit(TEXT * 4000), pair.pool.settings.data
    pair.running(long)
    time.sleep(0.5)
    files = [path for path in folder.rglob("*") if path.is_file() and not path.is_symlink()]
    assert files and not any(b"Quistgaard" in path.read_bytes() for path in files)
    assert pair.state(long).state == "running", "the files were those of a ruling at work"
    for pid in pair.pids():  # as a power cut does: nobody tidies up
        os.kill(pid, signal.SIGKILL)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert not any(b"Quistgaard" in path.read_bytes() for path in files)
    pair.running(long, 2)
    assert pair.queue.remove("registry", long)


def test_a_ruling_that_takes_too_much_memory_fails_and_says_so(pair: Watched) -> None:
    state = pair.ended(pair.submit(TEXT * 30_000))
    assert (state.state, state.reason) == ("failed", "memory_limit") and "--max-memory" in (state.detail or "")
    assert pair.ended(pair.submit()).state == "done"


def test_a_database_that_is_away_for_a_while_costs_no_ruling(tmp_path: Path) -> None:
    try:
        with own_server() as database, watched(tmp_path, url=database.url, lease=2.0, attempts=1) as at_work:
            assert at_work.ended(at_work.submit()).state == "done"
            long = at_work.submit(TEXT * 400)
            at_work.running(long)
            database.stop()
            time.sleep(1.5)
            database.start()
            assert at_work.ended(long).state == "done"
            assert len(set(at_work.pids())) == 1 and '"worker_ended"' not in at_work.log.getvalue()
    except NotInstalled as missing:
        pytest.skip(str(missing))


def test_a_ruling_that_is_taken_back_is_stopped(tmp_path: Path) -> None:
    with watched(tmp_path, lease=1.0) as at_work:
        assert at_work.ended(at_work.submit()).state == "done"
        long = at_work.submit(TEXT * 6000)
        at_work.running(long)
        assert at_work.queue.remove("registry", long)
        assert at_work.ended(at_work.submit()).state == "done"
        assert '"why": "lease_lost"' in at_work.log.getvalue()


def test_a_result_that_nobody_fetches_is_erased(tmp_path: Path) -> None:
    with watched(tmp_path, keep=0.1) as at_work:
        made = at_work.submit()
        at_work.until(made, lambda state: state.state == "expired")
        assert at_work.queue.result("registry", made) is None


def test_a_bell_that_rings_while_one_looks_is_heard() -> None:
    bell = Bell()
    heard = bell.heard()
    bell.ring()
    bell.wait(heard, 3600.0)  # comes back at once, or the test does not end


def test_a_stop_gives_back_what_takes_too_long(tmp_path: Path) -> None:
    with watched(tmp_path, grace=0.1) as at_work:
        assert at_work.ended(at_work.submit()).state == "done"
        long = at_work.submit(TEXT * 6000)
        at_work.running(long)
        at_work.pool.stop()
        state = at_work.state(long)
        assert (state.state, state.attempts) == ("queued", 0)
