"""Error against iterations: GIS read off along the way, and the default solver (AEF thesis, Figure 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from joblib import delayed
from numpy.typing import NDArray

from aef.classifiers.decoding import decode
from aef.classifiers.linear import Linear
from aef.classifiers.maxent import MaxEntClassifier
from aef.features import feature_names
from aef.learning.selection import Score
from aef.learning.study.plan import Plan

Row = dict[str, Any]
Watch = Callable[[Sequence[Any]], Iterable[Any]]

CHECKPOINTS = (10, 20, 30, 40, *range(50, 551, 50))
"""The numbers of iterations of the thesis (section 3.5)."""

DEFAULT, C = "newton-cg", 3.0
"""The solver of `aef.tagging.finder.Finder` and its inverse penalty."""


def error_curves(plan: Plan, watch: Watch = iter) -> list[Row]:
    """A row a feature set, solver and number of iterations (None: the solver stops itself).

    ``error`` is the share of wrong tokens, the mean over the folds of held-out documents, decoded from predicted
    labels; the other figures as `aef.learning.selection.Score.figures`. Each GIS model is learned once, to the last
    checkpoint.
    """
    sets = {"nine": feature_names("nine"), "all": plan.names}
    tasks = [(label, fold) for label in sets for fold in range(plan.folds)]
    plan.columns, plan.criterion  # noqa: B018  computed once, before threads need them
    with plan.pool() as pool:
        results = pool(delayed(_fold)(plan, sets[label], fold) for label, fold in tasks)
        counted: dict[tuple[str, str, int | None], list[list[int]]] = {}
        for (label, _), found in zip(watch(tasks), results, strict=True):
            for (solver, iterations), counts in found.items():
                counted.setdefault((label, solver, iterations), []).append(counts)
    return [_row(*key, np.array(counts)) for key, counts in counted.items()]


def _row(label: str, solver: str, iterations: int | None, counts: NDArray[np.int64]) -> Row:
    error = (counts[:, 1] + counts[:, 2]) / counts[:, 3]
    figures = Score(counts[:, :3]).figures()
    return {"features": label, "solver": solver, "iterations": iterations, "error": float(error.mean()), **figures}


def _fold(plan: Plan, names: Sequence[str], fold: int) -> dict[tuple[str, int | None], list[int]]:
    """The counts on one fold of models learned from the others: true and false positives, misses, tokens."""
    corpus, columns = plan.corpus, [plan.columns[name] for name in names]
    rows = corpus.rows[plan.criterion.token_fold[corpus.rows] != fold]
    events, labels = np.stack([c.at(corpus.histories)[rows] for c in columns], axis=1), corpus.labels[rows]
    held_out = plan.criterion.token_fold == fold

    def counts(model: MaxEntClassifier) -> list[int]:
        scores = np.zeros((len(held_out), 8))
        scores[held_out] = Linear.log_odds(model, columns).scores(columns, held_out)
        predicted, _ = decode(scores, corpus.layout)
        judged = corpus.rows[held_out[corpus.rows]]
        gold, hidden = corpus.labels[judged], predicted[judged]
        return [int(np.sum(gold & hidden)), int(np.sum(~gold & hidden)), int(np.sum(gold & ~hidden)), len(judged)]

    found: dict[tuple[str, int | None], list[int]] = {}
    for model in MaxEntClassifier(iterations=CHECKPOINTS[-1]).staged_fit(events, labels):
        if model.n_iter_ in CHECKPOINTS:
            found["gis", model.n_iter_] = counts(model)
    found[DEFAULT, None] = counts(MaxEntClassifier(C=C, solver=DEFAULT).fit(events, labels))
    return found
