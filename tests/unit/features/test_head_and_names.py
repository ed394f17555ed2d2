"""Names in the head and in word lists as evidence: tables of cases with a reason each."""

from __future__ import annotations

import numpy as np
import pytest

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.features.arguments import also_lower, listed
from aef.features.head import head_role, in_head
from aef.features.ruling import Ruling, Source

LISTS = lexicons.load_all()

HEAD = """IN THE SUPREME COURT OF BRITISH COLUMBIA
Between:
HANNAH GREEN
Claimant
and
TOMASZ KOWALCZYK      Respondent
Before: The Honourable Madam Justice Beaulieu
Counsel for the Claimant: D. R. Green
[1] Ms. Green and Mr. Kowalczyck, who was before Beaulieu J. in May, keep a green folder, and so do all the others."""


def ruling(text: str) -> Ruling:
    tokens = Document.from_text(text).tokens
    first = np.asarray(tokens.first, dtype=np.bool_)
    return Ruling(tokens.words, first, Source(text, tokens.starts, tokens.ends), LISTS)


def last(values: list[str], word: str, document: Ruling) -> str:
    return values[max(i for i, other in enumerate(document.words) if other == word)]


@pytest.mark.parametrize(
    ("word", "roles", "reason"),
    [
        ("Green", "counsel party", "a name of a party and of counsel"),
        ("Kowalczyck", "~party", "a letter more than in the head"),
        ("Beaulieu", "judge", "the judge"),
        ("green", "", "a word in lower case is no name"),
        ("May", "", "nobody in the head is called so"),
    ],
)
def test_names_of_the_head_are_looked_for_in_the_body(word: str, roles: str, reason: str) -> None:
    document = ruling(HEAD)
    assert last(in_head(document), word, document) == roles, reason


@pytest.mark.parametrize(
    ("word", "role", "reason"),
    [
        ("HANNAH", "party", "a line without a cue goes with the line before"),
        ("KOWALCZYK", "party", "a column of its own"),
        ("Justice", "judge", "the line's own cue"),
        ("R.", "counsel", "counsel for the claimant, not the claimant"),
        ("folder", "", "a long line is no line of a head"),
    ],
)
def test_a_line_of_the_head_has_a_role(word: str, role: str, reason: str) -> None:
    document = ruling(HEAD)
    assert last(head_role(document), word, document) == role, reason


def test_a_ruling_without_a_head_gives_no_evidence() -> None:
    text = "The parties met in Reading in the spring of that year, and they married there in the autumn of the next."
    document = ruling(text)
    assert set(in_head(document)) == {""} and set(head_role(document)) == {""}


def test_a_head_alone_is_read() -> None:
    document = ruling("Green v. Millar")
    assert in_head(document)[0] == in_head(document)[-1] == "party"


@pytest.mark.parametrize(
    ("word", "signs", "reason"),
    [
        ("Grace", {"g", "w"}, "a given name that is a word"),
        ("KOWALSKI", {"s"}, "capitals are folded"),
        ("London", {"p"}, "a place"),
        ("Petitioner", {"c"}, "a word of courts"),
        ("grace", set(), "a word in lower case asks no list"),
        ("Xqzt", {"-"}, "in no list"),
    ],
)
def test_lists_that_hold_a_word(word: str, signs: set[str], reason: str) -> None:
    assert signs <= set(listed(word, LISTS)) if signs else listed(word, LISTS) == "", reason


def test_also_lower_is_of_the_document() -> None:
    document = ruling("Hope left. There was hope. Anna left.")
    found = dict(zip(document.words, also_lower(document), strict=True))
    assert found["Hope"] and not found["Anna"]


def test_a_language_without_these_lists_has_no_evidence() -> None:
    assert listed("Grace", {}) == "-"
