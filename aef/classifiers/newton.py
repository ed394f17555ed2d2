"""Logistic regression by a truncated Newton method, several models at once: the columns of one matrix.

Each Newton step is found by conjugate gradients, preconditioned by the diagonal. Events are few and distinct: how often
each occurs, and how often with the positive label, are counts. Of many events the curvature is that of a sample, drawn
by what each adds to it (Xu et al. 2016, sub-sampled Newton methods with non-uniform sampling): most events are long
decided and add next to nothing. Gradient and loss are of all events, so that what is found is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.integer[Any]]


class Problem:
    """What to learn from: one-hot rows ``design`` (m, predicates), counts ``total`` and ``positive`` (m, models).

    ``penalty``: the strength of the L2 penalty on the weights, not the intercept: one for all or one a predicate, shape
    (predicates, 1). ``centre`` (predicates, 1): what it draws them to (default: zero; else the weights of a model
    learned before: Chelba & Acero 2004). ``free``: whether the intercept is learned, too. Learning stops where a Newton
    step would not raise any model's log-likelihood by more than half of ``tolerance``. The counts' type is computed in.
    """

    def __init__(
        self,
        design: sparse.csr_matrix,
        total: Floats,
        positive: Floats,
        penalty: Floats | float,
        tolerance: float,
        centre: Floats | float = 0.0,
        free: bool = True,
    ) -> None:
        self.design = design
        self.transposed = design.T if total.shape[1] == 1 else design.T.tocsr()  # quicker for several models
        self.dtype = total.dtype
        self.total, self.positive = total, positive
        self.penalty, self.tolerance = np.asarray(penalty, self.dtype), tolerance
        self.centre, self.free = centre, free
        self.noise = _NOISE if self.dtype == np.float32 else _NOISE * 1e-8


@dataclass(frozen=True)
class Solution:
    """``weights`` (predicates, models), ``intercept`` (models,), ``scores`` of the events (m, models), Newton steps."""

    weights: Floats
    intercept: Floats
    scores: Floats
    steps: int


def one_hot(index: Ints, predicates: int, dtype: Any = np.float64) -> sparse.csr_matrix:
    """The matrix with a one for each active cell of ``index`` (n, columns), predicates' numbers or negative."""
    active = index >= 0
    pointers = np.concatenate([[0], np.cumsum(np.count_nonzero(active, axis=1))])
    narrow = np.int32 if max(pointers[-1], predicates) < 1 << 31 else np.int64
    columns = index[active].astype(narrow, copy=False)
    shape = (len(index), predicates)
    return sparse.csr_matrix((np.ones(len(columns), dtype), columns, pointers.astype(narrow)), shape=shape)


def learn(
    problem: Problem,
    weights: Floats,
    intercept: Floats,
    fresh: slice | None = None,
    max_steps: int = 40,
) -> Solution:
    """The models, started from the weights (predicates, models) and intercepts given.

    ``fresh``: a block whose weights have not been learned yet. Its predicates exclude each other, so that a few
    Newton steps on it alone, one predicate at a time, give the others a good start.
    """
    weights, intercept = weights.astype(problem.dtype), intercept.astype(problem.dtype)
    scores = problem.design @ weights
    _each_row(np.add, scores, intercept)
    if fresh is not None:
        _warm(problem, weights, scores, fresh)
    point = _Point(weights, intercept, scores, _loss(problem, scores, weights))
    steps, random = 0, np.random.default_rng(0)
    while steps < max_steps:
        gradient = _gradient(problem, point.scores, point.weights)
        if float(gradient.decrement.max()) < problem.tolerance:
            break
        moved = _search(problem, point, gradient, _Curved.of(problem, gradient.curvature, random))
        gain = float((point.loss - moved.loss).max())
        point, steps = moved, steps + 1
        if gain < problem.tolerance / 2:
            break
    return Solution(point.weights, point.intercept, point.scores, steps)


