"""Voting: one document's mentions by several annotators become one set (SAROJ's combination of annotators).

The vote is taken on characters, so that a pattern may hide a part of a token: each stretch that the same mentions
cover is hidden or not. The ground set are the letters and digits of the text; as sets of them

- ``add`` is the union, ``intersection`` what all found, ``majority`` what more than half of them found,
- ``difference`` is what the first found and none of the others,
- ``weighted`` is where the weighted mean of the probabilities (0 where an annotator found nothing) reaches a threshold,

so that intersection lies within majority, and majority within add. What was one mention of a voter stays one as far as
it is hidden; its type is that of most of its characters, weighted by probability.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from aef.annotators.overlap import probability, provenance, trim
from aef.corpus_tools.document import Document, Mention

Votes = Sequence[Sequence[Mention]]
"""The mentions at a place, by voter."""


@dataclass(frozen=True, slots=True)
class Ballot:
    """How the votes are counted. ``weights``: one a voter (none: all alike); ``threshold``: of a weighted vote."""

    rule: str
    weights: tuple[float, ...] = ()
    threshold: float = 0.5

    def chosen(self, votes: Votes) -> bool:
        """Whether what these mentions cover is hidden."""
        return RULES[self.rule](self, votes)

    def score(self, votes: Votes) -> float:
        """The weighted mean of the voters' probabilities."""
        weights = self.weights or (1.0,) * len(votes)
        best = (max(map(probability, found), default=0.0) for found in votes)
        return sum(w * p for w, p in zip(weights, best, strict=True)) / sum(weights)


RULES: dict[str, Callable[[Ballot, Votes], bool]] = {
    "add": lambda ballot, votes: any(votes),
    "majority": lambda ballot, votes: 2 * sum(map(bool, votes)) > len(votes),
    "intersection": lambda ballot, votes: all(votes),
    "difference": lambda ballot, votes: bool(votes[0]) and not any(votes[1:]),
    "weighted": lambda ballot, votes: any(votes) and ballot.score(votes) >= ballot.threshold - 1e-9,
}
"""Whether the mentions at a place, by voter, hide it."""


def vote(document: Document, voters: Sequence[Iterable[Mention]], ballot: Ballot) -> Document:
    """The document with what the voters decide, in mentions that do not overlap; their own tokens and text stay."""
    decided: list[Mention] = []
    for run in _runs([list(mentions) for mentions in voters], ballot):
        decided += _mentions(document, run, ballot)
    return document.with_mentions(decided)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Characters that the same mentions cover."""

    start: int
    end: int
    votes: Votes

    @property
    def mentions(self) -> list[Mention]:
        return [mention for found in self.votes for mention in found]


def _stretches(voters: Sequence[list[Mention]]) -> Iterator[_Stretch]:
    """The text from one end of a mention to the next, where there is a mention."""
    events: dict[int, list[tuple[bool, int, Mention]]] = defaultdict(list)
    for number, mentions in enumerate(voters):
        for mention in mentions:
            if mention.start < mention.end:
                events[mention.start].append((True, number, mention))
                events[mention.end].append((False, number, mention))
    active: list[list[Mention]] = [[] for _ in voters]
    last = 0
    for place in sorted(events):
        if any(active):
            yield _Stretch(last, place, [list(found) for found in active])
        for begins, number, mention in events[place]:
            if begins:
                active[number].append(mention)
            else:
                active[number].remove(mention)
        last = place


def _runs(voters: Sequence[list[Mention]], ballot: Ballot) -> Iterator[list[_Stretch]]:
    """Neighbouring stretches that are hidden, each joined to the last by a mention that reaches over both."""
    run: list[_Stretch] = []
    for stretch in _stretches(voters):
        if not ballot.chosen(stretch.votes):
            continue
        if run and not (run[-1].end == stretch.start and any(m.start < stretch.start for m in stretch.mentions)):
            yield run
            run = []
        run.append(stretch)
    if run:
        yield run


def _mentions(document: Document, run: list[_Stretch], ballot: Ballot) -> Iterator[Mention]:
    """The run as one mention, like the most probable of those in it, of the type that most of it has."""
    found = [m for stretch in run for m in stretch.mentions]
    kind = _type(run)
    best = max((m for m in found if m.entity_type == kind), key=lambda m: (probability(m), m.end - m.start))
    score = max(ballot.score(s.votes) if ballot.rule == "weighted" else max(map(probability, s.mentions)) for s in run)
    extra = {**best.extra, "by": provenance(found)}
    whole = replace(best, start=run[0].start, end=run[-1].end, probability=min(score, 1.0), extra=extra)
    if (whole.start, whole.end) == (best.start, best.end):
        yield whole
    elif (trimmed := trim(document.text, whole)) is not None:
        yield trimmed


def _type(run: list[_Stretch]) -> str | None:
    weights: dict[str | None, float] = defaultdict(float)
    for stretch in run:
        for mention in stretch.mentions:
            weights[mention.entity_type] += (stretch.end - stretch.start) * (probability(mention) + 1e-6)
    known = {kind: weight for kind, weight in weights.items() if kind is not None} or weights
    return max(known, key=lambda kind: known[kind])
