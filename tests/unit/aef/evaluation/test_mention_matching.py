"""Mentions compared: cases counted by hand, and seqeval on the same tokens in BIO."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from seqeval.metrics import f1_score, precision_score, recall_score

from aef.corpus_tools.document import Document, Mention
from aef.evaluation.mention_matching import match_mentions
from aef.evaluation.token_counts import judge
from aef.tagging.targets import TITLES

TEXT = "Mr Ann Lee Ray of Rome and Bo"


def doc(*mentions: tuple[Any, ...]) -> Document:
    """Mentions by their pieces of the text, with a type (default PERSON)."""
    made = []
    for piece, *kind in mentions:
        start = TEXT.index(piece)
        made.append(Mention(start, start + len(piece), *(kind or ["PERSON"])))
    return Document(TEXT, "d", mentions=tuple(made))


CASES = [
    ("the same run", [("Ann Lee",)], [("Ann Lee",)], (1, 1), (1, 1), (1, 1)),
    ("a title is no part of it", [("Mr Ann Lee",)], [("Ann Lee",)], (1, 1), (1, 1), (1, 1)),
    ("half", [("Ann Lee",)], [("Lee",)], (0, 0), (1, 1), (1, 1)),
    ("less than half of the gold one", [("Ann Lee Ray",)], [("Ann",)], (0, 0), (0, 1), (1, 1)),
    ("less than half of the predicted one", [("Ann",)], [("Ann Lee Ray",)], (0, 0), (1, 0), (1, 1)),
    ("two for one", [("Ann Lee",)], [("Ann",), ("Lee",)], (0, 0), (1, 2), (1, 2)),
    ("beside it", [("Ann",)], [("Lee",)], (0, 0), (0, 0), (0, 0)),
    ("one inside another is left out", [("Ann Lee",), ("Lee",)], [("Ann Lee",)], (1, 1), (1, 1), (1, 1)),
    ("a part of a word is nothing", [("Ann",)], [("An",)], (0, 0), (0, 0), (0, 0)),
    ("nor is it at an end", [("Ann",)], [("Ann Le",)], (1, 1), (1, 1), (1, 1)),
]


@pytest.mark.parametrize(("why", "gold", "found", "exact", "half", "overlap"), CASES, ids=[c[0] for c in CASES])
def test_counted_by_hand(why: str, gold: Any, found: Any, exact: Any, half: Any, overlap: Any) -> None:
    matches = match_mentions(judge([doc(*gold)], [doc(*found)], "all"))
    counts = {way: (m.found, m.right) for way, m in matches.items()}
    assert counts == {"exact": exact, "half": half, "overlap": overlap}, why


def test_types() -> None:
    judged = judge([doc(("Ann Lee",), ("Rome", "LOC"))], [doc(("Ann Lee", "ORG"), ("Rome", "LOC"))], "all")
    assert {way: m.f1 for way, m in match_mentions(judged).items()} == {"exact": 1.0, "half": 1.0, "overlap": 1.0}
    assert {way: m.f1 for way, m in match_mentions(judged, typed=True).items()} == dict.fromkeys(
        ("exact", "half", "overlap"), 0.5
    )


def test_nothing_is_zero() -> None:
    match = match_mentions(judge([doc()], [doc()], "all"))["exact"]
    assert (match.precision, match.recall, match.f1) == (0.0, 0.0, 0.0)


# --- seqeval --------------------------------------------------------------------------------------------------------


def bio(document: Document) -> list[str]:
    """The tags of the counting tokens; mentions must not overlap."""
    words = [m for m in re.finditer(r"\w+", document.text) if m.group() not in TITLES]
    tags = ["O"] * len(words)
    for mention in document.mentions:
        inside = [i for i, w in enumerate(words) if mention.start <= w.start() < mention.end]
        for k, i in enumerate(inside):
            tags[i] = f"{'I' if k else 'B'}-{mention.entity_type}"
    return tags


@st.composite
def sides(draw: st.DrawFn) -> tuple[Document, Document]:
    """A text with titles, and two sets of mentions made of whole words."""
    words = draw(st.lists(st.sampled_from(["Ann", "Mr", "Bo", "Dr", "x1"]), min_size=1, max_size=14))
    text = " ".join(words)
    places = [m.span() for m in re.finditer(r"\w+", text)]
    return draw(st.tuples(*[mentions(text, places)] * 2))


@st.composite
def mentions(draw: st.DrawFn, text: str, places: list[tuple[int, int]]) -> Document:
    made: list[Mention] = []
    first = 0
    while first < len(places):
        length = draw(st.integers(0, 4))
        if length:
            last = min(first + length, len(places)) - 1
            made.append(Mention(places[first][0], places[last][1], draw(st.sampled_from(["PERSON", "ORG", "LOC"]))))
        first += max(1, length)
    return Document(text, "d", mentions=tuple(made))


@settings(deadline=None)
@given(st.lists(sides(), min_size=1, max_size=3))
def test_exact_is_seqevals(corpus: list[tuple[Document, Document]]) -> None:
    gold, found = [g for g, _ in corpus], [f for _, f in corpus]
    judged = judge(gold, found, "all")
    tags = [bio(d) for d in gold], [bio(d) for d in found]
    untyped = tuple([[re.sub("-.*", "-X", tag) for tag in tags] for tags in side] for side in tags)
    for typed, (true, said) in ((True, tags), (False, untyped)):
        match = match_mentions(judged, typed)["exact"]
        expected = [score(true, said, zero_division=0) for score in (precision_score, recall_score, f1_score)]
        assert [match.precision, match.recall, match.f1] == pytest.approx(expected)


@settings(deadline=None)
@given(sides())
def test_a_wider_way_never_finds_less(pair: tuple[Document, Document]) -> None:
    judged = judge(*([d] for d in pair), "all")
    for typed in (False, True):
        exact, half, overlap = match_mentions(judged, typed).values()
        assert exact.found <= half.found <= overlap.found
        assert exact.right <= half.right <= overlap.right
