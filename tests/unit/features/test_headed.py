"""Names that a common noun heads: a table of cases with a reason each."""

from __future__ import annotations

import numpy as np
import pytest

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.features import feature_names
from aef.features.headed import headed_before, headed_noun, headed_place, headed_rarity
from aef.features.ruling import Frequencies, Ruling, Source


def ruling(text: str, language: str) -> Ruling:
    tokens = Document.from_text(text).in_language(language).tokens
    first = np.asarray(tokens.first, dtype=np.bool_)
    return Ruling(tokens.words, first, Source(text, tokens.starts, tokens.ends), lexicons.load_all(language))


@pytest.mark.parametrize(
    ("language", "text", "names", "reason"),
    [
        ("fr", "La cour d'appel de Cracovie siège.", ["cour d appel de Cracovie"], "lower case up to the name"),
        ("fr", "Le tribunal régional de Katowice.", ["tribunal régional de Katowice"], "an adjective behind the noun"),
        ("fr", "La cour a entendu Cracovie.", ["cour"], "a function word ends it: the noun has no name"),
        ("fr", "La cour, Katowice.", ["cour"], "so does a comma"),
        ("fr", "Il voit la cour. Katowice dort.", ["cour"], "and the end of a sentence"),
        ("fr", "La cour ordonne immédiatement Katowice.", ["cour"], "two plain words side by side are no name"),
        ("es", "El Tribunal de Distrito de Varsovia.", ["Tribunal de Distrito de Varsovia"], "a noun inside a name"),
        ("es", "Fue a la prisión de Wymott y al hospital.", ["prisión de Wymott", "hospital"], "each noun once"),
        ("en", "The Ministry of the Interior replied.", ["Ministry of the Interior"], "English"),
        ("en", "Nobody came.", [], "no noun that heads names"),
    ],
)
def test_a_noun_heads_what_leads_to_a_capital(language: str, text: str, names: list[str], reason: str) -> None:
    document = ruling(text, language)
    assert [" ".join(document.words[start:end]) for start, end in document.headed] == names, reason


def test_what_is_known_of_a_headed_name_is_known_at_each_of_its_words() -> None:
    document = ruling("Devant la cour de Katowice le tribunal dort.", "fr")
    assert list(headed_noun(document)) == ["", "", *["cour"] * 3, "", "tribunal -", ""]
    assert list(headed_before(document)) == ["", "", *["la"] * 3, "", "le", ""]
    known = Frequencies({"cour": 40, "tribunal": 40})
    assert list(headed_rarity(document, known)) == ["", "", *[0] * 3, "", "-", ""]
    assert list(headed_place(document)) == ["", "", "02", "11", "20", "", "00", ""]


def test_only_french_asks_for_them() -> None:
    besides = {"Headed", "HeadedBefore", "HeadedPlace", "L0", "L-1L0"}
    assert set(feature_names("rich", "fr")) - set(feature_names("rich")) == besides
    assert feature_names("rich", "es") == feature_names("rich") == feature_names("rich,rich", "en")
