"""From the mentions' roles to the person's: the paper's rules by its numbers, and those of a whole ruling."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.roles.classifier import OFFICIAL, PLAIN, PRIVATE, ROLES, THINGS, Rules, reconcile, roles
from aef.roles.metadata import known

RECONCILED = [
    ("judge", {}, "judge", "one type only: it stays"),
    ("person person", {}, "witness", "what remains is a witness"),
    ("judge judge judge party", {}, "party", "any party decides"),
    ("organisation organisation organisation party", {}, "party", "also of what is mostly no person"),
    ("person " * 7 + "organisation " * 3, {}, "witness", "30% of other types is not more than 30%"),
    ("person " * 69 + "organisation " * 31, {}, "organisation", "31% is"),
    ("person person location miscellaneous location", {}, "location", "of several other types the most frequent"),
    ("judge expert judge person", {}, "judge", "the most frequent official role"),
    ("expert judge", {}, "expert", "the first of two equally frequent"),
    ("counsel person person person", {}, "counsel", "told once is enough"),
    ("counsel person person person", {"outvoted": OFFICIAL}, "witness", "but not as the paper has it word by word"),
    ("counsel counsel person", {"outvoted": OFFICIAL}, "counsel", "where most mentions say so"),
    ("cited person person", {"outvoted": ("cited",)}, "witness", "a witness called as somebody in a case"),
    ("cited cited person", {"outvoted": ("cited",)}, "cited", "a case called by its name for short"),
    ("person person location", {"non_person": 0.5}, "witness", "another threshold"),
    ("judge child", {"deciding": ("party", "child")}, "child", "another role that decides"),
    ("child party", {"deciding": ("party", "child")}, "party", "the first of those that decide"),
    ("judge party", {"deciding": ()}, "judge", "none that decides"),
    ("person", {"otherwise": "relative"}, "relative", "another remainder"),
    ("", {}, "witness", "nothing at all"),
]


@pytest.mark.parametrize(("mentions", "rules", "role", "reason"), RECONCILED, ids=[case[3] for case in RECONCILED])
def test_reconciliation_by_the_papers_numbers(mentions: str, rules: dict[str, object], role: str, reason: str) -> None:
    assert reconcile(mentions.split(), Rules(**rules)) == role, reason  # type: ignore[arg-type]  # a row's own types


ANY = st.lists(st.sampled_from([*ROLES, *THINGS, PLAIN]), min_size=1)


@given(ANY)
def test_a_role_comes_from_a_mention_or_is_the_remainder(mentions: list[str]) -> None:
    assert reconcile(mentions) in {*mentions, "witness"} - {PLAIN}


@given(ANY)
def test_a_party_is_a_party_whatever_else_it_is(mentions: list[str]) -> None:
    assert reconcile([*mentions, "party"]) == "party"


@given(st.lists(st.sampled_from([PLAIN, *THINGS]), min_size=1))
def test_the_threshold_is_a_share_of_all_mentions(mentions: list[str]) -> None:
    share = sum(m in THINGS for m in mentions) / len(mentions)
    assert (reconcile(mentions) in THINGS) == (share > 0.3)


def test_roles_and_types_are_told_apart() -> None:
    assert not set(OFFICIAL) & set(PRIVATE) and not set(ROLES) & set(THINGS) and PLAIN not in ROLES


# --- a ruling -------------------------------------------------------------------------------------------------------

RULING = """Her mother, {Ann Roe|a}, works at {Orchard Dental|o} and came on that day to speak for the child as well.

Dr. {Lee Hart|h}, a family friend, was told nothing of it, and she was not asked to write about it in any report.

I heard Mr. {Gill|g} on the law, who said what had to be said about it, and I need not say more than he had to.

The judge below, Judge {Rose|j}, wrote to {Gill|g} KC, and there was no answer to that letter from anybody at all.
"""


def ruling(marked: str = RULING, kinds: str = "o:ORG") -> Document:
    kind = dict(pair.split(":") for pair in kinds.split())
    mentions, plain = [], ""
    for i, piece in enumerate(marked.replace("}", "{").split("{")):
        name, _, key = piece.partition("|")
        if i % 2:
            mentions.append(Mention(len(plain), len(plain) + len(name), kind.get(key, "PERSON"), entity_id=key))
        plain += name if i % 2 else piece
    return Document.from_text(plain, mentions=mentions)


def test_every_entity_has_a_role_and_what_tells_it() -> None:
    found = roles(ruling())
    assert {key: role.role for key, role in found.items()} == {
        "a": "relative",
        "o": "organisation",
        "h": "witness",  # a friend, whatever the title suggests
        "g": "counsel",  # told of the second mention
        "j": "judge",
    }
    assert [e.cue for e in found["g"].evidence] == ["KC"] and found["g"].mentions == 2
    text = ruling().text
    assert all(text.startswith(e.cue, e.start) for role in found.values() for e in role.evidence)


def test_what_the_metadata_say_is_taken_for_given() -> None:
    found = roles(ruling(), known({"parties": ["Ann Roh"], "experts": ["L. Hart"], "relatives": ["Justice Rose"]}))
    assert {
        key: role.role for key, role in found.items() if role.evidence and role.evidence[0].source == "metadata"
    } == {
        "a": "party",
        "h": "expert",
        "j": "relative",
    }


def test_a_ruling_in_a_language_without_words_is_read_with_the_english_ones() -> None:
    assert roles(ruling().in_language("xx"))["j"].role == "judge"


def test_what_a_party_is_called() -> None:
    text = "The appellant, {Ann Roe|a}, and the respondent, {Tom Roe|t}, agreed, and the appellant, Ms. {Roe|a}, left."
    found = roles(ruling(text))
    assert (found["a"].capacity, found["t"].capacity) == ("appellant", "respondent")
