"""Rich Text Format: rulings read and written back with their formatting.

What is replaced is replaced in the source; all else stays, byte for byte. Where names are to be hidden, only what a
ruling needs is kept beside the text: fonts, styles, lists, fields and pictures. Tracked deletions are made.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.formats.registry import Edits, Line, Written, reader
from aef.corpus_tools.metadata.format_words import words
from aef.corpus_tools.metadata.pictures import blank, stripped
from aef.corpus_tools.metadata.telling import Place, Telling
from aef.corpus_tools.rtf.tokens import Reader
from aef.corpus_tools.rtf.words import Atom, Cut, Shown, escaped
from aef.errors import InputError

MAX_BYTES = 100_000_000
_ORDER = ("", "header", "footer", "footnote", "comment")
_PLACES = {"fldinst": Place.CODE, "fonttbl": Place.OWN, "falt": Place.OWN, "panose": Place.OWN, "sn": Place.OWN}
_SILENT = {"colortbl", "levelnumbers", "leveltext", "panose", "generator", "rsidtbl"}
_PIXELS = ("\\pngblip", "\\jpegblip")
_HEX = re.compile(r"[0-9A-Fa-f\s]{16,}")
_QUIET = words(
    "nonshppict rsidtbl generator latentstyles themedata colorschememapping mmathPr private revtbl tblgrid pgdsctbl "
    "atnid atnauthor atntime atndate atnref atrfstart atrfend"
)
"""What is dropped and nobody misses."""


def write_rtf(data: bytes, name: str, edits: Edits, telling: Telling | None) -> Written:
    """The source with the edits made, tracked deletions made, and with ``telling`` no hidden name beside the text."""
    source = data.decode("latin-1")
    cut = _cut(source, name)
    lines = _sorted(cut)
    changes = [edit for number, own in edits.items() for edit in _source_edits(lines[number].atoms, own)]
    changes += [(low, high, "") for low, high in cut.deleted]
    dropped: set[str] = set()
    if telling is not None:
        changes += [(low, high, "") for low, high, _ in cut.dropped]
        changes += [edit for line in cut.beside for edit in _scrubbed(line, telling)]
        changes += [(low, high, _picture(source[low:high], telling)) for low, high in cut.pictures]
        dropped = {kind for _, _, kind in cut.dropped} - _QUIET
    kept = source if telling is None else source[: cut.end]
    return Written(apply_edits(kept, _apart(changes)).encode("latin-1"), sorted(dropped))


@reader(".rtf", write=write_rtf)
def read_rtf(data: bytes, name: str) -> list[Line]:
    """The paragraphs, then those of headers, footers, notes and comments. Raises `InputError` for what is damaged."""
    lines = _sorted(_cut(data.decode("latin-1"), name))
    return [Line(line.text, line.part, line.numbered, line.table) for line in lines]


def _cut(source: str, name: str) -> Cut:
    if len(source) > MAX_BYTES:
        raise InputError.at(name, f"has more than {MAX_BYTES // 1_000_000} MB: too large for a ruling")
    if not source.startswith("{\\rtf"):
        raise InputError.at(name, "is no RTF document", remedy="Open it in a word processor and save it as RTF")
    return Reader(source, name).read()


def _sorted(cut: Cut) -> list[Shown]:
    return sorted(cut.lines, key=lambda line: _ORDER.index(line.part))


def _source_edits(atoms: Sequence[Atom], edits: Sequence[Replacement]) -> Iterator[Replacement]:
    """Edits in offsets into a line as edits of the source; the first character replaced takes the new text."""
    start = 0
    for atom in atoms:
        end = start + len(atom.text)
        own = [(low, high, new) for low, high, new in edits if low < end and high > start]
        for low, high, new in own if atom.plain else ():
            place = atom.low + max(low, start) - start, atom.low + min(high, end) - start
            yield *place, escaped(new if low >= start else "", atom.skip)
        if own and not atom.plain:
            local = [
                (max(low, start) - start, min(high, end) - start, new if low >= start else "") for low, high, new in own
            ]
            yield atom.low, atom.high, escaped(apply_edits(atom.text, local), atom.skip)
        start = end


def _scrubbed(line: Shown, telling: Telling) -> Iterator[Replacement]:
    """Edits of the source by which a text beside the ruling's tells nobody."""
    place = _PLACES.get(line.kind, Place.CHOSEN)
    edits = telling(line.text, place) if line.kind not in _SILENT else []
    if edits and telling(apply_edits(line.text, edits), place):
        edits = [(0, len(line.text), "")]
    yield from _source_edits(line.atoms, edits)


def _picture(group: str, telling: Telling) -> str:
    """The group of a picture without what is written beside the pixels; one that cannot be looked into is a pixel."""
    digits = max(_HEX.findall(group), key=len, default="")
    pixels = bytes.fromhex("".join(digits.split())[: len("".join(digits.split())) // 2 * 2]) if digits else b""
    kept = stripped(pixels) if any(kind in group for kind in _PIXELS) and "\\bin" not in group else None
    if kept is None or telling.names.in_bytes(kept):
        return "{\\pict\\pngblip\\picwgoal15\\pichgoal15 " + blank().hex() + "}"
    said = "".join(re.findall(r"\\(?:pngblip|jpegblip|pic[a-z]+-?\d*)", group))
    return f"{{\\pict{said} {kept.hex()}}}"


def _apart(edits: Iterable[Replacement]) -> list[Replacement]:
    """Without those inside of others: what is in a group that goes."""
    kept: list[Replacement] = []
    for edit in sorted(edits, key=lambda e: (e[0], -e[1])):
        if not kept or edit[0] >= kept[-1][1]:
            kept.append(edit)
    return kept
