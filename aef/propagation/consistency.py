"""Document-level consistency: what is hidden once is hidden everywhere in the document, with guards.

An entity found in one place is looked for in all others (the thesis counts a word found once as found, section 3.6,
because an editor replaces all occurrences). The guards keep common words, months, weekdays and titles out.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from aef.features.extraction import Ints, Layout
from aef.propagation.windows import Windows

Bools = NDArray[np.bool_]
Floats = NDArray[np.float64]
PERSON_ODDS, THING_ODDS, SHARE = 0.0, 1.0, 0.25
"""A person's name spreads where one token of it reaches these log-odds, or where this share of its occurrences is
labelled; anything else where its tokens reach these on average. Chosen by cross-validation: on the judgments of the
Text Anonymization Benchmark only 14 % of the tokens that things spread to had been masked by the annotators."""

_GUARDS = ("common_words", "month_names", "weekday_names", "related_words", "suffix_organization")


def guard_words(lexicons: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """Lower-cased words that never stand for an entity by themselves."""
    titles = {title.lower() for title in lexicons["title"]}
    return frozenset(titles | {t.rstrip(".") for t in titles}.union(*(lexicons[name] for name in _GUARDS)))


def spread_all(
    layout: Layout, labels: Bools, guards: frozenset[str], persons: Bools, odds: Floats | None = None
) -> tuple[Ints, Ints]:
    """The unlabelled tokens that repeat a labelled entity of their document, ascending, and what each repeats.

    ``labels`` and ``persons`` have one truth value a token: labelled A, and labelled as part of a person's name.
    A whole entity is looked for as a sequence of words, capitals folded; of a person also each single name, and the
    plural of the family's. A token that repeats several entities is paired with the one labelled last. ``odds``,
    shape (n,), are the log-odds of the labelled tokens, where a doubtful one is not to spread.
    """
    search = _Search(layout)
    odds = np.full(len(labels), np.inf) if odds is None else odds
    alone, starts, sizes = _entities(layout, labels, guards, persons, odds)
    alone = alone[search.backed(alone, labels, odds)]
    single, single_origins = search.singles(alone)
    whole, whole_origins, whole_starts = search.sequences(starts, sizes, labels)
    tokens, origins = np.concatenate([single, whole]), np.concatenate([single_origins, whole_origins])
    age = np.concatenate([2 * single_origins + 1, 2 * whole_starts])
    order = np.lexsort((age, tokens))
    order = order[~labels[tokens[order]]]
    last = np.diff(tokens[order], append=-1) != 0
    return tokens[order][last], origins[order][last]


def _entities(
    layout: Layout, labels: Bools, guards: frozenset[str], persons: Bools, odds: Floats
) -> tuple[Ints, Ints, Ints]:
    """What to look for: labelled tokens that name somebody alone; of longer names the first tokens and the sizes.

    Entities are runs of labelled tokens in a sentence. Of equal ones in a document the last is given.
    """
    tokens = np.flatnonzero(labels)
    begins = np.flatnonzero(np.diff(layout.positions[tokens], prepend=-1) != 1)
    sizes = np.diff(begins, append=len(tokens))
    words, weak, short = _look(layout, tokens, guards)
    person = np.logical_and.reduceat(persons[tokens], begins)
    spreads = person | (np.add.reduceat(odds[tokens], begins) > THING_ODDS * sizes)
    alone = ((sizes == 1) | person) & spreads
    longer = (sizes > 1) & spreads & ~np.logical_and.reduceat(weak, begins)
    documents = np.searchsorted(layout.bounds, tokens[begins[longer]], side="right").tolist()
    edges = zip(documents, begins[longer].tolist(), (begins + sizes)[longer].tolist(), strict=True)
    last = {(document, *words[low:high]): low for document, low, high in edges}
    kept = np.fromiter(last.values(), np.int64, len(last))
    lengths = np.fromiter(map(len, last), np.int64, len(last)) - 1
    return tokens[np.repeat(alone, sizes) & ~weak & ~short], tokens[kept], lengths


def _look(layout: Layout, tokens: Ints, guards: frozenset[str]) -> tuple[list[int], Bools, Bools]:
    """The word types of the tokens, which of them alone name nobody, and which are a single character."""
    words = layout.word_ids[tokens]
    types, which = np.unique(words, return_inverse=True)
    texts = [layout.types[i] for i in types.tolist()]
    weak = np.array([_is_weak(text, guards) for text in texts], dtype=np.bool_)
    short = np.array([len(text) < 2 for text in texts], dtype=np.bool_)
    return words.tolist(), weak[which], short[which]


def _is_weak(name: str, guards: frozenset[str]) -> bool:
    """Common words, months, titles, and short numbers: alone they name nobody."""
    return name.lower() in guards or (not any(map(str.isalpha, name)) and sum(map(str.isdigit, name)) < 5)


def _singular(word: str, known: frozenset[str]) -> str:
    """A capitalized word without the s of a plural, where it stands without it, too.

    >>> _singular("Hales", frozenset({"Hale"})), _singular("Hughes", frozenset({"Hughes"}))
    ('Hale', 'Hughes')
    """
    plural = len(word) > 3 and word[0].isupper() and word.endswith("s") and word[:-1] in known
    return word[:-1] if plural else word


class _Search:
    """Where words stand in the documents of a layout, capitals and the plural of families ("the Hales") folded."""

    def __init__(self, layout: Layout) -> None:
        types = layout.types
        known = frozenset(types)
        lowered = [_singular(word, known).lower() for word in types]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(lowered))}
        self.layout = layout
        self.limit = len(numbers)
        self.lower = np.fromiter(map(str.islower, types), np.bool_, len(types))
        self.folded = np.array([numbers[word] for word in lowered])[layout.word_ids]
        self.documents = np.repeat(np.arange(len(layout.sizes)), layout.sizes)
        self.row = np.full(len(layout.ids), -1)
        self.row[layout.positions] = self._keys(np.arange(len(self.folded)))

    def backed(self, names: Ints, labels: Bools, odds: Floats) -> Bools:
        """Which of the tokens ``names`` are words that are surely labelled once, or often enough."""
        keys, which = np.unique(self._keys(np.arange(len(labels))), return_inverse=True)
        capitals = np.bincount(which, ~self.lower[self.layout.word_ids], len(keys))
        labelled = np.bincount(which, labels, len(keys))
        sure = np.bincount(which, labels & (odds >= PERSON_ODDS), len(keys)) > 0
        backed: Bools = (sure | (labelled >= SHARE * capitals))[which[names]]
        return backed

    def singles(self, names: Ints) -> tuple[Ints, Ints]:
        """The tokens that are the same word as one of the tokens ``names``, and the last of these.

        They have a capital (or digits) and are not just a sentence's first word.
        """
        layout = self.layout
        names = names[::-1][np.unique(self._keys(names[::-1]), return_index=True)[1]]
        tokens, which = self._same(names)
        lower = self.lower[layout.word_ids[tokens]]
        doubtful = np.zeros(len(names), dtype=np.bool_)
        doubtful[which[lower]] = True
        weak = doubtful[which] & (layout.first[layout.positions[tokens]] > 0)
        digits = (any(map(str.isdigit, layout.types[i])) for i in layout.word_ids[tokens[lower]].tolist())
        weak[lower] |= ~np.fromiter(digits, np.bool_)
        return tokens[~weak], names[which][~weak]

    def sequences(self, starts: Ints, sizes: Ints, labels: Bools) -> tuple[Ints, Ints, Ints]:
        """The unlabelled tokens of sequences with the same words as one that starts there, and labelled ones among
        them; what they repeat, and its start. One of the words at least has a capital."""
        windows = Windows(self.row)
        different = np.flatnonzero(np.bincount(sizes)).tolist()  # np.unique alone would import numpy.ma
        parts = [self._repeats(windows, starts[sizes == size], size, labels) for size in different]
        none = np.empty(0, np.int64)
        tokens, origins, begins = zip((none, none, none), *parts, strict=True)
        return np.concatenate(tokens), np.concatenate(origins), np.concatenate(begins)

    def _repeats(self, windows: Windows, starts: Ints, size: int, labels: Bools) -> tuple[Ints, Ints, Ints]:
        """The same for sequences of one size."""
        positions, starts = self.layout.positions, np.sort(starts)[::-1]  # of equal ones the last counts
        wanted, first = np.unique(windows.keys(positions[starts], size), return_index=True)
        tokens = self._tokens_like(starts)
        keys = windows.keys(positions[tokens], size)
        which = np.minimum(np.searchsorted(wanted, keys), len(wanted) - 1)
        tokens, which = tokens[same := wanted[which] == keys], which[same]
        useful = _any_of(~labels, tokens, size) & _any_of(~self.lower[self.layout.word_ids], tokens, size)
        tokens, begins = tokens[useful], starts[first[which[useful]]]
        tokens, begins, lengths = _apart(tokens, begins, size)
        step = _steps(lengths)
        begins = np.repeat(begins, lengths)
        return np.repeat(tokens, lengths) + step, begins + step, begins

    def _same(self, names: Ints) -> tuple[Ints, Ints]:
        """The tokens that are the same word as one of ``names`` in its document, and as which."""
        tokens = self._tokens_like(names)
        keys = self._keys(tokens)
        order = np.argsort(keys)
        low, high = (np.searchsorted(keys[order], self._keys(names), side=side) for side in ("left", "right"))
        which = np.repeat(np.arange(len(names)), high - low)
        return tokens[order[np.repeat(low, high - low) + _steps(high - low)]], which

    def _tokens_like(self, names: Ints) -> Ints:
        """The tokens that are the same word as one of ``names``, in whatever document."""
        wanted = np.zeros(self.limit, dtype=np.bool_)
        wanted[self.folded[names]] = True
        return np.flatnonzero(wanted[self.folded])

    def _keys(self, tokens: Ints) -> Ints:
        """The same number for tokens of a document that are the same word."""
        keys: Ints = self.documents[tokens] * self.limit + self.folded[tokens]
        return keys


def _any_of(which: Bools, starts: Ints, size: int) -> Bools:
    """Whether one of so many tokens that begin there is one of these."""
    before = np.concatenate([[0], np.cumsum(which)])
    any_of: Bools = before[starts + size] > before[starts]
    return any_of


def _apart(starts: Ints, whose: Ints, size: int) -> tuple[Ints, Ints, Ints]:
    """Places of that size, each with what stands there, in such an order and with such lengths that those of the same
    do not overlap; the later one is kept whole."""
    order = np.lexsort((starts, whose))
    starts, whose = starts[order], whose[order]
    room = np.diff(starts, append=0)
    room[np.diff(whose, append=-1) != 0] = size
    return starts, whose, np.minimum(room, size)


def _steps(sizes: Ints) -> Ints:
    """0, 1, 2 ... for each size, so many numbers, one after the other."""
    steps: Ints = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return steps
