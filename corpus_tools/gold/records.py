"""One document as a JSON record (design: the gold corpus's JSONL line), checked on the way in and on the way out.

``doc_id``, ``text``, ``mentions`` [``start_offset``, ``end_offset``, ``span_text``, ``entity_type``,
``identifier_type``, ``entity_id``, ``probability``], offsets in Unicode code points; ``blocks`` [[start, end, part]]
where the parts of the ruling are not simply its paragraphs. Further keys are kept: a record's in ``Document.meta``,
a mention's in ``Mention.extra``. The keys are those of the Text Anonymization Benchmark (Pilán et al. 2022).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from aef.corpus_tools.document import MASKED, PARTS, Block, Document, Mention, paragraphs
from aef.errors import InputError

IDENTIFIER_TYPES = (*MASKED, "NO_MASK")
_RECORD_KEYS = frozenset({"doc_id", "text", "mentions", "blocks"})
_MENTION_KEYS = frozenset(
    {"start_offset", "end_offset", "span_text", "entity_type", "identifier_type", "entity_id", "probability"}
)
_OTHER_LINE_ENDS = {ord(c): f"\\u{ord(c):04x}" for c in "\x7f\x85\u2028\u2029"}


class Place(NamedTuple):
    """Where something stands in the user's files, for messages."""

    path: Path
    line: int | None = None

    def error(self, problem: str, remedy: str = "") -> InputError:
        return InputError.at(self.path, problem, line=self.line, remedy=remedy)

    def __str__(self) -> str:
        return f"{self.path}, line {self.line}" if self.line is not None else str(self.path)


