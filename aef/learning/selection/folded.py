"""One model a fold, all learned together on merged events, each set started from the set it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from aef.classifiers.newton import Floats, Problem, one_hot
from aef.learning.selection.lifted import Lifted, firsts

Ints = NDArray[np.int64]

FEW = 20_000
"""Below so many distinct events one of them can hold a good share of the tokens, so that its side of the decision must
be exact: learned in double precision, to the end."""

TOLERANCE, TIGHT = 0.3, 1e-5
"""When learning stops (see `aef.classifiers.newton.Problem`); the second is for problems of few events."""


@dataclass(frozen=True)
class Weights:
    """The models of all folds: a block of log-odds weights (values, folds) a feature, and the intercepts (folds,).

    ``features`` and ``merged``: the set they are of, in its order, and its events; ``counts`` (m, 2 * folds): how often
    these occur a fold and label. ``path``: the sets that they were learned on one after the other, this the last.
    """

    blocks: Mapping[int, Floats]
    intercept: Floats
    features: tuple[int, ...]
    merged: Merged
    counts: Floats
    path: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Merged:
    """Distinct events of a feature set: codes (features, m), and which distinct event each base event became."""

    codes: NDArray[np.int32]
    group: Ints


def merge(codes: NDArray[np.int32], widths: Sequence[int]) -> Merged:
    """Merge equal events, given as codes (features, events) with -1 for inactive."""
    keys = np.zeros(codes.shape[1], dtype=np.int64)
    limit = 1
    for row, width in zip(codes, widths, strict=True):
        if limit * (width + 1) > 1 << 62:
            keys, found = pd.factorize(keys)
            limit = len(found)
        keys = keys * (width + 1) + (row + 1)
        limit *= width + 1
    group, example = firsts(keys)
    return Merged(np.ascontiguousarray(codes[:, example]), group)


def with_feature(merged: Merged, codes: NDArray[np.int32], shown: Ints, width: int) -> Merged:
    """The events of a set and one feature more, given its ``codes`` (events,), negative but for those ``shown``.

    Only what shows the feature is looked at: it is taken out of the events it was in.
    """
    events = merged.codes.shape[1]
    number, found = pd.factorize(merged.group[shown] * (width or 1) + codes[shown])
    group = merged.group.copy()
    group[shown] = events + number
    with_it = np.vstack([merged.codes[:, found // (width or 1)], (found % (width or 1)).astype(np.int32)])
    without = np.vstack([merged.codes, np.full(events, -1, np.int32)])
    left = np.concatenate([np.bincount(group, minlength=events)[:events] > 0, np.ones(len(found), np.bool_)])
    return Merged(np.hstack([without, with_it])[:, left], (np.cumsum(left) - 1)[group])


def without_feature(merged: Merged, row: int, widths: Sequence[int]) -> tuple[Merged, Ints]:
    """The events of a set without the feature of one row, and which of them each became; ``widths`` are those of the
    features that are left."""
    less = merge(np.delete(merged.codes, row, axis=0), widths)
    return Merged(less.codes, less.group[merged.group]), less.group


class Folded(Problem):
    """The problem of one feature set, of the events that are left where those that are alike are one: one model a fold,
    which learns from the other folds.

    Of few events, ``few``, and therefore exact, or of many in single precision.
    """

    def __init__(self, lifted: Lifted, few: bool, penalty: float) -> None:
        self.lifted = lifted
        dtype, tolerance = (np.float64, TIGHT) if few else (np.float32, TOLERANCE)
        self.starts = np.concatenate([[0], np.cumsum(lifted.widths)]).astype(np.int64)
        index = np.where(lifted.codes >= 0, lifted.codes + self.starts[:-1, None].astype(np.int32), -1).T
        design = one_hot(index, int(self.starts[-1]), dtype)
        self.by_label = lifted.counts.reshape(len(lifted.counts), -1, 2)
        hidden = lifted.counts[:, 1::2]
        either = lifted.counts[:, ::2] + hidden
        total, positive = (count.T.sum(axis=0)[:, None] - count for count in (either, hidden))
        sizes = np.concatenate([lifted.sizes(i) for i in range(len(lifted.widths))])
        super().__init__(design, total.astype(dtype), positive.astype(dtype), penalty * sizes, tolerance)

    def together(self, blocks: Sequence[Floats]) -> Floats:
        """The weights of the problem, given those of each feature's values (values, folds)."""
        return np.concatenate(self.lifted.together(blocks))

    def apart(self, weights: Floats) -> list[Floats]:
        """The weights of each feature's values, given those of the problem."""
        return self.lifted.apart([weights[self.block(i)] for i in range(len(self.lifted.widths))])

    def block(self, i: int) -> slice:
        return slice(int(self.starts[i]), int(self.starts[i + 1]))
