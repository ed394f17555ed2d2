"""Quality with its intervals against training time."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import ScalarFormatter

from aef.evaluation.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, STYLE
from aef.learning.comparison.figures import Row

PANELS = (("f2", "F2, %"), ("entity_recall", "entity recall, %"))
COLOURS = (BLUE, ORANGE, GREEN, PURPLE, GREY)
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "*", "h", "p")


def draw(rows: Sequence[Row], title: str) -> Figure:
    """A point a system: F2 and entity recall against seconds of training; what learns nothing stands at the left."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(11, 5), layout="constrained")
        for ax, (name, label) in zip(figure.subplots(1, 2, sharex=True), PANELS, strict=True):
            _panel(ax, rows, name)
            ax.set(xlabel="seconds of training, choice of the threshold included", ylabel=label)
        handles, labels = ax.get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center")
        figure.suptitle(title)
        return figure


def _panel(ax: Axes, rows: Sequence[Row], name: str) -> None:
    known = [row["training_seconds"] for row in rows if row["training_seconds"]]
    left = min(known, default=1.0) / 3
    for number, row in enumerate(rows):
        low, high = (_or(row[f"{name}_{end}"], row[name]) for end in ("low", "high"))
        ax.errorbar(
            _or(row["training_seconds"], left),
            100 * row[name],
            [[100 * (row[name] - low)], [100 * (high - row[name])]],
            color=COLOURS[number % len(COLOURS)],
            marker=MARKERS[number % len(MARKERS)],
            ms=7,
            capsize=3,
            ls="",
            label=row["system"],
        )
    ax.set_xscale("log")
    ax.xaxis.set_major_formatter(ScalarFormatter())
    if any(row["training_seconds"] is None for row in rows):
        ax.axvline(left * np.sqrt(3), color=GREY, ls=":")
        ax.text(left, 1.01, "learn nothing", transform=ax.get_xaxis_transform(), ha="center", color=GREY, fontsize=8)


def _or(value: float | None, other: float) -> float:
    return other if value is None else value
