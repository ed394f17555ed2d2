"""The numbers that Word puts before paragraphs and that stand nowhere in the text (ECMA-376, part 1, 17.9)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any

from aef.corpus_tools.docx.xml import W

BULLET = "•"
_ROMAN = (
    *((1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"), (10, "x")),
    *((9, "ix"), (5, "v"), (4, "iv"), (1, "i")),
)
_LEVELS = 9


@dataclass(frozen=True)
class _Level:
    start: int
    form: str
    text: str


class Numbers:
    """The lists of a file, counted from its beginning."""

    def __init__(self, roots: Iterable[Any]) -> None:
        self._levels: dict[str, dict[int, _Level]] = {}
        self._lists: dict[str, str] = {}
        self._restarts: dict[tuple[str, int], int] = {}
        self._counts: dict[str, list[int | None]] = {}
        for root in roots:
            for one in root.iter(W + "abstractNum"):
                levels = {_number(level.get(W + "ilvl")): _level(level) for level in one.iter(W + "lvl")}
                self._levels[one.get(W + "abstractNumId", "")] = levels
            for one in root.iter(W + "num"):
                self._add(one.get(W + "numId", ""), one)

    def _add(self, key: str, element: Any) -> None:
        of = element.find(W + "abstractNumId")
        self._lists[key] = of.get(W + "val", "") if of is not None else ""
        for override in element.iter(W + "lvlOverride"):
            if (start := override.find(W + "startOverride")) is not None:
                self._restarts[key, _number(override.get(W + "ilvl"))] = _number(start.get(W + "val"))

    def next(self, key: str, level: str) -> str:
        """What stands before the next paragraph of a list at a level; "" of no list."""
        which, depth = self._lists.get(key, ""), min(_number(level), _LEVELS - 1)
        levels = self._levels.get(which, {})
        if depth not in levels:
            return ""
        counts = self._counts.setdefault(which, [None] * _LEVELS)
        start = self._restarts.pop((key, depth), None)
        last = counts[depth]
        counts[depth] = start if start is not None else levels[depth].start if last is None else last + 1
        counts[depth + 1 :] = [None] * (_LEVELS - depth - 1)
        if levels[depth].form == "bullet":
            return BULLET
        first, *pieces = levels[depth].text.split("%")
        counted = (self._shown(levels, counts, int(p[0]) - 1) + p[1:] if p[:1].isdecimal() else f"%{p}" for p in pieces)
        return first + "".join(counted)

    def _shown(self, levels: dict[int, _Level], counts: list[int | None], depth: int) -> str:
        if depth not in levels or depth >= _LEVELS:
            return ""
        count = counts[depth]
        return written(levels[depth].start if count is None else count, levels[depth].form)


def _level(element: Any) -> _Level:
    def value(name: str, otherwise: str) -> str:
        found = element.find(W + name)
        return otherwise if found is None else str(found.get(W + "val", otherwise))

    return _Level(_number(value("start", "1")), value("numFmt", "decimal"), value("lvlText", ""))


def _number(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and len(text) < 7 else 0


def written(number: int, form: str) -> str:
    """A number as a list has it.

    >>> [written(4, form) for form in ("decimal", "lowerLetter", "upperLetter", "lowerRoman", "upperRoman", "none")]
    ['4', 'd', 'D', 'iv', 'IV', '']
    >>> written(28, "lowerLetter"), written(0, "lowerLetter"), written(4001, "lowerRoman")
    ('bb', '0', '4001')
    """
    if form == "none":
        return ""
    plain = form.lower()
    if plain.endswith("letter") and 0 < number <= 26 * 9:
        shown = ascii_lowercase[(number - 1) % 26] * ((number - 1) // 26 + 1)
    elif plain.endswith("roman") and 0 < number <= 4000:
        shown = _roman(number)
    else:
        return str(number)
    return shown.upper() if form.startswith("upper") else shown


def _roman(number: int) -> str:
    signs = ""
    for value, sign in _ROMAN:
        signs, number = signs + sign * (number // value), number % value
    return signs
