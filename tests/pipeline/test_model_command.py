"""``aef model`` and what ``aef train`` says of the names it keeps out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aef.commands import main
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import write_gold
from aef.tagging import ready_models as ready
from aef.tagging.finder import Finder


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory, corpus: list[Document]) -> Path:
    folder = tmp_path_factory.mktemp("models")
    write_gold(corpus, folder / "gold.jsonl")
    write_gold([d.with_mentions([]) for d in corpus], folder / "nothing.jsonl")
    (folder / "wrong.json").write_text('{"classes": [], "weights": 3}')
    (folder / "broken.json").write_text("{")
    Finder("thesis").fit(corpus).save(folder / "free.aef")
    Finder("thesis", names_free=False, threshold=0.4).fit(corpus).save(folder / "kept.aef")
    return folder


@pytest.fixture(autouse=True)
def inside(prepared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(prepared)


Captured = pytest.CaptureFixture[str]


def test_show_says_what_a_model_is(prepared: Path, capsys: Captured) -> None:
    assert main(["model", "show", "free.aef", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    finder = Finder.load(prepared / "free.aef")
    assert shown["documents"] == 12 and shown["target"] == "all" and shown["names_free"] is True
    assert list(shown["presets"]) == ["balanced", "f2", "safe"] and shown["types"] == ["LOC", "PERSON"]
    assert shown["threshold"] == round(finder.cut_probability, 4) == shown["presets"]["f2"]
    assert shown["bytes"] == (prepared / "free.aef").stat().st_size


def test_show_as_text(capsys: Captured) -> None:
    assert main(["model", "show", "kept.aef"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"names free +no\n", shown) and re.search(r"in force +a given threshold\n", shown)
    assert re.search(r"threshold +0\.4\n", shown) and re.search(r"presets +none\n", shown)


def test_an_audit_without_a_corpus_says_what_it_could_not_check(capsys: Captured) -> None:
    assert main(["model", "audit", "kept.aef"]) == 0
    said = capsys.readouterr()
    assert re.search(r"^predicate +\d+ ", said.out, re.MULTILINE) and "Millar" not in said.out
    assert "Not checked" in said.err and "--keep-names" in said.err


def test_an_audit_lists_every_string(capsys: Captured) -> None:
    assert main(["model", "audit", "kept.aef", "--list"]) == 0
    assert "predicate\tW0\tMillar" in capsys.readouterr().out.split("\n")


def test_a_names_free_model_is_clean(capsys: Captured) -> None:
    assert main(["model", "audit", "free.aef", "--against", "gold.jsonl"]) == 0
    assert "Clean" in capsys.readouterr().err


def test_a_model_that_keeps_names_is_not(capsys: Captured) -> None:
    assert main(["model", "audit", "kept.aef", "--against", "gold.jsonl"]) == 1
    assert re.search(r"^predicate +W0 +Millar$", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.parametrize("action", ["show", "audit"])
def test_a_ready_made_model_goes_by_its_name(action: str, capsys: Captured) -> None:
    assert main(["model", action, "en-person"]) == 0
    assert capsys.readouterr().out


def test_findings_as_json(capsys: Captured) -> None:
    assert main(["model", "audit", "kept.aef", "--against", "gold.jsonl", "--json"]) == 1
    audited = json.loads(capsys.readouterr().out)
    assert {"kind": "predicate", "where": "W0", "string": "Millar"} in audited["findings"]
    assert audited["names_free"] is False and audited["counts"]["fingerprint"] == 12


def roles_file(folder: Path, *more: str) -> str:
    """A model of roles with these predicates besides some of the ready-made one's."""
    content = json.loads((ready.FOLDER / "en-roles.json").read_text("utf-8"))
    kept = ("", "in capitals", "before Capital", "before Capital counsel", "title mr", *more)
    content["weights"] = {predicate: [1] * len(content["classes"]) for predicate in kept}
    (folder / "en-roles.json").write_text(json.dumps(content), "utf-8")
    return "en-roles.json"


