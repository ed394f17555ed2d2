"""Templates into pieces of text, each piece knowing what it names: offsets of mentions are exact by construction.

A template is prose with

- ``[a|b|]`` one of the alternatives (an alternative may begin with conditions: ``bc?``, ``!kids,house?``);
- ``[~2 a|b|c]`` two of the alternatives in random order;
- ``<child|children>`` singular or plural by the number of children;
- ``*text*`` italics;
- ``{x}`` a reference to a person in the voice of this judge, ``{x's}``, ``{x.full}``, ``{x.he}`` ...; ``{co}`` an organisation;
- ``{d.sep}``, ``{my.sep~trial}`` dates, ``{$300-900}`` sums, ``{n2-9}`` numbers, ``{support}`` facts of the case.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date

from aef.corpus_tools.samples.case import VOICES, Case
from aef.corpus_tools.samples.people import OMISSION, Organisation, Person
from aef.corpus_tools.samples.pools import pool

_CHOICE = re.compile(r"\[([^\[\]]*)\]")
_CONDITION = re.compile(r"^((?:!?[a-z]\w*,)*!?[a-z]\w*)\?(?=\S)")
_SHUFFLE = re.compile(r"^~(\d*)\s*")
_NUMBER = re.compile(r"<([^<>|]*)\|([^<>|]*)>")
_PART = re.compile(r"\{([^{}]+)\}|(\*)|([^{}*]+)")
_SENTENCE_END = re.compile(r"(?:^|[a-z]{2}|[\d)\"'%])[.?!][\"')]*(?:\s+$|$)")
_SENTENCE_BREAK = re.compile(r"[.?!][\"')]*\s")
_NEW_SENTENCE = re.compile(r"((?:[a-z]{3}|\d|[)\"'%])[.?!][\"')]*\s+[\"(]?)([a-z])")
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MONTHS = ("", "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_LATER = {  # third persons after their first mention: title, full name, first name
    "child": (0, 3, 97), "family": (40, 14, 46), "other": (66, 24, 10), "kept": (84, 16, 0),
}  # fmt: skip


@dataclass(slots=True)
class Piece:
    """A stretch of text in the making. ``shown`` is what stands for it when hidden; None: the person's initials."""

    text: str
    entity_id: str = ""
    entity_type: str = ""
    shown: str | None = None
    kept: str = ""
    bold: bool = False
    italic: bool = False


def expand(template: str, rng: random.Random, case: Case) -> str:
    """The template with all alternatives decided; slots and italics are left."""
    text, before = template, ""
    while text != before:
        before, text = text, _CHOICE.sub(lambda m: _choose(m[1].split("|"), rng, case), text)
    text = _NUMBER.sub(lambda m: m[2] if len(case.children) > 1 else m[1], text)
    text = re.sub(r"\s+([,.;:?!])", r"\1", re.sub(r"\s+", " ", text)).strip()
    return _NEW_SENTENCE.sub(lambda m: m[1] + m[2].upper(), text)


def _choose(alternatives: list[str], rng: random.Random, case: Case) -> str:
    shuffle = _SHUFFLE.match(alternatives[0])
    if shuffle:
        alternatives[0] = alternatives[0][shuffle.end() :]
    held = [text for text in (_if_holds(a, case) for a in alternatives) if text is not None]
    if shuffle:
        return " ".join(a.strip() for a in rng.sample(held, min(len(held), int(shuffle[1] or len(held)))))
    return rng.choice(held) if held else ""


def _if_holds(alternative: str, case: Case) -> str | None:
    condition = _CONDITION.match(alternative)
    if not condition:
        return alternative
    return alternative[condition.end() :] if all(case.holds(c) for c in condition[1].split(",")) else None


def money(amount: int) -> str:
    return f"${amount:,}"


def number(n: int) -> str:
    return _WORDS[n] if 0 <= n < len(_WORDS) else str(n)


def long_date(day: date) -> str:
    return f"{_MONTHS[day.month]} {day.day}, {day.year}"


