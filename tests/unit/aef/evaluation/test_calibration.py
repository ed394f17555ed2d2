"""The promise: its arithmetic against plain loops and scipy, its coverage in simulation, and what it refuses."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.stats import binom

from aef.batch.recipe import decide
from aef.commands import main
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import write_gold
from aef.errors import InputError
from aef.evaluation.calibration import (
    Curves,
    Floats,
    Promise,
    calibrate,
    choose,
    conformal_risk_control,
    documents_needed,
    in_force,
    learn_then_test,
    p_value,
    smallest_miss,
)
from aef.tagging.finder import Finder


@pytest.fixture(scope="module")
def trained(corpus: list[Document], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model that learned from the first four of the twelve documents."""
    path = tmp_path_factory.mktemp("promise") / "model.aef"
    Finder(target="all", folds=2).fit(corpus[:4]).save(path)
    return path


@pytest.fixture
def finder(trained: Path) -> Finder:
    return Finder.load(trained)


# --- p-values -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "missed", "miss"), [(10, 0, 0.1), (59, 0, 0.05), (100, 3, 0.1), (30, 30, 0.5)])
def test_binary_losses_have_the_exact_binomial_tail(n: int, missed: int, miss: float) -> None:
    losses = np.repeat([1.0, 0.0], [missed, n - missed])
    assert p_value(losses, miss, binary=True) == pytest.approx(binom.cdf(missed, n, miss))


@pytest.mark.parametrize(
    ("reason", "losses", "miss", "expected"),
    [
        ("no loss: Hoeffding's bound is (1 - miss)^n", np.zeros(20), 0.1, 0.9**20),
        ("mean above the miss: nothing against the hypothesis", np.full(20, 0.5), 0.1, 1.0),
        # exp(-100 (0.1 log 0.5 + 0.9 log 1.125)) = 0.02550, e * P(Bin(100, 0.2) <= 10) = e * 0.0056964 = 0.015484
        ("Bentkus is the smaller", np.full(100, 0.1), 0.2, 0.015484),
    ],
)
def test_hoeffding_bentkus_of_known_cases(reason: str, losses: Floats, miss: float, expected: float) -> None:
    assert p_value(losses, miss, binary=False) == pytest.approx(expected, rel=1e-4), reason


@given(arrays(float, st.integers(1, 60), elements=st.floats(0, 1)), st.floats(0.01, 0.99))
def test_hoeffding_bentkus_is_the_smaller_of_both_bounds(losses: Floats, miss: float) -> None:
    n, mean = len(losses), min(losses.mean(), miss)
    pieces = [(mean, miss), (1 - mean, 1 - miss)]
    hoeffding = math.exp(-n * sum(a * math.log(a / b) for a, b in pieces if a > 0))
    bentkus = math.e * binom.cdf(math.ceil(losses.sum() - 1e-9), n, miss)
    assert p_value(losses, miss, binary=False) == pytest.approx(min(hoeffding, bentkus, 1), rel=1e-6, abs=1e-12)


# --- choosing -------------------------------------------------------------------------------------------------------

MONOTONE = arrays(float, st.tuples(st.integers(1, 30), st.integers(1, 12)), elements=st.floats(0, 1)).map(
    lambda losses: np.maximum.accumulate(losses**4, axis=1)
)


@given(MONOTONE, st.floats(0.01, 0.99))
def test_conformal_risk_control_is_the_plain_loop(losses: Floats, miss: float) -> None:
    n, chosen = len(losses), None
    for cut in range(losses.shape[1]):
        if n / (n + 1) * losses[:, cut].mean() + 1 / (n + 1) <= miss + 1e-9:
            chosen = cut
    assert conformal_risk_control(losses, miss) == chosen


