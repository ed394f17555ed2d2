"""``aef models``: the ready-made models."""

from __future__ import annotations

import argparse

EPILOG = """examples:
  aef models                                  the ready-made models
  aef models --card                           what they learned from, how good they are, what they are not for
  aef tag ruling.docx --model en-person       one of them at work

Without --model, 'aef adapt' uses en-person, and so do 'aef tag', 'aef anonymize' and 'aef explain', with patterns for
numbers, addresses and the like: the pipeline court-en, see 'aef pipeline show court-en'. Rulings in other languages are
read by the pipelines of these: 'aef language'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_json

    parser.add_argument("--card", action="store_true", help="print the model card")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json, table
    from aef.tagging import ready_models as ready

    if arguments.card:
        print((ready.FOLDER / "CARD.md").read_text("utf-8"), end="")
        return 0
    rows = [_described(name) for name in ready.models()]
    if arguments.json:
        print_json(rows)
    else:
        print(table([list(row.values()) for row in rows], ["name", "language", "finds", "documents", "KB"]))
    return 0


def _described(name: str) -> dict[str, str | int]:
    from aef.tagging import ready_models as ready
    from aef.tagging.finder import Finder

    path = ready.models()[name]
    finder = Finder.load(path)
    return {
        "name": name,
        "language": finder.language,
        "finds": ready.TARGETS[name.split("-")[1]],
        "documents": len(finder.fingerprints),
        "kilobytes": round(path.stat().st_size / 1000),
    }
