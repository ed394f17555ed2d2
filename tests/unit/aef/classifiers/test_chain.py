"""The chain of labels: its sums against all labelings written out, and against the library that learns it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.classifiers.chain import Floats, likeliest, marginal_log_odds, sentence_bounds
from aef.classifiers.crf import LABELS, attributes, learn, trained
from aef.classifiers.decoding import logistic
from aef.corpus_tools.document import Document
from aef.features import Extractor
from aef.features.extraction import Layout
from aef.tagging.finder import Finder
from aef.tagging.labelled import LabelledCorpus

WEIGHTS = st.floats(-6, 6)
SENTENCES = st.lists(st.lists(WEIGHTS, min_size=1, max_size=6), max_size=5)


def laid_out(sentences: list[list[float]]) -> Layout:
    return Layout([(["w"] * sum(map(len, sentences)), [not i for s in sentences for i, _ in enumerate(s)])])


def by_enumeration(own: list[float], transitions: Floats) -> list[float]:
    """The log-odds of A of each token of a sentence: the sums over all labelings with it A, and with it N."""
    sums = np.zeros((len(own), 2))
    for labels in product((0, 1), repeat=len(own)):
        weight = math.fsum(
            [*(x for x, y in zip(own, labels, strict=True) if y), *(transitions[p] for p in pairwise(labels))]
        )
        sums[range(len(own)), labels] += math.exp(weight)
    odds: list[float] = (np.log(sums[:, 1]) - np.log(sums[:, 0])).tolist()
    return odds


@given(SENTENCES, st.lists(WEIGHTS, min_size=4, max_size=4))
def test_marginals_are_sums_over_all_labelings(sentences: list[list[float]], weights: list[float]) -> None:
    transitions = np.array(weights).reshape(2, 2)
    own = np.array([x for sentence in sentences for x in sentence])
    expected = [x for sentence in sentences for x in by_enumeration(sentence, transitions)]
    found = marginal_log_odds(own, transitions, laid_out(sentences))
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@given(SENTENCES)
def test_without_transitions_each_token_stands_alone(sentences: list[list[float]]) -> None:
    own = np.array([x for sentence in sentences for x in sentence])
    assert marginal_log_odds(own, np.full((2, 2), 0.7), laid_out(sentences)).tolist() == own.tolist()


def test_certainty_does_not_overflow() -> None:
    own = np.array([800.0, -900.0, 0.0, 700.0])
    found = marginal_log_odds(own, np.array([[500.0, -500.0], [-500.0, 500.0]]), laid_out([own.tolist()]))
    assert np.isfinite(found).all() and (found > 0).all()


def test_a_sentence_does_not_hear_of_another() -> None:
    transitions = np.array([[2.0, -2.0], [-2.0, 2.0]])
    layout = Layout([(["a", "b", "c"], [True, False, True]), (["d"], [True])])
    found = marginal_log_odds(np.array([3.0, 0.0, 1.0, -1.0]), transitions, layout)
    assert sentence_bounds(layout.positions).tolist() == [0, 2, 3, 4]
    assert found[1] > 0 and found[2:].tolist() == [1.0, -1.0]


def test_marginals_are_those_of_crfsuite(corpus: list[Document]) -> None:
    pycrfsuite = pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    finder = Finder("rich")
    labelled = LabelledCorpus.of(corpus, "all")
    columns = list(Extractor(finder.features, finder.lexicons).columns(labelled.layout))
    events = np.stack([c.numbers for c in columns], axis=1, dtype=np.int32)
    model = learn(columns, events, labelled.labels, labelled.layout.positions, 0.5)
    found = logistic(model.in_context(columns, labelled.layout).static)

    rows = list(attributes(events, [[f"{c.name}={value}" for value in c.values] for c in columns]))
    labels = [LABELS[label] for label in labelled.labels.astype(int)]
    sentences = list(pairwise(sentence_bounds(labelled.layout.positions).tolist()))
    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(trained(((pycrfsuite.ItemSequence(rows[a:b]), labels[a:b]) for a, b in sentences), 0.5))
    for low, high in sentences:
        tagger.set(pycrfsuite.ItemSequence(rows[low:high]))
        expected = [tagger.marginal("A", t) for t in range(high - low)]
        np.testing.assert_allclose(found[low:high], expected, rtol=0, atol=1e-4)
    assert model.transitions is not None and np.abs(model.transitions).max() > 0.1


def test_rare_predicates_are_left_out(corpus: list[Document]) -> None:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    finder = Finder("W0,FirstCap")
    labelled = LabelledCorpus.of(corpus, "all")
    columns = list(Extractor(finder.features, finder.lexicons).columns(labelled.layout))
    events = np.stack([c.numbers for c in columns], axis=1, dtype=np.int32)
    model = learn(columns, events, labelled.labels, labelled.layout.positions, 0.5, cutoff=10)
    counts = np.bincount(columns[0].numbers[columns[0].numbers >= 0], minlength=len(columns[0].values))
    assert ((model.blocks["W0"] != 0) <= (counts >= 10)).all()
    assert (model.blocks["W0"] != 0).any() and (counts < 10).any()


@given(
    st.integers(1, 2).flatmap(
        lambda k: st.lists(
            st.lists(st.lists(WEIGHTS, min_size=1 + 2 * k, max_size=1 + 2 * k), min_size=1, max_size=4),
            min_size=1,
            max_size=3,
        )
    )
)
def test_the_likeliest_labels_are_those_of_all_labelings_written_out(sentences: list[list[list[float]]]) -> None:
    own = np.array([token for sentence in sentences for token in sentence])
    layout = Layout([(["w"] * len(own), [not i for s in sentences for i, _ in enumerate(s)])])
    labels = likeliest(own, layout.positions)
    for low, high in pairwise(sentence_bounds(layout.positions).tolist()):
        found, k = labels[low:high].tolist(), own.shape[1] // 2
        assert sound(found, k)
        every = (ls for ls in product(range(1 + 2 * k), repeat=high - low) if sound(ls, k))
        best = max(math.fsum(own[range(low, high), ls]) for ls in every)
        assert math.fsum(own[range(low, high), found]) == pytest.approx(best)


def sound(labels: Sequence[int], k: int) -> bool:
    """Whether what goes on follows what begins its like, or goes on with it."""
    return all(label <= k or before in (label - k, label) for before, label in pairwise([0, *labels]))
