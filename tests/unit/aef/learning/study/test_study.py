"""The study's figures: computed by hand where they can be, and against plain definitions on a small corpus."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import matthews_corrcoef

from aef.classifiers.maxent import MaxEntClassifier
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.features import feature_names
from aef.learning.study import contributions, draw, iterations, sets, systems, thesis
from aef.learning.study.plan import Plan

FEATURES = "C4,FirstCap,C7,WeekDay"


@pytest.fixture(scope="module")
def plan(corpus: list[Document]) -> Plan:
    return Plan.of(corpus, FEATURES, k=4, folds=3)


# --- phi ------------------------------------------------------------------------------------------------------------

# n11, n10, n01, n00 -> phi, and why
PHI = [
    ((3, 0, 0, 5), 1.0, "always together"),
    ((0, 4, 4, 0), -1.0, "never together, one of them always"),
    ((2, 2, 2, 2), 0.0, "unrelated"),
    ((3, 1, 2, 4), (3 * 4 - 1 * 2) / math.sqrt(4 * 6 * 5 * 5), "in between: the definition"),
    ((1, 3, 1, 0), (1 * 0 - 3 * 1) / math.sqrt(4 * 1 * 2 * 3), "negative"),
]


@pytest.mark.parametrize(("cells", "expected", "why"), PHI, ids=[why for *_, why in PHI])
def test_phi_by_hand(cells: tuple[int, int, int, int], expected: float, why: str) -> None:
    pairs = [pair for pair, n in zip([(1, 1), (1, 0), (0, 1), (0, 0)], cells, strict=True) for _ in range(n)]
    matrix = contributions.phi(np.array(pairs, dtype=bool))
    assert matrix[0, 1] == pytest.approx(expected, abs=1e-12)
    assert matrix[0, 1] == matrix[1, 0]
    assert np.allclose(np.diag(matrix), 1)


def test_phi_is_undefined_where_a_feature_never_changes() -> None:
    matrix = contributions.phi(np.array([[1, 0], [1, 1], [1, 0]], dtype=bool))
    assert np.isnan(matrix[0]).all()
    assert np.isnan(matrix[:, 0]).all()
    assert matrix[1, 1] == pytest.approx(1)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_phi_is_the_matthews_correlation(pairs: list[tuple[bool, bool]]) -> None:
    values = np.array(pairs)
    if len(set(values[:, 0])) == len(set(values[:, 1])) == 2:
        assert contributions.phi(values)[0, 1] == pytest.approx(matthews_corrcoef(values[:, 0], values[:, 1]))


# --- features -------------------------------------------------------------------------------------------------------


def test_activity_and_coverage_are_counted(plan: Plan, corpus: list[Document]) -> None:
    rows = {row["feature"]: row for row in contributions.contributions(plan, contributions.correlations(plan))}
    words = [word for document in corpus for word in document.words]
    capitalized = sum(word[0].isupper() and word[0].isalpha() for word in words)
    assert rows["FirstCap"]["active"] == capitalized
    assert rows["FirstCap"]["coverage"] == capitalized / len(words)
    assert rows["WeekDay"]["active"] == 0
    assert rows["WeekDay"]["share_hidden"] is rows["WeekDay"]["partner"] is None
    assert rows["C4"]["share_hidden"] == 1, "in this corpus what follows a title is hidden"


def test_gain_and_loss_are_differences_of_the_criterion(plan: Plan) -> None:
    rows = {row["feature"]: row for row in contributions.contributions(plan, contributions.correlations(plan))}
    nine = feature_names("nine")
    base, more = sets.evaluate(plan, [nine, (*nine, "C4")], nine)
    assert rows["C4"]["gain"] == pytest.approx(more.f2 - base.f2, abs=1e-9)
    everything, less = sets.evaluate(plan, [plan.names, [n for n in plan.names if n != "C7"]], plan.names)
    assert rows["C7"]["loss"] == pytest.approx(everything.f2 - less.f2, abs=1e-9)
    assert {name for name, row in rows.items() if row["gain"] is None} == set(nine)


# --- sets -----------------------------------------------------------------------------------------------------------


def test_candidates_are_each_feature_once_best_first(plan: Plan) -> None:
    rows = sets.candidates(plan, ("W-1",))
    assert sorted([row["feature"] for row in rows] + ["W-1"]) == sorted(plan.names)
    assert [row["f2"] for row in rows] == sorted((row["f2"] for row in rows), reverse=True)


def test_the_tables_of_a_selection_tell_its_sets(plan: Plan) -> None:
    selection = plan.selection().run()
    members: set[str] = set()
    for row in sets.selected(selection):
        members = (members | set(row["came"].split())) - set(row["went"].split())
        assert members == set(row["set"].split())
        assert len(members) == row["size"]
    assert sum(row["chosen"] for row in sets.selected(selection)) == 1
    members = set()
    for row in sets.steps(selection):
        members ^= {row["feature"]}
        assert len(members) == row["size"]


def test_the_thesis_sets_stop_where_a_feature_is_not_under_study(plan: Plan) -> None:
    assert [row["feature"] for row in sets.thesis_sets(plan)] == [r.feature for r in thesis.SELECTION[: thesis.CHOSEN]]


# --- iterations -----------------------------------------------------------------------------------------------------


def test_error_curves_have_every_point_and_fit_the_figures(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iterations, "CHECKPOINTS", (1, 5, 20))
    rows = iterations.error_curves(plan)
    points = [(row["features"], row["solver"], row["iterations"]) for row in rows]
    expected = [("gis", 1), ("gis", 5), ("gis", 20), ("newton-cg", None)]
    assert points == [(label, *point) for label in ("nine", "all") for point in expected]
    assert all(0 <= row["error"] <= 1 for row in rows)
    assert rows[0]["error"] > rows[2]["error"], "one iteration has hardly learned anything"


def test_gis_read_off_along_the_way_is_gis_stopped_there(plan: Plan) -> None:
    events = np.stack([plan.columns[name].at(plan.corpus.histories) for name in plan.names], axis=1)
    stages = MaxEntClassifier(iterations=7).staged_fit(events, plan.corpus.labels)
    for number, staged in enumerate(stages, 1):
        if number in (1, 3, 7):
            stopped = MaxEntClassifier(solver="gis", iterations=number).fit(events, plan.corpus.labels)
            assert np.array_equal(staged.weights_, stopped.weights_)
            assert np.array_equal(staged.predict(events), stopped.predict(events))
    assert number == 7


# --- systems --------------------------------------------------------------------------------------------------------


def test_the_thesis_figures_follow_from_its_counts() -> None:
    """Tables 3.11 and 3.14 from Tables 3.9, 3.10, 3.12 and 3.13."""
    for row in thesis.SYSTEMS:
        if row["system"] == systems.AEF:
            computed = [100 * row[key] for key in ("precision", "recall", "f1", "f2_thesis")]
            assert computed == pytest.approx(thesis.PRINTED[row["scope"]], abs=0.011)


def test_the_printed_f2_of_the_selection_is_the_thesis_formula() -> None:
    for row in thesis.SELECTION:
        formula = 3 * row.precision * row.recall / (2 * row.precision + row.recall)
        assert row.f2 == pytest.approx(formula, abs=1.2), "means of folds: near, not equal"


def test_terms_by_hand() -> None:
    text = "Ann Lee met Bo. Ann Lee left. Bo saw Cy and Di."
    gold = [(0, 7), (12, 14), (16, 23), (30, 32), (37, 39)]
    found = [(0, 7), (12, 14), (44, 46)]
    documents = [Document.from_text(text, "d", [Mention(a, b, "PERSON") for a, b in spans]) for spans in (gold, found)]
    figures = systems.term_figures(documents[:1], documents[1:], "person")
    expected = {
        "distinct": 3,  # Ann Lee, Bo, Cy
        "distinct_found": 2,
        "occurrences": 5,
        "occurrences_found": 2,
        "occurrences_once": 4,  # all but Cy
        "wrong_distinct": 1,  # Di
        "wrong_occurrences": 1,
    }
    assert {key: figures[key] for key in expected} == expected
    assert (figures["precision"], figures["recall"]) == (2 / 3, 2 / 5)
    assert figures["f2"] == pytest.approx(5 * 2 / 3 * 2 / 5 / (4 * 2 / 3 + 2 / 5))


def test_nothing_found_and_nothing_to_find_is_zero() -> None:
    assert set(systems.occurrence_figures(0, 0, 0).values()) == {0.0}
    assert set(systems.occurrence_figures(4, 0, 0).values()) == {0.0}


# --- plan -----------------------------------------------------------------------------------------------------------


def test_the_named_documents_are_the_longest_unless_named(corpus: list[Document]) -> None:
    lengths = {d.doc_id: len(d.words) for d in corpus}
    chosen = Plan.of(corpus, "nine", folds=3).named
    assert [lengths[name] for name in chosen] == sorted(lengths.values(), reverse=True)[:2]
    assert Plan.of(corpus, "nine", folds=3, named=["small-3", "small-3"]).named == ("small-3",)


def test_a_study_may_name_all_documents_but_one(corpus: list[Document]) -> None:
    few = corpus[:3]
    assert len(Plan.of(few, "nine", folds=3).named) == 2
    assert len(Plan.of(few[:2], "nine", folds=2).named) == 1
    assert len(Plan.of(few, "nine", folds=2, named=[d.doc_id for d in few[:2]]).named) == 2
    with pytest.raises(InputError, match="no other with something to hide"):
        Plan.of(few, "nine", folds=2, named=[d.doc_id for d in few])


# --- drawing --------------------------------------------------------------------------------------------------------


def test_a_plot_is_the_same_bytes_each_time_and_names_its_axes() -> None:
    figures = {"precision": 0.5, "recall": 0.4, "f2": 0.42}
    rows = [{"feature": name, **figures} for name in ("W-1", "C4")]
    one, two = (draw.render(draw.candidates([("single", rows)]), "svg") for _ in range(2))
    assert one == two
    assert not re.search(rb"<dc:date>", one)
    assert draw.render(draw.candidates([("single", rows)]), "png").startswith(b"\x89PNG")
