"""The text of a DOCX ruling, with a map back into its XML so that replacing keeps the formatting around it.

Every paragraph that holds text is one line of the text and one block: those of the document first (tables, text boxes,
content controls, insertions included), then those of headers, footers, footnotes, endnotes and comments, at last what
is drawn: charts, diagrams, WordArt, descriptions of pictures. A text box that the file holds twice (DrawingML, and VML
for old word processors) is one block and is changed in both. Tracked changes are accepted when the file is opened.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

from lxml import etree

from aef.corpus_tools.document import BODY, DRAWING, FOOTNOTE, Block, Document
from aef.corpus_tools.docx.cleaning import clean
from aef.corpus_tools.docx.lines import Line, drawn_lines, text_lines
from aef.corpus_tools.docx.names import replace_names
from aef.corpus_tools.docx.package import open_package, parse_xml, undated
from aef.corpus_tools.docx.revisions import accept_revisions
from aef.corpus_tools.docx.xml import W
from aef.corpus_tools.edits import Replacement, in_order
from aef.corpus_tools.metadata.telling import Telling
from aef.corpus_tools.name_search.hidden_names import HiddenNames
from aef.corpus_tools.parts import RULES, Paragraph, PartRules, assign_parts
from aef.errors import InputError

_STORIES = {"header": "header", "footer": "footer", "footnotes": FOOTNOTE, "endnotes": "endnote", "comments": "comment"}
"""The part of the ruling by the last word of the package part's content type, in the order of the text."""
_DRAWN = ("chart", "diagramData")
"""The same of package parts that hold drawings with text."""


