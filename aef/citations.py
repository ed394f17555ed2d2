"""Citations and laws, read from the raw text before anything else: names inside them are nobody's to hide or to link.

A case is found by what joins or opens its name ("v", "Re") or by the report behind it; its name is read word by word
to both sides. Its short forms count wherever they stand, except those that name somebody of this ruling.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from aef import lexicons
from aef.corpus_tools.document import Document

Span = tuple[int, int]
"""The first character, and the one after the last."""

_REACH = 200
"""Characters that a name goes on, to either side."""
_HEAD, _LEAST_HEAD, _PROSE = 8000, 1500, 40
"""Characters of a head at most, and where none is seen; words of a paragraph that is no part of it."""
_LONG_LINE = 120
"""A text whose lines are shorter is broken into lines; elsewhere a line is a paragraph."""

_YEAR = r"(?:1[6-9]|20)\d\d"
_ABBREVIATED = r"[A-Za-z]?[A-Z][\w.&’']{0,20}(?:\s(?:[A-Z(][\w.&’')]{0,15}|of|and)){0,4}"
_REPORT = (
    rf"(?:\[{_YEAR}(?:[-/]\d{{2,4}})?\],?\s{{0,3}}(?:\(?\d{{1,3}}\)?\s{{1,3}})?"
    rf"|\({_YEAR}(?:[-/]\d{{2,4}})?\),?\s{{0,3}}(?:\d{{1,3}}\s{{1,3}}|(?=The\s))){_ABBREVIATED},?\s{{0,3}}\(?\d{{1,5}}\b"
    r"(?:\s\([A-Z][A-Za-z ]{1,12}\))?"  # [2010] EWCA Civ 7, (2012) 8 SCC 21, [2001] 1 Lloyd's Rep 5
    r"|\b\d{1,4}\s{1,3}(?:[A-Z]&[A-Z]\s)?(?:[A-Z][A-Za-z’']{0,11}\.\s?(?:\d[a-z]{1,2}\.?\s)?|&\s){1,5}"
    r"(?:\(?\d[a-z]{1,2}\)?\s)?(?:at\s)?\d{1,5}\b"  # 98 N.M. 12, 7 P.2d at 8
    rf"|\b{_YEAR}[- ](?:\(\d\)\s)?[A-Z]{{2}}[A-Za-z]{{0,6}}(?:[- ](?:Civ|Crim|CA|App))?[- ]?\d{{1,5}}\b"
    r"(?:\s\([A-Z][A-Za-z]{1,12}\))?"  # 2010 EWCA Civ 7, 2005-NMSC-012
    r"|\b\d{1,4}\s{1,3}(?:\(\d{1,2}\)\s)?«law_reports»(?:\s\([A-Z][\w.]{0,8}\))?(?:\s\(?\d[a-z]{1,2}\)?)?"
    r"\s{1,3}(?:at\s)?\d{1,5}\b"  # 12 SCRA 34
    rf"|\b(?:AIR|PLD|ILR)\s{_YEAR}\s[A-Z][\w&.]{{0,12}}(?:\s\d{{1,5}}\b)?"
    r"|\b(?:[A-Z]\.[\s-]?){2,4}(?:Nos?|NOS?)\.\s?[A-Z]{0,3}-?\d[\w-]{2,20}"  # G.R. No. L-123
    r"|\b(?:application\s)?[Nn]os?\.\s?\d{1,6}/\d\d\b"
    r"|\b(?:Joined\s)?(?:Cases?\s)?[CTEF][-‑–]\d{1,4}/\d\d\b|\bECLI:[\w:]{4,40}"
)
_BETWEEN = r"[\s,;:*_”\"’)(\[.]{0,6}"
_ANY = r"(?:[A-Z(&][\w.’'&()-]*,?|of|the|for|and|in|at|on|to|de|la)"

_VERSUS = re.compile(
    r"\s{1,8}[-–]?(?:v|[vV][rR]?[sS]|versus|VERSUS|Versus|vrs|v/s|V(?=\.?\s+[A-Z]{2})(?<=[A-Z.]{2}\sV))(?:\.|\s\.)?[-–]?\s{0,8}(?=[\w“\"‘'(*_])(?<=[.\s–-])"
)
_JOINS = frozenset("v v. vs vs. versus vrs vrs. v/s -v- -vs- -vs.- .v".split())
_OPENING = re.compile(
    r"\b(?:(?P<sure>[Ii]n\s+[Rr]e|[Ee]x\s+[Pp]arte|Ex\s+p\.?|ex\s+p\.?|Re|Cases?\s[CTEF][-‑–]\d{1,4}/\d\d"
    r"(?:\s(?:P|PPU|RX|and\s(?:[Oo]thers|[CTEF][-‑–]\d{1,4}/\d\d)))*,?(?=\s+(?!The\b|In\b)))"
    r"|In\s+the\s+[Mm]atter\s+of|Matter\s+of|Marriage\s+of|Estate\s+of)\s+(?=[A-Z“\"‘'(*_])"
)
_TOKEN = re.compile(r"\S+")
_WRAPS = " \t\n“”\"‘’'()[]*_,;:.…"
_NO_PART = re.compile(
    rf"{_YEAR}(?!\)?$)|\d/|[“”\"]|(?i:\b(?:above|supra|ante|post|infra|see|cited|here|hereafter|hereinafter|at|paras?|ibid"
    r"|per|emphasis|both|all|which)\b)|^\(?(?:[ivx]+|\d+|[a-z])\)?$"
)
"""What brackets hold that are no part of a name."""
_LOWER = frozenset(
    "plc ltd alias a/l a/p s/o d/o "
    "of the for and & de del della di du des da do dos la le las los van von der den y e et al bin ibn na mga sa ng t/a "
    "ex rel p parte d/b/a a/k/a f/k/a @ am im und others another ors anor anr in at on to by through".split()
)
_WEAK = frozenset("and in at on to by through".split())
"""Words that may as well go on with the sentence behind a name."""
_LEADING = _WEAK - {"and"}
"""Words that lead to a name."""
_OTHERS = frozenset("another others ors anor anr".split())
_PAGE = re.compile(r"[-–]\d{1,3}[-–]")
"""The number of a page, between two lines."""
_PEERS = frozenset("sir lady lord dame baroness prof professor".split())
_TITLES = frozenset("mr mrs ms miss dr sir lady lord prof professor judge justice master dame baroness hhj".split())
_BEFORE_TITLE = frozenset("costs district deputy chief senior circuit".split())
_SUFFIXES = frozenset("ex al jr sr ii iii iv inc ltd llc llp lp plc corp co pc na sa nv limited incorporated et etc".split())

_ENDS = _SUFFIXES | _OTHERS

_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Prof|Professor|Judge|Justice|Master|Dame|Baroness|HHJ|Atty|Hon|[DP][CIS]|Sgt)"
    r"\b\.?\s{1,3}((?:[A-ZÀ-Þ][\w’'-]*\.?[ \t]{1,2}){0,3}[A-ZÀ-Þ][\w’'-]+)"
    r"|([A-ZÀ-Þ][\w’-]+),?\s(?:L?JJ?|[KQ]C|JSC|JA)\b"
)
_WORD = re.compile(r"(?:[A-Z]\.){2,4}|[A-ZÀ-Þ][\w-]*(?:[’'][A-Z]\w+)?")
_LIST = re.compile(r"(?im)^[ \t]*(?:cases|authorities)\b[^:\n]{0,30}(?::|$)")
_ALIAS = re.compile(r"[^\n“”\"‘’]{0,120}?\(\s*(?:(?:hereafter|hereinafter|the|also)[,:]?\s+){0,2}[“\"‘'](?:the\s)?(?P<name>[A-ZÀ-Þ][^“”\"‘’'()\n]{1,60})[”\"’']")
_CASE = re.compile(
    r"(?:[’']s)?[”\"’'*_]?\s{0,3}(?:,?\s?\(?(?:above|supra|ante|post)\b|,?\s?\(?(?:cited|referred\sto)\sabove|,?\s(?:at\s)?\[\d|,?\sat\s(?:para|p\.|\d)"
    r"|,?\s\(?para(?:graph)?s?\b|,\sper\s|(?:\s|^)?(?:case|test|principles?|guidelines|doctrine|direction|factors|criteria|approach"
    r"|exception|line\sof|decision|judgment|threshold|rule|jurisdiction|order)\b)"
)
_ENDING = re.compile(r"(?:\s(?:Private|Pvt\.?|Ltd\b\.?|Limited|plc|PLC|Inc\b\.?|LLP|Corp\b\.?|Co\b\.?|Council|\([Nn]o\.?\s\d)){1,3}")
_SENTENCE = re.compile(r"(?:[a-z,;(“]|\b(?:[Ii]n|[Ss]ee))[\s“\"‘*_]{0,3}$")
_CAPTION = re.compile(r"(?i)\b(?:appellant|respondent|petitioner|plaintiff|claimant|defendant|applicant|accused)(?:s|\(s\))?[\s.,]*$")
_IN = re.compile(r"\b(?:in|In|see|See|following|applying|applied|followed|distinguished|cf|Cf|under|Under|such\sas|unlike|Unlike|relying\s(?:up)?on|referring\sto)\.?\s{1,3}[“\"‘'*_]?$")


@dataclass(frozen=True)
class _Case:
    """The name of a case: its parts on either side of a "v", or its one part; whether a report stands behind it, and
    whether that alone tells that it is one."""

    start: int
    end: int
    sides: tuple[str, ...]
    reported: bool
    alone: bool = False


@dataclass(frozen=True, order=True, slots=True)
class _Form:
    """A short form: its words, the case, whether it may stand without what tells it, and whether "in" does."""

    words: tuple[str, ...]
    case: str
    plain: bool
    leads: bool
    told: bool = False


def cited_cases(document: Document) -> list[Span]:
    """The names of cited cases, with all later short forms of each, in text order.

    What the ruling itself is called is no cited case, wherever it stands.
    """
    return _joined(_Cases(document).spans())


def references(document: Document) -> list[Span]:
    """Statutes, rules and their sections, neutral citations and those of reports, in text order."""
    text = document.text
    sections = [match.span() for match in _sections().finditer(text)]
    return _joined([*_reports(text), *sections, *_statutes(text)], text)


@lru_cache(maxsize=2)
def _reports(text: str) -> list[Span]:
    """Neutral citations and those of reports."""
    return [match.span() for match in _report().finditer(text)]


def inside(spans: Iterable[Span]) -> Callable[[int, int], bool]:
    """Whether the characters from one place to another lie in one of the spans, whole."""
    ordered = _joined(spans)
    starts = [start for start, _ in ordered]

    def holds(start: int, end: int) -> bool:
        at = bisect_right(starts, start) - 1
        return at >= 0 and end <= ordered[at][1]

    return holds


_OF_A_LAW = re.compile(r"\s+(?:(?:of|to|in|under)\s+)?(?:the\s+)?|,\s+")


def _joined(spans: Iterable[Span], text: str = "") -> list[Span]:
    """The spans in order, those that overlap as one; with a text, those that only "of the" parts, too."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and (start <= found[-1][1] or (text and _OF_A_LAW.fullmatch(text, found[-1][1], start))):
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


