"""Evaluation: how much of what must be hidden was hidden, and what else was.

Counted are tokens, mentions, entities, terms and documents, so that figures compare across tokenizers:

- A counting token is a ``\\w+`` run of the text, except the titles Mr, Mrs, Ms, Miss, Dr, Messrs (annotators put them
  inside a mention, house rules leave them in clear). It is gold if one of its characters is inside a gold target
  mention, and predicted if it lies wholly inside predicted mentions (their union).
- A mention is found when all its counting tokens are predicted; an entity (the mentions of a document that share an
  ``entity_id``; a mention without one is its own) when all its mentions are. Mentions without a counting token are
  left out.
- The target chooses the mentions on both sides: for ``person``, what a system says to be a place or a date is no
  prediction.
- F2 has beta = 2. The "F2" printed in the AEF thesis is 3PR / (2P + R), here ``f2_thesis``.
- A quotient with an empty denominator is 0 (scikit-learn's ``zero_division=0``). A document without anything to judge
  (no gold and no predicted token; for entities: no entity) is left out of the macro average.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document
from aef.judged import Finding, Judged, entity_key, judge
from aef.mention_matching import Matches, match_mentions
from aef.tables import table
from aef.targets import TARGETS, TITLES, target_mentions

__all__ = ["COUNTS", "FIGURES", "TARGETS", "TITLES", "Evaluation", "Finding", "evaluate", "figures", "target_mentions"]

COUNTS = ("tp", "fp", "fn", "mentions", "mentions_found", "entities", "entities_found")
FIGURES = ("precision", "recall", "f1", "f2", "f2_thesis", "entity_recall", "mention_recall")
LEVEL = 95.0
"""The confidence level of the intervals, percent."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


# --- figures from counts --------------------------------------------------------------------------------------------


def figures(counts: NDArray[Any]) -> dict[str, Floats]:
    """The `FIGURES` of counts of shape (..., 7), columns as in `COUNTS`; each of shape (...)."""
    tp, fp, fn, mentions, mentions_found, entities, entities_found = np.moveaxis(np.asarray(counts, np.float64), -1, 0)
    return {
        "precision": _quotient(tp, tp + fp),
        "recall": _quotient(tp, tp + fn),
        "f1": _f(tp, fp, fn, 1),
        "f2": _f(tp, fp, fn, 4),
        "f2_thesis": _f(tp, fp, fn, 2),
        "entity_recall": _quotient(entities_found, entities),
        "mention_recall": _quotient(mentions_found, mentions),
    }


def _f(tp: Floats, fp: Floats, fn: Floats, beta_squared: int) -> Floats:
    """(1 + b) P R / (b P + R), with b = beta squared."""
    return _quotient((1 + beta_squared) * tp, (1 + beta_squared) * tp + beta_squared * fn + fp)


def _quotient(above: Floats, below: Floats) -> Floats:
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def _macro(counts: Ints) -> dict[str, float]:
    """The means over the documents in which there is something to judge."""
    judged = {"entity_recall": counts[:, 5] > 0, "mention_recall": counts[:, 3] > 0}
    tokens = counts[:, :3].any(axis=1)
    values = figures(counts)
    return {name: _mean(values[name][judged.get(name, tokens)]) for name in FIGURES}


def _mean(values: Floats) -> float:
    return float(values.mean()) if len(values) else 0.0


def _intervals(counts: Ints, samples: int, seed: int) -> dict[str, tuple[float, float]]:
    """Percentile bootstrap over documents of the micro figures; empty for fewer than two documents."""
    n = len(counts)
    if samples < 1 or n < 2:
        return {}
    drawn = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=samples)  # how often each document
    bounds = [(100 - LEVEL) / 2, (100 + LEVEL) / 2]
    low_high = {name: np.percentile(values, bounds) for name, values in figures(drawn @ counts).items()}
    return {name: (float(low), float(high)) for name, (low, high) in low_high.items()}


