"""Which mentions name the same person, organisation or thing.

`link` is what `aef anonymize` does with what it found, and `extended` with what it finds of these people afterwards;
`relink` is for the mentions of a corpus, which stay as they are. Persons are linked by `aef.linking.people`, or by
another function of the same form (`aef.linking.published_method`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import Any

from aef import lexicons
from aef.corpus_tools.document import Document, Mention
from aef.linking.people import People, by_recency
from aef.linking.person import Person, Place
from aef.names.entity import CANDIDATES, MEMBERS
from aef.names.parts import ORG, PERSON, core, fold, guess_type, name_words
from aef.names.person_name import is_given
from aef.names.pieces import whole
from aef.names.titles import titles

__all__ = [
    "CANDIDATES",
    "MEMBERS",
    "PersonLinker",
    "default",
    "extended",
    "kind_of",
    "link",
    "relink",
    "unsure",
]

PersonLinker = Callable[[Document, Sequence[Mention]], dict[Place, Person]]
"""The person of each mention, by its place."""

_AND = re.compile(r"(?<!\s)\s+(and|&|et|y|e)\s+")
_STROKE = re.compile(r"(?<=[^\W\d_]{3})/(?=[^\W\d_]{3})")
"""What parts two names, "Roe/Barrow", but not "Siti a/p Ahmad" or "Ann Roe d/o Ram"."""


def link(document: Document) -> Document:
    """The document with an ``entity_id`` on every mention: equal ids for one person, organisation or thing.

    Ids that are there already stay, and their bearers take in further mentions. Overlapping mentions become one, and so
    do pieces of one name ("ROSE, William"); one of two people ("Pedro y Juan Pérez") becomes two. See `unsure` for the
    mentions that may be of several people.
    """
    apart = [part for mention in whole(document, _apart(document.mentions)) for part in _parts(document, mention)]
    return _linked(document.with_mentions(apart), default)


def extended(document: Document, mentions: Iterable[Mention]) -> Document:
    """A linked document with these mentions, its own and further ones of the same people; overlapping ones become one.

    A further one without an ``entity_id`` names one of its ``candidates``: it is of the entity of those that may name
    the same, or of a new one.
    """
    found = _apart(mentions)
    ids = _Ids(m.entity_id for m in (*document.mentions, *found))
    doubts = {_doubt(document, m): m.entity_id for m in unsure(document)}
    for doubt in (_doubt(document, m) for m in found if not m.entity_id):
        doubts[doubt] = doubts.get(doubt) or ids.new(PERSON)
    return document.with_mentions(replace(m, entity_id=m.entity_id or doubts[_doubt(document, m)]) for m in found)


def _doubt(document: Document, mention: Mention) -> tuple[str, frozenset[str]]:
    """What mentions share that may name the same people: the words, and who they are."""
    words = (fold(word) for word in name_words(document.cut(mention)))
    known = titles(document.language)
    return " ".join(word for word in words if word not in known), frozenset(mention.extra.get(CANDIDATES, ()))


def relink(document: Document, linker: PersonLinker | None = None) -> Document:
    """The document's mentions, each where it was, with entity ids anew; persons by ``linker`` (default: ours)."""
    plain = (
        replace(m, entity_id=None, extra={k: v for k, v in m.extra.items() if k not in (CANDIDATES, MEMBERS)})
        for m in document.mentions
    )
    return _linked(document.with_mentions(plain), linker or default)


def default(document: Document, mentions: Sequence[Mention]) -> dict[Place, Person]:
    """The default linker of persons."""
    return People(document).link(mentions)


def kind_of(document: Document, mention: Mention) -> str:
    """The mention's type, guessed from its shape where it has none."""
    return mention.entity_type or guess_type(document.text, mention.start, mention.end)


def unsure(document: Document) -> list[Mention]:
    """The mentions of a linked document that may name several people: somebody must decide whom."""
    return [mention for mention in document.mentions if mention.extra.get(CANDIDATES)]


