"""Distances between names: those Garat and Wonsever 2022 (section 6, Table 3) tried, and one of ours.

A distance is an entry of `DISTANCES`: its name and a function of two strings. The values are those of TextDistance's
``normalized_distance`` with its own settings, computed by RapidFuzz where it has the same distance; what leaves the
interval is clipped to 0 (equal) and 1.

The paper does not say whether it compares characters or words. Over words, each word is one symbol.
"""

from __future__ import annotations

from collections.abc import Callable

import textdistance
from rapidfuzz import distance as rapid

from aef.errors import InputError
from aef.names.matching import EXACT, FAMILIAR, GIVEN, INNER, SAME, SURNAME, fit
from aef.names.matching import WHOLE as WHOLE_NAME
from aef.names.person_name import parse

Function = Callable[[str, str], float]

OVER = ("characters", "words")
"""What a distance compares."""

_PARTS = {SAME: 0.0, WHOLE_NAME: 0.1, SURNAME: 0.2, GIVEN: 0.3, INNER: 0.4}


def name_parts(a: str, b: str) -> float:
    """Ours: given names and surnames compared with their like; initials, familiar forms; 1 where they contradict."""
    found = fit(*(parse(name, 0, len(name)) for name in (a, b)))
    if found is None:
        return 1.0
    worst = 0.0 if found.words == EXACT else 0.1 if found.words == FAMILIAR else 0.2
    return _PARTS[found.level] + worst


DISTANCES: dict[str, Function] = {
    # over sets of symbols: those not shared ...
    "overlap": textdistance.Overlap(external=False).normalized_distance,  # of the shorter name (the paper's best)
    "jaccard": textdistance.Jaccard(external=False).normalized_distance,  # of all
    "sorensen": textdistance.Sorensen(external=False).normalized_distance,  # of the mean length (Dice)
    "tversky": textdistance.Tversky(external=False).normalized_distance,  # both weights 1, and so as Jaccard
    "bag": textdistance.Bag(external=False).normalized_distance,  # of the longer name
    # over sequences of symbols: what these leave ...
    "lcsstr": textdistance.LCSStr(external=False).normalized_distance,  # the longest common run
    "lcsseq": rapid.LCSseq.normalized_distance,  # the longest common subsequence
    "ratcliff_obershelp": textdistance.RatcliffObershelp(external=False).normalized_distance,  # runs, longest first
    # ... what must be changed ...
    "levenshtein": rapid.Levenshtein.normalized_distance,  # symbols added, dropped or changed
    "damerau_levenshtein": rapid.OSA.normalized_distance,  # or two neighbours swapped
    # ... Jaro's, letters that look alike and long names having weights of their own (US Census, 1995) ...
    "strcmp95": textdistance.StrCmp95(external=False).normalized_distance,
    "jaro_winkler": rapid.JaroWinkler.normalized_distance,  # a common beginning counting more
    # ... the best alignment ...
    "smith_waterman": textdistance.SmithWaterman(external=False).normalized_distance,  # of parts of the names
    "needleman_wunsch": textdistance.NeedlemanWunsch(external=False).normalized_distance,  # of the whole names
    "gotoh": textdistance.Gotoh(external=False).normalized_distance,  # a gap costing more to open than to widen
    # ... and others
    "hamming": rapid.Hamming.normalized_distance,  # places with another symbol
    "postfix": rapid.Postfix.normalized_distance,  # what the common end leaves
    "entropy_ncd": textdistance.EntropyNCD().normalized_distance,  # normalized compression, by entropy
    # over names
    "name_parts": name_parts,
}
"""All distances by name, in the order of the paper's kinds; ours is the last."""

WHOLE = ("name_parts",)
"""Those that look at the names themselves, not at symbols."""


def resolve(name: str, over: str = "words") -> Function:
    """The distance of that name over words or characters, symmetric, 0 to 1. Raises `InputError` for an unknown one."""
    if name not in DISTANCES:
        raise InputError(f"unknown distance '{name}'. There are: {', '.join(DISTANCES)}")
    if over not in OVER:
        raise InputError(f"a distance is over {' or '.join(OVER)}, not over '{over}'")

    def between(a: str, b: str) -> float:
        if a == b:
            return 0.0
        a, b = sorted((a, b))  # some of them depend on the order
        sides = _symbols(a, b) if over == "words" and name not in WHOLE else (a, b)
        return min(1.0, max(0.0, float(DISTANCES[name](*sides))))

    return between


def _symbols(a: str, b: str) -> tuple[str, str]:
    """Both strings with one character for each word, the same for the same word."""
    symbols: dict[str, str] = {}
    sides = ["".join(symbols.setdefault(w, chr(0xE000 + len(symbols))) for w in side.split()) for side in (a, b)]
    return sides[0], sides[1]
