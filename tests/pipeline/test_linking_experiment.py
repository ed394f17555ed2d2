"""The study of linking: the reader of LitBank, the sweep on a few made-up rulings, and the promise on the corpora."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.evaluation.clusters import FIGURES, clustering_of, evaluate
from aef.experiments.linking import (
    ARI,
    SWEEP_HEADER,
    THRESHOLDS,
    WAYS,
    Sweep,
    Way,
    as_json,
    compare,
    read_litbank,
    read_tab,
    sweep,
    sweep_rows,
)
from aef.experiments.linking_plot import draw
from aef.linking.linker import relink


def ruling(number: int) -> Document:
    """Two people of one surname, one of them by given name, too; a third in every second ruling."""
    names = [("Ann Roe", "a"), ("Bea Roe", "b"), ("Bea", "b"), ("ROE, Ann", "a")] + [("Lee", "c")] * (number % 2)
    text, mentions = "", []
    for name, entity in names:
        mentions.append(Mention(len(text), len(text) + len(name), "PERSON", entity_id=entity))
        text += f"{name} left. "
    return Document.from_text(text, f"ruling-{number}", mentions)


@pytest.fixture(scope="module")
def found() -> Sweep:
    ways = [
        Way("overlap", "words"),
        Way("jaccard", "words"),
        Way("levenshtein", "characters"),
        Way("name_parts", "words"),
    ]
    return sweep([*map(ruling, range(6)), Document.from_text("Nobody.", "empty")], ways)


def test_the_sweep(found: Sweep) -> None:
    assert found.scores.shape == (4, len(THRESHOLDS), 6, len(FIGURES))
    overlap, jaccard, _, ours = (found.scores[way].mean(axis=1)[:, ARI] for way in range(4))
    at = {threshold: i for i, threshold in enumerate(THRESHOLDS)}
    assert overlap[at[0.45]] == overlap[at[0.5]] == 1, "ann roe and bea roe are half apart, bea and bea roe not at all"
    assert overlap[at[0.95]] < 1 and jaccard[at[0.5]] < 1, "bea and bea roe are half apart for Jaccard"
    assert ours[at[0.45]] == 1
    assert found.best(0) == at[0.4], "the middle of those that are best"
    assert found.cross_validated(0)[ARI] == found.at(0, found.best(0))[ARI] == 1
    assert [row[0] for row in sweep_rows(found)][:1] == ["overlap, words"]
    assert all(len(row) == len(SWEEP_HEADER) for row in sweep_rows(found))
    assert draw({"made up": found}).startswith(b"\x89PNG")


def test_what_is_chosen_on_some_documents_is_judged_on_others() -> None:
    """One way, three thresholds: the best on all documents is the best of no fold but by its own documents."""
    scores = np.zeros((1, 3, 10, len(FIGURES)))
    scores[0, 0, :, ARI] = 0.5
    scores[0, 1, 0, ARI] = 10
    made = Sweep((Way("overlap", "words"),), scores)
    assert made.best(0) == 1
    assert made.cross_validated(0)[ARI] == pytest.approx(0.5 * 2 / 10), "the fold of the odd one takes 0, the others 1"


def test_every_figure_as_json(found: Sweep) -> None:
    rows = json.loads(as_json({"made up": found}))
    assert len(rows) == 4 * len(THRESHOLDS) and rows[8]["threshold"] == 0.45 and rows[8]["ari"] == 1


def test_the_linkers_are_compared() -> None:
    rows = {row[0]: row[1:] for row in compare([ruling(n) for n in range(3)])}
    assert rows["default"][FIGURES.index("conll")] == "1.0000"
    assert rows["exact match"][FIGURES.index("accuracy")] == "0.0000"


def test_every_distance_is_tried() -> None:
    assert len(WAYS) == 2 * 18 + 1


def test_litbank_is_read(tmp_path: Path) -> None:
    (tmp_path / "one_brat.txt").write_text("Mr. Roe saw her. Ann Roe left Leeds.", encoding="utf-8")
    lines = ["T1\tPROP_PER 0 7\tMr. Roe", "T2\tRoe-1 0 7\tMr. Roe", "T3\tPRON_PER 12 15\ther", "T4\tAnn-2 12 15\ther"]
    lines += [
        "T5\tPROP_PER 17 24\tAnn Roe",
        "T6\tAnn-2 17 24\tAnn Roe",
        "T7\tPROP_GPE 30 35\tLeeds",
        "R1\tcoref Arg1:T2 Arg2:T4",
    ]
    (tmp_path / "one_brat.ann").write_text("\n".join([*lines, "T8\tPROP_PER 4 7\tRoe"]) + "\n", encoding="utf-8")
    (document,) = read_litbank(tmp_path)
    assert [(document.cut(m), m.entity_id) for m in document.mentions] == [("Mr. Roe", "Roe-1"), ("Ann Roe", "Ann-2")]


def test_no_litbank(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"holds no \.ann files"):
        read_litbank(tmp_path)


def test_the_promise(data: Path) -> None:
    """Issue 6, 1: CoNLL and ARI of the default linker on gold mentions, macro."""
    for documents, conll, ari in [
        (read_litbank(data / "litbank"), 0.945, 0.87),
        (read_tab(data / "tab_en"), 0.997, 0.98),
    ]:
        macro = evaluate([clustering_of(d) for d in documents], [clustering_of(relink(d)) for d in documents]).macro
        assert macro["conll"] >= conll and macro["ari"] >= ari
