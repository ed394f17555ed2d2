"""Compiled expressions that are kept are those that would be compiled, or are compiled anew."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import regex

from aef.annotators.expressions import Kept
from aef.annotators.patterns import load, sets

SOURCE, FLAGS = r"\b\p{Lu}[.]\s (?P<hide>\w+) # a name", int(regex.VERBOSE)


@pytest.fixture(autouse=True)
def _bytecode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """Those of a file of which one expression is written."""
    expressions = Kept(tmp_path / "bytecode" / "names")
    expressions.compiled("name", SOURCE, FLAGS)
    expressions.keep()
    return expressions


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    made: list[str] = []
    compile_ = regex.compile
    monkeypatch.setattr(
        "aef.annotators.expressions.regex.compile", lambda s, flags: made.append(s) or compile_(s, flags)
    )
    return made


def again(tmp_path: Path) -> None:
    found = Kept(tmp_path / "bytecode" / "names").compiled("name", SOURCE, FLAGS)
    assert found.search("by A. Roe")["hide"] == "Roe"
    assert (found.pattern, found.groupindex) == (SOURCE, {"hide": 1})


def test_what_one_process_compiled_the_next_one_need_not(kept: Kept, compilations: list[str], tmp_path: Path) -> None:
    again(tmp_path)
    assert kept.path.is_file() and not compilations


@pytest.mark.parametrize("damage", [b"", b"....", b"\0" * 40])
def test_what_is_damaged_is_compiled_anew(kept: Kept, compilations: list[str], tmp_path: Path, damage: bytes) -> None:
    kept.path.write_bytes(damage)
    again(tmp_path)
    assert compilations == [SOURCE]


def test_a_cut_or_changed_byte_is_noticed(kept: Kept, compilations: list[str], tmp_path: Path) -> None:
    whole = kept.path.read_bytes()
    for content in (whole[:-1], whole[:60] + bytes([whole[60] ^ 1]) + whole[61:]):
        kept.path.write_bytes(content)
        again(tmp_path)
    assert compilations == [SOURCE, SOURCE]


@pytest.mark.parametrize(("source", "flags"), [(SOURCE + "|x", FLAGS), (SOURCE, FLAGS | int(regex.IGNORECASE))])
def test_another_expression_of_the_name_is_compiled(
    kept: Kept, compilations: list[str], tmp_path: Path, source: str, flags: int
) -> None:
    Kept(tmp_path / "bytecode" / "names").compiled("name", source, flags)
    assert compilations == [source]


_TWO = """
import regex
from aef.annotators.patterns import Patterns
from aef.corpus_tools.document import Document
patterns = Patterns(["common"])
if {second}:
    regex.compile = None
print([m.start for m in patterns.tag(Document.from_text("Write to ann@roe.example, please.")).mentions])
"""


def test_a_process_that_tags_leaves_them_to_the_next(tmp_path: Path) -> None:
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path), "PYTHONDONTWRITEBYTECODE": ""}
    for second in (False, True):
        command = [sys.executable, "-c", _TWO.format(second=second)]
        assert subprocess.check_output(command, env=environment, text=True) == "[9]\n"


def test_nothing_is_written_where_bytecode_is_not(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    expressions = Kept(tmp_path / "bytecode" / "names")
    expressions.compiled("name", SOURCE, FLAGS)
    expressions.keep()
    assert not (tmp_path / "bytecode").exists()


def test_a_folder_that_may_not_be_written_to_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "bytecode").write_text("no folder")
    expressions = Kept(tmp_path / "bytecode" / "names")
    expressions.compiled("name", SOURCE, FLAGS)
    expressions.keep()
    again(tmp_path)


@pytest.mark.parametrize("name", sets())
def test_expressions_of_a_set_find_the_same_when_kept(name: str, tmp_path: Path) -> None:
    patterns = load(name)
    first = Kept(tmp_path / "set")
    for pattern in patterns:
        first.compiled(pattern.name, pattern.expression.pattern, pattern.expression.flags)
    first.keep()
    second = Kept(tmp_path / "set")
    for pattern in patterns:
        kept = second.compiled(pattern.name, pattern.expression.pattern, pattern.expression.flags)
        for example in (*pattern.match, *pattern.miss):
            text = example.translate(str.maketrans("", "", "<>"))
            wanted = [match.regs for match in pattern.expression.finditer(text)]
            assert [match.regs for match in kept.finditer(text)] == wanted
