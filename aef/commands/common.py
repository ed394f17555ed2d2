"""What several commands share: arguments, progress, tables."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from aef.evaluation.tables import table as table

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document

T = TypeVar("T")


CORPUS_FORMATS = ("jsonl", "conll", "conllup", "brat", "doccano", "labelstudio", "spacy")
"""The names of `aef.corpus_tools.gold.FORMATS`, here for help that is quick."""


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="overwrite the output where it exists")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def add_language(parser: argparse.ArgumentParser) -> None:
    from aef import lexicons

    known = ", ".join(lexicons.languages())
    parser.add_argument("--language", default="en", metavar="CODE", help=f"of the rulings: {known} (default: en)")


OTHER_LANGUAGE = "take a pipeline or a model of its language, see 'aef pipeline' and 'aef models'"


def say_language(file: str, document: Document, quiet: bool) -> None:
    """Say where a ruling does not read like the language that it was read in."""
    from aef.corpus_tools.languages import language_doubt

    if doubt := language_doubt(document):
        say(f"{file}: {doubt}; {OTHER_LANGUAGE}", quiet)


def progress(items: Sequence[T], what: str, quiet: bool = False) -> Iterable[T]:
    """The items, with a progress bar on a terminal only."""
    if quiet or not sys.stderr.isatty():
        return items
    from tqdm import tqdm

    bar: Iterable[T] = tqdm(items, desc=what, unit="", leave=False, file=sys.stderr)
    return bar


def say(text: str, quiet: bool = False) -> None:
    """Print what a person reads along the way (standard error: standard output is for results)."""
    if not quiet:
        print(text, file=sys.stderr)


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
