"""Where a phrase stands in a text, in whatever spelling: for the lists of what is always or never hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from aef.corpus_tools.folding import folded

SHORT = 3
"""A word of so few letters that is written with a capital is found with one only: Mr. May may go."""

_POSSESSIVE = re.compile(r"(?<=\w)'s?$")
_BROKEN = re.compile(r"[^\W\d_]-[ \t\r]*\n")
_BREAK = r"(?:-\s*\n\s*)?"


def occurrences(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """The places of a phrase as whole words, in order, without overlap.

    Not looked at: letter case (but see `SHORT`), accents, which of the hyphens, quotes and spaces stand there, soft
    hyphens and other signs without width, line breaks and words broken at them, and whether hyphen or space joins two
    words. A possessive is not part of the place, in the phrase nor in the text.

    >>> list(occurrences("ANNE‑MARIE\\u00a0ROÉ’s house", "Anne Marie Roe's"))
    [(0, 14)]
    """
    spelled, places = _folded(text)
    pattern = _pattern(_POSSESSIVE.sub("", " ".join(folded(phrase)[0].split())), bool(_is_broken(text)))
    capital = len(phrase) <= SHORT and phrase.isalpha() and not phrase.islower()
    for match in pattern.finditer(spelled) if pattern else ():
        start, end = places[match.start()], places[match.end()]
        if not capital or any(map(str.isupper, text[start:end])):
            yield start, end


@lru_cache(maxsize=2)
def _folded(text: str) -> tuple[str, Sequence[int]]:
    return folded(text)


@lru_cache(maxsize=2)
def _is_broken(text: str) -> bool:
    return _BROKEN.search(folded(text)[0]) is not None


@lru_cache(maxsize=1024)
def _pattern(phrase: str, broken: bool) -> re.Pattern[str] | None:
    """What finds a folded phrase in a folded text; ``broken``: words may be broken at the end of a line."""
    words = [word for word in re.split(r"[\s-]+", phrase) if word]
    if not words:
        return None
    spelled = [(_BREAK if broken else "").join(map(re.escape, word)) for word in words]
    first, last = (r"(?<![^\W_])" if words[0][0].isalnum() else ""), (r"(?![^\W_])" if words[-1][-1].isalnum() else "")
    return re.compile(first + r"[\s-]+".join(spelled) + last)
