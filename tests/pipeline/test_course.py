"""The course: each notebook runs as it stands, and with the solutions in place every exercise says that it is right."""

from __future__ import annotations

import importlib
import re
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from pages import Block, blocks

COURSE = Path(__file__).resolve().parents[2] / "docs" / "course"
NOTEBOOKS = sorted(COURSE.glob("[0-9]*.py"))
SECONDS = 75
"""All eight are to run in ten minutes on two cores: each has so many of processor time, as one process."""

_CELL = re.compile(r"^# %%(?P<head>.*)\n", re.MULTILINE)


def cells(text: str) -> list[tuple[str, str]]:
    """What stands behind the ``# %%`` of each cell, and the cell."""
    pieces = _CELL.split(text)[1:]
    return list(zip(pieces[::2], pieces[1::2], strict=True))


def tried(text: str, answers: list[Block]) -> str:
    """A notebook in which each exercise is left open, then answered: what follows it comes after either."""
    code = [(head, cell) for head, cell in cells(text) if "[" not in head[:3] or "exercise" in head]
    at = [number for number, (head, _) in enumerate(code) if "exercise" in head]
    parts = [cell for _, cell in code[: at[0]]]
    for number, end, answer in zip(at, [*at[1:], None], answers, strict=True):
        after = [cell for _, cell in code[number + 1 : end]]
        parts += [code[number][1], *after, answer.code, *after]
    return "\n".join(parts)


def answers() -> list[list[Block]]:
    """The answers to each notebook's exercises."""
    sections = (COURSE / "solutions.md").read_text(encoding="utf-8").split("\n## ")[1:]
    return [[block for block in blocks(section) if block.language == "python"] for section in sections]


def run(code: str) -> subprocess.CompletedProcess[str]:
    """Run in a process of its own, beside the notebooks' own module; the last line is what the exercises say."""
    pytest.importorskip("matplotlib")
    lines = ["import matplotlib", "matplotlib.use('agg')", code, "import exercise", "print(exercise.RESULTS)"]
    command = [sys.executable, "-W", "ignore", "-c", "\n".join(lines)]
    return subprocess.run(command, cwd=COURSE, capture_output=True, text=True, check=False)


def spent() -> float:
    """Seconds of processor time of the processes that have ended: what runs beside them counts for nothing."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_there_are_eight_with_three_exercises_each_and_an_answer_to_each() -> None:
    assert len(NOTEBOOKS) == len(answers()) == 8
    for path, found in zip(NOTEBOOKS, answers(), strict=True):
        asked = [cell for head, cell in cells(path.read_text(encoding="utf-8")) if "exercise" in head]
        assert len(asked) == len(found) == 3, path.name
        assert "# %matplotlib inline" in path.read_text(encoding="utf-8")  # else a figure is shown as its name
        assert all(cell.strip().endswith("= ...") for cell in asked)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "found"), list(zip(NOTEBOOKS, answers(), strict=True)), ids=[p.stem for p in NOTEBOOKS]
)
def test_a_notebook_runs_with_its_exercises_open_and_the_solutions_are_right(path: Path, found: list[Block]) -> None:
    began = spent()
    done = run(tried(path.read_text(encoding="utf-8"), found))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == str([None, True] * 3), done.stdout[-1500:]
    assert spent() - began < SECONDS


@pytest.mark.parametrize(
    ("answer", "right", "said"),
    [
        (..., "73475cb4", "open: your turn"),
        (42, "73475cb4", "right"),
        (42.0, "73475cb4", "right"),
        (41, "73475cb4", "not yet. A hint."),
        (lambda: 1, lambda f: f() == 1, "right"),
        ("many", lambda n: n > 3, "not yet. A hint. (TypeError: "),
        ([1, 2, 3], lambda pair: (lambda a, b: a < b)(*pair), "not yet. A hint. (TypeError: "),
    ],
)
def test_what_an_exercise_says(
    answer: object, right: Any, said: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(COURSE)
    importlib.import_module("exercise").check(answer, right, "A hint.")
    assert capsys.readouterr().out.startswith(said)
