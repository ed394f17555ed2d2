"""From outcomes to rows: quality with intervals, differences to a baseline by a paired bootstrap, and costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document
from aef.evaluation.figures import Evaluation, evaluate
from aef.evaluation.scores import LEVEL, figures
from aef.evaluation.tables import table
from aef.learning.comparison.run import Outcome

Floats = NDArray[np.float64]
Row = dict[str, Any]
Difference = tuple[float, float | None, float | None]

QUALITY = ("precision", "recall", "f1", "f2", "entity_recall")
COSTS = ("training_seconds", "choosing_seconds", "tagging_seconds", "tokens_per_second", "bytes")


def rows(
    outcomes: Sequence[Outcome], gold: Sequence[Document], target: str, baseline: str, samples: int, seed: int
) -> list[Row]:
    """A flat row a system; see `row`. Differences are to the system ``baseline``."""
    evaluated = [evaluate(gold, outcome.predicted, target, samples, seed) for outcome in outcomes]
    counts = [evaluation.document_counts for evaluation in evaluated]
    base = counts[[outcome.name for outcome in outcomes].index(baseline)]
    return [
        row(outcome, evaluation, differences(own, base, samples, seed))
        for outcome, evaluation, own in zip(outcomes, evaluated, counts, strict=True)
    ]


def row(outcome: Outcome, evaluation: Evaluation, difference: dict[str, Difference]) -> Row:
    """For each of `QUALITY` the figure, its interval, the difference to the baseline and the interval of that."""
    found: Row = {"system": outcome.name}
    for name in QUALITY:
        low, high = evaluation.intervals.get(name, (None, None))
        by, by_low, by_high = difference[name]
        found |= {name: evaluation.micro[name], f"{name}_low": low, f"{name}_high": high}
        found |= {f"{name}_difference": by, f"{name}_difference_low": by_low, f"{name}_difference_high": by_high}
    costs = (outcome.training, outcome.choosing, outcome.tagging, outcome.tokens_per_second, outcome.size)
    return found | dict(zip(COSTS, costs, strict=True))


def differences(counts: NDArray[np.int64], base: NDArray[np.int64], samples: int, seed: int) -> dict[str, Difference]:
    """Of each micro figure, how much higher it is than the baseline's, and the bounds of its interval, if any.

    Paired percentile bootstrap: each sample draws documents with replacement, and both systems are measured on the
    documents drawn. ``counts`` and ``base``: of the same documents, as `Evaluation.document_counts` has them.
    """
    n = len(counts)
    whole = _differences(np.ones((1, n), np.int64), counts, base)
    if samples < 1 or n < 2:
        return {name: (float(values[0]), None, None) for name, values in whole.items()}
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=samples)  # how often each document
    bounds = [(100 - LEVEL) / 2, (100 + LEVEL) / 2]
    intervals = {name: np.percentile(v, bounds) for name, v in _differences(drawn, counts, base).items()}
    return {name: (float(whole[name][0]), float(low), float(high)) for name, (low, high) in intervals.items()}


def _differences(drawn: NDArray[np.int64], counts: NDArray[np.int64], base: NDArray[np.int64]) -> dict[str, Floats]:
    own, other = figures(drawn @ counts), figures(drawn @ base)
    return {name: own[name] - other[name] for name in QUALITY}


# --- as text --------------------------------------------------------------------------------------------------------

HEADER = ["system", "P", "R", "F1", "F2", "entity recall", "F2 against", "entity recall against"]
HEADER += ["train s", "threshold s", "tag s", "tokens/s", "model kB"]


def as_text(found: Sequence[Row], absent: dict[str, str], baseline: str) -> str:
    """The rows in percent; differences to the baseline in points, "*" where the interval leaves out zero."""
    width = max(len(row["system"]) for row in found)
    cells = [_cells(row, row["system"] == baseline) for row in found]
    others = [f"{name:<{width}}  {why}" for name, why in absent.items()]
    return "\n".join([table(cells, HEADER), *others, "", *_legend(baseline)])


def _cells(row: Row, is_baseline: bool) -> list[Any]:
    quality = [100 * row[name] for name in ("precision", "recall", "f1", "f2", "entity_recall")]
    against = ["", ""] if is_baseline else [_against(row, "f2"), _against(row, "entity_recall")]
    seconds = [_or_none(row[name], 1) for name in ("training_seconds", "choosing_seconds", "tagging_seconds")]
    size = row["bytes"]
    return [
        row["system"], *quality, *against, *seconds, f"{row['tokens_per_second']:.0f}", _or_none(size and size / 1e3, 0)
    ]  # fmt: skip


def _against(row: Row, name: str) -> str:
    by, low, high = (row[f"{name}_difference{end}"] for end in ("", "_low", "_high"))
    if low is None:
        return f"{100 * by:+.1f}"
    return f"{100 * by:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]{'*' if low > 0 or high < 0 else ' '}"


def _or_none(value: float | None, decimals: int) -> str:
    return "" if value is None else f"{value:.{decimals}f}"


def _legend(baseline: str) -> list[str]:
    return [
        f"against: points more than {baseline}, with a {LEVEL:.0f}% interval (paired bootstrap over documents); "
        "* zero lies outside.",
        "train s: medians over the folds, with the choice of the threshold (threshold s: its part, where it is told).",
    ]
