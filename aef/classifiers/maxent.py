"""The maximum-entropy classifier: L2-regularized logistic regression over integer events, and the thesis's GIS.

An event is a row of integers, one column a feature: each cell is the number of the feature's active predicate, or
negative where the feature is inactive. A number is a name and no quantity: 0.5 names a predicate, too.

Equal events are merged and counted before any solver sees them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
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

from aef.classifiers.events import Merged, categories, merge_events, predicate_index
from aef.classifiers.newton import Problem, learn, objective, one_hot

Floats = NDArray[np.float64]
Ints = NDArray[np.integer[Any]]
Start = tuple[float, Sequence[Floats]]
Point = tuple[NDArray[np.floating[Any]], NDArray[np.floating[Any]]]
SOLVERS = ("newton-cg", "lbfgs", "liblinear", "gis")

USUAL = 1000
"""How often a predicate is seen on whose weight the penalty is the same however it grows."""


SINGLE = 1e-3
"""The gain in log-likelihood down to which single precision serves."""


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
    categories_ : for each column, the predicate numbers seen in training, sorted; of a fraction its bits.
    weights_ : shape (P, K), one row a predicate, in column order; with two classes each has half of the log-odds.
    intercept_ : shape (K,).
    log_likelihood_ : of the training events, natural logarithm, without the penalty.
    n_merged_ : how many distinct (event, label) pairs were learned from.

    Examples
    --------
    >>> events = [[0, 2], [0, -1], [1, 2], [1, -1]]  # two features; -1: the second shows nothing
    >>> model = MaxEntClassifier().fit(events, ["A", "A", "N", "N"])
    >>> model.predict([[0, 2], [1, 2]]).tolist(), [len(seen) for seen in model.categories_]
    (['A', 'N'], [2, 1])
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
        return next(self.fit_path(X, y, (self.C,), sample_weight))

    def fit_path(
        self,
        X: ArrayLike,
        y: ArrayLike,
        strengths: Sequence[float],
        sample_weight: ArrayLike | None = None,
        start: Start | None = None,
    ) -> Iterator[MaxEntClassifier]:
        """Learn with each C of ``strengths``; yields the classifier after each, ready to predict.

        Two classes by ``newton-cg`` begin at ``start`` (the log-odds of a model alike: the intercept, and for each
        column the weight of each predicate number), then where the strength before ended; what they find is the same.
        What is yielded is the classifier itself: use it before the next one is learned.
        """
        matrix, merged = self._prepare(X, y, sample_weight)
        begun = None if start is None else self._begun(*start)
        for self.C in strengths:
            if self.solver == "gis":
                for learned in self._gis(matrix, merged):
                    self.weights_, self.intercept_ = learned
                self.n_iter_ = self.iterations
            elif self.solver == "newton-cg" and len(self.classes_) == 2:
                begun = self._fit_newton(matrix, merged, begun)
            else:
                self._fit_logistic(matrix, merged)
            log_probabilities = log_softmax(matrix @ self.weights_ + self.intercept_, axis=1)
            self.log_likelihood_ = float(
                merged.weight @ np.take_along_axis(log_probabilities, merged.codes[:, None], 1)[:, 0]
            )
            yield self

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
        self.categories_ = categories(merged.index, merged.weight, self.cutoff)
        merged = replace(merged, index=predicate_index(merged.index, self.categories_))
        if self.cutoff > 1:  # what only rare predicates told apart is equal now
            merged = merge_events(merged.index, merged.codes, merged.weight)
        self.n_merged_ = len(merged.weight)
        return one_hot(merged.index, sum(map(len, self.categories_))), merged

    def _fit_newton(self, matrix: sparse.csr_matrix, merged: Merged, begun: Point | None) -> Point:
        """Two classes: the log-odds of the second, half of which each class's weights have. Where they end.

        In single precision as far as that goes, which is quicker, then in double, if more is asked for.
        """
        nothing: Point = np.zeros((matrix.shape[1], 1)), np.array([_prior(merged)])
        with np.errstate(over="ignore", invalid="ignore"):  # what is too large for single precision is found to be
            problem = self._problem(matrix, merged, np.float32)
            weights, intercept = min(begun or nothing, nothing, key=lambda at: float(objective(problem, *at)[0]))
            found = learn(problem, weights, intercept, max_steps=self.max_iter)
        steps, sound = found.steps, bool(np.isfinite(found.weights).all())
        if self.tol < SINGLE or not sound:
            weights, intercept = (found.weights, found.intercept) if sound else nothing
            problem = self._problem(matrix, merged, np.float64)
            found = learn(problem, weights, intercept, None, self.max_iter, found.block if sound else None)
            steps += found.steps
        self.n_iter_ = steps
        weights, intercept = found.weights.astype(np.float64), found.intercept.astype(np.float64)
        self.weights_ = np.hstack([-weights, weights]) / 2
        self.intercept_ = np.append(-intercept, intercept) / 2
        return weights, intercept

    def _problem(self, matrix: sparse.csr_matrix, merged: Merged, dtype: type[Any]) -> Problem:
        total, positive = merged.weight[:, None], (merged.weight * merged.codes)[:, None]
        often = (matrix.T @ total) / USUAL if self.growth else np.ones(1)
        tolerance = max(self.tol, SINGLE) if dtype is np.float32 else self.tol
        counts, penalty = (total.astype(dtype), positive.astype(dtype)), often**self.growth / self.C
        return Problem(matrix.astype(dtype), *counts, penalty, tolerance)

    def _begun(self, intercept: float, columns: Sequence[Floats]) -> Point:
        """The weights, shape (predicates, 1), and the intercept, shape (1,), to begin with."""
        known = [block[seen] for block, seen in zip(columns, self.categories_, strict=True)]
        return np.concatenate(known)[:, None], np.array([float(intercept)])

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


def _prior(merged: Merged) -> float:
    """The log-odds of the second class where nothing is known of an event."""
    share = float(merged.weight @ merged.codes / merged.weight.sum())
    return float(np.log(share / (1 - share)))


def _integers(X: ArrayLike) -> Ints:
    """Events as integers. A cell names a predicate, and a fraction does so by its bits, which no small number has."""
    checked: NDArray[Any] = check_array(X, dtype=None)
    if checked.dtype.kind in "iub":
        return checked if checked.dtype.kind == "i" else checked.astype(np.int64)
    cells = np.maximum(checked.astype(np.float64), -1)
    with np.errstate(invalid="ignore"):  # of what is too large for an integer
        whole: Ints = np.floor(cells).astype(np.int64)
    return np.where(whole == cells, whole, np.where(cells < 0, -1, cells.view(np.int64)))
