"""``aef pipeline`` and ``aef tag --annotator``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.commands import main

PIPELINE = """
description = "ours"

[[step]]
run = "patterns"
sets = ["common", "ours-patterns.toml"]
"""

PATTERNS = """
[[pattern]]
name = "ours"
class = "CASE"
find = 'our\\s+file\\s+(?P<hide>[A-Z]{2}-\\d{4})'
match = ["see our file <AB-1234>."]
miss = ["see our files"]
"""


@pytest.fixture
def ours(tmp_path: Path) -> Path:
    (tmp_path / "ours-patterns.toml").write_text(PATTERNS, encoding="utf-8")
    (tmp_path / "ruling.txt").write_text("See our file AB-1234.", encoding="utf-8")
    (tmp_path / "ours.toml").write_text(PIPELINE, encoding="utf-8")
    return tmp_path / "ours.toml"


def test_show_lists_what_there_is(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pipeline", "show"]) == 0
    shown = capsys.readouterr().out
    assert all(name in shown for name in ("saroj-ro", "court-en", "gazetteer", "common", "IBAN"))


def test_show_has_the_steps_and_loads_no_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pipeline", "show", "court-en"]) == 0
    assert "model" in capsys.readouterr().out
    assert main(["pipeline", "show", "court-fr", "--json"]) == 0
    assert [s["run"] for s in json.loads(capsys.readouterr().out)["steps"]][:2] == ["maxent", "patterns"]


def test_check_a_file_that_is_in_order(ours: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["pipeline", "check", str(ours)]) == 0
    assert "1 steps, 0 failures" in capsys.readouterr().err


def test_check_tells_examples_that_fail_and_steps_that_nobody_takes(
    ours: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ours.with_name("ours-patterns.toml").write_text(PATTERNS.replace("<AB-1234>", "AB-<1234>"), encoding="utf-8")
    ours.write_text('[[step]]\nrun = "nome"\n' + PIPELINE.partition('"ours"')[2], encoding="utf-8")
    assert main(["pipeline", "check", str(ours), "--json"]) == 1
    failures = json.loads(capsys.readouterr().out)["failures"]
    assert "wanted 'see our file AB-<1234>.'" in failures[0] and "nothing takes what 'nome' finds" in failures[1]


def test_tag_by_a_pipeline_writes_provenance(ours: Path, tmp_path: Path) -> None:
    output = tmp_path / "out.jsonl"
    assert main(["tag", str(tmp_path / "ruling.txt"), "--annotator", str(ours), "-o", str(output)]) == 0
    (mention,) = json.loads(output.read_text(encoding="utf-8"))["mentions"]
    assert (mention["span_text"], mention["by"], mention["class"]) == ("AB-1234", ["patterns"], "CASE")


WRONG = [
    (["pipeline", "check"], "which pipeline is to be checked?"),
    (["pipeline", "check", "nowhere.toml"], "'nowhere.toml' is no pipeline and no file"),
    (["tag", "{ruling}", "--annotator", "nome", "--preset", "safe"], "--preset does not go with --annotator"),
    (["tag", "{ruling}", "--annotator", "nome", "--no-consistency"], "--no-consistency does not go with --annotator"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG, ids=[" ".join(w[0][:2] + w[0][3:]) for w in WRONG])
def test_mistakes_are_one_line_and_exit_code_2(
    ours: Path, tmp_path: Path, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([a.format(ruling=tmp_path / "ruling.txt") for a in arguments]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1


def test_a_pipelines_policy_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "ours.toml"
    path.write_text('policy = "lexum"\n[[step]]\nrun = "nome"\n')
    assert main(["pipeline", "show", str(path)]) == 0
    assert "(language: en, policy: lexum)" in capsys.readouterr().out
    path.write_text('policy = "nosuch"\n[[step]]\nrun = "nome"\n')
    assert main(["pipeline", "check", str(path)]) == 2
    assert "ours.toml: policy: unknown policy" in capsys.readouterr().err
