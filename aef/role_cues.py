"""What the words around a person's name tell of the person's role: title, apposition, citation, line of the head.

The words stand in the lists ``role_cues`` of `aef.lexicons`, a line ``role | place | words``. The places:

========  ==============================================================================================
before    right before the name, titles between them aside: "Madam Justice Long", "counsel, Ms. Green"
behind    right behind it, a comma or bracket aside: "Long J.", "Gill KC", "Hope, born on"
plural    behind the last of several names, for all of them: "Kulkarni and Engineer, JJ."
noun      what the person is, in apposition: "her mother, Ann Roe", "Ann Roe, a psychologist"
lead      opens a phrase that a comma or colon closes before the name: "counsel for the mother, Ms. Green"
acts      between a name and a party: "Daniel Price for Appellant"
versus    joins the names of a case; case: stands before the name of a case
reports   right before the name, where a citation is near: "Lord Nicholls put it"
label     opens a line, or a column of it, before a colon or gap: "Clerk: A. Roe" (`aef.role_lines`)
office    is all of the line below the name, or of the cell below or above it
known     surnames that name a book: "in Archbold"
rank      right before the name, of police and of soldiers: "Captain Roe"; force: words near it where police is meant
bench     opens a list of those who sit: "composed of"; seat: stands between their names: "President"
title     words that may stand between what is right before a name and the name: they tell nothing
========  ==============================================================================================

Three places are for `aef.things`: firm, address and born, the words of law firms, of addresses and before birth dates.

The names of a case are those of cited persons where a citation follows, and of parties in the head of the ruling.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from aef import appearances, lexicons
from aef.benches import benches, signed_as
from aef.cited_works import again, for_short, is_listed_case, of_book, of_pair, of_report, on_side_of_case, refers
from aef.collector import collector_paused
from aef.corpus_tools.document import HEAD, Block, Document, Mention
from aef.features.head import head_role
from aef.features.ruling import Frequencies, Ruling, Source
from aef.names import PERSON, core, titles
from aef.role_lines import Label, heading_of, label_of, of_appearances, of_typist, of_witnesses

LIST = "role_cues"
SUGGESTED, TOLD, GIVEN = 1, 2, 3
"""How much evidence weighs: words that suggest a role, words that tell it, the case's metadata."""

_REACH, _CITED_WITHIN, _NEAR = 160, 200, 250
"""Characters that are looked at around a name, behind it for a citation, and on both sides for one that is near."""
_PHRASE, _CLOSE = 8, 80
"""The words that an apposition may have; the characters in which what is right before a name stands."""
_END = 1500
"""The characters at the end of a ruling in which counsel may be listed."""
_LINE, _PROSE = 90, 40
"""A shorter paragraph (characters) is a line; a longer one (words) may be prose."""

