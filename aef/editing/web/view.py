"""A session as the page shows it: plain values for JSON. What is markup in a ruling is text here, and stays text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from aef.corpus_tools.document import Block, Document
from aef.editing.decision import State
from aef.editing.facts import TYPE_OF
from aef.editing.labels import labels_told
from aef.editing.layout import Look, Run
from aef.editing.lists import KEYS, Asked, Listed, cycle
from aef.editing.questions import PAIR, Question, entities
from aef.editing.session import Session

MOST, LISTS = 40, 10
"""So many questions, and lists of them, the page has at hand."""
_AROUND = 140
"""Characters of its paragraph before and behind what a question is about."""

_LOOKS = ("level", "number", "indent", "align", "cell")

Piece = list[Any]
"""A stretch of a paragraph: start and end, the original, what stands there instead ("" where it stays), the entity, and
"b", "i" or both."""
Mark = tuple[int, int, str, str]
"""What was found: start and end, what stands there instead ("" where it stays), and the entity."""


def view(session: Session) -> dict[str, Any]:
    """All that the page shows."""
    state, asked = session.state, session.questions()
    return {
        "paragraphs": list(paragraphs(state.linked, session.looks, _marks(state))),
        "people": list(people(session)),
        "questions": [question(state, q) for q in asked[:MOST]],
        "lists": [listed(state, one) for one in session.lists()[:LISTS]],
        "left": len(asked),
        "expected": round(sum(q.changes for q in asked), 1),
        "undo": len(session.facts),
        "redo": len(session.undone),
        "roles": list(TYPE_OF),
        "chances": chances(asked),
    }


def chances(asked: Iterable[Question]) -> list[list[int]]:
    """Of all that is asked about and can be hidden or shown: whether it is hidden, the chance in 100 that it must be,
    and its mentions; for the slider's count."""
    return [[int(q.hidden), round(100 * q.chance), len(q.places)] for q in asked if q.kind != PAIR]


def paragraphs(document: Document, looks: Sequence[Look], marks: Sequence[Mark] = ()) -> Iterator[dict[str, Any]]:
    """Each paragraph with its part of the ruling, how it looks where that is not plain, and its pieces."""
    starts = [start for start, *_ in marks]
    for block, look in zip(document.blocks, looks, strict=True):
        first = max(0, bisect_left(starts, block.start) - 1)
        last = bisect_left(starts, block.end, lo=first)
        pieces = _pieces(document.text, block, marks[first:last])
        shown = {name: value for name in _LOOKS if (value := getattr(look, name))}
        yield {"part": block.part, **shown, "pieces": list(_styled(pieces, block.start, look.runs))}


def _styled(pieces: Iterable[Piece], start: int, runs: Sequence[Run]) -> Iterator[Piece]:
    """The pieces, plain ones parted where bold or italics begin or end; what is hidden has the style it begins with."""
    spans = [(start + low, start + high, style) for low, high, style in runs]
    edges = sorted({edge for low, high, _ in spans for edge in (low, high)})
    for low, high, original, replacement, key in pieces:
        cuts = [] if key is not None else [e for e in edges[bisect_right(edges, low) :] if e < high]
        for left, right in pairwise([low, *cuts, high]):
            style = next((s for a, b, s in spans if a <= left < b), "")
            yield [left, right, original[left - low : right - low], replacement, key, style]


def _marks(state: State) -> list[Mark]:
    """What is hidden, with what stands there instead, and who was found and is shown; in order, without overlap."""
    hidden = [(e.start, e.end, e.replacement, e.entity_id) for e in state.edits]
    taken = [(start, end) for start, end, *_ in hidden]
    shown = [
        (m.start, m.end, "", m.entity_id or "")
        for m in state.linked.mentions
        if not any(start < m.end and m.start < end for start, end in _near(taken, m.start, m.end))
    ]
    return sorted([*hidden, *shown])


def _near(spans: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    """The ordered spans that may overlap a stretch."""
    low = max(0, bisect_left(spans, (start, start)) - 1)
    return spans[low : bisect_left(spans, (end, end), lo=low) + 1]


def _pieces(text: str, block: Block, marks: Sequence[Mark]) -> Iterator[Piece]:
    position = block.start
    for start, end, replacement, key in marks:
        low, high = max(start, position), min(end, block.end)
        if low >= high:
            continue
        if position < low:
            yield [position, low, text[position:low], None, None]
        yield [low, high, text[low:high], replacement, key]
        position = high
    if position < block.end:
        yield [position, block.end, text[position : block.end], None, None]


def people(session: Session) -> Iterator[dict[str, Any]]:
    """Everybody and everything that was found, with what is done and why."""
    state = session.state
    likely = {key: q.chance for q in session.questions() if len(q.entities) == 1 for key in q.entities}
    called = labels_told(state.hidden, session.facts)
    for decision, mentions in entities(state):
        role = decision.role
        if mentions:
            yield {
                "id": role.entity_id,
                "label": state.labels.get(role.entity_id, ""),
                "names": role.names,
                "role": role.role,
                "kind": mentions[0].entity_type or "",
                "hidden": role.entity_id in state.masked,
                "places": [[m.start, m.end] for m in mentions],
                "chance": round(likely[role.entity_id], 2) if role.entity_id in likely else None,
                "called": role.entity_id in called,
                "why": [str(evidence) for evidence in role.evidence][:4],
                "maybe": [state.labels.get(key, key) for key in role.of_one_of],
            }


def listed(state: State, asked: Asked) -> dict[str, Any]:
    """A list with its questions, each with its replies from the proposed one on; or a question that is asked alone."""
    if not isinstance(asked, Listed):
        return question(state, asked)
    parts = [
        {**question(state, part), "replies": cycle(part), "key": key}
        for part, key in zip(asked.parts, KEYS, strict=False)
    ]
    return {
        "id": asked.id,
        "kind": asked.kind,
        "about": asked.about,
        "places": parts[0]["places"],
        "replies": [],
        "parts": parts,
    }


def question(state: State, asked: Question) -> dict[str, Any]:
    """A question with its context: the text before, what it is about, the text behind."""
    text = state.linked.text
    contexts = []
    for start, end in asked.places[: 2 if asked.kind == "pair" else 1]:
        low, high = _around(state, start, end)
        before, behind = "…" * (start - low == _AROUND), "…" * (high - end == _AROUND)
        contexts.append([before + text[low:start], text[start:end], text[end:high] + behind])
    return {
        "id": asked.id,
        "kind": asked.kind,
        "names": asked.names,
        "role": asked.role,
        "hidden": asked.hidden,
        "replies": asked.replies,
        "facts": {reply: asked.fact(reply).as_dict() for reply in asked.replies},
        "places": [list(place) for place in asked.places],
        "contexts": contexts,
        "chance": round(asked.chance, 2),
    }


def _around(state: State, start: int, end: int) -> tuple[int, int]:
    """From where to where the context of a place reaches: in its paragraph."""
    blocks = state.linked.blocks
    block = blocks[max(0, bisect_right(blocks, start, key=lambda b: b.start) - 1)]
    return max(min(start, block.start), start - _AROUND), min(max(end, block.end), end + _AROUND)