@cache
def _lists() -> dict[str, frozenset[str]]:
    return lexicons.load_all("en")


@cache
def _report() -> re.Pattern[str]:
    return re.compile(_REPORT.replace("«law_reports»", _either(_lists()["law_reports"])))


@cache
def _reported() -> re.Pattern[str]:
    return re.compile(f"{_BETWEEN}(?:{_report().pattern})")


@cache
def _to_report() -> re.Pattern[str]:
    """The rest of a name up to its report."""
    return re.compile(rf"\s*{_ANY}(?:\s{{1,3}}{_ANY}){{0,9}}{_BETWEEN}(?:{_report().pattern})")


def _either(words: Iterable[str]) -> str:
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=len, reverse=True)))})"


@cache
def _sections() -> re.Pattern[str]:
    parts = _either(w for word in _lists()["law_words"] for w in (word, word.capitalize()))
    number = r"(?:[Nn]os?\.?\s)?[A-Z]{0,2}\d[\w§.()/:-]{0,20}(?<![.:(])"
    return re.compile(
        rf"(?<!\w){parts}\s{{0,3}}{number}(?:(?:,?\s(?:and|or|to)\s|,\s|\s?[-–]\s?){number}){{0,6}}"
        rf"(?:\s(?:of\sthe\s)?{_either(_lists()['law_acronyms'])}\b)?"
        rf"|\b{_either(_lists()['law_acronyms'])}\s(?:(?:[Pp]art|[Rr]ule|r\.|s\.|PD)\s?)?\d[\w.()]{{0,12}}"
        r"|\b\d{1,3}\s(?:[A-Z]\.\s?){2,4}§{1,2}\s?\d[\w.()-]{0,12}"
    )


