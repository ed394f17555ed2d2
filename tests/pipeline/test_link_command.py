"""``aef link`` from the command line: listings, corpora, figures, the published method, a model, bad input."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.commands import main
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import read_gold, write_gold
from aef.tagging.finder import Finder

NAMES = [
    ("Rodríguez Martínez, Juan Líber", "A"),
    ("Pérez Rodríguez, Pedro", "B"),
    ("Juan Pérez", "C"),
    ("Pedro Pérez", "B"),
    ("Juan", "C"),
    ("Acme Ltd.", "D"),
    ("Nelson", None),
]
TEXT = "Rodríguez Martínez, Juan Líber c/ Pérez Rodríguez, Pedro; Juan Pérez, Pedro Pérez, Juan; Acme Ltd., Nelson."


def case_document() -> Document:
    mentions: list[Mention] = []
    for name, entity in NAMES:
        start = TEXT.index(name, mentions[-1].end if mentions else 0)
        kind = {"Acme Ltd.": "ORG", "Nelson": "LOC"}.get(name, "PERSON")
        mentions.append(Mention(start, start + len(name), kind, "DIRECT", entity, extra={"note": name[:3]}))
    return Document.from_text(TEXT, "case", mentions)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A gold corpus of one ruling."""
    write_gold([case_document()], tmp_path / "gold.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_who_is_who(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["link", "gold.jsonl"]) == 0
    lines = [line.split(None, 3) for line in capsys.readouterr().out.splitlines()]
    assert " ".join(lines[0]) == "case: 7 mentions of 6 entities"
    assert lines[2] == ["person-2", "PERSON", "2", "Pérez Rodríguez, Pedro, Pedro Pérez"]
    assert lines[4] == ["person-4", "PERSON", "1", "Juan  <- may be person-3, person-1"]
    assert [line[1] for line in lines[5:]] == ["ORG", "LOC"]


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["link", "gold.jsonl", "--json", "--quiet"]) == 0
    output = capsys.readouterr()
    (document,) = json.loads(output.out)
    assert output.err == "" and document["doc_id"] == "case"
    second, _, unsure = document["entities"][1:4]
    assert second["variants"] == {"Pérez Rodríguez, Pedro": [[34, 56]], "Pedro Pérez": [[70, 81]]}
    assert unsure["candidates"] == ["person-3", "person-1"] and "candidates" not in second


def test_a_corpus_is_linked_anew(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["link", "gold.jsonl", "-o", "linked.jsonl"]) == 0
    output = capsys.readouterr()
    assert output.out == ""
    assert "7 mentions of 6 entities" in output.err and "1 mentions may be several people's" in output.err
    (before,), (after,) = read_gold("gold.jsonl"), read_gold("linked.jsonl")
    kept = [(m.start, m.end, m.entity_type, m.identifier_type, m.extra["note"]) for m in before.mentions]
    assert [(m.start, m.end, m.entity_type, m.identifier_type, m.extra["note"]) for m in after.mentions] == kept
    ids = [m.entity_id for m in after.mentions]
    assert ids[1] == ids[3] and len(set(ids)) == 6 and None not in ids
    assert after.mentions[4].extra["candidates"] == [ids[2], ids[0]]
    assert main(["link", "linked.jsonl", "-o", "again.jsonl", "--quiet"]) == 0
    assert Path("again.jsonl").read_bytes() == Path("linked.jsonl").read_bytes()


