"""The features of the thesis, case by case (Tables 3.2 to 3.4)."""

from __future__ import annotations

import doctest

import pytest

from aef import features, lexicons
from aef.features import REGISTRY, Extractor, feature_names
from aef.features.extraction import Layout

ORTHOGRAPHIC = {
    "made": "AllLowerCase",
    "Robert": "FirstCap",
    "MacMinn": "FirstCap InternalCap",
    "LISA": "FirstCap InternalCap AllCaps",
    "Mr.": "FirstCap FirstCapEndPeriod",
    "D.L.R.": "FirstCap InternalCap AllCaps AllCapsPeriod",
    "F32": "FirstCap AllCaps Alphanumeric",
    "p.34": "AllLowerCase Alphanumeric LowerCasePeriod",
    "5": "Alphanumeric OneDigit",
    "99": "Alphanumeric TwoDigits",
    "30,999": "Alphanumeric Digits ContainPunc",
    "12/01": "Alphanumeric DigitSlash",
    "02-fi-502": "AllLowerCase Alphanumeric Hyphen ContainPunc",
    "3:10": "Alphanumeric ContainPunc",
    "$5": "Alphanumeric ContainPunc",
    "1999": "Alphanumeric",
    "Élodie": "FirstCap",
    "ÉLODIE": "FirstCap InternalCap AllCaps",
    "J.": "FirstCap AllCaps FirstCapEndPeriod AllCapsPeriod",
}


def active(words: list[str], labels: list[bool] | None = None) -> list[dict[str, str]]:
    """The active predicates of each token of one sentence, with the labels given."""
    import numpy as np

    layout = Layout([(words, [i == 0 for i in range(len(words))])])
    history = layout.histories(np.array(labels or [False] * len(words), dtype=bool))
    found: list[dict[str, str]] = [{} for _ in words]
    for column in Extractor(feature_names("thesis"), lexicons.load_all()).columns(layout):
        for i, code in enumerate(column.at(history)):
            if code >= 0:
                found[i][column.name] = column.values[code]
    return found


@pytest.mark.parametrize(("word", "names"), ORTHOGRAPHIC.items())
def test_orthographic(word: str, names: str) -> None:
    orthographic = {n for n, f in REGISTRY.items() if f.group == "orthographic"}
    assert {n for n in active(["x", word])[1] if n in orthographic} == set(names.split())


COMPOUND = [
    ("her account 402-551", "", "C1", 2, True, "a number with a hyphen after account"),
    ("her account 402551", "", "C1", 2, False, "without # or - it is no account number"),
    ("his son Owen", "", "C2", 2, True, "a relation before"),
    ("his son was Owen", "", "C2", 3, True, "two words before"),
    ("his son there was Owen", "", "C2", 4, False, "three words before is too far"),
    ("Owen his son", "", "C3", 0, True, "a relation after"),
    ("Ms. Green", "", "C4", 1, True, "a title before"),
    ("Ms. green", "", "C4", 1, False, "not capitalized"),
    ("Owen who", "", "C5", 0, True, "who after"),
    ("Indian River Ltd.", "", "C6", 0, True, "a suffix two words after"),
    ("Ana Green", "A-", "C7", 1, True, "the word before is anonymized"),
    ("Ana Green", "--", "C7", 1, False, "the word before is not"),
    ("Ana de Green", "A--", "C8", 2, True, "the second word before is anonymized"),
    ("on March 17", "-A-", "C9", 2, True, "a day after an anonymized month"),
    ("on March 17th", "-A-", "C9", 2, True, "an ordinal number"),
    ("on March 17", "---", "C9", 2, False, "the month stays, so does the day"),
    ("on March 1987", "-A-", "C9", 2, False, "a year has more than two digits"),
    ("born March 17", "-A-", "C10", 2, True, "a birth date"),
    ("met March 17", "-A-", "C10", 2, False, "no birth date"),
    ("Mika and Mika", "A--", "Anony", 2, True, "anonymized before in this document"),
    ("Mika and Mika", "--A", "Anony", 0, False, "not yet"),
]


@pytest.mark.parametrize(("text", "labels", "name", "index", "expected", "reason"), COMPOUND)
def test_compound(text: str, labels: str, name: str, index: int, expected: bool, reason: str) -> None:
    marks = [c == "A" for c in labels] if labels else None
    assert (name in active(text.split(), marks)[index]) is expected, reason


def test_neighbours_belong_to_capitalized_words_and_sw1_to_the_others() -> None:
    him, green, left = active(["said", "Green", "left"])
    assert {k: v for k, v in green.items() if k.startswith(("W", "SW"))} == {
        "W0": "Green",
        "W-1": "said",
        "W1": "left",
        "W2": ".",
    }
    assert left["SW-1"] == "Green" and "W0" not in left
    assert "SW-1" not in him, "nothing stands before a document's first word"


def test_every_feature_has_a_help_line_and_a_doctest_that_holds() -> None:
    for module in (features.orthographic, features.dictionary, features.context, features.compound):
        assert doctest.testmod(module).failed == 0
    for name, known in REGISTRY.items():
        assert known.help.endswith(".") and ">>>" in (known.function.__doc__ or ""), name


def test_the_thesis_has_35_features_and_chooses_nine() -> None:
    assert len(feature_names("thesis")) == 14 + 4 + 5 + 1 + 1 + 10
    nine = ["W-1", "SW-1", "AllCapsPeriod", "C9", "W-2", "FirstCapEndPeriod", "AllCaps", "CommonWord", "W1"]
    assert set(feature_names("nine")) == set(nine)
