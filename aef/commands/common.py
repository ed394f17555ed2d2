"""What several commands share: arguments, progress, tables."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, TextIO, TypeVar

from aef.evaluation.tables import table as table

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document
    from aef.learning.selection import Score, Selection

T = TypeVar("T")


CORPUS_FORMATS = ("jsonl", "conll", "conllup", "brat", "doccano", "labelstudio", "spacy")
"""The names of `aef.corpus_tools.gold.corpora.FORMATS`, here for help that is quick."""


RULINGS = ".docx, .htm, .html, .odt, .rtf, .txt"
READ_RULINGS = f"{RULINGS}, .pdf"
"""The suffixes of `aef.corpus_tools.formats.registry`, those that are written and all, for help that is quick."""


def listing(helps: Mapping[str, str], width: int = 79) -> str:
    """Names and what they are, a line each or more, for the end of a command's help."""
    column = max(map(len, helps), default=0) + 4
    lines = (
        textwrap.fill(said, width, initial_indent=f"  {name:<{column - 2}}", subsequent_indent=" " * column)
        for name, said in helps.items()
    )
    return "\n".join(lines)


def first_lines(functions: Mapping[str, Callable[..., object]]) -> dict[str, str]:
    """What is registered by a decorator, with the first line of each docstring; that of plug-ins, too."""
    from aef import plugins

    plugins.more()
    return {
        name: (function.__doc__ or "").strip().splitlines()[0].replace("`", "") for name, function in functions.items()
    }


def add_force(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--force", action="store_true", help="overwrite the output where it exists")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")


def add_jobs(parser: argparse.ArgumentParser, what: str) -> None:
    """``--jobs``: so many of ``what`` at a time."""
    parser.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help=f"{what} at a time (default: 1; -1: all cores)"
    )


def _jobs(text: str) -> int:
    """As joblib takes it. Raises `argparse.ArgumentTypeError` for what is no number of jobs."""
    if text == "-1" or (text.isdecimal() and int(text)):
        return int(text)
    raise argparse.ArgumentTypeError(f"{text}: write a number from 1 on, or -1 for as many as there are cores")


def add_language(parser: argparse.ArgumentParser) -> None:
    from aef import lexicons

    known = ", ".join(lexicons.languages())
    parser.add_argument("--language", default="en", metavar="CODE", help=f"of the rulings: {known} (default: en)")


OWN = "it holds names, and only you can read it"
"""Said of every file that holds names of the originals; it is written for its owner alone."""
OTHER_LANGUAGE = "take --language, a pipeline or a model of its language, see 'aef language'"


def flat(one: Any) -> dict[str, Any]:
    """A dataclass with ``places`` as a record for JSON: ``paragraphs`` and ``lines`` beside the other fields."""
    record = asdict(one)
    places = record.pop("places", {})
    return {**record, **places}


def still_there(remaining: Iterable[str], findings: Iterable[Any]) -> str:
    """The places where hidden names can still be read, each with the names where they are known."""
    names: dict[str, dict[str, None]] = {}
    for finding in filter(lambda one: one.name, findings):
        names.setdefault(str(finding), {})[finding.name] = None
    return ", ".join(f"{place}: {' and '.join(names[place])}" if place in names else place for place in remaining)


def say_language(documents: Iterable[Document], quiet: bool) -> None:
    """Say which rulings do not read like the language that they were read in, each reason once."""
    from aef.corpus_tools.languages import language_doubt

    names: dict[str, list[str]] = {}
    for document in documents:
        names.setdefault(language_doubt(document), []).append(document.doc_id)
    for doubt, several in sorted(names.items()):
        more = f" and {len(several) - 1} more" if len(several) > 1 else ""
        say(f"{several[0]}{more}: {doubt}; {OTHER_LANGUAGE}", quiet or not doubt)


def progress(items: Iterable[T], what: str, quiet: bool = False, total: int | None = None) -> Iterable[T]:
    """The items, with a progress bar on a terminal only; ``total``: how many there are, where they do not tell."""
    if quiet or not sys.stderr.isatty():
        return items
    from tqdm import tqdm

    bar: Iterable[T] = tqdm(items, desc=what, total=total, unit="", leave=False, file=sys.stderr)
    return bar


def rounds(quiet: bool) -> Callable[[Iterable[Score], int, Selection], Iterable[Score]]:
    """A progress bar for each round of a selection of features, with the best set so far."""

    def watch(scores: Iterable[Score], total: int, selection: Selection) -> Iterable[Score]:
        size = len(selection.path[-1].features) if selection.path else 0
        best = f"best F2 {100 * selection.chosen.score.f2:.2f}" if selection.path else "first round"
        return progress(scores, f"{size} features, {best}", quiet, total)

    return watch


@contextmanager
def bar(total: int, what: str, quiet: bool = False) -> Iterator[Callable[[], object]]:
    """A progress bar, on a terminal only, of as many steps; gives what is called after each."""
    if quiet or not sys.stderr.isatty():
        yield bool
        return
    from tqdm import tqdm

    with tqdm(total=total, desc=what, unit="", leave=False, file=sys.stderr) as shown:
        yield shown.update


def say(text: str, quiet: bool = False) -> None:
    """Print what a person reads along the way (standard error: standard output is for results)."""
    if not quiet:
        tell(text, sys.stderr)


def tell(text: str, file: TextIO | None = None) -> None:
    """Print a line, above the progress bar where one is shown."""
    file = file or sys.stdout
    if "tqdm" in sys.modules:
        from tqdm import tqdm

        tqdm.write(text, file)
    else:
        print(text, file=file)


def print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
