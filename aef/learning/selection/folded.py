"""One model a fold, all learned together on merged events, each set started from the set it came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from aef.classifiers.newton import Floats, Problem, one_hot

Ints = NDArray[np.int64]

FEW = 20_000
"""Below so many distinct events one of them can hold a good share of the tokens, so that its side of the decision must
be exact: learned in double precision, to the end."""

TOLERANCE, TIGHT = 0.3, 1e-5
"""When learning stops (see `aef.classifiers.newton.Problem`); the second is for problems of few events."""


@dataclass(frozen=True)
class Weights:
    """The models of all folds: a block of log-odds weights (values, folds) a feature, and the intercepts (folds,).

    ``features`` and ``merged``: the set they are of, in its order, and its events.
    """

    blocks: Mapping[int, Floats]
    intercept: Floats
    features: tuple[int, ...]
    merged: Merged


@dataclass(frozen=True)
class Merged:
    """Distinct events of a feature set: codes (features, m), and which distinct event each base event became.

    ``example``: the first base event of each, shape (m,), in rising order.
    """

    codes: NDArray[np.int32]
    group: Ints
    example: Ints


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
    group, found = pd.factorize(keys)
    example = np.empty(len(found), dtype=np.int64)
    example[group[::-1]] = np.arange(len(group) - 1, -1, -1)
    return Merged(np.ascontiguousarray(codes[:, example]), group, example)


def with_feature(merged: Merged, codes: NDArray[np.int32], width: int) -> Merged:
    """The events of a set and one feature more, given its ``codes`` (events,)."""
    both = merge(np.stack([merged.group, codes]), [merged.codes.shape[1], width])
    return Merged(np.vstack([merged.codes[:, both.codes[0]], both.codes[1].astype(np.int32)]), both.group, both.example)


def without_feature(merged: Merged, row: int, widths: Sequence[int]) -> Merged:
    """The events of a set without the feature of one row; ``widths`` are those of the features that are left."""
    less = merge(np.delete(merged.codes, row, axis=0), widths)
    return Merged(less.codes, less.group[merged.group], merged.example[less.example])


class Folded(Problem):
    """The problem of one feature set: ``total`` and ``positive`` are training counts of each event, shape (m, folds).

    Of few events, and therefore exact, or of many in single precision.
    """

    def __init__(
        self, codes: NDArray[np.int32], widths: Sequence[int], total: Floats, positive: Floats, penalty: float
    ) -> None:
        dtype, tolerance = (np.float64, TIGHT) if codes.shape[1] < FEW else (np.float32, TOLERANCE)
        self.starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        index = np.where(codes >= 0, codes + self.starts[:-1, None].astype(np.int32), -1).T
        design = one_hot(index, int(self.starts[-1]), dtype)
        super().__init__(design, total.astype(dtype), positive.astype(dtype), penalty, tolerance)

    def block(self, j: int) -> slice:
        return slice(int(self.starts[j]), int(self.starts[j + 1]))
