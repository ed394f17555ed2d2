"""Random documents, as odd as they come: for the properties of corpus formats."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import strategies as st

from aef.corpus_tools.document import PARTS, Block, Document, Mention

ODD = "a\u0301 \u2028\u2029\x85\r\n\t\x00\x0b\x1c\u00a0\u200b\ufeff😀𝔸#\"\\'.,()[1]-"
texts = st.lists(
    st.one_of(
        st.text(max_size=6),
        st.text(ODD, max_size=4),
        st.sampled_from(["Mr. Green ", "She left. ", "\n\n", "“Ann’s” ", "[12] The ", "a/b "]),
    ),
    max_size=12,
).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3), lambda x: st.lists(x), max_leaves=3
)
types = st.sampled_from(["PERSON", "LOC", None, "UNKNOWN", "PER", "odd type"])
kinds = st.sampled_from(["DIRECT", "QUASI", "NO_MASK", None])


@st.composite
def documents(draw: st.DrawFn) -> Document:
    text = draw(texts)
    bounds = st.integers(0, len(text))
    spans: list[tuple[int, int]] = []
    for start, end in draw(st.lists(st.tuples(bounds, bounds), max_size=8)):
        if start < end and all(_may_stand_beside(start, end, *other) for other in spans):
            spans.append((start, end))
    probability = st.none() | st.floats(0, 1)
    further = st.dictionaries(st.text(max_size=3), values, max_size=1)
    mentions = [
        Mention(s, e, draw(types), draw(kinds), draw(st.none() | st.text(max_size=3)), draw(probability), draw(further))
        for s, e in spans
    ]
    document = Document.from_text(text, draw(st.text(max_size=4)), mentions, draw(further))
    cuts = sorted(draw(st.lists(bounds, max_size=4)))
    if draw(st.booleans()):
        blocks = [Block(s, e, draw(st.sampled_from(PARTS))) for s, e in pairwise(cuts)]
        document = Document(text, document.doc_id, tuple(blocks), document.mentions, document.meta)
    return document


def _may_stand_beside(start: int, end: int, other_start: int, other_end: int) -> bool:
    apart = end <= other_start or other_end <= start
    inside = (other_start <= start and end <= other_end) or (start <= other_start and other_end <= end)
    return (apart or inside) and (start, end) != (other_start, other_end)
