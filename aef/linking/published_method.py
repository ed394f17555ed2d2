"""The published linking of names: agglomerative clustering over string distances (Garat and Wonsever 2022, section 6).

The different names of a document, normalized, are clustered with average linkage until the nearest clusters are at
the threshold or farther apart. Titles are no part of the names, as in their corpus.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage

from aef.corpus_tools.document import Document, Mention
from aef.linking.person import Person, Place
from aef.names.distances import Function
from aef.names.parts import PERSON, core, fold, name_words

Tree = NDArray[np.float64]
"""Merges as `scipy.cluster.hierarchy.linkage` has them, shape (names - 1, 4)."""

_SMALL = 1e-9  # distances that differ by rounding are the same


def normalized(text: str, start: int, end: int, language: str = "en") -> str:
    """A mention's name as the paper compares it: lower case, no accents, "SURNAMES, Given" in order; no title.

    >>> normalized("Sra. PÉREZ CABRERA, María José", 5, 30)
    'maria jose perez cabrera'
    """
    low, high = core(text, start, end, PERSON, language)
    words = [word for raw in name_words(text[low:high]) if (word := fold(raw))]
    return " ".join(words) or " ".join(text[start:end].lower().split())


def tree(names: Sequence[str], distance: Function) -> Tree:
    """The merges of different names, nearest first, by average linkage."""
    if len(names) < 2:
        return np.empty((0, 4))
    between = [distance(a, b) for a, b in combinations(names, 2)]
    found: Tree = linkage(np.array(between), method="average")
    return found


def cut(names: Sequence[str], merges: Tree, threshold: float) -> dict[str, int]:
    """The cluster of each name: what is nearer than the threshold is together (at it, apart, as in scikit-learn)."""
    if len(names) < 2:
        return dict.fromkeys(names, 1)
    return dict(zip(names, fcluster(merges, threshold - _SMALL, criterion="distance").tolist(), strict=True))


def by_distance(distance: Function, threshold: float) -> Callable[[Document, Sequence[Mention]], dict[Place, Person]]:
    """The published method as a linker of persons for `aef.linking.linker.relink`."""

    def link(document: Document, mentions: Sequence[Mention]) -> dict[Place, Person]:
        names = {(m.start, m.end): normalized(document.text, m.start, m.end, document.language) for m in mentions}
        different = sorted(set(names.values()))
        clusters = cut(different, tree(different, distance), threshold)
        people = {cluster: Person() for cluster in clusters.values()}
        return {place: people[clusters[name]] for place, name in names.items()}

    return link
