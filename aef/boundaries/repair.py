"""Repair of the mentions of people that a model found: plain words go, edges are set right, names are completed.

A model decides token by token. What it cannot see so is that "KC" behind a name is a rank, and that the given name
before a surname belongs to it ("June Chester", "Paris Green", words that name months and places). Whether a name is
nobody's is no question of this room: `aef.roles` decides it by all mentions together.
"""

from __future__ import annotations

from collections.abc import Sequence

from aef.boundaries.companies import with_companies
from aef.boundaries.edges import Edges
from aef.boundaries.filtering import PlainWords
from aef.boundaries.ruling import GIVEN, Lexicons, Lists, Ruling, lowered
from aef.corpus_tools.document import Document, Mention

__all__ = ["GIVEN", "lowered", "repaired"]


def repaired(document: Document, lexicons: Lexicons, person: str | None, companies: bool = True) -> Document:
    """The document with its mentions of people repaired; ``person`` is the type that these have.

    ``lexicons``: the language's word lists (``given_*``, ``word_names``, ``place_names``, ``month_names`` ...).
    ``companies``: whether a name that goes on as that of a company is the company's.
    """
    people = [m for m in document.mentions if m.entity_type == person]
    if not people:
        return document
    others = [m for m in document.mentions if m.entity_type != person]
    ruling = Ruling(document, Lists(lexicons))
    plain = PlainWords(ruling, _in_full(ruling, people))
    people = [m for m in people if not plain.holds(m)]
    people = Edges(ruling, document.mask([*others, *people])).set(people)
    return document.with_mentions([*others, *(with_companies(ruling, people) if companies else people)])


def _in_full(ruling: Ruling, people: Sequence[Mention]) -> frozenset[str]:
    """The words of names that have several."""
    several = [tokens for tokens in map(ruling.tokens, people) if len(tokens) > 1]
    return frozenset(ruling.words[token] for tokens in several for token in tokens)
