"""Pieces of text in the making, and how a judge writes sums, numbers and dates."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(slots=True)
class Piece:
    """A stretch of text. Hidden when it has an ``entity_id``; ``shown`` then stands for it (None: the initials).

    Where it is not hidden, ``shown`` (if not None) is what the editor's version has in its place.
    """

    text: str
    entity_id: str = ""
    entity_type: str = ""
    shown: str | None = None
    kept: str = ""
    bold: bool = False
    italic: bool = False


def money(amount: int) -> str:
    """In dollars: ``$1,250``."""
    return f"${amount:,}"


def number(n: int) -> str:
    """In words up to nine."""
    return _WORDS[n] if 0 <= n < len(_WORDS) else str(n)


def step(low: int) -> int:
    """The steps in which sums of this size are named."""
    return 5 if low < 200 else 10 if low < 2000 else 100 if low < 20000 else 500


def day_of(day: date, form: str) -> str:
    """As ``d`` (March 17, 2000), ``my`` (March 2000), ``md`` (March 17), ``m``, ``yr`` or ``wd`` (with weekday)."""
    month = MONTHS[day.month - 1]
    forms = {"d": f"{month} {day.day}, {day.year}", "my": f"{month} {day.year}", "md": f"{month} {day.day}", "m": month}
    forms |= {"yr": str(day.year), "wd": f"{DAYS[day.weekday()]}, {month} {day.day}, {day.year}"}
    return forms[form]


def ordinal(n: int) -> str:
    """The ending of an ordinal number: 1st, 2nd, 3rd, 4th, 11th."""
    return "th" if n % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")


def duration(start: date, end: date) -> str:
    """How long something lasted: years in words, months below two years."""
    months = max(1, round((end - start).days / 30.44))
    if months < 24:
        return f"{number(months)} month{'s' if months > 1 else ''}"
    years = months // 12
    return f"{'almost ' if months % 12 > 9 else ''}{number(years + (months % 12 > 9))} years"


def article(noun: str) -> str:
    """With "a" or "an"."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"
