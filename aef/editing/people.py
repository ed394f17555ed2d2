"""Who is who, as the editor told: people put together and taken apart, and what role somebody has."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from aef.context.evidence import Evidence
from aef.corpus_tools.document import Document, Mention
from aef.editing import facts as told
from aef.editing.facts import TYPE_OF, Fact, Span
from aef.roles.classifier import Role


def regrouped(document: Document, facts: Iterable[Fact]) -> Document:
    """The linked document with people put together, taken apart, and made things (or things people), as told."""
    for number, fact in enumerate(facts):
        if fact.kind == told.ROLE:
            document = _retyped(document, fact)
        elif fact.other is not None and fact.scope != told.BESIDE and fact.kind in (told.SAME, told.APART, told.HIDE):
            document = _grouped(document, fact, fact.other, f"-apart-{number}")
    return document


def _grouped(document: Document, fact: Fact, other: Span, mark: str) -> Document:
    this, that = at(document, fact.place), at(document, other)
    if this is None or that is None:
        return document
    if fact.kind == told.APART and this.entity_id == that.entity_id:
        return _renamed(document, _of_form(document, that), f"{this.entity_id}{mark}")
    if fact.kind != told.APART and this.entity_id != that.entity_id:
        group = {m.entity_id for m in (this, that)}
        moved = [m for m in document.mentions if m.entity_id in group]
        return _renamed(document, moved, this.entity_id, that.entity_type)
    return document


def _retyped(document: Document, fact: Fact) -> Document:
    this, kind = at(document, fact.place), TYPE_OF[fact.value]
    if this is None or this.entity_type == kind:
        return document
    return _renamed(document, [m for m in document.mentions if m.entity_id == this.entity_id], this.entity_id, kind)


def _renamed(document: Document, moved: Iterable[Mention], key: str | None, kind: str | None = None) -> Document:
    places = {(m.start, m.end) for m in moved}
    return document.with_mentions(
        replace(m, entity_id=key, entity_type=kind or m.entity_type) if (m.start, m.end) in places else m
        for m in document.mentions
    )


def _of_form(document: Document, mention: Mention) -> list[Mention]:
    """The mentions of the same entity by the same words."""
    words = words_at(document, (mention.start, mention.end))
    same = (m for m in document.mentions if m.entity_id == mention.entity_id)
    return [m for m in same if words_at(document, (m.start, m.end)) == words]


def roles_told(document: Document, known: Mapping[str, Role], facts: Iterable[Fact]) -> dict[str, Role]:
    """The roles of the linked document's entities, with those that the editor told, later ones over earlier ones."""
    found = dict(known)
    for fact in told.about(facts, told.ROLE):
        this = at(document, fact.place)
        if this is not None and (role := found.get(this.entity_id or "")):
            evidence = Evidence(fact.value, "the editor told", "editor")
            found[role.entity_id] = replace(role, role=fact.value, evidence=(evidence,), private=None)
    return found


def at(document: Document, place: Span) -> Mention | None:
    """The mention that has most of a place."""
    there = [m for m in document.mentions if m.start < place[1] and place[0] < m.end]
    return max(there, key=lambda m: min(m.end, place[1]) - max(m.start, place[0]), default=None)


def words_at(document: Document, place: Span) -> str:
    """The words of a place, on one line."""
    return " ".join(document.text[slice(*place)].split())
