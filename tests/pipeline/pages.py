"""Runs what a page shows: the commands, the Python and the files of a Markdown file, in their order.

A block ``console`` is of commands ``aef ...``, with ``# exit 1`` behind one that is to end so; ``python`` is run, all
of a page in one namespace; a block with a caption is a file of that name. A block ``text`` right below a run one is
what it prints: runs of white space are alike, and ``...`` stands for anything. ``shell`` is for what needs another
terminal, a network or corpora: each line is looked at and not run. ``python tests/pipeline/pages.py PAGE`` runs one.
"""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import io
import re
import shlex
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from aef.commands import COMMANDS, main, parser_of

_FENCE = re.compile(
    r"^```(?:\{code-block\} )?(?P<language>\w+)\n(?P<options>(?::[\w-]+:[^\n]*\n)*)(?P<code>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)
_SAME = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


@dataclass
class Block:
    """A block of a page: its language, its code, the line it begins at, a file's name, and what it is to print."""

    language: str
    code: str
    line: int
    file: str = ""
    output: str | None = None


def blocks(text: str) -> list[Block]:
    """The blocks of a page; a block ``text`` below one that runs is that one's output."""
    found: list[Block] = []
    end = -1
    for match in _FENCE.finditer(text):
        caption = re.search(r":caption: (\S+)", match["options"])
        line = text.count("\n", 0, match.start()) + 1
        block = Block(match["language"], match["code"], line, caption[1] if caption else "")
        if block.language == "text" and end >= 0 and not text[end : match.start()].strip() and _runs(found[-1]):
            found[-1].output = block.code
        else:
            found.append(block)
        end = match.end()
    return found


def _runs(block: Block) -> bool:
    return block.language in ("console", "python") and not block.file


def commands(block: Block) -> Iterator[tuple[list[str], int]]:
    """The ``aef`` commands of a block, as arguments, and the exit code of each; a line may end in a backslash."""
    for line in block.code.replace("\\\n", " ").splitlines():
        if line.startswith("aef "):
            wanted = re.search(r"# exit (\d)", line)
            yield shlex.split(line, comments=True)[1:], int(wanted[1]) if wanted else 0


def run(block: Block, namespace: dict[str, Any]) -> None:
    """Run a block in the current folder. Raises `AssertionError` where it does otherwise than it says."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        if block.file:
            Path(block.file).parent.mkdir(parents=True, exist_ok=True)
            Path(block.file).write_text(block.code, encoding="utf-8")
        elif block.language == "console":
            for arguments, code in commands(block):
                assert main(arguments) == code, f"line {block.line}: aef {shlex.join(arguments)}"
        elif block.language == "python":
            exec(compile("\n" * block.line + block.code, "page", "exec"), namespace)
        elif block.language == "shell":
            look_at(block)
    if block.output is not None:
        same = doctest.OutputChecker().check_output(block.output, printed.getvalue(), _SAME)
        assert same, f"line {block.line} says\n{block.output}\nand prints\n{printed.getvalue()}"


def look_at(block: Block) -> None:
    """That what is not run is at least there: commands with their options, modules, extras. Raises `AssertionError`."""
    for arguments, _ in commands(block):
        parser_of(arguments[0], import_module(f"aef.commands.{arguments[0]}"), []).parse_args(arguments[1:])
    for module in re.findall(r"python -m (aef[\w.]*)", block.code):
        assert importlib.util.find_spec(module), f"line {block.line}: {module}"
    for line in block.code.splitlines():
        word = line.partition(" ")[0]
        assert word in ("aef", "python", "pip", "curl", "pytest", "jupytext", "") or "=" in word, (
            f"line {block.line}: {line}"
        )
        assert word != "aef" or line.split()[1] in COMMANDS


def run_page(path: Path) -> int:
    """Run all blocks of a page in the current folder; how many did run."""
    namespace: dict[str, Any] = {"__name__": "page"}
    found = blocks(path.read_text(encoding="utf-8"))
    for block in found:
        run(block, namespace)
    return sum(map(_runs, found))


if __name__ == "__main__":
    print(run_page(Path(sys.argv[1])), file=sys.stderr)
