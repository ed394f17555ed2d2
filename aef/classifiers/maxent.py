"""The maximum-entropy classifier: L2-regularized logistic regression over integer events, and the thesis's GIS.

An event is a row of integers, one column a feature: each cell is the number of the feature's active predicate, or
negative where the feature is inactive. Equal events are merged and counted before any solver sees them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from scipy.special import log_softmax, softmax
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.linear_model import LogisticRegression
from sklearn.utils import check_array
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from aef.classifiers.newton import Problem, learn, one_hot

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
SOLVERS = ("newton-cg", "lbfgs", "liblinear", "gis")

USUAL = 1000
"""How often a predicate is seen on whose weight the penalty is the same however it grows."""


class MaxEntClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Maximum entropy (multinomial logistic regression) on events.

    Parameters
    ----------
    C : inverse strength of the L2 penalty (not used by ``gis``, which has none).
    solver : ``newton-cg`` (for two classes the one of `aef.classifiers.newton`, for more scikit-learn's), ``lbfgs`` or
        ``liblinear`` (scikit-learn's), or ``gis``, Generalized Iterative Scaling as in section 2.4 of the AEF thesis
        (there: 50 iterations, cutoff 0).
    iterations : iterations of ``gis``; for the other solvers `max_iter` is the limit.
    cutoff : predicates seen in fewer events than this are left out.
    growth : the penalty of a predicate's weight grows with this power of how often it is seen, and is that of C where
        it is seen `USUAL` times. What is seen everywhere bends to the corpus learned from more easily than a rare word
        does. Two classes by ``newton-cg`` alone.
    tol, max_iter : when the solvers stop. For `aef.classifiers.newton` ``tol`` is on the gain in log-likelihood that a
        step promises; for scikit-learn's solvers it is theirs.

    Attributes
    ----------
    classes_ : labels, shape (K,), sorted.
    categories_ : for each column, the predicate numbers seen in training, sorted.
    weights_ : shape (P, K), one row a predicate, in column order; with two classes each has half of the log-odds.
    intercept_ : shape (K,).
    log_likelihood_ : of the training events, natural logarithm, without the penalty.
    n_merged_ : how many distinct (event, label) pairs were learned from.
    """

    def __init__(
        self,
        C: float = 1.0,
        solver: str = "newton-cg",
        iterations: int = 50,
        cutoff: int = 0,
        growth: float = 0.0,
        tol: float = 1e-6,
        max_iter: int = 1000,
    ) -> None:
        self.C = C
        self.solver = solver
        self.iterations = iterations
        self.cutoff = cutoff
        self.growth = growth
        self.tol = tol
        self.max_iter = max_iter

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        return tags

    def fit(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> MaxEntClassifier:
        """Learn from events X (n, columns) and labels y (n,); weights count an event more than once."""
        matrix, merged = self._prepare(X, y, sample_weight)
        if self.solver == "gis":
            for learned in self._gis(matrix, merged):
                self.weights_, self.intercept_ = learned
            self.n_iter_ = self.iterations
        elif self.solver == "newton-cg" and len(self.classes_) == 2:
            self._fit_newton(matrix, merged)
        else:
            self._fit_logistic(matrix, merged)
        scores = matrix @ self.weights_ + self.intercept_
        self.log_likelihood_ = float(merged.weight @ log_softmax(scores, axis=1)[np.arange(len(scores)), merged.codes])
        return self

    def staged_fit(self, X: ArrayLike, y: ArrayLike) -> Iterator[MaxEntClassifier]:
        """Learn by GIS, whatever the solver; yields the classifier after each iteration, ready to predict.

        What is yielded is the classifier itself: use it before the next iteration changes it.
        """
        for number, learned in enumerate(self._gis(*self._prepare(X, y, None)), 1):
            (self.weights_, self.intercept_), self.n_iter_ = learned, number
            yield self

    def _prepare(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> tuple[sparse.csr_matrix, Merged]:
        """Check what is given, learn the categories, and merge equal events: a one-hot row each."""
        if self.solver not in SOLVERS:
            raise ValueError(f"solver={self.solver!r}: there are {', '.join(SOLVERS)}")
        X, y = validate_data(self, X, y)
        events = _integers(X)
        check_classification_targets(y)
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, X, dtype=np.float64)
        self.classes_, codes = np.unique(y, return_inverse=True)
        if np.count_nonzero(np.bincount(codes, weights=weight)) < 2:
            raise ValueError("there must be at least 2 classes to learn from; got 1 class")
        merged = merge_events(events, codes, weight)
        self.categories_ = _categories(merged.index, merged.weight, self.cutoff)
        merged = replace(merged, index=predicate_index(merged.index, self.categories_))
        if self.cutoff > 1:  # what only rare predicates told apart is equal now
            merged = merge_events(merged.index, merged.codes, merged.weight)
        self.n_merged_ = len(merged.weight)
        return one_hot(merged.index, sum(map(len, self.categories_))), merged

    def _fit_newton(self, matrix: sparse.csr_matrix, merged: Merged) -> None:
        """Two classes: the log-odds of the second, half of which each class's weights have."""
        total, positive = merged.weight[:, None], (merged.weight * merged.codes)[:, None]
        often = (matrix.T @ total) / USUAL if self.growth else np.ones(1)
        problem = Problem(matrix, total, positive, often**self.growth / self.C, self.tol)
        found = learn(problem, np.zeros((matrix.shape[1], 1)), np.zeros(1), max_steps=self.max_iter)
        self.n_iter_ = found.steps
        self.weights_ = np.hstack([-found.weights, found.weights]) / 2
        self.intercept_ = np.append(-found.intercept, found.intercept) / 2

    def _fit_logistic(self, matrix: sparse.csr_matrix, merged: Merged) -> None:
        model = LogisticRegression(C=self.C, solver=self.solver, tol=self.tol, max_iter=self.max_iter)
        model.fit(matrix, merged.codes, sample_weight=merged.weight)
        self.n_iter_ = int(np.max(model.n_iter_))
        coefficients, intercept = model.coef_.T, model.intercept_
        if coefficients.shape[1] == 1:
            coefficients = np.hstack([-coefficients, coefficients]) / 2
            intercept = np.array([-intercept[0], intercept[0]]) / 2
        self.weights_ = np.ascontiguousarray(coefficients)
        self.intercept_ = intercept

    def _gis(self, matrix: sparse.csr_matrix, merged: Merged) -> Iterator[tuple[Floats, Floats]]:
        """The weights and the intercept after each iteration of Darroch & Ratcliff's scaling.

        Only (predicate, label) pairs that occur have a weight. The intercept is a predicate on in every event; one
        correction feature fills each event up to a constant. Its weight is folded into the others in what is yielded,
        so that a prediction is the plain sum of weights.
        """
        weight = merged.weight[:, None]
        labels = np.eye(len(self.classes_))[merged.codes] * weight
        design = sparse.hstack([matrix, np.ones((matrix.shape[0], 1))], format="csr")
        transposed = design.T.tocsr()
        empirical = transposed @ labels
        attested = (empirical > 0).astype(np.float64)
        constant = float(design.sum(axis=1).max()) + 1
        filler = constant - design @ attested
        weights, correction = np.zeros_like(empirical), 0.0
        for _ in range(self.iterations):
            expected = softmax(design @ weights + correction * filler, axis=1) * weight
            with np.errstate(divide="ignore", invalid="ignore"):
                step = np.log(empirical / (transposed @ expected)) / constant
                correction += np.log(np.sum(filler * labels) / np.sum(filler * expected)) / constant
            weights += np.where(attested > 0, step, 0.0)
            folded = weights - correction * attested
            yield folded[:-1], folded[-1] + correction * constant

    def decision_scores(self, X: ArrayLike) -> Floats:
        """Unnormalized log-probabilities, shape (n, K)."""
        check_is_fitted(self)
        events = _integers(validate_data(self, X, reset=False))
        matrix = one_hot(predicate_index(events, self.categories_), len(self.weights_))
        return np.asarray(matrix @ self.weights_ + self.intercept_)

    def decision_function(self, X: ArrayLike) -> Floats:
        """Scores (n, K), or for two classes the log-odds of the second, shape (n,)."""
        scores = self.decision_scores(X)
        return scores[:, 1] - scores[:, 0] if scores.shape[1] == 2 else scores

    def predict_log_proba(self, X: ArrayLike) -> Floats:
        return np.asarray(log_softmax(self.decision_scores(X), axis=1))

    def predict_proba(self, X: ArrayLike) -> Floats:
        """Probabilities of the classes, shape (n, K)."""
        return np.asarray(softmax(self.decision_scores(X), axis=1))

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """The most probable labels, shape (n,)."""
        scores = self.decision_scores(X)
        return np.asarray(self.classes_[np.argmax(scores, axis=1)])


@dataclass(frozen=True)
class Merged:
    """Distinct (event, label) pairs with the number of times each occurred; ``index``: the events, (m, columns)."""

    index: Ints
    codes: NDArray[np.intp]
    weight: Floats


def _integers(X: ArrayLike) -> Ints:
    checked: NDArray[Any] = check_array(X, dtype=None)
    if checked.dtype.kind in "iub":
        return checked if checked.dtype.kind == "i" else checked.astype(np.int64)
    whole = checked.astype(np.float64)
    if not np.array_equal(whole, np.floor(whole)):
        raise ValueError("events are integers (the number of the active predicate, negative: inactive)")
    return whole.astype(np.int64)


def _categories(events: Ints, weight: Floats, cutoff: int) -> list[Ints]:
    return [_frequent(column, weight, max(cutoff, 1e-300)) for column in events.T]


def _frequent(column: Ints, weight: Floats, least: float) -> Ints:
    """The values that occur so often, sorted; without what is negative."""
    active = column >= 0
    values, weight = column[active], weight[active]
    if values.max(initial=0) < _LARGE:
        return np.flatnonzero(np.bincount(values, weights=weight) >= least)
    found, inverse = np.unique(values, return_inverse=True)
    frequent: Ints = found[np.bincount(inverse, weights=weight) >= least]
    return frequent


def predicate_index(events: Ints, categories: Sequence[Ints]) -> Ints:
    """For each cell the row of its predicate in the weights, or -1; shape (n, columns)."""
    index = np.empty(events.shape, dtype=np.int32)
    offset = 0
    for j, known in enumerate(categories):
        index[:, j] = _looked_up(events[:, j], known, offset)
        offset += len(known)
    return index


def _looked_up(column: Ints, known: Ints, offset: int) -> Ints:
    """Where each value stands among those known, counted from ``offset``; -1 for what is not known."""
    limit = int(known.max(initial=-1)) + 1
    if limit <= _LARGE:
        table = np.full(limit + 1, -1, dtype=np.int32)  # the last: beyond what is known, and what is negative
        table[known] = np.arange(offset, offset + len(known))
        return table[np.clip(column, -1, limit)]
    at = np.minimum(np.searchsorted(known, column), len(known) - 1)
    return np.where(known[at] == column, at + offset, -1)


def merge_events(events: Ints, codes: NDArray[np.intp], weight: Floats | None = None, seed: int = 0) -> Merged:
    """Merge equal rows with equal labels, in order of first appearance; inactive cells are negative.

    Rows are compared by a 64-bit random key a cell, summed over the row: two different rows meet by chance with a
    probability below n^2 / 2^65.
    """
    import pandas as pd  # here, so that what only predicts does without

    hashes = _hashes(np.column_stack([codes]), seed + 1)
    hashes += _hashes(events, seed)
    group, found = pd.factorize(hashes)
    example = np.empty(len(found), dtype=np.int64)
    example[group[::-1]] = np.arange(len(group) - 1, -1, -1)
    counts: Floats = np.bincount(group, weights=weight).astype(np.float64)
    return Merged(events[example], codes[example], counts)


def _hashes(cells: Ints, seed: int) -> NDArray[np.uint64]:
    """A hash for each row: the sum of a random key for each value of each column, 0 for what is inactive."""
    rng = np.random.default_rng(seed)
    limits = cells.max(axis=0, initial=-1).tolist()
    if max(limits, default=0) >= _LARGE:
        cells, limits = _renumbered(cells)
    keys = [np.append(rng.integers(0, 2**64, size=limit + 1, dtype=np.uint64), np.uint64(0)) for limit in limits]
    hashes = np.zeros(len(cells), dtype=np.uint64)
    for start in range(0, len(cells), _ROWS):
        part = np.maximum(cells[start : start + _ROWS], -1).T.astype(np.intp, order="C")
        for column, key in zip(part, keys, strict=True):
            hashes[start : start + _ROWS] += key.take(column, mode="wrap")  # -1: the last
    return hashes


_ROWS = 1 << 13  # what is worked on at once stays in the processor's cache
_LARGE = 1 << 22  # above, values are no numbers of predicates counted from 0


def _renumbered(cells: Ints) -> tuple[Ints, list[int]]:
    """Each column's values numbered from 0, what is negative left so."""
    found = [np.unique(np.maximum(column, -1), return_inverse=True) for column in cells.T]
    numbers = [inverse - (values[0] < 0) for values, inverse in found]
    return np.column_stack(numbers), [int(n.max(initial=-1)) for n in numbers]
