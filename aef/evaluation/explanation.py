"""Why a token is hidden or not: its active predicates with their weights, and what was decided from their sum."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from aef.classifiers.decoding import decode, logistic
from aef.classifiers.linear import Linear
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.features import Column, Extractor, resolve
from aef.features.extraction import INACTIVE, Ints, Layout
from aef.features.ruling import Frequencies
from aef.tagging.finder import Finder
from aef.tagging.labelled import in_body, lay_out
from aef.tagging.pooling import phrases

REASONS = {
    "score": "the probability is over the threshold",
    "consistency": "it repeats what is hidden elsewhere in the document",
    "mention": "it belongs to a name whose other words were found, or that was found elsewhere",
    "below": "the probability is not over the threshold",
    "plain": "over the threshold, but a common word in lower case, which is no part of a person's name",
    "punctuation": "over the threshold, but the mention would have no letter or digit",
    "no name": "over the threshold, but nobody's name: a rank or title, a day, a place, a turn of speech",
}
"""Why a token is hidden (the first three) or stays."""


@dataclass(frozen=True, slots=True)
class Predicate:
    """An active predicate: the feature, its value ("" for one that just holds), its weight in the log-odds of A."""

    feature: str
    value: str
    weight: float
    help: str

    def __str__(self) -> str:
        return _named(self.feature, self.value)


@dataclass(frozen=True, slots=True)
class Repeated:
    """The token that another one repeats; it may stand before or after it."""

    token: int
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class TokenExplanation:
    """A token, what was decided about it, and what its log-odds are the sum of.

    ``token``: its number in the document; ``start, end``: code points. ``probability`` is the token's own, before
    consistency; ``threshold``: what it had to exceed. ``reason``: a key of `REASONS`. ``model``: ``body``, or
    ``outside`` where another model labels heads, tables and notes. ``intercept`` plus the weights of the
    ``predicates``, the weightiest first, and of ``neighbours`` is ``log_odds``: what the rest of the sentence adds in a
    model of whole sentences, None in others. ``unknown``: predicates that the model has no weight for.
    """

    token: int
    text: str
    start: int
    end: int
    probability: float
    threshold: float
    hidden: bool
    reason: str
    entity_type: str | None
    repeats: Repeated | None
    model: str
    log_odds: float
    intercept: float
    predicates: tuple[Predicate, ...]
    neighbours: float | None
    unknown: tuple[str, ...]


def explain(finder: Finder, document: Document, tokens: Sequence[int]) -> list[TokenExplanation]:
    """Why each of these tokens of a document is hidden or stays, as the finder now stands (threshold, preset).

    ``tokens`` are numbers of tokens of the document in the finder's language; see `tokens_at` and `tokens_of`.
    Raises `InputError` for a number that no token has, and for a finder that has learned nothing.
    """
    tagged = finder.tag(document)
    count = len(tagged.words)
    if wrong := [token for token in tokens if not 0 <= token < count]:
        raise InputError(f"token {wrong[0]} is not in the document: it has {count} tokens, counted from 0")
    return _Trace.of(finder, tagged).explain(np.asarray(tokens, dtype=np.int64)) if tokens else []


def tokens_at(document: Document, offset: int) -> list[int]:
    """The token at a code point of the text. Raises `InputError` outside the text and between tokens."""
    if not 0 <= offset < len(document.text):
        raise InputError(f"offset {offset} is outside the text, which has the offsets 0 to {len(document.text) - 1}")
    found = list(document.token_range(offset, offset + 1))
    if not found:
        after = int(np.searchsorted(document.tokens.starts, offset))
        near = [int(document.tokens.starts[i]) for i in (after - 1, after) if 0 <= i < len(document.words)]
        hint = f"; the nearest begin at {' and '.join(map(str, near))}" if near else ""
        raise InputError(f"offset {offset} is in no token{hint}")
    return found


def tokens_of(document: Document, words: str) -> list[int]:
    """The tokens of all places where these words stand. Raises `InputError` where they stand nowhere."""
    pattern = r"\s+".join(map(re.escape, words.split()))
    if not any(map(str.isalnum, words)):
        raise InputError(f"'{words}' is no word")
    whole = rf"(?<!\w){pattern}(?!\w)"
    found = {token for match in re.finditer(whole, document.text) for token in document.token_range(*match.span())}
    if not found:
        spelled, text = (" ".join(t.split()).lower() for t in (words, document.text))
        other = "; with other capitals it is" if spelled in text else ""
        raise InputError(f"'{words}' is not in the text as a whole word{other}")
    return sorted(found)


def tokens_of_mentions(tagged: Document) -> list[int]:
    """The tokens of all mentions."""
    return [int(i) for i in np.flatnonzero(tagged.mask(tagged.mentions))]


def mention_of_tokens(tagged: Document) -> dict[int, Mention]:
    """For each token in a mention the mention."""
    return {token: mention for mention in tagged.mentions for token in tagged.token_range(mention.start, mention.end)}


def _named(feature: str, value: str) -> str:
    return f"{feature}={value}" if value else feature


@dataclass(frozen=True)
class _Trace:
    """What tagging computes on its way, for one document of n tokens.

    ``labels``, ``history``, ``outside`` and ``log_odds`` have shape (n,); ``kept`` are the tokens that stay labelled
    after the check of plain words, ``origins`` the repeating tokens with what they repeat. ``second``: of the tokens
    that the second pass looks at, what it adds to the log-odds.
    """

    finder: Finder
    tagged: Document
    columns: list[Column]
    models: Mapping[str, Linear]
    labels: NDArray[np.bool_]
    history: Ints
    log_odds: NDArray[np.float64]
    outside: NDArray[np.bool_]
    kept: frozenset[int]
    origins: Mapping[int, int]
    mentions: Mapping[int, Mention]
    second: Mapping[int, Predicate]

    @classmethod
    def of(cls, finder: Finder, tagged: Document) -> _Trace:
        """The steps of `Finder.tag` once more, nothing thrown away."""
        layout = lay_out([tagged], Frequencies(finder.frequencies.documents))
        columns = list(Extractor(finder.features, finder.lexicons).columns(layout))
        models = _by_numbers_of(columns, finder)
        first_scores = finder._first_scores(models, columns, layout, [tagged])
        scores = finder._revised(first_scores, layout)
        labels, history = decode(scores, layout, finder.cut)
        log_odds, first = scores.at(history), first_scores.at(history)
        tokens, types, _ = finder._typed(models, columns, labels, history, log_odds - finder.cut, layout)
        labels[np.setdiff1d(np.flatnonzero(labels), tokens)] = False  # their sentence makes them part of nothing
        stay = ~finder._plain(layout, tokens, types)
        tokens, types = tokens[stay], types[stay]
        repeats, repeated = finder._repeats(layout, tokens, types, log_odds[tokens])
        outside = ~in_body(tagged) if "outside" in models else np.zeros(len(labels), dtype=np.bool_)
        return cls(
            finder,
            tagged,
            columns,
            models,
            labels,
            history,
            log_odds,
            outside,
            frozenset(tokens[labels[tokens]].tolist()),
            dict(zip(repeats.tolist(), repeated.tolist(), strict=True)),
            mention_of_tokens(tagged),
            _second(finder, layout, first, log_odds),
        )

    def explain(self, tokens: Ints) -> list[TokenExplanation]:
        active, unknown = self._predicates(tokens)
        return [
            self._explained(token, sorted(own, key=lambda p: -abs(p.weight)), strange)
            for token, own, strange in zip(tokens.tolist(), active, unknown, strict=True)
        ]

    def _explained(self, token: int, predicates: list[Predicate], unknown: list[str]) -> TokenExplanation:
        mention = self.mentions.get(token)
        reason = self._reason(token, mention is not None)
        model = self._model(token)
        return TokenExplanation(
            *self._place(token),
            probability=float(logistic(self.log_odds[token])),
            threshold=self.finder.cut_probability,
            hidden=mention is not None,
            reason=reason,
            entity_type=mention.entity_type if mention else None,
            repeats=Repeated(*self._place(self.origins[token])) if reason == "consistency" else None,
            model=model,
            log_odds=float(self.log_odds[token]),
            intercept=float(self.models[model].intercept),
            predicates=tuple(predicates),
            neighbours=self._neighbours(token, predicates),
            unknown=tuple(unknown),
        )

    def _neighbours(self, token: int, predicates: list[Predicate]) -> float | None:
        model = self.models[self._model(token)]
        if model.transitions is None:
            return None
        return float(self.log_odds[token]) - math.fsum([float(model.intercept), *(p.weight for p in predicates)])

    def _place(self, token: int) -> tuple[int, str, int, int]:
        tokens = self.tagged.tokens
        return token, tokens.words[token], int(tokens.starts[token]), int(tokens.ends[token])

    def _model(self, token: int) -> str:
        return "outside" if self.outside[token] else "body"

    def _reason(self, token: int, hidden: bool) -> str:
        if hidden:
            return "score" if token in self.kept else "consistency" if token in self.origins else "mention"
        if not self.labels[token]:
            return "below"
        if token not in self.kept:
            return "plain"
        return "no name" if any(map(str.isalnum, self.tagged.words[token])) else "punctuation"

    def _predicates(self, tokens: Ints) -> tuple[list[list[Predicate]], list[list[str]]]:
        """The predicates active on each of the tokens under the history reached: with a weight, and without one."""
        active: list[list[Predicate]] = [[] for _ in tokens]
        unknown: list[list[str]] = [[] for _ in tokens]
        models = [self._model(token) for token in tokens.tolist()]
        for column in self.columns:
            made: dict[tuple[str, int], Predicate | None] = {}
            codes = column.at(self.history[tokens], tokens).tolist()
            for row, key in enumerate(zip(models, codes, strict=True)):
                if key[1] == INACTIVE:
                    continue
                if key not in made:
                    made[key] = self._predicate(column, *key)
                if predicate := made[key]:
                    active[row].append(predicate)
                else:
                    unknown[row].append(_named(column.name, column.values[key[1]]))
        for row, token in enumerate(tokens.tolist()):
            active[row] += [self.second[token]] if token in self.second else []
        return active, unknown

    def _predicate(self, column: Column, model: str, code: int) -> Predicate | None:
        value = column.values[code]
        if value not in self.finder.vocabulary[column.name]:
            return None
        weight = float(self.models[model].blocks[column.name][code])
        return Predicate(column.name, value, weight, resolve(column.name).help)


def _by_numbers_of(columns: list[Column], finder: Finder) -> dict[str, Linear]:
    """The models by the numbers that columns give to predicates, the unknown among them, which are to be told, too."""
    numbers = {
        c.name: np.array([finder.vocabulary[c.name].get(v, INACTIVE) for v in c.values], dtype=np.int32)
        for c in columns
    }
    return {name: model.reordered(numbers) for name, model in finder.models.items()}


_DRAWN = "What the other words of its phrase add: a name is hidden whole."


def _second(
    finder: Finder, layout: Layout, first: NDArray[np.float64], log_odds: NDArray[np.float64]
) -> dict[int, Predicate]:
    """What the second pass adds to the log-odds of the tokens that it looks at, or phrases to those of theirs."""
    if finder.share:
        drawn = np.flatnonzero(phrases(layout, finder.lexicons) >= 0).tolist()
        return {token: Predicate("Phrase", "", float(log_odds[token] - first[token]), _DRAWN) for token in drawn}
    if finder.second is None:
        return {}
    told = finder.second.told(layout, finder.lexicons, first)
    return {
        token: Predicate("SecondPass", "", float(log_odds[token] - first[token]), f"Log-odds in the ruling: {what}.")
        for token, what in told.items()
    }
