"""Differences with their intervals against a plain loop, and rows."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest
from numpy.typing import NDArray

from aef.annotators.nome import Nome
from aef.corpus_tools.document import Document
from aef.evaluation.tables import as_csv
from aef.learning.comparison.figures import QUALITY, as_text, differences, rows
from aef.learning.comparison.patterns import Patterns
from aef.learning.comparison.run import Outcome, cross_validate_all, saved_size
from aef.learning.comparison.scoring import Options


def counts(seed: int, documents: int = 9) -> NDArray[np.int64]:
    random = np.random.default_rng(seed)
    found, mentions, entities = random.integers(0, 40, (documents, 3)), random.integers(5, 9), random.integers(2, 5)
    parts = [[mentions, random.integers(0, mentions + 1), entities, random.integers(0, entities + 1)] for _ in found]
    return np.concatenate([found, parts], axis=1)


def plain_figures(rows: list[list[int]]) -> dict[str, float]:
    tp, fp, fn, _, _, entities, entities_found = (sum(column) for column in zip(*rows, strict=True))
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    f1 = 2 * precision * recall / (precision + recall)
    f2 = 5 * precision * recall / (4 * precision + recall)
    values = (precision, recall, f1, f2, entities_found / entities)
    return dict(zip(QUALITY, values, strict=True))


def test_the_paired_bootstrap_is_that_of_a_plain_loop() -> None:
    one, other, samples = counts(1), counts(2), 200
    random = np.random.default_rng(7)
    drawn: dict[str, list[float]] = {name: [] for name in QUALITY}
    for _ in range(samples):
        times = random.multinomial(len(one), [1 / len(one)] * len(one)).tolist()
        documents = [i for i, often in enumerate(times) for _ in range(often)]
        own, theirs = (plain_figures([c[i].tolist() for i in documents]) for c in (one, other))
        for name in QUALITY:
            drawn[name].append(own[name] - theirs[name])
    found = differences(one, other, samples, seed=7)
    whole, base = plain_figures(one.tolist()), plain_figures(other.tolist())
    for name in QUALITY:
        expected = (whole[name] - base[name], *np.percentile(drawn[name], [2.5, 97.5]))
        assert found[name] == pytest.approx(expected)


def test_a_system_does_not_differ_from_itself() -> None:
    one = counts(1)
    assert all(found == (0, 0, 0) for found in differences(one, one, 50, 0).values())


def test_a_single_document_has_a_difference_without_an_interval() -> None:
    found = differences(counts(1, 1), counts(2, 1), 50, 0)
    assert all(bounds == (None, None) for _, *bounds in map(tuple, found.values()) for bounds in [tuple(bounds)])


@pytest.fixture(scope="module")
def outcomes(corpus: list[Document]) -> list[Outcome]:
    return cross_validate_all({"nome": Nome, "patterns": lambda: Patterns(Options())}, corpus, folds=2)


def test_rows_hold_figures_intervals_and_costs(outcomes: list[Outcome], corpus: list[Document]) -> None:
    nome, patterns = rows(outcomes, corpus, "person", "nome", 100, 0)
    assert nome["f2_difference"] == 0
    assert patterns["f2_difference"] == pytest.approx(patterns["f2"] - nome["f2"])
    assert patterns["f2_low"] <= patterns["f2"] <= patterns["f2_high"]
    assert patterns["f2_difference_low"] <= patterns["f2_difference"] <= patterns["f2_difference_high"]
    assert patterns["training_seconds"] is None
    assert patterns["bytes"] is None
    assert patterns["tokens_per_second"] > 0


def test_text_and_csv_show_all_systems_and_how_to_get_those_missing(
    outcomes: list[Outcome], corpus: list[Document]
) -> None:
    found = rows(outcomes, corpus, "person", "nome", 100, 0)
    text = as_text(found, {"crf": "needs pycrfsuite: pip install it"}, "nome")
    assert [line.split()[0] for line in text.splitlines()[2:5]] == ["nome", "patterns", "crf"]
    assert "crf       needs pycrfsuite: pip install it" in text
    read = list(csv.DictReader(io.StringIO(as_csv(found))))
    assert [float(row["f2"]) for row in read] == [row["f2"] for row in found]
    assert read[0]["training_seconds"] == ""


def test_without_samples_there_are_no_intervals(outcomes: list[Outcome], corpus: list[Document]) -> None:
    found = rows(outcomes, corpus, "person", "nome", 0, 0)
    assert found[1]["f2_low"] is None
    assert "[" not in as_text(found, {}, "nome")


def test_what_cannot_be_saved_has_no_size() -> None:
    assert saved_size(Nome()) is None
