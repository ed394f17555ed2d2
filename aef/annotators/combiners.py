"""Steps of a pipeline that find nothing themselves: votes, corrections, unification, overlaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from aef.annotators.overlap import POLICIES, apart
from aef.annotators.settings import Settings
from aef.annotators.voting import RULES, Ballot, vote
from aef.corpus_tools.document import Document

Apply = Callable[[Document, Sequence[Document]], Document]
"""From the ruling and the results of the steps that a step works on."""
Examples = Callable[[], Iterator[str]]
"""Of a step's patterns or rules: those that come out otherwise than they say."""


def _no_examples() -> Iterator[str]:
    return iter(())


def _vote(table: Settings, of: tuple[str, ...]) -> tuple[Apply, Examples]:
    rule = table.choice("rule", tuple(RULES))
    if rule != "weighted" and (table.has("weights") or table.has("threshold")):
        raise table.error(f"weights and a threshold do not go with rule '{rule}'", 'Write rule = "weighted"')
    ballot = Ballot(rule, table.numbers("weights"), table.share("threshold", 0.5))
    if ballot.weights and (len(ballot.weights) != len(of) or min(ballot.weights) < 0 or not sum(ballot.weights)):
        raise table.error(f"{len(ballot.weights)} weights for {len(of)} steps", "Give one above 0 for each of them")

    def apply(document: Document, results: Sequence[Document]) -> Document:
        return vote(document, [result.mentions for result in results], ballot)

    return apply, _no_examples


def _correct(table: Settings, _: tuple[str, ...]) -> tuple[Apply, Examples]:
    from aef.annotators.correction import correct, load_rules, rule_sets

    names = table.texts("rules", None)
    rules = [r for name in names for r in load_rules(name if name in rule_sets() else table.file(name))]

    def failures() -> Iterator[str]:
        return (failure for rule in rules for failure in rule.failures())

    return lambda _, results: correct(results[0], rules), failures


def _unify(table: Settings, _: tuple[str, ...]) -> tuple[Apply, Examples]:
    from aef.annotators.unification import TYPES, unify

    types, words = table.texts("types", TYPES), table.flag("words", True)
    return lambda _, results: unify(results[0], types, words), _no_examples


def _overlap(table: Settings, _: tuple[str, ...]) -> tuple[Apply, Examples]:
    policy = table.choice("policy", tuple(POLICIES))
    return lambda _, results: apart(results[0], policy), _no_examples


COMBINERS: dict[str, Callable[[Settings, tuple[str, ...]], tuple[Apply, Examples]]] = {
    "vote": _vote,
    "correct": _correct,
    "unify": _unify,
    "overlap": _overlap,
}
"""What a step that is no annotator can do with the results of steps before it."""
