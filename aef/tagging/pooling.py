"""What the words of a phrase say of each other: a name is hidden whole or not at all.

A token's log-odds are drawn to those of its phrase, a run of capitalized words joined by words like "of": "Istanbul
State Security Court" is one decision of whoever hides it, and "State" alone would tell nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.decoding import Scores, logistic
from aef.features.extraction import Ints, Layout

Floats = NDArray[np.float64]
Lexicons = Mapping[str, frozenset[str]]

SHARES = (0.0, 0.2, 0.3, 0.4)
"""How much of a token's log-odds are its phrase's: the shares to choose from."""

_SUREST = 1e-6  # no phrase is surer than that


def pooled(scores: Scores, layout: Layout, lexicons: Lexicons, share: float) -> Scores:
    """The log-odds of A, ``share`` of them those of the mean probability of the token's phrase.

    Tokens outside phrases keep theirs. Raises `ValueError` where log-odds depend on the labels before.
    """
    if not share:
        return scores
    log_odds, phrase = scores.flat(), phrases(layout, lexicons)
    inside = np.flatnonzero(phrase >= 0)
    numbers = phrase[inside]
    sums = np.bincount(numbers, logistic(log_odds[inside]))
    means = np.clip(sums / np.maximum(np.bincount(numbers), 1), _SUREST, 1 - _SUREST)
    log_odds = log_odds.copy()
    log_odds[inside] += share * (np.log(means / (1 - means))[numbers] - log_odds[inside])
    return Scores.without_history(log_odds)


def phrases(layout: Layout, lexicons: Lexicons) -> Ints:
    """The number of each token's phrase, -1 outside of all; shape (n,). See `aef.features.ruling.Ruling.phrases`."""
    rulings = layout.rulings(lexicons)
    lows = layout.bounds[:-1]
    spans = [np.array(r.phrases, dtype=np.int64).reshape(-1, 2) + low for r, low in zip(rulings, lows, strict=True)]
    starts, ends = np.concatenate(spans).T
    begun, ended = (np.bincount(places, minlength=len(layout.positions) + 1)[:-1] for places in (starts, ends))
    return np.where(np.cumsum(begun - ended) > 0, np.cumsum(begun) - 1, -1)
