"""The command line's manners: help, usage errors, what is loaded for them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from aef.commands import COMMANDS, main
from aef.commands.common import table


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_teaches(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([command, "--help"])
    text = capsys.readouterr().out
    assert stopped.value.code == 0 and f"aef {command}" in text and "examples:" in text


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["train"], ["tag"], ["train", "g", "-o", "m", "--seed", "x"]])
def test_usage_errors_exit_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(arguments)
    assert stopped.value.code == 2
    assert "usage:" in capsys.readouterr().err


def test_help_loads_nothing_heavy() -> None:
    code = "import sys, aef.commands as c\ntry: c.main(['train', '--help'])\nexcept SystemExit: pass\n"
    code += "print({m for m in ('numpy', 'scipy', 'sklearn', 'nltk', 'docx') if m in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("set()")


def test_a_table_lines_up() -> None:
    assert table([["a", 1.25], ["long", 10.0]], ["name", "F2"]).split("\n") == [
        "name    F2",
        "----  ----",
        "a      1.2",
        "long  10.0",
    ]
