"""Which paragraph of an original ruling became which paragraph of its anonymized version.

Paragraphs are compared by the words they share, rare words weighing more, labels of an anonymization left out.
The best chain of pairs in order is found first; what moved, was split or joined, or is nothing but a label is
added to it. Each paragraph is compared with a few candidates only, so that the time grows with the text.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from aef.corpus_tools.alignment.conventions import Unit

SIMILAR = 0.45
"""Least similarity of two paragraphs that keep their order; moved ones must reach `MOVED`."""
MOVED = 0.7
_LEAST_MOVED_WORDS = 5
_NEW_WORD = 1.5  # weight of a word the original does not have; one in every paragraph weighs 0.7
_RARE_WORDS, _NEAR, _CANDIDATES = 12, 24, 6


@dataclass(frozen=True, slots=True)
class Pair:
    """Paragraphs that belong together, as block numbers: one each, or several where one was split or some joined."""

    original: tuple[int, ...]
    anonymized: tuple[int, ...]


_Numbers = tuple[list[int], list[int]]  # a pair in the making: numbers of the original, of the anonymized version


class _Words:
    """The words of the paragraphs of both sides, and what each word weighs."""

    def __init__(self, original: Sequence[Sequence[Unit]], anonymized: Sequence[Sequence[Unit]]) -> None:
        self.original = [Counter(u.key for u in p if u.is_word) for p in original]
        known = {w for p in self.original for w in p}
        hides = {u for p in anonymized for u in p if u.label and (u.label.convention.strong or u.key not in known)}
        self.anonymized = [Counter(u.key for u in p if u.is_word and u not in hides) for p in anonymized]
        self.labels = [sum(u in hides for u in p) for p in anonymized]
        self.keys = [tuple(u.key for u in p) for p in original], [tuple(u.key for u in p) for p in anonymized]
        n, frequency = len(self.original), Counter(w for p in self.original for w in p)
        self.weight: dict[str, float] = defaultdict(lambda: _NEW_WORD)
        self.weight.update((w, math.log(1 + n / f)) for w, f in frequency.items())

    def rarest(self, paragraph: Counter[str], places: dict[str, list[int]]) -> list[str]:
        """The words of a paragraph that tell most about where it comes from."""
        return sorted((w for w in paragraph if w in places), key=lambda w: -self.weight[w])[:_RARE_WORDS]

    def size(self, words: Counter[str]) -> float:
        weight = self.weight
        return sum(weight[w] * n for w, n in words.items())

    def resemblance(self, i: int, j: int) -> float:
        """The similarity of two paragraphs by their numbers, a little more than 1 where they are equal to the sign."""
        same = self.keys[0][i] == self.keys[1][j]
        return 1.05 if same else self.similarity(self.original[i], self.anonymized[j])

    def similarity(self, original: Counter[str], anonymized: Counter[str]) -> float:
        """Tversky's index: words the anonymized version adds weigh more than words it lacks, which may be hidden."""
        if original == anonymized:
            return 1.0
        shared = self.size(original & anonymized)
        if not shared:
            return 0.0
        return shared / (shared + 0.8 * self.size(anonymized - original) + 0.3 * self.size(original - anonymized))


def pair_paragraphs(original: Sequence[Sequence[Unit]], anonymized: Sequence[Sequence[Unit]]) -> list[Pair]:
    """The pairs of paragraphs, given as units, in the order of the anonymized version; the rest has no partner."""
    words = _Words(original, anonymized)
    links = dict(_chain(_candidates(words)))
    links.update(_moved(words, links))
    pairs = {a: ([o], [a]) for a, o in links.items()}
    _add_neighbours(words, pairs)
    _add_labels(words, original, anonymized, pairs)
    return [Pair(tuple(sorted(o)), tuple(sorted(a))) for _, (o, a) in sorted(pairs.items())]


def _candidates(words: _Words) -> list[tuple[int, int, float]]:
    """(paragraph of the original, of the anonymized version, similarity), for pairs similar enough."""
    places: dict[str, list[int]] = defaultdict(list)
    for i, paragraph in enumerate(words.original):
        for word in paragraph:
            places[word].append(i)
    scale = len(words.original) / max(1, len(words.anonymized))
    found = []
    for j, paragraph in enumerate(words.anonymized):
        votes: dict[int, float] = defaultdict(float)
        for word in words.rarest(paragraph, places):
            for i in _nearest(places[word], j * scale):
                votes[i] += words.weight[word]
        nearest_first = sorted(votes, key=lambda i: (-round(votes[i], 6), abs(i - j * scale)))
        found += [(i, j, words.resemblance(i, j)) for i in nearest_first[:_CANDIDATES]]
    return [c for c in found if c[2] >= SIMILAR]


def _nearest(places: list[int], middle: float) -> list[int]:
    at = bisect_left(places, middle)
    return places[max(0, at - _NEAR) : at + _NEAR]


