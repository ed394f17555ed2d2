"""The formats of rulings: what opens a file, by its suffix. A new one is a function for reading and one for writing.

Both go by the paragraphs of the ruling. What is read is a `Line` each; what is to be written are the edits of each, and
`Telling`, which finds hidden names beside the text::

    def write_notes(data, name, edits, telling): ...

    @reader(".notes", write=write_notes)
    def read_notes(data, name):
        return [Line(line) for line in data.decode().splitlines()]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple, Protocol

from aef.corpus_tools.document import Block, Document
from aef.corpus_tools.edits import Replacement, in_order
from aef.corpus_tools.metadata.telling import Telling
from aef.corpus_tools.parts import RULES, Paragraph, PartRules, assign_parts
from aef.errors import InputError

if TYPE_CHECKING:
    from aef.corpus_tools.name_search.hidden_names import HiddenNames


class Source(Protocol):
    """An open file of some format: its document, and the file again with edits made in the document's text."""

    def document(self, doc_id: str = "", rules: PartRules = RULES) -> Document: ...

    def rewritten(self, edits: Iterable[Replacement], hides: HiddenNames | None = None) -> bytes:
        """The file's bytes with the edits made; with ``hides`` no hidden name beside the text, and no author."""
        ...


class Line(NamedTuple):
    """A paragraph of a file: its text, its part where that is no matter of its words ("footnote", "header" ...), and
    what tells a ruling's head from its body otherwise: whether it is numbered, whether it stands in a table."""

    text: str
    part: str = ""
    numbered: bool = False
    table: bool = False


class Written(NamedTuple):
    """The bytes of a file, and what was taken out of it since no ruling needs it or it cannot be looked into."""

    content: bytes
    dropped: Sequence[str] = ()


Edits = Mapping[int, Sequence[Replacement]]
"""By the number of the line, from 0, in offsets into it: in order, none overlapping another."""
Read = Callable[[bytes, str], Sequence[Line]]
"""From a file's bytes and its name, for errors: `InputError` for what is damaged, hostile or another format."""
Write = Callable[[bytes, str, Edits, Telling | None], Written]
"""From the same bytes to those with the edits made, and with ``Telling`` no hidden name beside the text."""

FORMATS: dict[str, Callable[[bytes, str], Source]] = {}
"""By suffix: what opens a file of these bytes; the name is for its errors."""
READ_ONLY: set[str] = set()
"""The suffixes of formats that are read and not written."""


def reader(*suffixes: str, write: Write | None = None) -> Callable[[Read], Read]:
    """Register what reads files of these suffixes (".odt"), and what writes them; without that they are only read.

    Raises `ValueError` for a suffix that is taken.

    >>> @reader(".lines")
    ... def read_lines(data, name):
    ...     return [Line(line) for line in data.decode().split("\\n")]
    >>> ".lines" in FORMATS
    True
    """

    def register(read: Read) -> Read:
        if taken := [suffix for suffix in suffixes if suffix in FORMATS]:
            raise ValueError(f"a reader of {taken[0]} is registered already")
        for suffix in suffixes:
            FORMATS[suffix] = lambda data, name: Lines(data, name, read, write)
            READ_ONLY.update([suffix] if write is None else [])
        return read

    return register


class Lines:
    """A file of a format with a function for reading and one for writing.

    ``dropped`` is what `rewritten` took out of the file.

    >>> opened = Lines(b"[1] Ms. Roe left.", "a", lambda data, name: [Line(data.decode())], None)
    >>> opened.document().words
    ['Ms.', 'Roe', 'left']
    """

    def __init__(self, data: bytes, name: str, read: Read, write: Write | None) -> None:
        self._data, self._name, self._write = data, name, write
        self._lines = read(data, name)
        self.dropped: Sequence[str] = ()
        self.text = "\n".join(line.text for line in self._lines)
        if not self.text.strip():
            raise InputError.at(name, "holds no text", remedy="A scanned ruling has to go through OCR first")

    def document(self, doc_id: str = "", rules: PartRules = RULES) -> Document:
        """The text with its paragraphs as blocks, each in its part of the ruling."""
        main = [Paragraph(line.text, line.numbered, line.table) for line in self._lines if not line.part]
        parts = iter(assign_parts(main, rules))
        spans = zip(self._starts(), self._lines, strict=True)
        blocks = [Block(start, start + len(line.text), line.part or next(parts)) for start, line in spans]
        return Document(self.text, doc_id, tuple(blocks))

    def rewritten(self, edits: Iterable[Replacement], hides: HiddenNames | None = None) -> bytes:
        """The file's bytes with the edits made, with ``hides`` no hidden name beside its text.

        Raises `InputError` for a format that is only read, `ValueError` where edits overlap or one reaches over a
        paragraph's end.
        """
        if self._write is None:
            raise InputError.at(self._name, "can be read, not written", remedy="Name an output .txt")
        telling = None if hides is None else Telling(hides)
        written = self._write(self._data, self._name, self._by_line(in_order(edits, len(self.text))), telling)
        self.dropped = written.dropped
        return written.content

    def _starts(self) -> Iterator[int]:
        return accumulate((len(line.text) + 1 for line in self._lines[:-1]), initial=0)

    def _by_line(self, edits: Sequence[Replacement]) -> Edits:
        starts = list(self._starts())
        found: dict[int, list[Replacement]] = {}
        for start, end, new in edits:
            number = bisect_right(starts, start) - 1
            if end > starts[number] + len(self._lines[number].text):
                raise ValueError(f"edit {start}-{end} reaches over the end of a paragraph")
            found.setdefault(number, []).append((start - starts[number], end - starts[number], new))
        return found
