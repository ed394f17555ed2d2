"""Sequential feature selection: forward, backward, both floating, and exhaustive (AEF thesis, Algorithm 3.3.1).

A set is compared by its criterion; of candidates closer than `TIE` to the best, the one registered first is taken, so
that a run repeats exactly. A floating step takes a feature back only where the set left is better than the set it
came from and than the best of its size so far, as in the thesis and in mlxtend's `SequentialFeatureSelector`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, Generic, TypeVar

S = TypeVar("S")

TIE = 1e-5
"""Criteria this close are equal (F2 as a fraction)."""

METHODS = {
    "sffs": "forward, floating (the thesis)",
    "sfs": "forward",
    "sfbs": "backward, floating",
    "sbs": "backward",
    "exhaustive": "every set up to k features",
}


@dataclass(frozen=True)
class Found(Generic[S]):
    """A feature set (numbers, in the order they came in), its criterion, and what the evaluation gave besides."""

    features: tuple[int, ...]
    value: float
    detail: S


@dataclass
class Search(Generic[S]):
    """The state of a search: all it needs to go on from where it stopped.

    ``evaluate(parent, candidates)`` gives, in their order, what each candidate set is worth: (criterion, detail).
    ``parent`` is the set they differ from by one feature.
    """

    evaluate: Callable[[tuple[int, ...], Sequence[tuple[int, ...]]], Iterable[tuple[float, S]]]
    features: int
    method: str = "sffs"
    k: int | None = None
    current: Found[S] | None = None
    best: dict[int, Found[S]] = field(default_factory=dict)
    path: list[tuple[str, Found[S]]] = field(default_factory=list)
    evaluations: int = 0

    @property
    def forward(self) -> bool:
        return self.method in ("sffs", "sfs")

    def run(self, after_step: Callable[[Search[S]], Any] = lambda _: None) -> None:
        """Search until k features are reached, or where another step no longer gains; calls back after each step."""
        if self.method == "exhaustive":
            self._exhaust()
            after_step(self)
            return
        if self.current is None and not self.forward:
            everything = tuple(range(self.features))
            self._move("all", self._try((), [everything])[0])
            after_step(self)
        while self._step():
            after_step(self)

    def _step(self) -> bool:
        """One step of the main direction and, where floating, as many back as gain. False where the search ends."""
        size = len(self.current.features) if self.current else 0
        if size == (self.k or (self.features if self.forward else 1)):
            return False
        step = self._best_neighbour(self.forward, barred=None)
        if self.k is None and self.current and not self._goes_on(step):
            return False
        moved = set(step.features) ^ set(self.current.features if self.current else ())
        self._move("add" if self.forward else "drop", step)
        if self.method in ("sffs", "sfbs"):
            self._float(moved.pop())
        return True

    def _goes_on(self, step: Found[S]) -> bool:
        assert self.current is not None
        gain = step.value - self.current.value
        return gain > TIE if self.forward else gain > -TIE

    def _float(self, moved: int) -> None:
        while self.current and self._room():
            back = self._best_neighbour(not self.forward, barred=moved)
            known = self.best.get(len(back.features))
            if back.value <= self.current.value + TIE or (known and back.value <= known.value + TIE):
                return
            self._move("drop" if self.forward else "add", back)

    def _room(self) -> bool:
        assert self.current is not None
        size = len(self.current.features)
        return size > 2 if self.forward else self.features - size > 2

    def _best_neighbour(self, add: bool, barred: int | None) -> Found[S]:
        here = self.current.features if self.current else ()
        if add:
            candidates = [(*here, j) for j in range(self.features) if j not in here and j != barred]
        else:
            candidates = [tuple(i for i in here if i != j) for j in sorted(here) if j != barred]
        return first_best(self._try(here, candidates))

    def _try(self, parent: tuple[int, ...], candidates: Sequence[tuple[int, ...]]) -> list[Found[S]]:
        self.evaluations += len(candidates)
        results = self.evaluate(parent, candidates)
        return [Found(c, value, detail) for c, (value, detail) in zip(candidates, results, strict=True)]

    def _move(self, how: str, found: Found[S]) -> None:
        self.current = found
        self.path.append((how, found))
        known = self.best.get(len(found.features))
        if known is None or found.value > known.value + TIE:
            self.best[len(found.features)] = found

    def _exhaust(self) -> None:
        for size in range(1, (self.k or self.features) + 1):
            found = first_best(self._try((), list(combinations(range(self.features), size))))
            self._move("best", found)


def first_best(found: Sequence[Found[S]]) -> Found[S]:
    """The best, and of those that tie with it the first."""
    top = max(f.value for f in found)
    return next(f for f in found if f.value >= top - TIE)
