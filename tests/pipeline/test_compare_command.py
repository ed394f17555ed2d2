"""``aef compare``: the table, its files, a system of one's own, and what a user gets wrong."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from aef.commands import main
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.learning.comparison import compare, systems
from aef.learning.comparison.scoring import Options
from aef.learning.comparison.systems import SYSTEMS, Kind, chosen

QUICK = ["--cv", "3", "--inner", "2", "--bootstrap", "50", "--quiet"]


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory, corpus: list[Document]) -> str:
    path = tmp_path_factory.mktemp("compare") / "gold.jsonl"
    write_gold(corpus, path)
    return str(path)


def test_json_csv_and_picture_hold_the_same_systems(
    gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, picture = tmp_path / "table.csv", tmp_path / "table.svg"
    options = ["--systems", "svm,nome,aef", "--features", "nine", "--target", "person", "--json"]
    assert main(["compare", gold, *QUICK, *options, "--csv", str(table), "--plot", str(picture)]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["baseline"], result["documents"], result["folds"], result["target"]) == ("aef", 12, 3, "person")
    assert [row["system"] for row in result["systems"]] == ["svm", "nome", "aef"]
    assert result["systems"][2]["bytes"] > 1000
    with table.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [float(row["f2"]) for row in rows] == [row["f2"] for row in result["systems"]]
    assert "<svg" in picture.read_text()


def test_all_systems_that_are_there_run_and_the_rest_say_how_to_get_them(
    gold: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(systems, "find_spec", lambda name: None)
    assert main(["compare", gold, *QUICK, "--features", "nine"]) == 0
    lines = {line.split()[0]: line for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert lines.keys() >= {"aef", "nome", "patterns", "hmm", "maxent-nine", "maxent-thesis", "svm", "perceptron"}
    assert "pip install 'aef-anonymizer[compare]'" in lines["crf"]
    assert "pip install 'aef-anonymizer[spacy]'" in lines["spacy"]
    assert "maxent" not in lines, "the same as maxent-nine"


class Capitals:
    """A system of one's own: hides words in capitals, once it has learned how long they are."""

    def __init__(self, options: Options) -> None:
        self.shortest = 0

    def fit(self, documents: Sequence[Document]) -> None:
        self.shortest = min(m.end - m.start for d in documents for m in d.mentions)

    def tag(self, document: Document) -> Document:
        tokens = zip(document.tokens.starts.tolist(), document.tokens.ends.tolist(), strict=True)
        found = [Mention(s, e) for s, e in tokens if e - s >= self.shortest and document.text[s].isupper()]
        return document.with_mentions(found)


def test_a_system_is_a_class_and_a_line(
    gold: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(SYSTEMS, "capitals", Kind(Capitals, "words in capitals"))
    assert main(["compare", gold, *QUICK, "--systems", "capitals,nome", "--json"]) == 0
    own, nome = json.loads(capsys.readouterr().out)["systems"]
    assert own["recall"] > nome["recall"]
    assert own["bytes"] is None


def test_the_help_names_every_system(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["compare", "--help"])
    told = capsys.readouterr().out
    assert all(f"  {name} " in told and " ".join(kind.help.split()[:4]) in told for name, kind in SYSTEMS.items())


def test_by_default_no_features_are_learned_twice() -> None:
    assert "maxent" not in chosen(None, Options(features="thesis"))
    assert "maxent" in chosen(None, Options(features="nine,C4"))


BAD: list[tuple[list[str], str, str]] = [
    (["--systems", "maxent-tesis"], "Did you mean maxent-thesis", "an unknown system, with the nearest"),
    (["--systems", ","], "no system is named", "a list of nothing"),
    (["--systems", "nome,crf"], "pip install 'aef-anonymizer[compare]'", "a library asked for that is missing"),
    (["--cv", "13"], "12 documents cannot make 13 folds", "more folds than documents"),
    (["--cv", "1"], "at least 2", "one fold"),
    (["--inner", "1"], "at least 2 folds", "one inner fold"),
    (["--features", "Firstcap"], "no feature is called", "an unknown feature"),
    (["--systems", "nome", "--baseline", "svm"], "none of the systems compared", "a baseline that does not run"),
    (["--plot", "table.doc"], "Use .png or .svg", "no picture"),
]


@pytest.mark.parametrize(("options", "message", "why"), BAD, ids=[why for *_, why in BAD])
def test_what_a_user_gets_wrong_is_said_and_nothing_runs(
    options: list[str],
    message: str,
    why: str,
    gold: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def no_run(*_: Any) -> Any:
        raise AssertionError(why)

    monkeypatch.setattr(systems, "find_spec", lambda name: None)
    monkeypatch.setattr(compare, "cross_validate_all", no_run)
    assert main(["compare", gold, *options]) == 2
    assert message in capsys.readouterr().err


def test_a_corpus_without_the_target_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "gold.jsonl"
    texts = [f"He came to Nelson in {year}." for year in range(2000, 2003)]
    write_gold([Document.from_text(t, str(i), [Mention(11, 17, "LOC")]) for i, t in enumerate(texts)], path)
    assert main(["compare", str(path), "--cv", "3", "--target", "person"]) == 2
    assert "nothing to hide for target 'person'" in capsys.readouterr().err


def test_files_are_not_written_over(gold: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "table.csv"
    table.write_text("mine")
    assert main(["compare", gold, "--csv", str(table), "--systems", "nome"]) == 2
    assert "table.csv" in capsys.readouterr().err
    assert table.read_text() == "mine"
