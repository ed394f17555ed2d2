"""People who turn out to be one: what the ruling tells of other names, short forms, given names written wrong."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import pairwise

from aef.linking.candidates import PersonIndex
from aef.linking.person import Person, Place
from aef.names.aliases import besides, called, formerly, said_name
from aef.names.hypocorisms import GivenNames
from aef.names.person_name import Name, is_given


def with_names_told(index: PersonIndex, names: Mapping[Place, Name], found: dict[Place, Person]) -> dict[Place, Person]:
    """With the people of nicknames and former names that the ruling tells behind a name made one with its person.

    A surname of before may be others', too: it is this person's where it is told so, and nowhere else.
    """
    text = index.document.text
    for left, right in pairwise(sorted(names)):
        person, other, name = found[left], found[right], names[right]
        nickname = len(name.words) == 1 and called(text, left, right)
        told = nickname or formerly(text, left, right)
        if person is other or other.key or person.candidates or not told:
            continue
        same = [p for p in names if found[p] is other and names[p].words == name.words]
        alone = all(known.words == name.words for known in other.names)
        places = same if alone and (nickname or len(name.words) > 1) else [right]
        person.besides.add(name)
        person.add(name, places)
        found |= dict.fromkeys(places, person)
    return found


def unite_told(index: PersonIndex, names: Mapping[Place, Name], found: Mapping[Place, Person]) -> None:
    """Full names that the ruling says to be one person's made so: "Ann Roe (otherwise Ann Lee)", "born Ann Lee"."""
    text = index.document.text
    for left, right in pairwise(sorted(found)):
        if besides(text, left, right):
            index.unite(found[right], found[left], told=True)
    for place in sorted(found):
        one = index.now(found[place])
        given = names[place].words[0]
        if names[place].full and is_given(given) and said_name(text, place[0]):
            near = {index.now(p) for p in index.near(Name((given,))) if any(given in n.words[:-1] for n in p.names)}
            if len(near - {one}) == 1:
                index.unite(one, (near - {one}).pop(), told=True)


def unite_short_forms(index: PersonIndex, found: Mapping[Place, Person]) -> None:
    """Those of whom nothing is told but a word made one with whom it may be short for, where that is one person."""
    people = dict.fromkeys(found.values())
    given: dict[str, dict[Person, None]] = defaultdict(dict)
    for person in people:
        for word in _given_words(person):
            given[word][person] = None
    names = GivenNames(given)
    for person in people:
        meant = names.meant_by(word) if (word := _only_word(person)) else ()
        near = {index.now(p) for other in meant for p in given[other] if not p.candidates} - {person}
        if len(near) == 1:
            index.unite(person, near.pop())


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