def objective(problem: Problem, weights: Floats, intercept: Floats) -> NDArray[np.float64]:
    """What learning makes small: each model's negative log-likelihood with the penalty; shape (models,)."""
    weights = weights.astype(problem.dtype)
    return _loss(problem, problem.design @ weights + intercept.astype(problem.dtype), weights)


_HALVINGS = 12
_NOISE = 1e-6  # of a log-likelihood summed from single-precision terms


@dataclass(frozen=True)
class _Point:
    weights: Floats
    intercept: Floats
    scores: Floats
    loss: Floats


@dataclass(frozen=True)
class _Gradient:
    of_weights: Floats
    of_intercept: Floats
    curvature: Floats
    diagonal: Floats
    diagonal0: Floats
    decrement: Floats


@dataclass(frozen=True)
class _Curved:
    """Events (rows) and their curvature (rows, models) to find a Newton step by, and how nearly and how long to.

    All events; or where a model has many, a sample of at most one in `_ONE_IN` on average, but of what adds more than
    `_AT_MOST` of the penalty everything. An event that is drawn stands for those of its curvature that are not.
    """

    design: sparse.csr_matrix
    transposed: Any
    curvature: Floats
    forcing: float
    steps: int

    @classmethod
    def of(cls, problem: Problem, curvature: Floats, random: np.random.Generator) -> _Curved:
        if curvature.size < _MANY or curvature.shape[1] > 1:
            return cls(problem.design, problem.transposed, curvature, 0.25, 30)
        whole = min(_AT_MOST * float(problem.penalty.min()), float(curvature.mean()) * _ONE_IN)
        drawn = np.flatnonzero(curvature[:, 0] > whole * random.random(len(curvature), np.float32))
        design = problem.design[drawn]
        stands_for = np.maximum(curvature[drawn], curvature.dtype.type(whole))
        return cls(design, design.T, stands_for, 0.1, 60)  # steps by few events cost little


_MANY, _ONE_IN, _AT_MOST = 1 << 14, 8, 0.05


def _search(problem: Problem, point: _Point, gradient: _Gradient, curved: _Curved) -> _Point:
    """A Newton step, halved for each model until its loss falls; no step where that never comes."""
    step, step0 = _newton_step(problem, gradient, curved)
    direction = problem.design @ step
    _each_row(np.add, direction, step0)
    slope = _dot(gradient.of_weights, step) + gradient.of_intercept * step0
    size = np.ones(point.loss.shape, problem.dtype)
    for _ in range(_HALVINGS):
        weights = point.weights + _each_row(np.multiply, step.copy(), size)
        scores = point.scores + _each_row(np.multiply, direction.copy(), size)
        loss = _loss(problem, scores, weights)
        worse = loss > point.loss + 1e-4 * size * slope + problem.noise * np.abs(point.loss)
        if not worse.any():
            break
        size = np.where(worse, size / 2, size).astype(problem.dtype)
    else:
        return point
    return _Point(weights, point.intercept + size * step0, scores, loss)


def _gradient(problem: Problem, scores: Floats, weights: Floats) -> _Gradient:
    residual, curvature = _residual(problem.total, problem.positive, scores)
    of_weights = problem.transposed @ residual
    of_weights += problem.penalty * (weights - problem.centre)
    of_intercept = _sum(residual) * problem.free
    diagonal = problem.transposed @ curvature
    diagonal += problem.penalty
    diagonal0 = _sum(curvature) + 1e-6
    decrement = _dot(of_weights, of_weights / diagonal) + of_intercept**2 / diagonal0
    return _Gradient(of_weights, of_intercept, curvature, diagonal, diagonal0, decrement)


