"""Labels of annotation tools and what they cannot say: how mentions go out to a tool and come back.

A tool knows stretches of text with a label each. What else is known of a mention or a document goes beside them as JSON
under the key `KEPT`, where the tool keeps data that it does not know. On the way back the tool's stretches and labels
are what counts; a mention that still has its stretch gets back all that was known of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.conll import ALIASES, UNKNOWN
from aef.corpus_tools.gold.records import (
    Place,
    check_overlaps,
    document_from_record,
    document_to_record,
    mention_from_record,
    mention_to_record,
)

KEPT = "aef"

Labelled = tuple[int, int, str]
"""Characters ``start`` to ``end`` and the label they have."""


def label_of(mention: Mention) -> str:
    """The label of a mention's type; that of a mention without one is `UNKNOWN`."""
    return mention.entity_type or UNKNOWN


def kept(document: Document) -> dict[str, Any]:
    """What is known of a document beside its text and labels, for `restored`."""
    record = document_to_record(document)
    del record["text"]
    return {**record, "mentions": [told for m in document.mentions if (told := _told(document, m))]}


def _told(document: Document, mention: Mention) -> dict[str, Any]:
    """What a mention's label does not say, with its place; empty where it says all."""
    record = further(document, mention)
    if label_of(mention) in ALIASES and ALIASES[label_of(mention)] != mention.entity_type:
        record["entity_type"] = mention.entity_type
    typed = {"entity_type": mention.entity_type, **record} if record else {}
    return {"start_offset": mention.start, "end_offset": mention.end, **typed} if typed else {}


def further(document: Document, mention: Mention) -> dict[str, Any]:
    """What is known of a mention beside its place and type."""
    record = mention_to_record(document, mention)
    empty = {key for key in ("identifier_type", "entity_id") if record[key] is None}
    return {key: value for key, value in record.items() if key not in (*_PLACE, "entity_type", *empty)}


_PLACE = ("start_offset", "end_offset", "span_text")


def restored(text: str, doc_id: str, labelled: Iterable[Labelled], known: Any, place: Place) -> Document:
    """The document of a text and its labels, with what `kept` knew of it. Raises `InputError` as reading a record does.

    ``known`` is what came back under `KEPT`, or None. The documents' further data are in it, too.
    """
    record = dict(known) if isinstance(known, Mapping) else {}
    mentions = record.pop("mentions", None)
    records = mentions if isinstance(mentions, list) else []
    before = [mention_from_record(m, text, place) for m in records if _fits(m, text)]
    document = document_from_record({"doc_id": doc_id, **record, "text": text, "mentions": []}, place)
    return replace(document, mentions=tuple(labelled_mentions(text, labelled, before, place)))


def _fits(record: Any, text: str) -> bool:
    """Whether a record can be of this text, which may have been changed in the tool."""
    end = record.get("end_offset") if isinstance(record, Mapping) else None
    return not isinstance(end, int) or end <= len(text)


def labelled_mentions(
    text: str, labelled: Iterable[Labelled], before: Sequence[Mention], place: Place
) -> list[Mention]:
    """The mentions that labels say, each with what was known of the one that had its stretch before.

    Raises `InputError` for offsets outside the text, and for stretches that cross or are labelled twice.
    """
    known = {(m.start, m.end): m for m in before}
    mentions = [_mention(text, label, known.get(label[:2]), place) for label in labelled]
    check_overlaps(mentions, place)
    return mentions


def _mention(text: str, labelled: Labelled, known: Mention | None, place: Place) -> Mention:
    start, end, label = labelled
    entity_type = ALIASES.get(label, label)
    if known is not None:
        return known if label_of(known) == label else replace(known, entity_type=entity_type)
    record = {"start_offset": start, "end_offset": end, "entity_type": entity_type}
    return mention_from_record(record, text, place)
