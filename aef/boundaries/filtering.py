"""Words that names are made of, as plain words: "a mark", "16 June", a letter, what a child calls her, "Hale Street".

A name spreads over its ruling, and so to places where its word names nobody. Whether somebody exists at all is decided
elsewhere, by all mentions together (`aef.roles`).
"""

from __future__ import annotations

from dataclasses import dataclass

from aef.boundaries.ruling import Ruling
from aef.corpus_tools.document import Mention

_SMALL, _TIME = 0.8, 0.6
"""A word in small letters, and a month or weekday behind a word of time, are a name from this probability on."""
_DAYS = frozenset(f"{day}{ending}" for day in range(1, 32) for ending in ("", "st", "nd", "rd", "th"))


@dataclass(frozen=True)
class PlainWords:
    """``in_full``: the words of names that have several."""

    ruling: Ruling
    in_full: frozenset[str]

    def holds(self, mention: Mention) -> bool:
        """Whether a mention is nothing but plain words."""
        tokens, probability, lists = self.ruling.tokens(mention), mention.probability or 1, self.ruling.lists
        if self.ruling.title_before(tokens.start):
            return False
        if self._is_place(tokens):
            return True
        if all(self.ruling.words[token].islower() for token in tokens):
            words = {self.ruling.words[token] for token in tokens}
            return probability < _SMALL and not lists.small.isdisjoint(words)
        return len(tokens) == 1 and self._is_plain(tokens[0], probability)

    def _is_place(self, tokens: range) -> bool:
        """Whether a name ends, or goes on behind a single word, as one of a street or county does."""
        single = len(tokens) == 1
        last = tokens[-1] + single
        if last >= len(self.ruling.words) or (single and self.ruling.gap(tokens[0], last) != " "):
            return False
        word = self.ruling.words[last]
        return word[0].isupper() and word.lower() in self.ruling.lists.places

    def _is_plain(self, token: int, probability: float) -> bool:
        word, lower = self.ruling.words[token], self.ruling.words[token].lower()
        if len(word) == 1 or (lower in self.ruling.lists.kin and word not in self.in_full):
            return True
        if lower.removesuffix("s") not in self.ruling.lists.times:
            return False
        return self._has_day_beside(token) or (
            probability < _TIME and self.ruling.before(token) in self.ruling.lists.in_time
        )

    def _has_day_beside(self, token: int) -> bool:
        beside = [i for i in (token - 1, token + 1) if 0 <= i < len(self.ruling.words)]
        return any(self.ruling.words[i].lstrip("0") in _DAYS and self.ruling.gap(i, token) == " " for i in beside)
