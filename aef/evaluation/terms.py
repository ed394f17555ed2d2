"""What was found of the different terms that must be hidden, and of each type of entity."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from aef.evaluation.token_counts import Judged, entity_key


@dataclass(frozen=True, slots=True)
class TermCounts:
    """Distinct terms and occurrences, per document and summed (AEF thesis, Tables 3.9 to 3.13)."""

    distinct: int
    occurrences: int
    distinct_found: int
    occurrences_found: int


@dataclass(frozen=True, slots=True)
class Terms:
    """What an editor's list would hold: the terms to hide (a term is a mention's counting tokens) and the wrong ones.

    ``by_type`` has the gold terms of each entity type ("" where it is unknown). A term is found when one of its
    occurrences is.
    """

    total: TermCounts
    by_type: dict[str, TermCounts]
    wrong_distinct: int
    wrong_occurrences: int


def _term_counts(judged: Sequence[Judged], entity_type: str | None = None) -> TermCounts:
    occurrences: dict[tuple[int, str], list[bool]] = defaultdict(list)
    for number, document in enumerate(judged):
        for mention, tokens in document.mentions:
            if entity_type is None or (mention.entity_type or "") == entity_type:
                occurrences[number, document.term(tokens)].append(document.is_found(tokens))
    found = list(occurrences.values())
    return TermCounts(len(found), sum(map(len, found)), sum(map(any, found)), sum(map(sum, found)))


def terms_of(judged: Sequence[Judged]) -> Terms:
    """The terms of judged documents, all and by the type of entity."""
    types = sorted({m.entity_type or "" for document in judged for m, _ in document.mentions})
    wrong = [(i, document.term(run)) for i, document in enumerate(judged) for run in document.wrong()]
    by_type = {kind: _term_counts(judged, kind) for kind in types}
    return Terms(_term_counts(judged), by_type, len(set(wrong)), len(wrong))


@dataclass(frozen=True, slots=True)
class TypeCounts:
    """What was found of one entity type; an entity counts with its mentions of the type."""

    tokens: int
    tokens_found: int
    mentions: int
    mentions_found: int
    entities: int
    entities_found: int


def type_counts(judged: Sequence[Judged], entity_type: str) -> TypeCounts:
    """What was found of one type of entity."""
    counts = np.zeros(6, np.int64)
    for document in judged:
        tokens: set[int] = set()
        entities: dict[Any, bool] = {}
        mentions = []
        for i, (mention, own) in enumerate(document.mentions):
            if (mention.entity_type or "") == entity_type:
                key, found = entity_key(mention, i), document.is_found(own)
                tokens.update(own)
                mentions.append(found)
                entities[key] = entities.get(key, True) and found
        found_tokens = int(document.found[sorted(tokens)].sum())
        counts += [len(tokens), found_tokens, len(mentions), sum(mentions), len(entities), sum(entities.values())]
    return TypeCounts(*counts.tolist())
