"""Where the name of a cited case begins and ends: read word by word from a "v" or a report to either side."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from string import ascii_letters

from aef import lexicons

Span = tuple[int, int]
"""The first character, and the one after the last."""

REACH = 200
"""Characters that a name goes on, to either side."""
YEAR = r"(?:1[6-9]|20)\d\d"

_LONG_LINE = 120
"""A text whose lines are shorter is broken into lines; elsewhere a line is a paragraph."""

_ABBREVIATED = r"[A-Za-z]?[A-Z][\w.&’']{0,20}(?:\s(?:[A-Z(][\w.&’')]{0,15}|of|and)){0,4}"
_REPORT = (
    r"(?=[\[(\dA-Zan])"  # what any of them begins with, so that few places are tried
    rf"(?:(?:\[{YEAR}(?:[-/]\d{{2,4}})?\],?\s{{0,3}}(?:\(?\d{{1,3}}\)?\s{{1,3}})?"
    rf"|\({YEAR}(?:[-/]\d{{2,4}})?\),?\s{{0,3}}(?:\d{{1,3}}\s{{1,3}}|(?=The\s))){_ABBREVIATED},?\s{{0,3}}\(?\d{{1,5}}\b"
    r"(?:\s\([A-Z][A-Za-z ]{1,12}\))?"  # [2010] EWCA Civ 7, (2012) 8 SCC 21, [2001] 1 Lloyd's Rep 5
    r"|\b\d{1,4}\s{1,3}(?:[A-Z]&[A-Z]\s)?(?:[A-Z][A-Za-z’']{0,11}\.\s?(?:\d[a-z]{1,2}\.?\s)?|&\s){1,5}"
    r"(?:\(?\d[a-z]{1,2}\)?\s)?(?:at\s)?\d{1,5}\b"  # 98 N.M. 12, 7 P.2d at 8
    rf"|\b{YEAR}[- ](?:\(\d\)\s)?[A-Z]{{2}}[A-Za-z]{{0,6}}(?:[- ](?:Civ|Crim|CA|App))?[- ]?\d{{1,5}}\b"
    r"(?:\s\([A-Z][A-Za-z]{1,12}\))?"  # 2010 EWCA Civ 7, 2005-NMSC-012
    r"|\b\d{1,4}\s{1,3}(?:\(\d{1,2}\)\s)?«law_reports»(?:\s\([A-Z][\w.]{0,8}\))?(?:\s\(?\d[a-z]{1,2}\)?)?"
    r"\s{1,3}(?:at\s)?\d{1,5}\b"  # 12 SCRA 34
    rf"|\b(?:AIR|PLD|ILR)\s{YEAR}\s[A-Z][\w&.]{{0,12}}(?:\s\d{{1,5}}\b)?"
    r"|\b(?:[A-Z]\.[\s-]?){2,4}(?:Nos?|NOS?)\.\s?[A-Z]{0,3}-?\d[\w-]{2,20}"  # G.R. No. L-123
    r"|\b(?:application\s)?[Nn]os?\.\s?\d{1,6}/\d\d\b|\bECLI:[\w:]{4,40}|\b(?:Joined\s)?(?:Cases?\s)?[CTEF][-‑–]\d{1,4}/\d\d\b)"
)
_BETWEEN = r"[\s,;:*_”\"’)(\[.]{0,6}"
_TOKEN = re.compile(r"\S+")
_WRAPS = " \t\n“”\"‘’'()[]*_,;:.…"
_DIGITS = "0123456789"
_BEFORE_NOTES = frozenset(ascii_letters + ".")
_BRACKET = 12
"""Words that brackets in a name hold."""

_VERSUS = frozenset({"v", "v.", "vs", "vs.", "versus", "vrs", "vrs.", "v/s", "-v-", "-vs-", "-vs.-", ".v"})
_WEAK = frozenset({"and", "in", "at", "on", "to", "by", "through"})
"""Words that may as well go on with the sentence behind a name."""
_LEADING = _WEAK - {"and"}
"""Words that lead to a name."""
OTHERS = frozenset({"another", "others", "ors", "anor", "anr"})
SUFFIXES = frozenset(
    {
        "ex",
        "al",
        "jr",
        "sr",
        "ii",
        "iii",
        "iv",
        "inc",
        "ltd",
        "llc",
        "llp",
        "lp",
        "plc",
        "corp",
        "co",
        "pc",
        "na",
        "sa",
        "nv",
        "limited",
        "incorporated",
        "et",
        "etc",
    }
)
_PEERS = frozenset({"sir", "lady", "lord", "dame", "baroness", "prof", "professor"})
TITLES = frozenset({"mr", "mrs", "ms", "miss", "dr", "judge", "justice", "master", "hhj"}) | _PEERS
_YEARLY = frozenset({"AIR", "PLD", "ILR"})
"""Reports whose letters stand before the year."""
_BEFORE_TITLE = frozenset({"costs", "district", "deputy", "chief", "senior", "circuit"})


@cache
def lists() -> dict[str, frozenset[str]]:
    """The word lists: cases are cited in English ones."""
    return lexicons.load_all("en")


@cache
def report() -> re.Pattern[str]:
    """A neutral citation, that of a report, or the number of a case."""
    return re.compile(_REPORT.replace("«law_reports»", either(lists()["law_reports"])))


@cache
def reported() -> re.Pattern[str]:
    """A report right behind a name."""
    return re.compile(f"{_BETWEEN}(?:{report().pattern})")


def either(words: Iterable[str]) -> str:
    """An expression for any of the words, the longest first."""
    return f"(?:{'|'.join(map(re.escape, sorted(words, key=lambda word: (-len(word), word))))})"


class CaseNames:
    """The names of cases in a text, read from a place on to either side."""

    def __init__(self, text: str) -> None:
        self.text = text
        long = sum(length for length in map(len, text.split("\n")) if length > _LONG_LINE)
        self.broken = long < 0.2 * len(text)

    def start(self, least: int, place: int) -> int | None:
        """Where the name begins that ends at a place; nowhere where a title stands before it."""
        if not self.broken:
            least = max(least, self.text.rfind("\n", least, place) + 1)
        tokens = [m.span() for m in _TOKEN.finditer(self.text, max(least, place - REACH), place)]
        start, at, stop = None, len(tokens), ""
        while at and not stop:
            at, begin, stop = self._one_before(tokens, at)
            start = start if begin is None else begin
        return None if stop == "title" else start

    def _one_before(self, tokens: list[Span], at: int) -> tuple[int, int | None, str]:
        """One token (or bracket) further back: the next place to look at, where a name begins, what stops it."""
        low, high = tokens[at - 1]
        word = self.text[low:high]
        behind = self.text[slice(*tokens[at])] if at < len(tokens) else ""
        if word.endswith((")", "),")):
            first = self._opened(tokens, at - 1)
            return (at, None, "bracket") if first is None else (first, tokens[first][0], "")
        kind = "join" if word.isdigit() and behind.strip(_WRAPS).lower() in SUFFIXES else _kind(word)
        if kind in ("other", "signal", "title") or word in _LEADING or _closes(word, behind):
            return at, None, kind
        lead = len(word) - len(word.lstrip(_WRAPS))
        return at - 1, low + lead if kind in ("name", "peer") else None, word[:lead]

    def _opened(self, tokens: list[Span], last: int) -> int | None:
        """The token that opens the bracket which one closes, where it is part of a name."""
        depth = 0
        for first in range(last, max(-1, last - _BRACKET), -1):
            word = self.text[slice(*tokens[first])]
            depth += word.count(")") - word.count("(")
            if depth <= 0:
                return first if word.startswith(("(", "R(")) else None
        return None

    def end(self, place: int) -> int | None:
        """Where the name ends that begins at a place."""
        limit = min(len(self.text), place + REACH)
        line = -1 if self.broken else self.text.find("\n", place, limit)
        tokens = [m.span() for m in _TOKEN.finditer(self.text, place, limit if line < 0 else line)]
        return _Forward(self.text, tokens).read()


class _Forward:
    """The tokens behind a place, of which the first ones are a name."""

    def __init__(self, text: str, tokens: list[Span]) -> None:
        self.text, self.tokens = text, tokens
        self.at = 0
        self.end: int | None = None
        self.joint: int | None = None
        """Where the name would end if the rest were the name of another case."""

    def read(self) -> int | None:
        while self.at < len(self.tokens) and self._step():
            pass
        return self.end

    def _step(self) -> bool:
        """Whether the name may go on behind one more token."""
        word = self._word(self.at)
        if self.at and word.lower() in _VERSUS:
            self.end = self.joint
            return False
        return self._bracket() if word.startswith("(") else self._plain(word)

    def _bracket(self) -> bool:
        last = self._closed()
        if last is None:
            return False
        self.end, self.at = self._bare_end(last), last + 1
        return not self.text.startswith((",", ";", ":", "."), self.end)

    def _plain(self, word: str) -> bool:
        kind, bare = _kind(word.rstrip(_DIGITS + ",;.") or word), self._bare(self.at)
        if self._stops(kind, bare):
            return False
        if kind == "join" and bare not in OTHERS | SUFFIXES:
            self.joint = self.end if bare == "and" else self.joint
        else:
            self.end = self._bare_end(self.at)
            if _closes(word, self._word(self.at + 1)):
                return False
        self.at += 1
        return True

    def _stops(self, kind: str, bare: str) -> bool:
        """Whether a token is no part of the name."""
        if self.end is None:
            return kind == "other"
        officer = bare in _BEFORE_TITLE and _kind(self._word(self.at + 1)) in ("title", "peer")
        sentence = bare == "the" and kind == "name"
        weak = kind == "join" and bare in _WEAK and not self._leads_on()
        cited = bare.upper() in _YEARLY and report().match(self.text, self.tokens[self.at][0])
        return officer or sentence or weak or bool(cited) or kind in ("title", "peer", "signal", "other")

    def _word(self, at: int) -> str:
        return self.text[slice(*self.tokens[at])] if at < len(self.tokens) else ""

    def _bare(self, at: int) -> str:
        """A token without signs and the number of a note."""
        return self._word(at).strip(_WRAPS).lower().rstrip(_DIGITS)

    def _bare_end(self, at: int) -> int:
        """Where a token ends without the signs behind it, and without the number of a note."""
        low = self.tokens[at][0]
        bare = self._word(at).rstrip(",;:”\"’'*_]")
        bare = bare if _abbreviated(bare) else bare.rstrip(".")
        if bare.endswith(")") and "(" not in self.text[self.tokens[0][0] : low + len(bare)]:
            bare = bare.rstrip(").")
        unnoted = bare.rstrip(_DIGITS)
        noted = len(bare) - len(unnoted) < 4 and unnoted[-1:] in _BEFORE_NOTES
        return low + len(unnoted if noted else bare)

    def _closed(self) -> int | None:
        """The token that closes the bracket which one opens."""
        depth = 0
        for last in range(self.at, min(len(self.tokens), self.at + _BRACKET)):
            depth += self._word(last).count("(") - self._word(last).count(")")
            if depth <= 0:
                return last
        return None

    def _leads_on(self) -> bool:
        """Whether a word such as "and" goes on with the name."""
        behind = self._bare(self.at + 1)
        before = {self._word(i) for i in range(self.at)}
        office = not before.isdisjoint(("of", "for")) or behind in nobodys() or behind in ordinary()
        named = self._word(self.at) in ("and", "in") and _kind(self._word(self.at + 1)) == "name"
        return behind in OTHERS or (office and named)


@lru_cache(maxsize=1 << 14)
def _kind(word: str) -> str:
    """What a token is to a name: "name", "join", "title", "peer", "signal", or "other"."""
    bare = word.strip(_WRAPS).replace("’", "'")
    if word == "&":
        return "join"
    if bare[:1].isupper():
        return _capitalized(bare.lower().removesuffix("'s"))
    if bare in _joiners():
        return "join"
    return "name" if "/" not in bare and any(map(str.isupper, bare)) else "other"


def _capitalized(plain: str) -> str:
    if plain in TITLES:
        return "peer" if plain in _PEERS else "title"
    return "signal" if plain in lists()["case_signals"] else "name"


@lru_cache(maxsize=1 << 14)
def _closes(word: str, behind: str) -> bool:
    """Whether a name cannot go on over the signs behind a word."""
    if word.endswith((";", ":", "”", '"', "!", "?", "]", "…")):
        return True
    if word.endswith(","):
        return behind != "&" and (behind or word).strip(_WRAPS).lower().replace(".", "") not in SUFFIXES
    return word.endswith(".") and not _abbreviated(word)


@lru_cache(maxsize=1 << 14)
def _abbreviated(word: str) -> bool:
    plain = word.strip(_WRAPS.replace(".", "")).lower().replace("’", "'")
    if plain in lists()["case_abbreviations"] or plain in _abbreviations():
        return True
    contracted = plain.count("'") == 1  # "gov't."
    parts = plain.removesuffix(".").split("'" if contracted else ".")
    return plain.endswith(".") and all(part.isalnum() and (contracted or len(part) <= 2) for part in parts)


@cache
def _joiners() -> frozenset[str]:
    return lists()["case_joiners"] | _WEAK | OTHERS


@cache
def _abbreviations() -> frozenset[str]:
    return frozenset(word.lower() for word in lists()["abbreviations"])


@cache
def known_places() -> frozenset[str]:
    """Words that are places and nobody's surname."""
    return lists()["place_names"] - lists()["surnames"]


@cache
def nobodys() -> frozenset[str]:
    """Words that name none of the parties of a case."""
    names = ("public_parties", "organization_words", "month_names", "function_words", "nationalities")
    return frozenset[str]().union(*(lists()[name] for name in names), TITLES, SUFFIXES, known_places())


@cache
def ordinary() -> frozenset[str]:
    """Words of the language and of courts."""
    return lists()["ordinary_words"] | lists()["common_words"] | lists()["court_words"] | lists()["law_words"]


@cache
def bodies() -> frozenset[str]:
    """Words of the names of public bodies and of companies."""
    forms = {form.replace(".", "") for form in lists()["legal_form"]}
    return (lists()["public_parties"] | lists()["organization_words"] | forms) - OTHERS - {"people", "r"}
