"""What the words right behind a name tell: offices, and what the person is in apposition."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import islice

from aef.context.evidence import Evidence
from aef.context.forms import ARTICLE
from aef.context.ruling import CLOSE, Context
from aef.corpus_tools.tokenization.chunks import WORDS

_PHRASE = 8
"""The words that an apposition may have."""


_PLACED = r"(?:allocated|appointed|assigned|chartered|certified|licensed|qualified|registered|retired|seconded)"
"""What goes before the word for an office, of the words that otherwise say what somebody did."""
_LINK = re.compile(
    rf"[\"”’)]*(?:\s*,\s*(?:who\s+(?:is|was|has\s+been|had\s+been)\s+)?|\s*\(|\s*[–—]\s|\s+(?:(?:who|que|qui)\s+)?"
    rf"(?:is|was|es|era|est|était)\s+(?={ARTICLE}))(?=[a-zà-ÿ])"
    rf"(?!(?!{_PLACED}\s)[a-z]+ed\s|(?:is|was|were|are|has|had|have|and|but|or|if|when|said|says)\s"
    r"|(?:who|whom|whose|which|that|for|as|because|where|while|by|through|with|from|per)\s)"
)
_STOP = re.compile(
    r"[,.;:()–—\[{]|\s(?:of|for|to|at|in|on|with|who|which|that|by|from|de|del|du|des|pour|por|que|qui|said|is|was)\b"
    rf"|\s(?:and|y|et)\s+(?:{ARTICLE}|[A-ZÀ-Þ])|\n\s*(?:[A-ZÀ-Þ(\d]|\n)"
)
_PRIVATE = frozenset(
    {"team leader", "team manager", "case manager", "support worker", "care worker", "assessor", "expert", "therapist"}
)
"""Offices that private firms have, too, where another word may stand before: "Quality Assessor"."""


def evidence_behind(context: Context, low: int, high: int, behind: str) -> Iterator[Evidence]:
    """What is told by the text behind a name from ``low`` to ``high``."""
    p = context.forms
    said = _apposition(context, behind)
    found = _right_behind(context, behind)
    if found and not _is_part_of(context, found, said):
        yield from context.told("behind", found["cue"], high + found.start("cue"))
    if _is_possessive(behind):
        return
    if context.in_head(low) and (dashes := p["between_dashes"].match(behind)):
        for noun in p["noun"].finditer(behind, *dashes.span("said")):
            yield from context.told("noun", noun[0], high + noun.start())
    found = None if _in_brackets(context, low, behind) else p["noun_apart"].match(behind)
    if found and (found["cue"][0].isupper() or context.in_head(low)):
        yield from context.told("noun", found["cue"], high + found.start("cue"))
    elif said:
        yield from context.told("noun", said[0], high + said.start())
    elif found := p["noun_titled"].match(behind):
        told = context.told("noun", found["cue"], high + found.start("cue"))
        yield from (e for e in told if _is_sure_office(e))


def _is_part_of(context: Context, found: re.Match[str], said: re.Match[str] | None) -> bool:
    """Whether the words found open a phrase whose last noun tells another role: ", a child psychiatrist"."""
    if said is None or said.start() <= found.start("cue"):
        return False
    told, last = context.cues["behind"].meaning(found["cue"]), context.cues["noun"].meaning(said[0])
    return told is not None and last is not None and told[0] == "child" != last[0]


def _right_behind(context: Context, behind: str) -> re.Match[str] | None:
    first = next((w[0] for w in islice(WORDS.finditer(behind), 2) if w[0] != "s"), "")
    if not context.cues["behind"].begin_with(first.lower()):
        return None
    return context.forms["behind"].match(behind)


def _in_brackets(context: Context, low: int, behind: str) -> bool:
    """Whether a bracket closes behind the name that opened before other words: what follows is not said of it."""
    before = context.text[max(0, low - CLOSE) : low]
    opened = before.rfind("(")
    return behind.startswith(")") and bool(before[opened + 1 :].strip()) and ")" not in before[opened:]


def _apposition(context: Context, behind: str) -> re.Match[str] | None:
    """The last noun of the phrase that says what the person is: ", a registered psychologist, ..."."""
    link = _LINK.match(behind)
    if link is None:
        return None
    stop = _STOP.search(behind, link.end())
    end = stop.start() if stop else len(behind)
    if len(behind[link.end() : end].split()) > _PHRASE:
        return None
    nouns = context.forms["noun"].finditer(behind, link.end(), end)
    return _last(noun for noun in nouns if not _is_possessive(behind[noun.end() :]))


def _is_possessive(behind: str) -> bool:
    return behind.startswith(("'", "’")) and behind[1:].removeprefix("s")[:1].isspace()


def _is_sure_office(evidence: Evidence) -> bool:
    """Whether words in capitals behind a name, of which others may stand before, are an office and no private job."""
    words = evidence.cue.lower()
    several = " " in words and words not in _PRIVATE
    return (evidence.role == "official" and several) or (evidence.role == "expert" and words not in _PRIVATE)


def _last(matches: Iterable[re.Match[str]]) -> re.Match[str] | None:
    return next(iter(deque(matches, maxlen=1)), None)
