"""A review copy of a ruling in DOCX: every replacement a tracked change, for an editor to accept or reject in Word.

The copy is the publishable file with the names still in it: struck out, the labels inserted, both coloured by kind, and
a comment beside each. What the editor decides is read by `aef.corpus_tools.docx.decisions`.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from lxml import etree

from aef.corpus_tools.document import BODY, FOOTNOTE, HEAD, TABLE, Document
from aef.corpus_tools.docx.package import open_package, parse_xml, undated
from aef.corpus_tools.docx.xml import MATH_TEXT, MC, SPACE, W, local, own_text, remove, set_own_text
from aef.corpus_tools.edits import Replacement
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.errors import InputError

AUTHOR = "aef"
"""Who makes the tracked changes and comments; the kind stands behind it, so that Word colours by kind."""
MARK = "not-for-publication"
NOTICE = "REVIEW COPY – NOT FOR PUBLICATION"
BOOKMARK = "_aef_review_"
"""What the bookmarks around replacements begin with (a number follows), and those of the notice in headers."""
RECORD = "urn:aef:review"
"""The namespace of the part that says what was replaced."""
COLOURS = {"PERSON": "FFF1A7", "ORG": "C8E6FE", "LOC": "CEF2D1", "DATETIME": "FFDAC3"}
OTHER_COLOUR = "E7D8FE"

_TRACKED = {HEAD, BODY, TABLE, FOOTNOTE, "endnote", "header", "footer"}
"""Parts of a ruling where Word tracks changes."""
_STORIES = ("header", "footer", "footnotes", "endnotes")
_START, _START_END, _END, _END_END = "\ufdd0", "\ufdd1", "\ufdd2", "\ufdd3"  # characters that stand in no text
_SIGNS = frozenset((_START, _START_END, _END, _END_END))
_SIGN = re.compile(f"({_START}\\d+{_START_END}|{_END}\\d+{_END_END})")
_STORE = "{http://schemas.openxmlformats.org/officeDocument/2006/customXml}"
_PLACE = "{urn:aef:place}place"
_SHOWN = {W + tag for tag in ("t", "tab", "br", "cr", "noBreakHyphen", "softHyphen", "sym", "ptab")}
_AFTER_SHADE = {
    W + tag for tag in ("fitText", "vertAlign", "rtl", "cs", "em", "lang", "eastAsianLayout", "specVanish", "oMath")
}
"""What stands behind shading in the properties of a run."""


class Opened(Protocol):
    """An open DOCX file; see `aef.corpus_tools.formats.registry.Source`."""

    def document(self) -> Document: ...
    def rewritten(self, edits: Iterable[Replacement], hides: HiddenNames | None = None) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Change:
    """What is replaced in the text by what; ``kind`` decides the colour, ``note`` is the comment."""

    start: int
    end: int
    replacement: str
    kind: str
    note: str


def review_name(path: str | Path) -> Path:
    """The path with the mark in the file's name."""
    path = Path(path)
    return path if MARK in path.stem else path.with_name(f"{path.stem}.{MARK}{path.suffix}")


def review_copy(opened: Opened, changes: Sequence[Change], hides: HiddenNames) -> bytes:
    """The review copy's bytes; ``hides`` is what the publishable file was made with.

    Replacements where Word tracks no changes (comments, charts, formulas) are made at once. Raises `InputError` for a
    text with characters that belong to no text.
    """
    document = opened.document()
    if not _SIGNS.isdisjoint(document.text):
        raise InputError("the ruling holds characters that belong to no text (U+FDD0 to U+FDD3). Take them out first")
    edits = [edit for n, change in enumerate(changes) for edit in _edits(document, n, change)]
    return _Copy(opened.rewritten(edits, hides), document.text, changes).made()


def _edits(document: Document, number: int, change: Change) -> Iterator[Replacement]:
    """Signs at both ends of what is to be replaced, within its own first and last character: so the elements beside it
    stay untouched, and its formatting does, too."""
    part = document.part(change.start)
    start, end = f"{_START}{number}{_START_END}", f"{_END}{number}{_END_END}"
    if part not in _TRACKED or change.start == change.end:
        yield change.start, change.end, change.replacement
    elif change.end - change.start == 1:
        yield change.start, change.end, start + document.text[change.start] + end
    else:
        yield change.start, change.start + 1, start + document.text[change.start]
        yield change.end - 1, change.end, document.text[change.end - 1] + end


