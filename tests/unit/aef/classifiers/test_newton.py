"""The Newton solver against scikit-learn, one model or several at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import sparse
from sklearn.linear_model import LogisticRegression

from aef.classifiers import newton
from aef.classifiers.block import inverse
from aef.classifiers.events import merge_events
from aef.classifiers.maxent import MaxEntClassifier
from aef.classifiers.newton import Problem, learn, one_hot

MODELS = 3


def counts(seed: int, rows: int = 700) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Predicates of four columns, and how often each event and each positive occurred for each of three models."""
    rng = np.random.default_rng(seed)
    index = rng.integers(-1, 6, size=(rows, 4))
    index = np.where(index >= 0, index + 6 * np.arange(4), -1)
    total = rng.integers(0, 5, size=(rows, MODELS))
    chance = np.where(index[:, :1] % 2 == 0, 0.8, 0.1) * np.ones(MODELS)
    return index, total, rng.binomial(total, chance)


def reference(index: NDArray[Any], total: NDArray[Any], positive: NDArray[Any], C: float) -> NDArray[Any]:
    """Scores of the events by scikit-learn, on rows repeated for both labels with their counts as weights."""
    rows = one_hot(index, 24).toarray()
    y = np.repeat([1, 0], len(rows))
    model = LogisticRegression(C=C, tol=1e-10, max_iter=5000)
    model.fit(np.vstack([rows, rows]), y, sample_weight=np.concatenate([positive, total - positive]))
    return np.asarray(model.decision_function(rows))


@pytest.mark.parametrize(("dtype", "tolerance", "off"), [(np.float64, 1e-8, 1e-4), (np.float32, 1e-3, 0.05)])
@pytest.mark.parametrize("fresh", [None, slice(6, 12)])
@pytest.mark.parametrize("seed", [0, 1])
def test_each_column_is_the_model_of_its_counts(
    seed: int, fresh: slice | None, dtype: Any, tolerance: float, off: float
) -> None:
    index, total, positive = counts(seed)
    problem = Problem(one_hot(index, 24, dtype), total.astype(dtype), positive.astype(dtype), 1 / 2.0, tolerance)
    found = learn(problem, np.zeros((24, MODELS)), np.zeros(MODELS), fresh)
    assert found.scores.dtype == dtype and found.steps > 0
    np.testing.assert_allclose(found.scores, one_hot(index, 24) @ found.weights + found.intercept, atol=1e-4)
    for j in range(MODELS):
        expected = reference(index, total[:, j], positive[:, j], 2.0)
        np.testing.assert_allclose(found.scores[:, j], expected, atol=off)


@pytest.mark.parametrize(
    ("C", "why"),
    [
        (2.0, "an event may stand for much"),
        (1e-3, "the penalty rules, and may be all that a sample is too small for"),
        (1e3, "next to no penalty: of what is undecided all is looked at"),
    ],
)
def test_the_curvature_of_a_sample_leads_to_the_same_end(C: float, why: str) -> None:
    index, total, positive = counts(5, rows=30_000)
    total, positive = total[:, :1], positive[:, :1]
    design = one_hot(index, 24)
    found = learn(
        Problem(design, total.astype(float), positive.astype(float), 1 / C, 1e-8), np.zeros((24, 1)), np.zeros(1)
    )
    model = LogisticRegression(C=C, tol=1e-9, max_iter=5000)
    both, y = sparse.vstack([design, design]), np.repeat([1, 0], len(index))
    model.fit(both, y, sample_weight=np.concatenate([positive, total - positive])[:, 0])
    np.testing.assert_allclose(found.scores[:, 0], model.decision_function(design), atol=1e-3, err_msg=why)


@pytest.mark.parametrize("free", [True, False], ids=["intercept learned", "intercept kept"])
def test_a_block_of_the_curvature_leads_to_the_same_end(free: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(6)
    often = rng.integers(0, 9, size=(30_000, 3)) + np.array([0, 9, 18])
    rare = rng.integers(27, 400, size=(30_000, 2))  # more than a block has
    total = rng.integers(1, 5, size=(30_000, 1))
    positive = rng.binomial(total, np.where(often[:, :1] + often[:, 1:2] % 2 < 5, 0.9, 0.2))
    rows = one_hot(np.hstack([often, rare]), 400)
    problem = Problem(rows, total.astype(float), positive.astype(float), 0.5, 1e-9, free=free)
    found = learn(problem, np.zeros((400, 1)), np.full(1, 0.7))
    again = learn(problem, np.zeros((400, 1)), np.full(1, 0.7), block=found.block)
    monkeypatch.setattr(newton, "_NEAR", 0)
    without = learn(problem, np.zeros((400, 1)), np.full(1, 0.7))
    assert found.block is not None and without.block is None and (free or found.intercept == 0.7)
    for other in (found, again):
        np.testing.assert_allclose(other.weights, without.weights, atol=1e-4)
        np.testing.assert_allclose(other.intercept, without.intercept, atol=1e-4)


@pytest.mark.parametrize("size", [1, 2, 40])
def test_the_inverse_is_numpys(size: int) -> None:
    root = np.random.default_rng(size).normal(size=(size, size + 3))
    np.testing.assert_allclose(inverse(root @ root.T), np.linalg.inv(root @ root.T), rtol=1e-6)


def test_from_the_solution_there_is_no_way_to_go() -> None:
    index, total, positive = counts(2)
    problem = Problem(one_hot(index, 24), total.astype(float), positive.astype(float), 1.0, 1e-6)
    found = learn(problem, np.zeros((24, MODELS)), np.zeros(MODELS))
    assert learn(problem, found.weights, found.intercept).steps == 0


@pytest.mark.parametrize("start", [3.0, -8.0])
def test_from_a_bad_start_it_comes_to_the_same_end(start: float) -> None:
    index, total, positive = counts(3)
    problem = Problem(one_hot(index, 24), total.astype(float), positive.astype(float), 1.0, 1e-8)
    with np.errstate(over="raise", invalid="raise"):
        far = learn(problem, np.full((24, MODELS), start), np.full(MODELS, -start), max_steps=200)
    near = learn(problem, np.zeros((24, MODELS)), np.zeros(MODELS))
    np.testing.assert_allclose(far.scores, near.scores, atol=1e-3)


@pytest.mark.parametrize("factor", [1, 10**5, 10**9])
def test_how_large_the_numbers_of_predicates_are_does_not_matter(factor: int) -> None:
    index, total, _ = counts(4)
    labels = (total[:, 0] > 2).astype(int)
    plain = MaxEntClassifier().fit(index, labels)
    large = MaxEntClassifier().fit(index * factor, labels)
    assert large.n_merged_ == plain.n_merged_ == len(merge_events(index, labels).weight)
    np.testing.assert_allclose(large.predict_proba(index * factor), plain.predict_proba(index), atol=1e-9)
    assert [c.tolist() for c in large.categories_] == [(c * factor).tolist() for c in plain.categories_]
