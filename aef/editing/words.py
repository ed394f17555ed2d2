"""A ruling as it is searched for names that nothing found: its words, numbers and dates, and what each shows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, pairwise

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz, process

from aef import lexicons
from aef.citations.references import inside, references
from aef.corpus_tools.document import Document
from aef.editing.facts import Span
from aef.names.parts import fold, name_words
from aef.names.titles import titles

Floats = NDArray[np.float64]

CODE, DATE, INITIALS, WORDS, SMALL, COMMON, PART = "code", "date", "initials", "words", "small", "common", "part"
"""What candidates look like: numbers of files and people, dates, initials, words with a capital (or of a script without
any) and in lower case; common words in a single place, where they may be a name; numbers beside what is hidden."""

_FORMS = {
    DATE: r"""(?<!\w)(?:
        (?:\d{1,2}/)?\d{1,2}(?:st|nd|rd|th|er)?\.?\s+(?:[A-Z][a-z]{2,8}|[a-zß-ÿ]{3,9})\.?,?\s+(?:1[89]|20)\d\d
      | [A-Z][a-z]{2,8}\.?\s+\d{1,2},?\s+(?:1[89]|20)\d\d
      | \d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d))(?!\w)""",
    CODE: r"""
        (?:\b(?:1[89]|20)\d\d\s)?(?:\b[A-Z][\w.]{0,30}\s(?:\([A-Z]+\)\s)?){0,2}\b[Nn]os?\.?\s?\d[\w/-]*
        (?:\.\d+|\(\d+\))?(?:\sof\s(?:1[89]|20)\d\d|/[\w.]+)?(?:\s[A-Z]{2,4}\b|\s(?:[A-Z]\.){2,4})?
      | (?<![\w./-])\d{1,3}\s[A-Z][A-Za-z]{0,2}\s\d{1,5}/\d\d(?:\d\d)?(?!\w)
      | (?<![\w£$€.,/-])(?=[\w/#-]{0,18}\d)(?:[A-Z]{1,5}[ -])?
        (?=(?:[^\W\d]|[#-])*+\d[\w#]*+[/-](?:[^\W\d]|[/#-])*+\d)(?>[\w/#-]*\d[\w/-]*)(?![\w%])
      | (?<!\w)[A-Z]{1,5}\s\d{3,7}(?:\s\d{3,4})*(?!\w|[/-]\d)
      | (?<![\w£$€.,/-])(?:\d{6,}(?![\w%])|(?:\d{2,4}(?:[ -]\d{2,4}){2,4}|\d{4}\s\d{4})(?!\w|%|[,./-]\d))
      | (?<![\w.])\d{1,3}\.[A-Z][\w.]{0,8}\.\d+/\d{4}(?!\w)
      | (?<![\w.,/-])(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{5,}(?!\w)""",
    WORDS: r"[\u0370-\u1dff\u2c00-\ud7ff\uf900-\ufdff]{2,}(?:[ .]{1,2}[\u0370-\u1dff\u2c00-\ud7ff]+)*",
}
_SHAPES = re.compile("|".join(f"(?P<{kind}>{form})" for kind, form in _FORMS.items()), re.VERBOSE)
"""What looks like a date or a number, or is a name in another script, beside its Latin spelling."""
_JOINTS = frozenset({"&", "-", "’s", "'s", "of", "de", "la", "van", "von", "bin", "al"})
_LISTS = (
    *("common_words", "place_names", "towns", "place_words", "surnames", "word_names", "ordinary_words", "law_words"),
    *("court_words", "law_acronyms", "organization_words", "legal_form", "nicknames", "statutes", "abbreviations"),
    *("nationalities", "month_names", "weekday_names", "generic_organization", "kin_names"),
)
PLAIN = ("common_words", "ordinary_words", "law_words")
_GIVEN = ("given_female", "given_male", "given_other")
_LONG, _START = 4, 3
"""Letters of a word of a name that others may be like, and that a short name of it begins with."""
_ALIKE = 80
"""From which similarity on, in 100, a word is like another (RapidFuzz's ratio)."""
_LOOKED_AT = 3
"""So many places of the same words are looked at closely."""
_BEFORE, _NEAR, _BEHIND = 80, 60, 40
"""Characters before and behind a place that are looked at."""
_TELLING = re.compile(
    r"(?i)\b(?:born|birth|aged?|nickname|known|called|calls?|alias|lives?|living|resid\w+|moved|house|home|school|works?"
    r"|worked|employ\w*|file|number|account|case|claim|died|village|town|near|shop|company|business|signed|says?|said"
    r"|wrote|text|messages?)\b"
)
_WORD_OR_SIGN = re.compile(r"[\w.’']+|[^\w\s]")


class Words:
    """A ruling as it is searched for candidates: once, whatever the editor tells afterwards.

    probabilities : of each token, that it is a name; shape (n,).
    """

    def __init__(self, document: Document, probabilities: Floats) -> None:
        self.document, self.probabilities = document, probabilities
        self.words = document.words
        self.starts, self.ends = document.tokens.starts.tolist(), document.tokens.ends.tolist()
        self.first = document.tokens.first.tolist()
        self.small = frozenset(w for w in self.words if w.islower())
        self.written = _written(self.words, self.first)
        self.cited = inside(references(document))
        self.parts = document.token_parts
        lists = lexicons.load_all(document.language)
        self.lists = {name: _folded(lists, (name,)) for name in _LISTS if name in lists}
        self.lists["given names"] = _folded(lists, _GIVEN)
        self.spans = _by_words(document, self._spans())
        self.tokens = _places_by_word(self)
        self._shown: dict[tuple[Span, ...], dict[str, float]] = {}

    def _spans(self) -> Iterator[tuple[Span, str]]:
        """The places of all that has a capital or looks like a number or date, and of what kind it is."""
        yield from ((match.span(), str(match.lastgroup)) for match in _SHAPES.finditer(self.document.text))
        yield from self._runs()

    def _runs(self) -> Iterator[tuple[Span, str]]:
        run: list[int] = []
        for token, word in enumerate([*self.words, ""]):
            joins = bool(run) and word in _JOINTS and not self._parted(token)
            if self._named(token) and not (run and self._parted(token)):
                run.append(token)
            elif not joins or run[-1] != token - 1:
                yield from self._run(run)
                run = [token] if self._named(token) else []

    def _named(self, token: int) -> bool:
        """Whether a token begins with a capital and may be a name."""
        if token >= len(self.words):
            return False
        word = self.words[token]
        return word[:1].isupper() and not (self.first[token] and fold(word) in self.lists["common_words"])

    def _parted(self, token: int) -> bool:
        """Whether a new sentence begins with the token, or more than a blank parts it from the one before."""
        return bool(self.first[token]) or self.starts[token] - self.ends[token - 1] > 1

    def _run(self, run: Sequence[int]) -> Iterator[tuple[Span, str]]:
        if run and not all(fold(self.words[t]) in titles(self.document.language) for t in run):
            place = self.starts[run[0]], self.ends[run[-1]]
            bare = self.document.text[slice(*place)].replace(".", "")
            yield place, INITIALS if 1 < len(bare) < 5 and bare.isalpha() and bare.isupper() else WORDS

    def shown(self, words: str, kind: str, places: tuple[Span, ...], known: Known) -> dict[str, float]:
        """What words show that may be hidden."""
        shows = self._shown.get(places)
        if shows is None:
            shows = self._shown[places] = self._shows(words, kind, places)
        named = name_words(words)
        plain = any(fold(word) in self.lists.get(name, ()) for word in named for name in PLAIN)
        looks = "", ", plain" if plain else ", no plain word"
        return shows | {f"{kind}: {what}{look}": 1.0 for what in known.of(words, named) for look in looks}

    def _shows(self, words: str, kind: str, places: Sequence[Span]) -> dict[str, float]:
        """The same without what is known of who is hidden."""
        ranges = [self.document.token_range(*place) for place in places]
        odds = max((_odds(self.probabilities[r.start : r.stop]) for r in ranges), default=-6.0)
        shows = {f"kind {kind}": 1.0, f"odds of {kind}": odds, "mentions": float(np.log(len(places)))}
        shows |= {f"odds {step} on, {kind}": 1.0 for step in (-5, -4, -3, -2, -1) if odds > step}
        named = name_words(words)
        shows |= dict.fromkeys(self._looks(words, kind, named), 1.0)
        before = {self._before(r) for r in ranges if r}
        shows |= {f"{kind} before: {word}": 1.0 for word in before}
        shows |= {f"{kind} behind: {word}": 1.0 for word in {self._behind(r) for r in ranges if r}}
        for start, end in places[:_LOOKED_AT]:
            shows |= dict.fromkeys((f"{kind} {what}" for what in self._around(start, end)), 1.0)
            if kind in (CODE, DATE, INITIALS):
                shows[f"{kind} shape {_shape(self.document.text[start:end])}"] = 1.0
        parts = {self.parts[r.start] for r in ranges if r}
        shows |= {f"{kind} in {part}": 1.0 for part in parts}
        if all(self.cited(*place) for place in places):
            shows["cited"] = 1.0
        if any(token in self.written for r in ranges for token in r):
            shows[f"{kind} in a message"] = 1.0
        return shows

    def _looks(self, words: str, kind: str, named: Sequence[str]) -> Iterator[str]:
        yield f"{kind} of {min(4, len(named))}"
        if words.isupper() and kind == WORDS:
            yield "capitals"
        if named and all(w.lower() in self.small for w in named):
            yield f"{kind}: small elsewhere"
        for name, entries in self.lists.items():
            inside = [fold(w) in entries for w in named]
            if named and all(inside):
                yield f"{kind}: all in {name}"
            elif any(inside):
                yield f"{kind}: some in {name}"

    def _around(self, start: int, end: int) -> Iterator[str]:
        """What of the line before a place, and behind it, tells of a home, a number, a nickname ..."""
        before = self.document.text[max(0, start - _BEFORE) : start]
        words = _WORD_OR_SIGN.findall(before.rpartition("\n")[2])
        yield f"second before: {self._as_public(words[-2])}" if len(words) > 1 else "begins a line"
        yield from (f"near {word.lower()}" for word in _TELLING.findall(before[-_NEAR:]))
        yield from (f"near behind {word.lower()}" for word in _TELLING.findall(self.document.text, end, end + _BEHIND))

    def _before(self, tokens: range) -> str:
        return self._public(tokens.start - 1) if tokens.start and not self.first[tokens.start] else "-"

    def _behind(self, tokens: range) -> str:
        return self._public(tokens.stop) if tokens.stop < len(self.words) and not self.first[tokens.stop] else "-"

    def _public(self, token: int) -> str:
        """A neighbouring word as far as it tells nobody: signs and common words."""
        return self._as_public(self.words[token])

    def _as_public(self, word: str) -> str:
        word = word.lower()
        if not word[:1].isalnum():
            return word[:1]
        return word if word in self.lists["common_words"] or word.rstrip(".") in titles() else "*"


@dataclass(frozen=True)
class Known:
    """What is known of who is hidden: the words of their names and their initials, folded."""

    words: frozenset[str] = frozenset()
    initials: frozenset[str] = frozenset()

    @cached_property
    def long(self) -> tuple[str, ...]:
        return tuple(sorted(word for word in self.words if len(word) >= _LONG))

    @cached_property
    def starts(self) -> frozenset[str]:
        """How the longer words begin: as short names made of them do."""
        return frozenset(word[:_START] for word in self.long)

    @cached_property
    def _sorted(self) -> tuple[str, ...]:
        return tuple(sorted(self.words))

    def _begun(self, word: str) -> bool:
        """Whether a word of a name goes on where the folded word ends."""
        after = bisect_right(self._sorted, word)
        return after < len(self._sorted) and self._sorted[after].startswith(word)

    def alike(self, word: str) -> bool:
        """Whether a folded word is nearly one of a hidden name: misspelled, in the plural, with an ending."""
        if len(word) < _LONG or word in self.words:
            return False
        longer = any(word.startswith(name) and len(word) <= len(name) + 2 for name in self.long)
        return longer or process.extractOne(word, self.long, scorer=fuzz.ratio, score_cutoff=_ALIKE) is not None

    def of(self, words: str, named: Sequence[str]) -> Iterator[str]:
        """What words have in common with the names."""
        inside = [fold(word) in self.words for word in named]
        if inside and all(inside):
            yield "words of a hidden name"
        elif any(inside):
            yield "a word of a hidden name"
        if fold("".join(filter(str.isalpha, words))) in self.initials:
            yield "initials of a hidden name"
        if any(len(w) > 2 and self._begun(fold(w)) for w in named[:2]):
            yield "begins a hidden name"
        if any(self.alike(fold(w)) for w in named):
            yield "like a hidden name"
        if any(fold(w)[:_START] in self.starts and fold(w) not in self.words for w in named):
            yield "begins like a hidden name"


def _by_words(document: Document, spans: Iterable[tuple[Span, str]]) -> dict[str, tuple[str, list[Span]]]:
    """The places by what stands there; of overlapping ones the first found counts."""
    taken = np.zeros(len(document.text) + 1, dtype=np.bool_)
    found: dict[str, tuple[str, list[Span]]] = {}
    for (start, end), kind in spans:
        if not taken[start:end].any():
            taken[start:end] = True
            found.setdefault(" ".join(document.text[start:end].split()), (kind, []))[1].append((start, end))
    return found


def _written(words: Sequence[str], first: Sequence[bool]) -> frozenset[int]:
    """The tokens of sentences that begin in small letters, as messages do, in which names have no capital."""
    found: set[int] = set()
    starts = [0, *(token for token, begins in enumerate(first) if begins and token)]
    for low, high in pairwise([*starts, len(words)]):
        begin = next((word for word in words[low:high] if word[:1].isalpha()), "")
        if begin.islower():
            found.update(range(low, high))
    return frozenset(found)


def _places_by_word(words: Words) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for token, word in enumerate(words.words):
        if word in words.small:
            found.setdefault(word, []).append(token)
    return found


def _odds(probabilities: Floats) -> float:
    """The highest log-odds, in bounds."""
    if not len(probabilities):
        return -6.0
    p = float(np.clip(probabilities.max(), 0.0025, 0.9975))
    return float(np.log(p / (1 - p)))


def _folded(lists: Mapping[str, frozenset[str]], names: Iterable[str]) -> frozenset[str]:
    return _folded_of(tuple(frozenset(lists[name]) for name in names if name in lists))


@cache
def _folded_of(lists: tuple[frozenset[str], ...]) -> frozenset[str]:
    return frozenset(fold(word) for entries in lists for word in entries)


def _shape(words: str) -> str:
    """What signs words are made of.

    >>> _shape("FS-21/104 B")
    'A-9/9 A'
    """
    runs = groupby("9" if c.isdecimal() else "A" if c.isupper() else "a" if c.islower() else c for c in words)
    return "".join(kind if kind in "9Aa" else "".join(run) for kind, run in runs)[:12]
