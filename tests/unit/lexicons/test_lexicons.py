"""The built-in word lists keep their promises, and a user's folder replaces or extends them."""

from __future__ import annotations

import configparser
import re
import unicodedata
from pathlib import Path

import pytest

from aef import lexicons
from aef.errors import InputError

FILES = sorted(Path(lexicons.__file__).parent.glob("*/*.txt"))
LANGUAGES = ("en", "es", "fr")
LOWER_CASE = ("common_words", "month_names", "weekday_names", "related_words", "suffix_organization")
WORDS = (
    *("particles", "number_words", "nationalities", "function_words", "law_words", "money_words"),
    *("organization_words", "place_words", "unit_words", "demographic_words"),
)
"""Lists of single words in lower case, there in every language."""

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
LIKELY_NAMES_ELSEWHERE = {
    "es": """cruz río iglesias blanco rojo moreno delgado rubio bueno calle plaza puente torres reyes rey ángel luz
        paz sol mar campo rosa flores león guerra soto vega prieto leal santos herrero guerrero molina montes
        sierra valle nieves dolores mercedes pilar rosario esperanza domingo gracia bello casas romero castillo""",
    "fr": """petit grand roi noir brun roux moulin fontaine rivière marchand boucher berger martin mercier
        pont bois champ maire page marie pierre claire rose olive noël florence barre bon beau bonnet chevalier évêque
        parent cousin voisin jeune félix victoire clémence désiré honoré rené marguerite lambert tour""",
}


def entries(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines()[1:] if line]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_list_says_what_it_is_and_is_clean(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.startswith("# ") and len(text.splitlines()[0]) > 20, "the first line says what the list is"
    assert "to be filled" not in text
    found = entries(path)
    assert len(found) == len(set(found)), "no entry twice"
    assert all(entry == unicodedata.normalize("NFC", entry.strip()) for entry in found), "no stray blanks, composed"
    assert not any(entry.startswith("#") for entry in found), "one header line only"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", [*LOWER_CASE, *WORDS])
def test_lower_case_where_it_is_promised(name: str, language: str) -> None:
    assert [entry for entry in lexicons.load(name, language) if entry != entry.lower()] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", WORDS)
def test_word_lists_hold_single_words(name: str, language: str) -> None:
    assert [entry for entry in lexicons.load(name, language) if re.search(r"\s|\w-\w", entry)] == []


@pytest.mark.parametrize("language", ["es", "fr"])
def test_every_language_has_the_lists_that_features_and_baselines_use(language: str) -> None:
    english_only = {"generic_organization", "generic_place", "legal_form", "word_names"}
    english_only |= {
        "foreign_words",
        "informal_words",
        "peoples",
        "letters",
        "public_parties",
        "law_reports",
        "law_acronyms",
        "statutes",
        "time_words",
    }
    english_only |= {"case_abbreviations", "case_joiners", "case_signals"}
    english_only |= {"personal_pronouns", "neuter_pronouns", "plural_pronouns"}
    assert set(lexicons.load_all("en")) - english_only == set(lexicons.load_all(language)) - {"elisions"}
    assert len(lexicons.load("common_words", language)) >= 500
    assert len(lexicons.load("abbreviations", language)) >= 120


KNOWN = [
    ("en", "particles", "de van von bin der"),
    ("en", "number_words", "one twelve hundred first twentieth"),
    ("en", "nationalities", "british turkish turk turks"),
    ("en", "letters", "sho fir io dna nhs fbi"),
    ("en", "peoples", "métis inuk cree māori tamil"),
    ("en", "law_words", "article section act protocol paragraph"),
    ("en", "money_words", "euros eur pounds francs"),
    ("en", "organization_words", "court ministry bank university"),
    ("en", "place_words", "street road prison district"),
    ("en", "unit_words", "years months hours km"),
    ("en", "demographic_words", "lawyer teachers kurdish muslim"),
    ("es", "month_names", "enero agosto setiembre"),
    ("es", "weekday_names", "lunes miércoles sábado"),
    ("es", "particles", "de del la los y"),
    ("es", "number_words", "dieciséis veintiún primera décimos"),
    ("es", "nationalities", "turco turca turcos turcas inglesas iraníes belgas"),
    ("es", "function_words", "el del según hubiera nuestras aquél"),
    ("es", "law_words", "artículo leyes § párrafo"),
    ("es", "money_words", "euros pesetas eur"),
    ("es", "organization_words", "tribunal ministerio audiencia"),
    ("es", "place_words", "calle ciudad prisión"),
    ("es", "unit_words", "años meses hectáreas"),
    ("es", "demographic_words", "abogada profesores kurdos jueces"),
    ("fr", "month_names", "février août décembre"),
    ("fr", "weekday_names", "lundi mercredi dimanche"),
    ("fr", "particles", "de du d van"),
    ("fr", "number_words", "seize deuxième premières"),
    ("fr", "nationalities", "turc turque turques italienne grecques"),
    ("fr", "function_words", "le aux l qu eussent nôtre"),
    ("fr", "law_words", "article lois § alinéa"),
    ("fr", "money_words", "euros francs eur"),
    ("fr", "organization_words", "tribunal ministère cour"),
    ("fr", "place_words", "rue ville prison"),
    ("fr", "unit_words", "ans mois hectares"),
    ("fr", "demographic_words", "avocate professeurs kurdes institutrices"),
]


@pytest.mark.parametrize(("language", "name", "words"), KNOWN, ids=[f"{c[0]}-{c[1]}" for c in KNOWN])
def test_lists_hold_what_their_name_says(language: str, name: str, words: str) -> None:
    assert set(words.split()) <= lexicons.load(name, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_twelve_months_and_seven_days_are_written_out(language: str) -> None:
    months = {"en": "january december", "es": "enero diciembre", "fr": "janvier décembre"}[language].split()
    long_enough = [m for m in lexicons.load("month_names", language) if m.isalpha() and len(m) > 2]
    assert set(months) <= set(long_enough) and len(long_enough) >= 12
    assert sum(len(day) > 4 and day.isalpha() for day in lexicons.load("weekday_names", language)) >= 7


@pytest.mark.parametrize("language", LIKELY_NAMES_ELSEWHERE)
def test_common_words_are_not_likely_names_in_other_languages(language: str) -> None:
    assert lexicons.load("common_words", language) & set(LIKELY_NAMES_ELSEWHERE[language].split()) == set()


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


@pytest.mark.parametrize("language", LANGUAGES)
def test_abbreviations_end_with_their_period(language: str) -> None:
    entries = lexicons.load("abbreviations", language)
    assert [e for e in entries if not e.endswith(".") and not re.search(r"\.(?:º|ª|os)$|^c/$", e)] == []


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "man. sat. wed. ex. child. court."),
        ("es", "no. mar. sal. fin. don. sol. ex. abril. mayo. parte. tal."),
        ("fr", "nos. mer. ville. fin. bal. mai. mars. loi."),
    ],
)
def test_abbreviations_spelt_like_the_last_word_of_a_sentence_are_left_out(language: str, words: str) -> None:
    assert not set(words.split()) & {entry.lower() for entry in lexicons.load("abbreviations", language)}


