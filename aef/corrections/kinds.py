"""How much is missed and hidden wrongly, by kind of what is to be hidden, before and after something was learned."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass

_MORE = 1.1
"""So many times as many names may be hidden wrongly as before: a miss more is never borne."""
_FEW = 2  # names hidden wrongly that are no pattern

Counts = tuple[Counter[str], Counter[str], Counter[str], Counter[str], Counter[str]]
"""By kind: mentions that are to be hidden, those missed, words hidden wrongly, and the names with such words and those
missed anywhere, each once."""


@dataclass(frozen=True)
class Kind:
    """Of one kind of what is to be hidden: mentions there are, those missed, words hidden wrongly as it, and the names
    they stand in and those missed, before and after. A name counts once a ruling: an editor who brings it back, or
    hides it, does so once, and how often it stands there tells nothing of the next ruling."""

    kind: str
    mentions: int
    missed_before: int
    missed_after: int
    wrong_before: int
    wrong_after: int
    names_before: int
    names_after: int
    names_missed_before: int
    names_missed_after: int

    @property
    def worse(self) -> bool:
        """Whether more names are missed, or clearly more are hidden that should not be."""
        wrong = self.names_after > _MORE * self.names_before and self.names_after >= self.names_before + _FEW
        return self.names_missed_after > self.names_missed_before or wrong


def kinds(pairs: Sequence[tuple[Counts, Counts]]) -> list[Kind]:
    """The kinds of what is to be hidden, from the counts of each document before and after."""

    def total(side: int, which: int) -> Counter[str]:
        return sum((pair[side][which] for pair in pairs), Counter[str]())

    there, sums = total(0, 0), [total(side, which) for which in (1, 2, 3, 4) for side in (0, 1)]
    names = sorted(set(there).union(*sums))
    return [Kind(name, there[name], *(found[name] for found in sums)) for name in names]


def together(found: Iterable[Kind]) -> Kind:
    """Several kinds as one."""
    counts = [(0,) * 9, *(astuple(kind)[1:] for kind in found)]
    return Kind("what is to hide", *map(sum, zip(*counts, strict=True)))
