"""``aef nome`` from the command line: the list in each form, and a clear answer to each mistake."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from aef.commands import main

TEXT = "William Millar was born on March 17, 2000. Ms. Green met Wendy Moss. Then Green left William Millar.\n"


@pytest.fixture
def ruling(tmp_path: Path) -> Path:
    path = tmp_path / "ruling.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def test_prints_the_list_and_a_summary(ruling: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nome", str(ruling)]) == 0
    out, err = capsys.readouterr()
    assert [line.split() for line in out.splitlines()[2:]] == [
        ["2", "Green", "G."],
        ["1", "March", "17", "[...]"],
        ["1", "Wendy", "Moss", "W.M.", "!"],
        ["2", "William", "Millar", "W.M.", "!"],
    ]
    assert "4 terms, 6 occurrences, 2 terms with a clash" in err


def test_quiet_prints_the_list_only(ruling: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nome", str(ruling), "--quiet"]) == 0
    assert capsys.readouterr().err == ""


def test_json_holds_the_places(ruling: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nome", str(ruling), "--json"]) == 0
    terms = {term["term"]: term for term in json.loads(capsys.readouterr().out)}
    assert [TEXT[start:end] for start, end in terms["Green"]["places"]] == ["Green", "Green"]
    assert terms["Wendy Moss"]["clash"] and not terms["Green"]["clash"]


def test_writes_csv_json_and_text(ruling: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix in ("csv", "json", "txt"):
        assert main(["nome", str(ruling), "-o", str(tmp_path / f"terms.{suffix}")]) == 0
    with (tmp_path / "terms.csv").open(encoding="utf-8-sig", newline="") as stream:
        assert [row["term"] for row in csv.DictReader(stream)] == ["Green", "March 17", "Wendy Moss", "William Millar"]
    assert len(json.loads((tmp_path / "terms.json").read_text(encoding="utf-8"))) == 4
    assert "William Millar" in (tmp_path / "terms.txt").read_text(encoding="utf-8")
    assert capsys.readouterr().out == "", "what is written is not printed as well"


def test_no_titles_lists_less(ruling: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nome", str(ruling), "--no-titles"]) == 0
    assert "Green" not in capsys.readouterr().out


def test_a_users_lists(ruling: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "nome_exclusion.add.txt").write_text("Green\n", encoding="utf-8")
    assert main(["nome", str(ruling), "--lists", str(tmp_path / "lists")]) == 0
    assert "Green" not in capsys.readouterr().out


def test_a_ruling_in_another_language(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "arret.txt").write_text("L'avocat de M. Brun, né le 5 août 1980, vint.", encoding="utf-8")
    assert main(["nome", str(tmp_path / "arret.txt"), "--language", "fr", "--json"]) == 0
    assert [term["term"] for term in json.loads(capsys.readouterr().out)] == ["5 août", "Brun"]


MISTAKES = [
    (["{ruling}", "-o", "{folder}/terms.xls"], "is no known kind of list", "unknown suffix"),
    (["{ruling}", "-o", "{ruling}"], "exists already", "an output that exists"),
    (["{folder}/none.txt"], "no such file", "no ruling"),
    (
        ["{ruling}", "--language", "xx"],
        "no word lists for language 'xx'. There are: de, en, es, fr, pt, ro",
        "a language not there",
    ),
    (["{ruling}", "--lists", "{folder}/none"], "is no folder", "no folder of lists"),
    (["{ruling}", "--lists", "{folder}"], "holds no list used here, only ruling.txt", "a folder of something else"),
]


@pytest.mark.parametrize(("arguments", "message", "reason"), MISTAKES, ids=[case[2] for case in MISTAKES])
def test_mistakes(
    arguments: list[str], message: str, reason: str, ruling: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["nome", *(a.format(ruling=ruling, folder=tmp_path) for a in arguments)]) == 2, reason
    assert message in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ruling.txt"], "nothing is written"
    assert ruling.read_text(encoding="utf-8") == TEXT
