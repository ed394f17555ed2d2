"""What editors corrected, read as gold: review copies, and rulings with their anonymized versions."""

from __future__ import annotations

from pathlib import Path

from aef.corpus_tools.alignment.run import align
from aef.corpus_tools.document import Document
from aef.corpus_tools.docx.decisions import decided, unreviewed
from aef.corpus_tools.rulings.readers import FORMATS, read
from aef.errors import InputError


def of_review(path: str | Path) -> Document:
    """The gold document of a review copy that an editor has gone through: the original, with what is hidden in it now.

    Raises `InputError` for what is no review copy.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    stem = Path(path).name.partition(".")[0]
    versions = (unreviewed(data, str(path)), decided(data, str(path))[0])
    before, after = (FORMATS[".docx"](version, str(path)).document(stem) for version in versions)
    return _aligned(before, after, str(path))


def of_pair(original: str | Path, anonymized: str | Path) -> Document:
    """The gold document of a ruling and its anonymized version. Raises `InputError` where they are not that."""
    return _aligned(read(original), read(anonymized), f"{original} and {anonymized}")


def _aligned(original: Document, anonymized: Document, place: str) -> Document:
    try:
        return align(original, anonymized, fix_missed=True).document
    except InputError as error:
        raise InputError(f"{place}: {error}") from error
