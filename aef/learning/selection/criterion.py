"""The selection criterion: cross-validated F2 of a feature set over document folds, decoded from predicted labels.

What makes it quick: equal events are merged with their counts a fold, words that no model can tell apart are learned as
one (`aef.learning.selection.lifted`), the models of all folds together (`aef.classifiers.newton`), a candidate starts
from the weights of the set it came from, and only tokens whose label depends on their history are decoded one by one.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.newton import Floats, Solution, learn, objective
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.folds import document_folds
from aef.features import Column, Extractor
from aef.features.extraction import STATES
from aef.learning.selection.folded import FEW, Folded, Ints, Merged, Weights, merge, with_feature, without_feature
from aef.learning.selection.lifted import lift, summed
from aef.learning.selection.score import Score, counted
from aef.tagging.labelled import LabelledCorpus

Bools = NDArray[np.bool_]


_LOST = 0.25
"""The share of the loss of no weights from which a start without a feature is worse than none."""


class Criterion:
    """A gold corpus made ready for evaluating many sets of the features ``names`` under one division into folds.

    Raises `InputError` for fewer documents than folds, and for a fold that leaves nothing to learn from or to find.
    """

    def __init__(
        self,
        documents: Sequence[Document],
        names: Sequence[str],
        target: str,
        lexicons: Mapping[str, frozenset[str]],
        folds: int = 5,
        seed: int = 0,
        C: float = 1.0,
    ) -> None:
        self.names, self.folds, self.penalty = tuple(names), folds, 1 / C
        self._known: Weights | None = None
        corpus = LabelledCorpus.of(documents, target)
        fold_of = np.empty(len(documents), dtype=np.int64)
        for number, members in enumerate(document_folds(len(documents), folds, seed)):
            fold_of[members] = number
        token_fold = np.repeat(fold_of, corpus.layout.sizes)
        _check_folds(token_fold[corpus.rows], corpus.labels[corpus.rows], folds)
        columns = list(Extractor(names, lexicons).columns(corpus.layout))
        self.widths = [len(c.values) for c in columns]
        self._count(columns, corpus, token_fold)
        self._prepare_decoding(columns, corpus, token_fold)

    def _count(self, columns: list[Column], corpus: LabelledCorpus, token_fold: Ints) -> None:
        """Distinct events over all features, codes (features, events), and how often each occurs a fold and label."""
        codes = np.stack([c.at(corpus.histories) for c in columns]).astype(np.int32)
        merged = merge(codes, self.widths)
        self.events, self.event_of = merged.codes, merged.group.astype(np.int32)
        cell = (merged.group * self.folds + token_fold)[corpus.rows] * 2 + corpus.labels[corpus.rows]
        counts = np.bincount(cell, minlength=self.events.shape[1] * self.folds * 2).astype(np.float32)
        self.counts = counts.reshape(-1, self.folds * 2)
        self.shown = [np.flatnonzero(row >= 0) for row in self.events]

    def _prepare_decoding(self, columns: list[Column], corpus: LabelledCorpus, token_fold: Ints) -> None:
        """What is needed of the tokens when sequential features are in a set.

        A kind of token is what tokens of one fold are that show the same, whatever the labels before them.
        """
        self.token_fold, self.labels = token_fold.astype(np.int32), corpus.labels
        self.learned = np.zeros(len(corpus.labels), dtype=np.bool_)
        self.learned[corpus.rows] = True
        self.positions = corpus.layout.positions
        self.length = len(corpus.layout.ids)
        self.words = corpus.layout.document_words
        sequential: dict[int, NDArray[np.int32]] = {}
        self.patterns: dict[int, NDArray[np.int32]] = {}
        for j, column in enumerate(columns):
            if column.codes.ndim == 2:
                keys = merge(np.ascontiguousarray(column.codes.T), [self.widths[j]] * len(STATES))
                sequential[j], self.patterns[j] = keys.group.astype(np.int32), keys.codes
        rows = [self.event_of, self.token_fold, *sequential.values()]
        kinds = merge(np.stack(rows), [self.events.shape[1], self.folds, *(p.shape[1] for p in self.patterns.values())])
        self.kind_of, (self.kind_event, self.kind_fold, *patterns) = kinds.group.astype(np.int32), kinds.codes
        self.sequential = dict(zip(sequential, patterns, strict=True))
        cell = self.kind_of[corpus.rows] + corpus.labels[corpus.rows] * len(self.kind_fold)
        self.kind_counts = np.bincount(cell, minlength=len(self.kind_fold) * 2).reshape(2, -1)
        self.gold = np.bincount(self.kind_fold, self.kind_counts[1], self.folds).astype(np.int64)

    @cached_property
    def fingerprint(self) -> str:
        """A short hash of everything a score depends on."""
        digest = hashlib.sha256(repr((self.names, self.folds, self.penalty)).encode())
        for array in (self.events, self.counts, self.event_of, self.token_fold, self.labels):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()[:32]

    # -- one evaluation ------------------------------------------------------------------------------------------

    def evaluate(self, features: Sequence[int], start: Weights | None = None) -> tuple[Score, Weights]:
        """The score of a feature set (numbers of features), and its weights, to start others from."""
        features = tuple(features)
        merged, counts = self._merged(features, start)
        lifted = lift(merged.codes, [self.widths[j] for j in features], counts)
        problem = Folded(lifted, merged.codes.shape[1] < FEW, self.penalty)
        weights, intercept, fresh = self._start(features, start, problem)
        found = learn(problem, weights, intercept, fresh)
        blocks = dict(zip(features, problem.apart(found.weights), strict=True))
        path = (*(start.path if start else ()), features)
        learned = Weights(blocks, found.intercept, features, merged, counts, path)
        decoded = any(j in self.sequential for j in features)
        return self._decoded(problem, found, learned) if decoded else counted(found.scores, problem.by_label), learned

    def along(self, path: tuple[tuple[int, ...], ...]) -> Weights | None:
        """The weights at the end of a path of sets, each learned from those of the set before it; None where it is
        empty. The last ones are kept, to go on from."""
        known = self._known
        if known and path[: len(known.path)] != known.path:
            known = None
        for features in path[len(known.path) if known else 0 :]:
            known = self.evaluate(features, known)[1]
        self._known = known
        return known

    def _merged(self, features: tuple[int, ...], start: Weights | None) -> tuple[Merged, Floats]:
        """The events of a set and their counts: from those of the set it came from where they differ by one feature."""
        widths, known = [self.widths[j] for j in features], start.features if start else ()
        gone = [row for row, j in enumerate(known) if j not in features]
        if start and len(gone) == 1 and features == tuple(j for j in known if j in features):
            merged, event = without_feature(start.merged, gone[0], widths)
            return merged, summed(start.counts, event, merged.codes.shape[1])
        if start and known == features[:-1]:
            merged = with_feature(start.merged, self.events[features[-1]], self.shown[features[-1]], widths[-1])
        else:
            merged = merge(self.events[list(features)], widths)
        return merged, summed(self.counts, merged.group, merged.codes.shape[1])

    def _start(
        self, features: tuple[int, ...], start: Weights | None, problem: Folded
    ) -> tuple[Floats, Floats, slice | None]:
        nothing = np.zeros((int(problem.starts[-1]), self.folds), np.float32), np.zeros(self.folds, np.float32)
        if start is None:
            return *nothing, None
        blocks = [start.blocks.get(j, np.zeros((self.widths[j], self.folds), np.float32)) for j in features]
        weights, intercept = problem.together(blocks), start.intercept
        far = _LOST * objective(problem, *nothing).sum()
        if set(start.features) > set(features) and objective(problem, weights, intercept).sum() > far:
            return *nothing, None  # scores far from zero on the wrong side are slow to come back
        new = [problem.block(i) for i, j in enumerate(features) if j not in start.blocks and self.widths[j]]
        return weights, intercept, new[0] if len(new) == 1 else None

    # -- decoding ------------------------------------------------------------------------------------------------

    def _decoded(self, problem: Folded, found: Solution, learned: Weights) -> Score:
        """The counts when every token's history is made of the labels predicted before it."""
        sequential = [j for j in learned.features if j in self.sequential]
        weights = found.weights.copy()
        for i, j in enumerate(learned.features):
            weights[problem.block(i)] *= j not in self.sequential
        static = problem.design @ weights + found.intercept
        event = problem.lifted.event[learned.merged.group[self.kind_event]]
        known = static.ravel()[event * self.folds + self.kind_fold]
        pattern, table = self._histories(sequential, learned)
        low, high = table.min(axis=2).ravel(), table.max(axis=2).ravel()
        place = pattern * self.folds + self.kind_fold
        certain = known + low[place] > 0
        open_kinds = np.flatnonzero((known + high[place] > 0) & ~certain)
        decisions = known[open_kinds, None] + table.reshape(-1, len(STATES))[place[open_kinds]] > 0
        bits = np.full(len(known), -1, dtype=np.int64)
        bits[open_kinds] = decisions @ (1 << np.arange(len(STATES)))
        late = self._settle(np.flatnonzero(certain[self.kind_of]), bits[self.kind_of])
        return self._score(certain, late)

    def _histories(self, features: Sequence[int], learned: Weights) -> tuple[Ints, Floats]:
        """Each kind's pattern of sequential predicates, and what a pattern adds: (patterns, folds, histories)."""
        pattern = np.zeros(len(self.kind_fold), dtype=np.int64)
        table = np.zeros((1, self.folds, len(STATES)), np.float32)
        for j in features:
            padded = np.vstack([learned.blocks[j], np.zeros((1, self.folds), np.float32)])
            added = padded[self.patterns[j]].transpose(1, 2, 0)
            table = (table[:, None] + added[None]).reshape(-1, self.folds, len(STATES))
            pattern = pattern * len(added) + self.sequential[j]
        return pattern, table

    def _settle(self, hidden: Ints, bits: Ints) -> Ints:
        """The tokens found, in their order, of those that depend on their history.

        ``hidden``: the tokens found whatever their history. ``bits``: a bit for each history that finds the token, or
        negative where it does not matter.
        """
        row = bytearray(self.length)
        np.frombuffer(row, dtype=np.uint8)[self.positions[hidden]] = 1
        tokens = np.flatnonzero(bits >= 0)
        keys = self.words[tokens]
        earliest = np.full(int(self.words.max(initial=-1)) + 1, len(bits))
        earliest[self.words[hidden[::-1]]] = hidden[::-1]
        known = dict(zip(keys.tolist(), earliest[keys].tolist(), strict=True))
        found = []
        for token, place, key, decision in zip(
            tokens.tolist(), self.positions[tokens].tolist(), keys.tolist(), bits[tokens].tolist(), strict=True
        ):
            if decision >> (row[place - 1] + 2 * row[place - 2] + 4 * (known[key] < token)) & 1:
                found.append(token)
                row[place] = 1
                known[key] = min(token, known[key])
        return np.array(found, dtype=np.int64)

    def _score(self, certain: Bools, found: Ints) -> Score:
        """The counts where the kinds ``certain`` and the tokens ``found`` are labelled."""
        learned = found[self.learned[found]]
        cell = self.token_fold[learned] * 2 + self.labels[learned]
        hits = np.bincount(cell, minlength=2 * self.folds).reshape(self.folds, 2)
        kinds = np.flatnonzero(certain)
        for label in (0, 1):
            counts = np.bincount(self.kind_fold[kinds], self.kind_counts[label, kinds], self.folds)
            hits[:, label] += counts.astype(np.int64)
        return Score(np.stack([hits[:, 1], hits[:, 0], self.gold - hits[:, 1]], axis=1))


def _check_folds(fold: Ints, labels: Bools, folds: int) -> None:
    positive = np.bincount(fold[labels], minlength=folds)
    if (positive == 0).any():
        raise InputError(
            f"fold {int(np.argmin(positive)) + 1} of {folds} holds no token to hide. "
            "Use fewer folds, another seed or more documents"
        )
