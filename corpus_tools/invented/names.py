"""Names of invented people: of many origins, each joined by its own rule; ordinary words; and names nobody bears."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from aef import lexicons

MADE_UP, WORD, LISTED = 0.32, 0.16, 0.2
"""Shares of names composed of syllables, of those that are ordinary words, of those from the built-in lists."""

_LISTS = {"f": "given_female", "m": "given_male", "s": "surnames"}


@dataclass(frozen=True)
class Name:
    """``full`` as first written; ``first`` and ``last`` as the person is called by one of them alone.

    ``formal`` has the surname first, with a comma; ``birth`` is another surname the person bore.
    """

    full: str
    first: str
    last: str
    formal: str
    birth: str

    @property
    def initials(self) -> str:
        """
        >>> Name("Ana María Ruiz", "Ana", "Ruiz", "", "").initials
        'A.M.R.'
        """
        return "".join(f"{part[0]}." for part in self.full.replace("-", " ").split() if part[0].isupper())


def text_of(folder: str, name: str) -> str:
    """A data file of this package."""
    return files("aef.corpus_tools.invented").joinpath(folder, f"{name}.txt").read_text("utf-8")


@cache
def origins(file: str = "origins") -> dict[str, dict[str, tuple[str, ...]]]:
    """The origins of a file of names: the pools ``f``, ``m``, ``s`` (or ``a``, ``b``) of each, and its ``rule``."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for line in text_of("names", file).splitlines()[1:]:
        if line.startswith("= "):
            origin, _, rule = line[2:].partition(" ")
            found[origin] = {"rule": (rule,)}
        else:
            key, _, entries = line.partition(": ")
            found[origin][key] = tuple(entries.split(", "))
    return found


@cache
def words() -> dict[str, tuple[str, ...]]:
    """Names that are ordinary words: surnames ``s``, given names ``f``, ``m``, and ``u`` of either sex."""
    lines = text_of("names", "words").splitlines()[1:]
    return {line[0]: tuple(line[3:].split(", ")) for line in lines}


@cache
def nicknames() -> tuple[str, ...]:
    return tuple(text_of("names", "nicknames").splitlines()[1].split(", "))


@cache
def _listed(kind: str) -> tuple[str, ...]:
    """The names of a built-in list, with capitals; none where there is no such list."""
    entries = lexicons.load_all("en").get(_LISTS[kind], frozenset())
    return tuple(sorted(_capital(e) for e in entries))


def _capital(name: str) -> str:
    return name if name != name.lower() else "-".join(part[:1].upper() + part[1:] for part in name.split("-"))


