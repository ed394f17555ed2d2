"""Templates: ``[this|that|]`` is one of the alternatives, ``{name}`` a slot that a resolver fills."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

CHOICE = re.compile(r"\[([^\[\]]*)\]")
_SLOT = re.compile(r"\{([^{}|]+)\}")
RAISED = "\x01"
"""Stands before a word that takes a capital where it begins a sentence (`raise_capitals`)."""

_RAISE = re.compile(rf"(^|[.?!:]['\"”’)]?\s+|\n\s*|[“\"]|^[\[(¶]*\d*[\].)]*\s+|\|\s*){RAISED}(\w)", re.MULTILINE)


def choose(template: str, rng: random.Random) -> str:
    """The template with one of each of its alternatives.

    >>> choose("a [b|b] c", random.Random(0))
    'a b c'
    """
    while match := CHOICE.search(template):
        chosen = rng.choice(match[1].split("|"))
        template = template[: match.start()] + chosen + template[match.end() :]
    return template


def expand(template: str, rng: random.Random, fill: Callable[[str], str]) -> str:
    """The template with its alternatives chosen and then, from left to right, its slots filled."""
    return filled(choose(template, rng), fill)


def filled(template: str, fill: Callable[[str], str]) -> str:
    """The template with its slots filled, from left to right."""
    return _SLOT.sub(lambda slot: fill(slot[1]), template)


def raise_capitals(text: str) -> str:
    """Capitals for the marked words that begin a sentence; the marks go.

    >>> raise_capitals("Yes. \\x01the court sat with \\x01the jury")
    'Yes. The court sat with the jury'
    """
    return _RAISE.sub(lambda m: m[1] + m[2].upper(), text).replace(RAISED, "")
