"""Whose address or school it is: that of somebody private, or of a court, a firm, a company, which stays."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from aef import lexicons
from aef.context.cues import cues
from aef.context.ruling import Context
from aef.corpus_tools.document import Document
from aef.names.phrases import occurrences
from aef.roles.entity_types import holds

_REACH = 80
"""An address in the head that begins so many characters behind a name, or fewer, is that person's."""
_BEFORE = 40
"""So many characters before an address the name of the firm whose it is stands."""
_RECORD = 250
"""Within so many characters of the words for who took the record down their address and numbers stand."""
SIGNS = ',;:()&/"“”'
_STRETCH, _AROUND = 10_000, 1_000
"""Addresses and schools tell of a life where surely private people, or initials, stand about once in so many characters
of the ruling, or within so many before or behind; by real judgments."""


def addresses_of_nobody(document: Document, addresses: AbstractSet[str], hidden: AbstractSet[str]) -> frozenset[str]:
    """Those of the ids of addresses that are a court's, a lawyer's or a company's: right behind a firm's name, or in
    the head and behind nobody who is hidden.

    hidden : the ids of the people who are hidden.
    """
    if not addresses:
        return frozenset()
    context = Context(document, ())
    names = sorted(m.end for m in document.mentions if m.entity_id in hidden)
    found = [m for m in document.mentions if m.entity_id in addresses]
    lives = (m for m in found if not context.in_head(m.start) or _is_near(m.start, names))
    return frozenset(addresses - {m.entity_id for m in lives if not _follows_a_firm(document, m.start)})


def things_of_no_life(document: Document, things: AbstractSet[str], private: AbstractSet[str]) -> frozenset[str]:
    """Those of the ids of addresses and schools in a ruling about nobody's life that are not near somebody's name.

    private : the ids of surely private people, and of initials.
    """
    named = sorted(m.start for m in document.mentions if m.entity_id in private) if things else []
    if (len(named) + 1) * _STRETCH >= len(document.text):
        return frozenset()
    near = {m.entity_id for m in document.mentions if m.entity_id in things and _is_around(m.start, named)}
    return frozenset(things - near)


def things_of_the_record(document: Document, things: AbstractSet[str]) -> frozenset[str]:
    """Those of the ids of addresses and numbers that are of who took the record down: "(Official Shorthand Writers)"
    stands near."""
    phrases = cues(document.language)["record"].told if things else ()
    places = sorted(start for phrase in phrases for start, _ in occurrences(document.text, phrase))
    found = [m for m in document.mentions if m.entity_id in things and _is_around(m.start, places, _RECORD)]
    return frozenset(str(m.entity_id) for m in found)


def _follows_a_firm(document: Document, place: int) -> bool:
    """Whether the name of a firm stands right before a place; so it did of eight addresses of real judgments, and each
    was the firm's."""
    before = document.text[max(0, place - _BEFORE) : place]
    if holds(cues(document.language)["firm"].pattern, before):
        return True
    forms = lexicons.load_all(document.language).get("legal_form", frozenset())
    return not forms.isdisjoint(word.strip(SIGNS).lower() for word in before.split()[-4:])


def _is_around(place: int, places: Sequence[int], reach: int = _AROUND) -> bool:
    """Whether one of the ``places``, ascending, lies in reach of a place."""
    return bisect_right(places, place + reach) > bisect_left(places, place - reach)


def _is_near(place: int, ends: Sequence[int]) -> bool:
    """Whether one of the ``ends``, ascending, lies in reach before a place."""
    return bisect_right(ends, place) > bisect_left(ends, place - _REACH)
