"""Label Studio's JSON: a list of tasks, each with its text, and the annotations or predictions of it.

Written for a project with ``<Labels name="label" toName="text">`` and ``<Text name="text" value="$text"/>``. Mentions
with a probability become predictions, which Label Studio shows to be accepted or mended; others become annotations.
Its full export (JSON) and the short one (JSON-MIN) are read. Offsets are code points; where the text that stands beside
them says that they count UTF-16 units, as older versions did, they are taken so. What a label cannot say goes into the
task's data under ``aef`` (see `aef.corpus_tools.gold.labels`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.labels import KEPT, Labelled, kept, label_of, restored
from aef.corpus_tools.gold.records import Place, loads

FROM, TO = "label", "text"


def to_label_studio(documents: Iterable[Document]) -> str:
    """Documents as tasks that Label Studio imports."""
    tasks = [_task(number, document) for number, document in enumerate(documents, 1)]
    return json.dumps(tasks, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _task(number: int, document: Document) -> dict[str, Any]:
    results = [_result(f"{number}-{i}", document, m) for i, m in enumerate(document.mentions, 1)]
    known = kept(document)
    task = {"id": number, "data": {"text": document.text, "doc_id": known.pop("doc_id"), KEPT: known}}
    sure = [m.probability for m in document.mentions if m.probability is not None]
    if sure:
        return task | {"predictions": [{"model_version": "aef", "score": sum(sure) / len(sure), "result": results}]}
    return task | {"annotations": [{"result": results}]}


def _result(name: str, document: Document, mention: Mention) -> dict[str, Any]:
    span = {"start": mention.start, "end": mention.end, "text": document.cut(mention), "labels": [label_of(mention)]}
    result: dict[str, Any] = {"id": name, "from_name": FROM, "to_name": TO, "type": "labels", "value": span}
    return result if mention.probability is None else {**result, "score": float(mention.probability)}


# --- reading --------------------------------------------------------------------------------------------------------


def read(path: Path, lines: Iterable[tuple[int, str]], labelled: bool = True) -> Iterator[tuple[int, Document]]:
    """The documents of an export; all on line 1, for the file is one JSON value. Raises `InputError` with the task."""
    place = Place(path)
    tasks = loads("\n".join(line for _, line in lines), place)
    if not isinstance(tasks, list):
        raise place.error("is no list of tasks", "Export the project from Label Studio as JSON or JSON-MIN")
    for number, task in enumerate(tasks, 1):
        yield 1, _document(task, number, Place(Path(f"{path}, task {number}")), path, labelled)


def _document(task: Any, number: int, place: Place, path: Path, labelled: bool) -> Document:
    if not isinstance(task, dict):
        raise place.error("is no JSON object", "Export the project from Label Studio as JSON or JSON-MIN")
    data = task.get("data", task)
    text = data.get(TO) if isinstance(data, dict) else None
    if not isinstance(text, str):
        raise place.error(f"its data have no '{TO}'", f"The project's <Text> must have the value ${TO}")
    doc_id = data.get("doc_id", task.get("id", f"{path.stem}-{number}"))
    spans = [_span(region, text, place) for region in _regions(task, place, labelled)]
    further = (
        {key: v for key, v in data.items() if key not in (TO, "doc_id", "blocks", "mentions", KEPT)}
        if "data" in task
        else {}
    )
    known = data.get(KEPT)
    return restored(text, str(doc_id), spans, {**further, **(known if isinstance(known, dict) else {})}, place)


def _regions(task: dict[str, Any], place: Place, labelled: bool) -> list[dict[str, Any]]:
    """What was labelled in a task, as the values of regions."""
    if "data" not in task:  # JSON-MIN: the labels stand in the task itself
        return _dicts(task.get(FROM, task.get("labels", [])), place)
    given = [a for a in _dicts(task.get("annotations") or [], place) if not a.get("was_cancelled")]
    if len(given) > 1:
        raise place.error(f"has {len(given)} annotations", "Keep one of each task before the export")
    given = given or _dicts(task.get("predictions") or [], place)[-1:]
    if not given and labelled:
        raise place.error("has no annotation", "Label it, or leave it out of the export")
    results = _dicts(given[0].get("result") or [], place) if given else []
    return [_value(result, place) for result in results if result.get("type") == "labels"]


def _value(result: dict[str, Any], place: Place) -> dict[str, Any]:
    value = result.get("value")
    if not isinstance(value, dict):
        raise place.error("a region has no value")
    return value


def _dicts(value: Any, place: Place) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(v, dict) for v in value):
        raise place.error("holds something that is no list of objects where annotations should be")
    return value


def _span(region: dict[str, Any], text: str, place: Place) -> Labelled:
    start, end, labels = region.get("start"), region.get("end"), region.get("labels")
    if not (isinstance(start, int) and isinstance(end, int)):
        raise place.error(f"a region from {start!r} to {end!r}", "Label plain text (<Text>): offsets must be numbers")
    if not (isinstance(labels, list) and len(labels) == 1 and isinstance(labels[0], str)):
        raise place.error(f"region {start} to {end} has not one label", "Give each stretch of text one label")
    told = region.get("text")
    if isinstance(told, str) and not _same(text[start:end], told):
        units = _in_utf16(text, start, end)
        if units is None or not _same(text[units[0] : units[1]], told):
            raise place.error(f"region {start} to {end}: the text beside it is not what stands there")
        start, end = units
    return start, end, labels[0]


def _same(cut: str, told: str) -> bool:
    """Whether a browser may have shown the stretch so, white space aside; it may write a line end as two letters."""
    plain = "".join(cut.split())
    return plain in ("".join(told.split()), "".join(told.replace("\\n", "\n").split()))


def _in_utf16(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The code points of a stretch that is told in UTF-16 units; None where it cuts a character in two."""
    units = accumulate((2 if ord(character) > 0xFFFF else 1 for character in text), initial=0)
    places = {unit: i for i, unit in enumerate(units)}
    return (places[start], places[end]) if start in places and end in places else None
