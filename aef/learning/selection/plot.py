"""The criterion against the number of features."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import matplotlib
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from aef.errors import InputError
from aef.evaluation.plots import BLUE, ORANGE, STYLE

if TYPE_CHECKING:
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
