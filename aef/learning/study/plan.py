"""What a study is of: the corpus, the division into folds, the features and the documents held out by name."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from joblib import Parallel

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.evaluation.figures import target_mentions
from aef.evaluation.folds import document_folds
from aef.features import Column, Extractor, feature_names
from aef.learning.selection import Criterion, Selection
from aef.tagging.labelled import LabelledCorpus


@dataclass(frozen=True)
class Plan:
    """Everything the experiments share. Make one with `Plan.of`, which checks it.

    ``names``: the features under study, the thesis's nine always among them; ``named``: the documents (ids) that AEF
    and NOME are compared on one by one; ``jobs``: how much runs at a time, without a difference to any figure.
    """

    documents: Sequence[Document]
    names: tuple[str, ...]
    target: str
    k: int
    folds: int
    seed: int
    jobs: int
    named: tuple[str, ...]

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        features: str = "all",
        target: str = "all",
        k: int | None = None,
        folds: int = 5,
        seed: int = 0,
        jobs: int = 1,
        named: Sequence[str] = (),
    ) -> Plan:
        """Raises `InputError` for what cannot be studied, before anything is computed.

        That is: an unknown feature, a number of features there are not, fewer documents than folds, a fold with
        nothing to hide, and documents named that are not there or leave none to learn from.
        """
        if seed < 0:
            raise InputError(f"seed {seed}: a number from 0 on")
        names = tuple(dict.fromkeys((*feature_names(features), *feature_names("nine"))))
        document_folds(len(documents), folds, seed)
        chosen = _named(documents, named, target) if named else _longest(documents, target)
        size = min(16, len(names)) if k is None else k
        plan = cls(documents, names, target, size, folds, seed, jobs, chosen)
        plan.selection()
        return plan

    @cached_property
    def lists(self) -> Mapping[str, frozenset[str]]:
        return lexicons.load_all("en")

    @cached_property
    def criterion(self) -> Criterion:
        """The mean F2 of a feature set over the folds."""
        return Criterion(self.documents, self.names, self.target, self.lists, self.folds, self.seed)

    @cached_property
    def corpus(self) -> LabelledCorpus:
        return LabelledCorpus.of(self.documents, self.target)

    @cached_property
    def columns(self) -> dict[str, Column]:
        """What each feature shows of the corpus."""
        return {c.name: c for c in Extractor(self.names, self.lists).columns(self.corpus.layout)}

    def selection(self) -> Selection:
        """The thesis's search, ready to run."""
        return Selection(self.criterion, "sffs", self.k)

    def pool(self) -> Any:
        """Runs joblib tasks in threads and gives their results in order."""
        return Parallel(n_jobs=self.jobs, backend="threading", return_as="generator")

    def describe(self) -> dict[str, Any]:
        """The corpus and the settings, for the record."""
        labels = self.corpus.labels[self.corpus.rows]
        return {
            "documents": len(self.documents),
            "tokens": len(labels),
            "tokens_to_hide": int(labels.sum()),
            "features": list(self.names),
            "target": self.target,
            "folds": self.folds,
            "seed": self.seed,
            "k": self.k,
            "named_documents": list(self.named),
        }


def _named(documents: Sequence[Document], named: Sequence[str], target: str) -> tuple[str, ...]:
    known = [d.doc_id for d in documents]
    for name in named:
        if name not in known:
            near = difflib.get_close_matches(name, known, n=3, cutoff=0.5)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"There are {', '.join(known[:5])} ..."
            raise InputError(f"no document of the corpus is called '{name}'. {hint}")
    if not any(target_mentions(d, target) for d in documents if d.doc_id not in named):
        raise InputError(
            f"{len(set(named))} documents named: the corpus holds no other with something to hide to learn from. "
            "Name fewer"
        )
    return tuple(dict.fromkeys(named))


def _longest(documents: Sequence[Document], target: str, number: int = 2) -> tuple[str, ...]:
    """The longest documents with something to hide; one at least is left to learn from."""
    worth = [d for d in documents if target_mentions(d, target)]
    by_length = sorted(worth, key=_length)
    return tuple(d.doc_id for d in by_length[: max(0, min(number, len(worth) - 1))])


def _length(document: Document) -> int:
    return -len(document.words)
