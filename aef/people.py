"""The default linker: who the people of a ruling are, and which of them each mention names.

Names that tell most come first and make the people; what tells less, a surname, a given name, initials, joins the
one person that may bear it. Where the evidence tells two people apart (other given names, Mr. and Ms., Jr. and Sr.)
they stay apart. A name that may be that of several people, with nothing to tell whose, is none of theirs: it gets an
entity of its own, and its candidates are said.

A name meets only people who share a word with it (as it sounds, a familiar form, or initials), so that long rulings
take time in proportion.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from aef.aliases import FORMERLY, alternative, besides, in_capitals_or, nickname, quoted, said_name, whom_they_call
from aef.corpus_tools.document import HEAD, Document, Mention
from aef.name_matching import COUSIN, EXACT, FAMILIAR, GIVEN, INNER, SURNAME, Fit, fit, keys
from aef.names import word_set
from aef.person import Person, Place
from aef.person_names import Name, is_given, parse, usual_rank
from aef.role_cues import SUGGESTED, with_cues
from aef.role_evidence import Evidence
from aef.short_forms import short_form, written_wrong
from aef.surroundings import Surroundings

_YOUNG = word_set(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "un uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
)

CANDIDATES = "candidates"
"""The key of a mention's further data that holds the ids of the people it may name, where nothing tells which."""

_WOMEN = word_set(
    "mother wife daughter sister aunt grandmother girlfriend stepmother niece widow madre esposa hija "
    "hermana tía abuela viuda mère épouse fille sœur tante veuve"
)
_MEN = word_set(
    "father husband son brother uncle grandfather boyfriend stepfather nephew widower padre esposo marido "
    "hijo hermano tío abuelo père époux mari fils frère oncle veuf"
)
_TOGETHER = re.compile(r"\s+(?:and|y|e|et|&)\s+")
_CHILD_BEFORE = re.compile(
    r"\b(?:child|children|infant|baby|toddler|minor|boy|girl|son|daughter|niñ[oa]s?|menor|menores|hij[oa]s?|enfants?"
    r"|mineure?|fils|fille)\b(?:(?!['’]|\b(?:mother|father|parent|wife|husband|aunt|uncle|of|by|with|from)\b)[^.;\n]){0,25}$",
    re.IGNORECASE,
)
_CHILD_AFTER = re.compile(
    r",?\s+(?:who\s+)?(?:is|was|aged|age|turned|tiene|tenía)\s+(?:now\s+)?([\w-]+)", re.IGNORECASE
)
_ADULT = 18
_LISTED = re.compile(r"\s*,\s+")
_NEVER_SO = frozenset({"judge", "cited", "author"})
"""The roles of those whom a ruling does not call by a part of the name, or not by Mr. and Ms."""
_IN_HEAD = _NEVER_SO | {"counsel", "expert"}
"""The roles of those who stand in the head as the parties do, and are not called by the bare surname."""
_OFTEN = 2  # times that a given name stands in the body which may be that of initials in the head
_BY_TITLE = frozenset({"judge", "counsel", "expert", "official"})
"""The roles of those who are not called by the bare given name."""
_OFFICERS = _BY_TITLE | _NEVER_SO
"""The roles of those whom a ruling does not call by pet names."""
_TELLING_INITIALS = 3  # fewer suit too many: where names are told, "J.P." may well be somebody the court has hidden


