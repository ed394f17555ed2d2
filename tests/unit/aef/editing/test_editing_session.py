"""The editor's session: every answer decides the rest anew, can be taken back, and is kept without a word of a name."""

from __future__ import annotations

import json
import stat
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.annotators.pipeline import Pipeline, load
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import read_gold
from aef.editing import Fact, Question, Session
from aef.editing.decision import decided
from aef.editing.facts import fact_of
from aef.editing.saving import resume, save, save_path
from aef.errors import InputError
from aef.roles.correction import UNANSWERED

TEXT = """IN THE FAMILY COURT

Before: His Honour Judge Harold Penrose

Between: Margaret Ellen Ashcombe, Applicant, and Thomas Ashcombe, Respondent

1. This is an application by Mrs Ashcombe about the child Lily Ashcombe, born on 4 March 2011. Ms Priya Nair of counsel
appeared for the mother.

2. Lily, whom her father calls Lulu, lives at 14 Willow Lane, Harrowgate Cross. She is fond of Grimsditch, a pony.

3. Mr Ashcombe relied on his brother Edwin Ashcombe. Edwin said that lulu was happy. He keeps the pony at Lower Barton.

4. Dr Susan Oakley, a psychologist, gave evidence. The claim number is FD21P00734. Lower Barton is a farm.
"""
REPLIES = st.lists(st.tuples(st.integers(0, 30), st.integers(0, 4)), max_size=4)


@cache
def tagger() -> Pipeline:
    return load("court-en")


def session(text: str = TEXT) -> Session:
    return Session(Document.from_text(text, "ruling"), tagger())


def looks(of: Session) -> tuple[Any, ...]:
    """All that can be seen of a session."""
    return of.state.edits, of.corrections().mentions, of.state.decisions, [(q.id, q.worth) for q in of.questions()]


def answer_all(of: Session, chosen: Sequence[tuple[int, int]]) -> None:
    for which, reply in chosen:
        asked = of.questions()
        if asked:
            question = asked[which % len(asked)]
            of.answer(question, question.replies[reply % len(question.replies)])


def about(of: Session, words: str) -> Question:
    return next(q for q in of.questions() if words in q.names)


def hidden(of: Session) -> list[str]:
    return [of.document.text[e.start : e.end] for e in of.state.edits]


def place(words: str, text: str = TEXT) -> tuple[int, int]:
    start = text.index(words)
    return start, start + len(words)


# --- answers --------------------------------------------------------------------------------------------------------


def test_the_question_worth_most_comes_first_and_what_was_answered_is_not_asked_again() -> None:
    editing = session()
    asked = editing.questions()
    assert [q.worth for q in asked] == sorted((q.worth for q in asked), reverse=True)
    assert len({q.id for q in asked}) == len(asked)
    editing.answer(asked[0], asked[0].replies[0])
    assert asked[0].id not in {q.id for q in editing.questions()}


def test_a_told_name_is_hidden_in_all_its_places_and_one_that_is_shown_in_none() -> None:
    editing = session()
    assert "Lower Barton" not in hidden(editing)
    editing.answer(about(editing, "Lower Barton"), "hide")
    assert hidden(editing).count("Lower Barton") == 2
    editing.answer(about(editing, "Harold Penrose"), "hide")
    editing.answer(about(editing, "Edwin Ashcombe"), "show")
    assert "Harold Penrose" in hidden(editing)
    assert not [words for words in hidden(editing) if "Edwin" in words]


def test_a_told_persons_surname_is_found_where_it_stands_alone() -> None:
    text = "The witness spoke.\n\nOf Xilber Quandry we heard much. Later Quandry left, and the quandary stayed."
    editing = session(text)
    editing.tell(Fact("hide", place("Xilber Quandry", text)))
    assert hidden(editing) == ["Xilber Quandry", "Quandry"]


def test_here_is_one_place_and_the_others_stay() -> None:
    editing = session()
    second = TEXT.rindex("pony")
    editing.tell(Fact("hide", (second, second + 4), scope="here"))
    assert [(e.start, e.end) for e in editing.state.edits if TEXT[e.start : e.end] == "pony"] == [(second, second + 4)]
    first = place("Edwin Ashcombe")
    editing.tell(Fact("show", first, scope="here"))
    assert first not in [(e.start, e.end) for e in editing.state.edits]
    assert "Edwin" in hidden(editing)


def test_where_here_alone_can_be_replied() -> None:
    asked = session(
        "The Haven stood by Old Barn. In the Haven they met, and met in Old Barn; so did Respondent."
    ).questions()
    found = {q.names[0]: set(q.replies) & {"here", "not here"} for q in asked if q.kind == "word"}
    assert found["Haven"] == {"here", "not here"}
    assert found["Old Barn"] == {"not here"}, "a name of several words could still be read elsewhere"
    assert found["Respondent"] == set(), "it stands once"


