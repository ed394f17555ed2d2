"""Linear models over columns of predicates: what a classifier learned, laid out for scoring and saving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aef.features import Column
from aef.maxent import MaxEntClassifier

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Linear:
    """An intercept, shape (...), and for each feature the weights of its values, shape (values, ...).

    The trailing shape is empty for the log-odds of A, (K,) for the scores of K classes.
    """

    intercept: Floats
    blocks: Mapping[str, Floats]

    @classmethod
    def log_odds(cls, model: MaxEntClassifier, columns: Sequence[Column]) -> Linear:
        """Of the second class (A, True) against the first."""
        return cls(np.diff(model.intercept_)[0], _by_value(model, columns, model.weights_[:, 1] - model.weights_[:, 0]))

    @classmethod
    def classes(cls, model: MaxEntClassifier, columns: Sequence[Column]) -> Linear:
        """The scores of all classes."""
        return cls(model.intercept_, _by_value(model, columns, model.weights_))

    def scores(self, columns: Sequence[Column], tokens: Bools) -> Floats:
        """The log-odds of the tokens marked under each of the eight histories, shape (marked, 8)."""
        static = np.full(int(tokens.sum()), float(self.intercept))
        sequential = np.zeros((len(static), 8))
        for column in columns:
            padded = np.append(self.blocks[column.name], 0.0)
            if column.codes.ndim == 1:
                static += padded[column.codes[tokens]]
            else:
                sequential += padded[column.codes[tokens]]
        return static[:, None] + sequential

    def class_scores(self, columns: Sequence[Column], history: NDArray[np.int64], tokens: NDArray[np.int64]) -> Floats:
        """The scores of the classes for the tokens given, each under its history, shape (tokens, K)."""
        scores = np.tile(self.intercept, (len(tokens), 1))
        for column in columns:
            padded = np.vstack([self.blocks[column.name], np.zeros((1, scores.shape[1]))])
            scores += padded[column.at(history)[tokens]]
        return scores

    def table(self) -> Floats:
        """Everything in one array: the intercept, then the weights, feature after feature; shape (1 + values, ...)."""
        return np.concatenate([np.asarray(self.intercept)[None], *self.blocks.values()])

    @classmethod
    def from_table(cls, table: Floats, vocabulary: Mapping[str, Mapping[str, int]]) -> Linear:
        """What `table` gave. Raises `ValueError` where it does not fit the vocabulary."""
        ends = np.cumsum([1, *map(len, vocabulary.values())])
        if len(table) != ends[-1]:
            raise ValueError("weights do not fit the vocabulary")
        intercept, *blocks = np.split(table, ends[:-1])
        return cls(intercept[0], dict(zip(vocabulary, blocks, strict=True)))


def _by_value(model: MaxEntClassifier, columns: Sequence[Column], weights: Floats) -> dict[str, Floats]:
    """The rows of the weights by feature and value; values the model has not seen weigh nothing."""
    found, offset = {}, 0
    for column, known in zip(columns, model.categories_, strict=True):
        block = np.zeros((len(column.values), *weights.shape[1:]))
        block[known] = weights[offset : offset + len(known)]
        found[column.name] = block
        offset += len(known)
    return found
