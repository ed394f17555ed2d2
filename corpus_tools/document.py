"""The ruling as the rest of the product sees it: text, tokens with offsets, sentences, parts, mentions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.tokenization.tokenizer import Tokens, tokenize_all

HEAD, BODY, TABLE, FOOTNOTE, ATTRIBUTE, DRAWING = "head", "body", "table", "footnote", "attribute", "drawing"
PARTS = (HEAD, BODY, TABLE, FOOTNOTE, "header", "footer", "endnote", "comment", ATTRIBUTE, DRAWING)

MASKED = ("DIRECT", "QUASI")
"""The identifier types that must be hidden; NO_MASK stays (Text Anonymization Benchmark)."""


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph or table cell: characters ``start`` to ``end`` of the text, and the part of the ruling it is in."""

    start: int
    end: int
    part: str = BODY


@dataclass(frozen=True, slots=True)
class Mention:
    """A stretch of text that names something: offsets in code points, and what is known of it.

    >>> document = Document.from_text("Ms. Zwetkow left.", mentions=[Mention(4, 11, "PERSON")])
    >>> document.cut(document.mentions[0])
    'Zwetkow'
    """

    start: int
    end: int
    entity_type: str | None = None
    identifier_type: str | None = None
    entity_id: str | None = None
    probability: float | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def masked(self) -> bool:
        """Whether the mention must be hidden (a mention without an identifier type must)."""
        return self.identifier_type is None or self.identifier_type in MASKED


@dataclass(frozen=True, slots=True)
class Places:
    """Where something stands in a ruling: the numbers of its paragraphs, from 1, and of the lines of the text where one
    of these paragraphs has several."""

    paragraphs: tuple[int, ...]
    lines: tuple[int, ...] = ()

    def __str__(self) -> str:
        both = _numbered("paragraph", self.paragraphs), _numbered("line", self.lines)
        return ", ".join(filter(None, both))


_TOLD = 5


def _numbered(what: str, numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - _TOLD} more" if len(numbers) > _TOLD else ""
    plural = "s" if len(numbers) > 1 else ""
    return f"{what}{plural} {', '.join(map(str, numbers[:_TOLD]))}{more}" if numbers else ""


