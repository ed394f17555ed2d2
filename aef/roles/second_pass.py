"""The second pass of the model of roles: who stands near whom, and bears whose surname.

Counsel stand in a list of counsel, and a witness is named among witnesses. Once a first model has told of everybody
what they probably are, a second one, over few predicates, weighs that of a person together with what those are who
stand near or right beside the mentions, and who bear the surname; as the second pass over tokens does with names.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from aef.role_features import Named, People, predicates
from aef.role_features.lists import folded
from aef.roles.correction import RoleCorrection
from aef.roles.model import RoleModel

C = 0.03
"""Inverse strength of the L2 penalty, chosen by cross-validation over real judgments."""
_REACH, _MOST, _HALF = 400, 3, 100
"""Up to how many characters, and how many names to each side, others are near; and after how many they count half."""
_BESIDE = 8
"""So few characters between two names, and they stand right beside each other: ", " or " and "."""
_LEAST = 1e-4
"""What is added to a probability before its logarithm is taken."""

Roles = Mapping[str, float]
"""The probability of each class of the model of roles."""
Weights = Mapping[str, Mapping[str, float]]
"""How much each of the others counts for each person."""


@dataclass(frozen=True)
class Around:
    """The people of a ruling by their ids: who is near whom, who right beside, and how each is called by surname."""

    near: Weights
    beside: Weights
    surnames: Mapping[str, frozenset[str]]

    @classmethod
    def of(cls, people: People) -> Around:
        """As a linked document has them."""
        everybody = (named for person in people.by_id.values() for named in person.mentions)
        mentions = sorted(everybody, key=lambda named: (named.low, named.high))
        surnames = {
            key: frozenset(folded(words[-1]) for words in person.form_words if words)
            for key, person in people.by_id.items()
        }
        return cls(_weights(_near(mentions)), _weights(_beside(people, mentions)), surnames)

    def predicates(self, first: Mapping[str, Roles]) -> dict[str, dict[str, float]]:
        """What each person shows to the second model, where the first has told these probabilities of everybody."""
        told = {
            "near": _means(self.near, first),
            "beside": _means(self.beside, first),
            "namesake": self._namesakes(first),
        }
        return {
            key: {f"alone {role}": math.log(p + _LEAST) / 3 for role, p in own.items()}
            | {name: value for relation, of in told.items() for name, value in _shown(relation, of.get(key))}
            for key, own in first.items()
        }

    def _namesakes(self, first: Mapping[str, Roles]) -> dict[str, Roles]:
        """What those are on the mean who bear a surname of somebody; of who has namesakes alone."""
        bearers = Counter(name for names in self.surnames.values() for name in names)
        sums: dict[str, Counter[str]] = defaultdict(Counter)
        for key, names in self.surnames.items():
            for name in names:
                sums[name].update(first[key])
        found: dict[str, Roles] = {}
        for key, names in self.surnames.items():
            if others := sum(bearers[name] - 1 for name in names):
                own, shared = first[key], [sums[name] for name in names]
                found[key] = {r: sum(of[r] - p for of in shared) / others for r, p in own.items()}
        return found


@dataclass(frozen=True)
class Verdict:
    """The probability of each class for a person, and what a model of roles says why."""

    probabilities: Roles
    model: RoleModel
    shown: Mapping[str, float]
    around: Mapping[str, float]
    correction: RoleCorrection | None = None

    def reasons(self, role: str) -> list[str]:
        """The predicates that speak most for a class: of the person, of who is around, and as corrected."""
        of_others = self.model.second.reasons(role=role, shown=self.around) if self.model.second else []
        corrected = self.correction.reasons(self.shown, role) if self.correction else []
        around = (reason for reason in of_others if not reason.startswith("alone "))
        return [*self.model.reasons(self.shown, role), *around, *corrected]

    def corrected(self, correction: RoleCorrection) -> Verdict:
        """As the corrected rulings of a court have it."""
        probabilities = correction.applied(self.probabilities, self.shown)
        return replace(self, probabilities=probabilities, correction=correction)


def verdicts(model: RoleModel, people: People, correction: RoleCorrection | None = None) -> dict[str, Verdict]:
    """What a model of roles says of each of the people, with its second pass if it has one."""
    shown = {key: predicates(person) for key, person in people.by_id.items()}
    first: dict[str, Roles] = {key: model.probabilities(looks) for key, looks in shown.items()}
    around = Around.of(people).predicates(first) if model.second else {key: {} for key in shown}
    last = {key: model.second.probabilities(around[key]) for key in shown} if model.second else first
    found = {key: Verdict(last[key], model, shown[key], around[key]) for key in shown}
    return {key: v.corrected(correction) for key, v in found.items()} if correction else found


def _near(mentions: Sequence[Named]) -> Iterator[tuple[str, str, float]]:
    """For each mention the next names to each side that are others', and how much they count."""
    for place, named in enumerate(mentions):
        for side in (range(place - 1, -1, -1), range(place + 1, len(mentions))):
            left = _MOST
            for other in map(mentions.__getitem__, side):
                gap = _gap(named, other)
                if gap > _REACH or not left:
                    break
                if other.key != named.key:
                    left -= 1
                    yield named.key, other.key, 2.0 ** (-gap / _HALF)


def _beside(people: People, mentions: Sequence[Named]) -> Iterator[tuple[str, str, float]]:
    """For each mention the others' right beside it."""
    for named in mentions:
        for other in people.beside.get(named.place, ()):
            if _gap(named, other) <= _BESIDE:
                yield named.key, other.key, 1.0


def _gap(one: Named, other: Named) -> int:
    """How many characters are between two mentions."""
    return max(other.low - one.high, one.low - other.high)


def _weights(found: Iterable[tuple[str, str, float]]) -> dict[str, dict[str, float]]:
    weights: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for key, other, weight in found:
        weights[key][other] += weight
    return {key: dict(others) for key, others in weights.items()}


def _means(weights: Weights, first: Mapping[str, Roles]) -> dict[str, Roles]:
    """What the others are on the mean, by their weights; of who has others alone."""
    totals = {key: sum(others.values()) for key, others in weights.items()}
    return {
        key: {r: sum(w * first[o][r] for o, w in others.items()) / totals[key] for r in first[key]}
        for key, others in weights.items()
    }


def _shown(relation: str, roles: Roles | None) -> Iterator[tuple[str, float]]:
    if roles is not None:
        yield relation, 1.0
        yield from ((f"{relation} {role}", probability) for role, probability in roles.items())
