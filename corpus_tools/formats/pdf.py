"""PDF: rulings read for tagging, alignment and learning, by pdfminer.six (extra ``pdf``). None is written.

A PDF says where characters stand, not what a paragraph is; lines that stand close are one. What is drawn, as on a
scanned page, is no text. Lines at the top and bottom of a page that come again on others are left out, and so are page
numbers.
"""

from __future__ import annotations

import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from aef.corpus_tools.formats.registry import Line, reader
from aef.errors import InputError

MAX_PAGES = 3000
MAX_BYTES = 300_000_000
"""Uncompressed, of all streams together."""
_PIECE = 1 << 16
_NUMBERED = re.compile(r"\[\d+\]|\d+[.)]\s")
_PAGE = re.compile(r"\W*(?:page\s+)?\d+(?:\s*(?:of|/)\s*\d+)?\W*", re.IGNORECASE)
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\n(?=[^\W\d_A-Z])")


@reader(".pdf")
def read_pdf(data: bytes, name: str) -> list[Line]:
    """The paragraphs. Raises `InputError` for what is no PDF, encrypted, damaged or hostile, or without the library."""
    try:
        from pdfminer.high_level import extract_pages
        from pdfminer.pdfdocument import PDFPasswordIncorrect
    except ImportError as error:
        remedy = "Install it: pip install 'aef-anonymizer[pdf]', or give the ruling's DOCX"
        raise InputError.at(name, "is a PDF, which takes pdfminer.six to read", remedy=remedy) from error
    if not data.lstrip()[:1024].startswith(b"%PDF-"):
        raise InputError.at(name, "is no PDF document")
    try:
        _check_streams(data, name)
        pages = [_texts(page) for page in extract_pages(io.BytesIO(data), maxpages=MAX_PAGES)]
    except InputError:
        raise
    except PDFPasswordIncorrect as error:
        raise InputError.at(name, "is encrypted", remedy="Save it without a password") from error
    except Exception as error:  # pdfminer has no error in common for what a damaged file raises
        raise InputError.at(name, "is damaged or cut off", remedy="Get the file again, or give its DOCX") from error
    return [Line(text, numbered=_NUMBERED.match(text) is not None) for text in _without_margins(pages)]


def _check_streams(data: bytes, name: str) -> None:
    """Raise `InputError` for streams that unpack to more than a ruling has."""
    left = MAX_BYTES
    for match in re.finditer(rb"stream\r?\n", data):
        for size in _unpacked(data, match.end()):
            left -= size
            if left < 0:
                raise InputError.at(name, f"unpacks to more than {MAX_BYTES // 1_000_000} MB: refused")


def _unpacked(data: bytes, start: int) -> Iterator[int]:
    """How much a stream unpacks to, a piece at a time; nothing where it is packed in another way, or not."""
    unpacker = zlib.decompressobj()
    for at in range(start, len(data), _PIECE):
        try:
            yield len(unpacker.decompress(data[at : at + _PIECE]))
        except zlib.error:
            return
        if unpacker.eof:
            return


def _texts(page: Any) -> list[str]:
    """The paragraphs of a page in the order of reading: what pdfminer takes for a box of text."""
    from pdfminer.layout import LTTextContainer

    boxes = [element.get_text() for element in page if isinstance(element, LTTextContainer)]
    return [text for box in boxes for text in _paragraphs(box) if text]


def _paragraphs(box: str) -> Iterator[str]:
    """The paragraphs of a box: a numbered line begins one."""
    lines = _HYPHEN.sub("", box).split("\n")
    begun: list[str] = []
    for line in lines:
        if begun and _NUMBERED.match(line.strip()):
            yield " ".join(" ".join(begun).split())
            begun = []
        begun.append(line)
    yield " ".join(" ".join(begun).split())


def _without_margins(pages: Sequence[Sequence[str]]) -> Iterator[str]:
    """The paragraphs of all pages, without page numbers and what comes again at the top or bottom of others."""
    edges = Counter(text for page in pages for text in {*page[:1], *page[-1:]})
    for page in pages:
        for number, text in enumerate(page):
            edge = number in (0, len(page) - 1)
            if not (edge and (_PAGE.fullmatch(text) or edges[text] > 2)):
                yield text
