"""Where in a text patterns may begin: a quick look, so that an expression is tried only there.

A match begins where a word does, or at a sign; its first three characters tell whether it may.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from aef.features.ruling import Bools, Ints

_CLASSES = {"0": "0123456789", "A": "ABCDEFGHIJKLMNOPQRSTUVWXYZ"}
_ASCII, _FOLDED = 128, 32
"""The first character is told from all others in ASCII, further ones only modulo 32, which keeps letters apart."""

_INSIDE = np.array([chr(c).isalnum() or chr(c) == "_" for c in range(0x250)] + [False])
"""Which code points are parts of words; beyond these, every character counts as the beginning of one."""


def table(openings: Iterable[str]) -> Bools:
    """Which three characters, numbered as by `places`, may begin a match: those of an opening, and all beyond ASCII.

    In an opening ``0`` stands for any digit and ``A`` for any capital.
    """
    opens = np.zeros((_ASCII, _FOLDED, _FOLDED), np.bool_)
    opens[0] = True
    for opening in {opening[:3] for opening in openings if opening[0].isascii()}:
        first, *further = (np.array([*map(ord, _CLASSES.get(letter, letter))]) for letter in opening)
        opens[np.ix_(first, *(letters % _FOLDED for letters in further))] = True
    return opens.ravel()


def places(codes: NDArray[np.uint32]) -> tuple[Ints, Ints]:
    """Where words and signs stand in a text of these code points, and the numbers of the three characters there."""
    inside = _INSIDE.take(codes, mode="clip")
    begins = codes != ord(" ")
    begins[1:] &= ~(inside[1:] & inside[:-1])
    at = np.flatnonzero(begins)
    padded = np.append(codes, np.zeros(2, codes.dtype))
    first, second, third = (padded[at + k] for k in range(3))
    first[first >= _ASCII] = 0
    return at, (first * _FOLDED + second % _FOLDED) * _FOLDED + third % _FOLDED
