"""What an editor did inside a paragraph: which units were kept, replaced by a label, deleted, reworded, inserted.

Runs of units that are unique on both sides and in the same order are kept; the gaps between them are filled by a
small dynamic program whose prices say what editors do: a label stands for a run of names and numbers rather than
for ordinary words, an ordinary word gives way to another one.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import NamedTuple

from aef import lexicons
from aef.corpus_tools.alignment.conventions import Label, Unit, has_digit

KEPT, LABEL, DELETED, REWORDED, INSERTED = "kept", "label", "deleted", "reworded", "inserted"


class Sort(IntEnum):
    """What a unit of the original is, as far as its price is concerned."""

    NAME = 0  # a capital that no sentence start explains, or a digit
    LOWER = 1
    COMMON = 2  # a word of the stop list
    TITLE = 3
    SIGN = 4


class Step(NamedTuple):
    """One stretch of the alignment: units ``o_start:o_end`` of the original, ``a_start:a_end`` of the other side."""

    kind: str
    o_start: int
    o_end: int
    a_start: int
    a_end: int


_EXTEND = (0.05, 0.55, 0.7, 0.3, 0.15)  # one more unit of the original under a label, by its sort
_DELETE = (0.75, 0.7, 0.6, 0.6, 0.15)
_OPEN_STRONG, _OPEN_WEAK, _OPEN_DELETION = 0.2, 0.45, 0.1
_INSERT_WORD, _INSERT_SIGN, _INSERT_LABEL = 0.7, 0.25, 1.2
_MISFIT = 0.1
_LOOSE_END = 0.05  # for a label or deletion that ends in a word such as 'of'
_SLACK = 2  # kept units beside a gap that its dynamic program may place anew
_SMALL, _LARGE = 400, 60_000  # cells of a gap: below, no anchors are sought; above, it counts as reworded
_ANCHOR_LENGTHS = (5, 3, 2, 1)

Units = Sequence[Unit]


@dataclass(frozen=True)
class _Sides:
    original: Units
    sorts: Sequence[Sort]
    anonymized: Units


def align_units(original: Units, sorts: Sequence[Sort], anonymized: Units) -> list[Step]:
    """The steps from ``original`` to ``anonymized``, in order and covering both; ``sorts`` is of ``original``."""
    sides = _Sides(original, sorts, anonymized)
    kept = _kept_runs(sides, 0, len(original), 0, len(anonymized))
    steps: list[Step] = []
    o = a = 0
    for o_next, a_next, length in [*kept, (len(original), len(anonymized), 0)]:
        after = 0
        if _is_plain(sides, o, o_next, a, a_next):
            steps.append(Step(LABEL if a_next > a else DELETED, o, o_next, a, a_next))
        elif o_next > o or a_next > a:
            before, after = _take_back(steps), min(_SLACK, length)
            steps += _fill(sides, o - before, o_next + after, a - before, a_next + after)
        o, a = o_next + length, a_next + length
        steps.append(Step(KEPT, o_next + after, o, a_next + after, a))
    return _merged(steps)


def _take_back(steps: list[Step]) -> int:
    """Shorten the last step, if it kept something, and say by how many units."""
    if not steps or steps[-1].kind != KEPT:
        return 0
    last = steps.pop()
    back = min(_SLACK, last.o_end - last.o_start)
    steps.append(last._replace(o_end=last.o_end - back, a_end=last.a_end - back))
    return back


def _is_plain(sides: _Sides, o: int, o_end: int, a: int, a_end: int) -> bool:
    """A gap that leaves nothing to decide: names for nothing but one strong label, or words for nothing."""
    if o == o_end or a == a_end:
        return o < o_end
    label = sides.anonymized[a].label
    only_label = a_end - a == 1 and label is not None and label.convention.strong
    return only_label and all(s in (Sort.NAME, Sort.SIGN) for s in sides.sorts[o:o_end])


def _kept_runs(sides: _Sides, o: int, o_end: int, a: int, a_end: int) -> list[tuple[int, int, int]]:
    """Kept stretches (start, start, length) in order: common ends, then unique n-grams, then again between them."""
    runs: list[tuple[int, int, int]] = []
    head = _common(sides, o, a, min(o_end - o, a_end - a), 1)
    o, a = o + head, a + head
    tail = _common(sides, o_end - 1, a_end - 1, min(o_end - o, a_end - a), -1)
    o_end, a_end = o_end - tail, a_end - tail
    if head:
        runs.append((o - head, a - head, head))
    if (o_end - o) * (a_end - a) > _SMALL:
        anchors = _anchors(sides, o, o_end, a, a_end)
        for (o1, a1, length), (o2, a2, _) in pairwise([(o, a, 0), *anchors, (o_end, a_end, 0)] if anchors else []):
            if length:
                runs.append((o1, a1, length))
            runs += _kept_runs(sides, o1 + length, o2, a1 + length, a2)
    if tail:
        runs.append((o_end, a_end, tail))
    return runs


def _common(sides: _Sides, o: int, a: int, most: int, step: int) -> int:
    length = 0
    while length < most and sides.original[o + step * length].key == sides.anonymized[a + step * length].key:
        length += 1
    return length


def _anchors(sides: _Sides, o: int, o_end: int, a: int, a_end: int) -> list[tuple[int, int, int]]:
    """n-grams that occur once on each side, or else equally often, as far as they ascend on both, those that touch
    joined."""
    for repeated in (False, True):
        for n in _ANCHOR_LENGTHS:
            here = _grams(sides.original, o, o_end, n, repeated)
            there = _grams(sides.anonymized, a, a_end, n, repeated)
            same = (g for g in here.keys() & there.keys() if len(here[g]) == len(there[g]))
            chain = _ascending(sorted(pair for g in same for pair in zip(here[g], there[g], strict=True)))
            if chain:
                return _joined(chain, n)
    return []


def _grams(units: Units, start: int, end: int, n: int, repeated: bool) -> dict[tuple[str, ...], list[int]]:
    """Where each n-gram with a word in it begins; one that occurs more than once only if ``repeated``."""
    keys = [u.key for u in units[start:end]]
    places: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for k in range(len(keys) - n + 1):
        places[tuple(keys[k : k + n])].append(start + k)
    return {g: p for g, p in places.items() if (repeated or len(p) == 1) and any(w[0].isalnum() for w in g)}


def _joined(chain: list[tuple[int, int]], n: int) -> list[tuple[int, int, int]]:
    joined: list[tuple[int, int, int]] = []
    for i, j in chain:
        last = joined[-1] if joined else None
        if last and i - last[0] == j - last[1] and i <= last[0] + last[2]:
            joined[-1] = (last[0], last[1], i - last[0] + n)
        elif not last or (i >= last[0] + last[2] and j >= last[1] + last[2]):
            joined.append((i, j, n))
    return joined


def _ascending(points: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of ``points`` (ascending in the first number) that ascends in the second, too."""
    tops: list[int] = []
    at: list[int] = []
    back: list[int] = []
    for number, (_, j) in enumerate(points):
        length = bisect_left(tops, j)
        tops[length : length + 1] = [j]
        at[length : length + 1] = [number]
        back.append(at[length - 1] if length else -1)
    chain = []
    number = at[-1] if at else -1
    while number >= 0:
        chain.append(points[number])
        number = back[number]
    return chain[::-1]


