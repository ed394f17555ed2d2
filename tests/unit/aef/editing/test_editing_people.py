"""Who is who as the editor tells it: labels, roles, and many answers at once; all can be undone, and is written."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.annotators.pipeline import Pipeline, load
from aef.corpus_tools.document import Document
from aef.editing import Fact, Session
from aef.editing.decision import decided
from aef.editing.facts import TYPE_OF, fact_of
from aef.editing.saving import resume, save
from aef.errors import InputError

TEXT = """IN THE FAMILY COURT

Before: His Honour Judge Harold Penrose

Between: Margaret Ellen Ashcombe, Applicant, and Thomas Ashcombe, Respondent

1. This is an application by Mrs Ashcombe about the child Lily Ashcombe, born on 4 March 2011. Ms Priya Nair of counsel
appeared for the mother.

2. Lily lives with her uncle Edwin Ashcombe at Lower Barton. Edwin said that Lily was happy at Lower Barton.
"""


@cache
def tagger() -> Pipeline:
    return load("court-en")


def session() -> Session:
    return Session(Document.from_text(TEXT, "ruling"), tagger())


def place(words: str) -> tuple[int, int]:
    start = TEXT.index(words)
    return start, start + len(words)


def labels(of: Session) -> dict[str, str]:
    return {TEXT[e.start : e.end]: e.label for e in of.state.edits}


# --- labels ---------------------------------------------------------------------------------------------------------


def test_a_label_is_everywhere_the_persons_own() -> None:
    editing = session()
    before = labels(editing)
    editing.tell(Fact("call", place("Edwin Ashcombe"), value="the uncle"))
    after = labels(editing)
    assert after["Edwin Ashcombe"] == after["Edwin"] == "the uncle"
    assert {k: v for k, v in after.items() if "Edwin" not in k} == {k: v for k, v in before.items() if "Edwin" not in k}
    editing.tell(Fact("call", place("Edwin Ashcombe")))
    assert labels(editing) == before, "an empty label is the scheme's again"


def test_no_scheme_gives_anybody_a_label_that_was_told() -> None:
    editing = session()
    theirs = labels(editing)["Lily Ashcombe"]
    editing.tell(Fact("show", place("Lily Ashcombe")))
    editing.tell(Fact("call", place("Edwin Ashcombe"), value=theirs))
    editing.tell(Fact("hide", place("Lily Ashcombe")))
    found = labels(editing)
    assert found["Edwin Ashcombe"] == theirs != found["Lily Ashcombe"]


@pytest.mark.parametrize(
    ("reason", "words", "value", "said"),
    [
        ("the label of somebody else", "Edwin Ashcombe", "L.A.", "somebody else's"),
        ("the same in small letters", "Edwin Ashcombe", "l.a.", "somebody else's"),
        ("a name that is hidden", "Edwin Ashcombe", "Edwin A.", "tells a name"),
        ("nobody is hidden there", "Lower Barton", "X", "nobody is hidden"),
    ],
)
def test_what_is_no_label(reason: str, words: str, value: str, said: str) -> None:
    editing = session()
    assert labels(editing)["Lily Ashcombe"] == "L.A."
    with pytest.raises(InputError, match=said) as error:
        editing.tell(Fact("call", place(words), value=value))
    assert editing.facts == (), reason
    assert not [name for name in ("Lily", "Ashcombe") if name in str(error.value)]


# --- roles ----------------------------------------------------------------------------------------------------------


def test_the_policy_decides_by_the_role_that_was_told_and_answers_outweigh_it() -> None:
    editing = session()
    assert "Edwin" in labels(editing) and "Harold Penrose" not in labels(editing)
    editing.tell(Fact("role", place("Edwin Ashcombe"), value="expert"))
    editing.tell(Fact("role", place("Harold Penrose"), value="witness"))
    assert "Edwin" not in labels(editing) and "Harold Penrose" in labels(editing)
    role = next(d.role for d in editing.state.decisions if "Harold Penrose" in d.role.names)
    assert (role.role, [str(e) for e in role.evidence]) == ("witness", ["witness: 'the editor told' (editor)"])
    assert not [q for q in editing.questions() if {"Harold Penrose", "Edwin Ashcombe"} & set(q.names)]
    editing.tell(Fact("hide", place("Edwin Ashcombe")))
    assert "Edwin" in labels(editing), "what is told of somebody is more than a role"


def test_a_person_becomes_a_thing_and_a_thing_a_person() -> None:
    editing = session()
    editing.tell(Fact("hide", place("Lower Barton"), type="PERSON"))
    assert labels(editing)["Lower Barton"] == "L.B."
    editing.tell(Fact("role", place("Lower Barton"), value="location"))
    assert labels(editing)["Lower Barton"] == "[...]"
    editing.tell(Fact("role", place("Lower Barton"), value="witness"))
    assert labels(editing)["Lower Barton"] == "L.B."


@pytest.mark.parametrize("role", TYPE_OF)
def test_every_role_can_be_told(role: str) -> None:
    editing = session()
    editing.tell(Fact("role", place("Edwin Ashcombe"), value=role))
    assert next(d.role.role for d in editing.state.decisions if "Edwin Ashcombe" in d.role.names) == role


# --- what comes of it -----------------------------------------------------------------------------------------------


def test_labels_and_roles_are_written_and_in_the_protocol(tmp_path: Path) -> None:
    (tmp_path / "ruling.txt").write_text(TEXT, "utf-8")
    editing = Session(tmp_path / "ruling.txt", tagger())
    editing.tell(Fact("role", place("Harold Penrose"), value="party"))
    editing.tell(Fact("call", place("Harold Penrose"), value="THE PARTY"))
    result = editing.finish(tmp_path / "safe.txt")
    written = (tmp_path / "safe.txt").read_text("utf-8")
    assert result.edits == editing.state.edits
    assert "His Honour Judge THE PARTY" in written and "Penrose" not in written
    protocol = editing.protocol()
    about = next(d for d in protocol["decisions"] if "Harold Penrose" in d["names"])
    assert (about["role"], about["label"], about["role_by"], about["label_by"]) == (
        *("party", "THE PARTY"),
        *("editor", "editor"),
    )
    other = next(d for d in protocol["decisions"] if "Lily Ashcombe" in d["names"])
    assert (other["label"], other["role_by"], other["label_by"]) == ("L.A.", "aef", "aef")
    assert protocol["people"]["THE PARTY"] == ["Harold Penrose"]


FACTS = st.lists(
    st.one_of(
        st.builds(
            Fact,
            st.just("call"),
            st.sampled_from([place("Edwin Ashcombe"), place("Thomas Ashcombe")]),
            value=st.sampled_from(["the uncle", "Z.Z.", ""]),
        ),
        st.builds(
            Fact,
            st.just("role"),
            st.sampled_from([place("Edwin Ashcombe"), place("Harold Penrose")]),
            value=st.sampled_from(["judge", "party", "school"]),
        ),
        st.builds(Fact, st.just("same"), st.just(place("Edwin Ashcombe")), st.just(place("Thomas Ashcombe"))),
        st.builds(Fact, st.sampled_from(["hide", "show"]), st.just(place("Edwin Ashcombe"))),
    ),
    max_size=4,
)


@settings(max_examples=15)
@given(facts=FACTS)
def test_undo_takes_them_back_and_saving_keeps_them(
    tmp_path_factory: pytest.TempPathFactory, facts: list[Fact]
) -> None:
    editing, seen = session(), []
    for fact in facts:
        before = editing.state.edits
        try:
            editing.tell(fact)
        except InputError:
            continue
        seen.append(before)
    state = editing.state
    anew = decided(editing.ground, editing.facts)
    assert (state.edits, state.decisions) == (anew.edits, anew.decisions)
    path, again = tmp_path_factory.mktemp("saved") / "answers", session()
    save(editing, path)
    resume(again, path)
    assert again.state.edits == state.edits
    for before in reversed(seen):
        editing.undo()
        assert editing.state.edits == before


@pytest.mark.parametrize(
    ("reason", "values"),
    [
        ("a role there is not", {"kind": "role", "place": [0, 1], "value": "king"}),
        ("no role", {"kind": "role", "place": [0, 1]}),
        ("a label that is no text", {"kind": "call", "place": [0, 1], "value": 3}),
        ("a label of two lines", {"kind": "call", "place": [0, 1], "value": "a\nb"}),
        ("a label with a sign that no file holds", {"kind": "call", "place": [0, 1], "value": "a\x00b"}),
        ("a label that is too long", {"kind": "call", "place": [0, 1], "value": "a" * 61}),
        ("blanks around", {"kind": "call", "place": [0, 1], "value": " a"}),
        ("a value where none belongs", {"kind": "hide", "place": [0, 1], "value": "a"}),
        ("a batch that is no number", {"kind": "hide", "place": [0, 1], "batch": True}),
    ],
)
def test_what_is_no_answer(reason: str, values: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        fact_of(json.loads(json.dumps(values)), 100)


# --- many answers at once -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("sure", "reply"), [(1, "hide"), (30, "hide"), (99, "show"), (60, "show")])
def test_many_answers_at_once_are_one_step(sure: int, reply: str) -> None:
    editing = session()
    before = editing.state.edits
    wanted = [
        q
        for q in editing.questions()
        if q.kind != "pair" and q.hidden == (reply == "show") and (round(100 * q.chance) < sure) == q.hidden
    ]
    assert editing.settle(sure, reply) == len(wanted) == len(editing.facts)
    hidden = [(e.start, e.end) for e in editing.state.edits]
    for question in wanted if reply == "hide" else ():
        assert any(start < question.places[0][1] and question.places[0][0] < end for start, end in hidden)
    after = editing.state.edits
    editing.undo()
    assert (editing.facts, editing.state.edits) == ((), before)
    editing.redo()
    assert (len(editing.facts), editing.state.edits) == (len(wanted), after)


def test_what_settles_nothing() -> None:
    editing = session()
    assert editing.settle(100, "hide") == editing.settle(0, "show") == 0
    assert editing.undo() is None
    with pytest.raises(InputError, match="settles nothing"):
        editing.settle(50, "eat")
