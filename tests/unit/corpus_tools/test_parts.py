"""Where the body of a ruling begins: cases with the reason of each."""

from __future__ import annotations

import pytest

from aef.corpus_tools.document import BODY, HEAD, TABLE
from aef.corpus_tools.parts import Paragraph, assign_parts, find_body, find_repeated_head

COURT = "IN THE SUPREME COURT OF BRITISH COLUMBIA"
CITATION = "Citation: Green v. Millar, 2002 BCSC 123"
REASONS = "REASONS FOR JUDGMENT OF THE HONOURABLE MADAM JUSTICE STONE"
COUNSEL = "Counsel for the plaintiff: P.J. Bond"
PROSE = "The parties were married in 1990, and they lived together in a small house until the spring of 2001."

CASES = [
    ("bracketed number", [COURT, CITATION, "[1] The parties met."], 2),
    ("number with a period", [COURT, CITATION, "1. The parties met."], 2),
    ("number with a parenthesis", [COURT, "1) The parties met."], 1),
    ("a year is no paragraph number", [COURT, "1999 BCSC 12", "[1] They met."], 2),
    ("a later number does not open a body", [COURT, "[12]", PROSE], 2),
    ("heading of a first section", [COURT, COUNSEL, "Introduction", "[1] They met."], 2),
    ("heading in capitals with a colon", [COURT, "BACKGROUND:", "They met."], 1),
    ("a sentence that begins like a heading is none", [COURT, "Facts about Vancouver", "[1] They met."], 2),
    ("PROCEDURE opens a judgment without head", ["PROCEDURE", "The case originated in an application."], 0),
    ("reasons followed by prose", [COURT, REASONS, PROSE], 1),
    ("reasons followed by paragraph 1", [COURT, REASONS, "[1] They met."], 1),
    ("reasons followed by counsel stay in the head", [COURT, REASONS, COUNSEL, "[1] They met."], 3),
    ("oral reasons: the court begins to speak", [COURT, CITATION, "THE COURT: This is a claim."], 2),
    ("a judge begins to speak", [COURT, CITATION, "STONE J. (orally): This is a claim."], 2),
    ("the first long prose", [COURT, CITATION, COUNSEL, PROSE], 3),
    ("an early unnumbered first paragraph counts before [1]", [COURT, PROSE, "[1] They met."], 1),
    (
        "a list of names is no prose",
        [COURT, "Before: Smith, Jones, Brown, Stone, White, Black, Field, JJ.A., Vancouver."],
        0,
    ),
    ("nothing like a body: all is body", ["Green v. Millar", "Registry: Vancouver"], 0),
    ("nothing at all", [], 0),
]


@pytest.mark.parametrize(("reason", "texts", "body"), CASES, ids=[c[0] for c in CASES])
def test_find_body(reason: str, texts: list[str], body: int) -> None:
    assert find_body([Paragraph(text) for text in texts]) == body, reason


def test_words_numbering_counts_as_a_number() -> None:
    assert find_body([Paragraph(COURT), Paragraph("The parties met.", numbered=True)]) == 1


def test_tables_open_no_body() -> None:
    head = [Paragraph(COURT), Paragraph("1. JOANNE GREEN", table=True), Paragraph(PROSE, table=True)]
    assert find_body([*head, Paragraph("[1] They met.")]) == 3


def test_tables_are_head_in_the_head_and_tables_in_the_body() -> None:
    cell = Paragraph("JOANNE GREEN", table=True)
    assert assign_parts([Paragraph(COURT), cell, Paragraph("[1] They met."), cell._replace(text="$5")]) == [
        HEAD,
        HEAD,
        BODY,
        TABLE,
    ]


def test_a_repeated_head_is_head_again() -> None:
    texts = [COURT, CITATION, COUNSEL, "[1] They met.", "The claim is allowed.", "STONE J.", COURT, CITATION, COUNSEL]
    paragraphs = [Paragraph(text) for text in texts]
    assert find_repeated_head(paragraphs, 3) == 6
    assert assign_parts(paragraphs) == [HEAD] * 3 + [BODY] * 3 + [HEAD] * 3


def test_one_line_of_the_head_at_the_end_is_no_repeated_head() -> None:
    paragraphs = [Paragraph(text) for text in [COURT, CITATION, "[1] They met.", COURT]]
    assert find_repeated_head(paragraphs, 2) == 4
