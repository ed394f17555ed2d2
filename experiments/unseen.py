"""Folds of real judgments and of styles of hand-written rulings, each with a model of names that has seen none of it.

The models are learned once and kept in a folder, `person-K.aef` for fold K. They choose their threshold by three folds
of their own, under one penalty, so that four of them take minutes and not an hour.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.experiments.ready_models import ENGLISH, marked_and_invented
from aef.experiments.real_gold import FOLDS, gold, in_folds, to_learn_from, without_initials
from aef.experiments.sentences import sentences
from aef.tagging.finder import Finder


@dataclass(frozen=True)
class Fold:
    """Real judgments and hand-written rulings of the open half, and the model of names that has not seen them."""

    number: int
    real: list[Document]
    written: list[Document]
    model: Path

    @property
    def finder(self) -> Finder:
        return Finder.load(self.model)


def folds(data: Path, folder: Path, number: int = FOLDS) -> list[Fold]:
    """The folds, with models learned where the folder has none."""
    folder.mkdir(parents=True, exist_ok=True)
    written, styles = handwritten.rulings(half="open"), handwritten.styles("open")
    by_style = np.random.default_rng(1).permutation(len(styles))
    found = []
    for fold, held in enumerate(in_folds(gold(data), number)):
        named = {styles[i] for i in by_style[fold::number]}
        found.append(Fold(fold, held, [d for d in written if d.meta["style"] in named], folder / f"person-{fold}.aef"))
    for one in found:
        if not one.model.exists():
            _learned(data, [other for other in found if other is not one]).save(one.model)
    return found


def without_court(data: Path, folder: Path, court: str) -> Finder:
    """A model of names that has seen no real judgment of a court, ``person-COURT.aef``; learned where it is missing.

    Raises `InputError` for a court of which there are no judgments.
    """
    real, path = gold(data), folder / f"person-{court}.aef"
    others = [d for d in real if d.meta["corpus"] != court]
    if len(others) == len(real):
        courts = sorted({d.meta["corpus"] for d in real})
        raise InputError(f"there are no judgments of '{court}'. There are: {', '.join(courts)}")
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _learned(data, [Fold(0, others, handwritten.rulings(half="open"), path)]).save(path)
    return Finder.load(path)


def _learned(data: Path, others: Sequence[Fold]) -> Finder:
    real = [d for fold in others for d in fold.real]
    written = [without_initials(d) for fold in others for d in fold.written]
    documents = marked_and_invented(data) + written + to_learn_from(real)
    return Finder(target="names", **ENGLISH).fit(documents + sentences(data))
