"""Invented rulings in any language that has sentences for them: heads and sentences with names drawn from its lists.

A language's folder ``invented`` of word lists holds ``heads.txt`` and ``sentences.txt``. In a line ``[this|that]`` is
one of the alternatives and ``{m}`` a slot: who (``m`` a man, ``f`` a woman, ``p`` either of the people of the ruling)
and how: nothing (as this ruling mostly names people), ``f`` in full, ``s`` surname, ``g`` given name, ``i`` surname
first, ``l`` initials; in capitals where the slot is. ``{x}`` is a name that a place or a company bears, ``{a}`` an
acronym: nobody is marked. The rulings teach how names look and stand; they tell no story.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from aef import lexicons
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.invented.expand import choose
from aef.errors import InputError

PERSON = "PERSON"
_LED, _OF = 0.12, 0.02
"""How often a particle stands before a surname, or "of" between two of them."""
_SHORT = 3  # letters of a particle
_CAPITALS = "AABCCDEFGIJLMNOPPRSSTUV"
_SLOT = re.compile(r"\{([mfpxa])([fsgil]?)\}", re.IGNORECASE)
_CAST, _MAIN, _BREAKS = 14, 0.5, 0.3
"""How many people a ruling has, how often one of the first two of a sex is named, how often a paragraph ends."""
_MADE_UP, _TWO, _UNACCENTED, _SHOUTED, _LOUD = 0.3, 0.45, 0.25, 0.35, 0.1
"""Shares: of surnames that nobody bears, of given names and surnames that are two, of rulings without accents in names
and of those that write names in capitals; of sentences in capitals."""


@dataclass(frozen=True)
class Person:
    """Somebody of a ruling; ``given`` and ``family`` may be two words each."""

    sex: str
    given: str
    family: str

    def named(self, form: str) -> str:
        """The name in one of the forms of a slot."""
        first, surname = self.given, self.family
        return {
            "f": f"{first} {surname}",
            "s": _first(surname) if len(surname) % 3 else surname,
            "g": first.split()[0],
            "i": f"{surname}, {first}",
            "l": ". ".join(word[0] for word in f"{first} {surname}".split() if word[0].isupper()) + ".",
        }[form]


def _first(surname: str) -> str:
    """The first of two surnames, with the particles before it.

    >>> _first("de la Fuente Arriaga"), _first("Roe")
    ('de la Fuente', 'Roe')
    """
    words = surname.split()
    return " ".join(words[: 1 + next((i for i, word in enumerate(words) if len(word) > _SHORT), 0)])


def languages() -> list[str]:
    """The languages that have sentences."""
    return [code for code in lexicons.languages() if "sentences" in lexicons.invented(code)]


def rulings(language: str, number: int, seed: int = 0) -> list[Document]:
    """``number`` gold rulings of a language; the same seed gives the same. People are PERSON mentions, all DIRECT.

    Raises `InputError` for a language without sentences.
    """
    if language not in languages():
        there = ", ".join(languages())
        raise InputError(f"no sentences of invented rulings in '{language}'. There are: {there or 'none'}")
    return [_Writer(language, random.Random(f"{language}/{seed}/{i}")).document(i) for i in range(number)]


class _Writer:
    """Composes one ruling."""

    def __init__(self, language: str, rng: random.Random) -> None:
        self.language, self.rng = language, rng
        self.stock, self.names = lexicons.invented(language), Names(language)
        self.flat, self.shouted = rng.random() < _UNACCENTED, rng.random() < _SHOUTED
        self.habit = rng.choices("fsg", (4, 5, 1))[0]
        self.people = [self._person(sex) for sex in "mf" * (_CAST // 2)]

    def document(self, number: int) -> Document:
        rng, sentences = self.rng, self.stock["sentences"]
        heads = rng.sample(self.stock["heads"], rng.randint(3, 9))
        told = [s.upper() if rng.random() < _LOUD else s for s in rng.choices(sentences, k=rng.randint(30, 48))]
        ends = [0, *(i for i in range(1, len(told)) if rng.random() < _BREAKS), len(told)]
        paragraphs = [" ".join(told[low:high]) for low, high in pairwise(ends)]
        pieces = [piece for line in (*heads, *paragraphs) for piece in (*self._filled(line), ("\n\n", None))]
        text, mentions = "", []
        for piece, person in pieces:
            if person is not None:
                mentions.append(
                    Mention(len(text), len(text) + len(piece), PERSON, "DIRECT", f"{self.people.index(person)}")
                )
            text += piece
        made = Document.from_text(text, f"invented-{self.language}-{number + 1:03}", mentions)
        return made.in_language(self.language)

    def _filled(self, line: str) -> Iterator[tuple[str, Person | None]]:
        """The stretches of a line, each with whom it names."""
        line, end = choose(line, self.rng), 0
        for slot in _SLOT.finditer(line):
            yield line[end : slot.start()], None
            yield self._named(*slot.groups())
            end = slot.end()
        yield line[end:], None

    def _named(self, who: str, how: str) -> tuple[str, Person | None]:
        loud = who.isupper() or (self.shouted and self.rng.random() < _SHOUTED)
        if who in "xX":
            return self._person("m").named(self.rng.choice("sf")), None
        if who in "aA":
            return "".join(self.rng.choices(_CAPITALS, k=self.rng.randint(2, 5))), None
        person = self._one_of([p for p in self.people if who.lower() in ("p", p.sex)])
        name = person.named(how.lower() or (self.habit if self.rng.random() < _MAIN else self.rng.choice("fsg")))
        return (name.upper() if loud else name), person

    def _one_of(self, people: Sequence[Person]) -> Person:
        return self.rng.choice(people[:2] if self.rng.random() < _MAIN else people)

    def _person(self, sex: str) -> Person:
        rng, names = self.rng, self.names
        joint = f" {rng.choice(names.particles)} " if rng.random() < _OF else " "
        first = joint.join(rng.sample(names.given(sex), 1 + (rng.random() < _TWO)))
        family = " ".join(names.surname(rng) for _ in range(1 + (rng.random() < _TWO)))
        return Person(sex, *(map(flat, (first, family)) if self.flat else (first, family)))


class Names:
    """The names that a language's lists know, with a capital, and surnames pieced together of these."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.particles = lexicons.invented(language).get("particles", ("van", "de"))

    def given(self, sex: str) -> tuple[str, ...]:
        """The given names of women (``f``) or men."""
        return _names(self.language, "given_female" if sex == "f" else "given_male")

    def surname(self, rng: random.Random) -> str:
        """A surname, listed or pieced together."""
        names = _names(self.language, "surnames")
        led = rng.random()
        before = f"{rng.choice(names)} of " if led < _OF else f"{rng.choice(self.particles)} " if led < _LED else ""
        if rng.random() >= _MADE_UP:
            return before + rng.choice(names)
        begin, end = rng.choice(names), rng.choice(names)
        return before + begin[: rng.randint(2, 4)] + end[-rng.randint(3, 5) :].lower()


@cache
def _names(language: str, name: str) -> tuple[str, ...]:
    """The single words of a list of names, with a capital."""
    return tuple(sorted(entry.title() for entry in lexicons.load(name, language) if entry.isalpha()))


def flat(name: str) -> str:
    """Without accents.

    >>> flat("Pérez")
    'Perez'
    """
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c))
