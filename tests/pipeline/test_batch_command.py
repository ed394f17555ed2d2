"""``aef batch`` from the command line: its report, what it says and returns, kill -9 in the middle and going on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from aef.batch.orders import Order
from aef.batch.recipe import Recipe
from aef.batch.run import run as run_batch
from aef.commands import main

NAMES = ["Millar", "Quist", "Osei", "Petrov", "Tran"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Thirty rulings in two folders, one of them broken, and a list of names."""
    for number in range(30):
        path = tmp_path / "in" / ("a" if number % 2 else "b") / f"{number:02}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"Mr. {NAMES[number % 5]} met Ms. {NAMES[(number + 1) % 5]} on day {number}. " * 60)
    (tmp_path / "in" / "a" / "99.docx").write_bytes(b"PK\3\4")
    (tmp_path / "names.txt").write_text("\n".join(NAMES))
    monkeypatch.chdir(tmp_path)
    return tmp_path


COMMAND = ["batch", "in", "-o", "out", "--annotator", "gazetteer:names.txt", "--scheme", "letters"]


def test_the_report_and_the_exit_code(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*COMMAND, "--json"]) == 1, "one was refused"
    report = json.loads(capsys.readouterr().out)
    assert (report["done"], report["refused"]) == (30, 1)
    assert (folder / "out" / "b" / "00.txt").read_text().startswith("Mr. AA met Ms. BB on day 0.")
    (folder / "in" / "a" / "99.docx").unlink()
    assert main([*COMMAND]) == 0
    output = capsys.readouterr()
    assert "done                    30" in output.out and "refused:" not in output.out
    assert "report.csv (names the originals; only you can read it)" in output.err
    assert main([*COMMAND, "--seed", "1"]) == 2
    assert "holds a batch with other settings (seed)" in capsys.readouterr().err
    assert main(["batch", "in", "-o", "in/out"]) == 2
    with pytest.raises(SystemExit) as usage:
        main(["batch", "in"])
    assert usage.value.code == 2


def outputs(folder: Path) -> dict[str, str]:
    return {p.relative_to(folder).as_posix(): p.read_text() for p in folder.glob("[ab]/*")}


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "killpg"), reason="this system has no kill -9")
def test_killed_in_the_middle_it_goes_on(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = [*COMMAND, "--jobs", "2"]
    run = subprocess.Popen(
        [sys.executable, "-c", "import sys; from aef.commands import main; sys.exit(main())", *arguments],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    state = folder / "out" / ".aef-batch" / "state.jsonl"
    until = time.monotonic() + 60
    while run.poll() is None and time.monotonic() < until:
        if state.exists() and state.read_bytes().count(b'"outcome"') >= 5:
            break
        time.sleep(0.005)
    os.kill(run.pid, signal.SIGKILL)  # its workers notice, and end
    run.wait()
    before = {json.loads(line)["outcome"]["ruling"] for line in whole_lines(state) if b'"outcome"' in line}
    assert 5 <= len(before) < 31
    assert main([*arguments, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["done"], report["refused"]) == (30, 1)
    assert report["by_an_earlier_run"] >= len(before)
    done = [json.loads(line)["outcome"]["ruling"] for line in whole_lines(state) if b'"outcome"' in line]
    assert len(done) == len(set(done)) == 31, "each once"
    run_batch(Order(Path("in"), Path("alone"), Recipe(annotator="gazetteer:names.txt", scheme="letters")))
    assert outputs(folder / "out") == outputs(folder / "alone") and len(outputs(folder / "out")) == 30


def whole_lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]