class Namer:
    """Draws names; those of a ruling do not repeat unless asked to.

    ``local``: origins that are common in the country, drawn for four persons in ten.
    """

    def __init__(self, rng: random.Random, local: Sequence[str] = ()) -> None:
        self.rng = rng
        self.local = [o for o in local if o in origins()]
        self.taken: set[str] = set()

    def origin(self) -> str:
        return self.rng.choice(self.local if self.local and self.rng.random() < 0.4 else list(origins()))

    def word(self, kind: str, origin: str) -> str:
        """A surname (``s``) or given name (``f``, ``m``) that this ruling has not drawn yet."""
        for _ in range(8):
            name = self._word(kind, origin)
            if name not in self.taken:
                break
        self.taken.add(name)
        return name

    def _word(self, kind: str, origin: str) -> str:
        draw = self.rng.random()
        if draw < MADE_UP:
            return self.made_up(kind)
        if draw < MADE_UP + WORD:
            pools = words()
            return self.rng.choice(pools[kind] if kind == "s" or self.rng.random() < 0.7 else pools["u"])
        listed = _listed(kind)
        if listed and draw < MADE_UP + WORD + LISTED:
            return self.rng.choice(listed)
        return self.rng.choice(origins()[origin][kind])

    def made_up(self, kind: str) -> str:
        """A name composed of syllables of one sound."""
        pools = self.rng.choice(list(origins("syllables").values()))
        middle = self.rng.choice(["", "", *pools["b"]]) if self.rng.random() < 0.8 else ""
        name = self.rng.choice(pools["a"]) + middle + self.rng.choice(pools[kind])
        return name[0] + name[1:].lower()

    def name(self, female: bool, last: str = "", origin: str = "") -> Name:
        """A person's name; with a ``last`` name the surname of the family, or what the origin makes of it."""
        origin = origin or self.origin()
        rule, _, argument = origins()[origin]["rule"][0].partition(":")
        given = self.word("f" if female else "m", origin)
        surname = last or self.word("s", origin)
        birth = self.word("s", origin)
        return self._joined(rule, argument, female, given, surname, birth, bool(last))

    def _joined(self, rule: str, arg: str, female: bool, given: str, last: str, other: str, kept: bool) -> Name:
        rng = self.rng
        middle = ""
        if rule == "initials":
            initial = rng.choice("ABCDGJKMNPRSTV")
            full = rng.choice([f"{initial}. {given}", f"{initial}.{given}", f"{given} {initial}."])
            return (
                Name(full, given, given if not kept else last, full, other) if not kept else _plain(given, last, other)
            )
        if rule == "surnamefirst" and rng.random() < 0.6:
            return Name(f"{last} {given}", given, last, f"{last} {given}", other)
        if rule == "swapped" and rng.random() < 0.4:
            return Name(f"{last} {given}", given, last, f"{last}, {given}", other)
        if rule == "two" and not kept and rng.random() < 0.7:
            last = rng.choice([f"{last} {other}", f"{last} {other}", f"{last} y {other}", f"{last}-{other}"])
        elif rule == "particle" and not kept and rng.random() < 0.3:
            particle = rng.choice(arg.split(","))
            last = particle + ("" if particle[-1] in "-' " else " ") + last
        elif rule == "mac" and not kept and rng.random() < 0.25 and " " not in last:
            last = rng.choice(["O'", "Mc", "Mac", "O'", "Ó "]) + last
        elif rule == "son" and not kept:
            last += "sdóttir" if female else "sson"
        elif rule == "gendered" and female:
            last = f"{last[:-1]}a" if last.endswith(("ski", "cki")) else f"{last}ová" if last[-1] in "kž" else last
        elif rule == "patronymic":
            last += "a" if female and last.endswith(("ov", "ev", "in", "yn")) else ""
            middle = _patronymic(rng.choice(origins()["russian"]["m"]), female) if rng.random() < 0.5 else ""
        elif rule == "bin":
            father = last
            full = f"{given} {'binti' if female else rng.choice(['bin', 'b.'])} {father}"
            return Name(full, given, given if not kept else father, full, other)
        elif rule == "sikh":
            middle = ("Kaur" if female else "Singh") if rng.random() < 0.7 else ""
        elif rule == "indian":
            middle = rng.choice(["Devi", "Kumari", "Rani"] if female else ["Kumar", "Chandra", "Lal", "Nath"])
            middle = middle if rng.random() < 0.3 else ""
        elif rule == "muslim":
            last = rng.choice(["Begum", "Bibi", "Khatun"]) if female and not kept and rng.random() < 0.3 else last
        elif rng.random() < 0.2:
            middle = rng.choice([f"{rng.choice('ABCDEFGHJKLMNPRSTVW')}.", given_of(rng, female)])
        if not kept and rng.random() < 0.07 and "-" not in last and " " not in last:
            last = f"{last}-{other}"
        return _plain(given, last, other, middle)


def _plain(given: str, last: str, birth: str, middle: str = "") -> Name:
    before = f"{given} {middle}".strip()
    return Name(f"{before} {last}", given, last, f"{last}, {before}", birth)


def given_of(rng: random.Random, female: bool) -> str:
    """A given name of any origin."""
    pools: Mapping[str, tuple[str, ...]] = rng.choice(list(origins().values()))
    return rng.choice(pools["f" if female else "m"])


def _patronymic(father: str, female: bool) -> str:
    stem = father[:-1] if father[-1] in "yi" else father
    return stem + ("ovna" if female else "ovich")
