"""From scores to labels, left to right: each token's history is made of the labels already predicted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aef.features.extraction import STATES, Ints, Layout
from aef.features.registry import HISTORY

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Bits = NDArray[np.uint8]


@dataclass(frozen=True)
class Scores:
    """The log-odds of A of n tokens under each of the histories of `STATES`, as what few numbers they are made of.

    ``static``, shape (n,), is the part that does not depend on the history; a row of ``table``, shape (p, 8), is added:
    the one that ``pattern``, shape (n,), names.
    """

    static: Floats
    pattern: Ints
    table: Floats

    @classmethod
    def of(cls, scores: Floats) -> Scores:
        """From the log-odds themselves, shape (n, 8)."""
        return cls(np.zeros(len(scores)), np.arange(len(scores)), scores)

    @classmethod
    def without_history(cls, log_odds: Floats) -> Scores:
        """From log-odds, shape (n,), that do not depend on the labels before."""
        return cls(log_odds, np.zeros(len(log_odds), np.int64), np.zeros((1, len(STATES))))

    def flat(self) -> Floats:
        """The log-odds, shape (n,). Raises `ValueError` where they depend on the history."""
        if np.ptp(self.table, axis=1).any():
            raise ValueError("log-odds that do not depend on the labels before are wanted")
        found: Floats = self.static + self.table[self.pattern, 0]
        return found

    def full(self, tokens: Ints | Bools) -> Floats:
        """The log-odds of the tokens under every history, shape (tokens, 8)."""
        scores: Floats = self.static[tokens, None] + self.table[self.pattern[tokens]]
        return scores

    def at(self, states: Ints, tokens: Ints | slice = slice(None)) -> Floats:
        """The log-odds of the tokens, each under the history given for it; shape (tokens,)."""
        scores: Floats = self.static[tokens] + self.table[self.pattern[tokens], states]
        return scores


def logistic(log_odds: Floats | float) -> Floats:
    """The logistic function, for any finite log-odds.

    >>> logistic(0.0), logistic(-1000.0)
    (np.float64(0.5), np.float64(0.0))
    """
    # Not scipy's expit: importing that takes longer than tagging a ruling.
    found: Floats = np.exp(-np.logaddexp(0, np.negative(log_odds)))
    return found


def decode(scores: Floats | Scores, layout: Layout, cut: float = 0.0) -> tuple[Bools, Ints]:
    """Greedy labels, and the history's number each token was labelled under; shapes (n,).

    ``scores``: log-odds of A, shape (n, 8), one column a history of `STATES`; a token is A where its score under
    the history reached exceeds ``cut``. AEF thesis, section 3.4. Most tokens are labelled the same under every
    history: only the others are visited one by one.
    """
    if not isinstance(scores, Scores):
        scores = Scores.of(scores)
    labels: Bools = scores.static + scores.table.min(axis=1)[scores.pattern] > cut
    possible = scores.static + scores.table.max(axis=1)[scores.pattern] > cut
    open_ = np.flatnonzero(possible & ~labels)
    if len(open_):
        _settle(labels, open_, _decisions(scores, open_, cut), layout)
    return labels, layout.histories(labels)


_POSSIBLE = np.array(
    [
        [*(sum(1 << i for i, state in enumerate(STATES) if state[name] == value) for value in (False, True)), 255]
        for name in HISTORY
    ],
    dtype=np.uint8,
)
"""The histories, as bits, that are possible where a part of the history is false, true or not known yet."""

_UNSEEN = _POSSIBLE[HISTORY.index("seen"), 0]


def _decisions(scores: Scores, tokens: Ints, cut: float) -> Bits:
    """Under which histories the tokens are A, as bits; shape (tokens,)."""
    static, pattern = scores.static[tokens], scores.pattern[tokens]
    bits: Bits = np.zeros(len(tokens), np.uint8)
    for state, added in enumerate(scores.table.T):
        bits |= (static + added[pattern] > cut).view(np.uint8) << state
    return bits


def _settle(labels: Bools, tokens: Ints, bits: Bits, layout: Layout) -> None:
    """Label, in place, the tokens that depend on their history: most when what they depend on is known, then the rest.

    ``bits``: under which histories each of the ``tokens`` is A; shape (tokens,).
    """
    before = 2 * len(tokens)
    while len(tokens) < 0.6 * before:
        before = len(tokens)
        possible = _possible(labels, tokens, bits, layout)
        labels[tokens[bits & possible == possible]] = True
        undecided = (bits & possible != possible) & (bits & possible != 0)
        tokens, bits = tokens[undecided], bits[undecided]
    _settle_in_order(labels, tokens, bits, layout)


def _possible(labels: Bools, tokens: Ints, bits: Bits, layout: Layout) -> Bits:
    """The histories that each of ``tokens``, themselves undecided, can have, as bits; ``bits``: those that make it A.

    The first A of a word is one without its word having been seen: what is A only then makes no other one seen.
    """
    places, words = layout.positions[tokens], layout.document_words[tokens]
    row = layout.row(labels)
    row[places] = 2
    perhaps = labels.copy()
    perhaps[tokens[bits & _UNSEEN > 0]] = True
    seen = 2 * (layout.earliest(perhaps)[words] < tokens).astype(np.int8)
    seen[layout.earliest(labels)[words] < tokens] = 1
    given = [row[places - 1], row[places - 2], seen]
    possible: Bits = np.bitwise_and.reduce([_POSSIBLE[k, values] for k, values in enumerate(given)])
    return possible


def _settle_in_order(labels: Bools, tokens: Ints, bits: Bits, layout: Layout) -> None:
    keys = layout.document_words[tokens]
    earliest = dict(zip(keys.tolist(), layout.earliest(labels)[keys].tolist(), strict=True))
    row = bytearray(layout.row(labels).tobytes())
    places = layout.positions[tokens].tolist()
    for token, place, key, decision in zip(tokens.tolist(), places, keys.tolist(), bits.tolist(), strict=True):
        if decision >> (row[place - 1] + 2 * row[place - 2] + 4 * (earliest[key] < token)) & 1:
            labels[token] = True
            row[place] = 1
            earliest[key] = min(token, earliest[key])


CUTS = np.round(np.linspace(-5, 2, 57), 3)
"""Cuts on the log-odds that are tried: probabilities from 0.007 to 0.88."""


@dataclass(frozen=True)
class Judged:
    """Scored documents with their gold labels, shape (n,), and the numbers of the tokens that count."""

    scores: Floats | Scores
    layout: Layout
    gold: Bools
    rows: Ints

    def log_likelihood(self) -> float:
        """Of the gold labels of the tokens that count, each under the labels before it; natural logarithm."""
        scores = self.scores if isinstance(self.scores, Scores) else Scores.of(self.scores)
        log_odds = scores.at(self.layout.histories(self.gold))[self.rows]
        return -float(np.logaddexp(0, np.where(self.gold[self.rows], -log_odds, log_odds)).sum())


def best_cuts(parts: Sequence[Judged], betas: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """For each beta the cut on the log-odds with the best F-beta over all parts, and the F-beta there.

    The curve is smoothed over five neighbouring cuts first: thresholds tuned on few documents are unstable. Ties go to
    the lower cut.
    """
    gold = np.concatenate([part.gold[part.rows] for part in parts])
    decided = [np.concatenate([decode(p.scores, p.layout, cut)[0][p.rows] for p in parts]) for cut in CUTS]
    found = {}
    for name, beta in betas.items():
        curve = np.array([f_beta(gold, labels, beta) for labels in decided])
        smooth = np.convolve(np.pad(curve, 2, mode="edge"), np.full(5, 0.2), mode="valid")
        best = int(np.argmax(np.round(smooth, 9)))
        found[name] = float(CUTS[best]), float(curve[best])
    return found


def calibrated_cuts(parts: Sequence[Judged], betas: Mapping[str, float]) -> dict[str, tuple[float, float]]:
    """For each beta the cut where a token's probability is worth hiding it, and the F-beta of `best_cuts`.

    A token is worth hiding from the probability F / (1 + beta squared) on, F being the best F-beta there is (Lipton et
    al. 2014 for beta 1). Where probabilities can be believed this is steadier than the best place on a curve that is
    flat: a high beta leaves few misses to count.
    """
    found = best_cuts(parts, betas)
    worth = {name: np.clip(best / (1 + betas[name] ** 2), *_WORTH) for name, (_, best) in found.items()}
    return {name: (float(np.log(p / (1 - p))), found[name][1]) for name, p in worth.items()}


_WORTH = (logistic(CUTS[0]), logistic(CUTS[-1]))


def f_beta(gold: Bools, predicted: Bools, beta: float) -> float:
    """F-beta of truth values; 0 where nothing is gold or predicted."""
    hits = float(np.sum(gold & predicted))
    weighted = (1 + beta**2) * hits
    total = beta**2 * float(np.sum(gold)) + float(np.sum(predicted))
    return weighted / total if total else 0.0
