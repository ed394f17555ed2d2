"""When a word and a mention count as masked, by the rules of the Text Anonymization Benchmark's own evaluation."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from aef.corpus_tools.document import Mention
from aef.corpus_tools.tokenization.chunks import WORDS
from aef.evaluation.token_counts import Ints

_LENIENT = (
    "mr mrs ms "
    "a about after an and as at before between by during for from in into no nr of on or over since the to until with"
)
LENIENT = frozenset(_LENIENT.split())
"""Words that count as masked wherever they stand, in lower case."""
_SKIPPED = re.compile(rf"\b(?:{'|'.join(sorted(LENIENT))}|['’]s)\b|[-\s,.;:/&()\[\]–'\"’“”]", re.IGNORECASE)


def counting_words(text: str, mention: Mention) -> list[tuple[int, int]]:
    """The words of a mention, by their offsets."""
    return [word.span() for word in WORDS.finditer(text, mention.start, mention.end)]


def word_masked(text: str, start: int, end: int, covered: Ints) -> bool:
    """Whether all of a word that counts is masked."""
    return bool(covered[end] - covered[start] == end - start) or text[start:end].lower() in LENIENT


def mention_masked(text: str, mention: Mention, covered: Ints) -> bool:
    """Whether nothing is left of the mention but lenient words, white space and punctuation."""
    start, end = mention.start, mention.end
    if covered[end] - covered[start] == end - start:
        return True
    left = {start + i for i in range(end - start) if covered[start + i + 1] == covered[start + i]}
    for skipped in _SKIPPED.finditer(text[start:end]):
        left.difference_update(range(start + skipped.start(), start + skipped.end()))
    return not left


class Inside:
    """Spans, and whether one of them holds another span."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        ordered = sorted(spans)
        self.starts = [start for start, _ in ordered]
        self.reach = list(accumulate((end for _, end in ordered), max))

    def holds(self, start: int, end: int) -> bool:
        """Whether one span begins no later and ends no earlier."""
        last = bisect_right(self.starts, start) - 1
        return last >= 0 and self.reach[last] >= end