@dataclass
class Teller:
    """Tells one ruling: remembers who has been introduced and who was last named in the sentence."""

    case: Case
    rng: random.Random
    introduced: set[str] = field(default_factory=set)
    focus: str = ""
    opening: bool = True
    last_cite: str = ""
    child: str = "k1"

    def tell(self, template: str) -> list[Piece]:
        """The pieces of one block."""
        self.opening, self.focus = True, ""
        if self.case.children:
            self.child = self.rng.choice(self.case.children).key
        flat = expand(template, self.rng, self.case)
        parts = list(_PART.finditer(flat))
        pieces: list[Piece] = []
        italic = False
        for part in parts:
            if part[2]:
                italic = not italic
                continue
            told = self._slot(part[1], flat[part.end() :]) if part[1] else [Piece(part[3])]
            for piece in told:
                piece.italic = piece.italic or italic
            pieces += self._opened(told)
            self._after(part[3] or "")
        return [piece for piece in pieces if piece.text]

    def _opened(self, pieces: list[Piece]) -> list[Piece]:
        """A capital where the sentence begins."""
        if self.opening and pieces and any(p.text for p in pieces):
            first = next(p for p in pieces if p.text)
            first.text = re.sub(r"^(\W*)([a-z])", lambda m: m[1] + m[2].upper(), first.text)
            self.opening = not first.text.strip("\"'( ")
        return pieces

    def _after(self, text: str) -> None:
        if _SENTENCE_BREAK.search(text):
            self.focus = ""
        if text and _SENTENCE_END.search(text) and text[-1:].isspace():
            self.opening, self.focus = True, ""

    # slots ---------------------------------------------------------------------------------------------------

    def _slot(self, name: str, following: str) -> list[Piece]:
        possessive = name.endswith("'s")
        name = name[:-2] if possessive else name
        pieces = self._resolve(name, possessive, following)
        if possessive and pieces:
            pieces = [*pieces, Piece("'s")]
        return pieces

    def _resolve(self, name: str, possessive: bool, following: str) -> list[Piece]:
        for pattern, teller in _PATTERNS:
            if match := pattern.fullmatch(name):
                return teller(self, match)
        key, _, attribute = name.partition(".")
        if name in self.case.amounts:
            return [Piece(money(self.case.amounts[name]))]
        if name in _SLOTS:
            return _SLOTS[name](self)
        if name in PLACES or (name not in _PERSONAL and attribute == "" and name in self.case.values and name not in "pqgbwh"):
            return [Piece(self.case.values[name], kept="place" if name in PLACES else "")]
        if key in _ORGANISATIONS:
            return self._organisation(self.case.organisation(key), attribute, following)
        if attribute in ("job",):
            return [Piece(_article(self.case.values[f"{self.case.person(key).key}.job"]))]
        if attribute == "emp":
            return self._organisation(self._employer(key), "", following)
        person = self.case.person(self.child if key == "k" else key)
        if attribute == "income":
            return [Piece(money(self.case.amounts[f"{person.key}.income"]))]
        if attribute:
            return FORMS[attribute](self, person)
        return self._refer(person, possessive, following)

    def _employer(self, key: str) -> Organisation:
        party = self.case.person(key).key
        own_business = party == "y" and "company" in self.case.flags
        return self.case.organisation("co" if own_business else f"{party}emp")

    # people --------------------------------------------------------------------------------------------------

    def _refer(self, person: Person, possessive: bool, following: str) -> list[Piece]:
        new = person.key not in self.introduced
        self.introduced.add(person.key)
        if person.key in "xy":
            pieces = FORMS["full" if new else self._party_form(person)](self, person)
        elif person.relation and new:
            pieces = self._introduce(person, possessive, following)
        else:
            pieces = FORMS[self._later_form(person)](self, person)
        self.focus = person.key
        return pieces

    def _party_form(self, person: Person) -> str:
        weights = {
            form: weight
            for form, weight in VOICES[self.case.voice].items()
            if (form != "parent" or "kids" in self.case.flags) and (form != "spouse" or "married" in self.case.flags)
        }
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def _later_form(self, person: Person) -> str:
        kind = "child" if person.child else "kept" if person.kept else "family" if person.key[0] in "xy" else "other"
        return self.rng.choices(("title", "full", "first"), _LATER[kind])[0]

    def _introduce(self, person: Person, possessive: bool, following: str) -> list[Piece]:
        from aef.corpus_tools.samples.people import RELATIONS

        name = FORMS["titled"](self, person) if person.title in ("Dr.", "Rev.") else FORMS["full"](self, person)
        if possessive:
            return name if RELATIONS[person.key].after else [*self._phrase(person.relation), Piece(" "), *name]
        if person.kept == "police":
            return [Piece("Constable "), *FORMS["full"](self, person)]
        end = "" if re.match(r"[.,;:)?!]|$", following) else ","
        if RELATIONS[person.key].after:
            return [*name, Piece(", "), *self._phrase(person.relation), Piece(end)]
        if self.rng.random() < 0.3:
            return [*self._phrase(person.relation), Piece(" "), *name]
        return [*self._phrase(person.relation), Piece(", "), *name, Piece(end)]

    def _phrase(self, template: str) -> list[Piece]:
        """A relation ("her sister", "Ms. Green's sister") told inside the running sentence."""
        pieces: list[Piece] = []
        for part in _PART.finditer(template):
            if not part[1]:
                pieces.append(Piece(part[3]))
                continue
            key = part[1].removesuffix("'s").partition(".")[0]
            same = self.focus == self.case.person(key).key
            pieces += self._owner(part[1], key, same)
        return pieces

    def _owner(self, slot: str, key: str, same: bool) -> list[Piece]:
        person = self.case.person(key)
        if slot.endswith("'s"):
            return [Piece(_pronoun(person, "his"))] if same else [*self._refer(person, True, ""), Piece("'s")]
        return [Piece("hers" if person.female else "his")] if same else [*self._refer(person, True, ""), Piece("'s")]

    def name_piece(self, person: Person, text: str) -> Piece:
        """A stretch of text that is (part of) a person's name."""
        self.introduced.add(person.key)
        self.focus = person.key
        if person.kept:
            return Piece(text, kept=person.kept)
        return Piece(text, person.entity_id, "PERSON")

    def hidden(self, text: str, kind: str, entity: str, shown: str = OMISSION) -> Piece:
        return Piece(text, entity, kind, shown)

    # organisations -------------------------------------------------------------------------------------------

    def _organisation(self, body: Organisation, form: str, following: str) -> list[Piece]:
        new = body.key not in self.introduced
        self.introduced.add(body.key)
        if form == "short" or (not form and not new and self.rng.random() < 0.55):
            return [self.hidden(body.core, "ORG", body.entity_id, body.short_replacement)]
        full = [self.hidden(body.hidden, "ORG", body.entity_id, body.replacement), Piece(f" {body.tail}")]
        if new and body.key == "co" and self.rng.random() < 0.4 and not form:
            short = self.hidden(body.core, "ORG", body.entity_id, body.short_replacement)
            full += [Piece(' ("'), short, Piece('")')]
        return full


