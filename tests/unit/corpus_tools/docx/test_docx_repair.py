"""DOCX files that word processors write and python-docx does not open as they are."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import docx
import pytest
from docx.shared import Cm

from aef.anonymization import anonymize
from aef.corpus_tools.docx import package as docx_package
from aef.corpus_tools.docx import repair as docx_repair
from aef.corpus_tools.docx.text import DocxText
from aef.corpus_tools.metadata.pictures import blank
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.errors import InputError
from aef.verification.search import Sought, verify

TEXT = "Ms. Zwetkow met Mr. Roe."
NAMES = HiddenNames({"Zwetkow": "A.Z."})


def ruling() -> bytes:
    document = docx.Document()
    document.add_paragraph(TEXT)
    document.add_table(1, 1).cell(0, 0).text = "A cell."
    document.sections[0].header.paragraphs[0].text = "The court"
    document.add_picture(io.BytesIO(blank()), Cm(1))
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def repacked(change: Callable[[str, bytes], bytes], *more: tuple[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(ruling())) as old,
        zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            new.writestr(name, change(name, old.read(name)))
        for name, content in more:
            new.writestr(name, content)
    return stream.getvalue()


def replaced(old: bytes, new: bytes, *more: tuple[str, bytes]) -> bytes:
    return repacked(lambda name, content: content.replace(old, new), *more)


def strict(name: str, content: bytes) -> bytes:
    """A part as Word saves it in Strict Open XML."""
    uris = rb"http://schemas\.openxmlformats\.org/(officeDocument|wordprocessingml|drawingml)/2006/([\w/-]+)"
    content = re.sub(uris, rb"http://purl.oclc.org/ooxml/\1/\2", content)
    content = content.replace(b"/extended-properties", b"/extendedProperties")
    return content.replace(b"<w:document ", b'<w:document w:conformance="strict" ')


RELATION = (
    b'<Relationship Id="rId90" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/%s" '
    b'Target="%s"/></Relationships>'
)


def related(kind: bytes, target: bytes, *more: tuple[str, bytes]) -> bytes:
    relation = RELATION % (kind, target)
    return repacked(
        lambda name, c: c.replace(b"</Relationships>", relation) if name == "word/_rels/document.xml.rels" else c,
        *more,
    )


OPENED = [
    ("Strict Open XML", repacked(strict)),
    ("a lost picture, as Word writes it", related(b"image", b"NULL")),
    ("a lost picture above the package", related(b"image", b"../../NULL")),
    ("a footer that is not there", related(b"footer", b"footer9.xml")),
    ("a link into the document that is called inside", related(b"hyperlink", b"#_ftn1")),
    ("a part of a type that is not told", related(b"image", b"media/p.qqq", ("word/media/p.qqq", b"x"))),
    ("another letter case in a relation", replaced(b'Target="styles.xml"', b'Target="Styles.XML"')),
]


@pytest.mark.parametrize(("reason", "data"), OPENED, ids=[c[0] for c in OPENED])
def test_read_written_and_read_again(reason: str, data: bytes) -> None:
    source = DocxText.from_bytes(data, "a.docx")
    assert source.text == DocxText.from_bytes(ruling()).text, reason
    start = source.text.index("Zwetkow")
    output = source.rewritten([(start, start + 7, "A.Z.")], NAMES)
    assert DocxText.from_bytes(output).text == source.text
    assert "Ms. A.Z. met" in "\n".join(p.text for p in docx.Document(io.BytesIO(output)).paragraphs)
    assert verify(output, Sought.of(["Zwetkow"])) == []
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        assert not any(b"purl.oclc.org" in archive.read(name) for name in archive.namelist())


def test_a_file_in_order_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: Any) -> bytes:
        raise AssertionError

    monkeypatch.setattr(docx_repair, "_rewritten", never)
    assert TEXT in DocxText.from_bytes(ruling()).text


PNG_ENTRY = "word/media/image1.png"


def drawn(content: bytes) -> bytes:
    """A ruling with a drawing of Windows in the place of its picture."""
    return repacked(lambda name, c: content if name == PNG_ENTRY else c.replace(b'"image/png"', b'"image/x-emf"'))


PAPER = b"\x01\0\0\0" + b"\xff" * 5_000_000
DRAWN = [
    ("packed a thousand to one", PAPER, True),
    ("with a name drawn in UTF-16", PAPER + "Zwetkow".encode("utf-16-le") + PAPER, False),
    ("with a name in ASCII", PAPER + b"drawn by Zwetkow", False),
]


@pytest.mark.parametrize(("reason", "content", "kept"), DRAWN, ids=[c[0] for c in DRAWN])
def test_large_drawings_stay_where_they_name_nobody(reason: str, content: bytes, kept: bool) -> None:
    source = DocxText.from_bytes(drawn(content), "a.docx")
    start = source.text.index("Zwetkow")
    output = source.rewritten([(start, start + 7, "A.Z.")], NAMES)
    with zipfile.ZipFile(io.BytesIO(output)) as archive:
        media = [archive.read(name) for name in archive.namelist() if "/media/" in name]
    assert media == [content if kept else blank()], reason
    assert verify(output, Sought.of(["Zwetkow"])) == []


def test_large_drawings_are_not_held() -> None:
    package = docx_package.open_package(drawn(PAPER), "a.docx")
    parts = [part for part in package.part.package.iter_parts() if "/media/" in part.partname]
    assert [part._blob for part in parts] == [None] and parts[0].blob == PAPER


ZEROS = b"\0" * 5_000_000
BOMBS = [
    ("XML that packs too well", replaced(b"<w:body>", b"<w:body>" + b" " * 5_000_000), "MAX_BYTES", 10**9, "well"),
    ("drawings that are too much together", drawn(ZEROS), "MAX_DRAWN", 10**6, "more than"),
    ("one drawing that is too large", drawn(ZEROS), "MAX_BYTES", 4_500_000, "well"),
]


@pytest.mark.parametrize(("reason", "data", "limit", "value", "message"), BOMBS, ids=[c[0] for c in BOMBS])
def test_archive_bombs_are_refused(
    monkeypatch: pytest.MonkeyPatch, reason: str, data: bytes, limit: str, value: int, message: str
) -> None:
    monkeypatch.setattr(docx_package, limit, value)
    with pytest.raises(InputError, match=message):
        DocxText.from_bytes(data, "a.docx")


def test_a_strict_file_is_anonymized(tmp_path: Any) -> None:
    (tmp_path / "a.docx").write_bytes(repacked(strict))
    result = anonymize(tmp_path / "a.docx", tmp_path / "b.docx", mentions=[], include=["Zwetkow"])
    assert result.written and not result.remaining
