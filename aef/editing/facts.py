"""What an editor told of a ruling, as plain values: places in its text, and no word of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from aef.errors import InputError
from aef.names.parts import MISC, PERSON

Span = tuple[int, int]

HIDE, SHOW, LEAVE, SAME, APART = KINDS = ("hide", "show", "leave", "same", "apart")
"""Hide, or show, whoever or whatever is named there; leave words that are no name; two places name the same person, or
two people."""
EVERYWHERE, HERE = SCOPES = ("everywhere", "here")


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the editor told. Offsets in code points.

    place : what it is about. other : the second place of ``same`` and ``apart``, and whose the words are that are to be
    hidden. type : what the words name, where nothing was found there. scope : all that is called so, or this place
    alone.
    """

    kind: str
    place: Span
    other: Span | None = None
    type: str = PERSON
    scope: str = EVERYWHERE

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def places(self) -> tuple[Span, ...]:
        return (self.place,) if self.other is None else (self.place, self.other)


_NAMES = {f.name for f in fields(Fact)}


def fact_of(values: Any, length: int) -> Fact:
    """A fact of a JSON object, about a text of that length. Raises `InputError` for what is none."""
    if not isinstance(values, Mapping) or not _NAMES >= set(values) >= {"kind", "place"}:
        raise InputError("is no answer of an editor: an object with kind and place is wanted")
    kind, scope, entity_type = values["kind"], values.get("scope", EVERYWHERE), values.get("type", PERSON)
    if kind not in KINDS or scope not in SCOPES or entity_type not in (PERSON, MISC):
        raise InputError(f"is no answer of an editor: kinds are {', '.join(KINDS)}; scopes {', '.join(SCOPES)}")
    other = values.get("other")
    if (kind in (SAME, APART)) and other is None:
        raise InputError(f"'{kind}' is about two places; 'other' is missing")
    return Fact(
        kind, _span(values["place"], length), None if other is None else _span(other, length), entity_type, scope
    )


def _span(value: Any, length: int) -> Span:
    """A place of a JSON value. Raises `InputError` for one outside of the text."""
    numbers = isinstance(value, (list, tuple)) and len(value) == 2 and all(type(v) is int for v in value)
    if not numbers or not 0 <= value[0] < value[1] <= length:
        raise InputError(f"no place in a ruling of {length} characters: [start, end] is wanted")
    return value[0], value[1]


def about(facts: Iterable[Fact], *kinds: str) -> list[Fact]:
    """The facts of these kinds, in order."""
    return [fact for fact in facts if fact.kind in kinds]
