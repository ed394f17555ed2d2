"""The quality tables of other languages than English.

``python -m aef.experiments.languages [--data FOLDER] [--part all people unseen types] [--language es]``, each part by
itself:

- ``all``: what is hidden in Spanish and French judgments of the European Court of Human Rights (``echr_es``,
  ``echr_fr``, annotations projected from English), learned from train, scored on dev. They say no entities: each
  mention is its own.
- ``people``: every name of a person in the same, with what the ready-made models learn beside (`learned_from`); of
  Portuguese and German by five folds over documents.
- ``unseen``: names of people in rulings of Buenos Aires (``es_argentina``), of which the model has learned nothing.
- ``types``: entities by type in Portuguese and German (``pt_brazil``, ``de_germany``), exact, see
  `aef.experiments.entity_types`; ``--folds 1`` scores one fold of the five, here and of people.

Tokens are counted as `aef.evaluation.figures` says; the corpora are read as `aef.experiments.language_corpora` says.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from aef.annotators.nome import Nome
from aef.commands.common import progress, say, table
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.corpus_tools.invented import sentences
from aef.evaluation.figures import evaluate
from aef.experiments import entity_types
from aef.experiments.data import add_data, run_study
from aef.experiments.language_corpora import STARTS, TYPED, argentina, people, read, typed
from aef.experiments.real_gold import without_initials
from aef.experiments.swapped import swapped
from aef.tagging.finder import Finder

FIGURES = ("precision", "recall", "f1", "f2", "mention_recall")
HEADER = ["system", "language", "P", "R", "F1", "F2", "mention recall", "F2, 95 % of samples of documents", "seconds"]
INVENTED = 150
"""How many invented rulings a model of names learns from, where the language has sentences for them."""
NAMES: dict[str, Any] = {"target": "names", "C": 0.5, "folds": 3}

READY = "ready-made"
"""The row of what a ready-made model learns beside the judgments."""

Make = Callable[[], Any]
Apart = tuple[list[Document], list[Document]]
"""What is learned from, and what is scored on."""


def systems(language: str) -> dict[str, Make]:
    """The rows of the part ``all``: a name and what makes a fresh system."""
    as_published = partial(Finder, target="all", language=language, names_free=False, C=3.0)
    return {
        "NOME": partial(Nome, language=language),
        "MaxEnt nine": partial(as_published, "nine"),
        "MaxEnt thesis": partial(as_published, "thesis"),
        "MaxEnt rich": partial(Finder, "rich", "all", language=language),
        "MaxEnt wide": partial(Finder, "wide", "all", language=language),
        "MaxEnt wide, with names": partial(Finder, "wide", "all", language=language, names_free=False),
        "CRF rich": partial(Finder, "rich", "all", language=language, learner="crf"),
    }


def name_systems(language: str) -> dict[str, Make]:
    """The rows of the part ``people``; the last one is scored by each preset."""
    as_published = partial(Finder, target="names", language=language, names_free=False, C=3.0)
    return {
        "NOME": partial(Nome, language=language),
        "MaxEnt nine": partial(as_published, "nine"),
        "MaxEnt thesis": partial(as_published, "thesis"),
        "CRF rich": partial(Finder, "rich", "names", language=language, learner="crf"),
        "MaxEnt rich": partial(Finder, language=language, **NAMES),
        READY: partial(Finder, language=language, **NAMES),
    }


def learned_from(documents: Sequence[Document], language: str, without: str | None = None) -> list[Document]:
    """What a model of names learns from: the documents and the open half of the hand-written rulings, but for those of
    a style, the same with names exchanged, and invented rulings."""
    rulings = handwritten.rulings(half="open", language=language)
    written = [without_initials(d) for d in rulings if d.meta["style"] != without]
    own = [people(document) for document in (*documents, *written)]
    invented = sentences.rulings(language, INVENTED) if language in sentences.languages() else []
    return [*own, *(swapped(document, language) for document in own), *invented]


def scored(
    name: str, language: str, tagged: Sequence[Document], dev: Sequence[Document], target: str, began: float
) -> list[Any]:
    """A row of a table."""
    result = evaluate(dev, tagged, target)
    low, high = (100 * end for end in result.intervals["f2"])
    seconds = time.perf_counter() - began
    return [name, language, *(100 * result.micro[key] for key in FIGURES), f"{low:.1f} to {high:.1f}", seconds]


def row(name: str, language: str, make: Make, train: Sequence[Document], dev: Sequence[Document]) -> list[Any]:
    """A system learned from train and scored on dev, for everything."""
    began, system = time.perf_counter(), make()
    if hasattr(system, "fit"):
        system.fit(train)
    return scored(name, language, list(map(system.tag, dev)), dev, "all", began)


def report_all(folder: Path, chosen: Sequence[str]) -> None:
    """The table of everything that is hidden."""
    corpora = {language: (read(folder, language, "train"), read(folder, language, "dev")) for language in chosen}
    jobs = [(name, language, make) for language in corpora for name, make in systems(language).items()]
    rows = [row(*job, *corpora[job[1]]) for job in progress(jobs, "languages")]
    for language, (train, dev) in corpora.items():
        print(f"{language}: trained on {len(train)} judgments, scored on {len(dev)}")
    print(table(rows, HEADER))


def report_people(folder: Path, chosen: Sequence[str], folds: int, wanted: Sequence[str] | None = None) -> None:
    """The table of names of people, of Portuguese and German over so many of the five folds."""
    systems = {(code, name): make for code in chosen for name, make in name_systems(code).items()}
    jobs = [(*key, make) for key, make in systems.items() if not wanted or key[1] in wanted]
    rows: list[list[Any]] = []
    for language, name, make in progress(jobs, "people"):
        rows += _people_rows(language, name, make, list(kept_apart(folder, language, folds)))
    print(table(rows, HEADER))


def kept_apart(folder: Path, language: str, folds: int = 1) -> Iterator[Apart]:
    """What is learned from, and what is scored on, fold after fold where a corpus has no parts of its own."""
    if language in STARTS:
        yield read(folder, language, "train"), read(folder, language, "dev")
        return
    documents = typed(folder, language)
    for fold in range(folds):
        held = entity_types.folds_of(documents) == fold
        train, dev = ([documents[i] for i in np.flatnonzero(which).tolist()] for which in (~held, held))
        yield train, dev


def _people_rows(language: str, name: str, make: Make, parts: Sequence[Apart]) -> Iterator[list[Any]]:
    began, tagged = time.perf_counter(), dict[str, list[Document]]()
    for train, dev in parts:
        for row, found in _people(language, name, make(), train, list(map(people, dev))):
            tagged.setdefault(row, []).extend(found)
    gold = [people(document) for _, dev in parts for document in dev]
    for row, found in tagged.items():
        yield scored(row, language, found, gold, "names", began)


def _people(
    language: str, name: str, system: Any, train: Sequence[Document], dev: Sequence[Document]
) -> Iterator[tuple[str, list[Document]]]:
    """The rows of a system, each with the documents as it tags them."""
    if isinstance(system, Finder):
        system.fit(learned_from(train, language) if name == READY else list(map(people, train)))
    if name != READY:
        yield name, list(map(system.tag, dev))
        return
    for preset in ("balanced", "f2", "safe"):
        system.set_preset(preset)
        yield f"{language}-person, {preset}", list(map(system.tag, dev))


def report_unseen(folder: Path, _: Sequence[str] = ()) -> None:
    """Names in rulings of Buenos Aires, by what was learned from the judgments of another court."""
    began = time.perf_counter()
    gold, dropped, marks = argentina(folder)
    print(
        f"es_argentina: {len(gold)} rulings; left out {dropped} whose marks have drifted, {marks} marks of the others"
    )
    finder = Finder(language="es", **NAMES).fit(learned_from(read(folder, "es", "train"), "es"))
    rows = []
    for preset in ("balanced", "f2", "safe"):
        finder.set_preset(preset)
        rows.append(scored(f"es-person, {preset}", "es", finder.tag_all(gold), gold, "names", began))
    print(table(rows, HEADER))


def report_types(folder: Path, chosen: Sequence[str], folds: int) -> None:
    """Entities by type, exact."""
    for language in chosen:
        say(f"{language}: {folds} of {entity_types.FOLDS} folds")
        print(entity_types.report(typed(folder, language), language, folds))


PARTS = ("all", "people", "unseen", "types")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "echr_es", "echr_fr", "judgments")
    parser.add_argument("--part", nargs="+", choices=PARTS, default=list(PARTS), help="default: all")
    parser.add_argument("--language", choices=sorted({*STARTS, *TYPED}), help="this one alone")
    parser.add_argument("--systems", nargs="+", help="of the part people: these rows alone")
    parser.add_argument(
        "--folds", type=int, default=entity_types.FOLDS, help="how many of the five folds of pt and de to score"
    )
    arguments = parser.parse_args()
    wanted = [arguments.language] if arguments.language else [*STARTS, *TYPED]
    for part in arguments.part:
        there = {"types": TYPED, "people": {**STARTS, **TYPED}}.get(part, STARTS)
        chosen = [language for language in wanted if language in there]
        if part == "types":
            report_types(arguments.data, chosen, arguments.folds)
        elif part == "people" and chosen:
            report_people(arguments.data, chosen, arguments.folds, arguments.systems)
        elif chosen:
            (report_all if part == "all" else report_unseen)(arguments.data, chosen)


if __name__ == "__main__":
    run_study(main)
