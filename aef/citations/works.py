"""Names in references: the authors of books, and the cases that a ruling calls by one name.

Authors: "Hammer, in: Title", "Palandt/Götz, BGB, 76th ed.", "Wilkinson and Norrie, *Parent and Child*", "Modi's Medical
Jurisprudence", "Roe, NZA 2001, 33", "ROE, Traité, n. 12", "Roe, op. cit.". Cases: "the Molina doctrine",
"Roe, [1987] 1 S.C.R. 12", "NJ 2001/512, Roe/Lum". `aef.citations.references` finds those whose whole name stands
somewhere.
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
_COMMENTARY = re.compile(
    r"(?:/[A-ZÀ-Þ][\w’'-]+)*"
    r"(?:,\s+[A-ZÀ-Þ][^.;()\n]{1,80},\s+\d{1,2}(?:st|nd|rd|th)\s+ed\b"  # Palandt/Götz, BGB, 76th ed.
    r"|\s\((?:19|20)\d\d\),\s+(?:§|Art\.|Rn\.|n\.|marg))"  # Staudinger/Coester (2016), § 1671
    r"|,\s+in:\s+[\"“*_]?[A-ZÀ-Þ]"  # Hammer, in: Title
    r"|,\s+in\s+[A-ZÀ-Þ][^.;()\n]{2,60},\s+(?:n\.|nn\.|§|Art\.|no\.|vol\.)\s*\d"  # Roe, in Basler Kommentar, n. 10
)
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
_SOURCE = re.compile(
    rf"{_JOINED}(?:,\s+(?=[A-ZÀ-Þ§\d]){_HELD}{{0,100}}?(?:{_PAGE}|{_MARGINAL}"
    r"|\d\w*\.?\s+(?:edn?|Aufl)\b|[Kk]ommentar|[Cc]ommentary|[Hh]andb|[Hh]db\b|Lehrbuch|Trait[eé]|Tratado|Trattato)"
    r"|,\s+in:)"
)
"""Behind one of several surnames that are joined by slashes."""
_SURNAME_FIRST = re.compile(
    r",\s+(?!Accused|Appell|Defend|Petition|Plaintiff|Respond|Applic|Complain)"
    r"[A-ZÀ-Þ][^\n.;()]{1,40}\.\s+[A-ZÀ-Þ][^\n;]{5,160}?(?:\bp\.\s*\d|\bed\.|(?:19|20)\d\d\b)"
)
"""Behind a surname in capitals: "DIAS, Maria. Manual de Direito. 4. ed."."""
_PINPOINT = re.compile(rf"(?:/{_SURNAME})*,\s+(?:{_PAGE})[^()\n]{{0,80}}[;)]")
"""Behind a surname in capitals, in brackets: "(ROSSI, p. 3)"."""
_PAGED = re.compile(
    rf",\s+[\"“*_]?(?=[A-ZÀ-Þ])(?P<title>{_HELD}{{2,140}}?)"
    rf"(?:,\s+(?:\(?(?:19|20)\d\d\)?,\s+)?(?:{_PAGE})|\s+§§?\s*\d)"
)
_JOURNAL = re.compile(
    r",?\s+(?:in:?\s+)?[A-Z][A-Za-z]*[A-Z][A-Za-z]*\.?\s(?:19|20)\d\d,\s+(?:pp?\.\s*|S\.\s*)?\d"  # Roe, NZA 2001, 33
    rf"|\s+\([\"“*_]?(?=[A-ZÀ-Þ]){_HELD}{{3,100}}?,\s+vol\b"  # Roe (Tratado, vol. IX, § 971)
)
_DATED = re.compile(rf",\s+(?=[A-ZÀ-Þ]){_HELD}{{4,140}}?\s(?:19|20)\d\d,\s+\d{{1,4}}\b")
_TITLED = re.compile(r",\s+[“\"‘'*_](?=[A-Z])[^”\"\n;]{10,160}[”\"’'*_],?\s[^;\n]{0,60}?\b(?:19|20)\d\d\b")
"""A title between quotation marks, and a year: where the words before the name refer to something."""
_VOLUME = re.compile(r"[^\n\d\s.,]\s\(?\d{1,2}[A-C]?\s+(?:[A-Z][\w.’'-]+\s+){0,3}(?:(?:&|and)\s+)?$")
_OF_VOLUME = re.compile(
    r"(?:\s+(?:&|and)(?:\s+[A-Z][\w.’'-]+){1,3})?(?:,\s+[A-Z]|\s+on\s+[A-Z])[^;\n]{3,120}?(?:§|\bp\.\s*\d|\bed\.)"
)
"""A volume before a name, and the work behind it: "2 Wigmore, Evidence § 34"."""
_ACRONYM = re.compile(r"\b[A-Z]{2,}[\w ]{0,12}[-–]$")
"""A commentary's letters before the name of who wrote a part of it: "BSK ZGB II-"."""
_FILED = re.compile(
    r"\b(?:exh?\b|exhibit|transcript|tr\b|day|affidavit|statement|bundle|tab|deposition|letters?|record|annex|appendix"
    r"|document|diary|interview|testimony|schedule|folio|notes?|deed|register|file|flat|house|street|road|apt"
    r"|born|application|claim|case|policy|passport|account|report|judge|justice)\b"
    r"|^\W*(?:LJ?|JJ?|KC|QC)\b|\b(?:code|act|stat|const|rules?|regs?)\b\.?,?\s*(?:§|s\.|art|rule|r\.|\()",
    re.IGNORECASE,
)
"""What a reference has that is one to the file, or to something else than a book."""
_WRITES = re.compile(
    r"['’]s?\s+(?:\w+\s+)?(?:annotations?|commentary|treatise|textbook|monograph|casebook|handbook)"
    r"\s+(?:in|on|to|of|at|under)\b"
    r"|['’]s?\s+(?:article|essay|case\s*note|lecture)\s+in\s+(?:the\s+)?[A-ZÀ-Þ*_]"
    r"|,\s+in\s+(?:an?|his|her|their)\s+(?:[\w-]+\s+){0,2}(?:article|essay|treatise|monograph|textbook|commentary)\b"
)

