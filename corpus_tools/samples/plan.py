"""The outline of a ruling: which topics, in which order, with which units, for about a wanted number of words."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field

from aef.corpus_tools.samples.case import Case
from aef.corpus_tools.samples.expand import expand
from aef.corpus_tools.samples.prose import Unit, topics

_PARENTING = ("children", "schooling", "conduct", "experts", "relocation", "grandparents")
_MONEY = ("childsupport", "spousal", "property", "business", "house", "debts", "agreement", "disclosure")
_NEEDS = {
    **dict.fromkeys((*_PARENTING, "custody", "childsupport"), "kids"),
    "business": "company", "house": "house", "interim": "interim",
}  # fmt: skip
_SHARES = {"row": 0.75, "quote": 0.5}  # rulings with a table, with a quotation
_WORDS_A_TOPIC = 210


@dataclass
class Outline:
    """The sections of a ruling and their units. ``usage`` counts the units a batch has used: seldom used ones first."""

    case: Case
    rng: random.Random
    usage: Counter[str]
    sections: list[str] = field(default_factory=list)
    units: dict[str, list[Unit]] = field(default_factory=dict)
    added: list[Unit] = field(default_factory=list)
    lengths: dict[Unit, int] = field(default_factory=dict)

    def ordered(self, topic: str) -> list[Unit]:
        return sorted(self.units[topic], key=lambda unit: unit.stage)

    def add(self, topic: str, unit: Unit) -> None:
        self.units[topic].append(unit)
        self.usage[unit.uid] += 1

    def grow(self) -> bool:
        """One more unit where there is most room; False when nothing is left to tell."""
        open_topics = [(self._filled(topic), topic) for topic in self.sections if self._free(topic, must=False)]
        if not open_topics:
            return False
        topic = min(open_topics)[1]
        unit = self._pick(self._free(topic, must=False))
        self.add(topic, unit)
        self.added.append(unit)
        return True

    def resize(self, words: int) -> bool:
        """Grow, or take back the units added last, by about so many words; False when nothing can be done."""
        changed = False
        while words > 0 and self.grow():
            words, changed = words - self.length(self.added[-1]), True
        while words < 0 and self.added:
            unit = self.added.pop()
            self.units[unit.topic].remove(unit)
            self.usage[unit.uid] -= 1
            words, changed = words + self.length(unit), True
        return changed

    def _filled(self, topic: str) -> float:
        weight = {"intro": 0.3, "background": 1.7, "custody": 1.4, "costs": 0.3, "credibility": 0.6, "interim": 0.5}
        return sum(map(self.length, self.units[topic])) / weight.get(topic, 1.0)

    def _free(self, topic: str, must: bool) -> list[Unit]:
        told = {unit for units in self.units.values() for unit in units}
        groups = {unit.group for unit in told if unit.group}
        return [
            unit
            for unit in topics()[topic].units
            if unit.must == must
            and unit not in told
            and unit.group not in groups
            and all(self.case.holds(need) for need in unit.needs)
        ]

    def _pick(self, units: list[Unit]) -> Unit:
        return self.rng.choices(units, [0.15 ** self.usage[unit.uid] for unit in units])[0]

    def must(self, topic: str) -> None:
        """The units a section cannot do without, and echoes of the names in the case."""
        while free := self._free(topic, must=True):
            self.add(topic, self._pick(free))

    def include(self, kind: str) -> None:
        """A unit with a line of this kind, where one fits."""
        fitting = [u for t in self.sections for u in self._free(t, must=False) if any(k == kind for k, _ in u.lines)]
        if fitting:
            unit = self._pick(fitting)
            self.add(unit.topic, unit)

    def length(self, unit: Unit) -> int:
        """About how many words a unit will have."""
        if unit not in self.lengths:
            rng = random.Random(unit.uid)
            self.lengths[unit] = sum(len(expand(line.text, rng, self.case).split()) for line in unit.lines)
        return self.lengths[unit]

    @property
    def words(self) -> int:
        """About how many words the units told so far will have."""
        return sum(self.length(unit) for units in self.units.values() for unit in units)


def outline(case: Case, rng: random.Random, usage: Counter[str], words: int) -> Outline:
    """An outline of about ``words`` words."""
    plan = Outline(case, rng, usage)
    plan.sections = _sections(case, rng, words)
    case.flags.update(f"t_{topic}" for topic in plan.sections)
    plan.units = {topic: [] for topic in plan.sections}
    for topic in plan.sections:
        plan.must(topic)
    for kind, chance in _SHARES.items():
        if rng.random() < chance:
            plan.include(kind)
    plan.resize(words - plan.words)
    return plan


def _sections(case: Case, rng: random.Random, words: int) -> list[str]:
    count = max(2, round((words - 330) / _WORDS_A_TOPIC))
    possible = [t for t in (*_PARENTING, *_MONEY) if case.holds(_NEEDS.get(t, case.province))]
    chosen = rng.sample(possible, min(count, len(possible)))
    if case.holds("kids") and not set(chosen) <= set(_PARENTING):
        chosen = chosen[:-1] if len(chosen) > 2 else chosen
    parenting = [t for t in chosen if t in _PARENTING]
    if case.holds("kids") and (parenting or rng.random() < 0.5):
        parenting.append("custody")
    blocks = [parenting, [t for t in chosen if t in _MONEY]]
    if rng.random() < 0.3:
        blocks.reverse()
    before = [t for t in ("interim", "credibility") if case.holds(_NEEDS.get(t, case.province)) and rng.random() < 0.4]
    costs = ["costs"] if rng.random() < 0.7 else []
    return ["intro", "background", *before, *blocks[0], *blocks[1], *costs, "disposition"]
