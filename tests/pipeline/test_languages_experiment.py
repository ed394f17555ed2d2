"""The table of Spanish and French, on a few made-up lines."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from aef.experiments import language_corpora, languages

HEADINGS = {"es": "PROCEDIMIENTO", "fr": "PROCÉDURE"}
SENTENCES = {
    "es": ("El Sr . Juan Ruiz_N apeló en Cádiz_N", "La Sra . Inés Soler_N vive con Juan Ruiz_N", "Nada consta aquí"),
    "fr": ("M . Yves Brun_N a saisi la Cour", "Mme Anne Roche_N vit à Lyon_N avec Yves Brun_N", "Rien n ' est dit"),
}


def judgment(language: str, times: int) -> str:
    lines = [f"{HEADINGS[language]} O", ""]
    for sentence in SENTENCES[language] * times:
        words = [*sentence.split(), "."]
        lines += [f"{w.removesuffix('_N')} {'B-PER' if w.endswith('_N') else 'O'}" for w in words] + [""]
    return "\n".join(lines) + "\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for language in HEADINGS:
        place = tmp_path / f"echr_{language}"
        place.mkdir()
        (place / "train.tsv").write_text(judgment(language, 4) * 3, encoding="utf-8")
        (place / "dev.tsv").write_text(judgment(language, 2) * 2, encoding="utf-8")
    return tmp_path


def test_reads_judgments_in_their_language(folder: Path) -> None:
    train = language_corpora.read(folder, "fr", "train")
    assert len(train) == 3 and {d.language for d in train} == {"fr"}
    assert "est" in train[0].words, "n'est comes apart"


def test_prints_a_row_for_each_system_and_language(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["languages", "--data", str(folder), "--part", "all"])
    languages.main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "es: trained on 3 judgments, scored on 2"
    rows = [(name, language) for language in HEADINGS for name in languages.systems(language)]
    assert len(lines) == 2 + 2 + len(rows)
    learned = next(line for line in lines if line.startswith("MaxEnt thesis") and " es " in line)
    assert " 100.0 " in learned, "what is tagged alike everywhere is learned"
