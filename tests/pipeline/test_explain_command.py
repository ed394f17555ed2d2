"""``aef explain`` as a user runs it: tables, JSON, the page, and what is refused."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import docx
import pytest

from aef.anonymization import why
from aef.commands import main
from aef.corpus_tools.document import Document
from aef.tagging.finder import Finder

TEXT = "Mr. Osei works as a carpenter.\n\nThe Court prefers the evidence of OSEI & co. <now>.\n"


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory, corpus: list[Document]) -> Path:
    folder = tmp_path_factory.mktemp("models")
    finder = Finder("nine").fit(corpus)
    finder.set_threshold(0.5)
    finder.save(folder / "model.aef")
    Finder("nine", threshold=0.4).fit(corpus).save(folder / "plain.aef")
    return folder


@pytest.fixture
def folder(tmp_path: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for model in models.iterdir():
        (tmp_path / model.name).write_bytes(model.read_bytes())
    (tmp_path / "ruling.txt").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], words: str) -> tuple[int, str, str]:
    code = main(["explain", *words.split()])
    return code, *capsys.readouterr()


def tokens(capsys: pytest.CaptureFixture[str], words: str) -> list[dict[str, Any]]:
    code, out, _ = run(capsys, f"{words} --model model.aef --json")
    assert code == 0
    found: list[dict[str, Any]] = json.loads(out)["tokens"]
    return found


def test_a_table_for_every_hidden_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "ruling.txt --model model.aef --top 1")
    tables = out.split("\n\n")
    assert code == 0 and [t.split()[1] for t in tables] == ["Osei", "OSEI"]
    assert "4-8  Osei  hidden as O.: witness; found by a model that has learned what is hidden (par" in tables[0]
    assert "  found by people: 'Osei', PERSON, probability 0." in tables[0]
    assert "  model people finds it as PERSON: the probability is over the threshold; probability 0." in tables[0]
    assert "it repeats Osei at 4-8" in tables[1]
    for lines in map(str.splitlines, tables):
        rows = [line.split() for line in lines if re.match(r" +[+-]\d", line)]
        weights = [float(row[0]) for row in rows]
        assert sum(weights[:-1]) == pytest.approx(weights[-1], abs=0.05), "rounded weights add up to the log-odds"
        assert rows[0][1] == "intercept"
    assert "  1 more" in tables[0] and "  1 more" not in tables[1]
    assert run(capsys, "ruling.txt --model model.aef --top 1 --all-mentions")[1] == out


def test_words_and_offsets(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [t["text"] for t in tokens(capsys, "ruling.txt --at 6")] == ["Osei"]
    assert [(t["text"], t["hidden"]) for t in tokens(capsys, "ruling.txt --word Court")] == [("Court", False)]
    word = tokens(capsys, "ruling.txt --word OSEI")[0]
    found = word["models"]["people"]
    assert (word["replacement"], word["paragraphs"], word["found"][0]["by"]) == ("O.", [2], "people")
    assert TEXT[found["start"] : found["end"]] == "OSEI" and found["repeats"]["start"] == 4
    total = found["intercept"] + sum(p["weight"] for p in found["predicates"])
    assert total == pytest.approx(found["log_odds"], abs=1e-9)
    assert all(p["feature"] and p["help"] for p in found["predicates"])


def cut(capsys: pytest.CaptureFixture[str], decision: str) -> float:
    token = tokens(capsys, f"ruling.txt --at 5 {decision}")[0]
    return float(token["models"]["people"]["threshold"])


def test_presets_and_thresholds_decide(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cuts = Finder.load("model.aef").cuts
    shown = {name: cut(capsys, f"--preset {name}") for name in cuts}
    finder = Finder.load("model.aef")
    for name, threshold in shown.items():
        finder.set_preset(name)
        assert threshold == pytest.approx(finder.cut_probability)
    assert cut(capsys, "--threshold 0.25") == pytest.approx(0.25)


def test_a_docx_is_read_like_any_ruling(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = docx.Document()
    document.add_paragraph("Mr. Osei works as a carpenter.")
    document.save("ruling.docx")
    assert [t["text"] for t in tokens(capsys, "ruling.docx")] == ["Osei"]


def test_page(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, "ruling.txt --model model.aef --word carpenter -o why.html")
    page = Path("why.html").read_text(encoding="utf-8")
    assert (code, out) == (0, "") and "confidential" in err
    assert "&amp;</i>" in page and "&lt;<i" in page and "<now>" not in page
    assert "data-first=5>" in page, "the word asked for is shown first"
    assert run(capsys, "ruling.txt --model model.aef -o why.html")[0] == 2, "exists already"
    code, out, _ = run(capsys, "ruling.txt --model model.aef -o why.html --force --json")
    assert code == 0 and len(json.loads(out)["tokens"]) == 2, "both, where both are asked for"


def test_of_a_very_long_text_only_what_matters_can_be_clicked(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(why, "_CLICKABLE", 5)
    _, _, err = run(capsys, "ruling.txt --model model.aef --word Court -o why.html")
    assert Path("why.html").read_text(encoding="utf-8").count("<i data-n=") == 3
    assert "only those hidden or asked for" in err


def test_nothing_hidden_is_no_error(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("calm.txt").write_text("the court agrees with this.", encoding="utf-8")
    code, out, err = run(capsys, "calm.txt --model model.aef")
    assert (code, out) == (0, "") and "nothing is hidden" in err
    assert tokens(capsys, "calm.txt") == []


def test_a_terminal_is_sent_no_commands(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("odd.txt").write_text("Mr. Osei\x9b2J works\u202e here.", encoding="utf-8")
    for words in ("--all-mentions", "--word works"):
        out = run(capsys, f"odd.txt --model model.aef {words}")[1]
        assert out and all(c.isprintable() or c == "\n" for c in out)


def without(path: str, feature: str) -> None:
    """The model with a feature of a version to come."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    described = json.loads(members["model.json"])
    described["vocabulary"]["Telepathy"] = described["vocabulary"].pop(feature)
    described["features"] = ["Telepathy" if name == feature else name for name in described["features"]]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in (members | {"model.json": json.dumps(described).encode()}).items():
            archive.writestr(name, data)
    Path("telepathic.aef").write_bytes(buffer.getvalue())


