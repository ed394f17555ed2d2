"""One ruling as document-level arguments see it: its tokens, what stands between, its runs of capitalized words."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Bools = NDArray[np.bool_]

_JOINTS = frozenset({"", "'", "’", "-", "‑"})
"""What may stand between the words of a name besides a space."""


_HEADED = re.compile(r"(?:[Xj]|x(?!x)){0,8}X")
"""What goes on behind a head noun, as signs of `Ruling.headed`: not two plain words side by side, a capital last."""

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
class Words:
    """The words of a document, ``forms[numbers]``: places in an array of strings, which many documents may share."""

    forms: NDArray[np.object_]
    numbers: Ints

    @classmethod
    def of(cls, words: Words | Sequence[str]) -> Words:
        """From a list."""
        return words if isinstance(words, Words) else cls(np.array(words, dtype=object), np.arange(len(words)))

    def __len__(self) -> int:
        return len(self.numbers)

    def tolist(self) -> list[str]:
        words: list[str] = self.forms[self.numbers].tolist()
        return words


@dataclass(eq=False)
class Source:
    """The text of a document, and where its n tokens begin and end in it (code points, shape (n,)).

    What was found out of it is kept for who asks again: see `ruling`.
    """

    text: str
    starts: Ints
    ends: Ints
    _last: Ruling | None = field(default=None, repr=False)

    def ruling(self, words: Words, first: Bools, lexicons: Mapping[str, frozenset[str]]) -> Ruling:
        """The document as document-level arguments see it; the same one for who asks again with the same lists."""
        if self._last is None or self._last.lexicons is not lexicons:
            self._last = Ruling(words.tolist(), first, self, lexicons)
        return self._last

    @classmethod
    def of_words(cls, words: Sequence[str]) -> Source:
        """Of words without a text: they are joined by spaces."""
        lengths = np.fromiter(map(len, words), np.int64, len(words))
        ends = np.cumsum(lengths + 1) - 1
        return cls(" ".join(words), ends - lengths, ends)


@dataclass(frozen=True, eq=False)
class Coded(Sequence[Any]):
    """One value a token, ``values[codes]``: quicker than a list where many tokens share a value."""

    values: Sequence[Any]
    codes: Ints

    @classmethod
    def of(cls, values: Sequence[Any]) -> Coded:
        """From a list; the values by their first appearance."""
        if isinstance(values, cls):
            return values
        lookup = numbering()
        codes = np.fromiter(map(lookup.__getitem__, values), np.int32, len(values))
        return cls(list(lookup), codes)

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[Any]:
        return map(self.values.__getitem__, self.codes.tolist())

    def __getitem__(self, place: Any) -> Any:
        return list(self)[place] if isinstance(place, slice) else self.values[self.codes[place]]


def numbering() -> defaultdict[Any, int]:
    """A dictionary that gives each new key the next number."""
    lookup: defaultdict[Any, int] = defaultdict()
    lookup.default_factory = lookup.__len__
    return lookup


class Ruling:
    """The n tokens of a document and what is known about them; ``words``, ``first`` have length n."""

    def __init__(
        self,
        words: Sequence[str],
        first: Sequence[bool] | Bools,
        source: Source,
        lexicons: Mapping[str, frozenset[str]],
    ) -> None:
        self.words = words
        self.first = np.asarray(first, dtype=np.bool_).tolist()
        self.source = source
        self.lexicons = lexicons
        self._once: dict[str, Any] = {}
        self._rarity: tuple[Frequencies, Coded] | None = None

    def once(self, name: str, make: Callable[[], Any]) -> Any:
        """What several arguments need of the document, made for the first of them."""
        if name not in self._once:
            self._once[name] = make()
        return self._once[name]

    @cached_property
    def forms(self) -> Coded:
        """The words, each different one once."""
        return Coded.of(self.words)

    def by_word(self, function: Callable[[str], Any]) -> Coded:
        """What a function tells of each token's word, asked once a different word."""
        return Coded(list(map(function, self.forms.values)), self.forms.codes)

    @cached_property
    def lower(self) -> list[str]:
        """The words in lower case."""
        return list(self.by_word(str.lower))

    @cached_property
    def sentences(self) -> list[tuple[int, int]]:
        """The first token of each sentence, and the one after its last."""
        begins = [i for i, first in enumerate(self.first) if first or not i]
        return list(pairwise([*begins, len(self.words)]))

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
        for i in self.apart:
            gap = text[ends[i - 1] : starts[i]]
            gaps[i] = "\n" if "\n" in gap else gap.replace(" ", "").replace("\xa0", "")
        gaps[0] = "\n"
        return gaps

    @cached_property
    def apart(self) -> list[int]:
        """The tokens that something other than a single space parts from the one before."""
        starts, ends = self.source.starts, self.source.ends
        space = (starts[1:] - ends[:-1] == 1) & (self.codes[ends[:-1]] == ord(" "))
        apart: list[int] = (np.flatnonzero(~space) + 1).tolist()
        return apart

    def rarity(self, frequencies: Frequencies) -> Coded:
        """How common each token's word is: 0 in fewer than `RARE` training documents, then one more each doubling."""
        if self._rarity is None or self._rarity[0] is not frequencies:
            counts, own = frequencies.documents, frequencies.own
            rarity = self.by_word(lambda word: (max(0, counts.get(word.lower(), 0) - own) // RARE).bit_length())
            self._rarity = frequencies, rarity
        return self._rarity[1]

    @cached_property
    def runs(self) -> list[tuple[int, int]]:
        """Runs of capitalized words in a sentence, nothing but spaces and hyphens between them: (start, end) each."""
        return list(self._runs(frozenset()))

    @cached_property
    def phrases(self) -> list[tuple[int, int]]:
        """Runs of capitalized words joined by words like "of": "Ministry of Justice"."""
        return list(self._runs(self.lexicons["joiners"]))

    @cached_property
    def headed(self) -> list[tuple[int, int]]:
        """Nouns that head names of organizations and places, each with the name: "cour d'appel de Cracovie".

        A name ends with its last capitalized word; a noun that leads to none is alone.
        """
        heads = self.lexicons["organization_words"] | self.lexicons["place_words"]
        found, end = [], 0
        for start in np.flatnonzero(list(self.by_word(lambda word: word.lower() in heads))).tolist():
            if start >= end:
                name = _HEADED.match(self._signs, start + 1)
                end = name.end() if name else start + 1
                found.append((start, end))
        return found

    @cached_property
    def _signs(self) -> str:
        """A sign a token: X with a capital, j joins, x plain, a period for function words and where nothing goes on."""
        signs = self.by_word(self._sign)
        return "".join(sign if on else "." for sign, on in zip(signs, self._goes_on, strict=True))

    def _sign(self, word: str) -> str:
        if word[0].isupper():
            return "X"
        if word in self.lexicons["joiners"]:
            return "j"
        return "x" if word.isalpha() and word not in self.lexicons["function_words"] else "."

    def _runs(self, joiners: frozenset[str]) -> Iterator[tuple[int, int]]:
        end = 0
        for start in np.flatnonzero(self._capital).tolist():
            if start >= end:
                end = self._end(start + 1, joiners)
                yield start, end

    @cached_property
    def _capital(self) -> list[bool]:
        return list(self.by_word(lambda word: word[0].isupper()))

    @cached_property
    def _goes_on(self) -> list[bool]:
        """Whether each token may go on with what the one before began."""
        return [not first and gap in _JOINTS for first, gap in zip(self.first, self.gaps, strict=True)]

    def _end(self, end: int, joiners: frozenset[str]) -> int:
        n, capital, goes_on = len(self.words), self._capital, self._goes_on
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

    def over(self, spans: Sequence[tuple[int, int]], values: Sequence[Any]) -> Coded:
        """A value for each token: that of its span (of several the last), or the empty string outside all of them."""
        codes = np.zeros(len(self.words), np.int32)
        for number, (start, end) in enumerate(spans, 1):
            codes[start:end] = number
        return Coded(["", *values], codes)
