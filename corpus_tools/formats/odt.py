"""OpenDocument texts: rulings read and written back with their formatting (OASIS OpenDocument 1.3, part 3).

The package is looked over as a DOCX is (`aef.corpus_tools.docx.package`). Lines are the paragraphs and headings, text
boxes and tables included, then those of headers, footers, notes and comments. Tracked changes are accepted. What is
written holds the parts that a text needs: no thumbnail, macro, embedded object or signature.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from aef.corpus_tools.document import FOOTNOTE
from aef.corpus_tools.docx.package import checked_archive, parse_xml, undated
from aef.corpus_tools.docx.xml import local
from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.formats.registry import Edits, Line, Written
from aef.corpus_tools.metadata.pictures import blank, stripped
from aef.corpus_tools.metadata.telling import Place, Telling, place_of
from aef.errors import InputError

_MIME = "application/vnd.oasis.opendocument.text"
_XML = ("content.xml", "styles.xml", "meta.xml", "settings.xml")
_MANIFEST = "META-INF/manifest.xml"
_PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".bmp")
_FILE = "{urn:oasis:names:tc:opendocument:xmlns:manifest:1.0}"
_OFFICE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_SPAN = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}span"

_PARAGRAPHS = {"p", "h"}
_PARTS = {"note": FOOTNOTE, "annotation": "comment"} | dict.fromkeys(
    ("header", "header-left", "header-first"), "header"
) | dict.fromkeys(("footer", "footer-left", "footer-first"), "footer")  # fmt: skip
_ORDER = ("", "header", "footer", FOOTNOTE, "endnote", "comment")
_APART = {"note", "annotation", "p", "h", "frame", "g", "custom-shape", "rect", "line", "path", "polygon", "ellipse",
          "caption", "control", "script", "tracked-changes", "ruby-text"}  # fmt: skip
"""What stands in a paragraph and is not read on with it; paragraphs in it are lines of their own."""
_SIGNS = {"tab": "\t", "line-break": "\n"}
_GONE = {"tracked-changes", "change", "change-start", "change-end", "scripts", "event-listeners", "script", "object",
         "object-ole", "plugin", "applet", "floating-frame", "forms", "dde-source", "database-row-select",
         "soft-page-break"}  # fmt: skip
"""What a ruling can do without: its changes are accepted, and the rest refers to what is dropped or runs."""
_AUTHORS = {"creator", "initial-creator", "printed-by", "creator-initials", "sender-initials", "generator"}
_DATES = {"date", "creation-date", "print-date", "editing-cycles", "editing-duration", "document-statistic", "template"}
_SPACE = re.compile(r"[ \t\r\n]+")


@dataclass
class _Atom:
    """A stretch of a line: the text or the tail of an element, or an element that stands for a sign (``whole``)."""

    element: Any
    where: str
    text: str

    def put(self, text: str) -> None:
        if self.where == "whole":
            self.element.tag, tail = _SPAN, self.element.tail
            self.element.attrib.clear()
            self.element.text, self.element.tail = text, tail
        else:
            setattr(self.element, self.where, text)


@dataclass
class _Paragraph:
    element: Any
    part: str
    numbered: bool = False
    atoms: list[_Atom] = field(default_factory=list)

    @property
    def line(self) -> Line:
        table = any(local(e.tag) == "table-cell" for e in self.element.iterancestors())
        return Line("".join(atom.text for atom in self.atoms), self.part, self.numbered, table)

    def rewrite(self, edits: Sequence[Replacement]) -> None:
        """New text stands where the first character was that it replaces."""
        start = 0
        for atom in self.atoms:
            end = start + len(atom.text)
            own = [
                (max(low, start) - start, min(high, end) - start, new if low >= start else "")
                for low, high, new in edits
                if low < end and high > start
            ]
            if own:
                atom.put(apply_edits(atom.text, own))
            start = end


class _Package:
    """The parts of a text that are kept, parsed."""

    def __init__(self, data: bytes, name: str) -> None:
        with checked_archive(data, name, "ODT") as archive:
            names = archive.namelist()
            if "content.xml" not in names or _MANIFEST not in names:
                raise _no_text(name)
            if "mimetype" in names and archive.read("mimetype").strip() not in (_MIME.encode(), b""):
                raise _no_text(name)
            self.manifest = parse_xml(archive.read(_MANIFEST))
            if any(local(e.tag) == "encryption-data" for e in self.manifest.iter(etree.Element)):
                raise InputError.at(name, "is encrypted", remedy="Save it without a password")
            self.roots = {part: parse_xml(archive.read(part)) for part in _XML if part in names}
            self.pictures = {
                part: archive.read(part)
                for part in names
                if part.startswith("Pictures/") and part.lower().endswith(_PICTURES)
            }
            self.others = [part for part in names if part not in self.kept() and not part.endswith("/")]
        if next(self.roots["content.xml"].iter(_OFFICE + "text"), None) is None:
            raise _no_text(name)
        for root in self.roots.values():
            for element in [e for e in root.iter() if not isinstance(e.tag, str) or local(e.tag) in _GONE]:
                _take_out(element)
        self.paragraphs = sorted(self._paragraphs(), key=lambda p: _ORDER.index(p.part))

    def kept(self) -> set[str]:
        return {"mimetype", _MANIFEST, *self.roots, *self.pictures}

    def _paragraphs(self) -> Iterator[_Paragraph]:
        numbered = self._numbering()
        for part in ("content.xml", "styles.xml"):
            for element in self.roots[part].iter(etree.Element) if part in self.roots else ():
                if local(element.tag) in _PARAGRAPHS:
                    found = _Paragraph(element, _part_of(element), _is_numbered(element, numbered))
                    found.atoms = _collapsed(list(_atoms(element)))
                    if found.line.text.strip():
                        yield found

    def _numbering(self) -> set[str]:
        """The styles of lists that count."""
        elements = (e for root in self.roots.values() for e in root.iter(etree.Element))
        levels = (e for e in elements if local(e.tag) == "list-level-style-number" and _value(e, "num-format"))
        return {_value(level.getparent(), "name") for level in levels}

    def saved(self) -> bytes:
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("mimetype", _MIME, zipfile.ZIP_STORED)  # first and not packed (part 2, section 3.3)
            for name, root in self.roots.items():
                archive.writestr(name, etree.tostring(root, xml_declaration=True, encoding="UTF-8"))
            for name, picture in self.pictures.items():
                archive.writestr(name, picture)
            archive.writestr(_MANIFEST, etree.tostring(self._listed(), xml_declaration=True, encoding="UTF-8"))
        return undated(stream.getvalue())

    def _listed(self) -> Any:
        """A manifest of what there is."""
        old = {e.get(_FILE + "full-path"): e.get(_FILE + "media-type", "") for e in self.manifest.iter(etree.Element)}
        root = etree.Element(_FILE + "manifest", {_FILE + "version": "1.3"}, nsmap={"manifest": _FILE[1:-1]})
        for path in ("/", *self.roots, *self.pictures):
            kind = _MIME if path == "/" else old.get(path) or ("text/xml" if path in self.roots else "")
            etree.SubElement(root, _FILE + "file-entry", {_FILE + "full-path": path, _FILE + "media-type": kind})
        return root


def write_odt(data: bytes, name: str, edits: Edits, telling: Telling | None) -> Written:
    """The text with the edits made, in the formatting of the place each begins in; changes accepted."""
    package = _Package(data, name)
    for number, changes in edits.items():
        package.paragraphs[number].rewrite(changes)
    dropped = sorted({path.partition("/")[0] for path in package.others} - {"META-INF"})
    if telling is not None:
        _scrub(package, telling)
    return Written(package.saved(), dropped)


def read_odt(data: bytes, name: str) -> list[Line]:
    """The paragraphs of a text. Raises `InputError` for what is none, encrypted, damaged or hostile."""
    return [paragraph.line for paragraph in _Package(data, name).paragraphs]


def _no_text(name: str) -> InputError:
    return InputError.at(name, "is no OpenDocument text", remedy="Open it in a word processor and save it as ODT")


def _take_out(element: Any) -> None:
    """An element goes with all it holds; the text behind it stays, white space, too."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if element.tail and before is not None:
        before.tail = (before.tail or "") + element.tail
    elif element.tail:
        parent.text = (parent.text or "") + element.tail
    parent.remove(element)


