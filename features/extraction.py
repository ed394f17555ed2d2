"""From documents to columns of predicates: every feature's value computed once per distinct argument."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, groupby, pairwise, product, repeat
from types import NoneType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.features.registry import HISTORY, OFFSETS, Argument, Feature, resolve, resolve_argument
from aef.features.ruling import Coded, Frequencies, Ruling, Source, Words, numbering

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

STATES = [dict(zip(HISTORY, bits[::-1], strict=True)) for bits in product((False, True), repeat=len(HISTORY))]
"""The eight histories a token can have; a history's number is label_before + 2 label_before2 + 4 seen."""

_EDGE = 2  # empty words beyond each end of a document: as far as a window reaches
INACTIVE = -1


@dataclass(frozen=True, eq=False)
class Cases:
    """The distinct combinations of some arguments, and which of n tokens has which.

    ``arguments``: for each parameter its value in each case; ``size``: how many cases there are; ``index``, shape (n,):
    the case of each token, -1 where a feature's condition does not hold (integers as narrow as that allows).
    """

    arguments: Mapping[str, Sequence[Any]]
    size: int
    index: Ints


@dataclass(frozen=True, eq=False)
class Column:
    """One feature's predicates on n tokens: those in the same one of its ``cases`` have the same.

    A code is an index into ``values``, the texts of the predicates, or -1 where the feature is inactive; integers are
    as narrow as the number of values allows. ``of_cases`` has a code for each case and, last, -1 for the tokens that
    are in none. Of a sequential feature it has instead the numbers of rows of ``patterns``, shape (p, 8), one column a
    history of `STATES`: the codes under each; the last row is inactive under all of them, so that -1 stands for it.
    """

    name: str
    cases: Cases
    of_cases: Ints
    values: list[str]
    patterns: Ints | None = None

    @property
    def numbers(self) -> Ints:
        """The code of each token, or the number of its pattern; shape (n,)."""
        return self.of_cases[self.cases.index]

    @property
    def codes(self) -> Ints:
        """The code of each token, shape (n,), or of a sequential feature under each history, shape (n, 8)."""
        return self.numbers if self.patterns is None else self.patterns[self.numbers]

    def at(self, states: Ints, tokens: Ints | slice = slice(None)) -> Ints:
        """The codes of the tokens, each under the history given for it; shape (tokens,)."""
        numbers = self.of_cases[self.cases.index[tokens]]
        return numbers if self.patterns is None else self.patterns[numbers, states]

    def further(self, name: str, cases: Cases) -> Column:
        """The same predicates of tokens beside: ``cases`` are `_Questions.further` of this column's."""
        return replace(self, name=name, cases=cases)

    def renumbered(self, values: Mapping[str, int]) -> Column:
        """The same predicates under other numbers; those that have none there are inactive."""
        numbers = narrow([*(values.get(v, INACTIVE) for v in self.values), INACTIVE], len(values))
        if self.patterns is None:
            return replace(self, of_cases=numbers[self.of_cases], values=list(values))
        return replace(self, values=list(values), patterns=numbers[self.patterns])


def narrow(numbers: Sequence[int] | Ints, limit: int) -> Ints:
    """Numbers from -1 to below ``limit``, in the narrowest type that holds them all."""
    return np.asarray(numbers, dtype=np.min_scalar_type(-limit - 1))


