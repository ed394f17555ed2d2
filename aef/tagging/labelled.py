"""A gold corpus as a classifier sees it: all tokens in a row, their labels A and N, and the rows to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.linear import Linear, Vocabulary
from aef.corpus_tools.document import BODY, Document, tokenize_documents
from aef.errors import InputError
from aef.features import Column
from aef.features.extraction import Layout
from aef.features.ruling import Frequencies, Source, Words
from aef.tagging.hidden_tokens import parts
from aef.tagging.privacy import Shown
from aef.tagging.targets import TITLES, target_mentions

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


MANY = 1.15
"""Where signs make so many times as many mentions as there are, it is learned where those begin."""


class GoldRuling:
    """A gold document as learning looks at it, fold after fold: labels and types (`gold_labels`), which tokens to learn
    from, what it shows (`aef.tagging.privacy`), and its text, with what features have found out of it."""

    def __init__(self, document: Document, target: str) -> None:
        self.document = document
        self.labels, self.types = gold_labels(document, target)
        self.begins = gold_begins(document, target, self.labels)
        self.learned_from = learned_from(document)
        self.source = _source(document)

    @cached_property
    def shown(self) -> Shown:
        return Shown.of(self.document)

    @cached_property
    def by_signs(self) -> int:
        """How many mentions its tokens would be, were they parted by signs, sentences and types alone."""
        text, tokens, hidden = self.document.text, self.document.tokens, np.flatnonzero(self.labels)
        alike = (np.diff(hidden) == 1) & ~tokens.first[hidden[1:]] & (self.types[hidden[1:]] == self.types[hidden[:-1]])
        going_on = hidden[1:][alike]
        gaps = zip(tokens.ends[going_on - 1].tolist(), tokens.starts[going_on].tolist(), strict=True)
        return len(hidden) - sum(not parts(text, low, high) for low, high in gaps)


def gold_rulings(documents: Sequence[Document], target: str) -> list[GoldRuling]:
    """The documents to learn from. Raises `InputError` where there is none."""
    if not documents:
        raise InputError("the gold corpus holds no document")
    tokenize_documents(documents)
    return [GoldRuling(document, target) for document in documents]


def must_teach(rulings: Sequence[GoldRuling], target: str) -> None:
    """Raise `InputError` where the rulings hide nothing for a target."""
    if any((ruling.labels & ruling.learned_from).any() for ruling in rulings):
        return
    present = sorted({m.entity_type or "without type" for r in rulings for m in r.document.mentions if m.masked})
    where = f"the gold corpus's {len(rulings)} documents is to be hidden for target '{target}'"
    raise InputError(
        f"no token of {where} (types of the masked mentions: {', '.join(present) or 'none'}). "
        "Check the mentions, or choose another --target"
    )


class LabelledCorpus:
    """A gold corpus laid out for learning: all tokens in a row, their labels, and the rows to learn from."""

    def __init__(self, layout: Layout, rulings: Sequence[GoldRuling]) -> None:
        self.layout = layout
        self.labels = np.concatenate([r.labels for r in rulings])
        self.types = np.concatenate([r.types for r in rulings])
        self.begins = np.concatenate([r.begins for r in rulings])
        self.signs_mislead = sum(r.by_signs for r in rulings) > MANY * self.begins.sum()
        self.rows = np.flatnonzero(np.concatenate([r.learned_from for r in rulings]))
        self.histories = layout.histories(self.labels)

    @classmethod
    def of(
        cls,
        documents: Sequence[Document],
        target: str,
        frequencies: Frequencies | None = None,
    ) -> LabelledCorpus:
        return cls.of_rulings(gold_rulings(documents, target), frequencies)

    @classmethod
    def of_rulings(cls, rulings: Sequence[GoldRuling], frequencies: Frequencies | None = None) -> LabelledCorpus:
        return cls(_laid_out([r.document for r in rulings], [r.source for r in rulings], frequencies), rulings)

    def among(self, frequencies: Frequencies) -> LabelledCorpus:
        """The same corpus, beside other training documents."""
        other = copy(self)
        other.layout = self.layout.among(frequencies)
        return other


def gold_labels(document: Document, target: str) -> tuple[Bools, NDArray[np.object_]]:
    """Which tokens are A, and their entity types, from what a gold document's target asks for; shapes (n,).

    A mention without a type has the type "". Titles that begin a mention stay N: the house rules leave them in clear.
    """
    labels = np.zeros(len(document.words), dtype=np.bool_)
    types = np.full(len(document.words), "", dtype=object)
    for mention in target_mentions(document, target):
        tokens = list(document.token_range(mention.start, mention.end))
        while tokens and document.words[tokens[0]].rstrip(".") in TITLES:
            tokens.pop(0)
        labels[tokens] = True
        types[tokens] = mention.entity_type or ""
    return labels, types


def gold_begins(document: Document, target: str, labels: Bools) -> Bools:
    """Which of the tokens labelled A begin a mention, shape (n,)."""
    begins = np.zeros(len(labels), dtype=np.bool_)
    for mention in target_mentions(document, target):
        tokens = [i for i in document.token_range(mention.start, mention.end) if labels[i]]
        begins[tokens[:1]] = True
    return begins


def in_body(document: Document) -> Bools:
    """Which tokens are in the ruling's body; shape (n,)."""
    return document.in_part(BODY)


def learned_from(document: Document) -> Bools:
    """The tokens to learn from, shape (n,): the body, or everything where a document has none."""
    body = in_body(document)
    return body if body.any() else np.ones(len(body), dtype=np.bool_)


def lay_out(documents: Sequence[Document], frequencies: Frequencies | None = None) -> Layout:
    """The tokens of all documents in one row; ``frequencies``: of words in the training documents, default: these."""
    tokenize_documents(documents)
    return _laid_out(documents, list(map(_source, documents)), frequencies)


def _source(document: Document) -> Source:
    return Source(document.text, document.tokens.starts, document.tokens.ends)


def _laid_out(documents: Sequence[Document], sources: list[Source], frequencies: Frequencies | None) -> Layout:
    tokens = [d.tokens for d in documents]
    return Layout([(Words(t.forms, t.numbers), t.first) for t in tokens], sources, frequencies)


@dataclass(frozen=True)
class Learned:
    """What a model was learned from: the corpus, its predicates, and each token's event, shape (n, features)."""

    corpus: LabelledCorpus
    columns: list[Column]
    events: NDArray[np.int32]


@dataclass(frozen=True)
class Begun:
    """A model of the log-odds that others, of nearly the same documents, may begin at, and its vocabulary."""

    model: Linear
    vocabulary: Vocabulary

    def start(self, vocabulary: Vocabulary) -> tuple[float, list[NDArray[np.float64]]]:
        """Its intercept, and feature by feature the weights of another vocabulary's predicates."""
        alike = self.model.by_vocabulary(self.vocabulary, vocabulary)
        return float(alike.intercept), [alike.blocks[name] for name in vocabulary]


def stacked(columns: Sequence[Column], states: NDArray[np.integer[Any]]) -> NDArray[np.int32]:
    """The event of each token in its state, shape (n, columns)."""
    events = np.empty((len(states), len(columns)), dtype=np.int32)
    for start in range(0, len(states), _ROWS):  # what is written at once stays in the processor's cache
        rows = slice(start, start + _ROWS)
        for number, column in enumerate(columns):
            events[rows, number] = column.at(states[rows], rows)
    return events


_ROWS = 1 << 13
