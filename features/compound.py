"""Compound features: conditions on a token, its neighbours and the labels before it (AEF thesis, Table 3.4)."""

from __future__ import annotations

from aef.features.dictionary import Lexicons, MonthName
from aef.features.orthographic import capitalized
from aef.features.registry import feature

_ORDINAL = ("st", "nd", "rd", "th")


def day_number(word: str) -> bool:
    """Whether the word can be the day in a date: at most two digits, or an ordinal number."""
    ordinal = word[:-2].isdecimal() and word.lower().endswith(_ORDINAL)
    return ordinal or (len(word) < 3 and word.isdecimal())


def account_number(word: str) -> bool:
    """Whether the word is a number that contains # or -."""
    return ("#" in word or "-" in word) and any(c.isdigit() for c in word)


def date_word(word: str) -> bool:
    """Whether the word can be part of a date: a capitalized word (a month's name) or a day's number."""
    return capitalized(word) or day_number(word)


@feature(tags=["thesis"], when=account_number)
def C1(before: str) -> bool:
    """A number with # or - after the word "account".

    >>> C1("account")
    True
    """
    return before.lower() == "account"


@feature(tags=["thesis", "rich"], when=capitalized)
def C2(before: str, before2: str, lexicons: Lexicons) -> bool:
    """Capitalized, one of the two words before is a relation or role.

    >>> C2("son", "her", {"related_words": frozenset({"son"})})
    True
    """
    return not lexicons["related_words"].isdisjoint((before.lower(), before2.lower()))


@feature(tags=["thesis"], when=capitalized)
def C3(after: str, after2: str, lexicons: Lexicons) -> bool:
    """Capitalized, one of the two words after is a relation or role.

    >>> C3("the", "respondent", {"related_words": frozenset({"respondent"})})
    True
    """
    return not lexicons["related_words"].isdisjoint((after.lower(), after2.lower()))


@feature(tags=["thesis"], when=capitalized)
def C4(before: str, lexicons: Lexicons) -> bool:
    """Capitalized, after a title.

    >>> C4("Ms.", {"title": frozenset({"Ms."})})
    True
    """
    return before in lexicons["title"]


@feature(tags=["thesis"], when=capitalized)
def C5(after: str) -> bool:
    """Capitalized, before the word "who".

    >>> C5("who")
    True
    """
    return after == "who"


@feature(tags=["thesis"], when=capitalized)
def C6(after: str, after2: str, lexicons: Lexicons) -> bool:
    """Capitalized, one of the two words after ends the name of an organisation.

    >>> C6("River", "Ltd.", {"suffix_organization": frozenset({"ltd."})})
    True
    """
    return not lexicons["suffix_organization"].isdisjoint((after.lower(), after2.lower()))


@feature(tags=["thesis"], when=capitalized)
def C7(label_before: bool) -> bool:
    """Capitalized, the word before is labelled A.

    >>> C7(True)
    True
    """
    return label_before


@feature(tags=["thesis"], when=capitalized)
def C8(label_before2: bool) -> bool:
    """Capitalized, the second word before is labelled A.

    >>> C8(True)
    True
    """
    return label_before2


@feature(tags=["thesis", "nine"], when=day_number)
def C9(before: str, label_before: bool, lexicons: Lexicons) -> bool:
    """A day's number after the name of a month that is labelled A.

    >>> C9("March", True, {"month_names": frozenset({"march"})})
    True
    """
    return label_before and MonthName(before, lexicons)


@feature(tags=["thesis"], when=date_word)
def C10(word: str, before: str, before2: str, label_before: bool, lexicons: Lexicons) -> bool:
    """A month's name or day's number close behind "born", the word before it being labelled A.

    >>> C10("17", "March", "born", True, {"month_names": frozenset({"march"})})
    True
    """
    return label_before and "born" in (before, before2) and (day_number(word) or MonthName(word, lexicons))
