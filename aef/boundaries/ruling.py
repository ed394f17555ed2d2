"""A ruling as repair sees it: its words, what stands around them, and what the word lists say."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document, Mention
from aef.names.parts import POST_NOMINALS, titles, word_set

Bools = NDArray[np.bool_]
Lexicons = Mapping[str, frozenset[str]]

GIVEN = ("given_female", "given_male", "given_other")
_NEAR = 12
_MIXED = 0.02
HASTE = 2
"""So many tokens before and behind are near; so many signs of haste near a word, and it may be a message's."""
INITIAL = re.compile(r"[^\W\d_]\.")
CONTRACTION = re.compile(r"(.+)['’](?:d|ll|ve|re|m|t)", re.IGNORECASE)
IN_TIME = word_set("in since until till by during last next early late mid of from this every each and or to")
INSIDE = frozenset({"in", "at", "near"})
IN_PLACE = INSIDE | {"from", "of", "to"}
_TITLES = word_set(
    "smt shri sri sh mst km kumari encik puan cik tuan dato datuk datin haji hajah alhaji alhaja chief sheikh sk "
    "herr frau signor signora dott dott.ssa avv pan pani mtre adv atty aunty auntie aunt uncle"
)
"""More of what stands before names than the words that the features know."""
_TURN = re.compile(r"[AQ]\.?")
_JUDGES = frozenset({"j", "jj", "ja", "jja", "cj", "cjc", "lj", "ljj"})
_DATE_GAPS = frozenset([" ", ", ", "\xa0", "-", "/", "."])
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
_NO_NAMES = ("common_words", "court_words", "organization_words", "related_words", "foreign_words")


class Lists:
    """What the word lists of a language say, in lower case."""

    def __init__(self, lexicons: Lexicons) -> None:
        self.weekdays, self.months = lexicons["weekday_names"], lexicons["month_names"]
        self.informal = lexicons.get("informal_words", frozenset())
        self.legal_forms = lexicons.get("legal_form", frozenset())
        self.particles = lexicons.get("particles", frozenset())
        self.given = lowered(lexicons, *GIVEN)
        self.surnames = lowered(lexicons, "surnames")
        self.names = lowered(lexicons, *GIVEN, "surnames")
        self.places = lowered(lexicons, "place_names", "towns")
        self.functions = lowered(lexicons, "function_words") - self.names
        self.foreign = lowered(lexicons, "foreign_words")
        self.called_after = lowered(lexicons, "generic_place", "legal_form", "suffix_organization")
        self.kin = lowered(lexicons, "kin_names")
        self.letters = lowered(lexicons, "letters")
        self.peoples = lowered(lexicons, "peoples")
        self.strangers = lowered(lexicons, *_ORDINARY, "foreign_words") if "ordinary_words" in lexicons else frozenset()
        self.words_too = lowered(lexicons, *_ORDINARY, "word_names", "common_words", "court_words", "related_words")
        self.plain = lowered(lexicons, "function_words", "common_words", "court_words", "related_words")
        self.no_names = lowered(lexicons, *_NO_NAMES)


