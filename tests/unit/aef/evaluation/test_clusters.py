"""The metrics of clusterings: by hand, against the definitions written out naively, and against a reference scorer."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from itertools import combinations
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import adjusted_rand_score, homogeneity_completeness_v_measure

from aef.corpus_tools.document import Document, Mention
from aef.evaluation.clusters import CONLL, FIGURES, METRICS, clustering_of, clusters, evaluate, figures


def of(*groups: str) -> dict[Any, Hashable]:
    """A clustering from words: "ab" "c" puts a and b together."""
    return {letter: group for group in groups for letter in group}


# --- by hand --------------------------------------------------------------------------------------------------------

BY_HAND: list[tuple[str, list[str], list[str], dict[str, float]]] = [
    (
        "two of three entities run together (Bagga and Baldwin 1998, Figure 1)",
        ["abcde", "fg", "hijkl"],
        ["abcde", "fghijkl"],
        {
            "muc_recall": 9 / 9,
            "muc_precision": 9 / 10,
            "muc": 18 / 19,
            "b_cubed_recall": 1,
            "b_cubed_precision": (5 + 2 * 2 / 7 + 5 * 5 / 7) / 12,
            # the best assignment: abcde 1, hijkl with the seven 10/12
            "ceaf_e_recall": (1 + 10 / 12) / 3,
            "ceaf_e_precision": (1 + 10 / 12) / 2,
            "accuracy": 0,
        },
    ),
    (
        "mentions missed and made up (Moosavi and Strube 2016, section 3)",
        ["abc", "defg"],
        ["ab", "cd", "fghi"],
        {
            "lea_recall": (3 * 1 / 3 + 4 * 1 / 6) / 7,
            "lea_precision": (2 * 1 + 2 * 0 + 4 * 1 / 6) / 8,
            "muc_recall": (1 + 1) / (2 + 3),
            "muc_precision": (1 + 0 + 1) / (1 + 1 + 3),
            "b_cubed_recall": (4 / 3 + 1 / 3 + 1 / 4 + 4 / 4) / 7,
            "b_cubed_precision": (4 / 2 + 1 / 2 + 1 / 2 + 4 / 4) / 8,
            # links ab, fg of 9 and of 8; non-links of the six mentions both have: 15 - (6 + 3) + 2, of 12 and of 20
            "blanc_recall": (2 / 9 + 8 / 12) / 2,
            "blanc_precision": (2 / 8 + 8 / 20) / 2,
        },
    ),
    (
        "PSILENCE: a singleton is one decision, right or wrong",
        ["a", "b", "cd"],
        ["a", "bcd"],
        {"muc_recall": (1 + 0 + 1) / 3, "muc_precision": (1 + 1) / (1 + 2), "lea_recall": (1 + 0 + 2) / 4},
    ),
    ("all right", ["ab", "c"], ["ab", "c"], dict.fromkeys(FIGURES, 1.0)),
    ("one mention, found", ["a"], ["a"], dict.fromkeys(FIGURES, 1.0)),
    ("everybody alone, and so they are", ["a", "b", "c"], ["a", "b", "c"], dict.fromkeys(FIGURES, 1.0)),
    (
        "everybody alone, all run together",
        ["a", "b", "c"],
        ["abc"],
        {"muc": 0, "b_cubed_precision": 1 / 3, "b_cubed_recall": 1, "lea": 0, "blanc": 0, "ari": 0, "homogeneity": 0},
    ),
    (
        "nothing of it is there",
        ["ab"],
        ["cd"],
        {"muc": 0, "b_cubed": 0, "ceaf_e": 0, "lea": 0, "blanc": 0, "accuracy": 0},
    ),
]


@pytest.mark.parametrize(("reason", "key", "response", "expected"), BY_HAND, ids=[c[0] for c in BY_HAND])
def test_by_hand(reason: str, key: list[str], response: list[str], expected: dict[str, float]) -> None:
    found = figures(of(*key), of(*response))
    assert {name: found[name] for name in expected} == pytest.approx(expected), reason


# --- against other implementations ----------------------------------------------------------------------------------

Sides = tuple[dict[Any, Hashable], dict[Any, Hashable]]
MENTIONS = st.dictionaries(st.integers(0, 11), st.integers(0, 4), min_size=1)
SAME_MENTIONS = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=1, max_size=12).map(
    lambda pairs: (dict(enumerate(a for a, _ in pairs)), dict(enumerate(b for _, b in pairs)))
)


def links(groups: Iterable[frozenset[Any]]) -> set[frozenset[Any]]:
    """All pairs of an entity; of one mention, its link to itself."""
    return {frozenset(p) for g in groups for p in (combinations(g, 2) if len(g) > 1 else [tuple(g)])}


def naive_lea(one: dict[Any, Hashable], other: dict[Any, Hashable]) -> float:
    """Each entity's share of links that the other side has, weighted by mentions, from the sets of links."""
    there = links(clusters(other))
    return sum(len(g) * len(links([g]) & there) / len(links([g])) for g in clusters(one)) / len(one)