# The dynamic program. A state is (units done of the original, of the other side, mode); the modes are between two
# steps, under a label that may stand for more, and inside a deletion.
_FREE, _UNDER_LABEL, _DELETING = 0, 1, 2


def _fill(sides: _Sides, o: int, o_end: int, a: int, a_end: int) -> list[Step]:
    """The cheapest steps across a gap."""
    if (o_end - o) * (a_end - a) > _LARGE:
        return [Step(REWORDED, o, o_end, a, a_end)]
    height, width = o_end - o, a_end - a
    infinite = (float("inf"), 0, "")
    table = [[[infinite] * 3 for _ in range(width + 1)] for _ in range(height + 1)]
    table[0][0][_FREE] = (0.0, _FREE, "")
    for i in range(height + 1):
        for j in range(width + 1):
            cell = table[i][j]
            for mode in (_FREE, _UNDER_LABEL, _DELETING):
                cost = cell[mode][0]
                if cost < float("inf"):
                    for kind, di, dj, to, price in _moves(sides, o + i, o_end, a + j, a_end, mode):
                        target = table[i + di][j + dj]
                        if cost + price < target[to][0] - 1e-9:
                            target[to] = (cost + price, mode, kind)
    return list(_trace(table, o, o_end, a, a_end))[::-1]


