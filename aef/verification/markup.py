"""XML and HTML cut at their tags by a pattern, for `aef.verification.search`: stretches of text, and what tags say."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from urllib.parse import unquote

from aef.corpus_tools.docx.policy import NOWHERE
from aef.corpus_tools.metadata.telling import Place, Telling, place_of
from aef.names.parts import word_set

WORD, HTML, TEXT = "word", "html", "text"
"""The kinds of markup in which a reader sees text; in others nobody does."""

TAG = re.compile(
    r"(<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<[A-Za-z/!](?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>)", re.DOTALL
)
_ELEMENT = re.compile(r"</?(?:([\w.-]+):)?([\w.-]+)")
_ATTRIBUTE = re.compile(r"[\s/]([\w:.-]+)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'>]+)")
_HARD, _SOFT = {"p", "tc", "tr"}, {"br", "cr", "tab"}
_RUNS = {"t": Place.WRITTEN, "delText": Place.WRITTEN, "instrText": Place.CODE, "delInstrText": Place.CODE}
"""The elements of Word and of drawings whose texts are read on from one to the next."""
_INLINE = word_set(
    "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb rp ruby s samp small span "
    "strike strong sub sup time tt u var wbr"
)
_NAME = "a name of an element or attribute"
_NOT_SHOWN = {"script", "style", "title", "template", "noscript"}


@dataclass(frozen=True, slots=True)
class Stretch:
    """A text that is read on end: its pieces, whether a reader sees it, by whose words it is of, and where it is."""

    pieces: tuple[str, ...]
    shown: bool
    place: Place
    where: str = ""

    @property
    def text(self) -> str:
        return "".join(self.pieces)


def stretches(cut: Sequence[str], kind: str) -> Iterator[Stretch]:
    """The texts of a part or page, in order. cut : texts and tags in turn, as `TAG` splits them."""
    yield from _of_text(cut) if kind == TEXT else _of_page(cut) if kind == HTML else _of_part(cut, kind == WORD)


@dataclass
class _Paragraph:
    """The texts of a paragraph by the elements they stand in, as far as it has been read."""

    number: int = 1
    runs: dict[str, list[str]] = field(default_factory=dict)

    def ended(self, shown: bool, *elements: str) -> Iterator[Stretch]:
        for element in elements or list(self.runs):
            if pieces := self.runs.pop(element, None):
                seen = shown and element == "t"
                yield Stretch(tuple(pieces), seen, _RUNS[element], f"paragraph {self.number}")


def _of_part(cut: Sequence[str], shown: bool) -> Iterator[Stretch]:
    """Of a part of a package; texts that are no runs stand for themselves."""
    if not shown and not "".join(cut[::2]).strip() and "<![" not in "".join(cut[1::2]):
        return  # styles say all in their tags
    paragraph = _Paragraph()
    if cut[0].strip():
        yield Stretch((html.unescape(cut[0]),), False, Place.CHOSEN)
    for tag, text in zip(cut[1::2], cut[2::2], strict=True):
        element = _local(tag)
        if element in _HARD:
            yield from paragraph.ended(shown)
            paragraph.number += tag[1] == "/" and element == "p"
        elif element in _SOFT:
            for pieces in paragraph.runs.values():
                pieces.append(" ")
        elif element == "fldChar":
            yield from paragraph.ended(shown, "instrText")
        content = tag[9:-3] if tag.startswith("<![") else html.unescape(text) if "&" in text else text
        if element in _RUNS and tag[1] != "/":
            paragraph.runs.setdefault(element, []).append(content)
        elif content and not content.isspace():
            yield Stretch((content,), False, Place.CHOSEN, element)
    yield from paragraph.ended(shown)


_BESIDE = word_set("title desc creator date creator-initials sender-initials script note-citation")


def _of_text(cut: Sequence[str]) -> Iterator[Stretch]:
    """Of a part of an OpenDocument text: a paragraph is what stands in it, other paragraphs in it aside."""
    begun: list[list[str]] = []
    number = beside = 0
    for tag, text in zip(cut[1::2], cut[2::2], strict=True):
        element, ends, single = _local(tag), tag[1] == "/", tag.endswith("/>")
        if element in ("p", "h") and not ends:
            begun.append([])
        if element in ("p", "h") and (ends or single) and begun:
            number += 1
            yield Stretch(tuple(begun.pop()), True, Place.WRITTEN, f"paragraph {number}")
        if element in _BESIDE and not single:
            beside = max(0, beside + (-1 if ends else 1))
        if element in ("s", "tab", "line-break") and begun:
            begun[-1].append(" ")
        content = tag[9:-3] if tag.startswith("<![") else html.unescape(text)
        if begun and not beside:
            begun[-1].append(content)
        elif content.strip():
            yield Stretch((content,), False, Place.CHOSEN, element)


def _of_page(cut: Sequence[str]) -> Iterator[Stretch]:
    """Of a page: texts that no tag of a block parts are one."""
    pieces, hidden, element = [html.unescape(cut[0])], 0, ""
    for tag, text in zip(cut[1::2], cut[2::2], strict=True):
        name = _local(tag).lower()
        if name in _NOT_SHOWN:
            hidden = max(0, hidden + (-1 if tag[1] == "/" else 1))
        if name and name not in _INLINE and name != "br":
            yield from _seen(pieces)
            pieces = []
        element = name if tag[1] != "/" else ""
        content = tag[9:-3] if tag.startswith("<![") else html.unescape(text)
        if hidden and content.strip():
            yield Stretch((content,), False, Place.OWN if element == "style" else Place.WRITTEN, name)
        elif not hidden:
            pieces.append(" " + content if name == "br" else content)
    yield from _seen(pieces)


def _seen(pieces: Sequence[str]) -> Iterator[Stretch]:
    if any(piece.strip() for piece in pieces):
        yield Stretch(tuple(pieces), True, Place.WRITTEN)


@lru_cache(maxsize=1 << 12)
def _local(tag: str) -> str:
    """The name of an element without its prefix; none of a comment, a declaration or an instruction."""
    match = _ELEMENT.match(tag)
    return match[2] if match else ""


def in_tags(tags: Iterable[str], telling: Telling) -> Iterator[tuple[str, str]]:
    """The names that tags, comments and declarations say, and where."""
    different = dict.fromkeys(tags)
    if telling.names(decoded("\n".join(different))):
        for tag in different:
            if telling.names(decoded(tag)):
                yield from _in_tag(tag, telling)


def _in_tag(tag: str, telling: Telling) -> Iterator[tuple[str, str]]:
    for text, place, where in _said(tag):
        spelled = decoded(text)
        yield from ((spelled[start:end], where) for start, end, _ in telling(spelled, place))


def _said(tag: str) -> Iterator[tuple[str, Place, str]]:
    """What a tag says, by place."""
    if (match := _ELEMENT.match(tag)) is None:
        comment = tag.startswith(("<!--", "<?")) and not tag.startswith("<?xml ")
        yield tag, Place.WRITTEN if comment else Place.OWN, "a comment"
        return
    prefix, element = match[1] or "", match[2]
    yield from ((name, Place.OWN, _NAME) for name in (prefix, element) if name)
    away = 'TargetMode="External"' in tag
    for name, quoted in _ATTRIBUTE.findall(tag, match.end()):
        space, _, key = name.rpartition(":")
        yield from ((part, Place.OWN, _NAME) for part in (space, key) if part)
        value = quoted.strip("\"'")
        linked = away and key == "Target" and value != NOWHERE
        yield value, Place.WRITTEN if linked else place_of(element, key), f"{key} of {element}"


def decoded(markup: str) -> str:
    """Markup with what stands for characters in XML and in addresses written out."""
    once = html.unescape(markup)
    return f"{once}\n{unquote(once)}" if "%" in once else once
