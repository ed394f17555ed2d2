"""Where the same words follow each other, in time that does not grow with how often they do.

Windows of 1, 2, 4, 8 ... tokens are numbered so that equal ones have equal numbers; a window of any other size is two
of these, which overlap (Karp, Miller & Rosenberg 1972).
"""

from __future__ import annotations

import numpy as np

from aef.features.extraction import Ints


class Windows:
    """The windows of a row of numbers; the last of the row must be below 0 and in no window that is looked for."""

    def __init__(self, row: Ints) -> None:
        self._numbers = [row]

    def keys(self, starts: Ints, size: int) -> Ints:
        """The same number for equal windows of that size which start there."""
        level = size.bit_length() - 1
        while len(self._numbers) <= level:
            self._numbers.append(self._doubled())
        numbers = self._numbers[level]
        second = np.minimum(starts + size - (1 << level), len(numbers) - 1)
        return _pairs(numbers, numbers[starts], numbers[second])

    def _doubled(self) -> Ints:
        """The numbers of the windows that are twice as long as the longest so far."""
        numbers, size = self._numbers[-1], 1 << len(self._numbers) - 1
        behind = np.full(len(numbers), -1)
        behind[: max(0, len(numbers) - size)] = numbers[size:]
        doubled: Ints = np.unique(_pairs(numbers, numbers, behind), return_inverse=True)[1]
        return doubled


def _pairs(numbers: Ints, first: Ints, second: Ints) -> Ints:
    pairs: Ints = (first + 1) * (int(numbers.max(initial=0)) + 2) + second + 1
    return pairs
