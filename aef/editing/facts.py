"""What an editor told of a ruling, as plain values: places in its text, and no word of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from aef.errors import InputError
from aef.names.parts import DATETIME, LOC, MISC, ORG, PERSON
from aef.roles.classifier import OFFICIAL, PRIVATE

Span = tuple[int, int]

HIDE, SHOW, LEAVE, SAME, APART, CALL, ROLE = KINDS = ("hide", "show", "leave", "same", "apart", "call", "role")
"""Hide, or show, whoever or whatever is named there; leave words that are no name; two places name the same person, or
two people; call whoever is named there by a label; that is their role."""
EVERYWHERE, HERE, BESIDE = SCOPES = ("everywhere", "here", "beside")
"""All that is called so, this place alone, or the same words beside the same neighbour: not every 7 is a house's."""
TYPE_OF: Mapping[str, str] = {
    **dict.fromkeys((*PRIVATE, *OFFICIAL), PERSON),
    **dict.fromkeys(("organisation", "law firm", "school"), ORG),
    **dict.fromkeys(("location", "address"), LOC),
    **dict.fromkeys(("date", "birth date"), DATETIME),
    "code": "CODE",
    "demographic": "DEM",
    "quantity": "QUANTITY",
    "miscellaneous": MISC,
}
"""The roles that can be told, and the type of whom or what has one."""
TYPES = tuple(dict.fromkeys(TYPE_OF.values()))
LONGEST = 60
"""Characters of a label."""


@dataclass(frozen=True, slots=True)
class Fact:
    """One thing that the editor told. Offsets in code points.

    place : what it is about. other : the second place of ``same`` and ``apart``, whose the words are that are to be
    hidden, and the neighbour where the scope is ``beside``. type : what the words name, where nothing was found there.
    scope : one of `SCOPES`. value : the label of ``call`` (none: that of the scheme), the role of ``role``. batch :
    facts of one number but 0 are taken back together.
    """

    kind: str
    place: Span
    other: Span | None = None
    type: str = PERSON
    scope: str = EVERYWHERE
    value: str = ""
    batch: int = 0

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
    if kind not in KINDS or scope not in SCOPES or entity_type not in TYPES:
        raise InputError(f"is no answer of an editor: kinds are {', '.join(KINDS)}; scopes {', '.join(SCOPES)}")
    value, batch = _value(kind, values.get("value", "")), values.get("batch", 0)
    if type(batch) is not int or batch < 0:
        raise InputError("is no answer of an editor: 'batch' is a number from 0 on")
    other = values.get("other")
    if other is None and (kind in (SAME, APART) or scope == BESIDE):
        raise InputError(f"'{scope if scope == BESIDE else kind}' is about two places; 'other' is missing")
    second = None if other is None else _span(other, length)
    return Fact(kind, _span(values["place"], length), second, entity_type, scope, value, batch)


def _value(kind: str, value: Any) -> str:
    """The label, or the role, that is told. Raises `InputError` for what is none."""
    if kind == ROLE and value not in TYPE_OF:
        raise InputError(f"is no role that can be told. There are: {', '.join(TYPE_OF)}")
    if kind != ROLE and (not isinstance(value, str) or (value and kind != CALL)):
        raise InputError("is no answer of an editor: 'value' is a label or a role")
    if len(value) > LONGEST or not value.isprintable() or value != value.strip():
        raise InputError(f"is no label: up to {LONGEST} characters on one line are wanted, without blanks around them")
    return str(value)


def _span(value: Any, length: int) -> Span:
    """A place of a JSON value. Raises `InputError` for one outside of the text."""
    numbers = isinstance(value, (list, tuple)) and len(value) == 2 and all(type(v) is int for v in value)
    if not numbers or not 0 <= value[0] < value[1] <= length:
        raise InputError(f"no place in a ruling of {length} characters: [start, end] is wanted")
    return value[0], value[1]


def about(facts: Iterable[Fact], *kinds: str) -> list[Fact]:
    """The facts of these kinds, in order."""
    return [fact for fact in facts if fact.kind in kinds]
