"""The facts behind one ruling: people, dates that agree with each other, sums that add up, and the judge's habits."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import count

from aef.corpus_tools.samples.people import RELATIONS, Organisation, Person
from aef.corpus_tools.samples.pieces import number
from aef.corpus_tools.samples.pools import Drawer, pool

TABLE_SHARE = {1: 0.0089, 2: 0.0146, 3: 0.0191, 4: 0.0226}
"""About what the federal child support tables of 1997 ask of a payor's income a month, by number of children."""

DOCTORS = ("dentist", "veterinarian", "chiropractor", "family physician")
PARTY_ROLES = {
    "bc": (("plaintiff", "defendant"), ("plaintiff", "defendant"), ("petitioner", "respondent")),
    "on": (("applicant", "respondent"), ("applicant", "respondent"), ("petitioner", "respondent")),
}
VOICES: dict[str, dict[str, float]] = {
    "title": {"title": 0.58, "role": 0.28, "parent": 0.06, "full": 0.05, "initial": 0.03},
    "role": {"role": 0.82, "title": 0.12, "full": 0.06},
    "parent": {"parent": 0.82, "title": 0.12, "full": 0.06},
    "spouse": {"spouse": 0.82, "title": 0.12, "full": 0.06},
    "first": {"first": 0.8, "full": 0.06, "title": 0.04, "role": 0.1},
    "mixed": {"title": 0.34, "role": 0.34, "full": 0.1, "parent": 0.18, "initial": 0.04},
}


@dataclass
class Case:
    """What happened, and how this judge writes. ``x`` is the parent with the lower income (and the children)."""

    rng: random.Random
    drawer: Drawer
    province: str = "bc"
    flags: set[str] = field(default_factory=set)
    people: dict[str, Person] = field(default_factory=dict)
    organisations: dict[str, Organisation] = field(default_factory=dict)
    dates: dict[str, date] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    amounts: dict[str, int] = field(default_factory=dict)
    children: list[Person] = field(default_factory=list)
    voice: str = "title"
    cells: int = 0  # how names stand in tables
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def holds(self, condition: str) -> bool:
        """Whether a flag is set, or with ``!`` not set."""
        return (condition[1:] not in self.flags) if condition.startswith("!") else condition in self.flags

    def person(self, key: str) -> Person:
        """Somebody of the cast; third persons enter when they are first asked for."""
        key = self.values.get(key, key)
        if key not in self.people:
            self.people[key] = self._third_person(key)
        return self.people[key]

    def next_id(self) -> str:
        return f"E{next(self.numbers)}"

    def _third_person(self, key: str) -> Person:
        relation = RELATIONS[key]
        female = self._gender(relation.gender)
        surname, origin = self.drawer.surname(0.4 if relation.kept else 0.3)
        if relation.family:
            surname, origin = self.people[relation.family].birth_last, self.values["origin_" + relation.family]
        given = self.drawer.given(female, origin)
        title = relation.title or ("Ms." if female else "Mr.")
        return Person(key, self.next_id(), (given,), surname, female, title, relation.kept, relation.phrase)

    def _gender(self, gender: str) -> bool:
        if gender in ("x", "y"):
            return not self.people[gender].female
        return gender == "f" or (gender != "m" and self.rng.random() < 0.5)

    def organisation(self, key: str) -> Organisation:
        if key not in self.organisations:
            core, rest = self._organisation_name(key)
            self.organisations[key] = Organisation.named(key, self.next_id(), core, rest)
        return self.organisations[key]

    def _organisation_name(self, key: str) -> tuple[str, str]:
        draw, pools = self.drawer.any_of, pool("pools")
        if key in ("school", "school2", "school3"):
            kinds = {"school": "Elementary School", "school2": "School", "school3": "Academy"}
            return draw("school_core"), "Secondary School" if key == "school" and "high" in self.flags else kinds[key]
        if key == "daycare":
            return draw("care_core"), self.rng.choice(("Daycare", "Child Care Centre", "Preschool"))
        if key in ("club", "congregation", "broker"):
            return draw(f"{key}_core"), self.rng.choice(pools[f"{key}_tail"])
        if key == "co":
            return self._company_core(), f"{self.values['trade']} {self.rng.choice(pools['legal_form'])}"
        tail = self.values[f"tail_{key[0]}"] if key[0] in "xy" else self.rng.choice(pools["other_tail"])
        return self._core(), tail

    def _company_core(self) -> str:
        chance = self.rng.random()
        if chance < 0.35:
            return self.people["y"].birth_last
        return self.values["town1"] if chance < 0.5 else self._core()

    def _core(self) -> str:
        if self.rng.random() < 0.25:
            return self.drawer.surname(0.5)[0]
        return self.drawer.any_of("core")


