"""``aef model``: what a model is, and what it holds."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.tagging.finder import Finder
    from aef.verification.model_audit import Held

EPILOG = """examples:
  aef model show model.aef                            what it hides, its features, presets, training, size
  aef model audit model.aef                           how many strings it holds, of which kind
  aef model audit model.aef --list                    every one of them
  aef model audit model.aef --against gold.jsonl      does one come from what the corpus hides? exit code 1 if so
  aef model audit en-roles --list                     of the model of roles, which policies heed

A model holds no word that a masked mention of its training corpus holds, unless that is public: in a built-in word
list, or in lower case in 3 documents outside what is hidden. A predicate has to be seen in 3 documents as well (in 2
where the corpus has fewer than 12, in 1 where it has fewer than 6). 'aef train --keep-names' keeps all.

Audit against the very corpus that the model learned from: no other tells which names it could hold. A name that the
corpus does not mark as hidden is not looked for."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_json

    parser.add_argument("action", choices=["show", "audit"], help="show what it is, or audit what it holds")
    parser.add_argument(
        "model", metavar="MODEL", help="a model file, as 'aef train' writes it, or a ready-made model's name"
    )
    parser.add_argument(
        "--against", nargs="+", metavar="GOLD", help="audit: the gold corpus whose names must be absent"
    )
    parser.add_argument("--list", action="store_true", help="audit: print every string (kind, where it stands, string)")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.errors import InputError

    if arguments.action == "audit":
        return _audit(arguments)
    if arguments.against or arguments.list:
        raise InputError("--against and --list belong to 'aef model audit'")
    return _show(arguments)


# --- show -----------------------------------------------------------------------------------------------------------


def _show(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json
    from aef.tagging.finder import Finder
    from aef.verification.model_audit import is_of_roles, model_path

    path = model_path(arguments.model)
    figures = _figures_of_roles(path) if is_of_roles(path) else _figures(Finder.load(path), path.stat().st_size)
    if arguments.json:
        print_json(figures)
    else:
        width = max(map(len, figures))
        print("\n".join(f"{name.replace('_', ' '):<{width}}  {_said(value)}" for name, value in figures.items()))
    return 0


def _figures_of_roles(path: Path) -> dict[str, Any]:
    from aef.roles.model import read

    model = read(path)
    return {
        "target": "what people are in a ruling, by the words around them",
        "language": _language(path),
        "roles": list(model.classes),
        "predicates": len(model.weights),
        "bytes": path.stat().st_size,
    }


def _language(path: Path) -> str:
    """The language of a model of roles, which its name begins with; else English."""
    from aef import lexicons

    code = path.name.split("-")[0]
    return code if code in lexicons.languages() else "en"


def _figures(finder: Finder, size: int) -> dict[str, Any]:
    from aef.classifiers.decoding import logistic

    return {
        "target": finder.target,
        "language": finder.language,
        "features": list(finder.features),
        "predicates": sum(map(len, finder.vocabulary.values())),
        "types": [t or "none" for t in finder.types],
        "documents": len(finder.fingerprints),
        "tokens": finder.trained_tokens,
        "in_force": f"preset {finder.preset}" if finder.cuts else "a given threshold",
        "threshold": round(finder.cut_probability, 4),
        "presets": {name: round(float(logistic(cut)), 4) for name, cut in finder.cuts.items()},
        "consistency": finder.consistency,
        "names_free": finder.names_free,
        "learner": finder.learner,
        "passes": 1 if finder.second is None else 2,
        **({"weights of roles": len(finder.roles["weights"])} if finder.roles else {}),
        "classifier": finder.solver,
        "bytes": size,
    }


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {said}" for name, said in value.items()) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)


# --- audit ----------------------------------------------------------------------------------------------------------


def _audit(arguments: argparse.Namespace) -> int:
    from aef.corpus_tools.gold.corpora import read_corpus
    from aef.verification.model_audit import findings, held

    strings = held(arguments.model)
    language, names_free = _learned(arguments.model)
    found = None
    if arguments.against:
        found = findings(strings, read_corpus(arguments.against), language)
    if arguments.json:
        _print_json(arguments, strings, found, names_free)
    else:
        _print(arguments, strings, found, names_free)
    return 1 if found else 0


def _learned(model: str) -> tuple[str, bool]:
    """A model's language, and whether it was learned without names."""
    from aef.tagging.finder import Finder
    from aef.verification.model_audit import is_of_roles, model_path

    path = model_path(model)
    if is_of_roles(path):
        return _language(path), True
    finder = Finder.load(path)
    return finder.language, finder.names_free


def _print(
    arguments: argparse.Namespace, strings: Sequence[Held], found: Sequence[Held] | None, names_free: bool
) -> None:
    from aef.commands.common import say, table
    from aef.verification.model_audit import KINDS, count

    if arguments.list:
        print("\n".join(f"{s.kind}\t{s.where}\t{s.string}" for s in strings))
    else:
        print("\n".join(f"{kind:<16}{n:>8}  {KINDS[kind]}" for kind, n in count(strings).items()))
    if found is None:
        kept = "" if names_free else "; it was trained with --keep-names, so that they probably do"
        say(f"\nNot checked: whether strings come from what a corpus hides (--against GOLD){kept}", arguments.quiet)
    elif found:
        print(f"\n{len(found)} strings hold words of what {', '.join(arguments.against)} hides:\n")
        print(table([(s.kind, s.where, s.string) for s in found], ["kind", "feature", "string"]))
    else:
        say(f"\nClean: no string holds a word of what {', '.join(arguments.against)} hides", arguments.quiet)


def _print_json(
    arguments: argparse.Namespace, strings: Sequence[Held], found: Sequence[Held] | None, names_free: bool
) -> None:
    from dataclasses import asdict

    from aef.commands.common import print_json
    from aef.verification.model_audit import count

    listed = {"strings": [asdict(s) for s in strings]} if arguments.list else {}
    checked = {"against": arguments.against, "findings": None if found is None else [asdict(s) for s in found]}
    print_json({"names_free": names_free, "counts": count(strings), **checked, **listed})
