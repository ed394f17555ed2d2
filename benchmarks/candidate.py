"""One candidate evaluation of the feature selection against the plain pipeline, and a whole selection."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Iterator, Sequence
from functools import partial

from aef import lexicons
from aef.benchmarks.measure import Row, Setting, say, timed
from aef.benchmarks.plain import DEFAULT, TIGHT, Plain
from aef.features import feature_names
from aef.learning.selection import Criterion, select
from aef.learning.selection.folded import Weights

PLAIN = "one-hot, lbfgs"


def candidate(setting: Setting) -> Iterator[Row]:
    """Candidates of 2, 8 and 16 features, as a selection evaluates them: from the weights of the set before."""
    names, lists = feature_names("thesis"), lexicons.load_all()
    criterion = Criterion(setting.documents, names, "all", lists)
    plain = Plain(setting.documents, names, lists)
    order = thesis_order(names)
    for k in (2, 8) if setting.short else (2, 8, 16):
        say(f"candidate: {k} features")
        parent, rest = order[: k - 1], order[k - 1 :]
        sample = [(*parent, j) for j in rest[:: max(len(rest) // (1 if setting.short else 3), 1)]]
        weights = criterion.evaluate(parent)[1]
        ours = [timed(partial(_f2, criterion, s, weights), 5) for s in sample]
        theirs = [timed(partial(plain.evaluate, s, TIGHT)) for s in sample]
        yield _row(k, ours, theirs, f"{PLAIN} {TIGHT:g}", "50" if k == 8 else "")
        if k == 8:
            yield from _others(criterion, plain, sample, ours, theirs)


def thesis_order(names: Sequence[str]) -> tuple[int, ...]:
    """The features' numbers: the thesis's nine in front."""
    nine = feature_names("nine")
    return tuple(names.index(name) for name in (*nine, *(n for n in names if n not in nine)))


def _f2(criterion: Criterion, features: Sequence[int], start: Weights | None = None) -> float:
    return criterion.evaluate(features, start)[0].f2


def _others(
    criterion: Criterion,
    plain: Plain,
    sample: list[tuple[int, ...]],
    ours: list[tuple[float, float]],
    theirs: list[tuple[float, float]],
) -> Iterator[Row]:
    """The same with a start from nothing for us, and with scikit-learn's default tolerance for the other."""
    cold = [timed(partial(_f2, criterion, s), 3) for s in sample]
    yield _row(8, cold, theirs, f"{PLAIN} {TIGHT:g}", "", ", started from nothing")
    loose = [timed(partial(plain.evaluate, s, DEFAULT)) for s in sample]
    yield _row(8, ours, loose, f"{PLAIN} {DEFAULT:g} (default)", "")


def _row(
    k: int, ours: list[tuple[float, float]], theirs: list[tuple[float, float]], beside: str, wanted: str, how: str = ""
) -> Row:
    off = max(abs(a - b) for (_, a), (_, b) in zip(ours, theirs, strict=True))
    note = f"mean of {len(ours)} candidates; F2 of ours and theirs differ by at most {100 * off:.3f} points"
    mean = [statistics.mean(seconds for seconds, _ in side) for side in (ours, theirs)]
    return Row("candidate", f"k = {k}{how}", mean[0], "s", beside, mean[1], wanted, note)


def selection(setting: Setting) -> Iterator[Row]:
    """A whole floating selection, beside what its evaluations would take the plain pipeline."""
    names, lists = feature_names("thesis"), lexicons.load_all()
    if setting.short:
        names = feature_names("nine")
    k = min(16, len(names) - 5)
    say(f"selection: {len(names)} features to {k}")
    began = time.perf_counter()
    criterion = Criterion(setting.documents, names, "all", lists)
    ready, spent = time.perf_counter(), sum(os.times()[:4])
    done = select(criterion, "sffs", k, setting.jobs)
    wall, spent = time.perf_counter() - ready, sum(os.times()[:4]) - spent  # of the processes, too
    say("selection: the plain pipeline, one evaluation")
    middle = done.best[min(8, k)].features
    numbers = [names.index(name) for name in middle]
    one, _ = timed(lambda: Plain(setting.documents, names, lists).evaluate(numbers, TIGHT))
    what = f"{len(names)} features to {k}"
    note = f"{done.evaluations} evaluations; {ready - began:.1f} s before; F2 {100 * done.chosen.score.f2:.2f}"
    yield Row("selection", f"{what}, {setting.jobs} jobs", wall, "s wall", "", None, "at most 60 s", note)
    beside, note = (
        f"{PLAIN} {TIGHT:g}, estimated",
        f"theirs: one evaluation of {len(middle)} features, {one:.1f} s, times",
    )
    yield Row("selection", what, spent, "s", beside, one * done.evaluations, "", f"{note} {done.evaluations}")
