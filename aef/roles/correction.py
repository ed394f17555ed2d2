"""What the corrected rulings of one court teach of who is private there: a correction of the model of roles.

The log-odds that somebody is private move by weights of the predicates that the model knows. The weights are drawn to
none by an L2 penalty, which is the model before as a Gaussian prior (Chelba & Acero 2004, section 4). The bound from
which on somebody is hidden is shifted, so that more or fewer are. The shift is chosen by cross-validation over the
rulings: so that they miss no more than before, and hide no more wrongly, where that can be had.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aef.roles.model import PRIVATE, strongest

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

UNANSWERED = "unanswered"
"""In `Mention.extra` of corrected rulings: nobody said what is to be done with it, and it is as the draft has it."""
LEAST = 4
"""Of so many rulings with people in them a correction is learned: on fewer the shift is anybody's guess."""
C, FOLDS, OFTEN = 0.1, 5, 0.4
"""Inverse strength of the penalty; folds; to which power of the words of all mentions somebody counts. The first by
real judgments, learning from some of a court and hiding in its others."""
SHIFTS, RATHER_MORE = np.linspace(-2, 2, 17), 0.8
"""The shifts that are tried, and the quantile of those by which nothing gets worse: up to here courts that taught ten
rulings or more still hide less wrongly than before, and miss less than by the middle one."""
_EDGE = 1e-9
_NO_WEIGHT = 0.0005


@dataclass(frozen=True)
class RoleCorrection:
    """The weight of each predicate, and by how much of log-odds the bound falls from which on somebody is hidden.

    The bound moves, not the probability, since other things are asked of those who are surely private.
    """

    shift: float
    weights: Mapping[str, float]

    def applied(self, probabilities: Mapping[str, float], shown: Mapping[str, float]) -> dict[str, float]:
        """The probabilities of the classes, corrected for somebody who shows these predicates."""
        factor = math.exp(self.log_odds(shown))
        weighed = {role: p * factor if role == PRIVATE else p for role, p in probabilities.items()}
        total = sum(weighed.values())
        return {role: weight / total for role, weight in weighed.items()}

    def log_odds(self, shown: Mapping[str, float]) -> float:
        """By how much the log-odds move that somebody is private."""
        return sum(value * self.weights.get(name, 0.0) for name, value in shown.items())

    def bound(self, before: float) -> float:
        """The probability from which on somebody is hidden here, where it would be ``before``; from 1 on nobody is."""
        return before if before >= 1 else 1 / (1 + math.exp(self.shift - _log_odds(before)))

    def reasons(self, shown: Mapping[str, float], role: str) -> list[str]:
        """The predicates whose corrected weights speak most for a class, with what they add."""
        sign = 1 if role == PRIVATE else -1
        gains = {name: sign * value * self.weights[name] for name, value in shown.items() if name in self.weights}
        return [f"{why} (corrected)" for why in strongest(gains, 1)]

    def after(self, before: RoleCorrection | None) -> RoleCorrection:
        """Both together."""
        if before is None:
            return self
        names = before.weights.keys() | self.weights.keys()
        weights = {name: before.weights.get(name, 0.0) + self.weights.get(name, 0.0) for name in sorted(names)}
        return RoleCorrection(before.shift + self.shift, weights)

    def shifted(self, margin: float) -> RoleCorrection:
        """With a bound that is lower by so much more of log-odds."""
        return replace(self, shift=self.shift + margin)

    def to_dict(self) -> dict[str, Any]:
        """What a file of it holds."""
        return {"shift": self.shift, "weights": dict(self.weights)}

    @classmethod
    def of_dict(cls, content: Mapping[str, Any]) -> RoleCorrection:
        """What `to_dict` wrote."""
        return cls(content["shift"], content["weights"])


