"""The hand-written rulings: their marks are sound, and the halves stay apart."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document

RULINGS = handwritten.rulings()


def test_of_six_styles_three_rulings_are_set_aside() -> None:
    styles = ["canadian_family", "english_family", "european", "indian", "irish", "us_state"]
    assert handwritten.styles("closed") == styles
    for style in styles:
        assert [d.doc_id for d in handwritten.rulings(style, "closed")] == [f"{style}-{n:02}" for n in range(2, 13, 2)]
        assert {f"{style}-{n:02}" for n in (1, 3, 5)} <= {d.doc_id for d in handwritten.rulings(style, "open")}


def test_the_halves_are_all_there_is_and_share_nothing() -> None:
    halves = [{d.doc_id for d in handwritten.rulings(half=half)} for half in ("open", "closed")]
    assert set.union(*halves) == {d.doc_id for d in RULINGS}
    assert not set.intersection(*halves)


@pytest.mark.parametrize("document", RULINGS, ids=lambda d: d.doc_id)
def test_a_ruling_is_soundly_marked(document: Document) -> None:
    assert not re.search(r"[{}|]", document.text), "a mark is left"
    words = len(document.text.split())
    assert 600 <= words <= 2500 or 3300 <= words <= 7500, "neither a short ruling nor a long one"
    spans = [(m.start, m.end) for m in document.mentions]
    assert all(a[1] <= b[0] for a, b in pairwise(spans)), "mentions overlap"
    for mention in document.mentions:
        text = document.cut(mention)
        assert text == text.strip() and text, "a mention has white space around it"
        if mention.entity_type == "PERSON":
            assert not re.match(r"(Mr|Mrs|Ms|Miss|Dr|Justice|Judge)\b\.? \w", text), "a title is in the mention"
            assert mention.extra["role"] in (*handwritten.ROLES, handwritten.INITIALS)


def test_every_style_has_the_hard_cases() -> None:
    """Names that are also words of the ruling in lower case, people who share a word, first names alone."""
    for style in handwritten.styles():
        documents = handwritten.rulings(style)
        assert any(_names_as_words(d) for d in documents), style
        assert any(_shared(d) for d in documents), style


def _names(document: Document) -> list[tuple[str, set[str]]]:
    persons = [m for m in document.mentions if m.entity_type == "PERSON"]
    return [(str(m.entity_id), set(re.findall(r"\w{3,}", document.cut(m).lower()))) for m in persons]


def _names_as_words(document: Document) -> set[str]:
    covered = document.mask(document.mentions).tolist()
    plain = {w for w, inside in zip(document.words, covered, strict=True) if not inside and w.islower()}
    return {word for _, words in _names(document) for word in words} & plain


def _shared(document: Document) -> set[str]:
    owners: dict[str, set[str]] = {}
    for entity, words in _names(document):
        for word in words:
            owners.setdefault(word, set()).add(entity)
    return {word for word, entities in owners.items() if len(entities) > 1}


def test_a_mark_of_an_unknown_entity_is_an_error() -> None:
    with pytest.raises(KeyError, match="p2"):
        handwritten.parse("p1 | PERSON | party | hide | Ann Green\n---\n{Green|p1} met {Hope|p2}.")


OTHERS = [(language, d) for language in ("es", "fr") for d in handwritten.rulings(language=language)]
STYLES = {"es": ["argentina", "mexico", "spain", "uruguay"], "fr": ["belgium", "france", "quebec", "switzerland"]}
"""Those that have a closed half."""


@pytest.mark.parametrize("language", STYLES)
def test_of_four_styles_of_another_language_half_is_closed(language: str) -> None:
    assert handwritten.styles("closed", language) == STYLES[language]
    assert len(handwritten.rulings(half="closed", language=language)) == 12
    assert len(handwritten.rulings(half="open", language=language)) >= 12
    assert not {d.doc_id for d in RULINGS} & {d.doc_id for d in handwritten.rulings(language=language)}


@pytest.mark.parametrize(("language", "document"), OTHERS, ids=[d.doc_id for _, d in OTHERS])
def test_a_ruling_in_another_language_is_soundly_marked(language: str, document: Document) -> None:
    assert document.language == language
    assert not re.search(r"[{}|]", document.text), "a mark is left"
    assert 350 <= len(document.text.split()) <= 1000
    spans = [(m.start, m.end) for m in document.mentions]
    assert all(a[1] <= b[0] for a, b in pairwise(spans)), "mentions overlap"
    for mention in document.mentions:
        text = document.cut(mention)
        assert text == text.strip() and text, "a mention has white space around it"
        if mention.entity_type != "PERSON":
            continue
        assert not re.match(r"(?i:sra?|dra?|lic|don|doña|mme|mlle|maître|monsieur|madame)\b\.? \w", text), "a title"
        assert mention.extra["role"] in (*handwritten.ROLES, handwritten.INITIALS)


@pytest.mark.parametrize("language", STYLES)
def test_every_style_of_another_language_has_the_hard_cases(language: str) -> None:
    for style in STYLES[language]:
        documents = handwritten.rulings(style, language=language)
        assert any(_names_as_words(d) for d in documents), style
        assert any(_shared(d) for d in documents), style


def test_there_are_no_rulings_in_a_language_without_any() -> None:
    assert handwritten.languages() == ["en", "es", "fr"] and handwritten.rulings(language="de") == []
