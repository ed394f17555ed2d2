"""A simulated editor: gold answers the questions of `aef.editing` in the order they are asked, and nothing else.

``python -m aef.experiments.editing [--answers 20] [--half open] [--real 24] [--orders worth,text] [--learn FILE]``
prints, for each order of asking and number of answers, the share of rulings without a miss (of anything that must be
hidden; of people alone), the wrong hides left a ruling (people and things of which a word is hidden that should not
be), and the words of both. Orders: ``worth`` (what ships), ``confidence`` (the least sure first), ``text``,
``random``. By default on the closed half of the hand-written rulings, which nothing was tuned on; ``--real`` adds so
many short real judgments, from which the models that ship have learned. ``--learn`` learns the chances anew, from the
open half and real judgments beside those measured.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from aef.annotators.pipeline import Pipeline, load
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.corpus_tools.handwritten import rulings
from aef.editing import Session
from aef.editing.chances import Chances
from aef.editing.questions import APART, ENTITY, HERE, HIDE, NOT_HERE, PAIR, SAME, SHOW, THING, WORD, Question
from aef.experiments.data import add_data, run_study
from aef.experiments.real import Bools, Words
from aef.experiments.real_gold import gold
from aef.names.parts import PERSON

LONGEST = 16_000
"""Characters of a short real judgment."""
MEASURED = 24
"""So many of these are measured at most; from the others the chances are learned."""
AT = (0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40)
HEADER = ["rulings", "order", "answers", "no miss %", "of people %", "wrong hides", "missed words", "wrong words"]

Order = Callable[[Sequence[Question], random.Random], Question]
ORDERS: dict[str, Order] = {
    "worth": lambda asked, _: asked[0],
    "confidence": lambda asked, _: min(asked, key=lambda q: abs(q.chance - 0.5)),
    "text": lambda asked, _: min(asked, key=lambda q: q.places[0]),
    "random": lambda asked, chance: chance.choice(asked),
}


class Gold:
    """What an editor knows who has the gold."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.words = Words(document)
        masked = [m for m in document.mentions if m.masked]
        self.masked = self.words.touched(masked)
        self.people = self.words.touched([m for m in masked if m.entity_type == PERSON])

    def reply(self, question: Question) -> str:
        """The answer to a question: safe where one answer cannot be right."""
        if question.kind == PAIR:
            one, other = (self.who(place) for place in question.places)
            return SAME if one & other else APART
        right = [self.holds(place) for place in question.places]
        if HIDE not in question.replies:
            return HERE if right[0] else NOT_HERE
        if question.kind == WORD and any(right) and not all(right):
            return NOT_HERE if not right[0] else HERE if HERE in question.replies else HIDE
        if question.kind == WORD and any(right) and not self.names_somebody(question.places[0]):
            return THING
        return HIDE if any(right) else SHOW

    def holds(self, place: tuple[int, int]) -> bool:
        """Whether a word in a place must be hidden."""
        return bool(self.masked[self.words.within(Mention(*place))].any())

    def names_somebody(self, place: tuple[int, int]) -> bool:
        return bool(self.people[self.words.within(Mention(*place))].any())

    def who(self, place: tuple[int, int]) -> set[str | None]:
        there = (m for m in self.document.mentions if m.start < place[1] and place[0] < m.end)
        return {m.entity_id for m in there}


@dataclass(frozen=True)
class Count:
    """What is left to do in a ruling: words missed, of people among them, words and things hidden wrongly."""

    missed: int
    people: int
    words: int
    wrong: int


def left(known: Gold, session: Session) -> Count:
    """What is left to do."""
    hidden = known.words.touched(session.state.edits)
    wrong = hidden & ~known.masked
    by_whom = {e.entity_id for e in session.state.edits if wrong[known.words.within(Mention(e.start, e.end))].any()}
    missed: Bools = known.masked & ~hidden
    return Count(int(missed.sum()), int((missed & known.people).sum()), int(wrong.sum()), len(by_whom))


def course(document: Document, tagger: Pipeline, order: str, answers: int) -> Iterator[Count]:
    """What is left after each answer, from none on; the last one again where nothing is asked any more."""
    known, session = Gold(document), Session(document.with_mentions(()), tagger)
    chance = random.Random(document.doc_id)
    yield left(known, session)
    for _ in range(answers):
        if asked := [q for q in session.questions() if q.kind != PAIR]:
            question = ORDERS[order](asked, chance)
            session.answer(question, known.reply(question))
        yield left(known, session)


def row(name: str, order: str, answers: int, counts: Sequence[Count]) -> list[Any]:
    def share(which: Iterable[bool]) -> float:
        return 100 * float(np.mean(list(which)))

    return [
        *(name, order, answers, share(not c.missed for c in counts), share(not c.people for c in counts)),
        *(float(np.mean([getattr(c, what) for c in counts])) for what in ("wrong", "missed", "words")),
    ]


def rows(name: str, documents: Sequence[Document], tagger: Pipeline, order: str, answers: int) -> list[list[Any]]:
    """A line for some numbers of answers."""
    courses = [list(course(d, tagger, order, answers)) for d in progress(documents, f"{name}, {order}")]
    return [row(name, order, n, [c[n] for c in courses]) for n in AT if n <= answers]


def short_judgments(data: Path, number: int) -> tuple[list[Document], list[Document]]:
    """So many short real judgments with somebody to hide, from all corpora alike; and the others."""
    found = [d for d in gold(data) if len(d.text) <= LONGEST and any(m.masked for m in d.mentions)]
    random.Random(0).shuffle(found)
    return found[:number], found[number:]


def learned(documents: Iterable[Document], tagger: Pipeline) -> Chances:
    """The chances, by what the questions of these rulings show and what gold replies."""
    shown, hidden = [], []
    for document in documents:
        known, session = Gold(document), Session(document.with_mentions(()), tagger)
        for question in session.questions():
            if question.kind in (ENTITY, WORD):
                shown.append(question.shows)
                hidden.append(any(map(known.holds, question.places)))
    return Chances.learned(shown, hidden)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--answers", type=int, default=20, metavar="N", help="a ruling (default: 20)")
    parser.add_argument("--half", default="closed", choices=("open", "closed"), help="(default: closed)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the hand-written rulings (default: all)")
    parser.add_argument("--real", type=int, default=0, metavar="N", help="short real judgments, too (default: none)")
    parser.add_argument("--orders", default=",".join(ORDERS), help=f"of {', '.join(ORDERS)} (default: all)")
    parser.add_argument("--learn", type=Path, metavar="FILE", help="learn the chances into this file, nothing else")
    chosen = parser.parse_args()
    tagger = load("court-en")
    if chosen.learn:
        others = short_judgments(chosen.data, MEASURED)[1]
        chances = learned(progress([*rulings(half="open"), *others], "rulings"), tagger)
        write_atomic(chosen.learn, chances.text(), force=True)
        return
    sets = {f"hand-written, {chosen.half}": rulings(half=chosen.half)[:: chosen.every]}
    if chosen.real:
        sets["real"] = short_judgments(chosen.data, min(chosen.real, MEASURED))[0]
    found = [
        line
        for name, documents in sets.items()
        for order in chosen.orders.split(",")
        for line in rows(name, documents, tagger, order, chosen.answers)
    ]
    print(table(found, HEADER))


if __name__ == "__main__":
    run_study(main)
