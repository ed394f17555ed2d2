"""Linking by labelled cases: ``tests/regression/linking.jsonl``, the worked examples of the papers among them.

A case's text has its mentions in braces. ``persons``: each person's mentions, as they stand, in order, parted by
semicolons; one mention of two people counts as two. ``unsure``: the mentions that may be several people's.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import link, relink, unsure

LINES = (Path(__file__).parents[3] / "regression" / "linking.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
each_case = pytest.mark.parametrize("case", CASES, ids=[case["reason"] for case in CASES])


def document_of(case: dict[str, Any]) -> Document:
    text, mentions = "", []
    for i, piece in enumerate(re.split(r"[{}]", case["text"])):
        if i % 2:
            mentions.append(Mention(len(text), len(text) + len(piece), "PERSON"))
        text += piece
    return Document.from_text(text, "case", mentions).in_language(case.get("language", "en"))


def found(document: Document) -> tuple[list[str], list[str]]:
    """The persons with their mentions, and the mentions that may be several people's."""
    persons: dict[str | None, list[str]] = {}
    for mention in document.mentions:
        persons.setdefault(mention.entity_id, []).append(" ".join(document.cut(mention).split()))
    return ["; ".join(names) for names in persons.values()], [document.cut(mention) for mention in unsure(document)]


@each_case
def test_case(case: dict[str, Any]) -> None:
    assert found(link(document_of(case))) == (case["persons"], case.get("unsure", [])), case["reason"]


@each_case
def test_linking_again_changes_nothing(case: dict[str, Any]) -> None:
    linked = link(document_of(case))
    assert link(linked) == linked
    assert found(relink(linked)) == found(linked)


@each_case
def test_relinking_keeps_every_mention(case: dict[str, Any]) -> None:
    document = document_of(case)
    linked = relink(document)
    assert [(m.start, m.end, m.entity_type) for m in linked.mentions] == [
        (m.start, m.end, m.entity_type) for m in document.mentions
    ]
    assert all(m.entity_id for m in linked.mentions)
