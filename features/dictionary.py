"""Dictionary features: whether a token stands in a word list (AEF thesis, Table 3.3)."""

from __future__ import annotations

from collections.abc import Mapping

from aef.features.registry import feature

Lexicons = Mapping[str, frozenset[str]]


@feature(tags=["thesis", "nine"])
def CommonWord(word: str, lexicons: Lexicons) -> bool:
    """Is a common word (a stop list chosen for rulings).

    >>> CommonWord("The", {"common_words": frozenset({"the"})})
    True
    """
    return word.lower() in lexicons["common_words"]


@feature(tags=["thesis"])
def MonthName(word: str, lexicons: Lexicons) -> bool:
    """Is the name of a month, with a capital.

    >>> months = {"month_names": frozenset({"may"})}
    >>> MonthName("May", months), MonthName("may", months)
    (True, False)
    """
    return word[:1].isupper() and word.lower() in lexicons["month_names"]


@feature(tags=["thesis"])
def WeekDay(word: str, lexicons: Lexicons) -> bool:
    """Is the name of a weekday, with a capital.

    >>> WeekDay("Friday", {"weekday_names": frozenset({"friday"})})
    True
    """
    return word[:1].isupper() and word.lower() in lexicons["weekday_names"]


@feature(tags=["thesis"])
def Anony(seen: bool) -> bool:
    """Was anonymized earlier in this document (a list that grows from the first token to the last).

    >>> Anony(True)
    True
    """
    return seen
