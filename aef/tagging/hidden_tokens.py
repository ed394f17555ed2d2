"""From tokens to hide to mentions: runs of tokens of one type, parted by sentences and signs."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document, Mention
from aef.features.extraction import Ints, Layout

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FIRST = "first"
"""The key of a mention's further data that holds the probability of the first pass."""

LEAST = 0.02
"""What the first pass gives a name that stands several times, on average, at the least. Of the words of names below, by
models that had not seen the judgment, 155 were wrong and 2 right in the real ones."""

_SEPARATOR = re.compile(r'[,;:()\[\]"“”\n\t]|[^\S\n]{3}')
"""What parts two mentions: such a sign, or the gap between two columns."""


@dataclass(frozen=True)
class Hidden:
    """The tokens to hide, ascending: numbers in the layout, types, probabilities in the end and after the first pass,
    whether each repeats another, and, where that is learned, whether a mention begins there."""

    tokens: Ints
    types: NDArray[np.str_]
    probabilities: Floats
    first: Floats
    repeated: Bools
    begins: Bools | None = None


def with_mentions(documents: list[Document], layout: Layout, hidden: Hidden) -> list[Document]:
    """The documents with a mention for each run of hidden tokens."""
    starts = np.concatenate([d.tokens.starts for d in documents])[hidden.tokens]
    ends = np.concatenate([d.tokens.ends for d in documents])[hidden.tokens]
    owners = np.searchsorted(layout.bounds, hidden.tokens, side="right") - 1
    begins = np.flatnonzero(_begins(documents, layout, hidden, owners, starts, ends))
    lasts = np.append(begins, len(starts))[1:] - 1
    means, first = (
        np.add.reduceat(each, begins) / (lasts - begins + 1) for each in (hidden.probabilities, hidden.first)
    )
    repeated = np.logical_and.reduceat(hidden.repeated, begins)
    runs = (owners[begins], starts[begins], ends[lasts], hidden.types[begins], means, first, repeated)
    found: list[list[Mention]] = [[] for _ in documents]
    for owner, start, end, kind, probability, before, repeats in zip(*(run.tolist() for run in runs), strict=True):
        if any(map(str.isalnum, documents[owner].text[start:end])):  # signs alone are no mention
            extra = {FIRST: round(before, 4)} | ({"by": "consistency"} if repeats else {})
            found[owner].append(Mention(start, end, kind or None, "DIRECT", None, round(probability, 4), extra))
    return [document.with_mentions(mentions) for document, mentions in zip(documents, found, strict=True)]


def backed(document: Document) -> Document:
    """The document without the names that stand several times and of which the first pass made next to nothing: for
    these speaks only that they stand in another name ("the Branch", of an "Ann Roe-Branch")."""
    before: dict[str, list[float]] = defaultdict(list)
    for mention in document.mentions:
        before[document.cut(mention).lower()].append(mention.extra.get(FIRST, 1.0))
    echoes = {name for name, first in before.items() if len(first) > 1 and fmean(first) < LEAST}
    return document.with_mentions(m for m in document.mentions if document.cut(m).lower() not in echoes)


def parts(text: str, low: int, high: int) -> bool:
    """Whether what stands between two tokens parts mentions."""
    return _SEPARATOR.search(text, low, high) is not None


def _begins(documents: list[Document], layout: Layout, hidden: Hidden, owners: Ints, starts: Ints, ends: Ints) -> Bools:
    """Which hidden tokens begin a mention: those said to, or where sentence, type or more than a joint parts them from
    the last."""
    begins: Bools = np.diff(layout.positions[hidden.tokens], prepend=-1) != 1
    if hidden.begins is not None:
        return begins | hidden.begins
    begins[1:] |= hidden.types[1:] != hidden.types[:-1]
    going_on = np.flatnonzero(~begins)
    gaps = zip(owners[going_on].tolist(), ends[going_on - 1].tolist(), starts[going_on].tolist(), strict=True)
    begins[going_on] = [parts(documents[owner].text, low, high) for owner, low, high in gaps]
    return begins