def _article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def _pronoun(person: Person, form: str) -> str:
    table = {"he": ("he", "she"), "him": ("him", "her"), "his": ("his", "her"), "self": ("himself", "herself"),
             "hers": ("his", "hers"), "son": ("son", "daughter"), "boy": ("boy", "girl"), "man": ("man", "woman"),
             "husband": ("husband", "wife"), "father": ("father", "mother"), "brother": ("brother", "sister"),
             "dad": ("Dad", "Mom")}  # fmt: skip
    return table[form][person.female]


def _voiced(word: str) -> Callable[[Teller, Person], list[Piece]]:
    return lambda teller, person: [Piece(_pronoun(person, word))]


def _full(teller: Teller, person: Person) -> list[Piece]:
    nickname, formal = person.nickname, len(person.given) > 1 and person.key not in teller.introduced
    if nickname and person.key + "nick" not in teller.introduced and teller.rng.random() < 0.5:
        teller.introduced.add(person.key + "nick")
        return [teller.name_piece(person, f"{person.given[0]} ({nickname}) {person.last}")]
    return [teller.name_piece(person, person.formal if formal and teller.rng.random() < 0.5 else person.full)]


def _title(teller: Teller, person: Person) -> list[Piece]:
    if person.child:
        return _full(teller, person)
    if person.kept == "police":
        return [Piece("Constable "), teller.name_piece(person, person.last)]
    if person.kept == "judge":
        return [Piece("Madam Justice " if person.female else "Mr. Justice "), teller.name_piece(person, person.last)]
    return [Piece(f"{person.title} "), teller.name_piece(person, person.last)]