class People:
    """The persons of a document, made and found from their mentions."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.heads = [b for b in document.blocks if b.part == HEAD]
        self.index: dict[str, dict[Person, None]] = defaultdict(dict)
        self.unsure: dict[tuple[tuple[str, ...], str | None, frozenset[Person]], Person] = {}
        self.untitled: frozenset[str] = frozenset()
        self.alone: frozenset[str] = frozenset()
        self.mentions: Sequence[Mention] = ()
        self.same: dict[Person, Person] = {}
        self.full: frozenset[Place] = frozenset()

    def link(self, mentions: Sequence[Mention]) -> dict[Place, Person]:
        """The person of each mention, by the mention's place; one with an entity id has the person of that id."""
        d, self.mentions = self.document, mentions
        names = self._parsed(mentions)
        self.full = frozenset(place for place, name in names.items() if name.full)
        self.untitled = _never_titled(d.text, names)
        self.alone = frozenset(name.words[0] for name in names.values() if len(name.words) == 1 and not name.titles)
        found = self._known(mentions, names)
        asked = {place: name for place, name in names.items() if place not in found}
        found |= self._link_full({place: name for place, name in asked.items() if name.full})
        self._unite_told(names, found)
        asked = {place: name for place, name in asked.items() if place not in found}
        found |= self._link_coordinated(names, asked)
        found |= self._link_short({place: name for place, name in asked.items() if place not in found})
        found = self._told(names, {place: self._now(person) for place, person in found.items()})
        self._unite_short_forms(found)
        self._unite_initials(found)
        return self._settled(found)

    def _told(self, names: Mapping[Place, Name], found: dict[Place, Person]) -> dict[Place, Person]:
        """With the people of nicknames and former names that the ruling tells behind a name made one with its person.

        A surname of before may be others', too: it is this person's where it is told so, and nowhere else.
        """
        last: Place | None = None
        for before, right in pairwise(sorted(names)):
            left = last if last and alternative(self.document.text, before, right) else before
            person, other, name = found[left], found[right], names[right]
            between = self.document.text[left[1] : right[0]]
            called = len(name.words) == 1 and (left is last or self._called(left, right))
            last = left if called else None
            told = called or FORMERLY.fullmatch(between) or in_capitals_or(self.document.text, left, right)
            if person is other or other.key or person.candidates or not told:
                continue
            same = [p for p in names if found[p] is other and names[p].words == name.words]
            alone = all(known.words == name.words for known in other.names)
            places = same if alone and (called or len(name.words) > 1) else [right]
            person.besides.add(name)
            person.add(name, places)
            found |= dict.fromkeys(places, person)
        return found

    def _called(self, left: Place, right: Place) -> bool:
        text = self.document.text
        return nickname(text, left[1]) == right or quoted(text, left, right) or whom_they_call(text, left, right)

    # --- two people that are one ------------------------------------------------------------------------------------

    def _unite_told(self, names: Mapping[Place, Name], found: Mapping[Place, Person]) -> None:
        """Full names that the ruling says to be one person's made so: "Ann Roe (otherwise Ann Lee)", "born Ann Lee"."""
        text = self.document.text
        for left, right in pairwise(sorted(found)):
            if besides(text, left, right):
                self._unite(found[right], found[left], told=True)
        for place in sorted(found):
            one = self._now(found[place])
            given = names[place].words[0]
            if names[place].full and is_given(given) and said_name(text, place[0]):
                near = {self._now(p) for p in self._near(Name((given,))) if any(given in n.words[:-1] for n in p.names)}
                if len(near - {one}) == 1:
                    self._unite(one, (near - {one}).pop(), told=True)

    def _unite_short_forms(self, found: Mapping[Place, Person]) -> None:
        """Those of whom nothing is told but a word made one with whom it may be short for, where that is one person."""
        people = dict.fromkeys(found.values())
        given: dict[str, dict[Person, None]] = defaultdict(dict)
        for person in people:
            for word in _given_words(person):
                given[word][person] = None
        for person in people:
            if word := _only_word(person):
                near = {p for other in given if _may_be_for(word, other) for p in given[other]}
            else:
                near = {p for p in people if _surname_wrong(person, p)}
            near = {self._now(p) for p in near if not p.candidates} - {person}
            if near and _only_word(person):
                near = {p for p in near if not self._office(p, _OFFICERS)}
            if len(near) == 1:
                self._unite(person, near.pop())

    def _unite_initials(self, found: Mapping[Place, Person]) -> None:
        """Initials that only the head has made one with the given name that only the body has, of one first letter.

        The head hides whom the body then names; where the letter fits two of either kind, nothing is certain.
        """
        heads: dict[str, list[Person]] = defaultdict(list)
        bodies: dict[str, list[Person]] = defaultdict(list)
        for person in dict.fromkeys(map(self._now, found.values())):
            inside = [any(b.start <= start < b.end for b in self.heads) for start, _ in person.places]
            if inside and not person.key and not person.candidates:
                letter = person.names[0].words[0][:1]
                if all(inside) and all(n.abbreviated and len(n.words) > 1 for n in person.names):
                    heads[letter].append(person)
                elif not any(inside) and any(len(n.words) == 1 and is_given(n.words[0]) for n in person.names):
                    bodies[letter] += [] if any(n.full for n in person.names) else [person]
        for letter, people in heads.items():
            if len(people) == len(bodies[letter]) == 1 and len(bodies[letter][0].places) >= _OFTEN:
                self._unite(bodies[letter][0], people[0])

    def _unite(self, one: Person, other: Person, told: bool = False) -> None:
        """Make one person of two; ``told``: the names of the first are further ones. Who has a key stays."""
        one, other = self._now(one), self._now(other)
        if one is other or one.key or one.candidates or other.candidates:
            return
        self.same[one] = other
        other.besides |= (one.besides | set(one.names)) if told else one.besides
        for name in one.names:
            self._add(other, name, [])
        other.places += one.places
        other.ranks += one.ranks
        other.party |= one.party
        for people in self.index.values():
            people.pop(one, None)

    def _now(self, person: Person) -> Person:
        """Who somebody is since people were united."""
        while person in self.same:
            person = self.same[person]
        return person

    def _settled(self, found: Mapping[Place, Person]) -> dict[Place, Person]:
        """The people as they are now; a name of one of several who have become one is that one's."""
        alone: dict[Person, Person] = {}
        for person in dict.fromkeys(found.values()):
            now = tuple(dict.fromkeys(map(self._now, person.candidates)))
            if len(now) == 1 < len(person.candidates) and not person.key:
                alone[person] = now[0]
            person.candidates = now
        return {place: self._now(alone.get(person, person)) for place, person in found.items()}

    def _parsed(self, mentions: Sequence[Mention]) -> dict[Place, Name]:
        """The names of the mentions; initials marked apart from the name behind them are one name with it."""
        d = self.document
        names = {(m.start, m.end): parse(d.text, m.start, m.end, d.language) for m in mentions}
        for left, right in pairwise(sorted(names)):
            apart = d.text[left[1] : right[0]]
            if names[left].abbreviated and not names[right].abbreviated and apart and not apart.strip(" \u00a0"):
                names[left] = names[right] = parse(d.text, left[0], right[1], d.language)
        return names

    # --- people ----------------------------------------------------------------------------------------------------

    def _known(self, mentions: Sequence[Mention], names: Mapping[Place, Name]) -> dict[Place, Person]:
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

    def _add(self, person: Person, name: Name, places: Sequence[Place]) -> Person:
        person.add(name, places)
        self._file(person, [name])
        person.party |= name.full and any(b.start <= start < b.end for start, _ in places for b in self.heads)
        return person

    def _near(self, name: Name) -> dict[Person, Fit]:
        """The people that share something with a name and have a name that fits it, with how it fits."""
        near = dict.fromkeys(person for key in keys(name) for person in self.index.get(key, ()))
        return {person: found for person in near if (found := person.fits(name))}

    def _one_of(self, name: Name, ranked: Mapping[Person, tuple[int, ...]], places: Sequence[Place]) -> Person:
        """The person that ranks highest, a new one where there is none, or nobody known where several do."""
        best = max(ranked.values(), default=None)
        top = [person for person, rank in ranked.items() if rank == best]
        if len(top) < 2:
            return self._add(top[0] if top else Person(), name, places)
        return self._nobody(name, top, places)

    def _nobody(self, name: Name, candidates: Sequence[Person], places: Sequence[Place]) -> Person:
        person = self.unsure.setdefault(_doubt(name, candidates), Person(candidates=tuple(candidates)))
        person.add(name, places)
        return person

    # --- full names -------------------------------------------------------------------------------------------------

    def _link_full(self, asked: Mapping[Place, Name]) -> dict[Place, Person]:
        """Full names, the most complete ones first: each joins the person it agrees with, or makes one."""
        found: dict[Place, Person] = {}
        places = _places(asked)
        for name in sorted(places, key=lambda n: (-sum(len(w) > 1 for w in n.words), -len(n.words), places[n][0])):
            person = self._full(name, places[name])
            found |= dict.fromkeys(places[name], person)
        return found

    def _full(self, name: Name, places: Sequence[Place]) -> Person:
        leaning = None if name.rank else name.usual_rank or _leaning(self.document.text, places)
        near = {person: found for person, found in self._near(name).items() if person.agrees(name, leaning)}
        ranked = {p: (*found, _title_fits(p, name)) for p, found in near.items()}
        person = self._one_of(name, ranked, places)
        person.leaning = person.leaning or leaning
        return person

    # --- parts of names ---------------------------------------------------------------------------------------------

    def _link_short(self, asked: Mapping[Place, Name]) -> dict[Place, Person]:
        """Surnames, given names and initials alone, those with a title first: one name, one person."""
        found: dict[Place, Person] = {}
        places = _places(asked)
        order = sorted(places, key=lambda n: (n.abbreviated, not n.rank, not n.titles, -len(places[n]), places[n][0]))
        for name in order:
            found |= dict.fromkeys(places[name], self._short(name, places[name]))
        return found

    def _short(self, name: Name, places: Sequence[Place]) -> Person:
        near = {p: found for p, found in self._near(name).items() if p.allows(name, name.rank)}
        near = {p: found for p, found in near.items() if not self._pet_name_of_officer(p, name, found)}
        known = any(name.words == other.words for person in near for other in person.names)
        if near and not name.full and all(_only_besides(p, name) for p in near) and not name.given_first:
            return self._nobody(name, list(near), places)
        if near and name.abbreviated and len(name.words) < _TELLING_INITIALS and not known:
            return self._nobody(name, list(near), places)
        ranked = {p: self._preference(p, name, found) if len(near) > 1 else () for p, found in near.items()}
        top = [person for person, rank in ranked.items() if rank == max(ranked.values())]
        return self._one_of(name, dict.fromkeys(self._likely(name, top, places), ()), places)

    def _pet_name_of_officer(self, person: Person, name: Name, found: Fit) -> bool:
        """Whether a name alone fits as a familiar form only, and the person is one whom courts do not call so."""
        pet = not name.titles and found.words in (FAMILIAR, COUSIN)
        return pet and len(name.words) == 1 and self._office(person, _OFFICERS)

    def _likely(self, name: Name, people: Sequence[Person], places: Sequence[Place]) -> Sequence[Person]:
        """Of several people whom a part of a name fits alike: not who holds an office and would not be called so, and
        not who comes only after the name stood alone."""
        if len(people) < 2:
            return people
        offices = _NEVER_SO | {"child"} if name.titles else _IN_HEAD
        people = [p for p in people if not self._office(p, offices)] or people
        first = {p: min(self.full.intersection(p.places), default=None) for p in people}
        known = {p: place for p, place in first.items() if place}
        if len(known) < len(people) or not (name.titles or is_given(name.words[0])):
            return people  # a surname alone may be that of the whole family
        begun = next((place for place in places if place > min(known.values())), places[0])
        return [p for p in people if known[p] <= begun] or people

    def _stands_out(self, person: Person, name: Name) -> bool:
        """Whether somebody stands in the head as a party, or, for counsel, may by title be meant as well as a party."""
        return person.party and not self._office(person, _NEVER_SO if name.titles else _IN_HEAD)

    def _office(self, person: Person, offices: frozenset[str]) -> bool:
        """Whether the ruling tells that the person holds one of these offices, and nothing else of the person."""
        roles = {e.role for place in person.places for e in self.evidence.get(place, ()) if e.weight > SUGGESTED}
        return bool(roles) and roles <= offices

    @cached_property
    def evidence(self) -> Mapping[Place, Sequence[Evidence]]:
        """What tells the roles of the mentions; looked at only where a name fits several people."""
        return Surroundings(with_cues(self.document), self.mentions).evidence

    def _preference(self, person: Person, name: Name, found: Fit) -> tuple[int, ...]:
        """Whom a part of a name means when several bear it: by the part it is, by title, by the head of the ruling;
        not a child by title, nor by surname who is called by given name, nor a judge."""
        level = SURNAME if found.level > SURNAME else found.level
        if level > INNER and (not name.titles or name.given_first):
            level = GIVEN if name.given_first and level == SURNAME else SURNAME
        as_surname = found.level != GIVEN
        first = {other.words[0] for other in person.names if other.full}
        otherwise = as_surname and not first.isdisjoint(self.untitled if name.titles else self.alone)
        return (
            bool(name.titles) or found.level > GIVEN or not self._office(person, _BY_TITLE),
            any(fit(name, other) for other in person.names if other not in person.besides),
            found.words == EXACT,
            level,
            found.words,
            any(set(name.words).issubset(other.words) for other in person.names),
            not otherwise or (person.party and not name.titles),
            not _styled_otherwise(person, name),
            (as_surname and self._stands_out(person, name)) or (bool(name.titles) and _title_fits(person, name)),
            bool(name.titles) or any(n.full and not n.titles for n in person.names),
            person.rank != "judge",
        )

    def _link_coordinated(self, names: Mapping[Place, Name], asked: Mapping[Place, Name]) -> dict[Place, Person]:
        """Given names that share the surname of a name behind them: "Pedro y Juan Pérez"."""
        found: dict[Place, Person] = {}
        behind: dict[Place, Name] = {}
        for left, right in reversed(list(pairwise(sorted(names)))):
            whole, name = behind.get(right, names[right]), names[left]
            joint = _LISTED if right in behind else _TOGETHER  # only before "and" does a comma join
            joined = whole.full and (m := joint.match(self.document.text, left[1])) and m.end() == right[0]
            if joined and left in asked and _given_alone(name):
                behind[left] = Name((*name.words, *whole.words[1:]), whole.surnames, name.titles)
                if person := self._coordinated(name, behind[left], left):
                    found[left] = person
        return found

    def _coordinated(self, name: Name, whole: Name, place: Place) -> Person | None:
        """The one person of the whole name; a new one where nobody else has the given name, or the title says so."""
        near = [person for person in self._near(whole) if person.agrees(whole, None)]
        if len(near) == 1:
            return self._add(near[0], name, [place])
        if near or (self._near(name) and not name.several):
            return None
        self._add(person := Person(leaning=usual_rank(name.words[0])), whole, [])
        return self._add(person, name, [place])


