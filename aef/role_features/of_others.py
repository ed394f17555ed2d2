"""Features of who else is named: right beside a mention, and by the same words."""

from __future__ import annotations

from collections.abc import Iterator

from aef.role_features.registry import of_mention, of_person
from aef.role_features.view import Named, Somebody


@of_mention()
def name_beside(mention: Named) -> Iterator[str]:
    """What the cues of roles tell of the names beside it, and whether these have titles."""
    for other in mention.people.beside.get(mention.place, ()):
        yield ""
        yield "titled" if other.titles else "without a title"
        yield from _cues(other)


@of_person()
def shared_word_of(somebody: Somebody) -> Iterator[str]:
    """What the cues of roles tell of others who share a word of the name."""
    for other in somebody.sharing:
        for named in other.mentions:
            yield from _cues(named)


def _cues(mention: Named) -> Iterator[str]:
    return (e.role for e in mention.people.evidence.get(mention.place, ()))
