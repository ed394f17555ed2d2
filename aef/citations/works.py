"""Names in references: the authors of books, and the cases that a ruling calls by one name.

Authors: "Wilkinson and Norrie, *Parent and Child*", "Modi's Medical Jurisprudence", "ROE, Traité, n. 12", "Roe, op.
cit.". Cases: "Roe, [1987] 1 S.C.R. 12". `aef.citations.references` finds those whose whole name stands somewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_WITHIN = 200
_NEAR = 60
"""Characters behind a name in which its reference stands, and before it in which the volume does."""

_BOOK = re.compile(
    r"(?:,\s+(?:in\s+)?[\"“]?|\s+[\"“])(?=[A-Z])(?P<title>[^.;()\n\"”]{4,120})[\"”]?,?\s*"
    r"(?:\((?P<sure>[^()]{0,60}\b(?:edn?|ed\.|Press|Publish\w*|vol)\b[^()]{0,60})\)|\([^()]{0,30}(?:1[89]|20)\d\d\))"
    r"|,\s+(?=[A-Z])[^.;()\n]{4,100},\s+(?P<edition>\d{1,2}(?:st|nd|rd|th|d)?\s+edn?\b)"
)
_TITLE = re.compile(r"\s(?:of|the|and|in|on|to|for|at|an?)\s")
_SUBJECT = re.compile(r"\s+on\s+(?:the\s+)?(?P<word>[A-Z][a-z]{3,})\b(?!\s+\d)")
_SUBJECTS = (
    r"(?:Laws?|Practice|Procedure|Evidence|Jurisprudence|Commentar(?:y|ies)|Treatise|Principles|Handbook|Damages|Torts?"
    r"|Contracts?|Trusts?|Wills|Probate|Succession|Negligence|Statutes|Kommentar|Droit|Derecho|Recht"
    r"|Divorce|Equity|Arbitration|Insolvency|Restitution|Pleadings?|Interpretation|Successions|Obligations|Direito|Diritto)"
)
_WORDS = r"[A-ZÀ-Þ][\w’'-]*\s+(?:(?:of|and|on|the|in|to|for|&)\s+){0,3}"
_WORK = re.compile(
    r",\s+[*_](?=[A-ZÀ-Þ])[^*_\n]+\s[^*_\n]+[*_](?!\s*[\[(])"  # Musyoka, *Law of Succession*
    rf"|(?:['’]s\s+|,\s+)(?:{_WORDS}){{1,6}}?{_SUBJECTS}\b"
    r"(?=\s*[.,;:()\[*\"”]|\s+(?:at|on|in|and|states|says|puts|which)\b)"
)

_SURNAME = r"(?:(?:von|van|der|den|de|du|zu|ter|ten|di|da)\s+)*[A-ZÀ-Þ][\w’'-]+"
_JOINED = rf"(?:/{_SURNAME})*"
_HELD = r"(?:[^;()\n.]|\.(?!\s+[A-ZÀ-Þ][a-z]+\s))"
"""A character of a title: no sentence ends in it."""
_MARGINAL = r"(?:marg(?:inal)?\.?\s+(?:no|number|note|n)s?|mn|[Rr]n|[Rr]z|[Rr]dnr?|[Rr]andnr)\b\.?\s*\d"
_PAGE = r"(?:nn?|N|no|num|pp?|pág|S|blz|str|§§?|Art|Artt|vol|t)\b\.?\s*\d|§§?\s*\d"
_SURE_WORK = re.compile(
    rf"{_JOINED}(?:,|\s+in)\s+(?=[A-ZÀ-Þ§]){_HELD}{{2,120}}?{_MARGINAL}"  # Roe, StGB, § 5 Rn 4; Roe in Orr, ABGB Rz 3
    rf"|{_JOINED},\s+[\"“*_]?[A-Z][^;()\n\"”]{{8,160}},?[\"”*_]?,?\s+\d{{1,3}}\s+"
    r"(?:[A-Z][\w.’'&]*\s+){0,5}?(?:L\.?\s?Rev|L\.?\s?J|J\.\s|Q\.|Rev\.)[\w.’'& ]{0,40}?\s\d"  # ... 45 L. Rev. 12
    rf"|{_JOINED},\s+[\"“‘'][^\"”’\n]{{6,160}}[\"”’'],?\s+"
    r"[\[(](?:19|20)\d\d[\])]\s+(?:\d+\s+)?[A-Z]"  # Roe, "Title" (1990) 106 LQR
    rf"|{_JOINED},?\s*\(?(?:op\.?\s*cit|loc\.?\s*cit|ob\.?\s*cit|a\.\s?a\.\s?O)\b"
    r"|,?\s+et\s+al\.?,?\s+(?:in\s|[\"“‘]|\(?(?:19|20)\d\d\b)"  # Roe et al., 2012
    rf"|{_JOINED},\s+[\"“‘*_]?(?=[A-ZÀ-Þ]){_HELD}{{4,140}}?\s\(?\d{{1,2}}\.?(?:st|nd|rd|th|d|e|ª|º|a)?\s*"
    r"(?:edn?|edition|édition|[Aa]ufl(?:age)?|wyd|druk|ediz)\b"  # Roe, Direito Civil, vol. I, 10.ª ed.
    rf"|{_JOINED}\s*\((?:[Ee]ds?|Hrsg|Hgg?|[Éé]ds?|[Cc]oords?|[Oo]rgs?|a\s+cura\s+di)\b[.,)\s]"
)
_SURNAME_FIRST = re.compile(
    r",\s+(?!Accused|Appell|Defend|Petition|Plaintiff|Respond|Applic|Complain)"
    r"[A-ZÀ-Þ][^\n.;()]{1,40}\.\s+[A-ZÀ-Þ][^\n;]{5,160}?(?:\bp\.\s*\d|\bed\.|(?:19|20)\d\d\b)"
)
"""Behind a surname in capitals: "DIAS, Maria. Manual de Direito. 4. ed."."""
_PAGED = re.compile(
    rf",\s+[\"“*_]?(?=[A-ZÀ-Þ])(?P<title>{_HELD}{{2,140}}?)"
    rf"(?:,\s+(?:\(?(?:19|20)\d\d\)?,\s+)?(?:{_PAGE})|\s+§§?\s*\d)"
)
_VOLUME = re.compile(r"[^\n\d\s.,]\s\(?\d{1,2}[A-C]?\s+(?:[A-Z][\w.’'-]+\s+){0,3}(?:(?:&|and)\s+)?$")
_OF_VOLUME = re.compile(
    r"(?:\s+(?:&|and)(?:\s+[A-Z][\w.’'-]+){1,3})?(?:,\s+[A-Z]|\s+on\s+[A-Z])[^;\n]{3,120}?(?:§|\bp\.\s*\d|\bed\.)"
)
"""A volume before a name, and the work behind it: "2 Wigmore, Evidence § 34"."""
_FILED = re.compile(
    r"\b(?:exh?\b|exhibit|transcript|tr\b|day|affidavit|statement|bundle|tab|deposition|letters?|record|annex|appendix"
    r"|document|diary|interview|testimony|schedule|folio|notes?|deed|register|file|flat|house|street|road|apt"
    r"|born|application|claim|case|policy|passport|account|report|judge|justice)\b"
    r"|^\W*(?:LJ?|JJ?|KC|QC)\b|\b(?:code|act|stat|const|rules?|regs?)\b\.?,?\s*(?:§|s\.|art|rule|r\.|\()",
    re.IGNORECASE,
)
"""What a reference has that is one to the file, or to something else than a book."""
_REPORT = re.compile(
    r"[*_”\"]*,?\s+(?:\[(?:1[89]|20)\d\d\]\s+(?:\d+\s+)?e?[A-Z]"  # [1987] 1 S.C.R. 12
    r"|\((?:1[89]|20)\d\d\),?\s+\d+\s+[A-Z][A-Za-z.]+(?:\s?[\w.]+){0,2}\s\d"  # (1994) 27 Cal.App.4th 567
    r"|\d{1,4}\s+(?:[A-Z]\.\s?){1,3}(?:App\.\s?|Supp\.\s?)?(?:\d[a-z]{1,2}\s+)?\d"  # 501 N.W.2d 12
    r"|ECLI:|AIR\s+\d{4}\s|PLD\s+\d{4}\s"
    r"|(?:19|20)\d\d\s+(?:\(\d+\)\s+)?(?:SCMR|SCC|SCR|CLC|MLD|YLR|PLC|PCr\.?\s?LJ"
    r"|BCSC|ONSC|ABQB|BCCA|ONCA|QCCA|FCA?)\s+\d)"
)
"""The report of a case right behind its name."""
_REFERRING = re.compile(
    r"(?:\b(?:in|see|to|from|per|cit(?:es?|ing)|consult(?:ed)?|edition\s+of|passage\s+in|and|&|by|cf\.)\s+[*_“\"]?"
    r"|[(;]\s?)$"
)
_CITING = re.compile(
    r"\b(?:[Ii]n|[Ss]ee(?:\s+also)?|[Uu]nder|[Ff]ollowing|[Aa]pplying|[Aa]pplied|[Ff]ollowed|[Dd]istinguish(?:ed|ing|es)?"
    r"|[Cc]f\.?|[Uu]nlike|[Cc]iting|[Oo]verruled|(?:relie[sd]|reliance|relying)\s+(?:up)?on|e\.g\.)\s+[*_“\"]*$"
)


def of_book(text: str, low: int, high: int, is_day: Callable[[str], bool]) -> tuple[str, bool] | None:
    """The reference to a book behind a name between two places, and whether it leaves no doubt."""
    end = min(len(text), high + _WITHIN)
    if found := _of_author(text, low, high, end):
        return found[0], True
    book = _BOOK.match(text, high, end)
    if book and (book["sure"] or book["edition"]):
        return book[0], True
    if book and _TITLE.search(book["title"]):
        return book[0], False
    subject = _SUBJECT.match(text, high, end)
    if subject and not is_day(subject["word"].lower()):
        return subject[0], False
    work = _WORK.match(text, high, end) or _of_page(text, low, high, end)
    return (work[0], False) if work else None


def _of_author(text: str, low: int, high: int, end: int) -> re.Match[str] | None:
    """The reference behind an author's name, or behind that of the last of those joined by slashes."""
    found = _SURE_WORK.match(text, high, end)
    if found is None and text[low:high].isupper() and high - low > 2:
        found = _SURNAME_FIRST.match(text, high, end)
    return found if found and not _FILED.search(found[0]) else None


def _of_page(text: str, low: int, high: int, end: int) -> re.Match[str] | None:
    """A title and a page: ", Traité des successions, n. 304"."""
    found = _PAGED.match(text, high, end)
    if found is None and _VOLUME.search(text, max(0, low - _NEAR), low):
        found = _OF_VOLUME.match(text, high, end)
    return found if found and not _FILED.search(found[0]) else None


def of_report(before: str, behind: str) -> str | None:
    """The report right behind the name of a case: "Roe, [1987] 1 S.C.R. 12".

    Not where nothing stands before it in its line: that may be the heading of a page, with the ruling's own name.
    """
    found = _REPORT.match(behind) if before.rpartition("\n")[2].strip() else None
    return found[0] if found else None


def refers(before: str) -> bool:
    """Whether the words before a name are those of a reference: "reported in Roe"."""
    return _REFERRING.search(before) is not None


def again(before: str, behind: str) -> str | None:
    """What tells that a name is that of a case which is cited elsewhere: "in Roe"."""
    found = None if behind.startswith(("'", "’")) else _CITING.search(before)
    return found[0] if found else None