@dataclass(frozen=True)
class Document:
    """One ruling. ``text`` is never changed; everything else points into it by code-point offsets.

    ``language`` decides how it is tokenized; files do not say it, `in_language` does.

    >>> ruling = Document.from_text("Ms. Roe left.", "a", [Mention(4, 7, "PERSON")])
    >>> ruling.words, [ruling.cut(mention) for mention in ruling.mentions]
    (['Ms.', 'Roe', 'left'], ['Roe'])
    """

    text: str
    doc_id: str = ""
    blocks: tuple[Block, ...] = ()
    mentions: tuple[Mention, ...] = ()
    meta: Mapping[str, Any] = field(default_factory=dict)
    language: str = "en"

    @classmethod
    def from_text(
        cls, text: str, doc_id: str = "", mentions: Iterable[Mention] = (), meta: Mapping[str, Any] | None = None
    ) -> Document:
        """A document of body paragraphs: split at blank lines, or at every line end where there are none."""
        return cls(text, doc_id, paragraphs(text), tuple(mentions), meta or {})

    @cached_property
    def tokens(self) -> Tokens:
        """The tokens of all blocks, in order."""
        return tokenize_all([_blocks(self)], self.language)[0]

    @property
    def words(self) -> list[str]:
        return self.tokens.words

    @cached_property
    def token_parts(self) -> list[str]:
        """The part of the ruling each token is in."""
        return [self.blocks[i].part for i in self._token_blocks()]

    def paragraph(self, place: int) -> int:
        """The number of the paragraph or cell, from 1, that a character is in: the last one that begins before it."""
        return max(1, bisect_right(self.blocks, place, key=lambda block: block.start))

    def places(self, characters: Iterable[int]) -> Places:
        """Where characters stand, each paragraph and line once."""
        characters = list(characters)
        paragraphs = tuple(dict.fromkeys(map(self.paragraph, characters)))
        blocks = [self.blocks[number - 1] for number in paragraphs] if self.blocks else [Block(0, len(self.text))]
        several = any("\n" in self.text[block.start : block.end] for block in blocks)
        lines = dict.fromkeys(self.text.count("\n", 0, c) + 1 for c in characters) if several else ()
        return Places(paragraphs, tuple(lines))

    def part(self, place: int) -> str:
        """The part of the ruling that a character is in; a document without paragraphs is body."""
        return self.blocks[self.paragraph(place) - 1].part if self.blocks else BODY

    def in_part(self, part: str) -> NDArray[np.bool_]:
        """Which tokens are in this part of the ruling; shape (n,)."""
        inside = np.array([b.part == part for b in self.blocks], dtype=np.bool_)
        return np.ones(len(self.tokens), dtype=np.bool_) if inside.all() else inside[self._token_blocks()]

    def _token_blocks(self) -> NDArray[np.intp]:
        starts = np.array([b.start for b in self.blocks], dtype=np.int64)
        return np.searchsorted(starts, self.tokens.starts, side="right") - 1

    def token_range(self, start: int, end: int) -> range:
        """The indices of the tokens that share a character with ``text[start:end]``."""
        starts, ends = self._edges
        first = bisect_right(ends, start)
        return range(first, bisect_left(starts, end, first))

    @cached_property
    def _edges(self) -> tuple[list[int], list[int]]:
        """Where the tokens begin and end, as lists: a single place is looked up sooner than in arrays."""
        return self.tokens.starts.tolist(), self.tokens.ends.tolist()

    def token_ranges(self, mentions: Sequence[Mention]) -> list[range]:
        """The same of each mention's characters; quicker than one by one."""
        first = np.searchsorted(self.tokens.ends, [m.start for m in mentions], side="right").tolist()
        last = np.searchsorted(self.tokens.starts, [m.end for m in mentions], side="left").tolist()
        return [range(low, max(low, high)) for low, high in zip(first, last, strict=True)]

    def mask(self, mentions: Iterable[Mention]) -> NDArray[np.bool_]:
        """One truth value a token: has it a character inside one of the mentions?"""
        inside = np.zeros(len(self.tokens), dtype=np.bool_)
        for tokens in self.token_ranges(list(mentions)):
            inside[tokens.start : tokens.stop] = True
        return inside

    def cut(self, mention: Mention) -> str:
        return self.text[mention.start : mention.end]

    def in_language(self, language: str) -> Document:
        """The same ruling read in a language: itself where it is in it already (the tokens are kept)."""
        return self if language == self.language else replace(self, language=language)

    def with_mentions(self, mentions: Iterable[Mention]) -> Document:
        """The same ruling with other mentions, in text order; the tokens are kept."""
        ordered = tuple(sorted(mentions, key=lambda m: (m.start, -m.end)))
        other = replace(self, mentions=ordered)
        other.__dict__.update((name, self.__dict__[name]) for name in ("tokens", "_edges") if name in self.__dict__)
        return other


def _blocks(document: Document) -> tuple[str, list[tuple[int, int]]]:
    return document.text, [(b.start, b.end) for b in document.blocks]


def batches(documents: Iterable[Document], characters: int = 1 << 23) -> Iterator[list[Document]]:
    """The documents in lists that hold so much text: worked on together, they are quick and fit in memory."""
    batch: list[Document] = []
    size = 0
    for document in documents:
        batch.append(document)
        size += len(document.text)
        if size >= characters:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def tokenize_documents(documents: Iterable[Document]) -> None:
    """Have the tokens of all documents ready; quicker than one by one."""
    waiting = [d for d in documents if "tokens" not in d.__dict__]
    for language in sorted({d.language for d in waiting}):
        for batch in batches(d for d in waiting if d.language == language):
            for document, tokens in zip(batch, tokenize_all(list(map(_blocks, batch)), language), strict=True):
                document.__dict__["tokens"] = tokens


_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


def paragraphs(text: str, part: str = BODY) -> tuple[Block, ...]:
    """The paragraphs of plain text as blocks: by blank lines, or by lines where the text has no blank line."""
    spans = _between_blank_lines(text) if _BLANK_LINES.search(text) else lines(text)
    return tuple([Block(start, end, part) for start, end in spans if text[start:end].strip()])


def _between_blank_lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in _BLANK_LINES.finditer(text):
        yield start, start + len(text[start : match.start()].rstrip())
        start = match.end()
    yield start, len(text)


def lines(text: str) -> Iterator[tuple[int, int]]:
    """Where the lines of a text begin and end."""
    start = 0
    for line in text.split("\n"):
        yield start, start + len(line)
        start += len(line) + 1


def merge_adjacent(document: Document, inside: Sequence[bool] | NDArray[np.bool_]) -> list[range]:
    """Runs of neighbouring marked tokens that share a sentence, as token ranges."""
    runs: list[range] = []
    first = document.tokens.first
    for i in np.flatnonzero(inside):
        if runs and runs[-1].stop == i and not first[i]:
            runs[-1] = range(runs[-1].start, i + 1)
        else:
            runs.append(range(int(i), int(i) + 1))
    return runs