# --- terms ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Distinct terms and occurrences, per document and summed (AEF thesis, Tables 3.9 to 3.13)."""

    distinct: int
    occurrences: int
    distinct_found: int
    occurrences_found: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What an editor's list would hold: the terms to hide (a term is a mention's counting tokens) and the wrong ones.

    ``by_type`` has the gold terms of each entity type ("" where it is unknown). A term is found when one of its
    occurrences is.
    """

    total: TermCounts
    by_type: dict[str, TermCounts]
    wrong_distinct: int
    wrong_occurrences: int


def _term_counts(judged: Sequence[Judged], entity_type: str | None = None) -> TermCounts:
    occurrences: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for number, document in enumerate(judged):
        for mention, tokens in document.mentions:
            if entity_type is None or (mention.entity_type or "") == entity_type:
                occurrences[number, document.term(tokens)].append(document.is_found(tokens))
    found = list(occurrences.values())
    return TermCounts(len(found), sum(map(len, found)), sum(map(any, found)), sum(map(sum, found)))


def _terms(judged: Sequence[Judged]) -> Terms:
    types = sorted({m.entity_type or "" for document in judged for m, _ in document.mentions})
    wrong = [(i, document.term(run)) for i, document in enumerate(judged) for run in document.wrong()]
    by_type = {kind: _term_counts(judged, kind) for kind in types}
    return Terms(_term_counts(judged), by_type, len(set(wrong)), len(wrong))


# --- types ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class TypeCounts:
    """What was found of one entity type; an entity counts with its mentions of the type."""

    tokens: int
    tokens_found: int
    mentions: int
    mentions_found: int
    entities: int
    entities_found: int


def _type_counts(judged: Sequence[Judged], entity_type: str) -> TypeCounts:
    counts = np.zeros(6, np.int64)
    for document in judged:
        tokens: set[int] = set()
        entities: dict[Any, bool] = {}
        mentions = []
        for i, (mention, own) in enumerate(document.mentions):
            if (mention.entity_type or "") == entity_type:
                key, found = entity_key(mention, i), document.is_found(own)
                tokens.update(own)
                mentions.append(found)
                entities[key] = entities.get(key, True) and found
        found_tokens = int(document.found[sorted(tokens)].sum())
        counts += [len(tokens), found_tokens, len(mentions), sum(mentions), len(entities), sum(entities.values())]
    return TypeCounts(*counts.tolist())


# --- the corpus -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DocumentRow:
    """The counts and figures of one document; fractions, not percent."""

    doc_id: str
    tp: int
    fp: int
    fn: int
    mentions: int
    mentions_found: int
    entities: int
    entities_found: int
    precision: float
    recall: float
    f1: float
    f2: float
    f2_thesis: float
    entity_recall: float
    mention_recall: float


class Evaluation:
    """The figures of a system on a corpus; fractions, not percent.

    ``counts``: the sums of `COUNTS`. ``micro``: `FIGURES` of the sums; ``intervals``: their bootstrap intervals (none
    for a single document); ``macro``: means over documents. ``terms``: see `Terms`. ``documents``: a row a document.
    ``documents_without_miss``: in how many no gold token was missed. ``by_type``: recall's counts for each entity type
    of the gold mentions ("" where it is unknown). ``matches``: mentions whatever their type, ``typed_matches``: with
    the same type (see `aef.mention_matching`). ``judged``: the documents, for further figures.
    """

    def __init__(self, judged: Sequence[Judged], target: str, bootstrap: int, seed: int) -> None:
        self.judged = judged
        self.target = target
        self._counts = np.array([d.counts for d in judged], np.int64).reshape(-1, len(COUNTS))
        total = self._counts.sum(axis=0)
        self.counts = dict(zip(COUNTS, total.tolist(), strict=True))
        self.micro = {name: float(value) for name, value in figures(total).items()}
        self.macro = _macro(self._counts)
        self.intervals = _intervals(self._counts, bootstrap, seed)
        self.documents_without_miss = int((self._counts[:, COUNTS.index("fn")] == 0).sum())

    @cached_property
    def terms(self) -> Terms:
        return _terms(self.judged)

    @cached_property
    def documents(self) -> list[DocumentRow]:
        values = np.stack(list(figures(self._counts).values()), axis=-1)
        return [
            DocumentRow(d.document.doc_id, *counts, *row)
            for d, counts, row in zip(self.judged, self._counts.tolist(), values.tolist(), strict=True)
        ]

    @cached_property
    def by_type(self) -> dict[str, TypeCounts]:
        kinds = sorted({m.entity_type or "" for document in self.judged for m, _ in document.mentions})
        return {kind: _type_counts(self.judged, kind) for kind in kinds}

    @cached_property
    def matches(self) -> dict[str, Matches]:
        return match_mentions(self.judged)

    @cached_property
    def typed_matches(self) -> dict[str, Matches] | None:
        """None where the system gives no mention a type, or the gold corpus none."""
        gold = any(self.by_type)
        return match_mentions(self.judged, typed=True) if gold and self._system_types() else None

    def _system_types(self) -> bool:
        return any(mention.entity_type for document in self.judged for mention in document.hidden)

    def worst(self) -> list[int]:
        """The numbers of the documents, the lowest F2 first (then the most missed); without anything to judge, last."""
        rows = self.documents
        return sorted(range(len(rows)), key=lambda i: _goodness(rows[i]))

    def misses(self, width: int = 40) -> list[Finding]:
        """The gold mentions that were not hidden wholly, with up to ``width`` characters around them."""
        return [
            document.finding(mention.start, mention.end, mention.entity_type, width)
            for document in self.judged
            for mention, tokens in document.mentions
            if not document.is_found(tokens)
        ]

    def false_alarms(self, width: int = 40) -> list[Finding]:
        """What was hidden and should not have been: runs of wrong tokens, with the text around them."""
        return [
            document.finding(int(document.starts[run.start]), int(document.ends[run.stop - 1]), None, width)
            for document in self.judged
            for run in document.wrong()
        ]

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:
        """Everything but the misses, for JSON."""
        result = {
            "target": self.target,
            "documents": len(self.judged),
            "documents_without_miss": self.documents_without_miss,
            "counts": self.counts,
            "micro": self.micro,
            "intervals": {name: list(bounds) for name, bounds in self.intervals.items()},
            "macro": self.macro,
            "terms": asdict(self.terms),
            "by_type": {kind: asdict(counts) for kind, counts in self.by_type.items()},
            "matches": {way: asdict(match) for way, match in self.matches.items()},
        }
        if self.typed_matches:
            result["typed_matches"] = {way: asdict(match) for way, match in self.typed_matches.items()}
        return result | ({"per_document": [asdict(row) for row in self.documents]} if per_document else {})

    def table(self) -> str:
        """The figures in percent, as a plain text table, and the counts below it."""
        return "\n".join([table(self.rows(), self.header()), "", *self.lines()])

    def header(self) -> list[str]:
        return [f"target: {self.target}", "micro", f"{LEVEL:.0f}% interval", "macro"]

    def rows(self) -> list[list[Any]]:
        """The rows below `header`."""
        return [[FIGURE_NAMES[f], 100 * self.micro[f], self._interval(f), 100 * self.macro[f]] for f in FIGURES]

    def type_table(self) -> str:
        """Recall for each entity type of the gold mentions, in percent, as a plain text table."""
        return table(self.type_rows(), TYPE_HEADER)

    def type_rows(self) -> list[list[Any]]:
        """The rows below `TYPE_HEADER`."""
        return [[kind or "(no type)", *_recalls(counts)] for kind, counts in self.by_type.items()]

    def match_table(self) -> str:
        """Precision, recall and F1 of mentions, in percent, as a plain text table."""
        return table(self.match_rows(), MATCH_HEADER)

    def match_rows(self) -> list[list[Any]]:
        """The rows below `MATCH_HEADER`; those with the same type only where they say something else."""
        typed = self.typed_matches if len(self.by_type) > 1 else None
        named = [(_WAYS[way], match) for way, match in self.matches.items()]
        named += [(f"{_WAYS[way]}, same type", match) for way, match in (typed or {}).items()]
        return [[name, *(100 * x for x in (m.precision, m.recall, m.f1))] for name, m in named]

    def _interval(self, figure: str) -> str:
        low, high = self.intervals.get(figure, (None, None))
        return "" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"

    def lines(self) -> Iterator[str]:
        """The counts, a sentence each."""
        c, terms = self.counts, self.terms
        total = terms.total
        yield f"tokens: {c['tp']} hidden rightly, {c['fn']} missed, {c['fp']} hidden wrongly"
        yield f"entities: {c['entities_found']} of {c['entities']} hidden in every mention"
        yield f"documents without a miss: {self.documents_without_miss} of {len(self.judged)}"
        yield (
            f"terms: {total.distinct_found} of {total.distinct} found, {total.occurrences_found} of "
            f"{total.occurrences} occurrences; wrong: {terms.wrong_distinct}, {terms.wrong_occurrences} occurrences"
        )


FIGURE_NAMES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "f2": "F2",
    "f2_thesis": "F2 as the thesis prints it",
    "entity_recall": "entity recall",
    "mention_recall": "mention recall",
}


TYPE_HEADER = ("type", "tokens", "recall", "mentions", "recall", "entities", "recall")
MATCH_HEADER = ("mentions", "precision", "recall", "F1")
_WAYS = {"exact": "exact", "half": "at least half", "overlap": "overlapping"}


def _recalls(counts: TypeCounts) -> list[float]:
    pairs = (
        (counts.tokens, counts.tokens_found),
        (counts.mentions, counts.mentions_found),
        (counts.entities, counts.entities_found),
    )
    return [x for whole, part in pairs for x in (whole, 100 * part / whole)]


def _goodness(row: DocumentRow) -> tuple[bool, float, int]:
    judged = row.tp + row.fp + row.fn > 0
    return not judged, row.f2, -row.fn


def evaluate(
    gold: Sequence[Document],
    predicted: Sequence[Document],
    target: str = "person",
    bootstrap: int = 1000,
    seed: int = 0,
    *,
    once: bool = False,
) -> Evaluation:
    """Compare gold documents with the same documents as a system tagged them.

    ``target`` chooses the mentions that count on both sides. ``bootstrap`` samples of documents, drawn with ``seed``,
    give the intervals (0: none). ``once``: the thesis's criterion that a word tagged once in a document counts as
    found wherever it must be hidden there (section 3.6). Raises `InputError` where documents or texts differ.
    """
    return Evaluation(judge(gold, predicted, target, once=once), target, bootstrap, seed)
