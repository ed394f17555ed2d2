"""Questions gathered in lists: one key settles what is right as it is proposed, one more each of what is not.

A list asks about what is alike (`ALIKE`), each with the reply that is likelier. What a key on it is worth is the worth
of its questions by the keys that are to be expected: one, and the replies to be changed. A list goes on as long as that
grows. Nothing is asked in a list that is better asked alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from aef.editing.facts import Fact
from aef.editing.questions import ENTITY, HERE, HIDE, NO_NAME, NOT_HERE, PAIR, SHOW, THING, Question
from aef.editing.words import CODE, DATE, PART, WORDS
from aef.errors import InputError

LIST = "list"
KEYS = "123456789abcdehilnpq"
"""The keys that change the replies of a list, in the order of its questions; no other key of the page is among them."""
MOST = len(KEYS)
"""Questions of a list."""
SURE = 0.5
"""From which chance on hiding is proposed."""
SOMEBODY = -1.0
"""From which log-odds on, by the model of names, words with a capital are proposed as somebody's name."""

HIDDEN, SHOWN, NUMBERS, NAMES = "hidden", "shown", "numbers", "names"
ALIKE: Mapping[str, str] = dict.fromkeys((CODE, DATE, PART), NUMBERS)
"""In which list words are by what they look like; others are in that of names."""


@dataclass(frozen=True)
class Listed:
    """A list to be asked.

    about : what it holds: `HIDDEN` or `SHOWN` of who and what was found, `NUMBERS`, `NAMES`. parts : its questions.
    worth : of a key on it.
    """

    about: str
    parts: tuple[Question, ...]
    worth: float
    kind: str = field(default=LIST, init=False)

    @property
    def id(self) -> str:
        """The list that begins with the same question has the same id."""
        return f"{LIST}-{self.parts[0].id}"

    @property
    def proposed(self) -> tuple[str, ...]:
        """The likelier reply to each question."""
        return tuple(cycle(part)[0] for part in self.parts)

    def facts(self, replies: Sequence[str]) -> list[Fact]:
        """What replies tell, one to each question. Raises `InputError` for what are none."""
        if len(replies) != len(self.parts):
            raise InputError(f"{len(replies)} replies to a list of {len(self.parts)} questions. Give one to each")
        for part, reply in zip(self.parts, replies, strict=True):
            if reply not in part.replies:
                raise InputError(f"'{reply}' is no reply to question '{part.id}'. There are: {', '.join(part.replies)}")
        return [part.fact(reply) for part, reply in zip(self.parts, replies, strict=True)]

    def keys(self, replies: Sequence[str]) -> int:
        """The keys that an editor presses to reply so: each leads to the next reply, or with Shift to the one after it;
        the last key says that all is right."""
        return 1 + sum((1 + cycle(part).index(reply)) // 2 for part, reply in zip(self.parts, replies, strict=True))


Asked = Question | Listed


def lists(asked: Sequence[Question]) -> list[Asked]:
    """The questions in lists and alone, what is worth most a key first; ``asked`` in the order of their worth."""
    groups: dict[str, list[Question]] = {}
    for question in asked:
        groups.setdefault(about(question), []).append(question)
    found = [made for name, group in groups.items() for made in _gathered(name, group)]
    return sorted(found, key=lambda made: (-made.worth, made.id))


def about(question: Question) -> str:
    """In which list a question belongs; who is one person is asked alone."""
    if question.kind == PAIR:
        return PAIR
    if question.kind == ENTITY:
        return HIDDEN if question.hidden else SHOWN
    return ALIKE.get(question.role, NAMES)


def _gathered(name: str, group: Sequence[Question]) -> Iterator[Asked]:
    while group:
        best = max(range(1, 1 + (1 if name == PAIR else min(MOST, len(group)))), key=lambda n: _a_key(group[:n]))
        yield Listed(name, tuple(group[:best]), _a_key(group[:best])) if best > 1 else group[0]
        group = group[best:]


def _a_key(parts: Sequence[Question]) -> float:
    """What a key is worth on these questions together, or on one alone."""
    expected = 1 + sum(min(part.chance, 1 - part.chance) for part in parts) if len(parts) > 1 else 1
    return sum(part.worth for part in parts) / expected


def cycle(part: Question) -> tuple[str, ...]:
    """The replies to a question in the order in which they are proposed, the likelier one first."""
    order = (HIDE, THING, HERE) if _somebody(part) else (THING, HIDE, HERE)
    hide = [reply for reply in order if reply in part.replies]
    show = [reply for reply in (SHOW, NOT_HERE, NO_NAME) if reply in part.replies]
    first = (hide[0], show[0], *hide[1:]) if part.chance >= SURE else (show[0], *hide)
    return (*first, *show[1:])


def _somebody(part: Question) -> bool:
    """Whether words rather name a person than a thing."""
    return part.role != WORDS or part.shows.get(f"odds of {WORDS}", 0.0) > SOMEBODY
