"""Linear models over columns of predicates: what a classifier learned, laid out for scoring and saving."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.chain import marginal_log_odds
from aef.classifiers.decoding import Scores
from aef.features import Column
from aef.features.extraction import INACTIVE, STATES, Cases, Ints, Layout

if TYPE_CHECKING:
    from aef.classifiers.maxent import MaxEntClassifier

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Vocabulary = Mapping[str, Mapping[str, int]]


@dataclass(frozen=True)
class Linear:
    """An intercept, shape (...), and for each feature the weights of its values, shape (values, ...).

    The trailing shape is empty for the log-odds of A, (K,) for the scores of K classes. ``transitions``, shape (2, 2),
    of a model of whole sentences: the weights of N and A (rows) before N and A (columns); see `aef.classifiers.chain`.
    """

    intercept: Floats
    blocks: Mapping[str, Floats]
    transitions: Floats | None = None

    @classmethod
    def log_odds(cls, model: MaxEntClassifier, columns: Sequence[Column]) -> Linear:
        """Of the second class (A, True) against the first."""
        return cls(np.diff(model.intercept_)[0], _by_value(model, columns, model.weights_[:, 1] - model.weights_[:, 0]))

    @classmethod
    def classes(cls, model: MaxEntClassifier, columns: Sequence[Column]) -> Linear:
        """The scores of all classes."""
        return cls(model.intercept_, _by_value(model, columns, model.weights_))

    @classmethod
    def nothing(cls, columns: Sequence[Column]) -> Linear:
        """A model that has learned nothing: all log-odds are 0."""
        return cls(np.zeros(()), {column.name: np.zeros(len(column.values)) for column in columns})

    def reordered(self, numbers: Mapping[str, Ints]) -> Linear:
        """The weights by other numbers: ``numbers`` are for each feature and new value the old one, -1 for none."""
        return replace(self, blocks={name: _gathered(block, numbers[name]) for name, block in self.blocks.items()})

    def by_vocabulary(self, old: Vocabulary, new: Vocabulary) -> Linear:
        """The weights by the numbers of another vocabulary; predicates that are new weigh nothing."""
        numbers = {name: [old[name].get(v, INACTIVE) for v in values] for name, values in new.items()}
        return self.reordered({name: np.array(found, dtype=np.int64) for name, found in numbers.items()})

    def scores(self, columns: Sequence[Column], tokens: Bools) -> Floats:
        """The log-odds of the tokens marked under each of the eight histories, shape (marked, 8)."""
        return self.factored(columns).full(tokens)

    def in_context(self, columns: Sequence[Column], layout: Layout) -> Scores:
        """The log-odds of all tokens under each of the eight histories, with what their sentences add."""
        scores = self.factored(columns)
        if self.transitions is None:
            return scores
        return Scores.without_history(marginal_log_odds(scores.static, self.transitions, layout))

    def factored(self, columns: Sequence[Column]) -> Scores:
        """The log-odds of all tokens by themselves under each of the eight histories."""
        n = len(columns[0].cases.index)
        static, table = np.full(n, float(self.intercept)), np.zeros((1, len(STATES)))
        pattern: Ints = np.zeros(n, np.int32)
        for cases, same in _by_cases(columns).items():
            part, index = self._of_cases(same, cases.size + 1), cases.index.astype(np.intp)  # gathers fastest
            static += part.static[index]
            if len(part.table) > 1:
                pattern, table = _joined(pattern, table, part.pattern[index], part.table)
        return Scores(static, pattern, table)

    def _of_cases(self, columns: Sequence[Column], size: int) -> Scores:
        """What columns with the same cases add to the log-odds in each, and (the last) outside all of them."""
        static, table = np.zeros(size), np.zeros((1, len(STATES)))
        pattern: Ints = np.zeros(size, np.int32)
        for column in columns:
            weights = _padded(self.blocks[column.name])
            if column.patterns is None:
                static += weights[column.of_cases]
            else:
                numbers = column.of_cases % len(column.patterns)
                pattern, table = _joined(pattern, table, numbers, weights[column.patterns])
        return Scores(static, pattern, table)

    def class_scores(self, columns: Sequence[Column], history: Ints, tokens: Ints) -> Floats:
        """The scores of the classes for the tokens given, each under its history, shape (tokens, K)."""
        scores = np.tile(self.intercept, (len(tokens), 1))
        for column in (column for column in columns if column.name in self.blocks):
            scores += _padded(self.blocks[column.name]).take(column.at(history[tokens], tokens), axis=0)
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


def scores_by(models: Sequence[Linear], which: Ints, columns: Sequence[Column], layout: Layout) -> Scores:
    """The log-odds of all tokens, each by the model whose number ``which``, shape (n,), names."""
    static, tables = np.zeros(len(which)), []
    for number, model in enumerate(models):
        part = model.in_context(columns, layout)
        np.copyto(static, part.static, where=which == number)
        tables.append(part.table)
    return Scores(static, part.pattern + which * len(part.table), np.concatenate(tables))


def _gathered(weights: Floats, rows: Ints) -> Floats:
    """The rows of the weights; zeros where the number is -1."""
    found = np.zeros((len(rows), *weights.shape[1:]))
    found[rows >= 0] = weights[rows[rows >= 0]]
    return found


def _padded(weights: Floats) -> Floats:
    """With a last row of zeros: the weight of what is inactive, whose number is -1."""
    return np.concatenate([weights, np.zeros((1, *weights.shape[1:]))])


def _by_cases(columns: Sequence[Column]) -> dict[Cases, list[Column]]:
    """The columns by what they distinguish: what those with the same cases say can be summed up case by case."""
    groups: dict[Cases, list[Column]] = {}
    for column in columns:
        groups.setdefault(column.cases, []).append(column)
    return groups


_MANY = 1 << 12


def _joined(pattern: Ints, table: Floats, numbers: Ints, rows: Floats) -> tuple[Ints, Floats]:
    """The patterns of what is known and of a further column, and what they add."""
    size = len(table) * len(rows)
    narrow: Any = np.int32 if size < 1 << 31 else np.int64
    keys = pattern.astype(narrow) * len(rows) + numbers.astype(narrow)
    used, keys = (np.arange(size), keys) if size <= _MANY else np.unique(keys, return_inverse=True)
    return keys, table[used // len(rows)] + rows[used % len(rows)]


def _by_value(model: MaxEntClassifier, columns: Sequence[Column], weights: Floats) -> dict[str, Floats]:
    """The rows of the weights by feature and value; values the model has not seen weigh nothing."""
    found, offset = {}, 0
    for column, known in zip(columns, model.categories_, strict=True):
        block = np.zeros((len(column.values), *weights.shape[1:]))
        block[known] = weights[offset : offset + len(known)]
        found[column.name] = block
        offset += len(known)
    return found
