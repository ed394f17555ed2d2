"""What the part of a ruling tells: headings above, the law beside, what stands behind a date."""

from __future__ import annotations

import numpy as np
import pytest

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.features import feature_names
from aef.features.headings import cites, heading
from aef.features.patterns import behind_match
from aef.features.ruling import Ruling, Source


def ruling(text: str, language: str = "es") -> Ruling:
    tokens = Document.from_text(text).in_language(language).tokens
    first = np.asarray(tokens.first, dtype=np.bool_)
    return Ruling(tokens.words, first, Source(text, tokens.starts, tokens.ends), lexicons.load_all(language))


def at(document: Ruling, values: object, word: str) -> object:
    return list(values)[document.words.index(word)]  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("text", "found", "reason"),
    [
        ("El juez oye.", "^", "nothing above the first heading"),
        ("LOS HECHOS\nEl juez oye.", "los hechos", "a line in capitals"),
        ("LOS HECHOS\nFue así.\nEl juez oye.", "los hechos", "until the next one"),
        ("LOS HECHOS\nEL DERECHO\nEl juez oye.", "el derecho", "the last one"),
        ("I. LOS HECHOS\nEl juez oye.", "los hechos", "a number is no part of it"),
        ("LOS HECHOS\nLa ONU vino.\nEl juez oye.", "los hechos", "a sentence with an acronym is none"),
        ("LOS HECHOS\nA.\nEl juez oye.", "los hechos", "nor is a letter"),
        ("EL SEÑOR PRESIDENTE DE LA SALA HA DICHO QUE NO\nEl juez oye.", "^", "nor is a long sentence in capitals"),
        ("CIRCUNSTANCIAS PARTICULARES DEL CASO\nEl juez oye.", "circunstancias particula", "its beginning tells"),
    ],
)
def test_the_heading_above(text: str, found: str, reason: str) -> None:
    document = ruling(text)
    assert at(document, heading(document), "juez") == found, reason


def test_the_law_is_beside_within_a_sentence() -> None:
    document = ruling("Lo dispone el artículo 26 del Reglamento. El juez oye.")
    assert [at(document, cites(document), word) for word in ("Reglamento", "juez")] == ["law", "-"]
    assert list(cites(ruling("El juez oye."))) == ["-"] * 3


def test_what_stands_behind_a_date() -> None:
    document = ruling("El 1 de noviembre de 2004, el Tribunal modificó su composición.")
    assert at(document, behind_match(document), "noviembre") == "date el tribunal modificó"
    assert at(document, behind_match(document), "Tribunal") == ""


def test_spanish_and_french_models_look_at_them_and_english_ones_do_not() -> None:
    own = {"HeadingKind", "HeadingPattern", "BesideLaw", "PatternBehind"}
    assert own <= set(feature_names("wide", "es")) and own <= set(feature_names("wide", "fr"))
    assert own.isdisjoint(feature_names("wide")) and own.isdisjoint(feature_names("rich", "es"))
