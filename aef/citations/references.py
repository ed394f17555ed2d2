"""Citations and laws, read from the raw text before anything else: names inside them are nobody's to hide or to link.

A case is found by what joins or opens its name ("v", "Re") or by the report behind it (`aef.citations.case_names`),
and then by its short forms (`aef.citations.short_titles`). What the ruling itself is called, by the words of its head,
is no cited case.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from aef.citations.case_names import REACH, YEAR, CaseNames, Span, bodies, either, lists, nobodys, report, reported
from aef.citations.short_titles import ShortForms, words_of
from aef.corpus_tools.document import HEAD, Document, lines

_HEAD, _LEAST_HEAD, _PROSE = 8000, 1500, 40
"""Characters of a head at most, and where no end is seen; words of a paragraph that is no part of it."""

_VERSUS = re.compile(
    r"\s{1,8}[-–]?(?:v|[vV][rR]?[sS]|versus|VERSUS|Versus|v/s|V(?=\.?\s+[A-Z]{2})(?<=[A-Z.]{2}\sV))(?:\.|\s\.)?[-–]?"
    r"\s{0,8}(?=[\w“\"‘'(*_])(?<=[.\s–-])"
)
_LIST = re.compile(r"(?im)^[ \t]*(?:cases|authorities)\b[^:\n]{0,30}(?::|$)")
_COUNTS = ("no", "No", "application")
"""What opens the number of an application: behind a name alone it may as well be that of a thing."""
_NUMBER = re.compile(r"\s*[\[(¶]?\s?\d{1,3}[\]).]*\s")


@dataclass(frozen=True)
class _Case:
    """The name of a case: what stands on the sides of a "v", or before a report; whether a report follows, and
    whether that alone tells that it is a case."""

    start: int
    end: int
    sides: tuple[str, ...]
    reported: bool
    bare: bool = False


def named_cases(document: Document) -> tuple[list[Span], list[Span]]:
    """The names of cited cases, with all later short forms of each, and those of the ruling itself, in text order."""
    cases = _Cases(document)
    return _joined(cases.cited()), _joined(cases.own_names())


def references(document: Document) -> list[Span]:
    """Statutes, rules and their sections, neutral citations and those of reports, in text order."""
    text = document.text
    sections = [match.span() for match in _sections().finditer(text)]
    return _joined([*_reports(text), *sections, *_statutes(text)])


def names_a_case(text: str) -> bool:
    """Whether two parties and a report stand in a text.

    >>> names_a_case("as in Roe v Lee [2010] EWCA Civ 7"), names_a_case("Roe v Lee")
    (True, False)
    """
    return bool(_VERSUS.search(text) and report().search(text))


def inside(spans: Iterable[Span]) -> Callable[[int, int], bool]:
    """Whether the characters from one place to another all lie in one of the spans."""
    ordered = _joined(spans)
    starts = [start for start, _ in ordered]

    def holds(start: int, end: int) -> bool:
        at = bisect_right(starts, start) - 1
        return at >= 0 and end <= ordered[at][1]

    return holds


def _joined(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those that overlap as one."""
    found: list[Span] = []
    for start, end in sorted(spans):
        if found and start <= found[-1][1]:
            found[-1] = (found[-1][0], max(end, found[-1][1]))
        else:
            found.append((start, end))
    return found


@lru_cache(maxsize=2)
def _reports(text: str) -> list[Span]:
    return [match.span() for match in report().finditer(text)]


@cache
def _sections() -> re.Pattern[str]:
    """A part of a law by its number: "section 12", "CPR 31.16", "Article 8 ECHR", "42 U.S.C. § 1983"."""
    parts, laws = either(w for word in lists()["law_words"] for w in (word, word.capitalize())), lists()["law_acronyms"]
    number = r"(?:[Nn]os?\.?\s)?[A-Z]{0,2}\d[\w§.()/:-]{0,20}(?<![.:(])"
    return re.compile(
        rf"(?<!\w)(?:{parts}\s{{0,3}}{number}(?:(?:,?\s(?:and|or|to)\s|,\s|\s?[-–]\s?){number}){{0,6}}"
        rf"(?:\s(?:of\sthe\s)?{either(laws)}\b)?"
        rf"|{either(laws)}\s(?:(?:[Pp]art|[Rr]ule|r\.|s\.|PD)\s?)?\d[\w.()]{{0,12}}"
        r"|\d{1,3}\s(?:[A-Z]\.\s?){2,4}§{1,2}\s?\d[\w.()-]{0,12})"
    )


@cache
def _laws() -> re.Pattern[str]:
    """The last word of the title of a law; one that means something else, too, only before a year or number."""
    words = lists()["statutes"]
    sure = either(word for word in words if not word.endswith("?"))
    doubtful = either(word[:-1] for word in words if word.endswith("?"))
    number = rf",?\s(?:{YEAR}\b|\(?[A-Z]{{0,4}}\)?\s?[Nn]os?\.?\s?\d[\w/]*|\d{{2,4}}/\d+(?:/[A-Z]+)?)"
    return re.compile(rf"\b(?:{sure}\b(?:{number})?|{doubtful}{number})")


def _statutes(text: str) -> Iterator[Span]:
    """The titles of laws: "the Mental Capacity Act 2005"."""
    names, end = CaseNames(text), 0
    for match in _laws().finditer(text):
        start = names.start(max(end, match.start() - REACH), match.start())
        end = match.end()
        yield (match.start() if start is None else start), end


