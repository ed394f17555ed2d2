"""Plain text files: decoded without loss, written back byte for byte but for what is replaced."""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from aef.corpus_tools.document import Block, Document, paragraphs
from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.parts import RULES, Paragraph, PartRules, assign_parts
from aef.errors import InputError

if TYPE_CHECKING:
    from aef.corpus_tools.name_search.hidden_names import HiddenNames

MAX_BYTES = 50_000_000
"""A ruling of text alone is never larger; what is, is no ruling."""

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CODE_PAGES = ["cp1252", "cp1250", "iso8859_2", "mac_roman", "cp850"]  # by how likely a ruling is in them
_CLEAN, _AS_CLEAN = 0.2, 0.01  # charset-normalizer's "chaos": what passes, and what is no difference
_CONTROLS = bytes([*range(1, 9), *range(0x0E, 0x1C), 0x7F])
_OTHERS = {
    b"PK\x03\x04": ("is a ZIP archive (perhaps a DOCX), not plain text", "Give it its own suffix"),
    b"%PDF": ("is a PDF, not plain text", "Save its text as UTF-8"),
    b"{\\rtf": ("is RTF, not plain text", "Save it as DOCX"),
    b"\xd0\xcf\x11\xe0": ("is a Word 97-2003 file, not plain text", "Save it as DOCX"),
}


@dataclass(frozen=True)
class PlainText:
    """A decoded text file: ``bom + text.encode(encoding)`` is the file."""

    text: str
    encoding: str = "utf-8"
    bom: bytes = b""

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "text") -> PlainText:
        """Decode a file. Raises `InputError` for what is empty, too large, binary or in no recognizable encoding."""
        _must_be_text(data, name)
        for bom, encoding in _BOMS:
            if data.startswith(bom):
                return cls._decoded(data, name, encoding, bom)
        if b"\0" in data or len(data) - len(data.translate(None, _CONTROLS)) > len(data) / 1000:
            raise InputError.at(name, "is binary, not plain text", remedy="Save the ruling as UTF-8 text or as DOCX")
        return cls._decoded(data, name, "utf-8" if is_utf8(data) else _detect(data, name))

    @classmethod
    def _decoded(cls, data: bytes, name: str, encoding: str, bom: bytes = b"") -> PlainText:
        try:
            text = data[len(bom) :].decode(encoding)
        except UnicodeDecodeError as error:
            raise _undecodable(name) from error
        if not text.strip():
            raise InputError.at(name, "holds no text: it is empty or white space alone")
        return cls(text, encoding, bom)

    def document(self, doc_id: str = "", rules: PartRules = RULES) -> Document:
        """The text untouched (line ends included), its paragraphs told apart into head and body."""
        # A file whose lines end in a carriage return alone has its paragraphs, too.
        blocks = paragraphs(self.text if "\n" in self.text else self.text.replace("\r", "\n"))
        parts = assign_parts([Paragraph(self.text[b.start : b.end]) for b in blocks], rules)
        placed = tuple(Block(b.start, b.end, part) for b, part in zip(blocks, parts, strict=True))
        return Document(self.text, doc_id, placed, meta={} if self.encoding == "utf-8" else {"encoding": self.encoding})

    def rewritten(self, edits: Iterable[Replacement], hides: HiddenNames | None = None) -> bytes:
        """The file with the edits made, in its own encoding where that has the characters, else in UTF-8."""
        text = apply_edits(self.text, edits)
        try:
            return self.bom + text.encode(self.encoding)
        except UnicodeEncodeError:
            return text.encode("utf-8")


def _must_be_text(data: bytes, name: str) -> None:
    if not data:
        raise InputError.at(name, "is empty")
    if len(data) > MAX_BYTES:
        raise InputError.at(name, f"has more than {MAX_BYTES // 1_000_000} MB: too large for a ruling")
    for magic, (problem, remedy) in _OTHERS.items():
        if data.startswith(magic):
            raise InputError.at(name, problem, remedy=remedy)


def is_utf8(data: bytes) -> bool:
    """Whether bytes are UTF-8."""
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _detect(data: bytes, name: str) -> str:
    """The likeliest code page among those in which charset-normalizer finds the text cleanest."""
    from charset_normalizer import from_bytes

    chaos = {
        page: match.chaos
        for match in from_bytes(data, cp_isolation=_CODE_PAGES)
        for page in match.could_be_from_charset
    }
    cleanest = min(chaos.values(), default=1.0)
    for page in _CODE_PAGES:
        if cleanest <= _CLEAN and chaos.get(page, 1.0) <= cleanest + _AS_CLEAN:
            return page
    raise _undecodable(name)


def _undecodable(name: str) -> InputError:
    return InputError.at(name, "is not UTF-8, and no other encoding fits it", remedy="Save it as UTF-8")
