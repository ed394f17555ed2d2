"""The model of roles (`aef.role_model`): learned from the open half of the hand-written rulings, and what it is worth.

``python -m aef.experiments.role_model [-o FILE] [--force]``. The table is of people of whom no cue tells anything, by
models that have not seen their style: how many of those who stay would be shown, and how many of those to hide, where
the model is heeded from a probability on. ``-o`` writes the model of all styles.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from aef.commands.common import table
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.files import write_atomic
from aef.corpus_tools.handwritten import rulings
from aef.experiments.data import run_study
from aef.names import PERSON
from aef.privacy import K, Private, private_words
from aef.role_model import PRIVATE, People, RoleModel
from aef.roles import OFFICIAL, roles

PROBABILITIES = (0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8)


@dataclass(frozen=True)
class Person:
    """A person of a hand-written ruling: what the mentions show, the marked class, and whether any cue tells a role."""

    document: str
    style: str
    predicates: frozenset[str]
    role: str
    told: bool


def people(documents: Iterable[Document]) -> list[Person]:
    """Everybody in the documents, by gold mentions and links."""
    return [person for document in documents for person in _of(document)]


def _of(document: Document) -> list[Person]:
    groups: dict[str, list[Mention]] = defaultdict(list)
    for mention in document.mentions:
        if mention.entity_type == PERSON:
            groups[mention.entity_id or ""].append(mention)
    plain = document.with_mentions(replace(m, identifier_type=None, extra={}) for m in document.mentions)
    told = roles(plain)  # the rules of the paper, which do not heed the model
    shown = People(document, groups)
    place = document.doc_id, str(document.meta["style"])
    return [
        Person(*place, shown.predicates(key), _class(mentions[0]), bool(told[key].evidence))
        for key, mentions in groups.items()
    ]


def _class(mention: Mention) -> str:
    role = str(mention.extra["role"])
    return role if role in OFFICIAL and not mention.masked else PRIVATE


def learned(found: Sequence[Person], private: Private) -> RoleModel:
    """From people, without predicates of fewer than `aef.privacy.K` documents or with a private word.

    Most people of whom no cue tells anything are to be hidden; most others stay. The model is for the former.
    """
    counts = Counter(p for p, _ in {(p, person.document) for person in found for p in person.predicates})
    kept = {p for p, times in counts.items() if times >= K and not private.inside(p)}
    model = RoleModel.learned([person.predicates & kept for person in found], [person.role for person in found])
    return model.with_prior(_private([p for p in found if not p.told]), _private(found))


def _private(found: Sequence[Person]) -> float:
    return sum(person.role == PRIVATE for person in found) / len(found)


def unseen(found: Sequence[Person], private: Private) -> list[tuple[Person, float]]:
    """The people of whom no cue tells anything, with the probability that they stay, by a model of other styles."""
    scored = []
    for style in sorted({person.style for person in found}):
        model = learned([p for p in found if p.style != style], private)
        quiet = [p for p in found if p.style == style and not p.told]
        scored += [(p, 1 - model.probabilities(p.predicates)[PRIVATE]) for p in quiet]
    return scored


def rows(scored: Sequence[tuple[Person, float]]) -> list[list[str | int]]:
    """For each probability how many are shown of those who stay, and of those to hide."""
    stay, hide = ([p for person, p in scored if (person.role == PRIVATE) == private] for private in (False, True))
    return [
        [f"{cut:.2f}", sum(p >= cut for p in stay), len(stay), sum(p >= cut for p in hide), len(hide)]
        for cut in PROBABILITIES
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", metavar="FILE", type=Path, help="write the model of all styles")
    parser.add_argument("--force", action="store_true", help="overwrite the file")
    options = parser.parse_args()
    documents = rulings(half="open")
    found, private = people(documents), private_words(documents)
    header = ["from probability", "shown that stay", "of", "shown to hide", "of"]
    print(table(rows(unseen(found, private)), header))
    if options.o:
        write_atomic(options.o, learned(found, private).text(), options.force)


if __name__ == "__main__":
    run_study(main)
