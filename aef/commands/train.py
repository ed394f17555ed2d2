"""``aef train``: gold corpus -> model."""

from __future__ import annotations

import argparse
import time

EPILOG = """examples:
  aef train gold.jsonl -o model.aef                         everything that is hidden, all features of the thesis
  aef train gold.jsonl -o model.aef --target person         names of persons alone
  aef train gold.jsonl -o model.aef --features nine         the nine features the thesis selects
  aef train gold.jsonl -o model.aef --features nine,C4,W0   and any others (see 'aef features')

The gold corpus comes from 'aef align', or is any JSONL or CoNLL corpus of that form. The threshold is chosen by
cross-validation over documents for F2, unless --threshold gives it. How good the model is: 'aef evaluate --cv 5'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force

    parser.add_argument("gold", nargs="+", metavar="GOLD", help="gold corpus (.jsonl, .conll)")
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="the model file to write")
    add_learning(parser)
    add_force(parser)


def add_learning(parser: argparse.ArgumentParser) -> None:
    """What decides how a finder learns; shared with other commands that train."""
    parser.add_argument("--target", default="all", choices=["person", "all"], help="what to hide (default: all)")
    parser.add_argument("--features", default="thesis", metavar="NAMES", help="a set (nine, thesis, all) or names")
    parser.add_argument("--threshold", type=float, metavar="P", help="hide from this probability on (default: chosen)")
    parser.add_argument("--solver", default="newton-cg", choices=["newton-cg", "lbfgs", "liblinear", "gis"])
    parser.add_argument("--iterations", type=int, default=50, metavar="N", help="of gis (default: 50, as the thesis)")
    parser.add_argument(
        "--cutoff", type=int, default=0, metavar="N", help="drop predicates seen less often (default: 0)"
    )
    parser.add_argument(
        "-C", type=float, default=3.0, metavar="C", help="inverse strength of the L2 penalty (default: 3)"
    )
    parser.add_argument("--no-consistency", action="store_true", help="do not spread a found entity over its document")
    parser.add_argument("--lists", metavar="FOLDER", help="your own word lists (NAME.txt, NAME.add.txt)")
    parser.add_argument("--seed", type=int, default=0, help="of the random folds (default: 0)")


def learning(arguments: argparse.Namespace) -> dict[str, object]:
    """The finder's parameters as the command line gives them."""
    return {
        "features": arguments.features,
        "target": arguments.target,
        "threshold": arguments.threshold,
        "consistency": not arguments.no_consistency,
        "solver": arguments.solver,
        "iterations": arguments.iterations,
        "cutoff": arguments.cutoff,
        "C": arguments.C,
        "lists": arguments.lists,
        "seed": arguments.seed,
    }


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import say
    from aef.corpus_tools.files import must_be_new
    from aef.corpus_tools.gold import read_corpus
    from aef.finder import Finder

    must_be_new([arguments.output], arguments.force)
    finder = Finder(**learning(arguments))  # type: ignore[arg-type]
    documents = read_corpus(arguments.gold)
    began = time.perf_counter()
    finder.fit(documents)
    finder.save(arguments.output, arguments.force)
    predicates = sum(map(len, finder.vocabulary.values()))
    say(
        f"{arguments.output}: learned from {len(documents)} documents, {finder.trained_tokens} tokens, "
        f"{len(finder.features)} features, {predicates} predicates in {time.perf_counter() - began:.1f} s; "
        f"hides from probability {finder.cut_probability:.2f} on",
        arguments.quiet,
    )
    return 0
