"""A gold corpus as a classifier sees it: all tokens in a row, their labels A and N, and the rows to learn from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import BODY, Document, tokenize_documents
from aef.errors import InputError
from aef.features.extraction import Layout

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]


class LabelledCorpus:
    """A gold corpus laid out for learning: all tokens in a row, their labels, and the rows to learn from."""

    def __init__(self, layout: Layout, labels: Bools, types: NDArray[np.object_], rows: Ints) -> None:
        self.layout = layout
        self.labels = labels
        self.types = types
        self.rows = rows
        self.histories = layout.histories(labels)

    @classmethod
    def of(cls, documents: Sequence[Document], target: str, lists: Mapping[str, frozenset[str]]) -> LabelledCorpus:
        if not documents:
            raise InputError("the gold corpus holds no document")
        layout = lay_out(documents)
        labelled = [gold_labels(document, target, lists["title"]) for document in documents]
        rows = np.concatenate([_body(document) for document in documents])
        types = np.concatenate([types for _, types in labelled])
        return cls(layout, np.concatenate([labels for labels, _ in labelled]), types, np.flatnonzero(rows))


def gold_labels(document: Document, target: str, titles: Iterable[str]) -> tuple[Bools, NDArray[np.object_]]:
    """Which tokens are A, and their entity types, from a gold document's masked mentions; shapes (n,).

    A mention without a type has the type "". Titles that begin a mention stay N: the house rules leave them in clear.
    """
    titles = {t.rstrip(".").lower() for t in titles}
    labels = np.zeros(len(document.words), dtype=np.bool_)
    types = np.full(len(document.words), "", dtype=object)
    for mention in document.mentions:
        if not mention.masked or (target == "person" and mention.entity_type not in ("PERSON", None)):
            continue
        tokens = list(document.token_range(mention.start, mention.end))
        while tokens and document.words[tokens[0]].rstrip(".").lower() in titles:
            tokens.pop(0)
        labels[tokens] = True
        types[tokens] = mention.entity_type or ""
    return labels, types


def in_body(document: Document) -> Bools:
    """Which tokens are in the ruling's body; shape (n,)."""
    return document.in_part(BODY)


def _body(document: Document) -> Bools:
    """The tokens to learn from: the body, or everything where a document has none."""
    body = in_body(document)
    return body if body.any() else np.ones(len(body), dtype=np.bool_)


def lay_out(documents: Sequence[Document]) -> Layout:
    """The tokens of all documents in one row."""
    tokenize_documents(documents)
    return Layout([(d.words, d.tokens.first) for d in documents])