def dumps(value: Any) -> str:
    """JSON on one line, also for tools that take U+2028 and its like for line ends."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False).translate(_OTHER_LINE_ENDS)


def loads(text: str, place: Place) -> Any:
    """Parse untrusted JSON. Raises `InputError` where it is broken, nested too deeply or not valid Unicode."""
    try:
        value = json.loads(text, parse_constant=_no_constant)
        if "\\u" in text:  # escapes can spell half a surrogate pair, which no file can hold
            json.dumps(value, ensure_ascii=False).encode("utf-8")
        return value
    except json.JSONDecodeError as error:
        raise place.error(f"broken JSON ({error.msg}, column {error.colno})", "Mend or remove the line") from error
    except RecursionError as error:
        raise place.error("JSON nested too deeply", "A document is an object with 'doc_id', 'text', ...") from error
    except UnicodeEncodeError as error:
        raise place.error("half a surrogate pair (\\ud800 to \\udfff) in a JSON string") from error
    except ValueError as error:
        raise place.error(f"broken JSON ({error})") from error


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


# --- records in -----------------------------------------------------------------------------------------------------


def document_from_record(record: Any, place: Place, labelled: bool = True) -> Document:
    """The document a record holds, checked.

    ``labelled`` asks for the key ``mentions``; without it the key may be missing. Mentions keep their order, may
    nest, and may neither cross nor share a span. Raises `InputError` naming the place and the value.
    """
    if not isinstance(record, dict):
        raise place.error(f"holds {_kind(record)}, not a JSON object", 'Write one document a line: {"doc_id": ...}')
    text = _typed(record, "text", str, place)
    doc_id = _typed(record, "doc_id", str, place)
    items = (_typed if labelled else _optional)(record, "mentions", list, place) or []
    mentions = [mention_from_record(item, text, place) for item in items]
    check_overlaps(mentions, place)
    blocks = _blocks(record["blocks"], text, place) if "blocks" in record else paragraphs(text)
    meta = {key: value for key, value in record.items() if key not in _RECORD_KEYS}
    return Document(text, doc_id, blocks, tuple(mentions), meta)


def mention_from_record(record: Any, text: str, place: Place) -> Mention:
    """The mention a record holds, checked against the text it points into."""
    if not isinstance(record, dict):
        raise place.error(f"a mention is {_kind(record)}, not a JSON object")
    start, end = _typed(record, "start_offset", int, place), _typed(record, "end_offset", int, place)
    _check_offsets(start, end, text, place)
    span = _optional(record, "span_text", str, place)  # a check on the offsets, for those who write it
    if span not in (None, text[start:end]):
        raise place.error(
            f"mention {start} to {end}: span_text is {_short(span)}, the text there {_short(text[start:end])}",
            "Offsets count Unicode code points, from 0, the end excluded",
        )
    mention = Mention(
        start,
        end,
        _optional(record, "entity_type", str, place) or None,
        _optional(record, "identifier_type", str, place),
        _optional(record, "entity_id", str, place),
        _optional(record, "probability", (float, int), place),
        {key: value for key, value in record.items() if key not in _MENTION_KEYS},
    )
    _check_values(mention, place)
    return mention


def _typed(record: Mapping[str, Any], key: str, kind: type, place: Place) -> Any:
    if key not in record:
        raise place.error(f"the key '{key}' is missing", f"It has {', '.join(map(repr, record)) or 'no keys'}")
    return _of_kind(record[key], key, kind, place)


def _optional(record: Mapping[str, Any], key: str, kind: type | tuple[type, ...], place: Place) -> Any:
    value = record.get(key)
    return None if value is None else _of_kind(value, key, kind, place)


def _of_kind(value: Any, key: str, kind: type | tuple[type, ...], place: Place) -> Any:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, kinds) or isinstance(value, bool):
        raise place.error(f"'{key}' is {_kind(value)}, not {_NAMES[kinds[0]]}")
    return value


_NAMES: dict[Any, str] = {str: "a string", int: "a whole number", float: "a number", list: "a list"}


def _kind(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, (int, float)):
        return f"the number {str(value)[:20]}"
    return "an object" if isinstance(value, dict) else _NAMES[type(value)]


def _short(text: str, limit: int = 40) -> str:
    return repr(text if len(text) <= limit else text[: limit - 1] + "…")


def _check_offsets(start: int, end: int, text: str, place: Place) -> None:
    if not 0 <= start < end <= len(text):
        why = "start is not before end" if 0 <= start <= len(text) and end <= start else "outside the text"
        raise place.error(f"offsets {start} to {end}: {why} (it has {len(text)} characters)")


def _check_values(mention: Mention, place: Place) -> None:
    if mention.identifier_type not in (None, *IDENTIFIER_TYPES):
        raise place.error(
            f"mention {mention.start} to {mention.end}: unknown identifier_type {mention.identifier_type!r}",
            f"Use {', '.join(IDENTIFIER_TYPES)} or null",
        )
    if mention.probability is not None and not 0 <= mention.probability <= 1:
        raise place.error(f"mention {mention.start} to {mention.end}: probability {mention.probability}, not 0 to 1")


def check_overlaps(mentions: Iterable[Mention], place: Place) -> None:
    """Raise `InputError` where two mentions share a span or cross each other; one inside another is allowed."""
    around: list[Mention] = []  # the mentions around the current one, the innermost last
    for mention in sorted(mentions, key=lambda m: (m.start, -m.end)):
        while around and around[-1].end <= mention.start:
            around.pop()
        if around and (around[-1].start, around[-1].end) == (mention.start, mention.end):
            types = f"{around[-1].entity_type} and {mention.entity_type}"
            raise place.error(f"two mentions at {mention.start} to {mention.end} ({types})", "Keep one of them")
        if around and mention.end > around[-1].end:
            both = f"{around[-1].start} to {around[-1].end} and {mention.start} to {mention.end}"
            raise place.error(f"overlapping mentions: {both}", "A mention may lie inside another, not cross it")
        around.append(mention)


def _blocks(value: Any, text: str, place: Place) -> tuple[Block, ...]:
    blocks = []
    last = 0
    for item in _of_kind(value, "blocks", list, place):
        if not (isinstance(item, list) and [type(x) for x in item] == [int, int, str] and item[2] in PARTS):
            raise place.error("a block is not [start, end, part]", f"A part is one of {', '.join(PARTS)}")
        start, end, part = item
        if not last <= start <= end <= len(text):
            raise place.error(f"block {start} to {end}: outside the text, or not after the block before it")
        blocks.append(Block(start, end, part))
        last = end
    return tuple(blocks)


# --- records out ----------------------------------------------------------------------------------------------------


def document_to_record(document: Document) -> dict[str, Any]:
    """The record of a document; what `document_from_record` reads back without loss."""
    record: dict[str, Any] = {
        "doc_id": document.doc_id,
        "text": document.text,
        "mentions": [mention_to_record(document, m) for m in document.mentions],
    }
    if document.blocks != paragraphs(document.text):
        record["blocks"] = [[b.start, b.end, b.part] for b in document.blocks]
    return record | _further(document.meta, _RECORD_KEYS, document)


def mention_to_record(document: Document, mention: Mention) -> dict[str, Any]:
    """The record of a mention; ``probability`` only where there is one."""
    record: dict[str, Any] = {
        "start_offset": mention.start,
        "end_offset": mention.end,
        "span_text": document.cut(mention),
        "entity_type": mention.entity_type,
        "identifier_type": mention.identifier_type,
        "entity_id": mention.entity_id,
    }
    if mention.probability is not None:
        record["probability"] = float(mention.probability)
    return record | _further(mention.extra, _MENTION_KEYS, document)


def _further(values: Mapping[str, Any], own: frozenset[str], document: Document) -> dict[str, Any]:
    if clash := own & values.keys():
        raise InputError(f"document {document.doc_id!r}: the key {min(clash)!r} cannot be used for further data")
    return dict(values)


def check_document(document: Document, place: Place) -> None:
    """Raise `InputError` where the document could not be read back: offsets, overlaps, values."""
    place = Place(Path(f"{place.path} (document {document.doc_id!r})"))
    for mention in document.mentions:
        _check_offsets(mention.start, mention.end, document.text, place)
        _check_values(mention, place)
    check_overlaps(document.mentions, place)
    _blocks([[b.start, b.end, b.part] for b in document.blocks], document.text, place)


def is_tag(value: str, opening: str = "BI") -> bool:
    """Whether a value is a tag: O, or a letter of ``opening``, a hyphen and a type."""
    kind, hyphen, name = value.partition("-")
    return value == "O" or (kind in {*opening} and bool(hyphen) and [name] == name.split())
