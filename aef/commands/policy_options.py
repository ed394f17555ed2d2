"""Who is hidden: what commands that hide ask, and how they list what was decided."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.roles.metadata import Known
    from aef.roles.policy import Decision, Policy


def add_policy_name(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--policy", metavar="NAME", help="who is hidden by role: lexum, psilence, uruguay, all, or a TOML file"
    )


def add_metadata(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--metadata", metavar="FILE", help="who is who in the case (JSON), for the policy")


def add_policy(parser: argparse.ArgumentParser) -> None:
    add_policy_name(parser)
    add_metadata(parser)
    parser.add_argument("--roles", action="store_true", help="list everybody's role, what is done, and what tells it")


def load_decision(arguments: argparse.Namespace) -> tuple[Policy | None, Sequence[Known]]:
    """The policy and the metadata asked for. Raises `InputError` where they are wrong, or would have no effect."""
    from aef.roles.metadata import read_metadata
    from aef.roles.policy import load_policy

    policy = load_policy(arguments.policy) if arguments.policy is not None else None
    metadata = read_metadata(arguments.metadata) if arguments.metadata is not None else ()
    if policy is None and arguments.gold is not None and (metadata or arguments.roles):
        given = "--metadata" if metadata else "--roles"
        raise InputError(f"{given}: a gold corpus has decided already. Give --policy to decide anew, such as lexum")
    return policy, metadata


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
