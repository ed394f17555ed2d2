"""What stands in the place of what is hidden: the plan of edits, by one of several schemes.

A scheme is one function that gives every entity its label. What is common to all schemes is here, too: titles,
possessives and articles stay, a period is not doubled, neighbours become one.

At the end of a sentence the house prints the period of the initials and that of the sentence ("an infant child,
W.M.. W.M. was born", AEF thesis, Table 1.6); we print one period, as a reader expects.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count
from string import ascii_uppercase

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.linking import kind_of, link
from aef.names import DATETIME, ORG, PERSON, core, generic_words, initials, name_words

OMISSION = "[...]"

_JOINT = re.compile(r"[ \u00a0\-‐‑–—,;/]*")
_PERSON_JOINT = re.compile(r"[ \u00a0\-‐‑]")
_BORN = re.compile(r"\b(?:born|birth(?:day|date)?|d\.?o\.?b\.?|née?|naissance)\b[^.;\n]{0,40}$", re.IGNORECASE)
_PERIOD = re.compile(r"[\"”’']?\.")
_YEAR = r"(?:1[89]|20)\d\d\b"
_YEAR_AFTER = re.compile(rf",?\s+(?={_YEAR})")
_YEAR_LAST = re.compile(rf"(.*[\s,/.-])({_YEAR})", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Edit:
    """Characters ``start`` to ``end`` are replaced; of which entity and type they told."""

    start: int
    end: int
    replacement: str
    entity_id: str
    type: str


@dataclass(frozen=True, slots=True)
class Entity:
    """A person, organisation or thing that is hidden, and the different texts that stand for it, titles left out."""

    entity_id: str
    type: str
    forms: tuple[str, ...]


Scheme = Callable[[Sequence[Entity], frozenset[str]], dict[str, str]]
"""Labels by entity id, for the entities in text order; the words that stay in the text must not become labels."""


def by_initials(entities: Sequence[Entity], clear: frozenset[str]) -> dict[str, str]:
    """Persons by initials, numbered where two have the same; organisations as O.[...] Ltd.; the rest [...]."""
    persons = {e.entity_id: initials(_fullest(e)) or OMISSION for e in entities if e.type == PERSON}
    organisations = {e.entity_id: _organisation(_fullest(e)) for e in entities if e.type == ORG}
    return by_omission(entities, clear) | organisations | _numbered(persons, clear)


def by_letters(entities: Sequence[Entity], clear: frozenset[str]) -> dict[str, str]:
    """Persons as AA, BB, ... in the order they come (Garat & Wonsever), the rest [...]."""
    letters = (letter * times for times in count(2) for letter in ascii_uppercase)
    free = (label for label in letters if label not in clear)
    return by_omission(entities, clear) | {e.entity_id: next(free) for e in entities if e.type == PERSON}


def by_counters(entities: Sequence[Entity], clear: frozenset[str]) -> dict[str, str]:
    """Type and number in the order they come: PERSON_1, ORG_1, DATETIME_1."""
    counters: dict[str, Iterator[str]] = {}
    labels = {}
    for e in entities:
        numbers = counters.setdefault(e.type, (f"{e.type}_{n}" for n in count(1)))
        labels[e.entity_id] = next(label for label in numbers if label not in clear)
    return labels


def by_omission(entities: Sequence[Entity], clear: frozenset[str]) -> dict[str, str]:
    """Everything becomes [...]."""
    return {e.entity_id: OMISSION for e in entities}


SCHEMES: dict[str, Scheme] = {
    "initials": by_initials,
    "labels": by_letters,
    "counters": by_counters,
    "omission": by_omission,
}
"""The schemes by name; the first line of a scheme's docstring is its help."""


def plan(document: Document, scheme: str = "initials") -> list[Edit]:
    """The edits that hide the document's mentions, in order and without overlap.

    Mentions without an entity id are linked first. Raises `InputError` for an unknown scheme.
    """
    if scheme not in SCHEMES:
        raise InputError(f"unknown scheme '{scheme}'. There are: {', '.join(SCHEMES)}")
    document = link(document)
    pieces = _joined(document.text, [p for mention in document.mentions for p in _pieces(document, mention)])
    labels = SCHEMES[scheme](entities(document), _clear_words(document.text, pieces))
    return _without_doubles(document.text, [_edit(document, piece, labels[piece.entity_id]) for piece in pieces])


