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

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError

TITLES = frozenset({"Mr", "Mrs", "Ms", "Miss", "Dr", "Messrs"})
TARGETS = ("person", "all")
COUNTS = ("tp", "fp", "fn", "mentions", "mentions_found", "entities", "entities_found")
FIGURES = ("precision", "recall", "f1", "f2", "f2_thesis", "entity_recall", "mention_recall")
LEVEL = 95.0
"""The confidence level of the intervals, percent."""

_WORD = re.compile(r"\w+")

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def target_mentions(document: Document, target: str = "person") -> list[Mention]:
    """The masked mentions the target asks for: ``all``, or ``person`` (type PERSON or unknown).

    Raises `InputError` for another target.
    """
    if target not in TARGETS:
        raise InputError(f"unknown target {target!r}. Use one of {', '.join(TARGETS)}")
    masked = [m for m in document.mentions if m.masked]
    return masked if target == "all" else [m for m in masked if m.entity_type in ("PERSON", None)]


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


# --- one document ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Finding:
    """A miss or a false alarm: where it is, what it says, and the text around it."""

    doc_id: str
    start: int
    end: int
    text: str
    entity_type: str | None
    before: str
    after: str


class _Judged:
    """A gold document and its counting tokens: offsets, and which are gold and predicted; arrays of shape (n,)."""

    def __init__(self, gold: Document, predicted: Document, target: str, once: bool) -> None:
        spans = [m.span() for m in _WORD.finditer(gold.text) if m.group() not in TITLES]
        self.document = gold
        self.starts, self.ends = np.array(spans, np.int64).reshape(-1, 2).T
        found = target_mentions(predicted, target)
        self.gold: Bools = self._covered(target_mentions(gold, target)) > 0
        self.predicted: Bools = self._covered(found) == self.ends - self.starts
        self.stretches = np.searchsorted(_stretch_starts(found), self.starts, side="right")
        self.found = self._found_once() if once else self.predicted
        ordered = sorted(target_mentions(gold, target), key=lambda m: (m.start, -m.end))
        self.mentions = [(m, tokens) for m in ordered if (tokens := self.within(m.start, m.end))]

    def _covered(self, mentions: Iterable[Mention]) -> Ints:
        """How many characters of each token lie inside the mentions."""
        inside = np.zeros(len(self.document.text) + 1, np.int64)
        for mention in mentions:
            inside[mention.start + 1 : mention.end + 1] = 1
        total = np.cumsum(inside)
        return np.asarray(total[self.ends] - total[self.starts], np.int64)

    def within(self, start: int, end: int) -> range:
        """The tokens with a character between the offsets."""
        low = int(np.searchsorted(self.ends, start, side="right"))
        return range(low, max(low, int(np.searchsorted(self.starts, end, side="left"))))

    def word(self, token: int | np.intp) -> str:
        return self.document.text[self.starts[token] : self.ends[token]]

    def term(self, tokens: range) -> str:
        return " ".join(map(self.word, tokens))

    def _found_once(self) -> Bools:
        """Predicted, where a gold token also counts as found when the same word is predicted elsewhere."""
        tagged = {self.word(i) for i in np.flatnonzero(self.predicted)}
        found = self.predicted.copy()
        found[[i for i in np.flatnonzero(self.gold) if self.word(i) in tagged]] = True
        return found

    def is_found(self, tokens: range) -> bool:
        return bool(self.found[tokens.start : tokens.stop].all())

    @cached_property
    def counts(self) -> Ints:
        entities: dict[Any, bool] = {}
        for i, (mention, tokens) in enumerate(self.mentions):
            key = i if mention.entity_id is None else mention.entity_id
            entities[key] = entities.get(key, True) and self.is_found(tokens)
        found = sum(self.is_found(tokens) for _, tokens in self.mentions)
        masks = [self.gold & self.found, ~self.gold & self.found, self.gold & ~self.found]
        counts = [*map(np.count_nonzero, masks), len(self.mentions), found, len(entities), sum(entities.values())]
        return np.array(counts, np.int64)

    def wrong(self) -> list[range]:
        """The wrong terms: runs of predicted tokens that are not gold, each inside one predicted stretch."""
        runs: list[range] = []
        for i in map(int, np.flatnonzero(self.predicted & ~self.gold)):
            if runs and runs[-1].stop == i and self.stretches[i] == self.stretches[i - 1]:
                runs[-1] = range(runs[-1].start, i + 1)
            else:
                runs.append(range(i, i + 1))
        return runs

    def finding(self, start: int, end: int, entity_type: str | None, width: int) -> Finding:
        text = self.document.text
        around = " ".join(text[max(0, start - width) : start].split()), " ".join(text[end : end + width].split())
        return Finding(self.document.doc_id, start, end, text[start:end], entity_type, *around)


def _stretch_starts(mentions: Iterable[Mention]) -> list[int]:
    """Where the stretches begin that the mentions cover; a mention that overlaps the one before begins none."""
    starts: list[int] = []
    end = 0
    for mention in sorted(mentions, key=lambda m: (m.start, m.end)):
        starts += [mention.start] if mention.start >= end else []
        end = max(end, mention.end)
    return starts


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


def _term_counts(judged: Sequence[_Judged], entity_type: str | None = None) -> TermCounts:
    occurrences: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for number, document in enumerate(judged):
        for mention, tokens in document.mentions:
            if entity_type is None or (mention.entity_type or "") == entity_type:
                occurrences[number, document.term(tokens)].append(document.is_found(tokens))
    found = list(occurrences.values())
    return TermCounts(len(found), sum(map(len, found)), sum(map(any, found)), sum(map(sum, found)))


