"""Does the promise hold? Calibrated on half of the judgments and tried on the other half, over many random splits.

``python -m aef.experiments.promise [--data FOLDER] [--splits N] [--miss M...] [--confidence C...] [--short]``. The
judgments of the Text Anonymization Benchmark (train and dev) are tagged out of fold once (5 folds by document, the
finder's own features), at every cut; splitting, calibrating and testing then only look figures up. The folds' five
models stand in for the one model that a court calibrates.

Conformal risk control promises that the other half's miss is on average at most the miss, a split without a promise
counted as none; learn then test that the expected miss exceeds it in at most a share of 1 - confidence of the
calibrations. The columns, over the splits:

- ``none``: how often nothing could be promised;
- ``mean miss``: of the other half; ``promised``: the same without the splits in which nothing was promised. Where these
  are many, the half on which a promise could be made is the half without the hard judgments: they are in the other;
- ``half over``: how often the other half's miss was above the promised one. That miss varies by chance around the
  expected one (some 57 documents), so that this share may be above 1 - confidence with the promise kept;
- ``over``: how often the expected miss was above it, where all judgments are the population, and as many documents as
  a half are drawn from it with replacement: the setting of the theorem, in which the expected miss is known;
- ``may be``: 1 - confidence, which ``over`` must not exceed;
- ``P``: precision of the tokens hidden in the other half. The line above the table has the precision at the threshold
  with the best F2.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.evaluation.calibration import CUTS, ROUNDING, Curves, choose, documents_needed
from aef.evaluation.folds import document_folds
from aef.experiments.data import add_data, judgments, run_study
from aef.tagging.finder import Finder
from aef.tagging.promise import UNITS

HEADER = ["target", "unit", "miss", "confidence", "none", "mean miss", "promised", "half over", "over", "may be", "P"]


def out_of_fold(documents: Sequence[Document], target: str, seed: int, cuts: np.ndarray[Any, Any] = CUTS) -> Curves:
    """Each document's figures at every cut, tagged by a model that has not seen it."""
    folds = document_folds(len(documents), 5, seed)
    parts = []
    for fold in progress(folds, f"folds, {target}"):
        unseen = set(fold.tolist())
        finder = Finder(target=target, threshold=0.5).fit([d for i, d in enumerate(documents) if i not in unseen])
        parts.append(Curves.of(finder, [documents[i] for i in fold], cuts=cuts))
    order = np.argsort(np.concatenate(folds))
    names = ("entities", "tokens", "found", "hits", "alarms")
    return Curves(cuts, *(np.concatenate([getattr(part, name) for part in parts])[order] for name in names))


@dataclass(frozen=True)
class Kept:
    """Of splits: the share without a promise, mean miss (also of those with one), shares that went over, precision."""

    none: float
    miss: float
    promised: float
    half_over: float
    over: float
    precision: float


def try_out(curves: Curves, unit: str, miss: float, confidence: float | None, splits: int, seed: int) -> Kept:
    """Calibrate on a random half, test on the other, ``splits`` times; and as often on draws with replacement."""
    losses = curves.losses(unit)
    expected = losses.mean(axis=0)
    rng = np.random.default_rng(seed)
    rows, over = [], 0
    for _ in range(splits):
        calibration, test = np.array_split(rng.permutation(len(losses)), 2)
        drawn = rng.integers(len(losses), size=len(calibration))
        cut, other = (choose(losses[own], miss, confidence, unit == "documents") for own in (calibration, drawn))
        over += other is not None and bool(expected[other] > miss + ROUNDING)
        if cut is not None:
            rows.append((losses[test, cut].mean(), curves.precision(cut, test)))
    if not rows:
        return Kept(1.0, 0.0, np.nan, 0.0, over / splits, np.nan)
    tested, precision = np.array(rows).T
    half_over = float((tested > miss + ROUNDING).sum()) / splits
    means = float(tested.sum()) / splits, float(tested.mean())
    return Kept(1 - len(rows) / splits, *means, half_over, over / splits, float(precision.mean()))


def rows(
    curves: Curves, target: str, misses: Sequence[float], confidences: Sequence[float | None], splits: int, seed: int
) -> Iterator[list[Any]]:
    """The rows below `HEADER`, in percent; what half of the documents are too few for is left out."""
    half = (len(curves.entities) + 1) // 2
    for unit, miss, confidence in product(UNITS, misses, confidences):
        if documents_needed(miss, confidence) <= half:
            kept = try_out(curves, unit, miss, confidence, splits, seed)
            sure = ["crc", "-"] if confidence is None else [f"{100 * confidence:g}", 100 * (1 - confidence)]
            shares = [100 * x for x in (kept.none, kept.miss, kept.promised, kept.half_over, kept.over)]
            yield [target, unit, 100 * miss, sure[0], *shares, sure[1], 100 * kept.precision]


def precision_for_f2(curves: Curves) -> float:
    """The precision at the cut with the best F2 over all documents."""
    hits, alarms = curves.hits.sum(axis=0), curves.alarms.sum(axis=0)
    return curves.precision(int(np.argmax(5 * hits / (hits + alarms + 4 * curves.tokens.sum()))))


def report(
    documents: Sequence[Document],
    targets: Sequence[str],
    misses: Sequence[float],
    confidences: Sequence[float],
    splits: int = 200,
    seed: int = 0,
) -> None:
    """Print the table for the documents."""
    print(f"{len(documents)} judgments, halves: {splits} random splits, seed {seed}; in percent")
    found: list[list[Any]] = []
    for target in targets:
        curves = out_of_fold(documents, target, seed)
        print(f"{target}: precision {100 * precision_for_f2(curves):.1f} at the threshold for F2")
        found += rows(curves, target, misses, [None, *confidences], splits, seed)
    print(table(found, HEADER))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "tab_en")
    parser.add_argument("--splits", type=int, default=200, help="random halves (default: 200)")
    parser.add_argument("--miss", type=float, nargs="+", default=[0.02, 0.05, 0.1, 0.2], help="promised shares")
    parser.add_argument("--confidence", type=float, nargs="+", default=[0.8, 0.9, 0.95], help="of learn then test")
    parser.add_argument("--seed", type=int, default=0, help="of the folds and the splits")
    parser.add_argument("--short", action="store_true", help="every third judgment, names of persons alone")
    arguments = parser.parse_args()
    documents = judgments(arguments.data / "tab_en")
    documents = documents[::3] if arguments.short else documents
    targets = ("person",) if arguments.short else ("person", "all")
    report(documents, targets, arguments.miss, arguments.confidence, arguments.splits, arguments.seed)


if __name__ == "__main__":
    run_study(main)
