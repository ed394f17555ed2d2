"""``aef edit`` as a newcomer has it: started, answered, killed in the middle, gone on with, ended by itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from aef.commands import main

TEXT = """IN THE SUPREME COURT

Between: Mr. Zebulon Quistgaard, Plaintiff, and Ms. Tilda Osei, Defendant.

1. Mr. Quistgaard met Ms. Osei at Lower Barton. Lower Barton is a farm.
"""

_CODE = "import sys; from aef.commands import main; sys.exit(main(sys.argv[1:]))"
COMMAND = [sys.executable, "-c", _CODE, "edit", "--no-browser"]


@pytest.fixture
def ruling(tmp_path: Path) -> Path:
    path = tmp_path / "ruling.txt"
    path.write_text(TEXT, "utf-8")
    return path


@contextmanager
def started(*arguments: str | Path) -> Iterator[tuple[subprocess.Popen[str], httpx.Client]]:
    """The command, and a browser that has entered."""
    command = [*COMMAND, *map(str, arguments)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        with httpx.Client(base_url=address.partition("/enter")[0], timeout=60) as browser:
            browser.get(address)
            try:
                yield process, browser
            finally:
                process.kill()


def first(browser: httpx.Client) -> str:
    return str(browser.get("/api/rulings").json()[0]["id"])


@pytest.mark.slow
def test_a_kill_in_the_middle_loses_nothing(ruling: Path) -> None:
    place = TEXT.index("Lower Barton")
    with started(ruling) as (process, browser):
        fact = {"kind": "hide", "place": [place, place + 12], "type": "MISC"}
        answer = browser.post(f"/api/{first(browser)}/tell", json={"version": 0, "facts": [fact]})
        assert answer.status_code == 200
        os.kill(process.pid, signal.SIGKILL)
    with started(ruling) as (_, browser):
        shown = browser.get(f"/api/{first(browser)}").json()
        assert shown["undo"] == 1
        assert browser.post(f"/api/{first(browser)}/finish", json={"version": 0}).json()["written"]
    safe = ruling.with_name("ruling-safe.txt").read_text("utf-8")
    assert not [name for name in ("Lower Barton", "Quistgaard", "Osei") if name in safe]
    assert ruling.read_text("utf-8") == TEXT


def test_it_ends_by_itself_and_tells_no_text(ruling: Path) -> None:
    done = subprocess.run([*COMMAND, str(ruling), "--idle", "0.001"], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0
    assert "Quistgaard" not in done.stdout + done.stderr and "ruling.txt" not in done.stdout


def test_several_rulings_go_into_a_folder(ruling: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text(TEXT, "utf-8")
    with started(ruling, other, "-o", tmp_path / "safe") as (_, browser):
        for known in browser.get("/api/rulings").json():
            assert browser.post(f"/api/{known['id']}/finish", json={"version": 0}).json()["written"]
    assert {p.name for p in (tmp_path / "safe").glob("*.txt")} == {"ruling-safe.txt", "other-safe.txt"}


@pytest.mark.parametrize(
    ("reason", "arguments", "said"),
    [
        ("no such ruling", ["nothing.txt"], "no such file"),
        ("another format", ["ruling.pdf"], "no such file"),
        ("no such model", ["ruling.txt", "--model", "nobody"], "nobody"),
        ("no such policy", ["ruling.txt", "--policy", "nobody"], "unknown policy"),
        ("no such scheme", ["ruling.txt", "--scheme", "nobody"], "nobody"),
        ("no time", ["ruling.txt", "--idle", "0"], "--idle"),
        ("no port", ["ruling.txt", "--port", "99999"], "--port"),
        ("two of one name", ["ruling.txt", "sub/ruling.txt", "-o", "safe"], "two rulings are called"),
    ],
)
def test_a_mistake_is_one_line(
    ruling: Path,
    reason: str,
    arguments: list[str],
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(ruling.parent)
    assert main(["edit", *arguments]) == 2, reason
    error = capsys.readouterr().err
    assert said in error and error.count("\n") == 1


def test_answers_on_another_text_are_not_taken(ruling: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = ruling.with_name(".ruling.txt.aefedit")
    saved.write_text('{"format": 1, "text": "0", "facts": [], "undone": []}', "utf-8")
    assert main(["edit", "--no-browser", str(ruling)]) == 2
    assert "another text" in capsys.readouterr().err
    assert saved.exists()
