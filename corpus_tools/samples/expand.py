"""Deciding the alternatives of a template; the slots are left for `Teller`.

- ``[a|b|]``: one of the alternatives; one may begin with conditions on the case (``bc?``, ``!kids,house?``);
- ``[~2 a|b|c]``: two of them in random order (``[~a|b]``: all);
- ``<child|children>``: singular or plural by the number of children.
"""

from __future__ import annotations

import random
import re

from aef.corpus_tools.invented.expand import CHOICE
from aef.corpus_tools.samples.case import Case

_CONDITION = re.compile(r"((?:!?[a-z]\w*,)*!?[a-z]\w*)\?")
_COUNTED = re.compile(r"<([^<>|]*)\|([^<>|]*)>")
_NEW_SENTENCE = re.compile(r"((?:[a-z]{3}|\d|[)\"'%])[.?!][\"')]*\s+[\"(]?)([a-z])")


def expand(template: str, rng: random.Random, case: Case) -> str:
    """The template with every alternative decided, single blanks, and capitals at the beginnings of sentences."""
    text, before = _COUNTED.sub(lambda m: m[2] if len(case.children) > 1 else m[1], template), ""
    while text != before:
        before, text = text, CHOICE.sub(lambda m: _choose(m[1].split("|"), rng, case), text)
    text = " ".join(text.split())
    for sign in ",.;:?!":
        text = text.replace(f" {sign}", sign)
    return _NEW_SENTENCE.sub(lambda m: m[1] + m[2].upper(), text)


def _choose(alternatives: list[str], rng: random.Random, case: Case) -> str:
    shuffle, number = alternatives[0].startswith("~"), ""
    if shuffle:
        bare = alternatives[0][1:].lstrip("0123456789")
        number = alternatives[0][1 : len(alternatives[0]) - len(bare)]
        alternatives[0] = bare.lstrip()
    held = [text for text in (_if_holds(a, case) for a in alternatives) if text is not None]
    if shuffle:
        wanted = int(number or len(held))
        return " ".join(rng.sample(held, min(len(held), wanted)))
    return rng.choice(held) if held else ""


def _if_holds(alternative: str, case: Case) -> str | None:
    condition = _CONDITION.match(alternative)
    if not condition:
        return alternative
    return alternative[condition.end() :] if all(map(case.holds, condition[1].split(","))) else None
