"""Mentions found exactly, by half and in part: precision, recall and F1, whatever the type and with the same type.

A mention is the run of its counting tokens (see `aef.evaluation.figures`: titles are none). Mentions that overlap
others of their side are left out, so each side is a BIO labelling of the tokens; the exact figures are then those of
seqeval.

- exact: the other side has the same run.
- half: at least half of its tokens lie in mentions of the other side.
- overlap: at least one does.

Half and overlap are asked of each mention alone, so several mentions may be matched by one. Precision is the share of
the predicted mentions that match, recall of the gold ones, F1 their harmonic mean; all sums over documents (micro). A
quotient with an empty denominator is 0.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from aef.evaluation.token_counts import Judged, Typed

WAYS = ("exact", "half", "overlap")


@dataclass(frozen=True, slots=True)
class Matches:
    """How many gold mentions are ``found`` and how many predicted ones are ``right``; the figures are fractions."""

    found: int
    gold: int
    right: int
    predicted: int
    precision: float
    recall: float
    f1: float


def match_mentions(judged: Iterable[Judged], typed: bool = False) -> dict[str, Matches]:
    """The `Matches` in each of the `WAYS`; ``typed``: a mention matches those of the same type only."""
    sides = [(_runs(d.gold_runs(), typed), _runs(d.predicted_runs(), typed)) for d in judged]
    result = {}
    for way in WAYS:
        found = sum(_matching(gold, predicted, way) for gold, predicted in sides)
        right = sum(_matching(predicted, gold, way) for gold, predicted in sides)
        result[way] = _matches(found, sum(len(g) for g, _ in sides), right, sum(len(p) for _, p in sides))
    return result


def _runs(runs: Iterable[Typed], typed: bool) -> list[Typed]:
    return [run if typed else Typed(run.tokens, None) for run in runs]


def _matching(mentions: Sequence[Typed], others: Sequence[Typed], way: str) -> int:
    """How many of the mentions match the others."""
    if way == "exact":
        return len(set(mentions) & set(others))
    covered: dict[str | None, set[int]] = defaultdict(set)
    for other in others:
        covered[other.entity_type].update(other.tokens)
    enough = _ENOUGH[way]
    return sum(enough(len(covered[m.entity_type].intersection(m.tokens)), len(m.tokens)) for m in mentions)


_ENOUGH: dict[str, Callable[[int, int], bool]] = {
    "half": lambda shared, tokens: 2 * shared >= tokens,
    "overlap": lambda shared, tokens: shared > 0,
}


def _matches(found: int, gold: int, right: int, predicted: int) -> Matches:
    recall, precision = _share(found, gold), _share(right, predicted)
    return Matches(found, gold, right, predicted, precision, recall, _share(2 * precision * recall, precision + recall))


def _share(part: float, whole: float) -> float:
    return part / whole if whole else 0.0