WRONG = [
    ("ruling.txt --model model.aef --at 999", "ruling.txt: offset 999 is outside the text"),
    ("ruling.txt --model model.aef --at -1", "ruling.txt: offset -1 is outside the text"),
    ("ruling.txt --model model.aef --at 3", "ruling.txt: offset 3 is in no token"),
    ("ruling.txt --model model.aef --word Zoe", "ruling.txt: 'Zoe' is not in the text"),
    ("ruling.txt --model model.aef --preset bold", "preset 'bold' is not in the model: there are"),
    ("ruling.txt --model plain.aef --preset f2", "it was trained with a given threshold"),
    ("ruling.txt --model model.aef --threshold 2", "threshold 2.0: a probability"),
    ("ruling.txt --model telepathic.aef", "telepathic.aef: no feature is called 'Telepathy'"),
    ("ruling.txt --model ruling.txt", "ruling.txt: is not a model"),
    ("ruling.pdf --model model.aef", "ruling.pdf: no such file"),
    ("ruling.txt --model model.aef -o .", "is a folder"),
]


@pytest.mark.parametrize(("words", "message"), WRONG, ids=[w[1] for w in WRONG])
def test_what_is_wrong_is_said(folder: Path, capsys: pytest.CaptureFixture[str], words: str, message: str) -> None:
    without("model.aef", Finder.load("model.aef").features[0])
    before = sorted(folder.iterdir())
    code, out, err = run(capsys, words)
    assert (code, out) == (2, "") and message in err and err.count("\n") == 1
    assert sorted(folder.iterdir()) == before


def test_one_question_at_a_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in ("--at 3 --word Osei", "--word Osei --all-mentions", "--preset f2 --threshold 0.5"):
        with pytest.raises(SystemExit):
            run(capsys, f"ruling.txt --model model.aef {words}")
        assert "not allowed with" in capsys.readouterr().err
