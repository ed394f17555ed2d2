"""The default linker: who the people of a ruling are, and which of them each mention names.

Names that tell most come first and make the people; what tells less, a surname, a given name, initials, joins the
one person that may bear it. Where the evidence tells two people apart (other given names, Mr. and Ms., Jr. and Sr.)
they stay apart. A name that may be that of several people, with nothing to tell whose, is none of theirs: it gets an
entity of its own, and its candidates are said.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from aef.corpus_tools.document import Document, Mention
from aef.linking.candidates import PersonIndex
from aef.linking.cluster_merging import unite_short_forms, unite_told, with_names_told
from aef.linking.person import Person, Place
from aef.names.matching import EXACT, GIVEN, INNER, SURNAME, Fit, fit
from aef.names.person_name import Name, is_given, parse

_TELLING_INITIALS = 3  # fewer suit too many: where names are told, "J.P." may well be somebody the court has hidden


class People(PersonIndex):
    """The persons of a document, made and found from their mentions."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.alone: frozenset[str] = frozenset()
        self.full: frozenset[Place] = frozenset()

    def link(self, mentions: Sequence[Mention]) -> dict[Place, Person]:
        """The person of each mention, by the mention's place; one with an entity id has the person of that id."""
        names = self._parsed(mentions)
        self.full = frozenset(place for place, name in names.items() if name.full)
        self.alone = frozenset(name.words[0] for name in names.values() if _is_alone(name))
        found = self.known(mentions, names)
        asked = {place: name for place, name in names.items() if place not in found}
        found |= self._link_full({place: name for place, name in asked.items() if name.full})
        unite_told(self, names, found)
        asked = {place: name for place, name in asked.items() if place not in found}
        found |= self._link_short(asked)
        found = with_names_told(self, names, {place: self.now(person) for place, person in found.items()})
        unite_short_forms(self, found)
        return self.settled(found)

    def _parsed(self, mentions: Sequence[Mention]) -> dict[Place, Name]:
        """The names of the mentions; initials marked apart from the name behind them are one name with it."""
        d = self.document
        names = {(m.start, m.end): parse(d.text, m.start, m.end, d.language) for m in mentions}
        for left, right in pairwise(sorted(names)):
            apart = d.text[left[1] : right[0]]
            if names[left].abbreviated and not names[right].abbreviated and apart and not apart.strip(" \u00a0"):
                names[left] = names[right] = parse(d.text, left[0], right[1], d.language)
        return names

    def _link_full(self, asked: Mapping[Place, Name]) -> dict[Place, Person]:
        """Full names, the most complete ones first: each joins the person it agrees with, or makes one."""
        found: dict[Place, Person] = {}
        places = _places(asked)
        for name in sorted(places, key=lambda n: (-sum(len(w) > 1 for w in n.words), -len(n.words), places[n][0])):
            person = self._full(name, places[name])
            found |= dict.fromkeys(places[name], person)
        return found

    def _full(self, name: Name, places: Sequence[Place]) -> Person:
        leaning = None if name.rank else name.usual_rank
        near = {person: found for person, found in self.near(name).items() if person.agrees(name, leaning)}
        ranked = {p: (*found, _title_fits(p, name)) for p, found in near.items()}
        person = self.one_of(name, ranked, places)
        person.leaning = person.leaning or leaning
        return person

    def _link_short(self, asked: Mapping[Place, Name]) -> dict[Place, Person]:
        """Surnames, given names and initials alone, those with a title first: one name, one person."""
        found: dict[Place, Person] = {}
        places = _places(asked)
        for name in sorted(places, key=lambda n: (*_telling(n), -len(places[n]), places[n][0])):
            found |= dict.fromkeys(places[name], self._short(name, places[name]))
        return found

    def _short(self, name: Name, places: Sequence[Place]) -> Person:
        near = {p: found for p, found in self.near(name).items() if p.allows(name, name.rank)}
        known = any(found.words == EXACT for found in near.values())
        if near and name.abbreviated and len(name.words) < _TELLING_INITIALS and not known:
            return self.nobody(name, list(near), places)
        ranked = {p: self._preference(p, name, found) if len(near) > 1 else () for p, found in near.items()}
        top = [person for person, rank in ranked.items() if rank == max(ranked.values())]
        return self.one_of(name, dict.fromkeys(self._likely(name, top, places), ()), places)

    def _likely(self, name: Name, people: Sequence[Person], places: Sequence[Place]) -> Sequence[Person]:
        """Of several people whom a part of a name fits alike: not who comes only after the name stood alone."""
        if len(people) < 2:
            return people
        first = {p: min(self.full.intersection(p.places), default=None) for p in people}
        known = {p: place for p, place in first.items() if place}
        if len(known) < len(people) or not (name.titles or is_given(name.words[0])):
            return people  # a surname alone may be that of the whole family
        begun = next((place for place in places if place > min(known.values())), places[0])
        return [p for p in people if known[p] <= begun] or people

    def _preference(self, person: Person, name: Name, found: Fit) -> tuple[int, ...]:
        """Whom a part of a name means when several bear it: by the part it is, by title, by the head of the ruling;
        not by surname who is called by given name, nor a judge."""
        level = SURNAME if found.level > SURNAME else found.level
        if level > INNER and (not name.titles or name.given_first):
            level = GIVEN if name.given_first and level == SURNAME else SURNAME
        as_surname = found.level != GIVEN
        first = {other.words[0] for other in person.names if other.full}
        otherwise = as_surname and not first.isdisjoint(self.alone)
        return (
            any(fit(name, other) for other in person.names if other not in person.besides),
            found.words == EXACT,
            level,
            not otherwise or (person.party and not name.titles),
            not _styled_otherwise(person, name),
            (as_surname and person.party) or (bool(name.titles) and _title_fits(person, name)),
            bool(name.titles) or any(n.full and not n.titles for n in person.names),
            person.rank != "judge",
        )


def _telling(name: Name) -> tuple[bool, ...]:
    """The less a part of a name tells the greater; Mr. and Ms. come before the bench, as who has them is no judge."""
    return name.abbreviated, not name.rank, name.rank == "judge", not name.titles


def _places(asked: Mapping[Place, Name]) -> dict[Name, list[Place]]:
    places: dict[Name, list[Place]] = defaultdict(list)
    for place in sorted(asked):
        places[asked[place]].append(place)
    return places


def _styled_otherwise(person: Person, name: Name) -> bool:
    """Whether the person has a title, but another one: Ms. throughout, and this is Mrs."""
    borne = {title for other in person.names for title in other.titles}
    return bool(borne and name.titles) and borne.isdisjoint(name.titles)


def _is_alone(name: Name) -> bool:
    """Whether it is a word alone, or a given name behind a title ("Miss Jemima"): "Miss Hale" is somebody else."""
    return len(name.words) == 1 and (not name.titles or (bool(name.rank) and is_given(name.words[0])))


def _title_fits(person: Person, name: Name) -> bool:
    """Whether the person is known by this title, or one of this rank."""
    borne = {title for other in person.names for title in other.titles}
    return bool(borne.intersection(name.titles)) or bool(name.rank and person.ranks[name.rank])


def by_recency(candidates: Iterable[Person], place: Place) -> list[Person]:
    """The candidates, the one named last before the place first."""

    def last(person: Person) -> Place:
        before = bisect_left(places := sorted(person.places), place)
        return places[before - 1] if before else (-1, -1)

    return sorted(candidates, key=last, reverse=True)
