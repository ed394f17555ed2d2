"""Precision, recall and their like from counts, over documents and with intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

COUNTS = ("tp", "fp", "fn", "mentions", "mentions_found", "entities", "entities_found")
FIGURES = ("precision", "recall", "f1", "f2", "f2_thesis", "entity_recall", "mention_recall")
LEVEL = 95.0
"""The confidence level of the intervals, percent."""
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def figures(counts: NDArray[Any]) -> dict[str, Floats]:
    """The `FIGURES` of counts of shape (..., 7), columns as in `COUNTS`; each of shape (...)."""
    tp, fp, fn, mentions, mentions_found, entities, entities_found = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
    return {
        "precision": _quotient(tp, tp + fp),
        "recall": _quotient(tp, tp + fn),
        "f1": _f(tp, fp, fn, 1),
        "f2": _f(tp, fp, fn, 4),
        "f2_thesis": _f(tp, fp, fn, 2),
        "entity_recall": _quotient(entities_found, entities),
        "mention_recall": _quotient(mentions_found, mentions),
    }


def _f(tp: Floats, fp: Floats, fn: Floats, beta_squared: int) -> Floats:
    """(1 + b) P R / (b P + R), with b = beta squared."""
    return _quotient((1 + beta_squared) * tp, (1 + beta_squared) * tp + beta_squared * fn + fp)


def _quotient(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def macro(counts: Ints) -> dict[str, float]:
    """The means over the documents in which there is something to judge."""
    judged = {"entity_recall": counts[:, 5] > 0, "mention_recall": counts[:, 3] > 0}
    tokens = counts[:, :3].any(axis=1)
    values = figures(counts)
    return {name: _mean(values[name][judged.get(name, tokens)]) for name in FIGURES}


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0


def intervals(counts: Ints, samples: int, seed: int) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap over documents of the micro figures; empty for fewer than two documents."""
    n = len(counts)
    if samples < 1 or n < 2:
        return {}
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=samples)  # how often each document
    bounds = [(100 - LEVEL) / 2, (100 + LEVEL) / 2]
    low_high = {name: np.percentile(values, bounds) for name, values in figures(drawn @ counts).items()}
    return {name: (float(low), float(high)) for name, (low, high) in low_high.items()}