class _Cases:
    """The cases that a ruling cites."""

    def __init__(self, document: Document) -> None:
        self.document, self.text = document, document.text
        self.names = CaseNames(self.text)

    def own_names(self) -> Iterator[Span]:
        head = (case for case in self.named if case.start < self.head_end and not case.bare)
        return ((case.start, case.end) for case in head if not self._is_cited(case))

    def cited(self) -> Iterator[Span]:
        cited = [case for case in self.named if self._is_cited(case)]
        yield from ((case.start, case.end) for case in cited)
        taken = inside((case.start, case.end) for case in self.named)
        yield from ShortForms(self.text, self.own).find(((case.end, case.sides) for case in cited), taken)

    @cached_property
    def named(self) -> list[_Case]:
        """All that is called as a case is, the ruling itself, too."""
        named = list(self._versus())
        return sorted([*named, *self._bare(named)], key=lambda case: case.start)

    def _versus(self) -> Iterator[_Case]:
        """Names with a "v"."""
        least = 0
        for match in _VERSUS.finditer(self.text):
            start = self.names.start(least, match.start())
            end = None if start is None else self.names.end(match.end())
            if start is not None and end is not None:
                least = end
                yield self._case(start, end, self.text[start : match.start()], self.text[match.end() : end])

    def _bare(self, named: list[_Case]) -> Iterator[_Case]:
        """Names that only a report behind them tells."""
        ends, least = [case.end for case in named], 0
        for low, high in _reports(self.text):
            place = self._name_end(least, low)
            before = bisect_right(ends, place)
            least = max(least, ends[before - 1] if before else 0)
            free = before == len(named) or named[before].start >= place
            if free and place > least and not self.text.startswith(_COUNTS, low):
                start = self.names.start(least, place)
                if start is not None and self._may_be_case(self.text[start:place]):
                    yield _Case(start, place, (self.text[start:place],), True, not self._ends_in_re(place))
            least = max(least, high)

    def _name_end(self, least: int, place: int) -> int:
        while place > least and self.text[place - 1] in " ,:*_\n(":
            place -= 1
        return place

    def _ends_in_re(self, place: int) -> bool:
        return self.text.endswith((", Re", ", re"), 0, place)

    def _may_be_case(self, name: str) -> bool:
        return name[-1] not in "-#" and any(len(word) > 2 for word in _telling(name))

    def _case(self, start: int, end: int, *sides: str) -> _Case:
        return _Case(start, end, sides, reported().match(self.text, end) is not None)

    @cached_property
    def head_end(self) -> int:
        """Where the first paragraph of prose begins, behind the first line; else where the file ends the head."""
        line = self.text.find("\n") + 1
        for start, end in self._paragraphs():
            if start >= line and opens_body(self.text[start:end]):
                return min(start, _HEAD)
        marked = max((block.end for block in self.document.blocks if block.part == HEAD), default=0)
        return min(marked or (_LEAST_HEAD if line else 0), len(self.text))

    def _paragraphs(self) -> Iterator[Span]:
        """The first paragraphs: lines, or blocks of a text that is broken into lines."""
        if self.names.broken:
            return ((block.start, block.end) for block in self.document.blocks if block.start <= _HEAD)
        return lines(self.text[: 2 * _HEAD])

    @cached_property
    def head(self) -> str:
        """The words of the head, the names of cases that it cites left out."""
        pieces, place = [], 0
        for case in self.named:
            if case.start < self.head_end and self._cited_in_head(case):
                pieces.append(self.text[place : case.start])
                place = case.end
        pieces.append(self.text[place : max(place, self.head_end)])
        return f" {' '.join(words_of(' '.join(pieces)))} "

    @cached_property
    def own(self) -> frozenset[str]:
        return frozenset(self.head.split())

    @cached_property
    def _listed(self) -> int:
        """Where the list of the cases that are cited begins, in the head."""
        return match.start() if (match := _LIST.search(self.text, 0, self.head_end)) else len(self.text)

    def _cited_in_head(self, case: _Case) -> bool:
        return self._listed < case.start or (case.reported and case.start > self.named[0].start)

    def _is_cited(self, case: _Case) -> bool:
        """Whether a case is another one than the ruling itself: the head does not name who stands on its sides."""
        if case.start < self.head_end and not self._cited_in_head(case):
            return False
        known = {side: self._is_own(side, case.reported) for side in case.sides if _telling(side)}
        if not known:
            return not case.bare and (case.reported or not self._is_title(case))
        person = any(is_own for side, is_own in known.items() if bodies().isdisjoint(words_of(side)))
        return not all(known.values()) and (case.reported or not person)

    def _is_own(self, side: str, reported: bool) -> bool:
        """Whether the head names who stands on a side: a person by one of the outer words or two, a body by all, as
        anybody where a report follows."""
        known = [word in self.own for word in _telling(side)]
        whole = reported or not bodies().isdisjoint(words_of(side))
        return all(known) if whole else known[0] or known[-1] or sum(known) > 1

    def _is_title(self, case: _Case) -> bool:
        """Whether the head has a name whole."""
        return f" {' '.join(words_of(self.text[case.start : case.end]))} " in self.head


def _telling(side: str) -> list[str]:
    """The words of a side that name somebody."""
    return [word for word in words_of(side) if word not in nobodys()]


def opens_body(text: str) -> bool:
    """Whether a paragraph is prose, or is numbered and may be: the head ends before it."""
    words = text.split()
    least = _PROSE // 4 if _NUMBER.match(text) else _PROSE
    return len(words) > least and sum(word[0].islower() for word in words) > 0.5 * len(words)
