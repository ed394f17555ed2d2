"""``aef pipeline``: what a pipeline of annotators does, and whether it is in order."""

from __future__ import annotations

import argparse
from typing import Any

EPILOG = """examples:
  aef pipeline show                     the ready pipelines, sets of patterns and of rules
  aef pipeline show court-en            the steps of one
  aef pipeline check ours.toml          is the file right, are its models there, do all examples come out?
  aef tag ruling.docx --annotator ours.toml
  aef tag ruling.docx --annotator court-en:numbers       one step alone

A pipeline is a TOML file: steps that find mentions,

{annotators}

and steps that put together what was found (vote, correct, unify, overlap). To begin one:

  description = "the ready-made model and our own numbers"
  language = "en"
  policy = "lexum"                 # who of those found 'aef anonymize' hides, if --policy does not say (default: all)

  [[step]]
  run = "maxent"
  model = "en-all"

  [[step]]
  run = "patterns"
  sets = ["common", "en", "ours-patterns.toml"]

  [[step]]
  run = "vote"
  rule = "add"                     # or majority, intersection, difference, weighted
  of = ["maxent", "patterns"]

  [[step]]
  run = "correct"
  rules = ["names"]

  [[step]]
  run = "unify"

  [[step]]
  run = "overlap"
  policy = "longest"

and a file of patterns; each needs examples, and what must be hidden of one stands between < and >:

  [[pattern]]
  name = "our-file"
  class = "CASE"
  find = 'our\\s+file\\s+(?P<hide>[A-Z]{2}-\\d{4})'
  match = ["see our file <AB-1234>."]
  miss = ["see our files"]

'check' exits with 1 where an example comes out otherwise than it says."""


def registered() -> dict[str, str]:
    """What the help lists."""
    from aef.annotators.kinds import KINDS
    from aef.commands.common import first_lines, listing

    return {"annotators": listing(first_lines(KINDS))}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_json

    parser.add_argument("do", choices=["show", "check"], help="show a pipeline, or check that it is in order")
    parser.add_argument("pipeline", nargs="?", metavar="FILE", help="a pipeline's file, or the name of a ready one")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.errors import InputError

    if arguments.do == "check":
        if arguments.pipeline is None:
            raise InputError("which pipeline is to be checked? Name a file or a ready one, see 'aef pipeline show'")
        return _check(arguments)
    _print(_described(arguments.pipeline) if arguments.pipeline else _all(), arguments.json)
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from aef.annotators.pipeline import load
    from aef.commands.common import print_json, say

    pipeline = load(arguments.pipeline)
    failures = [*pipeline.failures(), *(f"{pipeline.path}: nothing takes what '{s}' finds" for s in pipeline.idle)]
    if arguments.json:
        print_json({"pipeline": str(pipeline.path), "steps": len(pipeline.steps), "failures": failures})
    else:
        print("".join(f"{failure}\n" for failure in failures), end="")
    say(f"{arguments.pipeline}: {len(pipeline.steps)} steps, {len(failures)} failures", arguments.quiet)
    return 1 if failures else 0


def _all() -> dict[str, Any]:
    """What there is to build on, with a line on each pipeline."""
    from aef import plugins
    from aef.annotators.correction import load_rules, rule_sets
    from aef.annotators.kinds import KINDS
    from aef.annotators.patterns import load, sets
    from aef.annotators.pipeline import ready

    plugins.more()
    return {
        "pipelines": {name: _described(name)["description"] for name in ready()},
        "annotators": {name: (make.__doc__ or "").replace("`", "") for name, make in KINDS.items()},
        "patterns": {name: ", ".join(dict.fromkeys(p.kind for p in load(name))) for name in sets()},
        "rules": {name: "; ".join(rule.name for rule in load_rules(name)) for name in rule_sets()},
    }


def _described(name: str) -> dict[str, Any]:
    """A pipeline as its file has it: no model is loaded for that. The file must be TOML, no more is asked."""
    from aef.annotators.pipeline import find
    from aef.annotators.settings import read_toml

    path = find(name)
    values = read_toml(path)
    steps = values.get("step", [])
    listed = [s for s in steps if isinstance(s, dict)] if isinstance(steps, list) else []
    return {
        "pipeline": str(path),
        "description": values.get("description", ""),
        "language": values.get("language", "en"),
        "policy": values.get("policy", ""),
        "steps": [{"name": s.get("name", s.get("run", "?")), **s} for s in listed],
    }


def _print(what: dict[str, Any], as_json: bool) -> None:
    from aef.commands.common import print_json

    if as_json:
        print_json(what)
        return
    if "steps" not in what:
        for heading, entries in what.items():
            print(f"{heading}:")
            print("".join(f"  {name:<11}{text}\n" for name, text in entries.items()), end="")
        return
    policy = f", policy: {what['policy']}" if what["policy"] else ""
    print(f"{what['pipeline']}\n{what['description']} (language: {what['language']}{policy})\n")
    for number, step in enumerate(what["steps"], 1):
        settings = {key: value for key, value in step.items() if key not in ("name", "run")}
        told = ", ".join(f"{key} = {_text(value)}" for key, value in settings.items())
        print(f"{number:>2}. {step['name']:<12}{step.get('run', '?'):<11}{told}")


def _text(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
