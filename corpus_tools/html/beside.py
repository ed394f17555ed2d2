"""What an HTML file says beside its text: in attributes, comments, scripts, style sheets; and how that is taken out."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from urllib.parse import unquote

from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.html.addresses import forbidden, loads_foreign
from aef.corpus_tools.html.tokens import (
    CLOSE,
    COMMENT,
    CONTENT,
    DOCTYPE,
    OPEN,
    SPACE,
    TEXT,
    Attribute,
    Piece,
    decoded,
    escaped,
    pieces,
)
from aef.corpus_tools.metadata.format_words import words
from aef.corpus_tools.name_search.hidden_names import HiddenNames

_TEXTS = words(
    "alt title placeholder label summary abbr standby aria-label aria-description aria-roledescription "
    "aria-placeholder aria-valuetext"
)
"""Attributes that hold what somebody wrote and browsers show."""
_TECHNICAL_META = words(
    "viewport robots generator progid googlebot referrer *color *color-scheme format-detection msapplication* "
    "*verification og:type og:locale* og:url og:image* twitter:card csrf*"
)
_AUTHORS = words("author creator contributor lastmodifiedby last-modified-by owner reply-to")
_OF_AUTHORS = _AUTHORS | {f"*[.:_-]{author}" for author in _AUTHORS}
"""Names of meta elements, as `fnmatch` reads them."""
_WITH_CONTENT_DROPPED = {"script", "iframe", "noembed", "noframes"}
_TAGS_DROPPED = _WITH_CONTENT_DROPPED | words("object embed applet param frame noscript base animate set")
_ATTRIBUTES_DROPPED = words("on* srcdoc ping nonce formaction")
_HTTP_EQUIV_KEPT = words("content-type content-language x-ua-compatible")
_PICTURES = tuple(f"data:image/{kind};base64," for kind in ("png", "jpg", "jpeg", "gif", "webp", "bmp", "avif"))
_DECLARES = re.compile(
    r"<!doctype\s+html(?:\s+[a-z]+)?(?:\s*\"[^\"<>&]*\"|\s*'[^'<>&]*')*\s*>|<\?xml\s[^<>&]*\?>", re.IGNORECASE
)
"""A declaration that only says that this is HTML."""
_ATTRIBUTES = _TEXTS | words(
    "abbr accept action align allow async autocomplete background bgcolor border cellpadding cellspacing charset "
    "checked cite class clear color cols colspan compact content controls coords crossorigin datetime dir disabled "
    "download enctype face for form frame frameborder headers height hidden high href hreflang hspace http-equiv id "
    "integrity itemprop itemscope itemtype kind lang language link loading low max maxlength media method min multiple "
    "name nowrap open pattern property rel required reversed role rows rowspan rules scope selected shape size sizes "
    "span src srcset start step style tabindex target text type usemap valign value vlink vspace width wrap xml:lang "
    "xmlns"
)
"""Names that belong to HTML: a person may be called Head, Main or Price."""
_COLOURED = words("alink bgcolor color link text vlink")
_COLOURS = words("black blue brown gold gray green grey navy olive red rose silver white")
_CSS_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_CSS_WORDS = re.compile(
    r"font(?:-family)?\s*:[^;}]*|(\"[^\"]*\"?|'[^']*'?|url\([^)]*\)?|[.#\[][\w-]+|@[^{;]*|\\[^;}]*)", re.IGNORECASE
)
"""What a style sheet says in words of its writer: strings, addresses, names of classes, and anything in escapes, but
not what fonts are called."""
_BARE_END = re.compile(r"(?:<|&#?\w*)\Z")


def scrubbed(source: str, name: str, hides: HiddenNames) -> str:
    """The source without what lies beside the text, or must not be read in it."""
    edits: list[Replacement] = []
    for piece in pieces(source, name):
        if piece.kind in (OPEN, CLOSE) and piece.name in _TAGS_DROPPED:
            edits.append((piece.start, piece.end, ""))
        elif piece.kind == OPEN:
            edits += _attribute_edits(piece, source, hides)
        elif piece.kind == CLOSE:
            edits += ((piece.attributes[0].start, piece.end, ">") for _ in piece.attributes[:1])
        elif piece.kind == CONTENT:
            edits.append((piece.start, piece.end, _style(source, piece, hides)))
        elif piece.kind in (COMMENT, DOCTYPE) and not _declares(source, piece, hides):
            edits.append((piece.start, piece.end, ""))
        elif piece.kind == TEXT and piece.name:
            edits += _without_markup(source, piece)
    return _applied(source, edits)


def _attribute_edits(piece: Piece, source: str, hides: HiddenNames) -> Iterator[Replacement]:
    """The attributes of a tag that go, with the white space before them; in a text for people, the names alone go."""
    author = piece.name == "meta" and _is_one_of(_OF_AUTHORS, _meta_name(piece, source))
    for a in piece.attributes:
        if not (author and a.name == "content") and not _must_go(piece, a, source, hides):
            continue
        if is_text(piece, a, source) and not author:
            yield a.low, a.high, escaped(hides.replaced(decoded(source, a.low, a.high)), a.quote)
            continue
        low = a.start
        while source[low - 1] in SPACE:
            low -= 1
        yield low, a.end, _gap(source, a.end)


def _gap(source: str, end: int) -> str:
    """What keeps apart the attributes around one that goes."""
    return "" if source[end] in SPACE + "/>" else " "


def _must_go(piece: Piece, a: Attribute, source: str, hides: HiddenNames) -> bool:
    if _is_one_of(_ATTRIBUTES_DROPPED, a.name) or (a.name not in _ATTRIBUTES and hides(_spelled(a.name))):
        return True
    if piece.name == "meta" and a.name in ("http-equiv", "content") and _acts(piece, source):
        return True
    if source[a.low : a.high].lstrip().lower().startswith(_PICTURES):
        return _picture_hides(source[a.low : a.high], hides)
    value = decoded(source, a.low, a.high)
    if is_text(piece, a, source):
        return hides(value)
    if forbidden(piece.name, a.name, value) or (a.name == "style" and loads_foreign(value)):
        return True
    return hides(_said(a, value))


def _acts(piece: Piece, source: str) -> bool:
    """Whether a meta element tells a browser what to do, such as to go elsewhere."""
    told = (decoded(source, a.low, a.high) for a in piece.attributes if a.name == "http-equiv")
    return any(value.strip().lower() not in _HTTP_EQUIV_KEPT for value in told)


def _said(a: Attribute, value: str) -> str:
    """What the value of an attribute that is no text for people says."""
    if a.name == "style":
        return _said_in_style(value)
    return "" if a.name in _COLOURED and value.lower() in _COLOURS else _spelled(value)


def _said_in_style(sheet: str) -> str:
    return _spelled("\n".join(_CSS_WORDS.findall(sheet)))


def _picture_hides(address: str, hides: HiddenNames) -> bool:
    """Whether a picture in an address holds a hidden name in letters, or cannot be looked into."""
    try:
        data = base64.b64decode(unquote(address.partition(",")[2]), validate=False)
    except ValueError:
        return True
    return hides.in_bytes(data)


def _spelled(value: str) -> str:
    """What an address, a file name or an identifier says, with its words apart and with capitals."""
    plain = unquote(value)
    apart = re.sub(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])|(?<=[a-z])(?=[A-Z])", " ", plain)
    return "\n".join(dict.fromkeys([value, plain, plain.title(), apart, apart.title()]))


def _style(source: str, piece: Piece, hides: HiddenNames) -> str:
    """A style sheet without comments, or nothing where it says more than it should; other content is nothing."""
    sheet = _CSS_COMMENT.sub("", source[piece.start : piece.end])
    return (
        sheet
        if piece.name == "style" and "<" not in sheet and not loads_foreign(sheet) and not hides(_said_in_style(sheet))
        else ""
    )


def _declares(source: str, piece: Piece, hides: HiddenNames) -> bool:
    """Whether a comment or declaration only says that this is HTML."""
    text = source[piece.start : piece.end]
    return _DECLARES.fullmatch(text) is not None and not hides(_spelled(text))


def _without_markup(source: str, piece: Piece) -> Iterator[Replacement]:
    """In a title "<b>" is text; written out it is so for every reader."""
    return ((i, i + 1, "&lt;") for i in range(piece.start, piece.end) if source[i] == "<")


def _applied(source: str, edits: Sequence[Replacement]) -> str:
    """The source with the edits made; where one drops what stood behind a sign that could now begin markup, an empty
    comment stays."""
    guarded = []
    for start, end, new in edits:
        bare = not new and source[start : start + 1] == "<" and _BARE_END.search(source[max(0, start - 40) : start])
        guarded.append((start, end, "<!---->" if bare else new))
    return apply_edits(source, guarded)


def is_text(piece: Piece, a: Attribute, source: str) -> bool:
    """Whether an attribute holds a text for people."""
    if a.name in _TEXTS:
        return piece.name != "link" or a.name == "title"
    if a.name == "value":
        return piece.name == "input"
    return a.name == "content" and piece.name == "meta" and _is_text_of_meta(_meta_name(piece, source), a, source)


def _is_text_of_meta(name: str, a: Attribute, source: str) -> bool:
    return bool(name) and not _is_one_of(_TECHNICAL_META, name) and "://" not in source[a.low : a.high]


def _is_one_of(forms: Iterable[str], name: str) -> bool:
    return any(fnmatchcase(name.lower(), form) for form in forms)


def _meta_name(piece: Piece, source: str) -> str:
    names = (a for a in piece.attributes if a.name in ("name", "property", "itemprop"))
    return next((decoded(source, a.low, a.high).strip() for a in names), "")