def _surname_wrong(person: Person, other: Person) -> bool:
    """Whether somebody known by one surname and title alone may be another of that title, the surname written wrong."""
    words = {name.words for name in person.names}
    if person.key or person.candidates or len(words) != 1 or not person.rank or person.rank != other.rank:
        return False
    (word,) = next(iter(words)) if len(next(iter(words))) == 1 else ("",)
    titles = {title for name in person.names for title in name.titles}
    borne = {title for name in other.names for title in name.titles}
    return not titles.isdisjoint(borne) and any(written_wrong(word, name.words[-1]) for name in other.names)


def _may_be_for(word: str, given: str) -> bool:
    """Whether a word may be meant for a given name: short for it, written wrong, or its possessive ("bobbys bike")."""
    possessive = word == f"{given}s" and is_given(given)
    return possessive or short_form(word, given) or written_wrong(word, given)


def _only_besides(person: Person, name: Name) -> bool:
    """Whether somebody bears a surname only as a former or other one, so that it may be that of a relative."""
    bears = [other for other in person.names if fit(name, other)]
    return bool(bears) and person.besides.issuperset(bears) and not is_given(name.words[0])


def _only_word(person: Person) -> str:
    """The word, where all that is told of somebody without titles is one; else nothing."""
    words = {name.words for name in person.names}
    plain = not person.key and not person.candidates and not any(n.titles and n.rank for n in person.names)
    return words.pop()[0] if plain and len(words) == 1 and len(next(iter(words))) == 1 else ""


