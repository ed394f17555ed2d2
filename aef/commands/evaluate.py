"""``aef evaluate``: how good a model, a system or given predictions are on a gold corpus."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from aef.commands.train import add_learning, learning

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document
    from aef.evaluation.figures import DocumentRow, Evaluation, Finding
    from aef.evaluation.tab_benchmark import TabFigures

EPILOG = """examples:
  aef evaluate gold.jsonl --cv 5                        train and test on different documents of the same corpus
  aef evaluate gold.jsonl --cv 5 --features nine        the same with other features
  aef evaluate gold.jsonl --cv 5 --learner crf          the same with a conditional random field: is it better here?
  aef evaluate held_out.jsonl --model model.aef         a model, on documents it has not seen
  aef evaluate gold.jsonl --system nome                 a system that learns nothing
  aef evaluate gold.jsonl --predicted tagged.jsonl      what another tool found (or 'aef tag')
  aef evaluate gold.jsonl --cv 5 --misses 20            and the first twenty names that were missed
  aef evaluate gold.jsonl --cv 5 --report errors.html   a page with the texts and every error in them (confidential)

A token is a run of letters and digits; titles (Mr, Mrs, Ms, Miss, Dr, Messrs) do not count. F2 weighs recall four
times as much as precision. An entity counts only when each of its mentions is hidden wholly. The intervals (95%) come
from a bootstrap over documents.

Mentions are compared as runs of such tokens: exact (the same run), at least half of the tokens, or overlapping. Where
the gold corpus tells DIRECT from QUASI identifiers, the evaluation of the Text Anonymization Benchmark (TAB) follows:
by its own rules, under which titles and function words left in clear count as masked, and strictly."""


def _maxent(arguments: argparse.Namespace) -> Any:
    from aef.tagging.finder import Finder

    return Finder(**learning(arguments))  # type: ignore[arg-type]


def _nome(arguments: argparse.Namespace) -> Any:
    from aef.annotators.nome import Nome

    return Nome(folder=arguments.lists)


SYSTEMS: dict[str, Callable[[argparse.Namespace], Any]] = {"maxent": _maxent, "nome": _nome}
"""The systems by name: from the command line to an object with ``tag(document)`` and, if it learns, ``fit``."""
DEFAULT = "maxent"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_jobs, add_json

    parser.add_argument("gold", nargs="+", metavar="GOLD", help="gold corpus (.jsonl, .conll)")
    source = parser.add_mutually_exclusive_group()
    source.add_argument("--model", metavar="MODEL", help="evaluate this model file")
    source.add_argument("--cv", type=int, metavar="N", help="cross-validate a system over N folds of documents")
    source.add_argument("--predicted", metavar="FILE", help="evaluate these predictions for the same documents")
    parser.add_argument("--system", choices=SYSTEMS, help="the system, without --model (default: maxent)")
    add_jobs(parser, "folds")
    parser.add_argument("--bootstrap", type=int, default=1000, metavar="N", help="samples for the intervals")
    parser.add_argument("--once", action="store_true", help="a word hidden once counts as found in its whole document")
    parser.add_argument("--per-document", action="store_true", help="a row for each document, too")
    parser.add_argument("--worst", type=int, default=0, metavar="N", help="a row for each of the N worst documents")
    parser.add_argument("--tab", action="store_true", help="the evaluation of the Text Anonymization Benchmark, too")
    parser.add_argument(
        "--report", metavar="FILE.html", help="write a page with the texts and their errors to FILE.html"
    )
    parser.add_argument("--misses", type=int, default=0, metavar="N", help="list up to N misses and N false alarms")
    parser.add_argument("-o", "--output", metavar="FILE", help="write the result to FILE instead of printing it")
    add_json(parser)
    add_force(parser)
    add_learning(parser)
    parser.set_defaults(target=None, usual_target=parser.get_default("target"))  # a model brings its own target


def run(arguments: argparse.Namespace) -> int:
    from aef.corpus_tools.files import must_be_new, write_atomic
    from aef.corpus_tools.gold.corpora import read_corpus
    from aef.evaluation.figures import evaluate
    from aef.evaluation.tab_benchmark import must_have_identifier_types

    must_be_new([path for path in (arguments.output, arguments.report) if path], arguments.force)
    system = _system(arguments)
    target = arguments.target = arguments.target or getattr(system, "target", None) or arguments.usual_target
    gold = read_corpus(arguments.gold)
    _must_have_targets(gold, target)
    if arguments.tab:
        must_have_identifier_types(gold, target)  # said before anything is learned or tagged
    predicted = _predictions(arguments, system, gold)
    result = evaluate(gold, predicted, target, max(0, arguments.bootstrap), arguments.seed, once=arguments.once)
    tab = _tab(result, arguments.tab)
    text = _as_json(result, tab, arguments) if arguments.json else _as_text(result, tab, arguments)
    if arguments.report:
        _write_report(result, tab, arguments)
    if arguments.output:
        write_atomic(arguments.output, text + "\n", arguments.force)
    else:
        print(text)
    return 0


# --- what is evaluated ----------------------------------------------------------------------------------------------


def _system(arguments: argparse.Namespace) -> Any:
    """The model or system; None where only predictions are read or a system is made for each fold."""
    from aef.errors import InputError

    given = next((name for name in ("model", "predicted") if getattr(arguments, name)), None)
    if given and arguments.system:
        raise InputError(f"--system does not go with --{given}. Leave one out")
    if arguments.model:
        from aef.tagging.finder import Finder

        return Finder.load(arguments.model)
    if arguments.predicted or arguments.cv is not None:
        return None
    system = _make(arguments)
    if hasattr(system, "fit"):
        raise InputError(f"the system '{arguments.system or DEFAULT}' must learn first: give --cv 5, or --model")
    return system


def _make(arguments: argparse.Namespace) -> Any:
    """A fresh system as the command line asks for it."""
    chosen = argparse.Namespace(**vars(arguments) | {"target": arguments.target or arguments.usual_target})
    return SYSTEMS[arguments.system or DEFAULT](chosen)


def _must_have_targets(gold: Sequence[Document], target: str) -> None:
    from aef.errors import InputError
    from aef.evaluation.figures import target_mentions

    if not any(target_mentions(document, target) for document in gold):
        types = sorted({m.entity_type or "without type" for d in gold for m in d.mentions if m.masked})
        raise InputError(
            f"the gold corpus's {len(gold)} documents hold nothing to hide for target '{target}' "
            f"(types of the masked mentions: {', '.join(types) or 'none'})"
        )


def _predictions(arguments: argparse.Namespace, system: Any, gold: Sequence[Document]) -> list[Document]:
    from functools import partial

    from aef.commands.common import progress
    from aef.corpus_tools.gold.corpora import read_gold
    from aef.evaluation.folds import cross_validate, tag_unseen

    if arguments.predicted:
        return read_gold(arguments.predicted)
    if system is not None:
        _warn_of_seen(system, gold)
        return tag_unseen(system, progress(gold, "tagging", arguments.quiet))
    bar = partial(progress, what="folds", quiet=arguments.quiet)
    return cross_validate(partial(_make, arguments), gold, arguments.cv, arguments.seed, arguments.jobs, bar)


def _warn_of_seen(system: Any, gold: Iterable[Document]) -> None:
    """Say so, even to the quiet, where a model is judged on what it was trained on."""
    from aef.commands.common import say

    seen = sum(map(system.trained_on, gold)) if hasattr(system, "trained_on") else 0
    if seen:
        say(
            f"WARNING: the model was trained on {seen} of these documents: the figures say how well it remembers, not "
            "how well it finds. Use other documents, or --cv."
        )


# --- output ---------------------------------------------------------------------------------------------------------


def _tab(result: Evaluation, asked: bool) -> TabFigures | None:
    """TAB's figures, where asked for or where the gold corpus tells direct from quasi identifiers."""
    from aef.evaluation.tab_benchmark import figures_of, identifier_types

    known = identifier_types((document.document for document in result.judged), result.target)
    return figures_of(result.judged) if asked or len(known) == 2 else None


