"""``aef study`` from the gold file to the page."""

from __future__ import annotations

import csv
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from aef.commands import main
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import write_gold
from aef.learning.study import iterations

OPTIONS = ["--features", "C4,FirstCap", "-k", "3", "--folds", "3", "--quiet"]


@pytest.fixture(scope="module")
def gold(tmp_path_factory: pytest.TempPathFactory, corpus: list[Document]) -> Path:
    path = tmp_path_factory.mktemp("study") / "gold.jsonl"
    write_gold(corpus, path)
    return path


@pytest.fixture(scope="module")
def folder(gold: Path) -> Path:
    """A finished study."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(iterations, "CHECKPOINTS", (10, 50))
        assert main(["study", str(gold), "-o", str(gold.parent / "out"), *OPTIONS]) == 0
    return gold.parent / "out"


def test_every_table_and_plot_is_there(folder: Path) -> None:
    tables = {path.stem for path in (folder / "tables").iterdir()}
    assert tables >= {"iterations", "single", "steps", "selected", "second_step", "third_step", "features", "systems"}
    assert tables >= {"thesis_sets", "thesis_selection", "thesis_systems", "correlations"}
    names = {"iterations", "single", "next_steps", "selection", "contributions", "correlations", "systems"}
    assert {path.name for path in (folder / "plots").iterdir()} == {
        f"{n}.{kind}" for n in names for kind in ("png", "svg")
    }
    assert not list(folder.rglob(".*")), "no file left half written"


def test_the_csv_files_hold_the_figures_of_the_json(folder: Path) -> None:
    tables: dict[str, list[dict[str, Any]]] = json.loads((folder / "study.json").read_text())["tables"]
    for name, rows in tables.items():
        with (folder / "tables" / f"{name}.csv").open(newline="") as stream:
            read = list(csv.DictReader(stream))
        assert read == [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows], name


class References(HTMLParser):
    """Whatever a page would fetch or lead to, and whether its tags close."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.images: list[dict[str, str | None]] = []
        self.ids: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [str(given[key]) for key in ("src", "href", "srcset", "data", "action") if key in given]
        self.images += [given] if tag == "img" else []
        self.ids += [given["id"]] if "id" in given else []
        assert tag not in ("script", "link", "iframe", "object"), "nothing is loaded or run"


def test_the_page_needs_nothing_else(folder: Path) -> None:
    text = (folder / "report.html").read_text(encoding="utf-8")
    page = References()
    page.feed(text)
    outside = [ref for ref in page.found if not ref.startswith(("data:image/svg+xml;base64,", "#"))]
    assert outside == []
    assert not re.search(r"https?:|@import|url\(", text)
    assert len(page.images) == 7
    assert all(image.get("alt") for image in page.images)
    assert {f"#{name}" for name in page.ids} >= {ref for ref in page.found if ref.startswith("#")}


def test_the_page_marks_the_thesis_figures_and_shows_its_table(folder: Path) -> None:
    text = (folder / "report.html").read_text(encoding="utf-8")
    assert "the thesis, another corpus" in text
    assert '<td class="other">78.66</td>' in text, "the last F2 of Table 3.7"
    assert '<td class="other">96.05</td>' in text or ">96.05</td>" in text, "precision in Table 3.11"


def test_no_text_of_a_ruling_is_written(folder: Path) -> None:
    written = "".join(
        path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.suffix in (".json", ".html", ".csv")
    )
    assert not re.search("Kelowna|Petrov|carpenter", written)


@pytest.mark.slow
def test_a_second_run_gives_the_same_figures(gold: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(iterations, "CHECKPOINTS", (10, 50))
    again = gold.parent / "again"
    again.mkdir()
    (again / "study.json").write_text("an old one")
    (again / "mine.txt").write_text("mine")
    assert main(["study", str(gold), "-o", str(again), *OPTIONS, "--jobs", "2", "--force"]) == 0
    assert (again / "mine.txt").read_text() == "mine"
    for path in folder.rglob("*"):
        assert path.is_dir() or path.read_bytes() == (again / path.relative_to(folder)).read_bytes(), path.name


BAD = [
    (["--folds", "13"], r"12 documents cannot make 13 folds", "fewer documents than folds"),
    (["--folds", "1"], r"at least 2", "one fold"),
    (["--features", "C4,FirstCup"], r"FirstCup.*Did you mean FirstCap", "an unknown feature"),
    (["--documents", "small-1,smal-2"], r"smal-2.*Did you mean.*small-2", "an unknown document"),
    (["--documents", "zzz"], r"zzz.*There are small-0", "a document like no other"),
    (
        ["--documents", ",".join(f"small-{i}" for i in range(12))],
        r"no other with something to hide",
        "all documents named",
    ),
    (["-k", "99"], r"k = 99", "more features than there are"),
    (["--seed", "-1"], r"seed -1", "a seed below 0"),
]


@pytest.mark.parametrize(("options", "message", "why"), BAD, ids=[why for *_, why in BAD])
def test_bad_input_is_said_at_once_and_nothing_is_written(
    options: list[str], message: str, why: str, gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["study", str(gold), "-o", str(tmp_path / "out"), *options]) == 2
    error = capsys.readouterr().err
    assert re.search(message, error), error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_fold_without_a_positive_is_refused(
    corpus: list[Document], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_gold([d if i < 2 else d.with_mentions([]) for i, d in enumerate(corpus)], tmp_path / "gold.jsonl")
    assert main(["study", str(tmp_path / "gold.jsonl"), "-o", str(tmp_path / "out")]) == 2
    assert re.search(r"fold \d of 5 holds no token to hide", capsys.readouterr().err)
    assert not (tmp_path / "out").exists()


def test_a_folder_in_use_is_left_alone(gold: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["study", str(gold), "-o", str(tmp_path)]) == 2
    assert "is not empty" in capsys.readouterr().err
    assert main(["study", str(gold), "-o", str(tmp_path / "mine.txt"), "--force"]) == 2
    assert "is a file" in capsys.readouterr().err
    assert main(["study", str(gold), "-o", str(tmp_path / "mine.txt" / "out")]) == 2
    assert "cannot be written" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