def naive_muc(one: dict[Any, Hashable], other: dict[Any, Hashable]) -> float:
    """Links of a spanning chain that can be kept, found by joining mentions one by one."""
    kept = wanted = 0
    for group in clusters(one):
        if len(group) == 1:
            wanted, kept = wanted + 1, kept + (group in clusters(other))
            continue
        parts: list[set[Any]] = []
        for mention in group:
            own = next((p for p in parts if mention in other and other.get(next(iter(p))) == other[mention]), None)
            if own is None:
                parts.append({mention})
            else:
                own.add(mention)
        wanted, kept = wanted + len(group) - 1, kept + len(group) - len(parts)
    return kept / wanted


@given(MENTIONS, MENTIONS)
def test_muc_and_lea_are_what_they_say(key: dict[Any, Hashable], response: dict[Any, Hashable]) -> None:
    found = figures(key, response)
    assert found["lea_recall"] == pytest.approx(naive_lea(key, response))
    assert found["lea_precision"] == pytest.approx(naive_lea(response, key))
    assert found["muc_recall"] == pytest.approx(naive_muc(key, response))
    assert found["muc_precision"] == pytest.approx(naive_muc(response, key))


@given(MENTIONS, MENTIONS)
def test_the_reference_scorer_agrees(key: dict[Any, Hashable], response: dict[Any, Hashable]) -> None:
    scores = pytest.importorskip("scorch.scores", reason="the reference scorer is not installed (pip install scorch)")
    assume(key.keys() & response.keys())  # it divides by zero otherwise
    found = figures(key, response)
    sides = [set(map(int, c)) for c in clusters(key)], [set(map(int, c)) for c in clusters(response)]
    for ours, theirs in [("b_cubed", scores.b_cubed), ("ceaf_e", scores.ceaf_e)]:
        recall, precision, f1 = theirs(*sides)
        assert (found[f"{ours}_recall"], found[f"{ours}_precision"]) == pytest.approx((recall, precision))
        assert found[ours] == pytest.approx(f1)
    if all(len(group) > 1 for side in sides for group in side):
        assert found["muc"] == pytest.approx(scores.muc(*sides)[2])


@given(SAME_MENTIONS)
def test_the_reference_scorer_agrees_on_blanc(sides: Sides) -> None:
    scores = pytest.importorskip("scorch.scores", reason="the reference scorer is not installed (pip install scorch)")
    groups = [[set(map(int, c)) for c in clusters(side)] for side in sides]
    kinds = [{len(c) > 1 for c in g} for g in groups], [len(g) > 1 for g in groups]
    if all(kinds[1]) and all(True in kind for kind in kinds[0]):  # both kinds of links on both sides
        assert figures(*sides)["blanc"] == pytest.approx(scores.blanc(*groups)[2])


@given(SAME_MENTIONS)
def test_the_figures_of_scikit_learn(sides: Sides) -> None:
    key, response = ([side[i] for i in range(len(side))] for side in sides)
    found = figures(*sides)
    ours = found["homogeneity"], found["completeness"], found["v_measure"], found["ari"]
    theirs = (*homogeneity_completeness_v_measure(key, response), adjusted_rand_score(key, response))
    assert ours == pytest.approx(theirs)


# --- properties -----------------------------------------------------------------------------------------------------


@given(MENTIONS, MENTIONS)
def test_between_nothing_and_all_and_the_sides_may_be_swapped(
    key: dict[Any, Hashable], response: dict[Any, Hashable]
) -> None:
    found, swapped = figures(key, response), figures(response, key)
    for name in METRICS:
        assert 0 <= found[name] <= 1 + 1e-12
        assert found[name] == pytest.approx(swapped[name])
        assert found[f"{name}_recall"] == pytest.approx(swapped[f"{name}_precision"])
    assert found["conll"] == pytest.approx(sum(found[name] for name in CONLL) / 3)
    assert (found["accuracy"] == 1) == (set(clusters(key)) == set(clusters(response)))
    if found["accuracy"]:
        assert all(found[name] == pytest.approx(1) for name in METRICS)


def test_macro_and_micro() -> None:
    keys, responses = [of("ab"), of("abc", "d"), {}], [of("ab"), of("a", "bcd"), {}]
    result = evaluate(keys, responses)
    assert result.counts == {"documents": 2, "mentions": 6, "entities": 3}
    assert result.macro["b_cubed_recall"] == pytest.approx((1 + (1 + 4 + 3) / 3 / 4) / 2)
    assert result.micro["b_cubed_recall"] == pytest.approx((2 + (1 + 4 + 3) / 3) / 6)
    assert result.micro["muc_recall"] == pytest.approx((1 + 1 + 0) / (1 + 2 + 1))
    assert result.macro["accuracy"] == result.micro["accuracy"] == 0.5
    assert result.documents[0] == figures(keys[0], responses[0])


def test_in_micro_figures_documents_do_not_mix() -> None:
    keys, responses = [{"a": 1}, {"a": 1}], [{"a": 1}, {"a": 2}]
    assert evaluate(keys, responses).micro["ari"] == 1


def test_nothing_to_compare() -> None:
    with pytest.raises(ValueError, match="no mention"):
        evaluate([{}], [{}])


def test_the_clustering_of_a_document() -> None:
    mentions = [Mention(0, 1, "PERSON", entity_id="x"), Mention(2, 3, "PERSON"), Mention(4, 5, "LOC", entity_id="x")]
    document = Document.from_text("a b c", "d", mentions)
    assert clustering_of(document, lambda m: m.entity_type == "PERSON") == {(0, 1): "x", (2, 3): (2, 3)}
