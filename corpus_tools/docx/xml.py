"""Small things done to XML elements, with what python-docx's own element classes would hide kept in reach."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Generic, TypeVar

from lxml import etree

T = TypeVar("T")

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MATH_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
SPACE = "{http://www.w3.org/XML/1998/namespace}space"

_TEXT: Any = etree._Element.text  # some classes of python-docx have a `text` that is of all below them


class Remembered(Generic[T]):
    """What was found out of XML before, by its hash: the rulings of a court have their styles in common.

    most : so many are remembered. small : whether something takes little enough memory to be one of them.
    """

    def __init__(self, most: int = 256, small: Callable[[T], bool] = lambda found: True) -> None:
        self._found: dict[bytes, T] = {}
        self._most, self._small = most, small

    def __call__(self, content: bytes, find_out: Callable[[], T]) -> T:
        """What is known of the content, found out where it is new; errors of finding out are not remembered."""
        key = hashlib.sha256(content).digest()
        if key in self._found:
            return self._found[key]
        found = find_out()
        if self._small(found):
            if len(self._found) >= self._most:
                self._found.clear()
            self._found[key] = found
        return found


Kinds = frozenset[tuple[str, tuple[str, ...]]]
"""Of elements: their names, each with the names of its attributes."""
_FEW = 100_000
"""So many letters of names a part may have for its kinds to be remembered; styles have some twenty thousand."""


def _are_few(kinds: Kinds) -> bool:
    return sum(len(tag) + sum(map(len, keys)) for tag, keys in kinds) <= _FEW


_kinds: Remembered[Kinds] = Remembered(small=_are_few)


def kinds(root: Any) -> Kinds:
    """The kinds of elements in a part, each once."""
    elements = root.iter(etree.Element)
    return _kinds(etree.tostring(root), lambda: frozenset((e.tag, tuple(e.keys())) for e in elements))


@lru_cache(1 << 12)
def local(tag: str) -> str:
    """The name without its namespace."""
    return tag.rpartition("}")[2]


@lru_cache(1 << 12)
def space(tag: str) -> str:
    """The namespace of a name."""
    return tag[1:].partition("}")[0] if tag[:1] == "{" else ""


def own_text(element: Any) -> str:
    """The text before the first child."""
    return _TEXT.__get__(element) or ""


def set_own_text(element: Any, text: str) -> None:
    _TEXT.__set__(element, text)


def remove(element: Any) -> None:
    """Take an element out with all it holds; the text behind it stays."""
    parent = element.getparent()
    if parent is not None:
        _leave_tail(element, parent)
        parent.remove(element)


def unwrap(element: Any) -> None:
    """Put what an element holds into its place."""
    parent = element.getparent()
    if parent is not None:
        for child in list(element):
            element.addprevious(child)
        remove(element)


def _leave_tail(element: Any, parent: Any) -> None:
    if not (element.tail or "").strip():
        return
    before = element.getprevious()
    if before is not None:
        before.tail = (before.tail or "") + element.tail
    else:
        set_own_text(parent, own_text(parent) + element.tail)
