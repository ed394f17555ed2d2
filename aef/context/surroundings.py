"""What stands around the names of persons tells of their roles: all of it, name by name, and what names share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from aef.collector import collector_paused
from aef.context.before import evidence_before
from aef.context.behind import evidence_behind
from aef.context.case_titles import evidence_of_case
from aef.context.cues import SUGGESTED
from aef.context.evidence import Evidence, goes_back, goes_on, of_the_name_itself
from aef.context.ruling import Context, Place

_TOGETHER = re.compile(r"[\s\"”)]*(?:,|;|and|&|y|e|et|@|,\s*and)\s*(?:[-\w.]+\.\s+)?", re.IGNORECASE)


class Surroundings(Context):
    """What stands around the mentions of persons of a document, and what it tells of their roles."""

    @cached_property
    @collector_paused()
    def evidence(self) -> dict[tuple[int, int], list[Evidence]]:
        """The evidence of each mention, by its place; names side by side share what stands behind the last one."""
        own = {place: of_the_name_itself(list(self._around(*self.places[place]))) for place in self.ordered}
        shared = self._shared(own)
        return {place: list(dict.fromkeys(own[place] + shared[place])) for place in own}

    def _shared(self, own: Mapping[Place, list[Evidence]]) -> dict[Place, list[Evidence]]:
        """What each mention has from the names beside it."""
        shared: dict[Place, list[Evidence]] = {place: [] for place in own}
        beside = [
            (left, right)
            for left, right in pairwise(self.ordered)
            if left[1] <= right[0] and _TOGETHER.fullmatch(self.text, left[1], right[0])
        ]
        for left, right in reversed(beside):
            shared[left] += [e for e in own[right] + shared[right] if goes_back(e)]
        for left, right in beside:
            shared[right] += [e for e in own[left] + shared[left] if goes_on(e)]
        return shared

    def _around(self, low: int, high: int) -> Iterator[Evidence]:
        before, behind = self.windows(low, high)
        case = list(evidence_of_case(self, low, high, before, behind))
        yield from case
        if any(e.role == "cited" and e.weight > SUGGESTED for e in case):
            return
        yield from evidence_before(self, low, before)
        yield from evidence_behind(self, low, high, behind)
        if self.in_party_line(low):
            yield Evidence("party", "a line of parties", "head", low, SUGGESTED)
