"""The built-in word lists keep their promises, and a user's folder replaces or extends them."""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest

from aef import lexicons
from aef.errors import InputError

FILES = sorted(Path(lexicons.__file__).parent.glob("*/*.txt"))
LOWER_CASE = ("common_words", "month_names", "weekday_names", "related_words", "suffix_organization")

TABLE_3_5 = {
    "related_words": """father mother brother sister boy son grandmother grandfather spouse wife husband daughter aunt
        uncle cousin friend boyfriend girlfriend stepmother stepfather parent parties party tutor applicant respondent
        plaintiff defendant""",
    "title": """Mr. Mr Ms. Ms Monsieur Messieurs MM. MM Madame Mesdames Mme Mmes Mrs. Mrs Mademoiselle Mesdemoiselles
        Mlle Mlles Dr. Dr Me Miss Rev. Jr. Sr. Dame Lord""",
    "suffix_organization": "university school hospital enterprise ltd ltd. inc inc. company academy institute",
}
"""The lists of the AEF thesis."""

LIKELY_NAMES = """green bond hope may will grace mark bill rose brown young king church grant law day page ward wood
    stone hill field park lane street baker cook smith mason carter dean frank rich pat sue rob art drew dale joy faith
    dawn april june august summer winter west north long short little best sharp strong wise white black gray fox wolf
    hunt love price bishop pope knight noble major sole master house home rice berry marsh glen cliff forest"""


def entries(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines()[1:] if line]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_list_says_what_it_is_and_is_clean(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ") and len(text.splitlines()[0]) > 20, "the first line says what the list is"
    assert "to be filled" not in text
    found = entries(path)
    assert len(found) == len(set(found)), "no entry twice"
    assert all(entry == unicodedata.normalize("NFC", entry.strip()) for entry in found), "no stray blanks, composed"
    assert not any(entry.startswith("#") for entry in found), "one header line only"


@pytest.mark.parametrize("name", LOWER_CASE)
def test_lower_case_where_it_is_promised(name: str) -> None:
    assert [entry for entry in lexicons.load(name) if entry != entry.lower()] == []


@pytest.mark.parametrize("name", TABLE_3_5)
def test_the_thesis_lists_are_its_own(name: str) -> None:
    assert lexicons.load(name) == set(TABLE_3_5[name].split())


@pytest.mark.parametrize(
    ("name", "at_least"),
    [("common_words", 300), ("abbreviations", 120), ("nome_exclusion", 100), ("nome_title", 25), ("nome_inclusion", 1)],
)
def test_lists_are_as_long_as_promised(name: str, at_least: int) -> None:
    assert len(lexicons.load(name)) >= at_least


def test_common_words_are_not_likely_names() -> None:
    assert lexicons.load("common_words") & set(LIKELY_NAMES.split()) == set()


def test_common_words_are_function_words_and_words_of_rulings() -> None:
    expected = "the of and he she counsel court judge said alleged paragraph trial order child custody evidence however"
    assert set(expected.split()) <= lexicons.load("common_words")


def test_abbreviations_end_with_their_period() -> None:
    assert [entry for entry in lexicons.load("abbreviations") if not entry.endswith(".")] == []


@pytest.mark.parametrize("word", ["man.", "sat.", "wed.", "ex.", "child.", "court."])
def test_abbreviations_spelt_like_the_last_word_of_a_sentence_are_left_out(word: str) -> None:
    assert word not in {entry.lower() for entry in lexicons.load("abbreviations")}


def test_weekdays_and_months_are_complete() -> None:
    assert {"january", "may", "december"} <= lexicons.load("month_names")
    assert (
        sum(entry.isalpha() and len(entry) > 2 and entry.endswith("day") for entry in lexicons.load("weekday_names"))
        == 7
    )


def test_nome_never_drops_names_that_are_months_or_countries() -> None:
    assert lexicons.load("nome_exclusion") & {"April", "May", "June", "August", "Jordan", "Georgia", "Chad"} == set()


def test_nome_titles_hold_the_thesis_titles() -> None:
    assert lexicons.load("title") <= lexicons.load("nome_title")


def test_a_users_list_replaces_the_built_in_one_and_leaves_the_others(tmp_path: Path) -> None:
    (tmp_path / "title.txt").write_text("# mine\nSig.\n\n  Dott. \n", encoding="utf-8")
    assert lexicons.load("title", folder=tmp_path) == {"Sig.", "Dott."}
    assert lexicons.load("month_names", folder=tmp_path) == lexicons.load("month_names")
    assert "Mr." in lexicons.load("title"), "the built-in list is untouched"


def test_a_users_list_extends_the_built_in_one(tmp_path: Path) -> None:
    (tmp_path / "title.add.txt").write_text("Sig.\n", encoding="utf-8")
    assert lexicons.load("title", folder=tmp_path) == lexicons.load("title") | {"Sig."}


def test_an_extension_is_added_to_the_users_own_replacement(tmp_path: Path) -> None:
    (tmp_path / "title.txt").write_text("Sig.\n", encoding="utf-8")
    (tmp_path / "title.add.txt").write_text("Dott.\n", encoding="utf-8")
    assert lexicons.load("title", folder=tmp_path) == {"Sig.", "Dott."}


def test_a_new_name_is_a_new_list(tmp_path: Path) -> None:
    (tmp_path / "towns.txt").write_text("\ufeffDeep Cove\n", encoding="utf-8")
    assert lexicons.load("towns", folder=tmp_path) == {"Deep Cove"}, "a byte order mark is no part of an entry"


def test_a_missing_list_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no word list 'titel'.*common_words.*title"):
        lexicons.load("titel")


def test_a_missing_language_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"language 'xx'.*en"):
        lexicons.load("title", "xx")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: is no folder"):
        lexicons.load("title", folder=tmp_path / "nowhere")


def test_a_folder_without_lists_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no word lists"):
        lexicons.load("title", folder=tmp_path)


def test_a_list_that_is_not_utf8_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "title.txt").write_bytes("Maître\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"title\.txt: cannot be read as UTF-8 text\. Save the list as UTF-8"):
        lexicons.load("title", folder=tmp_path)


def test_languages() -> None:
    assert "en" in lexicons.languages() and not any(name.startswith("_") for name in lexicons.languages())
