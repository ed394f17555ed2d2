"""The lines of a DOCX part: what is read as one text, and where each of its characters stands in the XML.

A line is a paragraph (also one of a chart or a diagram), the reading above a word, a text that is an attribute (of a
picture's description, of WordArt), or the code of a field. Its characters come from atoms: elements that show text.
What nobody sees (soft hyphens, zero-width spaces, the parts of a composed accent) is in the XML and not in the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lxml import etree

from aef.corpus_tools.docx.xml import MATH_TEXT, MC, SPACE, A, C, W, local, own_text, remove, set_own_text
from aef.corpus_tools.edits import Replacement
from aef.corpus_tools.name_search.folding import readable, unseen

_TEXT = {W + "t", MATH_TEXT, A + "t", C + "v"}
_SIGNS = {
    W + "tab": "\t",
    W + "ptab": "\t",
    W + "br": " ",
    W + "cr": " ",
    W + "noBreakHyphen": "-",
    W + "softHyphen": "\u00ad",
    W + "sym": " ",
    A + "br": " ",
}
"""What stands in the text for elements that show something without being text."""
_NOT_SHOWN = {W + tag for tag in ("del", "moveFrom", "pPr", "rPr", "p", "rt", "instrText")} | {A + "pPr", A + "rPr"}
"""Not walked into for a paragraph's text: properties (tab stops), paragraphs inside it, the reading above a word."""
_RUBY = W + "rt"
_STRINGS = {
    "docPr": ("title", "descr"),
    "textpath": ("string",),
    "tblCaption": (W + "val",),
    "tblDescription": (W + "val",),
}
"""Attributes that a reader sees or hears, by local name of their element."""


@dataclass(slots=True)
class Atom:
    """Where ``text`` stands: as the text of an element or as one of its attributes; where it begins in its line."""

    element: Any
    start: int
    text: str
    attribute: str | None = None


@dataclass
class Line:
    """A text with its atoms, and those of its twin in a fallback, if it has one."""

    element: Any
    atoms: list[Atom]
    twins: list[list[Atom]] = field(default_factory=list)

    @cached_property
    def raw(self) -> str:
        return "".join(atom.text for atom in self.atoms)

    @cached_property
    def _readable(self) -> tuple[str, Sequence[int]]:
        return readable(self.raw)

    @property
    def text(self) -> str:
        return self._readable[0]

    @property
    def places(self) -> Sequence[int]:
        """Of each character of `text`, and of its end, the offset into `raw`."""
        return self._readable[1]

    def rewrite(self, edits: Iterable[Replacement]) -> None:
        """Make edits, in offsets into `text`, in order and without overlap; the first atom touched takes the text."""
        local_edits = [(*self._places(start, end), new) for start, end, new in edits]
        for atoms in [self.atoms, *self.twins]:
            _rewrite(atoms, local_edits)

    def _places(self, start: int, end: int) -> tuple[int, int]:
        """A stretch of `text` in offsets into `raw`: accents belong to their letter, unseen signs behind it do not."""
        places = self.places
        if start == end:
            return places[start], places[start]
        stop = places[end]
        while stop > places[end - 1] + 1 and unseen(self.raw[stop - 1]):
            stop -= 1
        return places[start], stop


def text_lines(root: Any) -> list[Line]:
    """The lines of the ruling's text in a part, in document order; a fallback's twins joined to their originals."""
    lines: dict[Any, Line] = {}
    originals = _originals(root)
    for element in root.iter(W + "p", _RUBY):
        line = Line(element, _atoms(element))
        if not line.text.strip():
            continue
        original = lines.get(originals.get(element))
        if original is not None and original.raw == line.raw:
            original.twins.append(line.atoms)
        else:
            lines[element] = line
    return list(lines.values())


def drawn_lines(root: Any) -> list[Line]:
    """The lines of charts and diagrams, and the attributes that are read: descriptions, captions, WordArt."""
    lines = [Line(element, _atoms(element)) for element in root.iter(A + "p")]
    lines += [
        Line(v, [Atom(v, 0, own_text(v))])
        for v in root.iter(C + "v")
        if any(local(e.tag) in ("strCache", "strLit", "tx") for e in v.iterancestors())
    ]
    for element in root.iter(*(f"{{*}}{tag}" for tag in _STRINGS)):
        for name in _STRINGS[local(element.tag)]:
            lines.append(Line(element, [Atom(element, 0, element.get(name, ""), name)]))
    return [line for line in lines if line.text.strip()]


