"""The text of a DOCX ruling, with a map back into its XML so that replacing keeps the formatting around it.

Every paragraph that holds text is one line of the text and one block: those of the document first (tables, text boxes,
content controls, insertions included), then those of headers, footers, footnotes, endnotes and comments. A text box
that the file holds twice (DrawingML, and VML for old word processors) is one block and is changed in both.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lxml import etree

from aef.corpus_tools.document import BODY, FOOTNOTE, Block, Document
from aef.corpus_tools.docx_package import open_package, parse_xml
from aef.corpus_tools.parts import RULES, Paragraph, PartRules, assign_parts
from aef.corpus_tools.plain_text import Replacement, in_order
from aef.errors import InputError

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_STORIES = {"header": "header", "footer": "footer", "footnotes": FOOTNOTE, "endnotes": "endnote", "comments": "comment"}
"""The part of the ruling by the last word of the package part's content type, in the order of the text."""

_TEXT = {_W + "t", _MATH_TEXT}
_SIGNS = {"tab": "\t", "ptab": "\t", "br": " ", "cr": " ", "noBreakHyphen": "-", "sym": " "}
"""What stands in the text for elements that show something without being text (a soft hyphen shows nothing)."""
_SIGN_TEXT = {_W + tag: text for tag, text in _SIGNS.items()}
_NOT_SHOWN = {_W + "del", _W + "moveFrom", _W + "pPr", _W + "rPr", _W + "p"}
"""Not walked into for a paragraph's text: deletions, properties (tab stops), and paragraphs inside it."""
_ALWAYS_BLANK = {"creator", "lastModifiedBy", "Company", "Manager"}
_FREE_TEXT = {"descr", "title", "alt", "author", "tooltip", "string"}
"""Attributes that hold what somebody wrote and that nothing refers to."""
_FIXED_WORDS = {"rFonts", "font", "latin", "ea", "cs", "sym", "lsdException"}
"""Elements whose attributes hold names of fonts and styles: a person may be called Georgia or Light."""
_ALL_TEXT = etree.XPath("//text()")
_MEDIA = re.compile(
    r"image/|application/(?:x-font|vnd\.openxmlformats-officedocument\.obfuscatedFont|.*printerSettings)"
)


@dataclass(slots=True)
class _Atom:
    """An element that shows ``text``, and where that begins in its paragraph."""

    element: Any
    start: int
    text: str


