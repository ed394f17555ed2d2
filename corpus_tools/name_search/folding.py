"""One spelling for all spellings: letters without case, accents and signs that nobody sees, each with its place."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

_STROKES = dict(zip("ıłŁøØđĐħĦŧŦ", "ilLoOdDhHtT", strict=True))
"""Letters whose stroke (or missing dot) is an accent to readers and not to Unicode."""
_SAME = str.maketrans(
    _STROKES | {"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "–": "-", "—": "-", "−": "-", "\u00a0": " "}
)


def unseen(char: str) -> bool:
    """Whether it is a sign that parts or joins without being seen: a soft hyphen, a zero-width space or joiner."""
    return unicodedata.category(char) == "Cf" or char in "\u034f\u115f\u1160\u17b4\u17b5\u2800\ufe0e\ufe0f"


def folded(text: str) -> tuple[str, Sequence[int]]:
    """The text in one spelling, and for each of its characters the place in ``text`` it comes from, and the end.

    >>> folded("Zw\u00adE\u0301")
    ('zwe', [0, 1, 3, 5])
    """
    return _kept(text) if len(text) > _LONG else _folded(text)


def together(text: str) -> str:
    """The letters and digits of a text in one spelling, with nothing between them.

    >>> together("Zwe-tkow, A.")
    'zwetkowa'
    """
    return "".join(filter(str.isalnum, folded(text)[0]))


def _folded(text: str) -> tuple[str, Sequence[int]]:
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    letters = {char: _plain(char) for char in set(_NOT_ASCII.findall(text))}
    few = len(letters) <= _FEW and all(map(str.isascii, letters.values()))
    spelled = respelled(text, letters).lower() if few else text.translate(_SPELLED)
    odd = sorted(char for char, plain in letters.items() if len(plain) != 1)
    if not odd:
        return spelled, range(len(text) + 1)
    places: list[int] = []
    last = 0
    for match in re.finditer(f"[{re.escape(''.join(odd))}]", text):
        places += range(last, match.start())
        places += [match.start()] * len(_plain(match.group()))
        last = match.end()
    return spelled, [*places, *range(last, len(text) + 1)]


def respelled(text: str, letters: Mapping[str, str]) -> str:
    """The text with letters of ASCII in the place of other characters; a long text has few different ones.

    >>> respelled("Bjørn’s", {"ø": "o", "’": ""})
    'Bjorns'
    """
    if len(letters) > _FEW:
        return text.translate({ord(char): spelling for char, spelling in letters.items()})
    for char, spelling in letters.items():
        text = text.replace(char, spelling)
    return text


_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_FEW = 32
"""So many replacements take less time than a look at every character."""
_LONG = 10_000
_kept = lru_cache(maxsize=2)(_folded)
"""What is folded of a long text, which is searched for many things."""


@lru_cache(maxsize=4096)
def _plain(char: str) -> str:
    if char.isascii():
        return char.lower()
    if unseen(char):
        return ""
    spelled = unicodedata.normalize("NFKD", char.translate(_SAME)).casefold()
    return "".join(c for c in spelled if not unicodedata.combining(c)).translate(_SAME)


class _Spelled(dict[int, str]):
    """The letters that each character becomes, by its number."""

    def __missing__(self, number: int) -> str:
        self[number] = letters = _plain(chr(number))
        return letters


_SPELLED = _Spelled()


def readable(text: str) -> tuple[str, Sequence[int]]:
    """The text as it is seen: no unseen signs, accents composed; and for each character the place it comes from.

    >>> readable("Zw\u00adE\u0301")
    ('ZwÉ', [0, 1, 3, 5])
    """
    if _PLAIN.fullmatch(text) or not any(map(_joins, set(text))):
        return text, range(len(text) + 1)
    pieces: list[str] = []
    places: list[int] = []
    last = 0
    for match in _clusters(frozenset(filter(_changes, text))).finditer(text):
        start = match.start()
        pieces.append(text[last:start])
        places += range(last, start)
        for place, char in _composed(match.group()):
            pieces.append(char)
            places.append(start + place)
        last = match.end()
    return "".join([*pieces, text[last:]]), [*places, *range(last, len(text) + 1)]


def _composed(cluster: str) -> list[tuple[int, str]]:
    """What is seen of a letter with its marks: one character where they compose, each with its place."""
    seen = [(i, c) for i, c in enumerate(cluster) if not unseen(c)]
    composed = unicodedata.normalize("NFC", "".join(c for _, c in seen))
    return [(0, composed)] if len(composed) == 1 else seen


@lru_cache(maxsize=4096)
def _changes(char: str) -> bool:
    """Whether it is not seen, or by itself written otherwise."""
    return unseen(char) or unicodedata.normalize("NFC", char) != char


_PLAIN = re.compile("[\\x00-\\xac\\xae-\\u02ff\\u2010-\\u2027\\u2030-\\u205e]*")
"""Texts of signs that stand for themselves."""


@lru_cache(maxsize=4096)
def _joins(char: str) -> bool:
    """Whether it is no sign of its own."""
    return unseen(char) or unicodedata.combining(char) > 0


@lru_cache(maxsize=64)
def _clusters(odd: frozenset[str]) -> re.Pattern[str]:
    """Letters with marks, and characters that are odd by themselves."""
    alone = f"|[{re.escape(''.join(sorted(odd)))}]" if odd else ""
    return re.compile(rf"(?s:.)[{_marks()}]+{alone}")


@cache
def _marks() -> str:
    return re.escape("".join(chr(c) for c in range(0x300, 0x20F0) if unicodedata.combining(chr(c))))