def field_codes(root: Any) -> list[Line]:
    """The codes of the fields of a part: the pieces between a field's begin and its result are one."""
    lines: list[Line] = []
    open_fields: list[Line] = []
    for element in root.iter(W + "fldChar", W + "instrText"):
        kind = element.get(W + "fldCharType")
        if kind == "begin":
            open_fields.append(Line(element, []))
            lines.append(open_fields[-1])
        elif kind == "end" and open_fields:
            open_fields.pop()
        elif element.tag == W + "instrText":
            if not open_fields:
                lines.append(Line(element, []))
            atoms = (open_fields or lines)[-1].atoms
            start = atoms[-1].start + len(atoms[-1].text) if atoms else 0
            atoms.append(Atom(element, start, own_text(element)))
    return [line for line in lines if line.atoms]


def _originals(root: Any) -> dict[Any, Any]:
    """The paragraphs inside fallbacks, and for each the one that it repeats: that of its number in the preferred
    choice."""
    found: dict[Any, Any] = {}
    for fallback in root.iter(MC + "Fallback"):
        if (holder := fallback.getparent()) is not None and (choice := holder.find(MC + "Choice")) is not None:
            repeated = list(choice.iter(W + "p"))
            repeats = list(fallback.iter(W + "p"))
            found |= dict.fromkeys(repeats) | dict(zip(repeats, repeated, strict=False))
    return found


def _atoms(paragraph: Any) -> list[Atom]:
    atoms: list[Atom] = []
    start = 0
    for element in _shown(paragraph):
        text = own_text(element) if element.tag in _TEXT else _SIGNS[element.tag]
        atoms.append(Atom(element, start, text.replace("\n", " ").replace("\r", " ")))
        start += len(text)
    return atoms


def _shown(element: Any) -> Iterator[Any]:
    """The elements below that show text in this paragraph, in order."""
    for child in element:
        if child.tag in _TEXT or child.tag in _SIGNS:
            yield child
        elif child.tag == MC + "AlternateContent":
            # The first alternative with text of its own in this paragraph (a symbol, say); the others repeat it.
            yield from next(filter(None, (list(_shown(alternative)) for alternative in child)), [])
        elif child.tag not in _NOT_SHOWN:
            yield from _shown(child)


def _rewrite(atoms: list[Atom], edits: Sequence[Replacement]) -> None:
    changes: dict[int, list[Replacement]] = {}
    first = 0
    for start, end, new in edits:
        while first + 1 < len(atoms) and atoms[first].start + len(atoms[first].text) < start:
            first += 1
        touched = list(_touched(atoms, first, start, end)) or [first]
        for i in touched:
            atom = atoms[i]
            low, high = max(start - atom.start, 0), min(end - atom.start, len(atom.text))
            changes.setdefault(i, []).append((low, high, new if i == touched[0] else ""))
    for i, local_edits in changes.items():
        text = atoms[i].text
        for low, high, new in reversed(local_edits):
            text = text[:low] + new + text[high:]
        _set_text(atoms[i], text)


def _touched(atoms: list[Atom], first: int, start: int, end: int) -> Iterator[int]:
    for i in range(first, len(atoms)):
        if atoms[i].start >= end:
            return
        if start < atoms[i].start + len(atoms[i].text):
            yield i


def _set_text(atom: Atom, text: str) -> None:
    element = atom.element
    if atom.attribute is not None:
        element.set(atom.attribute, text)
        return
    if element.tag in _SIGNS:
        if not text or element.tag.startswith(A):  # a line break in a drawing has no room for text
            remove(element)
            return
        sign, element = element, etree.Element(W + "t")
        sign.getparent().replace(sign, element)
    set_own_text(element, text)
    if text != text.strip() and element.tag.startswith(W):
        element.set(SPACE, "preserve")
