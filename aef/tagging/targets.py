"""What is to be hidden: the targets that a finder learns and that it is judged by."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.tokenization.chunks import WORDS
from aef.errors import InputError
from aef.names.parts import PERSON, guess_type

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


def marks_only_hidden(documents: Iterable[Document]) -> bool:
    """Whether no name of a person that stays in clear (NO_MASK) is marked in any document: then nobody can tell of a
    name that is not marked whether it is none, or counsel's."""
    return all(m.masked or m.entity_type not in (PERSON, None) for d in documents for m in d.mentions)


def only_names(document: Document) -> Document:
    """The document with its mentions of persons alone; what one without a type is, is guessed from its shape."""
    kinds = (m.entity_type or guess_type(document.text, m.start, m.end) for m in document.mentions)
    return document.with_mentions(m for m, kind in zip(document.mentions, kinds, strict=True) if kind == PERSON)


# --- tokens that count ----------------------------------------------------------------------------------------------


def counting_tokens(text: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where the tokens begin and end that are counted, whatever a tokenizer says: runs of word characters, titles left
    out; shapes (n,)."""
    spans = [m.span() for m in WORDS.finditer(text) if m.group() not in TITLES]
    starts, ends = np.array(spans, np.int64).reshape(-1, 2).T
    return starts, ends


def coverage(length: int, mentions: Iterable[Mention]) -> NDArray[np.int64]:
    """How many characters before each offset lie inside mentions; shape (length + 1,), differences count a span's."""
    inside = np.zeros(length + 1, np.int64)
    for mention in mentions:
        inside[mention.start + 1 : mention.end + 1] = 1
    return np.cumsum(inside, dtype=np.int64)


def counted(gold: Document, found: Document, target: str) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Which counting tokens are to be hidden, and which are; shapes (n,). See `aef.evaluation.figures`."""
    starts, ends = counting_tokens(gold.text)
    wanted, hidden = (coverage(len(gold.text), target_mentions(d, target)) for d in (gold, found))
    return wanted[ends] > wanted[starts], hidden[ends] - hidden[starts] == ends - starts
