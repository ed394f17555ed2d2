"""The conventions of anonymized rulings: each form is recognized, typed, and told from what only looks like it."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.alignment.conventions import (
    conventions,
    join_counters,
    joined_label,
    recognize,
    units,
    without_numerals,
)

EXAMPLES = [(c.name, example) for c in conventions() for example in c.examples]


@pytest.mark.parametrize(("name", "text"), EXAMPLES, ids=[text for _, text in EXAMPLES])
def test_each_example_of_the_table_is_its_convention(name: str, text: str) -> None:
    label = recognize(text)
    assert label is not None
    assert (label.convention.name, label.text) == (name, text)


TYPES = [
    ("W.M.", "PERSON", "initials are a person's"),
    ("S.R.2", "PERSON", "the number tells two persons with the same initials apart"),
    ("J.-P. L.", "PERSON", "a double given name and a space"),
    ("Ş.Ç.", "PERSON", "capitals of other languages"),
    ("O.[...]", "ORG", "initial and omission mark are an organisation's"),
    ("7[...]", None, "a number cut short is no organisation"),
    ("[...]", None, "an omission mark tells nothing"),
    ("****", None, "stars tell nothing"),
    ("AA", None, "a doubled letter tells nothing"),
    ("WITNESS_1", "PERSON", "the counter's word tells"),
    ("Person3", "PERSON", "the counter's word tells, joined"),
    ("#PER2_ei", "PERSON", "a case ending after the number"),
    ("ORG_12", "ORG", "organisations are counted, too"),
    ("DATE_4", "DATETIME", "dates are counted, too"),
    ("Mother_1", "PERSON", "kinship words are persons"),
    ("Zebra_1", None, "a counter of an unknown word"),
    ("[LOC_3]", "LOC", "in brackets"),
    ("[name withheld]", "PERSON", "what was withheld tells"),
    ("[redacted]", None, "nothing told"),
]


@pytest.mark.parametrize(("text", "kind", "reason"), TYPES, ids=[r for *_, r in TYPES])
def test_coarse_type(text: str, kind: str | None, reason: str) -> None:
    label = recognize(text)
    assert label is not None
    assert label.entity_type == kind, reason


NO_LABELS = [
    ("[12]", "a paragraph's number"),
    ("#3", "the number of a flat"),
    ("(a)", "an item of a list"),
    ("Mr.", "a title"),
    ("Green", "a name"),
    ("2000", "a year"),
    ("[citations omitted]", "a remark of the court, not about a person"),
    ("state_of", "an underscore without a counter"),
    ("..", "a period too many"),
]


@pytest.mark.parametrize(("text", "reason"), NO_LABELS, ids=[r for _, r in NO_LABELS])
def test_what_is_no_label(text: str, reason: str) -> None:
    found = recognize(text)
    assert found is None or not found.convention.strong, reason


CUTS = [
    ("of W.M.. W.M. was", ["of", "W.M.", ".", "W.M.", "was"], "a label and the period after it"),
    ("met W.M. S.R. said", ["met", "W.M.", "S.R.", "said"], "two labels side by side"),
    ('"M.[ ... ] Ltd."', ['"', "M.[ ... ]", "Ltd", ".", '"'], "spaces inside the mark"),
    ("**/**/2000", ["**", "/", "**", "/", "2000"], "a date in part"),
    ("(No. 28045/02)", ["(", "No", ".", "28045", "/", "02", ")"], "numbers in parts, so that a part may be hidden"),
    ("Yalman’s", ["Yalman", "’", "s"], "the possessive apart"),
]


@pytest.mark.parametrize(("text", "pieces", "reason"), CUTS, ids=[r for *_, r in CUTS])
def test_units(text: str, pieces: list[str], reason: str) -> None:
    assert [u.text for u in units(text)] == pieces, reason


@given(st.text(alphabet=st.sampled_from("aZÉ1._-[](){}…*# \n’'/AAWM"), max_size=60))
def test_units_cut_the_text_and_leave_nothing_but_space(text: str) -> None:
    found = units(text)
    assert all(text[u.start : u.end] == u.text for u in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    covered = {i for u in found for i in range(u.start, u.end)}
    assert all(text[i].isspace() for i in range(len(text)) if i not in covered)


SAME = [
    ("The", "the", "a sentence may begin elsewhere"),
    ("“", '"', "quotes are set anew"),
    ("W. M.", "W.M.", "spaces in initials"),
    ("W.M", "W.M.", "the last period of initials"),
]


@pytest.mark.parametrize(("one", "two", "reason"), SAME, ids=[r for *_, r in SAME])
def test_equal_for_a_reader(one: str, two: str, reason: str) -> None:
    assert units(one)[0].key == units(two)[0].key, reason


def test_a_lone_capital_is_not_the_article() -> None:
    assert units("A")[0].key != units("a")[0].key


def test_counters_with_a_space_are_labels_where_the_original_does_not_say_so() -> None:
    joined = join_counters([units("Witness 1 saw Child A.")], [units("John Smith saw Anna.")])
    assert [(u.text, u.label.entity_type if u.label else "") for u in joined[0]] == [
        ("Witness 1", "PERSON"),
        ("saw", ""),
        ("Child A", "PERSON"),
        (".", ""),
    ]
    kept = join_counters([units("Witness 1 left.")], [units("Witness 1 left.")])
    assert [u.text for u in kept[0]] == ["Witness", "1", "left", "."]


@pytest.mark.parametrize(
    ("text", "label", "reason"),
    [
        ("Part II says so", False, "a numeral where no other letter is doubled"),
        ("AA met II", True, "the ninth person of a ruling with AA"),
    ],
)
def test_roman_numerals(text: str, label: bool, reason: str) -> None:
    found = next(u for u in without_numerals([units(text)])[0] if u.text == "II")
    assert (found.label is not None) == label, reason


def test_neighbouring_labels_read_as_one() -> None:
    parts = [u.label for u in units("O. [...]") if u.label]
    label = joined_label(parts)
    assert (label.text, label.entity_type) == ("O. [...]", "ORG")


IDENTITIES = [
    ("W. M.", "W.M.", "initials are one however they are set"),
    ("W.M", "W.M.", "the last period may be missing"),
    ("WITNESS_1", "WITNESS_1", "a counted witness is one person"),
    ("[PERSON_2]", "[PERSON_2]", "a counted category, too"),
    ("[PERSON]", None, "a category stands for many"),
    ("[...]", None, "an omission stands for many"),
    ("O.[...]", None, "an initial stands for several organisations"),
]


@pytest.mark.parametrize(("text", "identity", "reason"), IDENTITIES, ids=[r for *_, r in IDENTITIES])
def test_what_a_label_identifies(text: str, identity: str | None, reason: str) -> None:
    label = recognize(text)
    assert label is not None
    assert label.entity_id == identity, reason