@given(MONOTONE, st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_learn_then_test_stops_before_the_first_that_fails(losses: Floats, miss: float, confidence: float) -> None:
    chosen = learn_then_test(losses, miss, confidence, binary=False)
    values = [p_value(column, miss, binary=False) for column in losses.T]
    kept = -1 if chosen is None else chosen
    assert all(p <= 1 - confidence + 1e-9 for p in values[: kept + 1])
    assert kept + 1 == len(values) or values[kept + 1] > 1 - confidence


@given(MONOTONE, st.floats(0.01, 0.98), st.sampled_from([None, 0.8, 0.95]))
def test_a_looser_promise_never_lowers_the_threshold(losses: Floats, miss: float, confidence: float | None) -> None:
    tight, loose = (choose(losses, m, confidence, binary=False) for m in (miss, miss + 0.01))
    assert tight is None or (loose is not None and loose >= tight)


@pytest.mark.parametrize(
    ("miss", "confidence", "needed"),
    [(0.02, None, 49), (0.05, None, 19), (0.02, 0.95, 149), (0.05, 0.95, 59), (0.1, 0.9, 22), (0.5, 0.5, 1)],
)
@pytest.mark.parametrize("binary", [True, False])
def test_the_documents_needed_are_just_enough(miss: float, confidence: float | None, needed: int, binary: bool) -> None:
    assert documents_needed(miss, confidence) == needed
    assert choose(np.zeros((needed, 1)), miss, confidence, binary) == 0
    assert choose(np.zeros((needed - 1, 1)), miss, confidence, binary) is None if needed > 1 else True


@given(MONOTONE, st.sampled_from([None, 0.8, 0.95]), st.booleans())
def test_the_smallest_miss_is_supported_and_less_is_not(losses: Floats, confidence: float | None, binary: bool) -> None:
    own = np.round(losses[:, :1]) if binary else losses[:, :1]
    least = smallest_miss(own[:, 0], confidence, binary)
    if least < 0.999:
        assert choose(own, least + 1e-5, confidence, binary) == 0
        assert choose(own, least - 1e-3, confidence, binary) is None


# --- coverage -------------------------------------------------------------------------------------------------------


def simulate(rng: np.random.Generator, n: int, unit: str) -> Floats:
    """Losses of n documents at 40 cuts whose expectation at the i-th is i / 40, exactly."""
    level = np.linspace(0, 1, 40, endpoint=False)
    if unit == "documents":
        return (rng.random((n, 1)) < level).astype(float)
    size = 1 + rng.integers(1, 12, size=n)
    hardness = rng.random((n, 12))
    return np.array([(own[:k, None] < level).mean(axis=0) for own, k in zip(hardness, size, strict=True)])


@pytest.mark.parametrize("unit", ["entities", "documents"])
def test_learn_then_test_is_wrong_no_oftener_than_stated(unit: str) -> None:
    rng = np.random.default_rng(7)
    chosen = [learn_then_test(simulate(rng, 80, unit), 0.2, 0.9, unit == "documents") for _ in range(600)]
    wrong = np.mean([cut is not None and cut / 40 > 0.2 for cut in chosen])
    assert wrong <= 0.1 + 3 * math.sqrt(0.1 * 0.9 / 600)
    assert np.mean([cut is not None for cut in chosen]) > 0.9


@pytest.mark.parametrize("unit", ["entities", "documents"])
def test_conformal_risk_control_keeps_the_mean(unit: str) -> None:
    rng = np.random.default_rng(8)
    chosen = [conformal_risk_control(simulate(rng, 50, unit), 0.2) for _ in range(600)]
    expected = np.array([cut for cut in chosen if cut is not None]) / 40
    assert len(expected) == 600
    assert 0.1 < expected.mean() <= 0.2 + 3 * expected.std() / math.sqrt(600)


# --- the curves -----------------------------------------------------------------------------------------------------


def test_losses_grow_with_the_cut_and_are_never_below_the_tagging() -> None:
    found = np.array([[3, 4, 2, 1], [0, 0, 0, 0]])
    zeros = np.zeros_like(found)
    curves = Curves(np.arange(4.0), np.array([4, 0]), np.array([9, 0]), found, zeros, zeros)
    assert curves.losses("entities").tolist() == [[0.25, 0.25, 0.5, 0.75], [0, 0, 0, 0]]
    assert curves.losses("documents").tolist() == [[1, 1, 1, 1], [0, 0, 0, 0]]


def test_the_curves_are_those_of_the_finder_at_each_cut(finder: Finder, corpus: list[Document]) -> None:
    from aef.evaluation.figures import evaluate

    before = finder.cut
    curves = Curves.of(finder, corpus[-2:], cuts=np.array([-3.0, 1.0]))
    assert finder.cut == before
    for i, cut in enumerate((-3.0, 1.0)):
        finder.cut = cut
        counts = evaluate(corpus[-2:], finder.tag_all(corpus[-2:]), "all", bootstrap=0).counts
        of_cut = [int(x[:, i].sum()) for x in (curves.found, curves.hits, curves.alarms)]
        assert of_cut == [counts["entities_found"], counts["tp"], counts["fp"]]
        assert curves.precision(i) == pytest.approx(counts["tp"] / (counts["tp"] + counts["fp"]))
        assert curves.tokens.sum() == counts["tp"] + counts["fn"]
        assert curves.entities.sum() == counts["entities"]


# --- the promise in a model -----------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_promise_is_stored_and_in_force_after_loading(
    finder: Finder, corpus: list[Document], tmp_path: Path
) -> None:
    calibrate(finder, corpus[4:], 0.3, 0.8)
    finder.save(tmp_path / "m.aef")
    loaded = Finder.load(tmp_path / "m.aef")
    assert loaded.promise == finder.promise and loaded.cuts["promise"] == loaded.cut and loaded.preset == "promise"
    promise = in_force(loaded)
    assert promise == Promise("entities", 0.3, 0.8, "ltt", 8, finder.cut_probability, "all", True)
    for words in ("at most 30%", "80% confidence", "learn then test on 8 documents"):
        assert words in str(promise)
    loaded.set_preset("f2")
    assert in_force(loaded) is None
    loaded.set_preset("promise")
    loaded.consistency = False
    assert in_force(loaded) is None