def _newton_step(problem: Problem, gradient: _Gradient, curved: _Curved) -> tuple[Floats, Floats]:
    """Conjugate gradients on all models at once, until each has a given share of its residual left."""
    step, step0 = np.zeros_like(gradient.of_weights), np.zeros_like(gradient.of_intercept)
    rest, rest0 = -gradient.of_weights, -gradient.of_intercept
    scaled, scaled0 = rest / gradient.diagonal, rest0 / gradient.diagonal0
    way, way0 = scaled.copy(), scaled0.copy()
    norm = goal = _dot(rest, scaled) + rest0 * scaled0
    for _ in range(curved.steps):
        image = curved.design @ way
        _each_row(np.add, image, way0)
        image *= curved.curvature
        product = curved.transposed @ image
        product += problem.penalty * way
        product0 = _sum(image) * problem.free
        size = norm / np.maximum(_dot(way, product) + way0 * product0, 1e-30)
        np.copyto(scaled, way)
        step += _each_row(np.multiply, scaled, size)
        step0 += size * way0
        rest -= _each_row(np.multiply, product, size)
        rest0 -= size * product0
        np.divide(rest, gradient.diagonal, out=scaled)
        scaled0 = rest0 / gradient.diagonal0
        left = _dot(rest, scaled) + rest0 * scaled0
        if (left <= curved.forcing**2 * goal).all():
            break
        ratio = left / np.maximum(norm, 1e-30)
        _each_row(np.multiply, way, ratio)
        way += scaled
        way0 = scaled0 + ratio * way0
        norm = left
    return step, step0


def _warm(problem: Problem, weights: Floats, scores: Floats, fresh: slice) -> None:
    """Only the events that show one of the predicates are looked at; each shows one."""
    rows = problem.transposed[fresh]
    shown = rows.indices
    rows = sparse.csr_matrix((rows.data, np.arange(len(shown)), rows.indptr), shape=(rows.shape[0], len(shown)))
    columns = rows.T.tocsr()
    penalty = np.broadcast_to(problem.penalty, (len(weights), 1))[fresh]
    total, positive, there, block = problem.total[shown], problem.positive[shown], scores[shown], weights[fresh]
    for _ in range(4):
        residual, curvature = _residual(total, positive, there)
        step = -(rows @ residual + penalty * block) / (rows @ curvature + penalty)
        np.clip(step, -3, 3, out=step)
        block += step
        there += columns @ step
    scores[shown] = there


def _residual(total: Floats, positive: Floats, scores: Floats) -> tuple[Floats, Floats]:
    """The loss's first and second derivatives by the scores."""
    probability = np.exp(-np.abs(scores))  # quicker than scipy's expit in single precision, and never overflows
    probability /= 1 + probability
    probability = np.where(scores > 0, 1 - probability, probability)
    residual = total * probability
    curvature = residual * (1 - probability)
    residual -= positive
    return residual, curvature


def _loss(problem: Problem, scores: Floats, weights: Floats) -> NDArray[np.float64]:
    terms = np.exp(-np.abs(scores))
    terms += 1
    np.log(terms, out=terms)
    terms += np.maximum(scores, 0)
    terms *= problem.total
    terms -= problem.positive * scores
    away = weights - problem.centre
    return _sum(terms, np.float64) + _dot(problem.penalty / 2 * away, away)


def _dot(a: Floats, b: Floats) -> Floats:
    """Column by column; without BLAS, whose order of summation depends on its threads."""
    return _sum(a * b)


_TOGETHER = 64


def _sum(a: Floats, dtype: type[np.float64] | None = None) -> Floats:
    """Of each column; many rows are added at once, as what is added at once must be long to be quick."""
    whole = len(a) // _TOGETHER * _TOGETHER
    partial = a[:whole].reshape(-1, _TOGETHER * a.shape[1]).sum(axis=0, dtype=dtype)
    total: Floats = partial.reshape(_TOGETHER, -1).sum(axis=0) + a[whole:].sum(axis=0, dtype=dtype)
    return total


def _each_row(change: np.ufunc, a: Floats, row: Floats) -> Floats:
    """Change each row of ``a`` by the same few numbers, in place; in long runs, as numpy is slow at short ones."""
    whole = len(a) // _TOGETHER * _TOGETHER
    wide = a[:whole].reshape(-1, _TOGETHER * a.shape[1])
    change(wide, np.tile(row, _TOGETHER), out=wide)
    change(a[whole:], row, out=a[whole:])
    return a