class DocxText:
    """A DOCX file: its text, and the file again with stretches of the text replaced.

    ``lines`` : each with its part of the ruling. ``dropped`` names what `scrub` took out of the file: what could not be
    looked into, and what no ruling needs.
    """

    def __init__(self, package: Any, name: str = "document") -> None:
        self._package = package
        self._parsed: dict[Any, Any] = {}  # the roots of parts that python-docx keeps as bytes
        self._changed: set[Any] = set()
        self.dropped: list[str] = []
        for part, _, root in self._stories():
            accept_revisions(root)
            self._changed.add(part)
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
        numbers = self._numbering()
        main = [_paragraph(line, numbers) for line, part in self.lines if part == BODY]
        parts = assign_parts(main, rules) + [part for _, part in self.lines[len(main) :]]
        blocks = [
            Block(start, start + len(line.text), part) for (start, line), part in zip(self._spans(), parts, strict=True)
        ]
        return Document(self.text, doc_id, tuple(blocks))

    def replace(self, edits: Iterable[Replacement]) -> None:
        """Make the edits (offsets into `text`): new text takes the formatting of the place it begins in.

        Raises `ValueError`, with nothing changed, where edits overlap or one reaches over a paragraph's end.
        """
        self._replace(edits)
        self._read()

    def _replace(self, edits: Iterable[Replacement]) -> None:
        for line, local_edits in self._by_line(in_order(edits, len(self.text))):
            line.rewrite(local_edits)

    def save(self) -> bytes:
        """The package, its tracked changes accepted, without links that would refill content controls."""
        for _, _, root in self._stories():
            for binding in list(root.iter(W + "dataBinding")):
                binding.getparent().remove(binding)
        for part in self._changed & self._parsed.keys():
            if self._parsed[part] is not None:
                part._blob = etree.tostring(self._parsed[part], xml_declaration=True, encoding="UTF-8", standalone=True)
        stream = io.BytesIO()
        self._package.save(stream)
        return undated(stream.getvalue())

    def rewritten(self, edits: Iterable[Replacement], hides: HiddenNames | None = None) -> bytes:
        """The file's bytes with the edits made; with ``hides``, all beside its text is made safe as well (`scrub`)."""
        self._replace(edits)
        if hides is not None:
            self.scrub(hides)
        else:
            self._read()
        return self.save()

    def scrub(self, hides: HiddenNames) -> None:
        """Make safe what lies beside the text, as `aef.corpus_tools.docx.policy` says."""
        telling = Telling(hides)
        package = self._package.part.package
        self.dropped = clean(package, telling, self._root)
        self._read()
        shown = {atom.element for line in self._text_lines() for atoms in [line.atoms, *line.twins] for atom in atoms}
        for part in package.iter_parts():
            if (root := self._root(part)) is not None:
                replace_names(root, telling, shown)
                self._changed.add(part)

    def _read(self) -> None:
        self.lines: list[tuple[Line, str]] = []
        for _, part, root in self._stories():
            self.lines += [(line, part) for line in text_lines(root)]
        for root in self._drawings():
            self.lines += [(line, DRAWING) for line in drawn_lines(root)]
        self.text = "\n".join(line.text for line, _ in self.lines)

    def _text_lines(self) -> Iterator[Line]:
        return (line for line, part in self.lines if part != DRAWING)

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

    def _drawings(self) -> Iterator[Any]:
        """The roots of the parts in which something is drawn."""
        for _, _, root in self._stories():
            yield root
        drawn = [part for part in self._package.part.package.iter_parts() if _kind(part) in _DRAWN]
        for part in sorted(drawn, key=lambda p: (len(p.partname), str(p.partname))):
            if (root := self._root(part)) is not None:
                self._changed.add(part)
                yield root

    def _root(self, part: Any) -> Any:
        """The root element of a part, None where it is no XML."""
        if hasattr(part, "element"):
            return part.element
        if part not in self._parsed:
            self._parsed[part] = parse_xml(part.blob) if part.partname.lower().endswith(".xml") else None
        return self._parsed[part]

    def _numbering(self) -> Callable[[str], bool]:
        """Whether Word numbers the paragraphs of a style, by itself or by the style it is based on."""
        styles = {s.get(W + "styleId"): s for root in self.roots("styles") for s in root.iter(W + "style")}
        return cache(partial(_numbers, styles=styles))

    def roots(self, kind: str) -> list[Any]:
        """The roots of the package parts of that kind: "styles", "numbering"."""
        found = (self._root(part) for part in self._package.part.package.iter_parts() if _kind(part) == kind)
        return [root for root in found if root is not None]

    def _spans(self) -> Iterator[tuple[int, Line]]:
        start = 0
        for line, _ in self.lines:
            yield start, line
            start += len(line.text) + 1

    def _by_line(self, edits: Sequence[Replacement]) -> list[tuple[Line, list[Replacement]]]:
        """The edits of each paragraph, in offsets into it."""
        grouped: list[tuple[Line, list[Replacement]]] = []
        remaining = list(reversed(edits))
        for offset, line in self._spans():
            end = offset + len(line.text)
            local_edits = []
            while remaining and remaining[-1][0] <= end:
                start, stop, new = remaining.pop()
                if stop > end:
                    raise ValueError(f"edit {start}-{stop} reaches over the end of a paragraph")
                local_edits.append((start - offset, stop - offset, new))
            if local_edits:
                grouped.append((line, local_edits))
        return grouped


def _paragraph(line: Line, numbers: Callable[[str], bool]) -> Paragraph:
    """What the rules on parts may look at."""
    inside_table = next(line.element.iterancestors(W + "tbl"), None) is not None
    number = line.element.find(f"{W}pPr/{W}numPr/{W}numId")
    style = line.element.find(f"{W}pPr/{W}pStyle")
    if number is not None:
        return Paragraph(line.text, number.get(W + "val") != "0", inside_table)
    return Paragraph(line.text, style is not None and numbers(style.get(W + "val")), inside_table)


def _numbers(name: str, styles: Mapping[str, Any]) -> bool:
    seen: set[str] = set()
    while name in styles and name not in seen:
        seen.add(name)
        if (number := styles[name].find(f"{W}pPr/{W}numPr/{W}numId")) is not None:
            return bool(number.get(W + "val") != "0")
        based_on = styles[name].find(W + "basedOn")
        name = based_on.get(W + "val") if based_on is not None else ""
    return False


def _kind(part: Any) -> str:
    """What a package part is, by its content type: "document", "header", "footnotes", "theme" ..."""
    return str(part.content_type.rpartition("+")[0].rpartition(".")[2])
