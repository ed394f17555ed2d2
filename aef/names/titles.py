"""Titles of persons: which there are, which stand before a name, and the letters of a judge behind one."""

from __future__ import annotations

import re
from functools import cache

from aef import lexicons

_ANYWHERE = ("sr", "sra", "srta", "sres", "sras", "srtas", "señor", "señora", "señorita", "señores", "dña", "doña")
_LONGEST_SHORT = 4  # letters of titles for short: "Capt."
_BENCH = frozenset({"j", "jj", "ja", "jja", "cj", "cjc", "acj", "pj", "lj", "ljj", "jsc"})
_LONGEST_RANK = 8  # ", C.J.,"
_BEFORE = re.compile(r"(?<![^\W\d_])(?:[^\W\d_]+\.?\s+){1,3}$")


@cache
def titles(language: str = "en") -> frozenset[str]:
    """Titles of persons, lower case and without periods: English ones, and those of the language."""
    return frozenset(title.rstrip(".") for title in _listed(language)).union(_ANYWHERE)


def titles_before(text: str, start: int, language: str = "en") -> list[str]:
    """The titles right before ``start``, as they stand, in order, without periods.

    >>> titles_before("Hon. Judge Roe", 11), titles_before("BOOTH, Circuit Judge. Ann Roe sued.", 22)
    (['Hon', 'Judge'], [])
    """
    low = max(0, start - 60)
    match = _BEFORE.search(text, max(low, text.rfind("\n", low, start)), start)
    words = match.group().split() if match else []
    found: list[str] = []
    while words and _is_title(words[-1].lower(), language):
        found.insert(0, words.pop().rstrip("."))
    return found


def bench_behind(text: str, end: int) -> bool:
    """Whether the letters of a judge stand behind a name: "Lloyd LJ", "Chavez, C.J."."""
    behind = text[end : end + _LONGEST_RANK].lstrip(", ").split(maxsplit=1)
    return bool(behind) and behind[0].isupper() and behind[0].rstrip(",;:)").replace(".", "").lower() in _BENCH


def _is_title(word: str, language: str) -> bool:
    """Whether it is a title as it is written: a period behind one in full ends a sentence ("Circuit Judge.")."""
    bare = word.rstrip(".")
    return bare in titles(language) and (bare == word or bare not in _in_full(language))


@cache
def _in_full(language: str) -> frozenset[str]:
    """Titles that are not written for short, lower case."""
    listed = _listed(language)
    return frozenset(title for title in listed if len(title) > _LONGEST_SHORT and f"{title}." not in listed)


@cache
def _listed(language: str) -> frozenset[str]:
    """The titles of the lists, lower case, as they are written."""
    lists = [lexicons.load(name, code) for code in {"en", language} for name in ("title", "nome_title")]
    return frozenset(title.lower() for words in lists for title in words)