_REPORT = re.compile(
    r"[*_”\"]*,?\s+(?:\[(?:1[89]|20)\d\d\]\s+(?:\d+\s+)?e?[A-Z]"  # [1987] 1 S.C.R. 12
    r"|\((?:1[89]|20)\d\d\),?\s+\d+\s+[A-Z][A-Za-z.]+(?:\s?[\w.]+){0,2}\s\d"  # (1994) 27 Cal.App.4th 567
    r"|\d{1,4}\s+(?:[A-Z]\.\s?){1,3}(?:App\.\s?|Supp\.\s?)?(?:\d[a-z]{1,2}\s+)?\d"  # 501 N.W.2d 12
    r"|ECLI:|AIR\s+\d{4}\s|PLD\s+\d{4}\s"
    r"|(?:19|20)\d\d\s+(?:\(\d+\)\s+)?(?:SCMR|SCC|SCR|CLC|MLD|YLR|PLC|PCr\.?\s?LJ"
    r"|BCSC|ONSC|ABQB|BCCA|ONCA|QCCA|FCA?)\s+\d)"
)
"""The report of a case right behind its name."""
_NUMBER = re.compile(r"[*_”\"]*\s*[,(]\s*(?:(?:Joined\s+)?Cases?\s+)?[CTF][-‑–]\d+/\d\d\b")
_REGISTERED = re.compile(
    r"(?:\b[A-Z]{1,3}[ -]\d+/\d\d,\s+|\b(?:NJ|JAR|RvdW|JOR|AB)\s\d{4}[/,]\s?\d+\s?[,(]\s?|\bECLI:[\w:.]+\s?[,(]\s?)"
    rf"(?:{_SURNAME}(?:\s{_SURNAME})?/)?[*_“\"]?$"
)
"""The number of a case right before its name: "KI 12/15, ", "NJ 2001/512, "."""
_REFERRING = re.compile(
    r"(?:\b(?:in|see|to|from|per|cit(?:es?|ing)|consult(?:ed)?|edition\s+of|passage\s+in|and|&|by|cf\.)\s+[*_“\"]?"
    r"|[(;]\s?)$"
)
_CITED_AGAIN = re.compile(
    r"[*_”\"]*(?:,?\s+\(?(?:both\s+|all\s+)?(?:cited|referred\s+to)\s+above\b|,?\s+supra\b|,\s+§§?\s*\d"
    r"|,?\s+at\s+(?:\[|para|§|p\.|pp\.)|,\s+para(?:s|graphs?)?\b\.?\s*\d|,?\s+\[\d+\]"
    r"|\s+(?:test|guidelines|doctrine|principles?|criteria|factors|threshold|direction|approach)\b)"
)
_CITING = re.compile(
    r"\b(?:[Ii]n|[Ss]ee(?:\s+also)?|[Uu]nder|[Ff]ollowing|[Aa]pplying|[Aa]pplied|[Ff]ollowed|[Dd]istinguish(?:ed|ing|es)?"
    r"|[Cc]f\.?|[Uu]nlike|[Cc]iting|[Oo]verruled|(?:relie[sd]|reliance|relying)\s+(?:up)?on|e\.g\.)\s+[*_“\"]*$"
)
_CALLED = re.compile(r"(?:\b(?:the|The|an?|so-called)\s|\()[*_“\"]?$")
_FOR_SHORT = re.compile(
    r"[*_”\"]?\s(?:doctrine|guidelines|principles?|(?:(?:lower|middle|upper|top)\s)?bands?|injunction"
    r"|competen(?:ce|t)|exception|threshold|criteria|directions?|formula|tables|Tables|test|rule|factors"
    r"|line\s+(?:is|of\s+(?:cases|authorit\w+)))\b"
)