def test_weekdays_and_months_are_complete() -> None:
    assert {"january", "may", "december"} <= lexicons.load("month_names")
    assert (
        sum(entry.isalpha() and len(entry) > 2 and entry.endswith("day") for entry in lexicons.load("weekday_names"))
        == 7
    )


def test_nome_never_drops_names_that_are_months_or_countries() -> None:
    assert lexicons.load("nome_exclusion") & {"April", "May", "June", "August", "Jordan", "Georgia", "Chad"} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nome_titles_hold_the_titles(language: str) -> None:
    assert lexicons.load("title", language) <= lexicons.load("nome_title", language)


def test_a_list_takes_in_another(tmp_path: Path) -> None:
    (tmp_path / "towns.txt").write_text("# own towns\n< es/place_names\nxyzzy\n", encoding="utf-8")
    assert lexicons.load("towns", folder=tmp_path) == lexicons.load("place_names", "es") | {"xyzzy"}


@pytest.mark.parametrize("line", ["< es/nonsense", "< klingon/towns", "< ../es/towns", "<"])
def test_a_line_that_names_no_list_is_told_with_its_place(line: str, tmp_path: Path) -> None:
    (tmp_path / "towns.txt").write_text(f"# own towns\nxyzzy\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"towns\.txt, line 3: '<.* names no list\. Write < LANGUAGE/LIST"):
        lexicons.load("towns", folder=tmp_path)


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
    with pytest.raises(InputError, match=r"language 'xx'.*en, es, fr"):
        lexicons.load("title", "xx")


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nowhere: is no folder"):
        lexicons.load("title", folder=tmp_path / "nowhere")


def test_a_folder_without_lists_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no word lists"):
        lexicons.load("title", folder=tmp_path)


def test_a_list_that_is_not_utf8_is_named_with_its_line_and_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "title.txt").write_bytes("# Titles\nMaître\n".encode("latin-1"))
    with pytest.raises(InputError, match=r"title\.txt, line 2: cannot be read as UTF-8 text\. Save the list as UTF-8"):
        lexicons.load("title", folder=tmp_path)


def test_languages() -> None:
    assert set(LANGUAGES) <= set(lexicons.languages()) and not any(n.startswith("_") for n in lexicons.languages())


def test_every_list_is_part_of_the_package() -> None:
    config = configparser.ConfigParser()
    config.read(Path(__file__).parents[3] / "setup.cfg", encoding="utf-8")
    patterns = config["options.package_data"]["aef.lexicons"].split(",")
    folder = Path(lexicons.__file__).parent
    assert set(folder.rglob("*.txt")) == {path for pattern in patterns for path in folder.glob(pattern.strip())}


@pytest.mark.parametrize(
    ("alike", "other", "reason"),
    [
        (("wife", "mother", "daughter"), "premises", "relatives"),
        (("testified", "argued", "admitted"), "granted", "what witnesses do, and what courts do"),
        (("solicitors", "lawyers"), "weeks", "people of an office"),
        (("years", "months", "days"), "premises", "times"),
    ],
)
def test_words_of_a_class_are_of_a_kind(alike: tuple[str, ...], other: str, reason: str) -> None:
    classes = lexicons.word_classes()
    assert len({classes.get(word) for word in alike}) == 1 and classes[other] != classes[alike[0]], reason


def test_classes_hold_words_in_small_letters_each_once_and_none_that_names_people() -> None:
    lines = (FILES[0].parents[1] / "en" / "classes" / "words.txt").read_text("utf-8").splitlines()[1:]
    words = [word for line in lines for word in line.split()]
    assert len(words) == len(set(words)) > 5000 and len(set(lexicons.word_classes().values())) == len(lines)
    assert all(word.islower() or not word.isascii() for word in words)
    assert lexicons.word_classes("es") == {}, "a language without classes has none"