class Layout:
    """The tokens of several documents in one row, with boundary tokens between sentences and documents.

    ``documents``: a (words, first) pair each: the tokens' texts and whether they begin a sentence. `types` are the
    distinct words; `ids` are their numbers, token after token and boundary after boundary, and `positions` say where
    the tokens stand.
    ``sources``: the documents' texts; default: their words joined by spaces. ``frequencies``: how many training
    documents have a word; default: these documents are the training documents.
    """

    def __init__(
        self,
        documents: Sequence[tuple[Words | Sequence[str], Sequence[bool] | Bools]],
        sources: Sequence[Source] | None = None,
        frequencies: Frequencies | None = None,
    ) -> None:
        self._documents = [Words.of(words) for words, _ in documents]
        self._sources = sources or [Source.of_words(words.tolist()) for words in self._documents]
        self._frequencies = frequencies
        self.sizes = [len(words) for words in self._documents]
        self.bounds = np.cumsum([0, *self.sizes])
        first = np.concatenate([np.empty(0, np.bool_), *(first for _, first in documents)]).astype(np.int8)
        sentences = np.concatenate([[0], np.cumsum(first)])
        ends = self.bounds + sentences[self.bounds] + 2 * _EDGE * np.arange(len(self.bounds))
        shifts = ends[:-1] - self.bounds[:-1] - sentences[self.bounds[:-1]] + _EDGE - 1
        at = np.arange(len(first)) + sentences[1:] + np.repeat(shifts, self.sizes)
        self.positions: Ints = at
        self.types, ids = _interned(self._documents, ("", "."))
        self.ids: Ints = np.ones(ends[-1], dtype=np.intp)
        for k in range(_EDGE):
            self.ids[ends[:-1] + k] = self.ids[ends[1:] - 1 - k] = 0
        self.ids[at] = ids
        self.first: Ints = np.zeros(len(self.ids), dtype=np.int8)
        self.first[at] = first

    @cached_property
    def word_ids(self) -> Ints:
        """The number of each token's word type, shape (n,)."""
        return self.ids[self.positions]

    @cached_property
    def document_words(self) -> Ints:
        """For each token the first one of its document that is the same word; shape (n,)."""
        first = np.zeros(len(self.types), np.int32)
        found = np.empty(len(self.positions), np.int32)
        for low, high in pairwise(self.bounds.tolist()):
            words = self.word_ids[low:high]
            first[words[::-1]] = np.arange(high - 1, low - 1, -1)  # of several the last assigned stays
            found[low:high] = first[words]
        return found

    def row(self, labels: Bools) -> Ints:
        """The labels with those of the boundaries (never A) between them: 1 for A, at `positions`."""
        padded = np.zeros(len(self.ids), dtype=np.int8)
        padded[self.positions] = labels
        return padded

    def histories(self, labels: Bools) -> Ints:
        """The history's number of each token, given all labels (True is A), shape (n,)."""
        row = self.row(labels)
        seen = np.arange(len(labels)) > self.earliest(labels)[self.document_words]
        return row[self.positions - 1] + 2 * row[self.positions - 2] + 4 * seen.astype(np.int8)

    def earliest(self, labels: Bools) -> Ints:
        """For each of `document_words` its first token labelled A, where there is none the number of tokens; (n,)."""
        hidden = np.flatnonzero(labels)[::-1]
        earliest = np.full(len(labels), len(labels), dtype=np.int32)
        earliest[self.document_words[hidden]] = hidden  # of several the last assigned, which is the first in the text
        return earliest

    @cached_property
    def frequencies(self) -> Frequencies:
        """In how many training documents each word occurs."""
        if self._frequencies is not None:
            return self._frequencies
        lowered = [word.lower() for word in self.types]
        numbers = {word: number for number, word in enumerate(dict.fromkeys(lowered))}
        fold = np.array([numbers[word] for word in lowered])
        document = np.repeat(np.arange(len(self.sizes)), self.sizes)
        pairs = np.unique(document * len(numbers) + fold[self.word_ids])
        counts = np.bincount(pairs % len(numbers), minlength=len(numbers)).tolist()
        return Frequencies({word: count for word, count in zip(numbers, counts, strict=True) if count}, own=True)

    def rulings(self, lexicons: Mapping[str, frozenset[str]]) -> list[Ruling]:
        """The documents as document-level arguments see them; the same for who asks again with the same lists."""
        starts, bounds = self.first[self.positions] > 0, pairwise(self.bounds)
        parts = zip(self._documents, self._sources, bounds, strict=True)
        return [source.ruling(words, starts[low:high], lexicons) for words, source, (low, high) in parts]

    def among(self, frequencies: Frequencies) -> Layout:
        """The same tokens, beside other training documents."""
        other = copy(self)
        other.frequencies = frequencies
        return other

    def at(self, row: Ints, offset: int, tokens: Ints | slice = slice(None)) -> Ints:
        """What stands in a row of tokens and boundaries, ``offset`` places from the tokens."""
        places = self.positions[tokens] + offset
        return row[places if abs(offset) <= _EDGE else np.clip(places, 0, len(row) - 1)]

    def per_token(self, function: Callable[[Sequence[str]], Sequence[Any]]) -> list[Any]:
        """The values of a document-level function, one a token."""
        return [value for words in self._documents for value in function(words.tolist())]

    def further(self, offset: int) -> Ints:
        """For each token the one so many places further, -1 where a boundary stands there; shape (n,)."""
        tokens = np.full(len(self.ids), INACTIVE, dtype=np.int64)
        tokens[self.positions] = np.arange(len(self.positions))
        return tokens[np.clip(self.positions + offset, 0, len(tokens) - 1)]


@dataclass(frozen=True)
class Row:
    """An argument's values in a row of tokens and boundaries: codes, shape (row,), and the distinct values."""

    codes: Ints
    values: Sequence[Any]


