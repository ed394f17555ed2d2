"""Gold rulings that are looked at again and again: what is known of them from before changes nothing."""

from __future__ import annotations

import numpy as np
import pytest

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.features import Extractor, feature_names
from aef.features.extraction import Column
from aef.features.ruling import Frequencies
from aef.tagging.labelled import LabelledCorpus, gold_rulings
from aef.tagging.privacy import private_among, private_words

LISTS = lexicons.load_all("en")
FEATURES = feature_names("wide")


def columns(corpus: LabelledCorpus) -> list[Column]:
    return list(Extractor(FEATURES, LISTS).columns(corpus.layout))


@pytest.mark.parametrize(
    ("known", "reason"),
    [(None, "counted among these documents"), ({}, "all are rare"), ({"the": 90, "mother": 12, "nelson": 3}, "given")],
)
def test_each_fold_sees_what_it_would_see_alone(
    corpus: list[Document], known: dict[str, int] | None, reason: str
) -> None:
    rulings = gold_rulings(corpus, "all")
    columns(LabelledCorpus.of_rulings(rulings))  # everything has been looked at, among other documents
    frequencies = None if known is None else Frequencies(known)
    for fold in range(3):
        again = LabelledCorpus.of_rulings(rulings[fold::3], frequencies)
        alone = LabelledCorpus.of(corpus[fold::3], "all", frequencies)
        assert np.array_equal(again.labels, alone.labels) and np.array_equal(again.rows, alone.rows)
        for one, other in zip(columns(again), columns(alone), strict=True):
            assert one.values == other.values and np.array_equal(one.codes, other.codes), (one.name, reason)


def test_the_same_tokens_may_stand_among_others(corpus: list[Document]) -> None:
    known = Frequencies({"the": 90, "mother": 12})
    moved = LabelledCorpus.of(corpus, "all").among(known)
    for one, other in zip(columns(moved), columns(LabelledCorpus.of(corpus, "all", known)), strict=True):
        assert one.values == other.values and np.array_equal(one.codes, other.codes), one.name


def test_what_is_private_is_told_by_what_each_shows(corpus: list[Document]) -> None:
    shown = [ruling.shown for ruling in gold_rulings(corpus, "all")]
    for part in (slice(None), slice(0, 3), slice(0, 0)):
        assert private_among(shown[part]) == private_words(corpus[part])
