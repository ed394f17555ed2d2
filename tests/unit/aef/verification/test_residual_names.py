"""Names of hidden people that still stand in a text: which are told, in which order, and how many."""

from __future__ import annotations

import pytest

from aef.corpus_tools.document import Document
from aef.corpus_tools.formats.plain_text import PlainText
from aef.replacement.plan import Edit, Entity
from aef.roles.classifier import Role
from aef.roles.policy import Decision
from aef.verification.residual_names import MOST, standing

PEOPLE = [
    Entity("1", "PERSON", ("Anna Zwetkow", "Zwetkow")),
    Entity("2", "PERSON", ("Tom Light", "Light")),
    Entity("3", "PERSON", ("Sam James",)),
    Entity("4", "PERSON", ("W.M.",)),
    Entity("5", "ORG", ("Quendon Ltd",)),
    Entity("6", "PERSON", ("the NHTQ", "Justice")),
    Entity("7", "PERSON", ("Thalwin Roe",)),
]
HEAD = "A.Z., T.L., S.J., W.M., Q.[...] and N.\n"


def document(text: str) -> Document:
    return PlainText.from_bytes((HEAD + text).encode(), "a.txt").document()


def edits() -> list[Edit]:
    """One replacement each, in the head."""
    return [
        Edit(2 * i, 2 * i + 1, e.forms[0][0], e.entity_id, e.type, f"{e.forms[0][0]}.") for i, e in enumerate(PEOPLE)
    ]


def told(text: str, decided: list[Decision] | None = None) -> list[tuple[str, int, int]]:
    found = standing(document(text), edits(), PEOPLE, decided or [])
    return [(one.name, one.places.paragraphs[0], one.times) for one in found]


TOLD = [
    ("a full name", "There Anna Zwetkow stood.", [("Anna Zwetkow", 2, 1)]),
    ("a rare surname", "The Zwetkow house.\nAnd Zwetkow again.", [("Zwetkow", 2, 2)]),
    ("in capitals", "ZWETKOW was there.", [("ZWETKOW", 2, 1)]),
    ("a rare given name", "There Thalwin stood.", [("Thalwin", 2, 1)]),
    ("a surname behind a title", "There Mr Light stood.", [("Light", 2, 1)]),
    ("full names first, then titled ones, then the rest", "Zwetkow.\nMr Light.\nSam James.",
     [("Sam James", 4, 1), ("Light", 3, 1), ("Zwetkow", 2, 1)]),
    ("an ordinary word", "Light came in.", []),
    ("what is also a given name", "There James stood.", []),
    ("without a capital", "the zwetkow of the light", []),
    ("a word that also stands in lower case", "The Zwetkow, a kind of zwetkow.", []),
    ("a part of a word", "Zwetkowitz and McZwetkow.", []),
    ("a cited case", "As held in Zwetkow v Roe [1999] 1 AC 1.", []),
    ("initials", "W.M. stood there.", []),
    ("an acronym, and a title", "The NHTQ and Mr Justice", []),
    ("an organisation", "Quendon Ltd paid.", []),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "text", "expected"), TOLD, ids=[c[0] for c in TOLD])
def test_told(reason: str, text: str, expected: list[tuple[str, int, int]]) -> None:
    assert told(text) == expected, reason


def test_somebody_shown_of_the_same_name() -> None:
    judge = Decision(Role("9", "judge", ("Judge Zwetkow",), 1), "show")
    assert told("Zwetkow held so.", [judge]) == []


def test_what_is_hidden_does_not_stand() -> None:
    text = document("Anna Zwetkow left.")
    at = len(HEAD)
    edit = Edit(at, at + 12, "A.Z.", "1", "PERSON", "A.Z.")
    assert standing(text, [edit], PEOPLE) == []


def test_no_more_than_one_can_look_at() -> None:
    people = [Entity(str(i), "PERSON", (f"Anna {name}",)) for i, name in enumerate(NAMES)]
    text = document(". ".join(f"Anna {name}" for name in NAMES))
    first = [Edit(i, i + 1, "A.", e.entity_id, "PERSON", "A.") for i, e in enumerate(people)]
    found = standing(text, first, people)
    assert len(NAMES) > MOST == len(found)
    assert str(found[0]) == "paragraph 2 (body): Anna Zwetkow (A.), a full name; hide it with --include"


NAMES = [
    "Zwetkow",
    "Quendon",
    "Brixley",
    "Vornholt",
    "Tamsley",
    "Urquon",
    "Pellworth",
    "Hasgrove",
    "Ondrich",
    "Yelverton",
]