_ADVANCE = {KEPT: (1, 1), REWORDED: (1, 1), DELETED: (1, 0), INSERTED: (0, 1), LABEL: (1, 1), "extend": (1, 0)}


def _trace(table: list[list[list[tuple[float, int, str]]]], o: int, o_end: int, a: int, a_end: int) -> Iterator[Step]:
    i, j = o_end - o, a_end - a
    mode = min((_FREE, _UNDER_LABEL, _DELETING), key=lambda m: table[i][j][m][0])
    while i or j:
        _, before, kind = table[i][j][mode]
        di, dj = _ADVANCE[kind]
        yield Step(kind, o + i - di, o + i, a + j - dj, a + j)
        i, j, mode = i - di, j - dj, before


def _moves(
    sides: _Sides, i: int, i_end: int, j: int, j_end: int, mode: int
) -> Iterator[tuple[str, int, int, int, float]]:
    """(kind, units of the original, units of the other side, mode afterwards, price) from one state."""
    here = sides.original[i] if i < i_end else None
    there = sides.anonymized[j] if j < j_end else None
    close = _LOOSE_END if mode != _FREE and sides.sorts[i - 1] == Sort.COMMON else 0.0
    if here is not None:
        sort = sides.sorts[i]
        yield DELETED, 1, 0, _DELETING, _DELETE[sort] + (0.0 if mode == _DELETING else _OPEN_DELETION)
        if mode == _UNDER_LABEL:
            yield (
                "extend",
                1,
                0,
                _UNDER_LABEL,
                _EXTEND[sort] + _misfit(here, sort, sides.anonymized[j - 1].label, False),
            )
        if there is not None and here.key == there.key:
            yield KEPT, 1, 1, _FREE, close
        elif there is not None:
            strong = there.label is not None and there.label.convention.strong
            if not strong:
                yield REWORDED, 1, 1, _FREE, close + _rewording(here, sort, there)
            if there.label is not None:
                opening = (_OPEN_STRONG if strong else _OPEN_WEAK) + _misfit(here, sort, there.label, True)
                yield LABEL, 1, 1, _UNDER_LABEL, opening + _EXTEND[sort]
    if there is not None:
        yield INSERTED, 0, 1, mode if mode == _DELETING else _FREE, _insertion(there)


def _misfit(unit: Unit, sort: Sort, label: Label | None, first: bool) -> float:
    """What it costs that a name is not of the type, or has not the initial, that its label tells."""
    if label is None or sort != Sort.NAME:
        return 0.0
    dated = has_digit(unit.text) or unit.key in lexicons.load("month_names")
    if label.entity_type == "DATETIME":
        return 0.0 if dated else _MISFIT
    if dated:
        return _MISFIT if label.entity_type in ("PERSON", "ORG") else 0.0
    initial = label.convention.name in (("initials", "initial and omission") if first else ("initials",))
    return _MISFIT / 2 if initial and unit.text[0] not in label.text else 0.0


def _insertion(unit: Unit) -> float:
    if unit.label is not None and unit.label.convention.strong:
        return _INSERT_LABEL
    return _INSERT_WORD if unit.is_word else _INSERT_SIGN


def _rewording(here: Unit, sort: Sort, there: Unit) -> float:
    if here.is_word != there.is_word:
        return 3.0
    if not here.is_word:
        return 0.2
    if here.key[:4] == there.key[:4] and len(here.key) > 4:
        return 0.5
    return 1.3 if (sort == Sort.NAME) != there.text[0].isupper() else 0.8


def _merged(steps: list[Step]) -> list[Step]:
    """Neighbouring steps of a kind as one; a label and what else it stands for, too; two labels stay two."""
    merged: list[Step] = []
    for step in steps:
        if step.o_start == step.o_end and step.a_start == step.a_end:
            continue
        kind = LABEL if step.kind == "extend" else step.kind
        if merged and merged[-1].kind == kind and (kind != LABEL or step.kind == "extend"):
            merged[-1] = merged[-1]._replace(o_end=step.o_end, a_end=step.a_end)
        else:
            merged.append(step._replace(kind=kind))
    return merged
