"""The lists of given names and surnames: of many origins, clean, and told apart from common words."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest

from aef import lexicons
from aef.corpus_tools.tokenization.tokenizer import tokenize
from aef.names.person_name import is_given, usual_rank
from aef.tagging.privacy import NAMES

GIVEN = ("given_female", "given_male")
LISTS = [
    *(("en", name) for name in (*GIVEN, "given_other", "surnames", "word_names")),
    *((language, name) for language in ("es", "fr") for name in (*GIVEN, "surnames")),
]

LISTED = [
    ("en", "surnames", "smith taylor wilson", "English"),
    (
        "en",
        "surnames",
        "macdonald mcleod o'brien o’brien obrien llewellyn",
        "Scottish, Irish and Welsh; both apostrophes",
    ),
    ("en", "surnames", "domhnaill murchú murchu", "Irish in Irish, without Ó and Ní"),
    ("en", "surnames", "garcía garcia nguyễn nguyen müller muller mueller", "with accents and without"),
    ("en", "surnames", "kowalski kowalska ivanov ivanova horák horáková jónsdóttir", "masculine and feminine forms"),
    ("en", "surnames", "berg masri rosa", "the last part of van der Berg, al-Masri, de la Rosa"),
    ("en", "surnames", "yılmaz saakashvili sargsyan cohen papadopoulos", "Turkish, Georgian, Armenian, Jewish, Greek"),
    ("en", "surnames", "hussein hussain ahmadi barzani warsame tesfaye", "Arabic, Persian, Kurdish, Somali, Ethiopian"),
    ("en", "surnames", "adeyemi okafor mensah kamau dlamini diallo", "West, East and South African"),
    ("en", "surnames", "singh patel banerjee subramaniam reddy menon perera shrestha", "South Asian"),
    ("en", "surnames", "zhang cheung kim tanaka pham delacruz wijaya vang", "East and Southeast Asian"),
    ("en", "surnames", "borg begay littlechild ngata tupou", "Maltese, Indigenous, Maori, Tongan"),
    ("en", "surnames", "green hope long may london", "words, months and places that people are called, too"),
    (
        "en",
        "given_female",
        "margaret siobhán giulia małgorzata svetlana fatima lakshmi nkechi",
        "women of many origins",
    ),
    ("en", "given_male", "william padraig giovanni krzysztof sergei mohammed rajesh kwame", "men of many origins"),
    ("en", "word_names", "grace will mark green brown hope walker april lincoln hunter may london", "words, too"),
    ("es", "surnames", "garcía rodríguez etxeberria puig quispe mohamed", "Spanish, Basque, Catalan, Quechua, Arabic"),
    ("es", "given_female", "maría maria concepción ainhoa", "with accents and without"),
    ("es", "given_male", "josé jose jordi iñaki", "with accents and without"),
    (
        "fr",
        "surnames",
        "lefèvre lefevre tremblay benali diallo nguyen",
        "French, from Quebec, Maghreb, Africa, Vietnam",
    ),
    ("fr", "given_female", "hélène helene aminata", "with accents and without"),
    ("fr", "given_male", "françois francois mohamed", "with accents and without"),
]

NO_NAMES = """the court evidence however appellant hearing january monday street section three husband marriage
    the and shall document affidavit children thousand said tuesday paragraph government"""
OFTEN_WORDS = "green long may hope stone king young white page bishop church field summers rich strong price berry"


def entries(language: str, name: str) -> list[str]:
    path = Path(lexicons.__file__).parent / language / f"{name}.txt"
    return path.read_text(encoding="utf-8").splitlines()[1:]


@pytest.mark.parametrize(("language", "name", "words", "reason"), LISTED, ids=[f"{c[1]}: {c[3]}" for c in LISTED])
def test_what_is_listed(language: str, name: str, words: str, reason: str) -> None:
    assert set(words.split()) <= lexicons.load(name, language), reason


@pytest.mark.parametrize(("language", "name"), LISTS)
def test_single_words_in_lower_case_and_in_order(language: str, name: str) -> None:
    lines = entries(language, name)
    assert lines == sorted(set(lines))
    assert [
        line for line in lines if line != line.lower() or not re.fullmatch(r"[^\W\d_]+(?:['’][^\W\d_]+)*", line)
    ] == []


@pytest.mark.parametrize(("language", "name"), LISTS)
def test_latin_letters_alone(language: str, name: str) -> None:
    letters = {letter for line in entries(language, name) for letter in line if letter.isalpha()}
    assert [letter for letter in sorted(letters) if not unicodedata.name(letter).startswith("LATIN SMALL LETTER")] == []


@pytest.mark.parametrize(("language", "name"), LISTS)
def test_every_entry_is_a_token_so_that_a_look_up_can_find_it(language: str, name: str) -> None:
    words = entries(language, name)
    tokens = tokenize("\n".join(f"the {word} there" for word in words), language=language).words
    assert list(tokens[1::3]) == words


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_what_has_an_accent_stands_there_without_it(language: str) -> None:
    lists = lexicons.load_all(language)
    listed = frozenset().union(*(lists[name] for code, name in LISTS if code == language))
    plain = {_plain(word) for word in listed if any(map(unicodedata.decomposition, word))}
    words = lists["common_words"] | lists["function_words"] | lists["particles"]
    assert plain - listed - words == set(), "unless it is an ordinary word then"


@pytest.mark.parametrize(("language", "name"), LISTS)
def test_an_apostrophe_is_written_in_both_ways(language: str, name: str) -> None:
    listed = lexicons.load(name, language)
    straight = {word for word in listed if "'" in word}
    assert {word.replace("'", "’") for word in straight} == {word for word in listed if "’" in word}


_LETTERS = {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "æ": "ae", "ß": "ss"}


def _plain(word: str) -> str:
    bare = (c for c in unicodedata.normalize("NFKD", word) if not unicodedata.combining(c))
    return "".join(_LETTERS.get(c, c) for c in bare)


def test_ordinary_words_are_no_names() -> None:
    names = frozenset().union(*(lexicons.load(name) for name in (*GIVEN, "given_other", "surnames")))
    assert (names - lexicons.load("word_names")) & set(NO_NAMES.split()) == set()


@pytest.mark.parametrize("words", ["common_words", "function_words", "law_words", "month_names", "weekday_names"])
def test_no_surname_is_an_ordinary_word_without_being_told_to_be_one(words: str) -> None:
    untold = lexicons.load("surnames") & lexicons.load(words) - lexicons.load("word_names")
    assert {word for word in untold if len(word) > 3} == set(), "three letters: Jan, Mar, Jun"


def test_names_that_are_often_words_are_both() -> None:
    assert set(OFTEN_WORDS.split()) <= lexicons.load("surnames") & lexicons.load("word_names")


def test_every_word_name_is_a_name() -> None:
    assert lexicons.load("word_names") <= frozenset().union(
        *(lexicons.load(name) for name in (*GIVEN, "given_other", "surnames"))
    )


def test_the_further_given_names_stand_in_no_other_list_of_given_names() -> None:
    assert not lexicons.load("given_other") & (lexicons.load("given_female") | lexicons.load("given_male"))


RANKS = [
    ("william mohammed sergei rajesh kwame giovanni", "m", "men"),
    ("margaret fatima svetlana lakshmi nkechi giulia", "f", "women"),
    ("jean andrea leslie kim gurpreet jordan robin", None, "names that women and men bear stand in both lists"),
    ("green patel singh okafor", None, "surnames"),
]


@pytest.mark.parametrize(("words", "rank", "reason"), RANKS, ids=[case[2] for case in RANKS])
def test_gender(words: str, rank: str | None, reason: str) -> None:
    assert {usual_rank(word) for word in words.split()} == {rank}, reason


@pytest.mark.parametrize(
    "words", ["mahmood mahmoud", "hussain hussein", "diane dianne", "sergei sergey", "ahmed ahmad"]
)
def test_of_two_spellings_of_a_name_one_at_most_is_a_given_name_to_linking(words: str) -> None:
    assert [is_given(word) for word in words.split()] != [True, True], "else linking takes them for two people"


def test_every_list_of_names_is_one_of_those_that_make_no_name_public() -> None:
    others = {"nicknames", "place_names", "towns", "ordinary_words", "foreign_words", "role_cues"}
    assert {name for _, name in LISTS} | others == NAMES
