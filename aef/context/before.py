"""What the words right before a name tell: titles, nouns in apposition."""

from __future__ import annotations

import re
from collections.abc import Iterator

from aef.citations.case_names import report
from aef.context.evidence import Evidence
from aef.context.ruling import CLOSE, Context
from aef.corpus_tools.tokenization.chunks import WORDS

_NEAR = 250
"""Characters on both sides of a name in which a citation is near."""

_NAMING = frozenset({"was", "is", "were", "called", "named"})
_CLIENT = re.compile(r"\bfor\s+(?:the\s+)?(?:(?:\w+|mrs?\.|ms\.|dr\.)\s+){0,2}$", re.IGNORECASE)


def evidence_before(context: Context, low: int, before: str) -> Iterator[Evidence]:
    """What is told by the text before a name that begins at ``low``."""
    p, offset = context.forms, low - len(before)
    close = max(0, len(before) - CLOSE)
    plain = before[: p["titles"].search(before, close).start()]  # type: ignore[union-attr]  # it matches nothing, too
    words = WORDS.findall(plain[close:].lower())
    last = [*words[-1:], *WORDS.findall(before[len(plain) :].lower())]
    if context.cues["before"].may_end(last) and (
        found := p["before"].search(before, close) or p["before_perhaps"].search(before, close)
    ):
        yield from context.told("before", found["cue"], offset + found.start("cue"))
    cited = context.cues["reports"].may_end(last) and p["reports"].search(before, close)
    if cited and report().search(context.text, max(0, low - _NEAR), low + _NEAR):
        yield from context.told("reports", cited["cue"], offset + cited.start("cue"))
    if found := _noun_before(context, low, before, plain, words):
        yield from context.told("noun", found["cue"], offset + found.start("cue"))


def _noun_before(context: Context, low: int, before: str, plain: str, words: list[str]) -> re.Match[str] | None:
    """The noun that is said of the name behind it; ``words``: the last ones of the plain text before the name."""
    p, close = context.forms, max(0, len(before) - CLOSE)
    apart = plain.rstrip().endswith((":", ")")) or (bool(words) and words[-1].isdigit())
    near = words[-6:] if apart else words[-2:]
    if context.cues["noun"].may_end(near) and (found := p["noun_before"].search(plain, close)):
        return found if _in_apposition(context, low, before, plain, found) else None
    named = bool(words) and words[-1] in _NAMING and context.cues["noun"].may_end(words)
    return p["noun_was"].search(plain, close) if named else None


def _in_apposition(context: Context, low: int, before: str, plain: str, found: re.Match[str]) -> bool:
    """Whether the noun before a name is said of it: not of a client ("for the mother, Ms. Green"), nor of the name in
    the line above."""
    apart = before[found.end("cue") :]
    if _CLIENT.search(plain, 0, found.start()):
        return False
    line = plain[plain.rfind("\n", 0, found.start("cue")) + 1 : found.start("cue")]
    # the line above names its own: "Respondent" under the respondent
    return not ("\n" in apart and ":" not in apart and (context.in_head(low) or not line.strip(" \t")))
