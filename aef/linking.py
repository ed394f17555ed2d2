"""Which mentions name the same person: a small deterministic linker over titles, given names and surnames.

Full names come first and make the people; a surname or given name alone then joins the person that bears it. Where
the evidence tells two people apart (other given names, Mr. and Ms., Jr. and Sr.) they stay apart.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from aef import lexicons
from aef.corpus_tools.document import HEAD, Document, Mention
from aef.names import ORG, PERSON, Name, core, fold, guess_type, parse, usual_rank

_SHE = {"she", "her", "hers", "mother", "wife", "daughter", "sister", "aunt", "grandmother", "girlfriend", "stepmother"}
_HE = {"he", "his", "him", "father", "husband", "son", "brother", "uncle", "grandfather", "boyfriend", "stepfather"}


def link(document: Document) -> Document:
    """The document with an ``entity_id`` on every mention: equal ids for one person, organisation or thing.

    Ids that are there already stay, and their bearers take in further mentions. Overlapping mentions become one.
    """
    document = document.with_mentions(_apart(document.mentions))
    kinds = [kind_of(document, m) for m in document.mentions]
    ids = _Ids(m.entity_id for m in document.mentions)
    people = _People(document, ids)
    persons = [m for m, kind in zip(document.mentions, kinds, strict=True) if kind == PERSON]
    others = [(m, kind) for m, kind in zip(document.mentions, kinds, strict=True) if kind != PERSON]
    found = people.link(persons) | _link_things(document, others, ids)
    return document.with_mentions(replace(m, entity_id=m.entity_id or found[m.start, m.end]) for m in document.mentions)


def kind_of(document: Document, mention: Mention) -> str:
    """The mention's type, guessed from its shape where it has none."""
    return mention.entity_type or guess_type(document.text, mention.start, mention.end)


def _apart(mentions: Iterable[Mention]) -> list[Mention]:
    """The mentions in order, overlapping ones united under the longer one's type and entity."""
    united: list[Mention] = []
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        if united and mention.start < united[-1].end:
            last = united.pop()
            longer = mention if mention.end - mention.start > last.end - last.start else last
            mention = replace(longer, start=last.start, end=max(last.end, mention.end))
        united.append(mention)
    return united


class _Ids:
    """Names for entities that are not in use yet."""

    def __init__(self, used: Iterable[str | None]) -> None:
        self.used = set(used)

    def new(self, kind: str) -> str:
        number = 1
        while (name := f"{kind.lower()}-{number}") in self.used:
            number += 1
        self.used.add(name)
        return name


@dataclass
class _Person:
    key: str
    first: int
    names: list[Name] = field(default_factory=list)
    ranks: Counter[str] = field(default_factory=Counter)
    leaning: str | None = None
    party: bool = False

    @property
    def rank(self) -> str | None:
        """What most titles say; without a title, what the words around the name suggest."""
        return max(self.ranks, key=lambda r: (self.ranks[r], r)) if self.ranks else self.leaning

    def add(self, name: Name, times: int = 1) -> None:
        self.names.append(name)
        if name.rank:
            self.ranks[name.rank] += times

    def allows(self, rank: str | None) -> bool:
        return rank is None or self.rank == rank or (self.rank is None and rank != "judge")

    def agrees(self, name: Name, leaning: str | None) -> bool:
        full = [other for other in self.names if other.full]
        known = any((other.given, other.surname) == (name.given, name.surname) for other in full)
        return self.allows(name.rank) and (known or self.allows(leaning)) and all(_agree(name, o) for o in full)

    def relation(self, word: str) -> int:
        """How the person bears a single word: 3 as surname, 2 as first given name, 1 as another one, 0 not."""
        if any(word in (n.surname, *re.split(r"[- ]", n.surname)) for n in self.names if n.surname):
            return 3
        if any(n.given and n.given[0] == word for n in self.names):
            return 2
        return int(any(word in n.given for n in self.names))