# --- paragraphs -----------------------------------------------------------------------------------------------------


def _atoms(element: Any) -> Iterator[_Atom]:
    """What a paragraph shows, in order; what stands apart in it is left out."""
    if element.text:
        yield _Atom(element, "text", element.text)
    for child in element:
        kind = local(child.tag) if isinstance(child.tag, str) else ""
        if kind == "s":
            yield _Atom(child, "whole", " " * _count(child))
        elif kind in _SIGNS:
            yield _Atom(child, "whole", _SIGNS[kind])
        elif kind and kind not in _APART and kind not in _GONE:
            yield from _atoms(child)
        if child.tail:
            yield _Atom(child, "tail", child.tail)


def _count(element: Any) -> int:
    number = _value(element, "c")
    return min(int(number), 1000) if number.isdigit() else 1


def _collapsed(atoms: list[_Atom]) -> list[_Atom]:
    """White space as it is shown: runs are one space, none at the beginning (part 3, section 6.1.2)."""
    last = " "
    for atom in atoms:
        if atom.where != "whole":
            text = _SPACE.sub(" ", atom.text)
            atom.text = text[1:] if last == " " and text[:1] == " " else text
            atom.put(atom.text)
        last = atom.text[-1:] or last if atom.where != "whole" else "\t"
    return atoms


