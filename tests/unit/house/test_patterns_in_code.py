"""Regular expressions in code: they can be counted, and may only become fewer.

A rule that is a pattern learns its examples by heart; one that gains nothing on gold it was not written by goes
(`aef.experiments.rules` says what each is worth). What a method of strings or a library reads needs no pattern.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
CALLS = frozenset({"compile", "match", "search", "fullmatch", "findall", "finditer", "sub", "subn", "split"})
MODULES = frozenset({"re", "regex"})

COMPILED, CALLED = 156, 180
"""Patterns that are compiled, and all calls of the libraries of patterns with these."""


def patterns(source: str) -> Counter[str]:
    """How often a module calls each function of the libraries of regular expressions, whatever it calls them."""
    tree = ast.parse(source)
    names = {
        a.asname or a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names if a.name in MODULES
    }
    own = {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in MODULES
        for alias in node.names
    }
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names:
            found[node.attr] += node.attr in CALLS
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and own.get(node.func.id) in CALLS:
            found[own[node.func.id]] += 1
    return found


def counted() -> Counter[str]:
    paths = (path for top in ("aef", "features", "corpus_tools") for path in sorted((ROOT / top).rglob("*.py")))
    return sum((patterns(path.read_text(encoding="utf-8")) for path in paths), Counter[str]())


def test_patterns_in_code_become_fewer() -> None:
    found = counted()
    assert found["compile"] <= COMPILED and found.total() <= CALLED, "a rule is a feature, a list, or measured"
    assert (found["compile"], found.total()) == (COMPILED, CALLED), "lower the numbers to what is there"


@pytest.mark.parametrize(
    ("source", "number", "reason"),
    [
        ('import re\nX = re.compile("a")\n', 1, "compiled"),
        ('import re\nre.sub("a", "b", text)\n', 1, "in a call"),
        ('import regex as patterns\npatterns.search("a", text)\n', 1, "under another name"),
        ('from re import compile\nX = compile("a")\n', 1, "imported alone"),
        ("import re\nmap(re.compile, texts)\n", 1, "handed on"),
        ("import re\nre.escape(text)\nX: re.Pattern[str]\n", 0, "no pattern"),
        ('"a".split("b")\n', 0, "a method of strings"),
    ],
)
def test_what_is_counted(source: str, number: int, reason: str) -> None:
    assert patterns(source).total() == number, reason
