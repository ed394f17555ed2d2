"""The people of a ruling, and the ways of referring to them."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache

from aef.corpus_tools.invented.expand import RAISED
from aef.corpus_tools.invented.names import Name, text_of

HIDDEN = frozenset({"party", "child", "relative", "witness", "other"})
"""The roles that the house rule of every invented court hides."""

OPEN, BAR, CLOSE = "⟨", "¦", "⟩"
MARK = re.compile(f"{OPEN}([^{BAR}]*){BAR}([^{CLOSE}]*){CLOSE}")
"""Around and inside a mark while a ruling is composed: ⟨surface¦id⟩."""

Habit = Mapping[str, int]

_HABITS: dict[str, tuple[Habit, ...]] = {
    "party": (
        {"title": 8, "role": 2, "last": 1},
        {"last": 8, "role": 2, "full": 1},
        {"last": 6, "title": 4},
        {"first": 8, "role": 1, "full": 1},
        {"role": 6, "title": 4},
        {"role": 6, "last": 4},
        {"role": 6, "first": 3, "full": 2},
        {"full": 4, "title": 5, "role": 2},
        {"tfirst": 5, "full": 3, "role": 3},
        {"tfull": 4, "title": 4, "role": 2},
        {"first": 4, "title": 4, "role": 2},
        {"init": 5, "role": 4, "title": 1},
        {"title": 3, "role": 3, "last": 3, "first": 3, "full": 2},
    ),
    "child": (
        {"first": 9, "role": 1},
        {"first": 7, "full": 2, "nick": 1},
        {"role": 5, "first": 5},
        {"nick": 6, "first": 4},
        {"init": 6, "role": 4},
        {"first": 6, "init": 1, "role": 2, "full": 2},
    ),
    "person": (
        {"title": 8, "full": 2},
        {"last": 8, "full": 1},
        {"first": 7, "full": 2},
        {"full": 6, "last": 3},
        {"title": 5, "role": 3, "first": 2},
        {"tfull": 4, "title": 4, "last": 2},
        {"tfirst": 5, "full": 4, "role": 1},
        {"full": 3, "first": 3, "last": 3, "title": 3, "nick": 1},
    ),
    "professional": (
        {"title": 9, "full": 1},
        {"last": 6, "title": 4},
        {"title": 5, "full": 3, "role": 3},
        {"tfull": 4, "title": 5},
    ),
    "judge": ({"judge": 1},),
    "cited": ({"last": 1},),
}
_GROUPS = {"party": "party", "child": "child", "judge": "judge", "cited": "cited", "author": "cited"} | dict.fromkeys(
    ("counsel", "expert", "official"), "professional"
)
_PRONOUNS = {"he": ("she", "he"), "him": ("her", "him"), "his": ("her", "his"), "self": ("herself", "himself")}


@dataclass
class Person:
    """Somebody named in the ruling. ``calls``: templates of what stands for the name."""

    id: str
    role: str
    female: bool
    name: Name
    title: str
    habit: Habit
    calls: tuple[str, ...] = ()
    age: int = 40
    born: str = ""
    nick: str = ""
    judge_form: str = "Justice {}"
    introduced: bool = False
    notes: dict[str, str] = field(default_factory=dict)

    def mark(self, surface: str) -> str:
        return f"{OPEN}{surface}{BAR}{self.id}{CLOSE}"

    def named(self, form: str) -> str:
        """The person in one form: full, first, last, title, tfirst, tfull, formal, caps, init, nick, judge, he, ..."""
        if form in _PRONOUNS:
            return RAISED + _PRONOUNS[form][0 if self.female else 1]
        return _FORMS[form](self)

    def draw_form(self, rng: random.Random) -> str:
        """One of the forms this person is usually referred to by."""
        form = rng.choices(list(self.habit), list(self.habit.values()))[0]
        return "title" if form == "role" and not self.calls else form


def _titled(person: Person, surface: str) -> str:
    return f"{person.title} {person.mark(surface)}".strip()


def _judged(person: Person) -> str:
    return person.judge_form.replace("{}", person.mark(person.name.last))


_FORMS: dict[str, Callable[[Person], str]] = {
    "full": lambda p: p.mark(p.name.full),
    "first": lambda p: p.mark(p.name.first),
    "last": lambda p: p.mark(p.name.last),
    "birth": lambda p: p.mark(p.name.birth),
    "title": lambda p: _titled(p, p.name.last),
    "tfirst": lambda p: _titled(p, p.name.first),
    "tfull": lambda p: _titled(p, p.name.full),
    "formal": lambda p: p.mark(p.name.formal),
    "caps": lambda p: p.mark(p.name.full.upper()),
    "lastcaps": lambda p: p.mark(p.name.last.upper()),
    "init": lambda p: p.mark(p.notes["init"]),
    "initlast": lambda p: p.mark(f"{p.name.first[0]}. {p.name.last}"),
    "letter": lambda p: p.mark(p.name.first[0]),
    "nick": lambda p: p.mark(p.nick or p.name.first),
    "judge": _judged,
    "age": lambda p: str(p.age),
    "born": lambda p: f"{OPEN}{p.born}{BAR}{p.id}b{CLOSE}",
}


def habit(role: str, rng: random.Random) -> Habit:
    """How the persons of a role are usually referred to."""
    return rng.choice(_HABITS[_GROUPS.get(role, "person")])


@dataclass(frozen=True)
class Relation:
    """How a third person belongs to the story; ``sex`` is empty for either, ``family`` says whose surname is shared."""

    role: str
    sex: str
    family: str
    calls: tuple[str, ...]


@cache
def relations() -> dict[str, Relation]:
    """The third persons that prose may name, by their slot."""
    rows = [line.split(" | ") for line in text_of("names", "relations").splitlines() if line[:1] not in ("", "#")]
    return {
        key: Relation(role, sex.strip(), family.strip(), tuple(calls.split("; ")))
        for key, role, sex, family, calls in rows
    }
