"""A linear-chain conditional random field on the same predicates (CRFsuite)."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import logit

from aef.comparison.linear import PENALTY
from aef.comparison.scoring import Bools, Floats, Ints, Options, Scoring, without_history
from aef.decoding import Scores
from aef.features import Column, Extractor
from aef.features.extraction import Layout
from aef.labelled import LabelledCorpus

BIAS = "bias"
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
    place for the others. The L2 penalty is that of the maximum-entropy model; training stops after `ITERATIONS`.
    """

    ITERATIONS = 100

    def __init__(self, options: Options) -> None:
        super().__init__(options)
        extractor = Extractor(options.names, self.lexicons)
        self.extractor = Extractor([f.name for f in extractor.features if not f.sequential], self.lexicons)

    def observe(self, layout: Layout) -> Sentences:
        from pycrfsuite import ItemSequence

        rows = list(attributes(list(self.extractor.columns(layout)), len(layout.positions)))
        bounds = sentence_bounds(layout)
        pairs = zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)
        return Sentences([ItemSequence(rows[low:high]) for low, high in pairs], bounds)

    def learn(self, observed: Sentences, corpus: LabelledCorpus, rows: Ints) -> bytes:
        from pycrfsuite import Trainer

        parameters = {"c1": 0.0, "c2": 0.5 / PENALTY, "max_iterations": self.ITERATIONS}
        trainer = Trainer(algorithm="lbfgs", params=parameters, verbose=False)
        learned = np.zeros(len(corpus.labels), np.bool_)
        learned[rows] = True
        labels = chunk_labels(corpus.labels, corpus.layout)
        for number in np.flatnonzero(learned[observed.bounds[:-1]]):
            low, high = observed.bounds[number : number + 2]
            trainer.append(observed.items[number], labels[low:high].tolist())
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model"
            trainer.train(str(path))
            return path.read_bytes()

    def score(self, model: bytes, observed: Sentences, wanted: Bools) -> Scores:
        from pycrfsuite import Tagger

        tagger = Tagger()
        tagger.open_inmemory(model)
        marginals: Floats = np.full(len(wanted), 0.5)
        for number in np.flatnonzero(wanted[observed.bounds[:-1]]):
            low, high = observed.bounds[number : number + 2].tolist()
            tagger.set(observed.items[number])
            marginals[low:high] = [1 - tagger.marginal("N", t) for t in range(high - low)]
        return without_history(logit(np.clip(marginals, _SURE, 1 - _SURE)))

    def saved(self) -> bytes:
        model: bytes = self.model
        return model


def attributes(columns: list[Column], tokens: int) -> Iterator[list[str]]:
    """The active predicates of each token, as ``feature=value``; the columns must not be sequential."""
    named = [[*(f"{c.name}={value}" for value in c.values), ""] for c in columns]
    rows = np.stack([c.numbers for c in columns], axis=1, dtype=np.int32) if columns else np.empty((tokens, 0), int)
    for row in rows.tolist():
        yield [BIAS, *(names[code] for names, code in zip(named, row, strict=True) if code >= 0)]


def chunk_labels(labels: Bools, layout: Layout) -> NDArray[np.str_]:
    """B, I and N from hidden and not; shape (n,)."""
    after_hidden = layout.row(labels)[layout.positions - 1] == 1
    chunks: NDArray[np.str_] = np.where(labels, np.where(after_hidden, "I", "B"), "N")
    return chunks


def sentence_bounds(layout: Layout) -> Ints:
    """Where sentences begin among the tokens, and the number of tokens; shape (sentences + 1,)."""
    begins = np.flatnonzero(np.diff(layout.positions, prepend=-2) != 1)
    return np.append(begins, len(layout.positions))