def _first(teller: Teller, person: Person) -> list[Piece]:
    use_short = person.nickname and teller.rng.random() < 0.4
    return [teller.name_piece(person, person.nickname if use_short else person.given[0])]


def _initial(teller: Teller, person: Person) -> list[Piece]:
    letters = "".join(f"{name[0]}." for name in person.given[: teller.rng.randint(1, 2)])
    return [Piece(f"{person.title} "), teller.name_piece(person, f"{letters} {person.last}")]


def _role(teller: Teller, person: Person) -> list[Piece]:
    teller.focus = person.key
    return [Piece(f"the {person.role}")]


def _parent(teller: Teller, person: Person) -> list[Piece]:
    teller.focus = person.key
    return [Piece("the mother" if person.female else "the father")]


def _spouse(teller: Teller, person: Person) -> list[Piece]:
    teller.focus = person.key
    return [Piece("the wife" if person.female else "the husband")]


def _birth(teller: Teller, person: Person) -> list[Piece]:
    day = person.born
    hidden = teller.hidden(f"{_MONTHS[day.month]} {day.day}", "DATETIME", f"B{person.entity_id}")
    return [hidden, Piece(",", shown=""), Piece(f" {day.year}")]


def _birthday(teller: Teller, person: Person) -> list[Piece]:
    return _birth(teller, person)[:1]


def _age(teller: Teller, person: Person) -> list[Piece]:
    today, born = teller.case.dates["judgment"], person.born
    years = today.year - born.year - ((today.month, today.day) < (born.month, born.day))
    return [Piece(number(years) if years else "less than one")]


FORMS: dict[str, Callable[[Teller, Person], list[Piece]]] = {
    "full": _full, "title": _title, "name": _title, "first": _first, "initial": _initial, "role": _role,
    "parent": _parent, "spouse": _spouse, "born": _birth, "bday": _birthday, "age": _age,
    "last": lambda t, p: [t.name_piece(p, p.last)],
    "formal": lambda t, p: [t.name_piece(p, p.formal)],
    "titled": lambda t, p: [Piece(f"{p.title} "), t.name_piece(p, p.full)],
    "bare": lambda t, p: [t.name_piece(p, p.given[0])],
    "caps": lambda t, p: [t.name_piece(p, p.formal.upper())],
    "lastcaps": lambda t, p: [t.name_piece(p, p.last.upper())],
    "cell": lambda t, p: [t.name_piece(p, t.rng.choice((f"{p.given[0][0]}. {p.last}", f"{p.last}, {p.given[0]}", p.full)))],
    "reversed": lambda t, p: [t.name_piece(p, f"{p.last}, {p.given[0]}")],
    "honour": lambda t, p: [Piece("Madam Justice " if p.female else "Mr. Justice "), t.name_piece(p, p.last)],
    "counsel": lambda t, p: [t.name_piece(p, "".join(f"{n[0]}." for n in p.given) + f" {p.last}")],
    "born.y": lambda t, p: [Piece(str(p.born.year))],
    **{form: _voiced(form) for form in ("he", "him", "his", "self", "hers", "son", "boy", "man", "husband", "father",
                                        "brother", "dad")},
}  # fmt: skip
