"""A simulated editor: gold answers the questions of `aef.editing` in the order they are asked, and nothing else.

``python -m aef.experiments.editing [--answers 20] [--half open] [--real 24] [--orders worth,text] [--unseen FOLDER]``
prints, for each order of asking and number of answers, the share of rulings without a miss (of anything that must be
hidden; of any word of it that tells something; of people alone), the wrong hides left a ruling (people and things of
which a word is hidden that should not be), the words of both, and the questions read. By default on the closed half of
the hand-written rulings, which nothing was tuned on; ``--real`` adds so many short real judgments.

Orders: ``worth`` (what ships: lists of what is alike, and single questions), ``alone`` (the same questions one by one),
``confidence`` (the least sure first), ``text``, ``random``. An answer is a key that an editor presses: a list takes one
where all is right as it is proposed, and one more for each line to be changed (two for the fourth of its replies);
nothing of it counts before the last. Words of grammar in small letters inside of a longer name ("of", "the") tell
nothing.

The models that ship have learned from the open half and from the real judgments. ``--unseen FOLDER`` takes for these
models of names and of roles that have not seen the ruling (`aef.experiments.unseen`, learned into the folder where
they are missing), and chances of right answers that have not either. ``--learn FILE`` learns the chances that ship, by
such models. ``--misses N`` prints instead what is missed after so many answers, and where in the queue it is.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from aef import lexicons
from aef.annotators.pipeline import load
from aef.annotators.spoken import pipeline_with
from aef.anonymization import Tagger
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.corpus_tools.handwritten import rulings
from aef.editing import Session
from aef.editing.chances import Chances, ready
from aef.editing.lists import Asked, Listed, lists
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
from aef.experiments.role_model import models
from aef.experiments.unseen import folds
from aef.names.parts import PERSON

LONGEST = 16_000
"""Characters of a short real judgment."""
AT = (0, 1, 2, 3, 5, 7, 10, 15, 20, 30, 40)
HEADER = [
    *("rulings", "order", "answers", "no miss %", "that tells %", "of people %", "wrong hides", "missed words"),
    *("wrong words", "read"),
]
MISSED = ["missed", "mentions", "answered", "asked by the next 5", "by the next 20", "later", "never asked"]
SOON, LATE = 5, 20

Order = Callable[[Sequence[Question], random.Random], Asked]
ORDERS: dict[str, Order] = {
    "worth": lambda asked, _: lists(asked)[0],
    "alone": lambda asked, _: asked[0],
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
        self.telling = self.masked & ~self._grammar(masked)

    def _grammar(self, masked: Iterable[Mention]) -> Bools:
        """The words of grammar in small letters in mentions of several words; shape (n,)."""
        grammar, text = lexicons.load("function_words", self.document.language), self.document.text
        found = np.zeros(len(self.masked), np.bool_)
        for here in (self.words.within(m) for m in masked):
            spans = zip(self.words.starts[here], self.words.ends[here], strict=True)
            written = [text[start:end] for start, end in spans]
            small = [word.islower() and word in grammar for word in written]
            found[here] = small if not all(small) else False
        return found

    def replies(self, asked: Asked) -> list[str]:
        """The answer to each question of a list, or to one alone."""
        return [self.reply(part) for part in parts_of(asked)]

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


def parts_of(asked: Asked) -> tuple[Question, ...]:
    return asked.parts if isinstance(asked, Listed) else (asked,)


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
    """What is left to do in a ruling: words missed, those that tell something and those of people among them, words and
    things hidden wrongly; and the questions read by then."""

    missed: int
    telling: int
    people: int
    words: int
    wrong: int
    read: int = 0


def left(known: Gold, session: Session, read: int = 0) -> Count:
    """What is left to do."""
    hidden = known.words.touched(session.state.edits)
    wrong = hidden & ~known.masked
    by_whom = {e.entity_id for e in session.state.edits if wrong[known.words.within(Mention(e.start, e.end))].any()}
    missed: Bools = known.masked & ~hidden
    telling, people = (int((missed & which).sum()) for which in (known.telling, known.people))
    return Count(int(missed.sum()), telling, people, int(wrong.sum()), len(by_whom), read)


def course(case: Case, order: str, answers: int) -> list[Count]:
    """What is left after each answer, from none on; the last one again where nothing is asked any more."""
    return edited(case, order, answers)[1]


def edited(case: Case, order: str, answers: int) -> tuple[Session, list[Count]]:
    """A session after so many answers at most, and what was left after each."""
    known, session, chance = Gold(case.document), case.session(), random.Random(case.document.doc_id)
    counts = [left(known, session)]
    while len(counts) <= answers:
        now = counts[-1]
        asked = [q for q in questions(session.state, session.words, case.chances) if q.kind != PAIR]
        chosen = ORDERS[order](asked, chance) if asked else None
        replies = known.replies(chosen) if chosen else []
        keys = chosen.keys(replies) if isinstance(chosen, Listed) else 1
        counts += [now] * (keys - 1)
        if chosen is None or len(counts) > answers:
            counts += [now] * (answers + 1 - len(counts))
            break
        for part, reply in zip(parts_of(chosen), replies, strict=True):
            session.tell(part.fact(reply))
        counts.append(left(known, session, now.read + len(replies)))
    return session, counts[: answers + 1]


def told(case: Case, answers: int) -> Session:
    """A session with so many answers, those worth most first."""
    return edited(case, "worth", answers)[0]


def row(name: str, order: str, answers: int, counts: Sequence[Count]) -> list[Any]:
    def share(which: Iterable[bool]) -> float:
        return 100 * float(np.mean(list(which)))

    return [
        *(name, order, answers),
        *(share(not getattr(c, what) for c in counts) for what in ("missed", "telling", "people")),
        *(float(np.mean([getattr(c, what) for c in counts])) for what in ("wrong", "missed", "words", "read")),
    ]


def rows(name: str, cases: Sequence[Case], order: str, answers: int) -> list[list[Any]]:
    """A line for some numbers of answers."""
    courses = [course(case, order, answers) for case in progress(cases, f"{name}, {order}")]
    return [row(name, order, n, [c[n] for c in courses]) for n in AT if n <= answers]


# --- what is missed -------------------------------------------------------------------------------------------------


def missed(case: Case, answers: int) -> Iterator[tuple[str, str]]:
    """Of each mention with a missed word after so many answers what it is, and where in the queue those words are."""
    session, known = told(case, answers), Gold(case.document)
    asked = lists([q for q in questions(session.state, session.words, case.chances) if q.kind != PAIR])
    facts = known.words.touched([Mention(*f.place) for f in session.facts])
    soon, late, ever = (_touched(known, asked[:number]) for number in (SOON, LATE, len(asked)))
    wrong = known.masked & ~known.words.touched(session.state.edits)
    for mention in case.document.mentions:
        here = known.words.within(mention)
        words = wrong[here]
        if mention.masked and words.any():
            where = ((soon, MISSED[3]), (late, MISSED[4]), (ever, MISSED[5]), (facts, MISSED[2]))
            name = next((name for which, name in where if which[here][words].any()), MISSED[-1])
            kind = mention.entity_type or "-"
            yield kind if (wrong & known.telling)[here].any() else f"{kind}, words of grammar", name


def _touched(known: Gold, asked: Iterable[Asked]) -> Bools:
    places = chain.from_iterable(part.places for one in asked for part in parts_of(one))
    return known.words.touched([Mention(*place) for place in places])


def misses(cases: Sequence[Case], answers: int) -> Iterator[list[Any]]:
    """A line for each kind of mention."""
    found = Counter(pair for case in progress(cases, "misses") for pair in missed(case, answers))
    kinds = Counter(kind for kind, _ in found.elements())
    for kind, number in [*kinds.most_common(), ("all", kinds.total())]:
        yield [kind, number, *(sum(n for (k, w), n in found.items() if w == where and kind in (k, "all"))
                               for where in MISSED[2:])]  # fmt: skip


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
    made = folds(data, folder)
    for fold, roles in zip(made, models(made, folder), strict=True):
        tagger = pipeline_with(fold.finder)
        assert tagger.policy is not None
        tagger.policy = replace(tagger.policy, rules=replace(tagger.policy.rules, model=str(roles)))
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
    parser.add_argument("--misses", type=int, metavar="N", help="what is missed after so many answers, nothing else")
    chosen = parser.parse_args()
    if (chosen.learn and not chosen.unseen) or (chosen.unseen and chosen.half == "closed" and not chosen.learn):
        raise InputError("--learn needs --unseen FOLDER, and --unseen is for --half open: all are unseen in the other")
    if chosen.learn:
        chances = chances_of(unseen(chosen.data, chosen.unseen))
        write_atomic(chosen.learn, chances.text(), force=True)
        return
    if chosen.misses is not None:
        print(table(list(misses(list(chain.from_iterable(chosen_cases(chosen).values())), chosen.misses)), MISSED))
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
