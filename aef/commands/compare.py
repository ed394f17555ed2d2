"""``aef compare``: several ways to find what must be hidden, on the same folds and features."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from aef.learning.comparison.compare import Comparison, Setting

EPILOG = """examples:
  aef compare gold.jsonl                                 all systems, 5-fold cross-validation by document
  aef compare gold.jsonl --target person --jobs 2        names of persons alone, two folds at a time
  aef compare gold.jsonl --systems maxent-thesis,crf --features thesis --baseline maxent-thesis
  aef compare gold.jsonl --csv table.csv --plot table.svg

systems:
{systems}

All but aef are the bare learners, without consistency over a document unless --consistency is given. Each that scores
tokens gets its threshold for F2 by cross-validation inside the training documents. Differences to the baseline come
with 95% intervals from a paired bootstrap over documents. With --jobs, folds compete for the machine: for times to
quote, leave it at 1. The tagger learns by maximum entropy, or as crf does with 'aef train --learner crf'."""


def registered() -> dict[str, str]:
    """What the help lists."""
    from aef.commands.common import listing
    from aef.learning.comparison.systems import SYSTEMS

    extras = {name: f" (pip install 'aef-anonymizer[{kind.extra}]')" for name, kind in SYSTEMS.items() if kind.extra}
    return {"systems": listing({name: kind.help + extras.get(name, "") for name, kind in SYSTEMS.items()})}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_jobs, add_json

    parser.add_argument("gold", nargs="+", metavar="GOLD", help="gold corpus (.jsonl, .conll)")
    parser.add_argument("--cv", type=int, default=5, metavar="N", help="folds of documents (default: 5)")
    parser.add_argument("--systems", metavar="A,B,C", help="which to compare (default: all there are)")
    parser.add_argument(
        "--baseline", metavar="NAME", help="what differences are to (default: aef, or the first system)"
    )
    parser.add_argument("--target", default="all", choices=["person", "all"], help="what to hide (default: all)")
    parser.add_argument("--features", metavar="NAMES", help="a set or names (default: rich, or thesis without it)")
    parser.add_argument("--inner", type=int, default=5, metavar="N", help="folds that choose thresholds (default: 5)")
    parser.add_argument(
        "--consistency", action="store_true", help="learners hide what they found all over its document"
    )
    parser.add_argument("--lists", metavar="FOLDER", help="your own word lists (NAME.txt, NAME.add.txt)")
    parser.add_argument("--language", default="en", metavar="CODE", help="of the word lists (default: en)")
    parser.add_argument("--seed", type=int, default=0, help="of folds, learners and bootstrap (default: 0)")
    add_jobs(parser, "folds")
    parser.add_argument("--bootstrap", type=int, default=2000, metavar="N", help="samples (default: 2000)")
    parser.add_argument("--csv", metavar="FILE", help="write all figures as CSV")
    parser.add_argument("--plot", metavar="FILE", help="draw quality against training time (.png, .svg)")
    add_json(parser)
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from functools import partial

    from aef.commands.common import print_json
    from aef.corpus_tools.gold.corpora import read_corpus

    _check_outputs(arguments)
    setting = _setting(arguments)
    documents = list(read_corpus(arguments.gold))
    found = setting.run(documents, arguments.jobs, partial(_watch, quiet=arguments.quiet))
    _write(arguments, found)
    if arguments.json:
        told = {"target": arguments.target, "features": list(setting.options.names), "baseline": found.baseline}
        told |= {"documents": len(documents), "folds": arguments.cv}
        print_json({**told, "systems": found.rows, "missing": found.missing})
    else:
        print(found)
    return 0


def _setting(arguments: argparse.Namespace) -> Setting:
    from aef.learning.comparison.compare import Setting
    from aef.learning.comparison.scoring import BEST, Options

    options = Options(
        target=arguments.target,
        features=arguments.features or BEST,
        seed=arguments.seed,
        inner=arguments.inner,
        consistency=arguments.consistency,
        language=arguments.language,
        lists=arguments.lists,
    )
    return Setting.of(options, arguments.systems, arguments.baseline, arguments.cv, arguments.bootstrap)


def _check_outputs(arguments: argparse.Namespace) -> None:
    from pathlib import Path

    from aef.corpus_tools.files import must_be_new
    from aef.errors import InputError

    must_be_new([path for path in (arguments.csv, arguments.plot) if path], arguments.force)
    if arguments.plot and Path(arguments.plot).suffix.lower() not in (".png", ".svg"):
        raise InputError.at(arguments.plot, "is no picture's name", remedy="Use .png or .svg")


def _watch(pairs: Sequence[tuple[str, int]], quiet: bool) -> Iterator[tuple[str, int]]:
    """The pairs of system and fold, with a progress bar that names the one awaited; on a terminal only."""
    from aef.commands.common import progress

    bar = progress(pairs, "", quiet)
    for name, fold in bar:
        if bar is not pairs:
            cast(Any, bar).set_description(f"{name}, fold {fold + 1}")
        yield name, fold


def _write(arguments: argparse.Namespace, found: Comparison) -> None:
    from pathlib import Path

    from aef.corpus_tools.files import write_atomic

    if arguments.csv:
        write_atomic(arguments.csv, found.to_csv(), arguments.force)
    if arguments.plot:
        from aef.evaluation.plots import render

        picture = render(found.plot(), Path(arguments.plot).suffix[1:].lower())
        write_atomic(arguments.plot, picture, arguments.force)
