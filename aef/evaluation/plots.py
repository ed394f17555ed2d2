"""Figures, drawn without a screen: what all plots look like, and those of an evaluation."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import matplotlib
from matplotlib.figure import Figure

if TYPE_CHECKING:
    from aef.evaluation.explanation import TokenExplanation
    from aef.evaluation.figures import Evaluation

BLUE, ORANGE, GREEN, PURPLE, GREY = "#0072B2", "#D55E00", "#009E73", "#AA4499", "#777777"
"""Told apart by most colour-blind readers, and by their markers in print."""

STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "legend.frameon": False,
    "svg.hashsalt": "aef",
}


def render(figure: Figure, kind: str) -> bytes:
    """The figure as ``png``, ``svg`` or ``pdf``, the same bytes for the same figure."""
    stream = io.BytesIO()
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with matplotlib.rc_context(STYLE):
        figure.savefig(stream, format=kind, dpi=150, metadata=undated.get(kind))
    return stream.getvalue()


def of_evaluation(evaluation: Evaluation) -> Figure:
    """Each figure as a point, in percent, with its interval, and the mean over documents beside it."""
    from aef.evaluation.figures import FIGURE_NAMES

    names = list(FIGURE_NAMES)[::-1]
    values = [100 * evaluation.micro[name] for name in names]
    bounds = [evaluation.intervals.get(name, (evaluation.micro[name],) * 2) for name in names]
    apart = [[v - 100 * b[0] for v, b in zip(values, bounds, strict=True)]]
    apart += [[100 * b[1] - v for v, b in zip(values, bounds, strict=True)]]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7, 3.6), layout="constrained")
        ax = figure.subplots()
        ax.errorbar(values, range(len(names)), xerr=apart, fmt="o", color=BLUE, capsize=3, label="micro, 95% interval")
        ax.plot([100 * evaluation.macro[name] for name in names], range(len(names)), "D", color=ORANGE, label="macro")
        ax.set_yticks(range(len(names)), [FIGURE_NAMES[name] for name in names])
        ax.set(xlabel="percent", title=f"{len(evaluation.judged)} documents, target {evaluation.target}")
        ax.legend(loc="best")
        return figure


def of_weights(explained: TokenExplanation, top: int = 12) -> Figure:
    """What speaks for a name and against it, of one word: the weights of its predicates, the heaviest first."""
    told = explained.predicates[:top][::-1]
    with matplotlib.rc_context(STYLE):
        figure = Figure(figsize=(7, 0.9 + 0.3 * len(told)), layout="constrained")
        ax = figure.subplots()
        ax.barh(
            [str(p) for p in told], [p.weight for p in told], color=[BLUE if p.weight > 0 else ORANGE for p in told]
        )
        ax.axvline(0, color=GREY, lw=0.8)
        ax.set(xlabel="weight", title=f"{explained.text}: probability {explained.probability:.3f}")
        return figure
