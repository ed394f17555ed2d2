"""The search against mlxtend's selector, on criteria that are made up."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from mlxtend.feature_selection import SequentialFeatureSelector
from sklearn.base import BaseEstimator, ClassifierMixin

from aef.learning.selection.search import Found, Search, first_best

N = 7


def worth(features: Sequence[int], seed: int) -> float:
    """A repeatable criterion in which features help, hinder and depend on each other."""
    key = repr((seed, sorted(features))).encode()
    noise = int.from_bytes(hashlib.sha256(key).digest()[:4], "big") / 2**32
    return sum(0.1 / (1 + (j * 3 + seed) % N) for j in features) + 0.4 * noise


def search(seed: int, **parameters: Any) -> Search[None]:
    made = Search(lambda _, sets: [(worth(s, seed), None) for s in sets], N, **parameters)
    made.run()
    return made


class Columns(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Knows only which columns it was given: the first row holds their numbers."""

    def fit(self, X: Any, y: Any) -> Columns:
        self.columns_ = [int(v) for v in X[0]]
        self.classes_ = np.unique(y)
        return self


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize(("method", "k"), [("sffs", 5), ("sfs", 4), ("sbs", 2), ("sfbs", 3), ("sffs", N)])
def test_it_finds_the_sets_that_mlxtend_finds(method: str, k: int, seed: int) -> None:
    ours = search(seed, method=method, k=k)
    theirs = SequentialFeatureSelector(
        Columns(),
        k_features=k,
        forward=ours.forward,
        floating=method in ("sffs", "sfbs"),
        scoring=lambda estimator, X, y: worth(estimator.columns_, seed),
        cv=0,
    ).fit(np.tile(np.arange(N), (4, 1)), np.array([0, 1, 0, 1]))
    expected = {size: (tuple(s["feature_idx"]), s["avg_score"]) for size, s in theirs.subsets_.items()}
    found = {size: (tuple(sorted(f.features)), f.value) for size, f in ours.best.items()}
    assert found.keys() == expected.keys()
    for size, (features, value) in expected.items():
        assert found[size][0] == features and found[size][1] == pytest.approx(value)


@pytest.mark.parametrize("seed", range(5))
def test_exhaustive_search_finds_the_best_of_each_size(seed: int) -> None:
    found = search(seed, method="exhaustive", k=3)
    for size in (1, 2, 3):
        best = max(combinations(range(N), size), key=lambda s: worth(s, seed))
        assert found.best[size].features == best
    assert found.evaluations == 7 + 21 + 35


def test_without_k_it_stops_where_nothing_gains() -> None:
    def evaluate(_: Any, sets: Sequence[tuple[int, ...]]) -> list[tuple[float, None]]:
        return [(float(min(len(s), 3)), None) for s in sets]

    forward = Search(evaluate, N, "sfs")
    forward.run()
    assert forward.current is not None and len(forward.current.features) == 3
    backward = Search(evaluate, N, "sbs")
    backward.run()
    assert backward.current is not None and len(backward.current.features) == 3


def test_of_equals_the_first_is_taken() -> None:
    found = [Found((i,), value, None) for i, value in enumerate((0.5, 0.9, 0.9 + 1e-7, 0.2))]
    assert first_best(found).features == (1,)
