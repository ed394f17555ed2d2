"""The demo: the whole story runs, and what it leaves is what it says."""

from __future__ import annotations

from pathlib import Path

import docx
import pytest

from aef.commands import main
from aef.corpus_tools.gold.corpora import read_gold
from aef.tagging.finder import Finder


@pytest.mark.slow
def test_the_demo_tells_the_whole_story(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "demo"
    assert main(["demo", "-o", str(folder)]) == 0
    told = capsys.readouterr().out
    assert "12 pairs" in told and "NOME" in told and "after" in told
    gold = read_gold(folder / "gold.jsonl")
    assert len(gold) == 12
    finder = Finder.load(folder / "model.aef")
    assert [finder.trained_on(d) for d in gold] == [True] * 11 + [False]
    safe = "\n".join(p.text for p in docx.Document(str(folder / "anonymized.docx")).paragraphs)
    hidden = [gold[-1].cut(m) for m in gold[-1].mentions if m.entity_type == "PERSON" and " " in gold[-1].cut(m)]
    assert hidden and not any(name in safe for name in hidden)
    assert "<html" in (folder / "alignment.html").read_text(encoding="utf-8")[:500].lower()


def test_a_second_demo_says_what_to_type_and_leaves_the_first_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("aef-demo").mkdir()
    Path("aef-demo/gold.jsonl").write_text("of the first")
    assert main(["demo"]) == 2
    told = capsys.readouterr().err
    assert "'aef demo -o aef-demo-2' for a new folder" in told and "'aef demo --force'" in told
    assert [*Path().rglob("*.*")] == [Path("aef-demo/gold.jsonl")]
    assert Path("aef-demo/gold.jsonl").read_text() == "of the first"