def _given_words(person: Person) -> list[str]:
    """The given names of somebody's full names; where there are none, what the person is called alone."""
    alone = [name for name in person.names if len(name.words) == 1 and not name.rank and not name.surnames]
    full = [name for name in person.names if name.full]
    full = [*full, *(name for name in alone if is_given(name.words[0]))] if full else alone
    return [word for name in full for word in name.words[: max(1, len(name.words) - max(name.surnames, 1))]]


def _doubt(name: Name, candidates: Iterable[Person]) -> tuple[tuple[str, ...], str | None, frozenset[Person]]:
    """What names that may be the same people's share: the words, and Mrs. or Miss."""
    return name.words, name.marital, frozenset(candidates)


def _places(asked: Mapping[Place, Name]) -> dict[Name, list[Place]]:
    places: dict[Name, list[Place]] = defaultdict(list)
    for place in sorted(asked):
        places[asked[place]].append(place)
    return places


def _styled_otherwise(person: Person, name: Name) -> bool:
    """Whether the person has a title, but another one: Ms. throughout, and this is Mrs."""
    borne = {title for other in person.names for title in other.titles}
    return bool(borne and name.titles) and borne.isdisjoint(name.titles)


def _never_titled(text: str, names: Mapping[Place, Name]) -> frozenset[str]:
    """The given names of those whom no title goes with before the surname: children ("the child, Will", "Will is
    six"), and who has it before the given name (Miss Jemima)."""
    found = set()
    for (start, end), name in names.items():
        styled = len(name.words) == 1 and bool(name.rank) and is_given(name.words[0])
        if styled or (not name.titles and _is_child(text, start, end)):
            found.add(name.words[0])
    return frozenset(found)


