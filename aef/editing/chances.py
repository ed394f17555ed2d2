"""The chance that something must be hidden, by what it shows: logistic regression, learned once and kept as JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

C = 0.3
"""Inverse strength of the L2 penalty."""


@dataclass(frozen=True)
class Chances:
    """Weights by what is shown, "" being the intercept. It holds no word but common ones."""

    weights: Mapping[str, float]

    def of(self, shows: Mapping[str, float]) -> float:
        """The chance, from 0 to 1."""
        score = self.weights.get("", 0.0) + sum(v * self.weights.get(name, 0.0) for name, v in shows.items())
        return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))

    def reasons(self, shows: Mapping[str, float], most: int = 3) -> list[str]:
        """What weighs most in it, either way."""
        added = {name: v * self.weights.get(name, 0.0) for name, v in shows.items()}
        best = sorted(added, key=lambda name: (-abs(added[name]), name))[:most]
        return [f"{name} {added[name]:+.1f}" for name in best if added[name]]

    def text(self) -> str:
        """What a file of it holds."""
        rounded = {name: round(w, 2) for name, w in sorted(self.weights.items()) if round(w, 2)}
        return json.dumps(rounded, ensure_ascii=False, indent=0) + "\n"

    @classmethod
    def learned(cls, shown: Sequence[Mapping[str, float]], hidden: Sequence[bool]) -> Chances:
        """From what things show, and whether each was to be hidden. Needs scikit-learn."""
        from sklearn.feature_extraction import DictVectorizer
        from sklearn.linear_model import LogisticRegression

        vectors = DictVectorizer()
        model = LogisticRegression(C=C, max_iter=500).fit(vectors.fit_transform(shown), hidden)
        weights = dict(zip(vectors.feature_names_, model.coef_[0].tolist(), strict=True))
        return cls(weights | {"": float(model.intercept_[0])})


@cache
def ready() -> Chances:
    """The ready-made ones."""
    return Chances(json.loads(files("aef.editing").joinpath("chances.json").read_text("utf-8")))
