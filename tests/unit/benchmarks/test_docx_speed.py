"""The rulings that the benchmark of time and memory makes."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.benchmarks.docx_speed import WORDS_A_PAGE, main, ruling
from aef.corpus_tools.rulings.readers import read


def test_a_ruling_is_the_same_in_every_format(tmp_path: Path) -> None:
    texts = []
    for suffix in (".docx", ".html", ".txt"):
        ruling(2, tmp_path / f"a{suffix}")
        texts.append([line.strip() for line in read(tmp_path / f"a{suffix}").text.split("\n") if line.strip()])
    numbered = [[line for line in lines if line.startswith("[")] for lines in texts]
    assert numbered[0] == numbered[1] == numbered[2]
    assert abs(sum(len(line.split()) for line in numbered[0]) - 2 * WORDS_A_PAGE) < 100
    assert all("Zwetkow v. Millar" in lines and "Anna Zwetkow" in lines for lines in texts)


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--pages", "1", "--formats", "txt", "--runs", "1"]) == 0
    assert "1 pages, TXT" in capsys.readouterr().out
