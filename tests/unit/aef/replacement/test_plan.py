"""What stands in the place of what is hidden: sentences with mentions marked, and what they become.

``{Green|PERSON}`` is a mention and its type; without a type the shape of the mention decides.
"""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.edits import apply_edits
from aef.names.parts import guess_type, initials
from aef.replacement.plan import SCHEMES, plan


def marked(template: str) -> Document:
    """The document of a text with mentions in braces."""
    text, mentions, position = "", [], 0
    for match in re.finditer(r"\{([^{}|]*)(?:\|(\w+))?\}", template):
        text += template[position : match.start()] + match[1]
        mentions.append(Mention(len(text) - len(match[1]), len(text), match[2]))
        position = match.end()
    return Document.from_text(text + template[position:], "ruling", mentions)


def hidden(template: str, scheme: str = "initials", language: str = "en") -> str:
    document = marked(template).in_language(language)
    return apply_edits(document.text, [(e.start, e.end, e.replacement) for e in plan(document, scheme)])


INTRODUCED = "{Joanne Lynn Green|PERSON} sued {David William Millar|PERSON}. "
AS_INTRODUCED = "J.L.G. sued D.W.M. "
TABLE_1_6 = [
    (
        "a full name; a given name alone; one period at the sentence's end; day and month of a birth date",
        "a child, {William Millar|PERSON}. {William|PERSON} was born on {March 17|DATETIME}, 2000.",
        "a child, W.M. W.M. was born on [...] 2000.",
    ),
    (
        "a surname alone gets the full name's initials; counsel stays; the child's surname is another's, too",
        "{William Millar|PERSON}: {William|PERSON} is ten. Ms. {Green|PERSON} was represented by Ms. Bond, and "
        "Mr. {Millar|PERSON} represented himself.",
        "W.M.: W.M. is ten. Ms. J.L.G. was represented by Ms. Bond, and Mr. D.W.M. represented himself.",
    ),
    (
        "an address; the city was not marked",
        "Ms. {Green|PERSON} purchased a home at {#3 - 230 East Keith Road|LOC}, North Vancouver.",
        "Ms. J.L.G. purchased a home at [...], North Vancouver.",
    ),
    (
        "a business by its short name: the full one gives the legal form",
        'the business name "{MetroGnome PC|ORG}" of {MetroGnome PC Ltd.|ORG}, his',
        'the business name "M.[...] Ltd." of M.[...] Ltd., his',
    ),
    (
        "an organisation that looks like a place; possessives stay",
        "Ms. {MacDonald's|PERSON} mother holds shares in {Indian River|ORG}. {Susan R. MacDonald|PERSON} and "
        "{Indian River Ltd.|ORG} paid.",
        "Ms. S.R.M.'s mother holds shares in I.[...] Ltd. S.R.M. and I.[...] Ltd. paid.",
    ),
    (
        "a generic last word stays",
        "the Division of {RBC Dominion Securities|ORG}.",
        "the Division of R.[...] Securities.",
    ),
]


@pytest.mark.parametrize(("reason", "text", "expected"), TABLE_1_6, ids=[c[0] for c in TABLE_1_6])
def test_table_1_6_of_the_thesis(reason: str, text: str, expected: str) -> None:
    assert hidden(INTRODUCED + text) == AS_INTRODUCED + expected