def test_figures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["link", "gold.jsonl", "--evaluate", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["counts"] == {"documents": 1, "mentions": 5, "entities": 3}
    # gold: A, BB, CC; found: A, BB, C, C
    assert figures["macro"]["b_cubed_recall"] == pytest.approx((1 + 2 + 0.5 + 0.5) / 5)
    assert figures["macro"]["b_cubed_precision"] == figures["macro"]["homogeneity"] == 1
    assert main(["link", "gold.jsonl", "--evaluate"]) == 0
    output = capsys.readouterr().out
    assert "1 documents, 5 mentions of 3 persons" in output and "conll" in output and "0.8889" in output


METHODS = [
    ("equal names alone", "0.05", "levenshtein", ["A", "B", "C", "D", "E"]),
    ("the published one", "0.45", "overlap", ["A", "B", "A", "B", "A"]),
    ("everything is one", "1", "overlap", ["A", "A", "A", "A", "A"]),
]


@pytest.mark.parametrize(("reason", "threshold", "distance", "expected"), METHODS, ids=[c[0] for c in METHODS])
def test_the_published_method(folder: Path, reason: str, threshold: str, distance: str, expected: list[str]) -> None:
    arguments = ["--distance", distance, "--threshold", threshold, "-o", "linked.jsonl", "--quiet"]
    assert main(["link", "gold.jsonl", *arguments]) == 0
    ids = [m.entity_id for m in read_gold("linked.jsonl")[0].mentions if m.entity_type == "PERSON"]
    letters = dict(zip(dict.fromkeys(ids), "ABCDE", strict=False))
    assert [letters[i] for i in ids] == expected, reason


def test_with_a_model(
    tmp_path: Path, corpus: list[Document], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Finder(threshold=0.5).fit(corpus).save("model.aef")
    Path("ruling.txt").write_text("Ms. Millar and Mr. Petrov were married. The plaintiff, Millar, asks for custody.")
    write_gold(corpus, "gold.jsonl")
    assert main(["link", "ruling.txt", "--model", "model.aef", "-o", "linked.jsonl", "--quiet"]) == 0
    (document,) = read_gold("linked.jsonl")
    named = {document.cut(m): m.entity_id for m in document.mentions}
    assert named.keys() >= {"Millar", "Petrov"} and named["Millar"] != named["Petrov"]
    assert main(["link", "gold.jsonl", "--model", "model.aef", "--evaluate", "--json", "--quiet"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["counts"]["documents"] == 12 and figures["macro"]["conll"] > 0.7


BAD = [
    ("a ruling without a model", ["ruling.txt"], "ruling.txt: nothing says where its names are. Give --model"),
    ("no such corpus", ["none.jsonl"], "none.jsonl: no such file"),
    ("the output exists", ["gold.jsonl", "-o", "gold.jsonl"], "exists already"),
    ("a format without entities", ["gold.jsonl", "-o", "out.conll"], "out.conll: this format holds no entities"),
    ("unknown distance", ["gold.jsonl", "--distance", "x"], "unknown distance 'x'. There are: overlap, jaccard"),
    ("a threshold alone", ["gold.jsonl", "--threshold", "0.4"], "--threshold goes with --distance"),
    ("what to compare, alone", ["gold.jsonl", "--over", "words"], "--over goes with --distance"),
    ("a threshold of 45", ["gold.jsonl", "--distance", "overlap", "--threshold", "45"], "threshold 45.0"),
    ("unknown language", ["gold.jsonl", "--language", "xx"], "'xx'"),
    ("no entities to compare with", ["bare.jsonl", "--evaluate"], "no mention has an entity_id"),
    ("no person to compare", ["places.jsonl", "--evaluate"], "holds no mention of a person"),
    ("a ruling has no entities", ["ruling.txt", "--model", "m", "--evaluate"], "holds no entities to compare with"),
]


@pytest.mark.parametrize(("reason", "arguments", "message"), BAD, ids=[c[0] for c in BAD])
def test_bad_input_touches_no_file(
    folder: Path, reason: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    document = case_document()
    (folder / "ruling.txt").write_text(TEXT)
    write_gold([document.with_mentions([Mention(0, 9, "PERSON")])], folder / "bare.jsonl")
    write_gold([document.with_mentions([Mention(0, 9, "LOC", entity_id="x")])], folder / "places.jsonl")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    assert main(["link", *arguments]) == 2
    output = capsys.readouterr()
    assert message in output.err and output.out == ""
    assert {path: path.read_bytes() for path in folder.iterdir()} == before
