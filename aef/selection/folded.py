"""One model a fold, all learned together: the columns of one matrix, warm-started, on merged events.

The objective is that of `aef.maxent.MaxEntClassifier` for two classes; the solver is a truncated Newton method with
conjugate gradients, preconditioned by the diagonal, in single precision where the events are many.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import sparse
from scipy.special import expit

Floats = NDArray[np.floating[Any]]
Ints = NDArray[np.int64]

FEW = 20_000
"""Below so many distinct events one of them can hold a good share of the tokens, so that its side of the decision must
be exact: learned in double precision, to the end."""

TOLERANCE, TIGHT = 0.3, 1e-5
"""Learning stops where a Newton step would not raise any fold's log-likelihood by more than half of this; the second
is for problems of few events."""


@dataclass(frozen=True)
class Weights:
    """The models of all folds: a block of log-odds weights (values, folds) a feature, and the intercepts (folds,)."""

    blocks: Mapping[int, Floats]
    intercept: Floats


@dataclass(frozen=True)
class Merged:
    """Distinct events of a feature set: codes (features, m), and which distinct event each base event became."""

    codes: NDArray[np.int32]
    group: Ints


def merge(codes: NDArray[np.int32], widths: Sequence[int]) -> Merged:
    """Merge equal events, given as codes (features, events) with -1 for inactive."""
    keys = np.zeros(codes.shape[1], dtype=np.int64)
    limit = 1
    for row, width in zip(codes, widths, strict=True):
        if limit * (width + 1) > 1 << 62:
            keys, found = pd.factorize(keys)
            limit = len(found)
        keys = keys * (width + 1) + (row + 1)
        limit *= width + 1
    group, found = pd.factorize(keys)
    example = np.empty(len(found), dtype=np.int64)
    example[group[::-1]] = np.arange(len(group) - 1, -1, -1)
    return Merged(np.ascontiguousarray(codes[:, example]), group)


class Problem:
    """The data of one feature set: ``total`` and ``positive`` are training counts of each event, shape (m, folds)."""

    def __init__(
        self, codes: NDArray[np.int32], widths: Sequence[int], total: Floats, positive: Floats, penalty: float
    ) -> None:
        few = codes.shape[1] < FEW
        self.dtype = np.dtype(np.float64 if few else np.float32)
        self.tolerance = TIGHT if few else TOLERANCE
        self.total, self.positive = total.astype(self.dtype), positive.astype(self.dtype)
        self.penalty = float(penalty)
        self.starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
        active = codes.T >= 0
        index = (codes.T + self.starts[:-1])[active].astype(np.int32)
        pointers = np.concatenate([[0], np.cumsum(active.sum(axis=1))]).astype(np.int32)
        shape = (codes.shape[1], int(self.starts[-1]))
        self.design = sparse.csr_matrix((np.ones(len(index), self.dtype), index, pointers), shape=shape)
        self.transposed = self.design.T.tocsr()

    def block(self, j: int) -> slice:
        return slice(int(self.starts[j]), int(self.starts[j + 1]))


def learn(problem: Problem, weights: Floats, intercept: Floats, fresh: slice | None) -> tuple[Floats, Floats, Floats]:
    """Weights (predicates, folds), intercepts and scores (m, folds), started from those given.

    ``fresh``: a block whose weights have not been learned yet. Its predicates exclude each other, so that a few
    Newton steps on it alone, one predicate at a time, give the others a good start.
    """
    weights, intercept = weights.astype(problem.dtype), intercept.astype(problem.dtype)
    scores = problem.design @ weights
    scores += intercept
    if fresh is not None:
        _warm(problem, weights, scores, fresh)
    loss = _loss(problem, scores, weights)
    for _ in range(_STEPS):
        gradient = _gradient(problem, scores, weights)
        if float(gradient.decrement.max()) < problem.tolerance:
            break
        step, step0 = _newton_step(problem, gradient)
        direction = problem.design @ step
        direction += step0
        slope = _dot(gradient.of_weights, step) + gradient.of_intercept * step0
        size = np.ones(loss.shape, problem.dtype)
        for _ in range(_HALVINGS):
            tried, tried_scores = weights + size * step, scores + size * direction
            tried_loss = _loss(problem, tried_scores, tried)
            worse = tried_loss > loss + 1e-4 * size * slope + _NOISE * np.abs(loss)
            if not worse.any():
                break
            size = np.where(worse, size / 2, size).astype(problem.dtype)
        gain = float((loss - tried_loss).max())
        weights, scores, loss = tried, tried_scores, tried_loss
        intercept = intercept + size * step0
        if gain < problem.tolerance / 2:
            break
    return weights, intercept, scores


_STEPS, _HALVINGS, _CONJUGATE_STEPS = 40, 12, 30
_FORCING = 0.25
_NOISE = 1e-6  # of a log-likelihood summed from single-precision terms


@dataclass(frozen=True)
class _Gradient:
    of_weights: Floats
    of_intercept: Floats
    curvature: Floats
    diagonal: Floats
    diagonal0: Floats
    decrement: Floats


def _gradient(problem: Problem, scores: Floats, weights: Floats) -> _Gradient:
    probability = expit(scores)
    residual = problem.total * probability
    curvature = residual * (1 - probability)
    residual -= problem.positive
    of_weights = problem.transposed @ residual
    of_weights += problem.penalty * weights
    of_intercept = _sum(residual)
    diagonal = problem.transposed @ curvature
    diagonal += problem.penalty
    diagonal0 = _sum(curvature) + 1e-6
    decrement = _dot(of_weights, of_weights / diagonal) + of_intercept**2 / diagonal0
    return _Gradient(of_weights, of_intercept, curvature, diagonal, diagonal0, decrement)


def _newton_step(problem: Problem, gradient: _Gradient) -> tuple[Floats, Floats]:
    """Conjugate gradients on all folds at once, until each has a quarter of its residual left."""
    step, step0 = np.zeros_like(gradient.of_weights), np.zeros_like(gradient.of_intercept)
    rest, rest0 = -gradient.of_weights, -gradient.of_intercept
    scaled, scaled0 = rest / gradient.diagonal, rest0 / gradient.diagonal0
    way, way0 = scaled.copy(), scaled0.copy()
    norm = goal = _dot(rest, scaled) + rest0 * scaled0
    for _ in range(_CONJUGATE_STEPS):
        image = problem.design @ way
        image += way0
        image *= gradient.curvature
        product = problem.transposed @ image
        product += problem.penalty * way
        product0 = _sum(image)
        size = norm / np.maximum(_dot(way, product) + way0 * product0, 1e-30)
        step += size * way
        step0 += size * way0
        product *= size
        rest -= product
        rest0 -= size * product0
        np.divide(rest, gradient.diagonal, out=scaled)
        scaled0 = rest0 / gradient.diagonal0
        left = _dot(rest, scaled) + rest0 * scaled0
        if (left <= _FORCING**2 * goal).all():
            break
        ratio = left / np.maximum(norm, 1e-30)
        way *= ratio
        way += scaled
        way0 = scaled0 + ratio * way0
        norm = left
    return step, step0


def _warm(problem: Problem, weights: Floats, scores: Floats, fresh: slice) -> None:
    rows = problem.transposed[fresh]
    columns = rows.T.tocsr()
    for _ in range(4):
        probability = expit(scores)
        residual = problem.total * probability
        curvature = residual * (1 - probability)
        residual -= problem.positive
        step = -(rows @ residual + problem.penalty * weights[fresh]) / (rows @ curvature + problem.penalty)
        np.clip(step, -3, 3, out=step)
        weights[fresh] += step
        scores += columns @ step


def _loss(problem: Problem, scores: Floats, weights: Floats) -> NDArray[np.float64]:
    terms = np.logaddexp(scores.dtype.type(0), scores)
    terms *= problem.total
    terms -= problem.positive * scores
    return _sum(terms, np.float64) + problem.penalty / 2 * _dot(weights, weights)


def _dot(a: Floats, b: Floats) -> Floats:
    """Column by column; without BLAS, whose order of summation depends on its threads."""
    product: Floats = np.einsum("ij,ij->j", a, b)
    return product


def _sum(a: Floats, dtype: type[np.float64] | None = None) -> Floats:
    total: Floats = np.einsum("ij->j", a, dtype=dtype)
    return total
