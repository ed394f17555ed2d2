"""What of the mentions of people that a model found is nobody's name."""

from __future__ import annotations

import re

from aef.boundaries.ruling import CONTRACTION, HASTE, IN_PLACE, IN_TIME, INITIAL, INSIDE, Ruling, is_rank
from aef.classifiers.decoding import logistic
from aef.corpus_tools.document import Mention
from aef.names.parts import word_set

_DOUBTFUL = 0.3
"""A word on no list of names that stands in small letters elsewhere is a name from this probability on."""
_DAY, _MONTH, _LISTED = 0.9, 0.6, 0.6
_PLACE, _SMALL, _PROSE = 0.6, 0.5, 0.8
"""A day, a month where a date could stand, a word on a list of what is no name, a place, a word in lower case, and one
in a sentence without haste: a name from this probability on."""
_STRANGE = 1.5
"""By so much the log-odds of names are too high in a ruling full of another language."""
_LETTER, _FUNCTION, _FAINT_PLACE = 0.6, 0.8, 0.4
"""A letter without a period, a word of grammar, and a place whatever stands before it."""
_LETTERED = 0.9
"""Letters that courts use for something, "I.O.", "SHO", are somebody's from this probability on."""
_FIRST_ONLY = 0.3
"""A word that has a capital nowhere but where a sentence begins is a name from this probability on."""
_NUMERAL = re.compile(r"(?:I{2,3}|IV|VI{1,3}|IX|XI{1,3})\.?")
_LETTERS = re.compile(r"(?:[A-Z]\.?){2,5}|[Dd]kt\.?|DKT\.?|[Pp]hp|p\.|Mo\.?")
_DAY_OF_MONTH = re.compile(r"[0-3]?\d(?:st|nd|rd|th)?")
_NUMBER = re.compile(r"\.? ?§|\.? \d")
_DIGNITIES = word_set("honor honour lordship ladyship worship honourship excellency grace highness")
"""What stands behind "Your"."""
_SENTENCE = 60
_QUOTES = re.compile(r"[\"“:\n]|  ")
_FEASTS = word_set("christmas xmas easter ramadan eid diwali hanukkah halloween thanksgiving")
_VERBS = word_set("will may mark hope grant")
_BEHIND_VERB = word_set("you he she we they it my your the a an this") | {"I"}
_ON_DAYS = IN_TIME | word_set("on a an each every second first other last next this that one any")


