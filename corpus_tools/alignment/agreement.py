"""Whether two rulings are a pair: how much of one is in the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from aef.corpus_tools.alignment.conventions import Unit, has_digit
from aef.corpus_tools.alignment.matches import Match, Side, match_paragraphs
from aef.corpus_tools.alignment.paragraph_pairing import pair_paragraphs
from aef.corpus_tools.alignment.token_alignment import INSERTED, KEPT, REWORDED, Sort, Step
from aef.corpus_tools.document import Document
from aef.errors import InputError

LEAST_AGREEMENT = 1.2
"""Least `Agreement.score` of a pair: above that of different judgments full of the same formulas, below that of pairs
with half of the text dropped or added (`aef.experiments.alignment` measures both). Less is asked of a few words."""

_UNTOLD = (REWORDED, INSERTED)
_FULL_SIZE = 200  # words
_FEW_NAMES = 10  # one name changed among few is no sign yet
_LONG, _WHOLE = 8, 0.93  # words of a paragraph that tells something, and the share of them that is all but whole


class Agreement(NamedTuple):
    """How well two rulings agree, as shares from 0 to 1."""

    of_anonymized: float  # words of the anonymized version that come from the original
    of_original: float  # words of the original that are accounted for
    whole: float  # words of the anonymized version in paragraphs taken over all but whole
    inside: float  # words that agree inside the paragraphs paired
    contradicted: float  # names and numbers, inside the paragraphs paired, that gave way to other names and numbers
    paragraphs: float  # paragraphs of the original with a partner that agrees

    @property
    def score(self) -> float:
        """0 to 3; judgments of one court that differ in little but names and dates are told by what contradicts."""
        return (self.of_anonymized + self.of_original + self.whole) * self.inside * (1 - self.contradicted) ** 4


def agreement(original: Document, anonymized: Document) -> Agreement:
    """How well two rulings agree, whether they are a pair or not."""
    return _agreement(*match_documents(original, anonymized))


def match_documents(original: Document, anonymized: Document) -> tuple[Side, Side, list[Match]]:
    """Both rulings in units, and their paragraphs paired and aligned."""
    here = Side.of(original)
    there = Side.of(anonymized, here)
    return here, there, match_paragraphs(here, there, pair_paragraphs(here.blocks, there.blocks))


def must_be_a_pair(here: Side, there: Side, matches: Sequence[Match]) -> None:
    """Raise `InputError`, saying how little agrees, where two rulings are no pair."""
    found = _agreement(here, there, matches)
    size = sum(map(_words, there.blocks))
    if found.score >= LEAST_AGREEMENT * (0.4 + 0.6 * min(1, size / _FULL_SIZE)):
        return
    one, two = here.document.doc_id or "the original", there.document.doc_id or "the anonymized version"
    others = f", and {100 * found.contradicted:.0f}% of the names and numbers are others" if found.contradicted else ""
    raise InputError(
        f"only {100 * found.paragraphs:.0f}% of the paragraphs of {one} have a partner in {two}, "
        f"{100 * found.of_anonymized:.0f}% of the words of {two} come from {one}{others}. "
        "Check that the two are the original and the anonymized version of the same ruling"
    )


def _agreement(here: Side, there: Side, matches: Sequence[Match]) -> Agreement:
    words_here, words_there = (max(1, sum(map(_words, side.blocks))) for side in (here, there))
    kept = [sum(_words(m.anonymized[s.a_start : s.a_end]) for s in m.steps if s.kind == KEPT) for m in matches]
    told = sum(_words(m.original[s.o_start : s.o_end]) for m in matches for s in m.steps if s.kind not in _UNTOLD)
    sizes = [_words(m.anonymized) for m in matches]
    whole = [k >= _WHOLE * n for n, k in zip(sizes, kept, strict=True)]
    partners = sum(len(m.pair.original) for m, is_whole in zip(matches, whole, strict=True) if is_whole)
    return Agreement(
        sum(kept) / words_there,
        told / words_here,
        sum(n for n, is_whole in zip(sizes, whole, strict=True) if is_whole and n >= _LONG) / words_there,
        sum(kept) / max(1, sum(sizes)),
        _contradicted(matches),
        partners / max(1, len(here.blocks)),
    )


def _contradicted(matches: Sequence[Match]) -> float:
    names = sum(m.sorts.count(Sort.NAME) for m in matches)
    others = sum(_names_exchanged(m, s) for m in matches for s in m.steps if s.kind == REWORDED)
    return others / (names + _FEW_NAMES)


def _names_exchanged(match: Match, step: Step) -> int:
    new = match.anonymized[step.a_start : step.a_end]
    if not any(u.is_word and (u.text[0].isupper() or has_digit(u.text)) for u in new):
        return 0
    return match.sorts[step.o_start : step.o_end].count(Sort.NAME)


def _words(units: Iterable[Unit]) -> int:
    """The number of words that are no labels."""
    return sum(u.is_word and not (u.label and u.label.convention.strong) for u in units)
