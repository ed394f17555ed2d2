"""From documents to columns of predicates: every feature's value computed once per distinct argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.features.registry import HISTORY, OFFSETS, Feature, resolve

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

STATES = [dict(zip(HISTORY, bits[::-1], strict=True)) for bits in product((False, True), repeat=len(HISTORY))]
"""The eight histories a token can have; a history's number is label_before + 2 label_before2 + 4 seen."""

_EDGE = 2  # empty words beyond each end of a document: as far as a window reaches
INACTIVE = -1


@dataclass(frozen=True)
class Column:
    """One feature's predicates on n tokens.

    ``codes`` has shape (n,), or (n, 8) for a sequential feature: one column a history of `STATES`. A code is an index
    into ``values``, the texts of the predicates, or -1 where the feature is inactive.
    """

    name: str
    codes: NDArray[np.int32]
    values: list[str]

    def at(self, states: Ints) -> NDArray[np.int32]:
        """The codes (n,) under the history given for each token."""
        return self.codes if self.codes.ndim == 1 else self.codes[np.arange(len(states)), states]


class Layout:
    """The tokens of several documents in one row, with boundary tokens between sentences and documents.

    ``documents``: a (words, first) pair each, as in `aef.corpus_tools.document.Tokens`.
    """

    def __init__(self, documents: Sequence[tuple[Sequence[str], Sequence[bool] | Bools]]) -> None:
        self.sizes = [len(words) for words, _ in documents]
        self.bounds = np.cumsum([0, *self.sizes])
        lookup = {"": 0, ".": 1}
        positions, ids, firsts, offset = [], [], [], 0
        for words, first in documents:
            starts = np.asarray(first, dtype=np.bool_)
            at = np.arange(len(words)) + np.cumsum(starts) - 1 + _EDGE
            length = (int(at[-1]) + 2 if len(words) else _EDGE) + _EDGE
            row = np.zeros(length, dtype=np.int64)
            row[_EDGE : length - _EDGE] = 1
            row[at] = [lookup.setdefault(w, len(lookup)) for w in words]
            positions.append(at + offset)
            ids.append(row)
            firsts.append(starts)
            offset += length
        self.positions: Ints = np.concatenate([np.empty(0, np.int64), *positions]).astype(np.int64)
        self.ids: Ints = np.concatenate([np.empty(0, np.int64), *ids])
        self.first: Ints = np.zeros(len(self.ids), dtype=np.int64)
        self.first[self.positions] = np.concatenate([np.empty(0, np.bool_), *firsts])
        self.types = list(lookup)
        self._documents = [words for words, _ in documents]

    @property
    def word_ids(self) -> Ints:
        """The number of each token's word type, shape (n,)."""
        return self.ids[self.positions]

    @cached_property
    def document_words(self) -> Ints:
        """A number for each token that says which word it is, and in which document; shape (n,)."""
        document = np.repeat(np.arange(len(self.sizes)), self.sizes)
        numbers: Ints = np.unique(document * len(self.types) + self.word_ids, return_inverse=True)[1].astype(np.int64)
        return numbers

    def row(self, labels: Bools) -> Ints:
        """The labels with those of the boundaries (never A) between them: 1 for A, at `positions`."""
        padded = np.zeros(len(self.ids), dtype=np.int64)
        padded[self.positions] = labels
        return padded

    def histories(self, labels: Bools) -> Ints:
        """The history's number of each token, given all labels (True is A), shape (n,)."""
        row = self.row(labels)
        keys, hidden = self.document_words, np.flatnonzero(labels)
        earliest = np.full(int(keys.max(initial=-1)) + 1, len(labels))
        np.minimum.at(earliest, keys[hidden], hidden)
        seen = np.arange(len(labels)) > earliest[keys]
        return row[self.positions - 1] + 2 * row[self.positions - 2] + 4 * seen

    def argument(self, parameter: str, offset: int) -> Ints:
        """The codes, for each token, of what a parameter stands for; see `texts` for what a code means."""
        row = self.first if parameter == "first" else self.ids
        return row[np.clip(self.positions + OFFSETS[parameter] + offset, 0, len(row) - 1)]

    def texts(self, parameter: str, codes: Ints) -> Sequence[str] | list[bool]:
        if parameter == "first":
            return [bool(code) for code in codes]
        return [self.types[code] for code in codes.tolist()]

    def per_token(self, function: Callable[[Sequence[str]], Sequence[Any]], offset: int) -> list[Any]:
        """The values of a document-level function, one a token, read ``offset`` tokens further."""
        padded: list[Any] = [None] * len(self.ids)
        values = [value for words in self._documents for value in function(words)]
        for position, value in zip(self.positions, values, strict=True):
            padded[position] = value
        return [padded[p] for p in np.clip(self.positions + offset, 0, len(padded) - 1)]


