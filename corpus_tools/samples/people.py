"""People and organisations of a ruling, and what the house of section 1.3 of the thesis writes in their place."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

OMISSION = "[...]"


@dataclass(slots=True)
class Person:
    """Somebody named in the ruling. ``kept`` says why the name stays in clear (empty: it is hidden)."""

    key: str
    entity_id: str
    given: tuple[str, ...]
    last: str
    female: bool
    title: str = ""
    kept: str = ""
    relation: str = ""
    nickname: str = ""
    born: date = date(1960, 1, 1)
    birth_last: str = ""
    role: str = ""
    child: bool = False

    @property
    def full(self) -> str:
        return f"{self.given[0]} {self.last}"

    @property
    def formal(self) -> str:
        return " ".join((*self.given, self.last))

    @property
    def initials(self) -> str:
        """Given names first; parts joined by a hyphen count, particles in lower case do not.

        >>> Person("x", "P1", ("Jean-Luc",), "van der Meer", False).initials
        'J.L.M.'
        """
        words = self.formal.replace("-", " ").split()
        return "".join(f"{word[0]}." for word in words if word[0].isupper())


@dataclass(frozen=True, slots=True)
class Organisation:
    """A body tied to a party: ``core`` is what people call it, ``tail`` the legal form or generic last word."""

    key: str
    entity_id: str
    core: str
    middle: str
    tail: str

    @classmethod
    def named(cls, key: str, entity_id: str, core: str, rest: str) -> Organisation:
        """From a core and the words after it: the last one stays in the anonymized version.

        >>> Organisation.named("co", "O1", "Indian River", "Holdings Ltd.").short_replacement
        'I.[...] Ltd.'
        """
        *middle, tail = rest.split()
        return cls(key, entity_id, core, " ".join(middle), tail)

    @property
    def hidden(self) -> str:
        """The part of the full name that is replaced."""
        return f"{self.core} {self.middle}".strip()

    @property
    def replacement(self) -> str:
        first = next(c for c in self.core if c.isalnum())
        return f"{first.upper()}.{OMISSION}"

    @property
    def short_replacement(self) -> str:
        """In place of the core alone: the whole of what stands for the full name."""
        return f"{self.replacement} {self.tail}"


@dataclass(frozen=True, slots=True)
class Relation:
    """How a third person belongs to the story.

    ``phrase`` is a template; ``family`` the party whose birth name is shared; ``after``: the phrase follows the name.
    """

    phrase: str
    gender: str = ""  # f, m, or the party whose opposite it is; empty: either
    family: str = ""
    title: str = ""
    kept: str = ""
    after: bool = False


RELATIONS: dict[str, Relation] = {
    "xmum": Relation("{x's} mother", "f", "x", "Mrs."),
    "xdad": Relation("{x's} father", "m", "x"),
    "xsis": Relation("{x's} sister", "f", "x"),
    "xbro": Relation("{x's} brother", "m", "x"),
    "xaunt": Relation("{x's} aunt", "f", title="Mrs."),
    "xnew": Relation("{x's} partner", "x"),
    "xfriend": Relation("a friend of {x's}", after=True),
    "xboss": Relation("{x's} supervisor"),
    "ymum": Relation("{y's} mother", "f", "y", "Mrs."),
    "ydad": Relation("{y's} father", "m", "y"),
    "ysis": Relation("{y's} sister", "f", "y"),
    "ybro": Relation("{y's} brother", "m", "y"),
    "ycousin": Relation("{y's} cousin", "m"),
    "ynew": Relation("{y's} partner", "y"),
    "yfriend": Relation("a friend of {y's}", after=True),
    "yboss": Relation("{y's} employer"),
    "teacher": Relation("{k1's} teacher"),
    "principal": Relation("the principal of the school"),
    "sitter": Relation("the babysitter", "f"),
    "neighbour": Relation("a neighbour of the parties", after=True),
    "landlord": Relation("{x's} landlord"),
    "coach": Relation("{k1's} coach"),
    "partner": Relation("{y's} business partner"),
    "keeper": Relation("the bookkeeper of the business", after=True),
    "tenant": Relation("the tenant of the basement suite", after=True),
    "pastor": Relation("the minister of their congregation", title="Rev.", after=True),
    "playmate": Relation("{k1's} best friend"),
    "psych": Relation("a registered psychologist", title="Dr.", kept="expert", after=True),
    "counsellor": Relation("a family court counsellor", kept="expert", after=True),
    "accountant": Relation("{y's} accountant"),
    "exsol": Relation("", kept="counsel"),
    "appraiser": Relation("an accredited appraiser", kept="expert", after=True),
    "valuator": Relation("a chartered business valuator", kept="expert", after=True),
    "actuary": Relation("an actuary", kept="expert", after=True),
    "doctor": Relation("the family's physician", title="Dr.", kept="expert", after=True),
    "officer": Relation("Constable", kept="police"),
    "worker": Relation("a social worker", kept="official", after=True),
    "mediator": Relation("a mediator", kept="official", after=True),
}
