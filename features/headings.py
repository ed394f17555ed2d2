"""What the part of a ruling tells that a token stands in: the heading above it, and a reference to law beside it.

Of the dates of a judgment those of the facts are hidden, and seldom those of the procedure. The heading tells most of
that in Spanish and French, where these features were measured by cross-validation.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from aef.features.patterns import Match, found
from aef.features.registry import argument, feature
from aef.features.ruling import Ruling

_LONGEST, _LETTERS = 8, 24
"""The words that a heading has at most, and the letters of it that are looked at."""


@argument
def heading(document: Ruling) -> Sequence[str]:
    """How the heading begins that stands above the token: a short sentence mostly in capitals; "^" above the first."""
    spans, headings, last = [], [], "^"
    for start, end in document.sentences:
        last = _heading(document.words[start:end]) or last
        spans.append((start, end))
        headings.append(last)
    return document.over(spans, headings)


def _heading(words: Sequence[str]) -> str:
    """A sentence's words in lower case where it is a heading, else nothing.

    >>> _heading(["LOS", "HECHOS"]), _heading(["The", "BBC", "appealed"]), _heading(["A."])
    ('los hechos', '', '')
    """
    capitals = sum(word.isupper() for word in words)
    if len(words) > _LONGEST or 2 * capitals < len(words) or not any(len(w) > 2 and w.isalpha() for w in words):
        return ""
    return " ".join(word.lower() for word in words if word.isalpha())[:_LETTERS]


@argument
def cites(document: Ruling) -> Sequence[str]:
    """Whether the token's sentence refers to the law: "law", else "-"."""
    laws = [start for start, _, name in found(document) if name == "law"]
    told = ["law" if bisect_left(laws, end) > bisect_left(laws, start) else "-" for start, end in document.sentences]
    return document.over(document.sentences, told)


@feature(tags=["wide-es", "wide-fr"])
def HeadingKind(heading: str, kind: str) -> str:
    """The heading above, and the kind of the word.

    >>> HeadingKind("los hechos", "Xxx")
    'los hechos Xxx'
    """
    return f"{heading} {kind}"


@feature(tags=["wide-es", "wide-fr"])
def HeadingPattern(heading: str, match: Match) -> str | None:
    """The heading above, and the pattern that the token is in.

    >>> HeadingPattern("los hechos", ("date", "born", "on", "in"))
    'los hechos date'
    """
    return f"{heading} {match[0]}" if match else None


@feature(tags=["wide-es", "wide-fr"])
def BesideLaw(cites: str, kind: str) -> str:
    """Whether the sentence refers to the law, and the kind of the word.

    >>> BesideLaw("law", "nationalities")
    'law nationalities'
    """
    return f"{cites} {kind}"
