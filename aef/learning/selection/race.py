"""Candidates that will hardly win any more are stopped while they learn (after Maron & Moore 1997, Hoeffding races).

What a candidate must reach is known: the best of the round's favourites, or what a step back has to gain. After each
Newton step its F2 is taken, and with it what it may still gain: events whose score is nearer to zero than the last step
was long may end on the other side, each for itself. Where F2 stays below the bar even so, with `CONFIDENCE` if what
they bring is normally distributed, learning ends. That no event moves further than it did in the last step is assumed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.newton import Floats, Solution
from aef.learning.selection.score import counted

CONFIDENCE = 0.999
_DEVIATIONS = NormalDist().inv_cdf(CONFIDENCE)

FAVOURITES = 2
"""How many candidates of a round are learned to the end whatever comes."""


class Rival:
    """Told of each Newton step of a candidate, says whether it is beaten: F2 will not reach the ``bar``.

    ``by_label``, shape (events, folds, 2): how often each event occurs without and with the label. Features that look
    at labels are taken to see the gold ones, with which F2 is higher. ``begun``: learning started near its end;
    else the first steps lead too far to tell.
    """

    def __init__(self, by_label: Floats, bar: float, begun: bool) -> None:
        self.by_label, self.bar, self.beaten = by_label, bar, False
        self.first = 1 if begun else _FIRST

    def __call__(self, found: Solution, way: Floats) -> bool:
        if found.steps >= self.first:
            f2 = counted(found.scores, self.by_label).by_fold()
            room = self.bar - float(np.mean(f2))
            self.beaten = room > 0 and may_still_gain(found.scores, way, self.by_label, f2) < room
        return self.beaten


_FIRST = 4


def may_still_gain(scores: Floats, way: Floats, by_label: Floats, f2: NDArray[np.float64]) -> float:
    """By how much the mean F2 may still rise.

    ``scores`` and ``way``, shape (events, folds): of the events, and what the last Newton step would have added to
    them; ``by_label`` as in `Rival`; ``f2`` (folds,).
    """
    events, folds = np.nonzero(np.abs(scores) < np.abs(way))
    wrong, right = by_label[events, folds].T.astype(np.float64)
    gold = by_label[:, :, 1].sum(axis=0, dtype=np.float64)
    change = ((5 - f2[folds]) * right - f2[folds] * wrong) / np.maximum(4 * gold, 1)[folds]
    return float(_DEVIATIONS * np.sqrt(np.sum(change * change)) / scores.shape[1])


def favourites(features: Sequence[int], standing: Mapping[int, float]) -> list[int]:
    """The places of those among a round's features that did best in the last round."""
    order = sorted(range(len(features)), key=lambda i: (-standing.get(features[i], 0.0), i))
    return sorted(order[:FAVOURITES])
