"""What learning from an editor's corrections gains and costs by kind, on rulings of the court that nobody corrected.

``python -m aef.experiments.corrections --unseen FOLDER [--court philippines] [--corrected 1,5,20] [--longest 30000]``
takes models of names and of roles that have seen no judgment of the court (learned into the folder where they are
missing, in minutes), learns from so many of its judgments as ``aef learn`` does, and counts on all others what the
whole pipeline hides: mentions that must be hidden and are missed, words that are hidden wrongly, and the names they
stand in. A corrected ruling is the gold of what must be hidden in it, as an editor's published version tells it.
*learn*: how far the check of ``aef learn`` lets the model of names go from the old one, and whether it lets roles be
corrected, too (*refused*: nothing of that, and what is measured is the whole way). It sees the corrected rulings and
built-in ones alone, never the others. Patterns are as they ship.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

import numpy as np

from aef.annotators.pipeline import Pipeline
from aef.annotators.spoken import pipeline_with
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.corrections import Counts, Kind, Learned, built_in, judged, kinds, learn, tagged
from aef.corrections.judging import Made
from aef.errors import InputError
from aef.experiments import role_model, unseen
from aef.experiments.data import add_data, run_study
from aef.experiments.real_gold import gold
from aef.roles.policy import DEFAULT, load_policy
from aef.tagging.finder import Finder

LONGEST, CHECKED, SEED = 30_000, 24, 0
"""Characters of a judgment; built-in rulings that ``aef learn`` checks on; which judgments are corrected."""


def parted(documents: Sequence[Document], number: int, seed: int = SEED) -> tuple[list[Document], list[Document]]:
    """So many rulings to learn from, with what is hidden in them alone, and the others to measure on.

    Raises `InputError` where none is left to measure on.
    """
    if len(documents) <= number:
        remedy = "Ask for fewer --corrected, or longer ones with --longest"
        raise InputError(f"{len(documents)} judgments are to be had, and none is left to measure on. {remedy}")
    order = np.random.default_rng(seed).permutation(len(documents))
    lessons = [documents[i] for i in order[:number]]
    return [d.with_mentions(m for m in d.mentions if m.masked) for d in lessons], [documents[i] for i in order[number:]]


def without_court(data: Path, folder: Path, court: str) -> tuple[Finder, Made]:
    """A model of names that has seen nothing of a court, and what makes a pipeline with such a model of roles."""
    base, roles = unseen.without_court(data, folder, court), role_model.without_court(data, folder, court)

    def made(finder: Finder) -> Pipeline:
        pipeline = pipeline_with(finder)
        policy = pipeline.policy or load_policy(DEFAULT)
        pipeline.policy = replace(policy, rules=replace(policy.rules, model=str(roles)))
        return pipeline

    return base, made


def learned(base: Finder, made: Made, lessons: Sequence[Document]) -> Learned:
    """As ``aef learn`` does it."""
    return learn(base, lessons, *built_in(base.language, CHECKED), made=made)


def rows(name: str, found: Sequence[Kind], said: str) -> Iterator[list[Any]]:
    """A line for each kind that there is, or that is hidden."""
    for kind in found:
        if kind.mentions or kind.wrong_before or kind.wrong_after:
            yield [name, *astuple(kind), "worse" if kind.worse else "", said]


HEADER = ["corrected", "kind", "mentions", "missed", "after", "wrong words", "after"]
HEADER += ["wrong names", "after", "names missed", "after", "", "learn"]


def study(
    base: Finder, made: Made, lessons: Sequence[Document], measured: Sequence[Document], numbers: Sequence[int]
) -> list[Any]:
    """The table: for each number of lessons what is hidden of the measured rulings before and after."""

    def counts(finder: Finder, name: str) -> list[Counts]:
        pipeline = made(finder)
        return [found.counts for found in judged(pipeline, measured, tagged(pipeline, progress(measured, name)))]

    before = counts(base, "before")
    found: list[Any] = []
    for number in numbers:
        result = learned(base, made, lessons[:number])
        after = counts(result.adapted.finder, f"after {number}")
        said = "refused" if result.worse else f"{result.share:.1%}{', roles' * result.roles}"
        found += rows(str(number), kinds(list(zip(before, after, strict=True))), said)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--unseen", type=Path, required=True, metavar="FOLDER", help="of the model")
    parser.add_argument("--court", default="philippines", help="(default: philippines)")
    parser.add_argument("--corrected", default="1,5,20", metavar="N,N", help="(default: 1,5,20)")
    parser.add_argument("--longest", type=int, default=LONGEST, metavar="N", help=f"characters (default: {LONGEST})")
    chosen = parser.parse_args()
    base, made = without_court(chosen.data, chosen.unseen, chosen.court)
    numbers = sorted(map(int, chosen.corrected.split(",")))
    of_court = [d for d in gold(chosen.data) if d.meta["corpus"] == chosen.court and len(d.text) <= chosen.longest]
    lessons, measured = parted([d for d in of_court if any(m.masked for m in d.mentions)], numbers[-1])
    print(f"{len(measured)} judgments of {chosen.court}")
    print(table(study(base, made, lessons, measured, numbers), HEADER))


if __name__ == "__main__":
    run_study(main)