_CITATION = re.compile(
    r"[\[(](?:1[6-9]|20)\d\d[\])]\s*(?:\d+\s+)?[A-Z(]"  # [1996] 2 S.C.R. 27, (2012) 8 SCC 21
    r"|(?<![\d/])\d{1,4}\s+(?:\(\d+\)\s+)?(?:[A-Z]\.\s?|[A-Z][A-Za-z]*\.?\s?|[A-Z]&[A-Z]\.?\s){1,4}"
    r"(?:\([A-Z][\w.]{0,8}\)\s+|\(?\d[a-z]{1,2}\)?\.?\s)?\d+"  # 161 Ohio St. 469, 31 DLR (HCD) 77, 1998 (1) SA 745
    r"|(?<!\d)(?:1[6-9]|20)\d\d[- ][A-Z][A-Za-z]{2,}[- ]\d+"  # 2013 BCSC 1482, 2012-Ohio-2179
    r"|\b[Nn]os?\.\s*\d[\d/-]+|§+\s*\d|\bAIR\s+\d{4}|\bECLI:|\bSeries A\b|\bRJ\s?\d{4}|\[GC\]"
)
_WORDS = re.compile(r"\w+")
_Place = tuple[int, int]
_FIRST_WORDS = re.compile(r"\W*(\w*)\W*(\w*)")
_NAMING = frozenset({"was", "is", "were", "called", "named"})
_NUMBER = re.compile(r"\s*(?:¶\s*|[\[(])?\d{1,3}[\]).]*\s")
_BREAK = re.compile(
    r"(?<!\bv)(?<!\sc)(?<!\bvs)(?<!\bNo)(?<!\bno)(?<!\b[A-Z])(?<!\b(?:St|Mr|Ms|Dr))[.;]\s+(?=[A-Z])|\n\s*\n"
)
_TOGETHER = re.compile(r"[\s\"”)]*(?:,|;|and|&|y|e|et|@|,\s*and)\s*(?:[-\w.]+\.\s+)?", re.IGNORECASE)
_ARTICLE = r"(?:the|an?|his|her|their|its|my|our|one|el|la|un[ae]?|su|l[ae]|sa|son|leur)\s"
_PLACED = r"(?:allocated|appointed|assigned|chartered|certified|licensed|qualified|registered|retired|seconded)"
"""What goes before the word for an office, of the words that otherwise say what somebody did."""
_LINK = re.compile(
    rf"[\"”’)]*(?:\s*,\s*(?:who\s+(?:is|was)\s+)?|\s*\(|\s*[–—]\s|\s+(?:(?:who|que|qui)\s+)?"
    rf"(?:is|was|es|era|est|était)\s+(?={_ARTICLE}))(?=[a-zà-ÿ])"
    rf"(?!(?!{_PLACED}\s)[a-z]+ed\s|(?:is|was|were|are|has|had|have|and|but|or|if|when|said|says)\s"
    r"|(?:who|whom|whose|which|that|for|as|because|where|while|by|through|with|from|per)\s)"
)
_STOP = re.compile(
    r"[,.;:()–—\[{]|\s(?:of|for|to|at|in|on|with|who|which|that|by|from|de|del|du|des|pour|por|que|qui|said|is|was)\b"
    rf"|\s(?:and|y|et)\s+(?:{_ARTICLE}|[A-ZÀ-Þ])|\n\s*(?:[A-ZÀ-Þ(\d]|\n)"
)
_LISTED = re.compile(r"[a-z]{3,}s\s+(?:and|or)\s")
"""Opens what goes on with a list and says nothing of the name: "Ann Roe, witnesses and expert"."""
_POSSESSIVE = re.compile(r"['’]s?\s")
_WITNESS_NUMBER = re.compile(r"\s*\(\s*[PDCR]\.?\s?W\.?[- ]?\d+\s*\)(?=,|\s\()")
"""The number of a witness behind a name, before what the witness is: "Ann Roe (PW-5), ..."."""
_INITIAL = re.compile(r"[ \t]+[A-Z]")
"""Behind "J." in the next line: it is the initial of another name."""
_COLUMN = re.compile(r"[ \t]{2,}\w|[^:\n]{0,40}:")
"""Behind the first word of a line: it is a label, of what stands in the next column."""
_BAR = re.compile(r"\)[ \t]+(?:\w+\.[ \t]+)?$")
"""The bar between the columns of a head, and a title."""
_OF_LAST = re.compile(rf"\s*,\s*{_ARTICLE}\s*(?:[\w’'-]+\s+){{0,2}}[\w’'-]+,\s*(?:[-\w]+\.?\s+)?")
"""What stands between two names where it is said of the first: ", the social worker, "."""
_NUMBER_BEFORE = re.compile(r"\b[PDRC]\.?\s?W\.?[\s-]?\d+[\s:.)-]*(?:\w+\.?\s)?$")
_FOR_SHORT = re.compile(r"\s+(?:short|convenience|brevity|ease|example|instance)\b")
"""Behind "for": nobody acts."""
_DOES = re.compile(
    r"\s+(?!(?:for|of|in|at|on|who|to|with|from|acting|appearing|instructed|practi[cs]ing|retained)\b)[a-z]"
)
"""Behind counsel or a judge in brackets: they do something, and are not the one named before."""
_NOT_SITTING = ("official", "party", "relative", "child", "witness")
"""What somebody is told to be who stands among judges without being one."""
_CLAUSE = re.compile(r"\s+(?:by|was|were|is|did|does|had|has|who|in\s+person|for|represented|appeared|said)\b")
_OF_SEVERAL = re.compile(
    r"(?i)\b(?:judges|justices|magistrates|giudici|consiglieri|advs?\.?|advocates|attorneys|solicitors|avvocati|mes"
    r"|rechtsanwälte|rechtsanwältinnen)$"
)
"""Ends what is said of all who follow one another."""
_OF_COUNSEL = re.compile(r"Mes?$|(?i:maître|rechtsanw|adv|avv|avocat|abogad|letrad|advocaa|advoka|adwok|procurador)")
"""Opens what only counsel is called by: party words behind the name are then about the client."""
_CLIENT = re.compile(r"\bfor\s+(?:the\s+)?(?:(?:\w+|mrs?\.|ms\.|dr\.)\s+){0,2}$", re.IGNORECASE)
_APART = r"[\"”)\],]*(?:[ \t]{2,}|[ \t]*(?:\.{2,}|…)|\s*\n|,\s)[\s.…(]*(?:\d\w{0,3}\s+|(?i:orig)\.\s+)?"
"""What stands between a name of the head and its role in the next column or line."""
_PRIVATE = frozenset(
    {"team leader", "team manager", "case manager", "support worker", "care worker", "assessor", "expert", "therapist"}
)
"""Offices that private firms have, too, where another word may stand before: "Quality Assessor"."""
_NUMBERED = re.compile(r"\b[A-Z]{1,2}-\d+/\d\d(?:\s+(?:P|R|PPU|RX|and others))*,?\s+(?:[\w’'-]+\s+(?:and|&)\s+)?$")
"""The number of a case of the Court of Justice, in front of its name: "Case C-127/08 Metock"."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What tells a role: the cue as it stands in the text (or of the metadata), from where, and how much it weighs."""

    role: str
    cue: str
    source: str
    start: int = -1
    weight: int = TOLD

    def __str__(self) -> str:
        place = f" at {self.start}" if self.start >= 0 else ""
        return f"{self.role}: {' '.join(self.cue.split())!r} ({self.source}{place})"


