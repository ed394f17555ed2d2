"""What the editor says of names: lists that contradict each other, nicknames, a surname of two; nobody is exposed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aef.anonymization import Result, anonymize
from aef.commands import main
from aef.corpus_tools.document import Mention, Places
from aef.errors import InputError
from aef.roles.metadata import read_metadata
from aef.roles.policy import load_policy


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(text: str, pattern: str, **arguments: object) -> Result:
    """The ruling anonymized, every match of the pattern being a person."""
    Path("ruling.txt").write_text(text, encoding="utf-8")
    mentions = [Mention(m.start(), m.end(), "PERSON") for m in re.finditer(pattern, text)]
    return anonymize("ruling.txt", mentions=mentions, **arguments)  # type: ignore[arg-type]


LISTS = [
    ("Applicant Hale", [], r"Applicant R\.H\. left", "a misread phrase still names him"),
    ("Hale Street", [], r"in H\. Street\. Mr H\. wept", "a street is no name, and has one of two, as Mr Hale is"),
    ("Mr Hale", [], "Mr Hale wept", "the name itself, with a title: asked for"),
    ("Mr Hale", ["Hale"], r"Mr (?!Hale)\S+ wept", "include goes before exclude"),
    ("Hale Street", ["Hale Street"], r"in (?!Hale)\S+ Mr", "the same words on both lists"),
]


@pytest.mark.parametrize(("exclude", "include", "shown", "why"), LISTS, ids=[c[3] for c in LISTS])
def test_an_exclusion_exposes_nobody(folder: Path, exclude: str, include: list[str], shown: str, why: str) -> None:
    text = "Robert Hale came. Applicant Hale left. He lives in Hale Street. Mr Hale wept."
    found = "Robert Hale|Applicant Hale|Mr Hale|Hale Street"
    result = run(text, found, exclude=[exclude], include=include)
    assert re.search(shown, result.content.decode()), why


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("case.toml", '[[parties]]\nname = "Robert Hale"\nalso = ["Skip"]\n'),
        ("case.json", '{"parties": [{"name": "Robert Hale", "also": ["Skip"]}]}'),
    ],
)
def test_a_nickname_is_told(folder: Path, name: str, content: str) -> None:
    Path(name).write_text(content, encoding="utf-8")
    metadata = read_metadata(name)
    text = "Robert Hale came. Skip left. We skip this. Mr Hale wept."
    result = run(text, "Robert Hale|Mr Hale", policy=load_policy("lexum"), metadata=metadata)
    assert result.content.decode() == "R.H. came. R.H. left. We skip this. Mr R.H. wept."
    assert {"Robert Hale", "Skip"} <= set(result.people["R.H."])


def test_metadata_that_are_no_toml_are_told(folder: Path) -> None:
    Path("case.toml").write_text("parties = [", encoding="utf-8")
    with pytest.raises(InputError, match=r"case\.toml.*no valid TOML"):
        read_metadata("case.toml")


def test_a_surname_of_two_is_neither_s(folder: Path) -> None:
    result = run("Robert Hale met Susan Hale.\nRobert Hale wept.\nHale left.", "(?:Robert |Susan )?Hale")
    assert result.content.decode().endswith("H. left.")
    [doubt] = result.unsure
    assert (doubt.text, doubt.places, set(doubt.candidates)) == ("Hale", Places((3,)), {"R.H.", "S.H."})
    assert re.fullmatch(r"paragraph 3: Hale \(H\.\) may be R\.H\. or S\.H\.", str(doubt))


def test_of_a_surname_of_two_is_told_once(folder: Path) -> None:
    text = "Robert Hale met Susan Hale.\n\n" + "Hale left.\n" * 7 + "The child was with Hale."
    result = run(text, "(?:Robert |Susan )?Hale", exclude=["with Hale"])
    assert result.content.decode().endswith("H. left.\nThe child was with H."), (
        "nobody guesses whose an excluded one is"
    )
    [doubt] = result.unsure
    assert len(doubt.spans) == 8 and [text[a:b] for a, b in doubt.spans] == ["Hale"] * 8
    assert str(doubt).startswith("paragraph 2, lines 3, 4, 5, 6, 7 and 3 more: Hale (H.) may be ")


def test_the_command_names_word_paragraph_and_candidates(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("r.txt").write_text(
        "The father, Robert Hale, met the mother, Susan Hale.\n\nRobert Hale wept.\n\nThe child lives with Hale.\n",
        encoding="utf-8",
    )
    assert main(["anonymize", "r.txt", "-o", "safe.txt", "--json", "--policy", "all"]) == 0
    told = capsys.readouterr()
    doubts = json.loads(told.out)[0]["unsure"]
    assert all(d["text"] and d["paragraphs"] and d["candidates"] for d in doubts)
    assert len(doubts) == told.err.count(" may be ") == 1


def test_what_the_command_runs_is_what_python_runs(folder: Path) -> None:
    Path("r.txt").write_text("The applicant, Tarrow Quillback, holds passport number GB 4481927.\n", encoding="utf-8")
    anonymize("r.txt", "python.txt")
    assert main(["anonymize", "r.txt", "-o", "command.txt", "--quiet"]) == 0
    assert Path("python.txt").read_text() == Path("command.txt").read_text()
    assert "4481927" not in Path("python.txt").read_text()
