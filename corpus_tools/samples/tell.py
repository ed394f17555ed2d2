"""Templates into pieces of text, each piece knowing what it names: offsets of mentions are exact by construction.

What a template may hold beside prose and the marks of `expand`:

- ``*text*``: italics;
- ``{x}``: a reference to a person in this judge's manner; ``{x's}``, ``{x.full}``, ``{x.he}``: see `forms`;
- ``{co}``: an organisation (``{co.short}`` what people call it); ``{x.emp}``: a party's employer;
- ``{d.sep}``, ``{my.sep~trial}``, ``{$300-900}``, ``{n2-9}``, ``{kids}``, ``{cite}``: see `slots`;
- ``{support}``: a sum of the case.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import dataclass, field

from aef.corpus_tools.samples.case import VOICES, Case
from aef.corpus_tools.samples.expand import expand
from aef.corpus_tools.samples.forms import FORMS, by_gender
from aef.corpus_tools.samples.people import OMISSION, RELATIONS, Organisation, Person
from aef.corpus_tools.samples.pieces import Piece, money
from aef.corpus_tools.samples.slots import PLACES, SLOTS, drawn, listed

_PART = re.compile(r"\{([^{}]+)\}|(\*)|([^{}*]+)")
_SENTENCE_END = re.compile(r"(?:^|[a-z]{2}|[\d)\"'%])[.?!][\"')]*\s+[\"(]*$")
_SENTENCE_BREAK = re.compile(r"[.?!][\"')]*\s")
_ORGANISATIONS = ("co", "school", "school2", "school3", "daycare", "club", "congregation", "broker", "xemp", "yemp",
                  "xemp2", "co3")  # fmt: skip
_CLOSING = ("", *".,;:)?!")
_DRAFTS = 5
_PRONOUNS = 0.8
_LATER = {  # third persons after their first mention: title and surname, full name, first name
    "child": (0, 4, 96), "family": (40, 14, 46), "other": (74, 24, 2), "kept": (84, 16, 0),
}  # fmt: skip


def _sentences(flat: str) -> list[str]:
    return [sentence for sentence in re.split(r"(?<=[.?!])\s+", flat) if " " in sentence]


@dataclass
class Teller:
    """Tells one ruling: remembers who has been named, and who was last named in the running sentence."""

    case: Case
    rng: random.Random
    named: set[str] = field(default_factory=set)
    focus: str = ""
    opening: bool = True
    recent: dict[bool, str] = field(default_factory=dict)  # the last woman and man of the block, if clear
    sentence: dict[bool, set[str]] = field(default_factory=dict)  # those in the running sentence
    last_case: str = ""
    child: str = "k1"
    heard: Counter[str] = field(default_factory=Counter)  # sentences of the batch's earlier rulings
    said: list[str] = field(default_factory=list)  # sentences of this ruling

    def tell(self, template: str) -> list[Piece]:
        """The pieces of one block."""
        self.opening, self.focus, self.recent, self.sentence = True, "", {}, {}
        flat, italic = self._fresh(template), False
        pieces: list[Piece] = []
        for part in _PART.finditer(flat):
            italic ^= bool(part[2])
            told = self._slot(part[1], flat[part.end() :]) if part[1] else [Piece(part[3] or "")]
            for piece in told:
                piece.italic |= italic
            pieces += self._opened([piece for piece in told if piece.text])
            self._follow(part[3] or "")
        return pieces

    def _fresh(self, template: str) -> str:
        """The template decided in the way that repeats least of what was said in this ruling and the earlier ones."""
        drafts = [expand(template, self.rng, self.case) for _ in range(_DRAFTS if "[" in template else 1)]
        told = min(drafts, key=lambda flat: sum(self.heard[s] + 2 * (s in self.said) for s in _sentences(flat)))
        self.said += _sentences(told)
        return told

    def choose_child(self, topic: str = "") -> None:
        """Whom ``{k}`` means from here on: somebody old enough to be spoken of, in matters of school the eldest."""
        trial = self.case.dates["trial"].year
        able = [child.key for child in self.case.children if trial - child.born.year > 4]
        if able:
            self.child = able[0] if topic == "schooling" else self.rng.choice(able)

    def _opened(self, pieces: list[Piece]) -> list[Piece]:
        """A capital where the sentence begins."""
        if self.opening and pieces:
            text = pieces[0].text
            first = next((i for i, c in enumerate(text) if c.isalnum()), len(text))
            pieces[0].text = text[:first] + text[first : first + 1].upper() + text[first + 1 :]
            self.opening = not any(map(str.isalnum, pieces[0].text))
        return pieces

    def _follow(self, text: str) -> None:
        if _SENTENCE_BREAK.search(text):
            self.focus, self.sentence = "", {}
        if text and _SENTENCE_END.search(text):
            self.opening = True

    # slots

    def _slot(self, name: str, following: str) -> list[Piece]:
        owner = name.endswith("'s")
        if pronoun := self._pronoun(name.removesuffix("'s"), owner):
            return pronoun
        pieces = self._resolve(name.removesuffix("'s"), owner, following)
        return [*pieces, Piece(self._possessive(pieces[-1]))] if owner else pieces

    def _possessive(self, piece: Piece) -> str:
        """An apostrophe alone after a plural, and after names in s where the judge likes it so."""
        name = piece.entity_id or piece.kept
        return "'" if piece.text.endswith("s") and (not name or self.case.cells == 2) else "'s"

    def _resolve(self, name: str, owner: bool, following: str) -> list[Piece]:
        if (pieces := drawn(self, name)) is not None:
            return pieces
        if name in SLOTS:
            return SLOTS[name](self)
        if name in self.case.amounts:
            return [Piece(money(self.case.amounts[name]))]
        if name in PLACES:
            return [Piece(self.case.values[name], kept="place")]
        return self._named(*name.partition(".")[::2], owner, following)

    def _named(self, key: str, form: str, owner: bool, following: str) -> list[Piece]:
        if key == "parties":
            return self._parties()
        if form == "emp" or key == "co2":
            key, form = self._employer("y" if key == "co2" else key), ""
        if key in _ORGANISATIONS:
            return self._organisation(self.case.organisation(key), form)
        if key == "days":
            return [Piece(self.case.values[key])]
        person = self.case.person(self.child if key == "k" else key)
        return self.say(person, form) if form else self._refer(person, owner, following)

    def _pronoun(self, key: str, owner: bool) -> list[Piece]:
        """At the beginning of a sentence, often a pronoun for whom the block spoke of last."""
        person = self.case.people.get(self.case.values.get(key, key))
        same = person and self.opening and self.recent.get(person.female) == person.key
        if not person or not same or self.rng.random() > _PRONOUNS:
            return []
        self.note(person)
        return [Piece(by_gender("his" if owner else "he", person))]

    def _employer(self, key: str) -> str:
        party = self.case.person(key).key
        return "co" if party == "y" and self.case.holds("company") else f"{party}emp"

    # people

    def say(self, person: Person, form: str) -> list[Piece]:
        """A person in a given form."""
        return FORMS[form](self, person)

    def name_piece(self, person: Person, text: str) -> Piece:
        """A stretch of text that is a person's name, or part of it."""
        self.named.add(person.key)
        self.note(person)
        return Piece(text, kept=person.kept) if person.kept else Piece(text, person.entity_id, "PERSON")

    def hidden(self, text: str, kind: str, entity: str, shown: str = OMISSION) -> Piece:
        """A stretch of text that is replaced by ``shown``."""
        return Piece(text, entity, kind, shown)

    def case_name(self) -> str:
        """The name of a case of our own making; now and then a party of it bears the surname of one of ours."""
        draw, people = self.case.drawer.surname, self.case.people
        ours = people[self.rng.choice("xy")].last
        first = ours if ours.isalpha() and ours not in self.named and self.rng.random() < 0.15 else draw()[0]
        self.named.add(first)
        self.last_case = f"{first} v. {first if self.rng.random() < 0.5 else draw()[0]}"
        return self.last_case

    def _parties(self) -> list[Piece]:
        if self.rng.random() < 0.6:
            return [Piece("the parties")]
        pair = [self.case.people[key] for key in self.rng.sample("xy", 2)]
        return listed([self._refer(person, False, ",") for person in pair])

    def _refer(self, person: Person, owner: bool, following: str) -> list[Piece]:
        new = person.key not in self.named
        if new and person.relation:
            pieces = self._introduce(person, owner, following)
        elif person.key in "xy":
            pieces = self.say(person, "full" if new else self._party_form())
        else:
            pieces = self.say(person, self._later_form(person))
        self.note(person)
        return pieces

    def note(self, person: Person) -> None:
        """Somebody is spoken of."""
        self.focus = person.key
        self.sentence.setdefault(person.female, set()).add(person.key)
        self.recent[person.female] = person.key if len(self.sentence[person.female]) == 1 else ""

    def _party_form(self) -> str:
        weights = dict(VOICES[self.case.voice])
        if not self.case.holds("kids"):
            weights.pop("parent", None)
        return self.rng.choices(list(weights), list(weights.values()))[0]

    def _later_form(self, person: Person) -> str:
        if person.kept == "judge":
            return "title"
        if not person.child and any(other is not person and (other.title, other.last) == (person.title, person.last)
                                    for other in self.case.people.values()):  # fmt: skip
            return self.rng.choice(("full", "first"))
        kind = "child" if person.child else "kept" if person.kept else "family" if person.key[0] in "xy" else "other"
        return self.rng.choices(("title", "full", "first"), _LATER[kind])[0]

    def _introduce(self, person: Person, owner: bool, following: str) -> list[Piece]:
        """The first mention of a third person: name and relation, with the commas they need."""
        relation = RELATIONS[person.key]
        name = "titled" if person.title in ("Dr.", "Rev.") or person.kept == "police" else "full"
        if person.kept == "police" or (owner and relation.after):
            return self.say(person, name)
        close = "" if following[:1] in _CLOSING else ","
        if relation.after:
            return [*self.say(person, name), Piece(", "), *self._relation(relation.phrase), Piece(close)]
        phrase = self._relation(relation.phrase)
        if owner or ("{" in relation.phrase and close and self.rng.random() < 0.3):
            return [*phrase, Piece(" "), *self.say(person, name)]
        return [*phrase, Piece(", "), *self.say(person, name), Piece(close)]

    def _relation(self, phrase: str) -> list[Piece]:
        """ "Her sister" where the sentence has just named her, "Ms. Green's sister" elsewhere."""
        before, _, rest = phrase.partition("{") if "'s}" in phrase else (phrase, "", "")
        slot, _, after = rest.partition("'s}")
        if not slot:
            return [Piece(before)]
        owner = self.case.person(slot)
        if owner.key == self.focus or (not before and self.recent.get(owner.female) == owner.key):
            return [Piece(before), Piece(by_gender("hers" if before else "his", owner)), Piece(after)]
        plain = "bare" if owner.child or self.case.voice == "first" else "title"
        named = self.say(owner, plain) if owner.key in self.named else self._refer(owner, True, "")
        return [Piece(before), *named, Piece(self._possessive(named[-1])), Piece(after)]

    # organisations

    def _organisation(self, body: Organisation, form: str) -> list[Piece]:
        new = body.key not in self.named
        self.named.add(body.key)
        short = self.hidden(body.core, "ORG", body.entity_id, body.short_replacement)
        if form == "short" or (not form and not new and self.rng.random() < 0.55):
            return [short]
        full = [self.hidden(body.hidden, "ORG", body.entity_id, body.replacement), Piece(f" {body.tail}")]
        if new and body.key == "co" and not form and self.rng.random() < 0.4:
            full += [Piece(' ("'), short, Piece('")')]
        return full
