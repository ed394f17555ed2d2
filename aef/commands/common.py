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


def say_language(documents: Iterable[Document], quiet: bool) -> None:
    """Say which rulings do not read like the language that they were read in, each reason once."""
    from aef.corpus_tools.languages import language_doubt

    names: dict[str, list[str]] = {}
    for document in documents:
        names.setdefault(language_doubt(document), []).append(document.doc_id)
    for doubt, several in sorted(names.items()):
        more = f" and {len(several) - 1} more" if len(several) > 1 else ""
        say(f"{several[0]}{more}: {doubt}; {OTHER_LANGUAGE}", quiet or not doubt)


def progress(items: Sequence[T], what: str, quiet: bool = False) -> Iterable[T]:
    """The items, with a progress bar on a terminal only."""
    if quiet or not sys.stderr.isatty():
        return items
    from tqdm import tqdm

    bar: Iterable[T] = tqdm(items, desc=what, unit="", leave=False, file=sys.stderr)
    return bar


def say(text: str, quiet: bool = False) -> None:
    """Print what a person reads along the way (standard error: standard output is for results), above a bar where one
    is shown."""
    if quiet:
        return
    if (tqdm := sys.modules.get("tqdm")) is not None:
        tqdm.tqdm.write(text, file=sys.stderr)
    else:
        print(text, file=sys.stderr)


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
