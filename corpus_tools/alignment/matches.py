"""Two rulings side by side: their units, what each unit is, and which became which.

The same word in small letters, or inside a sentence, tells whether its capital is a name's; so the sort of a unit is
seen in the whole ruling.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from aef import lexicons
from aef.corpus_tools.alignment.conventions import Unit, has_digit, join_counters, units, without_numerals
from aef.corpus_tools.alignment.paragraph_pairing import Pair
from aef.corpus_tools.alignment.token_alignment import DELETED, INSERTED, LABEL, REWORDED, Sort, Step, align_units
from aef.corpus_tools.document import Document

SENTENCE_END = frozenset(".!?:;…")
PREPOSITIONS = frozenset(
    ("in", "at", "on", "of", "from", "to", "by", "with", "for", "near", "since", "until", "between", "as", "under")
)
BEFORE_A_NAME = PREPOSITIONS | {"a", "an", "the", "his", "her", "their", "its", "and", "or", "who", "was", "is"}
LOOSE_EDGES = PREPOSITIONS | {"and", "or", "during", "after", "before", "who", "which", "that", "was", "were", "is"}
SMALL_WORDS = BEFORE_A_NAME | LOOSE_EDGES


@dataclass(frozen=True)
class Side:
    """A ruling and its units, block by block."""

    document: Document
    blocks: list[list[Unit]]

    @classmethod
    def of(cls, document: Document, original: Side | None = None) -> Side:
        """The units of a ruling; ``original``: the other side, where the ruling is the anonymized version."""
        blocks = [units(document.text, b.start, b.end) for b in document.blocks]
        return cls(document, join_counters(without_numerals(blocks), original.blocks) if original else blocks)


@dataclass(frozen=True)
class Match:
    """A pair of paragraphs with the steps from one to the other."""

    here: Document
    there: Document
    pair: Pair
    original: list[Unit]
    sorts: list[Sort]
    anonymized: list[Unit]
    steps: list[Step]

    @cached_property
    def reworded(self) -> bool:
        """Whether the editor changed ordinary words here, too: a deletion is then no proof of a name."""
        return any(self._changes_words(n) for n in range(len(self.steps))) or self.drops > 1

    def _changes_words(self, n: int) -> bool:
        step = self.steps[n]
        if step.kind == REWORDED:
            return any(u.is_word for u in self.original[step.o_start : step.o_end])
        if step.kind != INSERTED:
            return False
        beside = {s.kind for s in self.steps[max(0, n - 1) : n + 2]}
        words = sum(u.is_word for u in self.anonymized[step.a_start : step.a_end])
        return words > (1 if LABEL in beside else 0)

    @cached_property
    def drops(self) -> int:
        """The number of deletions of ordinary words that leave a sentence that reads well."""
        kinds = [s.kind for s in self.steps]
        return sum(
            step.kind == DELETED
            and Sort.NAME not in self.sorts[step.o_start : step.o_end]
            and any(u.is_word for u in self.original[step.o_start : step.o_end])
            and LABEL not in kinds[max(0, n - 1) : n + 2]
            and not self.leaves_hole(step)
            for n, step in enumerate(self.steps)
        )

    def leaves_hole(self, step: Step) -> bool:
        """Whether the words around a deletion cannot stand together: ``worked as a in a company``."""
        before = self.anonymized[step.a_start - 1] if step.a_start else None
        after = self.anonymized[step.a_end] if step.a_end < len(self.anonymized) else None
        if before is None or before.text in SENTENCE_END:
            return after is not None and after.text[0].islower()
        if before.key not in BEFORE_A_NAME:
            return after is not None and before.text + after.text in ("()", "“”", '""')
        return after is None or not after.is_word or after.key in BEFORE_A_NAME


@cache
def _titles() -> frozenset[str]:
    return frozenset(t.rstrip(".").casefold() for t in lexicons.load("title")) | {"messrs"}


def is_title(unit: Unit) -> bool:
    """Whether the unit is a title such as Mr or Dr, which stays in clear."""
    return unit.text[0].isupper() and unit.key.rstrip(".") in _titles()


def title_before(units: Sequence[Unit], start: int) -> Unit | None:
    """The title directly before a unit, its period skipped."""
    while start and units[start - 1].text == ".":
        start -= 1
    return units[start - 1] if start and is_title(units[start - 1]) else None


def is_common(unit: Unit) -> bool:
    """Whether the unit is on the list of common words."""
    return unit.key in lexicons.load("common_words")


@cache
def generic_words() -> frozenset[str]:
    """Words that name many things: months, weekdays, what ends the name of a place or organisation, countries."""
    lists = lexicons.load_all()
    endings = [name for name in lists if name.startswith(("generic_", "suffix_", "legal_form"))]
    alone = {e.casefold() for e in lists["nome_exclusion"] if " " not in e}
    return frozenset(w.rstrip(".") for name in ("month_names", "weekday_names", *endings) for w in lists[name]) | alone


def match_paragraphs(original: Side, anonymized: Side, pairs: Iterable[Pair]) -> list[Match]:
    """The pairs with their alignments, unit by unit."""
    sorts = _sorts(original)
    matches = []
    for pair in pairs:
        here = [u for i in pair.original for u in original.blocks[i]]
        there = [u for j in pair.anonymized for u in anonymized.blocks[j]]
        kinds = [s for i in pair.original for s in sorts[i]]
        matches.append(
            Match(original.document, anonymized.document, pair, here, kinds, there, align_units(here, kinds, there))
        )
    return matches


def _sorts(side: Side) -> list[list[Sort]]:
    """The sort of each unit, seen in the whole ruling: the same word small or inside a sentence tells."""
    small: set[str] = set()
    inside: set[str] = set()
    for block in side.blocks:
        for n, unit in enumerate(block):
            if unit.text[0].islower():
                small.add(unit.key)
            elif unit.text[0].isupper() and not _opens_sentence(block, n):
                inside.add(unit.key)
    return [[_sort(block, n, small, inside) for n in range(len(block))] for block in side.blocks]


def _opens_sentence(block: Sequence[Unit], n: int) -> bool:
    while n and not block[n - 1].is_word and block[n - 1].text not in SENTENCE_END:
        n -= 1
    return n == 0 or block[n - 1].text in SENTENCE_END


def _sort(block: Sequence[Unit], n: int, small: set[str], inside: set[str]) -> Sort:
    unit = block[n]
    if has_digit(unit.text):
        return Sort.NAME
    if not unit.is_word:
        return Sort.SIGN
    if is_title(unit):
        return Sort.TITLE
    common = is_common(unit)
    if not unit.text[0].isupper():
        adverb = unit.key.endswith("ly") and len(unit.key) > 4
        return Sort.COMMON if common or adverb else Sort.LOWER
    if common and (unit.key in small or unit.key == "i") and not _continues_name(block, n):
        return Sort.COMMON
    if not _opens_sentence(block, n):
        return Sort.NAME
    if common:
        return Sort.COMMON
    return Sort.LOWER if unit.key in small and unit.key not in inside else Sort.NAME


def _continues_name(block: Sequence[Unit], n: int) -> bool:
    """Whether a common word with a capital follows another word with one, as in Valley View."""
    before = block[n - 1] if n else None
    return (
        before is not None
        and before.text[0].isupper()
        and not (before.text.isupper() or is_common(before) or is_title(before) or _opens_sentence(block, n - 1))
    )
