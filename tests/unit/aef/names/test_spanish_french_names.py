"""Names with particles, hyphens, elisions and two surnames: how they are tokenized, abbreviated and linked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.linking.linker import link
from aef.names.parts import initials
from aef.replacement.plan import plan

LINES = (Path(__file__).parents[3] / "regression" / "names_es_fr.jsonl").read_text("utf-8").splitlines()
CASES = [json.loads(line) for line in LINES]
each_case = pytest.mark.parametrize("case", CASES, ids=[case["reason"] for case in CASES])


def document_of(case: dict[str, Any]) -> Document:
    """The document with its names as mentions, each looked for behind the one before."""
    mentions: list[Mention] = []
    for name in case["names"]:
        start = case["text"].index(name, mentions[-1].end if mentions else 0)
        mentions.append(Mention(start, start + len(name), "PERSON"))
    return Document.from_text(case["text"]).in_language(case["language"]).with_mentions(mentions)


@each_case
def test_tokens_and_sentences(case: dict[str, Any]) -> None:
    document = document_of(case)
    ranges = [document.token_range(m.start, m.end) for m in document.mentions]
    assert [document.words[r.start : r.stop] for r in ranges] == case["tokens"]
    tokens = document.tokens
    assert [w for w, first in zip(tokens.words, tokens.first, strict=True) if first] == case["sentences"]
    for mention, r in zip(document.mentions, ranges, strict=True):
        assert (tokens.starts[r.start], tokens.ends[r.stop - 1]) == (mention.start, mention.end), "no token juts out"


@each_case
def test_initials_and_persons(case: dict[str, Any]) -> None:
    linked = link(document_of(case))
    ids = [m.entity_id for m in linked.mentions]
    persons = [[i for i, other in enumerate(ids) if other == key] for key in dict.fromkeys(ids)]
    found = ([initials(name) for name in case["names"]], persons)
    assert (found == (case["initials"], case["persons"])) == ("known_failure" not in case), found


@each_case
def test_no_part_of_a_name_survives_its_replacement(case: dict[str, Any]) -> None:
    document = document_of(case)
    text = document.text
    for edit in reversed(plan(document)):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    capitalized = {w for words in case["tokens"] for w in words if w[0].isupper() and len(w) > 2 and w.isalpha()}
    assert not [word for word in capitalized if word in text]
