"""Benches and signatures: judges whom the ruling lists, or who sign it, and clerks beside them.

A bench is opened by words like "composed of"; the names follow one another, separated by commas, lines, titles and
words for seats ("President", "Rapporteur"), and nothing else. Who signs stands alone in a cell of a line, over or under
a cell that has nothing but the name of an office.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

_REACH, _GAP = 8000, 160
"""The characters at the beginning in which benches are looked for, and the most between two of a bench."""
_CELL = re.compile(r"(?:(?!\t|[ ]{2})[^\n])+")
_ALONE = re.compile(
    r"[\s\"“(\[_./*-]*(?:(?i:sd/?-?|sgd\.?|signed|s/d|/?s/|w\.g\.)[\s):/_.-]*)?"
    r"(?:(?:Mr|Mrs|Ms|Miss|Dr|Hon|Prof|Justice|Judge|Sri|Smt|Shri|Datuk|Dato|Tan Sri|[A-Z](?=\.))\b[.\s]*)*"
)
_LETTERS = re.compile(r"[\s\"”)\]_.,*-]*(?:[A-Z]{1,4}\.?[\s)]*){0,2}")
_NEAR, _LAST = 2, 0.8
"""The lines over and under a signature in which the office may stand; the share of a text that ends before its last
part, in which the office may stand over the name, too."""

Place = tuple[int, int]


def judicial_panels(
    text: str, places: Sequence[Place], opener: re.Pattern[str], seats: re.Pattern[str], gap: re.Pattern[str]
) -> Iterator[tuple[Place, str, int]]:
    """Those who sit: the place of the name, the words that open the bench, and where these stand.

    ``seats``: words for seats; ``gap``: all that may stand between two who sit. Without a seat it is none.
    """
    for opened in opener.finditer(text, 0, _REACH):
        sitting, last = _sitting(text, places, opened.end(), gap)
        if sitting and seats.search(text, opened.end("cue"), last):
            yield from ((place, opened["cue"], opened.start("cue")) for place in sitting)


def _sitting(text: str, places: Sequence[Place], start: int, gap: re.Pattern[str]) -> tuple[list[Place], int]:
    """The names that follow one another from a place on, and where what is said of the last of them ends."""
    found: list[Place] = []
    end = start
    for low, high in places[bisect_left(places, (start,)) :]:
        between = text[end:low]
        apart = bool(found) and re.search(r"\n\s*\n", between) is not None
        if apart or len(between) > _GAP or not gap.fullmatch(between):
            break
        found.append((low, high))
        end = high
    said = gap.match(text, end, end + _GAP)
    line = re.search(r"\n\s*\n", text[end : said.end()]) if said else None
    return found, end + line.start() if line else said.end() if said else end


def signed_as(text: str, low: int, high: int, office: re.Pattern[str]) -> re.Match[str] | None:
    """The office in the cell under the name, or over it at the end of a text; the name is alone in its own cell."""
    line = text.rfind("\n", 0, low) + 1
    near = low - line <= _GAP
    cell = next((c for c in _CELL.finditer(text, line, high + _GAP) if c.end() >= high), None) if near else None
    if cell is None or cell.start() > low or not _alone(text, cell, low, high):
        return None
    over = _lines_over(text, line) if low > _LAST * len(text) else ()
    for lines in (_lines_under(text, high), over):
        for start, end in lines:
            if found := _office(text, start, end, (cell.start() - line, cell.end() - line), office):
                return found
            if text[start:end].strip():
                break
    return None


def _alone(text: str, cell: re.Match[str], low: int, high: int) -> bool:
    before, behind = text[cell.start() : low], text[high : cell.end()]
    return _ALONE.fullmatch(before) is not None and _LETTERS.fullmatch(behind) is not None


def _office(text: str, start: int, end: int, column: Place, office: re.Pattern[str]) -> re.Match[str] | None:
    """The office that stands in a column of a line, or as all of the line."""
    cells = [c for c in _CELL.finditer(text, start, end) if c[0].strip()]
    for cell in cells:
        first = cell.start() + len(cell[0]) - len(cell[0].lstrip()) - start
        under = first < column[1] and cell.end() - start > column[0]
        if (under or len(cells) == 1) and (found := office.fullmatch(text, start + first, cell.end())):
            return found
    return None


def _lines_under(text: str, place: int) -> Iterator[Place]:
    for _ in range(_NEAR):
        start = text.find("\n", place) + 1
        if not start:
            return
        place = text.find("\n", start) % (len(text) + 1)
        yield start, place


def _lines_over(text: str, line: int) -> Iterator[Place]:
    for _ in range(_NEAR):
        if line == 0:
            return
        start = text.rfind("\n", 0, line - 1) + 1
        yield start, line - 1
        line = start
