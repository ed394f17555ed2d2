"""The features of roles by name: what each is a function of, and how its values become predicates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from aef.role_features.view import Named, Somebody

Values = Iterable[str]


@dataclass(frozen=True)
class RoleFeature:
    """A function with a name; ``of`` is ``mention`` or ``person``.

    ever : whether a person with one mention that shows a predicate shows "ever: ..." as a whole.
    quotes : whether its values are words of the ruling, so that a model may keep public ones alone.
    """

    name: str
    of: str
    function: Callable[[Any], Values]
    ever: bool = False
    quotes: bool = False

    @property
    def help(self) -> str:
        return (self.function.__doc__ or "").split("\n")[0]

    def predicates(self, of: Named | Somebody) -> list[str]:
        """The predicates that a mention or person shows: the feature's name, and the value where it has one."""
        return [f"{self.name} {value}" if value else self.name for value in self.function(of)]


FEATURES: dict[str, RoleFeature] = {}


def of_mention(
    ever: bool = False, quotes: bool = False
) -> Callable[[Callable[[Named], Values]], Callable[[Named], Values]]:
    """Registers a feature of a mention: a function from it to the values that it shows; "" where there is but one."""
    return lambda function: _registered(function, RoleFeature(_name(function), "mention", function, ever, quotes))


def of_person(quotes: bool = False) -> Callable[[Callable[[Somebody], Values]], Callable[[Somebody], Values]]:
    """Registers a feature of a person with all mentions."""
    return lambda function: _registered(function, RoleFeature(_name(function), "person", function, quotes=quotes))


def predicates(somebody: Somebody) -> dict[str, float]:
    """What the mentions of a person show, and how many of them do."""
    shares: dict[str, int] = {}
    whole: list[str] = []
    for mention in somebody.mentions:
        for feature in _OF_MENTIONS:
            shown = dict.fromkeys(feature.predicates(mention))
            for predicate in shown:
                shares[predicate] = shares.get(predicate, 0) + 1
            if feature.ever:
                whole += [f"ever: {predicate}" for predicate in shown]
    for feature in _OF_PERSONS:
        whole += feature.predicates(somebody)
    most = len(somebody.mentions)
    return {name: math.sqrt(number / most) for name, number in shares.items()} | dict.fromkeys(whole, 1.0)


def feature_of(predicate: str) -> RoleFeature:
    """The feature that a predicate is of.

    >>> feature_of("ever: cue judge before 2").name, feature_of("initials alone").name
    ('cue', 'initials alone')
    """
    words = predicate.removeprefix("ever: ").split(" ")
    return next(FEATURES[name] for end in range(len(words), 0, -1) if (name := " ".join(words[:end])) in FEATURES)


_OF_MENTIONS: list[RoleFeature] = []
_OF_PERSONS: list[RoleFeature] = []


def _name(function: Callable[[Any], Values]) -> str:
    return function.__name__.replace("_", " ")


def _registered(function: Callable[[Any], Values], feature: RoleFeature) -> Callable[[Any], Values]:
    if feature.name in FEATURES or not feature.help:
        raise ValueError(f"the feature {feature.name!r} is there twice, or has no docstring")
    FEATURES[feature.name] = feature
    (_OF_MENTIONS if feature.of == "mention" else _OF_PERSONS).append(feature)
    return function
