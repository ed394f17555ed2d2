"""Invented rulings of courts of many countries, every mention of a person marked: to learn from, not to judge by.

A ruling is drawn from a stock written for this project: kinds of case, layouts of heads, sentences with alternatives,
names of many origins or of none. Its style is the country whose courts it imitates (`STYLES`); the way people are
referred to, the numbering, the noise and the case are drawn for each ruling on its own.
"""

from __future__ import annotations

from aef.corpus_tools.document import Document
from aef.corpus_tools.invented.prose import countries
from aef.corpus_tools.invented.ruling import Writer
from aef.errors import InputError

__all__ = ["STYLES", "rulings"]

STYLES: tuple[str, ...] = tuple(countries())
"""The countries and kinds of court."""


def rulings(number: int, seed: int = 0, style: str | None = None) -> list[Document]:
    """``number`` gold rulings, of one style or of each in turn. The same seed gives the same rulings.

    Persons are PERSON mentions, DIRECT where the house rule hides them and NO_MASK else; a mention's ``extra`` holds
    the ``role`` of its person and the full ``name``; ``meta`` holds the ``style``. Raises `InputError` for a negative
    number or an unknown style.
    """
    if number < 0 or style not in (None, *STYLES):
        raise InputError(f"cannot invent {number} rulings of style {style}. The styles are {', '.join(STYLES)}")
    return [_ruling(i, seed, style or STYLES[i % len(STYLES)]) for i in range(number)]


def _ruling(i: int, seed: int, style: str) -> Document:
    return Writer(f"{seed}/{style}/{i}", style).document(f"{style}-{i + 1:04}")
