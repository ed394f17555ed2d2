"""What scikit-learn does with ours: clone, pipelines, searches by document, importance by permutation."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.inspection import permutation_importance
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from aef.classifiers.maxent import MaxEntClassifier
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.evaluation.figures import evaluate
from aef.learning.feature_extractor import FeatureExtractor
from aef.tagging.finder import Finder

FEW = "W0,FirstCap,C2"


@pytest.fixture(scope="module")
def corpus() -> list[Document]:
    return handwritten.rulings(half="open")[:6]


def test_a_finder_tells_its_parameters_and_takes_others() -> None:
    finder = Finder("nine", "person", threshold=0.4, C=0.3)
    assert finder.get_params() | {"features": "nine", "C": 0.3} == finder.get_params()
    assert repr(finder) == "Finder(features='nine', target='person', threshold=0.4, C=0.3)" == repr(clone(finder))
    other = finder.set_params(features=FEW, threshold=None)
    assert other is finder and other.features == ("W0", "FirstCap", "C2") and other.threshold is None
    with pytest.raises(ValueError, match="no parameter is called nonsense"):
        finder.set_params(nonsense=1)
    with pytest.raises(InputError, match="no feature is called"):
        finder.set_params(features="nonsense")


def test_the_score_of_a_finder_is_that_of_an_evaluation(corpus: list[Document]) -> None:
    finder = Finder(FEW, "person", threshold=0.3).fit(corpus[:4])
    judged = evaluate(corpus[4:], finder, "person", bootstrap=0)
    assert finder.score(corpus[4:]) == pytest.approx(judged.micro["f2"]) and judged.micro["f2"] > 0
    assert Finder(FEW, "person", threshold=0.3).fit(corpus).score([Document.from_text("Nobody.")]) == 0


def test_what_is_loaded_can_be_cloned_and_learned_anew(corpus: list[Document], tmp_path: Path) -> None:
    Finder(FEW, "person", threshold=0.3, names_free=False).fit(corpus[:4]).save(tmp_path / "m.aef")
    loaded = Finder.load(tmp_path / "m.aef")
    fresh = clone(loaded)
    assert fresh.get_params()["target"] == "person" and fresh.features == loaded.features
    assert not fresh.fitted and fresh.set_params(threshold=0.3).fit(corpus[:4]).score(corpus[4:]) > 0


def test_a_search_tries_finders_on_folds_of_documents(corpus: list[Document]) -> None:
    grid = {"features": ["FirstCap", FEW]}
    search = GridSearchCV(Finder(target="person", threshold=0.3), grid, cv=3).fit(corpus)
    assert search.best_params_["features"] == FEW and search.best_estimator_.fitted
    assert len(search.predict(corpus)) == len(corpus)


def test_events_of_a_transformer_are_those_of_a_finder(corpus: list[Document]) -> None:
    extractor = FeatureExtractor(["W0", "FirstCap", "W-1"], "person")
    events, labels = Finder(["W0", "FirstCap", "W-1"], "person").events(corpus)
    np.testing.assert_array_equal(extractor.fit_transform(corpus), events)
    np.testing.assert_array_equal(extractor.transform(corpus), events)
    np.testing.assert_array_equal(extractor.labels(corpus), labels)
    groups = extractor.groups(corpus)
    assert len(groups) == len(events) and sorted(set(groups)) == list(range(len(corpus)))
    assert extractor.set_output(transform="pandas").transform(corpus).columns.tolist() == ["W0", "FirstCap", "W-1"]


def test_what_was_not_seen_in_fitting_is_inactive() -> None:
    extractor = FeatureExtractor("FirstCap,W-1").fit([Document.from_text("Ann came.")])
    assert (extractor.transform([Document.from_text("unheard of, Bo")])[:-1] == -1).all()


def test_pipelines_searches_and_importance(corpus: list[Document]) -> None:
    extractor = FeatureExtractor("W0,FirstCap,C2,W-1", "person")
    events, labels, groups = extractor.fit_transform(corpus), extractor.labels(corpus), extractor.groups(corpus)
    pipeline = make_pipeline(extractor, MaxEntClassifier()).fit(corpus, labels)
    assert pipeline.score(corpus, labels) > 0.9
    scores = cross_val_score(MaxEntClassifier(), events, labels, groups=groups, cv=GroupKFold(3))
    search = GridSearchCV(MaxEntClassifier(), {"C": [0.01, 1.0]}, cv=GroupKFold(3)).fit(events, labels, groups=groups)
    assert min(scores) > 0.8 and search.best_params_["C"] in (0.01, 1.0)
    first = make_pipeline(FunctionTransformer(lambda X: X[:, :2]), MaxEntClassifier()).fit(events, labels)
    found = permutation_importance(first, events, labels, n_repeats=3, random_state=0)
    assert found.importances_mean[0] > 0 and (found.importances[2:] == 0).all()


def test_documents_hold_their_labels() -> None:
    ruling = Document.from_text("Ms. Roe left.", mentions=[Mention(0, 7, "PERSON")])
    assert FeatureExtractor("W0").labels([ruling]).tolist() == ["N", "A", "N"], "titles stay"
