"""Real judgments marked by hand: gold as stand-off offsets, beside texts that stay where they are.

``real_gold.jsonl`` holds a line for each English judgment, ``real_gold.es.jsonl`` and ``real_gold.fr.jsonl`` for each
Spanish and French one: the ``file``, from the folder ``judgments`` of the corpora on, the SHA-256 of the text, by which
it is found in a corpus of many, how often it was ``read`` (2: a second reader corrected what the first had marked), and
``entities``: ``id``, ``type``, ``role``, ``hide`` (what the policy `lexum` hides) and the ``spans`` of all mentions, as
pairs of code points. No word of a judgment is in it. Of the European Court's judgments in ``tab_en/unlabelled.jsonl``
those are marked that are not in ``dev.jsonl``, too.

Types: PERSON with one of `aef.corpus_tools.handwritten.ROLES` or ``initials`` (whoever is anonymized already), CASE
(the names of cited cases and their short forms), ORG, LOC (homes), DATETIME (births), CODE (numbers of people). Titles,
possessives and what stands behind a name (KC, J, Jr.) are outside of the spans.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.corpora import read_gold
from aef.corpus_tools.handwritten import INITIALS
from aef.corpus_tools.rulings.readers import read
from aef.errors import InputError
from aef.experiments.data import there
from aef.experiments.language_corpora import STARTS
from aef.names.parts import PERSON

FOLDS = 4
REAL = "real-"
"""So begin the names of the folds."""
CASE = "CASE"
MEASURED = frozenset({"south_africa"})
"""Corpora to measure by: no model that ships may learn from them."""


def gold(data: Path, read_by: int = 1, language: str = "en") -> list[Document]:
    """The judgments in a language that were read at least so often, in the order of the file.

    A mention's ``extra`` holds the ``role``; ``meta`` holds ``corpus`` (uk, us, tab_en, ...), ``path`` and ``read``.
    Raises `InputError` where a judgment is missing, or its text is another than the one that was marked.
    """
    lines = [line for line in _lines(language) if line["read"] >= read_by]
    paths = {line["file"]: there(data / "judgments" / line["file"]) for line in lines}
    texts = {name: _texts(path, language) for name, path in paths.items()}
    return [_document(line, paths[line["file"]], texts[line["file"]]).in_language(language) for line in lines]


def in_folds(documents: Sequence[Document], number: int = FOLDS) -> list[list[Document]]:
    """The judgments dealt into folds, always in the same way."""
    order = np.random.default_rng(0).permutation(len(documents))
    return [[documents[i] for i in order[fold::number]] for fold in range(number)]


def parts(data: Path, language: str) -> dict[str, list[Document]]:
    """The judgments in a language in folds, by names that no style of rulings has."""
    return {f"{REAL}{fold}": found for fold, found in enumerate(in_folds(gold(data, language=language)))}


def to_learn_from(documents: Iterable[Document]) -> list[Document]:
    """Those that a model may learn from, as one of names does: cited cases and initials are nobody to look for."""
    return [d.with_mentions(m for m in d.mentions if _is_name(m)) for d in documents if teaches(d)]


def teaches(document: Document) -> bool:
    """Whether a model may learn from a judgment, or a ruling."""
    return document.meta.get("corpus") not in MEASURED


def without_initials(document: Document) -> Document:
    """A document of which a model of names may learn: who is initials alone is nobody to look for."""
    return document.with_mentions(m for m in document.mentions if m.extra.get("role") != INITIALS)


def _is_name(mention: Mention) -> bool:
    return mention.entity_type == PERSON and mention.extra["role"] != INITIALS


def _lines(language: str) -> Iterator[dict[str, Any]]:
    name = "real_gold.jsonl" if language == "en" else f"real_gold.{language}.jsonl"
    return map(json.loads, files("aef.experiments").joinpath(name).read_text("utf-8").splitlines())


def _document(line: Mapping[str, Any], path: Path, texts: Mapping[str, Document]) -> Document:
    document = texts.get(line["sha256"])
    if document is None:
        raise InputError.at(path, "a text in it is not the one that was marked", remedy="Mark it anew")
    corpus = path.stem if path.parent.name == "judgments" else path.parent.name
    doc_id = f"{path.stem}-{line['sha256'][:8]}"
    mentions = [m for entity in line["entities"] for m in _mentions(entity, doc_id)]
    meta = {**document.meta, "corpus": corpus, "path": str(path), "read": line["read"]}
    return replace(document.with_mentions(mentions), doc_id=doc_id, meta=meta)


def _texts(path: Path, language: str) -> dict[str, Document]:
    """The judgments of a file by the hash of their text."""
    if path.suffix == ".docx":
        found = [read(path)]
    elif path.suffix == ".tsv":
        found = read_gold(path, document_start=STARTS[language])
    else:
        with path.open(encoding="utf-8", newline="\n") as file:
            found = [Document.from_text(line["text"]) for line in map(json.loads, file)]
    return {hashlib.sha256(document.text.encode()).hexdigest(): document for document in found}


def _mentions(entity: Mapping[str, Any], doc_id: str) -> Iterator[Mention]:
    hidden = "DIRECT" if entity["hide"] else "NO_MASK"
    for start, end in entity["spans"]:
        extra = {"role": entity["role"]}
        yield Mention(start, end, entity["type"], hidden, f"{doc_id}-{entity['id']}", extra=extra)
