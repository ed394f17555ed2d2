"""A person or thing that a ruling names, and all that it is called: what linking found out, for who hides it."""

from __future__ import annotations

from dataclasses import dataclass

from aef.names.parts import name_words

CANDIDATES = "candidates"
"""The key of a mention's further data that holds the ids of the people it may name, where nothing tells which."""
MEMBERS = "members"
"""The key of a mention's further data that holds the ids of the people it names, where it names several."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, organisation or thing that is hidden, and the different texts that stand for it, titles left out.

    role : what the person is in the case ("witness"), where the mentions say so. gender : "f", "m" or None, by titles
    (then it is ``titled``) or given names. family : the surname where a whole family is meant ("the Hales").
    candidates, members : the ids of the people one of whom, or all of whom, this is; see `aef.linking.linker`.
    """

    entity_id: str
    type: str
    forms: tuple[str, ...]
    role: str = ""
    gender: str | None = None
    titled: bool = False
    family: str = ""
    candidates: tuple[str, ...] = ()
    members: tuple[str, ...] = ()

    @property
    def fullest(self) -> str:
        """The form with the most name words, spelled out rather than abbreviated; the first of equals."""
        return max(self.forms, key=lambda f: (len(name_words(f)), sum(len(w) > 2 for w in name_words(f))))