def of_book(text: str, low: int, high: int, is_day: Callable[[str], bool]) -> tuple[str, bool] | None:
    """The reference to a book behind a name between two places, and whether it leaves no doubt."""
    end = min(len(text), high + _WITHIN)
    if found := _of_author(text, low, high, end):
        return found[0], True
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
    work = _WORK.match(text, high, end) or _WRITES.match(text, high, end) or _of_page(text, low, high, end)
    if not work and refers(text[max(0, low - _WITHIN) : low]):
        work = _TITLED.match(text, high, end) or _DATED.match(text, high, end)
    return (work[0], False) if work else None


def _of_author(text: str, low: int, high: int, end: int) -> re.Match[str] | None:
    """The reference behind an author's name, or behind that of the last of those joined by slashes."""
    joined = "/" in (text[low - 1 : low], text[high : high + 1]) or _ACRONYM.search(text, max(0, low - _NEAR), low)
    found = _SOURCE.match(text, high, end) if joined else None
    found = found or _SURE_WORK.match(text, high, end)
    if found is None and text[low:high].isupper() and high - low > 2:
        found = _SURNAME_FIRST.match(text, high, end) or _PINPOINT.match(text, high, end)
    return found if found and not _FILED.search(found[0]) else None


def _of_page(text: str, low: int, high: int, end: int) -> re.Match[str] | None:
    """A title and a page: ", Traité des successions, n. 304"."""
    found = _PAGED.match(text, high, end) or _JOURNAL.match(text, high, end)
    if found is None and _VOLUME.search(text, max(0, low - _NEAR), low):
        found = _OF_VOLUME.match(text, high, end)
    return found if found and not _FILED.search(found[0]) else None


def of_report(before: str, behind: str) -> str | None:
    """The report or number right behind or before the name of a case: "Roe, [1987] 1 S.C.R. 12", "KI 12/15, Roe".

    Not where nothing stands before it in its line: that may be the heading of a page, with the ruling's own name.
    """
    if found := _REGISTERED.search(before):
        return found[0]
    alone = not before.rpartition("\n")[2].strip()
    found = None if alone else _REPORT.match(behind) or _NUMBER.match(behind)
    return found[0] if found else None


def refers(before: str) -> bool:
    """Whether the words before a name are those of a reference: "reported in Roe"."""
    return _REFERRING.search(before) is not None


def again(before: str, behind: str) -> str | None:
    """What tells that a name is that of a case which is cited elsewhere: "(Roe, cited above, § 43)", "in Roe"."""
    found = _CITED_AGAIN.match(behind)
    if found is None and not behind.startswith(("'", "’")):
        found = _CITING.search(before)
    return found[0] if found else None


def for_short(before: str, behind: str) -> str | None:
    """What follows the name of a case that has given it to a rule: "the Molina doctrine"."""
    found = _FOR_SHORT.match(behind)
    return found[0] if found and _CALLED.search(before) else None
