"""What a user gets wrong: one clear message, exit code 2, no traceback, and every file as it was."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path

import pytest

from aef.commands import main
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import write_gold
from aef.tagging.finder import Finder


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, corpus: list[Document]) -> Path:
    """A folder with good files and with every kind of bad one."""
    folder = tmp_path_factory.mktemp("bad")
    write_gold(corpus, folder / "gold.jsonl")
    write_gold([d.with_mentions([]) for d in corpus], folder / "nothing.jsonl")
    Finder(threshold=0.5).fit(corpus).save(folder / "model.aef")
    (folder / "ruling.txt").write_text("Ms. Green lives in Nelson.")
    (folder / "empty.txt").write_text("")
    (folder / "empty.jsonl").write_text("")
    (folder / "old.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (folder / "binary.txt").write_bytes(bytes(range(256)) * 8)
    with zipfile.ZipFile(folder / "photos.docx", "w") as archive:
        archive.writestr("photo.jpg", b"no ruling")
    (folder / "truncated.docx").write_bytes((folder / "photos.docx").read_bytes()[:40])
    record = json.loads((folder / "gold.jsonl").read_text().splitlines()[0])
    lines = (folder / "gold.jsonl").read_text().splitlines()
    (folder / "broken.jsonl").write_text("\n".join([lines[0], lines[1][:80]]))
    first, second = record["mentions"][:2]
    crossing = {"start_offset": first["start_offset"] + 1, "end_offset": second["end_offset"]}
    changes = {
        "range": record["mentions"] + [{"start_offset": 5, "end_offset": 10**6}],
        "crossing": [{k: first[k] for k in ("start_offset", "end_offset")}, crossing],
        "backwards": [{"start_offset": 9, "end_offset": 3}],
    }
    for name, mentions in changes.items():
        (folder / f"{name}.jsonl").write_text(json.dumps(record | {"mentions": mentions}) + "\n")
    (folder / "lists").mkdir()
    for side, names in (("left", ("a", "b")), ("right", ("b", "c"))):
        (folder / side).mkdir()
        for name in names:
            (folder / side / f"{name}.txt").write_text("Ms. Green lives in Nelson.")
    (folder / "other.txt").write_text("An invoice for twelve chairs.\n\nIt is payable at once, without discount.")
    return folder


CASES: list[tuple[str, str, str]] = [
    ("tag none.txt --model model.aef", r"none\.txt.*no such file", "no such file"),
    ("tag empty.txt --model model.aef", r"empty\.txt", "an empty file"),
    ("tag old.doc --model model.aef", r"old\.doc.*DOCX", "a .doc: says to save it as DOCX"),
    ("tag photos.docx --model model.aef", r"photos\.docx", "a zip that is no DOCX"),
    ("tag truncated.docx --model model.aef", r"truncated\.docx", "a truncated DOCX"),
    ("tag binary.txt --model model.aef", r"binary\.txt", "a binary named .txt"),
    ("tag ruling.txt --model ruling.txt", r"ruling\.txt.*not a model", "a model that is none"),
    ("tag ruling.txt --model none.aef", r"none\.aef.*no such file", "no such model"),
    ("tag ruling.txt --model model.aef --threshold 7", r"threshold 7", "a threshold that is no probability"),
    ("tag ruling.txt --model model.aef -o gold.jsonl", r"gold\.jsonl.*exists.*--force", "the output exists"),
    ("anonymize ruling.txt --model model.aef -o gold.jsonl", r"gold\.jsonl.*exists", "the output exists"),
    ("anonymize old.doc --model model.aef -o new.docx", r"old\.doc.*DOCX", "a .doc"),
    ("train none.jsonl -o new.aef", r"none\.jsonl.*no such file", "no such corpus"),
    ("train empty.jsonl -o new.aef", r"empty\.jsonl", "an empty corpus"),
    ("train broken.jsonl -o new.aef", r"broken\.jsonl.*line 2", "a broken line is named"),
    ("train range.jsonl -o new.aef", r"range\.jsonl.*line 1.*1000000", "an offset out of range"),
    ("train crossing.jsonl -o new.aef", r"crossing\.jsonl.*line 1.*overlap", "overlapping mentions"),
    ("train backwards.jsonl -o new.aef", r"backwards\.jsonl.*line 1", "an end before its start"),
    ("train nothing.jsonl -o new.aef", r"no token.*to be hidden", "a corpus with nothing to hide"),
    ("train gold.jsonl -o model.aef", r"model\.aef.*exists", "the model exists"),
    ("train gold.jsonl -o new.aef --features FirstCapp", r"FirstCapp.*Did you mean FirstCap", "did you mean"),
    ("train gold.jsonl -o new.aef --lists lists", r"lists.*word list", "a folder without lists"),
    ("train gold.jsonl -o new.aef --lists none", r"none", "no such folder of lists"),
    ("evaluate gold.jsonl --cv 50", r"12 documents.*50 folds", "more folds than documents"),
    ("evaluate gold.jsonl --model ruling.txt", r"ruling\.txt.*not a model", "evaluating what is no model"),
    ("align ruling.txt other.txt -o new.jsonl", r"%|share|partner", "two rulings that are no pair"),
    ("align left right -o new.jsonl", r"(?s)a.*c", "folders whose names do not match"),
    ("align left/a.txt none.txt -o new.jsonl", r"none\.txt.*no such file", "half a pair"),
    ("features --set Nonsense", r"Nonsense", "an unknown feature"),
    (
        "features --of roles --show ruling.txt",
        r"--of roles.*aef anonymize --roles",
        "a view of tokens alone",
    ),
    ("nome none.txt", r"none\.txt.*no such file", "no such ruling"),
    ("demo -o lists/../left", r"left.*not empty", "a folder that holds something"),
]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.mark.parametrize(("line", "message", "reason"), CASES, ids=[f"{c.split()[0]}: {r}" for c, _, r in CASES])
def test_bad_input(
    line: str,
    message: str,
    reason: str,
    prepared: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(prepared)
    before = contents(prepared)
    assert main(line.split()) == 2, reason
    said = capsys.readouterr().err
    assert re.search(message, said), said
    assert "Traceback" not in said and "Green lives" not in said
    assert contents(prepared) == before


@pytest.mark.parametrize("jobs", ["0", "-2", "1.5", "two"])
@pytest.mark.parametrize("command", ["select", "compare", "evaluate", "study -o new"])
def test_a_number_of_jobs_that_is_none_is_told(
    command: str, jobs: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), str(tmp_path / "gold.jsonl"), "--jobs", jobs])
    assert ended.value.code == 2
    assert f"--jobs: {jobs}: write a number from 1 on, or -1" in capsys.readouterr().err


def test_a_good_line_works_where_the_bad_ones_did_not(
    prepared: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(prepared)
    assert main(["tag", "ruling.txt", "--model", "model.aef"]) == 0
    assert "Green" in capsys.readouterr().out
