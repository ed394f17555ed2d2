"""The cast of a ruling: who and what its templates may name, and what each slot of them becomes."""

from __future__ import annotations

import random

from aef.corpus_tools.invented.expand import RAISED, expand, filled
from aef.corpus_tools.invented.names import Namer, nicknames, origins
from aef.corpus_tools.invented.people import BAR, CLOSE, HIDDEN, OPEN, Person, habit, relations
from aef.corpus_tools.invented.prose import Banks, Kind, banks, listed

_CHILDREN = ("k1", "k2", "k3")
_KIN = ("xmum", "xdad", "xsis", "xbro", "ymum", "ydad", "ysis", "ybro", "xnew", "ynew")
_OTHERS = (
    *_KIN,
    "w1",
    "w2",
    "w3",
    "w4",
    "f1",
    "f2",
    "f3",
    "f4",
    "boss",
    "e1",
    "e2",
    "e3",
    "o1",
    "o2",
    "o3",
    "cx",
    "cy",
    "j2",
)
_ENTITIES = {"emp": "ORG", "co": "ORG", "school": "ORG", "addr": "LOC", "acct": "CODE", "phone": "CODE", "idno": "CODE"}
_CODES = {
    "acct": ("######", "##-##-## ########", "####-#####", "IBAN @@## #### #### ####"),
    "phone": ("0## ### ####", "###-###-####", "+## ### ######", "98########"),
    "idno": ("@@######", "@########", "### ### ###", "######-##-####", "##/@/####"),
}


