"""Where the names that a model found begin and end."""

from __future__ import annotations

import re
from dataclasses import replace

from aef.boundaries.ruling import CONTRACTION, Bools, Ruling, is_rank
from aef.corpus_tools.document import Mention
from aef.names.parts import word_set

_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.-?)+|[^\W\d_]{2}\.")
_LETTER = re.compile(r"[A-ZÀ-Þ]")
_INITIALS = re.compile(r"(?:[A-ZÀ-Þ]\.){1,3}")
_SUFFIX = re.compile(r"(?:[JS]n?r|JR|SR)\.?|II|III|IV")
_RANKS = word_set("hhj dj s.i. a.s.i. p.s.i. p.i. d.c. d.s. d.i. d.c.i. dc ds di dci pc dsp")
"""Of judges and the police, before a name."""
_VERSUS = frozenset({"v", "vs", "vrs", "versus"})
_BETWEEN = frozenset({"and", "&"})
_AND = frozenset({"y", "e", "i", "a"})
"""Particles that may part two people, too."""
_JOINS = frozenset({"a/l", "a/p", "anak", "ak.", "binte", "bte.", "bt.", "b."})
"""What stands between two parts of a name, besides particles."""
_HYPHENATED = re.compile(r"-[^\W\d_]{1,4} ")
"""The rest of a given name that a surname follows: "Soo-ah Kim"."""
_CLOSED = re.compile(r"[,;)\n]| \(")
_LONGEST_JOIN = 20
_NO_BEGINNING = word_set("la le les las lo los el mac mc ap am im op te do da")
"""Particles that are words of other languages, too, and begin no name."""
_BEFORE_THE = word_set("in van aan op")
"""What stands before a Dutch "'t" in a name."""


