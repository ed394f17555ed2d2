"""Values of a feature that no model can tell apart, such as most rare words, are learned as one.

Where two values stand in like events equally often in every fold, the problem stays the same when they change places,
and as its optimum is unique, their weights there are equal (Mladenov, Kleinhans & Kersting 2017, lifted inference for
convex quadratic programs). One weight then stands for all, with the penalties and the events of all. This is done for
the feature of the most values; that of another gained as much time as it took.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse

from aef.classifiers.newton import Floats

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Lifted:
    """Events that are alike as one: codes (features, m) of how many values each (`widths`), and how often they occur a
    fold and label, ``counts`` (m, 2 * folds).

    ``event``: which each event given became. ``group``: which each value of ``feature`` became.
    """

    codes: NDArray[np.int32]
    widths: Sequence[int]
    counts: Floats
    event: Ints
    feature: int
    group: Ints

    def together(self, blocks: Sequence[Floats]) -> list[Floats]:
        """The weights (values, folds) of each feature; of values that are alike their mean."""
        mean = summed(blocks[self.feature], self.group, self.widths[self.feature]) / self.sizes(self.feature)
        return [mean if i == self.feature else block for i, block in enumerate(blocks)]

    def apart(self, blocks: Sequence[Floats]) -> list[Floats]:
        """The weights of each feature's values, where those that are alike have one."""
        return [block[self.group] if i == self.feature else block for i, block in enumerate(blocks)]

    def sizes(self, feature: int) -> Floats:
        """How many values each column of a feature stands for, shape (columns, 1)."""
        width = self.widths[feature]
        sizes = np.bincount(self.group, minlength=width) if feature == self.feature else np.ones(width)
        return sizes.astype(np.float32)[:, None]


def lift(codes: NDArray[np.int32], widths: Sequence[int], counts: Floats) -> Lifted:
    """What is left of a problem's events where those that are alike are one.

    ``codes`` (features, n), negative for inactive; ``counts`` (n, 2 * folds): whole numbers.
    """
    feature = int(np.argmax(widths))
    around, shown = _around(codes, counts, feature), codes[feature] >= 0
    profiles = np.zeros(widths[feature], np.uint64)
    np.add.at(profiles, codes[feature][shown], around[shown])
    group, found = pd.factorize(profiles)
    lifted = codes.copy()
    lifted[feature][shown] = group[codes[feature][shown]]
    event, first = firsts(around + lifted[feature].astype(np.uint64) * _MIX[0])
    left = [len(found) if i == feature else width for i, width in enumerate(widths)]
    return Lifted(lifted[:, first], left, summed(counts, event, len(first)), event, feature, group)


def _around(codes: NDArray[np.int32], counts: Floats, feature: int) -> NDArray[np.uint64]:
    """A number for how often each event occurs and what it shows but for one feature: other numbers for others, but for
    one in 2 ** 64."""
    of_counts, of_codes = np.split(_odd(counts.shape[1] + len(codes)), [counts.shape[1]])
    number: NDArray[np.uint64] = counts.astype(np.uint64) @ of_counts
    for row, values in enumerate(codes):
        if row != feature:
            number += values.astype(np.uint64) * of_codes[row]
    for factor in _MIX:
        number ^= number >> np.uint64(32)
        number *= factor
    number ^= number >> np.uint64(32)
    return number


def _odd(many: int, seed: int = 0) -> NDArray[np.uint64]:
    """Odd random numbers, always the same."""
    return np.random.default_rng(seed).integers(1 << 63, dtype=np.uint64, size=many) | np.uint64(1)


_MIX = _odd(2, seed=1)


def firsts(keys: NDArray[Any]) -> tuple[Ints, Ints]:
    """The group of each key, numbered as they come, and the place of each group's first."""
    group, found = pd.factorize(keys)
    first = np.empty(len(found), dtype=np.int64)
    first[group[::-1]] = np.arange(len(group) - 1, -1, -1)
    return group, first


def summed(values: Floats, group: Ints, groups: int) -> Floats:
    """The sums (groups, columns) of the rows (n, columns) that are of one group."""
    n = len(values)
    summing = sparse.csc_matrix((np.ones(n, values.dtype), group, np.arange(n + 1)), shape=(groups, n))
    total: Floats = summing @ values
    return total
