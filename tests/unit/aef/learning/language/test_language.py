"""A new language: what is induced from a corpus, how its folder is laid out, and what is said of a folder."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef import lexicons
from aef.commands import main
from aef.context.cues import cues
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.learning.language.folder import LISTS, MORE, check, checked_code
from aef.learning.language.induction import INDUCERS, induced

Captured = pytest.CaptureFixture[str]

SENTENCE = "Hr. {} kom den 3 maj 1999 til retten, jf. § 12, og hans bror {} boede ved siden af havnen i 4 uger. "
NAMES = [("Ole Friis", "Bo"), ("Per af Skov", "Ib"), ("Kim af Dal", "Ejnar"), ("Leif af Hav", "Ejnar")]


def ruling(number: int) -> Document:
    text, mentions = "", []
    for part, name in zip(SENTENCE.split("{}"), (*NAMES[number], ""), strict=True):
        text += part
        if name:
            role = "party" if name == NAMES[number][0] else "relative"
            mentions.append(Mention(len(text), len(text) + len(name), "PERSON", "DIRECT", extra={"role": role}))
        text += name
    return Document.from_text(text, f"r{number}", mentions)


PLAIN = [
    Document.from_text(f"Retten har den {day} set på sagen, og den er klar til dom; {word} er med.", f"p{day}")
    for day, word in enumerate(("alt", "intet", "noget"))
]
RULINGS = [*(ruling(number) for number in range(4)), *PLAIN]


@pytest.mark.parametrize(
    ("name", "there", "reason"),
    [
        ("month_names", {"maj"}, "between a day and a year"),
        ("abbreviations", {"jf."}, "a period before a sign or a small letter, never without"),
        ("title", {"Hr.", "Hr"}, "a capital right before names"),
        ("particles", {"af"}, "small, inside of names"),
        ("related_words", {"bror"}, "small, right before names"),
        ("ordinary_words", {"havnen", "retten", "siden"}, "small, in all documents"),
        ("role_cues", {"party | before? | hr.", "relative | before? | bror"}, "by the roles that the corpus gives"),
        ("unit_words", {"uger"}, "behind numbers"),
    ],
)
def test_what_is_induced(name: str, there: set[str], reason: str) -> None:
    assert there <= set(induced(RULINGS)[name]), reason


def test_no_name_is_induced() -> None:
    words = {word.casefold() for entries in induced(RULINGS).values() for entry in entries for word in entry.split()}
    assert words.isdisjoint({"ole", "friis", "bo", "per", "skov", "ejnar", "ib", "kim"})


def test_too_few_documents_tell_nothing() -> None:
    assert not any(induced(RULINGS[:1])[name] for name in INDUCERS if name != "function_words")


def test_a_folder_is_laid_out_gone_over_and_learned_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    write_gold(RULINGS, "gold.jsonl")
    assert main(["language", "new", "da", "--from", "gold.jsonl", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["folder"] == "languages/da" and told["entries"]["title"] and not told["entries"]["surnames"]
    assert {path.stem for path in Path("languages/da").glob("*.txt")} == {*LISTS, *MORE}
    before = Path("languages/da/title.txt").read_bytes()
    assert main(["language", "new", "da", "--from", "gold.jsonl"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert Path("languages/da/title.txt").read_bytes() == before, "a folder that was gone over stays"
    monkeypatch.setenv("AEF_LANGUAGES", "languages")
    assert "da" in lexicons.languages()
    assert main(["language", "check", "da", "--json"]) == 0
    found = {(row["list"], row["kind"]) for row in json.loads(capsys.readouterr().out)}
    assert {("surnames", "empty"), ("title", "thin")} <= found
    assert main(["train", "gold.jsonl", "--language", "da", "--target", "person", "-o", "da-person.aef"]) == 0
    Path("r.txt").write_text(SENTENCE.format("Ole Friis", "Bo"), encoding="utf-8")
    capsys.readouterr()
    assert main(["tag", "r.txt", "--model", "da-person.aef"]) == 0


@pytest.mark.parametrize(
    ("lists", "kind", "name", "told"),
    [
        ({"month_names": "May"}, "doubtful", "month_names", "not in lower case"),
        ({"common_words": "rose", "surnames": "rose"}, "doubtful", "common_words", "also somebody's name: rose"),
        ({"title": "Sr."}, "thin", "title", "1 entries"),
        ({"title": ""}, "empty", "title", "titles before a name"),
        ({}, "missing", "title", "titles before a name"),
        ({"particles": "e\u0301"}, "doubtful", "particles", "accents written apart"),
        ({"role_cues": "parti | before | sagsøger"}, "doubtful", "role_cues", "no roles, so nobody's: parti"),
    ],
)
def test_what_is_said_of_a_folder(
    lists: dict[str, str], kind: str, name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = f"q{chr(97 + abs(hash((kind, name, told))) % 26)}{chr(97 + len(told) % 26)}"
    folder = tmp_path / "languages" / code
    folder.mkdir(parents=True)
    for file, words in {"particles": "von", **lists}.items():
        (folder / f"{file}.txt").write_text(f"# {file} of a test\n{words}\n", encoding="utf-8")
    monkeypatch.setenv("AEF_LANGUAGES", str(tmp_path / "languages"))
    lexicons.load_all.cache_clear()
    cues.cache_clear()
    assert any(f.kind == kind and f.name == name and told in f.told for f in check(code))
    cues.cache_clear()
    lexicons.load_all.cache_clear()


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("party | befor | kærer", "no such place"),
        ("party | before", "no words"),
        ("party | before | ", "no words either"),
        ("party, before, kærer", "no fields"),
        ("party | before | kærer | sagsøger", "a field too many"),
    ],
)
@pytest.mark.parametrize("taken_in", [False, True])
def test_a_broken_line_of_cues_is_told_with_its_place(
    line: str, reason: str, taken_in: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    lists = tmp_path / "languages" / "qz"
    lists.mkdir(parents=True)
    (lists / "particles.txt").write_text("# of a test\nvon\n", encoding="utf-8")
    others = "< en/role_cues\n" if taken_in else ""
    (lists / "role_cues.txt").write_text(f"# cues\nparty | before | sagsøger\n{others}{line}\n", encoding="utf-8")
    monkeypatch.setenv("AEF_LANGUAGES", str(tmp_path / "languages"))
    lexicons.load_all.cache_clear()
    assert main(["language", "check", "qz"]) == 2, reason
    told = capsys.readouterr().err
    assert f"role_cues.txt, line {4 if taken_in else 3}: '{line.strip()}' is no cue of a role. Write ROLE" in told
    lexicons.load_all.cache_clear()


@pytest.mark.parametrize("code", ["es", "fr", "pt", "de", "ro"])
def test_nothing_that_learning_needs_is_missing_in_built_in_languages(code: str) -> None:
    assert [str(finding) for finding in check(code) if finding.bars] == []


@pytest.mark.parametrize("code", ["", "x", "xxxx", "XX", "x1", "../x"])
def test_what_is_no_code(code: str) -> None:
    with pytest.raises(Exception, match="no code of a language"):
        checked_code(code)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["new"], "needs the code"),
        (["new", "Xx", "--from", "gold.jsonl"], "no code of a language"),
        (["new", "xx"], "needs a gold corpus"),
        (["new", "xx", "--from", "absent.jsonl"], "absent.jsonl"),
        (["check", "xx"], "no word lists for language 'xx'"),
    ],
)
def test_what_goes_wrong(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["language", *arguments]) == 2
    assert message in capsys.readouterr().err and not any(tmp_path.iterdir())


def test_the_languages_are_listed(capsys: Captured) -> None:
    assert main(["language", "--json"]) == 0
    rows = {row["language"]: row for row in json.loads(capsys.readouterr().out)}
    assert rows["es"]["name"] == "Spanish" and rows["es"]["pipeline"] == "court-es"
    assert main(["language"]) == 0 and "French" in capsys.readouterr().out
