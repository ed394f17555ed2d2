"""What the editor calls somebody, or something, that is hidden: what a label may be, and how it gets into the plan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from aef.corpus_tools.document import Document
from aef.editing import facts as told
from aef.editing.facts import Fact
from aef.editing.people import at
from aef.errors import InputError
from aef.replacement.plan import LABEL, entities
from aef.replacement.schemes import MARKS

if TYPE_CHECKING:
    from aef.editing.decision import State


def labelled(hidden: Document, facts: Iterable[Fact]) -> Document:
    """The document of what is hidden, with the labels that the editor gave, later ones over earlier ones."""
    labels = labels_told(hidden, facts)
    if not labels:
        return hidden
    return hidden.with_mentions(
        replace(m, extra={**m.extra, LABEL: label}) if (label := labels.get(m.entity_id or "")) else m
        for m in hidden.mentions
    )


def labels_told(hidden: Document, facts: Iterable[Fact]) -> Mapping[str, str]:
    """The labels that the editor gave, by entity id; an empty one is taken back."""
    found: dict[str, str] = {}
    for fact in told.about(facts, told.CALL):
        if (there := at(hidden, fact.place)) is not None:
            found[there.entity_id or ""] = fact.value
    return {key: label for key, label in found.items() if label}


def check_label(state: State, fact: Fact) -> None:
    """Raises `InputError` for a label of nobody who is hidden, of somebody else, or with a hidden name in it."""
    from aef.anonymization import names_in

    there = at(state.hidden, fact.place)
    if there is None:
        raise InputError("nobody is hidden there who could have a label. Hide them first")
    others = {label.casefold() for key, label in state.labels.items() if key != there.entity_id}
    if fact.value.casefold() in others and fact.value not in MARKS:
        raise InputError("this label is somebody else's already. Choose another one, or say that both are one")
    if names_in(fact.value, entities(state.hidden)):
        raise InputError("this label tells a name that is hidden. Choose another one")