@dataclass(slots=True)
class _Line:
    """A paragraph that holds text: its atoms, and those of its twin in a fallback, if it has one."""

    element: Any
    atoms: list[_Atom]
    twins: list[list[_Atom]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(atom.text for atom in self.atoms)


class DocxText:
    """A DOCX file: its text, and the file again with stretches of the text replaced."""

    def __init__(self, package: Any, name: str = "document") -> None:
        self._package = package
        self._parsed: dict[Any, Any] = {}  # the roots of parts that python-docx keeps as bytes
        self._changed: set[Any] = set()
        self._read()
        if not self.text:
            raise InputError.at(name, "holds no text", remedy="A scanned ruling has to go through OCR first")

    @classmethod
    def open(cls, path: str | Path) -> DocxText:
        """Open a file. Raises `InputError` for what is no DOCX, damaged, encrypted, hostile or without text."""
        return cls.from_bytes(Path(path).read_bytes(), str(path))

    @classmethod
    def from_bytes(cls, data: bytes, name: str = "document") -> DocxText:
        """Open the bytes of a file; ``name`` is for the errors, which are those of `open`."""
        return cls(open_package(data, name), name)

    def document(self, doc_id: str = "", rules: PartRules = RULES) -> Document:
        """The text with its paragraphs as blocks, each in its part of the ruling."""
        numbering = _numbering_styles(self._package)
        main = [_paragraph(line, numbering) for line, part in self._lines if part == BODY]
        parts = assign_parts(main, rules) + [part for _, part in self._lines[len(main) :]]
        blocks = [
            Block(start, start + len(line.text), part) for (start, line), part in zip(self._spans(), parts, strict=True)
        ]
        return Document(self.text, doc_id, tuple(blocks))

    def replace(self, edits: Iterable[Replacement]) -> None:
        """Make the edits (offsets into `text`): new text takes the formatting of the place it begins in.

        Raises `ValueError`, with nothing changed, where edits overlap or one reaches over a paragraph's end.
        """
        for line, local in self._by_line(in_order(edits, len(self.text))):
            for atoms in [line.atoms, *line.twins]:
                _rewrite(atoms, local)
        self._read()

    def save(self) -> bytes:
        """The package. Tracked deletions are gone from it, and so are links that would refill content controls."""
        for part, _, root in self._stories():
            self._changed.add(part)
            _drop_deletions(root)
            for binding in list(root.iter(_W + "dataBinding")):
                binding.getparent().remove(binding)
        for part in self._changed & self._parsed.keys():
            part._blob = etree.tostring(self._parsed[part], xml_declaration=True, encoding="UTF-8", standalone=True)
        stream = io.BytesIO()
        self._package.save(stream)
        return stream.getvalue()

    def rewritten(self, edits: Iterable[Replacement], hides: Callable[[str], bool] | None = None) -> bytes:
        """The file's bytes with the edits made; with ``hides``, its properties are blanked as well (`scrub`)."""
        self.replace(edits)
        if hides is not None:
            self.scrub(hides)
        return self.save()

    def scrub(self, hides: Callable[[str], bool]) -> None:
        """Blank what lies beside the text: author, last editor, company, manager, the preview of the first page, and
        every property, description of a picture, tip, author of a comment and target of a link that ``hides``."""
        package = self._package.part.package
        for key in [k for k, rel in package.rels.items() if rel.reltype.endswith("/thumbnail")]:
            del package.rels[key]
        for part in package.iter_parts():
            for rel in part.rels.values():
                if rel.is_external and hides(_title_case(rel.target_ref)):
                    rel._target = "about:blank"
            root = self._root(part)
            if root is not None and _scrub(root, hides, part.partname.startswith("/docProps/")):
                self._changed.add(part)

    def outside(self) -> dict[str, str]:
        """What the package holds in letters that is not in `text`, by name of the part: attributes, targets of links,
        field codes, charts, properties. Pictures and fonts are not looked into."""
        shown = {atom.element for line, _ in self._lines for atoms in [line.atoms, *line.twins] for atom in atoms}
        found = {}
        for part in self._package.part.package.iter_parts():
            targets = [_title_case(rel.target_ref) for rel in part.rels.values() if rel.is_external]
            root = self._root(part)
            pieces = list(_letters(root, shown)) if root is not None and not _is_design(part) else []
            # Joined twice: apart, and as one where a name is split over elements.
            found[part.partname.lstrip("/")] = " ".join([*targets, *pieces, "".join(pieces)])
        return found

    def unread(self) -> list[str]:
        """The names of embedded files, which nobody has looked into."""
        parts = self._package.part.package.iter_parts()
        return sorted(
            p.partname.lstrip("/") for p in parts if self._root(p) is None and not _MEDIA.match(p.content_type)
        )

    def _read(self) -> None:
        self._lines: list[tuple[_Line, str]] = []
        for _, part, root in self._stories():
            self._lines += [(line, part) for line in _lines(root)]
        self.text = "\n".join(line.text for line, _ in self._lines)

    def _stories(self) -> Iterator[tuple[Any, str, Any]]:
        """The package parts that hold text of the ruling, with the part of the ruling and the root element of each."""
        main = self._package.part
        yield main, BODY, main.element
        parts = [(part, _kind(part)) for part in main.package.iter_parts()]
        stories = [(part, kind) for part, kind in parts if kind in _STORIES]
        order = list(_STORIES)
        for part, kind in sorted(stories, key=lambda s: (order.index(s[1]), len(s[0].partname), str(s[0].partname))):
            if (root := self._root(part)) is not None:
                yield part, _STORIES[kind], root

    def _root(self, part: Any) -> Any:
        """The root element of a part, None where it is no XML."""
        if hasattr(part, "element"):
            return part.element
        if part not in self._parsed:
            self._parsed[part] = parse_xml(part.blob) if part.partname.lower().endswith(".xml") else None
        return self._parsed[part]

    def _spans(self) -> Iterator[tuple[int, _Line]]:
        start = 0
        for line, _ in self._lines:
            yield start, line
            start += len(line.text) + 1

    def _by_line(self, edits: Sequence[Replacement]) -> list[tuple[_Line, list[Replacement]]]:
        """The edits of each paragraph, in offsets into it."""
        grouped: list[tuple[_Line, list[Replacement]]] = []
        remaining = list(reversed(edits))
        for offset, line in self._spans():
            end = offset + len(line.text)
            local = []
            while remaining and remaining[-1][0] <= end:
                start, stop, new = remaining.pop()
                if stop > end:
                    raise ValueError(f"edit {start}-{stop} reaches over the end of a paragraph")
                local.append((start - offset, stop - offset, new))
            if local:
                grouped.append((line, local))
        return grouped


def _lines(root: Any) -> list[_Line]:
    """The paragraphs with text under an element, in document order; a fallback's twins joined to their originals."""
    lines: dict[Any, _Line] = {}
    for element in root.iter(_W + "p"):
        line = _Line(element, _atoms(element))
        if not line.text.strip():
            continue
        original = lines.get(_original(element))
        if original is not None and original.text == line.text:
            original.twins.append(line.atoms)
        else:
            lines[element] = line
    return list(lines.values())


def _original(paragraph: Any) -> Any:
    """The paragraph that one inside a fallback repeats: it has the same number in the preferred choice."""
    fallback = next(paragraph.iterancestors(_MC + "Fallback"), None)
    if fallback is None or (choice := fallback.getparent().find(_MC + "Choice")) is None:
        return None
    index = list(fallback.iter(_W + "p")).index(paragraph)
    return next((p for i, p in enumerate(choice.iter(_W + "p")) if i == index), None)


def _atoms(paragraph: Any) -> list[_Atom]:
    atoms: list[_Atom] = []
    start = 0
    for element in _shown(paragraph):
        text = (element.text or "") if element.tag in _TEXT else _SIGN_TEXT[element.tag]
        atoms.append(_Atom(element, start, text.replace("\n", " ").replace("\r", " ")))
        start += len(text)
    return atoms


def _shown(element: Any) -> Iterator[Any]:
    """The elements below that show text in this paragraph, in order."""
    for child in element:
        if child.tag in _TEXT or child.tag in _SIGN_TEXT:
            yield child
        elif child.tag == _MC + "AlternateContent":
            # The first alternative with text of its own in this paragraph (a symbol, say); the others repeat it.
            yield from next(filter(None, (list(_shown(alternative)) for alternative in child)), [])
        elif child.tag not in _NOT_SHOWN:
            yield from _shown(child)


def _rewrite(atoms: list[_Atom], edits: Sequence[Replacement]) -> None:
    """Make edits, in offsets into the paragraph, on the atoms they touch; the first one touched takes the new text."""
    changes: dict[int, list[Replacement]] = {}
    for start, end, new in edits:
        touched = [i for i, a in enumerate(atoms) if a.start < end and start < a.start + len(a.text)] or [
            next(i for i, a in enumerate(atoms) if start <= a.start + len(a.text))
        ]
        for i in touched:
            atom = atoms[i]
            low, high = max(start - atom.start, 0), min(end - atom.start, len(atom.text))
            changes.setdefault(i, []).append((low, high, new if i == touched[0] else ""))
    for i, local in changes.items():
        text = atoms[i].text
        for low, high, new in reversed(local):
            text = text[:low] + new + text[high:]
        _set_text(atoms[i].element, text)


def _set_text(element: Any, text: str) -> None:
    if element.tag not in _TEXT:
        sign, element = element, etree.Element(_W + "t")
        sign.getparent().replace(sign, element)
    element.text = text
    if text != text.strip():
        element.set(_SPACE, "preserve")


def _paragraph(line: _Line, numbering: frozenset[str]) -> Paragraph:
    """What the rules on parts may look at."""
    inside_table = next(line.element.iterancestors(_W + "tbl"), None) is not None
    number = line.element.find(f"{_W}pPr/{_W}numPr/{_W}numId")
    style = line.element.find(f"{_W}pPr/{_W}pStyle")
    if number is not None:
        return Paragraph(line.text, number.get(_W + "val") != "0", inside_table)
    return Paragraph(line.text, style is not None and style.get(_W + "val") in numbering, inside_table)


def _numbering_styles(package: Any) -> frozenset[str]:
    """The styles whose paragraphs Word numbers, by themselves or by the style they are based on."""
    styles = {style.get(_W + "styleId"): style for style in package.styles.element.iter(_W + "style")}
    return frozenset(name for name in styles if _numbers(name, styles))


def _numbers(name: str, styles: dict[str, Any]) -> bool:
    seen: set[str] = set()
    while name in styles and name not in seen:
        seen.add(name)
        if (number := styles[name].find(f"{_W}pPr/{_W}numPr/{_W}numId")) is not None:
            return bool(number.get(_W + "val") != "0")
        based_on = styles[name].find(_W + "basedOn")
        name = based_on.get(_W + "val") if based_on is not None else ""
    return False


def _drop_deletions(root: Any) -> None:
    """Take out text that tracked changes delete or move away; what they moved to becomes an insertion."""
    for tag in ("del", "moveFrom"):
        for element in list(root.iter(_W + tag)):
            if next(element.iter(_W + "r"), None) is not None:
                element.getparent().remove(element)
    for tag in ("moveFromRangeStart", "moveFromRangeEnd", "moveToRangeStart", "moveToRangeEnd"):
        for element in list(root.iter(_W + tag)):
            element.getparent().remove(element)
    for element in list(root.iter(_W + "moveTo")):
        element.tag = _W + "ins"


def _kind(part: Any) -> str:
    """What a package part is, by its content type: "document", "header", "footnotes", "theme" ..."""
    return str(part.content_type.rpartition("+")[0].rpartition(".")[2])


def _is_design(part: Any) -> bool:
    return _kind(part) in ("theme", "fontTable")


def _title_case(target: str) -> str:
    """A link's target with capitals, for in an address a name is written without."""
    return f"{target} {target.title()}"


def _scrub(root: Any, hides: Callable[[str], bool], properties: bool) -> bool:
    changed = False
    for element in root.iter(etree.Element):
        if (
            properties
            and not len(element)
            and element.text
            and (_local(element.tag) in _ALWAYS_BLANK or hides(element.text))
        ):
            element.text, changed = "", True
        for key, value in element.attrib.items():
            if (_local(key) in _FREE_TEXT or _local(element.tag) in ("docPr", "cNvPr")) and hides(value):
                element.set(key, "")
                changed = True
    return changed


def _letters(root: Any, shown: set[Any]) -> Iterator[str]:
    """The texts and attribute values under an element, those that the ruling's text holds left out."""
    # By XPath: python-docx gives some elements a `text` of their own that is the text of all below them.
    for text in _ALL_TEXT(root):
        if text.is_tail or text.getparent() not in shown:
            yield str(text)
    for element in root.iter(etree.Element):
        built_in = _local(element.tag) == "style" and element.get(_W + "customStyle") is None
        if _local(element.tag) not in _FIXED_WORDS and not built_in:
            yield from (f" {value} " for value in element.attrib.values())


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]
