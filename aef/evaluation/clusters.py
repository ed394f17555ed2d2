"""Clusterings compared: how well the mentions that a linker says to be one person are one person.

A clustering maps mentions (anything hashable: offsets, numbers) to entities. The metrics and their sources:

- ``muc`` (Vilain et al. 1995), with PSILENCE's treatment of singletons (section 6): an entity of one mention is one
  decision, right where the other side has it as an entity of one mention, too. Without it a ruling whose people are
  each named once could not be judged at all.
- ``b_cubed`` (Bagga and Baldwin 1998), ``ceaf_e`` (Luo 2005, with phi 4), ``conll``: the mean of the F1 of the three
  (Pradhan et al. 2012).
- ``lea`` (Moosavi and Strube 2016), a singleton having one link, to itself.
- ``blanc`` (Recasens and Hovy 2011; Luo et al. 2014 for mentions found by a system): the mean over links and
  non-links, a kind that neither side has being left out.
- ``homogeneity``, ``completeness``, ``v_measure``, ``ari`` of scikit-learn, and ``accuracy``, the share of documents
  without any error: those of Garat and Wonsever 2022. The first four look at the mentions that both sides have.

Macro figures are means over documents with a mention. Micro figures come from sums over the corpus; the entities of
different documents are then different entities.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment
from sklearn import metrics

from aef.corpus_tools.document import Document, Mention

Clustering = Mapping[Any, Hashable]
Cluster = frozenset[Any]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Recall and precision before the division, so that documents can be summed."""

    hit: float
    wanted: float
    right: float
    given: float

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(
            self.hit + other.hit, self.wanted + other.wanted, self.right + other.right, self.given + other.given
        )

    @property
    def defined(self) -> bool:
        return bool(self.wanted or self.given)

    @property
    def recall(self) -> float:
        return self.hit / self.wanted if self.wanted else 0.0

    @property
    def precision(self) -> float:
        return self.right / self.given if self.given else 0.0

    @property
    def f1(self) -> float:
        total = self.recall + self.precision
        return 2 * self.recall * self.precision / total if total else 0.0


Metric = Callable[[Clustering, Clustering], tuple[Ratio, ...]]
METRICS: dict[str, Metric] = {}
"""The metrics of coreference by name; a metric of several ratios is the mean of those that are defined."""

CONLL = ("muc", "b_cubed", "ceaf_e")
CLUSTERING = ("homogeneity", "completeness", "v_measure", "ari")
FIGURES = (*CONLL, "conll", "lea", "blanc", *CLUSTERING, "accuracy")


def metric(function: Metric) -> Metric:
    """Register a metric of coreference under the function's name."""
    METRICS[function.__name__] = function
    return function


def clusters(clustering: Clustering) -> list[Cluster]:
    """The entities as sets of mentions."""
    members: dict[Hashable, set[Any]] = defaultdict(set)
    for mention, entity in clustering.items():
        members[entity].add(mention)
    return list(map(frozenset, members.values()))


# --- metrics of coreference -----------------------------------------------------------------------------------------


@metric
def muc(key: Clustering, response: Clustering) -> tuple[Ratio, ...]:
    """Links that would have to be added (recall) or taken away (precision); a singleton is one decision (PSILENCE)."""
    return (Ratio(*_links_kept(key, response), *_links_kept(response, key)),)


def _links_kept(one: Clustering, other: Clustering) -> tuple[int, int]:
    alone = {mention for cluster in clusters(other) if len(cluster) == 1 for mention in cluster}
    kept = wanted = 0
    for cluster in clusters(one):
        wanted += max(len(cluster) - 1, 1)
        kept += len(cluster) - len(_parts(cluster, other)) if len(cluster) > 1 else len(cluster & alone)
    return kept, wanted


def _parts(cluster: Cluster, other: Clustering) -> set[tuple[bool, Hashable]]:
    """The entities of the other side the cluster falls into; a mention that is not there is a part of its own."""
    return {(True, other[mention]) if mention in other else (False, mention) for mention in cluster}


@metric
def b_cubed(key: Clustering, response: Clustering) -> tuple[Ratio, ...]:
    """For each mention the share of its entity's mentions that stand with it on the other side."""
    return (Ratio(*_shared(key, response), *_shared(response, key)),)


def _shared(one: Clustering, other: Clustering) -> tuple[float, int]:
    sizes: dict[tuple[Hashable, Hashable], int] = defaultdict(int)
    for mention in one.keys() & other.keys():
        sizes[one[mention], other[mention]] += 1
    whole = {one[next(iter(cluster))]: len(cluster) for cluster in clusters(one)}
    return sum(size * size / whole[entity] for (entity, _), size in sizes.items()), len(one)


@metric
def ceaf_e(key: Clustering, response: Clustering) -> tuple[Ratio, ...]:
    """The best assignment of entities to entities, by the share of mentions in common (phi 4)."""
    wanted, given = clusters(key), clusters(response)
    similar = np.array([[2 * len(a & b) / (len(a) + len(b)) for b in given] for a in wanted]).reshape(len(wanted), -1)
    total = float(similar[linear_sum_assignment(similar, maximize=True)].sum())
    return (Ratio(total, len(wanted), total, len(given)),)


@metric
def lea(key: Clustering, response: Clustering) -> tuple[Ratio, ...]:
    """For each entity the share of its links that are there on the other side, weighted by its mentions."""
    return (Ratio(*_resolved(key, response), *_resolved(response, key)),)