@cache
def _law() -> tuple[re.Pattern[str], frozenset[str]]:
    """The last words of the titles of laws, and those that need a year or number behind."""
    words = _lists()["statutes"]
    plain = _either(word.removesuffix("?") for word in words)
    return re.compile(rf"\b{plain}\b(?P<number>,?\s(?:{_YEAR}\b|\(?[A-Z]{{0,4}}\)?\s?[Nn]os?\.?\s?\d[\w/]*|\d{{2,4}}/\d+(?:/[A-Z]+)?))?"), frozenset(
        word.removesuffix("?") for word in words if word.endswith("?")
    )


def _statutes(text: str) -> Iterator[Span]:
    """The titles of laws: "the Mental Capacity Act 2005"."""
    names, end = _Names(text), 0
    pattern, doubtful = _law()
    for match in pattern.finditer(text):
        last = match[0].split(maxsplit=1)[0].rstrip(",")
        if match["number"] is None and last in doubtful:
            continue
        start = names.start(max(end, match.start() - _REACH), match.start())
        end = match.end()
        yield (match.start() if start is None else start), end


class _Names:
    """The names of cases in a text, read from a place on to either side."""

    def __init__(self, text: str) -> None:
        self.text = text
        long = sum(length for length in map(len, text.split("\n")) if length > _LONG_LINE)
        self.broken = long < 0.2 * len(text)

    def start(self, least: int, place: int) -> int | None:
        """Where the name begins that ends at a place; nowhere where a title stands before it."""
        if not self.broken:
            least = max(least, self.text.rfind("\n", least, place) + 1)
        tokens = [m.span() for m in _TOKEN.finditer(self.text, max(least, place - _REACH), place)]
        start, at = None, len(tokens)
        while at:
            at, begin, ends = self._one_before(tokens, at)
            if begin is not None:
                start = begin
            if ends:
                return None if ends == "title" else start
        return start

    def _one_before(self, tokens: list[Span], at: int) -> tuple[int, int | None, str]:
        """One token (or bracket) further back: the next place to look at, where a name begins, what ends it."""
        low, high = tokens[at - 1]
        word = self.text[low:high]
        behind = self.text[slice(*tokens[at])] if at < len(tokens) else ""
        if word.endswith((")", "),")):
            first = self._opened(tokens, at - 1)
            return (at, None, "stop") if first is None else (first, tokens[first][0], "")
        if word.isdigit() and behind.strip(_WRAPS).lower() in _SUFFIXES:
            return at - 1, None, ""
        kind = _kind(word)
        if kind in ("other", "signal", "title") or word in _LEADING or _closes(word, behind):
            return at, None, kind if kind == "title" else "stop"
        lead = len(word) - len(word.lstrip(_WRAPS))
        return at - 1, low + lead if kind in ("name", "peer") else None, "stop" if lead else ""

    def _opened(self, tokens: list[Span], last: int) -> int | None:
        """The token that opens the bracket which one closes, where it is part of a name."""
        depth = 0
        for first in range(last, max(-1, last - 12), -1):
            word = self.text[slice(*tokens[first])]
            depth += word.count(")") - word.count("(")
            if depth <= 0:
                part = self.text[tokens[first][0] : tokens[last][1]].rstrip(",")
                return None if not word.startswith(("(", "R(")) or _NO_PART.search(part) else first
        return None

    def end(self, place: int) -> int | None:
        """Where the name ends that begins at a place."""
        limit = min(len(self.text), place + _REACH)
        if not self.broken and (line := self.text.find("\n", place, limit)) >= 0:
            limit = line
        return _Forward(self.text, [m.span() for m in _TOKEN.finditer(self.text, place, limit)]).end()


