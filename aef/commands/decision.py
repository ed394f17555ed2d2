"""What finds names, who is hidden and how: what commands that tag or anonymize ask, the recipe it makes, and how they
list what was decided."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.anonymization import Tagger
    from aef.batch.recipe import Recipe
    from aef.roles.policy import Decision


def add_model(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--model",
        metavar="MODEL",
        help="a model written by 'aef train', or the name of a ready-made one, see 'aef models' (default: see there); "
        "where rulings are tagged or anonymized, it takes the place of the model in the pipeline of its language",
    )


def add_decision(parser: argparse.ArgumentParser) -> None:
    decision = parser.add_mutually_exclusive_group()
    decision.add_argument("--preset", metavar="NAME", help="a preset of the model: balanced, f2, safe, promise")
    decision.add_argument("--threshold", type=float, metavar="P", help="hide from this probability on")
    decision.add_argument("--cost", type=float, metavar="N", help="a miss costs N false alarms: hide from 1/(1+N) on")


def say_promise(tagger: Tagger | None, quiet: bool) -> None:
    """Say what was promised of a model's misses (`aef.evaluation.calibration`), where that is in force."""
    finders = [f for f in getattr(tagger, "finders", [tagger]) if getattr(f, "promise", None) is not None]
    if not finders:
        return
    from aef.commands.common import say
    from aef.evaluation.calibration import in_force

    if promise := next(filter(None, map(in_force, finders)), None):
        say(f"promised: {promise}", quiet)


def add_annotator(parser: argparse._ActionsContainer) -> None:
    parser.add_argument(
        "--annotator",
        metavar="NAME",
        help="in place of a model: a pipeline (court-en, FILE.toml; court-en:STEP for a step of it), maxent:MODEL, "
        "nome:LANGUAGE, patterns:SET,SET or gazetteer:FILE; see 'aef pipeline'",
    )


def add_spoken(parser: argparse.ArgumentParser) -> None:
    """The language of the rulings, which otherwise their text tells."""
    parser.add_argument(
        "--language", metavar="CODE", help="of all rulings: en, es, fr ... (default: told from the text of each)"
    )


def add_replacement(parser: argparse.ArgumentParser) -> None:
    """What stands in the place of names, and what is hidden or shown whatever is found."""
    parser.add_argument("--scheme", default="initials", metavar="NAME", help="what stands there instead, see below")
    parser.add_argument(
        "--seed", type=int, default=0, metavar="N", help="of what a scheme draws at random (default: 0)"
    )
    parser.add_argument("--keep-initials", action="store_true", help="pseudonyms begin with the letters of the names")
    parser.add_argument("--include", metavar="LIST", help="phrases that are always hidden")
    parser.add_argument("--exclude", metavar="LIST", help="phrases that are never hidden")


def add_policy_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy", metavar="NAME", help="who is hidden by role: lexum, psilence, uruguay, all, or a TOML file"
    )


def add_metadata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--metadata", metavar="FILE", help="who is who in the case (JSON), for the policy")


def finding(arguments: argparse.Namespace) -> Recipe:
    """The recipe asked for, as far as it says what is found. Raises `InputError` where it cannot be."""
    from aef.batch.recipe import Recipe

    recipe = Recipe(
        annotator=arguments.annotator,
        model=arguments.model,
        language=getattr(arguments, "language", None),
        preset=arguments.preset,
        threshold=arguments.threshold,
        cost=arguments.cost,
        consistency=False if getattr(arguments, "no_consistency", False) else None,
    )
    recipe.check()
    return recipe


def hiding(arguments: argparse.Namespace) -> Recipe:
    """The whole recipe asked for, by the arguments of all functions here and ``--policy``. Raises `InputError`."""
    recipe = replace(
        finding(arguments),
        policy=arguments.policy,
        scheme=arguments.scheme,
        seed=arguments.seed,
        keep_initials=arguments.keep_initials,
        include=_phrases(arguments.include),
        exclude=_phrases(arguments.exclude),
    )
    recipe.check()
    return recipe


def _phrases(path: str | None) -> tuple[str, ...]:
    """The phrases of a list: one a line, # begins a comment."""
    if path is None:
        return ()
    from aef.corpus_tools.rulings.readers import read_text

    lines = (line.strip() for line in read_text(path).splitlines())
    return tuple(line for line in lines if line and not line.startswith("#"))


def roles_as_json(decided: Iterable[Decision]) -> list[dict[str, Any]]:
    """The decisions with their evidence, for JSON."""
    return [
        {
            "entity_id": d.role.entity_id,
            "role": d.role.role,
            "decision": d.action,
            "names": list(d.role.names),
            "mentions": d.role.mentions,
            "evidence": [str(e) for e in d.role.evidence],
        }
        for d in decided
    ]


def roles_listing(file: str, decided: Sequence[Decision]) -> str:
    """A line for each entity: decision, role, names, and the first thing that tells the role."""
    if not decided:
        return f"{file}: no policy decided; give --policy"
    lines = [f"{file}: {len(decided)} people and things"]
    for d in decided:
        told = f"  <- {d.role.evidence[0]}" if d.role.evidence else ""
        lines.append(f"  {d.action:<5} {d.role.role:<16} {', '.join(d.role.names)}{told}")
    return "\n".join(lines)
