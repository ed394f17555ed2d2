"""Pictures to look at a model by, a function each: what they return is a figure of matplotlib, drawn without a screen.

Those that need a model's probabilities take a `Finder` and gold documents that it has not learned from. Selection,
study, comparison, evaluation and explanation have their pictures themselves (``plot()``, ``plots()``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import matplotlib
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from aef.classifiers.decoding import logistic
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.figures import evaluate
from aef.evaluation.plots import BLUE, GREEN, GREY, ORANGE, PURPLE, STYLE
from aef.evaluation.token_counts import judge
from aef.tagging.targets import coverage, target_mentions

if TYPE_CHECKING:
    from aef.tagging.finder import Finder

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
_PRESETS = {"balanced": (GREEN, "^"), "f2": (ORANGE, "s"), "safe": (PURPLE, "D"), "promise": (GREY, "X")}
_SHOWN = "(stays)"
_UNTYPED = "(no type)"


def _axes(width: float, height: float, rows: int = 1, **options: Any) -> tuple[Figure, list[Axes]]:
    figure = Figure(figsize=(width, height), layout="constrained")
    return figure, list(figure.subplots(rows, 1, squeeze=False, **options)[:, 0])


def token_probabilities(finder: Finder, gold: Sequence[Document]) -> tuple[Bools, Floats]:
    """Of each token of the documents whether it must be hidden, and how probable the finder takes that; shapes (n,).

    Raises `InputError` where nothing must be hidden, or all.
    """
    wanted = []
    for document in (d.in_language(finder.language) for d in gold):
        inside = coverage(len(document.text), target_mentions(document, finder.target))
        wanted.append(inside[document.tokens.ends] > inside[document.tokens.starts])
    labels = np.concatenate(wanted) if wanted else np.zeros(0, np.bool_)
    if labels.all() or not labels.any():
        raise InputError(f"{len(gold)} documents: there must be tokens to hide ({finder.target}) and others")
    return labels, np.concatenate(finder.probabilities(gold))


def precision_recall(finder: Finder, gold: Sequence[Document]) -> Figure:
    """Precision against recall of tokens for every threshold, before consistency, the presets marked."""
    labels, probabilities = token_probabilities(finder, gold)
    order = np.argsort(-probabilities, kind="stable")
    right = np.cumsum(labels[order])
    last = np.append(np.diff(probabilities[order]) != 0, True)  # tokens as probable as one another go together
    precision, recall = (right / np.arange(1, len(right) + 1))[last], (right / labels.sum())[last]
    with matplotlib.rc_context(STYLE):
        figure, (ax,) = _axes(6, 4.4)
        ax.plot(100 * recall, 100 * precision, color=BLUE, lw=1.6)
        for name, cut in finder.cuts.items():
            hidden = probabilities >= logistic(cut)
            at = 100 * labels[hidden].sum() / labels.sum(), 100 * labels[hidden].sum() / max(hidden.sum(), 1)
            colour, marker = _PRESETS.get(name, (GREY, "o"))
            ax.plot(*at, marker, ms=8, color=colour, label=f"{name}: from {logistic(cut):.2f} on")
        ax.set(xlabel="recall, %", ylabel="precision, %", title=f"{len(gold)} documents, target {finder.target}")
        ax.legend(loc="lower left")
        return figure


def calibration(finder: Finder, gold: Sequence[Document], bins: int = 10) -> Figure:
    """How many tokens of a probability must be hidden indeed; below, how many tokens have it (a logarithmic scale)."""
    labels, probabilities = token_probabilities(finder, gold)
    number = np.minimum((probabilities * bins).astype(int), bins - 1)
    counts = np.bincount(number, minlength=bins)
    there = counts > 0
    mean = np.bincount(number, probabilities, bins)[there] / counts[there]
    share = np.bincount(number, labels, bins)[there] / counts[there]
    error = np.sqrt(share * (1 - share) / counts[there])
    with matplotlib.rc_context(STYLE):
        figure, (ax, below) = _axes(6, 5, 2, sharex=True, height_ratios=(3, 1))
        ax.plot([0, 1], [0, 1], ls="--", color=GREY, label="as it should be")
        ax.errorbar(mean, share, yerr=1.96 * error, fmt="o-", color=BLUE, capsize=3, label="tokens, 95% interval")
        ax.set(ylabel="share to hide", title=f"{len(gold)} documents, target {finder.target}")
        ax.legend(loc="upper left")
        below.bar((np.arange(bins) + 0.5) / bins, counts, width=0.9 / bins, color=BLUE)
        below.set(xlabel="probability", ylabel="tokens", yscale="log")
        return figure


def confusion(gold: Sequence[Document], predicted: Sequence[Document], target: str = "all") -> Figure:
    """Tokens by type: of what type they are in the gold documents, and of what type a system takes them to be."""
    counts = confusion_counts(gold, predicted, target)
    rows, columns = (sorted({pair[side] for pair in counts}) for side in (0, 1))
    values = np.array([[counts.get((row, column), 0) for column in columns] for row in rows])
    shares = values / values.sum(axis=1, keepdims=True)
    with matplotlib.rc_context({**STYLE, "axes.grid": False}):
        figure, (ax,) = _axes(1.8 + 0.9 * len(columns), 1.4 + 0.5 * len(rows))
        ax.imshow(shares, cmap="Blues", vmin=0, vmax=1, aspect="auto")
        for (i, j), value in np.ndenumerate(values):
            colour = "white" if shares[i, j] > 0.5 else "black"
            ax.text(j, i, str(value), ha="center", va="center", color=colour, fontsize=9)
        ax.set_xticks(range(len(columns)), columns, rotation=30, ha="right")
        ax.set_yticks(range(len(rows)), rows)
        ax.set(xlabel="taken for", ylabel="is", title="tokens, shaded by row")
        return figure


def confusion_counts(
    gold: Sequence[Document], predicted: Sequence[Document], target: str
) -> dict[tuple[str, str], int]:
    """How many tokens have which pair of types; what stays on both sides is left out.

    >>> from aef.corpus_tools.document import Mention
    >>> gold = Document.from_text("Ann met Bo in Lyme.", mentions=[Mention(0, 3, "PERSON"), Mention(14, 18, "LOC")])
    >>> confusion_counts([gold], [gold.with_mentions([Mention(0, 3, "PERSON"), Mention(8, 10, "PERSON")])], "all")
    {('PERSON', 'PERSON'): 1, ('(stays)', 'PERSON'): 1, ('LOC', '(stays)'): 1}
    """
    found: dict[tuple[str, str], int] = {}
    for judged in judge(gold, predicted, target):
        types = [[_SHOWN] * len(judged.starts) for _ in range(2)]
        for side, runs in zip(types, (judged.gold_runs(), judged.predicted_runs()), strict=True):
            for run in runs:
                side[run.tokens.start : run.tokens.stop] = [run.entity_type or _UNTYPED] * len(run.tokens)
        for pair in zip(*types, strict=True):
            if pair != (_SHOWN, _SHOWN):
                found[pair] = found.get(pair, 0) + 1
    return found


def learning_curve(
    make: Callable[[], Finder], gold: Sequence[Document], held_out: Sequence[Document], sizes: Sequence[int]
) -> Figure:
    """Precision, recall and F2 on documents kept aside, by the number of documents learned from, with intervals.

    ``make`` gives a finder that has learned nothing; the first documents of ``gold`` are learned from, of each of the
    ``sizes``. Raises `InputError` for a size beyond them.
    """
    if not sizes or min(sizes) < 1 or max(sizes) > len(gold):
        raise InputError(f"sizes {', '.join(map(str, sizes))}: numbers from 1 to {len(gold)}, the documents there are")
    finders = [make().fit(gold[:size]) for size in sizes]
    found = [evaluate(held_out, finder, target=finder.target) for finder in finders]
    with matplotlib.rc_context(STYLE):
        figure, (ax,) = _axes(6.5, 4.2)
        shown = (("recall", ORANGE, "s"), ("precision", GREEN, "^"), ("f2", BLUE, "o"))
        for name, colour, marker in shown:
            y = [100 * one.micro[name] for one in found]
            bounds = [one.intervals.get(name, (one.micro[name],) * 2) for one in found]
            ax.plot(sizes, y, marker=marker, color=colour, label="F2" if name == "f2" else name)
            ax.fill_between(sizes, *(100 * np.array(bounds).T), color=colour, alpha=0.12, lw=0)
        ax.set(xlabel="documents learned from", ylabel=f"% of tokens, {len(held_out)} others", xticks=sizes)
        ax.legend(loc="lower right")
        return figure


def weights(weighed: Mapping[str, float], top: int = 12) -> Figure:
    """The heaviest predicates for hiding and against it, each by its name."""
    ordered = sorted(weighed.items(), key=lambda item: item[1])
    shown = ordered if len(ordered) <= 2 * top else [*ordered[:top], *ordered[-top:]]
    with matplotlib.rc_context(STYLE):
        figure, (ax,) = _axes(7, 0.9 + 0.23 * len(shown))
        names, values = zip(*shown, strict=True)
        ax.barh(range(len(shown)), values, color=[BLUE if value > 0 else ORANGE for value in values], height=0.7)
        ax.set_yticks(range(len(shown)), names, fontsize=9)
        ax.axvline(0, color=GREY, lw=0.8)
        ax.set(xlabel="weight (log-odds): to the right for hiding")
        ax.margins(y=0.01)
        return figure


def clusters(names: Sequence[str], distance: str = "overlap", threshold: float = 0.45) -> Figure:
    """Names of one document as a tree by average linkage; what joins before the threshold, a line, is one person.

    The published method of Garat and Wonsever 2022, section 6. Raises `InputError` for a distance that is none, and
    for fewer than two different names.
    """
    from scipy.cluster.hierarchy import dendrogram

    from aef.linking.published_method import normalized, tree
    from aef.names.distances import resolve

    different = sorted({normalized(name, 0, len(name)) for name in names})
    if len(different) < 2:
        raise InputError(f"{len(different)} different names: a tree has two at least")
    with matplotlib.rc_context(STYLE):
        figure, (ax,) = _axes(6.5, 1 + 0.32 * len(different))
        merges = tree(different, resolve(distance))
        dendrogram(
            merges, labels=different, orientation="left", ax=ax, color_threshold=threshold, above_threshold_color=GREY
        )
        ax.axvline(threshold, color=ORANGE, ls="--", label=f"threshold {threshold}")
        ax.set(xlabel=f"distance ({distance})", xlim=(1.02, -0.02))
        ax.grid(axis="y", visible=False)
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1))
        return figure
