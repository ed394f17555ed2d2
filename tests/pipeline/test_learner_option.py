"""``--learner crf`` as a user meets it: train, show, audit, explain, evaluate, calibrate, and what is refused."""

from __future__ import annotations

import html
import json
import re
import sys
from pathlib import Path

import pytest

from aef.commands import main
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import write_gold

Captured = pytest.CaptureFixture[str]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, corpus: list[Document]) -> Path:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    folder = tmp_path_factory.mktemp("learner")
    write_gold(corpus, folder / "gold.jsonl")
    aside = [Document.from_text(f"{d.text} Costs follow.", d.doc_id, list(d.mentions)) for d in corpus]
    write_gold(aside, folder / "aside.jsonl")  # other texts: what was learned from is refused
    (folder / "ruling.txt").write_text(corpus[0].text, encoding="utf-8")
    assert (
        main(["train", str(folder / "gold.jsonl"), "-o", str(folder / "crf.aef"), "--learner", "crf", "--quiet"]) == 0
    )
    return folder


@pytest.fixture
def inside(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(prepared)
    return prepared


def test_it_is_shown_and_holds_no_hidden_name(inside: Path, capsys: Captured) -> None:
    assert main(["model", "show", "crf.aef", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["learner"] == "crf"
    assert main(["model", "audit", "crf.aef", "--against", "gold.jsonl"]) == 0


def test_the_neighbours_have_a_line_of_their_own(inside: Path, capsys: Captured) -> None:
    assert main(["explain", "ruling.txt", "--model", "crf.aef", "--word", "Kelowna", "--top", "100"]) == 0
    for lines in map(str.splitlines, capsys.readouterr().out.split("\n\n")):
        weights = [float(line.split()[0]) for line in lines if re.match(r" +[+-]\d", line)]
        assert sum(weights[:-1]) == pytest.approx(weights[-1], abs=0.3), "rounded weights add up to the log-odds"
        assert [line.split()[1] for line in lines if "rest of the sentence" in line] == ["neighbours"]
    assert main(["explain", "ruling.txt", "--model", "crf.aef", "-o", "why.html", "--force"]) == 0
    assert '"around":' in (inside / "why.html").read_text(encoding="utf-8")


def test_it_tags_anonymizes_and_promises_without_the_library(
    inside: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    assert main(["tag", "ruling.txt", "--model", "crf.aef"]) == 0
    assert "Millar" in capsys.readouterr().out
    assert main(["anonymize", "ruling.txt", "-o", "safe.txt", "--model", "crf.aef", "--force"]) == 0
    assert "Millar" not in (inside / "safe.txt").read_text(encoding="utf-8")
    promise = ["--miss", "0.2", "-o", "promised.aef", "--force"]
    assert main(["calibrate", "aside.jsonl", "--model", "crf.aef", *promise]) == 0
    assert main(["evaluate", "aside.jsonl", "--model", "promised.aef", "--bootstrap", "0", "--json"]) == 0


def test_it_is_cross_validated(inside: Path, capsys: Captured) -> None:
    report = ["--report", "errors.html", "--force"]
    assert main(["evaluate", "gold.jsonl", "--cv", "2", "--learner", "crf", "--bootstrap", "0", "--json", *report]) == 0
    assert "The system 'crf', cross-validated" in html.unescape((inside / "errors.html").read_text(encoding="utf-8"))


REFUSED = [
    (["--learner", "crf", "--features", "nine"], "features that look at the labels before", "label features"),
    (["--from", "crf.aef"], "learner 'crf' cannot go on learning", "going on from a chain"),
]


@pytest.mark.parametrize(("options", "message", "reason"), REFUSED, ids=[r for _, _, r in REFUSED])
def test_what_does_not_go_with_it_is_refused(
    options: list[str], message: str, reason: str, inside: Path, capsys: Captured
) -> None:
    assert main(["train", "gold.jsonl", "-o", "new.aef", *options]) == 2
    assert message in capsys.readouterr().err
    assert not (inside / "new.aef").exists()


def test_a_missing_library_is_named(inside: Path, capsys: Captured, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    assert main(["train", "gold.jsonl", "-o", "new.aef", "--learner", "crf"]) == 2
    assert "pip install 'aef-anonymizer[compare]'" in capsys.readouterr().err
