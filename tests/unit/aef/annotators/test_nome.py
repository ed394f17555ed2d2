"""NOME's rule and lists, case by case, and its term list."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.annotators.nome import OMISSION, Nome, initials
from aef.corpus_tools.document import Document
from aef.errors import InputError

NOME = Nome()


def found(text: str, nome: Nome = NOME) -> list[str]:
    document = Document.from_text(text)
    return [document.cut(mention) for mention in nome.find(document)]


RULE = [
    ("he met William Millar there", ["William Millar"], "two capitalized words"),
    ("he met Ann Marie Louise Green", ["Ann Marie Louise Green"], "more than two are one name"),
    ("then William left", [], "a single name is missed"),
    ("he met WILLIAM MILLAR there", [], "names in capitals are missed"),
    ("he met William MILLAR there", [], "one of two in capitals is missed as well"),
    ("He left William. Green stayed", [], "a period that ends a sentence separates"),
    ("he met William, Green and Bond", [], "a comma separates"),
    ("he met William (Green) there", [], "a bracket separates"),
    ("he met William “Green” there", [], "a quotation mark separates"),
    ("he met William – Green stayed", [], "a dash separates"),
    ("he met Anne-Marie there", ["Anne-Marie"], "a hyphen joins two capitalized words"),
    ("the O'Brien MacMinn farm", ["O'Brien MacMinn"], "capitals inside a word"),
    ("he met Susan J. MacDonald there", ["Susan J. MacDonald"], "the period of an initial ends no sentence"),
    ("at St. Andrew School there", ["St. Andrew School"], "nor does that of an abbreviation"),
    ("near William  Millar\nGreen here\n\nThen", ["William  Millar\nGreen"], "any white space joins"),
    ("he met William Millar\n\nGreen Bond left", ["William Millar", "Green Bond"], "paragraphs separate"),
    ("about William Millar's car", ["William Millar"], "the possessive stays out"),
    ("about William's Millar", [], "and separates"),
    ("he met Élodie Öztürk there", ["Élodie Öztürk"], "letters of any alphabet"),
    ("the Boeing 747 Cargo left", [], "a number is no capitalized word"),
    ("The Threshold Condition applies", [], "an excluded phrase, behind the first word of a sentence"),
    ("The Wendy Moss farm", ["Wendy Moss"], "a common word that opens a sentence is no part of the name"),
    ("However The Wendy Moss farm", ["Wendy Moss"], "nor are two of them"),
    ("Wendy Moss left", ["Wendy Moss"], "a name that opens a sentence is kept"),
    ("for Bright Meadow Farm only", ["Bright Meadow Farm"], "no context: an organisation is listed like a person"),
    ("with William A Moss", ["William A Moss"], "a letter inside a sequence counts as an initial"),
    ("when Wendy Moss I see", ["Wendy Moss"], "the pronoun at its end does not"),
    ("", [], "nothing in nothing"),
]


@pytest.mark.parametrize(("text", "expected", "reason"), RULE, ids=[case[2] for case in RULE])
def test_sequences(text: str, expected: list[str], reason: str) -> None:
    assert found(text) == expected, reason


TITLES = [
    ("he saw Mr. Millar there", ["Millar"], "a single name behind a title; the title stays out"),
    ("he saw Mr Millar there", ["Millar"], "the title without a period"),
    ("he saw Mr. MILLAR there", ["MILLAR"], "in capitals"),
    ("HE SAW MR. MILLAR THERE", ["MILLAR THERE"], "a title in capitals: what follows in capitals is taken"),
    ("he saw Ms. J.L.G. there", ["J.L.G."], "initials"),
    ("he saw Mr. William J. Millar there", ["William J. Millar"], "several words"),
    ("he saw Mr. Justice Green there", ["Green"], "a title behind a title"),
    ("before Chief Justice Green there", ["Green"], "a title that ends an excluded phrase"),
    (
        "he saw Mr. Edgar at B.C. Cancer Agency.",
        ["Edgar", "Cancer Agency"],
        "letters and periods are no capitalized word",
    ),
    ("he saw William Millar Jr. there", ["William Millar"], "a title behind the name stays out"),
    ("He saw William Millar Jr. There he left", ["William Millar"], "and begins no name"),
    ("he saw Mr. van Dyke there", [], "what follows must be capitalized"),
    ("he saw Mr., Green said", [], "and follow directly"),
    ("he asked Mr. And Mrs. Green", ["And", "Green"], "no context: whatever is capitalized behind a title"),
    ("Mr. Green came. Then Green left", ["Green", "Green"], "a term found once is listed everywhere"),
    ("Ms. Child came. Child support", ["Child"], "but not a common word, which means something else"),
    ("Dr.", [], "a title and nothing"),
]


@pytest.mark.parametrize(("text", "expected", "reason"), TITLES, ids=[case[2] for case in TITLES])
def test_titles(text: str, expected: list[str], reason: str) -> None:
    assert found(text) == expected, reason


def test_without_titles_only_sequences_are_found() -> None:
    nome = Nome(use_titles=False)
    assert found("he saw Mr. Green, Ms. Wendy Moss and Mr Bond", nome) == ["Wendy Moss"]


def test_a_users_title_may_have_a_period_that_the_tokenizer_takes_for_a_sentence_end() -> None:
    assert found("he saw Xyz. Rossi there", Nome(titles=["Xyz."])) == ["Rossi"]
    assert found("he saw Xyz Rossi there", Nome(titles=["Xyz."])) == ["Xyz Rossi"], "as written in the list"


EXCLUSION = [
    (["New Town"], "to New Town there", [], "a phrase"),
    (["New Town"], "to New Town Wendy Moss went", ["Wendy Moss"], "a phrase beside a name"),
    (["New Town"], "to New\nTown there", [], "whatever white space is inside"),
    (["Green"], "Ms. Green came", [], "it outranks titles"),
    (["Court"], "before Court Wendy Moss", ["Wendy Moss"], "a word goes from the ends of a sequence"),
    (["Ireland"], "he met William Ireland", ["William Ireland"], "but a name of two words is not broken for it"),
    (["Court", "Ireland"], "in Court Ireland it was", [], "a sequence of such words only"),
    (["Exhibit"], "see Exhibit C. There", [], "or of such words and letters"),
    ([], "to New Town there", ["New Town"], "an empty list excludes nothing"),
]


@pytest.mark.parametrize(("listed", "text", "expected", "reason"), EXCLUSION, ids=[case[3] for case in EXCLUSION])
def test_exclusion(listed: list[str], text: str, expected: list[str], reason: str) -> None:
    assert found(text, Nome(exclusion=listed)) == expected, reason


INCLUSION = [
    (["Tofino"], "he went to Tofino", ["Tofino"], "a single word, always listed"),
    (
        ["Deep Cove"],
        "at Wendy Deep Cove and Deep Cove",
        ["Wendy Deep Cove", "Deep Cove"],
        "or the longer name it is part of",
    ),
    (["Canada"], "in Canada", ["Canada"], "although it is excluded"),
    (["born"], "born on March 17, 2000.", ["March 17"], "day and month; the year stays"),
    (["born"], "born March 17th 2000", ["March 17th"], "an ordinal"),
    (["born"], "born on the 17th day of March, 2000", ["17th day of March"], "the formal way"),
    (["born"], "born on 17 Mar. 2000", ["17 Mar."], "abbreviated"),
    (["born"], "born in Toronto in March 2000", ["March"], "a month alone, some words later"),
    (["born"], "born in 2000", [], "a year alone stays"),
    (["born"], "born 17/03/2000 or 2000-03-17", ["17/03/2000", "2000-03-17"], "in figures"),
    (["born"], "born March 17, 2000, and May 3, 2002", ["March 17", "May 3"], "two children"),
    (["born"], "Ann was born. On March 17 he left", [], "not beyond the sentence"),
    (["born"], "born in the hospital that had been closed down on March 17", [], "nor far away"),
    (["born"], "born in 2000; the trial of 3 May 2002", [], "nor beyond a semicolon"),
    (["born"], "He may be born, may it be", [], "a month has a capital"),
    (["born"], "BORN MARCH 17, 2000", ["MARCH 17"], "in capitals"),
    (["born"], "on March 17 he left", [], "no cue, no date"),
    (["date of birth"], "Date of Birth: March 17, 2000", ["March 17"], "a cue of several words"),
    ([], "born on March 17, 2000", [], "as NOME came: no birth dates"),
]


@pytest.mark.parametrize(("listed", "text", "expected", "reason"), INCLUSION, ids=[case[3] for case in INCLUSION])
def test_inclusion(listed: list[str], text: str, expected: list[str], reason: str) -> None:
    assert found(text, Nome(inclusion=listed)) == expected, reason


def test_the_built_in_lists_catch_birth_dates_and_spare_courts() -> None:
    text = "The child was born on March 17, 2000. The Supreme Court of Canada applied the Child Support Guidelines."
    assert found(text) == ["March 17"]


def test_types_say_what_a_list_knows() -> None:
    document = Document.from_text("Mr. Green, born March 17, 2000, knew Wendy Moss. He called Green")
    assert [m.entity_type for m in NOME.find(document)] == ["PERSON", "DATETIME", None, "PERSON"]


def test_lists_come_from_a_users_folder(tmp_path: Path) -> None:
    (tmp_path / "nome_exclusion.add.txt").write_text("Wendy Moss\n", encoding="utf-8")
    assert found("in Hong Kong with Wendy Moss", Nome(folder=tmp_path)) == []


def test_the_longest_term_wins_where_terms_overlap() -> None:
    text = "Ms. Moss and Wendy Moss and Wendy Moss Farm met Moss"
    assert found(text) == ["Moss", "Wendy Moss", "Wendy Moss Farm", "Moss"]


def rows(text: str, **lists: Any) -> list[tuple[int, str, str, bool]]:
    terms = Nome(**lists).terms(Document.from_text(text))
    return [(t.occurrences, t.term, t.replacement, t.clash) for t in terms]


def test_the_term_list_counts_proposes_and_marks_clashes() -> None:
    text = """William Millar was born on March 17, 2000, in Deep Cove. Wendy Moss knew William  Millar. Ms. Green and
