"""``aef adapt``: a model and rulings of another court -> a model for that court."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document
    from aef.tagging.adaptation import Adapted

EPILOG = """examples:
  aef adapt rulings/ --model model.aef -o ours.aef          rulings of your court, as they are: no gold is needed
  aef adapt rulings/ -o ours.aef                            from the ready-made model
  aef train corrected.jsonl --from model.aef -o ours.aef    better: a few rulings that somebody has corrected

The model tags the rulings and learns from what it found; its own weights are the prior, so that what your rulings say
little about stays. In a court foreign to it, where its two passes differ much, it learns all of what it found and gains
most; in a familiar one it learns where its verdicts on one word of one ruling differ, and changes little. Ten to
fifty rulings are a good number. Nobody has checked what it learns: compare both models with 'aef evaluate' on rulings
whose names you know, before you use it. --json tells how much the passes differ ("foreign", 0 to 1): a court is
foreign above 0.2."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import READ_RULINGS, add_force, add_json
    from aef.commands.decision import add_model

    parser.add_argument(
        "rulings", nargs="+", metavar="FOLDER", help=f"rulings ({READ_RULINGS}), folders of them, .jsonl"
    )
    add_model(parser)
    parser.add_argument("-o", "--output", required=True, metavar="MODEL2", help="the model file to write")
    parser.add_argument(
        "--rounds",
        type=int,
        default=2,
        metavar="N",
        help="how often it tags and learns in a familiar court (default: 2)",
    )
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import bar, print_json, say
    from aef.corpus_tools.files import must_be_new
    from aef.errors import InputError
    from aef.tagging.adaptation import adapt
    from aef.tagging.finder import Finder

    if arguments.rounds < 1:
        raise InputError(f"--rounds {arguments.rounds}: at least one round is wanted")
    must_be_new([arguments.output], arguments.force)
    finder = Finder.load(arguments.model)
    documents = list(_rulings(arguments.rulings, arguments.quiet))
    with bar(arguments.rounds + 2, "adapting", arguments.quiet) as tick:
        adapted = adapt(finder, documents, arguments.rounds, tick)
    adapted.finder.save(arguments.output, arguments.force)
    say(f"{arguments.output}: {summary(adapted, len(documents))}", arguments.quiet)
    if arguments.json:
        print_json({"rulings": len(documents), **adapted.figures()})
    return 0


def summary(adapted: Adapted, documents: int) -> str:
    """What was learned and what has changed, in a sentence."""
    from aef.tagging.adaptation import FOREIGN

    met = "" if adapted.foreign is None else "a foreign court; " if adapted.foreign > FOREIGN else "a familiar court; "
    return (
        f"{met}learned from {documents} rulings, {adapted.tokens} tokens, {adapted.predicates} new predicates; "
        f"on these rulings it hides {adapted.hidden} tokens more "
        f"and {adapted.shown} fewer than before"
        + ("; the corpus marks only what is hidden, and nothing is learned of what it leaves" * adapted.hidden_only)
    )


def _rulings(names: Sequence[str], quiet: bool) -> Iterator[Document]:
    from aef.commands.common import progress
    from aef.corpus_tools.gold.corpora import iter_jsonl
    from aef.corpus_tools.rulings.readers import read

    for path in progress([path for name in names for path in _files(Path(name))], "reading", quiet):
        if path.suffix.lower() == ".jsonl":
            yield from iter_jsonl(path, labelled=False)
        else:
            yield read(path)


def _files(path: Path) -> list[Path]:
    """The file, or the rulings in the folder. Raises `InputError` for a folder without any."""
    from aef.corpus_tools.rulings.readers import FORMATS
    from aef.errors import InputError

    if not path.is_dir():
        return [path]
    found = sorted(p for p in path.iterdir() if p.suffix.lower() in (*FORMATS, ".jsonl") and p.is_file())
    if not found:
        raise InputError.at(path, "holds no ruling", remedy=f"Rulings are {', '.join(FORMATS)} files")
    return found
