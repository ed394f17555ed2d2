"""Which language a ruling is in, and which of its paragraphs are in another: by the share of function words among the
words, of each language that has a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from aef import lexicons
from aef.corpus_tools.document import Block, Document

Counts = NDArray[np.int64]

NAMES = {
    "de": "German",
    "en": "English",
    "es": "Spanish",
    "fr": "French",
    "pt": "Portuguese",
    "ro": "Romanian",
}
_LIST = "function_words"
_WORDS, _DIFFERENT = 50, 12
"""A text with fewer words tells no language, and one with fewer different words not that it is of an unknown one."""
_PASSAGE = 25
"""The same of a paragraph; it is told beside the language of all the ruling."""
_OWN, _OTHER, _TIMES = 0.12, 0.25, 1.5
"""Shares of function words. In judgments of a language half of the words are such, a third at least; lists of parties
alone have 0.15. Of other languages than one's own the words are 0.09 at most where no list is of a language near by.
Another language is told where it has so many times the share of one's own."""


def name_of(code: str) -> str:
    """The English name of a language; one that is not known is called by its code."""
    return NAMES.get(code, code)


@dataclass(frozen=True, eq=False)
class FunctionWords:
    """How many words of two letters and more each paragraph of a document has, shape (paragraphs,), and how many of
    them are function words of each language that has a list."""

    document: Document
    words: Counts
    of: Mapping[str, Counts]

    @classmethod
    def counted(cls, document: Document) -> FunctionWords:
        tokens, n = document.tokens, len(document.blocks)
        forms = [word.lower() for word in tokens.forms.tolist()]
        plain = np.array([len(word) > 1 and word.isalpha() for word in forms], np.bool_)
        paragraph = np.searchsorted([b.start for b in document.blocks], tokens.starts, side="right") - 1

        def by_paragraph(of_form: NDArray[np.bool_]) -> Counts:
            return np.bincount(paragraph[of_form[tokens.numbers]], minlength=n)

        lists = {
            code: np.fromiter(map(_list(code).__contains__, forms), np.bool_) for code in lexicons.with_list(_LIST)
        }
        return cls(document, by_paragraph(plain), {code: by_paragraph(plain & known) for code, known in lists.items()})

    def told(self, language: str) -> str | None:
        """The language that the text reads like, where that is told from another than the one given; "" for none that
        there are word lists for."""
        total = self.words.sum()
        if total < _WORDS:
            return None
        shares = {code: float(found.sum() / total) for code, found in self.of.items()}
        own = shares.pop(language, 0.0)
        best = max(shares, key=lambda code: shares[code])
        if shares[best] > max(_OTHER, _TIMES * own):
            return best
        return "" if own < _OWN and len(self._different()) >= _DIFFERENT else None

    def _different(self) -> set[str]:
        return {low for word in set(self.document.words) if len(low := word.lower()) > 1 and low.isalpha()}

    def passages(self, language: str) -> dict[str, list[Block]]:
        """The paragraphs of a ruling in a language that read like another one, by that.

        Short ones tell no language: they go with the paragraphs around them where both are of the same other one.

        >>> told = "The court has heard her, and it is of the opinion that she was there. " * 2
        >>> french = "La cour a entendu la mère de la victime, et elle est d'avis que cela ne suffit pas. " * 2
        >>> found = FunctionWords.counted(Document.from_text(f"{told}\\n{french}")).passages("en")
        >>> {code: [block.start for block in blocks] for code, blocks in found.items()} == {"fr": [len(told) + 1]}
        True
        """
        if self.words.sum() < _WORDS:
            return {}
        own = self.of.get(language, np.zeros_like(self.words))
        others = [code for code in self.of if code != language]
        found = np.stack([self.of[code] for code in others])
        foreign = found.max(axis=0) > np.maximum(_OTHER * self.words, _TIMES * own)
        if not (foreign & (self.words >= _PASSAGE)).any():
            return {}
        codes = [others[i] if o else language for i, o in zip(found.argmax(axis=0), foreign, strict=True)]
        by_language: dict[str, list[Block]] = {}
        read_as = _filled(codes, self.words >= _PASSAGE, language)
        for block, code in zip(self.document.blocks, read_as, strict=True):
            if code != language:
                by_language.setdefault(code, []).append(block)
        return by_language


def _filled(codes: list[str], long: NDArray[np.bool_], language: str) -> list[str]:
    """The languages of paragraphs; of one that is not ``long`` that of the long ones around it, if it is the same."""
    at = np.flatnonzero(long)
    around = [language, *(codes[i] for i in at.tolist()), language]
    places = np.searchsorted(at, np.arange(len(codes))).tolist()
    beside = [around[i] if around[i] == around[i + 1] else language for i in places]
    return [code if whole else near for code, whole, near in zip(codes, long.tolist(), beside, strict=True)]


def language_doubt(document: Document) -> str:
    """What is to be said where a text does not read like the document's language; else nothing.

    >>> language_doubt(Document.from_text("Le requérant et la mère de son enfant sont en vie. " * 8))
    'reads like French, and is read as English'
    """
    if document.language not in lexicons.languages():
        return ""
    found = FunctionWords.counted(document).told(document.language)
    read_as = f"and is read as {name_of(document.language)}"
    if found is None:
        return ""
    return f"reads like {name_of(found) if found else 'no language that there are word lists for'}, {read_as}"


@cache
def _list(code: str) -> frozenset[str]:
    return lexicons.lowered(lexicons.load(_LIST, code))
