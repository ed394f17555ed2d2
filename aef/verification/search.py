"""Whether a file still holds a name: unpacked, decoded, folded and searched anew.

Shares no code with what reads and writes rulings, so that a mistake there is not made here again: archives are unpacked
by their own directory, XML and HTML are cut at their tags by a pattern, and every stretch of text, every attribute,
comment and declaration, every name of an entry and every byte between entries is searched. What is shared is the notion
of what tells in which place (`aef.corpus_tools.metadata.telling`, `aef.corpus_tools.name_search.hidden_names`): what is
found here and could not be helped there would be a ruling refused for nothing.
"""

from __future__ import annotations

import io
import re
import struct
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from aef import lexicons
from aef.corpus_tools.metadata.format_words import is_name
from aef.corpus_tools.metadata.telling import Place, Telling
from aef.corpus_tools.name_search.hidden_names import INSIDE, HiddenNames, ShownNames
from aef.corpus_tools.tokenization.chunks import COMPOUNDS
from aef.verification.contents import compressed_texts, decode, gunzipped
from aef.verification.markup import HTML, TAG, TEXT, WORD, Stretch, decoded, in_tags, stretches
from aef.verification.rtf import hexadecimal, rtf_stretches

MAX_DEPTH = 4
MAX_BYTES = 1_200_000_000
SAFE_LENGTH = 5
"""A single word of a name is searched for from so many letters on; a surname from two on, with a capital."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A name that is still there: in which place, whether as text that a reader sees, how often, and where first."""

    place: str
    name: str
    shown: bool
    times: int = 1
    where: str = ""

    def __str__(self) -> str:
        return f"{self.place} ({self.where or ('text' if self.shown else 'not shown')})"


class Unreadable(ValueError):
    """A file that cannot be looked into, so that nothing can be said of it."""


class Sought:
    """What is searched for: in the text that is shown, and everywhere else."""

    def __init__(self, shown: Iterable[str], names: HiddenNames) -> None:
        self.shown, self.names, self.telling = ShownNames(shown), names, Telling(names)

    @classmethod
    def of(cls, names: Iterable[str], words: Iterable[str] = ()) -> Sought:
        """``names`` are sought everywhere, ``words`` everywhere but in the text that is shown."""
        names = list(names)
        return cls(names, HiddenNames({name: "" for name in [*names, *words] if len(name) > 1}))


def words_of(name: str) -> list[str]:
    """The words of a person's name that give it away alone: the surname, and further words of safe length."""
    words = [w for w in COMPOUNDS.findall(name) if w[:1].isupper() or name.isalpha()]
    telling = [w for w in words if w.lower() not in _ordinary()]
    return [w for i, w in enumerate(telling) if len(w) >= SAFE_LENGTH or (i == len(telling) - 1 and len(w) > 1)]


