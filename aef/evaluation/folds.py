"""Cross-validation over documents: each is tagged by a system that has not seen it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document
from aef.errors import InputError


class System(Protocol):
    """What can be validated: tags documents. One that learns has ``fit(documents)``, too."""

    def tag(self, document: Document) -> Document: ...


ONE = ". Where one file holds several and does not say so (CoNLL, TSV), 'aef convert --document-start WORD' parts them"
"""What helps where all was read as one document."""


def document_folds(n_documents: int, folds: int, seed: int = 0) -> list[NDArray[np.int64]]:
    """The documents' indices, dealt at random into folds whose sizes differ by at most one.

    Raises `InputError` for fewer than two folds or fewer documents than folds.

    >>> [len(fold) for fold in document_folds(7, 3)]
    [3, 2, 2]
    """
    if folds < 2:
        raise InputError(f"{folds} folds: cross-validation needs at least 2")
    if n_documents < folds:
        many = f"{n_documents} document" + "s" * (n_documents != 1)
        raise InputError(
            f"{many} cannot make {folds} folds. Use fewer folds or more documents{ONE * (n_documents == 1)}"
        )
    shuffled = np.random.default_rng(seed).permutation(n_documents)
    return [np.sort(fold) for fold in np.array_split(shuffled, folds)]


def tag_unseen(system: System, documents: Iterable[Document]) -> list[Document]:
    """The documents as the system tags them; it is given them without their mentions."""
    return [system.tag(document.with_mentions(())) for document in documents]


def cross_validate(
    factory: Callable[[], System],
    documents: Sequence[Document],
    folds: int = 5,
    seed: int = 0,
    n_jobs: int = 1,
    progress: Callable[[Sequence[Any]], Iterable[Any]] = iter,
) -> list[Document]:
    """Out-of-fold predictions, in the order of the documents.

    ``factory`` makes a fresh system for each fold; it is fitted to the other folds where it can be. ``n_jobs``
    processes work at a time, with the same result. ``progress`` wraps the folds, for a progress bar.

    >>> from aef import Finder
    >>> from aef.corpus_tools import handwritten
    >>> gold = handwritten.rulings(half="open")[:4]
    >>> predicted = cross_validate(lambda: Finder("W0,FirstCap", target="person"), gold, folds=2)
    >>> [document.doc_id for document in predicted] == [document.doc_id for document in gold]
    True
    """
    from joblib import Parallel, delayed

    dealt = document_folds(len(documents), folds, seed)
    work = Parallel(n_jobs=n_jobs, return_as="generator")
    results = work(delayed(_one_fold)(factory, documents, fold) for fold in dealt)
    predicted: dict[int, Document] = {}
    for fold, tagged in zip(progress(dealt), results, strict=True):
        predicted.update(zip(fold.tolist(), tagged, strict=True))
    return [predicted[i] for i in range(len(documents))]


def _one_fold(factory: Callable[[], Any], documents: Sequence[Document], held_out: NDArray[np.int64]) -> list[Document]:
    unseen = set(held_out.tolist())
    system = factory()
    if hasattr(system, "fit"):
        system.fit([document for i, document in enumerate(documents) if i not in unseen])
    return tag_unseen(system, [documents[i] for i in sorted(unseen)])