# --- the word lists -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cues:
    """The words of one place: a pattern that finds the longest, and what each one tells."""

    told: dict[str, tuple[str, int]]

    @cached_property
    def pattern(self) -> str:
        """A pattern of all words; those in small letters match either case."""
        ordered = sorted(self.told, key=len, reverse=True)
        words = _longest([p for p in ordered if p[0].isalnum()]) or r"(?!)"
        others = "|".join(_phrase(p) for p in ordered if not p[0].isalnum()) or r"(?!)"
        return rf"(?:(?<!\w)(?=\w)(?:{words})|(?=[^\w\s])(?:{others}))"  # words are tried only where a word begins

    @cached_property
    def _edges(self) -> tuple[frozenset[str], frozenset[str]]:
        words = [found for phrase in self.told if (found := _WORDS.findall(phrase.lower()))]
        return frozenset(w[0] for w in words), frozenset(w[-1] for w in words)

    def may_begin(self, text: str) -> bool:
        """Whether the first word of one of them is in a text: a quick look."""
        return any(self.begin_with(word) for word in _WORDS.findall(text.lower()))

    def begin_with(self, word: str) -> bool:
        """Whether one of them begins with a word, in small letters."""
        return _among(self._edges[0], word)

    def may_end(self, words: Iterable[str]) -> bool:
        """Whether one of them ends with one of the words, in small letters."""
        return any(_among(self._edges[1], word) for word in words)

    def weighing(self, weight: int) -> Cues:
        """Those of the words that weigh so much."""
        return Cues({word: told for word, told in self.told.items() if told[1] == weight})

    def meaning(self, found: str) -> tuple[str, int] | None:
        """The role that words found tell, and their weight."""
        plain = " ".join(found.split())
        for form in (plain, plain.lower(), plain.lower().removesuffix("s"), plain.lower().removesuffix("es")):
            if form in self.told:
                return self.told[form]
        return None


_NO_CUES = Cues({})


def _among(known: frozenset[str], word: str) -> bool:
    return word in known or word.removesuffix("s") in known or word.removesuffix("es") in known


def _longest(phrases: Sequence[str]) -> str:
    """Any of the phrases, ordered from long to short, where a word begins: the longest that fits.

    Most are written as one tree of their letters, which takes a third of the time to compile: those in small letters
    that end in one. Before it stand the others that begin like one of these, and what goes on after them.
    """
    plain = [phrase for phrase in phrases if phrase == phrase.lower() and phrase[-1].isalnum()]
    others = [phrase for phrase in phrases if phrase not in plain]
    alike = tuple(o for o in map(str.lower, others) if any(o.startswith(p) or p.startswith(o) for p in plain))
    before = [p for p in phrases if p.lower().startswith(alike)]
    behind = [p for p in others if p not in before]
    tree = [rf"(?i:{_tree(plain)}(?!\w))"] if plain else []
    return "|".join([*map(_phrase, before), *tree, *map(_phrase, behind)])


_Tree = dict[str, "_Tree"]


def _tree(phrases: Iterable[str]) -> str:
    """The phrases as a tree of their letters, longer ones first.

    >>> _tree(["law", "law clerk"])
    'law(?:\\\\s+clerk)?'
    """
    tree: _Tree = {}
    for phrase in phrases:
        branch = tree
        for letter in " ".join(phrase.split()):
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return _written(tree)


def _written(tree: _Tree) -> str:
    ways = [
        (r"\s+" if letter == " " else re.escape(letter)) + _written(branch) for letter, branch in tree.items() if letter
    ]
    if len(ways) == 1 and "" not in tree:
        return ways[0]
    return f"(?:{'|'.join(ways)})" + ("?" if "" in tree else "") if ways else ""


def _phrase(phrase: str) -> str:
    text = r"\s+".join(map(re.escape, phrase.split()))
    bounded = rf"{text}(?!\w)" if phrase[-1].isalnum() else text
    return f"(?i:{bounded})" if phrase == phrase.lower() else bounded


def with_cues(document: Document) -> Document:
    """The document, read as an English one where its language has no list of cues."""
    known = document.language in lexicons.languages() and LIST in lexicons.load_all(document.language)
    return document if known else document.in_language("en")


@cache
def cues(language: str, folder: str | None = None) -> dict[str, Cues]:
    """The words of a language by place, from its list ``role_cues``."""
    found: dict[str, dict[str, tuple[str, int]]] = {}
    for line in sorted(lexicons.load(LIST, language, folder)):
        role, place, words = (field.strip() for field in line.split("|"))
        weight = SUGGESTED if place.endswith("?") else TOLD
        for word in words.split(", "):
            known = found.setdefault(place.rstrip("?"), {})
            known[word] = max(known.get(word, (role, 0)), (role, weight), key=lambda told: told[1])
    return {place: Cues(told) for place, told in found.items()}


@cache
def _calendar(language: str) -> frozenset[str]:
    days = lexicons.load("weekday_names", language)
    return days | {f"{day}s" for day in days} | lexicons.load("month_names", language)


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


class _Forms(dict[str, re.Pattern[str]]):
    """The forms with the words of a language in them, each compiled when it is first asked for."""

    def __init__(self, parts: Mapping[str, str]) -> None:
        self._parts = parts

    def __missing__(self, name: str) -> re.Pattern[str]:
        form = re.sub("«(\\w+)»", lambda place: self._parts.get(place[1], "(?!)"), _FORMS[name])
        self[name] = re.compile(form)
        return self[name]


