"""The quality table: 5-fold cross-validation by document on the Text Anonymization Benchmark's judgments.

``python -m aef.experiments.quality [--data FOLDER] [--short]``. Tokens are counted as `aef.evaluation.figures` says;
thresholds are chosen inside the folds, and so is what a names-free model may hold; the thesis's feature sets learn
without that restriction, as they did there. Under it the table of the Spanish and French judgments
(`aef.experiments.languages`), whether a promise holds (`aef.experiments.promise`), and what a model costs: seconds to
learn from the judgments of train, tokens tagged a second, and how many words that the corpus hides its audit finds in
the file (0 wanted). What python-crfsuite learns is left out where that is missing. ``--short`` takes every fourth
judgment and a few systems.

The last columns are those of `aef.evaluation.tab_benchmark`: recall by TAB's own rules, and strictly the recall of
direct and of quasi identifiers as entities.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from aef.annotators.nome import Nome
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.evaluation.figures import evaluate
from aef.evaluation.folds import cross_validate
from aef.evaluation.tab_benchmark import figures_of
from aef.experiments import language_corpora, languages, promise
from aef.experiments.data import add_data, judgments, run_study, there
from aef.tagging.finder import Finder
from aef.verification.model_audit import findings, held

FIGURES = ("precision", "recall", "f1", "f2", "f2_thesis", "entity_recall")
HEADER = ["system", "target", "P", "R", "F1", "F2", "F2 thesis", "entity recall", "no miss", "seconds"]
TAB_HEADER = ["TAB recall", "direct", "quasi"]
LEARNERS = ("maxent", "crf") if find_spec("pycrfsuite") else ("maxent",)
RUNS = 5
"""How often speed is measured: a first run reads lists and compiles patterns."""

SHORT = ("NOME, title list", "MaxEnt thesis, consistent", "MaxEnt rich", "MaxEnt wide")


def systems(target: str) -> dict[str, Callable[[], Any]]:
    """The rows of the table: a name and what makes a fresh system."""
    as_published = partial(Finder, names_free=False, C=3.0)
    best = "wide" if target == "all" else "rich"
    return {
        "NOME, title list": Nome,
        "MaxEnt nine, 0.5": partial(as_published, "nine", target, 0.5, consistency=False),
        "MaxEnt nine": partial(as_published, "nine", target, consistency=False),
        "MaxEnt thesis": partial(as_published, "thesis", target, consistency=False),
        "MaxEnt nine, consistent": partial(as_published, "nine", target),
        "MaxEnt thesis, consistent": partial(as_published, "thesis", target),
        "MaxEnt rich": partial(Finder, "rich", target),
        f"MaxEnt {best}, inconsistent": partial(Finder, best, target, consistency=False),
        f"MaxEnt {best}, with names": partial(Finder, best, target, names_free=False),
        f"MaxEnt {best}": partial(Finder, best, target),
        f"MaxEnt {best}, balanced": partial(Finder, best, target, preset="balanced"),
        f"MaxEnt {best}, safe": partial(Finder, best, target, preset="safe"),
        **({"CRF rich": partial(Finder, "rich", target, learner="crf")} if "crf" in LEARNERS else {}),
    }


def row(name: str, target: str, factory: Callable[[], Any], documents: Sequence[Document], seed: int) -> list[Any]:
    began = time.perf_counter()
    predicted = cross_validate(factory, documents, folds=5, seed=seed)
    seconds = time.perf_counter() - began
    result = evaluate(documents, predicted, target, bootstrap=0)
    figures = [100 * result.micro[key] for key in FIGURES]
    tab = figures_of(result.judged)
    shown = [100 * value for value in (tab.tab_recall, tab.er_direct, tab.er_quasi)]
    return [name, target, *figures, f"{result.documents_without_miss}/{len(documents)}", seconds, *shown]


def _rate(finder: Finder, documents: Sequence[Document]) -> float:
    """Tokens tagged a second, texts not read before."""
    unread = [replace(document, mentions=()) for document in documents]
    began = time.perf_counter()
    tokens = sum(len(document.words) for document in finder.tag_all(unread))
    return tokens / (time.perf_counter() - began)


def costs(learner: str, train: Sequence[Document], others: Sequence[Document]) -> str:
    """Learning and tagging in seconds, and the audit of the model file."""
    began = time.perf_counter()
    finder = Finder(target="all", learner=learner).fit(train)
    learned = time.perf_counter() - began
    rate = max(_rate(finder, others) for _ in range(RUNS))
    with tempfile.TemporaryDirectory() as folder:
        finder.save(path := Path(folder) / "model.aef")
        told = len(findings(held(path), train, "en"))
    return (
        f"{learner}, all: learned from {len(train)} judgments in {learned:.1f} s; "
        f"tagged {rate:,.0f} tokens/s (the quickest of {RUNS} runs); words of what is hidden in the model: {told}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data(parser, "tab_en")
    parser.add_argument("--seed", type=int, default=0, help="of the folds")
    parser.add_argument("--short", action="store_true", help="a quarter of the judgments, two systems")
    arguments = parser.parse_args()
    documents = judgments(arguments.data / "tab_en")
    for language in () if arguments.short else language_corpora.STARTS:
        there(arguments.data / f"echr_{language}")  # what is missing is said before the work
    if arguments.short:
        documents = documents[::4]
    jobs = [
        (name, target, factory)
        for target in ("person", "all")
        for name, factory in systems(target).items()
        if not arguments.short or name in SHORT
    ]
    rows = [row(*job, documents, arguments.seed) for job in progress(jobs, "quality")]
    print(f"{len(documents)} judgments, 5-fold cross-validation by document, seed {arguments.seed}")
    print(table(rows, HEADER + TAB_HEADER))
    if not arguments.short:
        languages.report_all(arguments.data, list(language_corpora.STARTS))
        promise.report(documents, ("person", "all"), (0.05, 0.1), (0.9,))
        for learner in LEARNERS:
            print(costs(learner, documents[:92], documents[92:]))


if __name__ == "__main__":
    run_study(main)
