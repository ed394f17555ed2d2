"""Hidden names outside the ruling's text: in every attribute, field code, drawing, property and link of an XML part."""

from __future__ import annotations

from collections.abc import Set
from typing import Any

from lxml import etree

from aef.corpus_tools.docx.lines import drawn_lines, field_codes
from aef.corpus_tools.docx.policy import PROPERTIES
from aef.corpus_tools.docx.xml import local, own_text, set_own_text
from aef.corpus_tools.metadata.telling import Place, Telling, place_of


def replace_names(root: Any, telling: Telling, shown: Set[Any]) -> None:
    """Replace names everywhere under an element but in the texts of the elements ``shown``: those are decided on."""
    codes = field_codes(root)
    for line in codes:
        line.rewrite(telling(line.text, Place.CODE))
    for line in drawn_lines(root):
        line.rewrite(telling(line.text, Place.WRITTEN))
    blank = local(root.tag) in PROPERTIES
    left = shown | {atom.element for line in codes for atom in line.atoms}
    for element in _HOLDERS(root):
        if element not in left:
            _replace_in_text(element, telling, blank)
        for child in element.iterchildren(etree.Element):
            if child.tail and telling(child.tail, Place.WRITTEN):
                child.tail = telling.replaced(child.tail, Place.WRITTEN)
    if telling.names.among(dict.fromkeys(_VALUES(root))):
        _replace_in_attributes(root, telling)


_HOLDERS = etree.XPath("//text()/..")
"""The elements in which text stands, before the first child or behind one."""
_VALUES = etree.XPath("//@*", smart_strings=False)
"""The values of all attributes."""


def _replace_in_attributes(root: Any, telling: Telling) -> None:
    silent: set[tuple[str, str, str]] = set()  # attributes that tell nothing, of which a part has few different ones
    for element in root.iter(etree.Element):
        for key, value in element.items():
            if (element.tag, key, value) not in silent and not _replace_in_attribute(element, key, value, telling):
                silent.add((element.tag, key, value))


def _replace_in_attribute(element: Any, key: str, value: str, telling: Telling) -> bool:
    """Whether it told something, which is gone now."""
    told = not value.isdigit() and bool(telling(value, place := place_of(local(element.tag), local(key))))
    if told:
        element.set(key, telling.replaced(value, place))
    return told


def _replace_in_text(element: Any, telling: Telling, blank: bool) -> None:
    text = own_text(element)
    if text and telling(text, Place.CHOSEN):
        set_own_text(element, "" if blank else telling.replaced(text, Place.WRITTEN))
