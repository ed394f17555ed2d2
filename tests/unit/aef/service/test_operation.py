"""Copies of the service made while it runs, its sealing key renewed, and what is over erased from the files."""

from __future__ import annotations

import threading
import zipfile
from base64 import b64encode
from collections.abc import Callable
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest
from serving import Serving
from sqlalchemy import select

from aef.commands import main
from aef.errors import InputError
from aef.service import keys
from aef.service.operation.backup import back_up, restore
from aef.service.operation.sealing import reseal
from aef.service.server import service
from aef.workers.audit import Audit, segments, verified
from aef.workers.database import CONTENTS, Database
from aef.workers.queue import Queue
from aef.workers.settings import Limits, Settings
from aef.workers.states import DONE, EXPIRED, QUEUED, REVIEW, Submission
from aef.workers.vault import Vault

Start = Callable[..., AbstractContextManager[Serving]]


def test_a_copy_made_while_rulings_come_in_has_them_and_gives_them_back(
    serving: Start, queue: str | None, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.zip"
    with serving() as running:
        settings = running.made.desk.settings
        done = running.done(b"H. appeals.")
        waits = [_handed_in(running, f"Mr. Hale appeals, {n}.".encode()) for n in range(5)]
        over = threading.Event()
        busy = threading.Thread(target=_keep_busy, args=(running, over))
        busy.start()
        counts = back_up(settings, copy)
        over.set()
        busy.join()
    assert counts["aef_rulings"] >= 6 and counts["aef_contents"] >= 6
    assert b"Hale" not in copy.read_bytes()
    key = tmp_path / "key"
    key.write_bytes((settings.data / "queue.key").read_bytes())
    key.chmod(0o600)
    again = Settings(tmp_path / "again", queue, key_file=key)
    assert restore(again, copy) == counts
    assert verified(again.audit)[0] >= 6
    client = keys.KeyRing(again.keys).client(running.key)
    assert client and client.name == "registry"
    with service(again) as made:
        back = made.desk.queue
        assert back.result("registry", done) == b"H. appeals."
        assert [back.state("registry", ruling).state for ruling in waits] == [QUEUED] * 5  # type: ignore[union-attr]
        contents = {job.id: job.content for job in iter(back.claim, None)}
        assert [contents[ruling] for ruling in waits] == [f"Mr. Hale appeals, {n}.".encode() for n in range(5)]
        new, _ = back.submit(Submission("registry", b"x", "txt"))
        assert back.state("registry", new) is not None
    with pytest.raises(InputError, match="is there already"):
        restore(again, copy)


def _handed_in(running: Serving, text: bytes) -> str:
    with running.client() as client:
        return str(client.post("/v1/rulings", files={"file": ("a.txt", text)}).json()["id"])


def _keep_busy(running: Serving, over: threading.Event) -> None:
    while not over.is_set():
        _handed_in(running, b"Mr. Hale appeals again.")


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-200])


def changed(path: Path) -> None:
    with zipfile.ZipFile(path) as old:
        parts = {name: old.read(name) for name in old.namelist()}
    parts["aef_rulings.jsonl"] = parts["aef_rulings.jsonl"].replace(b"registry", b"intruder")
    _zip(path, parts)


def newer(path: Path) -> None:
    _zip(path, {"manifest.json": b'{"format": 99, "parts": {}}'})


def leaving(path: Path) -> None:
    _zip(path, {"manifest.json": b'{"format": 1, "parts": {"cases/../../x": {"sha256": ""}}}', "cases/../../x": b"x"})


