"""Patterns over the text: dates, amounts, durations, application numbers, references to the law.

A pattern is a regular expression in which ``{list}`` stands for the words of a word list; a token is in the first
pattern that covers it. A pattern also says what it opens with, so that it is tried only where that stands: ``0`` is any
digit, ``A`` any capital from A to Z, ``{list}`` a word of a list, anything else itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain

import numpy as np

from aef.features.dictionary import Lexicons
from aef.features.openings import places, table
from aef.features.registry import argument, feature
from aef.features.ruling import Bools, Ruling
from aef.lexicons import letter_tree

PATTERNS: dict[str, tuple[str, str]] = {
    "law": (
        "{law_words}",
        r"\b{law_words}\s+(?:[Nn][o°º]s?\.?\s*)?\d[\w§.()/-]*"
        r"(?:(?:\s*(?:,|{joiners}|or|to|§+|-|–))++\s*\d[\w().]*)*",
    ),
    "date": (
        "0",
        r"\b\d{{1,2}}(?:er|º|st|nd|rd|th)?(?:\s+{joiners})?(?:\s*(?:,|-|–|{joiners})\s*\d{{1,2}}){{0,30}}"
        r"\s+(?:{joiners}\s+)?{month_names}\b(?:(?:\s+{joiners})?\s+\d{{4}}\b)?",
    ),
    "month": ("{month_names}", r"\b{month_names}\s+(?:\d{{1,2}},\s+|{joiners}\s+)?\d{{4}}\b"),
    "figures": ("0. 0/ 0- 00. 00/ 00-", r"\b\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}\b"),
    "application": ("000", r"\b\d{{3,6}}/\d{{2}}\b"),
    "money": (
        "0 AAA £ € $",
        r"(?:[£€$]|\b[A-Z]{{3}}\s)\s*\(?\d(?:[\d.,\s]*\d)?|\b\d[\d.,]{{0,40}}+(?:\s+million)?\s+{money_words}\b",
    ),
    "duration": ("0 {number_words}", r"\b(?:\d+|{number_words}(?:[ -]{number_words}){{0,20}})\s+{unit_words}(?!\w)"),
    "percent": ("0", r"\b\d[\d.,]{{0,40}}+\s?(?:%|per cent)"),
    "year": ("18 19 20", r"\b(?:1[89]|20)\d\d\b"),
    "number": ("0", r"\b\d[\d.,/-]*"),
    "numeral": ("{number_words}", r"\b{number_words}(?:[ -]{number_words})*\b"),
}
"""By name, in order of precedence: what the pattern opens with, and the pattern. What may fail behind a repetition
bounds it, or nothing given back: a text of "1.1.1." or ", , ," would else be read again from each of its places."""

_FIELD = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, eq=False)
class TextPattern:
    """An expression, and which three characters may begin a match (`aef.features.openings`)."""

    name: str
    written: str
    opens: Bools

    @cached_property
    def expression(self) -> re.Pattern[str]:
        """Compiled when a text may hold a match."""
        return re.compile(self.written)


def compiled(lexicons: Lexicons) -> tuple[TextPattern, ...]:
    """The patterns with a language's words in them."""
    fields = {name for pattern in PATTERNS.values() for name in _FIELD.findall("".join(pattern))}
    return _compiled(tuple((name, lexicons[name]) for name in sorted(fields & set(lexicons))))


@lru_cache(maxsize=16)
def _compiled(lists: tuple[tuple[str, frozenset[str]], ...]) -> tuple[TextPattern, ...]:
    words = {name: letter_tree(_with_capitals(entries)) for name, entries in lists}
    known = {f"{{{name}}}": _with_capitals(entries) for name, entries in lists}
    return tuple(
        TextPattern(
            name,
            expression.format_map(words),
            table(chain.from_iterable(known.get(word, [word]) for word in opening.split())),
        )
        for name, (opening, expression) in PATTERNS.items()
    )


def _with_capitals(entries: frozenset[str]) -> list[str]:
    """The words, each also with a capital."""
    return sorted({form for entry in entries for form in (entry, entry[:1].upper() + entry[1:])})


def found(document: Ruling) -> Iterator[tuple[int, int, str]]:
    """The patterns' matches: first token, token after the last, the pattern's name.

    What matches where no token is, such as a paragraph's number in brackets, is left out.
    """
    spans = list(matches(document))
    low = np.searchsorted(document.source.ends, [start for start, _, _ in spans], side="right").tolist()
    high = np.searchsorted(document.source.starts, [end for _, end, _ in spans], side="left").tolist()
    return (place for place in zip(low, high, [name for _, _, name in spans], strict=True) if place[0] < place[1])


def matches(document: Ruling) -> Iterator[tuple[int, int, str]]:
    """What the patterns match: first character, character after the last, the pattern's name."""
    text, (at, begin) = document.source.text, places(document.codes)
    for pattern in compiled(document.lexicons):
        end = 0
        for place in at[pattern.opens[begin]].tolist():
            if place >= end and (match := pattern.expression.match(text, place)):
                end = match.end()
                yield place, end, pattern.name


Match = tuple[str, str, str, str]


@argument
def match(document: Ruling) -> Sequence[Match | str]:
    """The pattern that the token is in: its name, the two words before the match and the one after it; or empty."""
    spans: list[tuple[int, int]] = []
    around: list[Match] = []
    for first, end, name in found(document):
        before2 = document.before(first - 1) if first and not document.first[first] else ""
        spans.append((first, end))
        around.append((name, before2, document.before(first), document.after(end)))
    return document.over(spans[::-1], around[::-1])


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


@argument
def behind_match(document: Ruling) -> Sequence[str]:
    """The pattern that the token is in and the three words behind the match; empty outside of all."""
    places = list(found(document))
    told = [" ".join((name, *document.lower[end : end + 3])) for _, end, name in places]
    return document.over([(first, end) for first, end, _ in reversed(places)], told[::-1])


@feature(tags=["wide-es", "wide-fr"])
def PatternBehind(behind_match: str) -> str | None:
    """The pattern that the token is in, and the three words behind the match.

    >>> PatternBehind("date the court changed")
    'date the court changed'
    """
    return behind_match or None