def _part_of(element: Any) -> str:
    for above in element.iterancestors():
        kind = local(above.tag)
        if kind == "note" and _value(above, "note-class") == "endnote":
            return "endnote"
        if kind in _PARTS:
            return _PARTS[kind]
    return ""


def _is_numbered(element: Any, counting: set[str]) -> bool:
    """Whether the paragraph begins an item of a list that counts."""
    above = element.getparent()
    if above is None or local(above.tag) != "list-item" or element is not above[0]:
        return False
    return any(_value(e, "style-name") in counting for e in above.iterancestors() if local(e.tag) == "list")


def _value(element: Any, key: str) -> str:
    """An attribute by its local name; "" without it."""
    return next((str(v) for k, v in element.attrib.items() if local(k) == key), "")


# --- beside the text ------------------------------------------------------------------------------------------------


def _scrub(package: _Package, telling: Telling) -> None:
    """Authors and dates go, whatever else tells a hidden name is replaced."""
    shown = {(id(a.element), a.where) for p in package.paragraphs for a in p.atoms}
    for part, root in package.roots.items():
        if part == "meta.xml":
            for element in [e for e in root.iter(etree.Element) if local(e.tag) in _AUTHORS | _DATES]:
                _take_out(element)
        for element in root.iter(etree.Element):
            _scrub_element(element, telling, shown, part == "meta.xml")
    package.pictures = {path: _clean(picture, telling) for path, picture in package.pictures.items()}


def _scrub_element(element: Any, telling: Telling, shown: set[tuple[int, str]], blanks: bool) -> None:
    kind = local(element.tag)
    if kind in _AUTHORS:
        element.text = ""
    for key, value in element.attrib.items():
        if telling(value, place := place_of(kind, local(key))):
            element.set(key, telling.replaced(value, place))
    for where in ("text", "tail"):
        text = getattr(element, where)
        if text and (id(element), where) not in shown and telling(text, Place.CHOSEN):
            setattr(element, where, "" if blanks else telling.replaced(text, Place.WRITTEN))


def _clean(picture: bytes, telling: Telling) -> bytes:
    """Without what is written beside the pixels; what cannot be looked into is a pixel, as what tells in them is."""
    kept = stripped(picture)
    return blank() if kept is None or telling.names.in_bytes(kept) else kept
