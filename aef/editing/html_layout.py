"""How the paragraphs of an HTML ruling look: by its elements, their style attributes and their alignment."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass, field, replace

from aef.corpus_tools.html.text import HtmlText
from aef.corpus_tools.html.tokens import CLOSE, OPEN, TEXT, VOID, Piece, pieces
from aef.editing.docx_numbers import BULLET
from aef.editing.layout import BOLD, ITALIC, PLAIN, Look, Run, joined

_BOLD, _ITALIC = {"b", "strong", "th"}, {"i", "em", "cite", "dfn", "var"}
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_LISTS = {"ol", "ul", "menu"}
_SETS_IN = {*_LISTS, "blockquote", "dd"}
_ENDED_BY = {"li": {"li"}, "td": {"td", "th"}, "th": {"td", "th"}, "tr": {"td", "th", "tr"}, "p": {"p"}}
"""What an element that begins ends, where it was left open: up to the list or table it stands in."""
_WITHIN = {*_LISTS, "table"}
_WEIGHTS, _SLANTS = ("bold", "600", "700", "800", "900"), ("italic", "oblique")
_STEPS = 4
_MANY = 8
"""A table cell of more paragraphs arranges the page, as old ones do, and is no cell of a table."""


def html_looks(source: HtmlText) -> list[Look]:
    """The look of each line of the file, in order."""
    texts = list(_Reader(source.source).read())
    starts = [text.start for text in texts]
    looks = []
    for line in source.lines:
        shown = [(a, texts[i]) for a in line.atoms if a.text and (i := bisect_right(starts, a.low) - 1) >= 0]
        if not shown or line.quote is not None:
            looks.append(PLAIN)
            continue
        runs: list[Run] = [(a.start, a.start + len(a.text), text.style) for a, text in shown]
        first = shown[0][1]
        number, first.number[:] = "".join(first.number), []
        looks.append(replace(first.look, number=number, runs=tuple(joined(runs))))
    paragraphs = Counter(look.cell for look in looks)
    return [replace(look, cell=None) if look.cell and paragraphs[look.cell] > _MANY else look for look in looks]


@dataclass(frozen=True)
class _Text:
    """From where on text of the source looks so; its ``number`` is the first line's that takes it."""

    start: int
    style: str
    look: Look
    number: list[str]


@dataclass
class _Element:
    """An open element, and what text in it looks like."""

    name: str
    style: str = ""
    look: Look = PLAIN
    number: list[str] = field(default_factory=list)
    items: int = 0
    """List items, or rows, or cells, so far."""
    table: int = 0
    """Of a table, its number."""


class _Reader:
    """Walks through the source, and tells of each text what it is in."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._stack = [_Element("")]
        self._tables = 0

    def read(self) -> Iterator[_Text]:
        for piece in pieces(self._source, "document"):
            if piece.kind == TEXT:
                inner = self._stack[-1]
                yield _Text(piece.start, inner.style, inner.look, inner.number)
            elif piece.kind == OPEN and piece.name not in VOID:
                self._open(piece)
            elif piece.kind == CLOSE:
                self._close({piece.name})

    def _open(self, piece: Piece) -> None:
        if piece.name in _ENDED_BY:
            self._close(_ENDED_BY[piece.name], _WITHIN)
        outer = self._stack[-1]
        said = [a for a in piece.attributes if a.name in ("style", "align")]
        values = {a.name: self._source[a.low : a.high].lower() for a in said}
        declared = (part.partition(":") for part in values.get("style", "").split(";"))
        values |= {name.strip(): value.partition("!")[0].strip() for name, _, value in declared}
        style = self._style(outer.style, piece.name, values)
        self._stack.append(_Element(piece.name, style, outer.look, outer.number))
        self._look(self._stack[-1], outer, values)

    def _style(self, outer: str, name: str, values: dict[str, str]) -> str:
        bold = BOLD in outer or name in _BOLD or values.get("font-weight", "").startswith(_WEIGHTS)
        italic = ITALIC in outer or name in _ITALIC or values.get("font-style", "").startswith(_SLANTS)
        return BOLD * bold + ITALIC * italic

    def _look(self, made: _Element, outer: _Element, values: dict[str, str]) -> None:
        name, look = made.name, outer.look
        if name in _HEADINGS:
            look = replace(look, level=int(name[1]))
        if name in _SETS_IN:
            look = replace(look, indent=min(_STEPS, look.indent + 1))
        align = "center" if name == "center" else values.get("text-align") or values.get("align", "")
        if align in ("center", "right", "left"):
            look = replace(look, align=align if align != "left" else "")
        if name == "li":
            holder = next((e for e in reversed(self._stack[:-1]) if e.name in _LISTS), outer)
            holder.items += 1
            made.number = [f"{holder.items}." if holder.name == "ol" else BULLET]
        made.look = self._in_table(made, look)

    def _in_table(self, made: _Element, look: Look) -> Look:
        if made.name == "table":
            made.table, self._tables = self._tables, self._tables + 1
            return replace(look, cell=None)
        if made.name == "tr":
            if (table := self._around("table")) is not None:
                table.items += 1
        elif made.name in ("td", "th"):
            row, table = self._around("tr"), self._around("table")
            if row is not None and table is not None:
                row.items += 1
                return replace(look, cell=(table.table, table.items - 1, row.items - 1))
        return look

    def _around(self, name: str) -> _Element | None:
        return next((e for e in reversed(self._stack[:-1]) if e.name == name), None)

    def _close(self, names: Set[str], within: Set[str] = frozenset()) -> None:
        for i in reversed(range(1, len(self._stack))):
            if self._stack[i].name in names:
                del self._stack[i:]
                return
            if self._stack[i].name in within:
                return
