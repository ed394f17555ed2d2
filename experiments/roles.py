"""Who is hidden: the decision of a policy for each person of the hand-written rulings, against the marked house rule.

``python -m aef.experiments.roles [--half open|closed|all] [--language en] [--policy NAME] [--errors] [--json FILE]``.
Mentions and entity ids are the gold ones, so that nothing but roles and the decision is measured. A person is a
cluster; those whose house rule is to hide make recall, those who are hidden make precision; then roles by marked role,
and by style.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from aef.commands.common import table
from aef.corpus_tools.document import Document
from aef.corpus_tools.files import write_atomic
from aef.corpus_tools.handwritten import languages, rulings
from aef.experiments.data import run_study
from aef.names.parts import PERSON
from aef.roles.policy import DEFAULT, SHOW, Policy, decisions, load_policy

HIDDEN_WANTED, RIGHTLY_WANTED = 0.95, 0.85


@dataclass(frozen=True)
class Person:
    """A person of a ruling: the marked role and whether the house hides; the role found, the decision and why."""

    style: str
    document: str
    marked: str
    hide: bool
    role: str
    hidden: bool
    name: str
    evidence: tuple[str, ...]


def judged(documents: Iterable[Document], policy: Policy) -> Iterator[Person]:
    """Every person of the rulings with the decision of the policy; the marked role is not looked at for it."""
    for document in documents:
        gold = {m.entity_id: m for m in document.mentions if m.entity_type == PERSON}
        for decision in decisions(_unmarked(document), policy):
            role = decision.role
            if role.entity_id in gold:
                mark = gold[role.entity_id]
                style, told = str(document.meta["style"]), tuple(map(str, role.evidence))
                found = (role.role, decision.action != SHOW, str(mark.extra["name"]), told)
                yield Person(style, document.doc_id, str(mark.extra["role"]), mark.masked, *found)


def _unmarked(document: Document) -> Document:
    """The document without roles and decisions."""
    from dataclasses import replace

    return document.with_mentions(replace(m, identifier_type=None, extra={}) for m in document.mentions)


def figures(people: Iterable[Person]) -> dict[str, float]:
    """Persons, the share of those to hide that are hidden, of the hidden that are to hide, of right decisions."""
    counts = Counter((p.hide, p.hidden) for p in people)
    both, missed, wrongly = counts[True, True], counts[True, False], counts[False, True]
    return {
        "persons": counts.total(),
        "to hide": both + missed,
        "hidden %": _share(both, both + missed),
        "rightly %": _share(both, both + wrongly),
        "right %": _share(both + counts[False, False], counts.total()),
    }


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def confusion(people: Iterable[Person]) -> Counter[tuple[str, str]]:
    """How often a marked role was found as which one."""
    return Counter((p.marked, p.role) for p in people)


def _by_style(people: list[Person]) -> str:
    styles = sorted({p.style for p in people})
    groups = [(style, [p for p in people if p.style == style]) for style in styles] + [("all", people)]
    rows = [[style, *figures(group).values()] for style, group in groups]
    return table(rows, ["style", *figures(people)])


def _confusion(people: list[Person]) -> str:
    counts = confusion(people)
    found = sorted({role for _, role in counts})
    marked = sorted({role for role, _ in counts})
    rows = [[role, *(counts[role, other] or "" for other in found)] for role in marked]
    return table(rows, ["marked \\ found", *found])


def _errors(people: list[Person]) -> str:
    wrong = [p for p in people if p.hide != p.hidden]
    return "\n".join(
        f"{p.document}: {p.name}, {p.marked}, {'shown' if p.hide else 'hidden'} as {p.role}: {'; '.join(p.evidence)}"
        for p in wrong
    )


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    """Print the tables; return the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["open", "closed", "all"], default="open")
    parser.add_argument("--language", default="en", choices=languages(), help="of the rulings (default: en)")
    parser.add_argument("--policy", default=DEFAULT)
    parser.add_argument("--errors", action="store_true", help="list the persons decided otherwise than marked")
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    chosen = parser.parse_args(arguments)
    documents = rulings(half=None if chosen.half == "all" else chosen.half, language=chosen.language)
    people = list(judged(documents, load_policy(chosen.policy)))
    print(_by_style(people), _confusion(people), sep="\n\n")
    if chosen.errors:
        print(f"\n{_errors(people)}")
    result = {"all": figures(people), "confusion": {f"{a} as {b}": n for (a, b), n in confusion(people).items()}}
    if chosen.json:
        write_atomic(chosen.json, json.dumps(result, indent=2) + "\n", force=True)
    return result


if __name__ == "__main__":
    run_study(main)