@pytest.mark.slow
def test_without_confidence_it_is_conformal_risk_control(finder: Finder, corpus: list[Document]) -> None:
    curves = calibrate(finder, corpus[4:], 0.2)
    assert finder.promise is not None and finder.promise["method"] == "crc"
    assert (curves.losses("entities")[:, curves.nearest(finder.cut)].sum() + 1) / 9 <= 0.2


def test_a_model_without_a_promise_promises_nothing(finder: Finder) -> None:
    assert finder.promise is None and in_force(finder) is None


@pytest.mark.slow
def test_learning_anew_ends_the_promise(finder: Finder, corpus: list[Document]) -> None:
    calibrate(finder, corpus[4:], 0.3)
    finder.folds = 2
    finder.fit(corpus[:3])
    assert finder.promise is None and finder.preset == "f2" and finder.cut == finder.cuts["f2"]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"unit": "entities"}, "keys are missing"),
        ({"surprise": 1}, "an unknown key"),
        ([1], "no mapping"),
        ("x", "text"),
    ],
)
def test_a_damaged_promise_is_a_damaged_model(finder: Finder, tmp_path: Path, record: object, reason: str) -> None:
    finder.promise = record  # type: ignore[assignment]
    finder.save(tmp_path / "m.aef")
    with pytest.raises(InputError, match="damaged"):
        Finder.load(tmp_path / "m.aef")


# --- refusals -------------------------------------------------------------------------------------------------------


def test_documents_the_model_learned_from_are_refused(finder: Finder, corpus: list[Document]) -> None:
    with pytest.raises(InputError, match=r"learned from 1 of the 9 documents \('small-3'\)"):
        calibrate(finder, corpus[3:], 0.3)


def test_a_document_given_twice_is_refused(finder: Finder, corpus: list[Document]) -> None:
    with pytest.raises(InputError, match="same text"):
        calibrate(finder, [*corpus[4:], corpus[5]], 0.3)


