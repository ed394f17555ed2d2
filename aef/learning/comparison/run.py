"""Cross-validation of several systems on the same folds, with what each costs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document
from aef.evaluation.folds import document_folds

Watch = Callable[[Sequence[Any]], Iterable[Any]]


@dataclass(frozen=True)
class Fold:
    """One fold: the held-out documents as tagged, seconds of wall-clock time, and the model's size in bytes.

    ``choosing`` is the part of ``training`` that chose the threshold, where the system says it; training and size are
    None for what learns nothing.
    """

    tagged: list[Document]
    training: float | None
    choosing: float | None
    tagging: float
    tokens: int
    size: int | None


@dataclass(frozen=True)
class Outcome:
    """A system's out-of-fold predictions, in the order of the documents, and its costs: medians over the folds.

    ``tokens_per_second`` is of tagging, tokenizing and features included.
    """

    name: str
    predicted: list[Document]
    training: float | None
    choosing: float | None
    tagging: float
    tokens_per_second: float
    size: int | None


def cross_validate_all(
    factories: Mapping[str, Callable[[], Any]],
    documents: Sequence[Document],
    folds: int = 5,
    seed: int = 0,
    n_jobs: int = 1,
    watch: Watch = iter,
) -> list[Outcome]:
    """An outcome a system; ``factories`` make fresh systems. ``n_jobs`` folds at a time, with the same predictions.

    ``watch`` wraps the pairs (system, fold's number), for a progress bar. Raises `InputError` as `document_folds` does.
    """
    from joblib import Parallel, delayed

    dealt = document_folds(len(documents), folds, seed)
    pairs = [(name, number) for name in factories for number in range(folds)]
    work = Parallel(n_jobs=n_jobs, return_as="generator")
    results = work(delayed(one_fold)(factories[name], documents, dealt[number]) for name, number in pairs)
    done: dict[str, list[Fold]] = {name: [] for name in factories}
    for (name, _), result in zip(watch(pairs), results, strict=True):
        done[name].append(result)
    return [_outcome(name, dealt, results) for name, results in done.items()]


def one_fold(factory: Callable[[], Any], documents: Sequence[Document], held_out: NDArray[np.int64]) -> Fold:
    """Fit to all but the held-out documents, and tag these. Nothing is tokenized beforehand."""
    unseen = set(held_out.tolist())
    system = factory()
    training = choosing = size = None
    if hasattr(system, "fit"):
        learned_from = [replace(d) for i, d in enumerate(documents) if i not in unseen]
        began = time.perf_counter()
        system.fit(learned_from)
        training = time.perf_counter() - began
        choosing = getattr(system, "choosing_seconds", None)
        size = saved_size(system)
    asked = [replace(documents[i], mentions=()) for i in sorted(unseen)]
    began = time.perf_counter()
    tagged = system.tag_all(asked) if hasattr(system, "tag_all") else [system.tag(document) for document in asked]
    return Fold(tagged, training, choosing, time.perf_counter() - began, sum(len(d.words) for d in tagged), size)


def saved_size(system: Any) -> int | None:
    """The bytes of the model in its saved form: what ``saved()`` gives or ``save(path)`` writes."""
    if hasattr(system, "saved"):
        return len(system.saved())
    if not hasattr(system, "save"):
        return None
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model"
        system.save(path)
        return path.stat().st_size


def _outcome(name: str, dealt: Sequence[NDArray[np.int64]], folds: Sequence[Fold]) -> Outcome:
    predicted: dict[int, Document] = {}
    for members, fold in zip(dealt, folds, strict=True):
        predicted.update(zip(members.tolist(), fold.tagged, strict=True))
    middle = partial(_median, folds)
    speed = median(fold.tokens / fold.tagging for fold in folds)
    size = middle("size")
    return Outcome(
        name,
        [predicted[i] for i in range(len(predicted))],
        middle("training"),
        middle("choosing"),
        median(fold.tagging for fold in folds),
        speed,
        None if size is None else int(size),
    )


def _median(folds: Sequence[Fold], name: str) -> float | None:
    values = [value for fold in folds if (value := getattr(fold, name)) is not None]
    return float(median(values)) if values else None
