"""Reading: what is taken, and what is refused with which words."""

from __future__ import annotations

import io
import struct
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import docx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aef.corpus_tools.document import BODY, HEAD
from aef.corpus_tools.docx import package as docx_package
from aef.corpus_tools.edits import apply_edits
from aef.corpus_tools.formats import plain_text
from aef.corpus_tools.rulings.readers import FORMATS, open_source, read, read_folder
from aef.errors import InputError

OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def docx_bytes(*paragraphs: str) -> bytes:
    document = docx.Document()
    for paragraph in paragraphs:
        document.add_paragraph(paragraph)
    stream = io.BytesIO()
    document.save(stream)
    return stream.getvalue()


def zip_bytes(**members: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return stream.getvalue()


def with_member(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """A package with one member changed, or added."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as new:
        for entry in old.infolist():
            content = old.read(entry)
            new.writestr(entry.filename, change(content) if entry.filename == name else content)
        if name not in old.namelist():
            new.writestr(name, change(b""))
    return stream.getvalue()


def encrypted_entry(data: bytes) -> bytes:
    """The archive's directory says that an entry is encrypted."""
    start = data.index(b"PK\x01\x02")
    return data[: start + 8] + struct.pack("<H", 1) + data[start + 10 :]


RULING = docx_bytes("[1] The parties met.")
DOCTYPE = b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]>'
REFUSED = [
    ("empty text", "a.txt", b"", "is empty"),
    ("white space alone", "a.txt", b" \r\n\t\n", "no text"),
    ("byte order mark alone", "a.txt", b"\xef\xbb\xbf", "no text"),
    ("binary with NUL bytes", "a.txt", b"text\0\0\0", "is binary"),
    ("binary without NUL bytes", "a.txt", bytes(range(1, 256)), "is binary"),
    ("no encoding fits", "a.txt", "日本語の文書です。これは長い文です。".encode("shift_jis"), "is not UTF-8"),
    ("UTF-16 cut in a character", "a.txt", "ab".encode("utf-16") + b"\0", "is not UTF-8"),
    ("a PDF named text", "a.txt", b"%PDF-1.7 text", "is a PDF"),
    ("a DOCX named text", "a.txt", RULING, "is a ZIP archive"),
    ("RTF named text", "a.txt", b"{\\rtf1 text}", "is RTF"),
    ("old Word named text", "a.txt", OLE + b"text", "Save it as DOCX"),
    ("old Word", "a.doc", OLE, "Save it as DOCX"),
    ("old Word named DOCX", "a.docx", OLE + b"WordDocument", "Word 97-2003"),
    ("encrypted DOCX", "a.docx", OLE + "EncryptedPackage".encode("utf-16-le"), "is encrypted"),
    ("encrypted entries", "a.docx", encrypted_entry(RULING), "is encrypted"),
    ("empty DOCX", "a.docx", b"", "is empty"),
    ("text named DOCX", "a.docx", b"The parties met.", "is no DOCX"),
    ("a ZIP that is no DOCX", "a.docx", zip_bytes(**{"a.txt": b"text"}), "is no DOCX"),
    ("a truncated DOCX", "a.docx", RULING[: len(RULING) // 2], "damaged or cut off"),
    ("a DOCX with a damaged part", "a.docx", RULING[:200] + b"\0" * 40 + RULING[240:], "damaged or cut off"),
    ("XML that is none", "a.docx", with_member(RULING, "word/document.xml", lambda x: x[:-20]), "damaged or cut off"),
    (
        "entities",
        "a.docx",
        with_member(RULING, "word/document.xml", lambda x: DOCTYPE + x[55:]),
        "declares a document type",
    ),
    (
        "a document type in another encoding",
        "a.docx",
        with_member(RULING, "word/x.xml", lambda _: "<!DOCTYPE a><a/>".encode("utf-16")),
        "declares a document type",
    ),
    ("an archive bomb", "a.docx", with_member(RULING, "word/x.xml", lambda _: bytes(5_000_000)), "archive bomb"),
    ("a DOCX without text", "a.docx", docx_bytes("", " "), "holds no text"),
    ("no supported suffix", "a.wps", b"text", "no supported format"),
]


@pytest.mark.parametrize(("reason", "name", "data", "message"), REFUSED, ids=[c[0] for c in REFUSED])
def test_refused(tmp_path: Path, reason: str, name: str, data: bytes, message: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(InputError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)
    assert path.read_bytes() == data


def test_no_such_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read(tmp_path / "missing.docx")
    with pytest.raises(InputError, match="is a folder"):
        read(tmp_path)


def test_limits_are_checked_before_unpacking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.docx"
    path.write_bytes(RULING)
    unpacked: list[str] = []
    monkeypatch.setattr(zipfile.ZipFile, "read", lambda self, entry, pwd=None: unpacked.append(str(entry)))
    for limit, value in [("MAX_BYTES", 1000), ("MAX_ENTRIES", 3)]:
        with monkeypatch.context() as patch:
            patch.setattr(docx_package, limit, value)
            with pytest.raises(InputError, match="unpacks to more than"):
                read(path)
    monkeypatch.setattr(plain_text, "MAX_BYTES", 10)
    (tmp_path / "a.txt").write_text("A text of more than ten bytes.")
    with pytest.raises(InputError, match="too large"):
        read(tmp_path / "a.txt")
    assert not unpacked


ENCODED = [
    ("UTF-8", "Müller’s café", "utf-8"),
    ("UTF-8 with byte order mark", "Müller’s café", "utf-8-sig"),
    ("UTF-16 with byte order mark", "Müller’s café", "utf-16"),
    ("Western Windows", "Ms. Müller’s “café” in Québec – où elle était née.", "cp1252"),
    ("old Macintosh", "La requérante a été entendue à Québec par la juge Lévesque.", "mac_roman"),
]


@pytest.mark.parametrize(("reason", "text", "encoding"), ENCODED, ids=[c[0] for c in ENCODED])
def test_encodings_are_read_and_written_back(tmp_path: Path, reason: str, text: str, encoding: str) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode(encoding))
    assert read(path).text == text
    assert open_source(path).rewritten([]) == text.encode(encoding)


def test_a_character_outside_the_files_encoding_makes_it_utf8(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes("Mr. Müller left the café.".encode("cp1252"))
    assert open_source(path).rewritten([(4, 10, "Ж.")]).decode("utf-8") == "Mr. Ж. left the café."


@example("\xa0")  # white space alone, whose bytes are also letters of a code page
@given(st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]) | st.sampled_from("\r\n\t")))
def test_text_is_untouched(text: str) -> None:
    data = text.encode("utf-8")
    try:
        opened = FORMATS[".txt"](data, "a.txt")
    except InputError:
        assert not text.strip("\ufeff").strip() or data.startswith((b"%PDF", b"PK", b"{\\rtf"))
        return
    document = opened.document()
    assert opened.rewritten([]) == data
    assert document.text == text.removeprefix("\ufeff")
    assert all(document.text[b.start : b.end].strip() for b in document.blocks)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_line_ends_are_kept_and_part_paragraphs(tmp_path: Path, newline: str) -> None:
    text = newline.join(["Green v. Millar", "Registry: Vancouver", "[1] The parties met.", ""])
    path = tmp_path / "a.txt"
    path.write_bytes(text.encode())
    document = read(path)
    assert document.text == text
    assert [document.text[b.start : b.end].strip() for b in document.blocks] == text.split(newline)[:3]
    assert [b.part for b in document.blocks] == [HEAD, HEAD, BODY]
    assert open_source(path).rewritten([(0, 5, "J.G.")]) == text.replace("Green", "J.G.").encode()


def test_names_and_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "Ruling 1.TXT").write_text("The parties met.")
    document = read(tmp_path / "Ruling 1.TXT")
    assert (document.doc_id, document.meta) == ("Ruling 1", {"source": "Ruling 1.TXT"})
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("É lui.".encode())))
    document = read("-")
    assert (document.text, document.doc_id) == ("É lui.", "stdin")


