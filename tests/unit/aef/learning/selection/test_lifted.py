"""Learning as one what no model can tell apart finds what is found without."""

from __future__ import annotations

import numpy as np
import pytest

from aef.classifiers.newton import Problem, learn, one_hot
from aef.learning.selection.folded import Folded
from aef.learning.selection.lifted import lift

FOLDS, WIDTHS, PENALTY = 3, [2, 300, 5], 1.0


@pytest.fixture(params=range(3))
def events(request: pytest.FixtureRequest) -> tuple[np.ndarray, np.ndarray]:
    """Codes of which the second feature's values are mostly rare, and counts (events, 2 * folds)."""
    rng = np.random.default_rng(request.param)
    rare = np.concatenate([np.arange(20, 300), rng.integers(20, 300, 120)])
    words = np.concatenate([rng.integers(20, size=1600), rng.permutation(rare)])
    drawn = np.stack([rng.integers(-1, 2, 2000), words, rng.integers(-1, 5, 2000)])
    codes, event = np.unique(drawn.astype(np.int32), axis=1, return_inverse=True)
    counts = np.zeros((codes.shape[1], 2 * FOLDS), np.float32)
    np.add.at(counts, (event.ravel(), rng.integers(2 * FOLDS, size=2000)), 1)
    return codes, counts


def test_the_weights_are_those_of_all_values_by_themselves(events: tuple[np.ndarray, np.ndarray]) -> None:
    codes, counts = events
    problem = Folded(lift(codes, WIDTHS, counts), few=True, penalty=PENALTY)
    nothing = np.zeros((int(problem.starts[-1]), FOLDS)), np.zeros(FOLDS)
    ours = learn(problem, *nothing)
    by_label = counts.reshape(-1, FOLDS, 2)
    total = by_label.sum(axis=(1, 2))[:, None] - by_label.sum(axis=2)
    positive = by_label[:, :, 1].sum(axis=1, keepdims=True) - by_label[:, :, 1]
    starts = np.cumsum([0, *WIDTHS[:-1]])[:, None]
    design = one_hot(np.where(codes >= 0, codes + starts, -1).T, sum(WIDTHS))
    plain = Problem(design, total.astype(float), positive.astype(float), PENALTY, 1e-10)
    theirs = learn(plain, np.zeros((sum(WIDTHS), FOLDS)), np.zeros(FOLDS))
    assert problem.lifted.widths[1] < WIDTHS[1] * 0.8, "nothing was alike: the test shows nothing"
    np.testing.assert_allclose(np.concatenate(problem.apart(ours.weights)), theirs.weights, atol=2e-3)
    np.testing.assert_allclose(ours.scores[problem.lifted.event], theirs.scores, atol=2e-3)


def test_no_event_is_lost_and_weights_come_back(events: tuple[np.ndarray, np.ndarray]) -> None:
    codes, counts = events
    lifted = lift(codes, WIDTHS, counts)
    assert lifted.counts.sum(axis=0).tolist() == counts.sum(axis=0).tolist()
    assert lifted.sizes(1).sum() == WIDTHS[1]
    blocks = [np.random.default_rng(0).random((width, FOLDS)) for width in lifted.widths]
    for there, back in zip(blocks, lifted.together(lifted.apart(blocks)), strict=True):
        np.testing.assert_allclose(there, back, rtol=1e-6)


def test_values_that_occur_in_another_fold_or_beside_another_value_are_told_apart() -> None:
    codes = np.array([[0, 1, 2, 3], [0, 0, 0, 1]], np.int32)
    counts = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [0, 0, 1, 0], [1, 0, 0, 0]], np.float32)
    assert lift(codes, [4, 2], counts).group.tolist() == [0, 0, 1, 2]