class ReviewPackage:
    """A DOCX package with its stories' XML in reach."""

    def __init__(self, data: bytes, name: str) -> None:
        self.docx = open_package(data, name)
        self.package = self.docx.part.package
        self.parsed: dict[Any, Any] = {}

    def stories(self) -> Iterator[tuple[Any, str]]:
        """The root element of every part with text in which changes are tracked, and what it is, the body first."""
        parts = [(part, _kind(part)) for part in self.package.iter_parts()]
        for part, kind in sorted(parts, key=lambda p: (p[0] is not self.docx.part, str(p[0].partname))):
            if part is self.docx.part or kind in _STORIES:
                yield self.root(part), kind

    def root(self, part: Any) -> Any:
        if hasattr(part, "element"):
            return part.element
        if part not in self.parsed:
            self.parsed[part] = parse_xml(part.blob)
        return self.parsed[part]

    def bytes(self) -> bytes:
        for part, root in self.parsed.items():
            part._blob = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        stream = io.BytesIO()
        self.docx.save(stream)
        return undated(stream.getvalue())


def _kind(part: Any) -> str:
    return str(part.content_type).rpartition("+")[0].rpartition(".")[2]


class _Copy:
    """The package with signs in its texts becomes the review copy."""

    def __init__(self, data: bytes, text: str, changes: Sequence[Change]) -> None:
        self.package = ReviewPackage(data, "review copy")
        self.text, self.changes = text, changes
        self.tracked: set[int] = set()
        self.commented: set[int] = set()
        _ = self.package.docx.comments  # a package without comments gets a part for them
        parts = self.package.package.iter_parts()
        self.comments = next(self.package.root(part) for part in parts if _kind(part) == "comments")
        roots = [self.comments, *(root for root, _ in self.package.stories())]
        used = (e.get(W + "id", "") for root in roots for e in root.iter(etree.Element))
        self.ids = count(max((int(i) for i in used if i.isdigit()), default=0) + 1)

    def made(self) -> bytes:
        for root, kind in list(self.package.stories()):
            self._settle_formulas(root)
            places = _places(root)
            for number in sorted({n for n, _ in places}):
                self._track(number, places.get((number, True), []), places.get((number, False), []), kind)
            for element in list(root.iter(_PLACE)):
                remove(element)
        self._comment_on_the_rest()
        self._notice()
        self._record()
        return self.package.bytes()

    def _settle_formulas(self, root: Any) -> None:
        """Where no run is, there is nothing to track: the replacement is made."""
        for element in root.iter(W + "t", MATH_TEXT):
            if element.getparent().tag != W + "r" and _SIGN.search(own_text(element)):
                set_own_text(element, self._replaced(own_text(element)))

    def _replaced(self, text: str) -> str:
        pattern = re.compile(f"{_START}(\\d+){_START_END}.*?(?:{_END}\\d+{_END_END}|$)")
        return _SIGN.sub("", pattern.sub(lambda m: self.changes[int(m[1])].replacement, text))

    def _track(self, number: int, starts: Sequence[Any], ends: Sequence[Any], kind: str) -> None:
        """Make the tracked change between two places; in a fallback, which Word writes anew, the change itself."""
        for start, end in zip(starts, ends, strict=False):
            runs = list(_between(start, end))
            if not runs:
                continue
            change = self.changes[number]
            properties = runs[0].find(W + "rPr")
            groups = self._deleted(runs, change)
            inserted = self._inserted(properties, change)
            groups[0].addnext(inserted)
            if next(inserted.iterancestors(MC + "Fallback"), None) is not None:
                for group in groups:
                    remove(group)
                _accept(inserted)
                continue
            self._bookmark(number, groups[0], inserted if len(groups) == 1 else groups[-1])
            if kind == "main" and next(inserted.iterancestors(W + "txbxContent"), None) is None:
                self.commented.add(number)
                self._comment(change, groups[0].getprevious(), inserted)
            self.tracked.add(number)

    def _comment_on_the_rest(self) -> None:
        """One comment, at the beginning, on what stands where Word has no comments: in headers, notes, text boxes."""
        rest = [change.note for n, change in enumerate(self.changes) if n not in self.commented]
        first = next(self.package.docx.element.body.iter(W + "p"), None)
        if rest and first is not None:
            run = etree.SubElement(first, W + "r")
            self._comment(
                Change(0, 0, "", "other", "\n".join(["Replaced where no comment can stand:", *rest])), run, run
            )
            remove(run)

    def _deleted(self, runs: Sequence[Any], change: Change) -> list[Any]:
        """The runs as deletions, neighbours together."""
        groups: list[Any] = []
        for run in runs:
            _shade(run, _colour(change))
            for text in run.findall(W + "t"):
                text.tag = W + "delText"
                text.set(SPACE, "preserve")
            if groups and run.getprevious() is groups[-1]:
                groups[-1].append(run)
                continue
            group = self._revision("del", change)
            run.addprevious(group)
            group.append(run)
            groups.append(group)
        return groups

    def _inserted(self, properties: Any, change: Change) -> Any:
        group = self._revision("ins", change)
        run = etree.SubElement(group, W + "r")
        if properties is not None:
            run.append(deepcopy(properties))
        _shade(run, _colour(change))
        text = etree.SubElement(run, W + "t")
        text.text = change.replacement
        text.set(SPACE, "preserve")
        return group

    def _revision(self, tag: str, change: Change) -> Any:
        author = f"{AUTHOR}: {change.kind.lower()}"
        return etree.Element(W + tag, {W + "id": str(next(self.ids)), W + "author": author})

    def _bookmark(self, number: int, first: Any, last: Any) -> None:
        mark = {W + "id": str(next(self.ids))}
        first.addprevious(etree.Element(W + "bookmarkStart", mark | {W + "name": f"{BOOKMARK}{number}"}))
        last.addnext(etree.Element(W + "bookmarkEnd", mark))

    def _comment(self, change: Change, first: Any, last: Any) -> None:
        author = f"{AUTHOR}: {change.kind.lower()}"
        mark = {W + "id": str(next(self.ids))}
        comment = etree.SubElement(self.comments, W + "comment", mark | {W + "author": author, W + "initials": AUTHOR})
        for line in change.note.split("\n"):
            text = etree.SubElement(etree.SubElement(etree.SubElement(comment, W + "p"), W + "r"), W + "t")
            text.text = line
            text.set(SPACE, "preserve")
        first.addprevious(etree.Element(W + "commentRangeStart", mark))
        run = etree.Element(W + "r")
        etree.SubElement(run, W + "commentReference", mark)
        last.addnext(run)
        last.addnext(etree.Element(W + "commentRangeEnd", mark))

    def _notice(self) -> None:
        """Say in headers and properties that this is not for publication."""
        properties = self.package.docx.core_properties
        properties.title, properties.content_status = NOTICE, MARK
        for header, new in _headers(self.package.docx):
            paragraph = etree.Element(W + "p")
            name = f"{BOOKMARK}{'new' if new else 'notice'}"
            mark = {W + "id": str(next(self.ids))}
            etree.SubElement(paragraph, W + "bookmarkStart", mark | {W + "name": name})
            run = etree.SubElement(paragraph, W + "r")
            etree.SubElement(etree.SubElement(run, W + "rPr"), W + "b")
            etree.SubElement(run, W + "t").text = NOTICE
            etree.SubElement(paragraph, W + "bookmarkEnd", mark)
            header.insert(0, paragraph)

    def _record(self) -> None:
        root = etree.Element(f"{{{RECORD}}}review", nsmap={None: RECORD})
        for n in sorted(self.tracked):
            change = self.changes[n]
            values = {"n": str(n), "kind": change.kind, "replacement": change.replacement}
            etree.SubElement(root, f"{{{RECORD}}}change", values).text = self.text[change.start : change.end]
        taken = {str(part.partname) for part in self.package.package.iter_parts()}
        number = next(i for i in count(1) if f"/customXml/item{i}.xml" not in taken)
        part = self._part(f"/customXml/item{number}.xml", "application/xml", root)
        self.package.docx.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)
        # Without properties of its own, LibreOffice forgets such a part.
        properties = etree.Element(_STORE + "datastoreItem", {_STORE + "itemID": f"{{{str(uuid4()).upper()}}}"})
        etree.SubElement(properties, _STORE + "schemaRefs")
        kind = "application/vnd.openxmlformats-officedocument.customXmlProperties+xml"
        beside = self._part(f"/customXml/itemProps{number}.xml", kind, properties)
        part.relate_to(beside, RELATIONSHIP_TYPE.CUSTOM_XML_PROPS)

    def _part(self, name: str, content_type: str, root: Any) -> Any:
        data = etree.tostring(root, xml_declaration=True, encoding="UTF-8", standalone=True)
        return Part(PackURI(name), content_type, data, self.package.package)


