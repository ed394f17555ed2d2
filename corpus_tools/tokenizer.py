"""Tokens and sentences as in section 3.2 of the AEF thesis, with exact offsets into the untouched text.

Words are cut at white space and cleaned of what is not part of them; nothing is ever rewritten, so that
``text[start:end]`` is the token. A sentence ends where a rule over the abbreviation and title lists says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from aef import lexicons

_CHUNK = re.compile(r"\S+")
_PARAGRAPH_NUMBER = re.compile(r"\[\d+\][.,;:]?")
_LEADING = re.compile(r"(?:\.{2,}|…)+")
_TRAILING = re.compile(r"(?:\.{2,}|…|[!?,:;'’`])+$|['’][sS]$")
_OPEN_TO_CLOSE = {"(": ")", "[": "]", "{": "}", '"': '"', "“": "”", "„": "“”", "«": "»", "‘": "’", "'": "'", "‹": "›"}
_CLOSE_TO_OPEN = {")": "(", "]": "[", "}": "{", '"': '"', "”": "“„", "»": "«", "›": "‹"}
_JOINED = re.compile(r"[^\W\d_]+(?:[/\-‐‑–—]+[^\W\d_]+)+")
_LETTERS = re.compile(r"[^\W\d_]+")
_TERMINATOR = re.compile(r"[.!?…][\"”’')\]»]*$")
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,4}|[ivxlc]{1,6}|[IVXLC]{1,6}|[A-Za-z])[.)]")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+-?(?:[^\W\d_]\.)*")
_OPENERS = "\"“”„«‘'([{‹"


@dataclass(frozen=True)
class Tokens:
    """n tokens: their texts, their offsets (int64 arrays of length n) and whether each begins a sentence."""

    words: list[str]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    first: NDArray[np.bool_]

    @property
    def sentence_starts(self) -> NDArray[np.int64]:
        """The indices of the tokens that begin a sentence."""
        return np.flatnonzero(self.first).astype(np.int64)


class _Chunk(NamedTuple):
    """What a white-space chunk holds, wherever it stands."""

    pieces: tuple[tuple[int, int], ...]  # the tokens in it, relative to its start
    final_pieces: tuple[tuple[int, int], ...]  # the same where it ends a sentence: the period goes
    ends: int  # 0 never ends a sentence, 1 only before a common word, 2 before anything that can begin one
    opens: int  # 0 begins no sentence, 1 can, 2 is a common word with a capital
    numbers: bool  # can be the number of a paragraph or heading


def tokenize(text: str, blocks: Iterable[tuple[int, int]] | None = None) -> Tokens:
    """The tokens of ``text``, block by block (offsets of paragraphs; default: the whole text is one block).

    >>> tokenize("He saw Mr. Edgar at B.C. Cancer Agency.").words
    ['He', 'saw', 'Mr.', 'Edgar', 'at', 'B.C.', 'Cancer', 'Agency']
    """
    words: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    first: list[bool] = []
    for start, end in [(0, len(text))] if blocks is None else blocks:
        for low, high, begins in _block_tokens(text, start, end):
            words.append(text[low:high])
            starts.append(low)
            ends.append(high)
            first.append(begins)
    return Tokens(words, np.array(starts, np.int64), np.array(ends, np.int64), np.array(first, np.bool_))


def _block_tokens(text: str, start: int, end: int) -> list[tuple[int, int, bool]]:
    found = [(m.start(), _analyse(m.group())) for m in _CHUNK.finditer(text, start, end)]
    tokens: list[tuple[int, int, bool]] = []
    begins = True
    for i, (offset, chunk) in enumerate(found):
        last = _ends_sentence(chunk, found[i + 1][1] if i + 1 < len(found) else None, i == 0)
        for low, high in chunk.final_pieces if last else chunk.pieces:
            tokens.append((offset + low, offset + high, begins))
            begins = False
        begins = begins or last
    return tokens


def _ends_sentence(chunk: _Chunk, following: _Chunk | None, leads: bool) -> bool:
    if following is None:
        return True
    if leads and chunk.numbers:
        return True
    return chunk.ends + following.opens >= 3 and chunk.ends > 0 and following.opens > 0


@lru_cache(maxsize=200_000)
def _analyse(chunk: str) -> _Chunk:
    if _PARAGRAPH_NUMBER.fullmatch(chunk):
        return _Chunk((), (), 0, 1, True)
    low, high = _clean(chunk)
    pieces = tuple(_split(chunk, low, high))
    final = pieces
    if chunk[low:high].endswith(".") and not _keeps_period(chunk[low:high]):
        final = tuple(_split(chunk, *_clean(chunk, low, high - 1)))
    return _Chunk(pieces, final, _can_end(chunk, low, high), _can_open(chunk), bool(_LIST_NUMBER.fullmatch(chunk)))


def _clean(chunk: str, low: int = 0, high: int | None = None) -> tuple[int, int]:
    """What is left of ``chunk[low:high]`` without brackets, quotes, trailing marks, ellipses and possessives."""
    high = len(chunk) if high is None else high
    while low < high:
        before = low, high
        low, high = _strip_marks(chunk, low, high)
        low, high = _strip_brackets(chunk, low, high)
        if (low, high) == before:
            break
    return low, max(low, high)


def _strip_marks(chunk: str, low: int, high: int) -> tuple[int, int]:
    if leading := _LEADING.match(chunk, low, high):
        low = leading.end()
    if low < high and (trailing := _TRAILING.search(chunk[low:high])):
        high = low + trailing.start()
    return low, high


def _strip_brackets(chunk: str, low: int, high: int) -> tuple[int, int]:
    """An opening sign goes when its partner ends the word or is missing; a closing one likewise."""
    if low >= high:
        return low, high
    closers = _OPEN_TO_CLOSE.get(chunk[low])
    if closers is not None:
        if high - low > 1 and chunk[high - 1] in closers:
            return low + 1, high - 1
        if not any(c in chunk[low + 1 : high] for c in closers):
            return low + 1, high
    openers = _CLOSE_TO_OPEN.get(chunk[high - 1])
    if openers is not None and not any(o in chunk[low : high - 1] for o in openers):
        return low, high - 1
    return low, high


def _split(chunk: str, low: int, high: int) -> list[tuple[int, int]]:
    """The tokens in a cleaned chunk: words of letters joined by a slash or a hyphen come apart."""
    if low >= high:
        return []
    if _JOINED.fullmatch(chunk, low, high):
        return [m.span() for m in _LETTERS.finditer(chunk, low, high)]
    return [(low, high)] if any(c.isalnum() for c in chunk[low:high]) or high - low == 1 else []


@cache
def _lists() -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Lower-cased titles, abbreviations and common words."""
    titles = frozenset(w.lower() for w in lexicons.load("title"))
    abbreviations = frozenset(w.lower() for w in lexicons.load("abbreviations"))
    return titles, abbreviations, lexicons.load("common_words")


def _keeps_period(word: str) -> bool:
    titles, abbreviations, _ = _lists()
    lowered = word.lower()
    return lowered in titles or lowered in abbreviations or bool(_INITIALS.fullmatch(word))


def _can_end(chunk: str, low: int, high: int) -> int:
    if not _TERMINATOR.search(chunk):
        return 0
    word = chunk[low:high]
    if not word.endswith("."):
        return 2
    titles, abbreviations, _ = _lists()
    if word.lower() in titles or (word.lower() in abbreviations and not word[0].isupper()):
        return 0
    return 1 if _keeps_period(word) else 2


def _can_open(chunk: str) -> int:
    bare = chunk.lstrip(_OPENERS)
    if not bare or bare[0].islower():
        return 0
    low, high = _clean(chunk)
    return 2 if chunk[low:high].lower() in _lists()[2] else 1
