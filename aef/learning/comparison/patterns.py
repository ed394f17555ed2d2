"""Patterns alone: titled names, dates, money, case numbers and e-mail addresses by regular expressions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from aef.citations.case_names import either
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.conll import nesting
from aef.learning.comparison.scoring import Options

UPPER = "".join(c for c in map(chr, range(0x250)) if c.isupper())
"""Capitals of the Latin script."""

PIECES = {
    "cap": rf"[{UPPER}][\w’'-]*\.?",
    "particle": r"(?:v[ao]n|de[rnlsi]?|d[ai]|do|du|la|le|el|al|bin|ibn|te[rn]|zu[mr]?|y|e)",
    "number": r"\d+(?:[.,\s]\d{3})*(?:[.,]\d+)?",
    "currency": r"(?:EUR|USD|GBP|CHF|ATS|DEM|FRF|ITL|NLG|PLN|SEK|SIT|SKK|TRL|TRY|UAH|RUB|RON|ROL|HUF|CZK|BGN|[€£$])",
    "money": r"(?:euros?|dollars?|pounds?|francs?|liras?|zlot(?:y|ys|ies)|roubles?|rubles?|schillings?|marks?|kronor)",
    "day": r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?",
    "year": r"(?:1[89]|20)\d\d",
}
"""Names for parts of expressions; ``title`` and ``month`` come from the word lists."""

PATTERNS = (
    ("PERSON", r"\b{title}\s+(?P<hidden>{cap}(?:[\s-]+(?:{particle}\s+)*{cap})*)"),
    ("DATETIME", r"\b{day}(?:\s+of)?\s+{month}(?:,?\s+{year})?\b"),
    ("DATETIME", r"\b{month}\s+{day}\b(?:,?\s+{year}\b)?"),
    ("DATETIME", r"\b{month}\s+{year}\b"),
    ("DATETIME", r"\b\d{{1,2}}([./-])\d{{1,2}}\1(?:\d\d)?\d\d\b"),
    ("DATETIME", r"\b(?:in|since|until|of|from|between|during|and)\s+(?P<hidden>{year})\b"),
    ("QUANTITY", r"(?:\b|(?=[€£$])){currency}\s?{number}"),
    ("QUANTITY", r"\b{number}\s+(?:\w+\s)?(?:{currency}|{money})(?!\w)"),
    ("CODE", r"\b\d{{1,6}}/\d{{1,4}}\b"),
    ("CODE", r"\b(?=[\w/.-]*[A-Z])(?=[\w/.-]*\d)[\w.-]+/[\w./-]*\w"),
    ("CODE", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
)
"""An entity type and a regular expression each; what is hidden is the group of that name, or the whole match."""


class Patterns:
    """Hides what one of `PATTERNS` matches, and a titled name wherever it stands in its document."""

    def __init__(self, options: Options) -> None:
        self._lists = options.lexicons()

    @cached_property
    def _compiled(self) -> list[tuple[str, re.Pattern[str]]]:
        titles = {title.rstrip(".") for title in self._lists["title"]}
        months = {word.rstrip(".").capitalize() for word in self._lists["month_names"]}
        pieces = PIECES | {"title": rf"{either(titles)}\.?", "month": rf"{either(months)}\b\.?"}
        return [(kind, re.compile(pattern.format(**pieces))) for kind, pattern in PATTERNS]

    def tag(self, document: Document) -> Document:
        """The document with the mentions found in it."""
        found = list(self._matches(document.text))
        names = {_name(document.cut(m)) for m in found if m.entity_type == "PERSON"}
        if names:
            again = re.compile(rf"\b{either(names)}(?!\w)")
            found += [Mention(*match.span(), "PERSON") for match in again.finditer(document.text)]
        return document.with_mentions(nesting(found)[0])

    def _matches(self, text: str) -> Iterator[Mention]:
        for kind, pattern in self._compiled:
            group = "hidden" if "hidden" in pattern.groupindex else 0
            for match in pattern.finditer(text):
                yield Mention(*match.span(group), kind)


def _name(name: str) -> str:
    """Without a possessive or a sentence's period."""
    return name.removesuffix(".").removesuffix("'s").removesuffix("’s")