@pytest.mark.parametrize(
    ("miss", "confidence", "message"),
    [
        (0.05, None, r"8 documents are too few .* use 19 documents or more, or promise a miss of 0\.112 or more"),
        (0.02, 0.95, r"8 documents are too few .* use 149 documents or more, or promise a miss of 0\.313 or more"),
    ],
)
def test_a_corpus_too_small_is_refused_with_what_it_takes(
    finder: Finder, corpus: list[Document], miss: float, confidence: float | None, message: str
) -> None:
    with pytest.raises(InputError, match=message):
        calibrate(finder, corpus[4:], miss, confidence)
    assert finder.promise is None and "promise" not in finder.cuts


def test_a_model_too_poor_is_refused_with_what_it_would_support(finder: Finder, corpus: list[Document]) -> None:
    finder.models = {name: replace(model, intercept=model.intercept - 1000) for name, model in finder.models.items()}
    with pytest.raises(InputError, match="cannot be promised: at the lowest threshold tried 100%"):
        calibrate(finder, corpus[4:], 0.3, 0.8)


def test_a_corpus_with_nothing_to_hide_is_refused(finder: Finder, corpus: list[Document]) -> None:
    with pytest.raises(InputError, match="no entity to hide"):
        calibrate(finder, [d.with_mentions(()) for d in corpus[4:]], 0.3)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, None, "entities", None), "miss 0.0: a share between 0 and 1"),
        ((5.0, None, "entities", None), "miss 5.0"),
        ((float("nan"), None, "entities", None), "miss nan"),
        ((0.1, 95.0, "entities", None), "confidence 95.0"),
        ((0.1, 0.9, "entities", "crc"), "without confidence"),
        ((0.1, None, "entities", "ltt"), "with a confidence"),
        ((0.1, None, "tokens", None), "unit 'tokens'"),
        ((0.1, None, "entities", "bayes"), "method 'bayes'"),
    ],
)
def test_figures_that_make_no_sense(
    finder: Finder, corpus: list[Document], arguments: tuple[float, float | None, str, str | None], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        calibrate(finder, corpus[4:], *arguments)


# --- the commands ---------------------------------------------------------------------------------------------------


def test_calibrate_then_tag(
    trained: Path, corpus: list[Document], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, safe = str(tmp_path / "aside.jsonl"), str(tmp_path / "safe.aef")
    write_gold(corpus[4:], gold)
    asked = ["calibrate", gold, "--model", str(trained), "--miss", "0.3", "-o", safe]
    assert main([*asked, "--json"]) == 0
    out, err = capsys.readouterr()
    assert '"method": "crc"' in out and "at most 30% of a document's entities" in err and "precision" in err
    assert main(asked) == 2 and "exists" in capsys.readouterr().err
    assert main(["tag", gold, "--model", safe, "--preset", "promise"]) == 0
    assert "promised: on average at most 30%" in capsys.readouterr().err
    assert main(["tag", gold, "--model", safe, "--preset", "balanced"]) == 0
    assert "promised" not in capsys.readouterr().err
    assert main(["tag", gold, "--model", str(trained), "--preset", "promise"]) == 2
    assert "preset 'promise' is not in the model" in capsys.readouterr().err


def test_calibrate_refuses_with_exit_code_2(
    trained: Path, corpus: list[Document], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    gold, safe = tmp_path / "aside.jsonl", tmp_path / "safe.aef"
    write_gold(corpus[4:], gold)
    asked = ["calibrate", str(gold), "--model", str(trained), "--miss", "0.02", "--confidence", "0.95", "-o", str(safe)]
    assert main(asked) == 2
    assert "use 149 documents or more" in capsys.readouterr().err and not safe.exists()


@pytest.mark.parametrize(("cost", "probability"), [(1.0, 0.5), (19.0, 0.05), (0.25, 0.8)])
def test_the_cost_of_a_miss_sets_the_threshold(finder: Finder, cost: float, probability: float) -> None:
    decide(finder, None, None, cost)
    assert finder.cut_probability == pytest.approx(probability)


@pytest.mark.parametrize("cost", [0.0, -3.0, float("inf"), float("nan")])
def test_a_cost_that_is_none(finder: Finder, cost: float) -> None:
    with pytest.raises(InputError, match="cost"):
        decide(finder, None, None, cost)
