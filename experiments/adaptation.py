"""`aef adapt` on a court never seen: what it gains there, and what it costs elsewhere.

``python -m aef.experiments.adaptation [--data FOLDER] [--courts NAME ...]``. A court is a style of the invented rulings
(`aef.corpus_tools.invented`) of which the base has learned nothing; the model is adapted to 20 of its rulings without
their gold and scored on ten more. The base: "foreign" has learned from the judgments of TAB's train alone, "near" also
from the hand-written rulings (open half) and the other invented styles. Elsewhere: TAB's dev, and one ruling of each of
the other invented styles. F2 of tokens of names, in percent.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import Any

from aef.commands.common import progress, table
from aef.corpus_tools import handwritten, invented
from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.corpora import read_gold
from aef.evaluation.figures import evaluate
from aef.experiments.data import add_data, run_study, there
from aef.tagging.adaptation import adapt
from aef.tagging.finder import Finder

COURTS = ("continental", "singapore", "south_africa")
HEADER = ["court", "base", "before", "after", "gain", "TAB before", "after", "others before", "after"]
LEARN, SCORE, OTHERS = 11, 12, 13
"""Seeds of the rulings adapted to, scored on, and of the other courts."""


def scored(finder: Finder, documents: Sequence[Document]) -> float:
    return 100 * evaluate(documents, finder.tag_all(documents), "names", bootstrap=0).micro["f2"]


def bases(court: str, judgments: Sequence[Document]) -> Iterator[tuple[str, Finder]]:
    """The bases by name, none of which knows the court."""
    others = [d for d in invented.rulings(150, 7) if d.meta["style"] != court]
    yield "foreign", Finder(target="names").fit(judgments)
    yield "near", Finder(target="names").fit([*judgments, *others, *handwritten.rulings(half="open")])


def rows(court: str, train: Sequence[Document], dev: Sequence[Document]) -> Iterator[list[Any]]:
    """A line for each base."""
    asked = [d.with_mentions(()) for d in invented.rulings(20, LEARN, court)]
    own = invented.rulings(10, SCORE, court)
    others = [d for style in invented.STYLES if style != court for d in invented.rulings(1, OTHERS, style)]
    for name, base in bases(court, train):
        adapted = adapt(base, asked).finder
        pairs = [(scored(base, documents), scored(adapted, documents)) for documents in (own, dev, others)]
        yield [court, name, *pairs[0], pairs[0][1] - pairs[0][0], *pairs[1], *pairs[2]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "tab_en")
    parser.add_argument("--courts", nargs="+", default=list(COURTS), choices=invented.STYLES, help="default: three")
    arguments = parser.parse_args()
    train, dev = (read_gold(there(arguments.data / "tab_en" / f"{part}.jsonl")) for part in ("train", "dev"))
    found = [row for court in progress(arguments.courts, "courts") for row in rows(court, train, dev)]
    print(table(found, HEADER))


if __name__ == "__main__":
    run_study(main)
