"""What corrected rulings teach of roles: weights as scikit-learn has them, and a shift that makes nothing worse."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from aef.roles.correction import LEAST, OFTEN, C, Example, RoleCorrection, _Events, learned

CORRECTION = RoleCorrection(-0.5, {"title": 2.0, "heading": -1.0})
PRIVATE, COUNSEL = {"near the appellant": 1.0}, {"near for the appellant": 1.0, "title": 1.0}


def example(ruling: int, shown: dict[str, float], private: bool, probability: float = 0.5, words: int = 2) -> Example:
    return Example(str(ruling), shown, probability, 0.1, words, words * private)


def court(rulings: int) -> list[Example]:
    """Rulings in which the model before takes counsel for somebody private."""
    return [e for n in range(rulings) for e in (example(n, PRIVATE, True), example(n, COUNSEL, False))]


@given(st.floats(0, 1), st.dictionaries(st.sampled_from(["title", "heading", "new"]), st.floats(-2, 2)))
def test_probabilities_stay_probabilities_and_the_others_keep_their_shares(
    private: float, shown: dict[str, float]
) -> None:
    before = {"counsel": (1 - private) / 4, "judge": 3 * (1 - private) / 4, "private": private}
    after = CORRECTION.applied(before, shown)
    assert sum(after.values()) == pytest.approx(1)
    assert after["judge"] == pytest.approx(3 * after["counsel"])
    if 0.001 < private < 0.999 and abs(CORRECTION.log_odds(shown)) > 1e-6:
        assert (after["private"] > private) == (CORRECTION.log_odds(shown) > 0)


@given(st.floats(0.001, 0.999), st.floats(0.001, 0.999), st.floats(-2, 2))
def test_a_bound_falls_as_if_all_probabilities_rose(probability: float, bound: float, shift: float) -> None:
    moved = 1 / (1 + (1 / probability - 1) * np.exp(-shift))
    if abs(moved - bound) > 1e-9:
        assert (probability >= RoleCorrection(shift, {}).bound(bound)) is bool(moved >= bound)


def test_who_is_never_hidden_stays_so() -> None:
    assert RoleCorrection(2.0, {}).bound(1.2) == 1.2


def test_what_it_says_why() -> None:
    shown = {"title": 1.0, "heading": 0.5, "new": 1.0}
    assert CORRECTION.reasons(shown, "private") == ["title +2.0 (corrected)"]
    assert CORRECTION.reasons(shown, "counsel") == ["heading +0.5 (corrected)"]
    assert CORRECTION.reasons({}, "private") == []


def test_one_learned_after_another_is_both() -> None:
    both = RoleCorrection(0.25, {"title": -0.5, "new": 1.0}).after(CORRECTION)
    assert both == RoleCorrection(-0.25, {"heading": -1.0, "new": 1.0, "title": 1.5})
    assert CORRECTION.after(None) == RoleCorrection.of_dict(CORRECTION.to_dict()) == CORRECTION


def test_it_tells_counsel_from_parties_once_corrected() -> None:
    found = learned(court(6))
    assert found is not None
    assert found.log_odds(COUNSEL) < -0.3 < 0 < found.log_odds(PRIVATE)
    assert set(found.weights) == {*PRIVATE, *COUNSEL}


@pytest.mark.parametrize(("rulings", "enough"), [(0, False), (LEAST - 1, False), (LEAST, True)])
def test_a_few_rulings_teach_nothing(rulings: int, enough: bool) -> None:
    assert (learned(court(rulings)) is not None) is enough


def test_weights_are_those_of_scikit_learn_where_the_model_before_is_undecided() -> None:
    rng = np.random.default_rng(7)
    names = [f"p{i}" for i in range(12)]
    examples = [
        example(n % 8, dict.fromkeys(rng.choice(names, 4, replace=False).tolist(), 1.0), bool(rng.random() < 0.4))
        for n in range(200)
    ]
    vectors = DictVectorizer()
    design, right = vectors.fit_transform(e.shown for e in examples), [e.private > 0 for e in examples]
    theirs = LogisticRegression(C=C, fit_intercept=False, tol=1e-8).fit(design, right, [2**OFTEN] * len(examples))
    ours = learned(examples)
    assert ours is not None
    for name, weight in zip(vectors.feature_names_, theirs.coef_[0], strict=True):
        assert ours.weights.get(name, 0.0) == pytest.approx(weight, abs=2e-3)


@pytest.mark.parametrize(
    ("before", "held", "right", "low", "high", "why"),
    [
        ([3, 3], [3, 3], [1, 1], -2, 2, "nothing was wrong: as far up as down from where nothing is missed"),
        ([3, 3], [3, -4], [1, 0], -1, 2, "counsel are told apart by far: nothing has to move far"),
        ([-4, 3], [-2, 3], [1, 0], 1, 1.5, "no shift makes it worse: one that hides rather more"),
        ([3, -3], [2, -3.5], [1, 0], 0.3, 1, "more are hidden, as long as none is wrongly"),
    ],
)
def test_the_shift_misses_no_more_and_hides_no_more_wrongly(
    before: list[float], held: list[float], right: list[int], low: float, high: float, why: str
) -> None:
    told = enumerate(zip(before, right, strict=True))
    examples = [example(n, {"p": 1.0}, bool(private), 1 / (1 + np.exp(-odds))) for n, (odds, private) in told]
    events, log_odds = _Events.of(examples), np.array(held, dtype=float)
    shift = events.shift(log_odds)
    missed, wrong = events._errors(events.log_odds)
    after = events._errors(log_odds + shift)
    assert after[0] <= missed and after[1] <= wrong and low <= shift <= high, why
