"""The lines of an HTML ruling: a walk through its pieces gathers what a reader can see, with where each of it stands.

White space is shown as browsers show it, references resolved, soft hyphens and characters without width left out,
accents composed; behind the lines of the page stand those of attributes.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from aef.corpus_tools.document import ATTRIBUTE, FOOTNOTE
from aef.corpus_tools.html.beside import is_text
from aef.corpus_tools.html.tokens import BLOCKS, CLOSE, OPEN, SPACE, TEXT, VOID, Attribute, Piece, pieces, references
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
_NOTE_ROLES = {"doc-footnote": FOOTNOTE, "doc-endnote": "endnote", "doc-endnotes": "endnote"}
_NOTE_IDS = {"ftn": FOOTNOTE, "edn": "endnote"}  # of Word's HTML

_INVISIBLE = "\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff"
_MARKS = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_OTHER = rf"{SPACE}&<{_INVISIBLE}{_MARKS}"
_RUNS = re.compile(
    rf"(?P<space>[{SPACE}]++)|(?P<hidden>[{_INVISIBLE}]++)|(?P<marks>[{_MARKS}]++)"
    rf"|(?P<word>[^{_OTHER}]++(?: [^{_OTHER}]++)*+)|(?P<sign>.)"
)


@dataclass(slots=True)
class Atom:
    """Characters ``low`` to ``high`` of the source show ``text``, which begins at ``start`` of its line.

    ``plain``: the characters stand there as they are shown.
    """

    low: int
    high: int
    start: int
    text: str
    plain: bool


@dataclass(slots=True)
class Line:
    """A paragraph, or the text of an attribute (``quote`` is then what the value stands in)."""

    atoms: list[Atom] = field(default_factory=list)
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
        self.atoms.append(Atom(low, high, self.length, text, plain))
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


def lines_of(source: str, name: str = "document") -> list[Line]:
    """The lines of a page, those of attributes last. Raises `InputError` for what is cut off, too deep or too long."""
    return _Reader(source, name).read(_limited(pieces(source, name), name))


class _Reader:
    """Walks through the pieces and gathers the lines."""

    def __init__(self, source: str, name: str) -> None:
        self.source, self.name = source, name
        self.stack: list[_Element] = []
        self.lines: list[Line] = []
        self.attributes: list[Line] = []
        self.line = Line()
        self.under: Line | None = None  # the line that goes on below a reading (ruby)
        self.breaks = self.cells = 0

    def read(self, found: Iterable[Piece]) -> list[Line]:
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
                self.under, self.line = self.line, Line()
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
        shown = _RUNS.fullmatch(text)
        told = shown.lastgroup if shown else None
        kind = told if told in ("space", "marks", "hidden") else "sign" if text else "hidden"
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
        line, self.line = self.line, Line()
        line.trim()
        if line.text.strip():
            inner = self.stack[-1] if self.stack else _Element("", 0, "")
            lists = [e.name for e in self.stack if e.name in ("ol", "ul", "li")]
            line.cell, line.part, line.numbered = inner.cell, inner.part, lists[-2:] == ["ol", "li"]
            self.lines.append(line)

    def attribute(self, a: Attribute) -> None:
        kept, self.line = self.line, Line(part=ATTRIBUTE, quote=a.quote)
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
    word, number = values.get("id", "")[:3], values.get("id", "")[3:]
    if piece.name == "div" and word in _NOTE_IDS and number.isdecimal():
        return _NOTE_IDS[word]
    return _NOTE_ROLES.get(values.get("role", "").lower(), "")
