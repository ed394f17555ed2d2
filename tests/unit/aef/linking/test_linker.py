"""Linking: which mentions are one person, by cases with the reason of each."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import link
from aef.names.person_name import Name, parse


def persons(template: str) -> str:
    """The people of a text with mentions in braces, each as its mentions: "Ann Roe, Roe | Bo Lee"."""
    text, mentions, position = "", [], 0
    for match in re.finditer(r"\{(.*?)\}", template):
        text += template[position : match.start()] + match[1]
        mentions.append(Mention(len(text) - len(match[1]), len(text), "PERSON"))
        position = match.end()
    document = link(Document.from_text(text + template[position:], "x", mentions))
    groups: dict[str | None, list[str]] = defaultdict(list)
    for mention in document.mentions:
        groups[mention.entity_id].append(document.cut(mention))
    return " | ".join(", ".join(group) for group in groups.values())


CASES = [
    ("surname after a title", "{Joanne Lynn Green} left. Ms. {Green} left.", "Joanne Lynn Green, Green"),
    ("surname alone", "{Joanne Green} left. {Green} left.", "Joanne Green, Green"),
    ("given name alone", "{Joanne Green} left. {Joanne} left.", "Joanne Green, Joanne"),
    ("a second given name alone", "{Joanne Lynn Green} left. {Lynn} left.", "Joanne Lynn Green, Lynn"),
    ("capitals", "{JOANNE GREEN} v. {Green}", "JOANNE GREEN, Green"),
    ("a possessive", "{David Millar} and {Millar's} car", "David Millar, Millar's"),
    ("a title inside the mention", "{Ms. Green} and {Joanne Green}", "Ms. Green, Joanne Green"),
    ("the short name comes first", "{Green} sued. {Joanne Green} won.", "Green, Joanne Green"),
    ("initials", "{Joanne Green} is {J. Green} is {J.L. Green}", "Joanne Green, J. Green, J.L. Green"),
    ("initials alone", "{Joanne Lynn Green} is {J.L.G.}", "Joanne Lynn Green, J.L.G."),
    ("surname first", "{GREEN, Joanne} is {Joanne Green}", "GREEN, Joanne, Joanne Green"),
    ("accents", "{Zoë Côté} is Ms. {Cote}", "Zoë Côté, Cote"),
    ("half of a double surname", "{Ann Roe-Lee} is Ms. {Lee}", "Ann Roe-Lee, Lee"),
    ("a particle belongs to the surname", "{Jan van der Berg} is Mr. {van der Berg}", "Jan van der Berg, van der Berg"),
    ("another given name: another person", "{Joanne Green} and {Susan Green}", "Joanne Green | Susan Green"),
    ("another middle name: another person", "{Ann Bea Roe} and {Ann Cleo Roe}", "Ann Bea Roe | Ann Cleo Roe"),
    ("Jr. and Sr.", "{John Roe} Jr. and {John Roe} Sr.", "John Roe | John Roe"),
    ("Mr. and Ms. are two", "Mr. {Roe} and Ms. {Roe} and Mr. {Roe}", "Roe, Roe | Roe"),
    ("two of a surname, by title", "Mr. {Al Roe}, Ms. {Bea Roe}; Ms. {Roe}", "Al Roe | Bea Roe, Roe"),
    ("initials that fit one title", "Mr. {John Roe}, Ms. {Joan Roe}; Ms. {J. Roe}", "John Roe | Joan Roe, J. Roe"),
    ("kinship tells a title", "his wife, {Bea Roe}; the father, {Al Roe}; Ms. {Roe}", "Bea Roe, Roe | Al Roe"),
    (
        "a child called by given name is not Mr.",
        "{Will Roe}: {Will} is six. {Dan Roe}, Mr. {Roe}",
        "Will Roe, Will | Dan Roe, Roe",
    ),
    ("first given name before second", "{Dan Will Roe}, {Will Lee}, {Will}", "Dan Will Roe | Will Lee, Will"),
    ("a stroke parts two", "{Andrew Roe}, {Moss}; {Roe/Moss} paid", "Andrew Roe, Roe | Moss, Moss"),
    ("but none of descent", "{Siti a/p Ahmad} left. {Siti a/p Ahmad} came", "Siti a/p Ahmad, Siti a/p Ahmad"),
    ("a judge is not a party of the name", "Justice {Roe} heard {Ann Roe}, Ms. {Roe}", "Roe | Ann Roe, Roe"),
    ("a nickname that is told", "{Arjan Roe}, called {AJ}, left. {AJ} cried.", "Arjan Roe, AJ, AJ"),
    ("by everybody", "{Harman}, whom everybody calls {Happy}; {Happy}", "Harman, Happy, Happy"),
    ("a former name in full", "{April Roe} (formerly {April May}); {April May}", "April Roe, April May, April May"),
    ("a birth name, others' too", "{Ann Roe}, née {Lee}, and {Bo Lee}", "Ann Roe, Lee | Bo Lee"),
    ("a call is no nickname", "{Ann Roe} called {Bo}", "Ann Roe | Bo"),
    ("nor is a call to the stand", "The wife, {Ann Roe}, called {Lee} as a witness. {Lee} came.", "Ann Roe | Lee, Lee"),
    ("nothing in common", "{Ann} and {Bo}", "Ann | Bo"),
    ("one name, no person known", "{Ann} and {Ann}", "Ann, Ann"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), CASES, ids=[c[0] for c in CASES])
def test_persons(reason: str, text: str, expected: str) -> None:
    assert persons(text) == expected, reason


def test_ids_that_are_there_stay_and_take_further_mentions() -> None:
    text = "Joanne Green met Ann Roe. Ms. Green left Ms. Roe."
    mentions = [
        Mention(0, 12, "PERSON", entity_id="E7"),
        Mention(17, 24, "PERSON"),
        Mention(30, 35, "PERSON"),
        Mention(45, 48, "PERSON", entity_id="person-1"),
    ]
    linked = link(Document.from_text(text, "x", mentions))
    assert [m.entity_id for m in linked.mentions] == ["E7", "person-1", "E7", "person-1"]
    assert link(linked) == linked


def test_things() -> None:
    text = "Acme Trading Ltd., the Acme Trading Limited, Acme, Nelson, nelson, Acme"
    spans = [(0, 17, "ORG"), (19, 43, "ORG"), (45, 49, "ORG"), (51, 57, "LOC"), (59, 65, "LOC"), (67, 71, "LOC")]
    linked = link(Document.from_text(text, "x", [Mention(*span) for span in spans]))
    assert [m.entity_id for m in linked.mentions] == ["org-1", "org-1", "org-1", "loc-2", "loc-2", "loc-1"]


def test_a_name_without_letters_does_no_harm() -> None:
    linked = link(Document.from_text("## 12", "x", [Mention(0, 2, "PERSON"), Mention(3, 5, "PERSON")]))
    assert all(m.entity_id for m in linked.mentions)


def test_parse() -> None:
    text = "Mr. Justice Dan Will van Roe Jr."
    assert parse(text, 12, 28) == Name(("dan", "will", "roe"), 1, ("mr", "justice"), "jr")


NAMES = [
    "Ann Roe",
    "Ann Bea Roe",
    "A. Roe",
    "Roe",
    "Ann",
    "Bo Lee",
    "LEE",
    "Bo",
    "Dan Roe",
    "Ms. Roe",
    "Mr. Roe",
    "ROE, Ann",
]


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=10))
def test_equal_names_are_linked_and_different_people_are_not(names: list[str]) -> None:
    text, mentions = "", []
    for name in names:
        mentions.append(Mention(len(text), len(text) + len(name), "PERSON"))
        text += f"{name} left. "
    document = Document.from_text(text, "x", mentions)
    ids = [m.entity_id or "" for m in link(document).mentions]
    people = dict(zip(names, ids, strict=True))
    assert all(people[name] == entity for name, entity in zip(names, ids, strict=True)), "one name, one person"
    for one, other in [
        ("Ann Roe", "Dan Roe"),
        ("Ann Bea Roe", "Dan Roe"),
        ("Ann Roe", "Bo Lee"),
        ("Ms. Roe", "Mr. Roe"),
    ]:
        assert one not in people or other not in people or people[one] != people[other]
    assert [m.entity_id for m in link(link(document)).mentions] == ids


def test_persons_of_real_judgments(data: object) -> None:
    """B-cubed F1 of persons on the real corpus: how often a mention stands with the right others."""
    from aef.corpus_tools.gold.corpora import read_gold

    scores = []
    for document in read_gold(f"{data}/tab_en/dev.jsonl"):
        gold = document.with_mentions(m for m in document.mentions if m.entity_type == "PERSON")
        found = link(gold.with_mentions(replace(m, entity_id=None) for m in gold.mentions))
        for a, b in zip(gold.mentions, found.mentions, strict=True):
            right = {m.start for m in gold.mentions if m.entity_id == a.entity_id}
            guess = {m.start for m in found.mentions if m.entity_id == b.entity_id}
            scores.append(2 * len(right & guess) / (len(right) + len(guess)))
    assert sum(scores) / len(scores) > 0.98


@pytest.mark.parametrize("language", ["en", "es", "fr", "ro"])
def test_a_name_that_fits_several_people_asks_for_roles_in_every_language(language: str) -> None:
    text = "Ana Popa, Ion Popa. Popa a plecat."
    places = [(m.start(), m.end()) for m in re.finditer(r"(?:Ana |Ion )?Popa", text)]
    document = Document.from_text(text, mentions=[Mention(a, b, "PERSON") for a, b in places]).in_language(language)
    ana, ion, popa = (m.entity_id for m in link(document).mentions)
    assert len({ana, ion, popa}) == 3, "of two people one may be meant, with nothing to tell which"


@pytest.mark.parametrize(
    ("language", "text", "names", "same"),
    [
        ("de", "Sabine Roe und Thorsten Roe leben getrennt. Frau Roe zog aus.", ("Sabine Roe", "Thorsten Roe"), 0),
        ("de", "Sabine Roe und Thorsten Roe leben getrennt. Herr Roe zog aus.", ("Sabine Roe", "Thorsten Roe"), 1),
        ("pt", "Marta Roe e Carlos Roe vivem separados. A senhora Roe saiu.", ("Marta Roe", "Carlos Roe"), 0),
        ("pt", "Marta Roe e Carlos Roe vivem separados. O senhor Roe saiu.", ("Marta Roe", "Carlos Roe"), 1),
    ],
)
def test_titles_of_every_language_tell_women_from_men(
    language: str, text: str, names: tuple[str, str], same: int
) -> None:
    places = [(text.index(name), text.index(name) + len(name)) for name in names]
    places.append((text.rindex("Roe"), text.rindex("Roe") + 3))
    document = Document.from_text(text, mentions=[Mention(a, b, "PERSON") for a, b in places]).in_language(language)
    *people, last = (m.entity_id for m in link(document).mentions)
    assert last == people[same] and people[0] != people[1]
