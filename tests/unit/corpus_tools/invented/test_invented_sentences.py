"""Invented rulings of other languages, and real ones with other names: what is marked is what was put there."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.invented.sentences import languages, rulings
from aef.corpus_tools.invented.swapped import swapped
from aef.errors import InputError

LANGUAGES = ["es", "fr"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rulings_are_of_their_language_and_marked(language: str) -> None:
    made = rulings(language, 8, 3)
    assert made == rulings(language, 8, 3) and made != rulings(language, 8, 4)
    assert len({d.doc_id for d in made}) == 8 and {d.language for d in made} == {language}
    for document in made:
        assert not re.search(r"[{}\[\]|]", document.text), "no slot, no alternative is left"
        assert all(document.cut(m) == document.cut(m).strip() != "" for m in document.mentions)
        assert len(document.mentions) > 20


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_form_of_a_name_is_there(language: str) -> None:
    names = {d.cut(m) for d in rulings(language, 30, 1) for m in d.mentions}
    assert any(name.isupper() and " " in name for name in names), "in capitals"
    assert any(re.fullmatch(r"(?:\w\. ?)+", name) for name in names), "initials"
    assert any(re.search(r" d[eu]l? ", name) for name in names), "with a particle"
    assert language == "fr" or any("," in name for name in names), "the surname first"


def test_languages_without_sentences_are_refused() -> None:
    assert languages() == LANGUAGES
    with pytest.raises(InputError, match=r"no sentences of invented rulings in 'ro'. There are: es, fr"):
        rulings("ro", 1)


TEXT = "El Sr. Juan Ruiz vive en Cádiz, y allí trabaja. RUIZ y J. R. callan."
PLACES = (("Juan Ruiz", "PERSON"), ("Cádiz", "LOC"), ("RUIZ", "PERSON"), ("J. R.", "PERSON"))


def ruling() -> Document:
    spans = [(TEXT.index(name), kind, len(name)) for name, kind in PLACES]
    return Document.from_text(TEXT, "r", [Mention(at, at + n, kind, "DIRECT") for at, kind, n in spans])


@given(st.integers(0, 200))
def test_a_swapped_ruling_keeps_its_mentions_and_loses_its_names(seed: int) -> None:
    made = swapped(ruling(), "es", seed)
    full, place, last, initials = (made.cut(m) for m in made.mentions)
    assert place == "Cádiz" and "Juan" not in made.text and "ruiz" not in made.text.casefold()
    assert last.isupper() and full.casefold().endswith(f" {last.casefold()}"), "one name, one other name"
    assert re.fullmatch(r"[A-Z]\. [A-Z]\.", initials), "initials stay initials"
    assert [m.entity_type for m in made.mentions] == [kind for _, kind in PLACES]


def test_the_same_seed_gives_the_same() -> None:
    assert swapped(ruling(), "es", 1).text == swapped(ruling(), "es", 1).text
    assert len({swapped(ruling(), "es", seed).text for seed in range(5)}) == 5