@cache
def _forms(language: str) -> _Forms:
    known = cues(language)
    parts = {place: found.pattern for place, found in known.items()}
    parts["before"], parts["before_perhaps"] = (known["before"].weighing(w).pattern for w in (TOLD, SUGGESTED))
    bench = known.get("bench", _NO_CUES)
    parts["bench"], parts["bench_perhaps"] = (bench.weighing(w).pattern for w in (TOLD, SUGGESTED))
    titled = "|".join(sorted(map(re.escape, {*titles(language), *known["title"].told}), key=len, reverse=True))
    parts["titles"] = rf"(?:(?i:(?<!\w)(?:{titled})\.?)(?!\w)\s*)*"
    parts["nouns"] = _or_plural(f"(?:{parts['noun']})")
    parties = Cues({word: told for word, told in known["noun"].told.items() if told[0] == "party"}).pattern
    parts["acting"] = rf"(?P<cue>{parts['acts']})\s*(?:[\w.’'-]+\s+){{0,2}}?(?:\w+-)?(?:{_or_plural(parties)})"
    parts["parties"] = _or_plural(parties)
    parts["for"] = r"(?i:for|on\s+behalf\s+of|bagi\s+pihak)"
    letters = {w: t for place in ("behind", "noun") for w, t in known[place].told.items() if t == ("counsel", TOLD)}
    parts["letters"], parts["firms"] = Cues(letters).pattern, known["firm"].pattern
    kin = {word: told for word, told in known["noun"].told.items() if told[0] in ("relative", "child")}
    parts["kin"] = Cues(kin).pattern
    parts |= _seats(known.get("seat", _NO_CUES))
    parts["appearing"] = appearances.form(_or_plural(parties), parts["kin"])
    judges = {word: told for word, told in known["noun"].told.items() if told == ("judge", TOLD)}
    parts["judges"] = Cues(judges).pattern
    return _Forms(parts)


def _seats(seats: Cues) -> dict[str, str]:
    """What may stand between the names of a bench, and the words of it that tell a judge."""
    of_judges = Cues({word: told for word, told in seats.told.items() if told[0] == "judge"})
    return {"seat": seats.pattern, "judge_seats": of_judges.pattern} if of_judges.told else {}


def _or_plural(pattern: str) -> str:
    return pattern.replace(r"(?!\w)", r"(?:s|es)?(?!\w)")


# --- a ruling -------------------------------------------------------------------------------------------------------