def test_read_folder(tmp_path: Path) -> None:
    for name in ["b.docx", "a.txt", ".hidden.txt", "~$b.docx", "notes.pdf", "b.pdf", "C.DOCX"]:
        (tmp_path / name).touch()
    (tmp_path / "folder.txt").mkdir()
    assert [p.name for p in read_folder(tmp_path)] == ["C.DOCX", "a.txt", "b.docx", "notes.pdf"]
    for path in [tmp_path / "a.txt", tmp_path / "missing"]:
        with pytest.raises(InputError, match="folder"):
            read_folder(path)


EDITS = [
    ("overlap", [(0, 5, "a"), (4, 6, "b")]),
    ("outside the text", [(0, 99, "a")]),
    ("before the text", [(-1, 2, "a")]),
    ("turned round", [(3, 1, "a")]),
]


@pytest.mark.parametrize(("reason", "edits"), EDITS, ids=[c[0] for c in EDITS])
def test_edits_that_cannot_be(reason: str, edits: list[tuple[int, int, str]]) -> None:
    with pytest.raises(ValueError, match="edit"):
        apply_edits("The parties met.", edits)


def test_edits_in_any_order() -> None:
    assert apply_edits("Green met Millar.", [(10, 16, "D.M."), (0, 5, "J.G."), (5, 5, "!")]) == "J.G.! met D.M.."
