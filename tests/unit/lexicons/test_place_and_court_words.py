"""The English lists of place names and of capitalized words of rulings that name no person."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aef import lexicons
from aef.corpus_tools.tokenization.tokenizer import tokenize

LISTS = ("place_names", "court_words", "ordinary_words", "foreign_words", "towns")

CASES = [
    ("place_names", "canada nigeria zealand lanka rica", True, "countries, those of two words by the word that tells"),
    ("place_names", "london paris delhi nairobi ottawa", True, "capitals"),
    ("place_names", "texas ontario saskatchewan kerala pradesh queensland", True, "states and provinces"),
    ("place_names", "québec quebec zürich zurich kraków krakow", True, "with accents and without, as both are written"),
    ("place_names", "kent yorkshire donegal cork bavaria tuscany", True, "counties and regions"),
    ("place_names", "europe atlantic baltic thames ganges", True, "parts of the world, seas, rivers"),
    ("place_names", "lincoln chester victoria georgia", True, "names of persons, too: a list is evidence, no verdict"),
    ("place_names", "reading nice sale split of male", False, "towns spelt like a common word open sentences"),
    ("place_names", "river city county street", False, "what kind of place it is stands in place_words"),
    ("place_names", "smith patel müller", False, "surnames that are no place"),
    ("place_names", "paulo lucia lawrence leone", False, "parts of a place's name that are rather a person's"),
    ("foreign_words", "okręgowej gjykata themelore giudicata fakültesi", True, "courts and public bodies"),
    ("foreign_words", "und przez avec", True, "articles, prepositions"),
    ("foreign_words", "maria kowalski müller the court", False, "neither names nor English"),
    ("court_words", "petitioner respondent claimant intervener prosecutrix ward", True, "parties"),
    ("court_words", "registrar counsel barrister bailiff recorder bench", True, "the court and those before it"),
    ("court_words", "docket coram citation endorsement disposition costs annex", True, "headers and headings"),
    ("court_words", "ewhc uksc bcsc onsc abqb iehc scr dlr rfl", True, "courts and reporters in citations"),
    ("court_words", "crpc ipc crl pw dw llp qc ja", True, "abbreviations"),
    ("court_words", "no. para. jj. cr.p.c. i.e.", True, "abbreviations whose period the tokenizer keeps"),
    ("court_words", "christmas diwali ramadan thanksgiving monday", True, "holidays and days"),
    ("court_words", "punjabi mandarin gaelic islam hindu", True, "languages and religions"),
    ("court_words", "constable garda commissioner mayor reverend", True, "offices"),
    ("court_words", "mum mommy daddy granny nana auntie grandpa", True, "kinship words used like names"),
    ("court_words", "yes no okay sorry please dear maybe can't can’t", True, "openers of testimony and messages"),
    ("court_words", "j. a.b. m.r. c.j.", False, "with periods, one or two letters are rather a person's initials"),
    ("court_words", "christian grant bill page master bishop rex", False, "usual given names and surnames"),
]


@pytest.mark.parametrize(("name", "words", "listed", "reason"), CASES, ids=[f"{c[0]}: {c[3]}" for c in CASES])
def test_what_is_listed(name: str, words: str, listed: bool, reason: str) -> None:
    entries = lexicons.load(name)
    assert [word for word in words.split() if (word in entries) is not listed] == [], reason


@pytest.mark.parametrize("name", LISTS)
def test_single_words_in_lower_case_and_in_order(name: str) -> None:
    lines = (Path(lexicons.__file__).parent / "en" / f"{name}.txt").read_text(encoding="utf-8").splitlines()[1:]
    assert lines == sorted(set(lines))
    assert [line for line in lines if line != line.lower() or re.search(r"\s|\w-\w", line)] == []


@pytest.mark.parametrize("name", LISTS)
def test_every_entry_is_a_token_so_that_a_look_up_can_find_it(name: str) -> None:
    words = sorted(lexicons.load(name))
    found = tokenize("\n\n".join(f"the {word} there" for word in words)).words
    assert found == [token for word in words for token in ("the", word, "there")]


@pytest.mark.parametrize("other", ["common_words", "function_words", "place_words", "court_words"])
def test_place_names_are_spelt_like_no_common_word(other: str) -> None:
    assert (lexicons.load("place_names") | lexicons.load("towns")) & lexicons.load(other) == set()
