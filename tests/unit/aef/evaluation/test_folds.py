"""Cross-validation: no document is tagged by a system that has seen it; and the evaluate command on top of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.commands import main
from aef.commands.evaluate import SYSTEMS
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.errors import InputError
from aef.evaluation.folds import cross_validate, document_folds


@settings(deadline=None)
@given(st.integers(2, 60), st.integers(2, 12), st.integers(0, 99))
def test_folds_share_out_all_documents_evenly(n: int, folds: int, seed: int) -> None:
    if n < folds:
        with pytest.raises(InputError, match=f"{n} documents cannot make {folds} folds"):
            document_folds(n, folds, seed)
        return
    dealt = document_folds(n, folds, seed)
    assert sorted(np.concatenate(dealt).tolist()) == list(range(n))
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    assert all((a == b).all() for a, b in zip(dealt, document_folds(n, folds, seed), strict=True))


def test_folds_are_drawn_at_random() -> None:
    assert document_folds(50, 5, 0)[0].tolist() != document_folds(50, 5, 1)[0].tolist()
    with pytest.raises(InputError, match=r"1 folds: .*at least 2"):
        document_folds(10, 1)


class Memory:
    """Learns the texts it is shown; tags the first word of those it has not seen, and refuses the others."""

    def fit(self, documents: list[Document]) -> None:
        assert all(d.mentions for d in documents), "training documents come with their mentions"
        self.seen = {d.text for d in documents}

    def tag(self, document: Document) -> Document:
        assert document.text not in self.seen
        assert not document.mentions, "the answers are not shown"
        return document.with_mentions([Mention(0, 3, "PERSON", extra={"trained_on": len(self.seen)})])


CORPUS = [Document.from_text(f"Ann {i} left.", str(i), [Mention(0, 3, "PERSON")]) for i in range(11)]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_every_document_is_tagged_unseen_and_in_order(n_jobs: int) -> None:
    predicted = cross_validate(Memory, CORPUS, folds=3, n_jobs=n_jobs)
    assert [d.text for d in predicted] == [d.text for d in CORPUS]
    trained_on = {d.mentions[0].extra["trained_on"] for d in predicted}
    assert trained_on == {7, 8}, "eleven documents make folds of four, four and three"


def test_systems_that_learn_nothing_are_validated_too() -> None:
    class First:
        def tag(self, document: Document) -> Document:
            return document.with_mentions([Mention(0, 3, "PERSON")])

    assert cross_validate(First, CORPUS, folds=2) == CORPUS


def test_progress_wraps_the_folds() -> None:
    seen: list[int] = []

    def progress(folds: Any) -> Any:
        for fold in folds:
            seen.append(len(fold))
            yield fold

    cross_validate(Memory, CORPUS, folds=4, progress=progress)
    assert seen == [3, 3, 3, 2]


# --- the command ----------------------------------------------------------------------------------------------------


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    path = tmp_path / "gold.jsonl"
    write_gold(CORPUS, path)
    return path


@pytest.fixture
def memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SYSTEMS, "nome", lambda arguments: Memory())


def run(*arguments: object) -> int:
    return main(["evaluate", *map(str, arguments)])


@pytest.mark.usefixtures("memory")
def test_cross_validation_from_the_command_line(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(gold, "--cv", 3, "--system", "nome", "--json", "--per-document", "--misses", 2) == 0
    values = json.loads(capsys.readouterr().out)
    assert values["counts"]["tp"] == 11
    assert values["micro"]["f2"] == 1.0
    assert len(values["per_document"]) == 11
    assert (values["misses"], values["false_alarms"]) == ([], [])


def test_predictions_from_a_file(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = [d.with_mentions([Mention(6, 10)]) if d.doc_id == "3" else d for d in CORPUS]
    write_gold(found, tmp_path / "found.jsonl")
    assert run(gold, "--predicted", tmp_path / "found.jsonl", "--per-document", "--misses", 5) == 0
    out = capsys.readouterr().out
    assert "tokens: 10 hidden rightly, 1 missed, 1 hidden wrongly" in out
    assert "documents without a miss: 10 of 11" in out
    assert "missed (1 of 1):\n  3 0 PERSON:  [[Ann]] 3 left." in out
    assert "hidden wrongly (1 of 1):\n  3 6: Ann 3 [[left]] ." in out
    rows = [line.split() for line in out.splitlines() if line.endswith((" 0", " 1"))]
    assert ["3", "0.0", "0.0", "0.0", "0.0", "0/1", "1", "1"] in rows
    assert len(rows) == 11


def test_the_result_can_be_written(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "result.json"
    assert run(gold, "--predicted", gold, "--json", "-o", output) == 0
    assert json.loads(output.read_text())["micro"]["recall"] == 1.0
    assert capsys.readouterr().out == ""
    assert run(gold, "--predicted", gold, "-o", output) == 2
    assert "exists already" in capsys.readouterr().err


class Trained(Memory):
    target = "person"

    def trained_on(self, document: Document) -> bool:
        return document.doc_id in "12"

    def tag(self, document: Document) -> Document:
        return document.with_mentions([])


def test_judging_a_model_on_its_training_documents_is_said_loudly(
    gold: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("aef.tagging.finder.Finder.load", lambda path: Trained())
    assert run(gold, "--model", "m.aef", "--quiet") == 0
    streams = capsys.readouterr()
    assert "WARNING: the model was trained on 2 of these documents" in streams.err
    assert "0 hidden rightly, 11 missed" in streams.out


REFUSED = [
    (["--cv", "12"], "11 documents cannot make 12 folds", "more folds than documents"),
    (["--cv", "1"], "at least 2", "one fold"),
    ([], "'maxent' must learn first", "nothing to evaluate"),
    (["--predicted", "none.jsonl"], "no such file", "no such predictions"),
    (["--model", "m.aef", "--system", "nome"], "--system does not go with --model", "two systems"),
]


@pytest.mark.parametrize(("arguments", "message", "why"), REFUSED, ids=[r[2] for r in REFUSED])
def test_refused(gold: Path, arguments: list[str], message: str, why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(gold, *arguments) == 2, why
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["evaluate x.tsv --cv 2", "train x.tsv -o x.aef --features W0 --target person"])
def test_where_all_is_one_document_the_remedy_is_told(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.tsv").write_text("Ms.\tO\nRoe\tB-PERSON\n\nBo\tB-PERSON\nleft\tO\n", encoding="utf-8")
    assert main(command.split()) in (0, 2)
    assert "'aef convert --document-start WORD' parts them" in capsys.readouterr().err


def test_the_same_corpus_twice_is_refused(gold: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(gold, gold, "--cv", 2) == 2
    assert "the document '0' is there already" in capsys.readouterr().err


def test_a_corpus_without_targets_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "places.jsonl"
    write_gold([Document("Rome", "1", mentions=(Mention(0, 4, "LOC", "QUASI"),))], path)
    assert run(path, "--predicted", path, "--target", "person") == 2
    assert "nothing to hide for target 'person' (types of the masked mentions: LOC)" in capsys.readouterr().err