def test_show_of_the_model_of_roles(capsys: Captured) -> None:
    assert main(["model", "show", "en-roles", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert "judge" in shown["roles"] and shown["language"] == "en" and shown["predicates"] > 1000
    assert main(["model", "show", "en-roles"]) == 0
    assert re.search(r"roles +author, cited, ", capsys.readouterr().out)


def test_an_audit_lists_the_strings_of_the_model_of_roles_by_kind(capsys: Captured) -> None:
    assert main(["model", "audit", "en-roles", "--list"]) == 0
    listed = capsys.readouterr().out.split("\n")
    for line in ("type\tclasses\tjudge", "predicate\ttitle\tmr", "predicate\tbefore Capital\tcounsel"):
        assert line in listed
    assert "form\tweights\tbefore Capital" in listed and "form\tweights\tanchored" in listed
    weights = json.loads((ready.FOLDER / "en-roles.json").read_text("utf-8"))["weights"]
    assert sum(line.split("\t")[0] in ("predicate", "form") for line in listed) == len(weights)


def test_the_model_of_roles_holds_no_name_of_what_it_learned_from(prepared: Path, capsys: Captured) -> None:
    write_gold(handwritten.rulings(half="open"), prepared / "open.jsonl", force=True)
    assert main(["model", "audit", "en-roles", "--against", "open.jsonl"]) == 0
    assert "Clean" in capsys.readouterr().err


NAMES_OF_ROLES = [
    ("before Millar", "before", "a word before a mention"),
    ("behind & Capital millar", "behind & Capital", "one that is an ordinary word, too"),
    ("title millar", "title", "a title"),
    ("sign before Millar", "weights", "what no predicate is made of"),
    ("Millar", "weights", "a predicate of no known form"),
]


@pytest.mark.parametrize(("predicate", "where", "reason"), NAMES_OF_ROLES, ids=[c[-1] for c in NAMES_OF_ROLES])
def test_a_model_of_roles_with_a_name_is_not_clean(
    predicate: str, where: str, reason: str, tmp_path: Path, prepared: Path, capsys: Captured
) -> None:
    path = str(tmp_path / roles_file(tmp_path, predicate))
    assert main(["model", "audit", path, "--against", "gold.jsonl", "--json"]) == 1, reason
    (found,) = json.loads(capsys.readouterr().out)["findings"]
    assert found["where"] == where and found["kind"] == "predicate", reason


WRONG = [
    ("audit gold.jsonl", "not a model", "no model"),
    ("show no-roles", "no ready-made model", "a model of roles that there is not"),
    ("show gold.json", "cannot be read", "no such file"),
    ("audit wrong.json", "no model of roles", "JSON of something else"),
    ("audit broken.json", "no model of roles", "no JSON"),
    ("audit free.aef --against none.jsonl", "none.jsonl", "no such corpus"),
    ("audit free.aef --against nothing.jsonl", "hide nothing", "a corpus that hides nothing"),
    ("show free.aef --list", "aef model audit", "an option of the other action"),
]


@pytest.mark.parametrize(("line", "message", "reason"), WRONG, ids=[c[-1] for c in WRONG])
def test_bad_input(line: str, message: str, reason: str, capsys: Captured) -> None:
    assert main(["model", *line.split()]) == 2, reason
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "measured", "reason"),
    [
        ("", True, "by default"),
        ("--no-cost", False, "asked not to"),
        ("--keep-names", False, "nothing is kept out"),
        ("--threshold 0.5", False, "nothing is chosen by cross-validation"),
        ("--quiet", False, "nothing would be said"),
    ],
)
def test_training_says_what_keeping_names_out_costs(
    options: str, measured: bool, reason: str, capsys: Captured
) -> None:
    line = f"train gold.jsonl -o new.aef --force --features nine --target person {options}"
    assert main(line.split()) == 0
    said = re.search(r"F2 (\d+\.\d) instead of (\d+\.\d) with them", capsys.readouterr().err)
    assert bool(said) is measured, reason
    if said:
        assert all(0 < float(f2) <= 100 for f2 in said.groups())


def test_a_corpus_too_small_to_measure_the_cost(prepared: Path, corpus: list[Document], capsys: Captured) -> None:
    write_gold(corpus[:1], prepared / "one.jsonl")
    assert main(["train", "one.jsonl", "-o", "one.aef", "--features", "nine"]) == 0
    assert "cannot be measured" in capsys.readouterr().err


def test_training_says_what_it_leaves_out_of_the_users_lists(prepared: Path, capsys: Captured) -> None:
    folder = prepared / "towns"
    folder.mkdir()
    (folder / "towns.txt").write_text("Nanaimo\nKelowna\nDeep Hope\n")
    options = ["--no-cost", "--features", "list:towns", "--lists", str(folder)]
    assert main(["train", "gold.jsonl", "-o", "towns.aef", *options]) == 0
    assert "2 entries of your own lists" in capsys.readouterr().err
    assert Finder.load(prepared / "towns.aef").lexicons["towns"] == {"Nanaimo"}
