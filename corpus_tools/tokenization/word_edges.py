"""What of a stretch without white space is its word: brackets, quotes, marks and possessives come off its edges."""

from __future__ import annotations

import re

_MISREAD = "â\x80[\x93\x94\x98\x99\x9c\x9d]"
"""Quotes and dashes of UTF-8 that somebody read as Latin-1 and wrote so."""
_LEADING = re.compile(rf"(?:\.{{2,}}|[…¿¡]|{_MISREAD}|[*_`|#>~•–—]+(?=[^\W\d_]))+")
_TRAILING_BACKWARDS = re.compile(
    r"(?:\.{2,}|[…!?,:;'’`]|[\x93\x94\x98\x99\x9c\x9d]\x80â|[*_|<~—–]+(?=[^\W\d_]|\.[^\W\d_](?:\W|\Z)))+"
    r"|[sS](?:['’]|\x99\x80â)"
)
CLOSERS = "\"”’')]»"
"""What closes behind the sign that ends a sentence."""
_PAIRS = ("()", "[]", "{}", '""', "“”", "„“”", "«»", "‘’", "''", "‹›")
_OPEN_TO_CLOSE = {pair[0]: frozenset(pair[1:]) for pair in _PAIRS}
_OPENERS_OF = {")": "(", "]": "[", "}": "{", '"': '"', "”": "“„", "»": "«", "›": "‹"}
_CLOSE_TO_OPEN = {closer: frozenset(openers) for closer, openers in _OPENERS_OF.items()}


def clean(chunk: str, low: int, high: int) -> tuple[int, int]:
    """What is left of ``chunk[low:high]`` without brackets, quotes, trailing marks, ellipses and possessives."""
    return (low, high) if low >= high or _bare(chunk, low, high) else Cleaner(chunk).clean(low, high)


class Cleaner:
    """Tells what of a chunk is its word, in time in proportion to its length, also where it is signs without end.

    Hence the marks behind a word are matched from its end, and where a sign was last seen is kept. What is to be
    cleaned must therefore be inside of what was before.
    """

    def __init__(self, chunk: str) -> None:
        self._chunk, self._backwards = chunk, chunk[::-1]
        self._last: dict[str, int] = {}

    def clean(self, low: int, high: int) -> tuple[int, int]:
        """What is left of a stretch of the chunk."""
        before = None
        while low < high and (low, high) != before and not _bare(self._chunk, low, high):
            before = low, high
            low, high = self._without_brackets(*self._without_marks(low, high))
        return low, max(low, high)

    def _without_marks(self, low: int, high: int) -> tuple[int, int]:
        leading = _LEADING.match(self._chunk, low, high)
        low = leading.end() if leading else low
        size = len(self._chunk)
        trailing = _TRAILING_BACKWARDS.match(self._backwards, size - high, size - low)
        return low, size - trailing.end() if trailing else high

    def _without_brackets(self, low: int, high: int) -> tuple[int, int]:
        """An opening sign goes when its partner ends the word or is missing; a closing one likewise."""
        if low >= high:
            return low, high
        closers = _OPEN_TO_CLOSE.get(self._chunk[low])
        if closers is not None:
            if high - low > 1 and self._chunk[high - 1] in closers:
                return low + 1, high - 1
            if not self._inside(closers, low, high):
                return low + 1, high
        openers = _CLOSE_TO_OPEN.get(self._chunk[high - 1])
        if openers is not None and not self._inside(openers, low, high):
            return low, high - 1
        return low, high

    def _inside(self, signs: frozenset[str], low: int, high: int) -> bool:
        """Whether one of the signs stands between the first and the last character of a stretch."""
        for sign in signs:
            if self._last.get(sign, high) >= high - 1:
                self._last[sign] = self._chunk.rfind(sign, 0, high - 1)
            if self._last[sign] > low:
                return True
        return False


def _bare(chunk: str, low: int, high: int) -> bool:
    """Whether letters or digits stand at both ends, and no possessive or a period: most words, clean as they are."""
    end = high - (chunk[high - 1] == ".")
    if chunk[low + 1 : low + 2] == "\x80":
        return False
    return chunk[low].isalnum() and chunk[end - 1 : end].isalnum() and chunk[end - 2 : end - 1] not in "'’\x99"


def numbers_paragraph(chunk: str) -> bool:
    """Whether it is the number of a paragraph in brackets, perhaps with a sign behind them."""
    number, closed, behind = chunk[1:].partition("]")
    return number.isdecimal() and bool(closed) and behind in ("", ".", ",", ";", ":")