class Cast:
    """The people and things of one ruling; they come into being when a template first names them."""

    def __init__(self, rng: random.Random, country: Banks, kind: Kind) -> None:
        self.rng, self.country, self.kind = rng, country, kind
        self.namer = Namer(rng, country["origins"])
        self.people: dict[str, Person] = {}
        self.rows: dict[str, str] = {}
        self.things: dict[str, str] = {}
        self.sides = tuple(rng.choice(country["sides"]).split("/"))
        self.company = "company" in kind.facts
        self.state = "state" in kind.facts
        self.nameable = [*_CHILDREN[: rng.randint(1, 3)]] if "kids" in kind.facts else []
        self.last_p = self.last_q = "x"
        self.body = False
        self.calling = rng.choice(("plain", "plain", "plain", "capital", "bare"))
        self.dated = rng.choice(country["date"])
        self.money_form = rng.choice(country["money"])
        others = rng.sample(_OTHERS, 9)
        self.pool = ["x"] * 4 + ([] if self.company or self.state else ["y"] * 4) + self.nameable * 2 + others

    # -- slots ---------------------------------------------------------------------------------------------------

    def text(self, template: str) -> str:
        """A template with all its slots filled; names stand in marks."""
        return expand(template, self.rng, self.fill)

    def fill(self, slot: str) -> str:
        """What a slot becomes. Raises `KeyError` for an unknown one."""
        possessive = slot.endswith("'s")
        key, _, form = slot.removesuffix("'s").partition(".")
        if key in ("p", "q"):
            key = self._somebody(key, bool(form))
        if key == "y" and (self.company or self.state):
            return self._body(possessive, form)
        if key in ("x", "y", *_CHILDREN) or key in relations():
            return self._refer(self.person(key), form, possessive)
        if key in _ENTITIES:
            return self._thing(key) + ("'s" if possessive else "")
        return self._bank(key)

    def _bank(self, name: str) -> str:
        """An entry of a bank, or digits (``n3``: three); ``_low`` and ``_cap`` change the first letter."""
        base, _, change = name.partition("_")
        if base == "n" or (base[0] == "n" and base[1:].isdigit()):
            return str(self.rng.randint(2 if base == "n1" else 10 ** (int(base[1:]) - 1), 10 ** int(base[1:]) - 1))
        method = getattr(self, f"_slot_{base}", None)
        value = str(method()) if method else self._entry(base)
        return (
            value if not change else value[0].lower() + value[1:] if change == "low" else value[0].upper() + value[1:]
        )

    def _entry(self, bank: str) -> str:
        """An entry of a bank; those of a country have no alternatives, their brackets are brackets."""
        if bank in self.country:
            return filled(self.rng.choice(self.country[bank]), self.fill)
        return self.text(self.rng.choice(banks()[bank]))

    def _somebody(self, slot: str, again: bool) -> str:
        """The person of ``p`` or ``q``: another one each time, unless asked in a form."""
        if again:
            return self.last_p if slot == "p" else self.last_q
        other = self.last_q if slot == "p" else self.last_p
        known = [k for k in self.pool if k in self.people]
        pool = known if len(set(known)) > 2 and self.rng.random() < 0.6 else self.pool
        key = self.rng.choice([k for k in pool if k != other] or ["x"])
        if slot == "p":
            self.last_p = key
        else:
            self.last_q = key
        return key

    # -- people --------------------------------------------------------------------------------------------------

    def person(self, key: str) -> Person:
        """The person of a key, born on first call."""
        if key not in self.people:
            self.people[key] = self._born(key)
        return self.people[key]

    def _born(self, key: str) -> Person:
        if key in ("x", "y"):
            return self._party(key)
        if key in _CHILDREN:
            last = self._family(self.rng.choice("xxy" if not (self.company or self.state) else "x"))
            female = self.rng.random() < 0.5
            return self._new(key, "child", female, last, ("the child", "the girl" if female else "the boy"))
        relation = relations()[key]
        female = relation.sex == "f" if relation.sex else self.rng.random() < 0.5
        family = "" if relation.family == "y" and (self.company or self.state) else relation.family
        last = self._family(family) if family and self.rng.random() < 0.65 else self._namesake(0.1)
        alone = self.company or self.state
        calls = tuple(c for c in relation.calls if not (alone and "{y" in c))
        if key[0] == "w" and "Constable" in self.country["police"]:
            calls = (*calls, self.rng.choice([f"PW-{key[1]}", f"PW{key[1]}", f"D.W.{key[1]}", calls[0]]))
        return self._new(key, relation.role, female, last, calls)

    def _party(self, key: str) -> Person:
        if key == "x" or "x" not in self.people:
            female = self.rng.random() < 0.5
        else:
            same = 0.1 if "kids" in self.kind.facts or "couple" in self.kind.facts else 0.5
            female = self.people["x"].female == (self.rng.random() < same)
        other = self.people.get("y" if key == "x" else "x")
        shared = other and "couple" in self.kind.facts and self.rng.random() < 0.45
        calls = self.kind.facts.get(f"{key}.{'f' if female else 'm'}", ("",))
        side = self.sides[0 if key == "x" else 1].replace("-", " ").lower()
        return self._new(
            key, "party", female, other.name.last if shared and other else "", (*calls, f"the {side}", f"the {side}")
        )

    def _family(self, key: str) -> str:
        return self.person(key).name.last

    def _namesake(self, share: float) -> str:
        """Now and then the surname of somebody already there."""
        known = list(self.people.values())
        return self.rng.choice(known).name.last if known and self.rng.random() < share else ""

    def _new(self, id: str, role: str, female: bool, last: str = "", calls: tuple[str, ...] = ()) -> Person:
        rng = self.rng
        name = self.namer.name(female, last)
        person = Person(
            id, role, female, name, self._title(id, role, female), habit(role, rng), tuple(filter(None, calls))
        )
        person.age = rng.randint(2, 17) if role == "child" else rng.randint(22, 79)
        person.born = self._slot_date()
        person.nick = rng.choice(
            [rng.choice(nicknames()), name.first[: rng.randint(3, 4)] + rng.choice(["", "y", "ie", "i", "a"])]
        )
        person.judge_form = rng.choice(self.country["judgeform"])
        letters = name.initials if len(name.initials) > 2 else f"{name.initials}{rng.choice('BCDKLMRST')}."
        first = name.first[0]
        person.notes["init"] = rng.choice(
            [letters, letters, letters.replace(".", ""), f"{first}." if role == "child" else letters]
        )
        self.rows[id] = f"{id} | PERSON | {role} | {'hide' if role in HIDDEN else 'show'} | {name.full}"
        self.rows[f"{id}b"] = f"{id}b | DATETIME | | hide | {person.born}"
        return person

    def _title(self, id: str, role: str, female: bool) -> str:
        rng = self.rng
        if role == "expert" and rng.random() < 0.65:
            return rng.choice(["Dr.", "Dr", "Prof.", "Professor", "Dr."])
        if id == "o2":
            return rng.choice(self.country["police"])
        if role not in ("party", "child") and rng.random() < 0.05:
            return self._entry("clergy")
        return rng.choice(self.country["ms" if female else "mr"])

    def _refer(self, person: Person, form: str, possessive: bool) -> str:
        if form:
            surface = person.named(form)
        else:
            surface = self._call(person) if person.introduced else self._introduce(person, possessive)
        if not possessive:
            return surface
        return surface + (self.rng.choice(["'", "'s"]) if f"s{BAR}" in surface else "'s")

    def _call(self, person: Person) -> str:
        form = person.draw_form(self.rng)
        if form != "role":
            return person.named(form)
        return self._raised(self._styled(self.text(self.rng.choice(person.calls))))

    def _styled(self, call: str) -> str:
        """ "the mother", "the Mother" or "Mother", as the ruling has it."""
        first, _, rest = call.partition(" ")
        call = f"the {rest}" if first in ("a", "an") and rest else call
        if self.calling == "plain" or OPEN in call or not call.startswith("the "):
            return call
        bare = call.removeprefix("the ").title().replace("'S", "'s")
        return f"the {bare}" if self.calling == "capital" else bare

    def _raised(self, call: str) -> str:
        """What stands for a name, with a capital where it begins a sentence; names and marks keep theirs."""
        return RAISED + call if call[:1].islower() else call

    def _introduce(self, person: Person, possessive: bool) -> str:
        """The person named for the first time."""
        person.introduced = True
        if possessive:
            return person.named(self.rng.choice(["full", "tfull", "title", "full"]))
        bank = person.role if person.role in ("party", "child") else "other"
        template = self.rng.choice(banks()["introplain" if self.rng.random() < 0.4 else f"intro{bank}"])
        return self._about(person, template)

    def _about(self, person: Person, template: str) -> str:
        """A template in which ``me`` is the person, ``Call`` what stands for the name."""
        call = self.text(self.rng.choice(person.calls or ("the child",)))
        short = self.rng.choice([person.named("first"), person.named("title"), person.named("last"), call])
        said = {"call": call, "Call": self._raised(call), "short": short}

        def fill(slot: str) -> str:
            key, _, form = slot.partition(".")
            return self.fill(slot) if key != "me" else said[form] if form in said else person.named(form)

        return expand(template, self.rng, fill)

    def _body(self, possessive: bool, form: str) -> str:
        """The second party where it is no person: a company or an authority."""
        if form in ("he", "him", "his", "self"):
            return RAISED + {"he": "it", "him": "it", "his": "its", "self": "itself"}[form]
        name = self._thing("co") if self.company else self._once("authority")
        called = self.rng.choice([name, name, f"{RAISED}the {self.sides[1].lower()}"]) if not form else name
        return self._raised(called) + ("'s" if possessive else "")

    # -- things --------------------------------------------------------------------------------------------------

    def _thing(self, key: str) -> str:
        """A hidden organisation, address or number, the same throughout the ruling."""
        if key not in self.things:
            pool = {"emp": "orgname", "co": "orgname", "school": "schoolname", "addr": "street"}
            code = self._digits(self.rng.choice(_CODES[key])) if key in _CODES else ""
            self.things[key] = code or self._bank(pool[key])
            kind = _ENTITIES[key]
            self.rows[key] = f"{key} | {kind} | | hide | {self.things[key]}"
        return f"{OPEN}{self.things[key]}{BAR}{key}{CLOSE}"

    def _once(self, bank: str) -> str:
        if bank not in self.things:
            self.things[bank] = self._bank(bank)
        return self.things[bank]

    def _digits(self, pattern: str) -> str:
        rng = self.rng
        signs = {"#": "0123456789", "@": "ABCDEFGHJKLMNPRSTUVWXYZ"}
        return "".join(rng.choice(signs[c]) if c in signs else c for c in pattern)

    def _slot_acro(self) -> str:
        return "".join(self.rng.choices("ABCDEFGHIJKLMNOPRSTUVWY", k=self.rng.randint(2, 5)))

    def _slot_docket(self) -> str:
        return self._digits(self.rng.choice(self.country["docket"]))

    def _slot_statute(self) -> str:
        """A statute of the country or, for two in five, one of nowhere."""
        return self._entry("titled" if self.rng.random() < 0.4 else "statute")

    def _slot_court(self) -> str:
        return filled(self._template("court"), self.fill)

    def _template(self, bank: str) -> str:
        if f"t:{bank}" not in self.things:
            self.things[f"t:{bank}"] = self.rng.choice(self.country[bank])
        return self.things[f"t:{bank}"]

    def _slot_town(self) -> str:
        return self.rng.choice(self.country["town"]) if self.rng.random() < 0.3 else self._slot_placeword()

    def _slot_placeword(self) -> str:
        draw = self.rng.random()
        if draw < 0.3:
            return self._entry("place")
        if draw < 0.4:
            return self._slot_nameword()
        if draw < 0.85:
            return self._entry("newplace")
        return self.rng.choice(self.country["town"])

    def _slot_made(self) -> str:
        return self.namer.made_up("s")

    def _slot_nameword(self) -> str:
        """A name of a person in the name of something else."""
        known = list(self.people.values())
        if known and self.rng.random() < 0.04:
            return self.rng.choice(known).name.last
        return self.namer.word("s", self.namer.origin())

    def _slot_given(self) -> str:
        origin = self.namer.origin()
        return self.rng.choice(origins()[origin][self.rng.choice("fm")])

    def _slot_date(self) -> str:
        return filled(self.dated, self.fill)

    def _slot_money(self) -> str:
        return filled(self.money_form, self.fill)

    def _slot_k(self) -> str:
        least, most, unit = self.rng.choice([(20, 999, 1), (1000, 99000, 1), (2, 90, 1000)])
        return f"{self.rng.randint(least, most) * unit:,}"

    def _slot_MONTH(self) -> str:
        return self._entry("Month").upper()

    def _slot_Mon(self) -> str:
        return self._entry("Month")[:3]

    def _slot_d(self) -> str:
        return str(self.rng.randint(4, 20))

    def _slot_dd(self) -> str:
        return f"{self.rng.randint(1, 28):02}"

    def _slot_m(self) -> str:
        return str(self.rng.randint(1, 12))

    def _slot_mm(self) -> str:
        return f"{self.rng.randint(1, 12):02}"

    def _slot_y4(self) -> str:
        return str(self.rng.randint(1996, 2024))

    def _slot_yy(self) -> str:
        return f"{self.rng.randint(0, 24):02}"

    def _slot_side(self) -> str:
        return self.sides[0]

    def _slot_sidex(self) -> str:
        return self.sides[0]

    def _slot_sidey(self) -> str:
        return self.sides[1]

    def _slot_frame(self) -> str:
        return self.text(self.rng.choice(listed("frames")))

    def _slot_kids(self) -> str:
        """The children by their first names, joined."""
        names = [self._refer(self.person(k), "first", False) for k in self.nameable]
        return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]

    def _slot_both(self) -> str:
        """The parties together: "Mr. and Ms. Hale", "Anna and Tom"."""
        x, y = self.person("x"), self.person("y")
        x.introduced = y.introduced = True
        if x.name.last == y.name.last and x.title and y.title and self.rng.random() < 0.6:
            return f"{x.title} and {y.named('title')}"
        form = self.rng.choice(["first", "title", "last", "full"])
        return f"{x.named(form)} and {y.named(form)}"

    # -- cited cases, judges and authors ---------------------------------------------------------------------------

    def _nobody(self, role: str) -> Person:
        id = f"{role}{sum(k.startswith(role) for k in self.people)}"
        self.people[id] = self._new(id, role, self.rng.random() < 0.3, self._namesake(0.12))
        return self.people[id]

    def _slot_P(self) -> str:
        """A party of a cited case."""
        form = "full" if self.rng.random() < (0.5 if self.country["judgeform"][0].endswith("{}") else 0.15) else "last"
        return self._nobody("cited").named(form)

    def _slot_shortcite(self) -> str:
        cited = [p for p in self.people.values() if p.role == "cited"]
        return self.rng.choice(cited).named("last") if cited else self._bank("cite")

    def _slot_J(self) -> str:
        known = [p for p in self.people.values() if p.role == "judge" and p.id != "j"]
        person = self.rng.choice(known) if known and self.rng.random() < 0.35 else self._nobody("judge")
        return person.named("judge")

    def _slot_A(self) -> str:
        person = self._nobody("author")
        return self.rng.choice(["", "Professor ", "Dr ", "Prof. ", ""]) + person.named(
            self.rng.choice(["full", "last", "initlast"])
        )
