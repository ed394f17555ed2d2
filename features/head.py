"""The head of a ruling as evidence: who stands there as party, counsel or judge, looked for in all of the document.

Only short lines near the beginning are read, so that a ruling without a head gives no evidence. A line belongs to the
role that its words name ("Counsel for the claimant: D. Green"), else to that of the line before ("Between:").
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np

from aef.features.registry import argument, feature
from aef.features.ruling import Ruling

_REACH, _SHORT = 4000, 16
"""The characters in which a head is looked for, and the words that a line of it may have."""

ROLES = ("counsel", "judge", "party")
"""By precedence, where a line has cues for several; the cues are the word lists ``head_ROLE``."""

_COLUMNS = re.compile(r"\n|\t|[ \xa0]{3,}|\)\s|§")
_NO_NAMES = (
    *(f"head_{role}" for role in ROLES),
    "function_words",
    "organization_words",
    "law_words",
    "month_names",
    "title",
    "court_words",
)
_NEAR, _LONGEST = 5, 60
"""A name of so many letters, and not more, is also looked for with one letter wrong."""


@argument
def in_head(document: Ruling) -> Sequence[str]:
    """The roles in which the head names the word: "party", "counsel party", "-" for none; "~": a letter is wrong."""
    roles: dict[str, set[str]] = {}
    no_names = _no_names(*(document.lexicons.get(name, frozenset()) for name in _NO_NAMES))
    for role, words in _head(document):
        for word in filter(_may_be_name, words if role else ()):
            if word.lower() not in no_names:
                roles.setdefault(_plain(word), set()).add(role)
    near = {form: roles[word] for word in roles if len(word) >= _NEAR for form in deletions(word)}
    edges = {form[:2] for form in near}, {form[-2:] for form in near}
    return document.by_word(lambda word: _found(word, roles, near, edges)) if roles else document.over([], [])


@argument
def head_role(document: Ruling) -> Sequence[str]:
    """The role that the line of the head names in which the token stands; empty outside the head."""
    ends = list(accumulate((len(words) for _, words in _head(document)), initial=0))
    return document.over(list(pairwise(ends)), [role for role, _ in _head(document)])


def _head(document: Ruling) -> list[tuple[str, list[str]]]:
    lines: list[tuple[str, list[str]]] = document.once("head", lambda: list(head_lines(document)))
    return lines


def head_lines(document: Ruling) -> Iterator[tuple[str, list[str]]]:
    """The cells of the first lines, each with its role ("-" for none) and its words; long lines have the role ""."""
    role = "-"
    cues = {r: document.lexicons.get(f"head_{r}", frozenset()) for r in ROLES}
    for words in _cells(document):
        if len(words) > _SHORT:
            yield "", words
            continue
        role = next((r for r in ROLES if not cues[r].isdisjoint(w.lower() for w in words)), role)
        yield role, words


def _cells(document: Ruling) -> Iterator[list[str]]:
    text, starts, ends = document.source.text, document.source.starts, document.source.ends
    reach = int(np.searchsorted(starts, _REACH, side="right"))
    parted = document.apart[: bisect_left(document.apart, reach)]
    cuts = [i for i in parted if _COLUMNS.search(text[ends[i - 1] : starts[i]])]
    for low, high in pairwise([0, *cuts, reach] if reach else []):
        yield list(document.words[low:high])


def _may_be_name(word: str) -> bool:
    return len(word) > 2 and word[0].isupper() and any(map(str.islower, word.lower()))


@lru_cache(maxsize=16)
def _no_names(*lists: frozenset[str]) -> frozenset[str]:
    return frozenset[str]().union(*lists)


def _plain(word: str) -> str:
    return word.casefold().removesuffix("'s").removesuffix("’s").rstrip(".")


def deletions(word: str) -> set[str]:
    """The word, and, unless it is too long for a name, the word without one of its letters.

    Two words a letter apart, or with two neighbouring letters in the place of each other, share one of these.
    """
    letters = range(len(word) if len(word) <= _LONGEST else 0)
    return {word} | {word[:i] + word[i + 1 :] for i in letters}


def _found(word: str, roles: _Roles, near: _Roles, edges: tuple[set[str], set[str]]) -> str:
    """What is told of a word; ``edges``: the first and the last two letters of what is ``near``, a quick look."""
    if not word[:1].isupper():
        return ""
    plain = _plain(word)
    if plain in roles:
        return " ".join(sorted(roles[plain]))
    if len(plain) < _NEAR or (plain[:2] not in edges[0] and plain[-2:] not in edges[1]):
        return ""
    like = near.keys() & deletions(plain)
    return "~" + " ".join(sorted(near[min(like)])) if like else ""


_Roles = dict[str, set[str]]


@feature(tags=["rich"])
def InHead(in_head: str, listed: str) -> str | None:
    """The roles in which the head names the word, and the lists of names that hold it.

    >>> InHead("party", "gs"), InHead("", "gs")
    ('party gs', None)
    """
    return f"{in_head} {listed}" if in_head else None


@feature(tags=["rich"])
def InHeadBefore(in_head: str, in_head_before: str) -> str | None:
    """The roles in which the head names the word and the one before.

    >>> InHeadBefore("party", "party")
    'party party'
    """
    return f"{in_head_before} {in_head}" if in_head and in_head_before else None


@feature(tags=["rich"])
def InHeadAfter(in_head: str, in_head_after: str) -> str | None:
    """The roles in which the head names the word and the one after.

    >>> InHeadAfter("party", "judge")
    'party judge'
    """
    return f"{in_head} {in_head_after}" if in_head and in_head_after else None


@feature(tags=["rich"])
def HeadRole(head_role: str, listed: str) -> str | None:
    """The role that the line of the head names, and the lists of names that hold the word.

    >>> HeadRole("party", "s"), HeadRole("", "s")
    ('party s', None)
    """
    return f"{head_role} {listed}" if head_role and listed else None