STREET = """The applicant, Ms Anna Zwetkow, lives at Rosenweg 7 with a cat of 7. By section 7 of the Act she is heard.

No man of 7 is here. Still at Rosenweg 7 she stays, not at Lindenweg 7. Some 7 others left Rosenweg 70.
"""


def in_the_street() -> Session:
    """A session on a ruling that hides its streets, but not the numbers of the houses."""
    editing = session(STREET)
    for street in ("Rosenweg", "Lindenweg"):
        editing.tell(Fact("hide", place(street, STREET), None, "LOC"))
    return editing


def sevens(of: Session) -> list[str]:
    """What stands before each 7 that is hidden."""
    hides = [e for e in of.state.edits if STREET[e.start : e.end].endswith("7")]
    return [STREET[: e.end - 1].split()[-1] for e in hides]


def test_a_number_beside_a_hidden_place_is_hidden_beside_the_same_place_alone() -> None:
    editing = in_the_street()
    asked = [q for q in editing.questions() if q.role == "part" and q.names == ("7",)]
    assert [len(q.places) for q in sorted(asked, key=lambda q: q.places)] == [2, 1]
    editing.answer(min(asked, key=lambda q: q.places), "hide")
    assert sevens(editing) == ["Rosenweg", "Rosenweg"]


def test_showing_a_number_beside_a_hidden_place_says_nothing_of_the_same_number_beside_another() -> None:
    editing = in_the_street()
    asked = min((q for q in editing.questions() if q.names == ("7",)), key=lambda q: q.places)
    editing.answer(asked, "show")
    left = [q.places for q in editing.questions() if q.names == ("7",)]
    assert [STREET[: at[0][0]].split()[-1] for at in left] == ["Lindenweg"]
    assert sevens(editing) == []


def test_the_rest_of_a_name_that_is_hidden_in_part_is_hidden_beside_that_part_alone() -> None:
    text = "It was the affidavit of one Evidence Moyo.\n\nEvidence was given by Moyo. Then Evidence Moyo left."
    editing = session(text)
    editing.tell(Fact("show", place("Evidence Moyo", text), scope="here"), Fact("hide", place("Moyo", text)))
    start = text.rindex("Evidence")
    editing.tell(Fact("show", (start, start + len("Evidence Moyo")), scope="here"))
    asked = next(q for q in editing.questions() if q.names == ("Evidence",))
    editing.answer(asked, "hide")
    evidence = [e.start for e in editing.state.edits if text[e.start : e.end].startswith("Evidence")]
    assert evidence == [place("Evidence", text)[0], start]


@pytest.mark.parametrize("kind", ["PERSON", "LOC", "CODE", "MISC"])
@pytest.mark.parametrize(("words", "times"), [("7", 7), ("others", 1)])
def test_what_is_marked_by_hand_is_hidden_here_or_wherever_it_stands_alone(kind: str, words: str, times: int) -> None:
    here, everywhere = session(STREET), session(STREET)
    here.tell(Fact("hide", place(words, STREET), None, kind, "here"))
    everywhere.tell(Fact("hide", place(words, STREET), None, kind))
    assert hidden(here).count(words) == 1
    assert hidden(everywhere).count(words) == times


def test_no_name_at_all_is_hidden_nowhere() -> None:
    editing = session()
    editing.tell(Fact("leave", place("Edwin Ashcombe")))
    assert "Edwin Ashcombe" not in hidden(editing)


def test_two_names_become_one_person_and_one_person_two() -> None:
    editing = session()
    editing.tell(Fact("same", place("Lily Ashcombe"), place("Lulu")))
    labels = {TEXT[e.start : e.end]: e.label for e in editing.state.edits}
    assert labels["Lily Ashcombe"] == labels["Lulu"] == labels["lulu"]
    editing.tell(Fact("apart", place("Lily Ashcombe"), place("Lulu")))
    labels = {TEXT[e.start : e.end]: e.label for e in editing.state.edits}
    assert labels["Lily Ashcombe"] != labels["Lulu"]


def test_the_later_answer_counts() -> None:
    editing = session()
    editing.tell(Fact("show", place("Lily Ashcombe")))
    assert "Lily Ashcombe" not in hidden(editing)
    editing.tell(Fact("hide", place("Lily Ashcombe")))
    assert "Lily Ashcombe" in hidden(editing)


def test_what_is_asked_nobody_and_what_is_no_reply_is_an_error() -> None:
    editing = session()
    with pytest.raises(InputError, match="is not asked"):
        editing.answer("entity-0-1", "hide")
    with pytest.raises(InputError, match="is no reply"):
        editing.answer(editing.questions()[0], "perhaps")
    assert editing.facts == ()


