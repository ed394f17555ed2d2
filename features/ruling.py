"""One ruling as document-level arguments see it: its tokens, what stands between, its runs of capitalized words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

_JOINTS = frozenset({"", "'", "’", "-", "‑"})
"""What may stand between the words of a name besides a space."""


RARE = 3
"""In fewer documents than this a word counts as never seen, so that nobody's name is told from any other."""


@dataclass(frozen=True)
class Frequencies:
    """In how many training documents each lower-cased word occurs.

    ``own``: the documents looked at are among those counted; each of their words is then counted without them.
    """

    documents: Mapping[str, int]
    own: bool = False


@dataclass(frozen=True)
class Source:
    """The text of a document, and where its n tokens begin and end in it (code points, shape (n,))."""

    text: str
    starts: Ints
    ends: Ints

    @classmethod
    def of_words(cls, words: Sequence[str]) -> Source:
        """Of words without a text: they are joined by spaces."""
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        ends = np.cumsum(lengths + 1) - 1
        return cls(" ".join(words), ends - lengths, ends)


class Ruling:
    """The n tokens of a document and what is known about them; ``words``, ``first`` have length n."""

    def __init__(
        self,
        words: Sequence[str],
        first: Sequence[bool] | Bools,
        source: Source,
        lexicons: Mapping[str, frozenset[str]],
        frequencies: Frequencies,
    ) -> None:
        self.words = words
        self.first = np.asarray(first, dtype=np.bool_).tolist()
        self.source = source
        self.lexicons = lexicons
        self.frequencies = frequencies

    @cached_property
    def lower(self) -> list[str]:
        """The words in lower case."""
        return [word.lower() for word in self.words]

    @cached_property
    def codes(self) -> NDArray[np.uint32]:
        """The code points of the text."""
        return np.frombuffer(self.source.text.encode("utf-32-le", "surrogatepass"), np.uint32)

    @cached_property
    def gaps(self) -> list[str]:
        """What stands between each token and the one before, without spaces; the first has a line end."""
        text, starts, ends = self.source.text, self.source.starts, self.source.ends
        gaps = [""] * len(starts)
        if not gaps:
            return gaps
        single = (starts[1:] - ends[:-1] == 1) & (self.codes[ends[:-1]] == ord(" "))
        for i in (np.flatnonzero(~single) + 1).tolist():
            gap = text[ends[i - 1] : starts[i]]
            gaps[i] = "\n" if "\n" in gap else gap.replace(" ", "").replace("\xa0", "")
        gaps[0] = "\n"
        return gaps

    @cached_property
    def rarity(self) -> list[int]:
        """How common each token's word is: 0 in fewer than `RARE` training documents, then one more each doubling."""
        counts, own = self.frequencies.documents, self.frequencies.own
        known = {word: (max(0, counts.get(word, 0) - own) // RARE).bit_length() for word in set(self.lower)}
        return [known[word] for word in self.lower]

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """Runs of capitalized words in a sentence, nothing but spaces and hyphens between them: (start, end) each."""
        return list(self._runs(frozenset()))

    @cached_property
    def phrases(self) -> list[tuple[int, int]]:
        """Runs of capitalized words joined by words like "of": "Ministry of Justice"."""
        return list(self._runs(self.lexicons["joiners"]))

    def _runs(self, joiners: frozenset[str]) -> Iterator[tuple[int, int]]:
        capital = [word[0].isupper() for word in self.words]
        goes_on = [not f and gap in _JOINTS for f, gap in zip(self.first, self.gaps, strict=True)]
        i, n = 0, len(capital)
        while i < n:
            if not capital[i]:
                i += 1
                continue
            end = self._end(i + 1, capital, goes_on, joiners)
            yield i, end
            i = end

    def _end(self, end: int, capital: list[bool], goes_on: list[bool], joiners: frozenset[str]) -> int:
        n = len(capital)
        while True:
            while end < n and capital[end] and goes_on[end]:
                end += 1
            ahead = end
            while ahead < min(n, end + 3) and goes_on[ahead] and self.words[ahead] in joiners:
                ahead += 1
            if ahead in (end, n) or not (capital[ahead] and goes_on[ahead]):
                return end
            end = ahead

    def before(self, start: int) -> str:
        """The word before a token, in lower case; a period where its sentence begins, nothing before the first."""
        return "" if not start else "." if self.first[start] else self.lower[start - 1]

    def after(self, end: int) -> str:
        """The word at ``end``, after a run, in lower case; a period where the sentence ended before."""
        return "" if end == len(self.words) else "." if self.first[end] else self.lower[end]

    def over(self, spans: Sequence[tuple[int, int]], values: Sequence[Any]) -> list[Any]:
        """A value for each token: that of its span, or the empty string outside all of them."""
        spread: list[Any] = [""] * len(self.words)
        for (start, end), value in zip(spans, values, strict=True):
            spread[start:end] = [value] * (end - start)
        return spread
