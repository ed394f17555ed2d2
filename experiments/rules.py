"""What each rule is worth: what is hidden, and who has one label, without its patterns, against all as they are.

``python -m aef.experiments.rules --unseen FOLDER [--every 4] [--each] [--jobs 2] [GROUP...]``. A group is a module of
the rooms that decide (``names/suffixes.py``), whose patterns find nothing then, or one pattern of it with ``--each``
(``names/suffixes.py: _LAST``). Models and lists stay as they are, not learned anew.

Judged by gold that no rule was written by: real judgments, by models that have not seen them (`aef.experiments.unseen`;
every N-th judgment), and the closed half of the hand-written rulings, by the shipped models. Each figure is what the
rule adds, so that a good rule has more than nought in ``right`` and less in ``wrong``: words of people, of things, and
wrong words in real judgments; mentions hidden, wrong replacements, and people with one label in the rulings. A rule
without which the program ends in an error is ``needed``.
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import pkgutil
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import aef
from aef.annotators.pipeline import find, load
from aef.commands.common import bar, table
from aef.corpus_tools import handwritten
from aef.experiments import end_to_end, real
from aef.experiments.data import add_data, run_study

ROOMS = ("boundaries", "citations", "context", "linking", "names", "propagation", "role_features", "roles")
"""Those whose patterns decide what is hidden, and who is who."""
FIGURES = {
    "people": "people hidden",
    "things": "things hidden",
    "wrong": "wrong",
    "mentions": "written: people hidden",
    "wrong ones": "written: edits wrong",
    "one label": "written: found with one",
}
Patterns = frozenset[int]
"""Compiled patterns, by identity: it is the same in a forked process."""


class Silent:
    """A pattern that finds nothing."""

    def __init__(self, pattern: Any) -> None:
        self.pattern, self.flags, self.groups = pattern.pattern, pattern.flags, pattern.groups
        self.groupindex = pattern.groupindex

    def search(self, *_: Any, **__: Any) -> None:
        return None

    match = fullmatch = search

    def finditer(self, *_: Any, **__: Any) -> Iterator[Any]:
        return iter(())

    def findall(self, *_: Any, **__: Any) -> list[Any]:
        return []

    def sub(self, _: Any, text: str, *__: Any, **___: Any) -> str:
        return text

    def split(self, text: str, *_: Any, **__: Any) -> list[str]:
        return [text]


def groups(each: bool) -> dict[str, Patterns]:
    """The patterns of each group."""
    found: dict[str, Patterns] = defaultdict(frozenset)
    for module in _modules():
        source = Path(module.__file__ or "").read_text("utf-8")
        place = module.__name__.removeprefix("aef.").replace(".", "/") + ".py"
        for name, value in vars(module).items():
            if place.startswith(ROOMS) and re.search(rf"(?m)^{name}\b.*=", source) and (own := _patterns(value)):
                found[f"{place}: {name}" if each else place] |= frozenset(map(id, own))
    return found


def _modules() -> list[ModuleType]:
    for found in pkgutil.walk_packages(aef.__path__, "aef."):
        if found.name.startswith(tuple(f"aef.{room}" for room in ROOMS)):
            importlib.import_module(found.name)
    return [module for name, module in sorted(sys.modules.items()) if name.startswith("aef.")]


def _patterns(value: Any) -> list[Any]:
    """The compiled patterns that a value is, or has in it."""
    if isinstance(value, tuple | list):
        return [p for item in value for p in _patterns(item)]
    if isinstance(value, dict):
        return [p for item in value.values() for p in _patterns(item)]
    return [value] if hasattr(value, "finditer") and hasattr(value, "pattern") else []


def silence(patterns: Patterns) -> None:
    """From now on these patterns find nothing, wherever a module has them."""
    for module in _modules():
        for name, value in list(vars(module).items()):
            if any(id(p) in patterns for p in _patterns(value)):
                setattr(module, name, _silenced(value, patterns))


def _silenced(value: Any, patterns: Patterns) -> Any:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_silenced(item, patterns) for item in value))
    if isinstance(value, tuple | list):
        return type(value)(_silenced(item, patterns) for item in value)
    if isinstance(value, dict):
        return {key: _silenced(item, patterns) for key, item in value.items()}
    return Silent(value) if id(value) in patterns else value


def outcome(data: Path, folder: Path, every: int) -> Counter[str]:
    """What is done to the real judgments and to the rulings."""
    counts: Counter[str] = Counter()
    for fold, tagger, policy in real.of_folds(data, "court-en", folder):
        for document in fold.real[fold.number % every :: every]:
            counts += real.counted(document, real.hidden_in(document, tagger, policy))
    tagger = load(find("court-en"))
    with tempfile.TemporaryDirectory() as place:
        for ruling in handwritten.rulings(half="closed"):
            done = end_to_end.counted(ruling, end_to_end.outcome(ruling, tagger, Path(place)))
            done["edits wrong"] = done["edits"] - done["edits right"]
            counts += Counter({f"written: {name}": number for name, number in done.items()})
    return counts


def without(patterns: Patterns, data: Path, folder: Path, every: int) -> Counter[str] | None:
    """The same without these patterns; None where they are needed. Changes the process that it runs in for good."""
    silence(patterns)
    try:
        return outcome(data, folder, every)
    except (AttributeError, IndexError, KeyError, TypeError):
        return None


def row(name: str, number: int, full: Counter[str], left: Counter[str] | None) -> list[Any]:
    """What the rule adds."""
    if left is None:
        return [name, number, *("needed" for _ in FIGURES)]
    return [name, number, *(full[figure] - left[figure] for figure in FIGURES.values())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--unseen", type=Path, required=True, metavar="FOLDER", help="models of the folds, kept here")
    parser.add_argument("--every", type=int, default=4, metavar="N", help="judge every N-th judgment (default: 4)")
    parser.add_argument("--each", action="store_true", help="pattern by pattern")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: 2)")
    parser.add_argument("groups", nargs="*", metavar="GROUP", help="these groups alone (default: all)")
    chosen = parser.parse_args()
    found = {name: own for name, own in groups(chosen.each).items() if name.startswith(tuple(chosen.groups) or "")}
    judged = partial(without, data=chosen.data, folder=chosen.unseen, every=chosen.every)
    left: list[Counter[str] | None] = []
    context = multiprocessing.get_context("fork")
    with context.Pool(chosen.jobs, maxtasksperchild=1) as pool, bar(len(found) + 1, "groups") as step:
        for counts in pool.imap(judged, [frozenset(), *found.values()]):
            left.append(counts)
            step()
    full = left[0] or Counter()
    rows = [row(name, len(own), full, one) for (name, own), one in zip(found.items(), left[1:], strict=True)]
    print(table(rows, ["patterns of", "number", *FIGURES]))


if __name__ == "__main__":
    run_study(main)