class _Forward:
    """The tokens behind a place, of which the first ones are a name."""

    def __init__(self, text: str, tokens: list[Span]) -> None:
        self.text, self.tokens = text, tokens

    def end(self) -> int | None:
        end = joint = None
        at = 0
        while at < len(self.tokens):
            low, high = self.tokens[at]
            word = self.text[low:high]
            if at and word.lower() in _JOINS:
                return joint
            if word.startswith("("):
                last = self._closed(at)
                if last is None or (self._no_part(low, last)):
                    return end
                end, at = self._bare_end(last), last + 1
                if self.text[end : end + 1] in (",", ";", ":", ".") and not self._goes_on(last, end):
                    return end
                continue
            kind = _kind(word.rstrip("0123456789,;.") or word)
            bare = self._bare(at)
            if end is not None and bare in _BEFORE_TITLE and _kind(self._word(at + 1)) in ("title", "peer"):
                return end
            if end is not None and (kind in ("title", "peer", "signal") or bare == "the" and word[0] == "T"):
                return end
            if kind == "other" or (kind == "join" and bare in _WEAK and end is not None and not self._leads_on(at)):
                return end
            if kind == "join" and bare == "and" and end is not None:
                joint = end
            if kind != "join" or bare in _OTHERS or bare in _SUFFIXES:
                end = self._bare_end(at)
                if _closes(word, self._word(at + 1)):
                    if not word.endswith(",") or not self._goes_on(at, end):
                        return end
                    joint = end
            at += 1
        return end

    def _word(self, at: int) -> str:
        return self.text[slice(*self.tokens[at])] if at < len(self.tokens) else ""

    def _bare(self, at: int) -> str:
        """A token without signs and the number of a note."""
        return self._word(at).strip(_WRAPS).lower().rstrip("0123456789")

    def _bare_end(self, at: int) -> int:
        """Where a token ends without the signs behind it, and without the number of a note."""
        low, high = self.tokens[at]
        word = self.text[low:high]
        bare = word.rstrip(",;:”\"’'*_]")
        bare = bare if _abbreviated(bare) else bare.rstrip(".")
        if bare.endswith(")") and "(" not in self.text[self.tokens[0][0] : low + len(bare)]:
            bare = bare.rstrip(").")
        return low + len(re.sub(r"(?<=[A-Za-z.])\d{1,3}$", "", bare))

    def _closed(self, first: int) -> int | None:
        depth = 0
        for last in range(first, min(len(self.tokens), first + 12)):
            depth += self._word(last).count("(") - self._word(last).count(")")
            if depth <= 0:
                return last
        return None

    def _no_part(self, low: int, last: int) -> bool:
        """Whether brackets are no part of the name; a year is one before a report."""
        held = self.text[low : self.tokens[last][1]].rstrip(",;.")
        dated = re.fullmatch(rf"\({_YEAR}\)", held) and self._word(last + 1).startswith("[")
        return not dated and _NO_PART.search(held) is not None

    def _leads_on(self, at: int) -> bool:
        """Whether a word such as "and" goes on with the name."""
        behind = self._bare(at + 1)
        if behind in _OTHERS or behind == "others":
            return True
        before = {self._word(i) for i in range(at)}
        office = not before.isdisjoint(("of", "for")) or behind in _nobodys() or behind in _ordinary()
        leads = office and self._word(at) in ("and", "in") and _kind(self._word(at + 1)) == "name"
        return leads or self._to_report(self.tokens[at][1])

    def _goes_on(self, at: int, end: int) -> bool:
        """Whether a name goes on behind a comma: with what ends its report."""
        return self._word(at).endswith(",") and not _reported().match(self.text, end) and self._to_report(self.tokens[at][1])

    def _to_report(self, place: int) -> bool:
        return _to_report().match(self.text, place, place + _REACH) is not None


