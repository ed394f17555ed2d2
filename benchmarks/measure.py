"""How things are timed, and what a row of the table holds."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from aef.corpus_tools.document import Document

T = TypeVar("T")

ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Setting:
    """What all parts are given: the corpus, also as a file, a folder for what they write, how thorough to be, and the
    folder of corpora."""

    gold: Path
    documents: Sequence[Document]
    folder: Path
    short: bool = False
    jobs: int = 2
    data: Path = Path()

    @property
    def tokens(self) -> int:
        return sum(len(document.words) for document in self.documents)


@dataclass(frozen=True)
class Row:
    """A figure of ours beside another's in the same unit; ``times``: how many times better ours is."""

    part: str
    what: str
    ours: float | None
    unit: str
    beside: str = ""
    theirs: float | None = None
    wanted: str = ""
    note: str = ""

    @property
    def times(self) -> float | None:
        if not self.ours or not self.theirs:
            return None
        return self.ours / self.theirs if self.unit.endswith("/s") else self.theirs / self.ours

    def cells(self) -> list[str]:
        figures = [short(self.ours), self.unit, self.beside, short(self.theirs)]
        return [f"{self.part}: {self.what}", *figures, short(self.times), self.wanted]


HEADER = ["measured", "ours", "unit", "beside", "theirs", "times", "wanted"]


def short(figure: float | None) -> str:
    """Three digits that count."""
    if figure is None:
        return ""
    if figure >= 100:
        return f"{figure:,.0f}"
    return f"{figure:.3g}"


def timed(function: Callable[[], T], runs: int = 1) -> tuple[float, T]:
    """The median seconds of processor time of some runs, and what the last gave."""
    seconds = []
    for _ in range(runs):
        began = time.process_time()
        result = function()
        seconds.append(time.process_time() - began)
    return statistics.median(seconds), result


def say(text: str) -> None:
    """Progress, with the machine's load: timings beside other work are worth less."""
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    print(f"{time.strftime('%H:%M:%S')} (load {load}) {text}", file=sys.stderr, flush=True)


def in_child(task: str, *arguments: str | Path | int) -> dict[str, Any]:
    """What a task of `aef.benchmarks.child` found out, in a process of its own with one thread a library."""
    command = [sys.executable, "-m", "aef.benchmarks.child", task, *map(str, arguments)]
    done = subprocess.run(command, env=os.environ | ONE_THREAD, stdout=subprocess.PIPE, check=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found
