"""What a hidden person or thing is called instead: the schemes of ``--scheme``.

A scheme is one function here, registered under its name: it gets the entities in the order of the text and gives each
its label. What a label may be is the same for all: nobody else's, and no word of the ruling, not even inside one. A
mark such as ``[...]`` is no label: it stands for things of which a reader need not know whether they are the same.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from random import Random
from string import ascii_uppercase

from aef import plugins
from aef.corpus_tools.tokenization.chunks import LETTERS
from aef.errors import InputError
from aef.names.entity import Entity
from aef.names.parts import DATETIME, LOC, MISC, ORG, PERSON, generic_words, initials

OMISSION = "[...]"
_HASHED_THING = "##"
MARKS = frozenset({OMISSION, _HASHED_THING})
"""What many things may be called alike."""

_COUNTED = {
    PERSON: "Person",
    ORG: "Company",
    LOC: "Place",
    DATETIME: "Date",
    "CODE": "Code",
    "QUANTITY": "Amount",
    "DEM": "Demographic",
    MISC: "Other",
}
_COUNTED_RO = {PERSON: "PER", ORG: "ORG", LOC: "LOC", DATETIME: "DATE"}
_CODES = re.compile(
    r"(?P<Email>\S+@\S+\.\w+)|(?P<Url>(?i:https?://|www\.)\S+)"
    r"|(?P<Iban>[A-Z]{2}\d{2}(?:\s?[A-Z0-9]{4}){3,}\s?[A-Z0-9]{0,4})|(?P<Phone>\+?(?:[\s()./-]*\d){7,15})"
)


@dataclass(frozen=True)
class Naming:
    """What a scheme knows besides the entities.

    text : the ruling, and the words of the other rulings of its case. clear : the part of the ruling that stays.
    known : the people and things of the case that have a label already, and that.
    keep_initials : whether invented names begin with the letters of the true ones.
    """

    text: str
    clear: str
    random: Random
    language: str = "en"
    keep_initials: bool = False
    known: tuple[tuple[Entity, str], ...] = ()
    _given: set[str] = field(default_factory=set, compare=False)

    @cached_property
    def taken(self) -> frozenset[str]:
        return frozenset(label for _, label in self.known)

    def fresh(self, label: str) -> bool:
        """Whether nobody has the label and it stands nowhere in the text, as it is or in capitals."""
        return label not in self.taken and label not in self.text and label.upper() not in self.text

    def stands(self, label: str) -> bool:
        """Whether the label is somebody's already, or a word of what stays."""
        return label in self.taken or bool(places_of(label, self.clear))

    def first(self, labels: Iterable[str]) -> str:
        """The first of endless labels that is fresh and was not given before."""
        label = next(label for label in labels if label not in self._given and self.fresh(label))
        self._given.add(label)
        return label


def places_of(label: str, text: str) -> list[int]:
    """Where a label stands in a text as a word.

    >>> places_of("A.B.", "A.B. and A.B.C., A.B."), places_of("A", "A.B. or BA")
    ([0, 17], [0])
    """
    found, place = list[int](), text.find(label)
    while place >= 0:
        end = place + len(label)
        before, behind = text[place - 1 : place], text[end : end + 1]
        whole = before != "." and not _is_of_a_word(before) and not _is_of_a_word(behind)
        found += [place] if whole else []
        place = text.find(label, end if whole else place + 1)
    return found


def _is_of_a_word(char: str) -> bool:
    return char == "_" or char.isalnum()


Scheme = Callable[[Sequence[Entity], Naming], dict[str, str]]
"""Labels by entity id, for the entities in text order."""

SCHEMES: dict[str, Scheme] = {}
"""The schemes by name; the first line of a scheme's docstring is its help."""

ALIASES: dict[str, str] = {}
"""Further names of schemes."""


def scheme(name: str, *aliases: str) -> Callable[[Scheme], Scheme]:
    """Register a scheme under a name and its aliases.

    Raises `ValueError` for a name that is taken by another, and for a function without a docstring.

    >>> @scheme("stars")
    ... def by_stars(entities, naming):
    ...     '''Everybody is some stars.'''
    ...     return {entity.entity_id: "*" * (number + 3) for number, entity in enumerate(entities)}
    >>> SCHEMES["stars"] is by_stars
    True
    """

    def register(function: Scheme) -> Scheme:
        if taken := [n for n in (name, *aliases) if SCHEMES.get(ALIASES.get(n, n), function) is not function]:
            raise ValueError(f"scheme {taken[0]} is registered already")
        if not function.__doc__:
            raise ValueError(f"scheme {name} has no docstring; its first line is the scheme's help")
        SCHEMES[name] = function
        ALIASES.update(dict.fromkeys(aliases, name))
        return function

    return register


