"""What is done where mentions overlap: nothing that is hidden comes to light; the policy says only who has it.

The mention that goes first keeps all it has, the others keep what is left of them outside it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from aef.corpus_tools.document import Document, Mention

Order = Callable[[Mention], tuple[float, ...]]

POLICIES: dict[str, Order] = {
    "longest": lambda m: (m.start - m.end, -probability(m), m.start),
    "probable": lambda m: (-probability(m), m.start - m.end, m.start),
    "first": lambda m: (m.start, m.start - m.end, -probability(m)),
}
"""Who goes first: the longest mention, the most probable one, the one that begins first."""


def probability(mention: Mention) -> float:
    """A mention's probability; certain where it has none."""
    return 1.0 if mention.probability is None else mention.probability


def apart(document: Document, policy: str = "longest") -> Document:
    """The document with mentions that do not overlap and together hide the same letters and digits."""
    kept: list[Mention] = []
    starts: list[int] = []
    for mention in sorted(document.mentions, key=POLICIES[policy]):
        for piece in _outside(mention, kept, starts):
            whole = piece if piece is mention else trim(document.text, piece)
            if whole is not None:
                place = bisect_right(starts, whole.start)
                kept.insert(place, whole)
                starts.insert(place, whole.start)
    return document.with_mentions(kept)


def _outside(mention: Mention, kept: list[Mention], starts: list[int]) -> Iterator[Mention]:
    """What is left of a mention outside others, which do not overlap and are in order; all of it where none does."""
    low = mention.start
    i = max(0, bisect_right(starts, low) - 1)
    while i < len(kept) and kept[i].start < mention.end:
        if kept[i].end > low:
            if kept[i].start > low:
                yield replace(mention, start=low, end=kept[i].start)
            low = kept[i].end
        i += 1
    if low < mention.end:
        yield mention if low == mention.start else replace(mention, start=low)


def trim(text: str, mention: Mention) -> Mention | None:
    """A mention that was cut, without signs and blanks at its ends; None where nothing else is in it."""
    inside = [i for i in range(mention.start, mention.end) if text[i].isalnum() or text[i] == "_"]
    return replace(mention, start=inside[0], end=inside[-1] + 1) if inside else None


def provenance(mentions: Iterable[Mention]) -> list[str]:
    """Who found them, each once, in order."""
    return list(dict.fromkeys(name for m in mentions for name in m.extra.get("by", ())))