@settings(max_examples=12)
@given(REPLIES)
def test_undo_restores_the_state_and_redo_brings_it_back(chosen: list[tuple[int, int]]) -> None:
    editing = session()
    seen = [looks(editing)]
    for one in chosen:
        answer_all(editing, [one])
        seen.append(looks(editing))
    for before in reversed(seen[:-1]):
        editing.undo()
        assert looks(editing) == before
    assert editing.undo() is None
    for after in seen[1:]:
        editing.redo()
        assert looks(editing) == after
    assert editing.redo() is None


@settings(max_examples=12)
@given(REPLIES)
def test_what_is_kept_from_the_last_state_is_as_worked_out_anew(chosen: list[tuple[int, int]]) -> None:
    editing = session()
    for one in chosen:
        answer_all(editing, [one])
        kept, anew = editing.state, decided(editing.ground, editing.facts)
        assert (kept.edits, kept.decisions, kept.hidden) == (anew.edits, anew.decisions, anew.hidden)


@settings(max_examples=12)
@given(REPLIES, st.integers(0, 2))
def test_saved_answers_replayed_give_the_same_state(
    tmp_path_factory: pytest.TempPathFactory, chosen: list[tuple[int, int]], undone: int
) -> None:
    path = tmp_path_factory.mktemp("saved") / "answers"
    editing, again = session(), session()
    answer_all(editing, chosen)
    for _ in range(undone):
        editing.undo()
    save(editing, path)
    assert resume(again, path)
    assert looks(again) == looks(editing)
    assert (again.facts, again.undone) == (editing.facts, editing.undone)


@settings(max_examples=12)
@given(st.lists(st.sampled_from(["Lower Barton", "Grimsditch", "Harold Penrose", "Lulu", "Susan Oakley"]), unique=True))
def test_a_told_name_is_left_nowhere_in_the_file(tmp_path_factory: pytest.TempPathFactory, told: list[str]) -> None:
    folder = tmp_path_factory.mktemp("finished")
    (folder / "ruling.txt").write_text(TEXT, "utf-8")
    editing = Session(folder / "ruling.txt", tagger())
    for words in told:
        editing.tell(Fact("hide", place(words)))
    result = editing.finish(folder / "safe.txt")
    written = (folder / "safe.txt").read_text("utf-8")
    assert result.written
    assert not [words for words in told if words in written]
    assert result.edits == editing.state.edits, "the page shows what is written"


@settings(max_examples=25)
@given(REPLIES)
def test_what_is_written_is_what_was_shown(
    tmp_path_factory: pytest.TempPathFactory, chosen: list[tuple[int, int]]
) -> None:
    folder = tmp_path_factory.mktemp("shown")
    (folder / "ruling.txt").write_text(TEXT, "utf-8")
    editing = Session(folder / "ruling.txt", tagger())
    answer_all(editing, chosen)
    assert editing.finish(folder / "safe.txt", allow_remaining=True).edits == editing.state.edits


def test_a_word_document_is_finished_with_a_review_copy(tmp_path: Path) -> None:
    docx = pytest.importorskip("docx")
    ruling = docx.Document()
    for line in TEXT.split("\n\n"):
        ruling.add_paragraph(line)
    ruling.add_table(1, 1).cell(0, 0).text = "Lily Ashcombe"
    ruling.save(str(tmp_path / "ruling.docx"))
    editing = Session(tmp_path / "ruling.docx", tagger())
    editing.answer(about(editing, "Lower Barton"), "thing")
    result = editing.finish(tmp_path / "safe.docx", review=tmp_path / "review.docx")
    assert result.written and result.review is not None and result.review.exists()
    again = Session(tmp_path / "safe.docx", tagger()).document.text
    assert not [name for name in ("Lower Barton", "Lily", "Lulu", "Ashcombe") if name in again]


# --- what comes of it -----------------------------------------------------------------------------------------------


def test_corrections_are_gold(tmp_path: Path) -> None:
    editing = session()
    editing.answer(about(editing, "Lower Barton"), "thing")
    editing.save_corrections(tmp_path / "gold.jsonl")
    gold = read_gold(tmp_path / "gold.jsonl")[0]
    masked = {gold.cut(m) for m in gold.mentions if m.masked}
    assert gold.text == TEXT
    assert {"Lower Barton", "Lily Ashcombe"} <= masked
    assert {"Harold Penrose", "Priya Nair"} <= {gold.cut(m) for m in gold.mentions if not m.masked}
    assert all(gold.mask(editing.state.hidden.mentions) == gold.mask([m for m in gold.mentions if m.masked]))


