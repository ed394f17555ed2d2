"""``aef anonymize`` from the command line, with the mentions of a gold corpus."""

from __future__ import annotations

import json
from pathlib import Path

import docx
import pytest

from aef.commands import main
from aef.corpus_tools.document import Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.corpus_tools.rulings.readers import read


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A DOCX and a TXT ruling, and a gold corpus of both."""
    document = docx.Document()
    paragraph = document.add_paragraph("[1] Ms. ")
    for piece, bold, italic in [
        ("Joanne ", True, False),
        ("Gre", True, True),
        ("en", False, True),
        (" left.", None, None),
    ]:
        run = paragraph.add_run(piece)
        run.bold, run.italic = bold, italic
    document.add_table(1, 1).cell(0, 0).text = "Green"
    document.save(str(tmp_path / "one.docx"))
    (tmp_path / "two.txt").write_text("Mr. Millar owns Acme Ltd. He lives in Nelson.")
    documents = []
    for name in ["one.docx", "two.txt"]:
        ruling = read(tmp_path / name)
        marks = [("Joanne Green", "PERSON"), ("Millar", "PERSON"), ("Acme Ltd.", "ORG"), ("Nelson", "LOC")]
        found = [(ruling.text.find(words), words, kind) for words, kind in marks]
        found.append((ruling.text.find("\nGreen") + 1, "Green", "PERSON") if "\n" in ruling.text else (-1, "", ""))
        documents.append(ruling.with_mentions(Mention(i, i + len(w), kind) for i, w, kind in found if i >= 0))
    write_gold(documents, tmp_path / "gold.jsonl")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_one_docx(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", "one.docx", "-o", "safe.docx", "--gold", "gold.jsonl"]) == 0
    message = capsys.readouterr().err
    assert "one.docx: 2 replacements (1 person, 0 organisations, 0 other) -> safe.docx" in message
    safe = docx.Document("safe.docx")
    runs = [(r.text, r.bold, r.italic) for r in safe.paragraphs[0].runs if r.text]
    assert runs == [("[1] Ms. ", None, None), ("J.G.", True, False), (" left.", None, None)]
    assert safe.tables[0].cell(0, 0).text == "J.G."


def test_several_into_a_folder_with_key_and_figures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["one.docx", "two.txt", "-o", "safe", "--gold", "gold.jsonl", "--key", "key.json", "--json", "--quiet"]
    assert main(["anonymize", *arguments]) == 0
    output = capsys.readouterr()
    assert output.err == ""
    assert [f["replacements"] for f in json.loads(output.out)] == [2, 3]
    assert (folder / "safe" / "two.txt").read_text() == "Mr. M. owns A.[...] Ltd. He lives in [...]."
    keys = json.loads(Path("key.json").read_text())
    assert [k["people"] for k in keys] == [{"J.G.": ["Joanne Green", "Green"]}, {"M.": ["Millar"]}]


def test_names_of_files_in_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ["Millar 1.txt", "MILLAR-1.txt", "M 1.txt"]:
        (folder / name).write_text("Mr. Millar left.")
    (folder / "hide.txt").write_text("Millar\n")
    documents = [read(folder / name) for name in ["Millar 1.txt", "MILLAR-1.txt", "M 1.txt"]]
    write_gold(documents, folder / "empty.jsonl")
    arguments = [
        "Millar 1.txt",
        "MILLAR-1.txt",
        "M 1.txt",
        "-o",
        "safe",
        "--gold",
        "empty.jsonl",
        "--include",
        "hide.txt",
    ]
    assert main(["anonymize", *arguments, "--json", "--quiet"]) == 0
    outputs = [Path(f["output"]).name for f in json.loads(capsys.readouterr().out)]
    assert outputs == ["M 1-2.txt", "M-1.txt", "M 1.txt"], "a file keeps its name, another one gets a number"
    assert sorted(p.name for p in (folder / "safe").iterdir()) == sorted(outputs)


def test_lists_and_scheme(folder: Path) -> None:
    (folder / "hide.txt").write_text("# always\n\nlives\n")
    (folder / "keep.txt").write_text("Acme Ltd.\n")
    arguments = ["--include", "hide.txt", "--exclude", "keep.txt", "--scheme", "labels"]
    assert main(["anonymize", "two.txt", "-o", "safe.txt", "--gold", "gold.jsonl", *arguments]) == 0
    assert (folder / "safe.txt").read_text() == "Mr. AA owns Acme Ltd. He [...] in [...]."


def test_names_that_remain(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["anonymize", "two.txt", "-o", "Millar.txt", "--gold", "gold.jsonl", "--quiet"]
    assert main(arguments) == 1
    assert not Path("Millar.txt").exists()
    assert "NOT WRITTEN" in capsys.readouterr().err
    assert main([*arguments, "--allow-remaining"]) == 1
    assert Path("Millar.txt").read_text().startswith("Mr. M. owns")


BAD = [
    ("no such ruling", ["none.docx", "-o", "safe.docx"], "none.docx: no such file"),
    ("the second ruling is bad: the first is not written", ["two.txt", "bad.docx", "-o", "safe"], "is no DOCX"),
    ("the output exists", ["two.txt", "-o", "gold.jsonl"], "exists already"),
    ("the key exists", ["two.txt", "-o", "safe.txt", "--key", "gold.jsonl"], "exists already"),
    ("one name twice", ["two.txt", "sub/two.txt", "-o", "safe"], "several rulings have one name"),
    ("a file for several", ["two.txt", "one.docx", "-o", "bad.docx"], "is a file"),
    ("not in the gold corpus", ["other.txt", "-o", "safe.txt"], "has no document 'other'"),
    ("another text than in the gold corpus", ["sub/two.txt", "-o", "safe.txt"], "differs"),
    ("unknown scheme", ["two.txt", "-o", "safe.txt", "--scheme", "x"], "unknown scheme"),
    ("no such list", ["two.txt", "-o", "safe.txt", "--include", "none.txt"], "none.txt: no such file"),
]


@pytest.mark.parametrize(("reason", "arguments", "message"), BAD, ids=[c[0] for c in BAD])
def test_bad_input_touches_no_file(
    folder: Path, reason: str, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "bad.docx").write_text("text")
    (folder / "other.txt").write_text("Another ruling.")
    (folder / "sub").mkdir()
    (folder / "sub" / "two.txt").write_text("Mr. Millar.")
    before = {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
    assert main(["anonymize", *arguments, "--gold", "gold.jsonl"]) == 2
    assert message in capsys.readouterr().err
    assert {path: path.read_bytes() for path in folder.rglob("*.*") if path.is_file()} == before


def test_without_a_model_the_ready_made_one_is_taken(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", "two.txt", "-o", "at-once.txt"]) == 0
    assert Path("at-once.txt").exists()


def test_an_annotator_in_place_of_a_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "names.txt").write_text("Millar\nNelson\n")
    arguments = ["anonymize", "two.txt", "-o", "safe.txt", "--annotator", "gazetteer:names.txt", "--scheme", "letters"]
    assert main(arguments) == 0
    assert Path("safe.txt").read_text() == "Mr. AA owns Acme Ltd. He lives in BB."
    assert main([*arguments, "--force", "--preset", "safe"]) == 2
    assert "--preset does not go with --annotator" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main([*arguments, "--model", "en-all"])
    assert "not allowed with argument --annotator" in capsys.readouterr().err
