"""The published clustering: names normalized, merged as scikit-learn merges them, and as a linker."""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.cluster import AgglomerativeClustering

from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import relink
from aef.linking.published_method import by_distance, cut, normalized, tree
from aef.names.distances import resolve

NORMALIZED = [
    ("PÉREZ CABRERA, María José", "maria jose perez cabrera", "the paper's example: transposed, accents, capitals"),
    ("Martínez Mágico, Adolfo Ramón", "adolfo ramon martinez magico", "transposed"),
    ("Mr Galip Yalman's", "galip yalman", "without title and possessive"),
    ("J.L.  GREEN", "j l green", "initials apart, white space"),
    ("Jan van der Berg", "jan van der berg", "particles stay"),
    ("O’Brien", "obrien", "apostrophes"),
    ("Ms.", "ms.", "a title alone is itself"),
]


@pytest.mark.parametrize(("name", "expected", "reason"), NORMALIZED, ids=[c[2] for c in NORMALIZED])
def test_normalized(name: str, expected: str, reason: str) -> None:
    assert normalized(f"({name})", 1, 1 + len(name)) == expected, reason


@given(
    st.integers(2, 8).flatmap(lambda n: st.tuples(st.just(n), st.randoms(use_true_random=False))), st.floats(0.05, 0.95)
)
def test_merged_as_scikit_learn_does(drawn: tuple[int, Random], threshold: float) -> None:
    size, random = drawn
    names = [chr(97 + i) for i in range(size)]
    between = {pair: random.random() for pair in combinations(names, 2)}
    matrix = np.array([[0.0 if a == b else between[min(a, b), max(a, b)] for a in names] for b in names])
    reference = AgglomerativeClustering(
        n_clusters=None, metric="precomputed", linkage="average", distance_threshold=threshold
    ).fit_predict(matrix)
    found = cut(names, tree(names, lambda a, b: between[a, b]), threshold)
    together = {(a, b) for a, b in between if found[a] == found[b]}
    assert together == {(a, b) for a, b in between if reference[names.index(a)] == reference[names.index(b)]}


def test_names_as_far_apart_as_the_threshold_stay_apart() -> None:
    names = ["ann roe", "bea roe"]
    merges = tree(names, resolve("overlap", "words"))
    assert len(set(cut(names, merges, 0.5).values())) == 2
    assert len(set(cut(names, merges, 0.55).values())) == 1


@pytest.mark.parametrize("names", [[], ["ann"]])
def test_nothing_to_merge(names: list[str]) -> None:
    assert list(cut(names, tree(names, resolve("overlap")), 0.5)) == names


def test_as_a_linker() -> None:
    text = "Pedro Pérez Rodríguez, PÉREZ, Pedro, Pedro Gómez, Acme Ltd."
    spans = [(0, 21), (23, 35), (37, 48)]
    mentions = [Mention(*span, "PERSON", entity_id="old") for span in spans] + [Mention(50, 59, "ORG")]
    linked = relink(Document.from_text(text, "x", mentions), by_distance(resolve("overlap", "words"), 0.45))
    assert [m.entity_id for m in linked.mentions] == ["person-1", "person-1", "person-2", "org-1"]
