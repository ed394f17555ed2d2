"""What a model found is made whole names, and what is no name is left alone."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef import lexicons
from aef.boundaries.companies import as_people
from aef.boundaries.repair import repaired
from aef.corpus_tools.document import Document, Mention

LISTS = lexicons.load_all()

CASES = [
    ("on 25th <August> he left", 0.5, "on 25th August he left", "a month beside a number"),
    ("till <May> they stayed", 0.5, "till May they stayed", "a month behind a word of time"),
    ("she told <May> so", 0.9, "she told <May> so", "a month, where nothing says so"),
    (
        "the case of <MAY> and others",
        0.7,
        "the case of <MAY> and others",
        "a month behind such a word, but rather sure",
    ),
    ("25/07, 21:14  <May>: yes", 0.5, "25/07, 21:14  <May>: yes", "a number in another column"),
    ("Mr. <Case> said so in this case", 0.2, "Mr. <Case> said so in this case", "a common word behind a title"),
    ("for J. <Case> of counsel", 0.2, "for <J. Case> of counsel", "and behind an initial"),
    ("<MA>. <CONSOLACION CRUZ>, petitioner", 0.5, "<MA. CONSOLACION CRUZ>, petitioner", "an abbreviated given name"),
    ("A. <CHRISTOFOROU>, J.", 0.9, "<A. CHRISTOFOROU>, J.", "an initial, where nobody is asked"),
    ("Ms. <May> left.", 0.9, "Ms. <May> left.", "a surname that is a month"),
    ("because of <Mammy>, he said", 0.9, "because of Mammy, he said", "what a child calls its mother"),
    ("counsel, Ms <Gill KC> asked", 0.9, "counsel, Ms <Gill> KC asked", "a rank behind the name"),
    ("as <Cooke J.> said", 0.9, "as <Cooke> J. said", "a judge's letter"),
    ("before <HHJ Lacey> today", 0.9, "before HHJ <Lacey> today", "a judge's letters before"),
    ("his sister, Paris <Wiśniewska>, was", 0.9, "his sister, <Paris Wiśniewska>, was", "a given name that is a place"),
    ("that June <Chester> brought", 0.9, "that <June Chester> brought", "a given name that is a month"),
    (
        "<Mark Hale> left. She saw a ligature <mark> there.",
        0.6,
        "<Mark Hale> left. She saw a ligature mark there.",
        "a word of prose",
    ),
    ("<HEATHER AND ROBERT> left", 0.9, "<HEATHER> AND <ROBERT> left", "two people in one mention"),
    ("<Ann, Bo & Cy> left", 0.9, "<Ann>, <Bo> & <Cy> left", "and three"),
    ("<Ann Hale> left.\n<B. Hale>'s Claim", 0.9, "<Ann Hale> left.\nB. <Hale>'s Claim", "the letter of a heading"),
    ("<Ann Hale> left.\nB. <Hale>'s Claim", 0.9, "<Ann Hale> left.\nB. <Hale>'s Claim", "where it was not found"),
    ("<Bo Hale> left.\n<B. Hale>'s Claim", 0.9, "<Bo Hale> left.\n<B. Hale>'s Claim", "but an initial that is his"),
    ("<Ann Hale, Jr.> left", 0.9, "<Ann Hale, Jr.> left", "a suffix behind a comma"),
    ("ROE, <VS. ANN HALE>, RESPONDENT", 0.9, "ROE, VS. <ANN HALE>, RESPONDENT", "what stands between two parties"),
    ("<V. Rao> left", 0.9, "<V. Rao> left", "but an initial"),
    ("<ANN HALE>, <JR.>, left", 0.9, "<ANN HALE, JR.>, left", "a suffix found apart"),
    ("<Hale> saw <Hale's Van> stop", 0.9, "<Hale> saw <Hale>'s Van stop", "what somebody has"),
    (
        "at <Dunkin' Donuts> in",
        0.9,
        "at <Dunkin' Donuts> in",
        "nobody else is called what stands before the apostrophe",
    ),
    ("<Ann and> left", 0.9, "<Ann> and left", "a conjunction at the end"),
    ("<Ann and and Bo> left", 0.9, "<Ann> and and <Bo> left", "two conjunctions"),
    ("from <Al Hale>, Sr. <Lupe> is", 0.9, "from <Al Hale, Sr.> <Lupe> is", "a suffix ends the name before it"),
    ("by J. C. <Hathaway> in", 0.9, "by <J. C. Hathaway> in", "initials"),
    ("that Rutendo <Moyo> saw", 0.9, "that <Rutendo Moyo> saw", "a given name on no list"),
    ("the Teapot <Moyo> saw", 0.9, "the Teapot <Moyo> saw", "but no everyday word"),
    ("and exhibit PW11 <Moyo> saw", 0.9, "and exhibit PW11 <Moyo> saw", "and no number"),
    ("by <Marcus Case> III and", 0.9, "by <Marcus Case III> and", "what ends a name"),
    ("<ROGELIO CRUZ> JR. came", 0.9, "<ROGELIO CRUZ JR.> came", "a suffix in capitals"),
    ("so <M> said", 0.4, "so M said", "a letter that stands for mother"),
    ("on <June> 3 and 4", 0.9, "on June 3 and 4", "a month before its day"),
    ("and <June>, 3, came", 0.9, "and <June>, 3, came", "but no age"),
    ("so <Will> told us", 0.9, "so <Will> told us", "but not a name within"),
    ("See <NANNA V. NANNA> (2006)", 0.9, "See <NANNA> V. <NANNA> (2006)", "the two sides of a case"),
    ("In <Ram Singh Vrs>. Meena", 0.9, "In <Ram Singh> Vrs. Meena", "and one of them"),
    ("<JOHN V. SMITH> came", 0.9, "<JOHN V. SMITH> came", "but an initial is none"),
    ("<Kim Seo>-yeon came", 0.9, "<Kim Seo-yeon> came", "a name goes on behind a hyphen"),
    ("with May-<Britt> there", 0.9, "with <May-Britt> there", "and before one"),
    ("P.W.1 V.<Muthu> said", 0.9, "P.W.1 <V.Muthu> said", "an initial without a blank"),
    ("for Mr.<Ramasamy> now", 0.9, "for Mr.<Ramasamy> now", "but no title"),
    ("at <Jun-jun> there", 0.9, "at <Jun-jun> there", "but no rest of a name"),
    ("for <Ann Hale KC Bo Reed> KC", 0.9, "for <Ann Hale> KC <Bo Reed> KC", "two counsel, whom letters part"),
    ("that <MD ALAM KHAN> saw", 0.9, "that <MD ALAM KHAN> saw", "but in capitals they may be a name"),
    ("the Judge <Hathaway> in", 0.9, "the Judge <Hathaway> in", "a title does not belong to it"),
    ("saw <Petra Q.>\n<Bramble> there", 0.9, "saw <Petra Q.\nBramble> there", "a line's end behind an initial"),
    ("saw <Md>.\n<Quilli> there", 0.9, "saw <Md.\nQuilli> there", "and behind a given name cut short"),
    ("saw <Al Roe, Jr.>\n<Bo Lee> left", 0.9, "saw <Al Roe, Jr.>\n<Bo Lee> left", "but no suffix"),
    ("saw <Petra Q.>\n\n<Bramble> there", 0.9, "saw <Petra Q.>\n\n<Bramble> there", "nor over an empty line"),
    ("child <ANNA JO> QUENNIX lives", 0.9, "child <ANNA JO QUENNIX> lives", "capitals that no list holds"),
    ("and <ANNA ROE> DNI 32 lives", 0.9, "and <ANNA ROE> DNI 32 lives", "nor what comes before a number"),
    ("and <ANNA ROE> APPELLANT lives", 0.9, "and <ANNA ROE> APPELLANT lives", "but no word of courts"),
    ("and <ANNA ROE> QUENNIX AND lives", 0.9, "and <ANNA ROE> QUENNIX AND lives", "nor in a line of capitals"),
    ("and <ANNA ROE> LTD lives", 0.9, "and <ANNA ROE LTD> lives", "and a company's is a company's"),
    ("on <Hale Crescent> he", 0.9, "on Hale Crescent he", "a street"),
    ("on <Hale> Street he", 0.9, "on Hale Street he", "and the beginning of one"),
    ("for Mr <Al Harbour> he", 0.9, "for Mr <Al Harbour> he", "but behind a title somebody"),
    ("<Bo Quill> Village Bramble", 0.9, "<Bo Quill> Village Bramble", "and somebody of a village"),
    ("when Smith, June <Chester>", 0.9, "when Smith, <June Chester>", "a comma parts names"),
]


def parsed(marked: str, probability: float = 0.9) -> Document:
    pieces = marked.replace(">", "<").split("<")
    text, mentions = "", []
    for number, piece in enumerate(pieces):
        if number % 2:
            mentions.append(Mention(len(text), len(text) + len(piece), "PERSON", "DIRECT", None, probability))
        text += piece
    return Document.from_text(text, "made", mentions)


def shown(document: Document) -> str:
    text = document.text
    for mention in sorted(document.mentions, reverse=True, key=lambda m: m.start):
        text = f"{text[: mention.start]}<{text[mention.start : mention.end]}>{text[mention.end :]}"
    return text


@pytest.mark.parametrize(("marked", "probability", "wanted", "reason"), CASES, ids=[c[-1] for c in CASES])
def test_names_are_repaired(marked: str, probability: float, wanted: str, reason: str) -> None:
    assert shown(repaired(parsed(marked, probability), LISTS, "PERSON")) == wanted, reason


def test_what_is_no_person_stays_as_it_is() -> None:
    document = Document.from_text("in Nova Scotia on Sundays", "made", [Mention(3, 14, "LOC"), Mention(18, 25, "MISC")])
    assert repaired(document, LISTS, "PERSON").mentions == document.mentions


COMPANIES = [
    ("At <Hale> Electric, Inc. he", "Hale Electric, Inc.", "a legal form behind a comma"),
    ("by <Cox> & <Wright>, P.L.C. or", "Cox & Wright, P.L.C.", "what lies in it is of it"),
    ("at <Hale Realty> he", "Hale Realty", "found with its last word"),
    ("VS. <D. G. ROE> COMMERCIAL CORPORATION, he", "D. G. ROE COMMERCIAL CORPORATION", "in capitals"),
    ("the <Roe>    Trust", "Roe    Trust", "an adjusted line"),
    ("<ROE> AND CENTRAL BANK", None, "what stands between two names"),
    ("<Ann Roe>, Trust me", None, "a comma before what is no legal form"),
    ("<Ann Roe>, Co-Personal Representative", None, "half of a word"),
    ("<Roe>\nBank", None, "another line"),
    ("the <Roe> Letter of the Bank", None, "what is no company's"),
]


@pytest.mark.parametrize(("marked", "company", "reason"), COMPANIES, ids=[c[-1] for c in COMPANIES])
def test_a_name_that_goes_on_as_a_companys_is_the_company(marked: str, company: str | None, reason: str) -> None:
    found = repaired(parsed(marked), LISTS, "PERSON")
    assert [found.cut(m) for m in found.mentions if m.entity_type == "ORG"] == ([company] if company else []), reason
    first = parsed(marked).mentions[0]
    again = as_people(found).mentions[0]
    assert (again.start, again.end, again.entity_type) == (first.start, first.end, "PERSON")


WORDS = ["June", "Paris", "A.", "Mr.", "Green", "KC", "J.", "London", "called", "she", "May", "\n", "17", ",", "You'd"]
WORDS += ["&", "Co."]


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=25), st.data())
def test_mentions_stay_apart_and_inside_the_text(words: list[str], data: st.DataObject) -> None:
    document = Document.from_text(" ".join(words), "made")
    tokens = document.tokens
    chosen = sorted(data.draw(st.sets(st.integers(0, len(tokens) - 1)))) if len(tokens) else []
    found = [Mention(int(tokens.starts[t]), int(tokens.ends[t]), "PERSON", "DIRECT", None, 0.6) for t in chosen]
    mentions = sorted(repaired(document.with_mentions(found), LISTS, "PERSON").mentions, key=lambda m: m.start)
    assert all(0 <= m.start < m.end <= len(document.text) for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))
