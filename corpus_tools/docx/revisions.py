"""Tracked changes accepted: the ruling as it would be printed without them, and no trace of what it was before."""

from __future__ import annotations

from typing import Any

from aef.corpus_tools.docx.policy import REVISIONS, Policy
from aef.corpus_tools.docx.xml import W, local, remove, unwrap

_MARKS = {W + "rPr", W + "trPr"}
"""Inside these an insertion or deletion is one of the paragraph's end or of the table row, not of text."""


def accept_revisions(root: Any) -> None:
    """Accept all tracked changes under an element."""
    found = list(root.iter(_CELL, *_CHANGES))
    rows = [e.getparent().getparent() for e in found if e.tag == W + "del" and e.getparent().tag == W + "trPr"]
    cells = [e.getparent().getparent() for e in found if e.tag == _CELL]
    ends = [e for e in found if e.tag in _LOST and e.getparent().tag == W + "rPr"]
    paragraphs = [e.getparent().getparent().getparent() for e in ends if e.getparent().getparent().tag == W + "pPr"]
    for element in reversed(found):
        if REVISIONS.get(local(element.tag)) is Policy.UNWRAP and element.getparent().tag not in _MARKS:
            unwrap(element)
        else:
            remove(element)
    for element in [*rows, *cells]:
        remove(element)
    for paragraph in reversed(paragraphs):
        _join(paragraph)


_CELL = W + "cellDel"
_CHANGES = [W + tag for tag in REVISIONS]
_LOST = {W + "del", W + "moveFrom"}


def _join(paragraph: Any) -> None:
    """A paragraph whose end is deleted goes on with the next one, whose properties it takes."""
    following = paragraph.getnext()
    if following is None or following.tag != W + "p":
        return
    first = following.find(W + "pPr")
    index = 0 if first is None else 1
    content = [child for child in paragraph if child.tag != W + "pPr"]
    for offset, child in enumerate(content):
        following.insert(index + offset, child)
    remove(paragraph)
