"""``aef study``: the thesis's experiments on a corpus of one's own."""

from __future__ import annotations

import argparse

EPILOG = """examples:
  aef study gold.jsonl -o study                     everything, with all features
  aef study gold.jsonl -o study --jobs 2 -k 10      two tasks at a time, sets of up to ten features
  aef study gold.jsonl -o study --features nine,C4,W0
  aef study gold.jsonl -o study --target person --documents 001-61807,001-70313

Writes report.html (one page that needs nothing else), study.json, tables/*.csv and plots/*.png, *.svg: error against
iterations, single features, the selection and its sets, what each feature contributes, and AEF against NOME, each
beside the figures the AEF thesis prints for its own corpus. Nothing of a ruling's text is written."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_jobs

    parser.add_argument("gold", nargs="+", metavar="GOLD", help="gold corpus (.jsonl, .conll)")
    parser.add_argument("-o", "--output", required=True, metavar="FOLDER", help="the folder to write, new or empty")
    parser.add_argument("--target", default="all", choices=["person", "all"], help="what to hide (default: all)")
    parser.add_argument(
        "--features", default="all", metavar="NAMES", help="a set or names; the thesis's nine are always among them"
    )
    parser.add_argument("-k", type=int, metavar="N", help="select up to N features (default: 16, as in Table 3.7)")
    parser.add_argument("--folds", type=int, default=5, help="of documents (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="of the folds (default: 0)")
    add_jobs(parser, "tasks")
    parser.add_argument(
        "--documents", metavar="ID1,ID2", help="compare AEF and NOME on these, too (default: the two longest)"
    )
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    import time

    from aef.commands.common import progress, rounds, say
    from aef.corpus_tools.gold.corpora import read_corpus
    from aef.learning.study.plan import Plan
    from aef.learning.study.run import Study, experiments, must_be_free

    began, quiet = time.perf_counter(), arguments.quiet
    folder = must_be_free(arguments.output, arguments.force)
    documents = read_corpus(arguments.gold)
    named = [name.strip() for name in (arguments.documents or "").split(",") if name.strip()]
    options = (arguments.features, arguments.target, arguments.k, arguments.folds, arguments.seed, arguments.jobs)
    plan = Plan.of(documents, *options, named)
    watched = lambda text: say(text, quiet), lambda items, what: progress(items, what, quiet), rounds(quiet)
    record = experiments(plan, *watched)
    Study(record).write(folder, arguments.force)
    say(f"{folder / 'report.html'}: written in {time.perf_counter() - began:.0f} s", quiet)
    return 0