def _terms(judged: Sequence[_Judged]) -> Terms:
    types = sorted({m.entity_type or "" for document in judged for m, _ in document.mentions})
    wrong = [(i, document.term(run)) for i, document in enumerate(judged) for run in document.wrong()]
    by_type = {kind: _term_counts(judged, kind) for kind in types}
    return Terms(_term_counts(judged), by_type, len(set(wrong)), len(wrong))


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
    ``documents_without_miss``: in how many no gold token was missed.
    """

    def __init__(self, judged: Sequence[_Judged], target: str, bootstrap: int, seed: int) -> None:
        self._judged = judged
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
        return _terms(self._judged)

    @cached_property
    def documents(self) -> list[DocumentRow]:
        values = np.stack(list(figures(self._counts).values()), axis=-1)
        return [
            DocumentRow(d.document.doc_id, *counts, *row)
            for d, counts, row in zip(self._judged, self._counts.tolist(), values.tolist(), strict=True)
        ]

    def misses(self, width: int = 40) -> list[Finding]:
        """The gold mentions that were not hidden wholly, with up to ``width`` characters around them."""
        return [
            document.finding(mention.start, mention.end, mention.entity_type, width)
            for document in self._judged
            for mention, tokens in document.mentions
            if not document.is_found(tokens)
        ]

    def false_alarms(self, width: int = 40) -> list[Finding]:
        """What was hidden and should not have been: runs of wrong tokens, with the text around them."""
        return [
            document.finding(int(document.starts[run.start]), int(document.ends[run.stop - 1]), None, width)
            for document in self._judged
            for run in document.wrong()
        ]

    def to_dict(self, per_document: bool = False) -> dict[str, Any]:
        """Everything but the misses, for JSON."""
        result = {
            "target": self.target,
            "documents": len(self._judged),
            "documents_without_miss": self.documents_without_miss,
            "counts": self.counts,
            "micro": self.micro,
            "intervals": {name: list(bounds) for name, bounds in self.intervals.items()},
            "macro": self.macro,
            "terms": asdict(self.terms),
        }
        return result | ({"per_document": [asdict(row) for row in self.documents]} if per_document else {})

    def table(self) -> str:
        """The figures in percent, as a plain text table, and the counts below it."""
        from aef.commands.common import table

        rows = [[_NAMES[f], 100 * self.micro[f], self._interval(f), 100 * self.macro[f]] for f in FIGURES]
        header = [f"target: {self.target}", "micro", f"{LEVEL:.0f}% interval", "macro"]
        return "\n".join([table(rows, header), "", *self._lines()])

    def _interval(self, figure: str) -> str:
        low, high = self.intervals.get(figure, (None, None))
        return "" if low is None or high is None else f"{100 * low:.1f} to {100 * high:.1f}"

    def _lines(self) -> Iterator[str]:
        c, terms = self.counts, self.terms
        total = terms.total
        yield f"tokens: {c['tp']} hidden rightly, {c['fn']} missed, {c['fp']} hidden wrongly"
        yield f"entities: {c['entities_found']} of {c['entities']} hidden in every mention"
        yield f"documents without a miss: {self.documents_without_miss} of {len(self._judged)}"
        yield (
            f"terms: {total.distinct_found} of {total.distinct} found, {total.occurrences_found} of "
            f"{total.occurrences} occurrences; wrong: {terms.wrong_distinct}, {terms.wrong_occurrences} occurrences"
        )


_NAMES = {
    "precision": "precision",
    "recall": "recall",
    "f1": "F1",
    "f2": "F2",
    "f2_thesis": "F2 as the thesis prints it",
    "entity_recall": "entity recall",
    "mention_recall": "mention recall",
}


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
    judged = [_Judged(g, p, target, once) for g, p in _pairs(gold, predicted)]
    return Evaluation(judged, target, bootstrap, seed)


def _pairs(gold: Sequence[Document], predicted: Sequence[Document]) -> list[tuple[Document, Document]]:
    ids, others = [d.doc_id for d in gold], [d.doc_id for d in predicted]
    if ids != others:
        predicted = _in_order(ids, predicted)
    for one, other in zip(gold, predicted, strict=True):
        if one.text != other.text:
            raise InputError(
                f"document {one.doc_id!r}: the predictions are for another text ({len(other.text)} characters, the "
                f"gold text has {len(one.text)}). Tag the gold corpus's own texts"
            )
    return list(zip(gold, predicted, strict=True))


def _in_order(ids: Sequence[str], predicted: Sequence[Document]) -> list[Document]:
    known = {d.doc_id: d for d in predicted}
    missing = [i for i in ids if i not in known]
    unasked = sorted(known.keys() - set(ids))
    if missing or unasked or not len(set(ids)) == len(ids) == len(predicted):
        raise InputError(
            f"gold and predicted documents differ: {len(ids)} and {len(predicted)}; without prediction: "
            f"{_some(missing)}; not in the gold corpus: {_some(unasked)}. Each doc_id must be in both, once"
        )
    return [known[i] for i in ids]


def _some(ids: Sequence[str], limit: int = 5) -> str:
    return ", ".join(map(repr, ids[:limit])) + (f" and {len(ids) - limit} more" if len(ids) > limit else "") or "none"
