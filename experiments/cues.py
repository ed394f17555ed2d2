"""The support of each cue of roles (list ``role_cues``): the gold rulings that have it, and how often it is right.

``python -m aef.experiments.cues [--language en] [--never]``. A line for each cue before, behind or beside a name:
``real``, ``written``: the real judgments marked by hand and the open hand-written rulings with it; ``mentions``: those
of people of which it tells, in both; ``right %``: those whose person has that role in the gold corpus. Mentions are the
gold ones. ``--never`` prints the cues alone that no ruling has: they gain nothing that could be measured.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aef.commands.common import progress, table
from aef.context.cues import cues, with_cues
from aef.context.surroundings import Surroundings
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document
from aef.experiments.data import add_data, run_study
from aef.experiments.real_gold import gold
from aef.names.parts import PERSON

HEADER = ["role", "place", "cue", "real", "written", "mentions", "right %"]
PLACES = ("before", "behind", "noun")

Cue = tuple[str, str]
"""A place, and words of its list."""


@dataclass
class Support:
    """The rulings that have each cue, the mentions of which it tells, and those that have its role."""

    rulings: Counter[Cue] = field(default_factory=Counter)
    mentions: Counter[Cue] = field(default_factory=Counter)
    right: Counter[Cue] = field(default_factory=Counter)

    @classmethod
    def of(cls, documents: Iterable[Document]) -> Support:
        found = cls()
        for document in documents:
            told = list(_told(document))
            found.rulings.update({cue for cue, _ in told})
            found.mentions.update(cue for cue, _ in told)
            found.right.update(cue for cue, right in told if right)
        return found


def _told(document: Document) -> Iterator[tuple[Cue, bool]]:
    """What cues tell of each mention of a person, and whether that is so."""
    document = with_cues(document)
    known = cues(document.language)
    people = [m for m in document.mentions if m.entity_type == PERSON]
    roles = {(m.start, m.end): m.extra.get("role") for m in people}
    for place, evidence in Surroundings(document, people).evidence.items():
        for told in evidence:
            if told.source in PLACES and (words := known[told.source].listed(told.cue)):
                yield (told.source, words), told.role == roles.get(place)


def rows(language: str, real: Support, written: Support) -> Iterator[list[Any]]:
    """A line for each cue, by role and place, those in most rulings first."""
    listed = [(role, place, words) for place in PLACES for words, (role, _) in cues(language)[place].told.items()]
    for role, place, words in sorted(listed, key=lambda cue: (*cue[:2], -_rulings(cue, real, written), cue[2])):
        cue = place, words
        mentions = real.mentions[cue] + written.mentions[cue]
        right = 100 * (real.right[cue] + written.right[cue]) / mentions if mentions else ""
        yield [role, place, words, real.rulings[cue], written.rulings[cue], mentions, right]


def _rulings(cue: tuple[str, str, str], *supports: Support) -> int:
    return sum(support.rulings[cue[1:]] for support in supports)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--language", default="en", choices=("en", "es", "fr"))
    parser.add_argument("--never", action="store_true", help="only what no ruling has")
    chosen = parser.parse_args()
    data: Path = chosen.data
    real = Support.of(progress(gold(data, language=chosen.language), "real"))
    open_half = handwritten.rulings(half="open", language=chosen.language)
    written = Support.of(progress(open_half, "hand-written"))
    found = rows(chosen.language, real, written)
    print(table([row for row in found if not (chosen.never and row[5])], HEADER))


if __name__ == "__main__":
    run_study(main)
