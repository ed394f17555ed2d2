"""A ruling as repair sees it: its words, what stands around them, and what the word lists say."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from aef import lexicons as word_lists
from aef.corpus_tools.document import Document, Mention
from aef.names.parts import POST_NOMINALS, word_set
from aef.names.titles import titles

Bools = NDArray[np.bool_]
Lexicons = Mapping[str, frozenset[str]]

GIVEN = ("given_female", "given_male", "given_other")
_TITLES = word_set(
    "smt shri sri sh mst km kumari encik puan cik tuan dato datuk datin haji hajah alhaji alhaja chief sheikh sk "
    "herr frau signor signora dott dott.ssa avv pan pani mtre adv atty aunty auntie aunt uncle"
)
"""More of what stands before names than the words that the features know."""
_TURNS = frozenset(("A", "Q", "A.", "Q."))
_JUDGES = frozenset({"j", "jj", "ja", "jja", "cj", "cjc", "lj", "ljj"})
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
    "foreign_words",
)
_WORDS_TOO = ("word_names", "common_words", "court_words", "related_words", "particles")
_NO_NAMES = ("common_words", "court_words", "organization_words", "related_words", "foreign_words")


class Lists:
    """What the word lists of a language say, in lower case; the long ones are made when they are first asked."""

    def __init__(self, lexicons: Lexicons) -> None:
        self._lexicons = lexicons
        self.times = lexicons["month_names"] | lexicons["weekday_names"]
        self.in_time = lexicons.get("time_words", frozenset())
        self.between = lexicons.get("between_people", frozenset())

    @cached_property
    def kin(self) -> frozenset[str]:
        return lowered(self._lexicons, "kin_names")

    @cached_property
    def small(self) -> frozenset[str]:
        return lowered(self._lexicons, *_ORDINARY, *_WORDS_TOO)

    @cached_property
    def names(self) -> frozenset[str]:
        return lowered(self._lexicons, *GIVEN, "surnames")

    @cached_property
    def strangers(self) -> frozenset[str]:
        return lowered(self._lexicons, *_ORDINARY) if "ordinary_words" in self._lexicons else frozenset()

    @cached_property
    def legal_forms(self) -> frozenset[str]:
        return _bare(self._lexicons, "legal_form")

    @cached_property
    def companies(self) -> frozenset[str]:
        """The words that names of companies end in."""
        return self.legal_forms | _bare(self._lexicons, "generic_organization")

    @cached_property
    def places(self) -> frozenset[str]:
        """The words that names of places end in."""
        return lowered(self._lexicons, "generic_place")

    @cached_property
    def function_words(self) -> frozenset[str]:
        return lowered(self._lexicons, "function_words")

    @cached_property
    def no_names(self) -> frozenset[str]:
        return lowered(self._lexicons, *_NO_NAMES)


class Ruling:
    """The words of a document, and what stands around each of them."""

    def __init__(self, document: Document, lists: Lists) -> None:
        self.whole = document
        self.words = document.words
        self.first = document.tokens.first
        self.lists = lists
        self.titles = titles(document.language) | _TITLES

    def tokens(self, mention: Mention) -> range:
        """The tokens of a mention."""
        return self.whole.token_range(mention.start, mention.end)

    def start(self, token: int) -> int:
        return int(self.whole.tokens.starts[token])

    def end(self, token: int) -> int:
        return int(self.whole.tokens.ends[token])

    def title_before(self, token: int) -> bool:
        return bool(token) and self.words[token - 1].lower().rstrip(".") in self.titles

    def is_turn(self, token: int) -> bool:
        """Whether a question or an answer of a record begins so."""
        return self.words[token] in _TURNS and self.has_turns and self.begins_line(token)

    @cached_property
    def has_turns(self) -> bool:
        """Whether there are questions: else "A." is an initial."""
        return any(word.rstrip(".") == "Q" and self.begins_line(i) for i, word in enumerate(self.words))

    def begins_line(self, token: int) -> bool:
        """Whether nothing but blanks and quotation marks stands before a token on its line."""
        start = self.start(token)
        return not self.whole.text[self.whole.text.rfind("\n", 0, start) + 1 : start].strip(' \t"“(')

    def gap(self, one: int, other: int) -> str:
        """What stands between two neighbouring tokens."""
        return self.whole.text[int(self.whole.tokens.ends[min(one, other)]) : self.start(max(one, other))]

    def before(self, token: int) -> str:
        return "" if not token or self.first[token] else self.words[token - 1].lower()


def _bare(lexicons: Lexicons, name: str) -> frozenset[str]:
    """The entries of a list in lower case, without periods at their ends."""
    return frozenset(entry.rstrip(".") for entry in lowered(lexicons, name))


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
        return word_lists.lowered(lists[0])
    return frozenset[str]().union(*map(_lower, lists))
