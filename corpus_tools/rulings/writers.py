"""Rulings out: a file again, with stretches of its text replaced and all else as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from aef.corpus_tools.document import Document
from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.rulings.readers import open_source


def rewrite(source: str | Path, edits: Iterable[Replacement], hides: Callable[[str], bool] | None = None) -> bytes:
    """The bytes of the file at ``source`` with edits made; offsets are code points of ``read(source).text``.

    With ``hides``, file properties for which it is true, and the author's, are blanked. Raises `InputError` as reading
    does, and `ValueError` where edits overlap, lie outside the text or reach over a paragraph's end (DOCX).
    """
    return open_source(source).rewritten(edits, hides)


def write_plain(document: Document | str, edits: Iterable[Replacement] = ()) -> str:
    """The text of a ruling with edits made, for output as plain text."""
    return apply_edits(document if isinstance(document, str) else document.text, edits)
