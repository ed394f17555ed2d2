"""Whether a file still holds a name: unpacked, decoded, folded and searched anew.

Shares no code with what reads and writes rulings, so that a mistake there is not made here again: archives are unpacked
by their own directory, XML and HTML are cut at their tags by a pattern, and every stretch of text, every attribute,
comment and declaration, every name of an entry and every byte between entries is searched.

Text is searched twice, with what tags part joined ("<b>Mac</b>Donald") and apart. Letters are compared without accents,
unseen signs and, for longer words, without letter case.
"""

from __future__ import annotations

import gzip
import html
import io
import re
import struct
import unicodedata
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote

from aef import lexicons

MAX_DEPTH = 4
MAX_BYTES = 400_000_000
SAFE_LENGTH = 5
"""A single word of a name is searched for from so many letters on; a surname from two on, with a capital."""
INSIDE_LENGTH = 6
"""A word of so many letters is found inside longer words, too, outside the text that is read."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A name that is still there: in which place, whether as text that a reader sees, and how often."""

    place: str
    name: str
    shown: bool
    times: int = 1

    def __str__(self) -> str:
        return f"{self.place} ({'text' if self.shown else 'not shown'})"


class Unreadable(ValueError):
    """A file that cannot be looked into, so that nothing can be said of it."""


@dataclass(frozen=True)
class Sought:
    """What is searched for: in text that is shown, and everywhere else; each pattern with the names it stands for."""

    shown: re.Pattern[str] | None
    elsewhere: re.Pattern[str] | None
    raw: frozenset[bytes]

    @classmethod
    def of(cls, names: Iterable[str], words: Iterable[str] = ()) -> Sought:
        """``names`` are sought everywhere, ``words`` everywhere but in the text that is shown."""
        whole = sorted({plain(n).strip() for n in names if plain(n).strip()}, key=lambda n: (-len(n), n))
        single = sorted({plain(w) for w in words if len(plain(w)) > 1}, key=lambda w: (-len(w), w))
        every = dict.fromkeys([*whole, *single])
        raw = {f.encode(code, "ignore") for n in [*whole, *single] if len(n) >= SAFE_LENGTH for f in _cases(n)
               for code in ("utf-8", "utf-16-le", "utf-16-be")}  # fmt: skip
        return cls(
            _any([_in_text(n) for n in whole]), _any([_elsewhere(n) for n in every]), frozenset(r for r in raw if r)
        )