def build_case(rng: random.Random, drawer: Drawer) -> Case:
    """A new case with its two parties, children, dates and sums."""
    case = Case(rng, drawer, rng.choice(("bc", "bc", "on")))
    _flags(case)
    _dates(case)
    _places(case)
    _parties(case)
    _children(case)
    _work(case)
    _sums(case)
    _roles(case)
    return case


def _flags(case: Case) -> None:
    chances = {
        "married": 0.82, "kids": 0.93, "house": 0.75, "company": 0.4, "xpart": 0.4, "ypart": 0.45, "ymoved": 0.65,
        "interim": 0.7, "selfrep": 0.22, "xw": 0.78, "hsold": 0.35, "relocok": 0.55, "joint": 0.45, "spousalok": 0.7,
        "prefx": 0.6, "biosboth": 0.4, "divorced": 0.3, "ordinals": 0.12, "taken": 0.45,
    }  # fmt: skip
    case.flags = {flag for flag, chance in chances.items() if case.rng.random() < chance} | {case.province}
    if "house" not in case.flags:
        case.flags.discard("hsold")
    if "married" not in case.flags:
        case.flags.discard("taken")


def _after(rng: random.Random, start: date, low: int, high: int) -> date:
    return start + timedelta(days=rng.randint(low, max(low, high)))


def _between(rng: random.Random, start: date, end: date) -> date:
    return _after(rng, start, 0, (end - start).days)


def _dates(case: Case) -> None:
    rng, dates = case.rng, case.dates
    hearing = _after(rng, date(2002, 1, 14), 0, 270)
    dates["trial"] = hearing = hearing - timedelta(days=hearing.weekday())
    dates["last"] = hearing + timedelta(days=rng.randint(1, 4))
    case.values["days"] = number((dates["last"] - hearing).days + 1)
    dates["judgment"] = _weekday(_after(rng, dates["last"], 9, 60))
    dates["sep"] = sep = hearing - timedelta(days=rng.randint(420, 1400))
    dates["union"] = union = sep - timedelta(days=rng.randint(6 * 365, 18 * 365))
    dates["met"] = union - timedelta(days=rng.randint(330, 1200))
    dates["cohab"] = _between(rng, dates["met"] + timedelta(days=120), union - timedelta(days=60))
    if not case.holds("married"):
        dates["cohab"] = union
    dates["house"] = _between(rng, union + timedelta(days=150), sep - timedelta(days=400))
    dates["founded"] = _between(rng, union - timedelta(days=600), sep - timedelta(days=700))
    dates["order"] = _weekday(_after(rng, sep, 60, 280))
    dates["deal"] = _after(rng, sep, 12, 55)
    dates["order2"] = _weekday(_between(rng, dates["order"] + timedelta(days=20), hearing - timedelta(days=90)))
    dates["action"] = _weekday(_between(rng, sep + timedelta(days=20), dates["order"] - timedelta(days=20)))
    dates["move"] = hearing - timedelta(days=rng.randint(90, 240))
    dates["appraisal"] = hearing - timedelta(days=rng.randint(50, 180))
    dates["report"] = hearing - timedelta(days=rng.randint(50, 230))
    dates["newx"] = _between(rng, sep + timedelta(days=90), hearing - timedelta(days=120))
    dates["newy"] = _between(rng, sep + timedelta(days=60), hearing - timedelta(days=120))
    dates["next"] = _after(rng, dates["judgment"], 20, 45).replace(day=1)


def _weekday(day: date) -> date:
    return day - timedelta(days=max(0, day.weekday() - 4))


def _places(case: Case) -> None:
    drawer, values = case.drawer, case.values
    registry = case.rng.choice(pool("pools")[f"registry_{case.province}"])
    drawer.taken.add(registry.casefold())
    values["registry"] = registry
    values["town1"] = registry if case.rng.random() < 0.3 else drawer.town(case.province)
    for key in ("town2", "town3", "town4"):
        values[key] = drawer.town(case.province)
    values["far"] = drawer.any_of("far")
    values["dest"] = case.rng.choice((values["town2"], values["far"]))
    values["abroad"] = case.rng.choice(pool("pools")["abroad"])


