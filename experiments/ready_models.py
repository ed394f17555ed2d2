"""The script that makes the ready-made models: ``python -m aef.experiments.ready_models -o FOLDER [--data FOLDER]``.

English: TAB's judgments (train and dev), invented rulings, and the open half of the hand-written ones, the long ones
for names of people alone; for these also the real judgments marked by hand (`aef.experiments.real_gold`) and the
sentences of Indian courts (`aef.experiments.sentences`). Spanish and French: the judgments of ``echr_es`` and
``echr_fr`` (train and dev); Portuguese and German: ``pt_brazil`` and ``de_germany``. Names of people are learned from
these, in Spanish and French as they were marked by hand, and the open half of the hand-written rulings of the language,
from copies of them with other names, and from invented rulings where there are any
(`aef.experiments.languages.learned_from`). Names are kept out of all models. The same data give the same bytes.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from aef.classifiers.linear import Floats
from aef.commands.common import progress, table
from aef.corpus_tools import handwritten, invented
from aef.corpus_tools.document import Document
from aef.experiments import language_corpora, languages
from aef.experiments.data import DATA, add_data, judgments, run_study
from aef.experiments.real_gold import gold, parts, to_learn_from, without_initials
from aef.experiments.sentences import sentences
from aef.features import resolve
from aef.tagging.finder import Finder
from aef.tagging.second_pass import SecondPass
from aef.verification.model_audit import findings, held

INVENTED, SEED = 240, 7
NAMES: dict[str, Any] = {"C": 0.5, "folds": 3}
"""The penalty of other languages, and three folds for the threshold: three minutes instead of ten."""
ENGLISH = NAMES | {"C": 1.0}
"""That of English, of which there is more to learn from. `aef.experiments.unseen` learns the same way."""


LONG = 3_000
"""Hand-written rulings of more tokens are for names and roles: hardly anything but people is hidden in them."""


def english(data: Path, without: str | None = None) -> list[Document]:
    """What the English model of all that is hidden learns from, but for the hand-written rulings of a style."""
    return [*marked_and_invented(data), *(d for d in _written(without) if len(d.words) <= LONG)]


def english_names(data: Path, without: str | None = None) -> list[Document]:
    """What the English model of names learns from."""
    return marked_and_invented(data) + _written(without) + to_learn_from(gold(data)) + sentences(data)


def marked_and_invented(data: Path) -> list[Document]:
    """The judgments of the benchmark, and invented rulings."""
    return judgments(data / "tab_en") + invented.rulings(INVENTED, SEED)


def _written(without: str | None) -> list[Document]:
    return [without_initials(d) for d in handwritten.rulings(half="open") if d.meta["style"] != without]


def other(language: str, data: Path) -> list[Document]:
    """What the model of another language learns from."""
    return [d for part in ("train", "dev") for d in language_corpora.read(data, language, part)]


def other_names(language: str, data: Path, without: str | None = None) -> list[Document]:
    """What the model of names of another language learns from, but for the hand-written rulings of a style, or for a
    fold of the real judgments (`aef.experiments.real_gold.parts`)."""
    if language in language_corpora.TYPED:
        corpus = language_corpora.typed(data, language)
    else:
        corpus = to_learn_from(d for part, real in parts(data, language).items() if part != without for d in real)
    return languages.learned_from(corpus, language, without)


MODELS: dict[str, tuple[Callable[[Path], Sequence[Document]], str, str]] = {
    "en-person": (english_names, "names", "en"),
    "en-all": (english, "all", "en"),
    "es-all": (partial(other, "es"), "all", "es"),
    "fr-all": (partial(other, "fr"), "all", "fr"),
    **{f"{code}-person": (partial(other_names, code), "names", code) for code in ("es", "fr", "pt", "de")},
}


def make(name: str, data: Path, path: Path, force: bool) -> list[str | int]:
    """Write a model; a line of the table, whose last figure counts the strings in it that the corpus hides."""
    read, target, language = MODELS[name]
    documents = read(data)
    finder = _pruned(_rounded(_finder(target, language).fit(documents)))
    finder.save(path, force)
    told = len(findings(held(path), documents, language))
    return [name, len(documents), finder.trained_tokens, path.stat().st_size // 1000, told]


def unseen(name: str, style: str, data: Path = DATA) -> Finder:
    """A model that has learned nothing of a style of the hand-written rulings."""
    _, target, language = MODELS[name]
    if language != "en":
        documents = other_names(language, data, style) if target == "names" else other(language, data)
    else:
        documents = english_names(data, style) if target == "names" else english(data, style)
    return _finder(target, language).fit(documents)


def _finder(target: str, language: str) -> Finder:
    options = {} if target != "names" else ENGLISH if language == "en" else NAMES
    return Finder(target=target, language=language, **options)


def _rounded(finder: Finder) -> Finder:
    """With weights in hundredths, which make a file a third as large; those of other languages than English in 32nds,
    which take but a few bits."""
    fine = finder.language == "en"
    finder.models = {
        name: replace(model, blocks={f: _steps(np.round(block, 2), fine) for f, block in model.blocks.items()})
        for name, model in finder.models.items()
    }
    if finder.second is not None:
        finder.second = SecondPass(_steps(np.round(finder.second.table, 3), fine))
    return finder


def _steps(weights: Floats, fine: bool) -> Floats:
    return weights if fine else np.round(weights * 32) / 32


def _pruned(finder: Finder) -> Finder:
    """Without predicates that weigh nothing in any of the models: what is found stays as it is, the file halves."""
    weighing: dict[str, np.ndarray[Any, np.dtype[np.bool_]]] = {}
    for name, values in finder.vocabulary.items():
        base = resolve(name).base or name
        kept = weighing.setdefault(base, np.zeros(len(values), np.bool_))
        for block in (model.blocks[name] for model in finder.models.values() if name in model.blocks):
            kept |= block.any(axis=tuple(range(1, block.ndim)))
    old, finder.vocabulary = (
        finder.vocabulary,
        {name: _numbered(values, weighing[resolve(name).base or name]) for name, values in finder.vocabulary.items()},
    )
    finder.models = {
        key: model.by_vocabulary(old, {name: finder.vocabulary[name] for name in model.blocks})
        for key, model in finder.models.items()
    }
    return finder


def _numbered(values: Mapping[str, int], kept: Any) -> dict[str, int]:
    return {value: new for new, value in enumerate(v for v, old in values.items() if kept[old])}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-o", "--output", type=Path, required=True, help="the folder to write NAME.aef to")
    add_data(parser, "tab_en", "judgments", "echr_es", "echr_fr")
    parser.add_argument("--models", nargs="+", default=list(MODELS), choices=list(MODELS), help="default: all")
    parser.add_argument("--force", action="store_true", help="overwrite")
    arguments = parser.parse_args()
    folder, data = arguments.output, arguments.data
    rows = [make(name, data, folder / f"{name}.aef", arguments.force) for name in progress(arguments.models, "models")]
    print(table(rows, ["model", "documents", "tokens", "KB", "words of what is hidden"]))


if __name__ == "__main__":
    run_study(main)