@lru_cache(maxsize=1 << 14)
def _kind(word: str) -> str:
    """What a token is to a name: "name", "join", "title", "signal", or "other"."""
    bare = word.strip(_WRAPS).replace("’", "'")
    plain = bare.lower().removesuffix("'s")
    if not bare or _PAGE.fullmatch(word):
        return "join" if word == "&" or bare else "other"
    if plain in _TITLES and bare[0].isupper():
        return "peer" if plain in _PEERS else "title"
    if bare[0].isupper():
        return "signal" if plain in _lists()["case_signals"] else "name"
    if bare in _LOWER:
        return "join"
    return "name" if any(map(str.isupper, bare)) and "/" not in bare and not bare[0] == "[" else "other"


@lru_cache(maxsize=1 << 14)
def _closes(word: str, behind: str) -> bool:
    """Whether a name cannot go on over the signs behind a word."""
    if word.endswith((";", ":", "”", '"', "!", "?", "]", "…")):
        return True
    if word.endswith(","):
        bare = (behind or word).strip(_WRAPS).lower().replace(".", "")
        return bare not in _SUFFIXES and behind != "&"
    return word.endswith(".") and not _abbreviated(word)


@lru_cache(maxsize=1 << 14)
def _abbreviated(word: str) -> bool:
    plain = word.strip(_WRAPS.replace(".", "")).lower().replace("’", "'")
    if plain in _lists()["case_abbreviations"] or plain in _abbreviations():
        return True
    return bool(re.fullmatch(r"(?:\w{1,2}\.)+|\w+'\w+\.", plain))


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(word.lower() for word in _lists()["abbreviations"])