def _parties(case: Case) -> None:
    rng, flags = case.rng, case.flags
    word = [0.35, 0.35] if rng.random() < 0.4 else rng.sample([1.0, 0.1], 2)
    for key, chance in zip("xy", word, strict=True):
        female = ("xw" in flags) == (key == "x")
        last, case.values["origin_" + key] = case.drawer.surname(chance)
        given = tuple(case.drawer.given(female, case.values["origin_" + key]) for _ in range(2))
        born = case.dates["union"] - timedelta(days=rng.randint(20 * 365, 34 * 365))
        case.people[key] = Person(key, case.next_id(), given, last, female, "", "", "", "", born, last)
    woman, man = (case.people[k] for k in ("xy" if "xw" in flags else "yx"))
    case.values.update(w=woman.key, h=man.key)
    for party in (woman, man):
        names = pool("nicknames").get(party.given[0], ())
        party.nickname = names[0] if names and rng.random() < 0.8 else ""
        party.title = "Mr." if party is man else rng.choices(("Ms.", "Mrs."), (4, 1 if "taken" in flags else 0))[0]
    if "taken" in flags:
        woman.last = man.last


def _children(case: Case) -> None:
    rng, dates = case.rng, case.dates
    if "kids" not in case.flags:
        return
    low = max(dates["union"] + timedelta(days=150), dates["trial"] - timedelta(days=int(17.3 * 365)))
    high = dates["sep"] - timedelta(days=120)
    births = [_between(rng, low, min(high, dates["trial"] - timedelta(days=int(5.5 * 365))))]
    for _ in range(rng.choices((0, 1, 2, 3), (30, 42, 22, 6))[0]):
        day = _between(rng, low, high)
        if all(abs((day - other).days) > 430 for other in births):
            births.append(day)
    for i, born in enumerate(sorted(births), 1):
        case.children.append(_child(case, i, born))
        case.people[f"k{i}"] = case.children[-1]
    _flag_children(case, births)


def _child(case: Case, place: int, born: date) -> Person:
    rng, father = case.rng, case.person("h")
    female, chance = rng.random() < 0.5, rng.random()
    last = father.last if chance < 0.88 or " " in father.last or "-" in father.last else case.person("w").birth_last
    namesake = next((p for p in (father, case.person("w")) if p.female == female and p.last == last), None)
    given = [case.drawer.given(female, case.values["origin_" + father.key], 0.3)]
    if namesake and rng.random() < 0.3:
        given = _same_initials(case, namesake, female) or given
    elif rng.random() < 0.3:
        given.append(case.drawer.given(female, "english", 0.0))
    return Person(f"k{place}", case.next_id(), tuple(given), last, female, born=born, birth_last=last, child=True)


def _same_initials(case: Case, parent: Person, female: bool) -> list[str]:
    """Given names other than the parent's that begin with the same letters."""
    names = [n for names in pool("given_female" if female else "given_male").values() for n in names]
    given = []
    for name in parent.given:
        free = [n for n in names if n[0] == name[0] and n.isalpha() and n.casefold() not in case.drawer.taken]
        if not free or not name.isalpha():
            return []
        given.append(case.drawer.draw(free))
    return given


def _flag_children(case: Case, births: list[date]) -> None:
    number, flags = len(births), case.flags
    flags.add("kids1" if number == 1 else "kids2")
    if number > 2:
        flags.add("kids3")
    ages = [case.dates["judgment"].year - born.year for born in births]
    flags.update({"teens"} if min(ages) >= 12 else {"small"} if max(ages) <= 6 else set())
    flags.update({"high"} if max(ages) >= 14 else set())
    if len({child.female for child in case.children}) == 1:
        flags.add("girls" if case.children[0].female else "boys")


def _work(case: Case) -> None:
    rng, values = case.rng, case.values
    for key, kind in (("x", "job_low"), ("y", "job_high")):
        job, tail, span = case.drawer.any_of(kind).split("=")
        low, high = (int(n) for n in span.split("-"))
        female, male = job.split("/") if "/" in job else (job, job)
        values[f"{key}.job"], values[f"tail_{key}"] = (female if case.people[key].female else male), tail
        case.amounts[f"{key}.income"] = rng.randint(low * 10, high * 10) * 100 + rng.choice((0, 0, 50, 18, 84))
        if job in DOCTORS:
            case.people[key].title = "Dr."
    if "company" in case.flags:
        values["y.job"], values["trade"] = case.drawer.any_of("trade").split("=")
        case.people["y"].title = "Ms." if case.people["y"].female else "Mr."
        case.organisations["co"] = case.organisation("co")