def test_corrections_tell_what_no_answer_is_about(tmp_path: Path) -> None:
    editing = session()
    editing.answer(about(editing, "Lower Barton"), "thing")
    editing.answer(about(editing, "Harold Penrose"), "show")
    second = TEXT.index("Edwin said")
    editing.tell(Fact("show", (second, second + 5), scope="here"))
    editing.save_corrections(tmp_path / "gold.jsonl")
    gold = read_gold(tmp_path / "gold.jsonl")[0]
    unsaid = {gold.cut(m) for m in gold.mentions if m.extra.get(UNANSWERED)}
    assert {"Lily Ashcombe", "Edwin Ashcombe", "Susan Oakley"} <= unsaid
    assert not {"Lower Barton", "Harold Penrose"} & unsaid


def test_a_ruling_that_changed_is_not_finished(tmp_path: Path) -> None:
    ruling = tmp_path / "ruling.txt"
    ruling.write_text(TEXT, "utf-8")
    editing = Session(ruling, tagger())
    ruling.write_text(TEXT.replace("pony", "horse"), "utf-8")
    with pytest.raises(InputError, match="changed since"):
        editing.finish(tmp_path / "safe.txt")
    assert not (tmp_path / "safe.txt").exists()


def test_a_document_without_a_file_cannot_be_finished(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="without a file"):
        session().finish(tmp_path / "safe.txt")


# --- what is kept ---------------------------------------------------------------------------------------------------


def test_the_saved_file_is_the_owners_and_holds_no_word(tmp_path: Path) -> None:
    editing = session()
    editing.answer(about(editing, "Lower Barton"), "hide")
    path = save_path(tmp_path / "ruling.txt")
    save(editing, path)
    content = path.read_text("utf-8")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    words = {word for word in TEXT.replace(",", " ").replace(".", " ").split() if len(word) > 3 and word.isalpha()}
    assert not [word for word in words if word.lower() in content.lower()]


@pytest.mark.parametrize(
    ("reason", "change", "said"),
    [
        ("no JSON", lambda c: "{", "is no file of an editor's answers"),
        ("no object", lambda c: "[]", "is no file of an editor's answers"),
        ("a newer version", lambda c: json.dumps({**c, "format": 99}), "newer version"),
        ("of another text", lambda c: json.dumps({**c, "text": "0" * 64}), "another text"),
        ("places outside", lambda c: json.dumps({**c, "facts": [{"kind": "hide", "place": [0, 10**6]}]}), "no file of"),
        ("answers of no kind", lambda c: json.dumps({**c, "facts": [{"kind": "eat", "place": [0, 1]}]}), "no file of"),
    ],
)
def test_what_is_no_file_of_answers_is_named_and_stays(tmp_path: Path, reason: str, change: Any, said: str) -> None:
    editing, path = session(), tmp_path / "answers"
    save(editing, path)
    path.write_text(change(json.loads(path.read_text("utf-8"))), "utf-8")
    before = path.read_bytes()
    with pytest.raises(InputError, match=said):
        resume(editing, path)
    assert path.read_bytes() == before, reason


@pytest.mark.parametrize(
    ("reason", "values"),
    [
        ("no object", [1, 2]),
        ("no place", {"kind": "hide"}),
        ("an unknown key", {"kind": "hide", "place": [0, 1], "why": "so"}),
        ("an unknown kind", {"kind": "eat", "place": [0, 1]}),
        ("beside nothing", {"kind": "hide", "place": [0, 1], "scope": "beside"}),
        ("an empty place", {"kind": "hide", "place": [3, 3]}),
        ("behind the end", {"kind": "hide", "place": [0, 101]}),
        ("before the start", {"kind": "hide", "place": [-1, 2]}),
        ("truth values", {"kind": "hide", "place": [False, True]}),
        ("two people, one place", {"kind": "same", "place": [0, 1]}),
        ("an unknown scope", {"kind": "hide", "place": [0, 1], "scope": "there"}),
        ("an unknown type", {"kind": "hide", "place": [0, 1], "type": "<b>"}),
    ],
)
def test_what_is_no_answer(reason: str, values: Any) -> None:
    with pytest.raises(InputError):
        fact_of(values, 100)


@given(
    st.builds(
        Fact,
        st.sampled_from(["hide", "show", "leave", "same", "apart"]),
        st.tuples(st.integers(0, 49), st.integers(50, 100)),
        st.tuples(st.integers(0, 49), st.integers(50, 100)),
        st.sampled_from(["PERSON", "MISC"]),
        st.sampled_from(["everywhere", "here"]),
    )
)
def test_an_answer_comes_back_from_json(fact: Fact) -> None:
    assert fact_of(json.loads(json.dumps(fact.as_dict())), 100) == fact
