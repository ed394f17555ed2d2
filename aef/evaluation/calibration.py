"""A promise on what is missed: a threshold for which the expected miss is bounded, found on documents kept aside.

The loss of a document is the share of its entities that are missed (unit ``entities``), or 1 where one is missed at all
(unit ``documents``). An entity is found when every counting token of every mention of it is hidden
(`aef.evaluation.token_counts`); a document without entities has loss 0. Two methods bound its expectation, E, in a new
document:

- ``crc``, conformal risk control (Angelopoulos, Bates, Fisch, Lei and Schuster, "Conformal Risk Control", 2022,
  section 2): E is at most the stated miss *on average* over the draw of the calibration documents as well. A single
  calibration may be unlucky, and nothing is said of how often. Where even the lowest threshold misses too much and
  nothing is promised, that calibration counts as one without a miss in the average.
- ``ltt``, learn then test (Angelopoulos, Bates, Candès, Jordan and Lei, "Learn then Test", 2021): with the stated
  confidence over the draw of the calibration documents, E is at most the stated miss. Costs more false alarms or more
  documents. Thresholds are tested from the lowest up, each at the full level, until one fails (fixed-sequence testing).

Both hold whatever the model is worth, but only for documents drawn as the calibration documents were: the same court,
kind of ruling, time and way of annotating (exchangeable; independent for ``ltt``), which neither the model nor whoever
chose its features has seen. Neither bounds the miss of one given document, nor of the corpus's entities pooled.

Tagging is greedy and looks at its own labels, so that a lower threshold may, rarely, hide less. The loss at a threshold
is therefore taken as the largest at this or any lower one: monotone, and never below that of the tagging promised for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from math import ceil, exp, log, log1p
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.decoding import logistic
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.token_counts import Judged
from aef.tagging.promise import Promise, check, percent

if TYPE_CHECKING:
    from aef.tagging.finder import Finder

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

PRESET = "promise"
CUTS = np.round(np.linspace(-10, 3, 53), 2)
"""Cuts on the log-odds that are tried, fixed in advance: probabilities from 0.00005 to 0.95."""


def in_force(finder: Finder) -> Promise | None:
    """The promise a finder tags under: None where it has none or decides otherwise."""
    if finder.promise is None:
        return None
    promise = Promise.from_dict(finder.promise)
    kept = finder.cut == finder.cuts.get(PRESET) and finder.consistency == promise.consistency
    return promise if kept else None


def calibrate(
    finder: Finder,
    documents: Sequence[Document],
    miss: float,
    confidence: float | None = None,
    unit: str = "entities",
    method: str | None = None,
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> Curves:
    """Find the largest threshold that keeps the promise, and put it in force in the finder as the preset ``promise``.

    ``method``: by default ``ltt`` where a confidence is given, else ``crc``. Returns the curves it was chosen on.
    Raises `InputError` for figures that make no sense, documents the model learned from or that come twice, and a
    corpus too small, or a model too poor, for the promise: with the documents needed and the miss it would support.
    """
    method = method or ("crc" if confidence is None else "ltt")
    check(miss, confidence, unit, method)
    _check_documents(finder, documents)
    _check_size(len(documents), miss, confidence)
    curves = Curves.of(finder, documents, progress)
    losses = curves.losses(unit)
    chosen = choose(losses, miss, confidence, binary=unit == "documents")
    if chosen is None:
        raise InputError(_too_poor(losses[:, 0], miss, confidence, unit))
    cut = float(curves.cuts[chosen])
    threshold = float(logistic(cut))
    promise = Promise(unit, miss, confidence, method, len(documents), threshold, finder.target, finder.consistency)
    finder.cuts = {**finder.cuts, PRESET: cut}
    finder.promise = promise.to_dict()
    finder.set_preset(PRESET)
    return curves


# --- what is missed at which cut ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Curves:
    """What a finder's tagging is worth at each of c cuts, ascending, in each of n documents.

    ``entities``, shape (n,): the entities to hide. ``found``, ``hits``, ``alarms``, shape (n, c): the entities found,
    and the counting tokens hidden rightly and wrongly. ``tokens``, shape (n,): those to hide.
    """

    cuts: Floats
    entities: Ints
    tokens: Ints
    found: Ints
    hits: Ints
    alarms: Ints

    @classmethod
    def of(
        cls,
        finder: Finder,
        documents: Sequence[Document],
        progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
        cuts: Floats = CUTS,
    ) -> Curves:
        """Tag the documents at every cut; their mentions are not shown to the finder."""
        bare = [document.with_mentions(()) for document in documents]
        trial = copy(finder)
        counts = []
        for cut in progress(cuts.tolist()):
            trial.cut = cut
            tagged = zip(documents, trial.tag_all(bare), strict=True)
            counts.append([Judged(gold, found, finder.target, False).counts for gold, found in tagged])
        hits, alarms, missed, _, _, entities, found = np.transpose(np.array(counts), (2, 1, 0))
        return cls(cuts, entities[:, 0], hits[:, 0] + missed[:, 0], found, hits, alarms)

    def losses(self, unit: str) -> Floats:
        """The documents' losses, shape (n, c): in [0, 1], growing with the cut."""
        missed = (self.entities[:, None] - self.found).astype(np.float64)
        loss = (missed > 0) if unit == "documents" else missed / np.maximum(self.entities, 1)[:, None]
        return np.maximum.accumulate(loss.astype(np.float64), axis=1)

    def nearest(self, cut: float) -> int:
        """The number of the cut tried that is nearest to this one."""
        return int(np.argmin(np.abs(self.cuts - cut)))

    def precision(self, cut: int, documents: Ints | slice = slice(None)) -> float:
        """Of the tokens hidden at the cut of this number; 1 where none is."""
        hits, alarms = (int(counts[documents, cut].sum()) for counts in (self.hits, self.alarms))
        return hits / (hits + alarms) if hits + alarms else 1.0


