"""``aef train``: gold corpus -> model."""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document
    from aef.tagging.finder import Finder

EPILOG = """examples:
  aef train gold.jsonl -o model.aef                         everything that is hidden, all features of the thesis
  aef train gold.jsonl -o model.aef --target person         names of persons alone
  aef train gold.jsonl -o model.aef --features nine         the nine features the thesis selects
  aef train gold.jsonl -o model.aef --features nine,C4,W0   and any others (see 'aef features')
  aef train gold.jsonl -o model.aef --learner crf           weigh whole sentences: more entities are found whole
  aef train few.jsonl -o ours.aef --from en-all             go on from a model: your court's habits from a few rulings

The gold corpus comes from 'aef align', or is any JSONL or CoNLL corpus of that form. The threshold is chosen by
cross-validation over documents for F2, unless --threshold gives it. How good the model is: 'aef evaluate --cv 5'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force

    parser.add_argument("gold", nargs="+", metavar="GOLD", help="gold corpus (.jsonl, .conll)")
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="the model file to write")
    add_learning(parser)
    parser.add_argument(
        "--from",
        dest="base",
        metavar="MODEL",
        help="go on from this model (a file or a ready-made one) with a few corrected rulings; what and how it learns "
        "stays the model's (not from one of --learner crf)",
    )
    parser.add_argument("--no-cost", action="store_true", help="do not measure what keeping names out of it costs")
    add_force(parser)


def add_learning(parser: argparse.ArgumentParser) -> None:
    """What decides how a finder learns; shared with other commands that train."""
    from aef.commands.common import add_language
    from aef.tagging import PRESETS

    parser.add_argument(
        "--target",
        default="all",
        choices=["person", "names", "all"],
        help="what to learn: names of persons to hide, all names of persons, everything to hide (default: all)",
    )
    parser.add_argument(
        "--features",
        metavar="NAMES",
        help="a set (wide, rich, nine, thesis) or names (default: wide for --target all, rich for people)",
    )
    parser.add_argument(
        "--preset", default="f2", choices=list(PRESETS), help="in force unless tagging asks for another"
    )
    parser.add_argument("--threshold", type=float, metavar="P", help="hide from this probability on (default: chosen)")
    parser.add_argument(
        "--learner",
        default="maxent",
        choices=["maxent", "crf"],
        help="maximum entropy, or a linear-chain conditional random field, which weighs whole sentences (needs "
        "python-crfsuite; default: maxent)",
    )
    parser.add_argument("--solver", default="newton-cg", choices=["newton-cg", "lbfgs", "liblinear", "gis"])
    parser.add_argument("--iterations", type=int, default=50, metavar="N", help="of gis (default: 50, as the thesis)")
    parser.add_argument(
        "--cutoff", type=int, default=0, metavar="N", help="drop predicates seen less often (default: 0)"
    )
    parser.add_argument(
        "-C",
        type=float,
        metavar="C",
        help="inverse strength of the L2 penalty (default: by cross-validation 0.5 or 0.2, with wide 0.1 or 0.05)",
    )
    parser.add_argument("--keep-names", action="store_true", help="let the model hold words of what the corpus hides")
    add_language(parser)
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
        "learner": arguments.learner,
        "solver": arguments.solver,
        "iterations": arguments.iterations,
        "cutoff": arguments.cutoff,
        "C": arguments.C,
        "preset": arguments.preset,
        "names_free": not arguments.keep_names,
        "language": arguments.language,
        "lists": arguments.lists,
        "seed": arguments.seed,
    }


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import bar, say
    from aef.corpus_tools.files import must_be_new
    from aef.corpus_tools.gold.corpora import read_corpus
    from aef.evaluation.folds import ONE
    from aef.tagging.finder import Finder

    must_be_new([arguments.output], arguments.force)
    if arguments.base is not None:
        return _go_on(arguments)
    finder = Finder(**learning(arguments))  # type: ignore[arg-type]
    documents = read_corpus(arguments.gold)
    _must_fit(arguments.target, documents)
    entries = sum(map(len, finder.lexicons.values()))
    many = f"{len(documents)} document" + "s" * (len(documents) != 1)
    say(f"learning from {many}{' ...' if len(documents) != 1 else ONE}", arguments.quiet)
    began = time.perf_counter()
    with bar(finder.steps(documents), "learning", arguments.quiet) as tick:
        finder.fit(documents, tick=tick)
    finder.save(arguments.output, arguments.force)
    predicates = sum(map(len, finder.vocabulary.values()))
    say(
        f"{arguments.output}: learned from {many}, {finder.trained_tokens} tokens, "
        f"{len(finder.features)} features, {predicates} predicates in {time.perf_counter() - began:.1f} s; "
        f"hides from probability {finder.cut_probability:.2f} on",
        arguments.quiet,
    )
    if hidden := entries - sum(map(len, finder.lexicons.values())):
        say(f"{hidden} entries of your own lists are hidden in the corpus and kept out of the model", arguments.quiet)
    if finder.names_free and finder.cuts and not (arguments.no_cost or arguments.quiet):
        say(_cost(learning(arguments), finder, documents))
    return 0


def _must_fit(target: str, documents: Sequence[Document]) -> None:
    """Raise `InputError` where the corpus would teach a model of all names that most names are none."""
    from aef.errors import InputError
    from aef.tagging.targets import marks_only_hidden

    if target == "names" and marks_only_hidden(documents):
        raise InputError(
            "--target names: the gold corpus marks only what is hidden, and would teach that the names it leaves "
            "(counsel, judges) are none. Mark them, with identifier_type NO_MASK; or learn what is hidden "
            "(--target person); or go on from a model of names (--from en-person), which learns the names alone"
        )


def _go_on(arguments: argparse.Namespace) -> int:
    """Correct a model by gold documents: `aef.tagging.adaptation.correct`."""
    from aef.commands.adapt import summary
    from aef.commands.common import bar, say
    from aef.corpus_tools.gold.corpora import read_corpus
    from aef.tagging.adaptation import correct
    from aef.tagging.finder import Finder

    finder = Finder.load(arguments.base)
    documents = read_corpus(arguments.gold)
    with bar(1, "learning", arguments.quiet) as tick:
        adapted = correct(finder, documents)
        tick()
    adapted.finder.save(arguments.output, arguments.force)
    say(f"{arguments.output}: {summary(adapted, len(documents))}", arguments.quiet)
    return 0


def _cost(parameters: Mapping[str, Any], finder: Finder, documents: list[Document]) -> str:
    """What keeping names out of the model costs in quality, against one that keeps them.

    By the folds that choose the threshold: what a fold's model may remember is decided without the rulings held out.
    """
    from aef.commands.common import bar
    from aef.tagging.finder import Finder

    if len(documents) < 2:
        return "what keeping names out of the model costs cannot be measured: it takes two documents"
    began = time.perf_counter()
    keeping = Finder(**{**parameters, "names_free": False, "C": finder.solver["C"]})
    keeping.shares = (finder.share,)
    documents = [document.in_language(finder.language) for document in documents]
    with bar(keeping.steps(documents) - 1, "what keeping names out costs") as tick:
        kept = keeping.choose(documents, tick)["f2"][1]
    return (
        f"names are kept out of the model: F2 {100 * finder.expected['f2']:.1f} instead of {100 * kept:.1f} with them, "
        f"by cross-validation of tokens (measured in {time.perf_counter() - began:.1f} s; --no-cost leaves it out)"
    )
