"""The quality table of Spanish and French: learned from train, scored on dev, everything that is hidden.

``python -m aef.experiments.languages [--data FOLDER] [--language es]``. The corpora are judgments of the European Court
of Human Rights with annotations projected from English (``echr_es``, ``echr_fr``). They say no entities: each mention
is its own. Tokens are counted as `aef.evaluation.figures` says.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from aef.annotators.nome import Nome
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold import read_gold
from aef.evaluation.figures import evaluate
from aef.experiments.data import add_data, run_study, there
from aef.tagging.finder import Finder

STARTS = {"es": "PROCEDIMIENTO", "fr": "PROCEDURE"}
"""The heading with which a judgment begins, by language; accents do not count."""

FIGURES = ("precision", "recall", "f1", "f2", "entity_recall")
HEADER = ["system", "language", "P", "R", "F1", "F2", "entity recall", "seconds"]


def systems(language: str) -> dict[str, Callable[[], Any]]:
    """The rows of the table: a name and what makes a fresh system."""
    as_published = partial(Finder, target="all", language=language, names_free=False, C=3.0)
    return {
        "NOME": partial(Nome, language=language),
        "MaxEnt nine": partial(as_published, "nine"),
        "MaxEnt thesis": partial(as_published, "thesis"),
        "MaxEnt rich": partial(Finder, "rich", "all", language=language),
        "MaxEnt wide": partial(Finder, "wide", "all", language=language),
        "MaxEnt wide, with names": partial(Finder, "wide", "all", language=language, names_free=False),
    }


def read(folder: Path, language: str, part: str) -> list[Document]:
    """The judgments of a part (``train``, ``dev``) of a language's corpus."""
    path = there(folder / f"echr_{language}" / f"{part}.tsv")
    documents = read_gold(path, document_start=STARTS[language])
    return [document.in_language(language) for document in documents]


def row(
    name: str, language: str, make: Callable[[], Any], train: Sequence[Document], dev: Sequence[Document]
) -> list[Any]:
    began = time.perf_counter()
    system = make()
    if hasattr(system, "fit"):
        system.fit(train)
    result = evaluate(dev, [system.tag(document) for document in dev], "all", bootstrap=0)
    return [name, language, *(100 * result.micro[key] for key in FIGURES), time.perf_counter() - began]


def report(folder: Path, chosen: Sequence[str]) -> None:
    """Print the table of the languages chosen."""
    corpora = {language: (read(folder, language, "train"), read(folder, language, "dev")) for language in chosen}
    jobs = [(name, language, make) for language in corpora for name, make in systems(language).items()]
    rows = [row(*job, *corpora[job[1]]) for job in progress(jobs, "languages")]
    for language, (train, dev) in corpora.items():
        print(f"{language}: trained on {len(train)} judgments, scored on {len(dev)}")
    print(table(rows, HEADER))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data(parser, "echr_es", "echr_fr")
    parser.add_argument("--language", choices=sorted(STARTS), help="this one alone")
    arguments = parser.parse_args()
    report(arguments.data, [arguments.language] if arguments.language else list(STARTS))


if __name__ == "__main__":
    run_study(main)
