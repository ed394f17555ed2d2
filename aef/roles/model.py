"""A model of roles: from what the mentions of a person show together to what the person is in the ruling, or nobody.

A maximum-entropy model over the predicates of `aef.role_features`, the cues of roles among them, learned from real
judgments and the open half of the hand-written rulings (`aef.experiments.role_model`). It decides once for a person
with all mentions. It holds no name: a predicate is kept if it has no private word and is seen in enough documents
(`aef.tagging.privacy`). After the classification of mentions by their context in PSILENCE, section 4.3, which uses
cues alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from itertools import chain, count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from aef.errors import InputError

Floats = NDArray[np.float64]

C = 0.6
"""Inverse strength of the L2 penalty, chosen by cross-validation over real judgments."""
GROWTH = 0.35
"""The penalty of a predicate's weight grows with this power of how often it is seen, as
`aef.classifiers.maxent.MaxEntClassifier` has it; by cross-validation over real judgments."""
PRIVATE, COMPANY, NOBODY, INITIALS = "private", "company", "nobody", "initials"
"""The classes of parties, children, relatives and witnesses; of companies and bodies; of what names neither; of who is
anonymized already."""


@dataclass(frozen=True)
class RoleModel:
    """Classes, their intercepts, shape (classes,), and the weights of each predicate, shape (classes,) each.

    second : the model of the second pass (`aef.roles.second_pass`), if there is one.
    """

    classes: tuple[str, ...]
    intercepts: Floats
    weights: Mapping[str, Floats]
    second: RoleModel | None = None

    def probabilities(self, shown: Mapping[str, float]) -> dict[str, float]:
        """The probability of each class for a person who shows these predicates, each with its value."""
        scores = self.scores(shown)
        shares = np.exp(scores - np.logaddexp.reduce(scores))
        return dict(zip(self.classes, shares.tolist(), strict=True))

    def scores(self, shown: Mapping[str, float]) -> Floats:
        """The score of each class, shape (classes,)."""
        _, values, rows = self._known(shown)
        return np.asarray(self.intercepts + np.add.reduce(values[:, None] * rows, axis=0))

    def reasons(self, shown: Mapping[str, float], role: str, most: int = 3) -> list[str]:
        """The predicates that speak most for a class, against the mean of the others, with what they add."""
        names, values, rows = self._known(shown)
        gains = values * (rows[:, self.classes.index(role)] - np.add.reduce(rows, axis=1) / len(self.classes))
        return strongest(dict(zip(names, gains.tolist(), strict=True)), most)

    def known(self, shown: Mapping[str, float]) -> dict[str, float]:
        """Those of the predicates that the model has."""
        return {name: value for name, value in shown.items() if name in self._numbers}

    def _known(self, shown: Mapping[str, float]) -> tuple[list[str], Floats, Floats]:
        """Those predicates that the model has, their values, shape (n,), and their weights, shape (n, classes)."""
        names = [name for name in shown if name in self._numbers]
        rows = self._table[[self._numbers[name] for name in names]]
        return names, np.array([shown[name] for name in names], dtype=np.float64), rows

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return dict(zip(self.weights, count(), strict=False))

    @cached_property
    def _table(self) -> Floats:
        return np.array(list(self.weights.values()), dtype=np.float64).reshape(-1, len(self.classes))

    @classmethod
    def learned(
        cls,
        people: Sequence[Mapping[str, float]],
        classes: Sequence[str],
        weights: Sequence[float] | None = None,
        c: float = C,
        growth: float = GROWTH,
    ) -> RoleModel:
        """From the predicates of people, their classes, and how much each person counts. Needs scikit-learn."""
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        vectors = DictVectorizer()
        events = vectors.fit_transform(people)
        often = np.sqrt(events.multiply(events).mean(axis=0)).A1
        scale = often**-growth / np.average(often**-growth, weights=often)
        model = LogisticRegression(C=c, max_iter=300).fit(events.multiply(scale).tocsr(), classes, weights)
        columns, intercepts = model.coef_.T * scale[:, None], model.intercept_
        if len(model.classes_) == 2:  # one row then, for the second class
            columns, intercepts = columns * [-0.5, 0.5], intercepts * [-0.5, 0.5]
        return cls(tuple(model.classes_.tolist()), intercepts, dict(zip(vectors.feature_names_, columns, strict=True)))

    def text(self) -> str:
        """What a file of it holds: weights in thousandths, those of a predicate in a line."""
        rows = {"": self.intercepts, **dict(sorted(self.weights.items()))}
        whole = {p: np.rint(1000 * w).astype(int).tolist() for p, w in rows.items()}
        lines = [f"{json.dumps(p, ensure_ascii=False)}:{_short(w)}" for p, w in whole.items() if any(w) or not p]
        second = f',\n"second": {self.second.text().rstrip()}' if self.second else ""
        return f'{{"classes": {json.dumps(self.classes)},\n"weights": {{\n' + ",\n".join(lines) + f"\n}}{second}}}\n"

    @classmethod
    def of_text(cls, text: str) -> RoleModel:
        """What `text` wrote."""
        return cls._of(json.loads(text))

    @classmethod
    def _of(cls, content: Any) -> RoleModel:
        classes, written = tuple(content["classes"]), content["weights"]
        if set(map(len, written.values())) != {len(classes)}:
            raise ValueError("weights do not fit the classes")
        rows = np.fromiter(chain.from_iterable(written.values()), np.float64).reshape(-1, len(classes)) / 1000
        weights = dict(zip(written, rows, strict=True))
        second = cls._of(content["second"]) if "second" in content else None
        return cls(classes, weights.pop(""), weights, second)


def _short(weights: list[int]) -> str:
    return json.dumps(weights, separators=(",", ":"))


def strongest(gains: Mapping[str, float], most: int) -> list[str]:
    """The predicates that add most, with what they add.

    >>> strongest({"title": 0.31, "role noun": 1.26, "capitals": -2.0}, most=2)
    ['role noun +1.3', 'title +0.3']
    """
    best = sorted((-gain, name) for name, gain in gains.items() if gain > 0)[:most]
    return [f"{name} {-against:+.1f}" for against, name in best]


@cache
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
