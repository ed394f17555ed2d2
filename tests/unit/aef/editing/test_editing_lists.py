"""Lists of questions: what one key settles, what each further one does, and that nothing is asked twice or left out."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.editing.lists import HIDDEN, MOST, NAMES, NUMBERS, SHOWN, Listed, about, cycle, lists
from aef.editing.questions import ENTITY, PAIR, REPLIES, WORD, Question, worth
from aef.editing.words import CODE, COMMON, DATE, INITIALS, PART, SMALL, WORDS
from aef.errors import InputError


def question(kind: str, place: int, hidden: bool, chance: float, role: str = "") -> Question:
    places = ((place, place + 5), (place + 6, place + 7)) if kind == PAIR else ((place, place + 5),)
    return Question(kind, ("Abc",), places, hidden, chance, worth(chance, hidden, 1), role=role)


LOOKS = (CODE, DATE, INITIALS, WORDS, SMALL, COMMON, PART)
KINDS = st.one_of(
    st.tuples(st.just(ENTITY), st.booleans(), st.just("party")),
    st.tuples(st.just(WORD), st.just(False), st.sampled_from(LOOKS)),
    st.tuples(st.just(PAIR), st.just(True), st.just("")),
)
QUESTIONS = st.lists(st.tuples(KINDS, st.floats(0, 1)), max_size=40).map(
    lambda made: sorted(
        (question(kind, 10 * n, hidden, chance, role) for n, ((kind, hidden, role), chance) in enumerate(made)),
        key=lambda q: -q.worth,
    )
)


@given(QUESTIONS)
def test_each_question_is_asked_once_and_with_its_like(asked: list[Question]) -> None:
    found = lists(asked)
    parts = [part for one in found for part in (one.parts if isinstance(one, Listed) else (one,))]
    assert sorted(p.id for p in parts) == sorted(q.id for q in asked)
    assert [one.worth for one in found] == sorted((one.worth for one in found), reverse=True)
    assert len({one.id for one in found}) == len(found)
    for one in found:
        if isinstance(one, Listed):
            assert 1 < len(one.parts) <= MOST and {about(part) for part in one.parts} == {one.about}
            assert PAIR not in {part.kind for part in one.parts}
            assert one.worth >= max(part.worth for part in one.parts), "else one of them is better asked alone"


@pytest.mark.parametrize(
    ("kind", "hidden", "role", "list_name"),
    [
        (ENTITY, True, "party", HIDDEN),
        (ENTITY, False, "judge", SHOWN),
        (WORD, False, CODE, NUMBERS),
        (WORD, False, DATE, NUMBERS),
        (WORD, False, PART, NUMBERS),
        (WORD, False, WORDS, NAMES),
        (WORD, False, SMALL, NAMES),
    ],
)
def test_what_is_alike(kind: str, hidden: bool, role: str, list_name: str) -> None:
    assert about(question(kind, 0, hidden, 0.5, role)) == list_name


@pytest.mark.parametrize(("kind", "chance"), list(product((ENTITY, WORD), (0.1, 0.9))))
def test_the_likelier_reply_is_proposed_and_all_others_can_be_reached(kind: str, chance: float) -> None:
    for role in LOOKS if kind == WORD else ("party",):
        part = question(kind, 0, False, chance, role)
        replies = cycle(part)
        assert sorted(replies) == sorted(part.replies) and set(replies) <= set(REPLIES[kind])
        assert (replies[0] in ("hide", "thing", "here")) is (chance > 0.5)
        assert (replies[0] in ("hide", "thing", "here")) is not (replies[1] in ("hide", "thing", "here"))


def test_words_that_no_model_takes_for_a_name_are_hidden_as_a_thing() -> None:
    def of(odds: float) -> Question:
        return Question(WORD, ("Abc",), ((0, 3),), False, 0.2, 1.0, role=WORDS, shows={f"odds of {WORDS}": odds})

    assert cycle(of(-5.0))[:3] == ("show", "thing", "hide")
    assert cycle(of(2.0))[:3] == ("show", "hide", "thing")


def test_keys_are_those_that_an_editor_presses() -> None:
    listed = Listed(HIDDEN, tuple(question(ENTITY, 10 * n, True, 0.9, "party") for n in range(3)), 1.0)
    assert listed.proposed == ("hide", "hide", "hide")
    assert listed.keys(("hide", "hide", "hide")) == 1, "all is right"
    assert listed.keys(("hide", "show", "hide")) == 2, "a line's key, and all is right"
    assert listed.keys(("hide", "show", "no name")) == 3, "the third line's with Shift"


def test_a_list_wants_a_reply_to_each_question_that_is_one_to_it() -> None:
    listed = Listed(HIDDEN, tuple(question(ENTITY, 10 * n, True, 0.9, "party") for n in range(2)), 1.0)
    assert [f.kind for f in listed.facts(("hide", "show"))] == ["hide", "show"]
    with pytest.raises(InputError, match="1 replies to a list of 2"):
        listed.facts(("hide",))
    with pytest.raises(InputError, match="'here' is no reply"):
        listed.facts(("hide", "here"))
