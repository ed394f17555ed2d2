"""The second pass: what the first one is sure of in a ruling becomes evidence for all of it.

The first pass scores each token by what stands around it. A name is also known by its other occurrences: the word that
is surely a name in one place is probably one in the next; a word found once in ten places is probably none; what stands
beside a sure name, or begins like one ("Lizzie", "Elizabeth"), may belong to it. The second pass is a maximum-entropy
model on such evidence alone: numbers cut into bins and pairs of them, no word among them. It learns from scores of
documents that the first pass has not seen. (After the document-level evidence of AEF, thesis section 3.6, and the two
passes of Krishnan & Manning 2006, where the first one's labels are features of the second.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.decoding import Judged, Scores
from aef.features.arguments import listed
from aef.features.extraction import Ints, Layout
from aef.features.ruling import RARE

if TYPE_CHECKING:
    from aef.classifiers.maxent import MaxEntClassifier

Floats = NDArray[np.float64]
Lexicons = Mapping[str, frozenset[str]]

C = 0.03
"""Inverse strength of the L2 penalty; chosen on hand-written rulings of styles that neither pass had seen."""
MOST_AGAINST = 1.0
"""By how much log-odds the rest of a ruling speaks against a token at most: one that never has a title is not lost."""
FLOOR = -5.0
"""Words without a capital are looked at again from these log-odds on."""

_NONE = -9.0  # the log-odds of what is not there
_FINE = np.array([-8, -6, -5, -4, -3.5, -3, -2.5, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 3, 4, 5])
_COARSE = np.array([-6, -4, -3, -2, -1, 0, 1, 2.5, 4])
_COUNTS = np.array([0.5, 1.5, 2.5, 4.5, 8.5])
_SHARES = np.array([-0.5, 0.01, 0.25, 0.5, 0.75, 0.99])
_SIGNS = "gswptcoef"
_PREFIX = 3

_SCORES = ("first pass", "elsewhere", "elsewhere with a capital", "before", "after", "begins alike")
_KINDS = {
    "times with a capital": len(_COUNTS) + 1,
    "times in lower case": len(_COUNTS) + 1,
    "share found": len(_SHARES) + 1,
    "in full elsewhere": 2,
    "lists": 1 << len(_SIGNS),
    "shape": 32,
    "capitals beside": 4,
    "rarity": len(_COUNTS) + 1,
}
_PAIRED = (
    ("lists", "shape"),
    ("shape", "capitals beside"),
    ("lists", "share found"),
    ("shape", "share found"),
    ("shape", "times in lower case"),
)
COLUMNS: dict[tuple[str, ...], int] = {
    **{(name,): len(_FINE) + 1 for name in _SCORES},
    **{(name,): size for name, size in _KINDS.items()},
    **{pair: (len(_COARSE) + 1) ** 2 for pair in combinations(_SCORES, 2)},
    **{(score, kind): (len(_COARSE) + 1) * size for score in _SCORES[:3] for kind, size in _KINDS.items()},
    **{pair: _KINDS[pair[0]] * _KINDS[pair[1]] for pair in _PAIRED},
}
"""What each column of the evidence is made of, and how many predicates it has."""


@dataclass(frozen=True)
class Seen:
    """What the second pass sees of scored documents: `evidence`."""

    part: Judged
    tokens: Ints
    events: Ints

    @classmethod
    def of(cls, part: Judged, lexicons: Lexicons) -> Seen:
        return cls(part, *evidence(part.layout, lexicons, flat(part.scores)))

    def counted(self) -> tuple[Ints, NDArray[np.bool_]]:
        """The events and gold labels of the tokens that count."""
        counted = np.isin(self.tokens, self.part.rows)
        return self.events[counted], self.part.gold[self.tokens[counted]]


@dataclass(frozen=True)
class SecondPass:
    """An intercept and the weights of all predicates, column after column of `COLUMNS`; shape (1 + predicates,)."""

    table: Floats

    @classmethod
    def learned(cls, parts: Sequence[Judged], lexicons: Lexicons) -> SecondPass:
        """From documents with the scores of a first pass that has not seen them, and their gold labels."""
        return cls.of([Seen.of(part, lexicons) for part in parts])

    @classmethod
    def of(cls, parts: Sequence[Seen]) -> SecondPass:
        """The same of what is seen of the parts."""
        from aef.classifiers.maxent import MaxEntClassifier  # here, so that tagging does without scikit-learn

        events, labels = (np.concatenate(found) for found in zip(*(part.counted() for part in parts), strict=True))
        return cls(_table(MaxEntClassifier(C=C, tol=1e-3).fit(events, labels)))

    def rescored(self, layout: Layout, lexicons: Lexicons, scores: Scores) -> Scores:
        """The log-odds of A after the second pass; tokens that it does not look at keep theirs."""
        log_odds = flat(scores)
        return self._rescored(log_odds, *evidence(layout, lexicons, log_odds))

    def rejudged(self, seen: Seen) -> Judged:
        """The part with the log-odds after the second pass."""
        return replace(seen.part, scores=self._rescored(flat(seen.part.scores), seen.tokens, seen.events))

    def _rescored(self, log_odds: Floats, tokens: Ints, events: Ints) -> Scores:
        rescored = log_odds.copy()
        rescored[tokens] = np.maximum(self.log_odds(events), log_odds[tokens] - MOST_AGAINST)
        return Scores.without_history(rescored)

    def log_odds(self, events: Ints) -> Floats:
        """Of events, shape (n, columns); shape (n,)."""
        found: Floats = self.table[0] + self.table[1 + _STARTS + events].sum(axis=1)
        return found

    def told(self, layout: Layout, lexicons: Lexicons, log_odds: Floats) -> dict[int, str]:
        """In words the evidence on each token that is looked at; ``log_odds``, shape (n,): of the first pass."""
        tokens, events = evidence(layout, lexicons, log_odds)
        return {token: _in_words(event) for token, event in zip(tokens.tolist(), events.tolist(), strict=True)}

    @classmethod
    def from_table(cls, table: Floats) -> SecondPass:
        """What a model file holds. Raises `ValueError` where it does not fit this version's columns."""
        if table.shape != (1 + sum(COLUMNS.values()),):
            raise ValueError("weights do not fit the second pass")
        return cls(table)


