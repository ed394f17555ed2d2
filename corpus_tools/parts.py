"""Where the body of a ruling begins: its head section (court, registry, parties, counsel, dates) told apart.

The AEF thesis (section 3.2) learns from the body alone and takes out the head section, also where it is repeated at
the end. In doubt a paragraph is body: nothing is lost to training or anonymization by that.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from aef.corpus_tools.document import BODY, HEAD, TABLE
from aef.corpus_tools.tokenization.word_edges import CLOSERS


class Paragraph(NamedTuple):
    """What the rules may look at: the text, whether Word numbers it, whether it stands in a table."""

    text: str
    numbered: bool = False
    table: bool = False


@dataclass(frozen=True)
class PartRules:
    """What opens a body; patterns are matched at the beginning of a paragraph, letter case ignored."""

    number: str = r"\[1\]|1[.)]\s"
    """The first paragraph number."""
    headings: str = (
        r"(?:introduction|overview|background|procedure|procédure|procedimiento|(?:the )?facts|les faits"
        r"|nature of the (?:application|proceedings?|case|claim)|issues?|en fait)\s*[:.]?\s*$"
    )
    """Headings of a body's first section: a paragraph of their own."""
    reasons: str = (
        r"(?:oral )?(?:reasons (?:for|of) (?:the )?(?:judge?ment|decision|order)|reasons|judge?ment|motifs)\b.{0,60}$"
    )
    """Titles that stand in the head, too: they open the body only where prose or paragraph 1 follows."""
    speakers: str = r"the court(?: \([^)]*\))?\s*:|la cour\s*:|[^.:]{2,40}\bJ\.?(?: \([^)]*\))?\s*:"
    """The judge begins to speak."""
    prose_words: int = 12
    """A paragraph of so many words, most of them in lower case, that ends like a sentence is prose."""


RULES = PartRules()

_WORD = re.compile(r"[^\W\d_][\w’'-]*")
_SENTENCE_ENDS = (".", "?", "!", ":", ";", "…")


def find_body(paragraphs: Sequence[Paragraph], rules: PartRules = RULES) -> int:
    """The index of the paragraph the body begins with; 0 where nothing looks like a head and a body after it.

    >>> find_body([Paragraph("Green v. Millar"), Paragraph("Registry: Vancouver"), Paragraph("[1] The parties met.")])
    2
    """
    for i, paragraph in enumerate(paragraphs):
        if not paragraph.table and _opens_body(paragraphs, i, rules):
            return i
    return 0


def find_repeated_head(paragraphs: Sequence[Paragraph], body: int) -> int:
    """The index from which the end of the ruling repeats its head (two lines or more); the length where none does."""
    head = {_folded(p.text) for p in paragraphs[:body]}
    best, repeated = len(paragraphs), 0
    for i in range(len(paragraphs) - 1, body, -1):
        if _folded(paragraphs[i].text) in head:
            repeated += 1
            if repeated >= 2 and repeated >= 0.75 * (len(paragraphs) - i):
                best = i
    return best


def assign_parts(paragraphs: Sequence[Paragraph], rules: PartRules = RULES) -> list[str]:
    """The part each paragraph is in: head, body or table (a table in the head is head)."""
    body = find_body(paragraphs, rules)
    end = find_repeated_head(paragraphs, body)
    return [HEAD if i < body or i >= end else TABLE if p.table else BODY for i, p in enumerate(paragraphs)]


def _opens_body(paragraphs: Sequence[Paragraph], i: int, rules: PartRules) -> bool:
    text = paragraphs[i].text.strip()
    if _starts(paragraphs[i], rules) or _matches(rules.headings, text) or _matches(rules.speakers, text):
        return True
    if _matches(rules.reasons, text):
        following = next((p for p in paragraphs[i + 1 :] if p.text.strip()), None)
        return following is not None and not following.table and _starts(following, rules)
    return False


def _starts(paragraph: Paragraph, rules: PartRules) -> bool:
    """Whether the paragraph is numbered as the first one, or prose."""
    text = paragraph.text.strip()
    return paragraph.numbered or _matches(rules.number, text) or _is_prose(text, rules.prose_words)


def _is_prose(text: str, least: int) -> bool:
    words = _WORD.findall(text)
    lower = sum(word[0].islower() for word in words)
    return len(words) >= least and lower >= 0.6 * len(words) and text.rstrip(CLOSERS).endswith(_SENTENCE_ENDS)


def _matches(pattern: str, text: str) -> bool:
    return re.match(pattern, text, re.IGNORECASE) is not None


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()
