"""The pools of names: plain text files, and draws from them that use the least used entries first."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

_NAMES = Path(__file__).parent / "names"


@cache
def pool(file: str) -> dict[str, tuple[str, ...]]:
    """A file of lines ``key: entry, entry`` (or ``;`` between entries) as a tuple of entries for each key."""
    entries: dict[str, list[str]] = {}
    for line in (_NAMES / f"{file}.txt").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            key, _, values = line.partition(":")
            separator = ";" if ";" in values else ","
            entries.setdefault(key, []).extend(value.strip() for value in values.split(separator))
    return {key: tuple(values) for key, values in entries.items()}


class Drawer:
    """Draws for one ruling. ``usage`` counts what a batch of rulings has used; nothing is drawn twice in a ruling."""

    def __init__(self, rng: random.Random, usage: Counter[str]) -> None:
        self.rng, self.usage = rng, usage
        self.taken: set[str] = set()

    def draw(self, entries: Sequence[str], apart: Callable[[str], bool] = lambda _: True) -> str:
        """An entry not yet taken in this ruling and ``apart`` from others, the least used in the batch first."""
        free = [e for e in entries if e.casefold() not in self.taken and apart(e)] or list(entries)
        least = min(self.usage[e] for e in free)
        chosen = self.rng.choice([e for e in free if self.usage[e] == least])
        self.taken.add(chosen.casefold())
        self.usage[chosen] += 1
        return chosen

    def surname(self, word: float = 0.3) -> tuple[str, str]:
        """A surname and its origin; with probability ``word`` one that is a common word."""
        surnames = pool("surnames")
        if self.rng.random() < word:
            return self.draw(surnames["word"]), "english"
        others = [(name, origin) for origin, names in surnames.items() if origin != "word" for name in names]
        name = self.draw([name for name, _ in others])
        return name, dict(others)[name]

    def given(self, female: bool, origin: str, word: float = 0.15) -> str:
        """A given name for a surname of this origin; many families give their children English names."""
        names = pool("given_female" if female else "given_male")
        if self.rng.random() < word:
            return self.draw(names["word"])
        foreign = origin in names and self.rng.random() < 0.6
        return self.draw(names[origin if foreign else "english"])

    def town(self, province: str) -> str:
        return self.draw(pool("pools")[f"town_{province}"])

    def any_of(self, key: str) -> str:
        """An entry of a pool that is not a name of a person."""
        return self.draw(pool("pools")[key])