class _Cases:
    """The cases that a ruling cites."""

    def __init__(self, document: Document) -> None:
        self.document, self.text = document, document.text
        self.names = _Names(self.text)

    def spans(self) -> Iterator[Span]:
        cited = [case for case in self.named if self._is_cited(case)]
        full = [(case.start, case.end) for case in cited]
        yield from full
        yield from self._short(cited, _joined((c.start, c.end) for c in self.named))

    @cached_property
    def named(self) -> list[_Case]:
        """All that is called as a case is, the ruling itself, too."""
        found = sorted([*self._versus(), *self._opened()], key=lambda case: (case.start, -case.end))
        kept: list[_Case] = []
        for case in found:
            if not kept or case.start >= kept[-1].end:
                kept.append(case)
        return sorted([*kept, *self._alone(kept)], key=lambda case: case.start)

    def _versus(self) -> Iterator[_Case]:
        least = 0
        for match in _VERSUS.finditer(self.text):
            start = self.names.start(least, match.start())
            end = None if start is None else self.names.end(match.end())
            if start is not None and end is not None:
                least = end
                yield self._case(start, end, self.text[start : match.start()], self.text[match.end() : end])

    def _opened(self) -> Iterator[_Case]:
        least = 0
        for match in _OPENING.finditer(self.text):
            end = self.names.end(match.end()) if match.start() >= least else None
            if end is None:
                continue
            least = end
            case = self._case(match.start(), end, self.text[match.end() : end])
            if case.reported or (match["sure"] and self._is_name(match.start(), match["sure"])):
                yield case

    def _is_name(self, start: int, opening: str) -> bool:
        """Whether "Re" opens no letter or heading."""
        line = self.text.rfind("\n", 0, start) + 1
        return opening.lower() != "re" or _SENTENCE.search(self.text, max(line, start - 20), start) is not None

    def _alone(self, named: list[_Case]) -> Iterator[_Case]:
        """A name that stands before a report without "v" or "Re"."""
        spans = [(case.start, case.end) for case in named]
        ends = [end for _, end in spans]
        least = 0
        for place, behind in _reports(self.text):
            while place > least and self.text[place - 1] in " ,:*_\n(":
                place -= 1
            before = bisect_right(ends, place)
            least = max(least, ends[before - 1] if before else 0)
            if before < len(spans) and spans[before][0] < place:
                continue
            start = self.names.start(least, place) if place > least else None
            least = max(least, behind)
            if start is not None and self._may_stand_alone(self.text[start:place]):
                yield _Case(start, place, (self.text[start:place],), True, not self.text.endswith((", Re", ", re"), 0, place))

    def _may_stand_alone(self, name: str) -> bool:
        return name[-1] not in "-#" and any(len(word) > 3 for words in self._distinct([name]) for word in words)

    def _case(self, start: int, end: int, *sides: str) -> _Case:
        return _Case(start, end, sides, _reported().match(self.text, end) is not None)

    def _distinct(self, sides: Sequence[str]) -> list[set[str]]:
        """The words of each side that name somebody; sides of public bodies left out."""
        named = ({word.casefold() for word in _WORD.findall(side)} - _nobodys() for side in sides)
        return [words for words in named if words]

    @cached_property
    def head_end(self) -> int:
        """Where the first paragraph of prose begins, behind the first line."""
        line = self.text.find("\n") + 1
        for start, end in self._paragraphs():
            if start >= line and _is_prose(self.text[start:end]):
                return min(start, _HEAD)
        return min(_LEAST_HEAD, len(self.text))

    def _paragraphs(self) -> Iterator[Span]:
        """The first paragraphs: lines, or blocks of a text that is broken into lines."""
        if self.names.broken:
            return ((block.start, block.end) for block in self.document.blocks if block.start <= _HEAD)
        return (match.span() for match in re.finditer(r"[^\n]+", self.text[: 2 * _HEAD]))

    @cached_property
    def head(self) -> str:
        """The words of the head, the names of cases that it cites left out."""
        pieces, place = [], 0
        for case in self.named:
            if case.start < self.head_end and self._cited_in_head(case):
                pieces.append(self.text[place : case.start])
                place = case.end
        pieces.append(self.text[place : max(place, self.head_end)])
        return f" {' '.join(_WORD.findall(' '.join(pieces)))} ".casefold()

    @cached_property
    def own(self) -> frozenset[str]:
        return frozenset(self.head.split())

    @cached_property
    def _listed(self) -> int:
        """Where the list of the cases that are cited begins."""
        return match.start() if (match := _LIST.search(self.text, 0, self.head_end)) else len(self.text)

    def _cited_in_head(self, case: _Case) -> bool:
        return self._listed < case.start or (case.reported and case.start > self.named[0].start)

    def _is_cited(self, case: _Case) -> bool:
        if case.start < self.head_end and not self._cited_in_head(case):
            return False
        if _CAPTION.search(case.sides[0]):
            return False
        named = [side for side in case.sides if self._distinct([side])]
        known = [self._is_own(side) for side in named]
        if not known:
            return not case.alone and (case.reported or not self._is_title(case))
        own = any(is_own for side, is_own in zip(named, known, strict=True) if not _is_body(side))
        return not all(known) and (case.reported or not own)

    def _is_own(self, side: str) -> bool:
        """Whether the head names who stands on a side: a person by one of the outer words or two, a body by all."""
        words = [w.casefold() for w in _WORD.findall(side) if w.casefold() not in _nobodys()]
        known = [word in self.own for word in words]
        return all(known) if _is_body(side) else known[0] or known[-1] or sum(known) > 1

    def _is_title(self, case: _Case) -> bool:
        """Whether the head has a name whole."""
        words = " ".join(_WORD.findall(self.text[case.start : case.end])).casefold()
        return f" {words} " in self.head

    @cached_property
    def people(self) -> frozenset[str]:
        """The words that a title or an office shows for the name of somebody."""
        found = (match[1] or match[2] for match in _TITLED.finditer(self.text))
        return frozenset(word.casefold() for name in found for word in _WORD.findall(name))

    def _short(self, cited: list[_Case], full: list[Span]) -> Iterator[Span]:
        """The short forms of cases outside their full names: those of a case that one of them tells, or told ones."""
        found = [(span, form, self._told(*span, form)) for span, form in self._like_short(self._forms(cited), full)]
        confirmed = {form.case for _, form, told in found if told or form.told}
        for span, form, told in found:
            if told or (form.plain and form.case in confirmed and self._stands_alone(*span)):
                yield span

    def _like_short(self, forms: Mapping[str, Sequence[_Form]], full: list[Span]) -> Iterator[tuple[Span, _Form]]:
        taken = inside(full)
        for match in _WORD.finditer(self.text) if forms else ():
            for form in forms.get(match[0].casefold(), ()):
                end = self._goes_on(match.end(), form.words)
                if end and not taken(match.start(), end):
                    yield (match.start(), self._whole(end)), form
                    break

    def _goes_on(self, place: int, words: Sequence[str]) -> int:
        """Where the further words of a short form end; 0 where they are not there."""
        for word in words[1:]:
            match = re.compile(rf"[\s,&.]{{1,3}}(?:[a-z]{{1,4}}\s){{0,2}}({re.escape(word)})(?!\w)", re.IGNORECASE).match(self.text, place)
            if match is None:
                return 0
            place = match.end()
        return place

    def _whole(self, place: int) -> int:
        """Where a short form ends with what may end its name: "Roe Ltd", "Roe (No 2)"."""
        return match.end() if (match := _ENDING.match(self.text, place)) else place

    def _told(self, start: int, end: int, form: _Form) -> bool:
        """Whether what stands around a short form tells that it is one: "in Roe", "the Roe test", "Roe (above)"."""
        before = self.text[max(0, start - 40) : start]
        if _TITLE_BEFORE.search(before):
            return False
        return _CASE.match(self.text, end) is not None or (
            form.leads and _IN.search(before) is not None and not _NAME_BEHIND.match(self.text, end)
        )

    def _stands_alone(self, start: int, end: int) -> bool:
        before = self.text[max(0, start - 40) : start]
        beside = _TITLE_BEFORE.search(before) or _NAME_BEFORE.search(before) or _NAME_BEHIND.match(self.text, end)
        return beside is None

    def _forms(self, cited: list[_Case]) -> dict[str, list[_Form]]:
        """The short forms of all cases by their first words, the longest first."""
        found: dict[str, list[_Form]] = {}
        for case in cited:
            for form in self._short_forms(case):
                if not self.own.issuperset(map(str.casefold, form.words)):
                    found.setdefault(form.words[0].casefold(), []).append(form)
        return {first: sorted(set(forms), key=lambda form: (-len(form.words), not form.told, form)) for first, forms in found.items()}

    def _short_forms(self, case: _Case) -> Iterator[_Form]:
        """The ways in which a case is called for short."""
        name = " ".join(case.sides)
        if alias := _ALIAS.match(self.text, case.end, case.end + _REACH):
            words = tuple(_WORD.findall(alias["name"]))
            if len("".join(words)) > 1:
                yield _Form(words, name, True, True, True)
        for side in case.sides:
            for words in _shortened(side):
                plain = {word.casefold() for word in words}
                free = self.people.isdisjoint(plain)
                yield _Form(words, name, free and not plain <= _unsure(), not plain <= _known_places())


