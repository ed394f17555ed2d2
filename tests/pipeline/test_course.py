"""The course: each notebook runs as it stands, and with the solutions in place every exercise says that it is right."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pages import Block, blocks

COURSE = Path(__file__).resolve().parents[2] / "docs" / "course"
NOTEBOOKS = sorted(COURSE.glob("[0-9]*.py"))
SECONDS = 75
"""All eight are to run in ten minutes on two cores: each has so many, as one process."""

_CELL = re.compile(r"^# %%(?P<head>.*)\n", re.MULTILINE)


def cells(text: str) -> list[tuple[str, str]]:
    """What stands behind the ``# %%`` of each cell, and the cell."""
    pieces = _CELL.split(text)[1:]
    return list(zip(pieces[::2], pieces[1::2], strict=True))


def solved(text: str, answers: list[Block]) -> str:
    """A notebook with the answers in the place of its exercises."""
    left = iter(answers)
    return "\n".join(
        next(left).code if "exercise" in head else cell for head, cell in cells(text) if "[" not in head[:3]
    )


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


def test_there_are_eight_with_three_exercises_each_and_an_answer_to_each() -> None:
    assert len(NOTEBOOKS) == len(answers()) == 8
    for path, found in zip(NOTEBOOKS, answers(), strict=True):
        asked = [cell for head, cell in cells(path.read_text(encoding="utf-8")) if "exercise" in head]
        assert len(asked) == len(found) == 3, path.name
        assert "# %matplotlib inline" in path.read_text(encoding="utf-8")  # else a figure is shown as its name
        assert all(cell.strip().endswith("= ...") for cell in asked)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_with_its_exercises_open(path: Path) -> None:
    began = time.perf_counter()
    done = run(path.read_text(encoding="utf-8"))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "[None, None, None]"
    assert time.perf_counter() - began < SECONDS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "found"), list(zip(NOTEBOOKS, answers(), strict=True)), ids=[p.stem for p in NOTEBOOKS]
)
def test_the_solutions_are_right(path: Path, found: list[Block]) -> None:
    done = run(solved(path.read_text(encoding="utf-8"), found))
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1] == "[True, True, True]", done.stdout[-1500:]
