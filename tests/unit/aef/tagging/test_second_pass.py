"""The second pass: its evidence is what plain loops find, its model what scikit-learn learns, and files keep it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import OneHotEncoder

from aef import lexicons
from aef.classifiers.decoding import Judged, Scores
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.features.extraction import Layout
from aef.features.ruling import Frequencies
from aef.tagging.finder import Finder
from aef.tagging.second_pass import (
    _FINE,
    _NONE,
    _SCORES,
    COLUMNS,
    FLOOR,
    MOST_AGAINST,
    C,
    SecondPass,
    _best_other,
    evidence,
    flat,
)

LISTS = lexicons.load_all("en")
WORDS = ["Hale", "hale", "HALE", "Hales", "the", "Elizabeth", "Eliza", "El", "met", "Court", "A.B.", "12"]


@given(st.lists(st.tuples(st.integers(0, 4), st.floats(-8, 8)), min_size=1, max_size=30))
def test_best_other_is_the_best_of_the_others(pairs: list[tuple[int, float]]) -> None:
    groups, scores = np.array([g for g, _ in pairs]), np.array([s for _, s in pairs])
    plain = [
        max((s for j, (h, s) in enumerate(pairs) if h == g and j != i), default=_NONE) for i, (g, _) in enumerate(pairs)
    ]
    assert _best_other(groups, scores).tolist() == plain


documents = st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=3)


@given(documents, st.randoms(use_true_random=False))
def test_evidence_is_what_plain_loops_find(texts: list[list[str]], chance: np.random.Generator) -> None:
    layout = Layout([(words, [i == 0 for i in range(len(words))]) for words in texts], frequencies=Frequencies({}))
    log_odds = np.array([chance.uniform(-8, 6) for words in texts for _ in words])
    tokens, events = evidence(layout, LISTS, log_odds)
    plain = _plainly(texts, log_odds.tolist())
    assert tokens.tolist() == sorted(plain)
    for token, event in zip(tokens.tolist(), events.tolist(), strict=True):
        bins = [int(np.digitize(value, _FINE)) for value in plain[token]]
        assert event[: len(_SCORES)] == bins, token
    sizes = np.array(list(COLUMNS.values()))
    assert ((events >= 0) & (events < sizes)).all()


def _plainly(texts: list[list[str]], log_odds: list[float]) -> dict[int, list[float]]:
    """For each token that is looked at the six scores."""
    found, start = {}, 0
    for words in texts:
        own = log_odds[start : start + len(words)]
        for i, word in enumerate(words):
            others = [j for j in range(len(words)) if j != i and words[j].lower() == word.lower()]
            same = [j for j in others if words[j][0].isupper()]
            like = [
                j
                for j, other in enumerate(words)
                if other.lower() != word.lower()
                and min(len(word), len(other)) > 3
                and other[:3].lower() == word[:3].lower()
            ]
            if word[0].isupper() or own[i] > FLOOR:
                found[start + i] = [
                    own[i],
                    max((own[j] for j in others), default=_NONE),
                    max((own[j] for j in same), default=_NONE),
                    own[i - 1] if i else _NONE,
                    own[i + 1] if i + 1 < len(words) else _NONE,
                    max((own[j] for j in like), default=_NONE),
                ]
        start += len(words)
    return found


def _part(seed: int) -> Judged:
    chance = np.random.default_rng(seed)
    words = [str(w) for w in chance.choice(WORDS, 400)]
    layout = Layout([(words, [i % 20 == 0 for i in range(len(words))])], frequencies=Frequencies({}))
    gold = np.array([w in ("Hale", "HALE", "Elizabeth") for w in words])
    scores = Scores.of(np.tile((4 * gold - 2 + chance.normal(0, 2, len(words)))[:, None], 8))
    return Judged(scores, layout, gold, np.arange(len(words)))


def test_the_model_is_the_one_scikit_learn_learns() -> None:
    parts = [_part(0), _part(1)]
    second = SecondPass.learned(parts, LISTS)
    seen = [evidence(p.layout, LISTS, flat(p.scores)) for p in parts]
    events = np.concatenate([found for _, found in seen])
    labels = np.concatenate([p.gold[tokens] for p, (tokens, _) in zip(parts, seen, strict=True)])
    encoder = OneHotEncoder()
    model = LogisticRegression(C=C, tol=1e-8, max_iter=5000).fit(encoder.fit_transform(events), labels)
    np.testing.assert_allclose(
        second.log_odds(events), model.decision_function(encoder.transform(events)), rtol=0, atol=0.05
    )


def test_what_other_places_say_lifts_a_doubtful_name() -> None:
    second = SecondPass.learned([_part(n) for n in range(4)], LISTS)
    words = ["Hale", "met", "the", "Court", "the", "Hale", "met"]
    layout = Layout([(words, [i in (0, 4) for i in range(len(words))])], frequencies=Frequencies({}))
    doubtful = np.array([-3.0, -7.0, -7.0, -3.0, -7.0, -3.0, -7.0])
    sure_elsewhere = np.array([-3.0, -7.0, -7.0, -3.0, -7.0, 5.0, -7.0])
    before, after = (
        second.rescored(layout, LISTS, Scores.of(np.tile(s[:, None], 8))).static for s in (doubtful, sure_elsewhere)
    )
    assert after[0] > before[0] + 0.5
    assert before[1] == -7, "what is not looked at keeps its log-odds"


def test_a_ruling_that_is_sure_of_nobody_takes_only_so_much_from_a_name() -> None:
    second = SecondPass.learned([_part(n) for n in range(4)], LISTS)
    layout = Layout([(["Hale", "met", "Hale"], [True, False, False])], frequencies=Frequencies({}))
    alone = np.array([1.0, -7.0, 1.0])
    after = second.rescored(layout, LISTS, Scores.of(np.tile(alone[:, None], 8))).static
    assert second.log_odds(evidence(layout, LISTS, alone)[1]).min() < 1 - MOST_AGAINST
    np.testing.assert_allclose(after[[0, 2]], 1 - MOST_AGAINST)


def test_a_model_file_keeps_the_second_pass(corpus: list[Document], tmp_path: Path) -> None:
    finder = Finder(threshold=0.3, second_pass=True).fit(corpus[:-2])
    finder.save(tmp_path / "m.aef")
    again = Finder.load(tmp_path / "m.aef")
    assert again.second is not None
    assert [d.mentions for d in again.tag_all(corpus)] == [d.mentions for d in finder.tag_all(corpus)]


def test_people_are_looked_for_in_two_passes_and_nothing_else_unasked() -> None:
    assert Finder(target="names").second_pass
    assert Finder(target="person").second_pass
    assert not Finder(target="all").second_pass
    assert not Finder(target="person", learner="crf").second_pass
    assert not Finder("thesis", "names").second_pass


def test_features_that_look_at_labels_are_refused() -> None:
    with pytest.raises(InputError, match="second pass needs features that do not look at labels"):
        Finder("thesis", second_pass=True)


def test_weights_of_another_shape_are_refused() -> None:
    with pytest.raises(ValueError, match="second pass"):
        SecondPass.from_table(np.zeros(7))
