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

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from aef.corpus_tools.document import Document
from aef.evaluation.folds import System, tag_unseen
from aef.evaluation.mention_matching import Matches, match_mentions
from aef.evaluation.scores import COUNTS, FIGURES, LEVEL, figures, intervals, macro
from aef.evaluation.tables import table
from aef.evaluation.terms import Terms, TypeCounts, terms_of, type_counts
from aef.evaluation.token_counts import Finding, Judged, judge
from aef.tagging.targets import TARGETS, TITLES, target_mentions

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

__all__ = ["COUNTS", "FIGURES", "TARGETS", "TITLES", "Evaluation", "Finding", "evaluate", "figures", "target_mentions"]


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
    ``document_counts``: the counts of each, shape (n, 7), columns as in `COUNTS`.
    ``documents_without_miss``: in how many no gold token was missed. ``by_type``: recall's counts for each entity type
    of the gold mentions ("" where it is unknown). ``matches``: mentions whatever their type, ``typed_matches``: with
    the same type (see `aef.evaluation.mention_matching`). ``judged``: the documents, for further figures.
    """

    def __init__(self, judged: Sequence[Judged], target: str, bootstrap: int, seed: int) -> None:
        self.judged = judged
        self.target = target
        self.document_counts = np.array([d.counts for d in judged], np.int64).reshape(-1, len(COUNTS))
        total = self.document_counts.sum(axis=0)
        self.counts = dict(zip(COUNTS, total.tolist(), strict=True))
        self.micro = {name: float(value) for name, value in figures(total).items()}
        self.macro = macro(self.document_counts)
        self.intervals = intervals(self.document_counts, bootstrap, seed)
        self.documents_without_miss = int((self.document_counts[:, COUNTS.index("fn")] == 0).sum())

    @cached_property
    def terms(self) -> Terms:
        return terms_of(self.judged)

    @cached_property
    def documents(self) -> list[DocumentRow]:
        values = np.stack(list(figures(self.document_counts).values()), axis=-1)
        return [
            DocumentRow(d.document.doc_id, *counts, *row)
            for d, counts, row in zip(self.judged, self.document_counts.tolist(), values.tolist(), strict=True)
        ]

    @cached_property
    def by_type(self) -> dict[str, TypeCounts]:
        kinds = sorted({m.entity_type or "" for document in self.judged for m, _ in document.mentions})
        return {kind: type_counts(self.judged, kind) for kind in kinds}

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

    def to_frame(self, what: str = "figures") -> DataFrame:
        """A table of pandas: the ``figures`` in fractions, with intervals and means; or a row a document
        (``documents``), a type of entities (``types``), a miss (``misses``) or a false alarm (``false_alarms``)."""
        from pandas import DataFrame

        if what == "figures":
            low, high = ({name: bounds[i] for name, bounds in self.intervals.items()} for i in (0, 1))
            return DataFrame({"micro": self.micro, "low": low, "high": high, "macro": self.macro})
        if what == "types":
            return DataFrame.from_dict({kind: asdict(c) for kind, c in self.by_type.items()}, orient="index")
        rows: dict[str, Callable[[], Sequence[Any]]] = {
            "documents": lambda: self.documents,
            "misses": self.misses,
            "false_alarms": self.false_alarms,
        }
        return DataFrame([asdict(row) for row in rows[what]()])

    def plot(self) -> Figure:
        """The figures with their intervals, as a figure of matplotlib."""
        from aef.evaluation.plots import of_evaluation

        return of_evaluation(self)

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
    predicted: Sequence[Document] | System,
    target: str | None = None,
    bootstrap: int = 1000,
    seed: int = 0,
    *,
    once: bool = False,
) -> Evaluation:
    """Compare gold documents with the same documents as a system tagged them, or as this system tags them.

    ``target`` chooses the mentions that count on both sides (default: a system's own, else all). ``bootstrap`` samples
    of documents, drawn with ``seed``, give the intervals (0: none). ``once``: the thesis's criterion that a word tagged
    once in a document counts as found wherever it must be hidden there (section 3.6). Raises `InputError` where
    documents or texts differ.

    >>> from aef.corpus_tools.document import Mention
    >>> gold = Document.from_text("Ann Roe met Bo Lee.", mentions=[Mention(0, 7, "PERSON"), Mention(12, 18, "PERSON")])
    >>> found = evaluate([gold], [gold.with_mentions([Mention(0, 7, "PERSON")])])
    >>> found.micro["precision"], found.micro["recall"], [miss.text for miss in found.misses()]
    (1.0, 0.5, ['Bo Lee'])
    """
    tagged = predicted if isinstance(predicted, Sequence) else tag_unseen(predicted, gold)
    target = target or getattr(predicted, "target", None) or "all"
    return Evaluation(judge(gold, tagged, target, once=once), target, bootstrap, seed)