class _People:
    """The persons of a document, made and found from their mentions."""

    def __init__(self, document: Document, ids: _Ids) -> None:
        self.text = document.text
        self.heads = [b for b in document.blocks if b.part == HEAD]
        self.ids = ids
        self.persons: dict[str, _Person] = {}

    def link(self, mentions: Sequence[Mention]) -> dict[tuple[int, int], str]:
        """The id of each mention's person, by the mention's offsets."""
        places: dict[Name, list[tuple[int, int]]] = defaultdict(list)
        for mention in mentions:
            name = parse(self.text, mention.start, mention.end)
            if mention.entity_id:
                self._person(mention.entity_id, mention.start).add(name)
            else:
                places[name].append((mention.start, mention.end))
        found = self._link_full({n: p for n, p in places.items() if n.full})
        found |= self._link_single({n: p for n, p in places.items() if not n.full})
        return {place: found[name] for name, where in places.items() for place in where}

    def _person(self, key: str, first: int) -> _Person:
        return self.persons.setdefault(key, _Person(key, first))

    def _link_full(self, places: Mapping[Name, list[tuple[int, int]]]) -> dict[Name, str]:
        """Full names, the most complete ones first: each joins the person it agrees with, or makes one."""
        found = {}
        for name in sorted(places, key=lambda n: (-sum(len(g) > 1 for g in n.given), -len(n.given), places[n][0])):
            leaning = None if name.rank else usual_rank(name) or _leaning(self.text, places[name])
            fitting = [p for p in self.persons.values() if p.agrees(name, leaning)]
            fitting.sort(key=lambda p: (-len(p.names), p.first))
            person = fitting[0] if fitting else self._person(self.ids.new(PERSON), places[name][0][0])
            person.add(name, len(places[name]))
            person.leaning = person.leaning or leaning
            person.first = min(person.first, places[name][0][0])
            person.party |= any(b.start <= start < b.end for start, _ in places[name] for b in self.heads)
            found[name] = person.key
        return found

    def _link_single(self, places: Mapping[Name, list[tuple[int, int]]]) -> dict[Name, str]:
        """Names of one word, those with a title first: each means one person throughout the document."""
        found = {}
        alone = {n.single for n in places if n.rank is None}
        for name in sorted(places, key=lambda n: (n.rank is None, -len(places[n]), places[n][0])):
            fitting = [p for p in self.persons.values() if p.relation(name.single) and p.allows(name.rank)]
            if fitting:
                person = max(fitting, key=lambda p: _preference(p, name, alone))
            else:
                person = self._person(self.ids.new(PERSON), places[name][0][0])
            person.add(name, len(places[name]))
            found[name] = person.key
        return found


def _preference(person: _Person, name: Name, alone: set[str]) -> tuple[bool | int, ...]:
    """Whom a word means when several bear it: one named in the head, one whose title fits, one not called by given
    name alone."""
    relation = person.relation(name.single)
    called = any(n.given and n.given[0] in alone for n in person.names) and not person.party
    fits = bool(person.ranks) and name.rank is not None and person.rank == name.rank
    rest = (person.rank != "judge", relation == 3 and not called, len(person.names), -person.first)
    return relation, person.party and relation == 3, fits, *rest


def _agree(a: Name, b: Name) -> bool:
    """Whether two full names can be one person's: "J. Green", "Joanne Green" and "Joanne Lynn Green" can."""
    if (a.suffix and b.suffix and a.suffix != b.suffix) or not _same(a.surname or "", b.surname or ""):
        return False
    short, long = sorted((a.given, b.given), key=len)
    rest = iter(long[1:])
    return _same(short[0], long[0]) and all(any(_same(word, other) for other in rest) for word in short[1:])


def _same(a: str, b: str) -> bool:
    """Equal words, or one the initial of the other."""
    return a == b or (min(len(a), len(b)) == 1 and a[:1] == b[:1])


def _leaning(text: str, places: Sequence[tuple[int, int]]) -> str | None:
    """Whether the words of kinship right before a name and the first pronoun after it tell a man or a woman."""
    count: Counter[str] = Counter()
    for start, end in places:
        before = re.findall(r"\w+", text[max(0, start - 40) : start].rpartition("\n")[2].rpartition(".")[2])[-2:]
        after = re.findall(r"\w+", text[end : end + 80].partition("\n")[0])
        for word in [*before, *before, *[w for w in after if w.lower() in {"he", "she"}][:1]]:
            count["f"] += word.lower() in _SHE
            count["m"] += word.lower() in _HE
    for rank, other in (("f", "m"), ("m", "f")):
        if count[rank] >= 2 and count[rank] >= 2 * count[other]:
            return rank
    return None


def _link_things(document: Document, mentions: Sequence[tuple[Mention, str]], ids: _Ids) -> dict[tuple[int, int], str]:
    """Organisations by name, legal form and articles aside, a short form joining the one long form it begins; the rest
    by equal text."""
    words = {(m.start, m.end): (kind, *_thing_words(document.text, m, kind)) for m, kind in mentions}
    known = {words[m.start, m.end]: m.entity_id for m, _ in mentions if m.entity_id}
    for key in sorted(set(words.values()), key=lambda k: (-len(k), k)):
        if key not in known:
            longer = {i for k, i in known.items() if k[0] == ORG and len(key) > 1 and k[: len(key)] == key}
            known[key] = longer.pop() if len(longer) == 1 else ids.new(key[0])
    return {place: known[key] or "" for place, key in words.items()}


def _thing_words(text: str, mention: Mention, kind: str) -> list[str]:
    start, end = core(text, mention.start, mention.end, kind)
    words = [fold(word) for word in text[start:end].split()]
    if kind == ORG:
        forms = {fold(w) for w in lexicons.load("legal_form")}
        while len(words) > 1 and words[-1] in forms:
            words.pop()
    return words
