"""What stands around the names of persons tells of their roles: all of it, name by name, and what names share."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise

from aef.citations.works import again, of_book, refers
from aef.collector import collector_paused
from aef.context.before import evidence_before
from aef.context.behind import evidence_behind
from aef.context.case_titles import evidence_of_case
from aef.context.cues import SUGGESTED, TOLD, WORDS, calendar
from aef.context.evidence import Evidence, goes_back, goes_on, is_citation, of_the_name_itself
from aef.context.judicial_panel import judicial_panels
from aef.context.labels import evidence_of_label, evidence_of_lines
from aef.context.ruling import Context, Place

_TOGETHER = re.compile(r"[\s\"”)]*(?:,|;|and|&|y|e|et|@|,\s*and)\s*(?:[-\w.]+\.\s+)?", re.IGNORECASE)
_WITNESS_NUMBER = re.compile(r"\s*\(\s*[PDCR]\.?\s?W\.?[- ]?\d+\s*\)(?=,|\s\()")
"""The number of a witness behind a name, before what the witness is: "Ann Roe (PW-5), ..."."""
_NOT_SITTING = ("official", "party", "relative", "child", "witness")
"""What somebody is told to be who stands among judges without being one."""
_CLAUSE = re.compile(r"\s+(?:by|was|were|is|did|does|had|has|who|in\s+person|for|represented|appeared|said)\b")


class Surroundings(Context):
    """What stands around the mentions of persons of a document, and what it tells of their roles."""

    @cached_property
    @collector_paused()
    def evidence(self) -> dict[tuple[int, int], list[Evidence]]:
        """The evidence of each mention, by its place; names side by side share what stands behind the last one."""
        own = self._own()
        shared = self._shared(own)
        found = {place: list(dict.fromkeys(own[place] + shared[place])) for place in own}
        for place, evidence in self._cited_again(found):
            found[place].append(evidence)
        return found

    def _own(self) -> dict[Place, list[Evidence]]:
        """What stands around each mention, and the bench that it sits on."""
        own = {place: of_the_name_itself(list(self._around(*self.places[place]))) for place in self.ordered}
        for place, told in own.items():
            sitting = self._sitting.get(self.places[place])
            if sitting and not any(e.role in _NOT_SITTING and e.weight > SUGGESTED for e in told):
                told.append(sitting)
        return own

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
            alone = _CLAUSE.match(self.text, right[1]) is not None
            shared[right] += [e for e in own[left] + shared[left] if goes_on(e, alone)]
        return shared

    def _cited_again(self, found: Mapping[Place, list[Evidence]]) -> Iterator[tuple[Place, Evidence]]:
        """The mentions that nothing is told of, and that call by a name a case cited elsewhere: "(Roe, § 43)"."""
        cited = [self._name(place) for place, told in found.items() if any(map(is_citation, told))]
        for place in [p for p, told in found.items() if not told and any(self._name(p) <= name for name in cited)]:
            low, high = self.places[place]
            before, behind = self.windows(low, high)
            cue = None if self.titled(before) else again(before, behind)
            if cue:
                yield place, Evidence("cited", cue, "citation", high)

    def _name(self, place: Place) -> frozenset[str]:
        low, high = self.places[place]
        return frozenset(WORDS.findall(self.text[low:high].casefold()))

    def _around(self, low: int, high: int) -> Iterator[Evidence]:
        before, behind = self.windows(low, high)
        case = list(evidence_of_case(self, low, high, before, behind))
        yield from case
        if any(e.role == "cited" and e.weight > SUGGESTED for e in case):
            return
        if numbered := _WITNESS_NUMBER.match(behind):
            high, behind = high + numbered.end(), behind[numbered.end() :]
        if book := of_book(self.text, low, high, calendar(self.document.language).__contains__):
            yield Evidence("author", book[0], "book", high, TOLD if book[1] else SUGGESTED)
            if book[1]:
                return
        labelled = list(evidence_of_label(self, low, high))
        yield from labelled
        if not any(e.role != "party" for e in labelled):
            yield from evidence_before(self, low, before)
        yield from evidence_behind(self, low, high, behind)
        if known := self._known_author(low, high, before):
            yield Evidence("author", known, "book", low, SUGGESTED)
        yield from evidence_of_lines(self, low, high)
        if self.in_party_line(low):
            yield Evidence("party", "a line of parties", "head", low, SUGGESTED)

    def _known_author(self, low: int, high: int, before: str) -> str | None:
        """A surname that names a book wherever rulings cite, in a reference."""
        name = self.text[low:high]
        known = "known" in self.cues and self.cues["known"].meaning(name) is not None
        return name if known and not self.in_head(low) and not self.titled(before) and refers(before) else None

    @cached_property
    def _sitting(self) -> dict[tuple[int, int], Evidence]:
        """What tells that somebody is of the bench that the head lists."""
        p = self.forms
        if not self.cues["seat"].told:
            return {}
        found = judicial_panels(self.text, sorted(self.places.values()), p["bench"], p["seats"], p["gap"])
        return {place: Evidence("judge", cue, "bench", start) for place, cue, start in found}
