"""The short forms by which a ruling calls the cases that it cites: "in Roe", then "Roe" alone.

A form that names somebody of this ruling (a title, an office or a given name stands beside it) is one only where the
words before tell it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from aef.citations.case_names import (
    OTHERS,
    REACH,
    SUFFIXES,
    TITLES,
    Span,
    bodies,
    either,
    known_places,
    lists,
    nobodys,
    ordinary,
)

WORD = re.compile(r"(?:[A-Z]\.){2,4}|[A-ZÀ-Þ][\w-]*(?:[’'][A-Z]\w+)?")

_TITLES = frozenset({*map(str.capitalize, TITLES), "HHJ", "Atty", "Hon", "DC", "DI", "DS", "PC", "PI", "PS", "Sgt"})
_TITLE = rf"\b{either(_TITLES)}\b\.?\s{{1,3}}"
_TITLED = re.compile(
    rf"{_TITLE}((?:[A-ZÀ-Þ][\w’'-]*\.?[ \t]{{1,2}}){{0,3}}[A-ZÀ-Þ][\w’'-]+)"
    r"|\b([A-ZÀ-Þ][\w’-]{1,30}),?\s(?:L?JJ?|[KQ]C|JSC|JA)\b"
)
_ALIAS = re.compile(
    r"[^\n“”\"‘’]{0,120}?\(\s*(?:(?:hereafter|hereinafter|the|also)[,:]?\s+){0,2}"
    r"[“\"‘'](?:the\s)?(?P<name>[A-ZÀ-Þ][^“”\"‘’'()\n]{1,60})[”\"’']"
)
_TOLD_BEFORE = re.compile(
    r"\b(?:in|In|see|See|following|applying|applied|followed|distinguished|cf|Cf|under|Under|such\sas|unlike|Unlike"
    r"|relying\s(?:up)?on|referring\sto)\.?\s{1,3}[“\"‘'*_]?$"
)
_BEFORE = 40
"""Characters in which what stands right before a form does."""
_GAP = re.compile(r"[\s,&.]{1,3}(?:[a-z]{1,4}\s){0,2}")


@dataclass(frozen=True, order=True, slots=True)
class Form:
    """A short form: its words, its case, and how sure it is: given with the case, alone, behind "in"."""

    words: tuple[str, ...]
    case: str
    given: bool
    alone: bool
    leads: bool


def words_of(text: str) -> list[str]:
    """The capitalized words, folded."""
    return [word.casefold() for word in WORD.findall(text)]


class ShortForms:
    """The short forms of cases in a text, but for words that are this ruling's own."""

    def __init__(self, text: str, own: frozenset[str]) -> None:
        self.text, self.own = text, own
        titled = (match[1] or match[2] for match in _TITLED.finditer(text))
        self.people = frozenset(word for name in titled for word in words_of(name))

    def find(self, cases: Iterable[tuple[int, Sequence[str]]], taken: Callable[[int, int], bool]) -> Iterator[Span]:
        """The places of all forms of the cases (where each name ends, and its sides) that are not taken."""
        found = [(span, form, self._told(span[0], form)) for span, form in self._like(self._forms(cases), taken)]
        confirmed = {form.case for _, form, told in found if told or form.given}
        persons = {form.words for span, form, told in found if not told and self._has_given_name(span[0])}
        for span, form, told in found:
            alone = form.alone and form.case in confirmed and form.words not in persons
            if told or (alone and not self._titled(span[0])):
                yield span

    def _forms(self, cases: Iterable[tuple[int, Sequence[str]]]) -> dict[str, list[Form]]:
        """The forms of all cases by their first words, the longest first."""
        found: dict[str, set[Form]] = {}
        for end, sides in cases:
            for form in self._of_case(end, sides):
                if not self.own.issuperset(map(str.casefold, form.words)):
                    found.setdefault(form.words[0].casefold(), set()).add(form)
        return {first: sorted(forms, key=_longest) for first, forms in found.items()}

    def _of_case(self, end: int, sides: Sequence[str]) -> Iterator[Form]:
        name = " ".join(sides)
        if alias := _ALIAS.match(self.text, end, end + REACH):
            words = tuple(WORD.findall(alias["name"]))
            if len("".join(words)) > 1:
                yield Form(words, name, True, True, True)
        for side in sides:
            for words in _shortened(side):
                plain = set(map(str.casefold, words))
                alone = self.people.isdisjoint(plain) and not plain <= _unsure()
                yield Form(words, name, False, alone, not plain <= known_places())

    def _like(
        self, forms: Mapping[str, Sequence[Form]], taken: Callable[[int, int], bool]
    ) -> Iterator[tuple[Span, Form]]:
        """Wherever the words of a form stand."""
        for match in WORD.finditer(self.text) if forms else ():
            for form in forms.get(match[0].casefold(), ()):
                end = self._all_words(match.end(), form.words)
                if end and not taken(match.start(), end):
                    yield (match.start(), end), form
                    break

    def _all_words(self, place: int, words: Sequence[str]) -> int:
        """Where the further words of a form end; 0 where they are not there."""
        for word in words[1:]:
            gap = _GAP.match(self.text, place)
            place = gap.end() + len(word) if gap else 0
            if not gap or self.text[gap.end() : place].casefold() != word.casefold():
                return 0
        return place if not self.text[place : place + 1].isalnum() else 0

    def _told(self, start: int, form: Form) -> bool:
        """Whether what stands before tells that a form is one: "in Roe", "see Roe"."""
        before = self.text[max(0, start - _BEFORE) : start]
        return form.leads and not self._titled(start) and _TOLD_BEFORE.search(before) is not None

    def _titled(self, start: int) -> bool:
        """Whether a title stands before, or before up to two words with capitals."""
        for word in reversed(self.text[max(0, start - _BEFORE) : start].split()[-3:]):
            if word.rstrip(".") in _TITLES or not word[0].isupper():
                return word.rstrip(".") in _TITLES
        return False

    def _has_given_name(self, start: int) -> bool:
        *_, last = ["", *self.text[max(0, start - _BEFORE) : start].split()]
        return last.strip("“\"‘'([").casefold() in _given()


def _longest(form: Form) -> tuple[int, bool, Form]:
    return -len(form.words), not form.given, form


def _shortened(side: str) -> Iterator[tuple[str, ...]]:
    """The short forms of one side of a name: its first words; the last one of a person's."""
    words = [word for word in WORD.findall(side) if word.casefold() not in SUFFIXES | OTHERS]
    plain = [word.casefold() for word in words]
    person = bodies().isdisjoint(plain)
    for number in range(1, min(3, len(words)) + 1):
        if not _names_nobody().issuperset(plain[:number]) and (number > 1 or _may_be_short(words, person)):
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
    return lists()["given_female"] | lists()["given_male"] | lists()["given_other"]


@cache
def _names_nobody() -> frozenset[str]:
    """Words of no case."""
    return nobodys() - known_places()


@cache
def _unsure() -> frozenset[str]:
    """Words that name a case only where something tells it."""
    return ordinary() | known_places()
