"""From scores to labels, left to right: each token's history is made of the labels already predicted."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from aef.features.extraction import STATES, Layout

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


def decode(scores: Floats, layout: Layout, cut: float = 0.0) -> tuple[Bools, NDArray[np.int64]]:
    """Greedy labels, and the history's number each token was labelled under; shapes (n,).

    ``scores``: log-odds of A, shape (n, 8), one column a history of `STATES`; a token is A where its score under
    the history reached exceeds ``cut``. AEF thesis, section 3.4. Most tokens are labelled the same under every
    history: only the others are visited one by one.
    """
    decisions = scores > cut
    labels: Bools = np.asarray(decisions.all(axis=1))
    open_ = np.flatnonzero(decisions.any(axis=1) & ~labels)
    if len(open_):
        _settle(labels, open_, decisions[open_], layout)
    history = layout.histories(labels)
    return labels, history


def _settle(labels: Bools, tokens: NDArray[np.int64], decisions: Bools, layout: Layout) -> None:
    """Label, in place and in order, the tokens that depend on their history."""
    keys = layout.document_words
    hidden = np.flatnonzero(labels)
    earliest = {int(k): int(i) for k, i in zip(keys[hidden][::-1], hidden[::-1], strict=True)}
    row = layout.row(labels).tolist()
    bits = (decisions @ (1 << np.arange(len(STATES)))).tolist()
    places = layout.positions[tokens].tolist()
    for token, place, key, decision in zip(tokens.tolist(), places, keys[tokens].tolist(), bits, strict=True):
        seen = earliest.get(key, token) < token
        if decision >> (row[place - 1] + 2 * row[place - 2] + 4 * seen) & 1:
            labels[token] = True
            row[place] = 1
            earliest[key] = min(token, earliest.get(key, token))


CUTS = np.round(np.linspace(-5, 2, 57), 3)
"""Cuts on the log-odds that are tried: probabilities from 0.007 to 0.88."""


def best_cut(
    scores: Floats, layout: Layout, gold: Bools, rows: NDArray[np.int64], beta: float = 2.0
) -> tuple[float, float]:
    """The cut on the log-odds with the best F-beta over the tokens ``rows``, and the F-beta there.

    The curve is smoothed over five neighbouring cuts first: thresholds tuned on few documents are unstable. Ties go to
    the lower cut.
    """
    curve = np.array([f_beta(gold[rows], decode(scores, layout, cut)[0][rows], beta) for cut in CUTS])
    smooth = np.convolve(np.pad(curve, 2, mode="edge"), np.full(5, 0.2), mode="valid")
    best = int(np.argmax(np.round(smooth, 9)))
    return float(CUTS[best]), float(curve[best])


def f_beta(gold: Bools, predicted: Bools, beta: float) -> float:
    """F-beta of truth values; 0 where nothing is gold or predicted."""
    hits = float(np.sum(gold & predicted))
    weighted = (1 + beta**2) * hits
    total = beta**2 * float(np.sum(gold)) + float(np.sum(predicted))
    return weighted / total if total else 0.0