def _write_report(result: Evaluation, tab: TabFigures | None, arguments: argparse.Namespace) -> None:
    from aef.commands.common import say
    from aef.corpus_tools.files import write_atomic
    from aef.reports.error_page import error_report

    write_atomic(arguments.report, error_report(result, _source(arguments), tab), arguments.force, private=True)
    say(f"{arguments.report}: confidential, it shows the originals; only you can read it", arguments.quiet)


def _source(arguments: argparse.Namespace) -> str:
    """What was evaluated, in words; files by their names."""
    from pathlib import Path

    gold = ", ".join(Path(path).name for path in arguments.gold)
    if arguments.model:
        return f"The model {Path(arguments.model).name} on {gold}"
    if arguments.predicted:
        return f"The predictions in {Path(arguments.predicted).name} for {gold}"
    folds = f", cross-validated over {arguments.cv} folds," if arguments.cv is not None else ""
    system = arguments.system or DEFAULT
    return f"The system '{arguments.learner if system == DEFAULT else system}'{folds} on {gold}"


def _as_json(result: Evaluation, tab: TabFigures | None, arguments: argparse.Namespace) -> str:
    import json
    from dataclasses import asdict

    value = result.to_dict(arguments.per_document)
    if tab is not None:
        value["tab"] = tab.to_dict()
    if arguments.worst > 0:
        value["worst"] = [asdict(row) for row in _worst(result, arguments.worst)]
    if arguments.misses > 0:
        value["misses"] = [asdict(m) for m in result.misses()[: arguments.misses]]
        value["false_alarms"] = [asdict(m) for m in result.false_alarms()[: arguments.misses]]
    return json.dumps(value, ensure_ascii=False, indent=2)


def _as_text(result: Evaluation, tab: TabFigures | None, arguments: argparse.Namespace) -> str:
    parts = [result.table(), result.type_table(), result.match_table()]
    if tab is not None:
        parts.append(tab.table())
    if arguments.per_document:
        parts.append(_documents("document", result.documents))
    if arguments.worst > 0:
        parts.append(_documents("document, the worst first", _worst(result, arguments.worst)))
    if arguments.misses > 0:
        parts.append(_listed("missed", result.misses(), arguments.misses))
        parts.append(_listed("hidden wrongly", result.false_alarms(), arguments.misses))
    return "\n\n".join(parts)


def _worst(result: Evaluation, limit: int) -> list[DocumentRow]:
    return [result.documents[i] for i in result.worst()[:limit]]


def _documents(title: str, documents: Sequence[DocumentRow]) -> str:
    from aef.commands.common import table

    header = [title, "precision", "recall", "F1", "F2", "entities", "missed", "wrong"]
    rows = [
        [d.doc_id, *(100 * x for x in (d.precision, d.recall, d.f1, d.f2)), _part(d), d.fn, d.fp] for d in documents
    ]
    return table(rows, header)


def _part(row: DocumentRow) -> str:
    return f"{row.entities_found}/{row.entities}"


def _listed(title: str, findings: Sequence[Finding], limit: int) -> str:
    lines = [f"{title} ({min(limit, len(findings))} of {len(findings)}):"]
    for f in findings[:limit]:
        kind = f" {f.entity_type}" if f.entity_type else ""
        lines.append(f"  {f.doc_id} {f.start}{kind}: {f.before} [[{' '.join(f.text.split())}]] {f.after}")
    return "\n".join(lines)
