"""Document-level consistency: what is hidden once is hidden everywhere in the document, with guards.

An entity found in one place is looked for in all others (the thesis counts a word found once as found, section 3.6,
because an editor replaces all occurrences). The guards keep common words, months, weekdays and titles out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document, merge_adjacent

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
    words = document.words
    search = _Search(words, document.tokens.first, guards)
    found: dict[int, int] = {}
    for run in merge_adjacent(document, labels):
        names = [words[i] for i in run]
        for place in search.sequences(names):
            found.update((place + k, run[k]) for k in range(len(names)) if not labels[place + k])
        if persons[run.start : run.stop].all():
            for i in run:
                found.update((place, i) for place in search.single(words[i]) if not labels[place])
    return found


class _Search:
    """Where the words of a document stand, capitals folded."""

    def __init__(self, words: Sequence[str], first: Iterable[bool], guards: frozenset[str]) -> None:
        self.words = words
        self.first = list(first)
        self.guards = guards
        self.places: dict[str, list[int]] = defaultdict(list)
        for i, word in enumerate(words):
            self.places[word.lower()].append(i)
        self.plain = Counter(w for w in words if w.islower())

    def sequences(self, names: Sequence[str]) -> list[int]:
        """Where the whole sequence occurs again."""
        folded = [n.lower() for n in names]
        if len(names) == 1:
            return self.single(names[0])
        if all(self._weak(name) for name in names):
            return []
        n = len(names)
        return [p for p in self.places[folded[0]] if self._same(self.words[p : p + n], folded, p)]

    def _same(self, words: Sequence[str], folded: list[str], place: int) -> bool:
        if [w.lower() for w in words] != folded or any(self.first[place + 1 : place + len(folded)]):
            return False
        return not all(w.islower() for w in words)

    def single(self, name: str) -> list[int]:
        """Where one word occurs again with a capital (or digits) and is not just a sentence's first word."""
        if self._weak(name) or len(name) < 2:
            return []
        doubtful = self.plain[name.lower()] > 0
        return [p for p in self.places[name.lower()] if self._strong(p) and not (doubtful and self.first[p])]

    def _strong(self, place: int) -> bool:
        return not self.words[place].islower() or any(c.isdigit() for c in self.words[place])

    def _weak(self, name: str) -> bool:
        """Common words, months, titles, and short numbers: alone they name nobody."""
        bare = name.lower()
        return bare in self.guards or (not any(c.isalpha() for c in name) and sum(c.isdigit() for c in name) < 5)
