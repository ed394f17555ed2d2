"""The plot of the sweep of `aef.experiments.linking`: Figures 5 to 7 of Garat and Wonsever 2022 on each corpus."""

from __future__ import annotations

from collections.abc import Mapping

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from aef.evaluation.clusters import FIGURES
from aef.evaluation.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, STYLE, render
from aef.experiments.linking import ARI, THRESHOLDS, Sweep, Way

COLOURS = (BLUE, ORANGE, GREEN, PURPLE, GREY)
MARKERS = "osD^v"
FIVE = ("completeness", "homogeneity", "ari", "accuracy")
SEVEN = ("ari", "v_measure", "accuracy", "completeness", "homogeneity")


def draw(sweeps: Mapping[str, Sweep]) -> bytes:
    """A PNG with a row of four plots for each corpus."""
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(19, 4.6 * len(sweeps)), layout="constrained")
        rows = figure.subplots(len(sweeps), 4, squeeze=False)
        for axes, (corpus, found) in zip(rows, sweeps.items(), strict=True):
            _by_threshold(axes[0], found, Way("overlap", "words"), f"{corpus}: overlap over words (Figure 5)")
            _by_threshold(axes[1], found, Way("jaccard", "words"), f"{corpus}: Jaccard over words (Figure 5)")
            _best(axes[2], found, f"{corpus}: ARI of the best four and the paper's (Figure 6)")
            _bars(axes[3], found, f"{corpus}: the best four at their thresholds (Figure 7)")
    return render(figure, "png")


def _by_threshold(ax: Axes, found: Sweep, way: Way, title: str) -> None:
    scores = found.scores[found.ways.index(way)].mean(axis=1)
    for name, colour, marker in zip(FIVE, COLOURS, MARKERS, strict=False):
        ax.plot(THRESHOLDS, scores[:, FIGURES.index(name)], color=colour, marker=marker, ms=4, label=name)
    ax.axvline(0.45 if way.distance == "overlap" else 0.75, color=GREY, lw=1, ls=":")  # the paper's threshold
    _finish(ax, title)


def _best(ax: Axes, found: Sweep, title: str) -> None:
    published = found.ways.index(Way("overlap", "words"))
    ways = list(dict.fromkeys([*found.ranked()[:4], published]))
    for way, colour, marker in zip(ways, COLOURS, MARKERS, strict=False):
        scores = found.scores[way, :, :, ARI].mean(axis=1)
        ax.plot(THRESHOLDS, scores, color=colour, marker=marker, ms=4, label=str(found.ways[way]))
    _finish(ax, title)


def _bars(ax: Axes, found: Sweep, title: str) -> None:
    places = np.arange(len(SEVEN))
    for i, way in enumerate(found.ranked()[:4]):
        threshold = found.best(way)
        values = [found.at(way, threshold)[FIGURES.index(name)] for name in SEVEN]
        label = f"{found.ways[way]} {THRESHOLDS[threshold]:.2f}"
        ax.bar(places + 0.2 * (i - 1.5), values, 0.2, color=COLOURS[i], label=label)
    ax.set_xticks(places, [name.replace("_", "-") for name in SEVEN], rotation=20)
    ax.set_ylim(0, 1.3)
    ax.set_title(title)
    ax.legend(loc="upper left", fontsize=8, ncols=2)


def _finish(ax: Axes, title: str) -> None:
    ax.set_xlabel("threshold")
    lowest = min(float(ys.min()) for line in ax.lines if (ys := np.asarray(line.get_ydata())).size > 2)
    ax.set_ylim(np.floor(10 * lowest) / 10 - 0.01, 1.01)
    ax.set_title(title)
    ax.legend(loc="best", fontsize=8)
