"""Edits of a text: stretches of it, and what stands there instead."""

from __future__ import annotations

from collections.abc import Iterable

Replacement = tuple[int, int, str]
"""Characters ``start`` to ``end`` of the text, and what stands there instead."""


def in_order(edits: Iterable[Replacement], length: int) -> list[Replacement]:
    """The edits by place. Raises `ValueError` where two overlap or one lies outside a text of ``length``."""
    ordered = sorted(edits, key=lambda edit: edit[:2])
    previous = 0
    for start, end, _ in ordered:
        if not previous <= start <= end <= length:
            raise ValueError(f"edit {start}-{end} overlaps the one before it or lies outside the text")
        previous = end
    return ordered


def apply_edits(text: str, edits: Iterable[Replacement]) -> str:
    """The text with the edits made.

    >>> apply_edits("William Millar left.", [(0, 14, "W.M.")])
    'W.M. left.'
    """
    pieces: list[str] = []
    position = 0
    for start, end, new in in_order(edits, len(text)):
        pieces += text[position:start], new
        position = end
    return "".join([*pieces, text[position:]])
