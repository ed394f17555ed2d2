"""Tokens and sentences as in section 3.2 of the AEF thesis, with exact offsets into the untouched text.

Words are cut at white space and cleaned of what is not part of them; nothing is ever rewritten, so that
``text[start:end]`` is the token. A sentence ends where a rule over the abbreviation and title lists says so. These
lists are the language's; so are the elisions, words that an apostrophe joins to the next one (``l'affaire``) and that
come apart.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.tokenization.chunks import analyser, can_open, rules_of

Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Tokens:
    """n tokens: their texts, their offsets (int64 arrays of length n) and whether each begins a sentence.

    The texts are ``forms[numbers]``: an array of strings, which many documents share, and each token's place in it.
    """

    forms: NDArray[np.object_]
    numbers: Ints
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    first: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def words(self) -> list[str]:
        """The texts of the tokens."""
        words: list[str] = self.forms[self.numbers].tolist()
        return words

    def between(self, low: int, high: int) -> Tokens:
        """The tokens ``low`` to ``high``, the arrays shared."""
        rows = slice(low, high)
        return Tokens(self.forms, self.numbers[rows], self.starts[rows], self.ends[rows], self.first[rows])

    @property
    def sentence_starts(self) -> NDArray[np.int64]:
        """The indices of the tokens that begin a sentence."""
        return np.flatnonzero(self.first).astype(np.int64)


def tokenize(text: str, blocks: Iterable[tuple[int, int]] | None = None, language: str = "en") -> Tokens:
    """The tokens of ``text``, block by block (offsets of paragraphs; default: the whole text is one block).

    Raises `InputError` for a language without word lists.

    >>> tokenize("He saw Mr. Edgar at B.C. Cancer Agency.").words
    ['He', 'saw', 'Mr.', 'Edgar', 'at', 'B.C.', 'Cancer', 'Agency']
    >>> tokenize("L'avocat de M. Yalman vit à Saint-Denis.", language="fr").words
    ['L', 'avocat', 'de', 'M.', 'Yalman', 'vit', 'à', 'Saint', 'Denis']
    """
    return tokenize_all([(text, [(0, len(text))] if blocks is None else list(blocks))], language)[0]


def tokenize_all(texts: Iterable[tuple[str, Sequence[tuple[int, int]]]], language: str = "en") -> list[Tokens]:
    """What `tokenize` gives for each text and its blocks; quicker than one by one: a chunk is analysed once."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    scanned = [_scan(text, blocks, numbers) for text, blocks in texts]
    return _cut_all(_Forms(list(numbers), language), scanned)


def _scan(text: str, blocks: Sequence[tuple[int, int]], numbers: defaultdict[str, int]) -> tuple[Ints, Ints, Ints]:
    """The white-space chunks of a text: their numbers, their offsets, and where the blocks end, in chunks."""
    parts = [text[start:end] for start, end in blocks]
    joined = "\n".join(parts)
    offsets = _chunk_starts(joined)
    lengths = np.fromiter(map(len, parts), np.int64, len(parts)) + 1
    ends = np.cumsum(lengths)
    stops = np.searchsorted(offsets, ends)
    shifts = np.array([start for start, _ in blocks], np.int64) - (ends - lengths)
    ids = np.fromiter(map(numbers.__getitem__, joined.split()), np.int32, len(offsets))
    return ids, offsets + np.repeat(shifts, np.diff(stops, prepend=0)), stops


_BLACK = ~np.array([chr(c).isspace() for c in range(0x3001)] + [False])
"""Which code points are not white space; beyond there is none that is."""


