"""What annotators and ready pipelines find: learned from train, scored on dev, everything that is hidden.

``python -m aef.experiments.pipelines [--data FOLDER] [--language en]``. In the place of a ready-made model, which has
seen dev, stands one learned from train alone, at each of two presets. Recall is also told for codes and for dates,
where the corpus has types (``tab_en``). Tokens are counted as `aef.evaluation` says.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from aef.annotators import annotator
from aef.annotators.patterns import Patterns
from aef.anonymization import Tagger
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold import read_gold
from aef.evaluation import Evaluation, evaluate
from aef.experiments import languages
from aef.finder import Finder
from aef.pipelines import find, load

DATA = Path(os.environ.get("AEF_DATA", "../shared/data"))
FIGURES = ("precision", "recall", "f2", "entity_recall")
HEADER = ["system", "language", "P", "R", "F2", "entity recall", "R codes", "R dates", "seconds"]
PRESETS = ("f2", "balanced")


def read(folder: Path, language: str, part: str) -> list[Document]:
    if language == "en":
        return read_gold(folder / "tab_en" / f"{part}.jsonl")
    return languages.read(folder, language, part)


def systems(language: str, model: Path) -> Iterator[tuple[str, Tagger]]:
    """The rows of the table: a name and what tags."""
    yield "NOME", annotator(f"nome:{language}")
    yield "patterns", Patterns(["common", language])
    yield "patterns of the pipeline", load(f"court-{language}", "numbers")
    for preset in PRESETS:
        finder = Finder.load(model)
        finder.set_preset(preset)
        yield f"model, {preset}", finder
        yield f"court-{language}, {preset}", load(_with_model(language, model, preset))


def _with_model(language: str, model: Path, preset: str) -> Path:
    """The ready pipeline's file with another model in it, beside that."""
    text = find(f"court-{language}").read_text(encoding="utf-8")
    path = model.with_name(f"court-{language}-{preset}.toml")
    path.write_text(text.replace(f'"{language}-all"', f'"{model.name}"\npreset = "{preset}"'), encoding="utf-8")
    return path


def row(name: str, language: str, system: Tagger, gold: Sequence[Document]) -> list[Any]:
    began = time.perf_counter()
    tagged = [system.tag(document.with_mentions(())) for document in gold]
    seconds = time.perf_counter() - began
    result = evaluate(gold, tagged, "all", bootstrap=0)
    types = [_recall(result, kind) for kind in ("CODE", "DATETIME")]
    return [name, language, *(100 * result.micro[key] for key in FIGURES), *types, seconds]


def _recall(result: Evaluation, kind: str) -> float | str:
    counts = result.by_type.get(kind)
    return 100 * counts.tokens_found / counts.tokens if counts else "-"


def report(folder: Path, chosen: Sequence[str]) -> None:
    """Print the table of the languages chosen."""
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for language in chosen:
            model = Path(work) / f"{language}.aef"
            Finder(target="all", language=language).fit(read(folder, language, "train")).save(model)
            gold = read(folder, language, "dev")
            jobs = list(systems(language, model))
            rows += [row(name, language, system, gold) for name, system in progress(jobs, language)]
    print(table(rows, HEADER))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder that holds tab_en, echr_es and echr_fr")
    parser.add_argument("--language", choices=["en", "es", "fr"], help="this one alone")
    arguments = parser.parse_args()
    report(arguments.data, [arguments.language] if arguments.language else ["en", "es", "fr"])


if __name__ == "__main__":
    main()
