"""The criterion against converged models fold by fold, and the selection's promises: repeats, resumes, any backend."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aef import lexicons
from aef.classifiers.decoding import decode, f_beta
from aef.classifiers.linear import Linear
from aef.classifiers.maxent import MaxEntClassifier
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import read_gold
from aef.errors import InputError
from aef.evaluation.folds import document_folds
from aef.features import Extractor, feature_names
from aef.learning.selection import Criterion, Score, Selection, select
from aef.tagging.labelled import LabelledCorpus

NAMES = feature_names("thesis")
FEW = ["W-1", "SW-1", "C4", "C7", "Anony", "FirstCap", "CommonWord"]
LISTS = lexicons.load_all()


def reference(documents: Sequence[Document], names: Sequence[str], target: str) -> float:
    """Mean F2 over five folds of converged models, each held-out token decoded from predicted labels."""
    corpus = LabelledCorpus.of(documents, target)
    columns = list(Extractor(names, LISTS).columns(corpus.layout))
    events = np.stack([c.at(corpus.histories) for c in columns], axis=1)
    fold_of = np.empty(len(documents), dtype=int)
    for number, fold in enumerate(document_folds(len(documents), 5)):
        fold_of[fold] = number
    token_fold = np.repeat(fold_of, corpus.layout.sizes)
    scores = np.zeros((len(events), 8))
    for number in range(5):
        rows = corpus.rows[token_fold[corpus.rows] != number]
        model = MaxEntClassifier(tol=1e-9).fit(events[rows], corpus.labels[rows])
        scores[token_fold == number] = Linear.log_odds(model, columns).scores(columns, token_fold == number)
    labels, _ = decode(scores, corpus.layout)
    folds = [corpus.rows[token_fold[corpus.rows] == number] for number in range(5)]
    return float(np.mean([f_beta(corpus.labels[rows], labels[rows], 2.0) for rows in folds]))


def check(documents: list[Document], subsets: Iterable[list[str]], tolerance: float) -> None:
    criterion = Criterion(documents, NAMES, "all", LISTS)
    for names in subsets:
        numbers = [NAMES.index(n) for n in names]
        start = criterion.evaluate(numbers[:-1])[1] if len(numbers) > 1 else None
        for warm in (None, start):
            score, _ = criterion.evaluate(numbers, warm)
            assert score.f2 == pytest.approx(reference(documents, names, "all"), abs=tolerance), names


SETS = [["W0"], ["C7"], ["W-1", "C8"], ["W0", "Anony"], FEW, list(NAMES)]


def test_a_candidates_score_is_that_of_the_converged_models(corpus: list[Document]) -> None:
    check(corpus, SETS, tolerance=1e-6)


def test_so_it_is_on_judgments(data: Path) -> None:
    rng = np.random.default_rng(0)
    chosen = [rng.permutation(len(NAMES))[: int(rng.integers(2, 20))] for _ in range(6)]
    documents = read_gold(data / "tab_en" / "train.jsonl")[:60]
    check(documents, [[NAMES[j] for j in numbers] for numbers in chosen], tolerance=0.001)


def test_figures_are_means_over_folds() -> None:
    score = Score(np.array([[8, 2, 0], [0, 0, 4]]))
    assert score.figures() == pytest.approx(
        {
            "precision": 0.4,
            "recall": 0.5,
            "f1": (2 * 0.8 / 1.8) / 2,
            "f2": (5 * 0.8 / 4.2) / 2,
            "f2_thesis": (3 * 0.8 / 2.6) / 2,
        }
    )


@pytest.fixture(scope="module")
def criterion(corpus: list[Document]) -> Criterion:
    return Criterion(corpus, FEW, "all", LISTS)


def path(selection: Selection) -> list[Any]:
    return [step.to_dict() for step in selection.path]


def test_threads_and_processes_take_the_same_path(criterion: Criterion) -> None:
    alone = select(criterion, k=4)
    assert path(select(criterion, k=4, n_jobs=2, backend="threading")) == path(alone)
    assert path(select(criterion, k=4, n_jobs=2, backend="loky")) == path(alone)
    assert len(alone.chosen.features) <= 5 and alone.best[1].score.f2 <= alone.chosen.score.f2


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
def test_a_process_that_dies_is_told_with_a_remedy(criterion: Criterion, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("aef.learning.selection.pools.scored", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    with pytest.raises(InputError, match="--jobs was ended, for want of memory"):
        select(criterion, k=2, n_jobs=2)


def test_a_stopped_run_goes_on_to_the_same_end(criterion: Criterion, tmp_path: Path) -> None:
    whole = select(criterion, k=5)
    state, rounds = tmp_path / "state.json", []

    def stop(scores: Iterable[Score], total: int, selection: Selection) -> Iterable[Score]:
        rounds.append(total)
        if len(rounds) == 4:
            raise KeyboardInterrupt
        return scores

    with pytest.raises(KeyboardInterrupt):
        Selection(criterion, k=5).run(watch=stop, state=state)
    resumed = Selection(criterion, k=5).resume(state)
    assert 0 < len(resumed.path) < len(whole.path)
    resumed.run(state=state)
    assert path(resumed) == path(whole) and resumed.to_dict()["best"] == whole.to_dict()["best"]


def test_a_state_of_something_else_is_refused(criterion: Criterion, corpus: list[Document], tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    Selection(criterion, k=1).run(state=state)
    other = Criterion(corpus[:-1], FEW, "all", LISTS)
    for bad in (Selection(other), Selection(Criterion(corpus, FEW[1:], "all", LISTS)), Selection(criterion, "sbs")):
        with pytest.raises(InputError, match=r"state\.json.*another corpus"):
            bad.resume(state)
    for text in ("", "[]", json.dumps({"format": "other"})):
        state.write_text(text)
        with pytest.raises(InputError, match="no saved selection"):
            Selection(criterion).resume(state)
    with pytest.raises(InputError, match="cannot be read"):
        Selection(criterion).resume(tmp_path / "none.json")


def test_mlxtends_tools_take_the_result(criterion: Criterion) -> None:
    selection = select(criterion, k=3)
    metrics = selection.to_mlxtend().get_metric_dict()
    assert {k: m["avg_score"] for k, m in metrics.items()} == {k: s.score.f2 for k, s in selection.best.items()}
    assert set(metrics[2]["feature_names"]) == set(selection.best[2].features)


WRONG = [
    ({"method": "magic"}, "there are sffs", "an unknown method"),
    ({"k": 99}, "k = 99", "more features than there are"),
    ({"k": 0}, "k = 0", "none at all"),
]


@pytest.mark.parametrize(("parameters", "message", "reason"), WRONG, ids=[r for _, _, r in WRONG])
def test_wrong_wishes(parameters: dict[str, Any], message: str, reason: str, criterion: Criterion) -> None:
    with pytest.raises(InputError, match=message):
        Selection(criterion, **parameters)


def test_a_corpus_that_cannot_be_divided(corpus: list[Document]) -> None:
    with pytest.raises(InputError, match="3 documents cannot make 5 folds"):
        Criterion(corpus[:3], FEW, "all", LISTS)
    bare = [d.with_mentions(d.mentions if i < 2 else []) for i, d in enumerate(corpus)]
    with pytest.raises(InputError, match=r"fold \d of 5 holds no token to hide"):
        Criterion(bare, FEW, "all", LISTS)


def test_a_dask_cluster_that_loses_a_worker_takes_the_same_path(criterion: Criterion) -> None:
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed")
    from aef.learning.selection.cluster import dask_pool

    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        rounds = []

        def kill(scores: Iterable[Score], total: int, selection: Selection) -> Iterable[Score]:
            rounds.append(total)
            if len(rounds) == 2:
                cluster.workers[0].process.process.kill()
            return scores

        with dask_pool(cluster.scheduler_address, patience=15) as pool:
            selection = Selection(criterion, k=4).run(pool, kill)
    assert path(selection) == path(select(criterion, k=4))


@pytest.mark.slow
def test_a_scheduler_that_does_not_answer_is_named() -> None:
    pytest.importorskip("distributed", reason="the extra dask is not installed")
    from aef.learning.selection.cluster import dask_pool

    with pytest.raises(InputError, match=r"127\.0\.0\.1:9"), dask_pool("tcp://127.0.0.1:9"):
        pass
