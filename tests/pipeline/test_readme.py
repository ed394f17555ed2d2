"""The README's commands run, in their order, and CI runs its two set-up commands to the letter."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest

from aef.commands import main

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```console\n(.*?)```", README, re.DOTALL)
COMMANDS = [line for block in BLOCKS[2:] for line in block.splitlines() if line.startswith("aef ")]


def test_the_first_two_blocks_set_up_and_test_as_ci_does() -> None:
    ci = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    set_up, tests = (block.strip() for block in BLOCKS[:2])
    assert set_up == "python3 -m venv .venv && .venv/bin/pip install -e '.[dev]' && .venv/bin/aef demo"
    assert tests == ".venv/bin/pytest"
    assert (
        "\n.venv/bin/pip install -q -e '.[dev]'\n" in ci and '/.venv/bin/aef" demo' in ci and f"\n{tests} --all\n" in ci
    )


@pytest.mark.slow
def test_every_command_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert len(COMMANDS) >= 8
    for command in COMMANDS:
        assert main(shlex.split(command, comments=True)[1:]) == 0, command


@pytest.mark.slow
@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_the_python_of_the_readme_runs(block: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["demo", "--quiet"]) == 0
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})
    assert "aef" in sys.modules
