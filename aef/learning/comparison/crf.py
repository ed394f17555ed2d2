"""A linear-chain conditional random field on the same predicates (CRFsuite)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from aef.classifiers.chain import sentence_bounds
from aef.classifiers.crf import attributes, trained
from aef.classifiers.decoding import Scores
from aef.features import Column, Extractor
from aef.features.extraction import Layout
from aef.learning.comparison.linear import PENALTY
from aef.learning.comparison.scoring import Bools, Floats, Ints, Options, Scoring
from aef.tagging.labelled import LabelledCorpus

_SURE = 1e-12


@dataclass(frozen=True)
class Sentences:
    """Sentences as CRFsuite takes them, and the bounds of each among the tokens, shape (sentences + 1,)."""

    items: list[Any]
    bounds: Ints


class Crf(Scoring):
    """Labels B, I and N: the first and further tokens of a hidden run, and the rest (Ramshaw and Marcus 1995).

    A token is hidden where the log-odds of its marginal probability of being B or I exceed the cut.

    Features that look at labels are left out: transitions stand for the label before, and a first-order chain has no
    place for the others. The L2 penalty is that of the maximum-entropy model; training stops after
    `aef.classifiers.crf.ITERATIONS`.
    """

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        extractor = Extractor(options.names, self.lexicons)
        self.extractor = Extractor([f.name for f in extractor.features if not f.sequential], self.lexicons)

    def observe(self, layout: Layout) -> Sentences:
        from pycrfsuite import ItemSequence

        rows = list(_named(list(self.extractor.columns(layout)), len(layout.positions)))
        bounds = sentence_bounds(layout.positions)
        return Sentences([ItemSequence(rows[low:high]) for low, high in pairwise(bounds.tolist())], bounds)

    def learn(self, observed: Sentences, corpus: LabelledCorpus, rows: Ints) -> bytes:
        learned = np.zeros(len(corpus.labels), np.bool_)
        learned[rows] = True
        labels = chunk_labels(corpus.labels, corpus.layout)
        numbers = np.flatnonzero(learned[observed.bounds[:-1]]).tolist()
        pairs = ((n, slice(*observed.bounds[n : n + 2].tolist())) for n in numbers)
        return trained(((observed.items[n], labels[tokens].tolist()) for n, tokens in pairs), PENALTY)

    def score(self, model: bytes, observed: Sentences, wanted: Bools) -> Scores:
        from pycrfsuite import Tagger

        tagger = Tagger()
        tagger.open_inmemory(model)
        marginals: Floats = np.full(len(wanted), 0.5)
        for number in np.flatnonzero(wanted[observed.bounds[:-1]]):
            low, high = observed.bounds[number : number + 2].tolist()
            tagger.set(observed.items[number])
            marginals[low:high] = [1 - tagger.marginal("N", t) for t in range(high - low)]
        return Scores.without_history(logit(np.clip(marginals, _SURE, 1 - _SURE)))

    def saved(self) -> bytes:
        model: bytes = self.model
        return model


def _named(columns: list[Column], tokens: int) -> Iterator[list[str]]:
    """The active predicates of each token, as ``feature=value``; the columns must not be sequential."""
    names = [[f"{c.name}={value}" for value in c.values] for c in columns]
    codes = [c.numbers for c in columns]
    return attributes(np.stack(codes, axis=1, dtype=np.int32) if codes else np.empty((tokens, 0), np.int32), names)


def chunk_labels(labels: Bools, layout: Layout) -> NDArray[np.str_]:
    """B, I and N from hidden and not; shape (n,)."""
    after_hidden = layout.row(labels)[layout.positions - 1] == 1
    chunks: NDArray[np.str_] = np.where(labels, np.where(after_hidden, "I", "B"), "N")
    return chunks
