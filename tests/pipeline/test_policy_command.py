"""``--policy``, ``--metadata`` and ``--roles`` of ``aef anonymize``, and ``aef link --format psilence``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.anonymization import anonymize
from aef.commands import main
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import write_gold
from aef.roles.policy import load_policy

TEXT = (
    "Madam Justice Long heard it. Her Ladyship was told that the child, Hope Walker, lives with her mother, "
    "Summer Walker. Mr. Tom Hale appeared for the mother. Mr. Hale spoke for an hour. Summer left early.\n"
)
NAMES = ["Long", "Hope Walker", "Summer Walker", "Tom Hale", "Hale spoke", "Summer left"]


def ruling(identifier: str | None = "DIRECT") -> Document:
    spans = [(TEXT.index(name), len(name.split(" spoke")[0].split(" left")[0])) for name in NAMES]
    return Document.from_text(
        TEXT, "ruling", [Mention(start, start + size, "PERSON", identifier) for start, size in spans]
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ruling.txt").write_text(TEXT)
    write_gold([ruling()], tmp_path / "gold.jsonl")
    return tmp_path


def run(folder: Path, *options: str) -> int:
    source, gold, target = folder / "ruling.txt", folder / "gold.jsonl", folder / "safe.txt"
    return main(["anonymize", str(source), "--gold", str(gold), "-o", str(target), *options])


def test_the_policy_decides_who_is_hidden(folder: Path) -> None:
    assert run(folder, "--policy", "lexum") == 0
    safe = (folder / "safe.txt").read_text()
    assert "Madam Justice Long" in safe and "Mr. Tom Hale appeared for the mother. Mr. Hale spoke" in safe
    assert "Hope" not in safe and "Summer" not in safe


def test_without_a_policy_a_gold_corpus_has_decided(folder: Path) -> None:
    assert run(folder) == 0
    assert "Tom" not in (folder / "safe.txt").read_text()


def test_roles_are_listed_with_what_tells_them(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "--policy", "lexum", "--roles") == 0
    listing = capsys.readouterr().out
    assert "show  judge            Long  <- judge: 'Madam Justice' (before at 0)" in listing
    assert "hide  relative         Summer Walker, Summer  <- relative: 'mother'" in listing


def test_roles_in_json_and_whoever_is_asked_about(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "own.toml").write_text('extends = "lexum"\n[roles]\ncounsel = "ask"\n')
    assert run(folder, "--policy", str(folder / "own.toml"), "--roles", "--json") == 0
    (figures,) = json.loads(capsys.readouterr().out)
    (asked,) = [r for r in figures["roles"] if r["decision"] == "ask"]
    assert asked["role"] == "counsel" and [a["names"] for a in figures["asked"]] == [asked["names"]]
    assert "Tom" not in (folder / "safe.txt").read_text()


def test_metadata_are_heard(folder: Path) -> None:
    (folder / "case.json").write_text('{"witnesses": ["Thomas Hale"], "officials": ["Hope Walker"]}')
    assert run(folder, "--policy", "lexum", "--metadata", str(folder / "case.json")) == 0
    safe = (folder / "safe.txt").read_text()
    assert "Hope Walker" in safe and "Tom" not in safe


def test_included_phrases_are_hidden_whatever_the_policy_says(folder: Path) -> None:
    (folder / "list.txt").write_text("Long\n")
    assert run(folder, "--policy", "lexum", "--include", str(folder / "list.txt")) == 0
    assert "Long" not in (folder / "safe.txt").read_text()


WRONG = [
    (["--policy", "lexus"], "unknown policy 'lexus'"),
    (["--policy", "lexum", "--metadata", "none.json"], "none.json"),
    (["--roles"], "--roles: a gold corpus has decided already. Give --policy"),
]


@pytest.mark.parametrize(("options", "message"), WRONG, ids=[case[1] for case in WRONG])
def test_mistakes_are_told_and_nothing_is_written(
    folder: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    assert run(folder, *options) == 2
    assert message in capsys.readouterr().err and not (folder / "safe.txt").exists()


class AllNames:
    """A finder of all names."""

    target = "names"

    def tag(self, document: Document) -> Document:
        return document.with_mentions(ruling().mentions)


class ToHide(AllNames):
    target = "person"


def test_what_finds_all_names_has_lexum_and_what_decided_already_has_none(folder: Path) -> None:
    names, hide = (anonymize(folder / "ruling.txt", finder=finder()) for finder in (AllNames, ToHide))
    assert b"Mr. Tom Hale" in names.content and b"Tom" not in hide.content
    assert {d.role.role for d in names.decisions} == {"judge", "child", "relative", "counsel"} and not hide.decisions
    everybody = anonymize(folder / "ruling.txt", finder=AllNames(), policy=load_policy("all"))
    assert b"Tom" not in everybody.content


def test_psilences_json_is_printed_or_written(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gold, out = str(folder / "gold.jsonl"), folder / "roles.json"
    assert main(["link", gold, "--format", "psilence"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert found["doc_id"] == "ruling" and set(found["clusters"]) == {"JUDGE", "WITNESS", "LAWYER"}
    for clusters in found["clusters"].values():
        for name, places in ((name, places) for variants in clusters for name, places in variants.items()):
            assert all(TEXT[start:end] == name.replace("_", " ") for start, end in places)
    assert main(["link", gold, "--format", "psilence", "-o", str(out)]) == 0 and json.loads(out.read_text()) == [found]
    assert main(["link", gold, "--format", "psilence", "-o", str(out)]) == 2, "it exists"
    assert main(["link", gold, "--format", "psilence", "--evaluate"]) == 2