_STARTS = np.cumsum([0, *COLUMNS.values()])[:-1]


def flat(scores: Floats | Scores) -> Floats:
    """Log-odds without a history, shape (n,). Raises `ValueError` where they depend on one."""
    return (scores if isinstance(scores, Scores) else Scores.of(scores)).flat()


def evidence(layout: Layout, lexicons: Lexicons, log_odds: Floats) -> tuple[Ints, Ints]:
    """The tokens that the second pass looks at, ascending, and their events, shape (tokens, columns)."""
    words = _Words.of(layout, lexicons)
    tokens = np.flatnonzero(words.capital | (log_odds > FLOOR))
    scores = dict(zip(_SCORES, _scores(layout, words, log_odds), strict=True))
    fine = {name: np.digitize(values[tokens], _FINE) for name, values in scores.items()}
    coarse = {name: np.digitize(values[tokens], _COARSE) for name, values in scores.items()}
    kinds = {name: values[tokens] for name, values in _kinds(layout, words, log_odds).items()}
    columns = [(fine | kinds)[names[0]] if len(names) == 1 else _pair(coarse | kinds, names) for names in COLUMNS]
    return tokens, np.stack(columns, axis=1).astype(np.int32)


def _pair(codes: Mapping[str, Ints], names: tuple[str, ...]) -> Ints:
    first, second = names
    paired: Ints = codes[first] * _KINDS.get(second, len(_COARSE) + 1) + codes[second]
    return paired


