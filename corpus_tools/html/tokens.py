"""HTML cut into text, tags and the rest, each with its place in the source, so that the pieces joined are the source.

Tags and attributes are cut as the HTML standard's tokenizer does (section 13.2.5). Neither lxml.html nor html5lib says
where in the source a piece was, and both write another file than they read; they check this module in the tests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape
from html.entities import html5

from aef.corpus_tools.metadata.format_words import words
from aef.errors import InputError

SPACE = " \t\n\f\r"
_TAG_OPEN = re.compile(rf"</?([a-zA-Z][^{SPACE}/>]*+)")
_ATTRIBUTE = re.compile(
    rf"""(?P<name>[^{SPACE}/>][^{SPACE}/>=]*+)
    (?:[{SPACE}]*+=[{SPACE}]*+
    (?:"(?P<double>[^"]*+)" | '(?P<single>[^']*+)' | (?P<open>["']) | (?P<bare>[^{SPACE}>]*+)))?""",
    re.VERBOSE,
)
"""An attribute with its value, in quotes or not; ``open``: in quotes that nothing closes."""
_QUOTES = {"double": '"', "single": "'"}
_BETWEEN = frozenset(SPACE + "/")
_COMMENT = re.compile(r"<!--(?:-?>|.*?--!?>)", re.DOTALL)
_REFERENCE = re.compile(r"&(?:#[0-9]++;?|#[xX][0-9a-fA-F]++;?|[a-zA-Z][a-zA-Z0-9]*+;?)")
_LONGEST_NAME = max(map(len, html5))


VOID = words("area base br col embed hr img input link meta param source track wbr")
BLOCKS = words(
    "address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol "
    "optgroup option p pre search section select summary table tbody td template text textarea tfoot th thead title tr "
    "ul"
)
"""Elements whose text is a paragraph of its own."""
RAW = frozenset({"script", "style", "iframe", "noembed", "noframes"})
"""Elements whose content is no markup and holds no references."""
ESCAPABLE = frozenset({"title", "textarea"})
"""Elements whose content is text with references, but no markup."""
FOREIGN = frozenset({"svg", "math"})
UNREADABLE = frozenset({"plaintext", "xmp"})

TEXT, OPEN, CLOSE, CONTENT, COMMENT, DOCTYPE = "text", "open", "close", "content", "comment", "doctype"


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute in the source: from ``start`` to ``end``, its value from ``low`` to ``high``, in quotes or not."""

    name: str
    start: int
    end: int
    low: int
    high: int
    quote: str


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters ``start`` to ``end`` of the source. ``name`` is the tag's, or of the element whose content it is.

    ``kind`` is `TEXT` (references and all), `OPEN` or `CLOSE` (tags), `CONTENT` (of an element of `RAW`), `COMMENT`
    (and what browsers take for one) or `DOCTYPE`.
    """

    kind: str
    start: int
    end: int
    name: str = ""
    attributes: list[Attribute] = field(default_factory=list)


def pieces(source: str, name: str) -> Iterator[Piece]:
    """The pieces of a source, in order and without gaps; ``name`` is the file's.

    Raises `InputError` for a file that ends inside a tag or comment, and for obsolete elements that end all markup.
    """
    return _Cutter(source, name).run()


def references(source: str, start: int, end: int, attribute: bool = False) -> Iterator[tuple[int, int, str]]:
    """The character references in a stretch: where, and what they stand for."""
    for match in _REFERENCE.finditer(source, start, end):
        found = _reference(match[0], source[match.end() : match.end() + 1] if match.end() < end else "", attribute)
        if found is not None:
            yield match.start(), match.start() + found[0], found[1]


def decoded(source: str, start: int, end: int, attribute: bool = True) -> str:
    """A stretch of the source with its references resolved."""
    text: list[str] = []
    position = start
    for low, high, characters in references(source, start, end, attribute):
        text += source[position:low], characters
        position = high
    return "".join([*text, source[position:end]])