@dataclass(frozen=True)
class Example:
    """Somebody in a corrected ruling.

    shown : the predicates, those alone that the model knows. probability : that somebody is private, by the model
    before. bound : the probability from which on it hides them. words, private : of all mentions, and of those that
    the correction hides.
    """

    ruling: str
    shown: Mapping[str, float]
    probability: float
    bound: float
    words: int
    private: int


def learned(examples: Sequence[Example]) -> RoleCorrection | None:
    """The correction that examples teach; None where they are of fewer than `LEAST` rulings."""
    rulings = list(dict.fromkeys(example.ruling for example in examples))
    if len(rulings) < LEAST:
        return None
    events = _Events.of(examples)
    number = {ruling: place % FOLDS for place, ruling in enumerate(rulings)}
    folds = np.array([number[example.ruling] for example in examples])
    held = events.log_odds.copy()
    for fold in range(FOLDS):
        held[folds == fold] += events.design[folds == fold] @ events.learned(folds != fold)
    weights = events.learned(np.ones(len(examples), dtype=np.bool_))
    kept = {n: round(w, 4) for n, w in zip(events.names, weights.tolist(), strict=True) if abs(w) > _NO_WEIGHT}
    return RoleCorrection(events.shift(held), kept)


@dataclass(frozen=True)
class _Events:
    """Examples as arrays: predicates, shape (n, predicates), and of each example the log-odds before and those from
    which on it is hidden, its words, and those that are to hide; shape (n,)."""

    names: Sequence[str]
    design: csr_matrix
    log_odds: Floats
    bounds: Floats
    words: Floats
    private: Floats

    @classmethod
    def of(cls, examples: Sequence[Example]) -> _Events:
        from sklearn.feature_extraction import DictVectorizer

        vectors = DictVectorizer()
        design = vectors.fit_transform(example.shown for example in examples)
        return cls(
            vectors.feature_names_,
            design.tocsr(),
            np.array([_log_odds(example.probability) for example in examples]),
            np.array([_log_odds(example.bound) if example.bound else -np.inf for example in examples]),
            np.array([max(1.0, example.words) for example in examples]),
            np.array([float(example.private) for example in examples]),
        )

    def learned(self, rows: Bools) -> Floats:
        """The weights of the predicates, from some of the examples."""
        from scipy.optimize import minimize
        from scipy.special import expit

        design, start = self.design[rows], self.log_odds[rows]
        counts, shares = self.words[rows] ** OFTEN, (self.private / self.words)[rows]

        def loss(weights: Floats) -> tuple[float, Floats]:
            odds = start + design @ weights
            value = counts @ (np.logaddexp(0, odds) - shares * odds) + weights @ weights / (2 * C)
            return float(value), design.T @ (counts * (expit(odds) - shares)) + weights / C

        found: Floats = minimize(loss, np.zeros(design.shape[1]), jac=True, method="L-BFGS-B").x
        return found

    def shift(self, held: Floats) -> float:
        """Of those shifts by which no more is missed than before and no more hidden wrongly one that hides rather more,
        where ``held`` are log-odds by weights of other rulings; else half of that which hides least wrongly and misses
        no more."""
        missed, wrong = self._errors(self.log_odds)
        errors = {float(shift): self._errors(held + shift) for shift in SHIFTS}
        kept = {shift: errors[shift][1] for shift in errors if errors[shift][0] <= missed}
        better = [shift for shift, words in kept.items() if words <= wrong]
        if better:
            return float(np.quantile(better, RATHER_MORE))
        return min(kept, key=lambda shift: kept[shift]) / 2 if kept else 0.0

    def _errors(self, log_odds: Floats) -> tuple[float, float]:
        """Words that are to hide and missed, and words that are not and hidden."""
        hidden = log_odds >= self.bounds
        return float(self.private[~hidden].sum()), float((self.words - self.private)[hidden].sum())


def _log_odds(probability: float) -> float:
    edged = min(1 - _EDGE, max(_EDGE, probability))
    return math.log(edged / (1 - edged))
