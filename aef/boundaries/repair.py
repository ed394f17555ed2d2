"""Repair of the mentions of people that a model found: what is no name goes, edges are set right, names are completed.

A model decides token by token. What it cannot see so is that a question's "A." or "You'd" is nobody, that "KC" behind a
name is a rank, and that the given name before a surname belongs to it ("June Chester", "Paris Green", words that name
months and places).
"""

from __future__ import annotations

from collections.abc import Sequence

from aef.boundaries.edges import Edges
from aef.boundaries.filtering import NameFilter
from aef.boundaries.ruling import GIVEN, Lexicons, Lists, Ruling, lowered
from aef.corpus_tools.document import Document, Mention

__all__ = ["GIVEN", "lowered", "repaired"]


def repaired(document: Document, lexicons: Lexicons, person: str | None, cut: float = 0.0) -> Document:
    """The document with its mentions of people repaired; ``person`` is the type that these have.

    ``cut``: from which log-odds on the model takes a token for one of a name.
    ``lexicons``: the language's word lists (``given_*``, ``word_names``, ``place_names``, ``month_names`` ...).
    """
    ruling = Ruling(document, Lists(lexicons))
    people = [m for m in document.mentions if m.entity_type == person]
    others = [m for m in document.mentions if m.entity_type != person]
    doubts = NameFilter(ruling, _in_full(ruling, people), cut)
    people = [m for m in people if doubts.is_name(m)]
    if not people:
        return document.with_mentions(others)
    found = Edges(ruling, document.mask([*others, *people])).set(people)
    return document.with_mentions([*others, *found])


def _in_full(ruling: Ruling, people: Sequence[Mention]) -> frozenset[str]:
    """The words of names that have several and are no places."""
    several = [tokens for tokens in map(ruling.tokens, people) if len(tokens) > 1]
    names = [[ruling.words[t] for t in tokens] for tokens in several]
    known = ruling.lists.places
    return frozenset(word for name in names if not known.issuperset(map(str.lower, name)) for word in name)
