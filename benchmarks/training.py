"""Training on the whole corpus to the same objective, against scikit-learn, NLTK and python-crfsuite."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from aef.benchmarks.measure import Row, Setting, say, timed
from aef.classifiers.events import predicate_index
from aef.classifiers.maxent import MaxEntClassifier
from aef.classifiers.newton import one_hot
from aef.tagging.finder import Finder

C = 3.0
TOLERANCES = {
    "lbfgs": (1e-4, 1e-5, 1e-6, 1e-7),
    "newton-cg": (1e-4, 1e-5, 1e-6),
    "liblinear": (1e-3, 1e-4, 1e-5),
}
"""Of scikit-learn's solvers, loosest first: the first that reaches the objective counts."""


@dataclass(frozen=True)
class Objective:
    """The penalized negative log-likelihood of models of the log-odds on one-hot rows."""

    rows: sparse.csr_matrix
    labels: NDArray[np.bool_]

    def of(self, weights: NDArray[np.float64], intercept: float) -> float:
        scores = self.rows @ weights + intercept
        return float(np.logaddexp(0, scores).sum() - scores[self.labels].sum() + weights @ weights / (2 * C))

    def of_ours(self, model: MaxEntClassifier) -> float:
        return self.of(model.weights_[:, 1] - model.weights_[:, 0], float(np.diff(model.intercept_)[0]))


def training(setting: Setting) -> Iterator[Row]:
    """Events to model. Ours begins with rows of integers and merges them; theirs begins with one-hot rows made."""
    events, tags = Finder("thesis", "all").events(setting.documents)
    labels = tags == "A"
    say("training: ours")
    seconds, ours = timed(lambda: MaxEntClassifier(C=C).fit(events, labels), 3)
    index = predicate_index(events, ours.categories_)
    objective = Objective(one_hot(index, len(ours.weights_)), labels)
    best = objective.of_ours(MaxEntClassifier(C=C, tol=1e-10).fit(events, labels))
    gap = objective.of_ours(ours) - best
    for solver in TOLERANCES:
        yield _against(solver, objective, best, seconds, gap)
    yield from _nltk(setting, events, labels)
    yield from _crf(setting)


def _against(solver: str, objective: Objective, best: float, ours: float, gap: float) -> Row:
    for tol in TOLERANCES[solver]:
        say(f"training: scikit-learn's {solver}, tolerance {tol:g}")
        model = LogisticRegression(C=C, solver=solver, tol=tol, max_iter=10_000)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            seconds, _ = timed(partial(model.fit, objective.rows, objective.labels))
        theirs = objective.of(model.coef_[0], float(model.intercept_[0])) - best
        if theirs < 1:
            break
    wanted = "10" if solver == "lbfgs" else ""
    note = f"above the best log-likelihood known: ours {gap:.4f}, theirs {theirs:.4f} (both to be under 1)"
    what = f"{len(objective.labels):,} events, {objective.rows.shape[1]:,} predicates"
    return Row("training", what, ours, "s", f"scikit-learn {solver} {tol:g}", seconds, wanted, note)


def _nltk(setting: Setting, events: NDArray[np.int32], labels: NDArray[np.bool_]) -> Iterator[Row]:
    """Generalized Iterative Scaling in both; every so many tokens, as NLTK works in Python loops."""
    from nltk.classify.maxent import MaxentClassifier

    tokens, iterations = (300, 3) if setting.short else (10_000, 50)
    say(f"training: NLTK's GIS, {tokens} events")
    step = max(len(events) // tokens, 1)
    events, labels = events[::step][:tokens], labels[::step][:tokens]
    sets = [
        ({str(j): value for j, value in enumerate(row) if value >= 0}, label)
        for row, label in zip(events.tolist(), labels.tolist(), strict=True)
    ]
    ours, _ = timed(lambda: MaxEntClassifier(solver="gis", iterations=iterations).fit(events, labels), 3)
    theirs, _ = timed(lambda: MaxentClassifier.train(sets, "GIS", trace=0, max_iter=iterations))
    what = f"GIS, {len(events):,} events, {iterations} iterations"
    yield Row("training", what, ours, "s", "NLTK GIS", theirs)


def _crf(setting: Setting) -> Iterator[Row]:
    """A linear-chain CRF by L-BFGS with the same penalty: another model (it learns transitions), on a slice."""
    limit = 2000 if setting.short else 40_000
    documents = first(setting.documents, limit)
    finder = Finder("thesis", "all")
    events, tags = finder.events(documents)
    what = f"slice of {len(events):,} events"
    trainer = _trainer()
    if trainer is None:
        yield Row("training", what, None, "s", "python-crfsuite: not installed")
        return
    say("training: python-crfsuite")
    bounds = np.flatnonzero(np.concatenate([d.tokens.first for d in documents])[: len(events)])
    for low, high in zip(bounds, [*bounds[1:], len(events)], strict=True):
        trainer.append(_items(events[low:high]), tags[low:high].tolist())
    ours, _ = timed(lambda: MaxEntClassifier(C=C).fit(events, tags), 3)
    theirs, _ = timed(lambda: trainer.train(str(setting.folder / "crf")))
    yield Row("training", what, ours, "s", "python-crfsuite, l2", theirs, "", "a CRF learns transitions, too")


def _trainer() -> Any:
    try:
        import pycrfsuite
    except ImportError:
        return None
    return pycrfsuite.Trainer(algorithm="lbfgs", params={"c1": 0.0, "c2": 1 / (2 * C)}, verbose=False)


def _items(events: NDArray[np.int32]) -> list[list[str]]:
    return [[f"{j}={value}" for j, value in enumerate(row) if value >= 0] for row in events.tolist()]


def first(documents: Sequence[Any], tokens: int) -> list[Any]:
    """So many documents from the start that they have at least so many tokens."""
    taken: list[Any] = []
    for document in documents:
        if sum(len(d.words) for d in taken) >= tokens:
            break
        taken.append(document)
    return taken
