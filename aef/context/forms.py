"""The forms in which the words for roles stand around a name, as patterns with the words of a language in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from aef.context.cues import SUGGESTED, TOLD, cues, words_of
from aef.corpus_tools.tokenization.chunks import WORDS
from aef.names.titles import titles

ARTICLE = r"(?:the|an?|his|her|their|its|my|our|one|el|la|un[ae]?|su|l[ae]|sa|son|leur)\s"

_APART = r"[\"”)\],]*(?:[ \t]{2,}|[ \t]*(?:\.{2,}|…)|\s*\n|,\s)[\s.…(]*(?:\d\w{0,3}\s+|(?i:orig)\.\s+)?"
"""What stands between a name of the head and its role in the next column or line."""

_FORMS = {
    "before": r"(?P<cue>«before»)[,:)]?\s*«titles»$",
    "opens": r"(?:«before»)[,:]?\s+(?=\w)",  # a mention that begins with the words for an office
    "before_perhaps": r"(?P<cue>«before_perhaps»)[,:]?\s*«titles»$",
    "behind": r"['’s]{0,2}[\"”)]*\s*[,(\[–—-]?\s*(?P<cue>«behind»)",
    "noun": r"«nouns»",
    "noun_before": r"(?P<cue>«nouns»)(?:(?:\s+[a-z]+)?(?:\s*\([^()\n]{1,30}\))?\s*:"
    r"|[\s\"“(\[]*[,(–—]?(?:\s*\(?[PDCR]\.?W\.?[- ]?\d+[),]*)?)[\s\"“(\[]*$",
    "noun_apart": _APART + r"(?P<cue>«nouns»)(?!\s*:|['’]s)",
    "noun_titled": r"[\"”)]*(?:,\s|\s\()(?:the\s+)?(?:[A-ZÀ-Þ][\w-]+\s){0,3}?(?P<cue>«nouns»)(?!\w)",
    "noun_was": r"(?P<cue>«nouns»)(?:\s+(?:on|of|in|for)\s+[\w’' ]{1,30}?)?,?\s+(?:was|is|were|called|named)\s*$",
    "versus_before": r"(?i:(?P<cue>«versus»)\s*«titles»$)",
    "versus_behind": r"(?i:(?:\s+(?:and|&|et|y)(?:\s+[A-ZÀ-Þ][\w.’'-]*){1,3}?)?"
    r"\s*(?:estate|(?:,?\s*(?:and|&)?\s*)?(?:others|another|anr\.?|ors\.?|et al\.?))?(?:\s*\([^)]*\))?,?\s+"
    r"(?P<cue>«versus»)(?=[\s,]))",
    "between_dashes": r"(?:[^\n–]*\n(?!\s*\d+\.\s|[ \t]*\n)){1,3}\s*–(?P<said>[^\n–]+)–[ \t]*(?:\n|$)",
    "case_before": r"(?P<cue>«case»)\s*(?:the\s+)?«titles»$",
    "reports": r"(?P<cue>«reports»)\s+$",
    "titles": r"(?:(?<!\w)(?=\w)|$)«titles»$",  # tried only where a word begins
}
"""What is looked for before ($) and behind a name; the words of the lists come in the place of «before» ..."""


class Forms(dict[str, re.Pattern[str]]):
    """The forms with the words of a language in them, each compiled when it is first asked for."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts = parts

    def __missing__(self, name: str) -> re.Pattern[str]:
        form = _FORMS[name]
        for place, words in self._parts.items():
            form = form.replace(f"«{place}»", words)
        self[name] = re.compile(form)
        return self[name]


def forms(language: str, text: str) -> Forms:
    """The forms in a language, with all its words or those of them that a text has; of a place that its list lacks they
    match nothing.

    A text has one word in ten. The forms with all words take longer to compile than a short ruling to anonymize, but
    many rulings share them.
    """
    _asked[language] += 1
    return _of_words(language, words_of(text)) if _asked[language] <= _FEW else _of_all(language)


_FEW = 3
"""For so many texts the forms with their own words are compiled, before those with all words are."""
_asked: Counter[str] = Counter()


@cache
def _of_all(language: str) -> Forms:
    lists = cues(language).values()
    words = frozenset[str]().union(*(found.words for found in lists), *_words_of_titles(language).values())
    return _of_words(language, words)


def _of_words(language: str, there: frozenset[str]) -> Forms:
    known = {place: found.among(there) for place, found in cues(language).items()}
    parts = {place: found.pattern for place, found in known.items()}
    parts["before"], parts["before_perhaps"] = (known["before"].weighing(w).pattern for w in (TOLD, SUGGESTED))
    titled = [title for title, words in _words_of_titles(language).items() if words <= there]
    parts["titles"] = rf"(?:(?i:(?<!\w)(?:{'|'.join(map(re.escape, titled)) or '(?!)'})\.?)(?!\w)\s*)*"
    parts["nouns"] = _or_plural(f"(?:{parts['noun']})")
    return Forms(parts)


@cache
def _words_of_titles(language: str) -> dict[str, frozenset[str]]:
    """The titles that may stand before a name, the longest first, and the words of each."""
    known = sorted(
        {*titles(language), *cues(language)["title"].told}, key=lambda title: (-len(re.escape(title)), title)
    )
    return {title: frozenset(WORDS.findall(title.lower())) for title in known}


def _or_plural(pattern: str) -> str:
    return pattern.replace(r"(?!\w)", r"(?:s|es)?(?!\w)")
