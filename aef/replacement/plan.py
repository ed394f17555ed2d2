"""What stands in the place of what is hidden: the plan of edits, with labels by one of several schemes.

The schemes are in `aef.replacement.schemes`. Here is what all have in common: titles, possessives, articles, plurals
and capitals stay, a period is not doubled, neighbours become one.

At the end of a sentence the house prints the period of the initials and that of the sentence ("an infant child,
W.M.. W.M. was born", AEF thesis, Table 1.6); we print one period, as a reader expects.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import pairwise
from random import Random

from aef import lexicons
from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import CANDIDATES, MEMBERS, kind_of, link
from aef.names import suffixes as name_suffixes
from aef.names.entity import Entity
from aef.names.inflection import bare_possessive, ending, family, in_capitals, inflected, plural_label
from aef.names.parts import DATETIME, PERSON, core, fold, name_words
from aef.names.person_name import parse
from aef.replacement.schemes import MARKS, OMISSION, SCHEMES, Naming, labelled, resolve
from aef.roles.entity_types import follows_birth

__all__ = [
    "NOTHING",
    "OMISSION",
    "SCHEMES",
    "Edit",
    "Entity",
    "Memory",
    "entities",
    "labels_of",
    "linked",
    "plan",
]

_JOINTS = " \u00a0-‐‑–—,;/"
_PERSON_JOINTS = frozenset(("", " ", "\u00a0", "-", "‐", "‑"))
_YEAR = r"(?:1[89]|20)\d\d\b"
_YEAR_AFTER = re.compile(rf",?\s+(?={_YEAR})")
_YEAR_LAST = re.compile(rf"(.*[\s,/.-])({_YEAR})", re.DOTALL)

LABEL = "called"
"""Of a mention's further data: what somebody told its entity to be called."""

_TITLED = 10**6
"""A title outweighs what given names suggest, however often."""


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters ``start`` to ``end`` are replaced; of which entity and type they told, and what that is called.

    The ``replacement`` is the ``label`` as it has to be in this place: with an ending, in capitals, without its period.
    """

    start: int
    end: int
    replacement: str
    entity_id: str
    type: str
    label: str = ""


@dataclass(frozen=True)
class Memory:
    """What the case of a ruling tells.

    labels : by entity id, of those in this ruling that have one. others : all people and things of the case that have
    one, and that. words : the words of the case's other rulings that a label might be mistaken for.
    doubtful : by entity id and form, the labels of people of the case whom that short name may mean as well.
    """

    labels: Mapping[str, str]
    others: tuple[tuple[Entity, str], ...] = ()
    words: str = ""
    doubtful: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)


NOTHING = Memory({})


def plan(
    document: Document,
    scheme: str = "initials",
    *,
    seed: int = 0,
    keep_initials: bool = False,
    known: Memory = NOTHING,
    hidden: Sequence[Entity] | None = None,
) -> list[Edit]:
    """The edits that hide the document's mentions, in order and without overlap.

    Mentions without an entity id are linked first. What is random is the ``seed``'s; ``keep_initials`` is for
    pseudonyms; ``hidden`` are the document's entities, where they are known. Raises `InputError` for an unknown scheme.
    """
    scheme = resolve(scheme)
    document = linked(document)
    pieces = _joined(document.text, [p for mention in document.mentions for p in _pieces(document, mention)])
    hidden = entities(document) if hidden is None else hidden
    if told := {m.entity_id or "": str(m.extra[LABEL]) for m in document.mentions if LABEL in m.extra}:
        others = ((e, told[e.entity_id]) for e in hidden if e.entity_id in told)
        known = replace(known, labels={**known.labels, **told}, others=(*known.others, *others))
    new = [e for e in hidden if e.entity_id not in known.labels]
    clear = _clear(document.text, pieces)
    text = f"{document.text}\n{known.words}"
    naming = Naming(text, clear, Random(f"{seed} {scheme}"), document.language, keep_initials, known.others)
    labels = {**labelled(scheme, new, naming), **known.labels}
    writer = _Writer(document, {e.entity_id: e for e in hidden}, labels)
    return _without_doubles(document.text, map(writer.edit, pieces))


def linked(document: Document) -> Document:
    """The document with entity ids on all mentions; in Romanian, over the cases of a name."""
    done = _readable(document)
    done = done if _is_linked(done) else link(done)
    if document.language != "ro":
        return done
    same = _by_cases(entities(done))
    mentions = (replace(m, entity_id=same.get(m.entity_id or "", m.entity_id)) for m in done.mentions)
    return done.with_mentions(mentions).in_language("ro")


def _is_linked(document: Document) -> bool:
    """Whether linking would leave the mentions as they are: all have ids, and none overlap."""
    apart = all(left.end <= right.start for left, right in pairwise(document.mentions))
    return apart and all(mention.entity_id for mention in document.mentions)


def _readable(document: Document) -> Document:
    """The document in a language that there are word lists for."""
    return document.in_language(_with_lists(document.language))


@cache
def _with_lists(language: str) -> str:
    return language if language in lexicons.languages() else "en"


def _by_cases(found: Sequence[Entity]) -> dict[str, str]:
    """The entity that an inflected name's own entity is, by its id, where there is one and no other."""
    same: dict[str, str] = {}
    for one in found:
        bases = [
            other.entity_id
            for other in found
            if other.type == one.type and any(inflected(a, b) for a in one.forms for b in other.forms)
        ]
        if len(bases) == 1 and bases[0] != one.entity_id:
            same[one.entity_id] = same.get(bases[0], bases[0])
    return same


