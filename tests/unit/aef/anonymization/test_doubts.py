"""What is told of a doubt: the word, its paragraphs, and whom it may mean."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.anonymization import Clash, anonymize
from aef.corpus_tools.document import Block, Document, Mention, Places
from aef.replacement.case_file import Case
from aef.roles.policy import Policy

LINES = ["Ann Roe left.", "Nobody knew.", "Roe stood in clear, and so did Roe.", "Bob Roe came, and AA batteries."]
TEXT = "\n\n".join(LINES)


def mentions(*names: str) -> list[Mention]:
    return [Mention(TEXT.index(name), TEXT.index(name) + len(name), "PERSON") for name in names]


PLACES = [
    (0, 1, "the first character"),
    (12, 1, "within the first"),
    (14, 1, "between two: the one before"),
    (15, 2, "where the second begins"),
    (len(TEXT), 4, "the end of the text"),
]


@pytest.mark.parametrize(("place", "number", "reason"), PLACES, ids=[p[2] for p in PLACES])
def test_paragraphs_have_numbers_from_one(place: int, number: int, reason: str) -> None:
    assert Document.from_text(TEXT).paragraph(place) == number, reason


def test_a_place_is_in_a_part_of_the_ruling() -> None:
    document = Document("ab", blocks=(Block(0, 1, "head"), Block(1, 2, "table")))
    assert [document.part(0), document.part(1)] == ["head", "table"]
    assert (Document("a").part(0), Document("a").paragraph(0)) == ("body", 1), "a text without paragraphs has one"


TOLD = [
    ("a\nb\nc", [4, 0], "paragraphs 3, 1", "where a line is a paragraph, its number is enough"),
    ("a\nb\n\nc", [2], "paragraph 1, line 2", "a paragraph of two lines"),
    ("a\nb\n\nc", [5], "paragraph 2", "a paragraph of one line"),
    ("a\nb\n\nc", [0, 2, 5], "paragraphs 1, 2, lines 1, 2, 4", "several, each once"),
    ("a\n" * 9 + "\nb", range(0, 18, 2), "paragraph 1, lines 1, 2, 3, 4, 5 and 4 more", "more than one wants to read"),
]


@pytest.mark.parametrize(("text", "characters", "told", "reason"), TOLD, ids=[t[3] for t in TOLD])
def test_places_help_where_paragraphs_are_long(text: str, characters: list[int], told: str, reason: str) -> None:
    assert str(Document.from_text(text).places(characters)) == told, reason


def test_a_name_that_stands_tells_all_its_paragraphs_and_bearers(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    stands = anonymize(tmp_path / "a.txt", mentions=mentions("Ann Roe", "Bob Roe"), scheme="letters").in_clear
    assert [(s.name, s.times, s.places, len(s.candidates)) for s in stands] == [("Roe", 2, Places((3,)), 2)]
    assert str(stands[0]).startswith("paragraph 3 (body), 2 times: Roe (BB or CC), a single name")


def test_a_label_that_stands_tells_its_paragraph_and_whose_it_is(tmp_path: Path) -> None:
    case = Case(tmp_path / "case")
    (tmp_path / "a.txt").write_text("Ann Roe left.", encoding="utf-8")
    first = tmp_path / "a.txt"
    anonymize(first, tmp_path / "out.txt", mentions=[Mention(0, 7, "PERSON")], scheme="letters", case=case)
    (tmp_path / "b.txt").write_text(TEXT, encoding="utf-8")
    clashes = anonymize(tmp_path / "b.txt", mentions=mentions("Ann Roe"), scheme="letters", case=case).clashes
    assert clashes == [Clash("AA", Places((4,)), ("Ann Roe",))]
    assert str(clashes[0]) == "paragraph 4: AA is the label of Ann Roe, and stands there for something else"


def test_whom_the_policy_asks_about_is_told_with_places(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text(TEXT, encoding="utf-8")
    ask = Policy("asking", roles={"witness": "ask"})
    asked = anonymize(tmp_path / "a.txt", mentions=mentions("Ann Roe"), policy=ask).asked
    assert [(a.names, a.role, a.places) for a in asked] == [(("Ann Roe",), "witness", Places((1,)))]
    assert str(asked[0]) == "paragraph 1: Ann Roe (A.R.) is hidden, and the policy asks (witness)"
