"""Namesakes of those who stay: who bears an office holder's surname, and was taken for the office holder.

Linking goes by names. Where counsel is "Ms. Hope S.C." and the mother May Hope, a bare surname can join the two, and
the office would show the mother. Whoever is written with more of a name than anything that tells the office is
somebody else, and so is whatever could be either.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Container, Sequence

from rapidfuzz.distance import Levenshtein

from aef.corpus_tools.document import Document, Mention
from aef.person_names import parse
from aef.role_evidence import Evidence

_LONG = 5
"""A word of fewer letters that differs by one is another name."""


def namesakes(
    document: Document,
    mentions: Sequence[Mention],
    evidence: Sequence[Evidence],
    offices: Sequence[Evidence] = (),
    places: Container[tuple[int, int]] = (),
) -> list[Mention]:
    """The mentions of an entity, in its order in the text, that are not of the one whose office the evidence tells.

    Evidence from outside the text speaks for all of them. ``offices``: what tells that others of them stay as well, as
    do those at the ``places``.
    """
    if not evidence or any(e.start < 0 for e in evidence):
        return []
    words = [parse(document.text, m.start, m.end, document.language).words for m in mentions]
    starts = [mention.start for mention in mentions]
    told = {_nearest(mentions, starts, e.start) for e in (*evidence, *offices)}
    told |= {i for i, mention in enumerate(mentions) if (mention.start, mention.end) in places}
    names, telling = set(words), {words[i] for i in told}
    fits = {name for name in names if any(_fits(name, other) for other in telling)}
    others = {name for i, name in enumerate(words) if i not in told} - fits
    either = {name for name in names if any(_part(name, other) for other in others)}
    return [m for i, m in enumerate(mentions) if i not in told and (words[i] not in fits or words[i] in either)]


def bearers(document: Document, mentions: Sequence[Mention]) -> list[list[Mention]]:
    """The mentions, those together that may be one person's; what may be that of several is apart from all of them.

    The fullest names make the groups: "Ann Roe" and "Bea Roe" are two people, and "Roe" either of them.
    """
    words = [parse(document.text, m.start, m.end, document.language).words for m in mentions]
    groups: dict[tuple[str, ...], list[int]] = {}
    for i in sorted(range(len(mentions)), key=lambda i: (-sum(len(w) > 1 for w in words[i]), -len(words[i]), i)):
        whole = [name for name in groups if _part(words[i], name)]
        groups.setdefault(whole[0] if len(whole) == 1 else words[i], []).append(i)
    return [[mentions[i] for i in sorted(group)] for group in groups.values()]


def _nearest(mentions: Sequence[Mention], starts: Sequence[int], place: int) -> int:
    """The number of the mention that is nearest to a place, of two the first; they are in order and apart."""
    behind = bisect_right(starts, place)
    near = range(max(0, behind - 2), min(len(mentions), behind + 1))
    return min(near, key=lambda i: _distance(mentions[i], place))


def _distance(mention: Mention, place: int) -> int:
    return max(mention.start - place, place - mention.end, 0)


def _fits(name: Sequence[str], told: Sequence[str]) -> bool:
    """Whether a name may be that which tells the office: part of it, or no more than it but for initials."""
    return _part(name, told) or [word for word in name if len(word) > 1] == list(told)


def _part(name: Sequence[str], whole: Sequence[str]) -> bool:
    """Whether each word of a name is one of the other, or its initial, or a long one misspelt by a letter.

    >>> _part(["p", "hope"], ["philip", "hope"]), _part(["may", "hope"], ["hope"]), _part(["perrera"], ["perera"])
    (True, False, True)
    """
    return all(word in whole or any(_stands_for(word, w) for w in whole) for word in name)


def _stands_for(word: str, other: str) -> bool:
    if len(word) == 1:
        return other.startswith(word)
    return min(len(word), len(other)) >= _LONG and Levenshtein.distance(word, other, score_cutoff=1) == 1
