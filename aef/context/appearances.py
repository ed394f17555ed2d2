"""Lines of appearances: "Mr A. Roe for the Crown", "B. Doe (C. Poe with him) for the respondent".

A line that begins with a name and ends with the one whom its bearer appears for; in the head or at the end of a ruling.
"""

from __future__ import annotations

import re

_LONGEST = 160
_BEGINNING = re.compile(
    r"[\s\d().*•–-]*(?:(?:Mr|Mrs|Ms|Miss|Dr|Prof|Sir|Mx|Adv|Shri|Sri|Smt|Encik|Puan|Madam|M/s|Me|Chief|Dame|Ld)\b"
    r"\.?[ \t]*)*"
)
_BETWEEN = (
    r"(?:[^\w\n]|[^\W\d_a-zà-ÿ][\w’'&-]*+|\b(?:instructed|briefed|by|with|him|her|them|and|appearing|appeared|appears"
    r"|of|counsel|learned|senior|junior|leading|assisted|direct|access|pro|bono|the|solicitors?|attorneys?|advocates?"
    r"|barristers?|legal|practitioners?|both|all)\b)*?"
)
_CLIENTS = (
    r"(?:crown|state|people|prosecution|commonwealth|government|republic|local\s+authority|authority|council|minister"
    r"|ministry|department|secretary|director|commissioner|attorney|children?|child[’']s|defen[cs]e|estate|union|board"
    r"|official|company|bank|insurer|tribunal|registrar|police|region|province|society|agency|guardian"
    r"|first|second|third|fourth|fifth|\d\w\w|«parties»|«kin»)"
)
_FORM = (
    rf"{_BETWEEN}[\s(,.…]+(?P<cue>for|on\s+behalf\s+of)\s+(?:(?i:the|both|all)\s+)*"
    rf"(?:(?i:{_CLIENTS})\b|(?=[A-ZÀ-Þ](?!\.)))[^\n]{{0,60}}$"
)
_BESIDE = re.compile(
    r"(?:[,(]\s*(?:(?:and\s+)?with|leading|led\s+by)\s+(?:(?:him|her|them)\b\s*,?\s*)?"
    r"|(?P<cue>\b(?:KC|K\.C\.|QC|Q\.C\.|SC|S\.C\.|SAN))\s*(?:,\s*(?:and\s+)?|and\s+|with\s+|&\s+|/\s*))"
    r"(?:(?:Mr|Mrs|Ms|Miss|Dr)\b\.?[ \t]+)*$"
)
_NEAR = 40


def form(parties: str, kin: str) -> str:
    """The pattern of what stands behind the name in a line of appearances; with words for parties and relatives."""
    return _FORM.replace("«parties»", parties).replace("«kin»", kin)


def appears_for(text: str, low: int, high: int, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """What tells that whoever a line begins with appears for another."""
    line = text.rfind("\n", 0, low) + 1
    end = text.find("\n", high) % (len(text) + 1)
    if end - line > _LONGEST or not _BEGINNING.fullmatch(text, line, low):
        return None
    found = pattern.match(text, high, end)
    return None if found is None or _own(text, found) else found


def _own(text: str, found: re.Match[str]) -> bool:
    return re.match(r"\s+(?:my|him|her|them)sel|\s+sale\b|\s+short\b", text[found.end("cue") :]) is not None


def beside(text: str, low: int) -> re.Match[str] | None:
    """What tells that somebody appears beside counsel: "Hope KC and Ann Roe"."""
    return _BESIDE.search(text, max(0, low - _NEAR), low)
