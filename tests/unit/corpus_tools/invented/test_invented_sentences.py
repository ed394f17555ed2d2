"""Invented rulings of other languages: what is marked is what was put there."""

from __future__ import annotations

import re

import pytest

from aef.corpus_tools.invented.sentences import languages, rulings
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
