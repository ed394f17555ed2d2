"""What an editor is asked about though nothing hides it: by the text, and by what is hidden already."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document, Mention
from aef.editing.candidates import candidates, known
from aef.editing.words import CODE, COMMON, DATE, INITIALS, PART, SMALL, WORDS, Known, Words


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
        ("an unknown word of a message", "He wrote:\n\nsend it to juju tomorrow", "", "juju", SMALL),
        (
            "a plain word with a capital in a name",
            "It was the affidavit of one Evidence Moyo.",
            "Moyo",
            "Evidence",
            WORDS,
        ),
        ("a telephone", "He can be reached at 253 555 014.", "", "253 555 014", CODE),
        ("a telephone of eight digits", "The number is 9417 2286 there.", "", "9417 2286", CODE),
        ("what a number goes on with", "He holds card K482913(6) now.", "K482913", "(6)", PART),
        ("a number of a German court", "The file was 9 Sa 512/12 there.", "", "9 Sa 512/12", CODE),
        (
            "a case of several accused",
            "It was Sessions Case No. 41(6) of 2018.",
            "",
            "Sessions Case No. 41(6) of 2018",
            CODE,
        ),
        ("a date in another language", "She was born on 8 maggio 2016 there.", "", "8 maggio 2016", DATE),
        ("what says what a number is", "He held Policy No. 61101731 then.", "61101731", "Policy No.", PART),
        ("what has a capital", "They came to Lower Barton.", "", "Lower Barton", WORDS),
    ],
)
def test_what_is_asked_about(reason: str, text: str, hidden: str, words: str, kind: str) -> None:
    assert found(text, *filter(None, [hidden])).get(words) == kind, reason


@pytest.mark.parametrize(
    ("text", "hidden", "words"),
    [
        ("It is signed C. v.d. Berg here.", ("C.", "Berg"), "v.d."),
        ("He is Rose Borg née Messina here.", ("Rose Borg", "Messina"), "née"),
        ("Zeppa l-Awstraljana came.", ("Zeppa", "Awstraljana"), "l"),
        ("At Price's Tire they met.", ("Price", "Tire"), "'s"),
        ("Ethan a/l Kumaravel came.", ("Ethan", "Kumaravel"), "a/l"),
    ],
)
def test_what_stands_between_two_parts_of_a_name(text: str, hidden: tuple[str, ...], words: str) -> None:
    assert found(text, *hidden).get(words) == PART


def test_what_parts_two_names_is_no_part_of_one() -> None:
    assert PART not in found("Hale lent a boat to Moyo.\n\nMoyo went.", "Hale", "Moyo").values()


@pytest.mark.parametrize(
    ("reason", "text", "hidden", "words"),
    [
        ("a plain word that begins so", "Autumn left. He wrote: the author is here.", "Autumn", "author"),
        ("a number far from any name", "Hale came. On page 7 it says so.", "Hale", "page 7"),
        ("an unknown word of a plain sentence", "He wrote of juju to her.", "", "juju"),
        ("a plain word with an ending", "He wrote:\n\nthe children were asking me", "", "asking"),
        ("a sum", "He paid 1,200 300.50 then.", "", "200 300"),
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


@example("77.AAAAAAAAA,A", 12, 1)
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
