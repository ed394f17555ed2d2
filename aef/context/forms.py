"""The forms in which the words for roles stand around a name, as patterns with the words of a language in them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache

from aef.context import appearances
from aef.context.cues import SUGGESTED, TOLD, WORDS, Cues, cues, words_of
from aef.names.parts import titles

ARTICLE = r"(?:the|an?|his|her|their|its|my|our|one|el|la|un[ae]?|su|l[ae]|sa|son|leur)\s"

_APART = r"[\"”)\],]*(?:[ \t]{2,}|[ \t]*(?:\.{2,}|…)|\s*\n|,\s)[\s.…(]*(?:\d\w{0,3}\s+|(?i:orig)\.\s+)?"
"""What stands between a name of the head and its role in the next column or line."""

_CELL = r"(?:(?m:^)|(?<=[ \t]{2}))[ \t]*(?:\d\.\s)?(?i:the[ \t]+)?"
_OPENED = r"(?:[ \t]*\([^)\n]{0,30}\))?(?:[ \t]*:-?[ \t]*|[ \t]*\.{2,}[ \t]*|[ \t]{2,})"
"""How a cell opens that a label names, and what stands between the label and the first name."""

_BODIES = (
    r"Ministry|Minist[eè]re|Police|Prosecutor|Prosecution|Youth\s+Welfare|Child(?:ren)?(?:[’']s)?\s+(?:Protection|Services)"
    r"|Social\s+(?:Services|Welfare)|Immigration|Revenue|Customs|Inspectorate|Registry|Prefecture|Municipality|Home\s+Office"
    r"|Department\s+of\s+(?:Justice|Health|Child|Famil|Communit|Social|Human|Home|Corrections|Labou?r)"
    r"|Department(?!\s+(?:of|store))|Children[’']s\s+Aid\s+Society|Tusla|D[CS][A-Z]{2}|Oranga\s+Tamariki"
    r"|(?:County|City|Borough|District)\s+Council|Probation|Border\s+(?:Force|Guard)|Jugendamt|Gendarmerie|Carabinieri"
)
_OF_BODY = (
    r"[\"”)]*,?\s+(?:(?:an?\s+|the\s+)?(?:then\s+|acting\s+|deputy\s+)?"
    r"(?P<office>(?i:director(?:[- ]general)?|head|secretary|commissioner|official|officer))\s+)?"
    rf"(?:of|from)\s+(?:the\s+)?(?:[A-Z][\w.’'-]*\s+){{0,4}}?(?:{_BODIES})\b"
)
"""Behind a name, the public body whose officer somebody is: "of the Ministry of Justice"."""

_FORMS = {
    "before": r"(?P<cue>«before»)[,:)]?\s*«titles»$",
    "opens": r"(?:«before»)[,:]?\s+(?=\w)",  # a mention that begins with the words for an office
    "ranked": r"(?P<cue>«rank»)\s*$",
    "force": r"«force»",
    "before_perhaps": r"(?P<cue>«before_perhaps»)[,:]?\s*«titles»$",
    "behind": r"['’s]{0,2}[\"”)]*\s*[,(\[–—-]?\s*(?P<cue>«behind»)",
    "plural": r"(?:[\"”)\]]+(?=\s*[,(]))?(?:\s*\([^()\n]{0,30}\))?\s*,?\s*\(?(?P<cue>«plural»)",
    "noun": r"«nouns»",
    "noun_before": r"(?P<cue>«nouns»)(?:(?:\s+[a-z]+)?(?:\s*\([^()\n]{1,30}\))?\s*:"
    r"|[\s\"“(\[]*[,(–—]?(?:\s*\(?[PDCR]\.?W\.?[- ]?\d+[),]*)?)[\s\"“(\[]*$",
    "judge_at": r"(?P<cue>«judges»)(?:,|\s+(?:at|of|in))?(?:\s+[A-ZÀ-Þ][\w.-]*){1,3}\s*\(\s*«titles»$",
    "noun_apart": _APART + r"(?P<cue>«nouns»)(?!\s*:|['’]s)",
    "noun_titled": r"[\"”)]*(?:,\s|\s\()(?:the\s+)?(?:[A-ZÀ-Þ][\w-]+\s){0,3}?(?P<cue>«nouns»)(?!\w)",
    "of_body": _OF_BODY,
    "agent": r"[^.;\n]{0,100}?\b(?P<cue>acting as (?:its |their )?[Aa]gents?)\b",
    "noun_was": r"(?P<cue>«nouns»)(?:\s+(?:on|of|in|for)\s+[\w’' ]{1,30}?)?,?\s+(?:was|is|were|called|named)\s*$",
    "lead": r"(?P<cue>«lead»)\s+(?:[\w.’'&-]+\s+){0,6}?[\w.’'&)-]+\s*[,:]\s*«titles»$",
    "acts": r"(?:\s*,[^.;\n]{0,80},|\s*\([^)\n]{0,80}\))?[\s,]+«acting»",
    # acts_in_head: not in the column to the right, nor a label; acts_below: in the next line of that column
    "acts_in_head": r"(?![^;\n]*\s\)\s)[^;\n]{0,140}?[\s(]«acting»(?!\s*:|[ \t]{2,}\S)",
    "acts_below": r"[^\n]*\n[^\n)]*\s\)\s+(?P<cue>for)\s(?!(?:him|her|them|my)sel)",
    "acts_for_kin": r",\s+(?P<cue>for the)\s+(?:«kin»)(?=[,.;)]|\s+and\b)",
    "versus_before": r"(?i:(?P<cue>«versus»)\s*«titles»$)",
    "versus_behind": r"(?i:(?:\s+(?:and|&|et|y)(?:\s+[A-ZÀ-Þ][\w.’'-]*){1,3}?)?"
    r"\s*(?:estate|(?:,?\s*(?:and|&)?\s*)?(?:others|another|anr\.?|ors\.?|et al\.?))?(?:\s*\([^)]*\))?,?\s+"
    r"(?P<cue>«versus»)(?=[\s,]))",
    "label": _CELL + r"(?P<cue>(?P<word>«label»)(?:\s+(?:for|to|of)\s[^:\n]{0,60}?)?"
    r"|(?P<acts>(?:«for»)\s+(?:the\s+)?(?:[\w.-]+\s+){0,3}?(?:\w+-)?(?:«parties»|(?i:«kin»))(?:\s[^:\n]{0,30}?)?)"
    r"|(?P<party>(?:(?:[A-Z]\w+|\d\w\w)\s)?(?:«parties»)))" + _OPENED,
    "between_dashes": r"(?:[^\n–]*\n(?!\s*\d+\.\s|[ \t]*\n)){1,3}\s*–(?P<said>[^\n–]+)–[ \t]*(?:\n|$)",
    "letters": r"(?:«letters»|«firms»)",
    "office": r"[\"”)\]]*,?[ \t]*\n\s*(?P<cue>«office»)[ \t]*(?:\n|$)",
    "signed": r"[\s(]*(?:(?i:the)\s)?(?P<cue>«office»)(?:[\s,]+(?:of|at|in|for)\s[^\n]{0,50})?[\s.,:)]*",
    "bench": r"(?P<cue>«bench»|(?m:^)[ \t]*(?:«bench_perhaps»)(?:\(s\))?(?=[ \t]*:|[ \t]{3,}|[ \t]*\r?\n))",
    "seats": r"«judge_seats»",
    "gap": r"(?:[\W\d_]|«seat»)*+",
    "case_before": r"(?P<cue>«case»)\s*(?:the\s+)?«titles»$",
    "reports": r"(?P<cue>«reports»)\s+$",
    "appearing": r"«appearing»",
    "titles": r"(?:(?<!\w)(?=\w)|$)«titles»$",  # tried only where a word begins
}
"""What is looked for before ($) and behind a name; the words of the lists come in the place of «before» ..."""


class Forms(dict[str, re.Pattern[str]]):
    """The forms with the words of a language in them, each compiled when it is first asked for."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts = parts

    def __missing__(self, name: str) -> re.Pattern[str]:
        form = re.sub("«(\\w+)»", lambda place: self._parts.get(place[1], "(?!)"), _FORMS[name])
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
    parts["bench"], parts["bench_perhaps"] = (known["bench"].weighing(w).pattern for w in (TOLD, SUGGESTED))
    titled = [title for title, words in _words_of_titles(language).items() if words <= there]
    parts["titles"] = rf"(?:(?i:(?<!\w)(?:{'|'.join(map(re.escape, titled)) or '(?!)'})\.?)(?!\w)\s*)*"
    parts["nouns"] = _or_plural(f"(?:{parts['noun']})")
    parties = Cues({word: told for word, told in known["noun"].told.items() if told[0] == "party"}).pattern
    parts["acting"] = rf"(?P<cue>{parts['acts']})\s*(?:[\w.’'-]+\s+){{0,2}}?(?:\w+-)?(?:{_or_plural(parties)})"
    parts["parties"] = _or_plural(parties)
    parts["for"] = r"(?i:for|on\s+behalf\s+of|bagi\s+pihak)"
    letters = {w: t for place in ("behind", "noun") for w, t in known[place].told.items() if t == ("counsel", TOLD)}
    parts["letters"], parts["firms"] = Cues(letters).pattern, known["firm"].pattern
    kin = {word: told for word, told in known["noun"].told.items() if told[0] in ("relative", "child")}
    parts["kin"] = Cues(kin).pattern
    parts |= _seats(known["seat"])
    parts["appearing"] = appearances.form(_or_plural(parties), parts["kin"])
    judges = {word: told for word, told in known["noun"].told.items() if told == ("judge", TOLD)}
    parts["judges"] = Cues(judges).pattern
    return Forms(parts)


@cache
def _words_of_titles(language: str) -> dict[str, frozenset[str]]:
    """The titles that may stand before a name, the longest first, and the words of each."""
    known = sorted(
        {*titles(language), *cues(language)["title"].told}, key=lambda title: (-len(re.escape(title)), title)
    )
    return {title: frozenset(WORDS.findall(title.lower())) for title in known}


def _seats(seats: Cues) -> dict[str, str]:
    """What may stand between the names of a bench, and the words of it that tell a judge."""
    of_judges = Cues({word: told for word, told in seats.told.items() if told[0] == "judge"})
    return {"seat": seats.pattern, "judge_seats": of_judges.pattern}


def _or_plural(pattern: str) -> str:
    return pattern.replace(r"(?!\w)", r"(?:s|es)?(?!\w)")
