"""What tells a hidden name, by the place it stands in; and names as readers see them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.metadata.telling import Place, Telling, place_of
from aef.corpus_tools.name_search.hidden_names import HiddenNames, ShownNames

NAMES = HiddenNames(
    {"Anna Zwetkow": "A.Z.", "Zwetkow": "A.Z.", "Tom Light": "T.L.", "Light": "T.L.", "Tables": "T.", "Offset": "O.",
     "Terms": "T.", "Reference": "R.", "Format": "F.", "Green": "J.G."}
)  # fmt: skip

TELLING = [
    ("a description of a picture", "docPr", "descr", "the arms of Light", "the arms of T.L."),
    ("a tooltip", "hyperlink", "tooltip", "see Offset", "see O."),
    ("a style called after a person", "style", "styleId", "ZwetkowHeading", "AZHeading"),
    ("the name of such a style", "name", "val", "Anna Zwetkow's", "AZ's"),
    ("a style that is built in", "name", "val", "Table Grid Light", "Table Grid Light"),
    ("a list of those", "lsdException", "name", "Subtle Reference", "Subtle Reference"),
    ("a bookmark", "bookmarkStart", "name", "bm_zwetkow1", "bm_AZ1"),
    ("a font", "latin", "typeface", "Calibri Light", "Calibri Light"),
    ("a font with other letters", "font", "typeface", "等线 Light", "等线 Light"),
    ("a font of somebody's", "rFonts", "ascii", "Zwetkow Hand", "AZ Hand"),
    ("a kind of something", "xsi", "type", "dcterms:W3CDTF", "dcterms:W3CDTF"),
    ("a setting", "compatSetting", "name", "differentiateMultirowTables", "differentiateMultirowTables"),
    ("a kind with an ordinary word that is a name here", "vAnchor", "val", "offset", "offset"),
    ("where no name should be", "r", "x", "zwetkow", "AZ"),
    ("a code's look", "fldSimple", "instr", " REF _a \\* MERGEFORMAT ", " REF _a \\* MERGEFORMAT "),
    ("a code's words", "fldSimple", "instr", ' XE "Zwetkow, A." ', ' XE "A.Z., A." '),
    ("a number", "id", "val", "00112233", "00112233"),
]


@pytest.mark.parametrize(("reason", "tag", "key", "value", "written"), TELLING, ids=[c[0] for c in TELLING])
def test_telling(reason: str, tag: str, key: str, value: str, written: str) -> None:
    telling, place = Telling(NAMES), place_of(tag, key)
    assert bool(telling(value, place)) == (value != written), reason
    assert telling.replaced(value, place) == written
    assert not telling(telling.replaced(value, place), place), "what was written tells no more"


def test_names_of_the_format_itself() -> None:
    telling = Telling(NAMES)
    names = (
        "posOffset",
        "tblStylePr",
        "http://purl.org/dc/terms/",
        "http://schemas.microsoft.com/office/thememl/2012/main",
    )
    assert not any(telling(name, Place.OWN) for name in names)
    assert telling("tblZwetkow", Place.OWN) and telling("http://schemas.openxmlformats.org/zwetkow", Place.OWN)


@given(st.lists(st.sampled_from([c[3] for c in TELLING] + ["posOffset", "a", "Zwetkow", "x"]), max_size=6))
def test_looking_over_many_texts_changes_nothing(texts: list[str]) -> None:
    for place in Place:
        telling = Telling(NAMES)
        telling.look_over(texts, place)
        assert [telling(text, place) for text in texts] == [Telling(NAMES)(text, place) for text in texts]


PIECES = ["Anna", "zwetkow", "LIGHT", "Ann", "a", "é", "\u0301", " ", "_", ".", "'", "1"]
SAID = st.lists(st.lists(st.sampled_from(PIECES), max_size=6).map("".join))


@given(SAID)
def test_among_many_texts_none_is_missed(texts: list[str]) -> None:
    if not NAMES.among(texts):
        assert not any(NAMES.edits(text, identifier) for text in texts for identifier in (False, True))


SHOWN = [
    ("a full name in any letters", ["Anna Hale"], "ANNA HALE, anna hale", ["ANNA HALE", "anna hale"]),
    ("joined by a hyphen or a line", ["Anna Hale"], "Anna-Hale Anna\nHale", ["Anna-Hale", "Anna\nHale"]),
    ("joined by nothing", ["Anna Hale"], "AnnaHale", ["AnnaHale"]),
    ("with another minus", ["Sahara-Sonara"], "Sahara−Sonara", ["Sahara−Sonara"]),
    ("words of two sentences", ["Cover II"], "the cover; (ii) the", []),
    ("a part of a word", ["Anna Hale"], "Joanna Hale, Anna Haley", []),
    ("names that overlap", ["Anna Maria", "Maria Hale"], "Anna Maria Hale", ["Anna Maria", "Maria Hale"]),
    ("the longer of two that begin alike", ["Anna", "Anna Hale"], "Anna Hale", ["Anna Hale"]),
    ("initials have capitals", ["A. Hale"], "A. Hale, a hale man", ["A. Hale"]),
    ("a short word has one", ["Hale"], "Hale, hale", ["Hale"]),
    ("a long word need not", ["Zwetkow"], "zwetkow", ["zwetkow"]),
    ("decomposed letters", ["García"], "Garci\u0301a", ["Garci\u0301a"]),
]  # fmt: skip


@pytest.mark.parametrize(("reason", "names", "text", "found"), SHOWN, ids=[c[0] for c in SHOWN])
def test_shown(reason: str, names: list[str], text: str, found: list[str]) -> None:
    assert [text[start:end] for start, end, _ in ShownNames(names)(text)] == found, reason


def test_broken_words() -> None:
    text = "Anna Zwet-\nkow left"
    assert [text[a:b] for a, b, _ in ShownNames(["Anna Zwetkow"], broken=True)(text)] == ["Anna Zwet-\nkow"]


@given(st.lists(st.text("abc ", min_size=1), max_size=8), st.text("abc .-", max_size=40))
def test_many_names_are_found_as_each_alone(names: list[str], text: str) -> None:
    together = {place for a, b, _ in ShownNames(names)(text.title()) for place in range(a, b)}
    alone = {p for name in names for a, b, _ in ShownNames([name])(text.title()) for p in range(a, b)}
    assert bool(together) == bool(alone) and together <= alone
