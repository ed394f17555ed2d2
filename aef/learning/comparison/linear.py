"""Linear classifiers on the same events, with the labels before as features and greedy decoding."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from aef.classifiers.decoding import Scores
from aef.classifiers.events import merge_events
from aef.classifiers.linear import Linear
from aef.classifiers.maxent import MaxEntClassifier
from aef.features import Column, Extractor, feature_names
from aef.features.extraction import INACTIVE, Layout
from aef.features.extraction import Ints as Codes
from aef.learning.comparison.scoring import Bools, Floats, Ints, Options, Scoring, packed
from aef.tagging.labelled import LabelledCorpus

PENALTY = 0.5
"""C of the maximum-entropy model, the inverse strength of its L2 penalty; the CRF has the same."""


class OnEvents(Scoring):
    """A linear classifier over columns of predicates. ``features``: names or a set; None takes those of the options."""

    def __init__(self, options: Options, features: str | Sequence[str] | None = None) -> None:
        super().__init__(options)
        names = options.names if features is None else feature_names(features, options.language)
        self.extractor = Extractor(names, self.lexicons)
        self.vocabulary: Mapping[str, Mapping[str, int]] | None = None

    @abstractmethod
    def classify(self, columns: list[Column], events: NDArray[np.int32], labels: Bools) -> Linear:
        """Learn from events, shape (n, features)."""

    def observe(self, layout: Layout) -> list[Column]:
        return list(self.extractor.columns(layout))

    def learn(self, observed: list[Column], corpus: LabelledCorpus, rows: Ints) -> Linear:
        self.vocabulary = {c.name: {v: i for i, v in enumerate(c.values)} for c in observed}
        events = np.stack([c.at(corpus.histories[rows], rows) for c in observed], axis=1, dtype=np.int32)
        return self.classify(observed, events, corpus.labels[rows])

    def score(self, model: Linear, observed: list[Column], wanted: Bools) -> Scores:
        return model.reordered({c.name: self._numbers(c) for c in observed}).factored(observed)

    def _numbers(self, column: Column) -> Codes:
        """For each of the column's values its number in training."""
        assert self.vocabulary is not None
        known = self.vocabulary[column.name]
        return np.array([known.get(value, INACTIVE) for value in column.values], dtype=np.int32)

    def saved(self) -> bytes:
        words = {name: list(values) for name, values in (self.vocabulary or {}).items()}
        return packed({"cut": self.cut, "vocabulary": words}, self.model.table())


class MaxEnt(OnEvents):
    """Maximum entropy: the classifier of `aef.tagging.finder`, without its types, consistency and repairs."""

    def classify(self, columns: list[Column], events: NDArray[np.int32], labels: Bools) -> Linear:
        return Linear.log_odds(MaxEntClassifier(C=PENALTY).fit(events, labels), columns)


class Svm(OnEvents):
    """A linear support vector machine (squared hinge loss, the primal problem), on merged events."""

    C = 0.1

    def classify(self, columns: list[Column], events: NDArray[np.int32], labels: Bools) -> Linear:
        from sklearn.svm import LinearSVC

        index, predicates = numbered(events, columns)
        merged = merge_events(index, labels.astype(np.intp), np.ones(len(labels)))
        machine = LinearSVC(C=self.C, dual=False, tol=1e-5, max_iter=5000)
        machine.fit(one_hot(merged.index, predicates), merged.codes, sample_weight=merged.weight)
        return linear(machine.coef_[0], machine.intercept_[0], columns)


class Perceptron(OnEvents):
    """The averaged perceptron (Collins 2002, here of single tokens), ten passes in random order."""

    PASSES = 10

    def classify(self, columns: list[Column], events: NDArray[np.int32], labels: Bools) -> Linear:
        from sklearn.linear_model import SGDClassifier

        machine = SGDClassifier(
            loss="perceptron",
            penalty=None,
            learning_rate="constant",
            eta0=1.0,
            average=True,
            max_iter=self.PASSES,
            tol=None,
            random_state=self.options.seed,
        )
        machine.fit(one_hot(*numbered(events, columns)), labels)
        return linear(machine.coef_[0], machine.intercept_[0], columns)


def numbered(events: NDArray[np.int32], columns: Sequence[Column]) -> tuple[Codes, int]:
    """The events with numbers that run through all columns, -1 where inactive; and how many there are."""
    starts = np.cumsum([0, *(len(c.values) for c in columns)])
    return np.where(events >= 0, events + starts[:-1], INACTIVE), int(starts[-1])


def one_hot(index: Codes, predicates: int) -> sparse.csr_matrix:
    """A row an event, a column a predicate; shape (n, predicates)."""
    active = index >= 0
    pointers = np.concatenate([[0], np.cumsum(active.sum(axis=1))])
    return sparse.csr_matrix((np.ones(pointers[-1]), index[active], pointers), shape=(len(index), predicates))


def linear(weights: Floats, intercept: float, columns: Sequence[Column]) -> Linear:
    """The weights of all predicates, in column order, as a model."""
    parts = np.split(weights, np.cumsum([len(c.values) for c in columns])[:-1])
    return Linear(np.asarray(intercept), {c.name: part for c, part in zip(columns, parts, strict=True)})