def escaped(text: str, quote: str | None) -> str:
    """A text as it is written between tags, or in an attribute's value."""
    if quote == "":
        return "".join(c if c.isalnum() or c in "._-" else f"&#{ord(c)};" for c in text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace(quote, f"&#{ord(quote)};") if quote else text


def _reference(text: str, following: str, attribute: bool) -> tuple[int, str] | None:
    """The length of the reference the text begins with, and what it stands for; None where it is none."""
    if text[1] == "#":
        return len(text), unescape(text)
    body = text[1:]
    for length in range(min(len(body), _LONGEST_NAME), 1, -1):
        if (characters := html5.get(body[:length])) is not None:
            behind = body[length : length + 1] or following
            if attribute and body[length - 1] != ";" and (behind == "=" or (behind.isascii() and behind.isalnum())):
                return None  # a parameter of an address
            return length + 1, characters
    return None


class _Cutter:
    def __init__(self, source: str, name: str) -> None:
        self.source, self.name = source, name
        self.foreign: list[str] = []

    def run(self) -> Iterator[Piece]:
        position = text = 0
        while (position := self.source.find("<", position)) >= 0:
            piece = self._piece(position)
            if piece is None:
                position += 1  # a sign among the text
                continue
            if text < position:
                yield Piece(TEXT, text, position)
            yield piece
            position = text = piece.end
            if piece.kind == OPEN and (content := self._content(piece)) is not None:
                yield content
                position = text = content.end
        if text < len(self.source):
            yield Piece(TEXT, text, len(self.source))

    def _piece(self, start: int) -> Piece | None:
        """The tag, comment or declaration that begins here, if one does."""
        following = self.source[start + 1 : start + 2]
        if self.source.startswith("<!--", start):
            return Piece(COMMENT, start, self._comment_end(start))
        if match := _TAG_OPEN.match(self.source, start):
            return self._tag(start, match)
        if self.foreign and self.source.startswith("<![CDATA[", start):
            return Piece(COMMENT, start, self._find("]]>", start, start) + 3)
        if following in ("!", "?") or (following == "/" and start + 2 < len(self.source)):
            kind = DOCTYPE if self.source[start + 1 : start + 9].lower() == "!doctype" else COMMENT
            return Piece(kind, start, self._find(">", start + 2, start) + 1)
        return None

    def _comment_end(self, start: int) -> int:
        match = _COMMENT.match(self.source, start)
        if match is None:
            raise self._cut_off("a comment", start)
        return match.end()

    def _tag(self, start: int, match: re.Match[str]) -> Piece:
        name, closing = match[1].lower(), self.source[start + 1] == "/"
        attributes: list[Attribute] = []
        position = self._skipped(match.end(), start)
        while self.source[position] != ">":
            attributes.append(self._attribute(position, start))
            position = self._skipped(attributes[-1].end, start)
        if name in FOREIGN:
            self._enter_or_leave(name, closing, self.source[position - 1] == "/")
        return Piece(CLOSE if closing else OPEN, start, position + 1, name, attributes)

    def _enter_or_leave(self, name: str, closing: bool, empty: bool) -> None:
        if closing and name in self.foreign:
            del self.foreign[self.foreign.index(name) :]
        elif not closing and not empty:
            self.foreign.append(name)

    def _skipped(self, position: int, start: int) -> int:
        """The first place from here on that is neither white space nor a stroke."""
        while self.source[position : position + 1] in _BETWEEN:
            position += 1
        if position >= len(self.source):
            raise self._cut_off("a tag", start)
        return position

    def _attribute(self, start: int, tag: int) -> Attribute:
        match = _ATTRIBUTE.match(self.source, start)
        kind = str(match.lastgroup) if match else "open"
        if match is None or kind == "open":
            raise self._cut_off("a tag", tag)
        low, high = (match.end(), match.end()) if kind == "name" else match.span(kind)
        return Attribute(match["name"].lower(), start, match.end(), low, high, _QUOTES.get(kind, ""))

    def _content(self, tag: Piece) -> Piece | None:
        """What stands in an element that holds no markup, up to its end tag."""
        if tag.name in UNREADABLE and not self.foreign:
            raise InputError.at(self.name, f"has an obsolete <{tag.name}>: refused", line=self._line(tag.start))
        if tag.name not in RAW and (tag.name not in ESCAPABLE or self.foreign):
            return None
        if self.source[tag.end - 2] == "/" and self.foreign:
            return None
        match = re.compile(rf"</{tag.name}(?=[{SPACE}/>])", re.IGNORECASE).search(self.source, tag.end)
        if match is None:
            raise self._cut_off(f"a <{tag.name}>", tag.start)
        return Piece(CONTENT if tag.name in RAW else TEXT, tag.end, match.start(), tag.name)

    def _find(self, sign: str, position: int, start: int) -> int:
        found = self.source.find(sign, position)
        if found < 0:
            raise self._cut_off("a tag", start)
        return found

    def _cut_off(self, what: str, start: int) -> InputError:
        return InputError.at(
            self.name, f"ends inside {what}", line=self._line(start), remedy="Get the file again: it is cut off"
        )

    def _line(self, position: int) -> int:
        return self.source.count("\n", 0, position) + 1
