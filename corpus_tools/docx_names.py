"""Hidden names outside the ruling's text: in every attribute, field code, drawing, property and link of an XML part."""

from __future__ import annotations

from collections.abc import Callable, Set
from typing import Any, Protocol, runtime_checkable

from lxml import etree

from aef.corpus_tools.docx_lines import Line, drawn_lines, field_codes
from aef.corpus_tools.docx_policy import FIELDS, FREE_TEXT, PROPERTIES, REFERENCES, is_own_uri, is_standard
from aef.corpus_tools.docx_xml import local, own_text, set_own_text
from aef.corpus_tools.plain_text import Replacement


@runtime_checkable
class Names(Protocol):
    """What finds hidden names; `aef.corpus_tools.hidden_names.HiddenNames` is one."""

    def __call__(self, text: str) -> bool: ...
    def replaced(self, text: str) -> str: ...
    def identifier(self, text: str) -> str: ...
    def edits(self, text: str, identifier: bool = False) -> list[Replacement]: ...
    def in_bytes(self, data: bytes) -> bool: ...


class Blanked:
    """`Names` made of a mere test: what holds a name is blanked as a whole."""

    def __init__(self, hides: Callable[[str], bool]) -> None:
        self._hides = hides

    def __call__(self, text: str) -> bool:
        return self._hides(text)

    def replaced(self, text: str) -> str:
        return "" if self._hides(text) else text

    identifier = replaced

    def edits(self, text: str, identifier: bool = False) -> list[Replacement]:
        return [(0, len(text), "")] if self._hides(text) else []

    def in_bytes(self, data: bytes) -> bool:
        return self._hides(data.decode("latin-1")) or self._hides(data.decode("utf-16-le", "ignore"))


def replace_names(root: Any, names: Names, shown: Set[Any]) -> None:
    """Replace names everywhere under an element but in the texts of the elements ``shown``: those are decided on."""
    for line in field_codes(root):
        _replace_in_code(line, names)
    for line in drawn_lines(root):
        line.rewrite(names.edits(line.text))
    blank = local(root.tag) in PROPERTIES
    for element in root.iter(etree.Element):
        _replace_in_attributes(element, names)
        if element not in shown:
            _replace_in_text(element, names, blank)
        if element.tail and names(element.tail):
            element.tail = names.replaced(element.tail)


def _replace_in_code(line: Line, names: Names) -> None:
    words = line.text.split(maxsplit=1)
    keyword = words[0].upper() if words else ""
    behind = line.text.upper().find(keyword) + len(keyword) if keyword in FIELDS else 0
    edits = names.edits(line.text[behind:], keyword in REFERENCES)
    line.rewrite([(start + behind, end + behind, new) for start, end, new in edits])


def _replace_in_attributes(element: Any, names: Names) -> None:
    tag = local(element.tag)
    for key, value in element.attrib.items():
        if value.isdigit() or not names(value):
            continue
        if tag in ("docPr", "cNvPr") or tag in FREE_TEXT or local(key) in FREE_TEXT:
            element.set(key, names.replaced(value))
        elif not is_standard(value) and not is_own_uri(value):
            element.set(key, names.identifier(value))


def _replace_in_text(element: Any, names: Names, blank: bool) -> None:
    text = own_text(element)
    if text and names(text) and not is_standard(text):
        set_own_text(element, "" if blank else names.replaced(text))
