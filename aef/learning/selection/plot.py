"""The criterion against the number of features, and what single features gain."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from aef.errors import InputError
from aef.evaluation.plots import BLUE, ORANGE, STYLE

if TYPE_CHECKING:
    from aef.learning.selection.criterion import Criterion
    from aef.learning.selection.run import Selection


def picture_format(path: str | Path) -> str:
    """png, svg or pdf, by the file's name. Raises `InputError` for anything else."""
    suffix = Path(path).suffix.lower()
    if suffix not in (".png", ".svg", ".pdf"):
        raise InputError.at(path, f"is not a picture's name ('{suffix}')", remedy="Use .png, .svg or .pdf")
    return suffix[1:]


def draw(selection: Selection) -> Figure:
    """The best mean F2 of each size, with its spread over the folds, as a figure of matplotlib."""
    best = selection.best
    folds = [100 * np.array(step.score.by_fold()) for step in best.values()]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7, 4.2), layout="constrained")
        ax = figure.subplots()
        means, spread = [np.mean(f) for f in folds], [np.std(f) for f in folds]
        ax.errorbar(list(best), means, yerr=spread, fmt="o-", color=BLUE, capsize=3)
        chosen = selection.chosen
        ax.plot(len(chosen.features), 100 * chosen.score.f2, "*", ms=14, color=ORANGE, label="chosen")
        ax.set(xlabel="number of features", ylabel="F2 over the folds, %")
        ax.set_title(f"Feature selection ({selection.search.method})")
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.legend()
        return figure


def gains(criterion: Criterion, base: Sequence[str], others: Sequence[str]) -> Figure:
    """What each of the ``others`` adds to the features ``base``, in points of F2.

    It is the mean over the folds with its interval: Student's, 95%, of the differences fold by fold. Raises
    `InputError` for features that the criterion does not know.
    """
    from scipy.stats import t

    number = {name: place for place, name in enumerate(criterion.names)}
    if unknown := [name for name in (*base, *others) if name not in number]:
        raise InputError(f"the criterion was not made for {', '.join(unknown)}; it knows {', '.join(number)}")
    score, _ = criterion.evaluate([number[name] for name in base])
    rows = []
    for name in others:
        more, _ = criterion.evaluate(sorted(number[n] for n in (*base, name)))
        apart = 100 * (more.by_fold() - score.by_fold())
        half = t.ppf(0.975, len(apart) - 1) * apart.std(ddof=1) / len(apart) ** 0.5
        rows.append((float(apart.mean()), float(half), name))
    rows.sort()
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(6.5, 1.1 + 0.27 * len(rows)), layout="constrained")
        ax = figure.subplots()
        ax.errorbar([r[0] for r in rows], range(len(rows)), xerr=[r[1] for r in rows], fmt="o", color=BLUE, capsize=3)
        ax.axvline(0, color=ORANGE, lw=0.8)
        ax.set_yticks(range(len(rows)), [r[2] for r in rows])
        ax.set(xlabel="points of F2 gained, 95% interval over the folds", title=f"added to {', '.join(base)}")
        return figure
