"""Where else in a ruling the people that were found are named: nicknames, names that are words, names in haste."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from aef.aliases import in_quotes, means, nickname
from aef.corpus_tools.document import Mention
from aef.repair.ruling import HASTE, IN_PLACE, Bools, Finding, is_rank

_SPREADS = 0.8
"""Names in lower case are looked for from this probability on."""
_INITIALS = re.compile(r"(?:[A-Z]\.){2,4}")
_TOGETHER = re.compile(r",\s+|,?\s+(?:and|AND|&)\s+")
_OTHERWISE = re.compile(r"(?<![\w@])([A-ZÀ-Þ][\w.'’]*)\s+@\s+$")
_LONGEST = 40


class Elsewhere(Finding):
    """Finds more mentions of the people that were found."""

    def beside(self, people: Iterable[Mention], covered: Bools) -> Iterator[Mention]:
        """Initials beside those of somebody who was found: "A.B., C.D. AND E.F."."""
        words, waiting = self.ruling.words, list(people)
        while waiting:
            mention = waiting.pop()
            tokens = self.ruling.tokens(mention)
            for token in (tokens.start - 1, tokens.start - 2, tokens.stop, tokens.stop + 1):
                if self._are_beside(token, tokens) and not covered[token] and _INITIALS.fullmatch(words[token]):
                    covered[token] = True
                    waiting.append(self.same(token, token, mention.probability))
                    yield waiting[-1]

    def _are_beside(self, token: int, tokens: range) -> bool:
        """Whether nothing but a comma or "and" stands between a token and one of initials."""
        words = self.ruling.words
        if len(tokens) != 1 or not 0 <= token < len(words) or not _INITIALS.fullmatch(words[tokens.start]):
            return False
        low, high = sorted((token, tokens.start))
        return bool(_TOGETHER.fullmatch(self.ruling.whole.text, self.ruling.end(low), self.ruling.start(high)))

    def alike(self, people: Iterable[Mention], covered: Bools) -> Iterator[Mention]:
        """Families, "the Julys" of an Ann July, and what stands before an "@" and another name: "Ram @ Raju"."""
        whole, words = self.ruling.whole, self.ruling.words
        families: dict[str, float | None] = {}
        for mention in people:
            surname = words[self.ruling.tokens(mention).stop - 1]
            if surname[:1].isupper():
                families |= dict.fromkeys((f"{surname}s", f"{surname}es"), mention.probability)
            if other := _OTHERWISE.search(whole.text, max(0, mention.start - _LONGEST), mention.start):
                tokens = whole.token_range(*other.span(1))
                if not covered[tokens.start : tokens.stop].any():
                    yield self.same(tokens.start, tokens.stop - 1, mention.probability)
        for token, word in enumerate(words):
            if word in families and not covered[token] and self._is_family(token):
                yield self.same(token, token, families[word])

    def _is_family(self, token: int) -> bool:
        """Whether the words around allow that a family is meant: "the Wills", not "the Wills Act"."""
        return self.ruling.before(token) == "the" and self.ruling.words[token + 1 : token + 2] != ["Act"]

    def called(self, people: Iterable[Mention], covered: Bools) -> Iterator[Mention]:
        """Words of names that are words too, after a title or where a case is named: "Madam Man", "CASE OF MAY"."""
        words = self.ruling.words
        named = {words[t].lower(): m.probability for m in people for t in self.ruling.tokens(m)}
        names = {form: p for word, p in named.items() for form in (word.capitalize(), word.upper())}
        for token, word in enumerate(words):
            if word in names and not covered[token] and self._is_called(token):
                yield self.same(token, token, names[word])

    def _is_called(self, token: int) -> bool:
        case = self.ruling.before(token) == "of" and self.ruling.before(token - 1) == "case"
        return case or (not self.ruling.first[token] and self.ruling.title_before(token))

    def named(self, people: list[Mention], covered: Bools) -> Iterator[Mention]:
        """Nicknames, names that are common words, months or places, and names in lower case, where they are meant."""
        known = {word.lower(): p for word, p in self._small(people).items()} | self._known(people)
        hasty = {self.ruling.words[t].lower(): m.probability for m in people for t in self.ruling.tokens(m)} | known
        for token, word in enumerate(self.ruling.words):
            name = word.rstrip(".") if word.islower() else word
            if name not in hasty or covered[token] or not self._may_be(token):
                continue
            if name in known or self._is_hasty(token, name):
                yield replace(self.same(token, token, hasty[name]), end=self.ruling.start(token) + len(name))

    def _is_hasty(self, token: int, word: str) -> bool:
        """Whether a word in lower case may be a name without its capital: in a message typed in haste."""
        return (
            word.islower()
            and len(word) > 2
            and word not in self.lists.plain
            and bool(self.ruling.hasty[token] >= HASTE)
        )

    def _known(self, people: Iterable[Mention]) -> dict[str, float | None]:
        """Those names, each with the probability of the name that it belongs to."""
        known: dict[str, float | None] = {}
        for mention in people:
            words = [self.ruling.words[t] for t in self.ruling.tokens(mention)]
            known |= dict.fromkeys(filter(self._stands_alone, words[:-1]), mention.probability)
            known |= dict.fromkeys([*self._aliases(mention), *self._initials(words)], mention.probability)
        return known

    def _stands_alone(self, word: str) -> bool:
        """Whether a given name is to be looked for by itself: the model finds those that are names and nothing else."""
        lower, lists = word.lower(), self.lists
        if not word[:1].isupper() or len(word) <= 2:
            return False
        return lower in lists.guarded if lower in lists.names else lower not in lists.no_names

    def _small(self, people: Iterable[Mention]) -> dict[str, float | None]:
        """The words of names that are nothing else, as a message may have them in lower case; also with an s."""
        sure = [m for m in people if (m.probability or 1) >= _SPREADS]
        words = {self.ruling.words[t]: m.probability for m in sure for t in self.ruling.tokens(m)}
        alone = {w: p for w, p in words.items() if len(w) > 2 and w.lower() not in self.lists.words_too}
        return alone | {f"{word}s": p for word, p in alone.items() if f"{word}s".lower() not in self.lists.words_too}

    def _initials(self, words: Sequence[str]) -> Iterator[str]:
        """The initials of a name in full, all or the first and the last, with periods and without."""
        full = sum(len(word) > 2 and not word.endswith(".") for word in words)
        letters = "".join(
            letter for word in words for letter in (word[:1] if "." not in word else word.replace(".", ""))
        )
        if full and 1 < len(letters) < 5 and letters.isupper():
            for initials in dict.fromkeys([letters, letters[0] + letters[-1]]):
                if initials.lower() not in self.lists.functions:
                    yield from (initials, "".join(f"{letter}." for letter in initials))

    def _aliases(self, mention: Mention) -> Iterator[str]:
        """What the ruling says that the person is called, right behind the name; in quotes alone it may be "Wife"."""
        text = self.ruling.whole.text
        for place, none in (
            (nickname(text, mention.end), self.lists.functions),
            (in_quotes(text, mention.end), self.lists.no_nicknames),
            (means(text, mention.start), self.lists.no_nicknames),
        ):
            if place and (name := text[slice(*place)]).lower() not in none:
                yield name

    def _may_be(self, token: int) -> bool:
        word, before = self.ruling.words[token].lower(), self.ruling.before(token)
        if self.ruling.names_thing(token):
            return False
        if is_rank(self.ruling.words[token]) and token and self.ruling.words[token - 1][:1].isupper():
            return False
        if self.ruling.first[token] and (word in self.lists.common or word in self.lists.months):
            return False
        if word in self.lists.months and self.ruling.is_date(token):
            return False
        return not (word in self.lists.places and before in IN_PLACE)