def _linked(document: Document, linker: PersonLinker) -> Document:
    ids = _Ids(m.entity_id for m in document.mentions)
    kinds = [kind_of(document, m) for m in document.mentions]
    persons = [m for m, kind in zip(document.mentions, kinds, strict=True) if kind == PERSON]
    parts = {(m.start, m.end): _parts(document, m) for m in persons}
    single = {(part.start, part.end): part for pieces in parts.values() for part in pieces}
    found = linker(document, [single[place] for place in sorted(single)])
    for place in sorted(found):
        found[place].key = found[place].key or ids.new(PERSON)
    others = [(m, kind) for m, kind in zip(document.mentions, kinds, strict=True) if kind != PERSON]
    things = _link_things(document, others, ids)
    several = _Several(ids)
    return document.with_mentions(
        several.decided(m, [found[p.start, p.end] for p in parts[m.start, m.end]])
        if kind == PERSON
        else replace(m, entity_id=m.entity_id or things[m.start, m.end])
        for m, kind in zip(document.mentions, kinds, strict=True)
    )


class _Ids:
    """Names for entities that are not in use yet."""

    def __init__(self, used: Iterable[str | None]) -> None:
        self.used = set(used)
        self.numbers: dict[str, Iterable[int]] = {}

    def new(self, kind: str) -> str:
        numbers = self.numbers.setdefault(kind, count(1))
        return next(name for n in numbers if (name := f"{kind.lower()}-{n}") not in self.used)


class _Several:
    """The mentions with what was found; one that names several people has an entity of its own."""

    def __init__(self, ids: _Ids) -> None:
        self.ids = ids
        self.groups: dict[frozenset[str], str] = {}

    def decided(self, mention: Mention, people: Sequence[Person]) -> Mention:
        if mention.entity_id:
            return mention
        if len(people) == 1:
            key, data = people[0].key, _candidates(people[0], (mention.start, mention.end))
        else:
            members = [person.key or "" for person in people]
            key = self.groups.get(frozenset(members)) or self.ids.new(PERSON)
            self.groups[frozenset(members)] = key
            data = {MEMBERS: members}
        return replace(mention, entity_id=key, extra={**mention.extra, **data} if data else mention.extra)


def _candidates(person: Person, place: Place) -> dict[str, Any]:
    keys = [candidate.key or "" for candidate in by_recency(person.candidates, place)]
    return {CANDIDATES: keys} if keys else {}


# --- mentions that overlap, or name two people ----------------------------------------------------------------------


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


def _parts(document: Document, mention: Mention) -> list[Mention]:
    """The mention, or one for each person where it names several: "Pedro y Juan Pérez", not "Ortega y Gasset"."""
    text = document.cut(mention)
    if mention.entity_id or kind_of(document, mention) != PERSON:
        return [mention]
    if stroke := _STROKE.search(text):
        low, high = mention.start + stroke.start(), mention.start + stroke.end()
        return [*_parts(document, replace(mention, end=low)), *_parts(document, replace(mention, start=high))]
    for match in _AND.finditer(text):
        if _two(text[: match.start()], text[match.end() :], match[1], document.language):
            first = replace(mention, end=mention.start + match.start())
            return [*_parts(document, first), replace(mention, start=mention.start + match.end())]
    return [mention]


def _two(before: str, behind: str, joint: str, language: str) -> bool:
    """Whether these are two people: two full names, or two given names and perhaps the surname of both."""
    left, right = ([w for w in name_words(side) if fold(w) not in titles(language)] for side in (before, behind))
    if not left or not right or not all(words[0][0].isupper() for words in (left, right)):
        return False
    if len(left) == 1:
        return is_given(fold(left[0])) and (len(right) > 1 or is_given(fold(right[0])))
    return len(right) > 1 and (joint in ("and", "&", "et") or is_given(fold(right[0])))


# --- organisations and things ---------------------------------------------------------------------------------------


def _link_things(document: Document, mentions: Sequence[tuple[Mention, str]], ids: _Ids) -> dict[Place, str]:
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