class _Questions:
    """What features ask of a layout: many ask the same, which is answered once."""

    def __init__(self, layout: Layout, lexicons: Mapping[str, frozenset[str]]) -> None:
        self.layout = layout
        self.lexicons = lexicons
        self._known: dict[str, Row] = {}
        self._rows: dict[Any, Ints] = {}
        self._cases: dict[Any, Cases] = {}
        self._further: dict[tuple[Cases, int], Cases] = {}
        self._beside: dict[int, Ints] = {}

    def cases(self, feature: Feature) -> Cases:
        """The distinct arguments of a feature."""
        names = tuple(name for name in feature.parameters if name not in _ELSEWHERE)
        key = names, feature.when
        if key not in self._cases:
            self._cases[key] = self._distinct(names, self.rows(feature))
        return self._cases[key]

    def further(self, cases: Cases, offset: int) -> Cases:
        """The cases of the tokens ``offset`` places further; none at a sentence's end."""
        key = cases, offset
        if key not in self._further:
            beside = self._neighbours(offset)
            self._further[key] = replace(cases, index=np.append(cases.index, cases.index.dtype.type(INACTIVE))[beside])
        return self._further[key]

    def _neighbours(self, offset: int) -> Ints:
        if offset not in self._beside:
            self._beside[offset] = self.layout.further(offset)
        return self._beside[offset]

    def rows(self, feature: Feature) -> Ints | None:
        """The tokens on which the feature's condition holds; None: all."""
        if feature.when is None:
            return None
        if feature.when not in self._rows:
            types = self.layout.types
            holds = np.fromiter(map(feature.when, types), np.bool_, len(types))
            self._rows[feature.when] = np.flatnonzero(holds[self.layout.word_ids])
        return self._rows[feature.when]

    def _distinct(self, names: Sequence[str], rows: Ints | None) -> Cases:
        tokens = slice(None) if rows is None else rows
        asked = [self._asked(name) for name in names]
        codes = [self.layout.at(row.codes, offset, tokens) for row, offset in asked]
        n = len(self.layout.positions)
        limits = [len(row.values) for row, _ in asked]
        found, size, examples = _combinations(codes, n if rows is None else len(rows), limits)
        index = narrow(np.full(n, INACTIVE), size)
        index[tokens] = found
        arguments = {
            name: list(map(row.values.__getitem__, used.tolist()))
            for name, (row, _), used in zip(names, asked, examples, strict=True)
        }
        return Cases(arguments, size, index)

    def _asked(self, parameter: str) -> tuple[Row, int]:
        """The row in which a parameter's values stand, and how far from the token."""
        if parameter in OFFSETS:
            word = parameter != "first"
            row = Row(self.layout.ids, self.layout.types) if word else Row(self.layout.first, [False, True])
            return row, OFFSETS[parameter]
        resolved = resolve_argument(parameter)
        assert resolved is not None, parameter  # what is registered has been checked
        argument, offset = resolved
        if argument.name not in self._known:
            answers = self._of_documents if argument.of_document else self._of_words
            self._known[argument.name] = answers(argument)
        return self._known[argument.name], offset

    def _of_words(self, argument: Argument) -> Row:
        lookup = numbering()
        given = {"lexicons": self.lexicons} if "lexicons" in argument.parameters else {}
        numbers = [lookup[argument.function(word, **given)] for word in self.layout.types]
        return Row(narrow(numbers, len(lookup))[self.layout.ids], list(lookup))

    def _of_documents(self, argument: Argument) -> Row:
        told = [self._told(argument, ruling) for ruling in self.layout.rulings(self.lexicons)]
        values = list(chain.from_iterable(part.values for part in told))
        shifts = np.cumsum([0, *(len(part.values) for part in told)])[:-1]
        codes = np.concatenate([np.empty(0, np.int32), *(p.codes + s for p, s in zip(told, shifts, strict=True))])
        lookup = numbering()
        row = np.full(len(self.layout.ids), lookup[""], dtype=np.int32)
        used, numbers = _by_appearance(codes), np.zeros(len(values), np.int32)
        numbers[used] = [*map(lookup.__getitem__, map(values.__getitem__, used.tolist()))]
        row[self.layout.positions] = numbers[codes]
        return Row(row, list(lookup))

    def _told(self, argument: Argument, ruling: Ruling) -> Coded:
        if argument.of_corpus:
            return Coded.of(argument.function(ruling, self.layout.frequencies))
        told: Coded = ruling.once(f"argument {argument.name}", lambda: Coded.of(argument.function(ruling)))
        return told


