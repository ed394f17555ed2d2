"""Text rebuilt from tokens, where a corpus has nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase

_CLOSING = frozenset(",.;:!?)]}%…»”’")
_OPENING = frozenset("([{«“‘")
_ELIDED = frozenset({*ascii_lowercase, "ç", "aujourd"})


def join(words: Sequence[str]) -> tuple[str, list[tuple[int, int]]]:
    """Text rebuilt from tokens, a line a sentence, and the tokens' offsets in it.

    Spaces stand between tokens except before closing and after opening marks, around the stroke of a number (``36110 /
    97``) and in elisions (``L ' affaire``).
    """
    text = ""
    offsets: list[tuple[int, int]] = []
    for i, word in enumerate(words):
        if i and not _attached(words, i):
            text += " "
        offsets.append((len(text), len(text) + len(word)))
        text += word
    return text + "\n" if words else "", offsets


def _attached(words: Sequence[str], i: int) -> bool:
    """Whether no space stands before word i."""
    before, word = words[i - 1], words[i]
    if before in _OPENING or word in _CLOSING or _in_number(words, i):
        return True
    apostrophe = word if word in ("'", "’") else before if i > 1 and before in ("'", "’") else ""
    elided = before if apostrophe is word else words[i - 2]
    return bool(apostrophe) and (elided.lower() in _ELIDED or elided.lower().endswith("qu"))


def _in_number(words: Sequence[str], i: int) -> bool:
    """Whether word i and the one before are digits and the stroke between them."""
    stroke = i if words[i] == "/" else i - 1 if words[i - 1] == "/" else 0
    around = words[stroke - 1] + words[stroke + 1] if 0 < stroke < len(words) - 1 else ""
    return around.isdecimal()