class Surroundings:
    """What stands around the mentions of persons of a document, and what it tells of their roles."""

    def __init__(self, document: Document, persons: Sequence[Mention]) -> None:
        self.document = document
        self.text = document.text
        self.cues, self.forms = cues(document.language), _forms(document.language)
        self.blocks = document.blocks or (Block(0, len(document.text)),)
        self.starts = [block.start for block in self.blocks]
        self.places = {(m.start, m.end): self._core(m) for m in persons}
        self.ordered = sorted(self.places)

    def _core(self, mention: Mention) -> tuple[int, int]:
        low, high = core(self.text, mention.start, mention.end, PERSON, self.document.language)
        return (low, high) if low < high else (mention.start, mention.end)

    @cached_property
    @collector_paused()
    def evidence(self) -> dict[tuple[int, int], list[Evidence]]:
        """The evidence of each mention, by its place; names side by side share what stands behind the last one."""
        own = self._own()
        shared = self._shared(own)
        found = {place: list(dict.fromkeys(own[place] + shared[place])) for place in own}
        for place, evidence in self._cited_again(found):
            found[place].append(evidence)
        return found

    def _own(self) -> dict[_Place, list[Evidence]]:
        """What stands around each mention, and the bench that it sits on."""
        own = {place: _own_words(list(self._around(*self.places[place]))) for place in self.ordered}
        for place, told in own.items():
            sitting = self._sitting.get(self.places[place])
            if sitting and not any(e.role in _NOT_SITTING and e.weight > SUGGESTED for e in told):
                told.append(sitting)
        return own

    def _shared(self, own: Mapping[_Place, list[Evidence]]) -> dict[_Place, list[Evidence]]:
        """What each mention has from the names beside it."""
        shared: dict[_Place, list[Evidence]] = {place: [] for place in own}
        beside = [
            (left, right)
            for left, right in pairwise(self.ordered)
            if left[1] <= right[0] and _TOGETHER.fullmatch(self.text, left[1], right[0])
        ]
        for left, right in reversed(beside):
            shared[left] += [e for e in own[right] + shared[right] if _goes_back(e)]
        for left, right in beside:
            alone = _CLAUSE.match(self.text, right[1]) is not None
            shared[right] += [e for e in own[left] + shared[left] if _goes_on(e, alone)]
        return shared

    def _cited_again(self, found: Mapping[_Place, list[Evidence]]) -> Iterator[tuple[_Place, Evidence]]:
        """The mentions that nothing is told of, and that call by a name a case cited elsewhere: "(Roe, § 43)"."""
        cited = [self._name(place) for place, told in found.items() if any(map(_is_citation, told))]
        for place in [p for p, told in found.items() if not told and any(self._name(p) <= name for name in cited)]:
            low, high = self.places[place]
            before, behind = self._windows(low, high)
            cue = None if self._titled(before) else again(before, behind)
            if cue:
                yield place, Evidence("cited", cue, "citation", high)

    def _name(self, place: _Place) -> frozenset[str]:
        low, high = self.places[place]
        return frozenset(_WORDS.findall(self.text[low:high].casefold()))

    def _around(self, low: int, high: int) -> Iterator[Evidence]:
        before, behind = self._windows(low, high)
        case = list(self._case(low, high, before, behind))
        yield from case
        if any(e.role == "cited" and e.weight > SUGGESTED for e in case):
            return
        if numbered := _WITNESS_NUMBER.match(behind):
            high, behind = high + numbered.end(), behind[numbered.end() :]
        if book := of_book(self.text, low, high, _calendar(self.document.language).__contains__):
            yield Evidence("author", book[0], "book", high, TOLD if book[1] else SUGGESTED)
            if book[1]:
                return
        labelled = list(self._labelled(low, high))
        yield from labelled
        if not any(e.role != "party" for e in labelled):
            yield from self._before(low, before)
        yield from self._behind(low, high, behind)
        if known := self._known_author(low, high, before):
            yield Evidence("author", known, "book", low, SUGGESTED)
        if typist := of_typist(self.text, low, high):
            yield Evidence("official", typist, "label", low)
        yield from self._listed(low, high)
        if self._in_party_line(low):
            yield Evidence("party", "a line of parties", "head", low, SUGGESTED)

    def _known_author(self, low: int, high: int, before: str) -> str | None:
        """A surname that names a book wherever rulings cite, in a reference."""
        name = self.text[low:high]
        known = "known" in self.cues and self.cues["known"].meaning(name) is not None
        return name if known and not self._in_head(low) and not self._titled(before) and refers(before) else None

    @cached_property
    def _sitting(self) -> dict[tuple[int, int], Evidence]:
        """What tells that somebody is of the bench that the head lists."""
        p = self.forms
        if not self.cues.get("seat", _NO_CUES).told:
            return {}
        found = benches(self.text, sorted(self.places.values()), p["bench"], p["seats"], p["gap"])
        return {place: Evidence("judge", cue, "bench", start) for place, cue, start in found}

    def _listed(self, low: int, high: int) -> Iterator[Evidence]:
        """What lines and columns tell: a signature over an office, a heading over names, a line of appearances."""
        p = self.forms
        if signed := signed_as(self.text, low, high, p["signed"]):
            yield from self._told("office", signed["cue"], signed.start("cue"))
        if headed := heading_of(self.text, low, p["label"]):
            yield from self._headed(*headed)
        if not (self._in_head(low) or self._at_the_end(low)):
            return
        if acts := appearances.appears_for(self.text, low, high, p["appearing"]):
            yield Evidence("counsel", acts["cue"], "acts", acts.start("cue"))
        elif beside := appearances.beside(self.text, low, high):
            yield Evidence("counsel", beside[0], "beside", beside.start())

    def _headed(self, label: Label, above: int) -> Iterator[Evidence]:
        weight = TOLD if above == 1 else SUGGESTED
        if word := label.found["word"]:
            meaning = self.cues["label"].meaning(word)
            yield Evidence(meaning[0] if meaning else "counsel", word, "label", label.start, weight)
        elif (acts := label.found["acts"]) and not of_witnesses(self.text, label):
            yield Evidence("counsel", acts, "label", label.start, weight)

    # --- where --------------------------------------------------------------------------------------------------

    def _block(self, place: int) -> Block:
        return self.blocks[max(0, bisect_right(self.starts, place) - 1)]

    def _windows(self, low: int, high: int) -> tuple[str, str]:
        """The text before and behind a name, in its paragraph; beyond it where that is a line of the head."""
        block = self._block(low)
        apart = block.part == HEAD or block.end - block.start < _LINE
        first = 0 if apart else block.start
        last = len(self.text) if apart else max(block.end, high)
        return self.text[max(first, low - _REACH) : low], self.text[high : min(last, high + _REACH)]

    def _at_the_end(self, place: int) -> bool:
        return place > max(len(self.text) - _END, len(self.text) // 2)

    def _in_head(self, place: int) -> bool:
        return place < self._head_end or self._block(place).part == HEAD

    @cached_property
    def _head_end(self) -> int:
        """Where the first paragraph begins that is numbered or of prose; 0 where that is the first one."""
        return next((b.start for b in self.blocks if _opens_body(self.text[b.start : b.end])), 0)

    @cached_property
    def _head_roles(self) -> list[str]:
        tokens = self.document.tokens
        source = Source(self.text, tokens.starts, tokens.ends)
        lists = lexicons.load_all(self.document.language)
        ruling = Ruling(tokens.words, tokens.first, source, lists, Frequencies({}))
        roles: list[str] = head_role(ruling)
        return roles

    def _in_party_line(self, place: int) -> bool:
        """Whether the name stands in a line of the head that is about parties (`aef.features.head`); its lines of
        counsel and judges reach too far to show anybody for."""
        inside = self.document.token_range(place, place + 1)
        return bool(inside) and self._in_head(place) and self._head_roles[inside.start] == "party"

    # --- what ---------------------------------------------------------------------------------------------------

    def _told(self, place: str, cue: str, start: int) -> Iterator[Evidence]:
        if meaning := self.cues[place].meaning(cue):
            yield Evidence(meaning[0], cue, place, start, meaning[1])

    def _case(self, low: int, high: int, before: str, behind: str) -> Iterator[Evidence]:
        """The name of a case: a cited one, or this one in the head."""
        p = self.forms
        close = max(0, len(before) - _CLOSE)
        found = (
            p["versus_behind"].match(behind)
            or p["versus_before"].search(before, close)
            or p["case_before"].search(before, close)
        )
        listed = self._in_head(low) and is_listed_case(self.text, low)
        if found is None:
            yield from self._by_name(low, high, before, behind, listed)
            return
        weak = "cited" in self._suggested(found)
        if weak and not (found["cue"].islower() and self._cited(high)):
            return
        start = high + found.start("cue") if found.string is behind else low - len(before) + found.start("cue")
        if (self._in_head(low) and not listed) or self._is_a_line(start, start + len(found["cue"])):
            yield Evidence("party", found["cue"], "style of cause", start)
        elif self._cited(high):
            yield Evidence("cited", found["cue"], "citation", start)
        elif found.re is not p["case_before"] and not weak:
            yield Evidence("cited", found["cue"], "citation", start, SUGGESTED)

    def _suggested(self, found: re.Match[str]) -> set[str]:
        """The roles that the words between two names suggest and do not tell: "c.", which may be an initial."""
        meaning = self.cues.get("versus", _NO_CUES).meaning(found["cue"])
        return {meaning[0]} if meaning and meaning[1] == SUGGESTED else set()

    def _is_a_line(self, start: int, end: int) -> bool:
        """Whether nothing else stands in a line: so does the "v." of a ruling's own parties."""
        before, behind = self.text.rfind("\n", 0, start) + 1, self.text.find("\n", end)
        return before > 0 and behind >= 0 and not f"{self.text[before:start]}{self.text[end:behind]}".strip()

    def _by_name(self, low: int, high: int, before: str, behind: str, listed: bool) -> Iterator[Evidence]:
        """A cited case that no "v." tells: by its number, by two names, or by the name of its rule."""
        if number := _NUMBERED.search(before):
            yield Evidence("cited", number[0], "citation", low - len(number[0]))
        elif (pair := of_pair(before, behind)) and (listed or not self._in_head(low)):
            yield Evidence("cited", pair, "citation", high)
        elif (side := on_side_of_case(before)) and self._cited(high):
            yield Evidence("cited", side, "citation", low - len(side))
        elif (listed or not self._in_head(low)) and (report := self._of_report(before, behind)):
            yield Evidence("cited", report, "citation", high)
        elif short := for_short(before, behind):
            yield Evidence("cited", short, "citation", high, SUGGESTED)

    def _of_report(self, before: str, behind: str) -> str | None:
        return None if self._titled(before) else of_report(before, behind)

    def _is_formal(self, low: int, high: int) -> bool:
        """Whether a name is written with a title or in full."""
        return " " in self.text[low:high] or self._titled(self.text[max(0, low - _CLOSE) : low])

    def _titled(self, before: str) -> bool:
        """Whether a title stands right before a name."""
        return bool(self.forms["titles"].search(before, max(0, len(before) - _CLOSE))[0].strip())  # type: ignore[index]

    def _cited(self, high: int) -> bool:
        """Whether a citation stands behind, in the same sentence."""
        window = self.text[high : high + _CITED_WITHIN]
        citation = _CITATION.search(window)
        stop = _BREAK.search(window)
        return citation is not None and (stop is None or citation.start() <= stop.end())

    def _labelled(self, low: int, high: int) -> Iterator[Evidence]:
        """What the label of the line or column tells."""
        label = label_of(self.text, low, self.forms["label"])
        if label is None:
            return
        weight = SUGGESTED if label.below else TOLD
        if word := label.found["word"]:
            meaning = self.cues["label"].meaning(word)
            yield Evidence(meaning[0] if meaning else "counsel", word, "label", label.start, weight)
        elif (acts := label.found["acts"]) and not of_witnesses(self.text, label) and not self._testifies(low):
            yield Evidence("counsel", acts, "label", label.start, weight)
        elif not acts and self._represents(label, low, high):
            yield Evidence("counsel", label.found["cue"], "appearances", label.start)
        elif not acts:
            yield Evidence("party", label.found["cue"], "label", label.start, SUGGESTED)

    def _testifies(self, low: int) -> bool:
        """Whether the number of a witness stands before the name: "PW2 A. Roe"."""
        return _NUMBER_BEFORE.search(self.text, max(0, low - _CLOSE), low) is not None

    def _represents(self, label: Label, low: int, high: int) -> bool:
        """Whether who stands behind a party's label appears for the party: nobody whom the head has named before, but
        for a namesake who is called counsel."""
        named = self.text[: min(label.line, self._head_end or label.line)].casefold()
        listed = of_appearances(self.text, label, self.forms["label"], self.forms["letters"])
        called = self.forms["behind"].match(self.text, high, high + _CLOSE)
        meaning = self.cues["behind"].meaning(called["cue"]) if called else None
        surname = self.text[low:high].casefold().split()[-1]
        return listed and (surname not in named or (meaning is not None and meaning[0] == "counsel"))

    def _before(self, low: int, before: str) -> Iterator[Evidence]:
        p, offset = self.forms, low - len(before)
        if self.cues.get("lead", _NO_CUES).may_begin(before) and (lead := p["lead"].search(before)):
            yield from self._told("lead", lead["cue"], offset + lead.start("cue"))
            return
        close = max(0, len(before) - _CLOSE)
        plain = before[: p["titles"].search(before, close).start()]  # type: ignore[union-attr]  # it matches nothing, too
        words = _WORDS.findall(plain[close:].lower())
        last = [*words[-1:], *_WORDS.findall(before[len(plain) :].lower())]
        if self.cues["before"].may_end(last) and (
            found := p["before"].search(before, close) or p["before_perhaps"].search(before, close)
        ):
            yield from self._told("before", found["cue"], offset + found.start("cue"))
        reported = self.cues.get("reports", _NO_CUES).may_end(last) and p["reports"].search(before, close)
        if reported and _CITATION.search(self.text, max(0, low - _NEAR), low + _NEAR):
            yield from self._told("reports", reported["cue"], offset + reported.start("cue"))
        if rank := self._ranked(low, before):
            yield Evidence("official", rank["cue"], "rank", offset + rank.start("cue"), SUGGESTED)
        if found := self._noun_before(low, before, plain, words):
            yield from self._told("noun", found["cue"], offset + found.start("cue"))

    def _ranked(self, low: int, before: str) -> re.Match[str] | None:
        """A rank right before a name that police have as soldiers do, where words of police are near."""
        found = self.forms["ranked"].search(before, max(0, len(before) - _CLOSE))
        near = found and self.forms["force"].search(self.text, max(0, low - _NEAR), low + _NEAR)
        return found if near else None

    def _noun_before(self, low: int, before: str, plain: str, words: list[str]) -> re.Match[str] | None:
        """The noun that is said of the name behind it; ``words``: the last ones of the plain text before the name."""
        p, close = self.forms, max(0, len(before) - _CLOSE)
        apart = plain.rstrip().endswith((":", ")")) or (bool(words) and words[-1].isdigit())
        near = words[-6:] if apart else words[-2:]
        if self.cues["noun"].may_end(near) and (found := p["noun_before"].search(plain, close)):
            return found if self._in_apposition(low, before, plain, found) else None
        if behind_judge := p["judge_at"].search(before, close):
            return behind_judge
        named = bool(words) and words[-1] in _NAMING and self.cues["noun"].may_end(words)
        return p["noun_was"].search(plain, close) if named else None

    def _in_apposition(self, low: int, before: str, plain: str, found: re.Match[str]) -> bool:
        """Whether the noun before a name is said of it: not of a client ("for the mother, Ms. Green"), of the name
        before ("Mr Lee, the social worker, Ann Roe"), nor of that in the line above."""
        joint, apart = plain[found.end("cue") :], before[found.end("cue") :]
        if _CLIENT.search(plain, 0, found.start()):
            return False
        line = plain[plain.rfind("\n", 0, found.start("cue")) + 1 : found.start("cue")]
        if "\n" in apart and ":" not in apart and (self._in_head(low) or not line.strip(" \t")):
            return False  # the line above names its own: "Respondent" under the respondent
        between = bisect_left(self.ordered, (low,)) - 1
        last = self.ordered[between][1] if between >= 0 else -1
        return not ("," in joint and 0 <= last <= low and _OF_LAST.fullmatch(self.text, last, low))

    def _behind(self, low: int, high: int, behind: str) -> Iterator[Evidence]:
        p = self.forms
        if (found := p["plural"].match(behind)) and not _is_label(behind, found):
            yield from self._told("plural", found["cue"], high + found.start("cue"))
        if self.cues.get("office", _NO_CUES).may_begin(behind[:_LINE]) and (found := p["office"].match(behind)):
            yield from self._told("office", found["cue"], high + found.start("cue"))
        said = self._apposition(behind)
        found = self._right_behind(behind)
        if found and not self._is_part_of(found, said):
            yield from self._told("behind", found["cue"], high + found.start("cue"))
        if _POSSESSIVE.match(behind):
            return
        if (found := self._acting(low, behind)) and not _FOR_SHORT.match(behind, found.end("cue")):
            yield Evidence("counsel", found["cue"], "acts", high + found.start("cue"))
            return
        if self._in_head(low) and (dashes := p["between_dashes"].match(behind)):
            for noun in p["noun"].finditer(behind, *dashes.span("said")):
                yield from self._told("noun", noun[0], high + noun.start())
        found = None if self._in_brackets(low, behind) else p["noun_apart"].match(behind)
        found = None if found and "\n" in found[0] and _COLUMN.match(behind, found.end()) else found
        if found and (found["cue"][0].isupper() or self._in_head(low)):
            yield from self._told("noun", found["cue"], high + found.start("cue"))
        elif said:
            yield from self._told("noun", said[0], high + said.start())
        elif found := p["noun_titled"].match(behind):
            told = self._told("noun", found["cue"], high + found.start("cue"))
            yield from (e for e in told if _is_sure_office(e))
        elif (found := p["of_body"].match(behind)) and (found["office"] or self._is_formal(low, high)):
            yield Evidence("official", found[0].strip(" ,"), "behind", high, SUGGESTED)
        if agent := p["agent"].match(behind):
            yield Evidence("official", agent["cue"], "behind", high + agent.start("cue"))

    def _is_part_of(self, found: re.Match[str], said: re.Match[str] | None) -> bool:
        """Whether the words found open a phrase whose last noun tells another role: ", a child psychiatrist"."""
        if said is None or said.start() <= found.start("cue"):
            return False
        told, last = self.cues["behind"].meaning(found["cue"]), self.cues["noun"].meaning(said[0])
        return told is not None and last is not None and told[0] == "child" != last[0]

    def _right_behind(self, behind: str) -> re.Match[str] | None:
        first = next((w for w in _FIRST_WORDS.match(behind).groups() if w and w != "s"), "")  # type: ignore[union-attr]
        if not self.cues["behind"].begin_with(first.lower()):
            return None
        found = self.forms["behind"].match(behind)
        other = found and "\n" in found[0] and _INITIAL.match(behind, found.end("cue"))
        return None if found is None or other or _is_label(behind, found) else found

    def _acting(self, low: int, behind: str) -> re.Match[str] | None:
        """That somebody acts for another; in the head also in the next line of the column to the right of a bar."""
        p = self.forms
        if not self._in_head(low):
            found = p["acts"].match(behind) or p["acts_for_kin"].match(behind)
            return None if found and _is_label(behind, found) else found
        below = _BAR.search(self.text, max(0, low - _CLOSE), low) and p["acts_below"].match(behind)
        return below or p["acts_in_head"].match(behind) or p["acts_for_kin"].match(behind)

    def _in_brackets(self, low: int, behind: str) -> bool:
        """Whether a bracket closes behind the name that opened before other words: what follows is not said of it."""
        before = self.text[max(0, low - _CLOSE) : low]
        opened = before.rfind("(")
        return behind.startswith(")") and bool(before[opened + 1 :].strip()) and ")" not in before[opened:]

    def _apposition(self, behind: str) -> re.Match[str] | None:
        """The last noun of the phrase that says what the person is: ", a registered psychologist, ..."."""
        link = _LINK.match(behind)
        if link is None:
            return None
        stop = _STOP.search(behind, link.end())
        end = stop.start() if stop else len(behind)
        phrase = behind[link.end() : end]
        if len(phrase.split()) > _PHRASE or _LISTED.match(phrase):
            return None
        nouns = self.forms["noun"].finditer(behind, link.end(), end)
        last = _last(noun for noun in nouns if not _POSSESSIVE.match(behind, noun.end()))
        told = self.cues["noun"].meaning(last[0]) if last and "(the" in behind[: link.end() + 3] else None
        return None if last and told and told[0] in ("counsel", "judge") and _DOES.match(behind, last.end()) else last


def _is_label(behind: str, found: re.Match[str]) -> bool:
    """Whether what is found behind a name opens another line, as the label of what stands there."""
    return "\n" in behind[: found.start("cue")] and _COLUMN.match(behind, found.end("cue")) is not None


def _is_sure_office(evidence: Evidence) -> bool:
    """Whether words in capitals behind a name, of which others may stand before, are an office and no private job."""
    words = evidence.cue.lower()
    several = " " in words and words not in _PRIVATE
    return (evidence.role == "official" and several) or (evidence.role == "expert" and words not in _PRIVATE)


def _is_citation(evidence: Evidence) -> bool:
    return evidence.source == "citation" and evidence.weight > SUGGESTED


def _goes_back(evidence: Evidence) -> bool:
    """Whether what stands behind a name is told of the one before it in the list, too."""
    return evidence.source in ("plural", "citation", "book") or _of_several(evidence)


def _goes_on(evidence: Evidence, alone: bool) -> bool:
    """Whether what is told of a name is told of the next in the list, too; ``alone``: that has a verb of its own."""
    if evidence.source == "before" and evidence.role in ("judge", "counsel"):
        return not alone and _OF_SEVERAL.search(evidence.cue) is not None
    return (
        evidence.source == "citation"
        or (evidence.role, evidence.source) == ("author", "before")
        or (evidence.source in ("before", "noun") and _of_several(evidence))
    )


def _of_several(evidence: Evidence) -> bool:
    """Whether the words call several people officials or experts: "Constables Roe and Lum"."""
    several = evidence.cue.lower().rstrip(".").endswith(("s", "gardaí", "gardai"))
    return several and evidence.source in ("before", "noun") and evidence.role in ("official", "expert")


def _own_words(found: list[Evidence]) -> list[Evidence]:
    """The evidence of a mention without what is said of others: of the client behind counsel's name, or of counsel
    where a relative represents somebody."""
    titled = any(e.role == "counsel" and e.source == "before" and _OF_COUNSEL.match(e.cue) for e in found)
    kin = any(e.role in ("relative", "child") and e.source == "noun" for e in found)
    if titled:
        return [e for e in found if (e.role, e.source) != ("party", "noun")]
    acting = [e for e in found if e.role == "counsel" and e.cue.lower().endswith(" by")]
    return [e for e in found if e not in acting] if kin else found


def _opens_body(text: str) -> bool:
    words = text.split()
    least = _PROSE // 4 if _NUMBER.match(text) else _PROSE
    return len(words) > least and sum(word[0].islower() for word in words) > 0.5 * len(words)


def _last(matches: Iterable[re.Match[str]]) -> re.Match[str] | None:
    return next(iter(deque(matches, maxlen=1)), None)
