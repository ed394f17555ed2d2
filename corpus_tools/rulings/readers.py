"""Rulings in: files of every supported format as documents. A new format is a function under `reader`."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from aef import plugins
from aef.corpus_tools.document import Document
from aef.corpus_tools.files import read_bytes
from aef.corpus_tools.formats import pdf
from aef.corpus_tools.formats.plain_text import PlainText
from aef.corpus_tools.formats.registry import FORMATS, READ_ONLY, Line, Lines, Source, Written, reader
from aef.corpus_tools.parts import RULES, PartRules
from aef.corpus_tools.rtf import text as rtf
from aef.errors import InputError

__all__ = [
    "FORMATS",
    "READ_ONLY",
    "REMEDIES",
    "Line",
    "Source",
    "Written",
    "document_of",
    "open_source",
    "pdf",
    "read",
    "read_folder",
    "read_text",
    "reader",
    "rtf",
]

MAX_FILE_BYTES = 200_000_000


def _docx(data: bytes, name: str) -> Source:
    from aef.corpus_tools.docx.text import DocxText  # which takes the libraries for DOCX in

    return DocxText.from_bytes(data, name)


def _odt(data: bytes, name: str) -> Source:
    from aef.corpus_tools.formats.odt import read_odt, write_odt

    return Lines(data, name, read_odt, write_odt)


def _html(data: bytes, name: str) -> Source:
    from aef.corpus_tools.html.text import HtmlText

    return HtmlText.from_bytes(data, name)


FORMATS |= {".txt": PlainText.from_bytes, ".docx": _docx, ".odt": _odt, ".html": _html, ".htm": _html}

REMEDIES = dict.fromkeys((".doc", ".docm"), "Save it as DOCX")
"""By suffix: what helps with a ruling in a format that is not read."""


def read(path: str | Path, part_rules: PartRules = RULES) -> Document:
    """A ruling from a file (``-``: UTF-8 text from standard input), its parts told apart by ``part_rules``.

    The document's name is the file's without suffix. Raises `InputError` for what is missing, damaged, empty, hostile
    or of no supported format.

    >>> from pathlib import Path
    >>> _ = Path("ruling.txt").write_text("BETWEEN:\\n\\nANNA ZWETKOW, Applicant\\n\\n[1] Ms. Zwetkow left.")
    >>> ruling = read("ruling.txt")
    >>> ruling.doc_id, ruling.words[:3], [block.part for block in ruling.blocks]
    ('ruling', ['BETWEEN', 'ANNA', 'ZWETKOW'], ['head', 'head', 'body'])
    """
    return document_of(open_source(path), path, part_rules)


def document_of(source: Source, path: str | Path, part_rules: PartRules = RULES) -> Document:
    """The document of an open file, named after its path."""
    path = Path(path)
    document = source.document("stdin" if str(path) == "-" else path.stem, part_rules)
    return replace(document, meta={**document.meta, "source": path.name})


def open_source(path: str | Path) -> Source:
    """The file opened by the reader its suffix calls for; errors as in `read`."""
    path = Path(path)
    if str(path) == "-":
        return PlainText.from_bytes(sys.stdin.buffer.read(), "standard input")
    suffix = path.suffix.lower()
    data = _bytes(path)
    if suffix not in FORMATS and suffix not in REMEDIES:
        plugins.more()
    if suffix not in FORMATS:
        known = " or ".join(sorted(FORMATS))
        raise InputError.at(
            path,
            f"has no supported format ({known})",
            remedy=REMEDIES.get(suffix, f"Save it as {known}") + plugins.troubles(),
        )
    return FORMATS[suffix](data, str(path))


def read_text(path: str | Path) -> str:
    """Any file as decoded text (a word list, say); errors as in `read`."""
    return PlainText.from_bytes(_bytes(Path(path)), str(path)).text


def read_folder(path: str | Path) -> list[Path]:
    """The supported files of a folder by name, hidden ones and Word's lock files left out, and so is what can only be
    read (PDF) where the same ruling is there in another format."""
    folder = Path(path)
    if not folder.is_dir():
        raise InputError.at(folder, "is no folder" if folder.exists() else "no such folder")
    plugins.more()
    files = [p for p in folder.iterdir() if p.suffix.lower() in FORMATS and p.is_file() and p.name[0] not in ".~"]
    written = {p.stem for p in files if p.suffix.lower() not in READ_ONLY}
    return sorted(p for p in files if p.suffix.lower() not in READ_ONLY or p.stem not in written)


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise InputError.at(path, "is a folder", remedy="Name the files in it")
    if path.is_file() and path.stat().st_size > MAX_FILE_BYTES:
        raise InputError.at(path, f"has more than {MAX_FILE_BYTES // 1_000_000} MB: too large for a ruling")
    return read_bytes(path)
