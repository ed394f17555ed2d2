"""doccano's JSONL: a document a line, ``{"text": ..., "label": [[start, end, "PERSON"]]}``; offsets in code points.

Both of doccano's exports are read: the one of sequence labelling (``label``), and the one with relations, whose
``entities`` are objects and whose relations are left out. doccano keeps further keys of a line as metadata and gives
them back: so ``doc_id``, and what a label cannot say, under ``aef`` (see `aef.corpus_tools.gold.labels`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from aef.corpus_tools.document import Document
from aef.corpus_tools.gold.labels import KEPT, Labelled, kept, label_of, restored
from aef.corpus_tools.gold.records import Place, dumps, loads
from aef.errors import InputError

_OWN = frozenset(
    {"id", "text", "label", "labels", "entities", "relations", "Comments", "comments", "doc_id", "blocks", KEPT}
)


def to_doccano(documents: Iterable[Document]) -> str:
    """Documents as doccano imports them for sequence labelling."""
    return "".join(dumps(_record(document)) + "\n" for document in documents)


def _record(document: Document) -> dict[str, Any]:
    labels = [[m.start, m.end, label_of(m)] for m in document.mentions]
    known = kept(document)
    return {"doc_id": known.pop("doc_id"), "text": document.text, "label": labels, KEPT: known}


def is_doccano(record: Any) -> bool:
    """Whether a JSON object is doccano's and none of a gold corpus."""
    if not isinstance(record, dict) or "mentions" in record:
        return False
    return any(isinstance(record.get(key), list) for key in ("label", "entities"))


def read(path: Path, lines: Iterable[tuple[int, str]]) -> Iterator[tuple[int, Document]]:
    """The documents of an export, with their lines. Raises `InputError` with the line."""
    for number, line in lines:
        if line.strip():
            place = Place(path, number)
            yield number, document_from_doccano(loads(line, place), place)


def document_from_doccano(record: Any, place: Place) -> Document:
    """The document of one line. What doccano did not make is in its ``meta``."""
    if not isinstance(record, dict) or not isinstance(record.get("text"), str):
        raise place.error("holds no object with a 'text'", 'doccano writes {"id": 1, "text": "...", "label": [...]}')
    labels: Any = next((record[key] for key in ("label", "labels", "entities") if record.get(key) is not None), [])
    if not isinstance(labels, list):
        raise place.error("'label' is no list", "Export the project as JSONL")
    doc_id = record.get("doc_id", record.get("id"))
    known = {key: value for key, value in record.items() if key not in _OWN}
    if isinstance(record.get(KEPT), dict):
        known = {**known, **record[KEPT]}
    name = f"{place.path.stem}-{place.line}" if doc_id is None else str(doc_id)
    return restored(record["text"], name, [_label(label, place) for label in labels], known, place)


def _label(label: Any, place: Place) -> Labelled:
    if isinstance(label, dict):
        label = [label.get("start_offset"), label.get("end_offset"), label.get("label")]
    if not (isinstance(label, list) and [type(x) for x in label] == [int, int, str]):
        raise _no_label(place)
    return label[0], label[1], label[2]


def _no_label(place: Place) -> InputError:
    return place.error("a label is not [start, end, name]", 'Export the project as JSONL: "label": [[0, 5, "PERSON"]]')