def _is_child(text: str, start: int, end: int) -> bool:
    """Whether the words around a name tell a child."""
    age = _CHILD_AFTER.match(text, end, end + 40)
    if age and age[1].isdigit():
        return int(age[1]) < _ADULT
    small = age is not None and age[1].lower() in _YOUNG
    return small or bool(_CHILD_BEFORE.search(text, max(0, start - 40), start))


def _given_alone(name: Name) -> bool:
    """Whether the name is a given name with no title, or one for several people."""
    return len(name.words) == 1 and is_given(name.words[0]) and not name.surnames and (name.several or not name.titles)


def _title_fits(person: Person, name: Name) -> bool:
    """Whether the person is known by this title, or one of this rank."""
    borne = {title for other in person.names for title in other.titles}
    return bool(borne.intersection(name.titles)) or bool(name.rank and person.ranks[name.rank])


def _leaning(text: str, places: Sequence[Place]) -> str | None:
    """Whether the words of kinship right before a name and the first pronoun after it tell a man or a woman."""
    count: Counter[str] = Counter()
    for start, end in places:
        before = re.findall(r"\w+", text[max(0, start - 40) : start].rpartition("\n")[2].rpartition(".")[2])[-2:]
        after = re.findall(r"\w+", text[end : end + 80].partition("\n")[0])
        pronoun = next((w.lower() for w in after if w.lower() in ("he", "she")), "")
        for word in map(str.lower, [*before, *before, pronoun]):
            count["f"] += word in _WOMEN or word == "she"
            count["m"] += word in _MEN or word == "he"
    for rank, other in (("f", "m"), ("m", "f")):
        if count[rank] >= 2 and count[rank] >= 2 * count[other]:
            return rank
    return None


def by_recency(candidates: Iterable[Person], place: Place) -> list[Person]:
    """The candidates, the one named last before the place first."""

    def last(person: Person) -> Place:
        before = bisect_left(places := sorted(person.places), place)
        return places[before - 1] if before else (-1, -1)

    return sorted(candidates, key=last, reverse=True)
