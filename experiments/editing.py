"""A simulated editor: gold answers the questions of `aef.editing` in the order they are asked, and nothing else.

``python -m aef.experiments.editing [--answers 20] [--half open] [--real 24] [--orders worth,text] [--unseen FOLDER]``
prints, for each order of asking and number of answers, the share of rulings without a miss (of anything that must be
hidden; of people alone), the wrong hides left a ruling (people and things of which a word is hidden that should not
be), and the words of both. Orders: ``worth`` (what ships), ``confidence`` (the least sure first), ``text``,
``random``. By default on the closed half of the hand-written rulings, which nothing was tuned on; ``--real`` adds so
many short real judgments.

The models that ship have learned from the open half and from the real judgments. ``--unseen FOLDER`` takes for these
models that have not seen the ruling (`aef.experiments.unseen`, learned into the folder where they are missing), and
chances of right answers that have not either. ``--learn FILE`` learns the chances that ship, by such models.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from aef.annotators.pipeline import load
from aef.annotators.spoken import pipeline_with
from aef.anonymization import Tagger
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.corpus_tools.handwritten import rulings
from aef.editing import Session
from aef.editing.chances import Chances, ready
from aef.editing.questions import (
    APART,
    ENTITY,
    HERE,
    HIDE,
    NOT_HERE,
    PAIR,
    SAME,
    SHOW,
    THING,
    WORD,
    Question,
    questions,
)
from aef.errors import InputError
from aef.experiments.data import add_data, run_study
from aef.experiments.real import Bools, Words
from aef.experiments.real_gold import gold
from aef.experiments.unseen import folds
from aef.names.parts import PERSON

LONGEST = 16_000
"""Characters of a short real judgment."""
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
        if THING in question.replies and any(right) and not self.names_somebody(question.places[0]):
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
class Case:
    """A ruling to be edited: what tags it, and what judges its questions."""

    document: Document
    tagger: Tagger
    chances: Chances = field(default_factory=ready)

    def session(self) -> Session:
        """A session on it as nobody has marked it."""
        return Session(self.document.with_mentions(()), self.tagger)


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


def course(case: Case, order: str, answers: int) -> Iterator[Count]:
    """What is left after each answer, from none on; the last one again where nothing is asked any more."""
    known, session = Gold(case.document), case.session()
    chance = random.Random(case.document.doc_id)
    yield left(known, session)
    for _ in range(answers):
        _answer(case, session, known, lambda asked: ORDERS[order](asked, chance))
        yield left(known, session)


def told(case: Case, answers: int) -> Session:
    """A session with so many answers, those worth most first."""
    known, session = Gold(case.document), case.session()
    for _ in range(answers):
        _answer(case, session, known, lambda asked: asked[0])
    return session


def _answer(case: Case, session: Session, known: Gold, choose: Callable[[Sequence[Question]], Question]) -> None:
    asked = [q for q in questions(session.state, session.words, case.chances) if q.kind != PAIR]
    if asked:
        question = choose(asked)
        session.tell(question.fact(known.reply(question)))


def row(name: str, order: str, answers: int, counts: Sequence[Count]) -> list[Any]:
    def share(which: Iterable[bool]) -> float:
        return 100 * float(np.mean(list(which)))

    return [
        *(name, order, answers, share(not c.missed for c in counts), share(not c.people for c in counts)),
        *(float(np.mean([getattr(c, what) for c in counts])) for what in ("wrong", "missed", "words")),
    ]


def rows(name: str, cases: Sequence[Case], order: str, answers: int) -> list[list[Any]]:
    """A line for some numbers of answers."""
    courses = [list(course(case, order, answers)) for case in progress(cases, f"{name}, {order}")]
    return [row(name, order, n, [c[n] for c in courses]) for n in AT if n <= answers]


# --- what has not seen the ruling -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Known:
    """A ruling with what its questions show, and whether each is about something to hide."""

    case: Case
    fold: int
    shows: list[Mapping[str, float]]
    hidden: list[bool]


def unseen(data: Path, folder: Path) -> Iterator[Known]:
    """The open half of the hand-written rulings and the short real judgments, by models that have not seen them."""
    for fold in folds(data, folder):
        tagger = pipeline_with(fold.finder)
        documents = [*fold.written, *(d for d in fold.real if is_short(d))]
        for document in progress(documents, f"fold {fold.number}"):
            session, gold = Session(document.with_mentions(()), tagger), Gold(document)
            asked = [q for q in session.questions() if q.kind in (ENTITY, WORD)]
            yield Known(
                Case(document, tagger), fold.number, [q.shows for q in asked],
                [any(map(gold.holds, q.places)) for q in asked],
            )  # fmt: skip


def chances_of(known: Iterable[Known]) -> Chances:
    """The chances, by what the questions of these rulings show and what gold replies."""
    found = list(known)
    return Chances.learned([s for k in found for s in k.shows], [h for k in found for h in k.hidden])


def held_out(known: Sequence[Known]) -> Iterator[Case]:
    """The rulings, each with chances learned from the other folds."""
    for number in sorted({k.fold for k in known}):
        chances = chances_of(k for k in known if k.fold != number)
        yield from (replace(k.case, chances=chances) for k in known if k.fold == number)


def is_short(document: Document) -> bool:
    """Whether a judgment is short, and hides something."""
    return len(document.text) <= LONGEST and any(m.masked for m in document.mentions)


def chosen_cases(chosen: argparse.Namespace) -> dict[str, list[Case]]:
    """What is asked for, by its name."""
    if chosen.unseen:
        cases = list(held_out(list(unseen(chosen.data, chosen.unseen))))
        written = [c for c in cases if "style" in c.document.meta]
        real = [c for c in cases if "style" not in c.document.meta]
    else:
        tagger = load("court-en")
        written = [Case(d, tagger) for d in rulings(half=chosen.half)]
        real = [Case(d, tagger) for d in gold(chosen.data) if is_short(d)] if chosen.real else []
    random.Random(0).shuffle(real)
    sets = {f"hand-written, {chosen.half}": written[:: chosen.every], "real": real[: chosen.real]}
    return {name: found for name, found in sets.items() if found}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--answers", type=int, default=20, metavar="N", help="a ruling (default: 20)")
    parser.add_argument("--half", default="closed", choices=("open", "closed"), help="(default: closed)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="of the hand-written rulings (default: all)")
    parser.add_argument("--real", type=int, default=0, metavar="N", help="short real judgments, too (default: none)")
    parser.add_argument("--orders", default=",".join(ORDERS), help=f"of {', '.join(ORDERS)} (default: all)")
    parser.add_argument("--unseen", type=Path, metavar="FOLDER", help="models that have not seen the ruling")
    parser.add_argument("--learn", type=Path, metavar="FILE", help="learn the chances into this file, nothing else")
    chosen = parser.parse_args()
    if (chosen.learn and not chosen.unseen) or (chosen.unseen and chosen.half == "closed" and not chosen.learn):
        raise InputError("--learn needs --unseen FOLDER, and --unseen is for --half open: all are unseen in the other")
    if chosen.learn:
        chances = chances_of(unseen(chosen.data, chosen.unseen))
        write_atomic(chosen.learn, chances.text(), force=True)
        return
    found = [
        line
        for name, cases in chosen_cases(chosen).items()
        for order in chosen.orders.split(",")
        for line in rows(name, cases, order, chosen.answers)
    ]
    print(table(found, HEADER))


if __name__ == "__main__":
    run_study(main)