def _headers(document: Any) -> Iterator[tuple[Any, bool]]:
    """The root of every header a reader meets, one for each part, and whether it was made for that."""
    seen: set[Any] = set()
    for i, section in enumerate(document.sections):
        kinds = [section.header]
        if section.different_first_page_header_footer:
            kinds.append(section.first_page_header)
        if document.settings.odd_and_even_pages_header_footer:
            kinds.append(section.even_page_header)
        for header in kinds:
            new = header.is_linked_to_previous
            if new and i:
                continue  # it is the header of the section before
            if new:
                header.is_linked_to_previous = False
            if header.part not in seen:
                seen.add(header.part)
                yield header.part.element, new


def _places(root: Any) -> dict[tuple[int, bool], list[Any]]:
    """The signs in the runs' texts as elements between runs: by number, and whether one begins."""
    found: dict[tuple[int, bool], list[Any]] = {}
    for text in [t for t in root.iter(W + "t") if _SIGN.search(own_text(t))]:
        for place in _split(text):
            found.setdefault((int(place.get("n")), place.get("start") == "1"), []).append(place)
    return found


def _split(text: Any) -> Iterator[Any]:
    """Split a run at the signs in one of its texts; what stands behind goes into runs of its own."""
    run = text.getparent()
    pieces = _SIGN.split(own_text(text))
    set_own_text(text, pieces[0])
    text.set(SPACE, "preserve")
    following = list(text.itersiblings())
    last = run
    for sign, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        place = etree.Element(_PLACE, n=sign[1:-1], start=str(int(sign[0] == _START)))
        last.addnext(place)
        last = _empty_like(run)
        place.addnext(last)
        if piece:
            behind = etree.SubElement(last, W + "t")
            set_own_text(behind, piece)
            behind.set(SPACE, "preserve")
        yield place
    last.extend(following)
    if not pieces[0]:
        remove(text)
    for part in (run, last):
        if all(child.tag == W + "rPr" for child in part):
            remove(part)


