"""Log-odds pooled over phrases: what plain loops find, and nothing outside of phrases."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef import lexicons
from aef.classifiers.decoding import Scores
from aef.corpus_tools.document import Document
from aef.features.extraction import Layout
from aef.tagging.finder import Finder
from aef.tagging.labelled import gold_rulings, lay_out
from aef.tagging.pooling import SHARES, phrases, pooled

LISTS = lexicons.load_all("en")
WORDS = ["Istanbul", "State", "Court", "of", "the", "met", "A.B.", "12"]
DOCUMENTS = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=3)


def laid_out(documents: list[list[str]]) -> Layout:
    return Layout([(words, [i == 0 for i in range(len(words))]) for words in documents])


def mean(probabilities: list[float]) -> float:
    """The log-odds of the mean probability."""
    p = sum(probabilities) / len(probabilities)
    return math.log(p / (1 - p))


@given(DOCUMENTS, st.randoms(use_true_random=False), st.sampled_from(SHARES))
def test_each_token_of_a_phrase_is_drawn_to_what_its_words_say(
    documents: list[list[str]], chance: np.random.Generator, share: float
) -> None:
    layout = laid_out(documents)
    log_odds = np.array([chance.uniform(-6, 6) for words in documents for _ in words])
    expected = log_odds.copy()
    for ruling, low in zip(layout.rulings(LISTS), layout.bounds[:-1].tolist(), strict=True):
        for start, end in ruling.phrases:
            own = slice(low + start, low + end)
            drawn = mean([1 / (1 + math.exp(-score)) for score in log_odds[own].tolist()])
            expected[own] = (1 - share) * log_odds[own] + share * drawn
    found = pooled(Scores.without_history(log_odds), layout, LISTS, share)
    np.testing.assert_allclose(found.flat(), expected, atol=1e-9)


@given(DOCUMENTS)
def test_the_phrases_of_all_documents_have_numbers_of_their_own(documents: list[list[str]]) -> None:
    layout = laid_out(documents)
    found = phrases(layout, LISTS).tolist()
    expected, number = [], 0
    for ruling in layout.rulings(LISTS):
        own = [-1] * len(ruling.words)
        for start, end in ruling.phrases:
            own[start:end] = [number] * (end - start)
            number += 1
        expected += own
    assert found == expected


def test_log_odds_that_depend_on_labels_before_are_refused() -> None:
    layout = laid_out([["State", "Court"]])
    with pytest.raises(ValueError, match="labels before"):
        pooled(Scores.of(np.arange(16.0).reshape(2, 8)), layout, LISTS, 0.4)


def test_the_share_is_chosen_by_likelihood_and_only_where_tokens_stand_alone(corpus: list[Document]) -> None:
    finder = Finder().fit(corpus[:4])
    rulings = gold_rulings(corpus[:4], finder.target)
    judged = [sum(p.log_likelihood() for p in parts) for parts in zip(*finder._out_of_fold(rulings), strict=True)]
    settings = [(C, share) for C in finder.strengths for share in SHARES]
    assert (finder.solver["C"], finder.share) == settings[int(np.argmax(judged))]
    for other in (Finder(target="person"), Finder("thesis"), Finder(learner="crf")):
        assert other.shares == (0.0,)


def test_a_phrase_said_in_three_words_is_found_by_two() -> None:
    text = "He went to the Istanbul State Court when May had left."
    layout = lay_out([Document.from_text(text)])
    words = [layout.types[i] for i in layout.word_ids]
    log_odds = np.full(len(words), -5.0)
    log_odds[[words.index("Istanbul"), words.index("Court")]] = 3.0
    log_odds[words.index("State")] = -0.1
    found = pooled(Scores.without_history(log_odds), layout, LISTS, SHARES[-1]).flat()
    assert found[words.index("State")] > 0 > found[words.index("May")]
