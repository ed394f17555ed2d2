"""What each feature contributes: where it is active, what it goes along with, what it adds."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.features import feature_names
from aef.learning.study.plan import Plan
from aef.learning.study.sets import evaluate

Row = dict[str, Any]
Floats = NDArray[np.float64]


def phi(active: NDArray[np.bool_]) -> Floats:
    """The phi coefficients of truth values (n, m), shape (m, m); nan where a column never changes.

    phi = (n11 n00 - n10 n01) / sqrt of the product of the four margins: Pearson's correlation of two truth values.
    """
    n = len(active)
    values = active.astype(np.float64)
    both, ones = values.T @ values, values.sum(axis=0)
    spread = np.sqrt(ones * (n - ones))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((n * both - np.outer(ones, ones)) / np.outer(spread, spread))


def activity(plan: Plan) -> NDArray[np.bool_]:
    """Whether each feature has a predicate on each token learned from, given the gold labels; (tokens, features)."""
    corpus = plan.corpus
    return np.stack([c.at(corpus.histories)[corpus.rows] >= 0 for c in plan.columns.values()], axis=1)


def correlations(plan: Plan) -> Floats:
    """`phi` of the features and, last, of the label A; shape (features + 1, features + 1)."""
    labels = plan.corpus.labels[plan.corpus.rows]
    return phi(np.column_stack([activity(plan), labels]))


def correlation_rows(plan: Plan, matrix: Floats) -> list[Row]:
    """The matrix as a table; None where a feature is active always or never."""
    names = [*plan.names, "label A"]
    return [
        {"feature": name, **dict(zip(names, (_number(v) for v in row), strict=True))}
        for name, row in zip(names, matrix, strict=True)
    ]


def contributions(plan: Plan, matrix: Floats) -> list[Row]:
    """A row a feature; F2 in fractions, means over the folds.

    ``active``: tokens with a predicate; ``coverage``: their share of all; ``share_hidden``: how many of them are A;
    ``hidden_covered``: how many of the A tokens they are; ``phi_label``: correlation with A; ``partner``: the feature
    with the strongest correlation; ``gain``: what it adds to F2 of the nine (None for these); ``loss``: what F2 of all
    features loses without it.
    """
    active, labels = activity(plan), plan.corpus.labels[plan.corpus.rows]
    counts, hits = active.sum(axis=0), active[labels].sum(axis=0)
    gains, losses = _gains(plan), _losses(plan)
    rows = []
    for j, name in enumerate(plan.names):
        row = {
            "feature": name,
            "active": int(counts[j]),
            "coverage": float(counts[j] / len(labels)),
            "share_hidden": float(hits[j] / counts[j]) if counts[j] else None,
            "hidden_covered": float(hits[j] / labels.sum()),
            "phi_label": _number(matrix[j, -1]),
        }
        rows.append(row | _partner(plan, matrix, j) | {"gain": gains.get(name), "loss": losses[name]})
    return rows


def _partner(plan: Plan, matrix: Floats, j: int) -> Row:
    others = np.abs(matrix[j, :-1])
    others[j] = np.nan
    if np.isnan(others).all():
        return {"partner": None, "phi_partner": None}
    best = int(np.nanargmax(others))
    return {"partner": plan.names[best], "phi_partner": _number(matrix[j, best])}


def _gains(plan: Plan) -> dict[str, float]:
    nine = feature_names("nine")
    others = [name for name in plan.names if name not in nine]
    base, *scores = evaluate(plan, [nine, *((*nine, name) for name in others)], nine)
    return {name: score.f2 - base.f2 for name, score in zip(others, scores, strict=True)}


def _losses(plan: Plan) -> dict[str, float]:
    less = [[other for other in plan.names if other != name] for name in plan.names]
    everything, *scores = evaluate(plan, [plan.names, *less], plan.names)
    return {name: everything.f2 - score.f2 for name, score in zip(plan.names, scores, strict=True)}


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)