def _zip(path: Path, parts: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w") as new:
        for name, content in parts.items():
            new.writestr(name, content)


DAMAGED = [
    (cut, "no whole copy"),
    (changed, "no whole copy"),
    (newer, "newer version"),
    (leaving, "no whole copy"),
    (lambda path: path.write_bytes(b"PK"), "no whole copy"),
    (lambda path: _zip(path, {"manifest.json": b"[]"}), "no whole copy"),
    (Path.unlink, "no such file"),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGED)
def test_what_is_no_whole_copy_is_refused_and_nothing_is_made(
    serving: Start, tmp_path: Path, damage: Callable[[Path], None], said: str
) -> None:
    with serving() as running:
        running.done(b"H. appeals.")
        back_up(running.made.desk.settings, tmp_path / "copy.zip")
        with pytest.raises(InputError, match="exists already"):
            back_up(running.made.desk.settings, tmp_path / "copy.zip")
    damage(tmp_path / "copy.zip")
    with pytest.raises(InputError, match=said):
        restore(Settings(tmp_path / "again"), tmp_path / "copy.zip")
    assert not (tmp_path / "again").exists() and not (tmp_path / "x").exists()


def test_case_files_go_with_the_copy(tmp_path: Path) -> None:
    (tmp_path / "cases" / "7").mkdir(parents=True)
    (tmp_path / "cases" / "7" / "case.json").write_text("{}")
    with service(Settings(tmp_path / "data")) as made:
        back_up(made.desk.settings, tmp_path / "copy.zip", tmp_path / "cases")
    restore(Settings(tmp_path / "again"), tmp_path / "copy.zip", tmp_path / "cases again")
    assert (tmp_path / "cases again" / "7" / "case.json").read_text() == "{}"


# --- the sealing key ------------------------------------------------------------------------------------------------


def sealed(settings: Settings) -> list[bytes]:
    with closing(Database(settings.url)) as database, database.reading() as connection:
        return [row.sealed for row in connection.execute(select(CONTENTS.c.sealed))]


def on_disk(settings: Settings) -> bytes:
    return b"".join(path.read_bytes() for path in settings.data.glob("queue.sqlite*"))


def test_a_new_key_opens_what_the_old_one_does_no_more(tmp_path: Path) -> None:
    settings = Settings(tmp_path / "data")
    with service(settings) as made:
        ruling, _ = made.desk.queue.submit(Submission("registry", b"Mr. Hale appeals.", "txt"))
    before = sealed(settings)
    assert all(content in on_disk(settings) for content in before)
    assert reseal(settings, tmp_path / "new.key") == 1
    assert not [content for content in before if content in on_disk(settings)], "the old ones are gone from the disk"
    with pytest.raises(InputError, match="another key"), service(settings):
        pass
    with service(Settings(tmp_path / "data", key_file=tmp_path / "new.key")) as made:
        job = made.desk.queue.claim()
        assert job is not None and (job.id, job.content) == (ruling, b"Mr. Hale appeals.")


def test_what_does_not_open_with_the_old_key_is_left_as_it_is(tmp_path: Path) -> None:
    settings, other = Settings(tmp_path / "data"), tmp_path / "other.key"
    with service(settings) as made:
        made.desk.queue.submit(Submission("registry", b"Mr. Hale appeals.", "txt"))
    other.touch(0o600)
    other.write_bytes(b64encode(bytes(32)))
    before = sealed(settings)
    with pytest.raises(InputError, match="another key"):
        reseal(Settings(tmp_path / "data", key_file=other), tmp_path / "new.key")
    assert sealed(settings) == before and not (tmp_path / "new.key").exists()


def test_a_service_that_runs_keeps_its_key(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with service(Settings(tmp_path / "data")):
        assert main(["serve", "rotate-key", str(tmp_path / "new.key"), "--data", str(tmp_path / "data")]) == 2
    assert "which runs now" in capsys.readouterr().err and not (tmp_path / "new.key").exists()


# --- retention ------------------------------------------------------------------------------------------------------

RETAINED = [
    ("a ruling whose editor never came", Submission("a", b"Mr. Hale", "txt", reviewer="e"), REVIEW, EXPIRED, "review"),
    ("a result that nobody fetched", Submission("a", b"Mr. Hale", "txt"), DONE, EXPIRED, "keep"),
]


@pytest.mark.parametrize(("reason", "given", "first", "then", "limit"), RETAINED, ids=[row[0] for row in RETAINED])
def test_what_is_over_leaves_the_bytes_of_the_files(
    tmp_path: Path, reason: str, given: Submission, first: str, then: str, limit: str
) -> None:
    settings, now = Settings(tmp_path), [1e9]
    with closing(Database(settings.url)) as database:
        queue = Queue(database, Vault(bytes(32)), Limits(**{limit: 100.0}), lambda: now[0])
        ruling, _ = queue.submit(given)
        if first == DONE:
            job = queue.claim()
            assert job is not None
            queue.finish(job, b"H. appeals.", {})
        kept = sealed(settings)
        assert kept and all(content in on_disk(settings) for content in kept)
        now[0] += 99
        assert queue.expire() == 0 and queue.state("a", ruling).state == first  # type: ignore[union-attr]
        now[0] += 2
        assert queue.expire() == 1 and queue.state("a", ruling).state == then  # type: ignore[union-attr]
        queue.scrub()
    assert not [content for content in kept if content in on_disk(settings)], reason


def test_the_audit_log_is_kept_by_policy(tmp_path: Path) -> None:
    audit = Audit(tmp_path, clock=lambda: 1795000000.0)
    audit.write("submitted", "a" * 32)
    later = Audit(tmp_path, clock=lambda: 1795000000.0 + 90 * 86400)
    later.retire(60 * 86400.0)
    assert b"a" * 32 not in b"".join(path.read_bytes() for path in segments(tmp_path))
    assert verified(tmp_path)[0] == 1


def test_the_log_is_verified_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ["--data", str(tmp_path)]
    assert main(["serve", "keys", "add", "registry", *data, "--quiet"]) == 0
    capsys.readouterr()
    assert main(["serve", "audit", "verify", *data]) == 0
    last = capsys.readouterr().out.strip()
    assert main(["serve", "audit", "verify", "--known", last, *data]) == 0
    path = segments(tmp_path / "audit")[0]
    path.write_text(path.read_text().replace("registry", "intruder"))
    assert main(["serve", "audit", "verify", *data]) == 1
    assert "line 1: is not as it was written" in capsys.readouterr().err
    assert main(["serve", "audit", "verify", "--data", str(tmp_path / "none")]) == 2
