"""The words around a person's name that tell of the person's role, from the lists ``role_cues`` of `aef.lexicons`.

The lists have a line ``role | place | words``. The places:

========  ==============================================================================================
before    right before the name, titles between them aside: "Madam Justice Long", "counsel, Ms. Green"
behind    right behind it, a comma or bracket aside: "Long J.", "Gill KC", "Hope, born on"
noun      what the person is, in apposition: "her mother, Ann Roe", "Ann Roe, a psychologist"
versus    joins the names of a case; case: stands before the name of a case
reports   right before the name, where a citation is near: "Lord Nicholls put it"
title     words that may stand between what is right before a name and the name: they tell nothing
========  ==============================================================================================

Four places are for `aef.roles.entity_types` and `aef.roles.homes`: firm, address, born and record, the words of law
firms, of addresses, before birth dates, and of who took the record down.

`aef.context.forms` has the forms in which they stand around a name, and `aef.context.surroundings` looks for these.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.corpus_tools.tokenization.chunks import WORDS
from aef.errors import InputError

LIST = "role_cues"
PLACES = (
    *("before", "behind", "noun", "versus", "case", "reports", "title"),
    *("firm", "address", "born", "record"),
)
SUGGESTED, TOLD, GIVEN = 1, 2, 3
"""How much evidence weighs: words that suggest a role, words that tell it, the case's metadata."""


@dataclass(frozen=True)
class Cues:
    """The words of one place: a pattern that finds the longest, and what each one tells."""

    told: dict[str, tuple[str, int]]

    @cached_property
    def pattern(self) -> str:
        """A pattern of all words; those in small letters match either case."""
        ordered = sorted(self.told, key=len, reverse=True)
        words = _longest([p for p in ordered if p[0].isalnum()]) or r"(?!)"
        others = "|".join(_phrase(p) for p in ordered if not p[0].isalnum()) or r"(?!)"
        return rf"(?:(?<!\w)(?=\w)(?:{words})|(?=[^\w\s])(?:{others}))"  # words are tried only where a word begins

    @cached_property
    def _edges(self) -> tuple[frozenset[str], frozenset[str]]:
        words = [found for phrase in self.told if (found := WORDS.findall(phrase.lower()))]
        return frozenset(w[0] for w in words), frozenset(w[-1] for w in words)

    def begin_with(self, word: str) -> bool:
        """Whether one of them begins with a word, in small letters."""
        return _among(self._edges[0], word)

    def may_end(self, words: Iterable[str]) -> bool:
        """Whether one of them ends with one of the words, in small letters."""
        return any(_among(self._edges[1], word) for word in words)

    @cached_property
    def _words(self) -> dict[str, frozenset[str]]:
        return {phrase: frozenset(WORDS.findall(phrase.lower())) for phrase in self.told}

    @property
    def words(self) -> frozenset[str]:
        """All of them, word by word in small letters."""
        return frozenset[str]().union(*self._words.values())

    def among(self, words: frozenset[str]) -> Cues:
        """Those of which all words are among these, see `words_of`."""
        return Cues({phrase: self.told[phrase] for phrase, own in self._words.items() if own <= words})

    def weighing(self, weight: int) -> Cues:
        """Those of the words that weigh so much."""
        return Cues({word: told for word, told in self.told.items() if told[1] == weight})

    def meaning(self, found: str) -> tuple[str, int] | None:
        """The role that words found tell, and their weight."""
        return self.told.get(self.listed(found) or "")

    def listed(self, found: str) -> str | None:
        """The words found as they are in the list."""
        plain = " ".join(found.split())
        forms = (plain, plain.lower(), plain.lower().removesuffix("s"), plain.lower().removesuffix("es"))
        return next((form for form in forms if form in self.told), None)


def _among(known: frozenset[str], word: str) -> bool:
    return word in known or word.removesuffix("s") in known or word.removesuffix("es") in known


def _longest(phrases: Sequence[str]) -> str:
    """Any of the phrases, ordered from long to short, where a word begins: the longest that fits.

    Most are written as one tree of their letters, which takes a third of the time to compile: those in small letters
    that end in one. Before it stand the others that begin like one of these, and what goes on after them.
    """
    plain = [phrase for phrase in phrases if phrase == phrase.lower() and phrase[-1].isalnum()]
    in_tree, begun = set(plain), set(chain.from_iterable(map(_begun, plain)))
    others = [phrase for phrase in phrases if phrase not in in_tree]
    alike = {o for o in map(str.lower, others) if o in begun or not in_tree.isdisjoint(_begun(o))}
    before = [p for p in phrases if not alike.isdisjoint(_begun(p.lower()))]
    first = set(before)
    behind = [p for p in others if p not in first]
    letters = lexicons.letter_tree((" ".join(phrase.split()) for phrase in plain), r"\s+")
    tree = [rf"(?i:{letters}(?!\w))"] if plain else []
    return "|".join([*map(_phrase, before), *tree, *map(_phrase, behind)])


def _begun(phrase: str) -> Iterator[str]:
    return (phrase[:end] for end in range(1, len(phrase) + 1))


def _phrase(phrase: str) -> str:
    text = r"\s+".join(map(re.escape, phrase.split()))
    bounded = rf"{text}(?!\w)" if phrase[-1].isalnum() or len(phrase) == 2 else text  # "P." is not of "P.L."
    return f"(?i:{bounded})" if phrase == phrase.lower() else bounded


def words_of(text: str) -> frozenset[str]:
    """The words of a text in small letters, and what they may be the plural of."""
    words = set(WORDS.findall(text.lower()))
    return frozenset(words.union(*({w.removesuffix("s"), w.removesuffix("es")} for w in words if w.endswith("s"))))


def with_cues(document: Document) -> Document:
    """The document, read as an English one where its language has no list of cues."""
    known = document.language in lexicons.languages() and LIST in lexicons.load_all(document.language)
    return document if known else document.in_language("en")


@cache
def cues(language: str) -> dict[str, Cues]:
    """The words of a language for each of `PLACES`, some without words, from its list ``role_cues``.

    Raises `InputError` naming the line of the list that is none of cues.
    """
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for line in sorted(lexicons.load(LIST, language)):
        role, place, words = _fields(line, language)
        weight = SUGGESTED if place.endswith("?") else TOLD
        for word in words.split(", "):
            known = found.setdefault(place.rstrip("?"), {})
            known[word] = max(known.get(word, (role, 0)), (role, weight), key=lambda told: told[1])
    return {place: Cues(found.get(place, {})) for place in PLACES}


def _fields(line: str, language: str) -> list[str]:
    """Role, place and words of a line."""
    fields = [field.strip() for field in line.split("|")]
    if len(fields) == 3 and all(fields) and fields[1].removesuffix("?") in PLACES:
        return fields
    path, number = lexicons.line_of(line, LIST, language)
    remedy = f"Write ROLE | PLACE | WORD, WORD, the place one of {', '.join(PLACES)}, with ? where it only suggests"
    raise InputError.at(path, f"'{line}' is no cue of a role", line=number, remedy=remedy)
