"""The text of an HTML ruling, with a map back into its source: what is not replaced stays as it is, byte for byte.

The text holds what a reader can see, a paragraph a line and a block: white space as browsers show it, references
resolved, soft hyphens and characters without width left out, accents composed. Behind it stand the texts in attributes
(descriptions of pictures, tips, meta data), each a block of the part ``attribute``.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from aef.corpus_tools.document import ATTRIBUTE, FOOTNOTE, Block, Document
from aef.corpus_tools.html_beside import is_text, scrubbed
from aef.corpus_tools.html_tokens import (
    BLOCKS,
    CLOSE,
    OPEN,
    SPACE,
    TEXT,
    VOID,
    Attribute,
    Piece,
    escaped,
    pieces,
    references,
)
from aef.corpus_tools.parts import RULES, Paragraph, PartRules, assign_parts
from aef.corpus_tools.plain_text import PlainText, Replacement, apply_edits, in_order
from aef.errors import InputError

MAX_DEPTH = 512
"""Elements inside one another; browsers go no deeper."""
MAX_PIECES = 5_000_000
"""Tags, comments and texts; the longest ruling has a hundredth of that."""

_NOT_STACKED = VOID | {"p", "html", "head", "body", "rb", "rt", "rp"}
"""Elements that have no end, or often none written."""
_CELLS = {"td", "th"}
_ROWS = _CELLS | {"tr"}
_SECTIONS = _ROWS | {"tbody", "thead", "tfoot", "caption", "colgroup"}
_ENDS: dict[str, tuple[set[str], set[str]]] = {
    **dict.fromkeys(_SECTIONS - _ROWS, (_SECTIONS, {"table"})),
    "tr": (_ROWS, {"table"}),
    **dict.fromkeys(_CELLS, (_CELLS, {"table"})),
    "li": ({"li"}, {"ol", "ul", "menu"}),
    **dict.fromkeys(("dt", "dd"), ({"dt", "dd"}, {"dl"})),
    **dict.fromkeys(("option", "optgroup"), ({"option"}, {"select"})),
}
"""Elements that need no end tag: what ends where the next one begins, and what they stand in."""
_READINGS = {"rt", "rp"}
_RUBY = _READINGS | {"rb", "rtc", "ruby"}
_AS_WRITTEN = {"pre", "textarea", "listing"}
_LAYOUT_CELL = 8  # a table cell of more paragraphs arranges the page, as old ones do, and is no cell of a table
_NOTE_ROLES = {"doc-footnote": FOOTNOTE, "doc-endnote": "endnote", "doc-endnotes": "endnote"}
_NOTE_IDS = {"ftn": FOOTNOTE, "edn": "endnote"}  # of Word's HTML

_DECLARED = re.compile(rb"<meta\b[^>]*?charset\s*=\s*[\"']?\s*([\w.:-]+)|^\s*<\?xml[^>]*?encoding=[\"']([\w.-]+)", re.I)
_HEAD_BYTES = 4096
_CODECS = re.compile(r"(?:windows-|cp)125\d|iso-?8859-\d+|koi8-[ru]|mac\w*|gb\w+|big5\w*|euc-\w+|shift_jis", re.I)
_AS_BROWSERS = {"iso-8859-1": "cp1252", "latin1": "cp1252", "us-ascii": "cp1252", "ascii": "cp1252"} | {
    "iso-8859-9": "cp1254", "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "macintosh": "mac_roman"
}  # fmt: skip

_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_HIDDEN = re.compile(rf"[{_INVISIBLE}]++")
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_OTHER = rf"{SPACE}&<{_INVISIBLE}{_MARKS}"
_RUNS = re.compile(
    rf"(?P<space>[{SPACE}]++)|(?P<hidden>[{_INVISIBLE}]++)|(?P<marks>[{_MARKS}]++)"
    rf"|(?P<word>[^{_OTHER}]++(?: [^{_OTHER}]++)*+)|(?P<sign>.)"
)


@dataclass(slots=True)
class _Atom:
    """Characters ``low`` to ``high`` of the source show ``text``, which begins at ``start`` of its line.

    ``plain``: the characters stand there as they are shown.
    """

    low: int
    high: int
    start: int
    text: str
    plain: bool


@dataclass(slots=True)
class _Line:
    """A paragraph, or the text of an attribute (``quote`` is then what the value stands in)."""

    atoms: list[_Atom] = field(default_factory=list)
    length: int = 0
    numbered: bool = False
    cell: int = 0
    part: str = ""
    quote: str | None = None
    last: str = " "

    @property
    def text(self) -> str:
        return "".join([atom.text for atom in self.atoms])

    def add(self, text: str, low: int, high: int, plain: bool = False) -> None:
        self.atoms.append(_Atom(low, high, self.length, text, plain))
        self.length += len(text)
        self.last = text[-1:] or self.last

    def add_space(self, low: int, high: int, sign: str = " ") -> None:
        """White space shows as one space, and not at all at the beginning of a line."""
        self.add("" if self.last in " \n" else sign, low, high, plain=sign == " " and high - low == 1)

    def add_marks(self, marks: str, low: int, high: int) -> None:
        """Accents, composed with the letter before them where there is a letter that has them."""
        last = self.atoms[-1] if self.atoms else None
        if last is None or not last.text or last.high != low:
            self.add(marks, low, high)
            return
        letter, begin = last.text[-1], last.high - 1 if last.plain else last.low
        if not last.plain and len(last.text) > 1:
            self.add(marks, low, high)
            return
        self.length -= 1
        last.text, last.high = last.text[:-1], begin
        if not last.text:
            self.atoms.pop()
        self.add(unicodedata.normalize("NFC", letter + marks), begin, high)

    def trim(self) -> None:
        """Take the space at the end away."""
        for atom in reversed(self.atoms):
            if atom.text:
                if atom.text[-1] in " \n" and len(atom.text) == 1:
                    atom.text, atom.plain = "", False
                    self.length -= 1
                return


@dataclass(slots=True)
class _Element:
    """An open element; ``cell`` and ``part`` are those of all it holds."""

    name: str
    cell: int
    part: str


class HtmlText:
    """An HTML file: its text and ``lines`` of it, and the file again with stretches of the text replaced."""

    def __init__(self, source: str, encoding: str = "utf-8", bom: bytes = b"", name: str = "document") -> None:
        self.source, self._encoding, self._bom, self._name = source, encoding, bom, name
        self.lines = _Reader(source, name).read(_limited(pieces(source, name), name))
        if not self.lines:
            raise InputError.at(name, "holds no text")
        self.text = "\n".join(line.text for line in self.lines)

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "document") -> HtmlText:
        """Decode and read a file. Raises `InputError` for what is no text, cut off, too deep, or without text."""
        plain = _decoded(data, name)
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

    def rewritten(self, edits: Iterable[Replacement], hides: Callable[[str], bool] | None = None) -> bytes:
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


def _line_edits(line: _Line, edits: Sequence[Replacement]) -> Iterator[Replacement]:
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


def _touched(atoms: Sequence[_Atom], begins: Sequence[int], start: int, end: int) -> list[int]:
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


def _covers(atom: _Atom, start: int, end: int) -> bool:
    if not atom.text:
        return start < atom.start < end
    return atom.start < end and start < atom.start + len(atom.text)


class _Reader:
    """Walks through the pieces and gathers the lines."""

    def __init__(self, source: str, name: str) -> None:
        self.source, self.name = source, name
        self.stack: list[_Element] = []
        self.lines: list[_Line] = []
        self.attributes: list[_Line] = []
        self.line = _Line()
        self.under: _Line | None = None  # the line that goes on below a reading (ruby)
        self.breaks = self.cells = 0

    def read(self, found: Iterable[Piece]) -> list[_Line]:
        """The lines, those of attributes last."""
        for piece in found:
            if piece.kind == TEXT:
                self.characters(piece.start, piece.end, piece.name == "textarea" or self.as_written())
            elif piece.kind in (OPEN, CLOSE):
                self.tag(piece)
        self.end_line()
        return self.lines + self.attributes

    def as_written(self) -> bool:
        return any(element.name in _AS_WRITTEN for element in self.stack)

    def tag(self, piece: Piece) -> None:
        if piece.name in _RUBY:
            self.end_reading()
            if piece.kind == OPEN and piece.name in _READINGS:
                self.under, self.line = self.line, _Line()
        elif piece.name == "br":
            self.breaks += 1
            if self.breaks == 2:
                self.end_line()
            elif self.breaks == 1:
                self.line.add_space(piece.start, piece.end)
        elif piece.name in BLOCKS:
            self.end_line()
        if piece.kind == CLOSE:
            self.close(piece.name)
            return
        self.open(piece)
        for a in piece.attributes:
            if is_text(piece, a, self.source):
                self.attribute(a)

    def open(self, piece: Piece) -> None:
        self.close_before(piece.name)
        if piece.name in _NOT_STACKED:
            return
        outer = self.stack[-1] if self.stack else _Element("", 0, "")
        cell = outer.cell
        if piece.name in _CELLS:
            self.cells += 1
            cell = self.cells
        self.stack.append(_Element(piece.name, cell, outer.part or _part(piece, self.source)))
        if len(self.stack) > MAX_DEPTH:
            line = self.source.count("\n", 0, piece.start) + 1
            raise InputError.at(self.name, f"has more than {MAX_DEPTH} elements inside one another: refused", line=line)

    def close_before(self, name: str) -> None:
        """End what ends where such an element begins: a row ends the row before it."""
        ended, around = _ENDS.get(name, (set(), set()))
        first = None
        for i in reversed(range(len(self.stack) if ended else 0)):
            if self.stack[i].name in around:
                break
            first = i if self.stack[i].name in ended else first
        if first is not None:
            del self.stack[first:]

    def close(self, name: str) -> None:
        for i in reversed(range(len(self.stack))):
            if self.stack[i].name == name:
                del self.stack[i:]
                return
            if self.stack[i].name in _CELLS and name not in _SECTIONS | {"table"}:
                return  # a stray end tag in a cell ends nothing outside it

    def characters(self, low: int, high: int, as_written: bool) -> None:
        position = low
        for begin, end, text in references(self.source, low, high):
            self.plain(position, begin, as_written)
            self.resolved(text, begin, end)
            position = end
        self.plain(position, high, as_written)

    def plain(self, low: int, high: int, as_written: bool) -> None:
        for match in _RUNS.finditer(self.source, low, high):
            begin, end, kind = match.start(), match.end(), match.lastgroup
            if kind != "space":
                self.breaks = 0
            if kind == "space" and as_written and (ends := _line_ends(match[0])):
                if ends > 1:
                    self.end_line()
                else:
                    self.line.add_space(begin, end, "\n")
            else:
                self.add(kind or "sign", match[0], begin, end, kind in ("word", "sign") and match[0] not in "&<")

    def resolved(self, text: str, low: int, high: int) -> None:
        """What a character reference stands for."""
        kind = "space" if text and not text.strip(SPACE) else "marks" if re.fullmatch(f"[{_MARKS}]+", text) else "sign"
        if not text or _HIDDEN.fullmatch(text):
            kind = "hidden"
        self.breaks = 0 if kind != "space" else self.breaks
        self.add(kind, text, low, high, False)

    def add(self, kind: str, text: str, low: int, high: int, plain: bool) -> None:
        if kind == "space":
            self.line.add_space(low, high)
        elif kind == "hidden":
            self.line.add("", low, high)
        elif kind == "marks":
            self.line.add_marks(text, low, high)
        else:
            self.line.add(text, low, high, plain)

    def end_reading(self) -> None:
        """A reading above the line ends, and the line goes on."""
        if self.under is not None:
            below, self.under = self.under, None
            self.end_line()
            self.line = below

    def end_line(self) -> None:
        self.end_reading()
        line, self.line = self.line, _Line()
        line.trim()
        if line.text.strip():
            inner = self.stack[-1] if self.stack else _Element("", 0, "")
            lists = [e.name for e in self.stack if e.name in ("ol", "ul", "li")]
            line.cell, line.part, line.numbered = inner.cell, inner.part, lists[-2:] == ["ol", "li"]
            self.lines.append(line)

    def attribute(self, a: Attribute) -> None:
        kept, self.line = self.line, _Line(part=ATTRIBUTE, quote=a.quote)
        position = a.low
        for begin, end, text in references(self.source, a.low, a.high, attribute=True):
            self.plain(position, begin, False)
            self.resolved(text, begin, end)
            position = end
        self.plain(position, a.high, False)
        line, self.line = self.line, kept
        line.trim()
        if line.text.strip():
            self.attributes.append(line)


def _limited(found: Iterable[Piece], name: str) -> Iterator[Piece]:
    for number, piece in enumerate(found):
        if number >= MAX_PIECES:
            raise InputError.at(name, f"has more than {MAX_PIECES} tags and texts: refused")
        yield piece


def _line_ends(space: str) -> int:
    return len(space.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1


def _part(piece: Piece, source: str) -> str:
    """The part of the ruling an element says it is; empty where it does not."""
    if piece.name == "footer":
        return "footer"
    values = {a.name: source[a.low : a.high] for a in piece.attributes if a.name in ("role", "id")}
    word = re.fullmatch(r"(ftn|edn)\d+", values.get("id", "")) if piece.name == "div" else None
    return _NOTE_IDS[word[1]] if word else _NOTE_ROLES.get(values.get("role", "").lower(), "")


# --- encodings ------------------------------------------------------------------------------------------------------


def _decoded(data: bytes, name: str) -> PlainText:
    """The file in the encoding of its byte order mark, in UTF-8, in the one it declares, or in the likeliest one."""
    codec = _declared(data)
    if codec is None and b"\0" not in data and _is_damaged_utf8(data):
        raise InputError.at(name, "is UTF-8 with damaged characters in it", remedy="Repair them, or save it anew")
    if codec is None or b"\0" in data or _is_utf8(data):
        return PlainText.from_bytes(data, name)
    try:
        return PlainText(data.decode(codec), codec)
    except UnicodeDecodeError as error:
        raise InputError.at(name, f"is not in the encoding it declares ({codec})", remedy="Save it as UTF-8") from error


def _declared(data: bytes) -> str | None:
    match = _DECLARED.search(data[:_HEAD_BYTES])
    label = (match[1] or match[2]).decode("ascii", "replace").lower() if match else ""
    label = _AS_BROWSERS.get(label, label)
    return label if _CODECS.fullmatch(label) and _is_known(label) else None


def _is_known(label: str) -> bool:
    try:
        b"".decode(label)
    except LookupError:
        return False
    return True


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether most of what is not ASCII is UTF-8, and some is not: another encoding would only seem to fit."""
    if _is_utf8(data):
        return False
    text = data.decode("utf-8", "replace")
    damaged = text.count("\ufffd")
    whole = sum(not c.isascii() for c in text) - damaged
    return whole > damaged


def _meta(encoding: str) -> dict[str, str]:
    return {} if encoding == "utf-8" else {"encoding": encoding}
