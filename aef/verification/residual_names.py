"""Names of hidden people that still stand in a ruling's text: what somebody has to look at, the most harmful first.

A name stands still where it is another bearer's, a street's or a company's, or was not found. Told are full names, and
single ones, given names or surnames, with a capital that are no ordinary word, no place, no name of the lists of given
names and no name of somebody who is shown; those of cited cases are left out.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from aef import lexicons
from aef.citations.references import names_a_case
from aef.corpus_tools.document import Document, Mention, Places
from aef.corpus_tools.name_search.folding import together
from aef.corpus_tools.name_search.hidden_names import ShownNames
from aef.corpus_tools.tokenization.chunks import LETTERS
from aef.names.parts import PERSON, fold, name_words
from aef.names.person_name import is_given
from aef.names.titles import titles, titles_before
from aef.replacement.plan import Edit, Entity, labels_of
from aef.roles.policy import Decision

MOST = 7
"""So many are told of a ruling; with what else there is to look at, ten."""
_SHORTEST = 3
FULL, TITLED, ALONE = range(3)
"""The kinds of what stands: a full name, a name with a title, a single name that is no other word of the ruling."""
_REMEDIES = {
    FULL: "a full name; hide it with --include",
    TITLED: "a name with a title; hide it with --include where it is the same person's",
    ALONE: "a single name; leave it where it is another's, a place's or a company's, else hide it with --include",
}
_NEAR = 100


@dataclass(frozen=True, slots=True)
class Standing:
    """A name that stands: where, in which part of the ruling first, how often, the labels of the hidden people who bear
    it, and what to do."""

    name: str
    places: Places
    part: str
    times: int
    candidates: tuple[str, ...]
    remedy: str

    def __str__(self) -> str:
        often = f", {self.times} times" if self.times > 1 else ""
        return f"{self.places} ({self.part}){often}: {self.name} ({' or '.join(self.candidates)}), {self.remedy}"


def standing(
    document: Document, edits: Sequence[Edit], hidden: Sequence[Entity], decided: Iterable[Decision] = ()
) -> list[Standing]:
    """The names of hidden persons that the ``edits`` leave in a ruling's text, at most `MOST`."""
    given = labels_of(edits)
    labels = {e.entity_id: label for e in hidden if e.type == PERSON and (label := given.get(e.entity_id))}
    persons = [entity for entity in hidden if entity.entity_id in labels]
    decided = list(decided)
    places: dict[tuple[int, str], list[tuple[int, int]]] = {}
    for start, end, name, kind in left(document.text, edits, persons, decided):
        places.setdefault((kind, name), []).append((start, end))
    found = {key: _at(document, spans, key[0]) for key, spans in places.items()}
    called = bearers(persons, labels)
    ordered = sorted(found.items(), key=lambda item: (item[0][0], -item[1].times, item[1].places.paragraphs))
    return [replace(one, candidates=tuple(called[name])) for (_, name), one in ordered[:MOST]]


def _at(document: Document, spans: Sequence[tuple[int, int]], kind: int) -> Standing:
    start, end = spans[0]
    places = document.places(low for low, _ in spans)
    return Standing(document.text[start:end], places, document.part(start), len(spans), (), _REMEDIES[kind])


def bearers(persons: Iterable[Entity], labels: Mapping[str, str]) -> dict[str, dict[str, None]]:
    """The labels of those who go by a full name or a single one, by its letters."""
    found: dict[str, dict[str, None]] = {}
    for entity in persons:
        for name in (*_full(entity), *_single(entity)):
            found.setdefault(together(name), {})[labels[entity.entity_id]] = None
    return found


def _full(entity: Entity) -> list[str]:
    """The forms of two words with capitals, or more, initials aside."""
    return [form for form in entity.forms if sum(len(w) > 1 and w[0].isupper() for w in LETTERS.findall(form)) > 1]


def _single(entity: Entity) -> list[str]:
    """The first and last words of the forms, not initials, titles, nor an acronym; and what a family is called."""
    found = [words for form in entity.forms if (words := name_words(form))]
    first, last = ([words[i] for words in found if _is_name(words[i], words)] for i in (0, -1))
    return list(dict.fromkeys([*last, *first, *map(_plural, last)]))


def _plural(name: str) -> str:
    """What a family of the name is called in English: the Hales."""
    return name + "s"


def _is_name(word: str, words: Sequence[str]) -> bool:
    shouted = len(words) > 1 and all(other.isupper() for other in words)
    alike = word[0].isupper() and (shouted or not word[:2].isupper())
    return alike and len(fold(word)) >= _SHORTEST and fold(word) not in titles()


def left(
    text: str, hidden: Sequence[Edit | Mention], persons: Sequence[Entity], decided: Sequence[Decision]
) -> Iterator[tuple[int, int, str, int]]:
    """Where names of the persons stand outside of what is ``hidden``, in order; their letters, and of which kind each
    is."""
    starts = [one.start for one in hidden]
    names = ShownNames(name for entity in persons for name in (*_full(entity), *_single(entity)))
    full = {together(name) for entity in persons for name in _full(entity)}
    families = {fold(_plural(word)) for entity in persons for form in entity.forms for word in name_words(form)}
    told = _Told(text, decided, families)
    for start, end, name in names(text):
        i = bisect_left(starts, end) - 1
        if (i >= 0 and hidden[i].end > start) or not text[start].isupper() or told.is_cited(start, end):
            continue
        if name in full:
            yield start, end, name, FULL
        elif titles_before(text, start):
            yield start, end, name, TITLED
        elif told.is_rare(text[start:end]):
            yield start, end, name, ALONE


class _Told:
    """What a ruling and its decisions tell of its words."""

    def __init__(self, text: str, decided: Sequence[Decision], families: Collection[str]) -> None:
        self._text = text
        self._small = _small_words(text)
        shown = (name for d in decided if d.action == "show" for name in d.role.names)
        self._shown = {fold(word) for name in shown for word in name_words(name)}.difference(families)

    def is_rare(self, word: str) -> bool:
        """Whether a word with a capital is a name and nothing else."""
        small = word.lower()
        return not (small in self._small or small in _known() or fold(word) in self._shown or is_given(fold(word)))

    def is_cited(self, start: int, end: int) -> bool:
        """Whether a case is cited around a name."""
        line = self._text.rfind("\n", 0, start) + 1
        around = self._text[max(line, start - _NEAR) : end + _NEAR].partition("\n")[0]
        return names_a_case(around)


@lru_cache(maxsize=2)
def _small_words(text: str) -> frozenset[str]:
    """The words of a ruling, or their ends, in small letters; it is asked for its names twice."""
    return frozenset(re.findall(r"(?<![^\W_])[^\W\d_A-Z]{3,}", text))


@cache
def _known() -> frozenset[str]:
    """Ordinary words and places."""
    lists = ("common_words", "function_words", "ordinary_words", "word_names", "place_names", "towns", "nationalities",
             "law_words", "organization_words", "generic_organization", "month_names", "weekday_names")  # fmt: skip
    return frozenset().union(*(lexicons.lowered(lexicons.load(name)) for name in lists))
