"""Events as a classifier counts them: equal ones merged, their predicates numbered among those of all columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Merged:
    """Distinct (event, label) pairs with the number of times each occurred; ``index``: the events, (m, columns)."""

    index: Ints
    codes: NDArray[np.intp]
    weight: Floats


def categories(events: Ints, weight: Floats, cutoff: int) -> list[Ints]:
    """For each column the predicates that at least so many events have, and one has; sorted."""
    limits = events.max(axis=0, initial=-1).tolist()
    if cutoff > 1 or max(limits, default=0) >= _LARGE:
        return [_frequent(column, weight, max(cutoff, 1e-300)) for column in events.T]
    there = [np.zeros(limit + 2, dtype=np.bool_) for limit in limits]
    for _, part in _parts(events if weight.all() else events[weight > 0]):
        for column, found in zip(part, there, strict=True):
            found[column] = True  # -1: the last
    return [np.flatnonzero(found[:-1]) for found in there]


def _parts(cells: Ints) -> Iterator[tuple[slice, Ints]]:
    """Some rows at a time, column by column, what is negative as -1: they stay in the processor's cache."""
    for start in range(0, len(cells), _ROWS):
        rows = slice(start, start + _ROWS)
        yield rows, np.maximum(cells[rows], -1).T.astype(np.intp, order="C")


def _frequent(column: Ints, weight: Floats, least: float) -> Ints:
    """The values that occur so often, sorted; without what is negative."""
    active = column >= 0
    values, weight = column[active], weight[active]
    found, inverse = np.unique(values, return_inverse=True)
    frequent: Ints = found[np.bincount(inverse, weights=weight) >= least]
    return frequent


def predicate_index(events: Ints, categories: Sequence[Ints]) -> Ints:
    """For each cell the row of its predicate in the weights, or -1; shape (n, columns)."""
    index = np.empty(events.shape, dtype=np.int32)
    starts = np.cumsum([0, *map(len, categories)]).tolist()
    look_up = [_look_up(known, start) for known, start in zip(categories, starts, strict=False)]
    for rows, part in _parts(events):
        index[rows] = np.stack([of(column) for column, of in zip(part, look_up, strict=True)], axis=1)
    return index


def _look_up(known: Ints, offset: int) -> Callable[[Ints], Ints]:
    """Where each value stands among those known, counted from ``offset``; -1 for what is not known."""
    limit = int(known.max(initial=-1)) + 1
    if limit <= _LARGE:
        table = np.full(limit + 1, -1, dtype=np.int32)  # the last: beyond what is known, and what is negative
        table[known] = np.arange(offset, offset + len(known))
        return lambda column: table[np.minimum(column, limit)]
    return lambda column: _searched(column, known, offset)


def _searched(column: Ints, known: Ints, offset: int) -> Ints:
    at = np.minimum(np.searchsorted(known, column), len(known) - 1)
    return np.where(known[at] == column, at + offset, -1)


def merge_events(events: Ints, codes: NDArray[np.intp], weight: Floats | None = None, seed: int = 0) -> Merged:
    """Merge equal rows with equal labels, in order of first appearance; inactive cells are negative.

    Rows are compared by a 64-bit random key a cell, summed over the row: two different rows meet by chance with a
    probability below n^2 / 2^65.
    """
    import pandas as pd  # here, so that what only predicts does without

    hashes = _hashes(np.column_stack([codes]), seed + 1)
    hashes += _hashes(events, seed)
    group, found = pd.factorize(hashes)
    example = np.empty(len(found), dtype=np.int64)
    example[group[::-1]] = np.arange(len(group) - 1, -1, -1)
    counts: Floats = np.bincount(group, weights=weight).astype(np.float64)
    return Merged(events[example], codes[example], counts)


def _hashes(cells: Ints, seed: int) -> NDArray[np.uint64]:
    """A hash for each row: the sum of a random key for each value of each column, 0 for what is inactive."""
    rng = np.random.default_rng(seed)
    limits = cells.max(axis=0, initial=-1).tolist()
    if max(limits, default=0) >= _LARGE:
        cells, limits = _renumbered(cells)
    keys = [np.append(rng.integers(0, 2**64, size=limit + 1, dtype=np.uint64), np.uint64(0)) for limit in limits]
    hashes = np.zeros(len(cells), dtype=np.uint64)
    for rows, part in _parts(cells):
        for column, key in zip(part, keys, strict=True):
            hashes[rows] += key.take(column, mode="wrap")  # -1: the last
    return hashes


_ROWS = 1 << 13
_LARGE = 1 << 22  # above, values are no numbers of predicates counted from 0


def _renumbered(cells: Ints) -> tuple[Ints, list[int]]:
    """Each column's values numbered from 0, what is negative left so."""
    found = [np.unique(np.maximum(column, -1), return_inverse=True) for column in cells.T]
    numbers = [inverse - (values[0] < 0) for values, inverse in found]
    return np.column_stack(numbers), [int(n.max(initial=-1)) for n in numbers]