PERSONS = [
    ("a title inside the mention stays", "{Mr Galip Yalman|PERSON} left", "Mr G.Y. left"),
    ("two titles stay", "{the Honourable Dr. Ann Roe|PERSON} left", "the Honourable Dr. A.R. left"),
    ("a title alone is nothing to hide", "{Ms.|PERSON} left", "Ms. left"),
    ("a surname that is a title is one", "Mr. {Lord|PERSON} left", "Mr. L. left"),
    ("Jr. goes with the name", "{John Roe Jr.|PERSON} left", "J.R. left"),
    ("Jr. behind a mention, too", "{John Roe|PERSON}, Jr., left", "J.R., left"),
    ("the title of the next name is not Sr.", "{Juan Roe|PERSON}, Sr. Lum", "J.R., Sr. Lum"),
    ("capitals", "{JOANNE GREEN|PERSON} and Ms. {Green|PERSON}", "J.G. and Ms. J.G."),
    ("surname first", "{GREEN, Joanne Lynn|PERSON} and {Joanne|PERSON}", "J.L.G. and J.L.G."),
    ("a typographic possessive stays", "{Ann Roe’s|PERSON} son", "A.R.’s son"),
    ("a word that is no name has no initial", "{Ann Roe's mother|PERSON}", "A.R."),
    ("particles of a name have no initial", "{Jan van der Berg|PERSON}", "J.B."),
    ("hyphens part initials", "{Anne-Marie Roy-Côté|PERSON}", "A.M.R.C."),
    ("an apostrophe does not", "{Pat O'Brien|PERSON} and Ms. {O’Brien|PERSON}", "P.O. and Ms. P.O."),
    ("a nickname is no initial", "{William “Bill” Roe|PERSON}", "W.R."),
    ("accents stay on initials", "{Émile Roe|PERSON}", "É.R."),
    ("what are initials already", "{J.L. Green|PERSON} and {J.L.G.|PERSON}.", "J.L.G. and J.L.G."),
    ("no capital: no name", "{the applicant|PERSON} left", "[...] left"),
    ("one person side by side", "{Joanne Green|PERSON}-{Green|PERSON} left", "J.G. left"),
    ("two persons side by side", "{Ann Roe|PERSON} {Bo Lee|PERSON} left", "A.R. B.L. left"),
    ("equal initials get numbers", "{Sue Ray|PERSON}, {Sam Roy|PERSON}, {Sue|PERSON}", "S.R.1, S.R.2, S.R.1"),
    ("a number ends with no doubled period", "{Sue Ray|PERSON} and {Sam Roy|PERSON}.", "S.R.1 and S.R.2."),
    (
        "initials that stand for something else",
        "{Bob Cole|PERSON} of Nelson, B.C., left",
        "B.C.1 of Nelson, B.C., left",
    ),
    ("an ellipsis is no period", "{Ann Roe|PERSON}...", "A.R..."),
    ("a period after a quotation mark", "called “{Ann Roe|PERSON}”. He", "called “A.R”. He"),
    ("the sentence's end inside the mention", "He saw {Ann Roe Jr.|PERSON}", "He saw A.R."),
]


@pytest.mark.parametrize(("reason", "text", "expected"), PERSONS, ids=[c[0] for c in PERSONS])
def test_persons(reason: str, text: str, expected: str) -> None:
    assert hidden(text) == expected, reason


OTHERS = [
    ("a title is no organisation", "{Ms|ORG} {Ann Roe|PERSON} left", "Ms A.R. left"),
    ("a profession is not a title", "a {professor|DEM} left", "a [...] left"),
    ("an article stays", "{The Royal Bank|ORG} paid", "The R.[...] Bank paid"),
    ("a generic word alone goes", "{Hospital|ORG} paid", "H.[...] paid"),
    ("no letter to begin with", "{3M Company|ORG} paid", "[...] Company paid"),
    (
        "the same organisation, periods apart",
        "{R.B.C. Dominion Securities|ORG}, {RBC|ORG}",
        "R.[...] Securities, R.[...] Securities",
    ),
    (
        "the legal form's period ends the sentence",
        "He owns {Acme Ltd.|ORG} He works.",
        "He owns A.[...] Ltd. He works.",
    ),
    ("marks side by side become one", "in {Nelson|LOC}, {B.C.|LOC} since", "in [...] since"),
    ("marks with words between stay two", "{Nelson|LOC} and {Trail|LOC}", "[...] and [...]"),
    ("marks of two paragraphs stay two", "in {Nelson|LOC}\n{Trail|LOC} is", "in [...]\n[...] is"),
    ("a mention over two paragraphs", "in {Nelson\nTrail|LOC} is", "in [...]\n[...] is"),
    ("the sentence's end is kept", "She lives in {Nelson, B.C.|LOC} He works.", "She lives in [...]. He works."),
    ("a date that is none of birth", "They met on {March 17, 2000|DATETIME}.", "They met on [...]."),
    (
        "a birth date in one mention",
        "She was born in Nelson on {17 March 2000|DATETIME}.",
        "She was born in Nelson on [...] 2000.",
    ),
    ("a birth date in digits", "Date of birth: {17/03/2000|DATETIME}", "Date of birth: [...] 2000"),
    ("another sentence's birth", "He was born. On {17 March 2000|DATETIME} he left.", "He was born. On [...] he left."),
    ("a year marked alone is hidden", "born in {2000|DATETIME}", "born in [...]"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), OTHERS, ids=[c[0] for c in OTHERS])
