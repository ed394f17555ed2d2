"""PSILENCE's JSON: the clusters of a ruling by type, each with its variants and their character offsets."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from aef.corpus_tools.document import Document
from aef.roles.classifier import THINGS, roles
from aef.roles.metadata import Known
from aef.roles.policy import Policy, load_policy

TYPE_OF = {
    "party": "PARTY",
    "judge": "JUDGE",
    "counsel": "LAWYER",
    "arbitrator": "ARBITRATOR",
    "tribunal member": "TRIBUNAL_MEMBER",
    "expert": "EXPERT",
    "author": "AUTHOR",
    "law firm": "LAW_FIRM",
    **dict.fromkeys(("organisation", "company"), "ORGANISATION"),
    "location": "LOCATION",
    "address": "LOCATION",
    "cited": "MISCELLANEOUS",
    **dict.fromkeys(("child", "relative", "official", "witness"), "WITNESS"),
}
"""PSILENCE's types for our roles: who has no type of his own there is a witness; the name of a case is no person."""


def as_psilence(
    document: Document, metadata: Iterable[Known] = (), policy: Policy | None = None
) -> dict[str, dict[str, list[dict[str, list[list[int]]]]]]:
    """``{"clusters": {"WITNESS": [{"Bill_Scott": [[2003, 2013]], "Scott": [[2443, 2448]]}]}}`` of a linked document.

    Roles are reconciled by the rules of ``policy`` (default: those of the ready policy ``psilence``).
    """
    found = roles(document, metadata, (policy or load_policy("psilence")).rules)
    variants: dict[str, dict[str, list[list[int]]]] = {key: {} for key in found}
    for m in document.mentions:
        name = "_".join(document.cut(m).split())
        variants[m.entity_id or ""].setdefault(name, []).append([m.start, m.end])
    clusters: dict[str, list[dict[str, list[list[int]]]]] = {}
    for key, role in found.items():
        clusters.setdefault(psilence_type(role.role), []).append(variants[key])
    return {"clusters": clusters}


def psilence_type(role: str) -> str:
    """PSILENCE's type of a role or of a type of things."""
    return TYPE_OF.get(role, "MISCELLANEOUS" if role in THINGS else "WITNESS")


def report(documents: Iterable[Document], metadata: Iterable[Known] = (), policy: Policy | None = None) -> list[Any]:
    """The documents' clusters, each beside its ``doc_id``."""
    known = list(metadata)
    return [{"doc_id": d.doc_id, **as_psilence(d, known, policy)} for d in documents]