_ELSEWHERE = {*HISTORY, "lexicons", "tokens"}


def _combinations(codes: list[Ints], rows: int, limits: list[int]) -> tuple[Ints, int, list[Ints]]:
    """Which combination of codes (each below its limit) each row has, how many there are, and the codes of each."""
    if not codes:
        return np.zeros(rows, np.int8), min(rows, 1), []
    if len(codes) == 1:
        used = np.flatnonzero(np.bincount(codes[0], minlength=limits[0]))
        numbers = np.zeros(limits[0], np.int32)
        numbers[used] = np.arange(len(used))
        return numbers[codes[0]], len(used), [used]
    examples: Ints = np.arange(rows)
    index, limit = codes[0], limits[0]
    for code, further in zip(codes[1:], limits[1:], strict=True):
        index, examples = _numbered(index.astype(np.int64) * further + code, limit * further)
        limit = len(examples)
    return index, limit, [code[examples] for code in codes]


def _numbered(keys: Ints, limit: int) -> tuple[Ints, Ints]:
    """Equal keys (below the limit) get equal numbers, from 0 on in order of first appearance; an example of each."""
    dense = limit <= min(_DENSE * len(keys), _LARGEST)
    if not dense and len(keys) > (_MANY if "pandas" in sys.modules else _IMPORTING):
        import pandas as pd  # here: a ruling does without, and importing it takes longer than tagging one

        numbers, distinct = pd.factorize(keys)
        examples = np.empty(len(distinct), np.int64)
        examples[numbers] = np.arange(len(keys))
        return np.asarray(numbers), examples
    first = _first_by_table(keys, limit) if dense else _first_by_sorting(keys)
    own = first == np.arange(len(keys))
    return (np.cumsum(own) - 1)[first], np.flatnonzero(own)


def _first_by_table(keys: Ints, limit: int) -> Ints:
    """For each key the place of the first that is equal, by a table of all that there can be."""
    places = np.empty(limit, np.int32)
    places[keys[::-1]] = np.arange(len(keys) - 1, -1, -1)  # of several the last assigned stays
    return places[keys]


def _first_by_sorting(keys: Ints) -> Ints:
    """The same; key and place are sorted as one number, which is twice as quick as an order of the keys."""
    bits = len(keys).bit_length()
    ordered = np.sort(keys << bits | np.arange(len(keys)))
    places, ordered = ordered & ((1 << bits) - 1), ordered >> bits
    starts = np.flatnonzero(np.diff(ordered, prepend=-1))
    first = np.empty(len(keys), np.int64)
    first[places] = np.repeat(places[starts], np.diff(starts, append=len(keys)))
    return first


_MANY, _IMPORTING = 1 << 15, 1 << 18
"""More keys are numbered quicker by hashing them than by sorting: where pandas is there, or must be imported first."""

_DENSE, _LARGEST = 64, 1 << 23
"""A table of all possible keys is quickest where they are at most so many times the keys; never larger than that."""


def _interned(documents: Iterable[Words], known: Sequence[str]) -> tuple[list[str], Ints]:
    """The words that are ``known`` and then the others of the documents, each once; the number of each token's word."""
    lookup: defaultdict[str, int] = numbering()
    for word in known:
        lookup[word]
    found: list[Ints] = [np.empty(0, np.int32)]
    for _, group in groupby(documents, key=lambda words: id(words.forms)):
        sharing = list(group)
        numbers = np.concatenate([words.numbers for words in sharing])
        used, forms = _by_appearance(numbers), sharing[0].forms
        types = np.zeros(len(forms), np.int32)
        types[used] = np.fromiter(map(lookup.__getitem__, forms[used].tolist()), np.int32, len(used))
        found.append(types[numbers])
    return list(lookup), np.concatenate(found)


def _by_appearance(numbers: Ints) -> Ints:
    """The distinct numbers, in order of first appearance."""
    first = np.full(int(numbers.max(initial=-1)) + 1, len(numbers))
    first[numbers[::-1]] = np.arange(len(numbers))[::-1]  # of several the last assigned stays
    return np.argsort(first)[: np.count_nonzero(first < len(numbers))]


def vocabulary(columns: Iterable[Column]) -> dict[str, dict[str, int]]:
    """The number of each predicate by feature; features that tell of the tokens beside share those of their base."""
    of_base: dict[str, dict[str, int]] = {}
    found = {}
    for column in columns:
        base = resolve(column.name).base or column.name
        found[column.name] = of_base.setdefault(base, {value: number for number, value in enumerate(column.values)})
    return found


