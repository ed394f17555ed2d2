"""The chances that ship: they hold no name, and say of what is plain what is plain."""

from __future__ import annotations

import re

import pytest

from aef import lexicons
from aef.annotators.pipeline import load
from aef.corpus_tools.document import Document
from aef.editing import Session
from aef.editing.chances import Chances, ready
from aef.names.parts import fold
from aef.names.titles import titles

_NEIGHBOUR = re.compile(r"(?:before|behind): (.*)")


def test_they_hold_public_words_alone() -> None:
    public = {fold(word) for word in lexicons.load("common_words")} | titles()
    neighbours = {found[1] for key in ready().weights if (found := _NEIGHBOUR.search(key))}
    private = {w for w in neighbours if w[:1].isalnum() and w not in public and w.rstrip(".") not in titles()}
    assert len(neighbours) > 50
    assert private == set()
    capitals = {key for key in ready().weights if re.search(r"[A-Z]", key) and " shape " not in key}
    assert {word for key in capitals for word in re.findall(r"[A-Z]\w+", key)} <= {
        *("PERSON", "ORG", "LOC", "DATETIME", "MISC", "CODE", "DEM", "QUANTITY")
    }


@pytest.mark.parametrize(
    ("likelier", "less"),
    [("Margaret Ashcombe", "Court"), ("Harrowgate Cross", "Respondent"), ("Edwin Ashcombe", "Susan Oakley")],
)
def test_what_must_rather_be_hidden(likelier: str, less: str) -> None:
    text = (
        "IN THE FAMILY COURT\n\nBetween: Margaret Ashcombe, Applicant, and Thomas Ashcombe, Respondent\n\n1. The Court "
        "heard Margaret Ashcombe, who lives at 14 Willow Lane, Harrowgate Cross. Her brother Edwin Ashcombe gave "
        "evidence, and so did the consultant psychologist, Dr Susan Oakley."
    )
    asked = Session(Document.from_text(text), load("court-en")).questions()
    chance = {name: q.chance for q in asked for name in [*q.names, *(w for n in q.names for w in n.split(", "))]}
    assert chance[likelier] > chance.get(less, 0.0)


def test_a_learned_chance_is_a_share() -> None:
    shown = [{"a": 1.0}, {"a": 1.0, "b": 1.0}, {"b": 1.0}, {}] * 20
    learned = Chances.learned(shown, [True, True, False, False] * 20)
    assert learned.of({"a": 1.0}) > 0.7 > 0.3 > learned.of({"b": 1.0})
    assert Chances({"": 1e9}).of({}) <= 1 and Chances({"": -1e9}).of({}) >= 0
    assert learned.reasons({"a": 1.0, "c": 1.0}) == [f"a {learned.weights['a']:+.1f}"]