def _empty_like(run: Any) -> Any:
    """A run of the same properties."""
    other = etree.Element(W + "r")
    if (properties := run.find(W + "rPr")) is not None:
        other.append(deepcopy(properties))
    return other


def _between(start: Any, end: Any) -> Iterator[Any]:
    """The runs of a paragraph between two places in it that show text; a run that holds other things is split."""
    paragraph = next(start.iterancestors(W + "p"))
    inside = False
    for element in list(paragraph.iter(W + "r", _PLACE)):
        if element is end:
            return
        inside = inside or element is start
        own = next(element.iterancestors(W + "p")) is paragraph
        if inside and own and element.tag == W + "r" and next(element.iterancestors(W + "del"), None) is None:
            yield from _shown_runs(element)


def _shown_runs(run: Any) -> Iterator[Any]:
    children = [child for child in run if child.tag != W + "rPr"]
    if all(child.tag in _SHOWN for child in children):
        if children:
            yield run
        return
    last = run
    for child in children:
        if child.tag in _SHOWN or last is not run:
            other = _empty_like(run)
            last.addnext(other)
            other.append(child)
            last = other
            if child.tag in _SHOWN:
                yield other


def _shade(run: Any, colour: str) -> None:
    """Colour a run that has no shading of its own."""
    properties = run.find(W + "rPr")
    if properties is None:
        properties = etree.Element(W + "rPr")
        run.insert(0, properties)
    if properties.find(W + "shd") is not None:
        return
    shade = etree.Element(W + "shd", {W + "val": "clear", W + "color": "auto", W + "fill": colour})
    index = next((i for i, child in enumerate(properties) if child.tag in _AFTER_SHADE), len(properties))
    properties.insert(index, shade)


def _colour(change: Change) -> str:
    return COLOURS.get(change.kind, OTHER_COLOUR)


def _accept(inserted: Any) -> None:
    """An insertion that is none any more, without its colour."""
    for shade in list(inserted.iter(W + "shd")):
        if is_ours(shade):
            remove(shade)
    for child in list(inserted):
        inserted.addprevious(child)
    remove(inserted)


def is_ours(shade: Any) -> bool:
    """Whether a shading is one of the review copy's."""
    return local(shade.tag) == "shd" and shade.get(W + "fill") in {*COLOURS.values(), OTHER_COLOUR}
