"""``aef select``: which features are worth having."""

from __future__ import annotations

import argparse
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.learning.selection import Criterion, Selection
    from aef.learning.selection.pools import Pool

EPILOG = """examples:
  aef select gold.jsonl                          forward floating selection until nothing gains
  aef select gold.jsonl -k 16 --jobs 2           to 16 features, two candidates at a time
  aef select gold.jsonl --state run.json         keep the path in a file; the same command goes on after Ctrl-C
  aef select gold.jsonl --method sbs             backward, from all features
  aef select gold.jsonl --features nine,C4,W0 --method exhaustive -k 3
  aef select gold.jsonl -k 16 --plot steps.png --json

The criterion is the mean F2 over document folds, features that look at labels decoded from predicted ones (AEF
thesis, Algorithm 3.3.1). A run repeats exactly, whatever --jobs or --dask."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_jobs, add_json

    parser.add_argument("gold", nargs="+", metavar="GOLD", help="gold corpus (.jsonl, .conll)")
    parser.add_argument("--target", default="all", choices=["person", "all"], help="what to hide (default: all)")
    parser.add_argument("--features", default="all", metavar="NAMES", help="to choose from: a set or names")
    parser.add_argument("--method", default="sffs", metavar="NAME", help="sffs (default), sfs, sfbs, sbs, exhaustive")
    parser.add_argument("-k", type=int, metavar="N", help="stop at N features (default: where no step gains)")
    parser.add_argument("--folds", type=int, default=5, help="of documents (default: 5)")
    parser.add_argument("--seed", type=int, default=0, help="of the folds (default: 0)")
    parser.add_argument("-C", type=float, default=1.0, help="inverse strength of the L2 penalty (default: 1)")
    parser.add_argument("--lists", metavar="FOLDER", help="your own word lists (NAME.txt, NAME.add.txt)")
    add_jobs(parser, "candidates")
    parser.add_argument(
        "--processes", action="store_true", help="on Windows and macOS: processes in the place of threads"
    )
    parser.add_argument("--dask", metavar="ADDRESS", help="run on this Dask scheduler (extra: dask)")
    parser.add_argument("--state", metavar="FILE", help="keep the path here, and go on from it where it exists")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the path as JSON or CSV")
    parser.add_argument("--plot", metavar="FILE", help="draw the criterion against the number of features (PNG, SVG)")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from pathlib import Path

    from aef import lexicons
    from aef.commands.common import print_json, rounds, table
    from aef.corpus_tools.files import must_be_new
    from aef.corpus_tools.gold.corpora import read_corpus
    from aef.features import feature_names
    from aef.learning.selection import Criterion, Selection
    from aef.learning.selection.plot import picture_format

    must_be_new([path for path in (arguments.output, arguments.plot) if path], arguments.force)
    if arguments.plot:
        picture_format(arguments.plot)
    names, lists = feature_names(arguments.features), lexicons.load_all("en", arguments.lists)
    documents = read_corpus(arguments.gold)
    criterion = Criterion(documents, names, arguments.target, lists, arguments.folds, arguments.seed, arguments.C)
    selection = Selection(criterion, arguments.method, arguments.k)
    if arguments.state and Path(arguments.state).exists():
        selection.resume(arguments.state)
    with _pool(arguments, criterion) as pool:
        selection.run(pool, rounds(arguments.quiet), arguments.state)
    if arguments.json:
        print_json(selection.to_dict())
    else:
        print(table(_rows(selection), HEADER))
    _write(selection, arguments)
    return 0


HEADER = ["step", "features", "P", "R", "F1", "F2", "F2 thesis"]


def _rows(selection: Selection) -> list[list[Any]]:
    """A row a step: what came or went, the size, and the figures in percent."""
    rows = []
    before: tuple[str, ...] = ()
    for step in selection.path:
        moved = sorted(set(step.features) ^ set(before)) if len(step.features) - len(before) in (1, -1) else ["..."]
        figures = step.score.figures()
        percent = [100 * figures[key] for key in ("precision", "recall", "f1", "f2", "f2_thesis")]
        rows.append([f"{step.action} {moved[0]}", len(step.features), *(f"{value:.2f}" for value in percent)])
        before = step.features
    return rows


def _pool(arguments: argparse.Namespace, criterion: Criterion) -> AbstractContextManager[Pool]:
    """What runs the tasks: this machine, or a Dask cluster."""
    from aef.learning.selection.cluster import dask_pool
    from aef.learning.selection.pools import pool_of

    if arguments.dask:
        return dask_pool(arguments.dask)
    return pool_of(criterion, arguments.jobs, "loky" if arguments.processes else None)


def _write(selection: Selection, arguments: argparse.Namespace) -> None:
    import csv
    import io
    import json
    from pathlib import Path

    from aef.corpus_tools.files import write_atomic

    if arguments.output and Path(arguments.output).suffix.lower() == ".csv":
        text = io.StringIO()
        csv.writer(text).writerows([[*HEADER, "set"], *_with_sets(selection)])
        write_atomic(arguments.output, text.getvalue(), arguments.force)
    elif arguments.output:
        record = json.dumps(selection.to_dict(), ensure_ascii=False, indent=1)
        write_atomic(arguments.output, record + "\n", arguments.force)
    if arguments.plot:
        from aef.evaluation.plots import render
        from aef.learning.selection.plot import picture_format

        write_atomic(arguments.plot, render(selection.plot(), picture_format(arguments.plot)), arguments.force)


def _with_sets(selection: Selection) -> list[list[Any]]:
    return [[*row, " ".join(step.features)] for row, step in zip(_rows(selection), selection.path, strict=True)]