Mr. Gray left. Ann was born on March 17, 2001. Susan O'Brien-Moss paid."""
    assert rows(text) == [
        (1, "Deep Cove", "D.C.", False),
        (1, "Gray", "G.", True),
        (1, "Green", "G.", True),
        (2, "March 17", OMISSION, False),
        (1, "Susan O'Brien-Moss", "S.O.M.", False),
        (1, "Wendy Moss", "W.M.", True),
        (2, "William Millar", "W.M.", True),
    ]


def test_dates_do_not_clash_though_all_become_the_omission_mark() -> None:
    assert [row[3] for row in rows("born March 17, 2000, and May 3, 2002")] == [False, False]


def test_places_are_where_the_term_stands() -> None:
    document = Document.from_text("Mr. Green said that Green\nand Wendy\nMoss left")
    for term in NOME.terms(document):
        assert len(term.places) == term.occurrences
        assert {" ".join(document.text[start:end].split()) for start, end in term.places} == {term.term}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("William Millar", "W.M."),
        ("Susan J. MacDonald", "S.J.M."),
        ("Anne-Marie O'Brien", "A.M.O."),
        ("MILLAR", "M."),
        ("élodie", "É."),
        ("B.C.", "B.C."),
        ("37", OMISSION),
    ],
)
def test_initials(name: str, expected: str) -> None:
    assert initials(name) == expected