class Edges:
    """Sets the edges of the mentions of one ruling.

    ``taken``, shape (tokens,): which tokens belong to a mention; what a name is widened by is marked in it.
    """

    def __init__(self, ruling: Ruling, taken: Bools) -> None:
        self.ruling = ruling
        self.lists = ruling.lists
        self.taken = taken
        self.joins = (ruling.lists.particles | _JOINS) - _AND
        self.particles = ruling.lists.particles - _AND - _NO_BEGINNING

    def set(self, people: list[Mention]) -> list[Mention]:
        """The mentions with their edges where the names have them."""
        return [
            self._widened(mention)
            for mention in self._joined([self._trimmed(part) for m in people for part in self._sides(m)])
        ]

    def _sides(self, mention: Mention) -> list[Mention]:
        """The mention, or those that a word between people parts: "HARRIMAN V. HARRIMAN", "HEATHER AND ROBERT"."""
        tokens, first = self.ruling.tokens(mention), mention.start
        sides: list[Mention] = []
        for token in tokens[1:]:
            if self._parts(token, tokens.stop):
                sides.append(replace(mention, start=first, end=self.ruling.end(token - 1)))
                first = self.ruling.start(token + 1) if token + 1 < tokens.stop else mention.end
        if first < mention.end:
            sides.append(replace(mention, start=first))
        return [side for side in sides if side.start < side.end]

    def _parts(self, token: int, stop: int) -> bool:
        """Whether a word stands between two people; "v" may be an initial, too, where it parts no namesakes."""
        word = self.ruling.words[token].lower().rstrip(".")
        if word == "v":
            return token + 1 < stop and self.ruling.words[token - 1] == self.ruling.words[token + 1]
        return word in _VERSUS or word in _BETWEEN

    def _trimmed(self, mention: Mention) -> Mention:
        """Without a question's letter and ranks; whether titles are part of a name is the corpus's to say."""
        tokens = list(self.ruling.tokens(mention))
        while len(tokens) > 1 and (self.ruling.is_turn(tokens[0]) or self.ruling.words[tokens[0]].lower() in _RANKS):
            tokens.pop(0)
        while len(tokens) > 1 and (is_rank(self.ruling.words[tokens[-1]]) or self._is_verb(tokens)):
            tokens.pop()
        last = self.ruling.words[tokens[-1]]
        said = CONTRACTION.fullmatch(last)
        if len(tokens) == len(self.ruling.tokens(mention)) and not said:
            return mention
        end = self.ruling.start(tokens[-1]) + len(said[1] if said else last)
        return replace(mention, start=max(mention.start, self.ruling.start(tokens[0])), end=min(mention.end, end))

    def _is_verb(self, tokens: list[int]) -> bool:
        """Whether a name in capitals ends in a word in small letters: "R.S. will"."""
        before, word = (self.ruling.words[t] for t in tokens[-2:])
        apart = word.islower() and before[:1].isupper() and self.ruling.gap(*tokens[-2:]) == " "
        return apart and word in self.lists.plain and word not in self.lists.particles

    def _widened(self, mention: Mention) -> Mention:
        """With the given names and initials that stand right before it, and what ends a name behind it."""
        tokens = self.ruling.tokens(mention)
        start, end, token = mention.start, mention.end, tokens.start
        while token and self._belongs(token - 1, start) and not self.taken[token - 1]:
            token -= 1
            start, self.taken[token] = self.ruling.start(token), True
        token = tokens.stop
        while token < len(self.ruling.words) and not self.taken[token] and self._ends_name(token, end):
            end, self.taken[token] = self.ruling.end(token), True
            token += 1
        return replace(mention, start=start, end=end)

    def _joined(self, people: list[Mention]) -> list[Mention]:
        """With what particles join made one: "KUMARAVEL A/L SUBRAMANIAM", "MARIA DO CARMO"."""
        joined: list[Mention] = []
        for mention in sorted(people, key=lambda m: m.start):
            last = joined[-1] if joined else None
            if last and (self._join(last.end, mention.start) or self._is_married(last, mention)):
                mention = replace(last, end=mention.end, probability=_surer(last, mention))
                joined.pop()
            joined.append(mention)
        return joined

    def _join(self, end: int, start: int) -> bool:
        """Whether the name that begins there goes on with the one that ends here."""
        if start - end > _LONGEST_JOIN:
            return False
        gap, between = self.ruling.whole.text[end:start], self.ruling.whole.token_range(end, start)
        words, free = gap.lower().split(), not self.taken[between.start : between.stop].any()
        if not free or _HYPHENATED.fullmatch(gap):
            return free
        return gap[:1] == gap[-1:] == " " and bool(words) and self.joins.issuperset(words)

    def _is_married(self, name: Mention, other: Mention) -> bool:
        """Whether that is a woman's other surname, as in Scotland: "MAGDALENA NOWAK or WHITE, residing"."""
        text, (several, one) = self.ruling.whole.text, map(self.ruling.tokens, (name, other))
        words = (self.ruling.words[t] for t in (several.stop - 1, one.start))
        alike = len({word.isupper() for word in words}) == len(one) == 1 < len(several)
        return alike and text[name.end : other.start] == " or " and bool(_CLOSED.match(text, other.end))

    def _belongs(self, token: int, start: int) -> bool:
        """Whether a token is a part of the name that begins right behind it."""
        word, end = self.ruling.words[token], self.ruling.end(token)
        gap = self.ruling.whole.text[end:start]
        if self._is_particle(token, word, gap) or self._is_bare_initial(token, gap):
            return True
        if not word[:1].isupper() or word.lower().rstrip(".") in self.ruling.titles:
            return False
        if gap == "-" or (not gap and _ABBREVIATION.fullmatch(word)):  # "May-Britt", "V.Muthu"
            return True
        if gap not in (" ", ". "):
            return False
        if _SUFFIX.fullmatch(word + gap.rstrip()):
            return False
        if _ABBREVIATION.fullmatch(word + gap.rstrip()):
            said = word[0] == "I" and self.ruling.before(token).islower()  # "neither do I. Leon"
            return not (said or self.ruling.is_turn(token))
        return (
            gap == " "
            and word.lower() not in self.lists.no_names
            and (word.lower() in self.lists.names or self._strange(token))
        )

    def _is_bare_initial(self, token: int, gap: str) -> bool:
        """Whether a letter without a period belongs to the name behind it: "Ms I YOUNG", "A K Dhillon"."""
        letters = [_LETTER.fullmatch(word) for word in self.ruling.words[token : token + 2]]
        known = letters[1] or self.ruling.title_before(token)
        return gap == " " and bool(letters[0] and known) and not self.ruling.is_turn(token)

    def _is_particle(self, token: int, word: str, gap: str) -> bool:
        """Whether a word in lower case can only belong to the name behind it: "de Vries", "in 't Veld"."""
        if gap == " '":
            return word.lower() in _BEFORE_THE and self._is_article(token + 1)
        return gap == " " and (word in self.particles or self._is_article(token))

    def _is_article(self, token: int) -> bool:
        """Whether a token is the Dutch article that an apostrophe shortens: "'t"."""
        start = self.ruling.start(token)
        return self.ruling.words[token] == "t" and self.ruling.whole.text[start - 1 : start] == "'"

    def _strange(self, token: int) -> bool:
        """Whether a capital can only be a name's: within a sentence, on a word that no list holds."""
        word = self.ruling.words[token]
        known = word.lower() in self.lists.strangers or any(map(str.isdigit, word))
        return bool(self.lists.strangers) and not self.ruling.first[token] and not known

    def _ends_name(self, token: int, end: int) -> bool:
        """Whether a token is the rest of the name that ends right before it: "Jr.", "III", "-hee"."""
        gap, word = self.ruling.whole.text[end : self.ruling.start(token)], self.ruling.words[token]
        if gap == "-":
            return word.isalpha() and (word[:1].isupper() or word not in self.lists.strangers)
        if gap not in (" ", ", "):
            return False
        return bool(_SUFFIX.fullmatch(word)) or self._is_last_initial(token, end)

    def _is_last_initial(self, token: int, end: int) -> bool:
        """Whether a name's initials stand behind it: "Asha Mol P.J.", "Major B."."""
        word = self.ruling.words[token]
        same = self.ruling.whole.text[end : self.ruling.start(token)] == " "
        other = is_rank(word) or word.lower() in self.lists.legal_forms or self.ruling.is_turn(token)
        return same and bool(_INITIALS.fullmatch(word)) and not other


def _surer(one: Mention, other: Mention) -> float | None:
    known = [m.probability for m in (one, other) if m.probability is not None]
    return max(known, default=None)
