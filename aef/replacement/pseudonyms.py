"""Invented names for the people of a ruling: their gender and their families are those of the true ones.

A surname always becomes the same invented one, and two surnames never the same, so that a family stays a family and no
other becomes one. A name of the ruling or its case is not given to anybody, nor is one word of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, count, product

from aef import lexicons
from aef.corpus_tools.tokenization.chunks import LETTERS
from aef.names.entity import Entity
from aef.names.parts import fold
from aef.names.person_name import is_given, parse
from aef.replacement.schemes import Naming


def invent(people: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """An invented name for each, by entity id: a given name and as many surnames as the true name is known to have.

    Where the ruling tells no gender, the given name is one of women and of men. A family has a surname alone. With
    ``naming.keep_initials`` there are as many names as in the true one, with its letters where the lists have them.
    """
    inventor = _Inventor(naming)
    return {person.entity_id: inventor.name(person) for person in people}


_SYLLABLES = ("ba", "de", "fi", "go", "lu", "ma", "ne", "ri", "so", "tu", "va", "xe")


class _Inventor:
    """The names given so far, in the case and in this ruling."""

    def __init__(self, naming: Naming) -> None:
        self.naming = naming
        self.spoken = {fold(word) for word in LETTERS.findall(naming.text)}
        names = lexicons.invented(naming.language)
        self.names = {kind: self._shuffled(names[kind]) for kind in sorted(names)}
        self.surnames: dict[str, str] = {}
        self.given: set[str] = set()
        self.labels = set(naming.taken)
        for person, label in naming.known:
            self._remember(person, label)

    def _shuffled(self, names: Sequence[str]) -> list[str]:
        """The names that are not in the ruling, in an order of the seed's."""
        free = [name for name in names if not self.spoken.intersection(map(fold, LETTERS.findall(name)))]
        return self.naming.random.sample(free, len(free))

    def _remember(self, person: Entity, label: str) -> None:
        _, surnames = name_parts(person, self.naming.language)
        words = label.split()
        if surnames and len(words) >= len(surnames):
            self.surnames.update(zip(surnames, words[-len(surnames) :], strict=True))
        else:
            self.surnames[person.entity_id] = words[-1]
        self.given.update(words[: len(words) - max(1, len(surnames))])

    def name(self, person: Entity) -> str:
        given, surnames = name_parts(person, self.naming.language)
        last = " ".join(self._surname(word) for word in surnames) or self._surname(person.entity_id, "")
        firsts = self._given_names(person, given)
        labels = (f"{first} {last}".strip() for first in (chain([""], firsts) if person.family else firsts))
        label = next(label for label in labels if self._free(label, last))
        self.labels.add(label)
        self.given.update(label.removesuffix(last).split())
        return label

    def _free(self, label: str, last: str) -> bool:
        apart = all(map(self._apart, label.removesuffix(last).split()))
        return apart and label not in self.labels and self.naming.fresh(label)

    def _apart(self, given: str) -> bool:
        """Whether a given name is no invented surname, and not spoken of."""
        return given not in self.surnames.values() and fold(given) not in self.spoken

    def _surname(self, key: str, letters: str | None = None) -> str:
        """The invented surname of a true one (or of a person without)."""
        if key not in self.surnames:
            used = self.given.union(self.surnames.values())
            names = self._by_initial(self.names["surnames"], key if letters is None else letters)
            self.surnames[key] = next(n for n in _endless(names) if n not in used and fold(n) not in self.spoken)
        return self.surnames[key]

    def _given_names(self, person: Entity, given: Sequence[str]) -> Iterator[str]:
        """Given names for a person: those nobody has first; with their initials, as many as the true ones."""
        kind = {"f": "female", "m": "male"}.get(person.gender or "", "either")
        names = self.names[kind]
        if not self.naming.keep_initials or len(given) < 2:
            names = self._by_initial(names, "".join(given[:1]), kind)
            yield from (name for name in names if name not in self.given)
            yield from _endless(names)  # a name may be two people's, but not a given name and a surname
        else:
            choices = [self._by_initial(names, word, kind) for word in given[1:]]
            for first in _endless(self._by_initial(names, given[0], kind)):
                yield " ".join(
                    [first, *(next(n for n in _endless(c) if n != first and self._apart(n)) for c in choices)]
                )

    def _by_initial(self, names: Sequence[str], letters: str, kind: str = "") -> list[str]:
        """The names, those with the initial first where initials are kept."""
        if not self.naming.keep_initials or not letters:
            return list(names)
        others = [*self.names["female"], *self.names["male"]] if kind == "either" else []
        return sorted(dict.fromkeys([*names, *others]), key=lambda name: fold(name)[0] != letters[0])


def _endless(names: Sequence[str]) -> Iterator[str]:
    """The names, then two at a time, then made-up words: there is always one more."""
    yield from names
    yield from (f"{a}-{b}" for a in names for b in names if a != b)
    yield from ("".join(parts).title() for n in count(2) for parts in product(_SYLLABLES, repeat=n))


def name_parts(person: Entity, language: str = "en") -> tuple[list[str], list[str]]:
    """The given names and the surnames of a person, folded; of one word alone, it is the one or the other."""
    if person.family:
        return [], [fold(person.family)]
    full = person.fullest
    name = parse(full, 0, len(full), language)
    words = [word for word in name.words if word]
    least = 1 if len(words) > 1 or not all(map(is_given, words)) else 0
    surnames = max(name.surnames, least)
    return words[: len(words) - surnames], words[len(words) - surnames :]
