"""The simulated editor: answers from gold alone, counted in keys, and nothing of a list before its last key."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import pytest

from aef.annotators.pipeline import Pipeline, load
from aef.corpus_tools.document import Document, Mention
from aef.editing.lists import Listed, cycle
from aef.experiments.editing import MISSED, ORDERS, Case, Count, Gold, course, left, misses, told
from aef.experiments.editing_learning import needed

TEXT = """IN THE FAMILY COURT

Between: Margaret Ellen Ashcombe, Applicant, and Thomas Ashcombe, Respondent

1. This is about the child Lily Ashcombe, born on 4 March 2011, who lives in the Reach of Barton.

2. Lily rides at Lower Barton. Mr Ashcombe relied on his brother Edwin Ashcombe. The claim number is FD21P00734.
"""
HIDDEN = {
    "Margaret Ellen Ashcombe": "PERSON",
    "Thomas Ashcombe": "PERSON",
    "Lily Ashcombe": "PERSON",
    "4 March 2011": "DATETIME",
    "the Reach of Barton": "LOC",
    "Lower Barton": "LOC",
}
ANSWERS = 12


@cache
def tagger() -> Pipeline:
    return load("court-en")


def ruling() -> Document:
    mentions = [
        Mention(TEXT.index(words), TEXT.index(words) + len(words), kind, "DIRECT", words)
        for words, kind in HIDDEN.items()
    ]
    return Document.from_text(TEXT, "ruling").with_mentions(mentions)


def case() -> Case:
    return Case(ruling(), tagger())


def test_words_of_grammar_in_a_name_tell_nothing() -> None:
    known = Gold(ruling())
    words = [TEXT[s:e] for s, e in zip(known.words.starts, known.words.ends, strict=True)]
    silent = [
        w for w, masked, telling in zip(words, known.masked, known.telling, strict=True) if masked and not telling
    ]
    assert silent == ["the", "of"]


@pytest.mark.parametrize("order", ORDERS)
def test_there_is_a_count_after_each_answer(order: str) -> None:
    counts = course(case(), order, ANSWERS)
    assert len(counts) == ANSWERS + 1
    assert counts[0] == left(Gold(ruling()), case().session())
    assert [c.read for c in counts] == sorted(c.read for c in counts)
    assert counts == course(case(), order, ANSWERS), "the same again"
    assert all(c.people <= c.missed and c.telling <= c.missed for c in counts)
    if order != "worth":
        assert all(after.read - before.read <= 1 for before, after in pairwise(counts))


def test_a_list_counts_when_all_its_keys_are_pressed() -> None:
    known, session = Gold(ruling()), case().session()
    counts = course(case(), "worth", ANSWERS)
    asked = next(one for one in session.lists() if isinstance(one, Listed))
    replies = known.replies(asked)
    steps = [(cycle(part).index(reply) + 1) // 2 for part, reply in zip(asked.parts, replies, strict=True)]
    assert asked.keys(replies) == 1 + sum(steps)
    for before, after in pairwise(counts):
        assert after.read > before.read or after == before


def test_answers_put_right_what_was_missed() -> None:
    before, after = (course(case(), "worth", 30)[n] for n in (0, 30))
    assert before.telling > 0 and after.telling == 0


def test_misses_are_each_in_one_place_of_the_queue() -> None:
    rows = list(misses([case()], 0))
    assert rows[-1][0] == "all" and rows[-1][1] == sum(row[1] for row in rows[:-1]) > 0
    for row in rows:
        assert len(row) == len(MISSED) and row[1] == sum(row[2:])


def test_told_is_what_the_answers_told() -> None:
    session = told(case(), 5)
    assert session.facts and len(session.facts) == course(case(), "worth", 5)[-1].read


@pytest.mark.parametrize(
    ("reason", "left_after", "answers"),
    [
        ("nothing to do", [0, 0, 0], 0),
        ("the last of two", [5, 3, 3, 1, 1], 3),
        ("what got worse and better", [3, 4, 3], 0),
    ],
)
def test_answers_are_needed_up_to_the_last_that_put_something_right(
    reason: str, left_after: list[int], answers: int
) -> None:
    assert needed([Count(missed, 0, 0, 0, 0) for missed in left_after]) == answers, reason
