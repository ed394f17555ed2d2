"""What an editor is asked about though nothing hides it: by the text, and by what is hidden already."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.editing.candidates import candidates, known
from aef.editing.words import COMMON, INITIALS, PART, SMALL, WORDS, Known, Words


def found(text: str, *hidden: str) -> dict[str, str]:
    """The candidates of a text and their kinds, where the first places of these names are hidden."""
    document = Document.from_text(text)
    mentions = [Mention(text.index(n), text.index(n) + len(n), "PERSON") for n in hidden]

    def covered(place: tuple[int, int]) -> bool:
        return any(m.start < place[1] and place[0] < m.end for m in mentions)

    words = Words(document, np.zeros(len(document.tokens)))
    return {c.words: c.kind for c in candidates(words, covered, known(hidden), mentions)}


@pytest.mark.parametrize(
    ("reason", "text", "hidden", "words", "kind"),
    [
        (
            "the number of a house",
            "They live in Rosenweg 7, 31174 Schellerten.",
            "Rosenweg",
            "7, 31174 Schellerten",
            PART,
        ),
        ("a staircase", "They live in Niittykuja 6 B 11 now.", "Niittykuja", "6 B 11", PART),
        ("a word between", "They live in Sandor utca 9 now.", "Sandor", "utca 9", PART),
        ("a flat before", "They live at unit 6, Paris Crescent now.", "Paris Crescent", "unit 6", PART),
        ("a short name in a message", "Autumn left. He wrote: love to auttie today.", "Autumn", "auttie", SMALL),
        ("a given name in a message", "He wrote: give it to luke today.", "", "luke", SMALL),
        ("a name in another script", "He is Chan Wing (陳家偉) here.", "Chan Wing", "陳家偉", WORDS),
        ("initials", "The letter is signed H.K. only.", "", "H.K.", INITIALS),
        ("what has a capital", "They came to Lower Barton.", "", "Lower Barton", WORDS),
    ],
)
def test_what_is_asked_about(reason: str, text: str, hidden: str, words: str, kind: str) -> None:
    assert found(text, *filter(None, [hidden])).get(words) == kind, reason


@pytest.mark.parametrize(
    ("reason", "text", "hidden", "words"),
    [
        ("a plain word that begins so", "Autumn left. He wrote: the author is here.", "Autumn", "author"),
        ("a number far from any name", "Hale came. On page 7 it says so.", "Hale", "page 7"),
        ("what is hidden", "Hale came to Barton.", "Hale", "Hale"),
    ],
)
def test_what_is_not(reason: str, text: str, hidden: str, words: str) -> None:
    assert words not in found(text, hidden), reason


@pytest.mark.parametrize(
    ("word", "alike"),
    [("marshes", True), ("veldt", True), ("marsh", False), ("mar", False), ("marshalling", False), ("okonkwo", False)],
)
def test_words_like_those_of_a_hidden_name(word: str, alike: bool) -> None:
    assert Known(frozenset({"marsh", "veld"})).alike(word) is alike


@given(st.text("Ab 7,.-/\n陳no", max_size=60), st.integers(0, 20), st.integers(1, 8))
def test_every_place_is_of_the_text_and_uncovered(text: str, start: int, length: int) -> None:
    document = Document.from_text(text)
    mentions = [Mention(start, start + length, "LOC")] if start + length <= len(text) else []

    def covered(place: tuple[int, int]) -> bool:
        return any(m.start < place[1] and place[0] < m.end for m in mentions)

    words = Words(document, np.zeros(len(document.tokens)))
    for candidate in candidates(words, covered, known([]), mentions):
        assert candidate.places and candidate.kind != COMMON
        for low, high in candidate.places:
            assert 0 <= low < high <= len(text) and not covered((low, high))
