"""Whether a ruling is in the language that it is read in: by the share of function words among its words."""

from __future__ import annotations

from collections import Counter
from functools import cache

from aef import lexicons
from aef.corpus_tools.document import Document

NAMES = {"en": "English", "es": "Spanish", "fr": "French", "ro": "Romanian"}
_WORDS = 50
"""A text with fewer words tells no language."""
_OWN, _OTHER = 0.12, 0.25
"""Shares of function words. In judgments of a language half of the words are such, a third at least; lists of parties
alone have 0.15. In German, Portuguese and the languages with lists of their own English ones are 0.09 at most."""


def language_doubt(document: Document) -> str:
    """What is to be said where a text does not read like the document's language; else nothing.

    >>> language_doubt(Document.from_text("Le requérant et la mère de son enfant sont en vie. " * 8))
    'reads like French, and is read as English'
    """
    if document.language not in NAMES:
        return ""
    words: Counter[str] = Counter()
    for word, times in Counter(document.words).items():
        if len(word) > 1 and word.isalpha():
            words[word.lower()] += times
    if words.total() < _WORDS:
        return ""
    shares = {code: sum(words[word] for word in _list(code)) / words.total() for code in NAMES}
    own = shares.pop(document.language)
    best = max(shares, key=lambda code: shares[code])
    read_as = f"and is read as {NAMES[document.language]}"
    if shares[best] > max(_OTHER, 1.5 * own):
        return f"reads like {NAMES[best]}, {read_as}"
    return f"reads like no language that there are word lists for, {read_as}" if own < _OWN else ""


@cache
def _list(code: str) -> frozenset[str]:
    return frozenset(word.lower() for word in lexicons.load("function_words", code))
