"""The written stock: banks of words, habits of countries, kinds of case, layouts, each a plain text file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from aef.corpus_tools.invented.names import text_of

STAGES = ("facts", "evidence", "law", "findings", "order")

Banks = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Kind:
    """A kind of case: what is known of it (``x.f``: what the first party, a woman, is called) and its paragraphs."""

    name: str
    facts: Banks
    paragraphs: Mapping[str, tuple[str, ...]]


def _lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line and not line.startswith("# ")]


def _entries(lines: list[str]) -> dict[str, tuple[str, ...]]:
    """Lines ``name: entry; entry``."""
    pairs = (line.partition(":") for line in lines)
    return {name: tuple(entry.strip() for entry in entries.split(";")) for name, _, entries in pairs}


@cache
def banks() -> dict[str, tuple[str, ...]]:
    return _entries(_lines(text_of("prose", "banks")))


@cache
def listed(name: str) -> tuple[str, ...]:
    """The lines of a file, each a template."""
    return tuple(_lines(text_of("prose", name)))


@cache
def blocks(name: str) -> tuple[str, ...]:
    """The blocks of a file of layouts, parted by lines ``---``."""
    return tuple(block.strip("\n") for block in text_of("prose", name).split("\n---\n")[1:])


@cache
def countries() -> dict[str, dict[str, tuple[str, ...]]]:
    """What the courts of a country write, by the name of the style."""
    sections = text_of("names", "countries").split("\n= ")[1:]
    return {name: _entries(lines.splitlines()) for name, _, lines in (s.partition("\n") for s in sections)}


@cache
def kinds() -> tuple[Kind, ...]:
    """The kinds of case, by file name."""
    folder = files("aef.corpus_tools.invented").joinpath("prose", "kinds")
    names = sorted(f.name.removesuffix(".txt") for f in folder.iterdir() if f.name.endswith(".txt"))
    return tuple(_kind(name) for name in names)


@cache
def general() -> Kind:
    """The paragraphs that fit every kind of case."""
    return _kind("../general")


def _kind(name: str) -> Kind:
    head, *sections = text_of("prose/kinds" if "/" not in name else "prose", f"{name.rpartition('/')[2]}").split(
        "\n== "
    )
    paragraphs = (section.partition("\n") for section in sections)
    return Kind(name, _entries(_lines(head)), {stage: tuple(_lines(text)) for stage, _, text in paragraphs})
