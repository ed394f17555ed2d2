"""Decoding against a plain reference that extracts each token's sequential features anew from the labels so far."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import fbeta_score, log_loss

from aef.classifiers.decoding import CUTS, Judged, Scores, best_cuts, calibrated_cuts, decode, f_beta, logistic
from aef.features.extraction import Layout

DOCUMENTS = st.lists(st.lists(st.tuples(st.sampled_from("abcd"), st.booleans()), max_size=8), min_size=1, max_size=3)


def laid_out(documents: list[list[tuple[str, bool]]]) -> Layout:
    return Layout([([w for w, _ in d], [f or not i for i, (_, f) in enumerate(d)]) for d in documents])


@given(DOCUMENTS, st.integers(0, 2**32 - 1), st.floats(-1, 1))
def test_decoding_is_the_slow_reference(documents: list[list[tuple[str, bool]]], seed: int, cut: float) -> None:
    layout = laid_out(documents)
    n = int(layout.bounds[-1])
    scores = np.random.default_rng(seed).normal(size=(n, 8))
    labels = np.zeros(n, dtype=bool)
    for i in range(n):  # the history of token i depends on earlier labels alone
        labels[i] = scores[i, layout.histories(labels)[i]] > cut
    found, history = decode(scores, layout, cut)
    assert found.tolist() == labels.tolist()
    assert history.tolist() == layout.histories(labels).tolist()


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1), st.sampled_from([1.0, 2.0]))
def test_f_beta_is_that_of_scikit_learn(pairs: list[tuple[bool, bool]], beta: float) -> None:
    gold, predicted = (np.array(column) for column in zip(*pairs, strict=True))
    expected = fbeta_score(gold, predicted, beta=beta, zero_division=0)
    assert abs(f_beta(gold, predicted, beta) - expected) < 1e-12


def test_the_best_cut_is_where_f2_is_highest() -> None:
    layout = laid_out([[("a", True), ("b", False), ("c", False), ("d", False)]])
    scores = np.repeat(np.array([[3.0], [-1.0], [-2.0], [-4.0]]), 8, axis=1)
    gold: Any = np.array([True, True, False, False])
    ((cut, f2),) = best_cuts([Judged(scores, layout, gold, np.arange(4))], {"f2": 2.0}).values()
    assert -2 <= cut < -1 and f2 == 1.0


@given(st.integers(0, 2**32 - 1), st.floats(-4, -1), st.sampled_from([1.0, 2.0, 3.8]))
def test_where_probabilities_are_true_a_calibrated_cut_is_about_the_best(seed: int, rarity: float, beta: float) -> None:
    random, n = np.random.default_rng(seed), 4000
    layout = laid_out([[("a", False)] * n])
    log_odds = random.normal(rarity, 2.5, n)
    gold = random.random(n) < logistic(log_odds)
    part = Judged(Scores.without_history(log_odds), layout, gold, np.arange(n))
    ((cut, said),) = calibrated_cuts([part], {"b": beta}).values()
    best = max(f_beta(gold, log_odds > c, beta) for c in CUTS)
    assert f_beta(gold, log_odds > cut, beta) > best - 0.03 and said <= best
    assert np.isclose(logistic(cut), said / (1 + beta**2))


@given(DOCUMENTS, st.integers(0, 2**32 - 1))
def test_the_log_likelihood_is_that_of_scikit_learn(documents: list[list[tuple[str, bool]]], seed: int) -> None:
    layout = laid_out(documents)
    random, n = np.random.default_rng(seed), int(layout.bounds[-1])
    scores, gold = random.normal(size=(n, 8)), random.random(n) < 0.5
    rows = np.flatnonzero(random.random(n) < 0.8)
    probabilities = logistic(scores[np.arange(n), layout.histories(gold)])[rows]
    expected = log_loss(gold[rows], probabilities, labels=[False, True], normalize=False) if len(rows) else 0.0
    assert np.isclose(-Judged(scores, layout, gold, rows).log_likelihood(), expected)