def words_of(name: str) -> list[str]:
    """The words of a person's name that give it away alone: the surname, and further words of safe length."""
    words = [w for w in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", name) if w[:1].isupper() or len(name.split()) == 1]
    telling = [w for w in words if w.lower() not in _ordinary()]
    return [w for i, w in enumerate(telling) if len(w) >= SAFE_LENGTH or (i == len(telling) - 1 and len(w) > 1)]


def verify(data: bytes, sought: Sought, name: str = "output") -> list[Finding]:
    """What of the names is still in a file, by place. Raises `Unreadable` for an archive that cannot be unpacked."""
    counts: Counter[tuple[str, str, bool]] = Counter()
    for place, found, shown in _search(data, name, 0, sought, [MAX_BYTES]):
        counts[place, found, shown] += 1
    return [Finding(place, found, shown, times) for (place, found, shown), times in sorted(counts.items())]


def shown_text(data: bytes, name: str) -> str:
    """The text of a file that a reader sees, a line a paragraph."""
    if not data.startswith(b"PK"):
        kind = _HTML if name.lower().endswith((".html", ".htm")) else None
        text = _decode(data)
        return "".join(t for t, shown in _joined(text, kind) if shown) if kind else text
    with _opened(data) as archive:
        stories = [e for e in archive.infolist() if _STORY.search(e.filename)]
        return "\n".join(
            "".join(t for t, shown in _joined(_decode(archive.read(e)), _WORD) if shown or not t.strip())
            for e in stories
        )


def hidden_between(original: str, output: str) -> tuple[list[str], list[str]]:
    """Names and single words that stand in one text and are mostly gone from the other: what was hidden."""
    before, after = (Counter(re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", plain(t))) for t in (original, output))
    gone = {w for w, n in before.items() if _telling(w) and after[w] * 2 < n}
    runs = re.findall(r"[^\W_]+(?:['’-][^\W_]+)*(?:[^\S\n]+[^\W_]+(?:['’-][^\W_]+)*)*", plain(original))
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


def _telling(word: str) -> bool:
    if any(map(str.isdigit, word)):
        return len(word) >= SAFE_LENGTH
    return word[:1].isupper() and len(word) > 2 and word.lower() not in _ordinary()


# --- names as patterns ----------------------------------------------------------------------------------------------


@cache
def _unseen() -> dict[int, str | None]:
    table: dict[int, str | None] = {
        c: None
        for c in [*range(0x20000), *range(0xE0000, 0xE1000)]
        if unicodedata.category(chr(c)) in ("Mn", "Cf") or c == 0x34F
    }
    return table | dict.fromkeys(map(ord, "’‘ʼ"), "'") | dict.fromkeys(map(ord, "‐‑–—"), "-")


def plain(text: str) -> str:
    """The text without accents and unseen signs, compatible letters made one; letter case stays."""
    return text if text.isascii() else unicodedata.normalize("NFKD", text).translate(_unseen())


@cache
def _ordinary() -> frozenset[str]:
    lists = ("common_words", "function_words", "title", "nome_title", "month_names", "weekday_names", "legal_form",
             "generic_organization", "suffix_organization", "organization_words", "law_words", "number_words",
             "place_words")  # fmt: skip
    return frozenset(w.lower().strip(".") for name in lists for w in lexicons.load(name))


def _cases(name: str) -> set[str]:
    return {name, name.lower(), name.upper(), name.title()}


def _parts(name: str) -> list[str]:
    return [re.escape(word) for word in re.findall(r"[^\W_]+", name)]


def _in_text(name: str) -> str:
    body = r"[\W_]*".join(_parts(name))
    anyhow = len(_parts(name)) > 1 or len(name) >= INSIDE_LENGTH
    return _bounded(f"(?i:{body})" if anyhow else "|".join(map(re.escape, sorted(_capital(name)))))


def _elsewhere(name: str) -> str:
    if len(_parts(name)) == 1 and len(name) >= INSIDE_LENGTH and name.isalpha():
        return f"(?i:{re.escape(name)})"
    if len(_parts(name)) > 1 or len(name) >= 4:
        return _bounded(f"(?i:{r'[^a-zA-Z0-9]*'.join(_parts(name))})")
    return _bounded("|".join(map(re.escape, sorted(_capital(name)))))


def _capital(name: str) -> set[str]:
    return {name, name.upper(), name[:1].upper() + name[1:]}


def _bounded(pattern: str) -> str:
    return r"(?<![^\W_])(?:" + pattern + r")(?![^\W\d_])"


def _any(patterns: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(patterns)) if patterns else None


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- files as pieces ------------------------------------------------------------------------------------------------

_TAG = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[A-Za-z/!](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.DOTALL)
_ATTRIBUTE = re.compile(r"[\s/]([\w:.-]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
_STORY = re.compile(r"^word/(?:document|header|footer|footnotes|endnotes|comments)\d*\.xml$")
_WORD, _HTML = "word", "html"
_BREAKS = {"p", "br", "cr", "tab", "tc", "tr"}
_INLINE = _set(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp ruby s samp small span "
    "strike strong sub sup time tt u var wbr"
)
_NOT_SHOWN = {"script", "style", "title", "template", "noscript"}


def _search(data: bytes, place: str, depth: int, sought: Sought, left: list[int]) -> Iterator[tuple[str, str, bool]]:
    """The names in a file, or in an entry of an archive ``depth`` deep; ``left``: bytes that may still be unpacked."""
    left[0] -= len(data)
    if left[0] < 0:
        raise Unreadable(f"{place}: unpacks to more than {MAX_BYTES // 1_000_000} MB")
    kind = place.lower().rpartition(".")[2]
    if data.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        yield from _search_archive(data, place, depth, sought, left)
    elif data.startswith(b"\x1f\x8b"):
        yield from _search(_gunzipped(data, left[0]), place, depth + 1, sought, left)
    elif kind in ("xml", "rels", "vml", "svg") or data.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"<?xml"):
        yield from _search_markup(_decode(data), place, _WORD if depth == 1 and _STORY.match(place) else "", sought)
    elif kind in ("html", "htm", "xhtml"):
        yield from _search_markup(_decode(data), place, _HTML, sought)
    elif kind == "txt" and depth == 0:
        yield from ((place, m.group(), True) for m in _hits(sought.shown, plain(_decode(data))))
    else:
        for content in (data, *_compressed_texts(data)):
            yield from _search_bytes(content, place, sought)


def _search_archive(
    data: bytes, place: str, depth: int, sought: Sought, left: list[int]
) -> Iterator[tuple[str, str, bool]]:
    if depth >= MAX_DEPTH:
        raise Unreadable(f"{place}: archives in archives, more than {MAX_DEPTH} deep")
    around = bytearray(data)
    with _opened(data) as archive:
        for entry in archive.infolist():
            name = f"{place}/{entry.filename}" if depth else entry.filename
            for text in (entry.filename, entry.comment.decode("utf-8", "replace")):
                yield from ((f"the name of {name}", m.group(), False) for m in _hits(sought.elsewhere, plain(text)))
            _blank_out(around, entry)
            yield from _search(_content(archive, entry, left[0]), name, depth + 1, sought, left)
    yield from _search_bytes(bytes(around), f"{place}, between its entries", sought)


def _opened(data: bytes) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError, struct.error) as error:
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
    name, extra = struct.unpack_from("<HH", around, entry.header_offset + 26)
    start = entry.header_offset + 30 + name + extra
    around[start : start + entry.compress_size] = bytes(min(entry.compress_size, max(0, len(around) - start)))


def _gunzipped(data: bytes, most: int) -> bytes:
    try:
        with gzip.open(io.BytesIO(data)) as stream:
            return stream.read(most + 1)
    except (OSError, EOFError, zlib.error):
        return b""


def _decode(data: bytes) -> str:
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return data.decode("utf-16", "replace")
    declared = re.match(rb"\s*<\?xml[^>]*encoding=[\"']([\w.-]+)", data[:200])
    for code in ([declared[1].decode("ascii")] if declared else []) + ["utf-8-sig", "cp1252"]:
        try:
            return data.decode(code)
        except (UnicodeDecodeError, LookupError):
            continue
    return data.decode("latin-1")


def _compressed_texts(data: bytes) -> Iterator[bytes]:
    """The packed texts beside a PNG's pixels."""
    for match in re.finditer(rb"(?:zTXt|iTXt|iCCP)", data) if data.startswith(b"\x89PNG") else ():
        for start in range(match.end(), min(match.end() + 200, len(data))):
            if data[start : start + 1] == b"\x78":
                try:
                    yield zlib.decompressobj().decompress(data[start:], 1_000_000)
                except zlib.error:
                    continue


# --- pieces searched ------------------------------------------------------------------------------------------------


def _hits(pattern: re.Pattern[str] | None, text: str) -> Iterator[re.Match[str]]:
    return pattern.finditer(text) if pattern is not None else iter(())


def _search_bytes(data: bytes, place: str, sought: Sought) -> Iterator[tuple[str, str, bool]]:
    runs = [run.decode("ascii") for run in re.findall(rb"[\x20-\x7e]{5,}", data)]
    runs += [run[::2].decode("ascii") for run in re.findall(rb"(?:[\x20-\x7e]\0){5,}", data)]
    for match in _hits(sought.elsewhere, "\n".join(runs)):
        if len(match.group()) >= SAFE_LENGTH:
            yield place, match.group(), False
    for name in sought.raw:
        if not name.isascii() and name in data:
            yield place, name.decode("utf-8", "replace"), False


def _search_markup(text: str, place: str, kind: str, sought: Sought) -> Iterator[tuple[str, str, bool]]:
    joined = list(_joined(text, kind))
    read = list(_in_pieces(joined, sought.shown, shown=True))
    yield from ((place, name, True) for name in read)
    yield from ((place, name, False) for name in _in_pieces(joined, sought.elsewhere, shown=False))
    for piece, shown in joined:
        hits = _hits(sought.shown, plain(piece)) if shown else ()
        alone = {m.group() for m in hits if len(m.group()) >= INSIDE_LENGTH}  # glued to the next run
        yield from ((place, name, True) for name in sorted(alone.difference(read)))
    apart = "\n".join(t for t, shown in joined if not shown and not _standard(t))
    found = {m.group() for m in _hits(sought.elsewhere, plain(apart))}
    tags = [m.group() for m in _TAG.finditer(text)]
    if next(_hits(sought.elsewhere, plain(_decoded("\n".join(dict.fromkeys(tags))))), None):
        for tag in dict.fromkeys(tags):
            found |= {m.group() for m in _hits(sought.elsewhere, plain(_decoded(_without_standard(tag))))}
    yield from ((place, name, False) for name in sorted(found))


def _decoded(markup: str) -> str:
    once = html.unescape(markup)
    return f"{once}\n{unquote(once)}" if "%" in once else once


def _joined(text: str, kind: str) -> Iterator[tuple[str, bool]]:
    """The texts between tags and whether a reader sees them; white space where a tag parts words."""
    position, element, hidden = 0, "", 0
    for match in _TAG.finditer(text):
        if position < match.start():
            yield html.unescape(text[position : match.start()]), _is_shown(kind, element, hidden)
        position = match.end()
        tag = match.group()
        if tag.startswith("<!["):
            yield tag[9:-3], _is_shown(kind, element, hidden)
        elif tag[1] not in "!?":
            local = re.match(r"</?(?:[\w.-]+:)?([\w.-]*)", tag)
            name = local[1] if local else ""
            element = name if tag[1] != "/" else ""
            name = name.lower() if kind == _HTML else name
            if kind == _HTML and name in _NOT_SHOWN:
                hidden = max(0, hidden + (-1 if tag[1] == "/" else 1))
            if name not in _INLINE if kind == _HTML else name in _BREAKS:
                yield "\n", False
    if position < len(text):
        yield html.unescape(text[position:]), _is_shown(kind, element, hidden)


def _is_shown(kind: str, element: str, hidden: int) -> bool:
    return hidden == 0 if kind == _HTML else kind == _WORD and element == "t"


def _in_pieces(pieces: Sequence[tuple[str, bool]], pattern: re.Pattern[str] | None, shown: bool) -> Iterator[str]:
    """The names in the joined text; those of shown text alone, or those that reach over anything else."""
    texts = [plain(text) for text, _ in pieces]
    starts, position = [], 0
    for text in texts:
        starts.append(position)
        position += len(text)
    i = 0
    for match in _hits(pattern, "".join(texts)):
        while i + 1 < len(starts) and starts[i + 1] <= match.start():
            i += 1
        touched = [i]
        while touched[-1] + 1 < len(starts) and starts[touched[-1] + 1] < match.end():
            touched.append(touched[-1] + 1)
        read = all(pieces[k][1] for k in touched if texts[k].strip())
        if read == shown and not (len(touched) == 1 and not shown and _standard(texts[i])):
            yield match.group()


_FIXED = _set(
    "aqua black blue brown cyan dark gold gray green grey lime magenta navy olive orange pink purple red rose "
    "silver teal violet white yellow light bright center left right both top bottom page margin column line text "
    "single double thick thin wave dot dash none bar cross diamond circle square heart moon sun star cloud can cube "
    "rect wedge arrow ribbon plaque frame chord crown normal heading title subtitle header footer comment reference "
    "table grid list number body closing signature date message block quote strong book hyperlink plain code sample "
    "web caption shading accent classic simple default style medium colorful general standard office word mark "
    "marker series choice arial baskerville bell bodoni bookman bradley calibri cambria candara century constantia "
    "corbel courier david didot elephant forte franklin garamond georgia gill goudy harrington helvetica impact "
    "kartika latha lucida mangal nyala palatino perpetua raavi rockwell segoe shruti sylfaen symbol tahoma times "
    "new roman trebuchet tunga verdana vivaldi vrinda sans serif mt ms std pro no of form with spacing intense "
    "emphasis subtle toc index continue bullet first section next odd even major minor level east asia ascii latin "
    "script complex mono narrow"
)
"""Words of the format itself, of Word's own styles and of fonts: what consists of them alone names nobody."""


def _standard(value: str) -> bool:
    words = re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", value)
    return bool(words) and len(value) < 60 and all(word.lower() in _FIXED for word in words)


_SOMEBODYS = {"descr", "title", "alt", "author", "tooltip", "string", "displayText"}


def _without_standard(tag: str) -> str:
    def kept(match: re.Match[str]) -> str:
        free = match[1].rpartition(":")[2] in _SOMEBODYS
        return match.group() if free or not _standard(match[2].strip("\"'")) else " "

    return _ATTRIBUTE.sub(kept, tag)
