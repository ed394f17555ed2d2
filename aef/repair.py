"""Repair of the mentions of people that a model found: what is no name goes, edges are set right, names are completed.

A model decides token by token. What it cannot see so is that a question's "A." or "You'd" is nobody, that "KC" behind a
name is a rank, that the given name before a surname belongs to it ("June Chester", "Paris Green", words that name
months and places), and that such a given name, once known, is the person's name in all of the ruling.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from aef.aliases import nickname
from aef.corpus_tools.document import Document, Mention
from aef.names import POST_NOMINALS, titles, word_set

Bools = NDArray[np.bool_]
Lexicons = Mapping[str, frozenset[str]]

GIVEN = ("given_female", "given_male", "given_other")
_CONTRACTION = re.compile(r"(.+)['’](?:d|ll|ve|re|m|t)", re.IGNORECASE)
_TURN = re.compile(r"[AQ]\.?")
_ABBREVIATION = re.compile(r"(?:[^\W\d_]\.-?)+|[^\W\d_]{2}\.")
_JUDGES = frozenset({"j", "jj", "ja", "jja", "cj", "cjc", "lj", "ljj"})
_DOUBTFUL = 0.3
"""A word on no list of names that stands in small letters elsewhere is a name from this probability on."""
_SPREADS = 0.8
"""Names in lower case are looked for from this probability on."""
_SUFFIX = re.compile(r"(?:[JS]n?r|JR|SR)\.?|II|III|IV")
_RANKS = word_set("hhj dj s.i. a.s.i. p.s.i. p.i. d.c. d.s. d.i. d.c.i. dc ds di dci pc dsp")
"""Of judges and the police, before a name."""
_DAY, _MONTH, _LISTED = 0.9, 0.6, 0.6
_PLACE, _SMALL = 0.6, 0.5
"""A day, a month where a date could stand, a word on a list of what is no name, a place, a word in lower case: a name
from this probability on."""
_INITIAL = re.compile(r"[^\W\d_]\.")
_FIRST_ONLY = 0.3
"""A word that has a capital nowhere but where a sentence begins is a name from this probability on."""
_LETTER, _FUNCTION, _FAINT_PLACE = 0.6, 0.8, 0.4
_SPEAKER = re.compile(
    r"^[ \t>]*(?:\d{1,2}(?:[:.]\d\d){1,2}[ \t]+)?\[?([^\W\d_]{2,20}(?: [^\W\d_]{1,20})?)[\]:](?=\s)", re.MULTILINE
)
"""Who says a line of a conversation: "dawn w:", "[mark]"."""
_NEAR = 12
_INITIALS = re.compile(r"(?:[A-ZÀ-Þ]\.){1,3}")
_JOINS = frozenset({"a/l", "a/p", "anak", "ak.", "binte", "bte.", "bt.", "b."})
_AND = frozenset({"y", "e", "i", "a"})
_LONGEST_JOIN = 20
_IN_TIME = word_set("in since until till by during last next early late mid of from this every each and or to")
_ON_DAYS = word_set("on a an each every second first other last next this that one any")
_DATE_GAPS = frozenset([" ", ", ", "\xa0", "-", "/", "."])
_INSIDE = frozenset({"in", "at", "near"})
_IN_PLACE = _INSIDE | {"from", "of", "to"}
_ORDINARY = (
    "ordinary_words",
    "place_names",
    "towns",
    "month_names",
    "weekday_names",
    "nationalities",
    "demographic_words",
    "function_words",
    "law_words",
    "place_words",
    "organization_words",
)


def repaired(document: Document, lexicons: Lexicons, person: str | None) -> Document:
    """The document with its mentions of people repaired; ``person`` is the type that these have.

    ``lexicons``: the language's word lists (``given_*``, ``word_names``, ``place_names``, ``month_names`` ...).
    """
    return _Repair(document, lexicons, person).document()


class _Repair:
    def __init__(self, document: Document, lexicons: Lexicons, person: str | None) -> None:
        self.whole = document
        self.words = document.words
        self.first = document.tokens.first
        self.person = person
        self.in_full: set[str] = set()
        self.ranges: dict[tuple[int, int], range] = {}
        self.lists = lexicons
        self.titles = titles(document.language)
        self.given = lowered(lexicons, *GIVEN)
        self.surnames = lowered(lexicons, "surnames")
        self.names = lowered(lexicons, *GIVEN, "surnames")
        self.places = lowered(lexicons, "place_names", "towns")
        self.joins = (lowered(lexicons, "particles") | _JOINS) - _AND
        self.plain = lowered(lexicons, "function_words", "common_words", "court_words", "related_words", "month_names")
        self.functions = lowered(lexicons, "function_words")
        self.particles = (lexicons.get("particles", frozenset()) - _AND) - {
            "la",
            "le",
            "les",
            "las",
            "lo",
            "los",
            "el",
            "mac",
            "mc",
            "ap",
            "am",
            "im",
            "op",
            "te",
        }
        self.kin = lowered(lexicons, "kin_names")
        self.guarded = lowered(lexicons, "common_words", "month_names", "weekday_names", "place_names")
        self.strangers = lowered(lexicons, *_ORDINARY, "foreign_words") if "ordinary_words" in lexicons else frozenset()
        self.words_too = lowered(lexicons, *_ORDINARY, "word_names", "common_words", "court_words", "related_words")
        self.no_names = lowered(
            lexicons, "common_words", "court_words", "organization_words", "related_words", "foreign_words"
        )

    def document(self) -> Document:
        ranges = self.whole.token_ranges(self.whole.mentions)
        self.ranges = {(m.start, m.end): r for m, r in zip(self.whole.mentions, ranges, strict=True)}
        people = [m for m in self.whole.mentions if m.entity_type == self.person]
        others = [m for m in self.whole.mentions if m.entity_type != self.person]
        several = [self._tokens(m) for m in people if len(self._tokens(m)) > 1]
        self.in_full = {self.words[t] for tokens in several if not self._is_known_place(tokens) for t in tokens}
        people = [m for m in people if self._is_name(m)]
        if not people:
            return self.whole.with_mentions(others)
        other = self.whole.mask(others)
        taken = other | self.whole.mask(people)
        found = self._joined([self._widened(self._trimmed(m), taken) for m in people], taken)
        found += self._speakers(found, other | self.whole.mask(found))
        found += self._elsewhere(found, other | self.whole.mask(found))
        return self.whole.with_mentions([*others, *found])

    def _tokens(self, mention: Mention) -> range:
        place = mention.start, mention.end
        if place not in self.ranges:
            self.ranges[place] = self.whole.token_range(*place)
        return self.ranges[place]

    @cached_property
    def lower(self) -> frozenset[str]:
        """The words that stand in lower case."""
        return frozenset(filter(str.islower, self.words))

    # -- what is no name -----------------------------------------------------------------------------------------

    def _is_name(self, mention: Mention) -> bool:
        tokens = self._tokens(mention)
        words = [self.words[t].lower() for t in tokens]
        small = all(self.words[t].islower() for t in tokens)
        if small and (mention.probability or 1) < _SMALL and not self.words_too.isdisjoint(words):
            return False
        if (mention.probability or 1) < _PLACE and self._is_place(tokens, words):
            return False
        if (mention.probability or 1) < _FAINT_PLACE and self.places.issuperset(words):
            return False
        return len(words) > 1 or self._names_alone(tokens[0], mention.probability or 1)

    def _names_alone(self, token: int, probability: float) -> bool:
        """Whether a single word may be somebody's name here."""
        word, lower = self.words[token], self.words[token].lower()
        if said := _CONTRACTION.fullmatch(word):
            return said[1].lower() in self.names and said[1].lower() not in self.no_names
        if self._is_turn(token) or self._is_heading(token) or word in self.particles:
            return False
        if self._title_before(token) or self._initial_before(token):
            return True
        if probability < _LETTER and len(word) == 1:
            return False
        if probability < _FUNCTION and lower in self.functions - self.names:
            return False
        if lower in self.kin and word not in self.in_full:
            return False
        if lower.removesuffix("s") in self.lists["weekday_names"]:
            a_day = word not in self.in_full or self._before(token) in _IN_TIME | _ON_DAYS
            return probability >= (_DAY if a_day else _LISTED)
        if lower in self.lists["month_names"] and probability < _MONTH and self._is_date(token):
            return False
        if lower in self.given or lower in self.surnames:
            return True
        if probability < _DOUBTFUL and (lower in self.lower or lower.removesuffix("s") in self.lower):
            return False
        if lower in self.no_names and probability < _LISTED:
            return False
        return not (probability < _FIRST_ONLY and self._only_first(token))

    def _is_place(self, tokens: range, words: list[str]) -> bool:
        """Words that name places, and people only where nothing says that a place is meant."""
        if not self.places.issuperset(words) or self._title_before(tokens.start):
            return False
        if self.names.isdisjoint(words):
            return True
        before = self._before(tokens.start)
        if self.given.issuperset(words):
            return before in _INSIDE and self.in_full.isdisjoint(self.words[t] for t in tokens)
        return before in _IN_PLACE or self.whole.text[: self._start(tokens[0])].rstrip().endswith(",")

    def _start(self, token: int) -> int:
        return int(self.whole.tokens.starts[token])

    def _is_known_place(self, tokens: range) -> bool:
        return self.places.issuperset(self.words[t].lower() for t in tokens)

    def _title_before(self, token: int) -> bool:
        return bool(token) and self.words[token - 1].lower().rstrip(".") in self.titles

    def _initial_before(self, token: int) -> bool:
        return bool(token) and bool(_INITIAL.fullmatch(self.words[token - 1])) and not self._is_turn(token - 1)

    def _is_turn(self, token: int) -> bool:
        """Whether a question or an answer of a record begins so."""
        return bool(_TURN.fullmatch(self.words[token])) and self.has_turns and self._begins_line(token)

    @cached_property
    def has_turns(self) -> bool:
        """Whether there are questions: else "A." is an initial."""
        return any(word.rstrip(".") == "Q" and self._begins_line(i) for i, word in enumerate(self.words))

    def _is_heading(self, token: int) -> bool:
        """Whether a letter counts headings, the one before or after it beginning another line: "E. FINDINGS"."""
        word = self.words[token]
        return (
            bool(_INITIAL.fullmatch(word))
            and self._begins_line(token)
            and bool(self.line_letters & {chr(ord(word[0]) - 1), chr(ord(word[0]) + 1)})
        )

    @cached_property
    def line_letters(self) -> frozenset[str]:
        """The letters with a period that begin a line."""
        return frozenset(w[0] for i, w in enumerate(self.words) if _INITIAL.fullmatch(w) and self._begins_line(i))

    def _begins_line(self, token: int) -> bool:
        start = self._start(token)
        return not self.whole.text[self.whole.text.rfind("\n", 0, start) + 1 : start].strip(' \t"“(')

    def _is_date(self, token: int) -> bool:
        around = [i for i in (token - 1, token + 1) if 0 <= i < len(self.words) and self._gap(i, token) in _DATE_GAPS]
        return any(any(map(str.isdigit, self.words[i])) for i in around) or self._before(token) in _IN_TIME

    def _gap(self, one: int, other: int) -> str:
        """What stands between two neighbouring tokens."""
        return self.whole.text[int(self.whole.tokens.ends[min(one, other)]) : self._start(max(one, other))]

    def _only_first(self, token: int) -> bool:
        """Whether the word has a capital only where sentences begin."""
        word = self.words[token]
        return bool(self.first[token]) and not any(
            self.words[i] == word for i in range(len(self.words)) if not self.first[i]
        )

    def _before(self, token: int) -> str:
        return "" if not token or self.first[token] else self.words[token - 1].lower()

    # -- edges ---------------------------------------------------------------------------------------------------

    def _trimmed(self, mention: Mention) -> Mention:
        """Without a question's letter and ranks; whether titles are part of a name is the corpus's to say."""
        tokens = list(self._tokens(mention))
        while len(tokens) > 1 and (self._is_turn(tokens[0]) or self.words[tokens[0]].lower() in _RANKS):
            tokens.pop(0)
        while len(tokens) > 1 and _is_rank(self.words[tokens[-1]]):
            tokens.pop()
        last = self.words[tokens[-1]]
        said = _CONTRACTION.fullmatch(last)
        if len(tokens) == len(self._tokens(mention)) and not said:
            return mention
        end = self._start(tokens[-1]) + len(said[1] if said else last)
        return replace(mention, start=max(mention.start, self._start(tokens[0])), end=min(mention.end, end))

    def _widened(self, mention: Mention, taken: Bools) -> Mention:
        """With the given names and initials that stand right before it, and what ends a name behind it.

        What it takes of the words that no mention has is marked in ``taken``.
        """
        tokens = self._tokens(mention)
        start, end, token = mention.start, mention.end, tokens.start
        while token and self._belongs(token - 1, start) and not taken[token - 1]:
            token -= 1
            start, taken[token] = self._start(token), True
        token = tokens.stop
        while token < len(self.words) and not taken[token] and self._ends_name(token, end):
            end, taken[token] = int(self.whole.tokens.ends[token]), True
            token += 1
        return replace(mention, start=start, end=end)

    def _joined(self, people: list[Mention], taken: Bools) -> list[Mention]:
        """With what particles join made one: "KUMARAVEL A/L SUBRAMANIAM", "MARIA DO CARMO"."""
        joined: list[Mention] = []
        for mention in sorted(people, key=lambda m: m.start):
            last = joined[-1] if joined else None
            if last and self._join(last.end, mention.start, taken):
                mention = replace(last, end=mention.end, probability=_surer(last, mention))
                joined.pop()
            joined.append(mention)
        return joined

    def _join(self, end: int, start: int, taken: Bools) -> bool:
        gap = self.whole.text[end:start] if start - end < _LONGEST_JOIN else ""
        words = gap.lower().split()
        if not words or not gap[0] == gap[-1] == " " or not self.joins.issuperset(words):
            return False
        between = self.whole.token_range(end, start)
        return not taken[between.start : between.stop].any()

    def _belongs(self, token: int, start: int) -> bool:
        """Whether a token is a part of the name that begins right behind it."""
        word, end = self.words[token], int(self.whole.tokens.ends[token])
        gap = self.whole.text[end:start]
        if self._is_particle(word, gap):
            return True
        if gap not in (" ", ". ") or not word[:1].isupper() or word.lower().rstrip(".") in self.titles:
            return False
        if _ABBREVIATION.fullmatch(word + gap.rstrip()):
            return not self._is_turn(token)
        return gap == " " and word.lower() not in self.no_names and (word.lower() in self.names or self._strange(token))

    def _is_particle(self, word: str, gap: str) -> bool:
        """Whether a word in lower case can only belong to the name behind it: "de Vries", "in 't Veld"."""
        return (gap == " " and word in self.particles) or gap == " '" or (word == "t" and gap == " ")

    def _strange(self, token: int) -> bool:
        """Whether a capital can only be a name's: within a sentence, on a word that no list holds."""
        word = self.words[token]
        known = word.lower() in self.strangers or any(map(str.isdigit, word))
        return bool(self.strangers) and not self.first[token] and not known

    def _ends_name(self, token: int, end: int) -> bool:
        """Whether a token is the suffix of the name that ends right before it: "Jr.", "III"."""
        if self.whole.text[end : self._start(token)] not in (" ", ", "):
            return False
        return bool(_SUFFIX.fullmatch(self.words[token])) or self._is_last_initial(token, end)

    def _is_last_initial(self, token: int, end: int) -> bool:
        """Whether a name's initials stand behind it: "Asha Mol P.J.", "Major B."."""
        word = self.words[token]
        same = self.whole.text[end : self._start(token)] == " "
        other = _is_rank(word) or word.lower() in self.lists.get("legal_form", ()) or self._is_turn(token)
        return same and bool(_INITIALS.fullmatch(word)) and not other

    # -- the same name elsewhere ---------------------------------------------------------------------------------

    def _elsewhere(self, people: list[Mention], covered: Bools) -> Iterator[Mention]:
        """Nicknames, names that are common words, months or places, and names in lower case, where they are meant."""
        known = self._known(people)
        small = {word.lower(): p for word, p in self._small(people).items()}
        hasty = {self.words[t].lower(): m.probability for m in people for t in self._tokens(m)}
        for token, word in enumerate(self.words):
            bare = word.rstrip(".") if word.islower() else word
            found = known if bare in known else small if bare in small else hasty if bare in hasty else None
            if found is None or covered[token] or not self._may_be(token):
                continue
            if found is not hasty or self._is_hasty(token, bare):
                yield replace(self._same(token, token, found[bare]), end=self._start(token) + len(bare))

    def _is_hasty(self, token: int, word: str) -> bool:
        """Whether a word in lower case may be a name without its capital: in a message typed in haste."""
        return word.islower() and len(word) > 2 and word not in self.plain and bool(self.hasty[token] > 1)

    @cached_property
    def hasty(self) -> NDArray[np.int64]:
        """Of each token how many signs of haste stand near it: words of messages, sentences in lower case."""
        words = self.lists.get("informal_words", frozenset())
        signs = [
            (word in words) + (word.islower() and first) for word, first in zip(self.words, self.first, strict=True)
        ]
        return np.convolve(signs, np.ones(2 * _NEAR + 1, np.int64))[_NEAR:-_NEAR]

    def _speakers(self, people: Iterable[Mention], covered: Bools) -> Iterator[Mention]:
        """Those who say the lines of a conversation, under names that are known: "dawn w:", "[mark]"."""
        known = {self.words[t].lower(): m.probability for m in people for t in self._tokens(m)}
        for line in _SPEAKER.finditer(self.whole.text):
            tokens = self.whole.token_range(*line.span(1))
            name = self.words[tokens.start].lower() if tokens else ""
            free = [token for token in tokens if not covered[token]]
            if free and name in known and name not in self.functions - self.names:
                yield self._same(free[0], free[-1], known[name])

    def _same(self, first: int, last: int, probability: float | None) -> Mention:
        """The tokens as one more mention of somebody found with that probability."""
        start, end = self._start(first), int(self.whole.tokens.ends[last])
        return Mention(start, end, self.person, "DIRECT", None, probability, {"by": "consistency"})

    def _known(self, people: Iterable[Mention]) -> dict[str, float | None]:
        """Those names, each with the probability of the name that it belongs to."""
        known: dict[str, float | None] = {}
        for mention in people:
            words = [self.words[t] for t in self._tokens(mention)]
            for word in words[:-1]:
                lower = word.lower()
                guarded = lower in self.guarded and lower in self.names
                if (
                    word[:1].isupper()
                    and len(word) > 2
                    and (guarded or (lower not in self.no_names and lower not in self.names))
                ):
                    known[word] = mention.probability
            known |= dict.fromkeys([*self._aliases(mention), *self._initials(words)], mention.probability)
        return known

    def _small(self, people: Iterable[Mention]) -> dict[str, float | None]:
        """The words of names that are nothing else, as a message may have them in lower case; also with an s."""
        sure = [m for m in people if (m.probability or 1) >= _SPREADS]
        words = {self.words[t]: m.probability for m in sure for t in self._tokens(m)}
        alone = {w: p for w, p in words.items() if len(w) > 2 and w.lower() not in self.words_too}
        return alone | {f"{word}s": p for word, p in alone.items() if f"{word}s".lower() not in self.words_too}

    def _initials(self, words: Sequence[str]) -> Iterator[str]:
        """The initials of a name in full, with periods and without."""
        first = [word[0] for word in words if word[0].isupper() and len(word) > 2]
        if 1 < len(first) == len(words) < 5:
            for letters in {"".join(first), first[0] + first[-1]}:
                if letters.lower() not in self.functions:
                    yield from (letters, "".join(f"{letter}." for letter in letters))

    def _aliases(self, mention: Mention) -> Iterator[str]:
        """What the ruling says that the person is called, right behind the name."""
        if span := nickname(self.whole.text, mention.end):
            name = self.whole.text[slice(*span)]
            yield from [name] if name.lower() not in self.no_names else []

    def _may_be(self, token: int) -> bool:
        word, before = self.words[token].lower(), self._before(token)
        if self.first[token] and (word in self.lists["common_words"] or word in self.lists["month_names"]):
            return False
        if word in self.lists["month_names"] and self._is_date(token):
            return False
        return not (word in self.places and before in _IN_PLACE)


def _surer(one: Mention, other: Mention) -> float | None:
    known = [m.probability for m in (one, other) if m.probability is not None]
    return max(known, default=None)


def _is_rank(word: str) -> bool:
    plain = word.replace(".", "")
    return plain in POST_NOMINALS or (plain.isupper() and plain.lower() in _JUDGES)


def lowered(lexicons: Lexicons, *names: str) -> frozenset[str]:
    """The entries of the lists of these names, in lower case."""
    return _lower(*(lexicons.get(name, frozenset()) for name in names))


@lru_cache(maxsize=64)
def _lower(*lists: frozenset[str]) -> frozenset[str]:
    if len(lists) == 1:
        return frozenset(map(str.lower, lists[0]))
    return frozenset[str]().union(*map(_lower, lists))
