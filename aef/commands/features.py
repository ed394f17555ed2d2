"""``aef features``: what the features are, and what they show of a ruling."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.features.registry import Feature

EPILOG = """examples:
  aef features                          every feature, with its group and a line of help
  aef features --set nine               the nine the thesis selects
  aef features --show ruling.txt        the active predicates of each token of a ruling
  aef features --coverage gold.jsonl    how often each feature is active, and how often on a token to hide
  aef features --of roles               what the model of roles looks at, of a mention and of a person

A feature is one decorated function; docs/how-to/feature.md shows how to add one. Besides the names listed,
NAME[-1] is a feature of the token before, NAME[1] of the token after, list:NAME membership in a word list."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_json

    parser.add_argument(
        "--of", default="tokens", choices=["tokens", "roles"], help="features of what (default: tokens)"
    )
    parser.add_argument(
        "--set", default="all", metavar="NAMES", help="a set (nine, thesis, rich, wide, pos, all) or names with commas"
    )
    parser.add_argument("--show", metavar="FILE", help="print the active predicates of each token of this ruling")
    parser.add_argument("--coverage", metavar="GOLD", help="count the features' activity on a gold corpus")
    parser.add_argument("--target", default="all", choices=["person", "all"], help="what --coverage counts as A")
    parser.add_argument("--lists", metavar="FOLDER", help="your own word lists (NAME.txt, NAME.add.txt)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json, table
    from aef.features import feature_names, resolve

    if arguments.of == "roles":
        return _roles(arguments)
    chosen = [resolve(name) for name in feature_names(arguments.set)]
    if arguments.show:
        return _show(arguments)
    if arguments.coverage:
        rows = _coverage(arguments)
        header = ["feature", "predicates", "active", "active on A", "A among active %"]
        if arguments.json:
            print_json([dict(zip(header, row, strict=True)) for row in rows])
        else:
            print(table(rows, header))
    elif arguments.json:
        print_json([{"name": f.name, "group": _group(f), "sequential": f.sequential, "help": f.help} for f in chosen])
    else:
        width = max(len(f.name) for f in chosen)
        for f in chosen:
            print(f"{f.name:<{width}}  {_group(f):<13}{'sequential  ' if f.sequential else '            '}{f.help}")
    return 0


def _group(feature: Feature) -> str:
    """A feature's group; of a plug-in's, the file or package that it is of."""
    from aef import plugins

    return plugins.origin(feature.function.__module__) or feature.group


def _roles(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json
    from aef.errors import InputError
    from aef.role_features import FEATURES

    if arguments.show or arguments.coverage:
        raise InputError(
            "--of roles: --show and --coverage are of tokens; aef anonymize --roles says what tells a role"
        )
    if arguments.json:
        print_json([{"name": f.name, "of": f.of, "help": f.help} for f in FEATURES.values()])
    else:
        width = max(map(len, FEATURES))
        for f in FEATURES.values():
            print(f"{f.name:<{width}}  {f.of:<9}{f.help}")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    import numpy as np

    from aef import lexicons
    from aef.corpus_tools.rulings.readers import read
    from aef.features import Extractor, feature_names
    from aef.features.extraction import Layout

    document = read(arguments.show)
    layout = Layout([(document.words, document.tokens.first)])
    extractor = Extractor(feature_names(arguments.set), lexicons.load_all("en", arguments.lists))
    no_history = np.zeros(len(document.words), dtype=np.int64)
    columns = [(c.name, c.at(no_history).tolist(), c.values) for c in extractor.columns(layout)]
    for i, word in enumerate(document.words):
        active = [
            name + (f"={values[codes[i]]}" if values[codes[i]] else "")
            for name, codes, values in columns
            if codes[i] >= 0
        ]
        print(f"{word}\t{' '.join(active)}")
    return 0


def _coverage(arguments: argparse.Namespace) -> list[list[object]]:
    import numpy as np

    from aef.corpus_tools.gold.corpora import read_gold
    from aef.tagging.finder import Finder

    finder = Finder(arguments.set, arguments.target, lists=arguments.lists)
    events, labels = finder.events(read_gold(arguments.coverage))
    rows: list[list[object]] = []
    for name, column in zip(finder.features, events.T, strict=True):
        active = column >= 0
        hidden = active & (labels == "A")
        share = 100.0 * float(hidden.sum()) / max(int(active.sum()), 1)
        rows.append([name, len(np.unique(column[active])), int(active.sum()), int(hidden.sum()), share])
    return rows
