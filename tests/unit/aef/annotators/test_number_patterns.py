"""Patterns: every example of every set, what files may hold, check digits, and what a user gets wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.annotators.checks import check
from aef.annotators.patterns import Pattern, Patterns, load, sets
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import read_gold
from aef.errors import InputError
from aef.evaluation.figures import evaluate

ALL = [pattern for name in sets() for pattern in load(name)]

SAROJ = {"AUTO", "CADASTRU", "CASE", "CNP", "CUI", "DATE", "DECISION", "DOCNUMBER", "ECLI", "EMAIL", "IBAN", "ID"}
SAROJ |= {"INITIALS", "LOC", "ORG", "PERSON", "PHONE"}

ONE = """
[[pattern]]
name = "ours"
class = "CASE"
find = 'our\\s+file\\s+(?P<hide>[A-Z]{2}-\\d{4})'
match = ["see our file <AB-1234>."]
miss = ["see our files"]
"""

CHECKS = [
    ("iban", "RO43 AAAA 1B31 0000 8131 0000", True, "blanks as printed"),
    ("iban", "RO44 AAAA 1B31 0000 8131 0000", False, "check digits"),
    ("card", "4494-2393-8534-9658", True, "hyphens as printed"),
    ("card", "1494239385349658", False, "no card begins with 1"),
    ("card", "0000000000", False, "too short"),
    ("ro.cnp", "2840916267542", True, "Romanian personal number"),
    ("ro.cnp", "2840916267543", False, "its last digit wrong"),
    ("uy.ci", "1.234.567-2", True, "Uruguayan identity card"),
    ("uy.ci", "765.432-3", True, "an older one, of seven digits"),
    ("uy.ci", "12-3", False, "too short"),
    ("ip", "192.0.2.17", True, "IPv4"),
    ("ip", "2001:db8::7a3", True, "IPv6"),
    ("ip", "300.0.2.17", False, "no octet is 300"),
    ("phone.RO", "0721 123 456", True, "a national number of the region"),
    ("phone.RO", "+44 20 7946 0018", True, "or one with its country code"),
    ("phone.GB,RO", "0721 123 456", True, "any of several regions"),
    ("phone.GB", "112", False, "too short"),
    ("phone", "0721 123 456", False, "without a region only international ones"),
]

BAD = [
    ("[[pattern]]\nname = 1", "name is 1. Write name as a string", "a number for a string"),
    ("[[pattern]", "is not valid TOML", "broken TOML"),
    ("", "holds no pattern", "an empty file"),
    (ONE.replace("find = ", "fnd = "), r"pattern 1 \('ours'\): 'find' is missing", "a key misspelt"),
    (ONE + "colour = 'red'\n", r"unknown 'colour'\. Known here: name, class", "an unknown key"),
    (ONE + ONE, "ours stands twice", "one name for two"),
    (ONE.replace("\\d{4})", "\\d{4}"), "is no regular expression: missing", "a bracket is missing"),
    (ONE.replace("our\\s", "%{nothing}\\s"), "%{nothing} is neither a piece nor a word list", "an unknown piece"),
    (
        "[pieces]\na = '%{b}'\nb = '%{a}'\n" + ONE.replace("our\\s", "%{a}\\s"),
        "is made of itself",
        "pieces in a circle",
    ),
    (ONE.replace('match = ["see our file <AB-1234>."]', "match = []"), "has no example", "no example"),
    (ONE + 'check = "nothing"\n', "no check is called 'nothing'", "an unknown check"),
    (ONE + 'check = "phone.XQ"\n', "no telephone region is called 'XQ'", "an unknown region"),
    (ONE + "probability = 2\n", "probability is 2. Write probability as a number from 0 to 1", "no probability"),
    (ONE + "ignore_case = 'yes'\n", "ignore_case is 'yes'. Write ignore_case as true or false", "no truth value"),
    ("language = 'xx'\n" + ONE, "no word lists for language 'xx'", "an unknown language"),
]


def found(patterns: Patterns, text: str) -> list[str]:
    document = patterns.tag(Document.from_text(text))
    return [document.cut(mention) for mention in document.mentions]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "ours.toml"


@pytest.mark.parametrize("pattern", ALL, ids=[pattern.name for pattern in ALL])
def test_examples_come_out_as_they_say(pattern: Pattern) -> None:
    assert list(pattern.failures()) == []


def test_names_are_unique_over_all_sets() -> None:
    assert len({pattern.name for pattern in ALL}) == len(ALL)


def test_each_class_of_saroj_is_there_for_romanian() -> None:
    assert {p.kind for name in ("common", "ro") for p in load(name)} >= SAROJ


@pytest.mark.parametrize("language", ["en", "fr", "es", "ro"])
def test_every_language_has_addresses_birth_dates_files_plates_and_identity_papers(language: str) -> None:
    wanted = {"LOC", "DATE", "CASE", "AUTO", "ID", "PHONE", "CADASTRU", "INITIALS"}
    assert {pattern.kind for pattern in load(language)} >= wanted


@pytest.mark.parametrize(("name", "text", "valid", "reason"), CHECKS, ids=[f"{c[0]}: {c[3]}" for c in CHECKS])
def test_checks(name: str, text: str, valid: bool, reason: str) -> None:
    assert check(name)(text) is valid, reason


@pytest.mark.parametrize(("content", "message", "reason"), BAD, ids=[c[2] for c in BAD])
def test_what_is_wrong_in_a_file_is_named_with_its_place(file: Path, content: str, message: str, reason: str) -> None:
    file.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=message) as error:
        load(file)
    assert reason and ("ours.toml" in str(error.value) or "language" in reason)


def test_a_users_file_beside_the_built_in_sets(file: Path) -> None:
    file.write_text(ONE, encoding="utf-8")
    text = "See our file AB-1234, or write to a.b@example.org."
    assert found(Patterns(["common", file]), text) == ["AB-1234", "a.b@example.org"]


def test_an_example_that_does_not_come_out_is_told(file: Path) -> None:
    file.write_text(ONE.replace("<AB-1234>.", "<AB-12345>.").replace("our files", "our file XY-0000"), encoding="utf-8")
    told = list(load(file)[0].failures())
    assert len(told) == 2 and "wanted nothing, found 'see our file <XY-0000>'" in told[1]


def test_an_unknown_set_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"no set of patterns is called 'de'.*en-quasi-identifiers, en, es, fr, ro"):
        load("de")


def test_a_class_that_no_pattern_finds_is_named() -> None:
    with pytest.raises(InputError, match=r"no pattern finds EMIAL\. Classes: .*EMAIL"):
        Patterns(["common"], classes=["EMIAL"])


def test_classes_are_chosen_and_left_out() -> None:
    text = "a.b@example.org, born on 3 May 1970, on 4 May 1990"
    assert found(Patterns(["common", "en"], classes=["EMAIL"]), text) == ["a.b@example.org"]
    assert found(Patterns(["common", "en"], without=["EMAIL", "OTHERDATE"]), text) == ["3 May 1970"]


def test_a_birth_date_is_told_from_other_dates() -> None:
    document = Patterns(["en"]).tag(Document.from_text("She was born on 3 May 1970 and heard on 4 May 1990."))
    assert [m.extra["class"] for m in document.mentions] == ["DATE", "OTHERDATE"]


def test_the_more_probable_pattern_has_a_stretch_that_two_find() -> None:
    document = Patterns(["ro"], fine=True).tag(Document.from_text("CNP 2840916267542"))
    assert [(m.entity_type, m.extra["pattern"]) for m in document.mentions] == [("CNP", "ro-cnp")]


def test_what_fails_its_check_stays_unless_its_context_tells() -> None:
    patterns = Patterns(["common"])
    assert found(patterns, "RO44 AAAA 1B31 0000 8131 0000") == []
    document = patterns.tag(Document.from_text("IBAN RO44 AAAA 1B31 0000 8131 0000"))
    assert [(m.probability, m.extra["pattern"]) for m in document.mentions] == [(0.8, "iban-said")]


def test_a_word_behind_a_number_is_no_part_of_it() -> None:
    assert found(Patterns(["common"]), "to DE92 3704 0044 0000 0020 90 BANK") == ["DE92 3704 0044 0000 0020 90"]


def test_an_expression_that_explodes_is_stopped(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aef.annotators.patterns.SECONDS", 0.05)
    endless = ONE.replace("our\\s+file\\s+(?P<hide>[A-Z]{2}-\\d{4})", "(?:x+x+)+y|z")
    file.write_text(endless.replace("see our file <AB-1234>.", "<z>"), encoding="utf-8")
    with pytest.raises(InputError, match="pattern 'ours' takes too long"):
        found(Patterns([file]), "x" * 5000)


def test_on_real_judgments_little_is_wrong_and_most_codes_are_found(data: Path) -> None:
    gold = read_gold(data / "tab_en" / "dev.jsonl")
    patterns = Patterns(["common", "en"], without=["OTHERDATE", "DECISION"])
    result = evaluate(gold, [patterns.tag(document) for document in gold], "all", bootstrap=0)
    codes = result.by_type["CODE"]
    assert result.micro["precision"] > 0.98 and codes.tokens_found > 0.85 * codes.tokens
