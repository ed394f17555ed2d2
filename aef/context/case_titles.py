"""Names in the name of a case: of cited persons where a citation follows, of parties in the head of the ruling."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aef.context.cues import SUGGESTED
from aef.context.evidence import Evidence
from aef.context.ruling import CLOSE, Context

_CITED_WITHIN = 200
"""Characters behind a name in which a citation of its case stands."""

_CITATION = re.compile(
    r"[\[(](?:1[6-9]|20)\d\d[\])]\s*(?:\d+\s+)?[A-Z(]"  # [1996] 2 S.C.R. 27, (2012) 8 SCC 21
    r"|(?<![\d/])\d{1,4}\s+(?:\(\d+\)\s+)?(?:[A-Z]\.\s?|[A-Z][A-Za-z]*\.?\s?|[A-Z]&[A-Z]\.?\s){1,4}"
    r"(?:\([A-Z][\w.]{0,8}\)\s+|\(?\d[a-z]{1,2}\)?\.?\s)?\d+"  # 161 Ohio St. 469, 31 DLR (HCD) 77, 1998 (1) SA 745
    r"|(?<!\d)(?:1[6-9]|20)\d\d[- ][A-Z][A-Za-z]{2,}[- ]\d+"  # 2013 BCSC 1482, 2012-Ohio-2179
    r"|\b[Nn]os?\.\s*\d[\d/-]+|(?<!§)§+\s*\d|\bAIR\s+\d{4}|\bECLI:|\bSeries A\b|\bRJ\s?\d{4}|\[GC\]"
)

_BREAK = re.compile(
    r"(?<!\bv)(?<!\sc)(?<!\bvs)(?<!\bNo)(?<!\bno)(?<!\b[A-Z])(?<!\b(?:St|Mr|Ms|Dr))[.;]\s+(?=[A-Z])|\n\s*\n"
)


def evidence_of_case(context: Context, low: int, high: int, before: str, behind: str) -> Iterator[Evidence]:
    """The name of a case: a cited one, or this one in the head."""
    if context.in_cited_case(low, high):
        yield Evidence("cited", context.text[low:high], "citation", low)
        return
    if context.in_own_name(low, high):
        yield Evidence("party", context.text[low:high], "style of cause", low)
        return
    p = context.forms
    close = max(0, len(before) - CLOSE)
    found = (
        p["versus_behind"].match(behind)
        or p["versus_before"].search(before, close)
        or p["case_before"].search(before, close)
    )
    if found is None:
        return
    weak = "cited" in _suggested(context, found)
    if weak and not (found["cue"].islower() and _cited(context, high)):
        return
    start = high + found.start("cue") if found.string is behind else low - len(before) + found.start("cue")
    if context.in_head(low) or _is_a_line(context, start, start + len(found["cue"])):
        yield Evidence("party", found["cue"], "style of cause", start)
    elif _cited(context, high):
        yield Evidence("cited", found["cue"], "citation", start)
    elif found.re is not p["case_before"] and not weak:
        yield Evidence("cited", found["cue"], "citation", start, SUGGESTED)


def _suggested(context: Context, found: re.Match[str]) -> set[str]:
    """The roles that the words between two names suggest and do not tell: "c.", which may be an initial."""
    meaning = context.cues["versus"].meaning(found["cue"])
    return {meaning[0]} if meaning and meaning[1] == SUGGESTED else set()


def _is_a_line(context: Context, start: int, end: int) -> bool:
    """Whether nothing else stands in a line: so does the "v." of a ruling's own parties."""
    before, behind = context.text.rfind("\n", 0, start) + 1, context.text.find("\n", end)
    return before > 0 and behind >= 0 and not f"{context.text[before:start]}{context.text[end:behind]}".strip()


def _cited(context: Context, high: int) -> bool:
    """Whether a citation stands behind, in the same sentence."""
    window = context.text[high : high + _CITED_WITHIN]
    citation = _CITATION.search(window)
    stop = _BREAK.search(window)
    return citation is not None and (stop is None or citation.start() <= stop.end())
