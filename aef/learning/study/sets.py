"""Single features, the steps of the selection and its sets (AEF thesis, Figures 3.4 to 3.6, Table 3.7)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joblib import delayed

from aef.learning.selection import Score, Selection
from aef.learning.study import thesis
from aef.learning.study.plan import Plan

Row = dict[str, Any]


def candidates(plan: Plan, base: Sequence[str] = ()) -> list[Row]:
    """A row for each feature not in ``base``: the figures of ``base`` with it, best F2 first.

    Without a base: single features (Figure 3.4); with the first sets of the search: Figures 3.5 and 3.6.
    """
    others = [name for name in plan.names if name not in base]
    scores = evaluate(plan, [(*base, name) for name in others], base)
    rows = [{"feature": name, **score.figures()} for name, score in zip(others, scores, strict=True)]
    return sorted(rows, key=lambda row: -row["f2"])


def evaluate(plan: Plan, sets: Sequence[Sequence[str]], base: Sequence[str] = ()) -> list[Score]:
    """The scores of feature sets, learned from the weights of the set ``base`` on."""
    criterion = plan.criterion
    start = criterion.evaluate(_numbers(plan, base))[1] if base else None
    with plan.pool() as pool:
        return [score for score, _ in pool(delayed(criterion.evaluate)(_numbers(plan, names), start) for names in sets)]


def _numbers(plan: Plan, names: Sequence[str]) -> list[int]:
    return [plan.names.index(name) for name in names]


def steps(selection: Selection) -> list[Row]:
    """The path: a row a step, with what came or went."""
    rows: list[Row] = []
    before: set[str] = set()
    for number, step in enumerate(selection.path, 1):
        (moved,) = set(step.features) ^ before
        before = set(step.features)
        figures = step.score.figures()
        rows.append({"step": number, "action": step.action, "feature": moved, "size": len(before), **figures})
    return rows


def selected(selection: Selection) -> list[Row]:
    """The best set of each size, with what came into it and went from the set one smaller (Table 3.7)."""
    rows: list[Row] = []
    before: tuple[str, ...] = ()
    for size, step in selection.best.items():
        came = [name for name in step.features if name not in before]
        went = [name for name in before if name not in step.features]
        before = step.features
        is_chosen = size == len(selection.chosen.features)
        rows.append({"size": size, "came": " ".join(came), "went": " ".join(went), "chosen": is_chosen})
        rows[-1] |= {**step.score.figures(), "set": " ".join(step.features)}
    return rows


def thesis_sets(plan: Plan) -> list[Row]:
    """The thesis's own sets (Table 3.7) on this corpus, as far as their features are under study."""
    order = [row.feature for row in thesis.SELECTION]
    length = next((i for i, name in enumerate(order) if name not in plan.names), len(order))
    scores = evaluate(plan, [order[: i + 1] for i in range(length)])
    return [{"size": i + 1, "feature": order[i], **score.figures()} for i, score in enumerate(scores)]
