"""A model of roles: from the words around a person's mentions to what the person is in the ruling.

It is asked about those of whom no cue tells anything (`aef.role_cues`): a maximum-entropy model over contextual
predicates of all mentions of a person, learned from the open half of the hand-written rulings
(`aef.experiments.role_model`). It holds no name: a word is kept if it is public or stands in small letters in enough
rulings (`aef.privacy`), and a predicate if it is in as many of them. After the classification of mentions by their
context in PSILENCE, section 4.3, which uses cues alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aef import lexicons
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.names import PERSON, core, titles

Floats = NDArray[np.float64]

C = 0.3
"""Inverse strength of the L2 penalty; 0.1 is as good on styles that the model has not seen."""
PRIVATE = "private"
"""The class of parties, relatives and witnesses."""
_BEFORE, _BEHIND = 3, 4
"""How many words before and behind a mention are looked at."""
_FORMS = {"with an initial": re.compile(r"\b[A-Z]\.")}


@dataclass(frozen=True)
class RoleModel:
    """Classes, their intercepts, shape (classes,), and the weights of each predicate, shape (classes,) each."""

    classes: tuple[str, ...]
    intercepts: Floats
    weights: Mapping[str, Floats]

    def with_prior(self, share: float, as_learned: float) -> RoleModel:
        """For people of whom the share is `PRIVATE`, where it was another in what was learned from."""
        more = np.log(share / (1 - share)) - np.log(as_learned / (1 - as_learned))
        return replace(self, intercepts=self.intercepts + more * (np.array(self.classes) == PRIVATE))

    def probabilities(self, found: Collection[str]) -> dict[str, float]:
        """The probability of each class for a person with these predicates."""
        scores = self.intercepts + sum(
            (self.weights[p] for p in found if p in self.weights), np.zeros(len(self.classes))
        )
        shares = np.exp(scores - np.logaddexp.reduce(scores))
        return dict(zip(self.classes, shares.tolist(), strict=True))

    @classmethod
    def learned(cls, people: Sequence[Collection[str]], classes: Sequence[str]) -> RoleModel:
        """From the predicates of people and their classes. Needs scikit-learn."""
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        vectors = DictVectorizer()
        events = vectors.fit_transform([dict.fromkeys(sorted(found), 1) for found in people])
        model = LogisticRegression(C=C, max_iter=1000).fit(events, classes)
        known = zip(vectors.feature_names_, model.coef_.T, strict=True)
        return cls(tuple(model.classes_.tolist()), model.intercept_, dict(known))

    def text(self) -> str:
        """What a file of it holds: weights in thousandths, those of a predicate in a line."""
        rows = {"": self.intercepts, **dict(sorted(self.weights.items()))}
        whole = {p: np.rint(1000 * w).astype(int).tolist() for p, w in rows.items()}
        lines = [f" {json.dumps(p, ensure_ascii=False)}: {json.dumps(w)}" for p, w in whole.items() if any(w) or not p]
        return f'{{"classes": {json.dumps(self.classes)},\n"weights": {{\n' + ",\n".join(lines) + "\n}}\n"

    @classmethod
    def of_text(cls, text: str) -> RoleModel:
        """What `text` wrote."""
        content = json.loads(text)
        weights = {p: np.array(w) / 1000 for p, w in content["weights"].items()}
        return cls(tuple(content["classes"]), weights.pop(""), weights)


def read(path: Path) -> RoleModel:
    """The model in a file. Raises `InputError` for what cannot be read, or is none."""
    try:
        return RoleModel.of_text(path.read_text("utf-8"))
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError.at(path, "is no model of roles, as aef.experiments.role_model writes it") from error


@cache
def ready(language: str) -> RoleModel | None:
    """The ready-made model of a language, if there is one."""
    file = files("aef").joinpath("models", f"{language}-roles.json")
    return RoleModel.of_text(file.read_text("utf-8")) if file.is_file() else None


class People:
    """The predicates of the people of a document."""

    def __init__(self, document: Document, groups: Mapping[str, Sequence[Mention]]) -> None:
        self.document = document
        self.words = document.words
        self.titles = titles(document.language)
        self.common = lexicons.load("common_words", document.language)
        self.groups = groups

    def _tokens(self, mention: Mention) -> range:
        low, high = core(self.document.text, mention.start, mention.end, PERSON, self.document.language)
        return self.document.token_range(low, high)

    def predicates(self, key: str) -> frozenset[str]:
        """What the mentions of one person show."""
        found = filter(None, map(self._tokens, self.groups[key]))
        return frozenset(p for tokens in found for p in self._of_mention(tokens))

    def _of_mention(self, tokens: range) -> Iterator[str]:
        first = tokens.start
        while first and self.words[first - 1].lower().rstrip(".") in self.titles:
            first -= 1
            yield f"title {self.words[first].lower().rstrip('.')}"
        for place, around in (("before", self._before(first)), ("behind", self._behind(tokens.stop))):
            for distance, token in enumerate(around, 1):
                word = self._word(token)
                yield from (f"{place} {word}", f"{place}{distance} {word}")
        text, starts, ends = self.document.text, self.document.tokens.starts, self.document.tokens.ends
        low, high = int(starts[tokens.start]), int(ends[tokens.stop - 1])
        yield f"sign before {_signs(text[max(0, low - 2) : low])}"
        yield f"sign behind {_signs(text[high : high + 2])}"
        yield from (name for name, form in _FORMS.items() if form.search(text[low:high]))
        if text[low:high].isupper():
            yield "in capitals"

    def _before(self, token: int) -> Iterator[int]:
        """The tokens before one in its sentence, the nearest first."""
        for distance in range(_BEFORE):
            if token - distance <= 0 or self.document.tokens.first[token - distance]:
                return
            yield token - distance - 1

    def _behind(self, token: int) -> Iterator[int]:
        """The tokens from one on to the end of the sentence."""
        for behind in range(token, min(len(self.words), token + _BEHIND)):
            if self.document.tokens.first[behind]:
                return
            yield behind

    def _word(self, token: int) -> str:
        """A word as predicates have it: one with a capital only where it is an ordinary word, too."""
        word, lower = self.words[token], self.words[token].lower()
        if any(map(str.isdigit, word)):
            return "#"
        if not word[:1].isupper():
            return word
        if lower not in self.common:
            return "Capital"
        return lower if self.document.tokens.first[token] else f"Capital {lower}"


def _signs(between: str) -> str:
    return re.sub(r"\w", "a", between)