def _chain(candidates: list[tuple[int, int, float]]) -> Iterator[tuple[int, int]]:
    """The chain of candidates, ascending on both sides, with the greatest sum; (anonymized, original) numbers."""
    best = _PrefixMaximum(1 + max((i for i, _, _ in candidates), default=0))
    back: list[int] = []
    ordered = sorted(candidates, key=lambda c: (c[1], -c[0]))  # of one j the higher i first: no chain within a j
    for number, (i, _, similarity) in enumerate(ordered):
        total, before = best.below(i)
        back.append(before)
        best.set(i, total + similarity * similarity, number)
    at = best.below(best.size)[1]
    while at >= 0:
        yield ordered[at][1], ordered[at][0]
        at = back[at]


class _PrefixMaximum:
    """The greatest value set at a place below another (Fenwick tree), with the number set with it."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.tree: list[tuple[float, int]] = [(0.0, -1)] * (size + 1)

    def set(self, place: int, value: float, number: int) -> None:
        place += 1
        while place <= self.size:
            if value > self.tree[place][0]:
                self.tree[place] = (value, number)
            place += place & -place

    def below(self, place: int) -> tuple[float, int]:
        best = (0.0, -1)
        while place > 0:
            best = max(best, self.tree[place])
            place -= place & -place
        return best


def _moved(words: _Words, links: dict[int, int]) -> dict[int, int]:
    """Pairs out of order among the paragraphs left over, best first."""
    taken = set(links.values())
    left = [j for j, p in enumerate(words.anonymized) if j not in links and p.total() >= _LEAST_MOVED_WORDS]
    free = [i for i in range(len(words.original)) if i not in taken]
    close = _share_rare(words, left, free)
    scored = [(words.resemblance(i, j), j, i) for j, i in close]
    found: dict[int, int] = {}
    for similarity, j, i in sorted(scored, reverse=True):
        if similarity >= MOVED and j not in found and i not in taken:
            found[j] = i
            taken.add(i)
    return found


def _share_rare(words: _Words, left: list[int], free: list[int]) -> set[tuple[int, int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for i in free:
        for word in words.original[i]:
            places[word].append(i)
    return {(j, i) for j in left for word in words.rarest(words.anonymized[j], places) for i in places[word][:_NEAR]}


def _add_neighbours(words: _Words, pairs: dict[int, _Numbers]) -> None:
    """Join a paragraph without a partner to the pair beside it where that pair holds its words: splits and joins."""
    owner = {j: pair for pair in pairs.values() for j in pair[1]}
    for j in range(len(words.anonymized)):
        for o, a in _beside(owner, j):
            if _is_missing(words, words.anonymized[j], _sum(words.anonymized, a), _sum(words.original, o)):
                a.append(j)
                owner[j] = (o, a)
                break
    owner = {i: pair for pair in pairs.values() for i in pair[0]}
    for i in range(len(words.original)):
        for o, a in _beside(owner, i):
            if _is_missing(words, words.original[i], _sum(words.original, o), _sum(words.anonymized, a)):
                o.append(i)
                owner[i] = (o, a)
                break


def _beside(owner: dict[int, _Numbers], number: int) -> list[_Numbers]:
    """The pairs just before and after a paragraph that has none."""
    return [] if number in owner else [owner[n] for n in (number - 1, number + 1) if n in owner]


def _is_missing(words: _Words, piece: Counter[str], beside: Counter[str], across: Counter[str]) -> bool:
    """Whether much of ``piece`` is what ``across`` has more than ``beside``; what is hidden of it is not found."""
    return piece.total() >= 3 and words.size(piece & (across - beside)) >= 0.4 * words.size(piece)


def _sum(side: list[Counter[str]], numbers: Iterable[int]) -> Counter[str]:
    total: Counter[str] = Counter()
    for n in numbers:
        total.update(side[n])
    return total


def _add_labels(
    words: _Words,
    original: Sequence[Sequence[Unit]],
    anonymized: Sequence[Sequence[Unit]],
    pairs: dict[int, _Numbers],
) -> None:
    """Pair paragraphs of which hardly more than labels is left by their place between two pairs."""
    ends = [(-1, -1), *((max(a), max(o)) for _, (o, a) in sorted(pairs.items())), (len(anonymized), len(original))]
    taken_o = {i for o, _ in pairs.values() for i in o}
    taken_a = {j for _, a in pairs.values() for j in a}
    for (low_j, low_i), (high_j, high_i) in pairwise(ends):
        left_a = [j for j in range(low_j + 1, high_j) if j not in taken_a]
        left_o = [i for i in range(low_i + 1, high_i) if i not in taken_o]
        same_number = len(left_a) == len(left_o)
        for j in left_a:
            for at, i in enumerate(left_o):
                if _is_remainder(words, i, j, len(original[i]), len(anonymized[j]), same_number):
                    pairs[j] = ([i], [j])
                    del left_o[: at + 1]
                    break


def _is_remainder(words: _Words, i: int, j: int, length: int, left: int, same_number: bool) -> bool:
    """Whether paragraph ``j`` may be what is left of ``i``: labels, and nothing that ``i`` has not (where as many
    paragraphs are left over on both sides, a short one may have a word more, such as a legal form)."""
    if not length or not left:
        return length == left
    if not (words.labels[j] or words.anonymized[j]) or length > 6 * left + 6:
        return False
    more = (words.anonymized[j] - words.original[i]).total()
    return more == 0 or (same_number and words.labels[j] > 0 and more <= words.labels[j] and left <= 8)
