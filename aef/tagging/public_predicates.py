"""Which predicates a model may keep of its training corpus: none that gives away what that hides, none that is rare."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import compress

import numpy as np

from aef.features import Column, Feature, resolve
from aef.features.extraction import Ints, Layout
from aef.features.ruling import numbering
from aef.tagging.privacy import K, Private, Units, folded, shown_in


class Remembered:
    """What predicates show, worked out once for all folds that look at the same rulings."""

    def __init__(self) -> None:
        self._units: dict[tuple[tuple[str, ...], str], Units] = {}

    def units(self, feature: Feature, predicate: str) -> Units:
        """The words and pairs of words that a predicate shows of a text."""
        key = feature.parameters, predicate
        if key not in self._units:
            self._units[key] = shown_in(*key)
        return self._units[key]


def public(
    columns: Iterable[Column], layout: Layout, private: Private, k: int = K, remembered: Remembered | None = None
) -> list[Column]:
    """The columns without predicates that hold private words or are seen in fewer than k documents.

    What holds for a feature's predicates holds for those of the tokens beside.
    """
    kept = _Kept(layout, private, k, remembered or Remembered())
    return list(map(kept.public, columns))


class _Kept:
    """The predicates of a layout that stay; for each feature, what was found for it and those of the tokens beside."""

    def __init__(self, layout: Layout, private: Private, k: int, remembered: Remembered) -> None:
        self._layout, self._private, self._k, self._remembered = layout, private, k, remembered
        self._document = _distinct_documents(layout)
        self._folded, self._forms = _folded_types(layout)
        self._found: dict[str, tuple[Column, Column]] = {}
        self._telling: dict[int, bool] = {}

    def public(self, column: Column) -> Column:
        """The column without the others."""
        base = resolve(column.name).base or column.name
        if base not in self._found:
            self._found[base] = column, column.renumbered(self._predicates(column))
        whole, kept = self._found[base]
        if column.values is whole.values and column.of_cases is whole.of_cases:  # those of a token beside
            return replace(kept, name=column.name, cases=column.cases)
        return column.renumbered({value: number for number, value in enumerate(kept.values)})

    def _predicates(self, column: Column) -> dict[str, int]:
        """The predicates of a column that stay, numbered."""
        feature, documents = resolve(column.name), _documents(column, self._document).tolist()
        pieces = self._pieces(column, feature)
        often = [v for v, n in zip(column.values, documents, strict=True) if n >= self._k and v not in pieces]
        silent = self._private.silent([self._remembered.units(feature, value) for value in often])
        return {value: number for number, value in enumerate(compress(often, silent))}

    def _pieces(self, column: Column, feature: Feature) -> set[str]:
        """Pieces of words (endings) that fewer than `K` words show, a private one among them: they all but spell it."""
        parameters = set(feature.parameters)
        if not {"word", "lower"} & parameters or not parameters <= {"word", "lower", "lexicons"}:
            return set()
        kinds, layout = len(column.values) + 1, self._layout
        forms = self._folded[layout.at(layout.ids, feature.offset)]
        words, codes = np.divmod(_distinct(forms * kinds + column.numbers % np.int64(kinds)), kinds)
        few = (np.bincount(codes, minlength=kinds)[codes] < K) & (codes < kinds - 1)
        shown = zip(words[few].tolist(), codes[few].tolist(), strict=True)
        return {column.values[code] for word, code in shown if self._gives_away(word)} - {""}

    def _gives_away(self, form: int) -> bool:
        if form not in self._telling:
            self._telling[form] = bool(self._private.inside(self._forms[form]))
        return self._telling[form]


def _folded_types(layout: Layout) -> tuple[Ints, list[str]]:
    """For each distinct word of a layout the number of its folded form, shape (types,), and these."""
    lookup = numbering()
    numbers = np.fromiter((lookup[folded(word)] for word in layout.types), np.int64, len(layout.types))
    return numbers, list(lookup)


def _distinct_documents(layout: Layout) -> Ints:
    """A number for each token, shape (n,): that of its document, the same for documents of the same words."""
    parts = np.split(layout.word_ids, layout.bounds[1:-1])
    numbers = {words: number for number, words in enumerate(dict.fromkeys(part.tobytes() for part in parts))}
    return np.repeat([numbers[part.tobytes()] for part in parts], layout.sizes)


def _documents(column: Column, document: Ints) -> Ints:
    """In how many documents each of a column's predicates occurs, under any history; shape (values,)."""
    limit = len(column.values) + 1  # 0: inactive
    kinds = limit if column.patterns is None else len(column.patterns) + 1
    documents, numbers = np.divmod(_distinct(document * kinds + (column.numbers + np.int64(1))), kinds)
    if column.patterns is None:
        return np.bincount(numbers, minlength=limit)[1:]
    codes = column.patterns[numbers - 1] + np.int64(1)
    found = _distinct((documents[:, None] * limit + codes).ravel())
    return np.bincount(found % limit, minlength=limit)[1:]


def _distinct(keys: Ints) -> Ints:
    """The distinct keys, none of them negative, ascending; a table is quickest where few are possible."""
    limit = int(keys.max(initial=-1)) + 1
    if limit > _TABLE * len(keys):
        return np.unique(keys)
    there = np.zeros(limit, dtype=np.bool_)
    there[keys] = True
    return np.flatnonzero(there)


_TABLE = 64