class Extractor:
    """Turns documents into one `Column` a feature; ``lexicons`` are the word lists by name."""

    def __init__(self, names: Sequence[str], lexicons: Mapping[str, frozenset[str]]) -> None:
        self.features = [resolve(name) for name in names]
        self.lexicons = lexicons

    def columns(self, layout: Layout) -> Iterator[Column]:
        """The columns, in the order of the names."""
        for feature in self.features:
            yield self._sequential(feature, layout) if feature.sequential else self._static(feature, layout, {})

    def _sequential(self, feature: Feature, layout: Layout) -> Column:
        used = [name for name in HISTORY if name in feature.parameters]
        known: dict[tuple[bool, ...], NDArray[np.int32]] = {}
        values: dict[str, int] = {}
        for bits in product((False, True), repeat=len(used)):
            column = self._static(feature, layout, dict(zip(used, bits, strict=True)))
            renumbered = [values.setdefault(v, len(values)) for v in column.values] + [INACTIVE]
            known[bits] = np.array(renumbered, np.int32)[column.codes]
        codes = np.stack([known[tuple(state[name] for name in used)] for state in STATES], axis=1)
        return Column(feature.name, codes, list(values))

    def _static(self, feature: Feature, layout: Layout, fixed: Mapping[str, bool]) -> Column:
        given: dict[str, Any] = dict(fixed)
        if "lexicons" in feature.parameters:
            given["lexicons"] = self.lexicons
        if "tokens" in feature.parameters:
            values = layout.per_token(lambda words: list(feature.function(words, **given)), feature.offset)
            return _column(feature.name, values, np.arange(len(values)), len(values))
        rows = self._rows(feature, layout)
        names = [p for p in feature.parameters if p in OFFSETS]
        arguments = [layout.argument(p, feature.offset)[rows] for p in names]
        distinct, inverse = _distinct(arguments, len(rows), len(layout.types))
        texts = [layout.texts(p, a[distinct]) for p, a in zip(names, arguments, strict=True)]
        function = partial(feature.function, **given) if given else feature.function
        rows_of_texts = zip(*texts, strict=True) if texts else [()] * len(distinct)
        values = [function(**dict(zip(names, row, strict=True))) for row in rows_of_texts]
        column = _column(feature.name, values, inverse, len(rows))
        codes = np.full(len(layout.positions), INACTIVE, np.int32)
        codes[rows] = column.codes
        return Column(feature.name, codes, column.values)

    def _rows(self, feature: Feature, layout: Layout) -> Ints:
        """The tokens on which the feature's condition holds."""
        if feature.when is None:
            return np.arange(len(layout.positions))
        holds = np.array([feature.when(word) for word in layout.types], dtype=np.bool_)
        return np.flatnonzero(holds[layout.argument("word", feature.offset)])


def _distinct(arguments: list[Ints], rows: int, types: int) -> tuple[Ints, Ints]:
    """An example row of each distinct combination of arguments, and each row's combination."""
    if not arguments:
        return np.zeros(min(rows, 1), np.int64), np.zeros(rows, np.int64)
    if len(arguments) == 1:
        return _distinct_codes(arguments[0], types)
    keys = arguments[0]
    for argument in arguments[1:]:
        _, keys = np.unique(keys, return_inverse=True)
        keys = keys * types + argument
    _, example, inverse = np.unique(keys, return_index=True, return_inverse=True)
    return example, inverse


def _distinct_codes(codes: Ints, types: int) -> tuple[Ints, Ints]:
    """The same for one argument, without sorting: its codes are below ``types``."""
    example = np.full(types, -1, np.int64)
    example[codes] = np.arange(len(codes))
    used = np.flatnonzero(example >= 0)
    number = np.empty(types, np.int64)
    number[used] = np.arange(len(used))
    return example[used], number[codes]


def _column(name: str, values: Sequence[Any], inverse: Ints, rows: int) -> Column:
    """Number the values; None, False and the empty string are inactive, True is the predicate without a value."""
    lookup: dict[str, int] = {}
    codes = np.full(len(values) + 1, INACTIVE, np.int32)
    for i, value in enumerate(values):
        if value is not None and value is not False and value != "":
            codes[i] = lookup.setdefault("" if value is True else str(value), len(lookup))
    return Column(name, codes[inverse] if rows else np.empty(0, np.int32), list(lookup))
