"""Patterns over the text: dates, amounts, durations, application numbers, references to the law.

A pattern is a regular expression in which ``{list}`` stands for the words of a word list; a token is in the first
pattern that covers it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from aef.features.dictionary import Lexicons
from aef.features.registry import argument, feature
from aef.features.ruling import Ruling

PATTERNS: dict[str, str] = {
    "law": r"\b{law_words}\s+(?:[Nn][o°º]s?\.?\s*)?\d[\w§.()/-]*"
    r"(?:(?:\s*(?:,|{joiners}|or|to|§+|-|–)\s*)+\d[\w().]*)*",
    "date": r"\b\d{{1,2}}(?:er|º|st|nd|rd|th)?(?:\s+{joiners})?(?:\s*(?:,|-|–|{joiners})\s*\d{{1,2}})*"
    r"\s+(?:{joiners}\s+)?{month_names}\b(?:(?:\s+{joiners})?\s+\d{{4}}\b)?",
    "month": r"\b{month_names}\s+(?:\d{{1,2}},\s+|{joiners}\s+)?\d{{4}}\b",
    "figures": r"\b\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}\b",
    "application": r"\b\d{{3,6}}/\d{{2}}\b",
    "money": r"(?:[£€$]|\b[A-Z]{{3}}\s)\s*\(?\d(?:[\d.,\s]*\d)?|\b\d[\d.,]*(?:\s+million)?\s+{money_words}\b",
    "duration": r"\b(?:\d+|{number_words}(?:[ -]{number_words})*)\s+{unit_words}(?!\w)",
    "percent": r"\b\d[\d.,]*\s?(?:%|per cent)",
    "year": r"\b(?:1[89]|20)\d\d\b",
    "number": r"\b\d[\d.,/-]*",
    "numeral": r"\b{number_words}(?:[ -]{number_words})*\b",
}
"""The patterns by name, in order of precedence."""

_FIELD = re.compile(r"\{(\w+)\}")


def compiled(lexicons: Lexicons) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """The patterns with a language's words in them."""
    wanted = sorted({name for pattern in PATTERNS.values() for name in _FIELD.findall(pattern)} & set(lexicons))
    return _compiled(tuple((name, lexicons[name]) for name in wanted))


@lru_cache(maxsize=16)
def _compiled(lists: tuple[tuple[str, frozenset[str]], ...]) -> tuple[tuple[str, re.Pattern[str]], ...]:
    words = {name: _alternatives(entries) for name, entries in lists}
    return tuple((name, re.compile(pattern.format_map(words))) for name, pattern in PATTERNS.items())


def _alternatives(entries: frozenset[str]) -> str:
    """Any of the words, with or without a capital, the longest first.

    Written as a tree of their letters: a search tries one branch at each place and not every word.

    >>> _alternatives(frozenset({"art", "arts", "law"}))
    '(?:Art(?:s)?|Law|art(?:s)?|law)'
    """
    tree: _Tree = {}
    for form in sorted({form for entry in entries for form in (entry, entry[:1].upper() + entry[1:])}):
        branch = tree
        for letter in form:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return _written(tree)


_Tree = dict[str, "_Tree"]


def _written(tree: _Tree) -> str:
    """A tree of letters as a regular expression; the empty letter ends a word."""
    ways = [re.escape(letter) + _written(branch) for letter, branch in tree.items() if letter]
    if len(ways) == 1 and "" not in tree:
        return ways[0]
    return f"(?:{'|'.join(ways)})" + ("?" if "" in tree else "") if ways else ""


def found(document: Ruling) -> Iterator[tuple[int, int, str]]:
    """The patterns' matches: first token, token after the last, the pattern's name."""
    starts, ends = document.source.starts, document.source.ends
    for name, pattern in compiled(document.lexicons):
        spans = [match.span() for match in pattern.finditer(document.source.text)]
        low = np.searchsorted(ends, [start for start, _ in spans], side="right").tolist()
        high = np.searchsorted(starts, [end for _, end in spans], side="left").tolist()
        for first, last in zip(low, high, strict=True):
            yield first, last, name


Match = tuple[str, str, str, str]


@argument
def match(document: Ruling) -> list[Match | str]:
    """The pattern that the token is in: its name, the two words before the match and the one after it; or empty."""
    inside: list[Match | str] = [""] * len(document.words)
    for first, end, name in found(document):
        before2 = document.before(first - 1) if first and not document.first[first] else ""
        around: Match = (name, before2, document.before(first), document.after(end))
        for token in range(first, end):
            inside[token] = inside[token] or around
    return inside


@feature(tags=["rich"])
def Pattern(match: Match) -> str | None:
    """Is in a date, an amount, a reference to the law...

    >>> Pattern(("date", "born", "on", "in"))
    'date'
    """
    return match[0] if match else None


@feature(tags=["rich"])
def PatternBefore(match: Match) -> str | None:
    """The pattern that the token is in, and the two words before the match.

    >>> PatternBefore(("date", "born", "on", "in"))
    'date born on'
    """
    return " ".join(match[:3]) if match else None


@feature(tags=["rich"])
def PatternAfter(match: Match) -> str | None:
    """The pattern that the token is in, and the word after the match.

    >>> PatternAfter(("date", "born", "on", "in"))
    'date in'
    """
    return f"{match[0]} {match[3]}" if match else None
