"""What annotators and ready pipelines find: learned from train, scored on dev, everything that is hidden.

``python -m aef.experiments.pipelines [--data FOLDER] [--language en]``. In the place of a ready-made model, which has
seen dev, stands one learned from train alone. What patterns add to a model is told at two presets; ``court-en`` finds
names of people and leaves other things to patterns and the policy, so that its recall of all that the annotators masked
is low by design. Recall is also told for codes and for dates,
where the corpus has types (``tab_en``). Tokens are counted as `aef.evaluation.figures` says.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from aef.annotators import annotator
from aef.annotators.patterns import Patterns
from aef.annotators.pipeline import find, load
from aef.anonymization import Tagger
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import read_gold
from aef.evaluation.figures import Evaluation, evaluate
from aef.experiments import language_corpora
from aef.experiments.data import add_data, run_study, there
from aef.tagging.finder import Finder

FIGURES = ("precision", "recall", "f2", "entity_recall")
HEADER = ["system", "language", "P", "R", "F2", "entity recall", "R codes", "R dates", "seconds"]
PRESETS = ("f2", "balanced")


def read(folder: Path, language: str, part: str) -> list[Document]:
    if language == "en":
        return read_gold(there(folder / "tab_en" / f"{part}.jsonl"))
    return language_corpora.read(folder, language, part)


TOGETHER = """language = "{language}"

[[step]]
name = "model"
run = "maxent"
model = "{model}"
preset = "{preset}"

[[step]]
name = "numbers"
run = "patterns"
sets = ["common", "{language}"]
without = ["OTHERDATE", "DECISION", "ECLI"]

[[step]]
run = "vote"
rule = "add"
of = ["model", "numbers"]
"""
"""What the ready pipelines of most languages are: a model for all that is hidden, and patterns on top of it."""


def systems(language: str, models: Mapping[str, Path]) -> Iterator[tuple[str, Tagger]]:
    """The rows of the table: a name and what tags. ``models``: by the names of the ready-made ones they stand for."""
    yield "NOME", annotator(f"nome:{language}")
    yield "patterns", Patterns(["common", language])
    yield "patterns of the pipeline", load(f"court-{language}", "numbers")
    model = models[f"{language}-all"]
    for preset in PRESETS:
        finder = Finder.load(model)
        finder.set_preset(preset)
        yield f"model, {preset}", finder
        path = model.with_name(f"{language}-{preset}.toml")
        path.write_text(TOGETHER.format(language=language, model=model.name, preset=preset), encoding="utf-8")
        yield f"model and patterns, {preset}", load(path)
    yield f"court-{language}", load(_with(models, language))


def _with(models: Mapping[str, Path], language: str) -> Path:
    """The ready pipeline's file with these models in it, beside them."""
    text = find(f"court-{language}").read_text(encoding="utf-8")
    for name, model in models.items():
        text = text.replace(f'"{name}"', f'"{model.name}"')
    path = next(iter(models.values())).with_name(f"court-{language}.toml")
    path.write_text(text, encoding="utf-8")
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


def learned(language: str, train: Sequence[Document], folder: Path) -> dict[str, Path]:
    """Models that stand for the ready-made ones of a language, by their names."""
    targets = {"all": "all", "person": "names"} if language == "en" else {"all": "all"}
    models = {f"{language}-{name}": folder / f"train-{language}-{name}.aef" for name in targets}
    for target, path in zip(targets.values(), models.values(), strict=True):
        Finder(target=target, language=language).fit(train).save(path)
    return models


def report(folder: Path, chosen: Sequence[str]) -> None:
    """Print the table of the languages chosen."""
    rows = []
    corpora = {language: (read(folder, language, "train"), read(folder, language, "dev")) for language in chosen}
    with tempfile.TemporaryDirectory() as work:
        for language, (train, gold) in corpora.items():
            models = learned(language, train, Path(work))
            jobs = list(systems(language, models))
            rows += [row(name, language, system, gold) for name, system in progress(jobs, language)]
    print(table(rows, HEADER))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data(parser, "tab_en", "echr_es", "echr_fr")
    parser.add_argument("--language", choices=["en", "es", "fr"], help="this one alone")
    arguments = parser.parse_args()
    report(arguments.data, [arguments.language] if arguments.language else ["en", "es", "fr"])


if __name__ == "__main__":
    run_study(main)
