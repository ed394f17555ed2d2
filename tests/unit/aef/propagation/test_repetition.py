"""What is hidden in one place is hidden where it stands in another shape, under the same label."""

from __future__ import annotations

import io
import re
from pathlib import Path

import docx
import pytest

from aef.anonymization import anonymize
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.docx.text import DocxText
from aef.linking.linker import CANDIDATES, extended
from aef.propagation.repetition import repeated
from aef.replacement.plan import entities

WHY = {"why": "known"}
PEOPLE = ("Ms. Anna Maria Zwetkow", "Ms. Green")


def ruling(text: str) -> Document:
    """A ruling in which Ms. Zwetkow and Ms. Green are hidden where they are named first."""
    text = f"{' and '.join(PEOPLE)} left. {text}"
    names = [name.removeprefix("Ms. ") for name in PEOPLE]
    places = [(name, text.index(name)) for name in names]
    mentions = [Mention(at, at + len(name), "PERSON", "DIRECT", name.split()[-1]) for name, at in places]
    return Document.from_text(text, "r", mentions)


# (reason, the text behind, what else is hidden, whose it is)
SHAPES = [
    ("a full name", "Anna Maria Zwetkow", "Anna Maria Zwetkow", "Zwetkow"),
    ("without the middle name", "Anna Zwetkow", "Anna Zwetkow", "Zwetkow"),
    ("in a mailbox", "to anna.zwetkow@example.org", "anna.zwetkow", "Zwetkow"),
    ("a surname in a mailbox", "to agreen@example.org", "green", "Green"),
    ("in the name of a file", "see Zwetkow_statement.pdf", "Zwetkow", "Zwetkow"),
    ("behind a title", "Mrs.Zwetkow left", "Zwetkow", "Zwetkow"),
    ("both names together", "AnnaZwetkow", "AnnaZwetkow", "Zwetkow"),
    ("broken at a line's end", "Anna Zwet- kow", "Anna Zwet- kow", "Zwetkow"),
]


@pytest.mark.parametrize(("reason", "text", "found", "whose"), SHAPES, ids=[c[0] for c in SHAPES])
def test_repeated(reason: str, text: str, found: str, whose: str) -> None:
    document = ruling(text)
    assert {(document.cut(m), m.entity_id) for m in repeated(document, entities(document), WHY)} == {(found, whose)}, (
        reason
    )


@pytest.mark.parametrize(
    "text", ["A surname alone, Zwetkow, is the model's.", "Greenwich, GreenPeace.", "a green house"]
)
def test_not_repeated(text: str) -> None:
    document = ruling(text)
    assert not list(repeated(document, entities(document), WHY))


# (reason, the text behind, what else is hidden)
INITIALS = [
    ("initials of three names", "AMZ's share", ["AMZ"]),
    ("of two names they are many things", "Ms. Bo Roe left. Ms. Bo Roe came. BR's share", []),
    ("a word that is written small, too", "AMZ's share, or amz", []),
    ("a word of courts", "Ms. Dora Nell Ives left. Ms. Dora Nell Ives came. DNI is one.", []),
    ("what stands more often than she is named", "AMZ, AMZ and AMZ", []),
    ("of two people", "Ms. Ada Mary Zorn left. Ms. Ada Mary Zorn came. AMZ stayed.", []),
]


@pytest.mark.parametrize(("reason", "text", "found"), INITIALS, ids=[c[0] for c in INITIALS])
def test_initials_of_somebody_named_more_often(reason: str, text: str, found: list[str]) -> None:
    document = ruling(f"Ms. Zwetkow left. {text}")
    first = document.mentions[-1].end
    named = re.compile("Zwetkow|Ada Mary Zorn|Dora Nell Ives|Bo Roe").finditer(document.text, first)
    further = [Mention(*name.span(), "PERSON", "DIRECT", name[0].split()[-1]) for name in named]
    document = document.with_mentions([*document.mentions, *further])
    assert [document.cut(m) for m in repeated(document, entities(document), WHY)] == found, reason


def two_greens(text: str) -> Document:
    """The ruling with a second bearer of a surname."""
    document = ruling(f"Mr. Paul Green left. {text}")
    at = document.text.index("Paul Green")
    return document.with_mentions([*document.mentions, Mention(at, at + 10, "PERSON", "DIRECT", "Paul")])


# (reason, the text behind, the entities of the further mentions, which stand for one each)
OF_SEVERAL = [
    ("one address", "green@example.org", ["person-1"]),
    ("two addresses of one name are one doubt", "green@example.org, Green_1.pdf", ["person-1", "person-1"]),
    ("who is told stays told", "paul.green@example.org, green@example.org", ["Paul", "person-1"]),
]


@pytest.mark.parametrize(("reason", "text", "whose"), OF_SEVERAL, ids=[c[0] for c in OF_SEVERAL])
def test_of_two_bearers_nobody_is_told(reason: str, text: str, whose: list[str]) -> None:
    document = two_greens(text)
    further = list(repeated(document, entities(document), WHY))
    found = extended(document, [*document.mentions, *further]).mentions[3:]
    assert [m.entity_id for m in found] == whose, reason
    assert all(m.extra.get(CANDIDATES, []) == (["Green", "Paul"] if m.entity_id != "Paul" else []) for m in found)


def test_a_doubt_there_is_already_takes_in_what_is_repeated() -> None:
    document = two_greens("Green wrote from green@example.org.")
    at = document.text.index("Green wrote")
    doubt = Mention(at, at + 5, "PERSON", "DIRECT", "either", extra={CANDIDATES: ["Green", "Paul"]})
    document = document.with_mentions([*document.mentions, doubt])
    found = extended(document, [*document.mentions, *repeated(document, entities(document), WHY)]).mentions
    assert [m.entity_id for m in found[3:]] == ["either", "either"]


def test_in_a_file_they_have_the_label(tmp_path: Path) -> None:
    source = docx.Document()
    paragraph = source.add_paragraph("Ms. Anna Zwetkow wrote from anna.zwetkow@example.org, then Zwet-")
    paragraph.runs[0].add_break()
    paragraph.add_run("kow").bold = True
    paragraph.add_run(" left with Mr.Zwetkow.")
    source.sections[0].footer.paragraphs[0].text = "ZWETKOW_1.docx"
    source.save(str(tmp_path / "in.docx"))
    result = anonymize(tmp_path / "in.docx", mentions=[Mention(4, 16, "PERSON", "DIRECT", "z")])
    assert result.remaining == []
    assert DocxText.from_bytes(result.content).text.split("\n") == [
        "Ms. A.Z. wrote from A.Z.@example.org, then A.Z. left with Mr.A.Z.",
        "A.Z._1.docx",
    ]
    assert docx.Document(io.BytesIO(result.content)).paragraphs[0].runs[-1].text == " left with Mr.A.Z."


def test_a_letter_without_its_dot_is_the_same_letter(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("Mr Bekir Altınay left. CASE OF BEKIR ALTINAY", encoding="utf-8")
    result = anonymize(tmp_path / "a.txt", mentions=[Mention(3, 16, "PERSON", "DIRECT", "a")])
    assert result.content.decode() == "Mr B.A. left. CASE OF B.A." and result.remaining == []
