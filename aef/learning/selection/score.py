"""What a feature set is worth: the counts of the labels it was given, a row a fold, and figures of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.newton import Floats


@dataclass(frozen=True)
class Score:
    """The counts of one evaluation, shape (folds, 3): true positives, false positives, false negatives."""

    counts: NDArray[np.int64]

    @property
    def f2(self) -> float:
        """The criterion: the mean over the folds of F2."""
        return float(np.mean(self.by_fold()))

    def by_fold(self, figure: str = "f2") -> NDArray[np.float64]:
        """A figure for each fold: precision, recall, f1, f2 or f2_thesis (3PR / (2P + R)); 0 where undefined."""
        tp, fp, fn = self.counts.T.astype(np.float64)
        p, r = _ratio(tp, tp + fp), _ratio(tp, tp + fn)
        weight = {"precision": 0.0, "f1": 1.0, "f2_thesis": 2.0, "f2": 4.0}  # beta squared
        return r if figure == "recall" else _ratio((1 + weight[figure]) * p * r, weight[figure] * p + r)

    def figures(self) -> dict[str, float]:
        """The means over the folds of all figures."""
        return {name: float(np.mean(self.by_fold(name))) for name in FIGURES}


FIGURES = ("precision", "recall", "f1", "f2", "f2_thesis")


def _ratio(a: NDArray[np.float64], b: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


def counted(scores: Floats, by_label: Floats) -> Score:
    """The counts of each fold under its own model.

    ``scores`` of the events, shape (events, folds); ``by_label`` (events, folds, 2): how often each occurs in a fold.
    """
    predicted = scores > 0
    hits = np.einsum("mf,mf->f", predicted, by_label[:, :, 1], dtype=np.float64)
    wrong = np.einsum("mf,mf->f", predicted, by_label[:, :, 0], dtype=np.float64)
    gold = by_label[:, :, 1].sum(axis=0, dtype=np.float64)
    return Score(np.stack([hits, wrong, gold - hits], axis=1).round().astype(np.int64))
