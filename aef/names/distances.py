"""Distances between names: those Garat and Wonsever 2022 (section 6, Table 3) tried, and one of ours.

A distance is one decorated function of two strings; its name is the function's, its help the docstring's first line.
The values are those of TextDistance's ``normalized_distance`` with its own settings, computed by RapidFuzz where it
has the same distance; what leaves the interval is clipped to 0 (equal) and 1.

The paper does not say whether it compares characters or words. Over words, each word is one symbol.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import textdistance
from rapidfuzz import distance as rapid

from aef.errors import InputError
from aef.names.matching import EXACT, FAMILIAR, GIVEN, INNER, SAME, SURNAME, WHOLE, fit
from aef.names.person_name import parse

Function = Callable[[str, str], float]

OVER = ("characters", "words")
"""What a distance compares."""


@dataclass(frozen=True)
class Distance:
    """A registered distance of two names; ``whole``: it looks at the names themselves, not at symbols."""

    name: str
    function: Function
    help: str
    whole: bool = False


DISTANCES: dict[str, Distance] = {}


def distance(function: Function) -> Function:
    """Register a function of two strings as a distance. Raises `ValueError` for a duplicate or a missing docstring."""
    return _register(function, whole=False)


def _register(function: Function, whole: bool) -> Function:
    name, help_ = function.__name__, (function.__doc__ or "").strip().split("\n")[0]
    if not help_:
        raise ValueError(f"distance {name}: the docstring's first line is its help")
    if name in DISTANCES:
        raise ValueError(f"distance {name} is there already")
    DISTANCES[name] = Distance(name, function, help_, whole)
    return function


def resolve(name: str, over: str = "words") -> Function:
    """The distance of that name over words or characters, symmetric, 0 to 1. Raises `InputError` for an unknown one."""
    if name not in DISTANCES:
        raise InputError(f"unknown distance '{name}'. There are: {', '.join(DISTANCES)}")
    if over not in OVER:
        raise InputError(f"a distance is over {' or '.join(OVER)}, not over '{over}'")
    chosen = DISTANCES[name]

    def between(a: str, b: str) -> float:
        if a == b:
            return 0.0
        a, b = sorted((a, b))  # some of them depend on the order
        sides = _symbols(a, b) if over == "words" and not chosen.whole else (a, b)
        return min(1.0, max(0.0, chosen.function(*sides)))

    return between


def _symbols(a: str, b: str) -> tuple[str, str]:
    """Both strings with one character for each word, the same for the same word."""
    symbols: dict[str, str] = {}
    sides = ["".join(symbols.setdefault(w, chr(0xE000 + len(symbols))) for w in side.split()) for side in (a, b)]
    return sides[0], sides[1]


# --- over sets of symbols -------------------------------------------------------------------------------------------

_overlap = textdistance.Overlap(external=False)
_jaccard = textdistance.Jaccard(external=False)
_sorensen = textdistance.Sorensen(external=False)
_tversky = textdistance.Tversky(external=False)
_bag = textdistance.Bag(external=False)


@distance
def overlap(a: str, b: str) -> float:
    """Symbols not shared, of the shorter name (the best of the paper, at 0.45)."""
    return float(_overlap.normalized_distance(a, b))


@distance
def jaccard(a: str, b: str) -> float:
    """Symbols not shared, of all."""
    return float(_jaccard.normalized_distance(a, b))


@distance
def sorensen(a: str, b: str) -> float:
    """Symbols not shared, of the mean length (Dice)."""
    return float(_sorensen.normalized_distance(a, b))


@distance
def tversky(a: str, b: str) -> float:
    """Tversky's index; with both weights 1, as the library has it, the same as Jaccard."""
    return float(_tversky.normalized_distance(a, b))


@distance
def bag(a: str, b: str) -> float:
    """Symbols of one name not in the other, of the longer one."""
    return float(_bag.normalized_distance(a, b))


# --- over sequences of symbols --------------------------------------------------------------------------------------

_lcsstr = textdistance.LCSStr(external=False)
_ratcliff_obershelp = textdistance.RatcliffObershelp(external=False)
_strcmp95 = textdistance.StrCmp95(external=False)
_smith_waterman = textdistance.SmithWaterman(external=False)
_needleman_wunsch = textdistance.NeedlemanWunsch(external=False)
_gotoh = textdistance.Gotoh(external=False)
_entropy_ncd = textdistance.EntropyNCD()


@distance
def lcsstr(a: str, b: str) -> float:
    """What the longest common run leaves of the longer name."""
    return float(_lcsstr.normalized_distance(a, b))


@distance
def lcsseq(a: str, b: str) -> float:
    """What the longest common subsequence leaves of the longer name."""
    return rapid.LCSseq.normalized_distance(a, b)


@distance
def ratcliff_obershelp(a: str, b: str) -> float:
    """What common runs, the longest first, leave of both names."""
    return float(_ratcliff_obershelp.normalized_distance(a, b))


@distance
def levenshtein(a: str, b: str) -> float:
    """Symbols added, dropped or changed."""
    return rapid.Levenshtein.normalized_distance(a, b)


@distance
def damerau_levenshtein(a: str, b: str) -> float:
    """Symbols added, dropped, changed, or two neighbours swapped."""
    return rapid.OSA.normalized_distance(a, b)


@distance
def strcmp95(a: str, b: str) -> float:
    """Jaro-Winkler with letters that look alike and weights for long names (US Census, 1995)."""
    return float(_strcmp95.normalized_distance(a, b))


@distance
def jaro_winkler(a: str, b: str) -> float:
    """Common and transposed symbols, a common beginning counting more."""
    return rapid.JaroWinkler.normalized_distance(a, b)


@distance
def smith_waterman(a: str, b: str) -> float:
    """The best alignment of parts of the names."""
    return float(_smith_waterman.normalized_distance(a, b))


@distance
def needleman_wunsch(a: str, b: str) -> float:
    """The best alignment of the whole names."""
    return float(_needleman_wunsch.normalized_distance(a, b))


@distance
def gotoh(a: str, b: str) -> float:
    """The best alignment, a gap costing more to open than to widen."""
    return float(_gotoh.normalized_distance(a, b))


@distance
def hamming(a: str, b: str) -> float:
    """Places with another symbol."""
    return rapid.Hamming.normalized_distance(a, b)


@distance
def postfix(a: str, b: str) -> float:
    """What the common end leaves of the longer name."""
    return rapid.Postfix.normalized_distance(a, b)


@distance
def entropy_ncd(a: str, b: str) -> float:
    """How much less the names tell together than each alone (normalized compression, by entropy)."""
    return float(_entropy_ncd.normalized_distance(a, b))


# --- over names -----------------------------------------------------------------------------------------------------

_PARTS = {SAME: 0.0, WHOLE: 0.1, SURNAME: 0.2, GIVEN: 0.3, INNER: 0.4}


def name_parts(a: str, b: str) -> float:
    """Ours: given names and surnames compared with their like; initials, familiar forms; 1 where they contradict."""
    found = fit(*(parse(name, 0, len(name)) for name in (a, b)))
    if found is None:
        return 1.0
    worst = 0.0 if found.words == EXACT else 0.1 if found.words == FAMILIAR else 0.2
    return _PARTS[found.level] + worst


_register(name_parts, whole=True)
