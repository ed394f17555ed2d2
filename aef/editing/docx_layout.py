"""How the paragraphs of a DOCX ruling look: by their own properties, else by their styles (ECMA-376, part 1, 17.7)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from aef.corpus_tools.docx.lines import Line
from aef.corpus_tools.docx.text import DocxText
from aef.corpus_tools.docx.xml import W
from aef.editing.docx_numbers import Numbers
from aef.editing.layout import BOLD, ITALIC, PLAIN, Look, Run, joined

_OFF = ("0", "false", "off", "none")
_HEADINGS = {"title": 1, "subtitle": 2} | {f"heading {level}": level for level in range(10)}
_ALIGN = {"center": "center", "right": "right", "end": "right"}
_STEP = 720
"""Twentieths of a point that are a step to the right: half an inch."""
_STEPS = 4


def docx_looks(source: DocxText) -> list[Look]:
    """The look of each line of the file, in order."""
    styles = {s.get(W + "styleId"): s for root in source.roots("styles") for s in root.iter(W + "style")}
    reader = _Reader(styles, Numbers(source.roots("numbering")))
    return [reader.look(line) for line, _ in source.lines]


class _Reader:
    """Looks at one line after the other: the numbers of lists go on."""

    def __init__(self, styles: Mapping[str, Any], numbers: Numbers) -> None:
        self._styles, self._numbers = styles, numbers
        self._tables: dict[Any, int] = {}
        self._rows: dict[Any, tuple[int, int, int]] = {}

    def look(self, line: Line) -> Look:
        if line.element.tag != W + "p":
            return PLAIN
        properties = line.element.find(W + "pPr")
        chain = list(self._chain(_value(properties, "pStyle")))
        holders = [h for h in (properties, *(style.find(W + "pPr") for style in chain)) if h is not None]
        return Look(
            self._level(holders, chain),
            self._number(holders),
            min(_STEPS, _twips(holders) // _STEP),
            _ALIGN.get(_first(holders, "jc") or "", ""),
            self._cell(line.element),
            tuple(joined(self._runs(line, chain))),
        )

    def _chain(self, name: str | None) -> Iterator[Any]:
        """A style and those that it is based on."""
        seen: set[str] = set()
        while name and name in self._styles and name not in seen:
            seen.add(name)
            yield self._styles[name]
            name = _value(self._styles[name], "basedOn")

    def _level(self, holders: list[Any], chain: list[Any]) -> int:
        outline = _first(holders, "outlineLvl")
        if outline is not None and outline.isdecimal() and int(outline) < 9:
            return int(outline) + 1
        for style in chain:
            if (level := _HEADINGS.get((_value(style, "name") or "").lower())) is not None:
                return level
        return 0

    def _number(self, holders: list[Any]) -> str:
        for holder in holders:
            if (numbering := holder.find(W + "numPr")) is not None:
                return self._numbers.next(_value(numbering, "numId") or "0", _value(numbering, "ilvl") or "0")
        return ""

    def _cell(self, paragraph: Any) -> tuple[int, int, int] | None:
        cell = next(paragraph.iterancestors(W + "tc"), None)
        if cell is None:
            return None
        if cell not in self._rows:
            row, table = (next(cell.iterancestors(W + tag), None) for tag in ("tr", "tbl"))
            if row is None or table is None:
                return None
            number = self._tables.setdefault(table, len(self._tables))
            rows, cells = list(table.iter(W + "tr")), list(row.iter(W + "tc"))
            for column, other in enumerate(cells):
                self._rows[other] = (number, rows.index(row), column)
        return self._rows[cell]

    def _runs(self, line: Line, chain: list[Any]) -> Iterator[Run]:
        known: dict[Any, str] = {}
        spans = []
        for atom in line.atoms:
            run = atom.element.getparent()
            if run not in known:
                known[run] = self._style(run, chain)
            spans.append((atom.start + len(atom.text), known[run]))
        if not any(style for _, style in spans):
            return
        atoms = iter(spans)
        end, style = next(atoms)
        for place, raw in enumerate(line.places[:-1]):
            while raw >= end:
                end, style = next(atoms)
            yield place, place + 1, style

    def _style(self, run: Any, chain: list[Any]) -> str:
        properties = run.find(W + "rPr") if run is not None else None
        own = self._chain(_value(properties, "rStyle"))
        found = [properties, *(style.find(W + "rPr") for style in (*own, *chain))]
        holders = [holder for holder in found if holder is not None]
        return "".join(name for name in (BOLD, ITALIC) if _is_on(holders, name))


def _value(holder: Any, name: str) -> str | None:
    """The value of a property, "" where it has none."""
    found = holder.find(W + name) if holder is not None else None
    return None if found is None else str(found.get(W + "val", ""))


def _first(holders: list[Any], name: str) -> str | None:
    return next((value for holder in holders if (value := _value(holder, name)) is not None), None)


def _is_on(holders: list[Any], name: str) -> bool:
    value = _first(holders, name)
    return value is not None and value not in _OFF


def _twips(holders: list[Any]) -> int:
    for holder in holders:
        if (found := holder.find(W + "ind")) is not None:
            value = found.get(W + "left") or found.get(W + "start") or "0"
            return int(value) if value.isdecimal() else 0
    return 0
