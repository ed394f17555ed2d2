"""A full disk is told with the file and a remedy, as a mistake is, and leaves nothing half written."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.commands import main

resource = pytest.importorskip("resource")

TEXT = "Between: Ms. Anna Zwetkow, Plaintiff, and Mr. Bo Quist, Defendant.\n\nMs. Zwetkow left.\n"
MENTION = '{"start_offset": 4, "end_offset": 7, "entity_type": "PERSON"}'
GOLD = f'{{"doc_id": "a", "text": "Ms. Roe left.", "mentions": [{MENTION}]}}'
WRITING = {
    "anonymize": ("ruling.txt", "-o", "safe.txt"),
    "tag": ("ruling.txt", "-o", "found.jsonl"),
    "nome": ("ruling.txt", "-o", "terms.csv"),
    "explain": ("ruling.txt", "-o", "page.html"),
    "convert": ("gold.jsonl", "-o", "gold.conll"),
    "train": ("gold.jsonl", "-o", "ours.aef"),
    "demo": ("-o", "demo"),
    "batch": ("rulings", "-o", "out"),
    "link": ("gold.jsonl", "-o", "people.jsonl"),
}


@pytest.mark.parametrize("command", WRITING)
def test_a_full_disk(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("ruling.txt").write_text(TEXT, "utf-8")
    Path("gold.jsonl").write_text(GOLD + "\n", "utf-8")
    Path("rulings").mkdir()
    Path("rulings/a.txt").write_text(TEXT, "utf-8")
    before, limits = files(), resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, limits[1]))
    try:
        code = main([command, *WRITING[command]])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    told = capsys.readouterr().err
    assert code == 2, told
    assert "cannot be written (File too large). Make room, or write elsewhere" in told
    assert files() == before


def files() -> set[Path]:
    return {path for path in Path().rglob("*") if path.is_file() and path.name != "lock"}