_TITLE_BEFORE = re.compile(r"\b(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lady|Lord|Prof|Professor|Judge|Justice|Master|Dame|Baroness|HHJ|Atty|Hon)\.?\s{1,3}(?:[A-Z][\w’'-]*\.?\s){0,2}$")
_NAME_BEFORE = re.compile(r"(?:^|[^.\s])[ \xa0](?!(?:In|See|The|And|But|As|Following|Like|Unlike|Both|Since|Under|After|While|Although|If|When|That|Applying|Further)\s)[A-ZÀ-Þ][\w’'-]+[ \xa0]$")
_NAME_BEHIND = re.compile(r"[ \xa0](?!(?:Lord|Lady|Mr|Sir|J\b|LJ|Principles|Factors|Test|Case|Guidelines|Direction|I\b|[A-Z][\w-]+\sL?J\b))[A-ZÀ-Þ][a-zà-ÿ]")


def _shortened(side: str) -> Iterator[tuple[str, ...]]:
    """The short forms of one side of a name."""
    inner = re.sub(r"^\(?R\s*\(?(?:on\s+the\s+application\s+of\s+)?(?=[A-Z])|\(.*?\)", " ", side)
    words = [w for w in _WORD.findall(inner) if w.casefold() not in _ENDS]
    if not words:
        return
    person = {w.casefold() for w in words}.isdisjoint(_bodies())
    for number in (1, 2, 3):
        if number <= len(words) and not {w.casefold() for w in words[:number]} <= _unknown():
            if number > 1 or _may_be_short(words, person):
                yield tuple(words[:number])
    if person and 1 < len(words) < 4 and len(words[-1]) > 2:
        yield (words[-1],)


