"""The 14 orthographic features: what the characters of a token show (AEF thesis, Table 3.2)."""

from __future__ import annotations

from aef.features.registry import feature

_PUNCTUATION = set(",!?;:*<=>@'^~_$%#&-(){}[]")


def capitalized(word: str) -> bool:
    """Whether the first character is a capital letter."""
    return word[:1].isupper()


def not_capitalized(word: str) -> bool:
    return not word[:1].isupper()


def _digits_with(signs: str, word: str) -> bool:
    """Whether a word is made of digits and of some of the signs."""
    digits = set(word).difference(signs)
    return 0 < len(digits) < len(set(word)) and all(map(str.isdecimal, digits))


@feature(tags=["thesis"])
def AllLowerCase(word: str) -> bool:
    """All letters are lower case.

    >>> AllLowerCase("made"), AllLowerCase("Made")
    (True, False)
    """
    return word.islower()


@feature(tags=["thesis"])
def FirstCap(word: str) -> bool:
    """The first letter is a capital.

    >>> FirstCap("Robert"), FirstCap("robert")
    (True, False)
    """
    return capitalized(word)


@feature(tags=["thesis"])
def InternalCap(word: str) -> bool:
    """Begins with a capital and has another inside.

    >>> InternalCap("MacMinn"), InternalCap("Robert")
    (True, False)
    """
    return capitalized(word) and any(c.isupper() for c in word[1:])


@feature(tags=["thesis", "nine"])
def AllCaps(word: str) -> bool:
    """All letters are capitals.

    >>> AllCaps("LISA"), AllCaps("Lisa")
    (True, False)
    """
    return word.isupper()


@feature(tags=["thesis", "nine"])
def FirstCapEndPeriod(word: str) -> bool:
    """Letters only, begins with a capital, ends with a period.

    >>> FirstCapEndPeriod("Mr."), FirstCapEndPeriod("D.L.R.")
    (True, False)
    """
    return capitalized(word) and word[-1] == "." and word[:-1].isalpha()


@feature(tags=["thesis", "nine"])
def AllCapsPeriod(word: str) -> bool:
    """Capitals and periods only, both of them.

    >>> AllCapsPeriod("D.L.R."), AllCapsPeriod("LISA")
    (True, False)
    """
    letters = word.replace(".", "")
    return letters != word and letters.isalpha() and letters.isupper()


@feature(tags=["thesis"])
def Alphanumeric(word: str) -> bool:
    """Holds at least one digit.

    >>> Alphanumeric("F32"), Alphanumeric("F")
    (True, False)
    """
    return not word.isalpha() and any(map(str.isdigit, word))


@feature(tags=["thesis"])
def LowerCasePeriod(word: str) -> bool:
    """Begins with a lower-case letter and holds a period.

    >>> LowerCasePeriod("p.34"), LowerCasePeriod("P.34")
    (True, False)
    """
    return word[:1].islower() and "." in word


@feature(tags=["thesis"])
def OneDigit(word: str) -> bool:
    """Is exactly one digit.

    >>> OneDigit("5"), OneDigit("55")
    (True, False)
    """
    return len(word) == 1 and word.isdigit()


@feature(tags=["thesis"])
def TwoDigits(word: str) -> bool:
    """Is exactly two digits.

    >>> TwoDigits("99"), TwoDigits("9")
    (True, False)
    """
    return len(word) == 2 and word.isdigit()


@feature(tags=["thesis"])
def Digits(word: str) -> bool:
    """Is made of digits with a comma or period.

    >>> Digits("30,999"), Digits("30999")
    (True, False)
    """
    return _digits_with(".,", word)


@feature(tags=["thesis"])
def DigitSlash(word: str) -> bool:
    """Is made of digits and a slash.

    >>> DigitSlash("12/01"), DigitSlash("and/or")
    (True, False)
    """
    return _digits_with("/", word)


@feature(tags=["thesis"])
def Hyphen(word: str) -> bool:
    """Holds a hyphen.

    >>> Hyphen("02-fi-502"), Hyphen("02")
    (True, False)
    """
    return "-" in word


@feature(tags=["thesis"])
def ContainPunc(word: str) -> bool:
    """Holds a punctuation mark other than a period.

    >>> ContainPunc("3:10"), ContainPunc("Mr.")
    (True, False)
    """
    return not _PUNCTUATION.isdisjoint(word)
