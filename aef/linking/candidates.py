"""The people of a ruling as they are known so far: found by their names, added to, made one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from aef.corpus_tools.document import HEAD, Document, Mention
from aef.linking.person import Person, Place
from aef.names.entity import CANDIDATES
from aef.names.matching import Fit, keys, sought
from aef.names.person_name import Name


class PersonIndex:
    """The persons of a document.

    A name meets only people who share a word with it (as it sounds, a familiar form, or initials), so that long rulings
    take time in proportion.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self.heads = [b for b in document.blocks if b.part == HEAD]
        self.index: dict[str, dict[Person, None]] = defaultdict(dict)
        self.unsure: dict[tuple[tuple[str, ...], str | None, frozenset[Person]], Person] = {}
        self.same: dict[Person, Person] = {}

    def known(self, mentions: Sequence[Mention], names: Mapping[Place, Name]) -> dict[Place, Person]:
        """The people that mentions have ids of already."""
        people: dict[str, Person] = {}
        unsure: dict[str, Sequence[str]] = {}
        for m in mentions:
            if m.entity_id:
                people.setdefault(m.entity_id, Person(m.entity_id)).add(names[m.start, m.end], [(m.start, m.end)])
                if m.extra.get(CANDIDATES):
                    unsure[m.entity_id] = m.extra[CANDIDATES]
        for key, person in people.items():
            if key in unsure:
                person.candidates = tuple(people[c] for c in unsure[key] if c in people)
                self.unsure[_doubt(person.names[0], person.candidates)] = person
            else:
                self._file(person, person.names)
        return {(m.start, m.end): people[m.entity_id] for m in mentions if m.entity_id}

    def _file(self, person: Person, names: Iterable[Name]) -> None:
        for name in names:
            for key in keys(name):
                self.index[key][person] = None

    def add(self, person: Person, name: Name, places: Sequence[Place]) -> Person:
        """The person, with a further name, or one in further places."""
        person.add(name, places)
        self._file(person, [name])
        person.party |= name.full and any(b.start <= start < b.end for start, _ in places for b in self.heads)
        return person

    def near(self, name: Name) -> dict[Person, Fit]:
        """The people that share something with a name and have a name that fits it, with how it fits."""
        near = dict.fromkeys(person for key in sorted(sought(name)) for person in self.index.get(key, ()))
        return {person: found for person in near if (found := person.fits(name))}

    def one_of(self, name: Name, ranked: Mapping[Person, tuple[int, ...]], places: Sequence[Place]) -> Person:
        """The person that ranks highest, a new one where there is none, or nobody known where several do."""
        best = max(ranked.values(), default=None)
        top = [person for person, rank in ranked.items() if rank == best]
        if len(top) < 2:
            return self.add(top[0] if top else Person(), name, places)
        return self.nobody(name, top, places)

    def nobody(self, name: Name, candidates: Sequence[Person], places: Sequence[Place]) -> Person:
        """Who stands for a name that may be several people's."""
        person = self.unsure.setdefault(_doubt(name, candidates), Person(candidates=tuple(candidates)))
        person.add(name, places)
        return person

    def unite(self, one: Person, other: Person, told: bool = False) -> None:
        """Make one person of two; ``told``: the names of the first are further ones. Who has a key stays."""
        one, other = self.now(one), self.now(other)
        if one is other or one.key or one.candidates or other.candidates:
            return
        self.same[one] = other
        other.besides |= (one.besides | set(one.names)) if told else one.besides
        for name in one.names:
            self.add(other, name, [])
        other.places += one.places
        other.ranks += one.ranks
        other.party |= one.party
        for key in (key for name in one.names for key in keys(name)):
            self.index[key].pop(one, None)

    def now(self, person: Person) -> Person:
        """Who somebody is since people were united."""
        while person in self.same:
            person = self.same[person]
        return person

    def settled(self, found: Mapping[Place, Person]) -> dict[Place, Person]:
        """The people as they are now; a name of one of several who have become one is that one's."""
        alone: dict[Person, Person] = {}
        for person in dict.fromkeys(found.values()):
            now = tuple(dict.fromkeys(map(self.now, person.candidates)))
            if len(now) == 1 < len(person.candidates) and not person.key:
                alone[person] = now[0]
            person.candidates = now
        return {place: self.now(alone.get(person, person)) for place, person in found.items()}


def _doubt(name: Name, candidates: Iterable[Person]) -> tuple[tuple[str, ...], str | None, frozenset[Person]]:
    """What names that may be the same people's share: the words, and Mrs. or Miss."""
    return name.words, name.marital, frozenset(candidates)
