"""Studies without their corpora: one line that names what is missing and the remedy, exit code 2."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

MISSING = [
    ("promise", "", "tab_en", "the promise"),
    ("quality", "", "tab_en", "quality"),
    ("quality", "--short", "tab_en", "quality in short"),
    ("alignment", "", "tab_en", "alignment"),
    ("courts", "", "tab_en", "other courts"),
    ("docx_layout", "", "tab_en", "layout"),
    ("languages", "--language fr", "echr_fr", "a language's own corpus"),
    ("linking", "", "litbank", "linking"),
    ("ready_models", "-o models", "tab_en", "the models"),
]


def ended(name: str, options: list[str], monkeypatch: pytest.MonkeyPatch) -> int:
    """The exit code of a study."""
    monkeypatch.setattr(sys, "argv", [f"/anywhere/{name}.py", *options])
    monkeypatch.delitem(sys.modules, f"aef.experiments.{name}", raising=False)
    with pytest.raises(SystemExit) as end:
        runpy.run_module(f"aef.experiments.{name}", run_name="__main__")
    return int(end.value.code or 0)


@pytest.mark.parametrize(("name", "options", "folder", "reason"), MISSING, ids=[c[-1] for c in MISSING])
def test_what_is_missing_is_named(
    name: str,
    options: str,
    folder: str,
    reason: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert ended(name, ["--data", "nowhere", *options.split()], monkeypatch) == 2, reason
    said = capsys.readouterr().err
    assert said.startswith(f"{name}: ") and str(tmp_path / "nowhere" / folder) in said and "AEF_DATA" in said
    assert len(said.splitlines()) == 1, "one line, no traceback"
    assert not any(tmp_path.glob("models/*")), "nothing is written"


def test_a_policy_that_is_none_is_said_in_a_line_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended("roles", ["--policy", "nobodys"], monkeypatch) == 2
    assert "nobodys" in capsys.readouterr().err
