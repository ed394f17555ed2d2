"""Document-level consistency: what is hidden once is hidden everywhere in the document, with guards.

An entity found in one place is looked for in all others (the thesis counts a word found once as found, section 3.6,
because an editor replaces all occurrences). The guards keep common words, months, weekdays and titles out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document
from aef.features.extraction import Ints, Layout

Bools = NDArray[np.bool_]
_GUARDS = ("common_words", "month_names", "weekday_names", "related_words", "suffix_organization")


def guard_words(lexicons: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Lower-cased words that never stand for an entity by themselves."""
    titles = {title.lower() for title in lexicons["title"]}
    return frozenset(titles | {t.rstrip(".") for t in titles}.union(*(lexicons[name] for name in _GUARDS)))


def spread(document: Document, labels: Bools, guards: frozenset[str], persons: Bools) -> dict[int, int]:
    """The unlabelled tokens that repeat a labelled entity, each with a token of the entity it repeats.

    ``labels`` and ``persons`` have one truth value a token: labelled A, and labelled as part of a person's name.
    A whole entity is looked for as a sequence of words, capitals folded; of a person also each single name.
    """
    return spread_all(Layout([(document.words, document.tokens.first)]), labels, guards, persons)


def spread_all(layout: Layout, labels: Bools, guards: frozenset[str], persons: Bools) -> dict[int, int]:
    """The same in all documents of a layout; what is labelled in one is looked for in that one alone."""
    search = _Search(layout)
    found: dict[int, int] = {}
    for document, names in _wanted(layout, labels, guards, persons).items():
        search.read(document, names)
        for name, origin in names.items():
            for place in search.places(name):
                found.update((place + k, origin + k) for k in range(len(name)) if not labels[place + k])
    return found


Name = tuple[int, ...]
"""The words of an entity, by the numbers of their types."""


def _wanted(layout: Layout, labels: Bools, guards: frozenset[str], persons: Bools) -> dict[int, dict[Name, int]]:
    """For each document what to look for and the token where it was labelled last, in the order of these tokens."""

    @cache
    def weak(word: int) -> bool:
        return _is_weak(layout.types[word], guards)

    wanted: dict[int, dict[Name, int]] = defaultdict(dict)
    for document, token, name, person in _entities(layout, labels, persons):
        for part, place in [(name, token), *(((w,), token + k) for k, w in enumerate(name) if person)]:
            if not all(map(weak, part)) and (len(part) > 1 or len(layout.types[part[0]]) > 1):
                wanted[document].pop(part, None)
                wanted[document][part] = place
    return wanted


def _entities(layout: Layout, labels: Bools, persons: Bools) -> Iterator[tuple[int, int, Name, bool]]:
    """The runs of labelled tokens in a sentence: document, first token, words, whether all are a person's name."""
    tokens = np.flatnonzero(labels)
    begins = np.flatnonzero(np.diff(layout.positions[tokens], prepend=-1) != 1)
    ends = np.append(begins, len(tokens))[1:]
    documents = np.searchsorted(layout.bounds, tokens[begins], side="right") - 1
    words, person = layout.word_ids[tokens].tolist(), persons[tokens].tolist()
    edges = (documents, tokens[begins], begins, ends)
    for document, token, low, high in zip(*(e.tolist() for e in edges), strict=True):
        yield document, token, tuple(words[low:high]), all(person[low:high])


def _is_weak(name: str, guards: frozenset[str]) -> bool:
    """Common words, months, titles, and short numbers: alone they name nobody."""
    return name.lower() in guards or (not any(map(str.isalpha, name)) and sum(map(str.isdigit, name)) < 5)


class _Search:
    """Where entities occur in a document, capitals folded."""

    def __init__(self, layout: Layout) -> None:
        lowered = [word.lower() for word in layout.types]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(lowered))}
        self.layout = layout
        self.fold = [numbers[word] for word in lowered]
        self.folded: Ints = np.array(self.fold)[layout.word_ids]
        self.wanted = np.zeros(len(numbers), dtype=np.bool_)

    def read(self, document: int, names: Iterable[Name]) -> None:
        """Turn to a document, to look for names in it."""
        self.low, high = self.layout.bounds[document : document + 2].tolist()
        folded = self.folded[self.low : high]
        starts = [self.fold[name[0]] for name in names]
        self.wanted[starts] = True
        here = np.flatnonzero(self.wanted[folded])
        self.wanted[starts] = False
        self.starts: dict[int, list[int]] = defaultdict(list)
        for word, place in zip(folded[here].tolist(), here.tolist(), strict=True):
            self.starts[word].append(place)
        self.sequence = folded.tolist()
        self.words = self.layout.word_ids[self.low : high].tolist()

    def places(self, name: Name) -> list[int]:
        """The tokens at which the name begins."""
        starts = self.starts[self.fold[name[0]]]
        found = self._single(starts) if len(name) == 1 else self._whole(starts, [self.fold[word] for word in name])
        return [self.low + place for place in found]

    def _whole(self, starts: list[int], folded: list[int]) -> list[int]:
        """Where all words stand in this order in a sentence, one of them at least with a capital."""
        n = len(folded)
        found = [p for p in starts if self.sequence[p : p + n] == folded]
        return [p for p in found if not all(map(self._is_lower, range(p, p + n))) and self._joined(p, n)]

    def _single(self, starts: list[int]) -> list[int]:
        """Where the word has a capital (or digits) and is not just a sentence's first word."""
        doubtful = any(map(self._is_lower, starts))
        return [p for p in starts if self._is_strong(p) and not (doubtful and self._is_first(p))]

    def _is_lower(self, place: int) -> bool:
        return bool(self.layout.types[self.words[place]].islower())

    def _is_strong(self, place: int) -> bool:
        return not self._is_lower(place) or any(map(str.isdigit, self.layout.types[self.words[place]]))

    def _is_first(self, place: int) -> bool:
        return bool(self.layout.first[self.layout.positions[self.low + place]])

    def _joined(self, place: int, n: int) -> bool:
        positions = self.layout.positions
        return bool(positions[self.low + place + n - 1] - positions[self.low + place] == n - 1)
