"""Hand-written rulings in the manner of many courts: invented people, every mention of a person marked with a role.

Files ``texts/STYLE-NN.txt``: a line for each entity, ``id | TYPE | role | hide or show | full name``, a line ``---``,
then the ruling with its mentions marked inline, ``{surface|id}``. ``hide`` is what the house rule of that court hides.
Titles and possessives stand outside the marks. ``ok | word, ...`` lists words of names that also occur as something
else. Everything is of our own making: people, cases, and most of the cited cases.

The rulings with even numbers are the closed half, six of each of six styles, to judge by and never to learn or choose
from: three set aside before anything was tuned (02, 04, 06), three written much later, by others (08, 10, 12). What was
written later, to learn and choose from, has odd numbers. The longer ones among these read as ordinary judgments of a
court do, with more names that stay than are hidden: companies are marked in them, who is initials alone, and a cited
case as a whole (``CASE``), where the others mark the people in its name. The longest, of 3,400 to 6,500
words, name the same people and companies dozens of times, in ever other sentences, as long judgments do.

Rulings in another language are in a folder of its name, ``texts/es/STYLE-NN.txt``: Spanish ones of Uruguay, Spain,
Argentina and Mexico, French ones of Québec, France, Belgium and Switzerland, to learn from also ones of other
countries. Three of each of these eight styles are closed; those from 07 on were written to learn from after the closed
ones had been judged by. All follow one house rule there: parties, children, relatives and lay witnesses are hidden,
births, homes, numbers of people, schools, and companies that bear the name of somebody hidden; offices stay, and the
number of the case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.formats.plain_text import PlainText

ROLES = ("party", "child", "relative", "witness", "counsel", "judge", "expert", "official", "author", "cited", "other")
INITIALS = "initials"
"""Beside them, the role of who is anonymized already."""

_MARK = re.compile(r"\{([^{}|]*)\|(\w+)\}")
_DIRECT = ("PERSON", "CODE")


def rulings(style: str | None = None, half: str | None = None, language: str = "en") -> list[Document]:
    """The rulings of a style (default: of all), of the ``open`` or the ``closed`` half (default: both), in a language.

    A mention's ``extra`` holds the ``role`` of its person and the full ``name``; ``meta`` holds the ``style``.
    """
    chosen = [f for f in _texts(language) if style in (None, _style(f)) and half in (None, _half(f))]
    parsed = (parse(f.read_text("utf-8"), f.name.removesuffix(".txt")) for f in chosen)
    return [document if language == "en" else document.in_language(language) for document in parsed]


def styles(half: str | None = None, language: str = "en") -> list[str]:
    """The styles of a language that have rulings in that half (default: in any)."""
    return sorted({_style(file) for file in _texts(language) if half in (None, _half(file))})


def languages() -> list[str]:
    """The languages that there are rulings in."""
    folder = files("aef.corpus_tools.handwritten").joinpath("texts")
    return sorted({"en", *(f.name for f in folder.iterdir() if f.is_dir())})


def _texts(language: str) -> list[Traversable]:
    folder = files("aef.corpus_tools.handwritten").joinpath("texts")
    folder = folder if language == "en" else folder.joinpath(language)
    if not folder.is_dir():
        return []
    return sorted((f for f in folder.iterdir() if f.name.endswith(".txt")), key=lambda f: f.name)


def _style(file: Traversable) -> str:
    return file.name.rsplit("-", 1)[0]


def _half(file: Traversable) -> str:
    return "open" if int(file.name.removesuffix(".txt").rsplit("-", 1)[1]) % 2 else "closed"


def parse(source: str, doc_id: str = "") -> Document:
    """A marked ruling as a gold document. Raises `KeyError` for a mark of an entity that is not declared."""
    front, marked = source.split("\n---\n", 1)
    entities = {e[0]: e[1:] for e in map(_fields, front.splitlines()) if len(e) == 5}
    pieces: list[str] = []
    mentions: list[Mention] = []
    for text, mark in _pieces(marked):
        if mark:
            kind, role, shown, name = entities[mark]
            identifier = "NO_MASK" if shown == "show" else "DIRECT" if kind in _DIRECT else "QUASI"
            start = sum(map(len, pieces))
            extra = {"name": name} | ({"role": role} if kind == "PERSON" else {})
            mentions.append(Mention(start, start + len(text), kind, identifier, f"{doc_id}-{mark}", extra=extra))
        pieces.append(text)
    document = PlainText("".join(pieces)).document(doc_id)
    style = doc_id.rsplit("-", 1)[0]
    return Document(document.text, doc_id, document.blocks, tuple(mentions), {"style": style} if style else {})


def _fields(line: str) -> list[str]:
    return [field.strip() for field in line.split("|")]


def _pieces(marked: str) -> Iterator[tuple[str, str]]:
    """The stretches of a marked text, each with the id of its mark, or without one."""
    position = 0
    for match in _MARK.finditer(marked):
        yield marked[position : match.start()], ""
        yield match[1], match[2]
        position = match.end()
    yield marked[position:], ""