def _round(value: float, step: int) -> int:
    return int(round(value / step) * step)


def _sums(case: Case) -> None:
    rng, a = case.rng, case.amounts
    a["support"] = _round(a["y.income"] * TABLE_SHARE[max(1, len(case.children))] * 0.98, 1)
    a["interimsupport"] = _round(a["support"] * rng.uniform(0.72, 0.95), 25)
    a["spousal"] = _round((a["y.income"] - a["x.income"]) * rng.uniform(0.1, 0.2) / 12, 50)
    a["price"] = rng.randint(92, 240) * 1000 + rng.choice((0, 500))
    a["value"] = _round(a["price"] * rng.uniform(1.05, 1.5), 1000)
    a["xvalue"], a["yvalue"] = (
        _round(a["value"] * f, 1000) for f in (rng.uniform(0.93, 0.97), rng.uniform(1.04, 1.09))
    )
    a["mortgage"] = _round(a["price"] * rng.uniform(0.35, 0.75), 100)
    a["equity"] = a["value"] - a["mortgage"]
    a["half"] = a["equity"] // 2
    a["covalue"] = rng.randint(14, 120) * 5000
    a["cohigh"], a["colow"] = (_round(a["covalue"] * f, 500) for f in (rng.uniform(1.1, 1.5), rng.uniform(0.5, 0.9)))
    a["cohalf"] = a["covalue"] // 2
    a["rrspx"], a["rrspy"] = rng.randint(20, 180) * 100, rng.randint(150, 720) * 100
    a["savings"], a["vehicle1"], a["vehicle2"] = (rng.randint(12, 160) * 100 for _ in range(3))
    a["debt"] = rng.randint(30, 260) * 100
    a["arrears"] = a["interimsupport"] * rng.randint(2, 9)
    home = a["equity"] if "house" in case.flags else 0
    a["assets"] = home + a["rrspx"] + a["rrspy"] + a["savings"] + a["vehicle1"] + a["vehicle2"]
    a["net"] = a["assets"] - a["debt"]
    a["halfnet"] = a["net"] // 2
    a["gross"] = a["x.income"] + a["y.income"]


def _roles(case: Case) -> None:
    rng, flags = case.rng, case.flags
    case.cells = rng.randrange(3)
    claimant, other = ("x", "y") if rng.random() < 0.65 else ("y", "x")
    roles = rng.choice(PARTY_ROLES[case.province]) if "married" in flags else PARTY_ROLES[case.province][0]
    case.people[claimant].role, case.people[other].role = roles
    better, worse = ("x", "y") if "prefx" in flags else ("y", "x")
    case.values.update(p=claimant, q=other, g=better, b=worse)
    _stand_ins(case)
    voices = ["title", "title", "title", "role", "role", "role", "first", "mixed"]
    voices += ["parent"] * 2 * ("kids" in flags) + ["spouse"] * 2 * ("married" in flags)
    case.voice = rng.choice(voices)
    flags.add(f"v_{case.voice}")
    for key in "xy":
        case.people[f"{key}c"] = _officer_of_court(case, f"{key}c", "counsel")
    case.people["judge"] = _officer_of_court(case, "judge", "judge")
    case.people["judge1"] = _officer_of_court(case, "judge1", "judge")


def _stand_ins(case: Case) -> None:
    """Names for people a template needs but a case may not have, and who then takes their part."""
    holds = case.holds
    case.values.update(
        ynew2="ynew" if holds("ypart") else "ymum",
        ynew3="ynew" if holds("ypart") else "ysis",
        xnew2="xnew" if holds("xpart") else "xmum",
        teacher2="teacher" if holds("kids") else "neighbour",
        sitter2="neighbour" if holds("teens") else "sitter",
        yboss2="partner" if holds("company") else "yboss",
        keeper2="keeper" if holds("company") else "accountant",
        yct="y" if holds("selfrep") else "yc",
    )


def _officer_of_court(case: Case, key: str, kept: str) -> Person:
    female = case.rng.random() < 0.4
    surname, origin = case.drawer.surname(0.5)
    given = tuple(case.drawer.given(female, origin, 0.05) for _ in range(case.rng.choice((1, 2))))
    return Person(key, case.next_id(), given, surname, female, "Ms." if female else "Mr.", kept)
