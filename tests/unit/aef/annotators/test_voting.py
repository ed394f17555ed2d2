"""Voting as an algebra of sets of characters, beside a plain implementation of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.annotators.overlap import POLICIES, apart
from aef.annotators.voting import Ballot, vote
from aef.corpus_tools.document import Document, Mention

TEXT = "Ana Pop, of Cluj (Rus), wrote AB-12/3 to Mr Ion Dan."
DOCUMENT = Document.from_text(TEXT)
KINDS = ("PERSON", "LOC", "CODE", None)


@st.composite
def mentions(draw: st.DrawFn) -> Mention:
    start = draw(st.integers(0, len(TEXT) - 1))
    end = draw(st.integers(start + 1, len(TEXT)))
    probability = draw(st.sampled_from([None, 0.2, 0.5, 0.9]))
    return Mention(start, end, draw(st.sampled_from(KINDS)), probability=probability, extra={"by": ["a"]})


voters = st.lists(st.lists(mentions(), max_size=5), min_size=1, max_size=4)


def letters(found: Sequence[Mention]) -> set[int]:
    """The letters and digits that mentions cover."""
    return {i for m in found for i in range(m.start, m.end) if re.match(r"\w", TEXT[i])}


def result(votes: list[list[Mention]], rule: str, **settings: object) -> set[int]:
    return letters(vote(DOCUMENT, votes, Ballot(rule, **settings)).mentions)  # type: ignore[arg-type]


def plain(votes: list[list[Mention]], rule: str) -> set[int]:
    """The same on sets."""
    sets = [letters(found) for found in votes]
    return {
        "add": set.union(*sets),
        "intersection": set.intersection(*sets),
        "majority": {i for i in range(len(TEXT)) if sum(i in s for s in sets) > len(sets) / 2},
        "difference": sets[0].difference(*sets[1:]),
    }[rule]


@given(voters, st.sampled_from(["add", "intersection", "majority", "difference"]))
def test_as_plain_sets_have_it(votes: list[list[Mention]], rule: str) -> None:
    assert result(votes, rule) == plain(votes, rule)


@given(voters)
def test_intersection_is_within_majority_is_within_add(votes: list[list[Mention]]) -> None:
    assert result(votes, "intersection") <= result(votes, "majority") <= result(votes, "add")


@given(voters)
def test_a_thing_without_itself_is_nothing(votes: list[list[Mention]]) -> None:
    assert result([votes[0], votes[0]], "difference") == set()
    assert result([votes[0], []], "difference") == letters(votes[0])


@given(voters, st.permutations(range(4)), st.sampled_from(["add", "intersection", "majority", "weighted"]))
def test_the_order_of_voters_does_not_matter(votes: list[list[Mention]], order: list[int], rule: str) -> None:
    shuffled = [votes[i] for i in order if i < len(votes)]
    assert result(shuffled, rule) == result(votes, rule)


@given(voters, st.sampled_from(["add", "intersection", "majority"]))
def test_voters_that_agree_decide_what_each_says(votes: list[list[Mention]], rule: str) -> None:
    assert result([votes[0]] * 3, rule) == letters(votes[0])


@given(voters)
def test_a_weighted_vote_lies_between_the_probabilities(votes: list[list[Mention]]) -> None:
    assert result(votes, "weighted", threshold=0.0) == result(votes, "add")
    certain = [[Mention(m.start, m.end, m.entity_type, probability=1.0) for m in found] for found in votes]
    assert result(certain, "weighted", threshold=1.0) == result(votes, "intersection")
    low, high = (result(votes, "weighted", threshold=t) for t in (0.3, 0.6))
    assert high <= low


@given(voters, st.sampled_from(["add", "intersection", "majority", "difference", "weighted"]))
def test_tokens_and_text_stay_and_nothing_overlaps(votes: list[list[Mention]], rule: str) -> None:
    document = vote(DOCUMENT, votes, Ballot(rule))
    assert document.text == TEXT and document.words == DOCUMENT.words
    ends = [m.end for m in document.mentions]
    assert all(end <= m.start for end, m in zip(ends, document.mentions[1:], strict=False))
    assert all(0 <= (m.probability or 0) <= 1 and m.start < m.end for m in document.mentions)


@given(st.lists(mentions(), max_size=8), st.sampled_from(sorted(POLICIES)))
def test_freed_of_overlaps_the_same_letters_are_hidden(found: list[Mention], policy: str) -> None:
    document = apart(DOCUMENT.with_mentions(found), policy)
    ends = [m.end for m in document.mentions]
    assert letters(document.mentions) == letters(found)
    assert all(end <= m.start for end, m in zip(ends, document.mentions[1:], strict=False))


def mention(phrase: str, kind: str | None, probability: float, by: str) -> Mention:
    start = TEXT.index(phrase)
    return Mention(start, start + len(phrase), kind, probability=probability, extra={"by": [by]})


def told(document: Document) -> list[tuple[str, str | None, float | None, list[str]]]:
    return [(document.cut(m), m.entity_type, m.probability, m.extra["by"]) for m in document.mentions]


def test_a_name_found_in_part_by_another_stays_whole_and_tells_both() -> None:
    votes = [[mention("Ana Pop", "PERSON", 0.7, "model")], [mention("Pop", "LOC", 0.9, "list")]]
    assert told(vote(DOCUMENT, votes, Ballot("add"))) == [("Ana Pop", "PERSON", 0.9, ["model", "list"])]


def test_neighbours_stay_apart() -> None:
    votes = [[mention("Ana", "PERSON", 0.7, "a")], [mention(" Pop", "PERSON", 0.9, "b")]]
    assert [m[0] for m in told(vote(DOCUMENT, votes, Ballot("add")))] == ["Ana", " Pop"]


def test_weights_say_whose_probability_counts() -> None:
    votes = [[mention("Ana", "PERSON", 0.9, "a")], [mention("Rus", "PERSON", 0.9, "b")]]
    document = vote(DOCUMENT, votes, Ballot("weighted", (3.0, 1.0), 0.5))
    assert [(cut, round(p or 0, 3)) for cut, _, p, _ in told(document)] == [("Ana", 0.675)]


def test_a_part_of_a_token_may_be_hidden() -> None:
    votes = [[mention("12", "CODE", 0.9, "a")]]
    assert told(vote(DOCUMENT, votes, Ballot("add"))) == [("12", "CODE", 0.9, ["a"])]


OVERLAPS = [
    ("longest", ["Ana Pop, of Cluj"], "the longest has all"),
    ("probable", ["Ana", "Pop, of", "Cluj"], "the most probable ones first, the rest keeps what is left"),
    ("first", ["Ana Pop, of Cluj"], "what begins first; of two that begin together the longer"),
]


@pytest.mark.parametrize(("policy", "cuts", "reason"), OVERLAPS, ids=[c[0] for c in OVERLAPS])
def test_overlap_policies(policy: str, cuts: list[str], reason: str) -> None:
    found = [
        mention("Ana Pop, of Cluj", "ORG", 0.5, "a"),
        mention("Ana", "PERSON", 0.9, "b"),
        mention("Cluj", "LOC", 0.8, "c"),
    ]
    assert [m[0] for m in told(apart(DOCUMENT.with_mentions(found), policy))] == cuts, reason