def test_the_rest(reason: str, text: str, expected: str) -> None:
    assert hidden(text) == expected, reason


def test_overlapping_mentions_become_one() -> None:
    mentions = [Mention(0, 12, "PERSON"), Mention(7, 12, "LOC"), Mention(7, 18, "PERSON")]
    document = Document.from_text("Joanne Green Millar left", "x", mentions)
    assert [(e.start, e.end, e.replacement) for e in plan(document)] == [(0, 18, "J.G.M.")]


GUESSES = [
    ("digits", "{404-555-0101}", "MISC"),
    ("a day of a month", "{March 17}", "DATETIME"),
    ("a month", "{March}", "DATETIME"),
    ("a title before", "Ms. {Hospital}", "PERSON"),
    ("a company", "{Indian River Ltd.}", "ORG"),
    ("a school", "{Kitsilano School}", "ORG"),
    ("a university by its first word", "{University of Trail}", "ORG"),
    ("a street", "{East Keith Road}", "LOC"),
    ("a name", "{Joanne Green}", "PERSON"),
    ("a name with a particle", "{Jan van Berg}", "PERSON"),
    ("a name in capitals", "{GREEN}", "PERSON"),
    ("words", "{plumber}", "MISC"),
    ("signs", "{--}", "MISC"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), GUESSES, ids=[c[0] for c in GUESSES])
def test_unknown_types_are_guessed(reason: str, text: str, expected: str) -> None:
    document = marked(text)
    mention = document.mentions[0]
    assert guess_type(document.text, mention.start, mention.end) == expected, reason


PLURALS = [
    ("a family beside one of it", "{John Hale|PERSON}. The {Hales|PERSON} left", "J.H. The H.s left"),
    ("the article inside the mention", "{John Hale|PERSON}. {The Hales|PERSON} left", "J.H. The H.s left"),
    ("a plural in -es", "{Ann Fox|PERSON}; the {Foxes|PERSON} left", "A.F.; the F.s left"),
    ("a plural's possessive", "{Ann Hale|PERSON} and the {Hales|PERSON}' house", "A.H. and the H.s' house"),
    ("a name in -s with an article is none", "{Jo Banks|PERSON}. the {Banks|PERSON} boy", "J.B. the J.B. boy"),
    ("no such surname in the ruling", "the {Rivers|PERSON} left", "the R. left"),
    ("an apostrophe alone is a possessive, too", "Mr. {James|PERSON}' house", "Mr. J.'s house"),
    ("a typographic one", "{Ann Roberts|PERSON}’ house", "A.R.’s house"),
    ("the end of a quotation is none", "He said ‘Mr. {James|PERSON}’ and left", "He said ‘Mr. J.’ and left"),
    ("nor is a straight one", "He said 'Mr. {James|PERSON}' and left", "He said 'Mr. J.' and left"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), PLURALS, ids=[c[0] for c in PLURALS])
def test_plurals_and_possessives(reason: str, text: str, expected: str) -> None:
    assert hidden(text) == expected, reason


CAPITALS = [
    ("a name in capitals", "{JOANNE GREEN|PERSON} and Ms. {Green|PERSON}", "PERSON1 and Ms. Person1"),
    ("a surname that is elsewhere in small letters", "{ROE|PERSON} is {Ann Roe|PERSON}", "PERSON1 is Person1"),
    ("a surname in capitals alone", "Ms. {GREEN|PERSON} left", "Ms. PERSON1 left"),
    ("a surname in capitals, given names not", "{PÉREZ, Ana|PERSON} left", "Person1 left"),
    ("initials are no name in capitals", "{W.M.|PERSON} left", "Person1 left"),
    ("an abbreviation is none", "{RBC|ORG} is {RBC Dominion|ORG}", "Company1 is Company1"),
    ("a company in capitals", "{ACME TRADING|ORG} is {Acme Trading|ORG}", "COMPANY1 is Company1"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), CAPITALS, ids=[c[0] for c in CAPITALS])
