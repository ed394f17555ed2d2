"""Which language a ruling is in: by the share of function words among its words, of each language that has a list."""

from __future__ import annotations

from collections import Counter
from functools import cache

from aef import lexicons
from aef.corpus_tools.document import Document

NAMES = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "pt": "Portuguese",
    "ro": "Romanian",
}
_WORDS, _DIFFERENT = 50, 12
"""A text with fewer words tells no language, and one with fewer different words not that it is of an unknown one."""
_OWN, _OTHER = 0.12, 0.25
"""Shares of function words. In judgments of a language half of the words are such, a third at least; lists of parties
alone have 0.15. Of other languages than one's own the words are 0.09 at most where no list is of a language near by."""


def name_of(code: str) -> str:
    """The English name of a language; one that is not known is called by its code."""
    return NAMES.get(code, code)


def told(document: Document) -> str | None:
    """The language that a text reads like, where that is told from another than the document's; "" for none that
    there are word lists for.

    >>> told(Document.from_text("Le requérant et la mère de son enfant sont en vie. " * 8))
    'fr'
    """
    words: Counter[str] = Counter()
    for word, times in Counter(document.words).items():
        if len(word) > 1 and word.isalpha():
            words[word.lower()] += times
    if words.total() < _WORDS:
        return None
    shares = {code: sum(words[word] for word in _list(code)) / words.total() for code in lexicons.languages()}
    own = shares.pop(document.language, 0.0)
    best = max(shares, key=lambda code: shares[code])
    if shares[best] > max(_OTHER, 1.5 * own):
        return best
    return "" if own < _OWN and len(words) >= _DIFFERENT else None


def language_doubt(document: Document) -> str:
    """What is to be said where a text does not read like the document's language; else nothing.

    >>> language_doubt(Document.from_text("Le requérant et la mère de son enfant sont en vie. " * 8))
    'reads like French, and is read as English'
    """
    if document.language not in lexicons.languages():
        return ""
    found, read_as = told(document), f"and is read as {name_of(document.language)}"
    if found is None:
        return ""
    return f"reads like {name_of(found) if found else 'no language that there are word lists for'}, {read_as}"


@cache
def _list(code: str) -> frozenset[str]:
    return frozenset(word.lower() for word in lexicons.load("function_words", code))
