"""``aef convert``, ``aef tag --format`` and corpora of other tools' formats wherever a gold corpus is read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.commands import main
from aef.commands.common import CORPUS_FORMATS
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import FORMATS, read_gold, write_gold


@pytest.fixture
def gold(corpus: list[Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Document]:
    monkeypatch.chdir(tmp_path)
    write_gold(corpus, "gold.jsonl")
    return corpus


def test_the_names_of_formats_are_those_there_are() -> None:
    assert tuple(FORMATS) == CORPUS_FORMATS


@pytest.mark.parametrize("name", ["brat", "x.json", "x.doccano.jsonl", "x.conllup", "x.conll"])
def test_there_and_back(gold: list[Document], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    form = ["--format", "brat"] if name == "brat" else []
    assert main(["convert", "gold.jsonl", "-o", name, *form]) == 0
    assert f"{name}: {sum(len(d.mentions) for d in gold)} mentions in 12 documents" in capsys.readouterr().err
    assert main(["convert", name, "-o", "back.jsonl"]) == 0
    assert sorted(read_gold("back.jsonl"), key=lambda d: d.doc_id) == sorted(gold, key=lambda d: d.doc_id)
    assert main(["convert", name, "-o", "back.jsonl"]) == 2, "it exists"


def test_what_is_lost_is_said(gold: list[Document], capsys: pytest.CaptureFixture[str]) -> None:
    write_gold([Document.from_text("Ann left.", "d", meta={"year": 1})], "further.jsonl")
    assert main(["convert", "further.jsonl", "-o", "x.ann"]) == 0
    assert "not kept, for this format cannot hold it: further data of documents" in capsys.readouterr().err
    assert Path("x.txt").read_text() == "Ann left." and Path("x.ann").read_text() == ""
    assert main(["convert", "further.jsonl", "-o", "x.json"]) == 0
    assert "not kept" not in capsys.readouterr().err


def test_training_and_evaluation_read_them(gold: list[Document], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", "gold.jsonl", "-o", "brat", "--format", "brat"]) == 0
    assert main(["train", "brat", "-o", "m.aef", "--features", "nine"]) == 0
    assert main(["convert", "gold.jsonl", "-o", "x.conllup"]) == 0
    capsys.readouterr()
    assert main(["evaluate", "x.conllup", "--model", "m.aef", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)


def test_what_tag_writes(gold: list[Document], capsys: pytest.CaptureFixture[str]) -> None:
    Path("names.txt").write_text("Millar\nOsei\n")
    Path("a.txt").write_text("Ms. Millar met Mr. Osei. Ms. Millar left.")
    tag = ["tag", "a.txt", "--annotator", "gazetteer:names.txt", "--quiet"]
    for name, form in [("x.json", "labelstudio"), ("out", "brat"), ("x.ann", "brat"), ("x.conllup", "conllup")]:
        assert main([*tag, "-o", name, "--format", form]) == 0
        [document] = read_gold(name)
        assert [document.cut(m) for m in document.mentions] == ["Millar", "Osei", "Millar"], name
    assert json.loads(Path("x.json").read_text())[0]["predictions"][0]["model_version"] == "aef"
    assert main([*tag, "--format", "psilence"]) == 0
    [clusters] = json.loads(capsys.readouterr().out)
    found = [variants for people in clusters["clusters"].values() for variants in people]
    assert sorted(found, key=str) == [{"Millar": [[4, 10], [29, 35]]}, {"Osei": [[19, 23]]}]
    assert main([*tag, "--format", "spacy"]) == 2
    assert "--format spacy is not for the screen" in capsys.readouterr().err
    assert main([*tag, "-o", "out", "--format", "brat"]) == 2
    assert "is a folder that holds files" in capsys.readouterr().err
    assert main(["tag", "out", *tag[2:], "-o", "again.jsonl"]) == 0, "a folder of brat in, its mentions ignored"


def test_roles_may_go_to_a_file_of_psilence(gold: list[Document]) -> None:
    assert main(["link", "gold.jsonl", "-o", "linked.conllup", "--quiet"]) == 0
    assert all(m.entity_id for d in read_gold("linked.conllup") for m in d.mentions)
