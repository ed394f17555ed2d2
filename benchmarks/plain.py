"""The plain pipeline: one-hot rows, one a token, scikit-learn's logistic regression, one fold after the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression

from aef.classifiers.newton import one_hot
from aef.corpus_tools.document import Document
from aef.evaluation.folds import document_folds
from aef.features import Extractor
from aef.features.extraction import STATES
from aef.tagging.labelled import LabelledCorpus

TIGHT, DEFAULT = 1e-6, 1e-4
"""Tolerances of scikit-learn's lbfgs: the loosest power of ten that ends within 1 of the best log-likelihood on a
corpus of 567,000 tokens, and its default, which does not."""


class Plain:
    """Evaluates feature sets by cross-validation, with the columns and the folds of `aef.learning.selection.Criterion`.

    The rows are made by the quick way to a sparse matrix, and decoding works on scores computed beforehand: what is
    plain here is what most would write who know the tools, not the slowest there is.
    """

    def __init__(
        self, documents: Sequence[Document], names: Sequence[str], lists: Mapping[str, frozenset[str]], folds: int = 5
    ) -> None:
        self.corpus = LabelledCorpus.of(documents, "all")
        self.columns = list(Extractor(names, lists).columns(self.corpus.layout))
        self.events = np.stack([c.at(self.corpus.histories) for c in self.columns], axis=1, dtype=np.int32)
        fold_of = np.empty(len(documents), dtype=np.int64)
        for number, members in enumerate(document_folds(len(documents), folds)):
            fold_of[members] = number
        self.token_fold = np.repeat(fold_of, self.corpus.layout.sizes)
        self.folds = folds

    def evaluate(self, features: Sequence[int], tol: float = TIGHT) -> float:
        """The mean F2 over the folds."""
        widths = [len(self.columns[j].values) for j in features]
        starts = np.concatenate([[0], np.cumsum(widths)])
        codes = self.events[:, list(features)]
        rows = one_hot(np.where(codes >= 0, codes + starts[:-1], -1), int(starts[-1]))
        learned = np.zeros(len(codes), dtype=np.bool_)
        learned[self.corpus.rows] = True
        scores = []
        for fold in range(self.folds):
            train, test = learned & (self.token_fold != fold), self.token_fold == fold
            model = LogisticRegression(C=1.0, tol=tol, max_iter=10_000).fit(rows[train], self.corpus.labels[train])
            blocks = np.split(model.coef_[0], starts[1:-1])
            predicted = self._decode(features, blocks, model.intercept_[0], np.flatnonzero(test))
            scores.append(_f2(self.corpus.labels[test & learned], predicted[learned[test]]))
        return float(np.mean(scores))

    def _decode(
        self, features: Sequence[int], blocks: list[NDArray[np.float64]], intercept: float, tokens: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Labels of the tokens of a fold's documents, sequential features from the labels predicted before."""
        static = np.full(len(tokens), intercept)
        histories = np.zeros((len(tokens), len(STATES)))
        sequential = False
        for j, weights in zip(features, blocks, strict=True):
            codes, padded = self.columns[j].codes[tokens], np.append(weights, 0.0)
            if codes.ndim == 2:
                sequential = True
                histories += padded[codes]
            else:
                static += padded[codes]
        if not sequential:
            return static > 0
        return self._one_by_one((static[:, None] + histories > 0).tolist(), tokens)

    def _one_by_one(self, decisions: list[list[bool]], tokens: NDArray[np.int64]) -> NDArray[np.bool_]:
        layout = self.corpus.layout
        row, known, labels = bytearray(len(layout.ids)), set(), []
        places, words = layout.positions[tokens].tolist(), layout.document_words[tokens].tolist()
        for place, word, decision in zip(places, words, decisions, strict=True):
            label = decision[row[place - 1] + 2 * row[place - 2] + 4 * (word in known)]
            if label:
                row[place] = 1
                known.add(word)
            labels.append(label)
        return np.array(labels, dtype=np.bool_)


def _f2(gold: NDArray[np.bool_], predicted: NDArray[np.bool_]) -> float:
    hits, truly, found = (int(np.count_nonzero(labels)) for labels in (gold & predicted, gold, predicted))
    return 5 * hits / max(4 * truly + found, 1)
