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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from urllib.parse import unquote

from aef import lexicons
from aef.corpus_tools.hidden_names import printable
from aef.format_words import is_name, is_uri, is_value, without_words

MAX_DEPTH = 4
MAX_BYTES = 1_200_000_000
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
        shown, elsewhere = _any(whole, _in_text, lambda name: False), _any([*every], _elsewhere, _anywhere)
        return cls(shown, elsewhere, frozenset(r for r in raw if r))


def words_of(name: str) -> list[str]:
    """The words of a person's name that give it away alone: the surname, and further words of safe length."""
    words = [w for w in re.findall(r"[^\W\d_]+(?:['’-][^\W\d_]+)*", name) if w[:1].isupper() or name.isalpha()]
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
    return frozenset(w.lower().strip(".") for name in lists for w in lexicons.load(name))


def _cases(name: str) -> set[str]:
    return {name, name.lower(), name.upper(), name.title()}


def _parts(name: str) -> list[str]:
    return [re.escape(word) for word in re.findall(r"[^\W_]+", name)]


def _in_text(name: str) -> str:
    if sum(len(word) > 1 for word in re.findall(r"[^\W_]+", name)) == 1 and len(_parts(name)) > 1:
        return _initialled(name)
    body = r"[\W_]*".join(_parts(name))
    anyhow = len(_parts(name)) > 1 or len(name) >= INSIDE_LENGTH
    return f"(?i:{body})" if anyhow else "|".join(map(re.escape, sorted(_capital(name))))


def _initialled(name: str) -> str:
    """Initials and a surname with their capitals: "a hill" is nobody's."""
    words = re.findall(r"[^\W_]+", name)
    return r"[\W_]*".join(f"(?:{'|'.join(map(re.escape, sorted(_capital(word))))})" for word in words)


def _elsewhere(name: str) -> str:
    if len(_parts(name)) > 1 or len(name) >= 4:
        return f"(?i:{r'[^a-zA-Z0-9]*'.join(_parts(name))})"
    return "|".join(map(re.escape, sorted(_capital(name))))


def _anywhere(name: str) -> bool:
    """Whether a name is sought inside of longer words, where nobody reads."""
    return len(_parts(name)) == 1 and len(name) >= INSIDE_LENGTH and name.isalpha()


def _capital(name: str) -> set[str]:
    return {name.upper(), name[:1].upper() + name[1:]}


def _any(names: Sequence[str], pattern: Callable[[str], str], inside: Callable[[str], bool]) -> re.Pattern[str] | None:
    """One pattern of all names, tried only where one may begin; those not sought ``inside`` of words are whole ones."""
    names = [name for name in names if _parts(name)]
    free, whole = ("|".join(pattern(n) for n in names if inside(n) is wanted) for wanted in (True, False))
    bounded = [rf"(?<![^\W_])(?:{whole})(?![^\W\d_])"] if whole else []
    firsts = {case(_parts(name)[0][0]) for name in names for case in (str.lower, str.upper)}
    start = f"(?=[{''.join(sorted(map(re.escape, firsts)))}])"
    return re.compile(f"{start}(?:{'|'.join([*bounded, *filter(None, [free])])})") if names else None


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# --- files as pieces ------------------------------------------------------------------------------------------------

_TAG = re.compile(r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[A-Za-z/!](?:[^<>\"']|\"[^\"]*\"|'[^']*')*>", re.DOTALL)
_ELEMENT = re.compile(r"^(</?(?:[\w.-]+:)?)([\w.-]+)")
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
            own = "" if is_name(entry.filename) else entry.filename
            for text in (own, entry.comment.decode("utf-8", "replace")):
                yield from ((f"the name of {name}", m.group(), False) for m in _hits(sought.elsewhere, plain(text)))
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
    for match in _hits(sought.elsewhere, printable(data)):
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
    apart = "\n".join(t for t, shown in joined if not shown and not is_value(t))
    found = {m.group() for m in _hits(sought.elsewhere, plain(apart))}
    tags = [m.group() for m in _TAG.finditer(text)]
    if next(_hits(sought.elsewhere, plain(_decoded("\n".join(dict.fromkeys(tags))))), None):
        for tag in dict.fromkeys(tags):
            found |= {m.group() for m in _hits(sought.elsewhere, plain(_decoded(_without_own(tag))))}
    yield from ((place, name, False) for name in sorted(found))


def _decoded(markup: str) -> str:
    once = html.unescape(markup)
    return f"{once}\n{unquote(once)}" if "%" in once else once


def _joined(text: str, kind: str) -> Iterator[tuple[str, bool]]:
    """The texts between tags and whether a reader sees them; white space where a tag parts words."""
    position, element, hidden = 0, "", 0
    for match in _TAG.finditer(text):
        if position < match.start():
            piece = html.unescape(text[position : match.start()])
            style = kind == _HTML and element.lower() == "style"
            yield without_words(piece) if style else piece, _is_shown(kind, element, hidden)
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
    blank, own = [not text.strip() for text in texts], [is_value(text) for text in texts]
    i = 0
    for match in _hits(pattern, "".join(texts)):
        while i + 1 < len(starts) and starts[i + 1] <= match.start():
            i += 1
        touched = [i]
        while touched[-1] + 1 < len(starts) and starts[touched[-1] + 1] < match.end():
            touched.append(touched[-1] + 1)
        read = all(pieces[k][1] for k in touched if not blank[k])
        if read == shown and not (len(touched) == 1 and not shown and own[i]):
            yield match.group()


_SOMEBODYS = {"descr", "title", "alt", "author", "tooltip", "string", "displayText"}


def _without_own(tag: str) -> str:
    """A tag without the names and values of the format; prefixes stay, and what somebody may have written."""

    def kept(match: re.Match[str]) -> str:
        prefix, _, name = match[1].rpartition(":")
        value = match[2].strip("\"'")
        own = name not in _SOMEBODYS and (is_value(value) or is_uri(value))
        written = "" if is_name(name) and prefix != "xmlns" else name
        value = without_words(value) if name == "style" else value
        return f" {prefix} {written} {'' if own else value}"

    return _ATTRIBUTE.sub(kept, _ELEMENT.sub(lambda m: m[1] if is_name(m[2]) else m.group(), tag))