def _resolved(one: Clustering, other: Clustering) -> tuple[float, int]:
    alone = {mention for cluster in clusters(other) if len(cluster) == 1 for mention in cluster}
    total = 0.0
    for cluster in clusters(one):
        if len(cluster) == 1:
            total += len(cluster & alone)
        else:
            total += len(cluster) * _pairs(_sizes(cluster, other)) / _pairs([len(cluster)])
    return total, len(one)


def _sizes(cluster: Collection[Any], other: Clustering) -> list[int]:
    """How many of the mentions each entity of the other side has."""
    sizes: dict[Hashable, int] = defaultdict(int)
    for mention in cluster:
        if mention in other:
            sizes[other[mention]] += 1
    return list(sizes.values())


def _pairs(sizes: Iterable[int]) -> int:
    return sum(size * (size - 1) // 2 for size in sizes)


@metric
def blanc(key: Clustering, response: Clustering) -> tuple[Ratio, ...]:
    """Pairs of mentions that are linked, and pairs that are not, each with recall and precision."""
    both = key.keys() & response.keys()
    links = _pairs([n for cluster in clusters(key) for n in _sizes(cluster, response)])
    linked = [_pairs(map(len, clusters(side))) for side in (key, response)]
    common = [_pairs(_sizes(both, side)) for side in (key, response)]  # links inside the mentions both have
    apart = _pairs([len(both)]) - sum(common) + links
    unlinked = [_pairs([len(side)]) - n for side, n in zip((key, response), linked, strict=True)]
    return Ratio(links, linked[0], links, linked[1]), Ratio(apart, unlinked[0], apart, unlinked[1])


# --- documents and corpora ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """``macro``, ``micro`` and ``documents`` (in order; only those with a mention): figures by name, 0 to 1.

    The names are `FIGURES`; those of coreference come with ``_recall`` and ``_precision``, too. ``counts``: documents,
    mentions and entities of the key.
    """

    macro: dict[str, float]
    micro: dict[str, float]
    documents: list[dict[str, float]]
    counts: dict[str, int]


def evaluate(keys: Sequence[Clustering], responses: Sequence[Clustering]) -> Evaluation:
    """Compare clusterings, document by document. Raises `ValueError` where there is no mention at all."""
    pairs = [(k, r) for k, r in zip(keys, responses, strict=True) if k or r]
    if not pairs:
        raise ValueError("no mention to compare")
    documents = [figures(k, r) for k, r in pairs]
    macro = {name: fmean(document[name] for document in documents) for name in documents[0]}
    micro = _figures([_ratios(k, r) for k, r in pairs], *_pooled(pairs)) | {"accuracy": macro["accuracy"]}
    entities = sum(len(set(k.values())) for k, _ in pairs)
    counts = {"documents": len(pairs), "mentions": sum(len(k) for k, _ in pairs), "entities": entities}
    return Evaluation(macro, micro, documents, counts)


def figures(key: Clustering, response: Clustering) -> dict[str, float]:
    """The figures of one document."""
    return _figures([_ratios(key, response)], key, response)


def _ratios(key: Clustering, response: Clustering) -> dict[str, tuple[Ratio, ...]]:
    return {name: function(key, response) for name, function in METRICS.items()}


def _pooled(pairs: Iterable[tuple[Clustering, Clustering]]) -> tuple[Clustering, Clustering]:
    """The clusterings of several documents as one."""
    key: dict[Any, Hashable] = {}
    response: dict[Any, Hashable] = {}
    for number, sides in enumerate(pairs):
        for pooled, side in zip((key, response), sides, strict=True):
            pooled |= {(number, mention): (number, entity) for mention, entity in side.items()}
    return key, response


def _figures(ratios: Sequence[dict[str, tuple[Ratio, ...]]], key: Clustering, response: Clustering) -> dict[str, float]:
    same = set(clusters(key)) == set(clusters(response))
    found: dict[str, float] = {}
    for name in METRICS:
        summed = [sum(parts[1:], parts[0]) for parts in zip(*(r[name] for r in ratios), strict=True)]
        defined = [ratio for ratio in summed if ratio.defined]
        for figure, suffix in (("f1", ""), ("recall", "_recall"), ("precision", "_precision")):
            found[name + suffix] = fmean(getattr(r, figure) for r in defined) if defined else float(same)
    found["conll"] = fmean(found[name] for name in CONLL)
    return found | _clustering(key, response) | {"accuracy": float(same)}


def _clustering(key: Clustering, response: Clustering) -> dict[str, float]:
    both = [mention for mention in key if mention in response]
    sides = [_numbered([side[mention] for mention in both]) for side in (key, response)]
    values = (*metrics.homogeneity_completeness_v_measure(*sides), metrics.adjusted_rand_score(*sides))
    return dict(zip(CLUSTERING, map(float, values), strict=True))


def _numbered(labels: Iterable[Hashable]) -> list[int]:
    numbers: dict[Hashable, int] = {}
    return [numbers.setdefault(label, len(numbers)) for label in labels]


def clustering_of(document: Document, chosen: Callable[[Mention], bool] = lambda _: True) -> dict[Any, Hashable]:
    """The clustering of a document's mentions, by offsets; a mention without an entity id is its own entity."""
    return {(m.start, m.end): m.entity_id or (m.start, m.end) for m in document.mentions if chosen(m)}
