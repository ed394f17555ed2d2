"""What a finder may be asked for: which learner with which features, how strong a penalty, which preset."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

import numpy as np

from aef.errors import InputError
from aef.features import resolve

Tick = Callable[[], object]
"""What is called after each step of long work, for who watches."""

LEARNERS = ("maxent", "crf")
"""What may learn which tokens to hide."""

DRAWN = frozenset(("maxent", solver) for solver in ("newton-cg", "lbfgs", "liblinear"))
"""Which learners learn fast enough to try penalties, and have one."""

STRENGTHS = (0.5, 0.2)
"""Inverse strengths of the L2 penalty to choose from; the second is for labels that differ from ruling to ruling."""

STRENGTHS_AROUND = (0.1, 0.05)
"""The same where the tokens beside tell, too: of thrice as many predicates each is to weigh less."""

GROWTH = 0.2
"""To which power of how often a predicate is seen its penalty grows, see `grows`."""

TWO_PASSES = frozenset([("person", "maxent"), ("names", "maxent")])
"""What is done in two passes unasked: a chain has seen its neighbours already, and `all` gains nothing."""


def set_for(target: str, learner: str) -> str:
    """The feature set where none is asked for; a chain weighs the tokens beside by itself."""
    return "wide" if (target, learner) == ("all", "maxent") else "rich"


def checked_learner(learner: str, features: Sequence[str]) -> str:
    if learner not in LEARNERS:
        raise InputError(f"learner '{learner}': there are {', '.join(LEARNERS)}")
    sequential = [name for name in features if resolve(name).sequential]
    if learner == "crf" and sequential:
        raise InputError(
            f"features that look at the labels before ({', '.join(sequential)}) do not go with the learner 'crf', "
            "which weighs neighbouring labels itself. Leave them out, or take the learner 'maxent'"
        )
    return learner


def two_passes(asked: bool | None, target: str, learner: str, features: Sequence[str]) -> bool:
    """Whether there is a second pass. Raises `InputError` where one is asked for that these features cannot have."""
    sequential = [name for name in features if resolve(name).sequential]
    if asked and sequential:
        raise InputError(f"a second pass needs features that do not look at labels, unlike {sequential[0]}")
    return not sequential and ((target, learner) in TWO_PASSES if asked is None else asked)


def looks_around(features: Sequence[str]) -> bool:
    """Whether the tokens beside tell, too."""
    return any(resolve(name).offset for name in features)


def grows(target: str, features: Sequence[str], language: str) -> bool:
    """Whether common predicates are to weigh less: where the tokens beside tell, too, and for names of people in
    English, by real judgments; in other languages it was not measured."""
    return looks_around(features) or (target, language) == ("names", "en")


def strengths(learner: str, solver: str, features: Sequence[str]) -> tuple[float, ...]:
    """The inverse strengths of the penalty to choose from."""
    found = STRENGTHS_AROUND if looks_around(features) else STRENGTHS
    return found if (learner, solver) in DRAWN else found[:1]


def checked_preset(preset: str, known: Collection[str]) -> str:
    if preset not in known:
        there = f"there are {', '.join(known)}" if known else "it has none: it was trained with a given threshold"
        raise InputError(f"preset '{preset}' is not in the model: {there}")
    return preset


def log_odds_of(threshold: float) -> float:
    if not 0 < threshold < 1:
        raise InputError(f"threshold {threshold}: a probability between 0 and 1 is wanted")
    return float(np.log(threshold / (1 - threshold)))
