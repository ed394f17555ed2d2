"""Candidates that are stopped early: which ones, and that those that win are not among them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from aef import lexicons
from aef.classifiers.newton import Solution
from aef.corpus_tools.document import Document
from aef.features import feature_names
from aef.learning.selection import Criterion, select
from aef.learning.selection.race import FAVOURITES, Rival, favourites, may_still_gain
from aef.learning.selection.score import counted

LISTS = lexicons.load_all()
BY_LABEL = np.array([[[0, 40], [2, 40]], [[3, 10], [0, 10]], [[90, 0], [90, 2]]], np.float32)  # 3 events, 2 folds


def found(scores: list[list[float]], steps: int = 9) -> Solution:
    return Solution(np.zeros((1, 2)), np.zeros(2), np.array(scores), steps)


def still(way: float) -> NDArray[np.float64]:
    return np.full((3, 2), way)


MISSED = [[4.0, 4.0], [-0.5, -0.5], [-6.0, -6.0]]  # the second event is taken for nobody's
F2 = counted(np.array(MISSED), BY_LABEL).f2
CASES = [
    (0.1, 9, F2 + 0.02, True, "nothing moves any more, and it is below the bar"),
    (0.1, 9, F2 - 0.02, False, "it is above the bar already"),
    (1.0, 9, F2 + 0.02, False, "the missed event may come over"),
    (1.0, 9, 0.9999, False, "so it may, and that would be nearly all there is"),
    (0.1, 1, F2 + 0.02, False, "the first step from nothing tells nothing"),
]


@pytest.mark.parametrize(("way", "steps", "bar", "beaten", "reason"), CASES, ids=[c[-1] for c in CASES])
def test_who_is_beaten(way: float, steps: int, bar: float, beaten: bool, reason: str) -> None:
    assert Rival(BY_LABEL, bar, begun=False)(found(MISSED, steps), still(way)) is beaten


def test_near_its_end_one_step_is_enough() -> None:
    assert Rival(BY_LABEL, F2 + 0.02, begun=True)(found(MISSED, steps=1), still(0.1))


@pytest.mark.parametrize("seed", range(20))
def test_what_may_be_gained_covers_any_one_event_that_comes_over(seed: int) -> None:
    rng = np.random.default_rng(seed)
    by_label = rng.integers(0, 30, size=(50, 5, 2)).astype(np.float32)
    scores, way = rng.normal(size=(50, 5)), rng.normal(size=(50, 5))
    before = counted(scores, by_label)
    room = may_still_gain(scores, way, by_label, before.by_fold())
    for event, fold in zip(*np.nonzero(np.abs(scores) < np.abs(way)), strict=True):
        other = scores.copy()
        other[event, fold] *= -1
        assert counted(other, by_label).f2 <= before.f2 + room


def test_favourites_are_those_that_did_best() -> None:
    assert favourites([4, 5, 6, 7], {5: 0.1, 7: 0.9, 6: 0.5}) == [2, 3]
    assert favourites([4, 5, 6], {}) == list(range(FAVOURITES))


@pytest.mark.parametrize("method", ["sffs", "sbs", "sfbs"])
def test_the_race_takes_the_exact_path(method: str, corpus: list[Document]) -> None:
    names = [*feature_names("nine"), "W0", "C7", "C10"]
    criterion = Criterion(corpus, names, "all", LISTS)
    raced, exact = (select(criterion, method, 6, race=race) for race in (True, False))
    assert [step.to_dict() for step in raced.path] == [step.to_dict() for step in exact.path]
    assert exact.stopped == 0 and raced.evaluations == exact.evaluations


def test_some_are_stopped(corpus: list[Document]) -> None:
    criterion = Criterion(corpus, feature_names("thesis"), "all", LISTS)
    assert select(criterion, k=4, race=True).stopped > 10
