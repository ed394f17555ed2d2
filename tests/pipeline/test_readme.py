"""The README's commands run, in their order, and CI runs its two set-up commands to the letter."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest
from pages import blocks, commands, run

ROOT = Path(__file__).resolve().parents[2]
BLOCKS = blocks((ROOT / "README.md").read_text(encoding="utf-8"))
CONSOLE = [block for block in BLOCKS if block.language == "console"]
PYTHON = [block for block in BLOCKS if block.language == "python"]


def test_the_first_two_blocks_set_up_and_test_as_ci_does() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    set_up, tests = (block.code.strip() for block in CONSOLE[:2])
    assert set_up == "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/aef demo"
    assert tests == ".venv/bin/pytest"
    assert "\n.venv/bin/pip install -q -e '.[dev]'\n" in ci and '/.venv/bin/aef" demo' in ci
    assert f"\n{tests} --all\n" in ci


@pytest.mark.slow
def test_every_command_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert sum(len(list(commands(block))) for block in CONSOLE[2:]) >= 8
    for block in CONSOLE[2:]:
        run(block, {})


@pytest.mark.slow
@pytest.mark.parametrize("block", PYTHON, ids=[f"line {block.line}" for block in PYTHON])
def test_the_python_of_the_readme_runs(block, demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(demo, "aef-demo")
    run(block, {"__name__": "readme"})
    assert "aef" in sys.modules
