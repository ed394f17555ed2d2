"""A user's model inside the pipeline: corrections never make what is published less safe."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.batch.recipe import Recipe
from aef.commands import main
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import read_gold, write_gold
from aef.tagging.finder import Finder

Captured = pytest.CaptureFixture[str]

RULING = """IN THE HIGH COURT OF JUSTICE

BETWEEN:

ANNA MARIA KOWALSKA
Applicant
- and -
ROBERT JOHN HALE
Respondent

Ms Claire Fenwick (instructed by Stone & Parrish LLP) for the Applicant
Mr Thomas Ridley for the Respondent

1. The applicant, Anna Maria Kowalska, born on 12 March 1981, holds passport number GB 4481927. Her telephone number \
is 020 7946 0018.
2. The respondent, Robert Hale, lives at 14 Mill Lane, Barnsley S70 2AB.
3. Ms Kowalska told Mr Hale that their daughter Lily would live with her. Mr Ridley submitted that Mr Hale had agreed.
4. Case number FD19P00412 was heard on 3 May 2019. The witness Peter Novak said that he saw Mr Hale at the club.
"""
SECRETS = ("KOWALSKA", "Kowalska", "HALE", "Hale", "Lily", "Novak", "12 March", "4481927", "7946", "Mill Lane", "FD19P")
IN_OFFICE = ("Fenwick", "Ridley", "Stone & Parrish LLP", "3 May 2019")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("ruling.txt").write_text(RULING, encoding="utf-8")
    return tmp_path


def published(*arguments: str) -> str:
    assert main(["anonymize", "ruling.txt", "-o", "safe.txt", "--force", "--quiet", *arguments]) == 0
    return Path("safe.txt").read_text(encoding="utf-8")


def must_be_safe(text: str) -> None:
    assert [word for word in SECRETS if word in text] == []
    assert [word for word in IN_OFFICE if word not in text] == []


def test_the_way_of_the_readme_makes_nothing_less_safe(folder: Path, capsys: Captured) -> None:
    must_be_safe(published())
    assert main(["align", "ruling.txt", "safe.txt", "-o", "corrected.jsonl", "--quiet"]) == 0
    assert main(["train", "corrected.jsonl", "--from", "en-person", "-o", "ours.aef"]) == 0
    assert "marks only what is hidden" in capsys.readouterr().err
    must_be_safe(published("--model", "ours.aef"))
    names = {d.cut(m) for d in [Finder.load("ours.aef").tag(read_gold("corrected.jsonl")[0])] for m in d.mentions}
    assert not [name for name in names if any(map(str.isdigit, name))], "numbers and dates are no people"
    assert "Claire Fenwick" in names, "counsel is still somebody"


def test_numbers_are_found_beside_a_model_of_what_is_hidden(folder: Path, corpus: list[Document]) -> None:
    """What such a model finds stays hidden, whatever the pipeline's policy says of it; --policy decides anew."""
    Finder("nine", threshold=0.3).fit(corpus).save("all.aef")
    tagger = Recipe(model="all.aef").tagger()
    found = Finder.load("all.aef").tag(Document.from_text(RULING, "ruling"))
    assert {str(name) for name in getattr(tagger, "decided", ())} == {"people"}
    text = published("--model", "all.aef")
    assert not [word for word in ("4481927", "7946", "Mill Lane", "FD19P", "12 March") if word in text]
    assert {m.start for m in found.mentions} <= {m.start for m in tagger.tag(found).mentions}, "nothing of it is lost"
    fenwick = [Mention(RULING.index("Claire"), RULING.index("Claire") + 14, "PERSON")]
    write_gold([Document.from_text(RULING, "counsel", fenwick)], "counsel.jsonl")
    Finder("nine", threshold=0.01).fit(read_gold("counsel.jsonl")).save("counsel.aef")
    assert "Fenwick" not in published("--model", "counsel.aef"), "its court hides counsel"
    assert "Fenwick" in published("--model", "counsel.aef", "--policy", "lexum")


def test_gold_of_what_is_hidden_teaches_no_model_of_all_names(folder: Path, capsys: Captured) -> None:
    write_gold([Document.from_text("Ms. Roe met Mr. Fenn.", "d", [Mention(4, 7, "PERSON")])], "gold.jsonl")
    assert main(["train", "gold.jsonl", "--target", "names", "-o", "names.aef"]) == 2
    told = capsys.readouterr().err
    assert all(word in told for word in ("marks only what is hidden", "NO_MASK", "--target person", "--from"))
    assert not Path("names.aef").exists()


def test_the_roles_say_what_was_done(folder: Path, capsys: Captured) -> None:
    assert main(["anonymize", "ruling.txt", "-o", "safe.txt", "--roles", "--json"]) == 0
    roles = {d["names"][0]: d["decision"] for d in json.loads(capsys.readouterr().out)[0]["roles"]}
    assert roles["GB 4481927"] == roles["FD19P00412"] == "hide", "a number that is replaced is not kept"
    assert roles["Claire Fenwick"] == "show"


WITH_NAMES = [
    ("align ruling.txt safe.txt -o gold.jsonl --report-json report.json", "gold.jsonl gold.report.html report.json"),
    ("tag ruling.txt -o tagged.jsonl", "tagged.jsonl"),
    ("explain ruling.txt --word Hale -o why.html", "why.html"),
    ("anonymize ruling.txt -o again.txt --key key.json", "key.json"),
    ("nome ruling.txt -o terms.txt", "terms.txt"),
    ("convert gold.jsonl -o gold.conll", "gold.conll"),
    ("link gold.jsonl -o linked.jsonl", "linked.jsonl"),
    ("link gold.jsonl -o who.json --format psilence", "who.json"),
    ("evaluate gold.jsonl --model en-person --report errors.html", "errors.html"),
    ("anonymize ruling.txt -o third.txt --case case.aefcase", "case.aefcase"),
    ("restore third.txt --case case.aefcase -o back.txt", "back.txt"),
    ("batch folder -o batch", "batch/.aef-batch/report.csv"),
]


def test_files_with_names_in_them_are_their_owner_s_and_say_so(folder: Path, capsys: Captured) -> None:
    published()
    Path("folder").mkdir()
    Path("folder/ruling.txt").write_text(RULING, encoding="utf-8")
    capsys.readouterr()
    for command, files in WITH_NAMES:
        assert main(command.split()) == 0, command
        said = capsys.readouterr().err
        assert "only you can read" in said, command
        assert [name for name in files.split() if Path(name).stat().st_mode & 0o077] == [], command
    assert Path("safe.txt").stat().st_mode & 0o044, "what is published may be read"