def test_tag_puts_its_mentions_in_place_of_others_and_keeps_the_document() -> None:
    document = Document.from_text("Mr. Green left", doc_id="a")
    tagged = NOME.tag(document)
    assert (tagged.text, tagged.doc_id, list(tagged.mentions)) == (document.text, "a", NOME.find(document))
    assert NOME.tag(tagged) == tagged


PIECES = [
    "Mr.",
    "Green",
    "Wendy",
    "MOSS",
    "the",
    "The",
    "born",
    "on",
    "March",
    "17",
    "J.",
    ".",
    ",",
    "-",
    "\n\n",
    "'s",
    "I",
]


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=40), st.booleans())
def test_mentions_are_whole_tokens_in_order_without_overlap(pieces: list[str], use_titles: bool) -> None:
    document = Document.from_text(" ".join(pieces))
    mentions = Nome(use_titles=use_titles).find(document)
    assert all(a.end <= b.start for a, b in pairwise(mentions))
    starts, ends = document.tokens.starts.tolist(), document.tokens.ends.tolist()
    assert all(m.start in starts and m.end in ends and m.start < m.end for m in mentions)


@given(st.text(max_size=80))
def test_any_text_is_listed_without_failing_and_counts_add_up(text: str) -> None:
    document = Document.from_text(text)
    assert sum(term.occurrences for term in NOME.terms(document)) == len(NOME.find(document))


