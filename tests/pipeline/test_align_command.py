"""``aef align`` from the command line: files and folders, what it writes, and a clear answer to each mistake."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from aef.commands import main
from aef.corpus_tools.gold.corpora import read_gold

ORIGINAL = (
    "The parties are the parents of William Millar, who was born on March 17, 2000.\n\n"
    "Ms. Green was represented by Ms. Bond at the trial, and Mr. Millar represented himself.\n\n"
    "The court finds that Ms. Green is to have custody of the child.\n"
)
PUBLISHED = (
    "The parties are the parents of W.M., who was born on [...] 2000.\n\n"
    "Ms. J.L.G. was represented by Ms. Bond at the trial, and Mr. D.W.M. represented himself.\n\n"
    "The court finds that Ms. Green is to have custody of the child.\n"
)
INVOICE = "An invoice for twelve chairs.\n\nIt is payable at once, without any discount.\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A working folder with a pair of files, two folders of pairs, and what does not fit."""
    monkeypatch.chdir(tmp_path)
    for side, text in (("left", ORIGINAL), ("right", PUBLISHED)):
        (tmp_path / f"{side}.txt").write_text(text, encoding="utf-8")
        (tmp_path / side).mkdir()
        for name in ("a", "b"):
            (tmp_path / side / f"{name}.txt").write_text(text, encoding="utf-8")
    (tmp_path / "invoice.txt").write_text(INVOICE, encoding="utf-8")
    (tmp_path / "none").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.txt").write_text(PUBLISHED, encoding="utf-8")
    (tmp_path / "other" / "c.txt").write_text(PUBLISHED, encoding="utf-8")
    (tmp_path / "taken.jsonl").write_text("mine", encoding="utf-8")
    (tmp_path / "taken.report.html").write_text("mine", encoding="utf-8")
    yield tmp_path


def run(command: str) -> int:
    return main(["align", *command.split()])


def hidden(path: Path) -> list[list[str]]:
    return [[d.cut(m) for m in d.mentions] for d in read_gold(path)]


def test_two_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("left.txt right.txt -o gold.jsonl") == 0
    out, err = capsys.readouterr()
    assert out.startswith("1 pair: 3 of 3 paragraphs paired; ")
    assert ["missed", "1"] in [line.split() for line in out.splitlines()]
    assert "gold.report.html" in err
    assert hidden(folder / "gold.jsonl") == [["William Millar", "March 17", "Green", "Millar"]]
    assert "Alignment of left" in (folder / "gold.report.html").read_text(encoding="utf-8")


def test_two_folders_are_paired_by_name(folder: Path) -> None:
    assert run("left right -o new/gold.jsonl --report page.html --report-json report.json --quiet") == 0
    assert [d.doc_id for d in read_gold(folder / "new/gold.jsonl")] == ["a", "b"]
    record = json.loads((folder / "report.json").read_text(encoding="utf-8"))
    assert record["totals"]["pairs"] == 2
    assert "Alignment of 2 rulings" in (folder / "page.html").read_text(encoding="utf-8")
    assert not (folder / "new/gold.report.html").exists()


def test_missed_names_are_labelled_on_request(folder: Path) -> None:
    assert run("left.txt right.txt -o gold.jsonl --fix-missed") == 0
    (document,) = read_gold(folder / "gold.jsonl")
    assert [document.cut(m) for m in document.mentions][-1] == "Green"
    assert document.mentions[-1].extra["missed"] is True


def test_figures_as_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("left.txt right.txt -o gold.jsonl --json --quiet") == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["findings"]["missed"] == 1
    assert err == ""


@pytest.mark.parametrize("output", ["-o gold.conll", "-o gold.txt --format conll"])
def test_conll(folder: Path, output: str) -> None:
    assert run(f"left.txt right.txt {output}") == 0
    lines = (folder / output.split()[1]).read_text(encoding="utf-8").splitlines()
    assert any(line.startswith("William\tB-") for line in lines)


def test_outputs_are_overwritten_with_force_alone(folder: Path) -> None:
    assert run("left.txt right.txt -o taken.jsonl") == 2
    assert (folder / "taken.jsonl").read_text(encoding="utf-8") == "mine"
    assert run("left.txt right.txt -o taken.jsonl --force") == 0
    assert len(read_gold(folder / "taken.jsonl")) == 1


MISTAKES = [
    ("left.txt none.txt -o new.jsonl", "none.txt: no such file", "a file that is not there"),
    ("left right2 -o new.jsonl", "right2: no such folder", "a folder that is not there"),
    ("left right.txt -o new.jsonl", "right.txt: is not a folder", "a folder and a file"),
    ("left.txt right -o new.jsonl", "left.txt: is not a folder", "a file and a folder"),
    ("left other -o new.jsonl", "left/a.txt (only in left), other/c.txt (only in other)", "names without a partner"),
    ("none none -o new.jsonl", "none: holds no rulings", "empty folders"),
    ("left.txt invoice.txt -o new.jsonl", "left.txt and invoice.txt: only 0% of the paragraphs", "no pair"),
    ("invoice.txt left.txt -o new.jsonl", "of the words of left come from invoice", "no pair the other way round"),
    ("left.txt right.txt -o taken.jsonl", "taken.jsonl: exists already", "an output that exists"),
    ("left.txt right.txt -o taken.conll", "taken.report.html: exists already", "a report that exists"),
    ("left.txt right.txt -o new.xyz", "new.xyz: no corpus format", "an unknown format"),
    ("left.txt right.txt -o new.jsonl --report new.jsonl", "new.jsonl: is read, or written twice", "one output twice"),
    ("left.txt right.txt -o left.txt --force --format jsonl", "left.txt: is read", "an input as output"),
    ("left.txt right.txt -o none", "none: is a folder", "a folder as output"),
]


@pytest.mark.parametrize(("command", "message", "reason"), MISTAKES, ids=[r for *_, r in MISTAKES])
def test_mistakes(folder: Path, capsys: pytest.CaptureFixture[str], command: str, message: str, reason: str) -> None:
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    assert run(command) == 2
    out, err = capsys.readouterr()
    assert message in err, reason
    assert err.startswith("aef align: ") and err.count("\n") == 1
    assert out == ""
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before
