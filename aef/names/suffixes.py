"""Jr. and Sr. behind a name: which of the two is told, and how much of it is hidden with the name."""

from __future__ import annotations

import re

_BLANK = r"[^\S\n]*+\n?+[^\S\n]*+(?<=\s)"
_JR, _SR = r"(?i:jn?r)\b", r"(?i:sn?r)\b"
_JUNIOR, _SENIOR = r"(?i:junior)\b", r"(?i:senior)\b"
_OFFICE = (
    r"(?!\s+(?i:counsel|council|advocate|barrister|solicitor|attorney|lawyer|partner|associate|judge|magistrate|clerk"
    r"|registrar|officer|constable|inspector|sergeant|lecturer|fellow|doctor|consultant|surgeon|manager|social|state"
    r"|crown|deputy|assistant|research|medical|police|probation|prosecutor|district|high|school)\w{0,3}\b)"
)
"""What must not follow "senior" or "junior" in full, which is then an office's: senior counsel."""
_ALONE = r"(?=\s*(?:[,;.:)\]]|$))"
"""What must follow it behind a comma: "Ann Roe, senior, left", not "Ann Roe, senior nurse"."""
_TITLE = r"(?!\.?\s+[A-ZÀ-Þ])"
"""What must not follow Sr., which is then the next one's title: "Juan Roe, Sr. Lum"."""

_BEHIND = re.compile(
    rf"(?:,?{_BLANK}(?:(?P<jr>{_JR})|(?P<sr>{_SR}){_TITLE})\.?"
    rf"|{_BLANK}(?:(?P<junior>{_JUNIOR})|(?P<senior>{_SENIOR})){_OFFICE}"
    rf"|,{_BLANK}(?:(?P<junior2>{_JUNIOR})|(?P<senior2>{_SENIOR})){_ALONE})"
)


def hidden_to(text: str, end: int) -> int:
    """Where that ends which is hidden with a name that ends there: Jr. and Sr. for short, in full they tell nothing.

    >>> hidden_to("John Roe, Jr., left", 8), hidden_to("Juan Roe, Sr. Lum", 8), hidden_to("Ann Roe, senior counsel", 7)
    (13, 8, 7)
    """
    found = _BEHIND.match(text, end)
    return found.end() if found and found.lastgroup in ("jr", "sr") else end


def told(text: str, end: int) -> str:
    """ "jr" or "sr" where that stands behind a name which ends there, for short or in full, else nothing.

    >>> told("John Roe, Jr., left", 8), told("Ann Roe senior left", 7), told("Ann Roe, senior counsel", 7)
    ('jr', 'sr', '')
    """
    found = _BEHIND.match(text, end)
    return "" if found is None else "jr" if (found.lastgroup or "").startswith("j") else "sr"
