"""The classifier against scikit-learn (logistic regression, estimator checks) and NLTK (iterative scaling)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from nltk.classify.maxent import GISEncoding, MaxentClassifier
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder
from sklearn.utils.estimator_checks import parametrize_with_checks

from aef.classifiers.events import merge_events
from aef.classifiers.maxent import USUAL, MaxEntClassifier


@parametrize_with_checks([MaxEntClassifier()])
def test_scikit_learn_takes_it_for_an_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


def test_a_fraction_is_a_name_like_any_other() -> None:
    fractions = [[0.25, -0.5], [0.25, 7.0], [1.5, 7.0], [-3.0, 1e300], [2.0, 0.0]]
    numbers = [[0, -1], [0, 3], [1, 3], [-1, 4], [2, 0]]
    y = [0, 1, 1, 0, 1]
    named, numbered = (MaxEntClassifier().fit(events, y) for events in (fractions, numbers))
    np.testing.assert_allclose(named.predict_proba(fractions), numbered.predict_proba(numbers))
    np.testing.assert_allclose(named.predict_proba([[2, 0]]), named.predict_proba([[2.0, 0.0]]))


def random_events(seed: int, rows: int = 400, columns: int = 5, labels: int = 2) -> tuple[NDArray[Any], NDArray[Any]]:
    """Events with inactive cells and many repetitions, and labels that depend on them."""
    rng = np.random.default_rng(seed)
    events = rng.integers(-1, 4, size=(rows, columns))
    noisy = (events[:, 0] > 1).astype(int) + (events[:, 1] == 2) + (rng.random(rows) < 0.2)
    return events, noisy % labels


def one_hot(events: NDArray[Any]) -> NDArray[Any]:
    encoded = OneHotEncoder(categories=[np.arange(-1, 4)] * events.shape[1], sparse_output=False).fit_transform(events)
    return np.delete(encoded, np.arange(0, encoded.shape[1], 5), axis=1)


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("solver", ["newton-cg", "lbfgs"])
def test_merged_events_give_the_model_of_unmerged_one_hot_rows(solver: str, labels: int) -> None:
    events, y = random_events(1, labels=labels)
    ours = MaxEntClassifier(C=0.7, solver=solver, tol=1e-10).fit(events, y)
    theirs = LogisticRegression(C=0.7, tol=1e-10, max_iter=5000).fit(one_hot(events), y)
    np.testing.assert_allclose(ours.predict_proba(events), theirs.predict_proba(one_hot(events)), atol=1e-4)
    assert ours.n_merged_ < len(events)


def test_a_growing_penalty_is_that_of_scikit_learn_on_scaled_columns() -> None:
    events, y = random_events(3)
    growth, C = 0.6, 0.7
    active = one_hot(events)
    scaled = active * (active.sum(axis=0) / USUAL) ** (-growth / 2)
    ours = MaxEntClassifier(C=C, growth=growth, tol=1e-10).fit(events, y)
    theirs = LogisticRegression(C=C, tol=1e-10, max_iter=5000).fit(scaled, y)
    np.testing.assert_allclose(ours.predict_proba(events), theirs.predict_proba(scaled), atol=1e-5)
    even = MaxEntClassifier(C=C, tol=1e-10).fit(events, y)
    assert not np.allclose(even.predict_proba(events), theirs.predict_proba(scaled), atol=1e-3)


def test_inactive_and_unseen_predicates_weigh_nothing() -> None:
    events, y = random_events(2)
    model = MaxEntClassifier().fit(events, y)
    nothing = model.decision_scores([[-1] * 5])
    np.testing.assert_allclose(nothing, [model.intercept_])
    np.testing.assert_allclose(model.decision_scores([[99] * 5]), nothing)


def test_cutoff_leaves_out_rare_predicates() -> None:
    events = np.array([[0], [0], [0], [1], [2], [2]])
    model = MaxEntClassifier(cutoff=2).fit(events, [0, 0, 1, 1, 1, 1])
    assert [c.tolist() for c in model.categories_] == [[0, 2]]


@pytest.mark.parametrize("labels", [2, 3])
def test_gis_is_the_scaling_of_nltk(labels: int) -> None:
    """Same events, same iterations: the same probabilities and likelihood, though NLTK shares no code with ours."""
    events, y = random_events(3, rows=120, columns=3, labels=labels)
    ours = MaxEntClassifier(solver="gis", iterations=30).fit(events, y)
    tokens = [
        ({f"{j}": f"v{v}" for j, v in enumerate(row) if v >= 0} | {"always": 1}, int(c))
        for row, c in zip(events, y, strict=True)
    ]
    mapping: dict[Any, int] = {}
    for featureset, label in tokens:
        for name, value in featureset.items():
            mapping.setdefault((name, value, label), len(mapping))
    constant = max(len(f) for f, _ in tokens) + 1
    encoding = GISEncoding(sorted(set(y.tolist())), mapping, C=constant)
    theirs = MaxentClassifier.train(tokens, "GIS", trace=0, encoding=encoding, max_iter=31)
    ours_log = ours.predict_log_proba(events)
    for row, (featureset, _) in zip(ours_log, tokens, strict=True):
        distribution = theirs.prob_classify(featureset)
        np.testing.assert_allclose(np.exp(row), [distribution.prob(k) for k in ours.classes_], atol=1e-6)
    likelihood = sum(np.log(theirs.prob_classify(f).prob(label)) for f, label in tokens)
    assert ours.log_likelihood_ == pytest.approx(likelihood, abs=1e-4)


def test_a_weight_counts_an_event_that_often() -> None:
    events, y = random_events(6)
    weight = np.random.default_rng(0).integers(0, 4, size=len(y))
    weighted = MaxEntClassifier(tol=1e-10).fit(events, y, weight)
    repeated = MaxEntClassifier(tol=1e-10).fit(np.repeat(events, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(weighted.predict_proba(events), repeated.predict_proba(events), atol=1e-5)
    with pytest.raises(ValueError, match="1 class"):
        MaxEntClassifier().fit(events, y, np.where(y == 0, 1.0, 0.0))


@pytest.mark.parametrize("labels", [2, 3])
def test_strengths_learned_one_after_the_other_are_those_learned_alone(labels: int) -> None:
    events, y = random_events(8, labels=labels)
    strengths = (3.0, 0.5, 0.05)
    path = [model.decision_scores(events) for model in MaxEntClassifier(tol=1e-9).fit_path(events, y, strengths)]
    alone = [MaxEntClassifier(C=C, tol=1e-9).fit(events, y).decision_scores(events) for C in strengths]
    np.testing.assert_allclose(path, alone, atol=1e-3)


@pytest.mark.parametrize("tol", [1e-2, 1e-9], ids=["single precision", "double precision"])
@pytest.mark.parametrize("far", [0.0, -4.0, 4.0])
def test_where_learning_begins_changes_nothing_of_its_end(far: float, tol: float) -> None:
    events, y = random_events(9)
    best = MaxEntClassifier(tol=1e-12).fit(events, y)
    start = far, [np.full(4, far)] * events.shape[1]
    (found,) = MaxEntClassifier(tol=tol).fit_path(events, y, (1.0,), start=start)
    np.testing.assert_allclose(_objective(found), _objective(best), atol=tol)


def _objective(model: MaxEntClassifier) -> float:
    weights = model.weights_[:, 1] - model.weights_[:, 0]
    return model.log_likelihood_ - float(weights @ weights) / 2


def test_a_penalty_too_strong_for_single_precision_is_kept_in_double() -> None:
    events, y = random_events(10)
    model = MaxEntClassifier(C=1e-60, tol=1e-2).fit(events, y)
    assert np.abs(model.weights_).max() < 1e-50
    np.testing.assert_allclose(model.predict_proba(events)[:, 1], y.mean(), atol=1e-3)


def test_gis_raises_the_likelihood_with_every_iteration() -> None:
    events, y = random_events(4)
    values = [MaxEntClassifier(solver="gis", iterations=n).fit(events, y).log_likelihood_ for n in (1, 2, 5, 10, 50)]
    assert values == sorted(values)


def test_merging_counts_every_event_once() -> None:
    events, y = random_events(5)
    events = np.where(events < 0, -1, events + 4 * np.arange(5))  # a number for each predicate
    merged = merge_events(events, y, np.ones(len(y)))
    pairs = Counter((*row, label) for row, label in zip(events.tolist(), y.tolist(), strict=True))
    found = zip(map(tuple, merged.index.tolist()), merged.codes.tolist(), merged.weight, strict=True)
    assert {(*row, label): weight for row, label, weight in found} == pairs


@pytest.mark.parametrize(
    ("events", "labels", "parameters", "message"),
    [
        ([[0], [1]], [1, 1], {}, "1 class"),
        ([[0], [1]], [0, 1], {"solver": "magic"}, "newton-cg"),
    ],
)
def test_what_cannot_be_learned_is_said(events: Any, labels: Any, parameters: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MaxEntClassifier(**parameters).fit(events, labels)
