"""``aef evaluate`` as a user runs it: tables, JSON, the error report, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aef.commands import main
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import write_gold


def labelled(document: Document, identifier: str | None) -> Document:
    """The places with another identifier type."""
    kinds = {"LOC": identifier, "PERSON": "DIRECT" if identifier else None}
    return document.with_mentions(
        Mention(m.start, m.end, m.entity_type, kinds[m.entity_type or ""], m.entity_id) for m in document.mentions
    )


@pytest.fixture
def folder(tmp_path: Path, corpus: list[Document], monkeypatch: pytest.MonkeyPatch) -> Path:
    write_gold([labelled(d, "QUASI") for d in corpus], tmp_path / "gold.jsonl")
    write_gold([labelled(d, "DIRECT") for d in corpus], tmp_path / "direct.jsonl")
    write_gold([labelled(d, None) for d in corpus], tmp_path / "untyped.jsonl")
    write_gold([d.with_mentions(d.mentions[3:] if i else ()) for i, d in enumerate(corpus)], tmp_path / "found.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], words: str) -> tuple[int, str, str]:
    code = main(words.split())
    return code, *capsys.readouterr()


def figures(capsys: pytest.CaptureFixture[str], words: str) -> dict[str, Any]:
    code, out, _ = run(capsys, f"evaluate {words} --json --bootstrap 0")
    assert code == 0
    values: dict[str, Any] = json.loads(out)
    return values


def test_text(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "evaluate gold.jsonl --predicted found.jsonl --target all --worst 2 --misses 1")
    assert code == 0
    heads = ["target: all", "type ", "mentions ", "identifiers to mask", "entities missed", "document, the worst first"]
    found = [out.index(f"\n{head}") if out.index(head) else 0 for head in heads]
    assert found == sorted(found), "in this order"
    worst = out.split("document, the worst first")[1].split("missed (")[0]
    assert "small-0 " in worst.splitlines()[2], "nothing was found in it"
    assert worst.count("small-") == 2


def test_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    values = figures(capsys, "gold.jsonl --predicted found.jsonl --target all --worst 1")
    assert values["micro"]["recall"] == values["tab"]["strict"]["recall"]["value"]
    assert values["tab"]["tab"]["er_direct"]["whole"] > 0
    assert set(values["by_type"]) == {"LOC", "PERSON"}
    assert set(values["matches"]) == set(values["typed_matches"]) == {"exact", "half", "overlap"}
    assert [row["doc_id"] for row in values["worst"]] == ["small-0"]


TAB = [
    ("gold.jsonl", "", True, "both kinds of identifiers"),
    ("direct.jsonl", "", False, "one kind says nothing more"),
    ("direct.jsonl", " --tab", True, "but may be asked for"),
    ("untyped.jsonl", "", False, "no identifier types"),
]


@pytest.mark.parametrize(("gold", "asked", "there", "why"), TAB, ids=[t[3] for t in TAB])
def test_when_tab_is_shown(
    folder: Path, capsys: pytest.CaptureFixture[str], gold: str, asked: str, there: bool, why: str
) -> None:
    assert ("tab" in figures(capsys, f"{gold} --predicted found.jsonl --target all{asked}")) is there, why


def test_tab_without_identifier_types(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, error = run(capsys, "evaluate untyped.jsonl --predicted found.jsonl --target all --tab")
    assert (code, out) == (2, "")
    assert "no identifier types" in error


def test_report(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = "evaluate gold.jsonl --predicted found.jsonl --target all --report errors.html"
    code, out, error = run(capsys, words)
    assert code == 0
    assert out.startswith("target: all")
    assert "errors.html: confidential" in error
    page = (folder / "errors.html").read_text(encoding="utf-8")
    assert "The predictions in found.jsonl for gold.jsonl" in page
    assert page.count("<section class=doc") == 12
    (folder / "errors.html").write_text("mine")
    assert run(capsys, words)[0] == 2
    assert (folder / "errors.html").read_text() == "mine", "not overwritten"
    assert run(capsys, f"{words} --force")[0] == 0
    assert (folder / "errors.html").read_text(encoding="utf-8") == page
