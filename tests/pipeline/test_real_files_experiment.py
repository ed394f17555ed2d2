"""Who is left in a Word file of a judgment: the study's own search, which shares nothing with the verification."""

from __future__ import annotations

import io

import docx
import pytest

from aef.corpus_tools.document import Document, Mention
from aef.experiments.real_files import File, forms, left, total

TEXT = "Anna Roe and Bo May met Judge Lee. Roe left, may she rest; May and Lee stayed. Lee Ash is a child."
MARKS = [
    ("Anna Roe", "roe", "party", True),
    ("Roe left", "roe", "party", True),
    ("Bo May", "may", "party", True),
    ("May and", "may", "party", True),
    ("Lee.", "lee", "judge", False),
    ("Lee Ash", "ash", "child", True),
]


@pytest.fixture
def judgment() -> Document:
    found = []
    for words, key, role, hide in MARKS:
        name = words.removesuffix(" left").removesuffix(" and").rstrip(".")
        start, masked = TEXT.index(words), "DIRECT" if hide else "NO_MASK"
        found.append(Mention(start, start + len(name), "PERSON", masked, key, extra={"role": role}))
    return Document.from_text(TEXT, "d", found)


def test_a_single_word_counts_where_it_tells_of_nobody_else(judgment: Document) -> None:
    found = forms(judgment)
    assert found["roe"] == {("Anna", "Roe"), ("Roe",)}
    assert found["may"] == {("Bo", "May")}, "'may' is a word of the text, too"
    assert found["ash"] == {("Lee", "Ash")} and "lee" not in found


def _file(*paragraphs: str, header: str = "", runs: tuple[str, ...] = (), about: str = "") -> bytes:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    added = document.add_paragraph()
    for run in runs:
        added.add_run(run)
    document.sections[0].header.paragraphs[0].text = header
    document.core_properties.title = about
    content = io.BytesIO()
    document.save(content)
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "parts", "why"),
    [
        (_file("A.R. met B.M."), [], "nobody"),
        (_file("Judge Lee may sit"), [], "who stays, and an ordinary word"),
        (_file(runs=("An", "na R", "oe")), [("word/document.xml",)], "a name in three runs"),
        (_file("Anna", "Bo May"), [("word/document.xml",)], "a name that ends one paragraph begins no other"),
        (_file(header="Roe"), [("word/header1.xml",)], "the page header"),
        (_file(about="Lee Ash"), [("docProps/core.xml",)], "the properties of the file"),
        (_file("Roe and Ash"), [("word/document.xml",)], "one of two: a surname that is marked nowhere alone is none"),
    ],
)
def test_who_is_left_is_found_in_every_part(
    judgment: Document, content: bytes, parts: list[tuple[str, ...]], why: str
) -> None:
    assert list(left(judgment, content)) == parts, why


def test_the_row_of_all_adds_up() -> None:
    files = [File("a", 100, 3, 0.5, "", 2, (("word/document.xml",),)), File("b", 300, 1, 1.5), File("c", refused="no")]
    assert total(files) == ["all 3", 400, 4, 2.0, 200.0, 1, 2, 1, ""]