@pytest.mark.slow
@given(st.lists(st.sampled_from(PIECES), max_size=30))
def test_titles_only_add_to_what_is_covered(pieces: list[str]) -> None:
    document = Document.from_text(" ".join(pieces))
    with_titles = document.mask(NOME.find(document))
    without = document.mask(Nome(use_titles=False).find(document))
    assert not (without & ~with_titles).any()


OTHER_LANGUAGES = [
    ("es", "vio al Sr. Ruiz y a la señora Peña allí", ["Ruiz", "Peña"], "Sr. is a title that begins a name"),
    ("es", "El Tribunal Supremo oyó a Inés Soler allí", ["Inés Soler"], "excluded phrases, opening words"),
    ("es", "el Tribunal de Primera Instancia y la Guardia Civil", [], "no courts, no police"),
    ("es", "nacido el 3 de mayo de 1980 en Cádiz", ["3 de mayo"], "months in lower case; the year stays"),
    ("es", "nacida en marzo de 1980", ["marzo"], "a month alone"),
    ("es", "el 3 de mayo de 1980 recurrió", [], "no cue, no date"),
    ("fr", "il vit M. Brun, Me Roche et Mlle Le Goff là", ["Brun", "Roche", "Le Goff"], "French titles"),
    ("fr", "M. Yves BRUN vint", ["Yves BRUN"], "one that opens a paragraph; capitals after a title"),
    ("fr", "L'Assemblée nationale entendit Anne Brun hier", ["Anne Brun"], "what an elision opens is no name"),
    ("fr", "la Cour de cassation et le Code civil, la Grande Chambre", [], "excluded phrases"),
    ("fr", "né le 1er mai 1980 à Lyon", ["1er mai"], "the first of a month"),
    ("fr", "née le 5 août 1980", ["5 août"], "accents"),
    ("fr", "le témoignage d'Anne Brun", ["Anne Brun"], "a name behind an elision"),
]


@pytest.mark.parametrize(
    ("language", "text", "expected", "reason"), OTHER_LANGUAGES, ids=[c[3] for c in OTHER_LANGUAGES]
)
def test_other_languages(language: str, text: str, expected: list[str], reason: str) -> None:
    assert found(text, Nome(language=language)) == expected, reason


def test_english_months_need_their_capital() -> None:
    assert found("born on 17 may 2000") == []


def test_a_language_without_lists_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"'xx'.*en, es, fr"):
        Nome(language="xx")
