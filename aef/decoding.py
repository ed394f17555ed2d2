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
    the history reached exceeds ``cut``. AEF thesis, section 3.4.
    """
    powers = 1 << np.arange(len(STATES))
    decisions = ((scores > cut) @ powers).tolist()
    words = layout.word_ids.tolist()
    first = layout.first[layout.positions].tolist()
    states: list[int] = []
    for low, high in zip(layout.bounds[:-1], layout.bounds[1:], strict=True):
        states += _document_states(decisions[low:high], words[low:high], first[low:high])
    history = np.array(states, dtype=np.int64)
    return scores[np.arange(len(history)), history] > cut, history


def _document_states(decisions: list[int], words: list[int], first: list[int]) -> list[int]:
    """The histories of one document's tokens; a decision holds one bit a history."""
    states = []
    before = before2 = 0
    hidden: set[int] = set()
    for i, (bits, word, begins) in enumerate(zip(decisions, words, first, strict=True)):
        if begins and i:
            before, before2 = 0, before
        state = before + 2 * before2 + (4 if word in hidden else 0)
        states.append(state)
        before, before2 = bits >> state & 1, before
        if before:
            hidden.add(word)
    return states


CUTS = np.round(np.linspace(-5, 2, 57), 3)
"""Cuts on the log-odds that are tried: probabilities from 0.007 to 0.88."""


def best_cut(
    scores: Floats, layout: Layout, gold: Bools, rows: NDArray[np.int64], beta: float = 2.0
) -> tuple[float, float]:
    """The cut on the log-odds with the best F-beta over the tokens ``rows``, and that F; ties go to the lower cut."""
    scored = [(f_beta(gold[rows], decode(scores, layout, cut)[0][rows], beta), -cut) for cut in CUTS]
    best, negated = max(scored)
    return float(-negated), best


def f_beta(gold: Bools, predicted: Bools, beta: float) -> float:
    """F-beta of truth values; 0 where nothing is gold or predicted."""
    hits = float(np.sum(gold & predicted))
    weighted = (1 + beta**2) * hits
    total = beta**2 * float(np.sum(gold)) + float(np.sum(predicted))
    return weighted / total if total else 0.0
