"""The command line's manners: help, usage errors, what is loaded for them."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import docx
import pytest

from aef.commands import COMMANDS, main
from aef.commands.common import bar, progress, say, table, tell


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


HEAVY = {"pandas", "scipy", "sklearn", "matplotlib", "joblib", "mlxtend", "nltk", "textdistance"}
"""What training, studies and some annotators use: importing it would take longer than anonymizing a short ruling."""


def test_tagging_loads_nothing_that_only_learning_needs(tmp_path: Path) -> None:
    ruling = docx.Document()
    ruling.add_paragraph("[1] The applicant, Ms. Anna Zwetkow, left Nelson. Ms. Zwetkow did not return.")
    ruling.save(str(tmp_path / "in.docx"))
    code = "import sys\nfrom aef.commands import main\n"
    code += "assert main(['anonymize', 'in.docx', '-o', 'out.docx', '--review', 'review.docx', '--quiet']) == 0\n"
    code += "print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "numpy" in done.stdout.split(), "else nothing was tagged"
    assert HEAVY.isdisjoint(done.stdout.split())


class Terminal(io.StringIO):
    """What a terminal shows of what is written to it: lines that are overwritten from their beginning."""

    def isatty(self) -> bool:
        return True

    def shown(self) -> list[str]:
        lines = []
        for line in self.getvalue().split("\n"):
            shown = ""
            for part in line.split("\r"):
                shown = part + shown[len(part) :]
            lines.append(shown.rstrip())
        return lines


@pytest.mark.parametrize("quiet", [False, True])
def test_lines_are_never_glued_to_a_bar(quiet: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with bar(3, "learning", quiet) as tick:
        for number in range(3):
            say(f"ruling {number}")
            tick()
    for number in progress([3, 4], "reading", quiet):
        say(f"ruling {number}")
    assert terminal.shown() == [*(f"ruling {number}" for number in range(5)), ""]
    assert ("learning" in terminal.getvalue()) is not quiet


def test_where_nobody_watches_there_is_no_bar(capsys: pytest.CaptureFixture[str]) -> None:
    with bar(1, "learning") as tick:
        tick()
        tell("result")
    assert capsys.readouterr() == ("result\n", "")


def test_a_table_lines_up() -> None:
    assert table([["a", 1.25], ["long", 10.0]], ["name", "F2"]).split("\n") == [
        "name    F2",
        "----  ----",
        "a      1.2",
        "long  10.0",
    ]