class NameFilter:
    """``in_full``: the words of names that have several; ``cut``: the log-odds from which on the model finds names."""

    def __init__(self, ruling: Ruling, in_full: frozenset[str], cut: float) -> None:
        self.ruling = ruling
        self.lists = ruling.lists
        self.in_full = in_full
        self.enough = float(logistic(cut + _STRANGE))

    def is_name(self, mention: Mention) -> bool:
        tokens = self.ruling.tokens(mention)
        words = [self.ruling.words[t].lower() for t in tokens]
        if self.lists.particles.issuperset(words) and len(words[0]) > 1 and not self.ruling.title_before(tokens.start):
            return False
        small = all(self.ruling.words[t].islower() for t in tokens)
        if small and self._is_mere_word(tokens.start, words, mention.probability or 1):
            return False
        if (mention.probability or 1) < self.enough and self._is_strange(tokens):
            return False
        if self.ruling.names_thing(tokens[-1]) and not self.ruling.title_before(tokens.start):
            return False
        if (mention.probability or 1) < _PLACE and self._is_place(tokens, words):
            return False
        if (mention.probability or 1) < _FAINT_PLACE and self.lists.places.issuperset(words):
            return False
        return len(words) > 1 or self._names_alone(tokens[0], mention.probability or 1)

    def _is_mere_word(self, token: int, words: list[str], probability: float) -> bool:
        """Whether words in lower case that begin there are what they are elsewhere."""
        enough = _PROSE if self._in_prose(token) else _SMALL
        if probability < enough and not self.lists.words_too.isdisjoint(words):
            return True
        return self.lists.plain.issuperset(words) and bool(self.ruling.hasty[token] < HASTE)

    def _is_strange(self, tokens: range) -> bool:
        """Whether only the model takes words for a name, in a ruling full of another language."""
        alone = len(tokens) == 1 and self.ruling.words[tokens[0]] in self.in_full
        return self.ruling.is_mixed and not alone and not self.ruling.title_before(tokens.start)

    def _in_prose(self, token: int) -> bool:
        """Whether the sentence up to a token is no message: it begins with a capital, and nothing speaks of haste."""
        near = range(max(0, token - _SENTENCE), token + 1)
        begins = [i for i in near if self.ruling.first[i]]
        if not begins or self.ruling.hasty[token] or self.ruling.title_before(token):
            return False
        before = self.ruling.whole.text[self.ruling.start(begins[-1]) : self.ruling.start(token)]
        return before[:1].isupper() and not _QUOTES.search(before)

    def _names_alone(self, token: int, probability: float) -> bool:
        """Whether a single word may be somebody's name here."""
        word = self.ruling.words[token]
        if said := CONTRACTION.fullmatch(word):
            return said[1].lower() in self.lists.names and said[1].lower() not in self.lists.no_names
        if self.ruling.is_turn(token) or self._is_heading(token) or word in self.lists.particles:
            return False
        if probability < _LETTERED and word.isupper() and word.replace(".", "").lower() in self.lists.letters:
            return False
        if self.ruling.title_before(token) or self.ruling.initial_before(token):
            return True
        if self._is_sign(token) or self._is_small(token, probability) or self._means_another(token, probability):
            return False
        lower = word.lower()
        return lower in self.lists.given or lower in self.lists.surnames or self._is_likely(token, probability)

    def _is_small(self, token: int, probability: float) -> bool:
        """Whether it is a letter, or a word of grammar, that is not surely a name."""
        word, lower = self.ruling.words[token], self.ruling.words[token].lower()
        if len(word) == 1:
            return probability < _LETTER
        return lower in self.lists.functions and (probability < _FUNCTION or lower in self.ruling.lower)

    def _means_another(self, token: int, probability: float) -> bool:
        """Whether a relative or a people is meant, a verb, a day or a month."""
        word, lower = self.ruling.words[token], self.ruling.words[token].lower()
        if word not in self.in_full and self._is_kin_or_people(lower):
            return True
        return self._asks(token, lower) or self._is_time(token, probability)

    def _is_likely(self, token: int, probability: float) -> bool:
        """Whether a word on no list of names is likely enough to be one, by what it is elsewhere."""
        lower = self.ruling.words[token].lower()
        if probability < _DOUBTFUL and not self.ruling.lower.isdisjoint((lower, lower.removesuffix("s"))):
            return False
        if probability < _LISTED and lower in self.lists.no_names:
            return False
        return not (probability < _FIRST_ONLY and self.ruling.only_first(token))

    def _is_kin_or_people(self, lower: str) -> bool:
        return lower in self.lists.kin or not self.lists.peoples.isdisjoint((lower, lower.removesuffix("s")))

    def _is_time(self, token: int, probability: float) -> bool:
        """Whether a feast, a day of the week or a month is meant, and nobody called so."""
        word, lower = self.ruling.words[token], self.ruling.words[token].lower()
        if lower in _FEASTS:
            return word not in self.in_full
        if lower.removesuffix("s") in self.lists.weekdays:
            enough = _LISTED if word in self.in_full else _DAY
            return self.ruling.before(token) in _ON_DAYS or probability < enough
        in_date = self._is_day(token) or (probability < _MONTH and self.ruling.is_date(token))
        return lower in self.lists.months and in_date

    def _asks(self, token: int, lower: str) -> bool:
        """Whether a sentence begins with a verb that is a name, too: "Will you tell us", "Mark my words"."""
        if lower not in _VERBS or not self.ruling.first[token] or token + 1 == len(self.ruling.words):
            return False
        return self.ruling.gap(token, token + 1) == " " and self.ruling.words[token + 1] in _BEHIND_VERB

    def _is_day(self, token: int) -> bool:
        """Whether a month has its day beside it: "on 2 April", "June 3"."""
        beside = [i for i in (token - 1, token + 1) if 0 <= i < len(self.ruling.words)]
        return any(_DAY_OF_MONTH.fullmatch(self.ruling.words[i]) and self.ruling.gap(i, token) == " " for i in beside)

    def _is_sign(self, token: int) -> bool:
        """Whether letters refer to something, or are a rank: "[1980] 2 F.C. 302", "Dkt. 71", "INA § 212"."""
        word = self.ruling.words[token]
        if _NUMERAL.fullmatch(word) or (self.ruling.before(token) == "your" and word.lower() in _DIGNITIES):
            return True
        if token and is_rank(word):
            gap = self.ruling.gap(token - 1, token)
            if gap in (" ", ", ") or "__" in gap:  # a line to sign on
                return "__" in gap or self.ruling.words[token - 1][:1].isupper()
        end = self.ruling.end(token)
        return bool(_LETTERS.fullmatch(word) and _NUMBER.match(self.ruling.whole.text, end)) or self._of_article(token)

    def _of_article(self, token: int) -> bool:
        """Whether letters tell which law a number is of: "article 410 C.C.Q."."""
        letters = _LETTERS.fullmatch(self.ruling.words[token]) and self.ruling.before(token).isdigit()
        return bool(letters) and self.ruling.gap(token - 1, token) == " "

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