class Extractor:
    """Turns documents into one `Column` a feature; ``lexicons`` are the word lists by name."""

    def __init__(self, names: Sequence[str], lexicons: Mapping[str, frozenset[str]]) -> None:
        self.features = [resolve(name) for name in names]
        self.lexicons = lexicons

    def columns(self, layout: Layout, known: Mapping[str, Mapping[str, int]] | None = None) -> Iterator[Column]:
        """The columns, in the order of the names.

        ``known``: of each feature the predicates that have a number, in its order; what has none is inactive. Default:
        all that there are, numbered as they appear.
        """
        questions = _Questions(layout, self.lexicons)
        made: dict[tuple[str, int], Column] = {}
        for feature in self.features:
            base, numbers = feature.base or feature.name, None if known is None else known[feature.name]
            if (base, id(numbers)) not in made:
                made[base, id(numbers)] = self._column(resolve(base), questions, numbers)
            column = made[base, id(numbers)]
            if feature.offset:
                column = column.further(feature.name, questions.further(column.cases, feature.offset))
            yield column

    def _column(self, feature: Feature, questions: _Questions, known: Mapping[str, int] | None) -> Column:
        if "tokens" in feature.parameters:
            values, cases = self._document_level(feature, questions.layout)
        else:
            cases = questions.cases(feature)
            values = [self._call(feature, cases, h) for h in _histories(feature)]
        return _column(feature, values, cases, known)

    def _document_level(self, feature: Feature, layout: Layout) -> tuple[list[list[Any]], Cases]:
        def call(history: dict[str, bool]) -> list[Any]:
            given = self._given(feature, history)
            return layout.per_token(lambda words: list(feature.function(words, **given)))

        n = len(layout.positions)
        return [call(h) for h in _histories(feature)], Cases({}, n, np.arange(n))

    def _call(self, feature: Feature, cases: Cases, history: dict[str, bool]) -> list[Any]:
        """The feature's value in each case, under a history."""
        given = self._given(feature, history)
        arguments = [cases.arguments.get(p) or repeat(given.get(p), cases.size) for p in feature.parameters]
        return list(map(feature.function, *arguments)) if arguments else [feature.function() for _ in range(cases.size)]

    def _given(self, feature: Feature, history: dict[str, bool]) -> dict[str, Any]:
        """The arguments that are the same for all tokens."""
        return history | ({"lexicons": self.lexicons} if "lexicons" in feature.parameters else {})


def _histories(feature: Feature) -> list[dict[str, bool]]:
    """The histories that the feature tells apart: one, without labels, if it is not sequential."""
    used = [name for name in HISTORY if name in feature.parameters]
    return [dict(zip(used, bits, strict=True)) for bits in product((False, True), repeat=len(used))]


def _column(feature: Feature, values: list[list[Any]], cases: Cases, known: Mapping[str, int] | None = None) -> Column:
    """The column from the values, one list for each of the feature's histories, one value a case."""
    lookup = numbering() if known is None else known
    codes = [_codes(row, lookup) for row in values]
    if not feature.sequential:
        return Column(feature.name, cases, narrow(np.append(codes[0], INACTIVE), len(lookup)), list(lookup))
    kinds: defaultdict[tuple[int, ...], int] = numbering()
    kind = [kinds[row] for row in zip(*(c.tolist() for c in codes), strict=True)]
    histories = _histories(feature)
    columns = [histories.index({name: state[name] for name in histories[0]}) for state in STATES]
    patterns = np.array([*kinds, [INACTIVE] * len(codes)], dtype=np.int64)[:, columns]
    numbers = narrow([*kind, INACTIVE], len(kinds))
    return Column(feature.name, cases, numbers, list(lookup), narrow(patterns, len(lookup)))


def _codes(values: list[Any], lookup: Mapping[str, int]) -> Ints:
    """The numbers of the values; what ``lookup`` lacks gets the next one (see `numbering`) or is inactive."""
    texts = _texts(values)
    if isinstance(lookup, defaultdict):
        return np.fromiter([INACTIVE if t is None else lookup[t] for t in texts], np.int32, len(texts))
    number: Callable[[str | None, int], int] = lookup.get  # type: ignore[assignment]  # None is no key, as it should be
    return np.fromiter(map(number, texts, repeat(INACTIVE)), np.int32, len(texts))


def _texts(values: list[Any]) -> list[str | None]:
    """None where None, False or the empty string says that the feature is inactive; True is a predicate of no text."""
    if set(map(type, values)) <= {str, NoneType}:
        return [v or None for v in values] if "" in values else values
    return ["" if v is True else None if v is None or v is False or v == "" else str(v) for v in values]
