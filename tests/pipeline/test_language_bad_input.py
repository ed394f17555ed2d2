"""Languages got wrong at the command line: what happened, where, what to do; exit code 2 and no output."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest

from aef import lexicons
from aef.commands import main
from aef.context.cues import cues

ES = "La madre de la niña dijo que el padre no había vivido con ella, y el tribunal cree que eso es cierto. "
IT = "Il tribunale ha sentito la madre della bambina e ritiene che lei debba essere creduta in questo caso. "
NL = "De rechtbank heeft de moeder van het kind gehoord en vindt dat zij moet worden geloofd in deze zaak. "
NOTHING_FINDS = r"nothing finds names in {} yet\. There are: de, en, es, .* Take one of these"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where rulings lie, and a language of a user's own, which every case may break."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    for name, text in (("es", ES), ("it", IT), ("nl", NL)):
        (tmp_path / "in" / f"{name}.txt").write_text(text * 5, "utf-8")
    shutil.copytree(Path(lexicons.__file__).parent / "es", tmp_path / "own" / "xx")
    monkeypatch.setenv("AEF_LANGUAGES", str(tmp_path / "own"))
    for known in (lexicons.load_all, cues):
        known.cache_clear()
    return tmp_path


NO_MODEL = [
    ("anonymize in/nl.txt -o out.txt", r"nl\.txt: reads like no language .* Say with --language", "Dutch, told"),
    ("tag in/it.txt -o out.jsonl", r"it\.txt: reads like no language .* Say with --language", "Italian, told"),
    ("anonymize in/es.txt -o out.txt --language nl", NOTHING_FINDS.format("nl"), "Dutch, said"),
    ("tag in/es.txt -o out.jsonl --language Spanish", NOTHING_FINDS.format("Spanish"), "a name, not a code"),
    ("anonymize in/es.txt -o out.txt --language xx", NOTHING_FINDS.format("xx"), "lists, and no model"),
    ("batch in -o out --language nl", NOTHING_FINDS.format("nl"), "a whole folder"),
    ("tag in/es.txt -o out.jsonl --language=", NOTHING_FINDS.format("''"), "an empty code"),
]


@pytest.mark.parametrize(("words", "told", "reason"), NO_MODEL, ids=[c[2] for c in NO_MODEL])
def test_a_language_without_a_model_is_refused(
    words: str, told: str, reason: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words.split()) == 2, reason
    assert re.search(told, capsys.readouterr().err), reason
    assert not list(folder.glob("out*")), "nothing is written"


def test_a_wrong_language_is_obeyed_and_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", "in/es.txt", "-o", "out.txt", "--language", "fr"]) == 0
    told = capsys.readouterr().err
    assert "read as French" in told and "reads like Spanish, and is read as French; take --language" in told


def test_the_language_that_was_told_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["anonymize", "in/es.txt", "-o", "out.txt", "--json"]) == 0
    told = capsys.readouterr()
    assert "read as Spanish" in told.err and json.loads(told.out)[0]["read_as"] == "es"


BROKEN = [
    (
        "role_cues",
        "judge before magistrada",
        r"'judge before magistrada' is no cue of a role\. Write ROLE \|",
        "no bars",
    ),
    ("role_cues", "judge | beside | magistrada", r"the place one of before, behind", "an unknown place"),
    ("towns", "< en/nothing", r"'< en/nothing' names no list\. Write < LANGUAGE/LIST", "another list that is none"),
    ("towns", b"m\xe1laga", r"cannot be read as UTF-8 text\. Save the list as UTF-8", "another encoding"),
]


@pytest.mark.parametrize(("name", "line", "told", "reason"), BROKEN, ids=[c[3] for c in BROKEN])
def test_a_broken_line_of_a_list_is_told_with_file_and_line(
    name: str, line: str | bytes, told: str, reason: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = folder / "own" / "xx" / f"{name}.txt"
    path.write_bytes(path.read_bytes() + (line if isinstance(line, bytes) else line.encode()) + b"\n")
    number = path.read_bytes().count(b"\n")
    assert main(["language", "check", "xx"]) == 2
    assert re.search(rf"{name}\.txt, line {number}: .*{told}", capsys.readouterr().err), reason


def test_a_language_of_ones_own_without_function_words_leaves_the_others_as_they_are(folder: Path) -> None:
    (folder / "own" / "xx" / "function_words.txt").unlink()
    assert main(["tag", "in/es.txt", "-o", "out.jsonl"]) == 0
    assert main(["language", "check", "xx"]) == 1


def test_a_folder_goes_on_without_the_rulings_that_nothing_can_read(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["batch", "in", "-o", "done"]) == 1
    told = capsys.readouterr()
    assert len(re.findall(r"refused: (?:it|nl)\.txt: reads like no language", told.out + told.err)) == 2
    assert (folder / "done" / "es.txt").exists()