def labelled(name: str, entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """The labels that a scheme gives. Raises `InputError` where one is missing, or two people have one."""
    labels = SCHEMES[name](entities, naming)
    bearers = Counter(labels.get(e.entity_id) for e in entities if e.type == PERSON)
    shared = next((label for label, times in bearers.items() if label and times > 1 and label not in MARKS), None)
    if shared is not None:
        remedy = f"Take labels from naming.first(...), or one of {' '.join(sorted(MARKS))}"
        raise InputError(f"scheme {name} calls {bearers[shared]} people {shared}. {remedy}")
    if without := sum(not labels.get(e.entity_id) for e in entities):
        raise InputError(f"scheme {name} gives {without} of {len(entities)} entities no label. Return one for each")
    return labels


def resolve(name: str) -> str:
    """The proper name of a scheme. Raises `InputError` where there is none.

    >>> resolve("omission")
    'blank'
    """
    if (proper := ALIASES.get(name, name)) in SCHEMES:
        return proper
    if plugins.more():
        return resolve(name)
    close = difflib.get_close_matches(name, [*SCHEMES, *ALIASES], 1)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise InputError(f"unknown scheme '{name}'.{hint} There are: {', '.join(SCHEMES)}{plugins.troubles()}")


# --- the schemes ----------------------------------------------------------------------------------------------------


@scheme("initials")
def by_initials(entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """Persons by initials, numbered where two have the same; organisations as O.[...] Ltd.; the rest [...]."""
    persons = {e.entity_id: initials(e.family or e.fullest) or OMISSION for e in entities if e.type == PERSON}
    return by_omission(entities, naming) | organisations(entities) | _numbered(persons, naming)


@scheme("letters", "labels")
def by_letters(entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """Persons as AA, BB, ... in the order they come (Garat & Wonsever), the rest [...]."""
    letters = (letter * times for times in count(2) for letter in ascii_uppercase)
    persons = [e.entity_id for e in entities if e.type == PERSON]
    return by_omission(entities, naming) | {key: naming.first(letters) for key in persons}


@scheme("roles")
def by_roles(entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """Everybody by role and number in the order they come: WITNESS_1, APPLICANT_1; by type without: PERSON_1, LOC_1."""
    words = {e.entity_id: "_".join(LETTERS.findall(e.role)).upper() or e.type for e in entities}
    return _counted(words, "_", naming)


@scheme("counters")
def by_counters(entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """Everything by kind and number in the order they come: Person1, Email1, Place1; in Romanian #PER1, #LOC1."""
    if naming.language == "ro":
        return _counted({e.entity_id: f"#{_COUNTED_RO.get(e.type, 'MISC')}" for e in entities}, "", naming)
    return _counted({e.entity_id: _kind(e) for e in entities}, "", naming)


@scheme("blank", "omission")
def by_omission(entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """Everything becomes [...]."""
    return {e.entity_id: OMISSION for e in entities}


@scheme("hashes")
def by_hashes(entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """Persons as a random number of #, each another (SAROJ), which tells nothing of the name's length; the rest ##."""
    labels = {e.entity_id: _HASHED_THING for e in entities}
    people = [e.entity_id for e in entities if e.type == PERSON]
    shortest = next(n for n in count(3) if "#" * n not in naming.text)
    free = [n for n in range(shortest, shortest + 8 + len(people) + len(naming.taken)) if "#" * n not in naming.taken]
    lengths = naming.random.sample(free, len(people))
    return labels | {key: "#" * n for key, n in zip(people, lengths, strict=True)}


@scheme("pseudonyms")
def by_pseudonyms(entities: Sequence[Entity], naming: Naming) -> dict[str, str]:
    """Persons by invented names, their gender and families kept; organisations as O.[...] Ltd.; the rest [...]."""
    from aef.replacement.pseudonyms import invent  # word lists that no other scheme needs

    # no invented companies: there may well be one of that name
    persons = invent([e for e in entities if e.type == PERSON], naming)
    return by_omission(entities, naming) | organisations(entities) | persons


# --- what they share ------------------------------------------------------------------------------------------------


def organisations(entities: Iterable[Entity]) -> dict[str, str]:
    """The labels of the organisations by LEXUM's convention (AEF thesis, section 1.3)."""
    return {e.entity_id: _organisation(e.fullest) for e in entities if e.type == ORG}


def _organisation(name: str) -> str:
    """The first initial and an omission mark, a legal form or generic last word staying.

    >>> _organisation("RBC Dominion Securities"), _organisation("Kitsilano High School")
    ('R.[...] Securities', 'K.[...] School')
    """
    words = name.split()
    initial = next((c.upper() for c in words[0] if c.isalnum()), "")
    stays = f" {words[-1]}" if len(words) > 1 and words[-1].lower() in generic_words() else ""
    return f"{initial}.{OMISSION}{stays}" if initial.isalpha() else f"{OMISSION}{stays}"


def _numbered(labels: dict[str, str], naming: Naming) -> dict[str, str]:
    """A number after initials that two persons share or that stand in the text for something else."""
    times = Counter(labels.values())
    shared = {label for label in times if times[label] > 1 or naming.stands(label)} - {OMISSION}
    numbers = {label: _numbers(label, naming) for label in shared}
    return {key: next(numbers[label]) if label in numbers else label for key, label in labels.items()}


def _numbers(label: str, naming: Naming) -> Iterator[str]:
    first = 2 if label in naming.taken else 1  # S.R. of an earlier ruling of the case is the first S.R.
    return (numbered for n in count(first) if not naming.stands(numbered := f"{label}{n}"))


def _counted(words: dict[str, str], joint: str, naming: Naming) -> dict[str, str]:
    numbers = {word: count(1) for word in words.values()}
    return {key: naming.first(f"{word}{joint}{n}" for n in numbers[word]) for key, word in words.items()}


def _kind(entity: Entity) -> str:
    """The word of a counter: what the type is called, or what a code is."""
    if entity.type in ("CODE", MISC):
        found = _CODES.fullmatch(entity.forms[0])
        return str(found.lastgroup) if found else _COUNTED[entity.type]
    return _COUNTED.get(entity.type, entity.type.title())
