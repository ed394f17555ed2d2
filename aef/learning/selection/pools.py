"""Candidates evaluated side by side on one machine: in processes that hold the corpus, or in threads.

A process learns the weights that candidates start from itself, so that what it is sent is two lists of numbers. Threads
share one interpreter, for which a third of an evaluation waits.
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any

from joblib import Parallel, effective_n_jobs

from aef.errors import InputError
from aef.learning.selection.criterion import Criterion
from aef.learning.selection.score import Score

Pool = Callable[[Iterable[Any]], Iterable[Score]]
"""Runs joblib tasks and gives their results in order."""

Sets = tuple[tuple[int, ...], ...]

FORKS = sys.platform == "linux"
"""Whether a process can be forked safely, and has the corpus without being sent it."""


def scored(criterion: Criterion, candidate: Sequence[int], path: Sets) -> Score:
    """What a set is worth, learned from the weights at the end of a path of sets."""
    return criterion.evaluate(candidate, criterion.along(path))[0]


@contextmanager
def pool_of(criterion: Criterion, jobs: int, backend: str | None = None) -> Iterator[Pool]:
    """So many ``jobs`` at a time, -1 for as many as there are cores: in processes where they can be forked, else in
    threads. A ``backend`` is asked for by joblib's names: threading, or loky for processes on any system."""
    if jobs == 1 or backend == "threading" or not (FORKS or backend):
        with Parallel(n_jobs=jobs, backend="threading", return_as="generator") as pool:
            yield pool
        return
    context = get_context("fork" if FORKS else "spawn")
    executor = ProcessPoolExecutor(effective_n_jobs(jobs), context, _hold, (criterion,))
    try:
        yield lambda tasks: _run(executor, list(tasks))
    except BrokenProcessPool as error:
        raise InputError("a process of --jobs was ended, for want of memory perhaps: take fewer") from error
    finally:
        executor.shutdown(cancel_futures=True)


def _run(executor: ProcessPoolExecutor, tasks: Sequence[Any]) -> Iterator[Score]:
    _, candidates, paths = zip(*(arguments for _, arguments, _ in tasks), strict=True)
    return executor.map(_scored_here, candidates, paths)


# -- in a process of the pool ----------------------------------------------------------------------------------------

_held: list[Criterion] = []


def _hold(criterion: Criterion) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who waits for the results is interrupted
    _held[:] = [criterion]


def _scored_here(candidate: Sequence[int], path: Sets) -> Score:
    return scored(_held[0], candidate, path)
