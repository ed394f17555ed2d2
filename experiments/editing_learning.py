"""What corrections teach: the answers that the next rulings of a court need, before and after a model has learned.

``python -m aef.experiments.editing_learning --unseen FOLDER [--court philippines] [--corrected 5,10,20] [--measured 10]
[--longest 40000]`` takes models of names and of roles that have seen no judgment of the court (learned into the folder
where they are missing, in minutes). A simulated editor (`aef.experiments.editing`) answers on each of the corrected
rulings, with twenty keys; what comes of that is gold, from which they go on to learn as by ``aef learn``. Then the
editor has the next rulings, which neither has seen. Needed are the answers up to the last, of thirty, that put
something right.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from aef.annotators.pipeline import Pipeline
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.experiments.corrections import learned, without_court
from aef.experiments.data import add_data, run_study
from aef.experiments.editing import Case, Count, course, told
from aef.experiments.real_gold import gold

ANSWERS, MEASURED, ASKED = 20, 10, 30
"""Answers on each corrected ruling; rulings measured on, and answers on each."""
LONGEST = 40_000
"""Characters of a judgment."""
HEADER = [
    "corrected",
    "answers needed",
    "missed at first",
    "after 10",
    "wrong hides at first",
    "after 10",
    "no miss after 10",
]


def needed(counts: Sequence[Count]) -> int:
    """The answers up to the last one that put something right."""
    wrong = [count.missed + count.words for count in counts]
    return max((n for n in range(1, len(wrong)) if wrong[n] < min(wrong[:n])), default=0)


def corrected(documents: Sequence[Document], tagger: Pipeline) -> Iterator[Document]:
    """What an editor makes of the rulings, as gold."""
    for document in progress(documents, "corrections"):
        yield told(Case(document, tagger), ANSWERS).corrections()


def row(name: str, tagger: Pipeline, documents: Sequence[Document]) -> list[Any]:
    """What the rulings need with a pipeline."""
    courses = [course(Case(d, tagger), "worth", ASKED) for d in progress(documents, name)]

    def mean(values: list[int]) -> float:
        return float(np.mean(values))

    return [
        *(name, mean([needed(c) for c in courses])),
        *(mean([c[n].missed for c in courses]) for n in (0, 10)),
        *(mean([c[n].wrong for c in courses]) for n in (0, 10)),
        sum(not c[10].missed for c in courses),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--unseen", type=Path, required=True, metavar="FOLDER", help="of the model")
    parser.add_argument("--court", default="philippines", help="(default: philippines)")
    parser.add_argument(
        "--corrected", default="5,10,20", metavar="N,N", help="rulings to learn from (default: 5,10,20)"
    )
    parser.add_argument("--measured", type=int, default=MEASURED, metavar="N", help=f"rulings (default: {MEASURED})")
    parser.add_argument("--longest", type=int, default=LONGEST, metavar="N", help=f"characters (default: {LONGEST})")
    chosen = parser.parse_args()
    base, made = without_court(chosen.data, chosen.unseen, chosen.court)
    numbers = sorted(map(int, chosen.corrected.split(",")))
    of_court = [d for d in gold(chosen.data) if d.meta["corpus"] == chosen.court and len(d.text) <= chosen.longest]
    documents = [d for d in of_court if any(m.masked for m in d.mentions)]
    if len(documents) <= numbers[-1]:
        remedy = "Ask for fewer --corrected, or longer ones with --longest"
        raise InputError(f"{len(documents)} judgments of '{chosen.court}' are to be had, and none is left. {remedy}")
    teaching, measured = documents[: numbers[-1]], documents[numbers[-1] :][: chosen.measured]
    lessons = list(corrected(teaching, made(base)))
    found = [row("none", made(base), measured)]
    found += [row(str(n), made(learned(base, made, lessons[:n]).adapted.finder), measured) for n in numbers]
    print(table(found, HEADER))


if __name__ == "__main__":
    run_study(main)
