"""Hand-written rulings as Word files with a hidden name in odd shapes: a reader who looks for it finds none."""

from __future__ import annotations

import html
import io
import re
import unicodedata
import zipfile
from pathlib import Path

import docx
import pytest
from docx.oxml import parse_xml

from aef.anonymization import anonymize
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.corpus_tools.rulings.readers import read
from aef.experiments.docx_layout import moved, write_docx
from aef.names.parts import name_words

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
SHAPES = (
    "{given}.{surname}@example.org and {GIVEN}_{SURNAME}@example.org",
    "www.example.org/~{given}{surname}/cv",
    "{Given}_{Surname}_statement.docx, {given}-{surname}.PDF",
    "{Given}{Surname} and {Given}.{Surname}",
    "{full}, {FULL}, “{full}”, {full}’s, ({full})",
    "{Given}\u00a0{Surname}; {Given}  {Surname}; {Given} {half}\u00ad{rest}",
    "{Given} {half}- {rest}",
)


def shapes(name: str) -> list[str]:
    words = name_words(name)
    given, surname = words[0], words[-1]
    values = {"given": given.lower(), "Given": given, "GIVEN": given.upper(), "surname": surname.lower(), "full": name}
    values |= {"Surname": surname, "SURNAME": surname.upper(), "FULL": name.upper()}
    return [shape.format(**values, half=surname[:3], rest=surname[3:]) for shape in SHAPES]


def hostile(gold: Document, name: str, path: Path) -> None:
    """The ruling with the name in odd shapes in its text, and in comments, tracked changes, a footer, properties."""
    write_docx(gold, path)
    document = docx.Document(str(path))
    paragraphs = [document.add_paragraph(f"[90] {shape}.") for shape in shapes(name)]
    document.sections[0].footer.paragraphs[0].add_run(f" {name.upper()} / {shapes(name)[0]}")
    document.add_comment(paragraphs[0].runs, f"Ask {name}.", author=name, initials="AB")
    for tag, text in (("ins", "t"), ("del", "delText")):
        change = f'<w:{tag} {W} w:id="91" w:author="{name}"><w:r><w:{text}>{name}</w:{text}></w:r></w:{tag}>'
        document.add_paragraph("[91] ")._p.append(parse_xml(change))
    document.core_properties.author = document.core_properties.title = name
    document.core_properties.keywords = shapes(name)[2]
    document.save(str(path))


def letters(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFKD", text).casefold() if c.isalnum())


@pytest.mark.parametrize("style", ["canadian_family", "indian", "irish"])
def test_no_shape_of_the_name_is_left(style: str, tmp_path: Path) -> None:
    gold = handwritten.rulings(style, half="open")[0]
    name = next(m.extra["name"] for m in gold.mentions if m.entity_type == "PERSON" and m.masked)
    hostile(gold, name, tmp_path / "in.docx")
    ruling = read(tmp_path / "in.docx")
    mentions = moved(gold, ruling)
    result = anonymize(tmp_path / "in.docx", mentions=mentions, include=[name])
    assert result.remaining == []
    words = name_words(name)
    sought = {letters(name), letters(words[0] + words[-1])}
    with zipfile.ZipFile(io.BytesIO(result.content)) as archive:
        for entry in archive.namelist():
            text = html.unescape(re.sub(r"<[^>]*>", "", archive.read(entry).decode("utf-8", "replace")))
            assert not [s for s in sought if s in letters(text)], entry
