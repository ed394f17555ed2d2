"""The ways to refer to a person: one small function a form, by the name a template uses (``{x.full}``)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from aef.corpus_tools.samples.people import Person
from aef.corpus_tools.samples.pieces import MONTHS, Piece, article, money, number, ordinal

if TYPE_CHECKING:
    from aef.corpus_tools.samples.tell import Teller

Form = Callable[["Teller", Person], list[Piece]]

_BY_GENDER = {
    "he": ("he", "she"), "him": ("him", "her"), "his": ("his", "her"), "hers": ("his", "hers"),
    "self": ("himself", "herself"), "son": ("son", "daughter"), "man": ("man", "woman"),
    "husband": ("husband", "wife"), "father": ("father", "mother"), "dad": ("Dad", "Mom"),
    "brother": ("brother", "sister"),
}  # fmt: skip


def by_gender(word: str, person: Person) -> str:
    """``he`` as he or she, ``son`` as son or daughter ..."""
    return _BY_GENDER[word][person.female]


def _noun(of: Callable[[Person], str]) -> Form:
    def form(teller: Teller, person: Person) -> list[Piece]:
        teller.note(person)
        return [Piece(of(person))]

    return form


def _name(of: Callable[[Person], str]) -> Form:
    return lambda teller, person: [teller.name_piece(person, of(person))]


def _full(teller: Teller, person: Person) -> list[Piece]:
    new, nickname = person.key not in teller.named, person.nickname
    if nickname and new and teller.rng.random() < 0.5:
        return [teller.name_piece(person, f"{person.given[0]} ({nickname}) {person.last}")]
    long = new and not person.kept and len(person.given) > 1 and teller.rng.random() < 0.5
    return [teller.name_piece(person, person.formal if long else person.full)]


def title_of(person: Person) -> str:
    """What goes before the surname."""
    if person.kept == "police":
        return "Constable"
    if person.kept == "judge":
        return "Madam Justice" if person.female else "Mr. Justice"
    return person.title


def _title(teller: Teller, person: Person) -> list[Piece]:
    if person.child:
        return _full(teller, person)
    return [Piece(f"{title_of(person)} "), teller.name_piece(person, person.last)]


def _titled(teller: Teller, person: Person) -> list[Piece]:
    return [Piece(f"{title_of(person)} "), *_full(teller, person)]


def _first(teller: Teller, person: Person) -> list[Piece]:
    short = person.nickname and teller.rng.random() < 0.4
    return [teller.name_piece(person, person.nickname if short else person.given[0])]


def _initial(teller: Teller, person: Person) -> list[Piece]:
    letters = "".join(f"{name[0]}." for name in person.given[: teller.rng.randint(1, 2)])
    return [Piece(f"{person.title} "), teller.name_piece(person, f"{letters} {person.last}")]


def _cell(teller: Teller, person: Person) -> list[Piece]:
    names = (f"{person.given[0][0]}. {person.last}", f"{person.last}, {person.given[0]}", person.full)
    return [teller.name_piece(person, names[teller.case.cells])]


def _birth(teller: Teller, person: Person) -> list[Piece]:
    return [*_birthday(teller, person), Piece(",", shown=""), Piece(f" {person.born.year}")]


def _birthday(teller: Teller, person: Person) -> list[Piece]:
    day = f"{MONTHS[person.born.month - 1]} {person.born.day}"
    if teller.case.holds("ordinals"):
        day += ordinal(person.born.day)
    return [teller.hidden(day, "DATETIME", f"B{person.entity_id}")]


def _age(teller: Teller, person: Person) -> list[Piece]:
    today, born = teller.case.dates["judgment"], person.born
    return [Piece(number(today.year - born.year - ((today.month, today.day) < (born.month, born.day))))]


def _job(teller: Teller, person: Person) -> list[Piece]:
    return [Piece(article(teller.case.values[f"{person.key}.job"]))]


def _income(teller: Teller, person: Person) -> list[Piece]:
    return [Piece(money(teller.case.amounts[f"{person.key}.income"]))]


FORMS: dict[str, Form] = {
    **{word: _noun(partial(by_gender, word)) for word in _BY_GENDER},
    "full": _full,
    "title": _title,
    "titled": _titled,
    "first": _first,
    "initial": _initial,
    "cell": _cell,
    "born": _birth,
    "bday": _birthday,
    "age": _age,
    "job": _job,
    "income": _income,
    "role": _noun(lambda p: f"the {p.role}"),
    "party": _noun(lambda p: p.role),
    "parent": _noun(lambda p: "the mother" if p.female else "the father"),
    "spouse": _noun(lambda p: "the wife" if p.female else "the husband"),
    "last": _name(lambda p: p.last),
    "formal": _name(lambda p: p.formal),
    "birth": _name(lambda p: p.birth_last),
    "bare": _name(lambda p: p.given[0]),
    "caps": _name(lambda p: p.formal.upper()),
    "counsel": _name(lambda p: "".join(f"{name[0]}." for name in p.given) + f" {p.last}"),
}