def labels_of(edits: Iterable[Edit]) -> dict[str, str]:
    """The labels by entity id."""
    return {edit.entity_id: edit.label for edit in edits}


def entities(document: Document) -> list[Entity]:
    """What is hidden, in the order it first comes; the document's mentions must be linked."""
    found: dict[str, _Gathered] = {}
    for mention in document.mentions:
        kind = kind_of(document, mention)
        low, high = core(document.text, mention.start, mention.end, kind, _with_lists(document.language))
        if low < high:
            gathered = found.setdefault(mention.entity_id or "", _Gathered(kind))
            gathered.add(document, mention, low, high)
    surnames = _surnames(found.values())
    return [gathered.entity(key, document, surnames) for key, gathered in found.items()]


class _Gathered:
    """What the mentions of an entity tell of it."""

    def __init__(self, kind: str) -> None:
        self.type = kind
        self.forms: dict[str, None] = {}
        self.places: list[tuple[int, int]] = []
        self.roles: Counter[str] = Counter()
        self.ranks: Counter[str] = Counter()
        self.people: dict[str, tuple[str, ...]] = {}

    def add(self, document: Document, mention: Mention, low: int, high: int) -> None:
        self.forms[" ".join(document.text[low:high].split())] = None
        self.places.append((low, high))
        if role := mention.extra.get("role"):
            self.roles[str(role)] += 1
        self.people |= {key: tuple(mention.extra[key]) for key in (CANDIDATES, MEMBERS) if mention.extra.get(key)}
        if self.type == PERSON:
            name = parse(document.text, low, high, _with_lists(document.language))
            if rank := name.rank if name.rank in ("f", "m") else name.usual_rank:
                self.ranks[rank] += _TITLED if name.rank else 1

    def entity(self, key: str, document: Document, surnames: frozenset[str]) -> Entity:
        families = {family(document.text, low, high, surnames, document.language) for low, high in self.places}
        return Entity(
            key,
            self.type,
            tuple(self.forms),
            role=max(self.roles, key=lambda role: self.roles[role], default=""),
            gender=max(self.ranks, key=lambda rank: self.ranks[rank], default=None),
            titled=max(self.ranks.values(), default=0) >= _TITLED,
            family=families.pop() if self.type == PERSON and len(families) == 1 else "",
            candidates=self.people.get(CANDIDATES, ()),
            members=self.people.get(MEMBERS, ()),
        )


def _surnames(found: Iterable[_Gathered | Entity]) -> frozenset[str]:
    """The last words of the persons' names, folded."""
    forms = (form for one in found if one.type == PERSON for form in one.forms)
    return frozenset(fold(words[-1]) for form in forms if (words := name_words(form)))


def _pieces(document: Document, mention: Mention) -> Iterator[Edit]:
    """The stretches to hide of a mention, one in each paragraph it reaches into; labels are not decided yet."""
    kind = kind_of(document, mention)
    low, high = core(document.text, mention.start, mention.end, kind, _with_lists(document.language))
    if kind == PERSON and low < high:
        high = name_suffixes.hidden_to(document.text, high)
    first = bisect_right(document.blocks, low, key=lambda block: block.end)
    last = bisect_left(document.blocks, high, lo=first, key=lambda block: block.start)
    for start, end in [(max(low, b.start), min(high, b.end)) for b in document.blocks[first:last]] or [(low, high)]:
        if start < end:
            yield Edit(start, end, "", mention.entity_id or "", kind)