def _may_be_short(words: Sequence[str], person: bool) -> bool:
    """Whether the first word of a side stands for it: no given name does, and no initial."""
    first = words[0]
    if person and len(words) > 1 and (first.casefold() in _given() or len(words[-1]) == 1):
        return False
    return len(first) > 2 or (first.isupper() and len(first) > 1)


@cache
def _given() -> frozenset[str]:
    return frozenset().union(*(_lists()[name] for name in ("given_female", "given_male", "given_other")))


@cache
def _nobodys() -> frozenset[str]:
    """Words that name none of the parties of a case."""
    names = ("public_parties", "organization_words", "month_names", "function_words", "nationalities")
    return frozenset().union(*(_lists()[name] for name in names), _TITLES, _SUFFIXES, _known_places())


def _is_body(side: str) -> bool:
    return not _bodies().isdisjoint(word.casefold() for word in _WORD.findall(side))


@cache
def _bodies() -> frozenset[str]:
    """Words of the names of public bodies and of companies."""
    forms = {form.replace(".", "") for form in _lists()["legal_form"]}
    return (_lists()["public_parties"] - {"r"} | _lists()["organization_words"] | forms) - _OTHERS - {"people"}


@cache
def _known_places() -> frozenset[str]:
    return _lists()["place_names"] - _lists()["surnames"]


@cache
def _unknown() -> frozenset[str]:
    """Words that name no case."""
    return _nobodys() - _known_places()


@cache
def _unsure() -> frozenset[str]:
    """Words that name a case only where something tells it."""
    return _ordinary() | _known_places()


@cache
def _ordinary() -> frozenset[str]:
    return _lists()["ordinary_words"] | _lists()["common_words"] | _lists()["court_words"] | _lists()["law_words"]


def _is_prose(text: str) -> bool:
    words = text[:4000].split()
    least = _PROSE // 4 if re.match(r"\s*[\[(¶]?\s?\d{1,3}[\]).]*\s", text) else _PROSE
    return len(words) > least and sum(word[0].islower() for word in words) > 0.5 * len(words)
