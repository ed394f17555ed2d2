"""A court never seen: the hand-written rulings, each style tagged by what was learned without it.

``python -m aef.experiments.courts [--data FOLDER] [--half open|closed] [--presets f2 safe] [--jobs 2]``. Target: every
name of a person.
The systems learn from TAB's judgments, from invented rulings (`aef.corpus_tools.invented`) and from the open half of
the hand-written rulings of the other styles; thresholds are chosen by cross-validation over what is learned from. The
rulings scored are those of the half asked for. Beside F2 for each style: over all styles precision, recall, F1, F2,
entity recall, and the share of parties and children all of whose mentions are found.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from typing import Any

from joblib import Parallel, delayed

from aef.annotators.nome import Nome
from aef.commands.common import progress, table
from aef.corpus_tools import handwritten, invented
from aef.corpus_tools.document import Document
from aef.evaluation.figures import evaluate
from aef.evaluation.token_counts import judge
from aef.experiments.data import add_data, judgments, run_study
from aef.features import feature_names, resolve
from aef.tagging import PRESETS
from aef.tagging.finder import Finder

INVENTED, SEED, FOLDS = 150, 7, 3
HEADER = ["P", "R", "F1", "F2", "entity recall", "parties, children"]


def without(*modules: str) -> tuple[str, ...]:
    """The rich features but for those of some modules."""
    return tuple(name for name in feature_names("rich") if resolve(name).group not in modules)


SYSTEMS: dict[str, tuple[str, dict[str, Any]]] = {
    "judgments": ("j", {}),
    "invented": ("i", {}),
    "judgments and invented": ("ji", {}),
    "all three": ("jih", {}),
    "all but invented": ("jh", {}),
    "all, one pass": ("jih", {"second_pass": False}),
    "all, no head": ("jih", {"features": without("head")}),
    "all, no head, no lists": ("jih", {"features": without("names", "head")}),
    "all, no consistency": ("jih", {"consistency": False}),
}
"""What each learns from (judgments, invented, hand-written rulings), and how."""


def learned_from(sources: str, style: str | None, judgments: Sequence[Document]) -> list[Document]:
    """The documents to learn from for tagging a style: none of it."""
    documents = list(judgments) if "j" in sources else []
    documents += invented.rulings(INVENTED, SEED) if "i" in sources else []
    return documents + (
        [d for d in handwritten.rulings(half="open") if d.meta["style"] != style] if "h" in sources else []
    )


def tagged(
    name: str, style: str | None, half: str, judgments: Sequence[Document], presets: Sequence[str]
) -> list[list[Document]]:
    """A style's rulings (None: all) as a system tags them, by each preset."""
    sources, options = SYSTEMS[name]
    finder = Finder(**{"features": "rich", "target": "names", "folds": FOLDS, **options})
    finder.fit(learned_from(sources, style, judgments))
    return [by_preset(finder, preset, handwritten.rulings(style, half)) for preset in presets]


def by_preset(finder: Finder, preset: str, documents: Sequence[Document]) -> list[Document]:
    """What a model finds that decides by a preset."""
    finder.set_preset(preset)
    return finder.tag_all(documents)


def found(gold: Sequence[Document], predicted: Sequence[Document], roles: Sequence[str]) -> float:
    """The share of the persons in these roles all of whose mentions are found, in percent."""
    persons: dict[str | None, bool] = {}
    for judged in judge(gold, predicted, "names"):
        for mention, tokens in judged.mentions:
            if mention.extra["role"] in roles:
                persons[mention.entity_id] = persons.get(mention.entity_id, True) and judged.is_found(tokens)
    return 100 * sum(persons.values()) / max(1, len(persons))


def row(name: str, predicted: Sequence[Document], half: str) -> list[Any]:
    """A line of the table from the rulings of all styles as a system tagged them."""
    gold = handwritten.rulings(half=half)
    by_id = {document.doc_id: document for document in predicted}
    score = partial(evaluate, target="names", bootstrap=0)
    styles = [handwritten.rulings(style, half) for style in handwritten.styles(half)]
    f2 = [100 * score(docs, [by_id[d.doc_id] for d in docs]).micro["f2"] for docs in styles]
    whole = score(gold, predicted).micro
    figures = [100 * whole[key] for key in ("precision", "recall", "f1", "f2", "entity_recall")]
    return [name, *f2, *figures, found(gold, predicted, ("party", "child"))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    add_data(parser, "tab_en")
    parser.add_argument("--half", default="open", choices=["open", "closed"], help="of the hand-written rulings")
    parser.add_argument("--systems", nargs="+", default=list(SYSTEMS), choices=list(SYSTEMS), help="default: all")
    parser.add_argument("--presets", nargs="+", default=["f2"], choices=PRESETS, help="a row each (default: f2)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default: 1)")
    arguments = parser.parse_args()
    corpus = judgments(arguments.data / "tab_en")
    names = [name for name in SYSTEMS if name in arguments.systems]
    styles = handwritten.styles(arguments.half)
    jobs = [(n, style) for n in names for style in (styles if "h" in SYSTEMS[n][0] else [None])]
    run = Parallel(n_jobs=arguments.jobs, return_as="generator")
    parts = run(delayed(tagged)(*job, arguments.half, corpus, arguments.presets) for job in progress(jobs, "styles"))
    found_by: dict[tuple[str, str], list[Document]] = {(n, preset): [] for n in names for preset in arguments.presets}
    for (name, _), by_presets in zip(jobs, parts, strict=True):
        for preset, documents in zip(arguments.presets, by_presets, strict=True):
            found_by[name, preset] += documents
    gold = handwritten.rulings(half=arguments.half)
    rows = [row("NOME, title list", [Nome().tag(d) for d in gold], arguments.half)]
    rows += [row(f"{name} ({preset})", predicted, arguments.half) for (name, preset), predicted in found_by.items()]
    print(f"{len(gold)} hand-written rulings ({arguments.half} half), each style left out of what is learned; names")
    print(table(rows, ["system", *styles, *HEADER]))


if __name__ == "__main__":
    run_study(main)
