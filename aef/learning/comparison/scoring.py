"""What learned systems share: labels, a cut on the scores chosen for F2 over inner folds, decoding, mentions."""

from __future__ import annotations

import io
import json
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef import lexicons
from aef.classifiers.decoding import Scores, decode, f_beta
from aef.corpus_tools.document import Document, Mention, merge_adjacent
from aef.features import feature_names
from aef.features.extraction import Layout
from aef.features.ruling import Frequencies
from aef.propagation.consistency import guard_words, spread_all
from aef.tagging.labelled import LabelledCorpus, lay_out

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

BEST = "rich"
"""The feature set of systems for which none is named."""


@dataclass(frozen=True)
class Options:
    """What all systems of a comparison are made from.

    ``inner`` folds of training documents choose thresholds. ``consistency``: whether the learners hide what they found
    once wherever it stands in its document (the tagger always does).
    """

    target: str = "all"
    features: str | Sequence[str] = BEST
    seed: int = 0
    inner: int = 5
    consistency: bool = False
    language: str = "en"
    lists: str | Path | None = None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the features, each checked."""
        return feature_names(self.features, self.language)

    def lexicons(self) -> Mapping[str, frozenset[str]]:
        return lexicons.load_all(self.language, self.lists)


class Scoring(ABC):
    """A system that learns to score tokens: a token is hidden where its score exceeds `cut`.

    The cut has the best F2 over decoded out-of-fold documents of the training corpus. ``choosing_seconds`` is the part
    of the time of `fit` that went there.
    """

    cut: float
    choosing_seconds: float = 0.0

    def __init__(self, options: Options) -> None:
        self.options = options
        self.lexicons = options.lexicons()
        self.model: Any = None

    # -- what a learner defines ----------------------------------------------------------------------------------

    @abstractmethod
    def observe(self, layout: Layout) -> Any:
        """What the learner sees of the tokens of a layout."""

    @abstractmethod
    def learn(self, observed: Any, corpus: LabelledCorpus, rows: Ints) -> Any:
        """A model from the tokens ``rows``, which hold both labels."""

    @abstractmethod
    def score(self, model: Any, observed: Any, wanted: Bools) -> Scores:
        """Scores of all tokens; those of tokens not wanted may be anything."""

    @abstractmethod
    def saved(self) -> bytes:
        """The fitted model as it would be saved."""

    # -- the same for all ----------------------------------------------------------------------------------------

    def fit(self, documents: Sequence[Document]) -> Scoring:
        """Learn from gold documents: the cut, then the model."""
        corpus = LabelledCorpus.of(documents, self.options.target)
        self.frequencies = Frequencies(corpus.layout.frequencies.documents)
        observed = self.observe(corpus.layout)
        began = time.perf_counter()
        self.cut = self._choose_cut(observed, corpus)
        self.choosing_seconds = time.perf_counter() - began
        self.model = self._learned(observed, corpus, corpus.rows)
        return self

    def tag(self, document: Document) -> Document:
        """The document with the mentions found in it."""
        return self.tag_all([document])[0]

    def tag_all(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the mentions found in each; quicker than one by one."""
        layout = lay_out(documents, self.frequencies)
        scores = self._scores(self.model, self.observe(layout), np.ones(len(layout.positions), np.bool_))
        labels, history = decode(scores, layout, self.cut)
        if self.options.consistency:
            self._spread(layout, labels, scores.at(history))
        parts = np.split(labels, layout.bounds[1:-1])
        return [
            document.with_mentions(mentions(document, part)) for document, part in zip(documents, parts, strict=True)
        ]

    def _spread(self, layout: Layout, labels: Bools, scores: Floats) -> None:
        """Label, in place, what repeats a hidden entity; which are persons is known where nothing else is sought."""
        persons = labels if self.options.target == "person" else np.zeros_like(labels)
        labels[spread_all(layout, labels, guard_words(self.lexicons), persons, scores)[0]] = True

    def _learned(self, observed: Any, corpus: LabelledCorpus, rows: Ints) -> Any:
        """The model; None where the rows do not hold both labels."""
        labels = corpus.labels[rows]
        return self.learn(observed, corpus, rows) if labels.any() and not labels.all() else None

    def _scores(self, model: Any, observed: Any, wanted: Bools) -> Scores:
        return nothing(len(wanted)) if model is None else self.score(model, observed, wanted)

    def _choose_cut(self, observed: Any, corpus: LabelledCorpus) -> float:
        number = len(corpus.layout.sizes)
        folds = min(self.options.inner, number)
        if folds < 2:
            return 0.0
        dealt = np.random.default_rng(self.options.seed).permutation(number) % folds
        fold_of = np.repeat(dealt, corpus.layout.sizes)
        parts = []
        for fold in range(folds):
            model = self._learned(observed, corpus, corpus.rows[fold_of[corpus.rows] != fold])
            parts.append(self._scores(model, observed, fold_of == fold))
        return best_cut(joined(parts, fold_of), corpus)


def nothing(tokens: int) -> Scores:
    """The scores of a model that has learned nothing: all 0."""
    return Scores.without_history(np.zeros(tokens))


def joined(parts: Sequence[Scores], which: Ints) -> Scores:
    """The scores of all tokens, each from the part whose number ``which``, shape (n,), names."""
    offsets = np.cumsum([0, *(len(part.table) for part in parts[:-1])])
    rows = np.arange(len(which))
    static = np.stack([part.static for part in parts])[which, rows]
    pattern = np.stack([part.pattern for part in parts])[which, rows] + offsets[which]
    return Scores(static, pattern, np.concatenate([part.table for part in parts]))


_CUTS, _SMOOTHED = 57, 5


def candidate_cuts(scores: Floats, share: float) -> Floats:
    """Ascending cuts that hide from four times to a third of ``share``, the share of gold tokens.

    The scores of different learners have different units; shares of tokens have not.
    """
    shares = np.clip(share * np.geomspace(4, 1 / 3, _CUTS), 0, 0.95)
    cuts: Floats = np.unique(np.quantile(scores, 1 - shares))
    return cuts


def best_cut(scores: Scores, corpus: LabelledCorpus) -> float:
    """The cut with the best F2 after decoding; the curve is smoothed over five neighbours, ties go to the lower cut."""
    gold = corpus.labels[corpus.rows]
    cuts = candidate_cuts(scores.at(corpus.histories)[corpus.rows], float(gold.mean()))
    curve = np.array([f_beta(gold, decode(scores, corpus.layout, cut)[0][corpus.rows], 2.0) for cut in cuts])
    window = np.full(_SMOOTHED, 1 / _SMOOTHED)
    smooth = np.convolve(np.pad(curve, _SMOOTHED // 2, mode="edge"), window, mode="valid")
    return float(cuts[np.argmax(np.round(smooth, 9))])


def mentions(document: Document, labels: Bools) -> list[Mention]:
    """A mention, of unknown type, for each run of hidden tokens in a sentence."""
    starts, ends = document.tokens.starts, document.tokens.ends
    return [Mention(int(starts[run.start]), int(ends[run.stop - 1])) for run in merge_adjacent(document, labels)]


def packed(described: Any, *arrays: NDArray[Any]) -> bytes:
    """JSON and arrays, compressed: what a model takes as a file."""
    stream = io.BytesIO()
    text = np.frombuffer(json.dumps(described, ensure_ascii=False).encode(), np.uint8)
    np.savez_compressed(stream, text, *arrays)
    return stream.getvalue()
