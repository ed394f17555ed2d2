"""What the curvature's diagonal does not know: that the predicates seen most stand in the same events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

if TYPE_CHECKING:
    from aef.classifiers.newton import Floats, Ints, Problem

_SIZE = 128


@dataclass(frozen=True)
class Block:
    """The ``inverse`` of the curvature over the ``predicates`` that are seen most and the intercept, the last: shape
    (k + 1, k + 1)."""

    predicates: Ints
    inverse: NDArray[np.float64]

    @classmethod
    def of(cls, problem: Problem, diagonal: Floats, design: sparse.csr_matrix, curvature: Floats) -> Block:
        """Of one model: its ``diagonal`` (predicates, 1), and events (rows) with their ``curvature`` (rows, 1)."""
        often = np.sort(np.argsort(diagonal[:, 0], kind="stable")[-_SIZE:])
        shown = design[:, often].astype(np.float64)
        shown = sparse.hstack([shown, np.full((shown.shape[0], 1), float(problem.free))], format="csr")
        block = (shown.T @ shown.multiply(curvature).tocsr()).toarray()
        penalty = np.broadcast_to(problem.penalty, diagonal.shape)[often, 0]
        block[np.diag_indices(len(block))] += np.append(penalty, 1e-6)
        return cls(often, inverse(block))

    def scale(self, rest: Floats, rest0: Floats, scaled: Floats) -> Floats:
        """The inverse times a residual, of the weights ``rest`` into ``scaled``, of the intercept as result."""
        found: Floats = (self.inverse * np.append(rest[self.predicates, 0], rest0)).sum(axis=1).astype(rest.dtype)
        scaled[self.predicates, 0] = found[:-1]
        return found[-1:]


def inverse(matrix: NDArray[Any]) -> NDArray[np.float64]:
    """Of a positive definite matrix, by Gauss-Jordan elimination.

    Without BLAS, whose order of summation depends on its threads.

    >>> inverse(np.array([[4.0, 2.0], [2.0, 2.0]])).tolist()
    [[0.5, -0.5], [-0.5, 1.0]]
    """
    found = matrix.astype(np.float64)
    for i in range(len(found)):
        row, column = found[i] / found[i, i], found[:, i].copy()
        row[i] = 1 / column[i]
        column[i], found[i], found[:, i] = 0, 0, 0
        found -= np.multiply.outer(column, row)
        found[i] = row
    return found