def test_capitals(reason: str, text: str, expected: str) -> None:
    assert hidden(text, "counters") == expected, reason


ROMANIAN = [
    ("a genitive and its nominative", "{Maria Pop|PERSON}, {Mariei Pop|PERSON}", "#PER1, #PER1_ei"),
    ("the given name alone", "{Maria Pop|PERSON}, {Mariei|PERSON}", "#PER1, #PER1_ei"),
    ("a genitive without its nominative", "fiica {Elenei|PERSON}", "fiica #PER1_ei"),
    ("a name in -ei that is no genitive", "{Andrei Rus|PERSON}", "#PER1"),
    ("a man's name before a woman's genitive", "{Ioan Pop|PERSON}, {Ioanei Pop|PERSON}", "#PER1, #PER2_ei"),
    ("lui stays, it is a word", "lui {Ion Pop|PERSON}", "lui #PER1"),
    ("a town with its article", "{Cluj|LOC}, {Clujului|LOC}", "#LOC1, #LOC1_ului"),
    ("the article alone tells", "județul {Clujului|LOC}", "județul #LOC1_ului"),
    ("a plural town", "municipiul {Iașilor|LOC} din {Iași|LOC}", "municipiul #LOC1_ilor din #LOC1"),
    ("capitals", "{MARIA POP|PERSON}, {MARIEI POP|PERSON}", "#PER1, #PER1_EI"),
]


@pytest.mark.parametrize(("reason", "text", "expected"), ROMANIAN, ids=[c[0] for c in ROMANIAN])
def test_romanian_endings(reason: str, text: str, expected: str) -> None:
    assert hidden(text, "counters", "ro") == expected, reason


def test_romanian_endings_on_hashes_and_nowhere_else() -> None:
    text = "{Maria Pop|PERSON}, {Mariei Pop|PERSON}"
    assert re.fullmatch(r"(#+), \1_ei", hidden(text, "hashes", "ro"))
    assert hidden(text, "initials", "ro") == "M.P., M.P."
    assert hidden(text, "hashes", "en") != hidden(text, "hashes", "ro"), "the language decides"


NAMES = st.sampled_from(
    ["Ann Roe", "Ms. Ann Roe's", "ROE", "Roe", "Ann", "Bo Lee", "B. Lee", "Acme Ltd.", "17 May 2000", "x", "."]
)
TYPES = st.sampled_from(["PERSON", "ORG", "LOC", "DATETIME", "CODE", None])
PARTS = st.lists(
    st.tuples(NAMES, TYPES | st.just("clear"), st.sampled_from([" ", ". ", ", ", "-", "\n", ""])), max_size=12
)


@given(PARTS, st.sampled_from(sorted(SCHEMES)))
def test_edits_are_apart_inside_paragraphs_and_hide(parts: list[tuple[str, str | None, str]], scheme: str) -> None:
    text, mentions = "", []
    for name, kind, joint in parts:
        if kind != "clear":
            mentions.append(Mention(len(text), len(text) + len(name), kind))
        text += name + joint
    document = Document.from_text(text, "x", mentions)
    edits = plan(document, scheme)
    position = 0
    for edit in edits:
        assert position <= edit.start < edit.end and edit.replacement
        assert any(b.start <= edit.start and edit.end <= b.end for b in document.blocks)
        position = edit.end
    covered = {i for e in edits for i in range(e.start, e.end)}
    for mention in mentions:
        if mention.entity_type != "PERSON" and document.cut(mention).isalpha():
            assert set(range(mention.start, mention.end)) <= covered
    labels: dict[str, set[str]] = {}
    for edit in edits:
        if edit.type == "PERSON":
            labels.setdefault(edit.entity_id, set()).add(edit.label)
            assert edit.replacement.upper().startswith(edit.label.rstrip(".").upper())
    assert all(len(given) == 1 for given in labels.values()), "a person has one label"


@given(st.text())
def test_initials_of_anything(name: str) -> None:
    assert re.fullmatch(r"(?:\S\.)*", initials(name))