def verify(data: bytes, sought: Sought, name: str = "output") -> list[Finding]:
    """What of the names is still in a file, by place. Raises `Unreadable` for an archive that cannot be unpacked."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    where: dict[tuple[str, str, bool], str] = {}
    for hit in _search(data, name, 0, sought, [MAX_BYTES]):
        counts[hit[:3]] += 1
        where.setdefault(hit[:3], hit[3])
    return [Finding(*hit, times, where[hit]) for hit, times in sorted(counts.items())]


def shown_text(data: bytes, name: str) -> str:
    """The text of a file that a reader sees, a line a paragraph."""
    if data.startswith(_RTF):
        return "\n".join(s.text for s in rtf_stretches(data.decode("latin-1")) if s.shown)
    if not data.startswith(b"PK"):
        page = name.lower().endswith((".html", ".htm"))
        return _shown(decode(data), HTML) if page else decode(data)
    with _opened(data) as archive:
        stories = [(e, kind) for e in archive.infolist() if (kind := _kind_of(e.filename))]
        return "\n".join(_shown(decode(archive.read(e)), kind) for e, kind in stories)


def _shown(markup: str, kind: str) -> str:
    return "\n".join(stretch.text for stretch in stretches(TAG.split(markup), kind) if stretch.shown)


def hidden_between(original: str, output: str) -> tuple[list[str], list[str]]:
    """Names and single words that stand in one text and are mostly gone from the other: what was hidden."""
    runs, left = (_RUN.findall(plain(text)) for text in (original, output))
    before, after = (Counter(word for run in found for word in run.split()) for found in (runs, left))
    gone = {w for w, n in before.items() if telling(w) and after[w] * 2 < n}
    names: dict[str, None] = {}
    for run in runs:
        words: list[str] = []
        for word in [*run.split(), ""]:
            if word in gone:
                words.append(word)
            else:
                if len(words) > 1:
                    names[" ".join(words)] = None
                words = []
    return list(names), sorted(gone)


def telling(word: str) -> bool:
    """Whether a word names somebody or something: digits enough, or a capital and no ordinary word."""
    if any(map(str.isdigit, word)):
        return len(word) >= SAFE_LENGTH
    return word[:1].isupper() and len(word) > 2 and word.lower() not in _ordinary()


@cache
def _unseen() -> dict[int, str | None]:
    table: dict[int, str | None] = {
        c: None
        for c in [*range(0x20000), *range(0xE0000, 0xE1000)]
        if unicodedata.category(chr(c)) in ("Mn", "Cf") or c == 0x34F
    }
    strokes = dict(zip(map(ord, "ıłŁøØđĐħĦŧŦ"), "ilLoOdDhHtT", strict=True))
    return table | strokes | dict.fromkeys(map(ord, "’‘ʼ"), "'") | dict.fromkeys(map(ord, "‐‑–—"), "-")


def plain(text: str) -> str:
    """The text without accents and unseen signs, compatible letters made one; letter case stays."""
    return text if text.isascii() else unicodedata.normalize("NFKD", text).translate(_unseen())


@cache
def _ordinary() -> frozenset[str]:
    lists = ("common_words", "function_words", "title", "nome_title", "month_names", "weekday_names", "legal_form",
             "generic_organization", "suffix_organization", "organization_words", "law_words", "number_words",
             "place_words")  # fmt: skip
    return frozenset(w.strip(".") for w in lexicons.lowered(w for name in lists for w in lexicons.load(name)))


# --- files as pieces ------------------------------------------------------------------------------------------------

_STORIES = frozenset({"document", "header", "footer", "footnotes", "endnotes", "comments"})
_OF_TEXT = ("content.xml", "styles.xml")
_RTF = b"{\\rtf"
_RUN = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*(?:[^\S\n]+[^\W_]+(?:['’-][^\W_]+)*)*")
"""Words side by side on a line."""


def _kind_of(part: str) -> str:
    """The markup of a part of an archive in which a reader sees text; "" of others."""
    story = part.endswith(".xml") and part.removeprefix("word/").removesuffix(".xml").rstrip("0123456789") in _STORIES
    return TEXT if part in _OF_TEXT else WORD if story and part.startswith("word/") else ""


_BY_LINE = "line"
"""Where the places of a text are its lines."""
Hit = tuple[str, str, bool, str]
"""Place, name, whether a reader sees it, and where it is in the place."""


def _search(data: bytes, place: str, depth: int, sought: Sought, left: list[int]) -> Iterator[Hit]:
    """The names in a file, or in an entry of an archive ``depth`` deep; ``left``: bytes that may still be unpacked."""
    left[0] -= len(data)
    if left[0] < 0:
        raise Unreadable(f"{place}: unpacks to more than {MAX_BYTES // 1_000_000} MB")
    kind = place.lower().rpartition(".")[2]
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        yield from _search_archive(data, place, depth, sought, left)
    elif data.startswith(b"\x1f\x8b"):
        yield from _search(gunzipped(data, left[0]), place, depth + 1, sought, left)
    elif kind in ("xml", "rels", "vml", "svg") or data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<?xml"):
        yield from _search_markup(decode(data), place, _kind_of(place) if depth == 1 else "", sought)
    elif kind in ("html", "htm", "xhtml"):
        yield from _search_markup(decode(data), place, HTML, sought)
    elif data.startswith(_RTF):
        yield from _search_rtf(data.decode("latin-1"), place, sought)
    elif kind == "txt" and depth == 0:
        yield from _shown_in((decode(data),), place, _BY_LINE, sought)
    else:
        for content in (data, *compressed_texts(data)):
            yield from _search_bytes(content, place, sought)


def _search_archive(data: bytes, place: str, depth: int, sought: Sought, left: list[int]) -> Iterator[Hit]:
    if depth >= MAX_DEPTH:
        raise Unreadable(f"{place}: archives in archives, more than {MAX_DEPTH} deep")
    around = bytearray(data)
    with _opened(data) as archive:
        for entry in archive.infolist():
            name = f"{place}/{entry.filename}" if depth else entry.filename
            own = "" if is_name(entry.filename) else entry.filename
            for text in (own, entry.comment.decode("utf-8", "replace")):
                yield from ((f"the name of {name}", found, False, "") for found in _found(text, sought))
            _blank_out(around, entry)
            if not own:  # in the archive's directory
                around = around.replace(entry.filename.encode(), bytes(len(entry.filename)))
            yield from _search(_content(archive, entry, left[0]), name, depth + 1, sought, left)
    yield from _search_bytes(bytes(around), f"{place}, between its entries", sought)


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # zipfile has no error in common for what a damaged directory raises
        raise Unreadable("is no archive that can be unpacked") from error


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, most: int) -> bytes:
    if entry.file_size > most:
        raise Unreadable(f"{entry.filename}: unpacks to more than {MAX_BYTES // 1_000_000} MB")
    try:
        return archive.read(entry)
    except Exception as error:  # zipfile and the decompressors have no error in common
        raise Unreadable(f"{entry.filename}: cannot be unpacked") from error


def _blank_out(around: bytearray, entry: zipfile.ZipInfo) -> None:
    """The packed bytes of an entry become zeros: what is left stands beside the entries."""
    if not 0 <= entry.header_offset <= len(around) - 30:
        raise Unreadable(f"{entry.filename}: is damaged")
    name, extra = struct.unpack_from("<HH", around, entry.header_offset + 26)
    start = entry.header_offset + 30 + name + extra
    around[start : start + entry.compress_size] = bytes(min(entry.compress_size, max(0, len(around) - start)))


# --- pieces searched ------------------------------------------------------------------------------------------------


def _found(text: str, sought: Sought) -> Iterator[str]:
    return (text[start:end] for start, end, _ in sought.telling(text, Place.WRITTEN))


def _search_bytes(data: bytes, place: str, sought: Sought) -> Iterator[Hit]:
    return ((place, name, False, "") for name in sought.names.read_in(data))


def _search_markup(text: str, place: str, kind: str, sought: Sought) -> Iterator[Hit]:
    cut = TAG.split(text)
    read = list(stretches(cut, kind))
    texts = [(stretch.text, "\n".join(stretch.pieces)) if stretch.shown else ("", "") for stretch in read]
    naming = set[int]().union(*map(sought.shown.among, zip(*texts, strict=True)))  # the others need no second look
    for number, stretch in enumerate(read):
        if number in naming or not stretch.shown:
            yield from _in_stretch(stretch, place, sought)
    yield from ((place, name, False, where) for name, where in in_tags(cut[1::2], sought.telling))


def _search_rtf(source: str, place: str, sought: Sought) -> Iterator[Hit]:
    for stretch in rtf_stretches(source):
        yield from _in_stretch(stretch, place, sought)
    for data in hexadecimal(source):
        yield from _search_bytes(data, place, sought)
    for number in re.finditer(r"\\bin(\d+) ?", source):
        yield from _search_bytes(source[number.end() : number.end() + int(number[1])].encode("latin-1"), place, sought)


def _in_stretch(stretch: Stretch, place: str, sought: Sought) -> Iterator[Hit]:
    if stretch.shown:
        yield from _shown_in(stretch.pieces, place, stretch.where, sought)
    else:
        spelled = decoded(stretch.text)
        for start, end, _ in sought.telling(spelled, stretch.place):
            yield place, spelled[start:end], False, stretch.where


def _shown_in(pieces: Sequence[str], place: str, where: str, sought: Sought) -> Iterator[Hit]:
    """The names in a text that is shown, and those in one of its pieces, to which the next one is glued."""
    text = "".join(pieces)
    read: dict[str, str] = {}
    line: dict[str, str] = {}
    for start, end, found in sought.shown(text):
        read[found] = text[start:end]
        line.setdefault(found, f"line {text.count(chr(10), 0, start) + 1}")
    for piece in pieces if len(pieces) > 1 else ():
        read |= {n: piece[a:b] for a, b, n in sought.shown(piece) if n not in read and len(n) >= INSIDE}
    for found, name in read.items():
        yield place, name, True, line.get(found, "") if where == _BY_LINE else where
