"""Speed and memory beside what people use otherwise, measured side by side in one run.

``python -m aef.benchmarks [--only PART,PART] [--cache FOLDER] [--json FILE] [--short]`` prints a table of ratios. The
corpus has 567,000 tokens (see `aef.benchmarks.corpus`). Every figure is of one thread and in seconds of processor time
unless it says "wall", so that other work on the machine disturbs it little; where a run is cheap, it is the median of
several. The parts:

candidate   one feature set evaluated by 5-fold cross-validation, sequential features decoded from predicted labels, as
            the selection does it (merged events, all folds at once, started from the set before) and in the plain way:
            one-hot rows for all tokens and scikit-learn's lbfgs, fold after fold. Same features, folds and penalty.
selection   a whole floating selection; the plain pipeline's time is one measured evaluation times their number.
training    the classifier on all tokens. Ours starts from rows of integers and pays for merging them; scikit-learn's
            solvers start from one-hot rows that are ready, each at the loosest tolerance that comes within 1 of the
            best log-likelihood (penalized as usual). NLTK's GIS and the CRF of python-crfsuite learn from slices.
extraction  all features of the thesis for all tokens, against loops that call each feature on each token.
tagging     raw text to mentions in a fresh process on one core, against spaCy's tokenizer, which only splits words,
            and Presidio's pattern recognizers over spaCy's blank pipeline, which find other things than names.
commands    what a user waits for: `--help`, `anonymize` of two pages and of long rulings, the demo; each as a process.
growth      the same documents 1, 4 and 16 times over: processor time, and the peak memory of the processes.

What is missing (spaCy, presidio-analyzer, python-crfsuite: the extra ``benchmarks``) is said in its row.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from threadpoolctl import threadpool_limits

from aef.benchmarks.candidate import candidate, selection
from aef.benchmarks.commands import commands
from aef.benchmarks.corpus import DATA, TOKENS, build
from aef.benchmarks.extraction import extraction
from aef.benchmarks.growth import growth
from aef.benchmarks.measure import HEADER, Row, Setting, say
from aef.benchmarks.tagging import tagging
from aef.benchmarks.training import training
from aef.commands.common import table
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.corpus_tools.gold.corpora import read_gold, write_gold
from aef.errors import InputError

PARTS: dict[str, Callable[[Setting], Iterator[Row]]] = {
    part.__name__: part for part in (candidate, selection, training, extraction, tagging, commands, growth)
}
SHORT = 12_000


def main(arguments: Sequence[str] | None = None) -> int:
    given = _parser().parse_args(arguments)
    try:
        return _run(given)
    except InputError as error:
        print(f"aef.benchmarks: {error}", file=sys.stderr)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m aef.benchmarks", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", default=",".join(PARTS), metavar="PARTS", help="some parts, separated by commas")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of corpora (default: AEF_DATA)")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="keep the corpus and the model here")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures here, too")
    parser.add_argument("--force", action="store_true", help="overwrite FILE where it exists")
    parser.add_argument("--jobs", type=int, default=2, help="candidates at a time in a selection (default: 2)")
    parser.add_argument("--short", action="store_true", help=f"{SHORT:,} tokens: to try it out, not to quote")
    return parser


def _run(given: argparse.Namespace) -> int:
    chosen = given.only.split(",")
    if unknown := [part for part in chosen if part not in PARTS]:
        raise InputError(f"--only {given.only}: no part is called '{unknown[0]}'. There are {', '.join(PARTS)}")
    if given.json:
        must_be_new([given.json], given.force)
    with ExitStack() as stack:
        stack.enter_context(threadpool_limits(1))
        folder = given.cache or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        setting = prepare(given.data, folder, given.short)
        rows = [row for part in chosen for row in PARTS[part](replace(setting, jobs=given.jobs))]
    print(f"{len(setting.documents)} documents, {setting.tokens:,} tokens; {_machine()}")
    print(table([row.cells() for row in rows], HEADER))
    for row in rows:
        if row.note:
            print(f"- {row.part}, {row.what}{', ' + row.beside if row.beside else ''}: {row.note}")
    if given.json:
        write_atomic(given.json, json.dumps(_record(rows, setting), indent=1) + "\n", given.force)
    return 0


def prepare(data: Path, folder: Path, short: bool) -> Setting:
    """The corpus, from the folder where it is there already."""
    folder.mkdir(parents=True, exist_ok=True)
    folder = folder / ("short" if short else "full")
    folder.mkdir(exist_ok=True)
    gold = folder / "gold.jsonl"
    if not gold.exists():
        say("building the corpus")
        write_gold(build(data, SHORT if short else TOKENS), gold)
    return Setting(gold, read_gold(gold), folder, short, data=data)


def _machine() -> str:
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{os.cpu_count()} cores{load}, Python {platform.python_version()}"


def _record(rows: Sequence[Row], setting: Setting) -> dict[str, Any]:
    figures = [asdict(row) | {"times": row.times} for row in rows]
    return {"tokens": setting.tokens, "short": setting.short, "machine": _machine(), "rows": figures}


if __name__ == "__main__":
    sys.exit(main())