def _joined(text: str, pieces: Iterable[Edit]) -> list[Edit]:
    """One person's names side by side as one stretch."""
    joined: list[Edit] = []
    for piece in pieces:
        if joined and joined[-1].entity_id == piece.entity_id and piece.type == PERSON:
            last = joined[-1]
            if text[last.end : piece.start] in _PERSON_JOINTS:
                joined[-1] = replace(last, end=piece.end)
                continue
        joined.append(piece)
    return joined


class _Writer:
    """Puts labels in their places, so that the sentences around them stay sentences."""

    def __init__(self, document: Document, hidden: Mapping[str, Entity], labels: Mapping[str, str]) -> None:
        self.document = _readable(document)
        self.language = document.language
        self.hidden = hidden
        self.labels = labels
        self.surnames = _surnames(hidden.values())

    def edit(self, piece: Edit) -> Edit:
        """The label in place, with one period where it and the text around it would give two or none."""
        text, label = self.document.text, self.labels[piece.entity_id]
        piece = replace(piece, label=label)
        if label == OMISSION and piece.type == DATETIME:
            return _date(self.document, piece)
        if label not in MARKS:
            piece, label = self._inflected(piece, label)
        if label.endswith(".") and text[piece.end : piece.end + 2].lstrip("\"”’'").startswith("."):
            label = label[:-1]
        elif not label.endswith(".") and text[piece.end - 1] == "." and self._ends_sentence(piece.end):
            label += "."
        return replace(piece, replacement=label)

    def _inflected(self, piece: Edit, label: str) -> tuple[Edit, str]:
        """The label with what the language does to the name, and the piece, longer where it takes that in."""
        text = self.document.text
        words = text[piece.start : piece.end]
        forms = self.hidden[piece.entity_id].forms
        label = self._with_ending(piece, label, words, forms)
        if in_capitals(words, forms, piece.type):
            label = label.upper()
        if self.language == "en" and piece.type == PERSON:
            if family(text, piece.start, piece.end, self.surnames):
                return piece, plural_label(words, label)
            if not label.lower().endswith("s") and bare_possessive(text, piece.start, piece.end):
                return replace(piece, end=piece.end + 1), f"{label}{text[piece.end]}s"
        return piece, label

    def _with_ending(self, piece: Edit, label: str, words: str, forms: Iterable[str]) -> str:
        """The label with the case ending of a Romanian name: only labels that are no names take one."""
        suffix = ending(words, forms, piece.type) if self.language == "ro" and label[0] == "#" else ""
        return f"{label}_{suffix}" if suffix else label

    def _ends_sentence(self, end: int) -> bool:
        following = self.document.token_range(end, len(self.document.text))
        return not following or bool(self.document.tokens.first[following.start])


def _date(document: Document, piece: Edit) -> Edit:
    """Of a birth date day and month go, the year stays: "[...] 2000" (AEF thesis, section 1.3)."""
    text = document.text
    alone = text[piece.start : piece.end].isdecimal()  # a year of others may follow: "born in 1977, 1976 and 1974"
    if alone or not follows_birth(document, piece.start):
        return replace(piece, replacement=OMISSION)
    if within := _YEAR_LAST.fullmatch(text, piece.start, piece.end):
        return replace(piece, replacement=f"{OMISSION} {within[2]}")
    after = _YEAR_AFTER.match(text, piece.end)
    # "March 17, 2000" without day and month has no comma
    return (
        replace(piece, end=after.end(), replacement=f"{OMISSION} ") if after else replace(piece, replacement=OMISSION)
    )


def _without_doubles(text: str, edits: Iterable[Edit]) -> list[Edit]:
    """Edits to one omission mark beside another become one."""
    kept: list[Edit] = []
    for edit in edits:
        if (
            kept
            and edit.replacement == kept[-1].replacement
            and edit.replacement in MARKS
            and not text[kept[-1].end : edit.start].strip(_JOINTS)
        ):
            kept[-1] = replace(kept[-1], end=edit.end)
        else:
            kept.append(edit)
    return kept


def _clear(text: str, pieces: Iterable[Edit]) -> str:
    """What stays of the text, a blank for each piece."""
    position, kept = 0, []
    for piece in pieces:
        kept.append(text[position : piece.start])
        position = piece.end
    return " ".join([*kept, text[position:]])