class Ruling:
    """The words of a document, and what stands around each of them."""

    def __init__(self, document: Document, lists: Lists) -> None:
        self.whole = document
        self.words = document.words
        self.first = document.tokens.first
        self.lists = lists
        self.titles = titles(document.language) | _TITLES
        ranges = document.token_ranges(document.mentions)
        self._ranges = {(m.start, m.end): r for m, r in zip(document.mentions, ranges, strict=True)}

    def tokens(self, mention: Mention) -> range:
        """The tokens of a mention."""
        place = mention.start, mention.end
        if place not in self._ranges:
            self._ranges[place] = self.whole.token_range(*place)
        return self._ranges[place]

    def start(self, token: int) -> int:
        return int(self.whole.tokens.starts[token])

    def end(self, token: int) -> int:
        return int(self.whole.tokens.ends[token])

    @cached_property
    def lower(self) -> frozenset[str]:
        """The words that stand in lower case."""
        return frozenset(filter(str.islower, self.words))

    @cached_property
    def hasty(self) -> NDArray[np.int64]:
        """Of each token how many signs of haste stand near it: words of messages, sentences in lower case."""
        words = self.lists.informal
        signs = [
            (word in words) + (word.islower() and first) for word, first in zip(self.words, self.first, strict=True)
        ]
        return np.convolve(signs, np.ones(2 * _NEAR + 1, np.int64))[_NEAR:-_NEAR]

    @cached_property
    def is_mixed(self) -> bool:
        """Whether the ruling is full of words of another language, which a model takes for names."""
        words = [word.lower() for word in self.words if len(word) > 2 and word.isalpha()]
        return sum(word in self.lists.foreign for word in words) > _MIXED * len(words)

    def title_before(self, token: int) -> bool:
        return bool(token) and self.words[token - 1].lower().rstrip(".") in self.titles

    def initial_before(self, token: int) -> bool:
        return bool(token) and bool(INITIAL.fullmatch(self.words[token - 1])) and not self.is_turn(token - 1)

    def is_turn(self, token: int) -> bool:
        """Whether a question or an answer of a record begins so."""
        return bool(_TURN.fullmatch(self.words[token])) and self.has_turns and self.begins_line(token)

    @cached_property
    def has_turns(self) -> bool:
        """Whether there are questions: else "A." is an initial."""
        return any(word.rstrip(".") == "Q" and self.begins_line(i) for i, word in enumerate(self.words))

    @cached_property
    def line_letters(self) -> frozenset[str]:
        """The letters with a period that begin a line."""
        return frozenset(w[0] for i, w in enumerate(self.words) if INITIAL.fullmatch(w) and self.begins_line(i))

    def begins_line(self, token: int) -> bool:
        start = self.start(token)
        return not self.whole.text[self.whole.text.rfind("\n", 0, start) + 1 : start].strip(' \t"“(')

    def is_date(self, token: int) -> bool:
        around = [i for i in (token - 1, token + 1) if 0 <= i < len(self.words) and self.gap(i, token) in _DATE_GAPS]
        return any(any(map(str.isdigit, self.words[i])) for i in around) or self.before(token) in IN_TIME

    def gap(self, one: int, other: int) -> str:
        """What stands between two neighbouring tokens."""
        return self.whole.text[int(self.whole.tokens.ends[min(one, other)]) : self.start(max(one, other))]

    def only_first(self, token: int) -> bool:
        """Whether the word has a capital only where sentences begin."""
        return bool(self.first[token]) and self.words[token] not in self.inside

    @cached_property
    def inside(self) -> frozenset[str]:
        """The words that stand elsewhere than where sentences begin."""
        return frozenset(word for word, first in zip(self.words, self.first, strict=True) if not first)

    def names_thing(self, last: int) -> bool:
        """Whether a street, a county, a firm ... is called after whom a name names: "Heath Road", "Hale Ltd"."""
        behind = self.words[last + 1 : last + 2]
        if not behind or self.first[last + 1] or not behind[0][:1].isupper() or self.gap(last, last + 1) != " ":
            return False
        return behind[0].lower() in self.lists.called_after

    def before(self, token: int) -> str:
        return "" if not token or self.first[token] else self.words[token - 1].lower()


class Finding:
    """What finds more mentions, of type ``person``, in a ruling."""

    def __init__(self, ruling: Ruling, person: str | None) -> None:
        self.ruling = ruling
        self.lists = ruling.lists
        self.person = person

    def same(self, first: int, last: int, probability: float | None) -> Mention:
        """The tokens as one more mention of somebody found with that probability."""
        start, end = self.ruling.start(first), self.ruling.end(last)
        return Mention(start, end, self.person, "DIRECT", None, probability, {"by": "consistency"})


def is_rank(word: str) -> bool:
    """Whether letters behind a name are a rank: "KC", "J."."""
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
