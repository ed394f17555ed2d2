"""A hidden Markov model over words: two labels, counted transitions and emissions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aef.classifiers.chain import marginal_log_odds, sentence_bounds
from aef.classifiers.decoding import Scores
from aef.features.extraction import Layout
from aef.learning.comparison.scoring import Bools, Floats, Ints, Scoring, packed
from aef.tagging.labelled import LabelledCorpus


@dataclass(frozen=True)
class Model:
    """``start``, shape (2,), and ``transition``, shape (2, 2): probabilities of N and A, first and after each other.

    ``emission``, shape (symbols + 1, 2): of the symbols given the label; the last row is that of any other symbol.
    """

    start: Floats
    transition: Floats
    symbols: Mapping[str, int]
    emission: Floats


class Hmm(Scoring):
    """Words seen less than twice in training are their shape, so that shapes have a probability for unknown words.

    Counts are smoothed by adding `LIDSTONE`. A token is hidden where the log-odds of its posterior exceed the cut.
    """

    RARE, LIDSTONE = 2, 0.1

    def observe(self, layout: Layout) -> tuple[list[str], Layout]:
        words = np.array(layout.types, dtype=object)[layout.word_ids]
        return words.tolist(), layout

    def learn(self, observed: tuple[list[str], Layout], corpus: LabelledCorpus, rows: Ints) -> Model:
        words, layout = observed
        seen = Counter(words[row] for row in rows.tolist())
        symbols = [w if seen[w] >= self.RARE else shape(w) for w in (words[row] for row in rows.tolist())]
        begins = np.isin(rows, sentence_bounds(layout.positions))
        return count(symbols, corpus.labels[rows], begins, self.LIDSTONE)

    def score(self, model: Model, observed: tuple[list[str], Layout], wanted: Bools) -> Scores:
        words, layout = observed
        known = {word: model.symbols.get(word, model.symbols.get(shape(word), -1)) for word in set(words)}
        emission = np.log(model.emission[[known[word] for word in words]])
        own = emission[:, 1] - emission[:, 0]
        own[sentence_bounds(layout.positions)[:-1]] += np.log(model.start[1] / model.start[0])
        return Scores.without_history(marginal_log_odds(own, np.log(model.transition), layout))

    def saved(self) -> bytes:
        model: Model = self.model
        return packed({"cut": self.cut, "symbols": list(model.symbols)}, model.start, model.transition, model.emission)


def count(symbols: Sequence[str], labels: Bools, begins: Bools, added: float) -> Model:
    """Estimate from tokens in order; ``begins`` says which begin a sentence."""
    numbers: dict[str, int] = {}
    codes = np.array([numbers.setdefault(symbol, len(numbers)) for symbol in symbols])
    y = labels.astype(np.int64)
    goes_on = np.flatnonzero(~begins)
    emission = np.bincount(codes * 2 + y, minlength=2 * len(numbers) + 2).reshape(-1, 2)
    transition = np.bincount(y[goes_on - 1] * 2 + y[goes_on], minlength=4).reshape(2, 2)
    start = np.bincount(y[begins], minlength=2)
    return Model(_shares(start, added), _shares(transition.T, added).T, numbers, _shares(emission, added))


def _shares(counts: Any, added: float) -> Floats:
    """Probabilities down the first axis."""
    smoothed = counts + added
    shares: Floats = smoothed / smoothed.sum(axis=0)
    return shares


def shape(word: str) -> str:
    """What is known of an unknown word: capitals, digits, and the last two letters of one in lower case."""
    if any(c.isdigit() for c in word):
        return "#digits" if word.isdigit() else "#mixed"
    if word.islower():
        return f"#-{word[-2:]}"
    if word.isupper():
        return "#initial" if len(word) <= 2 else "#capitals"
    return "#Name" if word[:1].isupper() else "#other"
