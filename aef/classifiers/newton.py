"""Logistic regression by a truncated Newton method, several models at once: the columns of one matrix.

Each Newton step is found by conjugate gradients, preconditioned by the diagonal. Events are few and distinct: how often
each occurs, and how often with the positive label, are counts. Of many events the curvature is that of a sample, drawn
by what each adds to it (Xu et al. 2016, sub-sampled Newton methods with non-uniform sampling): most events are long
decided and add next to nothing; and near the end the preconditioner has the whole block of what is seen most. Gradient
and loss are of all events, so that what is found is the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from aef.classifiers.block import Block
from aef.classifiers.columns import dot, each_row, sums

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
    """``weights`` (predicates, models), ``intercept`` (models,), ``scores`` of the events (m, models), Newton steps.

    ``block``: of the curvature, to learn by from the same events in higher precision.
    """

    weights: Floats
    intercept: Floats
    scores: Floats
    steps: int
    block: Block | None = None


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
    block: Block | None = None,
) -> Solution:
    """The models, started from the weights (predicates, models) and intercepts given, and from a block known already.

    ``fresh``: a block whose weights have not been learned yet. Its predicates exclude each other, so that a few
    Newton steps on it alone, one predicate at a time, give the others a good start.
    """
    weights, intercept = weights.astype(problem.dtype), intercept.astype(problem.dtype)
    scores = problem.design @ weights
    each_row(np.add, scores, intercept)
    if fresh is not None:
        _warm(problem, weights, scores, fresh)
    point = _Point(weights, intercept, scores, _loss(problem, scores, weights))
    steps, random = 0, np.random.default_rng(0)
    while steps < max_steps:
        gradient = _gradient(problem, point.scores, point.weights)
        if float(gradient.decrement.max()) < problem.tolerance:
            break
        curved = _Curved.of(problem, gradient.curvature, random)
        if block is None and _is_large(gradient.curvature) and gradient.decrement[0] < _NEAR * point.loss[0]:
            block = Block.of(problem, gradient.diagonal, curved.design, curved.curvature)
        moved = _search(problem, point, gradient, curved, block)
        gain = float((point.loss - moved.loss).max())
        point, steps = moved, steps + 1
        if gain < problem.tolerance / 2:
            break
    return Solution(point.weights, point.intercept, point.scores, steps, block)


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
        if not _is_large(curvature):
            return cls(problem.design, problem.transposed, curvature, 0.25, 30)
        whole = min(_AT_MOST * float(problem.penalty.min()), float(curvature.mean()) * _ONE_IN)
        drawn = np.flatnonzero(curvature[:, 0] > whole * random.random(len(curvature), np.float32))
        design = problem.design[drawn]
        stands_for = np.maximum(curvature[drawn], curvature.dtype.type(whole))
        return cls(design, design.T, stands_for, 0.1, 60)  # steps by few events cost little


_MANY, _ONE_IN, _AT_MOST = 1 << 14, 8, 0.05

_NEAR = 1 / 32
"""The share of its loss that a model may still gain, about, where the curvature's block is that of the end."""


def _is_large(curvature: Floats) -> bool:
    """Whether it is of one model and so many events that a sample, and a block, are worth their while."""
    return curvature.size >= _MANY and curvature.shape[1] == 1


def _search(problem: Problem, point: _Point, gradient: _Gradient, curved: _Curved, block: Block | None) -> _Point:
    """A Newton step, halved for each model until its loss falls; no step where that never comes."""
    step, step0 = _newton_step(problem, gradient, curved, block)
    direction = problem.design @ step
    each_row(np.add, direction, step0)
    slope = dot(gradient.of_weights, step) + gradient.of_intercept * step0
    size = np.ones(point.loss.shape, problem.dtype)
    for _ in range(_HALVINGS):
        weights = point.weights + each_row(np.multiply, step.copy(), size)
        scores = point.scores + each_row(np.multiply, direction.copy(), size)
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
    of_intercept = sums(residual) * problem.free
    diagonal = problem.transposed @ curvature
    diagonal += problem.penalty
    diagonal0 = sums(curvature) + 1e-6
    decrement = dot(of_weights, of_weights / diagonal) + of_intercept**2 / diagonal0
    return _Gradient(of_weights, of_intercept, curvature, diagonal, diagonal0, decrement)


def _newton_step(problem: Problem, gradient: _Gradient, curved: _Curved, block: Block | None) -> tuple[Floats, Floats]:
    """Conjugate gradients on all models at once, until each has a given share of its residual left."""
    step, step0 = np.zeros_like(gradient.of_weights), np.zeros_like(gradient.of_intercept)
    rest, rest0 = -gradient.of_weights, -gradient.of_intercept
    scaled = np.empty_like(rest)
    scaled0 = _scale(gradient, block, rest, rest0, scaled)
    way, way0 = scaled.copy(), scaled0.copy()
    norm = goal = dot(rest, scaled) + rest0 * scaled0
    for _ in range(curved.steps):
        image = curved.design @ way
        each_row(np.add, image, way0)
        image *= curved.curvature
        product = curved.transposed @ image
        product += problem.penalty * way
        product0 = sums(image) * problem.free
        size = norm / np.maximum(dot(way, product) + way0 * product0, 1e-30)
        np.copyto(scaled, way)
        step += each_row(np.multiply, scaled, size)
        step0 += size * way0
        rest -= each_row(np.multiply, product, size)
        rest0 -= size * product0
        scaled0 = _scale(gradient, block, rest, rest0, scaled)
        left = dot(rest, scaled) + rest0 * scaled0
        if (left <= curved.forcing**2 * goal).all():
            break
        ratio = left / np.maximum(norm, 1e-30)
        each_row(np.multiply, way, ratio)
        way += scaled
        way0 = scaled0 + ratio * way0
        norm = left
    return step, step0


def _scale(gradient: _Gradient, block: Block | None, rest: Floats, rest0: Floats, scaled: Floats) -> Floats:
    """The preconditioned residual: of the weights into ``scaled``, of the intercept as result."""
    np.divide(rest, gradient.diagonal, out=scaled)
    return rest0 / gradient.diagonal0 if block is None else block.scale(rest, rest0, scaled)


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
    return sums(terms, np.float64) + dot(problem.penalty / 2 * away, away)
