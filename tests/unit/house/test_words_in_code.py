"""What is English in code and not in word lists: it can be counted, and may only become less.

A language is a folder of word lists. A word of English that a pattern or a set of words in code holds works in English
alone: it belongs into `lexicons/LANGUAGE/`, `annotators/sets/`, or is learned.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from aef import lexicons

ROOT = Path(__file__).resolve().parents[3]
LISTS = ("function_words", "common_words", "related_words", "title", "month_names", "number_words", "demographic_words")
MATCHING = frozenset({"compile", "word_set", "frozenset", "search", "match", "fullmatch", "sub", "findall", "finditer"})
"""What is called with words to look for in a ruling."""
GERMANE = (
    "aef/commands",
    "aef/service",
    "aef/workers",
    "aef/batch",
    "aef/editing/web",
    "corpus_tools/docx",
    "corpus_tools/html",
    "corpus_tools/metadata/field_codes",
)
"""Whose words are those of formats, addresses and commands, and of no ruling."""
ELSEWHERE = (
    *("corpus_tools/metadata/format_words", "corpus_tools/invented", "corpus_tools/samples", "aef/learning"),
    *("aef/evaluation", "aef/reports", "aef/verification/model_audit", "aef/annotators/kinds"),
    "aef/tagging/model_file",
)
"""Words of what is written and not looked for in a ruling, or data that English has in code as yet has elsewhere."""

COUNTED = {
    "aef/boundaries": 5,
    "aef/citations": 36,
    "aef/context": 61,
    "aef/editing": 23,
    "aef/linking": 1,
    "aef/names": 45,
    "aef/role_features": 2,
    "aef/roles": 2,
    "aef/tagging": 11,
    "aef/verification": 3,
    "corpus_tools/alignment": 59,
    "corpus_tools/formats": 3,
    "corpus_tools/gold": 2,
    "corpus_tools/rtf": 3,
}
"""How many English words the modules of a room hold today. A number may fall, and no room may be added."""


@cache
def english() -> frozenset[str]:
    """Words by which English is known."""
    return frozenset(w.lower().strip(".") for name in LISTS for w in lexicons.load(name, "en") if len(w) > 2)


def matched(tree: ast.AST) -> Iterator[str]:
    """The strings that code looks for in a text: in patterns, and in sets of words."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in MATCHING:
            yield from (s.value for s in ast.walk(node) if isinstance(s, ast.Constant) and isinstance(s.value, str))
        elif isinstance(node, ast.Set):
            yield from (s.value for s in node.elts if isinstance(s, ast.Constant) and isinstance(s.value, str))
        elif isinstance(node, ast.Compare) and any(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops):
            for other in (o for o in node.comparators if isinstance(o, (ast.Tuple, ast.List))):
                yield from (s.value for s in other.elts if isinstance(s, ast.Constant) and isinstance(s.value, str))


def _name(function: ast.expr) -> str:
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def words(source: str) -> set[str]:
    """The English words that a module looks for."""
    found = (re.findall(r"[^\W\d_]{3,}", re.sub(r"\\[a-zA-Z]", " ", text)) for text in matched(ast.parse(source)))
    return {word.lower() for text in found for word in text if word.lower() in english()}


def counted() -> Counter[str]:
    """How many such words each room holds, module by module."""
    rooms: Counter[str] = Counter()
    for top in ("aef", "features", "corpus_tools"):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = str(path.relative_to(ROOT))
            if not name.startswith((*GERMANE, *ELSEWHERE)):
                rooms[str(path.parent.relative_to(ROOT))] += len(words(path.read_text(encoding="utf-8")))
    return rooms


def test_english_in_code_becomes_less() -> None:
    found = {room: number for room, number in counted().items() if number}
    assert {room: n for room, n in found.items() if n > COUNTED.get(room, 0)} == {}, "put the words into a list"
    assert {room: n for room, n in COUNTED.items() if n > found.get(room, 0)} == {}, "lower the number to what is there"


@pytest.mark.parametrize(
    ("source", "found", "reason"),
    [
        (
            'import re\nX = re.compile(r"\\bthe mother of\\b")\n',
            {"the", "mother"},
            "a pattern",
        ),
        ('X = frozenset({"uncle", "xyzzy"})\n', {"uncle"}, "a set of words"),
        ('if word in ("mother", "of"):\n    pass\n', {"mother"}, "a comparison"),
        ('raise ValueError("the mother is missing")\n', set(), "what is said to a user"),
        ('"""The mother of all docstrings."""\n', set(), "a docstring"),
        ('import re\nX = re.compile(r"\\w+\\s")\n', set(), "no words"),
    ],
)
def test_what_is_counted(source: str, found: set[str], reason: str) -> None:
    assert words(source) == found, reason
