"""The text of an HTML ruling, with a map back into its source: what is not replaced stays as it is, byte for byte.

The text holds what a reader can see, a paragraph a line and a block (`aef.corpus_tools.html.lines`). Behind it stand
the texts in attributes (descriptions of pictures, tips, meta data), each a block of the part ``attribute``.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from aef.corpus_tools.document import Block, Document
from aef.corpus_tools.edits import Replacement, apply_edits, in_order
from aef.corpus_tools.html.beside import scrubbed
from aef.corpus_tools.html.encoding import decoded
from aef.corpus_tools.html.lines import Atom, Line, lines_of
from aef.corpus_tools.html.tokens import escaped
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.corpus_tools.parts import RULES, Paragraph, PartRules, assign_parts
from aef.errors import InputError

_LAYOUT_CELL = 8  # a table cell of more paragraphs arranges the page, as old ones do, and is no cell of a table


class HtmlText:
    """An HTML file: its text and ``lines`` of it, and the file again with stretches of the text replaced."""

    def __init__(self, source: str, encoding: str = "utf-8", bom: bytes = b"", name: str = "document") -> None:
        self.source, self._encoding, self._bom, self._name = source, encoding, bom, name
        self.lines = lines_of(source, name)
        if not self.lines:
            raise InputError.at(name, "holds no text")
        self.text = "\n".join(line.text for line in self.lines)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "document") -> HtmlText:
        """Decode and read a file. Raises `InputError` for what is no text, cut off, too deep, or without text."""
        plain = decoded(data, name)
        return cls(plain.text, plain.encoding, plain.bom, name)

    def document(self, doc_id: str = "", rules: PartRules = RULES) -> Document:
        """The text with its paragraphs as blocks, each in its part of the ruling."""
        cells = Counter(line.cell for line in self.lines)
        main = [line for line in self.lines if not line.part]
        paragraphs = [Paragraph(m.text, m.numbered, 0 < cells[m.cell] <= _LAYOUT_CELL and m.cell > 0) for m in main]
        parts = iter(assign_parts(paragraphs, rules))
        blocks = [
            Block(start, start + line.length, line.part or next(parts))
            for start, line in zip(self._starts(), self.lines, strict=True)
        ]
        return Document(self.text, doc_id, tuple(blocks), meta=_meta(self._encoding))

    def rewritten(self, edits: Iterable[Replacement], hides: HiddenNames | None = None) -> bytes:
        """The file's bytes with the edits made, in its own encoding (what that lacks as references).

        With ``hides``, what lies beside the text goes: comments, scripts, embedded files, the author, addresses of mail
        and telephone; and every attribute, style sheet and declaration that ``hides``. Raises `ValueError` where edits
        overlap or one reaches over a paragraph's end.
        """
        source = apply_edits(self.source, self._source_edits(in_order(edits, len(self.text))))
        if hides is not None:
            source = scrubbed(source, self._name, hides)
        return self._bom + source.encode(self._encoding, "xmlcharrefreplace")

    def _starts(self) -> Iterator[int]:
        start = 0
        for line in self.lines:
            yield start
            start += line.length + 1

    def _source_edits(self, edits: Sequence[Replacement]) -> list[Replacement]:
        starts = list(self._starts())
        grouped: dict[int, list[Replacement]] = {}
        for start, end, new in edits:
            i = bisect_left(starts, start + 1) - 1
            if end > starts[i] + self.lines[i].length:
                raise ValueError(f"edit {start}-{end} reaches over the end of a paragraph")
            grouped.setdefault(i, []).append((start - starts[i], end - starts[i], new))
        return [edit for i, local in grouped.items() for edit in _line_edits(self.lines[i], local)]


def _line_edits(line: Line, edits: Sequence[Replacement]) -> Iterator[Replacement]:
    """Edits in offsets into a line as edits of the source; the first character replaced takes the new text."""
    begins = [atom.start for atom in line.atoms]
    changes: dict[int, list[Replacement]] = {}
    for start, end, new in edits:
        touched = _touched(line.atoms, begins, start, end)
        for i in touched:
            atom = line.atoms[i]
            low, high = max(start - atom.start, 0), min(end - atom.start, len(atom.text))
            changes.setdefault(i, []).append((low, high, new if i == touched[0] else ""))
    for i, atom in enumerate(line.atoms):
        if i in changes and atom.plain:
            yield from ((atom.low + low, atom.low + high, escaped(new, line.quote)) for low, high, new in changes[i])
        elif i in changes:
            yield atom.low, atom.high, escaped(apply_edits(atom.text, changes[i]), line.quote)
        elif atom.text in ("&", "<") and atom.high - atom.low == 1:
            yield atom.low, atom.high, escaped(atom.text, line.quote)  # with new text behind it, it might be markup


def _touched(atoms: Sequence[Atom], begins: Sequence[int], start: int, end: int) -> list[int]:
    """The atoms that an edit changes: those it covers in part, and those without text between them."""
    first = max(bisect_left(begins, start + 1) - 1, 0)
    while first > 0 and atoms[first - 1].start + len(atoms[first - 1].text) > start:
        first -= 1
    last = bisect_left(begins, end)
    touched = [i for i in range(first, last) if _covers(atoms[i], start, end)]
    if touched:
        return touched
    with_text = [i for i, atom in enumerate(atoms) if atom.text and start <= atom.start + len(atom.text)]
    return with_text[:1]


def _covers(atom: Atom, start: int, end: int) -> bool:
    if not atom.text:
        return start < atom.start < end
    return atom.start < end and start < atom.start + len(atom.text)


def _meta(encoding: str) -> dict[str, str]:
    return {} if encoding == "utf-8" else {"encoding": encoding}
