"""What a folder of rulings holds, and which of them are one case."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.batch.rulings import by_folder, find_cases, find_rulings, read_cases
from aef.errors import InputError
from aef.roles.metadata import Known

RULINGS = ["14/costs.docx", "14/reasons.docx", "15.txt", "16.html"]


def test_what_a_folder_holds(tmp_path: Path) -> None:
    for name in ["b.TXT", "a/z.docx", "a/b/c.html", "notes.csv", "old.pdf", ".hidden/x.txt", "~$a.docx", ".x.txt"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "a")
    found = find_rulings(tmp_path)
    assert found.rulings == ("a/b/c.html", "a/z.docx", "b.TXT", "old.pdf"), "what is not read is to be refused"
    assert found.others == ("link", "notes.csv")


@pytest.mark.parametrize(
    ("name", "message"), [("nosuch", "no such folder"), ("a.txt", "is no folder"), ("empty", "holds no ruling")]
)
def test_no_folder_of_rulings(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "x.pdf").write_text("x")
    with pytest.raises(InputError, match=message):
        find_rulings(tmp_path / name)


def test_subfolders_are_cases() -> None:
    cases = by_folder(["a/1.txt", "a/b/2.txt", "c/3.txt", "4.txt"])
    assert cases.rulings == {"a": ("a/1.txt", "a/b/2.txt"), "c": ("c/3.txt",)}
    assert cases.of() == {"a/1.txt": "a", "a/b/2.txt": "a", "c/3.txt": "c"}
    assert find_cases(None, RULINGS).of() == {}


GOOD = [
    ("x.csv", "case,file\nA,14/reasons.docx\nA,14/costs.docx\nB,15.txt\n", "columns, in the order given"),
    ("x.csv", "file,note,case\n14/reasons.docx,n,A\n14/costs.docx,,A\n15.txt,,B\n", "further columns"),
    ("x.json", json.dumps({"A": ["14/reasons.docx", "14\\costs.docx"], "B": {"files": ["./15.txt"]}}), "JSON"),
]


@pytest.mark.parametrize(("name", "content", "why"), GOOD, ids=[g[2] for g in GOOD])
def test_a_file_says_what_is_a_case(tmp_path: Path, name: str, content: str, why: str) -> None:
    (tmp_path / name).write_text(content)
    cases = read_cases(tmp_path / name, RULINGS)
    assert cases.rulings == {"A": ("14/reasons.docx", "14/costs.docx"), "B": ("15.txt",)}, why


def test_metadata_of_a_case(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text(json.dumps({"A": {"files": ["15.txt"], "judges": ["Long J."]}, "B": ["16.html"]}))
    assert read_cases(tmp_path / "x.json", RULINGS).metadata == {"A": (Known("judge", ("Long J.",)),)}


BAD = [
    ("x.csv", "a,b\n1,2\n", "line 1: has no columns 'case' and 'file'", "other columns"),
    ("x.csv", "case,file\nA\n", "line 2: a case or a file is missing", "a short row"),
    ("x.csv", "case,file\nA,15.txt\nB,15.txt\n", "'15.txt' is listed twice", "in two cases"),
    ("x.csv", "case,file\nA,17.txt\n", "'17.txt' is no ruling of the folder", "a file that is not there"),
    ("x.json", "[]", "is no JSON object", "a list"),
    ("x.json", "{", "is no valid JSON", "broken"),
    ("x.json", '{"A": 3}', "case 'A' has no list of files", "a number"),
    ("x.json", '{"A": {"files": [], "judge": []}}', "case 'A': metadata: unknown key 'judge'", "misspelled metadata"),
    ("y.json", None, "no such file", "no file"),
]


@pytest.mark.parametrize(("name", "content", "message", "why"), BAD, ids=[b[3] for b in BAD])
def test_bad_files_of_cases(tmp_path: Path, name: str, content: str | None, message: str, why: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        find_cases(str(tmp_path / name), RULINGS)
