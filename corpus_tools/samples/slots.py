"""The slots of templates that are not persons or organisations: sums, numbers, dates, children, law, codes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from typing import TYPE_CHECKING

from aef.corpus_tools.samples.pieces import Piece, day_of, duration, money, number, step
from aef.corpus_tools.samples.pools import pool

if TYPE_CHECKING:
    from aef.corpus_tools.samples.tell import Teller

Slot = Callable[["Teller"], list[Piece]]
PLACES = ("town1", "town2", "town3", "town4", "far", "dest", "abroad", "registry")


def _sum(teller: Teller, low: int, high: int) -> str:
    by = step(low)
    return money(teller.rng.randrange(low, high + by, by))


def _number(teller: Teller, low: int, high: int) -> str:
    return number(teller.rng.randint(low, high))


def _digits(teller: Teller, low: int, high: int) -> str:
    return str(teller.rng.randint(low, high))


def _percent(teller: Teller, low: int, high: int) -> str:
    share = teller.rng.randrange(low, high + 5, 5)
    return f"{share}%" if teller.case.cells < 2 else f"{share} percent"


def _time(teller: Teller, kind: str, first: str, last: str | None) -> list[Piece]:
    if kind == "dur":
        return [Piece(duration(teller.case.dates[first], teller.case.dates[last or first]))]
    return [Piece(day_of(_moment(teller, first, last), kind), kept="date")]


def _moment(teller: Teller, first: str, last: str | None) -> date:
    start = teller.case.dates[first]
    if not last:
        return start
    span = (teller.case.dates[last] - start).days
    return start + timedelta(days=teller.rng.randint(min(10, span // 3), max(10, span - 10)))


_TIMES = frozenset({"d", "my", "md", "m", "yr", "wd", "dur"})
_RANGES = {"$": _sum, "n": _number, "#": _digits, "%": _percent}


def drawn(teller: Teller, name: str) -> list[Piece] | None:
    """What stands in a slot with bounds, ``n3-5``, or with dates, ``d.married~parted``; None where it is another."""
    low, _, high = name[1:].partition("-")
    if name[:1] in _RANGES and low.isdecimal() and high.isdecimal():
        return [Piece(_RANGES[name[0]](teller, int(low), int(high)))]
    kind, point, dates = name.partition(".")
    if point and kind in _TIMES:
        first, _, last = dates.partition("~")
        return _time(teller, kind, first, last or None)
    return None


# children --------------------------------------------------------------------------------------------------------


def listed(items: list[list[Piece]]) -> list[Piece]:
    """Items with commas and a last "and"."""
    pieces: list[Piece] = []
    for i, item in enumerate(items):
        pieces += [Piece("" if i == 0 else " and " if i == len(items) - 1 else ", "), *item]
    return pieces


def _names(teller: Teller) -> list[Piece]:
    return listed([teller.say(child, "bare") for child in teller.case.children])


def _kids(teller: Teller) -> list[Piece]:
    case, chance = teller.case, teller.rng.random()
    if len(case.children) == 1:
        return [Piece("the child")] if chance < 0.4 else _names(teller)
    same = "the girls" if case.holds("girls") else "the boys" if case.holds("boys") else "the children"
    if chance < 0.2 and len(case.children) < 4:
        return _names(teller)
    return [Piece(same if chance < 0.5 else "the children")]


def _births(teller: Teller) -> list[Piece]:
    born = teller.rng.choice((", born ", ", born on ", ", who was born on ", ", born "))
    items = [[*teller.say(c, "formal"), Piece(born), *teller.say(c, "born")] for c in teller.case.children]
    if len(items) == 1:
        return items[0]
    *first, last = items
    return [piece for item in first for piece in (*item, Piece("; "))] + [Piece("and "), *last]


def _pronoun(one: str, many: str) -> Slot:
    def slot(teller: Teller) -> list[Piece]:
        if len(teller.case.children) > 1:
            return [Piece(many)]
        return teller.say(teller.case.children[0], one)

    return slot


# law -------------------------------------------------------------------------------------------------------------


def _cited(court: str) -> Slot:
    """A case name of our own making in italics, and where it was reported. The name stays in clear."""

    def slot(teller: Teller) -> list[Piece]:
        name = teller.case_name()
        return [Piece(name, kept="case", italic=True), Piece(_reference(teller, court))]

    return slot


def _reference(teller: Teller, court: str) -> str:
    """A neutral citation, a database or a law report; ``court`` is a part its name must have ("" for any)."""
    rng, province = teller.rng, teller.case.province
    year = rng.randint(1987, 2001)
    if year >= 2000 and province == "bc":
        return f", {year} {'BCCA' if court else rng.choice(('BCSC', 'BCCA'))} {rng.randint(12, 790)}"
    if rng.random() < 0.25:
        database = "B.C.J." if province == "bc" else "O.J."
        return f", [{year}] {database} No. {rng.randint(101, 3100)}{' (C.A.)' * bool(court)}"
    reporters = [name for name in pool("pools")[f"reporter_{province}"] if court in name]
    return f" ({year}), {rng.randint(2, 69)} {rng.choice(reporters).replace('#', str(rng.randint(1, 460)))}"


def _party_of_case(teller: Teller) -> list[Piece]:
    """Somebody of the case cited last, by surname: a titled name that stays in clear."""
    name = (teller.last_case or teller.case_name()).partition(" v. ")[0]
    return [Piece(teller.rng.choice(("Mr. ", "Mrs. ", "Ms. "))), Piece(name, kept="case")]


def _other_judge(teller: Teller) -> list[Piece]:
    return [Piece(teller.case_name().rpartition(" v. ")[2], kept="judge")]


def _again(teller: Teller) -> list[Piece]:
    return [Piece(teller.last_case or teller.case_name(), kept="case", italic=True)]


def _statute(name: str, citation: str) -> Slot:
    """A statute: with its citation the first time, then often without."""

    def slot(teller: Teller) -> list[Piece]:
        pieces = [Piece(name, italic=True)]
        if name not in teller.named:
            teller.named.add(name)
            pieces.append(Piece(f", {citation}"))
        return pieces

    return slot


def _by_province(bc: Slot, on: Slot) -> Slot:
    return lambda teller: (bc if teller.case.province == "bc" else on)(teller)


_FRA = _statute("Family Relations Act", "R.S.B.C. 1996, c. 128")
_DIVORCE = _statute("Divorce Act", "R.S.C. 1985, c. 3 (2nd Supp.)")
_CLRA = _statute("Children's Law Reform Act", "R.S.O. 1990, c. C.12")
_FLA = _statute("Family Law Act", "R.S.O. 1990, c. F.3")


def _guidelines(teller: Teller) -> list[Piece]:
    if "gl" in teller.named:
        return [Piece("Guidelines", italic=True)]
    teller.named.add("gl")
    return [Piece("Federal Child Support Guidelines", italic=True), Piece(", SOR/97-175")]


# places and codes ------------------------------------------------------------------------------------------------


def _address(key: str) -> Slot:
    def slot(teller: Teller) -> list[Piece]:
        values = teller.case.values
        values.setdefault(key, _new_address(teller))
        return [teller.hidden(values[key], "LOC", f"L{key}")]

    return slot


def _new_address(teller: Teller) -> str:
    rng, any_of = teller.rng, teller.case.drawer.any_of
    house = f"{rng.randint(104, 9870)} {any_of('street')} {rng.choice(pool('pools')['street_type'])}"
    unit, suite, route = rng.randint(1, 412), rng.randint(101, 1904), rng.randint(1, 9)
    rural = f"R.R. #{route}, Site {rng.randint(2, 48)}, Comp. {rng.randint(1, 30)}"
    return rng.choice((house, house, house, f"#{unit} - {house}", f"Suite {suite}, {house}", rural))


def _code(key: str, pattern: str) -> Slot:
    """A number to be hidden: each 9 of the pattern a digit, each A a letter; the same number every time."""

    def slot(teller: Teller) -> list[Piece]:
        values, rng = teller.case.values, teller.rng
        drawn = "".join(
            str(rng.randint(1, 9)) if c == "9" else rng.choice("ABCEGHJKLMNPRSTVWX") if c == "A" else c for c in pattern
        )
        values.setdefault(key, drawn)
        return [teller.hidden(values[key], "CODE", f"C{key}")]

    return slot


def _mail(teller: Teller) -> list[Piece]:
    person = teller.case.people["y"]
    letters = "".join(c for c in f"{person.given[0]}{person.last[0]}".lower() if c.isascii() and c.isalpha())
    teller.case.values.setdefault("email", f"{letters}{teller.rng.randint(2, 99)}@coastmail.example")
    return [teller.hidden(teller.case.values["email"], "CODE", "Cemail")]


def _drawn(key: str) -> Slot:
    return lambda teller: [Piece(teller.rng.choice(pool("pools")[key]))]


def _lender(teller: Teller) -> list[Piece]:
    lender = teller.rng.choice(pool("pools")["lender"])
    return [Piece(teller.case.values.setdefault("lender", lender), kept="public")]


SLOTS: dict[str, Slot] = {
    "kids": _kids,
    "kids.list": _names,
    "kids.count": lambda teller: [Piece(number(len(teller.case.children)))],
    "kids.born": _births,
    "they": _pronoun("he", "they"),
    "them": _pronoun("him", "them"),
    "their": _pronoun("his", "their"),
    "cite": _cited(""),
    "appeal": _cited("C.A.)"),
    "again": _again,
    "famname": _party_of_case,
    "lastjudge": _other_judge,
    "da": _DIVORCE,
    "fra": _FRA,
    "custact": _by_province(_FRA, _CLRA),
    "propact": _by_province(_FRA, _FLA),
    "gl": _guidelines,
    "addr": _address("addr"),
    "addr2": _address("addr2"),
    "addr3": _address("addr3"),
    "addr4": _address("addr4"),
    "acct": _code("acct", "9999-999"),
    "acct2": _code("acct2", "09999 999-999-9"),
    "card": _code("card", "9999 999999 99999"),
    "sin": _code("sin", "999 999 999"),
    "plate": _code("plate", "AAA 999"),
    "phone": _code("phone", "555-9999"),
    "policy": _code("policy", "A-999999"),
    "lot": _code("lot", "999-999-999"),
    "passport": _code("passport", "AA 999999"),
    "postal": _code("postal", "A9A 9A9"),
    "email": _mail,
    "lender": _lender,
    "vehicle": _drawn("vehicle"),
}
