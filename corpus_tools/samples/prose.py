"""The prose of the sample rulings: files of units (paragraphs with all they need), one file a topic.

A file holds heading lines (``= The Children``) and units. A unit begins with ``%`` and its marks: a digit (its place in
the section), ``@group`` (no two of a group in one ruling), ``must``, and conditions (flags of the case, such as
``married`` or ``!t_custody``). Its lines are a numbered paragraph, or begin with ``>`` (a quotation), ``-`` (an item)
or ``|`` (a table row). Indented lines go on with the line before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

_PROSE = Path(__file__).parent / "prose"
_KINDS = {">": "quote", "-": "item", "|": "row"}


class Line(NamedTuple):
    kind: str
    text: str


@dataclass(frozen=True)
class Unit:
    """A stretch of a section; ``uid`` is its topic and number."""

    uid: str
    topic: str
    stage: int
    group: str
    must: bool
    needs: tuple[str, ...]
    lines: tuple[Line, ...]


@dataclass(frozen=True)
class Topic:
    name: str
    headings: tuple[tuple[tuple[str, ...], str], ...]  # conditions, template
    units: tuple[Unit, ...]


@cache
def topics() -> dict[str, Topic]:
    """All topics by name. The units of ``echoes`` name the topic they go to as a mark ``in:topic``."""
    found = {path.stem: _read(path) for path in sorted(_PROSE.glob("*.txt"))}
    echoes = found.pop("echoes")
    return {name: _with_echoes(topic, echoes) for name, topic in found.items()}


def _with_echoes(topic: Topic, echoes: Topic) -> Topic:
    extra = tuple(unit for unit in echoes.units if unit.topic == topic.name)
    return Topic(topic.name, topic.headings, topic.units + extra)


def _read(path: Path) -> Topic:
    parts = f"\n{path.read_text(encoding='utf-8')}".split("\n%")
    headings = tuple(_heading(line[1:].strip()) for line in parts[0].splitlines() if line.startswith("="))
    return Topic(path.stem, headings, tuple(_unit(path.stem, n, part) for n, part in enumerate(parts[1:], 1)))


def _heading(line: str) -> tuple[tuple[str, ...], str]:
    needs, mark, text = line.partition("?")
    return (tuple(needs.split(",")), text) if mark and needs.replace(",", "").isalnum() and text else ((), line)


def _unit(topic: str, number: int, text: str) -> Unit:
    marks, _, body = text.partition("\n")
    words = marks.split()
    group = next((w[1:] for w in words if w.startswith("@")), "")
    stage = next((int(w) for w in words if w.isdigit()), 5)
    place = next((w[3:] for w in words if w.startswith("in:")), topic)
    needs = tuple(w for w in words if not w.isdigit() and w[0] != "@" and w != "must" and not w.startswith("in:"))
    return Unit(
        f"{topic}:{number}",
        place,
        stage,
        group,
        "must" in words or any(need.startswith("w_") for need in needs),
        needs,
        tuple(_lines(body)),
    )


def _lines(body: str) -> list[Line]:
    lines: list[Line] = []
    for raw in filter(str.strip, body.splitlines()):
        mark, _, rest = raw.partition(" ")
        if mark in _KINDS:
            lines.append(Line(_KINDS[mark], rest.strip()))
        elif lines and (lines[-1].kind == "text" or raw[0] == " "):
            lines[-1] = Line(lines[-1].kind, f"{lines[-1].text} {raw.strip()}")
        else:
            lines.append(Line("text", raw.strip()))
    return lines
