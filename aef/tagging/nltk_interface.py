"""The finder with NLTK's tagger interface, so that NLTK's own tools take it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from nltk.tag.api import TaggerI

from aef.corpus_tools.document import Block, Document
from aef.corpus_tools.tokenization.tokenizer import Tokens

if TYPE_CHECKING:
    from aef.tagging.finder import Finder


class NltkTagger(TaggerI):  # type: ignore[misc]
    """Tags one sentence of given tokens with "A" (must be hidden) and "N"."""

    def __init__(self, finder: Finder) -> None:
        self.finder = finder

    def tag(self, tokens: Sequence[str]) -> list[tuple[str, str]]:
        """(token, label) pairs, one for each token given."""
        return self.tag_sents([tokens])[0]

    def tag_sents(self, sentences: Iterable[Sequence[str]]) -> list[list[tuple[str, str]]]:
        """The sentences of one document: what is hidden in one may show in the next (see
        `aef.propagation.consistency`)."""
        given = [list(sentence) for sentence in sentences]
        document = _as_document(given)
        hidden = document.mask(self.finder.tag(document).mentions)
        labels = iter(hidden.tolist())
        return [[(token, "A" if next(labels) else "N") for token in sentence] for sentence in given]


def _as_document(sentences: Sequence[Sequence[str]]) -> Document:
    """A document that has just these tokens, whatever the tokenizer would make of them."""
    words = [token for sentence in sentences for token in sentence]
    lengths = np.array([len(word) for word in words], dtype=np.int64)
    ends = np.cumsum(lengths + 1) - 1
    first = np.array([i == 0 for sentence in sentences for i in range(len(sentence))], dtype=np.bool_)
    text = " ".join(words)
    document = Document(text, blocks=(Block(0, len(text)),))
    document.__dict__["tokens"] = Tokens(
        np.array(words, dtype=object), np.arange(len(words)), ends - lengths, ends, first
    )
    return document