# --- choosing -------------------------------------------------------------------------------------------------------


def choose(losses: Floats, miss: float, confidence: float | None, binary: bool) -> int | None:
    """The number of the largest cut that keeps the promise, None where none does; ``confidence`` None is ``crc``."""
    if confidence is None:
        return conformal_risk_control(losses, miss)
    return learn_then_test(losses, miss, confidence, binary)


def conformal_risk_control(losses: Floats, miss: float) -> int | None:
    """The number of the largest cut with n / (n + 1) * mean loss + 1 / (n + 1) <= miss.

    ``losses``, shape (n, c): of n documents at c ascending cuts, in [0, 1], growing along a row. None where no cut is
    low enough.
    """
    bounds = (losses.sum(axis=0) + 1) / (len(losses) + 1)
    kept = np.flatnonzero(bounds <= miss + ROUNDING)
    return int(kept[-1]) if len(kept) else None


def learn_then_test(losses: Floats, miss: float, confidence: float, binary: bool) -> int | None:
    """The number of the largest cut before the first whose p-value exceeds 1 - confidence; shapes as above."""
    passed = [p_value(loss, miss, binary) <= 1 - confidence + ROUNDING for loss in losses.T]
    first_failure = [*passed, False].index(False)
    return first_failure - 1 if first_failure else None


def p_value(losses: Floats, miss: float, binary: bool) -> float:
    """Of the hypothesis that the expected loss exceeds ``miss``, from n independent losses in [0, 1].

    ``binary``: they can be nothing but 0 or 1, and the binomial tail is exact. Otherwise the Hoeffding-Bentkus
    p-value ("Learn then Test", section 3).
    """
    from scipy.special import bdtr, rel_entr  # here, so that reading a model does without

    n, total = len(losses), float(losses.sum())
    if binary:
        return float(bdtr(round(total), n, miss))
    mean = min(total / n, miss)
    hoeffding = exp(-n * float(rel_entr(mean, miss) + rel_entr(1 - mean, 1 - miss)))
    bentkus = exp(1) * float(bdtr(ceil(total - ROUNDING), n, miss))
    return min(hoeffding, bentkus, 1.0)


ROUNDING = 1e-9


def documents_needed(miss: float, confidence: float | None) -> int:
    """How many documents a promise asks for at least, from a model that misses nothing."""
    if confidence is None:
        return ceil(1 / miss - 1 - ROUNDING)
    return ceil(log(1 - confidence) / log1p(-miss) - ROUNDING)


def smallest_miss(losses: Floats, confidence: float | None, binary: bool) -> float:
    """The smallest miss that documents with these losses, shape (n,), support; 1 where they support none."""
    from scipy.optimize import brentq

    n = len(losses)
    if confidence is None:
        return float((losses.sum() + 1) / (n + 1))
    low, high = float(losses.mean()), 1 - 1e-12

    def excess(miss: float) -> float:
        return p_value(losses, miss, binary) - (1 - confidence)

    return float(brentq(excess, max(low, 1e-12), high)) if excess(high) < 0 else 1.0


# --- refusals -------------------------------------------------------------------------------------------------------


def _check_documents(finder: Finder, documents: Sequence[Document]) -> None:
    known = [document.doc_id for document in documents if finder.trained_on(document)]
    if known:
        raise InputError(
            f"the model learned from {len(known)} of the {len(documents)} documents ({_some(known)}): what it misses "
            "there says nothing of new documents. Calibrate on documents kept aside from training"
        )
    times = Counter(document.text for document in documents)
    twice = [document.doc_id for document in documents if times[document.text] > 1]
    if twice:
        raise InputError(
            f"documents with the same text ({_some(twice)}) would count as several. Keep each document once"
        )

    if not any(Judged(document, document, finder.target, False).mentions for document in documents):
        raise InputError(
            f"the {len(documents)} documents have no entity to hide for target '{finder.target}': nothing can be "
            "promised on them. Give a gold corpus with mentions"
        )


def _some(ids: Sequence[str], limit: int = 3) -> str:
    return ", ".join(map(repr, ids[:limit])) + (" ..." if len(ids) > limit else "")


def _check_size(n: int, miss: float, confidence: float | None) -> None:
    needed = documents_needed(miss, confidence)
    if n < needed:
        least = smallest_miss(np.zeros(n), confidence, True) if n else 1.0
        remedy = f", or promise a miss of {_upwards(least)} or more" if _upwards(least) < 1 else ""
        raise InputError(
            f"{n} documents are too few to promise a miss of {miss}{_with(confidence)}, even for a model that misses "
            f"nothing: use {needed} documents or more{remedy}"
        )


def _too_poor(losses: Floats, miss: float, confidence: float | None, unit: str) -> str:
    least = _upwards(smallest_miss(losses, confidence, unit == "documents"))
    what = "of a document's entities are missed" if unit == "entities" else "of the documents have a missed entity"
    remedy = f"promise a miss of {least} or more, or " if least < 1 else ""
    return (
        f"a miss of {miss}{_with(confidence)} cannot be promised: at the lowest threshold tried "
        f"{percent(losses.mean())} {what} ({len(losses)} documents). To go on, {remedy}calibrate on more "
        "documents or train a better model"
    )


def _with(confidence: float | None) -> str:
    return "" if confidence is None else f" with confidence {confidence}"


def _upwards(miss: float) -> float:
    """To three decimals, never down."""
    return ceil(miss * 1000 - 1e-6) / 1000
