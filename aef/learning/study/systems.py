"""AEF against NOME on documents neither has seen, by the thesis's two criteria (section 3.6, Tables 3.9 to 3.14)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from aef.annotators.nome import Nome
from aef.corpus_tools.document import Document
from aef.evaluation.figures import evaluate
from aef.evaluation.folds import cross_validate, tag_unseen
from aef.learning.study.plan import Plan
from aef.tagging.finder import Finder

Row = dict[str, Any]
Watch = Callable[[Sequence[Any]], Iterable[Any]]

VALIDATION = "cross-validation"
NOME, AEF, CONSISTENT, SELECTED = "NOME", "AEF, the nine", "AEF, the nine, consistent", "AEF, selected set"


def systems(plan: Plan, selected: Sequence[str]) -> dict[str, Callable[[], Any]]:
    """What is compared.

    NOME; the thesis's finder (nine features, GIS, 50 iterations, the more probable label); the same with everything
    found once hidden in its whole document, which the thesis leaves to later work; and one with the set selected here
    and the default solver.
    """
    thesis: dict[str, Any] = {"target": plan.target, "threshold": 0.5, "solver": "gis", "iterations": 50}
    return {
        NOME: Nome,
        AEF: partial(Finder, "nine", consistency=False, **thesis),
        CONSISTENT: partial(Finder, "nine", consistency=True, **thesis),
        SELECTED: partial(Finder, tuple(selected), plan.target, 0.5, consistency=False),
    }


def compare(plan: Plan, selected: Sequence[str], watch: Watch = iter) -> list[Row]:
    """A row a scope (cross-validation, each named document) and system; see `term_figures`."""
    rows: list[Row] = []
    for name, factory in watch(list(systems(plan, selected).items())):
        predicted = cross_validate(factory, plan.documents, plan.folds, plan.seed, plan.jobs)
        rows.append({"scope": VALIDATION, "system": name, **term_figures(plan.documents, predicted, plan.target)})
        for gold, tagged in _held_out(plan, factory):
            rows.append({"scope": gold.doc_id, "system": name, **term_figures([gold], [tagged], plan.target)})
    scopes = [VALIDATION, *plan.named]
    return sorted(rows, key=lambda row: scopes.index(row["scope"]))


def _held_out(plan: Plan, factory: Callable[[], Any]) -> Iterable[tuple[Document, Document]]:
    """The named documents, gold and tagged, by a system that learned from all the others."""
    named = {d.doc_id: d for d in plan.documents if d.doc_id in plan.named}
    system = factory()
    if hasattr(system, "fit"):
        system.fit([d for d in plan.documents if d.doc_id not in named])
    gold = [named[doc_id] for doc_id in plan.named]
    return zip(gold, tag_unseen(system, gold), strict=True)


def term_figures(gold: Sequence[Document], predicted: Sequence[Document], target: str) -> Row:
    """The thesis's two criteria, and its figures from them.

    A distinct term counts as found when tagged once in its document; occurrences are those tagged;
    ``occurrences_once`` would be tagged if a word tagged once were hidden everywhere in its document. Precision and
    recall are of occurrences, as in Tables 3.11 and 3.14; ``token_f2`` is of counting tokens.
    """
    strict, lenient = (evaluate(gold, predicted, target, bootstrap=0, once=once) for once in (False, True))
    total, terms = strict.terms.total, strict.terms
    return {
        "distinct": total.distinct,
        "distinct_found": total.distinct_found,
        "occurrences": total.occurrences,
        "occurrences_found": total.occurrences_found,
        "occurrences_once": lenient.terms.total.occurrences_found,
        "wrong_distinct": terms.wrong_distinct,
        "wrong_occurrences": terms.wrong_occurrences,
        **occurrence_figures(total.occurrences, total.occurrences_found, terms.wrong_occurrences),
        "token_f2": strict.micro["f2"],
    }


def occurrence_figures(gold: int, found: int, wrong: int) -> dict[str, float]:
    """Precision, recall, F1, F2 and the thesis's 3PR / (2P + R), from counts of occurrences; 0 where undefined."""

    def f(beta_squared: int) -> float:
        below = beta_squared * gold + found + wrong
        return (1 + beta_squared) * found / below if below else 0.0

    return {
        "precision": found / (found + wrong) if found + wrong else 0.0,
        "recall": found / gold if gold else 0.0,
        "f1": f(1),
        "f2": f(4),
        "f2_thesis": f(2),
    }
