"""What of the mentions of people that a model found is nobody's name."""

from __future__ import annotations

from aef.corpus_tools.document import Mention
from aef.names import word_set
from aef.repair.ruling import CONTRACTION, IN_PLACE, IN_TIME, INITIAL, INSIDE, Ruling

_DOUBTFUL = 0.3
"""A word on no list of names that stands in small letters elsewhere is a name from this probability on."""
_DAY, _MONTH, _LISTED = 0.9, 0.6, 0.6
_PLACE, _SMALL = 0.6, 0.5
"""A day, a month where a date could stand, a word on a list of what is no name, a place, a word in lower case: a name
from this probability on."""
_LETTER, _FUNCTION, _FAINT_PLACE = 0.6, 0.8, 0.4
"""A letter without a period, a word of grammar, and a place whatever stands before it."""
_FIRST_ONLY = 0.3
"""A word that has a capital nowhere but where a sentence begins is a name from this probability on."""
_ON_DAYS = word_set("on a an each every second first other last next this that one any")


class Doubts:
    """``in_full``: the words of names that have several."""

    def __init__(self, ruling: Ruling, in_full: frozenset[str]) -> None:
        self.ruling = ruling
        self.lists = ruling.lists
        self.in_full = in_full

    def is_name(self, mention: Mention) -> bool:
        tokens = self.ruling.tokens(mention)
        words = [self.ruling.words[t].lower() for t in tokens]
        small = all(self.ruling.words[t].islower() for t in tokens)
        if small and (mention.probability or 1) < _SMALL and not self.lists.words_too.isdisjoint(words):
            return False
        if (mention.probability or 1) < _PLACE and self._is_place(tokens, words):
            return False
        if (mention.probability or 1) < _FAINT_PLACE and self.lists.places.issuperset(words):
            return False
        return len(words) > 1 or self._names_alone(tokens[0], mention.probability or 1)

    def _names_alone(self, token: int, probability: float) -> bool:
        """Whether a single word may be somebody's name here."""
        word, lower = self.ruling.words[token], self.ruling.words[token].lower()
        if said := CONTRACTION.fullmatch(word):
            return said[1].lower() in self.lists.names and said[1].lower() not in self.lists.no_names
        if self.ruling.is_turn(token) or self._is_heading(token) or word in self.lists.particles:
            return False
        if self.ruling.title_before(token) or self.ruling.initial_before(token):
            return True
        if probability < _LETTER and len(word) == 1:
            return False
        if probability < _FUNCTION and lower in self.lists.functions:
            return False
        if lower in self.lists.kin and word not in self.in_full:
            return False
        if lower.removesuffix("s") in self.lists.weekdays:
            a_day = word not in self.in_full or self.ruling.before(token) in IN_TIME | _ON_DAYS
            return probability >= (_DAY if a_day else _LISTED)
        if lower in self.lists.months and probability < _MONTH and self.ruling.is_date(token):
            return False
        if lower in self.lists.given or lower in self.lists.surnames:
            return True
        if probability < _DOUBTFUL and (lower in self.ruling.lower or lower.removesuffix("s") in self.ruling.lower):
            return False
        if lower in self.lists.no_names and probability < _LISTED:
            return False
        return not (probability < _FIRST_ONLY and self.ruling.only_first(token))

    def _is_place(self, tokens: range, words: list[str]) -> bool:
        """Words that name places, and people only where nothing says that a place is meant."""
        if not self.lists.places.issuperset(words) or self.ruling.title_before(tokens.start):
            return False
        if self.lists.names.isdisjoint(words):
            return True
        before = self.ruling.before(tokens.start)
        if self.lists.given.issuperset(words):
            return before in INSIDE and self.in_full.isdisjoint(self.ruling.words[t] for t in tokens)
        return before in IN_PLACE or self.ruling.whole.text[: self.ruling.start(tokens[0])].rstrip().endswith(",")

    def _is_heading(self, token: int) -> bool:
        """Whether a letter counts headings, the one before or after it beginning another line: "E. FINDINGS"."""
        word = self.ruling.words[token]
        return (
            bool(INITIAL.fullmatch(word))
            and self.ruling.begins_line(token)
            and bool(self.ruling.line_letters & {chr(ord(word[0]) - 1), chr(ord(word[0]) + 1)})
        )
