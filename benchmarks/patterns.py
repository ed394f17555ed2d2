"""Every pattern of code and of pattern sets on texts of one thing over and over: ``python -m aef.benchmarks.patterns``.

A pattern is slow where its time grows more than `MOST` times as the text does, in two lengths: then a small file
stalls whoever reads it. With ``--all`` the texts are longer and more, and the run takes minutes. Exit code 1 where one
is slow.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import pkgutil
import re
import signal
import string
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import regex

import aef
from aef.annotators import correction, patterns

MOST = 1.2
"""So many times as the text does the time may grow."""
NOISE = 0.02
"""Seconds of processor time below which nothing is told by it."""
_END = "\x00"  # that no pattern waits for: what was found so far may have to be given up
BOUNDED = {
    "aef/editing/candidates.py: _BEFORE": "in 30 characters before a hidden place",
    "aef/citations/short_titles.py: _WORD_BEFORE": "in some characters before a title",
    "aef/names/person_name.py: _TWO_TITLES": "in 40 characters before a name",
    "aef/replacement/schemes.py: _CODES": "asked whether it is the whole of a mention, by fullmatch",
}
"""Patterns that may be slow where all of a text is searched, as nobody does that with them."""
_HERE = Path(__file__).resolve()
_OURS = _HERE.parents[1]
_HOLD = 0.5  # seconds after which a search is broken off

# fmt: off
_UNITS = [
    " ", "\t", "\n", ".", ",", "-", "'", "\"", "(", "[", "<", "&", "1", "a", "A", "é", "§", "\r\n", " \n", ", ", "A.",
    "1,", "1 ", "Aa ", "AA ", "aa ", "A-", "O'", "A.B. ", "Robert ", "R. v. ", "of ", "No. ", "1/", "a1", "(1) ",
    "<a ", "a=", "a@", "http://", "3 May ", "May ",
]
_MORE = [
    ";", ":", "–", "—", "_", "’", "“", ")", "]", "{", "}", ">", "/", "\\", "|", "%", "#", "@", "*", "=", "+", "!",
    "?", "~", "^", "$", "0", "I", "X", "\u00a0", "\u200b", "\u00ad", "\n\n", "\t\n", ". ", "- ", "\" ", "a.", "1.",
    "A ", "a ", "Aa", "a-", "a'", "A'", "A. ", "Hale ", "HALE\n", "Mr. ", "v. ", "v ", "the ", "and ", "no. ", "1-",
    "1a", "[1] ", "(a) ", "<a>", "&a", "a.b", "1st ", "p. 1 ", "U.S. ", "III ", "x ", "Art. 1 ",
]
# fmt: on


@dataclass(frozen=True)
class Found:
    """A pattern, what it is called where, and whether it is looked for in all places of a text or at its beginning."""

    pattern: Any
    name: str
    anchored: bool

    def __call__(self, text: str) -> None:
        if self.anchored:
            self.pattern.match(text)
            self.pattern.fullmatch(text)
            return
        for _ in self.pattern.finditer(text):
            pass


def found() -> list[Found]:
    """All patterns of the package: those of its modules, of its pattern sets and of its sets of rules."""
    with _recorded() as compiled:
        for module in pkgutil.walk_packages(aef.__path__, "aef."):
            if not module.name.endswith("__main__"):
                importlib.import_module(module.name)
    in_code = [Found(pattern, *named(path, line)) for pattern, path, line in compiled]
    distinct = {(one.name, one.pattern.pattern): one for one in (*in_code, *_of_sets())}
    return [one for one in distinct.values() if isinstance(one.pattern.pattern, str)]


@contextmanager
def _recorded() -> Iterator[list[tuple[Any, Path, int]]]:
    """What is compiled meanwhile by a module of ours, and in which line."""
    compiled: list[tuple[Any, Path, int]] = []

    def recording(compile_: Callable[..., Any]) -> Callable[..., Any]:
        def record(*given: Any, **named: Any) -> Any:
            pattern = compile_(*given, **named)
            frame = sys._getframe(1)
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(_OURS) and path != _HERE and ".venv" not in path.parts:
                compiled.append((pattern, path, frame.f_lineno))
            return pattern

        return record

    before = re.compile, regex.compile
    re.compile, regex.compile = recording(re.compile), recording(regex.compile)
    try:
        yield compiled
    finally:
        re.compile, regex.compile = before


def _of_sets() -> Iterator[Found]:
    """Those of the sets of patterns, looked for everywhere, and of the sets of rules, which are held to a mention."""
    for name, path in patterns.sets().items():
        yield from (Found(one.expression, f"set {name}: {one.name}", False) for one in patterns.load(path))
    for name, path in correction.rule_sets().items():
        yield from (Found(one.find, f"rules {name}: {one.name}", True) for one in correction.load_rules(path))


@cache
def _sources() -> dict[Path, str]:
    return {path: path.read_text("utf-8") for path in sorted(_OURS.rglob("*.py")) if ".venv" not in path.parts}


def named(path: Path, line: int) -> tuple[str, bool]:
    """What the pattern is called that a module compiles there, and whether it is asked for at the beginning of texts
    alone, wherever it is used."""
    text = _sources().get(path) or path.read_text("utf-8")
    place = str(path.relative_to(_OURS) if path.is_relative_to(_OURS) else path.name)
    for node in ast.parse(text).body:
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        if isinstance(target, ast.Name) and node.lineno <= line <= (node.end_lineno or 0):
            return f"{place}: {target.id}", _is_anchored(target.id, path, text)
    return f"{place}: line {line}", False


def _is_anchored(name: str, path: Path, text: str) -> bool:
    using = [text] if name.startswith("_") else [text, *(t for p, t in _sources().items() if p != path and name in t)]
    uses = re.findall(rf"(?<![\w\"])(?<!is ){name}\b(?! =)(?!,\n)(?!\n)(\.\w+)?", "\n".join(using))
    return bool(uses) and set(uses) <= {".match", ".fullmatch"}


class _Held(Exception):
    """It took too long."""


def seconds(one: Found, text: str, goes: int = 1) -> float:
    """The processor time of a search, the least of some goes; infinite where it is broken off."""

    def hold(*_: object) -> None:
        raise _Held

    before = signal.signal(signal.SIGPROF, hold)
    least = float("inf")
    try:
        for _ in range(goes):
            signal.setitimer(signal.ITIMER_PROF, _HOLD)
            began = time.process_time()
            one(text)
            least = min(least, time.process_time() - began)
    except _Held:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return least


def is_slow(one: Found, unit: str, lengths: tuple[int, int]) -> bool:
    """Whether its time grows faster than the text, made of a unit over and over: looked at again where it seems so, at
    last in texts four and sixteen times as long, in which what a search costs in the beginning tells less."""
    bound = MOST * lengths[1] / lengths[0]
    for goes, times in ((1, 1), (3, 1), (9, 4), (9, 16)):
        short, long = (unit * (times * length // len(unit)) + _END for length in lengths)
        took = seconds(one, long, goes)
        if took < NOISE or (took < float("inf") and took <= bound * seconds(one, short, goes)):
            return False
    return True


def units(more: bool) -> list[str]:
    """What stands in a text over and over."""
    if not more:
        return _UNITS
    pairs = [first + second for first in "aA1 .,-" for second in "\n'’(\"é_"]
    return list(dict.fromkeys([*_UNITS, *_MORE, *pairs, *string.printable]))


def slow(lengths: tuple[int, int], more: bool = False) -> Iterator[tuple[Found, list[str]]]:
    """The patterns that are slow, and on which units."""
    for one in found():
        if one.name in BOUNDED:
            continue
        if where := [unit for unit in units(more) if is_slow(one, unit, lengths)]:
            yield one, where


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m aef.benchmarks.patterns",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--all", action="store_true", help="longer texts, and more of them")
    given = parser.parse_args(arguments)
    lengths = (25_000, 100_000) if given.all else (1_500, 6_000)
    found_any = False
    for one, where in slow(lengths, given.all):
        print(f"{one.name}: on {', '.join(map(repr, where[:6]))}: {one.pattern.pattern[:100]}", flush=True)
        found_any = True
    if not found_any:
        print("no pattern is slow")
    return int(found_any)


if __name__ == "__main__":
    sys.exit(main())