def _chunk_starts(text: str) -> Ints:
    """Where the stretches without white space begin."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    black = _BLACK.take(codes, mode="clip")
    black[1:] &= ~black[:-1]
    return np.flatnonzero(black)


class _Forms:
    """What distinct chunks hold, as arrays: over the chunks, and over all their pieces, one after the other.

    `first` and `count` have a row for a chunk inside a sentence, and one for a chunk at its end: its pieces.
    """

    def __init__(self, chunks: list[str], language: str) -> None:
        n = len(chunks)
        known, analyse = rules_of(language), analyser(language)
        plain = np.fromiter(map(str.isalpha, chunks), np.bool_, n)
        special = np.flatnonzero(~plain)
        analysed = [analyse(chunks[i]) for i in special.tolist()]
        self.ends, self.opens = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self.numbers = np.zeros(n, np.bool_)
        self.ends[special] = [c.ends for c in analysed]
        self.opens[special] = [c.opens for c in analysed]
        self.numbers[special] = [c.numbers for c in analysed]
        capital = [i for i in np.flatnonzero(plain).tolist() if not chunks[i][0].islower()]
        self.opens[capital] = [can_open(known, chunks[i], chunks[i]) for i in capital]
        pieces = [piece for c in analysed for piece in c.pieces + c.final_pieces]
        self.low = np.array([0] * n + [low for low, _, _ in pieces], np.int64)
        self.high = np.array([*map(len, chunks), *(high for _, high, _ in pieces)], np.int64)
        self.words = np.array(chunks + [word for _, _, word in pieces], dtype=object)
        self.count = np.ones((2, n), np.int64)
        self.count[:, special] = np.array([(len(c.pieces), len(c.final_pieces)) for c in analysed]).reshape(-1, 2).T
        self.first = np.tile(np.arange(n), (2, 1))
        counts = self.count[:, special].T
        self.first[:, special] = (n + np.cumsum(counts).reshape(-1, 2) - counts).T


def _cut_all(forms: _Forms, scanned: Sequence[tuple[Ints, Ints, Ints]]) -> list[Tokens]:
    """The tokens of texts whose chunks are given as by `_scan`: cut at once, then parted."""
    if not scanned:
        return []
    ids, offsets, stops = map(np.concatenate, zip(*scanned, strict=True))
    sizes = [len(chunks) for chunks, _, _ in scanned]
    stops += np.repeat(np.cumsum(sizes) - sizes, [len(blocks) for _, _, blocks in scanned])
    tokens, chunk = _cut(forms, ids, offsets, stops)
    edges = np.searchsorted(chunk, np.cumsum(sizes)).tolist()
    return [tokens.between(low, high) for low, high in pairwise([0, *edges])]


def _cut(forms: _Forms, ids: Ints, offsets: Ints, stops: Ints) -> tuple[Tokens, Ints]:
    """The tokens in the chunks, and the chunk that each is in."""
    last = _ends_sentence(forms, ids, stops)
    at_end = last.astype(np.int8)
    counts = forms.count[at_end, ids]
    chunk = np.repeat(np.arange(len(ids)), counts)
    piece = np.repeat(forms.first[at_end, ids] - np.cumsum(counts) + counts, counts) + np.arange(len(chunk))
    starts = offsets[chunk]
    sentence: NDArray[np.int64] = (np.cumsum(last) - last)[chunk]
    first = np.ones(len(chunk), np.bool_)
    first[1:] = sentence[1:] != sentence[:-1]
    return Tokens(forms.words, piece, starts + forms.low[piece], starts + forms.high[piece], first), chunk


def _ends_sentence(forms: _Forms, ids: Ints, stops: Ints) -> NDArray[np.bool_]:
    """Whether each chunk is the last of its sentence; ``stops``: where the blocks end."""
    ends, opens = forms.ends[ids], forms.opens[ids]
    last = np.zeros(len(ids), np.bool_)
    last[:-1] = (ends[:-1] + opens[1:] >= 3) & (ends[:-1] > 0) & (opens[1:] > 0)
    leads = np.append(0, stops)
    leads = leads[leads < len(ids)]
    last[leads] |= forms.numbers[ids[leads]]
    last[stops[stops > 0] - 1] = True
    return last
