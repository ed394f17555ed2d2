"""What a ruling says that a person is called besides: "Arjan, known as AJ", "Rose Green (née PRICE)"."""

from __future__ import annotations

import re

_WHO = r"(?:who|whom)\s++(?:(?:is|was|also|usually|always|sometimes|often|everybody|everyone|all|better|then)\s++){0,3}"
_CALLED = re.compile(
    rf"(?:\s*+[,(]\s*+(?:(?P<who>{_WHO})|(?P<bare>))(?:called|calls|call)|(?:\s*+[,(])?\s*+(?:{_WHO})?(?:nicknamed|alias|"
    r"a\.k\.a\.|a/k/a|aka|(?:also\s++)?known\s++(?:(?:\w+\s++){1,3})?as)|\s*+@)\s*+[\"“‘']?"
)
_APART = re.compile(r"\s*+[,)\"”’]|'(?!s\b)|\s++by\s++(?:his|her|their|the|all|most|every\w*)\b")
"""What must follow where only "called" tells a nickname: "Ann Roe, called Smith as a witness" tells none."""
_PARTY = r"(?:\s++(?:Plaintiff|Applicant|Petitioner|Respondent|Defendant|Claimant|Appellant)\s*+)?"
_FORMERLY = re.compile(
    _PARTY + r"\s*+[,(]?\s*+(?:née|nee|né|formerly|formerly\s++known\s++as|previously|born)\s++(?:as\s++)?[\"“‘']?"
)
"""What stands between a name and the name of before."""
_BESIDES = re.compile(
    _PARTY + r"\s*+[,(]?\s*+(?:who\s++(?:is|was)\s++)?"
    r"(?:(?:also|now|then|formerly|previously|otherwise|sometimes|variously|better)\s++)?"
    r"(?:(?:called|known\s++(?:(?:to|by)\s++\w+\s++)?as|née|nee|né|born|formerly|previously|now|otherwise|alias|aka|a\.k\.a\.|"
    r"[afn]/k/a)\s++(?:as\s++)?|@\s*+)[\"“‘']?",
    re.IGNORECASE,
)
"""What stands between two names of one person, the second as full as the first."""
_AS = re.compile(
    r"(?:\b(?:known|appears?|signs?|signed|written|spelt|spelled|registered|recorded|addressed|called)"
    r"\s++(?:\w+\s++){0,2}(?:as|to\s++as)|\b(?:us(?:ed|es|ing)|by|in|under|took|taken|gives?|had)\s++the\s++(?:\w+\s++)?name(?:\s++of)?"
    r"|\b(?:maiden|married|birth|former|full|proper|real)\s++name(?:\s++(?:is|was|of))?|\bborn|\bcalled|\bname\s++is)"
    r",?\s*+[\"“‘']?$"
)
_BEFORE = 50


def called(text: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether the second name is what the first is called: "Arjan, known as AJ".

    >>> called("Arjan, called AJ, was", (0, 5), (14, 16)), called("Arjan, called AJ as a witness", (0, 5), (14, 16))
    (True, False)
    """
    said = _CALLED.fullmatch(text, left[1], right[0])
    return said is not None and (said["bare"] is None or bool(_APART.match(text, right[1])))


def formerly(text: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether the second name is the first one's of before.

    >>> formerly("Rose Green, née Price", (0, 10), (16, 21))
    True
    """
    return bool(_FORMERLY.fullmatch(text, left[1], right[0]))


def besides(text: str, left: tuple[int, int], right: tuple[int, int]) -> bool:
    """Whether the words between two full names say that they are one person's.

    >>> besides("GRACE LONG (OTHERWISE GRACE ROE)", (0, 10), (22, 31)), besides("Ann Roe and Bea Lee", (0, 7), (12, 19))
    (True, False)
    """
    return bool(_BESIDES.fullmatch(text, left[1], right[0]))


def said_name(text: str, start: int) -> bool:
    """Whether the words before a full name say that somebody goes, or went, by it: "was then known as", "born".

    >>> said_name("She was then known as Ann Roe", 22), said_name("He met Ann Roe", 7)
    (True, False)
    """
    return bool(_AS.search(text, max(0, start - _BEFORE), start))
