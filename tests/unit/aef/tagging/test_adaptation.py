"""Adapting a model: the prior holds, corrections are learned, names stay out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.special import expit, logit

from aef.classifiers.newton import Problem, learn, one_hot
from aef.corpus_tools import invented
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.figures import evaluate
from aef.tagging.adaptation import FOREIGN, adapt, correct, part_way
from aef.tagging.finder import Finder
from aef.verification.model_audit import findings, held

FEATURES = "nine,L-1,L1,Listed,Titled"


@pytest.fixture(scope="module")
def rulings() -> list[Document]:
    return invented.rulings(14, 3)


@pytest.fixture(scope="module")
def finder(rulings: list[Document]) -> Finder:
    return Finder(FEATURES, "names", 0.3).fit(rulings[:6])


def test_learning_under_a_prior_is_the_penalized_maximum() -> None:
    """Against a general optimizer: the weights are drawn to the centre, and the intercept stays."""
    rng = np.random.default_rng(5)
    events = rng.integers(-1, 4, size=(60, 3)) + np.array([0, 4, 8])
    events[events < np.array([0, 4, 8])] = -1
    labels, centre = rng.random(60), rng.normal(size=(12, 1))
    design = one_hot(events, 12)
    problem = Problem(design, np.ones((60, 1)), labels[:, None], 2.0, 1e-10, centre, free=False)
    found = learn(problem, centre, np.array([0.7]), max_steps=200)

    def loss(weights: np.ndarray) -> float:
        p = np.clip(expit(design @ weights + 0.7), 1e-12, 1 - 1e-12)
        away = weights - centre[:, 0]
        return float(-(labels * np.log(p) + (1 - labels) * np.log(1 - p)).sum() + away @ away)

    assert np.allclose(found.weights[:, 0], minimize(loss, centre[:, 0]).x, atol=1e-4)
    assert found.intercept[0] == pytest.approx(0.7)


def test_part_of_the_way_lies_between_in_log_odds(finder: Finder, rulings: list[Document]) -> None:
    """Where no second pass or consistency adds to the log-odds, they are the mean of those of the two models."""
    learned = correct(finder, rulings[6:10]).finder

    def log_odds(model: Finder) -> np.ndarray:
        return np.concatenate([logit(first) for first, _ in model.probabilities_by_pass(rulings[10:])])

    old, new = log_odds(finder), log_odds(learned)
    assert not np.allclose(old, new, atol=0.1)
    for share in (0.0, 0.25, 1.0):
        between = (1 - share) * old + share * new
        assert np.allclose(log_odds(part_way(finder, learned, share)), between, atol=1e-3), share


def test_corrections_are_learned_and_the_old_rulings_not_forgotten(finder: Finder, rulings: list[Document]) -> None:
    new = rulings[6:]
    corrected = correct(finder, new)

    def f2(model: Finder, documents: list[Document]) -> float:
        return evaluate(documents, model.tag_all(documents), "names", bootstrap=0).micro["f2"]

    assert f2(corrected.finder, new) > f2(finder, new)
    assert f2(corrected.finder, rulings[:6]) > f2(finder, rulings[:6]) - 0.05
    assert corrected.predicates > 0 and corrected.finder.trained_on(new[0]) and not finder.trained_on(new[0])


def test_adapting_asks_for_no_gold_and_leaves_the_model_as_it_was(finder: Finder, rulings: list[Document]) -> None:
    before = {name: model.table().copy() for name, model in finder.models.items()}
    bare = [document.with_mentions(()) for document in rulings[6:]]
    adapted = adapt(finder, bare)
    assert all(np.array_equal(before[name], model.table()) for name, model in finder.models.items())
    assert adapted.finder.cut == finder.cut and adapted.tokens == sum(len(d.words) for d in bare)
    assert not np.array_equal(adapted.finder.models["body"].table()[: len(before["body"])], before["body"])


def test_a_word_surely_hidden_elsewhere_becomes_likelier(finder: Finder) -> None:
    text = " ".join(f"Ms. Quillback said that she met Mr. Tarrow on day {i}. Quillback left." for i in range(4))
    document = Document.from_text(text, "a")
    places = [i for i, word in enumerate(document.words) if word == "Quillback" and document.words[i - 1] != "Ms."]
    before = finder.probabilities([document])[0][places].mean()
    after = adapt(finder, [document]).finder.probabilities([document])[0][places].mean()
    assert after >= before


def test_no_name_of_the_new_rulings_comes_in(finder: Finder, rulings: list[Document], tmp_path: Path) -> None:
    path = tmp_path / "m.aef"
    canary = [
        Document.from_text(f"Ms. Zweibrich{i} met Zweibrich at home. Zweibrich left with Zweibrich again.", f"c{i}")
        for i in range(5)
    ]
    adapt(finder, canary).finder.save(path)
    assert not [h for h in held(path) if "zweibrich" in h.string.lower()]
    correct(finder, rulings[6:]).finder.save(path, force=True)
    finder.save(tmp_path / "base.aef")
    base = {h.string for h in held(tmp_path / "base.aef")}
    assert not [h for h in findings(held(path), rulings[6:]) if h.string not in base]


def test_nothing_to_adapt_to(finder: Finder) -> None:
    with pytest.raises(InputError, match="no ruling"):
        adapt(finder, [])
    with pytest.raises(InputError, match="finds nothing"):
        adapt(finder, [Document.from_text("the rain fell all day.")])
    with pytest.raises(InputError, match="mark nothing"):
        correct(finder, [Document.from_text("The rain fell.")])


def test_a_foreign_court_is_told_from_a_familiar_one_and_learned_from(corpus: list[Document]) -> None:
    base = Finder("rich", "names", folds=3).fit(corpus[:-4])
    asked = [d.with_mentions(()) for d in invented.rulings(8, 6, "us_state")]
    foreign, near = (adapt(base, documents) for documents in (asked, corpus[-4:]))
    assert foreign.foreign is not None and near.foreign is not None
    assert foreign.foreign > FOREIGN > near.foreign

    def f2(model: Finder) -> float:
        gold = invented.rulings(8, 7, "us_state")
        return evaluate(gold, model.tag_all(gold), "names", bootstrap=0).micro["f2"]

    assert f2(foreign.finder) > f2(base)