@dataclass(frozen=True)
class _Words:
    """Of n tokens the word in its document, capitals folded, and the first letters (-1: too short), as numbers.

    ``lists`` and ``shape`` are bits; ``capital``, ``lower``: whether the word begins so.
    """

    word: Ints
    prefix: Ints
    capital: NDArray[np.bool_]
    lower: NDArray[np.bool_]
    lists: Ints
    shape: Ints
    rarity: Ints

    @classmethod
    def of(cls, layout: Layout, lexicons: Lexicons) -> _Words:
        types, ids = layout.types, layout.word_ids
        lowered = [word.lower() for word in types]
        document = np.repeat(np.arange(len(layout.sizes)), layout.sizes)
        prefixes = _numbers([word[:_PREFIX] for word in lowered])
        prefix = np.where([len(word) > _PREFIX for word in lowered], prefixes, -1)[ids]
        capital = np.array([word[:1].isupper() for word in types], dtype=np.bool_)[ids]
        known = layout.frequencies.documents
        return cls(
            document * len(types) + _numbers(lowered)[ids],
            np.where(prefix < 0, -1, document * len(types) + prefix),
            capital,
            np.array([word.islower() for word in types], dtype=np.bool_)[ids],
            np.array([_lists(word, lexicons) for word in types])[ids],
            np.array([_shape(word) for word in types])[ids] + 16 * layout.first[layout.positions],
            np.array([(known.get(word, 0) // RARE).bit_length() for word in lowered])[ids],
        )


def _numbers(words: Sequence[str]) -> Ints:
    numbers = {word: number for number, word in enumerate(dict.fromkeys(words))}
    return np.array([numbers[word] for word in words], dtype=np.int64)


def _lists(word: str, lexicons: Lexicons) -> int:
    found = listed(word[:1].upper() + word[1:], lexicons)
    return sum(1 << i for i, sign in enumerate(_SIGNS) if sign in found)


def _shape(word: str) -> int:
    signs = (word[:1].isupper(), word.isupper(), any(map(str.isdigit, word)), word.endswith("."))
    return sum(1 << i for i, sign in enumerate(signs) if sign)


def _scores(layout: Layout, words: _Words, log_odds: Floats) -> list[Floats]:
    """The log-odds that speak for a token, in the order of `_SCORES`: its own, and of what else there is."""
    capital = np.where(words.capital, log_odds, _NONE)
    row = np.full(len(layout.ids), _NONE)
    row[layout.positions] = log_odds
    return [
        log_odds,
        _best_other(words.word, log_odds),
        _best_other(words.word, capital),
        row[layout.positions - 1],
        row[layout.positions + 1],
        _like(words, log_odds),
    ]


def _best_other(groups: Ints, log_odds: Floats) -> Floats:
    """The best log-odds among the other tokens of each token's group."""
    order = np.lexsort((log_odds, groups))
    ranked, keys = log_odds[order], groups[order]
    last = np.flatnonzero(np.diff(keys, append=-2))
    second = np.where((last > 0) & (keys[last - 1] == keys[last]), ranked[last - 1], _NONE)
    which = np.searchsorted(last, np.arange(len(keys)))
    found = np.empty(len(groups))
    found[order] = np.where(last[which] == np.arange(len(keys)), second[which], ranked[last][which])
    return found


def _like(words: _Words, log_odds: Floats) -> Floats:
    """The best log-odds of another word of the document that begins with the same letters."""
    _, first, which = np.unique(words.word, return_index=True, return_inverse=True)
    best = np.full(len(first), _NONE)
    np.maximum.at(best, which, log_odds)
    found = np.where(words.prefix[first] < 0, _NONE, _best_other(words.prefix[first], best))
    return found[which]


def _kinds(layout: Layout, words: _Words, log_odds: Floats) -> dict[str, Ints]:
    """What kind of word the token is, and how its word stands elsewhere, in the order of `_KINDS`."""
    _, word = np.unique(words.word, return_inverse=True)
    found = words.capital & (log_odds > _PROBABLE)
    capital, lower, hits = (np.bincount(word, w)[word] - w for w in (words.capital, words.lower, found))
    share = np.where(capital > 0, hits / np.maximum(capital, 1), -1)
    row = np.zeros(len(layout.ids), dtype=np.int8)
    row[layout.positions] = words.capital
    named = np.zeros(len(layout.ids), dtype=np.bool_)
    named[layout.positions] = words.capital & (log_odds > 0)
    full = named[layout.positions] & (named[layout.positions - 1] | named[layout.positions + 1])
    elsewhere = np.bincount(word, full)[word] - full
    values = (
        np.digitize(capital, _COUNTS),
        np.digitize(lower, _COUNTS),
        np.digitize(share, _SHARES),
        (elsewhere > 0).astype(np.int64),
        words.lists,
        words.shape,
        layout.at(row, -1) + 2 * layout.at(row, 1),
        np.digitize(words.rarity, _COUNTS),
    )
    return dict(zip(_KINDS, values, strict=True))


_PROBABLE = -1.0


def _table(model: MaxEntClassifier) -> Floats:
    """The weights of all predicates; those that the model has not seen weigh nothing."""
    seen = np.concatenate([start + known for start, known in zip(_STARTS, model.categories_, strict=True)])
    table = np.zeros(1 + sum(COLUMNS.values()))
    table[0] = np.diff(model.intercept_)[0]
    table[1 + seen] = model.weights_[:, 1] - model.weights_[:, 0]
    return table


def _in_words(event: Sequence[int]) -> str:
    """The log-odds of an event, each as the edge of its bin.

    >>> _in_words([11, 19, 0, 6])
    'first pass over -0.5, elsewhere over 5, before over -3'
    """
    scores = zip(_SCORES, event, strict=False)
    return ", ".join(f"{name} over {_FINE[code - 1]:g}" for name, code in scores if code)
