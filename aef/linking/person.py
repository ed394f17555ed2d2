"""Somebody a ruling names, while linking: the names and titles so far, and whether another name may be theirs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from aef.names.matching import EXACT, Fit, fit
from aef.names.person_name import Name

Place = tuple[int, int]
"""Where a mention stands: its first character and the one behind it."""


@dataclass(eq=False)
class Person:
    """Somebody a ruling names: by which names and titles, and where.

    ``candidates``: the people one of whom this may be; `People` makes such a person for a name that tells too little.
    ``besides``: those of the names that are told as former or other ones; who bears a name first has the better claim.
    """

    key: str | None = None
    names: list[Name] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    ranks: Counter[str] = field(default_factory=Counter)
    leaning: str | None = None
    party: bool = False
    candidates: tuple[Person, ...] = ()
    besides: set[Name] = field(default_factory=set)

    @property
    def rank(self) -> str | None:
        """What most titles say; without a title, what the given name or the words around suggest."""
        return max(self.ranks, key=lambda r: (self.ranks[r], r)) if self.ranks else self.leaning

    def add(self, name: Name, places: Sequence[Place] = ()) -> None:
        if name not in self.names:
            self.names.append(name)
        self.places += places
        if name.rank:
            self.ranks[name.rank] += len(places)

    def fits(self, name: Name) -> Fit | None:
        """The best fit with one of the names."""
        found = filter(None, (fit(name, other) for other in self.names))
        return max(found, key=lambda f: (f.words == EXACT and not name.full, f), default=None)

    def allows(self, name: Name, rank: str | None) -> bool:
        """Whether no title contradicts."""
        known = self.rank if rank != "judge" or self.ranks else None  # a given name makes nobody unfit for the bench
        if rank and known and known != rank:
            return False
        if any(other.family != name.family or _other_suffix(name, other) for other in self.names):
            return False
        return name.full or not any(_styled_apart(name, other) for other in self.names)

    def agrees(self, name: Name, leaning: str | None) -> bool:
        """Whether a full name may be this person's, beside all other full names of the person."""
        known = any(other.words == name.words for other in self.names)
        rank = None if known and name.rank == "judge" else name.rank
        if not self.allows(name, rank) or not (known or self.allows(name, leaning)):
            return False
        return all(fit(name, other) for other in self.names if other.full and not self._implied(other))

    def _implied(self, name: Name) -> bool:
        """Whether a name has no word that a fuller one of the person, or one with them in another order, lacks."""
        words, before = set(name.words), self.names[: self.names.index(name)]
        fuller = (other for other in self.names if len(other.words) > len(words) or other in before)
        return any(words.issubset(other.words) for other in fuller)


def _other_suffix(a: Name, b: Name) -> bool:
    """Whether both names have something behind them and not the same: Jr. and Sr., II and III."""
    return bool(a.suffix and b.suffix) and a.suffix != b.suffix


def _styled_apart(a: Name, b: Name) -> bool:
    """Whether the titles are those of two people where surnames are the same: Mrs and Miss, Captain and Mrs."""
    if a.marital and b.marital:
        return a.marital != b.marital
    return bool((a.marital and b.uniformed) or (b.marital and a.uniformed))
