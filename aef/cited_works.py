"""Names in references: the authors of books, and the cases that a ruling calls by two names, or by one.

Authors: "Hammer, in: Title", "Palandt/Götz, BGB, 76th ed.", "Wilkinson and Norrie, *Parent and Child*", "Modi's Medical
Jurisprudence". Cases: "Isles & Nelissen [2022] FedCFamC1A 97", "v. Court of Appeals and Molina", "the Molina doctrine".
"""

from __future__ import annotations

import re
from collections.abc import Callable

_WITHIN = 200
"""Characters behind a name in which its reference stands."""

_BOOK = re.compile(
    r"(?:,\s+(?:in\s+)?[\"“]?|\s+[\"“])(?=[A-Z])(?P<title>[^.;()\n\"”]{4,120})[\"”]?,?\s*"
    r"(?:\((?P<sure>[^()]{0,60}\b(?:edn?|ed\.|Press|Publish\w*|vol)\b[^()]{0,60})\)|\([^()]{0,30}(?:1[89]|20)\d\d\))"
    r"|,\s+(?=[A-Z])[^.;()\n]{4,100},\s+(?P<edition>\d{1,2}(?:st|nd|rd|th|d)?\s+edn?\b)"
)
_TITLE = re.compile(r"\s(?:of|the|and|in|on|to|for|at|an?)\s")
_SUBJECT = re.compile(r"\s+on\s+(?:the\s+)?(?P<word>[A-Z][a-z]{3,})(?!\s+\d)")
_COMMENTARY = re.compile(
    r"(?:/[A-ZÀ-Þ][\w’'-]+)*"
    r"(?:,\s+[A-ZÀ-Þ][^.;()\n]{1,80},\s+\d{1,2}(?:st|nd|rd|th)\s+ed\b"  # Palandt/Götz, BGB, 76th ed.
    r"|\s\((?:19|20)\d\d\),\s+(?:§|Art\.|Rn\.|n\.|marg))"  # Staudinger/Coester (2016), § 1671
    r"|,\s+in:\s+[\"“*_]?[A-ZÀ-Þ]"  # Hammer, in: Title
    r"|,\s+in\s+[A-ZÀ-Þ][^.;()\n]{2,60},\s+(?:n\.|nn\.|§|Art\.|no\.|vol\.)\s*\d"  # Roe, in Basler Kommentar, n. 10
)
_SUBJECTS = (
    r"(?:Laws?|Practice|Procedure|Evidence|Jurisprudence|Commentar(?:y|ies)|Treatise|Principles|Handbook|Damages|Torts?"
    r"|Contracts?|Trusts?|Wills|Probate|Succession|Negligence|Statutes|Kommentar|Droit|Derecho|Recht)"
)
_WORDS = r"[A-ZÀ-Þ][\w’'-]*\s+(?:(?:of|and|on|the|in|to|for|&)\s+){0,3}"
_WORK = re.compile(
    r",\s+[*_](?=[A-ZÀ-Þ])[^*_\n]+\s[^*_\n]+[*_](?!\s*[\[(])"  # Musyoka, *Law of Succession*
    rf"|(?:['’]s\s+|,\s+)(?:{_WORDS}){{1,6}}?{_SUBJECTS}\b"
    r"(?=\s*[.,;:()\[*\"”]|\s+(?:at|on|in|and|states|says|puts|which)\b)"
)

_SECOND = r"\s+(?:&|and)\s+[A-ZÀ-Þ][\w’'-]+"
_REPORTED = r"\s+[\[(](?:19|20)\d\d[\])]\s+(?:\d+\s+)?[A-Z]"
_FIRST_OF_PAIR = re.compile(_SECOND + _REPORTED)
_PAIRED = re.compile(r"[A-ZÀ-Þ][\w’'-]+\s+(?:&|and)\s+$")
_SIDE_OF_CASE = re.compile(r"\bvs?\.?\s+(?:[A-Z][\w.]*\s+(?:(?:of|the)\s+)*){1,5}(?:and|&)\s+$")
_LIST = re.compile(r"(?im)^[ \t]*(?:cases|authorities)\b[^:\n]{0,30}:")
_LABEL = re.compile(r"(?m)^[ \t]{0,3}[A-Z][\w() ]{2,30}:")
_CALLED = re.compile(r"(?:\b(?:the|The|an?|so-called)\s|\()[*_“\"]?$")
_FOR_SHORT = re.compile(
    r"[*_”\"]?\s(?:doctrine|guidelines|principles?|(?:(?:lower|middle|upper|top)\s)?bands?|injunction"
    r"|competen(?:ce|t)|exception)\b"
)


def of_book(text: str, high: int, is_day: Callable[[str], bool]) -> tuple[str, bool] | None:
    """The reference to a book behind a name that ends there, and whether it leaves no doubt."""
    end = min(len(text), high + _WITHIN)
    book = _BOOK.match(text, high, end)
    if book and (book["sure"] or book["edition"]):
        return book[0], True
    if found := _COMMENTARY.match(text, high, end):
        return found[0], True
    if book and _TITLE.search(book["title"]):
        return book[0], False
    subject = _SUBJECT.match(text, high, end)
    if subject and not is_day(subject["word"].lower()):
        return subject[0], False
    work = _WORK.match(text, high, end)
    return (work[0], False) if work else None


def is_listed_case(text: str, low: int) -> bool:
    """Whether a place is in a list of the cases that the ruling cites, in its head."""
    before = text[max(0, low - 4 * _WITHIN) : low]
    opened = None
    for opened in _LIST.finditer(before):  # noqa: B007  # the last one
        pass
    return opened is not None and _LABEL.search(before, opened.end()) is None


def of_pair(before: str, behind: str) -> str | None:
    """The reference by two names, and a report: "Isles & Nelissen [2022] FedCFamC1A 97"."""
    found = _FIRST_OF_PAIR.match(behind) or (_PAIRED.search(before) and re.match(_REPORTED, behind))
    return found[0] if found else None


def on_side_of_case(before: str) -> str | None:
    """What stands before the second of those on one side: "v. Court of Appeals and Molina"."""
    found = _SIDE_OF_CASE.search(before)
    return found[0] if found else None


def for_short(before: str, behind: str) -> str | None:
    """What follows the name of a case that has given it to a rule: "the Molina doctrine"."""
    found = _FOR_SHORT.match(behind)
    return found[0] if found and _CALLED.search(before) else None