def entities(document: Document) -> list[Entity]:
    """What is hidden, in the order it first comes; the document's mentions must be linked."""
    found: dict[str, tuple[str, dict[str, None]]] = {}
    for mention in document.mentions:
        kind = kind_of(document, mention)
        low, high = core(document.text, mention.start, mention.end, kind)
        if low < high:
            form = " ".join(document.text[low:high].split())
            found.setdefault(mention.entity_id or "", (kind, {}))[1][form] = None
    return [Entity(key, kind, tuple(forms)) for key, (kind, forms) in found.items()]


def _pieces(document: Document, mention: Mention) -> Iterator[Edit]:
    """The stretches to hide of a mention, one in each paragraph it reaches into; labels are not decided yet."""
    kind = kind_of(document, mention)
    low, high = core(document.text, mention.start, mention.end, kind)
    blocks = [(max(low, b.start), min(high, b.end)) for b in document.blocks if b.start < high and low < b.end]
    for start, end in blocks or [(low, high)]:
        if start < end:
            yield Edit(start, end, "", mention.entity_id or "", kind)


def _joined(text: str, pieces: Iterable[Edit]) -> list[Edit]:
    """One person's names side by side as one stretch."""
    joined: list[Edit] = []
    for piece in pieces:
        if joined and joined[-1].entity_id == piece.entity_id and piece.type == PERSON:
            last = joined[-1]
            if _PERSON_JOINT.fullmatch(text, last.end, piece.start) or last.end == piece.start:
                joined[-1] = replace(last, end=piece.end)
                continue
        joined.append(piece)
    return joined


def _edit(document: Document, piece: Edit, label: str) -> Edit:
    """The label in place, with one period where it and the text around it would give two or none."""
    text = document.text
    if label == OMISSION and piece.type == DATETIME:
        return _date(text, piece)
    if label.endswith(".") and _PERIOD.match(text, piece.end):
        label = label[:-1]
    elif not label.endswith(".") and text[piece.end - 1] == "." and _ends_sentence(document, piece.end):
        label += "."
    return replace(piece, replacement=label)


def _ends_sentence(document: Document, end: int) -> bool:
    following = document.token_range(end, len(document.text))
    return not following or bool(document.tokens.first[following.start])


def _date(text: str, piece: Edit) -> Edit:
    """Of a birth date day and month go, the year stays: "[...] 2000" (AEF thesis, section 1.3)."""
    if not _BORN.search(text, max(0, piece.start - 60), piece.start):
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
            and edit.replacement == OMISSION == kept[-1].replacement
            and _JOINT.fullmatch(text, kept[-1].end, edit.start)
        ):
            kept[-1] = replace(kept[-1], end=edit.end)
        else:
            kept.append(edit)
    return kept


def _fullest(entity: Entity) -> str:
    """The form with the most name words, spelled out rather than abbreviated; the first of equals."""
    return max(entity.forms, key=lambda f: (len(name_words(f)), sum(len(w) > 2 for w in name_words(f))))


def _organisation(name: str) -> str:
    """The first initial and an omission mark, a legal form or generic last word staying.

    >>> _organisation("RBC Dominion Securities"), _organisation("Kitsilano High School")
    ('R.[...] Securities', 'K.[...] School')
    """
    words = name.split()
    initial = next((c.upper() for c in words[0] if c.isalnum()), "")
    stays = f" {words[-1]}" if len(words) > 1 and words[-1].lower() in generic_words() else ""
    return f"{initial}.{OMISSION}{stays}" if initial.isalpha() else f"{OMISSION}{stays}"


def _numbered(labels: dict[str, str], clear: frozenset[str]) -> dict[str, str]:
    """A number after initials that two persons share or that stand in the text for something else."""
    shared = {label for label, times in Counter(labels.values()).items() if times > 1 or label in clear}
    numbers = {label: _free_numbers(label, clear) for label in shared - {OMISSION}}
    return {key: next(numbers[label]) if label in numbers else label for key, label in labels.items()}


def _free_numbers(label: str, clear: frozenset[str]) -> Iterator[str]:
    return (f"{label}{n}" for n in count(1) if f"{label}{n}" not in clear)


def _clear_words(text: str, pieces: Iterable[Edit]) -> frozenset[str]:
    """The words that stay, as they stand and without the signs around them."""
    words: set[str] = set()
    position = 0
    for piece in [*pieces, Edit(len(text), len(text), "", "", "")]:
        for word in text[position : piece.start].split():
            words |= {word, word.strip("\"“”‘’'()[],;:!?"), word.strip("\"“”‘’'()[],;:!?.")}
        position = piece.end
    return frozenset(words)
