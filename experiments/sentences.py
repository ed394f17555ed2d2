"""Sentences of Indian courts with gold names, as a model of names learns from them: many to a document.

Read from ``india/sentences.jsonl`` of the judgments. A petitioner or respondent may be a body: one whose name holds a
word of companies or courts names nobody.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from aef import lexicons
from aef.corpus_tools.document import Document, Mention
from aef.experiments.data import there
from aef.names.parts import PERSON
from aef.role_features.lists import WORDS, company, folded

TOGETHER = 40
"""How many sentences make a document: as many as a short judgment has."""
_SHORT = 40  # characters: what is shorter is no sentence


def sentences(data: Path) -> list[Document]:
    """The documents. Raises `InputError` where the file is missing."""
    with there(data / "judgments" / "india" / "sentences.jsonl").open(encoding="utf-8", newline="\n") as file:
        lines = [line for line in map(json.loads, file) if len(line["text"]) > _SHORT]
    return [_document(lines[i : i + TOGETHER], i) for i in range(0, len(lines), TOGETHER)]


def _document(lines: list[Mapping[str, Any]], number: int) -> Document:
    text, mentions = "", []
    for line in lines:
        mentions += [Mention(*place, PERSON, "DIRECT", f"{number}-{place[0]}") for place in _people(line, len(text))]
        text += line["text"].replace("\n", " ") + "\n"
    return Document.from_text(text).with_mentions(mentions)


def _people(line: Mapping[str, Any], shift: int) -> Iterator[tuple[int, int]]:
    """Where people are named, in the document."""
    for mention in line.get("mentions", ()):
        if mention["entity_type"] == PERSON or (mention["entity_type"] == "PERSON_OR_ORG" and not _is_body(mention)):
            yield shift + mention["start_offset"], shift + mention["end_offset"]


def _is_body(mention: Mapping[str, Any]) -> bool:
    return not _bodies().isdisjoint(map(folded, WORDS.findall(mention["span_text"])))


@cache
def _bodies() -> frozenset[str]:
    return company("en") | lexicons.load("court_words", "en") | {"state", "union", "prosecution"}
