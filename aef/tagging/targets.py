"""What is to be hidden: the targets that a finder learns and that it is judged by."""

from __future__ import annotations

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError

TITLES = frozenset({"Mr", "Mrs", "Ms", "Miss", "Dr", "Messrs"})
TARGETS = {
    "person": "names of persons that must be hidden",
    "names": "all names of persons, hidden or not: who is hidden is decided afterwards",
    "all": "everything that must be hidden: names, places, dates, numbers",
}


def target_mentions(document: Document, target: str = "person") -> list[Mention]:
    """The mentions the target asks for: the masked ones, but for ``names``; see `TARGETS`.

    Raises `InputError` for another target.
    """
    return [m for m in of_target(document, target) if m.masked or target == "names"]


def of_target(document: Document, target: str) -> list[Mention]:
    """The target's mentions, those that stay in clear (NO_MASK) too. Raises `InputError` for an unknown target."""
    if target not in TARGETS:
        raise InputError(f"unknown target {target!r}. Use one of {', '.join(TARGETS)}")
    return [m for m in document.mentions if target == "all" or m.entity_type in ("PERSON", None)]
