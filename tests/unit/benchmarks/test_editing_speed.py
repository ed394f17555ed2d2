"""The judgment that the editor's page is timed on."""

from __future__ import annotations

from pathlib import Path

from aef.benchmarks.editing import WORDS_A_PAGE, judgment
from aef.corpus_tools.rulings.readers import read


def test_the_judgment_is_as_long_as_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / "judgment.docx"
    words = judgment(20, path)
    table_and_footer = ["Anna", "Zwetkow", "Zwetkow", "v.", "Millar"]
    assert len(read(path).text.split()) == words + len(table_and_footer)
    assert 0 <= words - 20 * WORDS_A_PAGE < 3_000, "rulings are not cut"
