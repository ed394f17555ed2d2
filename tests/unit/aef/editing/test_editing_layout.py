"""How a ruling looks on the page: headings, numbers, tables, bold and italics, and that none of it changes the text."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.document import Document
from aef.corpus_tools.html.text import HtmlText
from aef.editing.docx_numbers import written
from aef.editing.html_layout import html_looks
from aef.editing.layout import PLAIN, Look, joined, layout
from aef.editing.session import Session
from aef.editing.web.view import paragraphs

docx = pytest.importorskip("docx")


class NoNames:
    """Finds nothing."""

    def tag(self, document: Document) -> Document:
        return document.with_mentions(())


def looks_of(path: Path) -> dict[str, Look]:
    session = Session(path, NoNames())
    return {
        session.document.text[block.start : block.end]: look
        for block, look in zip(session.document.blocks, session.looks, strict=True)
    }


def html(body: str) -> dict[str, Look]:
    source = HtmlText(body)
    return dict(zip(source.text.split("\n"), html_looks(source), strict=True))


# --- DOCX -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def ruling(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Look]:
    made = docx.Document()
    made.add_heading("JUDGMENT", 0)
    made.add_heading("The facts", 2)
    mixed = made.add_paragraph("Plain, ")
    mixed.add_run("bold").bold = True
    mixed.add_run(" and ")
    both = mixed.add_run("bo\u00adth")
    both.bold = both.italic = True
    made.add_paragraph("First point", style="List Number")
    made.add_paragraph("Second point", style="List Number")
    made.add_paragraph("A thing", style="List Bullet")
    centred = made.add_paragraph("In the middle")
    centred.alignment = 1
    made.add_paragraph("Set in", style="Normal").paragraph_format.left_indent = docx.shared.Inches(1)
    table = made.add_table(2, 2)
    for row in range(2):
        for column in range(2):
            table.cell(row, column).text = f"cell {row} {column}"
    made.add_table(1, 1).cell(0, 0).text = "another table"
    unbold = made.styles.add_style("Strong words", 2)
    unbold.font.bold = True
    made.add_paragraph().add_run("by style", style="Strong words")
    made.add_paragraph("Quoted", style="Intense Quote")
    made.sections[0].header.paragraphs[0].text = "Head of the page"
    path = tmp_path_factory.mktemp("docx") / "ruling.docx"
    made.save(str(path))
    return looks_of(path)


@pytest.mark.parametrize(
    ("words", "look"),
    [
        ("JUDGMENT", {"level": 1}),
        ("The facts", {"level": 2}),
        ("First point", {"number": "1."}),
        ("Second point", {"number": "2."}),
        ("A thing", {"number": "•"}),
        ("In the middle", {"align": "center"}),
        ("Set in", {"indent": 2}),
        ("cell 0 1", {"cell": (0, 0, 1)}),
        ("cell 1 0", {"cell": (0, 1, 0)}),
        ("another table", {"cell": (1, 0, 0)}),
        ("by style", {"runs": ((0, 8, "b"),)}),
        ("Plain, bold and both", {"runs": ((7, 11, "b"), (16, 20, "bi"))}),
        ("Head of the page", {"level": 0, "cell": None}),
        ("Quoted", {"runs": ((0, 6, "bi"),)}),
    ],
)
def test_the_look_of_a_word_document(ruling: dict[str, Look], words: str, look: dict[str, Any]) -> None:
    found = ruling[words]
    assert {name: getattr(found, name) for name in look} == look


@pytest.mark.parametrize(
    ("number", "form", "shown"),
    [
        (1, "decimal", "1"),
        (27, "upperLetter", "AA"),
        (1999, "upperRoman", "MCMXCIX"),
        (3, "ordinal", "3"),
        (0, "lowerRoman", "0"),
    ],
)
def test_numbers_of_lists(number: int, form: str, shown: str) -> None:
    assert written(number, form) == shown


# --- HTML -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "body", "words", "look"),
    [
        ("a heading", "<h2>Facts</h2><p>x</p>", "Facts", Look(level=2)),
        ("behind a heading", "<h2>Facts</h2><p>x</p>", "x", PLAIN),
        ("bold", "<p>a <b>b</b> c</p>", "a b c", Look(runs=((2, 3, "b"),))),
        ("both", "<p><strong><em>b</em></strong></p>", "b", Look(runs=((0, 1, "bi"),))),
        ("by a style attribute", '<p><span style="font-weight: bold">b</span></p>', "b", Look(runs=((0, 1, "b"),))),
        ("a reference", "<p><i>a &amp; b</i></p>", "a & b", Look(runs=((0, 5, "i"),))),
        ("a numbered item", "<ol><li>a<li>b</ol>", "b", Look(number="2.", indent=1)),
        ("an item's second paragraph", "<ol><li><p>a<p>b</ol>", "b", Look(indent=1)),
        ("a point", "<ul><li>a</ul>", "a", Look(number="•", indent=1)),
        ("a list in a list", "<ol><li>a<ol><li>b</ol><li>c</ol>", "c", Look(number="2.", indent=1)),
        ("centred", '<p style="text-align: center">a</p>', "a", Look(align="center")),
        ("centred of old", '<div align="center">a</div>', "a", Look(align="center")),
        ("a cell", "<table><tr><td>a<td>b<tr><td>c</table>", "b", Look(cell=(0, 0, 1))),
        ("a row without ends", "<table><tr><td>a<td>b<tr><td>c</table>", "c", Look(cell=(0, 1, 0))),
        ("a head of a table", "<table><tr><th>a</table>", "a", Look(cell=(0, 0, 0), runs=((0, 1, "b"),))),
        (
            "behind a table in a table",
            "<table><tr><td><table><tr><td>a</table><td>b</table>",
            "b",
            Look(cell=(0, 0, 1)),
        ),
        (
            "a page arranged by a table",
            f"<table><tr><td>{''.join(f'<p>p{i}' for i in range(9))}</table>",
            "p3",
            PLAIN,
        ),
        ("a stray end", "<p>a</b> b</p>", "a b", PLAIN),
        ("a quotation", "<blockquote>a</blockquote>", "a", Look(indent=1)),
    ],
)
def test_the_look_of_a_page(reason: str, body: str, words: str, look: Look) -> None:
    assert html(body)[words] == look, reason


TAGS = "<b> </b> <i> </i> <p> <li> <ol> </ol> <table> <tr> <td> </table> <h2> </h2> <br> words &amp; Zoë e\u0301"
PIECES = st.lists(st.sampled_from([*TAGS.split(), " "]), max_size=30)


@given(PIECES)
def test_every_line_of_any_page_has_a_look_within_it(pieces: list[str]) -> None:
    source = HtmlText(f"<p>start</p>{''.join(pieces)}")
    lines, looks = source.text.split("\n"), html_looks(source)
    assert len(looks) == len(source.lines)
    for line, look in zip(source.lines, looks, strict=True):
        edges = [edge for low, high, _ in look.runs for edge in (low, high)]
        assert edges == sorted(edges) and all(0 <= edge <= line.length for edge in edges)
    assert lines


@given(st.lists(st.tuples(st.integers(1, 3), st.sampled_from(["", "b", "i"])), max_size=8))
def test_neighbours_of_one_kind_are_one_run(sizes: list[tuple[int, str]]) -> None:
    runs, place = [], 0
    for size, style in sizes:
        runs.append((place, place + size, style))
        place += size
    found = list(joined(runs))
    styles = [next((s for a, b, s in found if a <= i < b), "") for i in range(place)]
    assert styles == [style for size, style in sizes for _ in range(size)]
    assert all(left[1] < right[0] or left[2] != right[2] for left, right in pairwise(found))


# --- on the page ----------------------------------------------------------------------------------------------------


def test_pieces_are_parted_by_their_looks_and_are_the_text(tmp_path: Path) -> None:
    path = tmp_path / "ruling.html"
    path.write_text("<h1>A <i>v</i> B</h1><p>One <b>two &lt;b&gt;</b> three.</p>", "utf-8")
    session = Session(path, NoNames())
    heading, plain = paragraphs(session.document, session.looks)
    assert heading["level"] == 1 and "cell" not in heading
    assert [(p[2], p[5]) for p in heading["pieces"]] == [("A ", ""), ("v", "i"), (" B", "")]
    assert [(p[2], p[5]) for p in plain["pieces"]] == [("One ", ""), ("two <b>", "b"), (" three.", "")]
    assert all(session.document.text[p[0] : p[1]] == p[2] for p in plain["pieces"])


def test_plain_text_is_plain() -> None:
    document = Document.from_text("A.\n\nB.")
    assert Session(document, NoNames()).looks == [PLAIN, PLAIN]


def test_layout_of_a_text_file(tmp_path: Path) -> None:
    from aef.corpus_tools.rulings.readers import document_of, open_source

    path = tmp_path / "ruling.txt"
    path.write_text("A.\n\nB.", "utf-8")
    source = open_source(path)
    assert layout(source, document_of(source, path)) == [PLAIN, PLAIN]
