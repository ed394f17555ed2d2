"""A ruling as NOME reads it: its words with their capitals, and where known phrases stand in it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from aef.corpus_tools.document import Document, Mention

_JOINTS = frozenset("-‐‑'’")
Phrase = tuple[str, ...]


def is_initial(word: str) -> bool:
    """Whether it is a single letter, perhaps with a period."""
    return word[:1].isalpha() and word[1:] in ("", ".")


class Text:
    """A document's tokens as the rules ask for them."""

    def __init__(self, document: Document) -> None:
        tokens = document.tokens
        self.words = tokens.words
        self.first: list[bool] = tokens.first.tolist()
        self._document = document
        self._starts: list[int] = tokens.starts.tolist()
        self._ends: list[int] = tokens.ends.tolist()
        self._capitalized = {word: is_capitalized(word) for word in set(self.words)}
        gaps = map(self._gap, range(len(self.words)))
        self.joined = [not begins and (g.isspace() or g in _JOINTS) for begins, g in zip(self.first, gaps, strict=True)]

    def _gap(self, i: int) -> str:
        """What stands between token ``i`` and the one before; tokens are looked at, not paragraphs between them."""
        return self._document.text[self._ends[i - 1] : self._starts[i]][:80] if i else ""

    def begins_clause(self, i: int) -> bool:
        return self.first[i] or ";" in self._gap(i)

    def before_period(self, i: int) -> bool:
        return self._document.text.startswith(".", self._ends[i])

    def follows_title(self, i: int) -> bool:
        """Whether token ``i`` stands right after the one before, a sentence's end seen in a title's period or not."""
        return i > 0 and (self.joined[i] or self._gap(i) in (". ", ".\N{NO-BREAK SPACE}"))

    def nameable(self, i: int, capitals: bool) -> bool:
        """Whether the token can be part of a name, words in capitals only where ``capitals``."""
        return self._capitalized[self.words[i]] or (capitals and is_in_capitals(self.words[i]))

    def phrase(self, span: range) -> Phrase:
        return tuple(self.words[span.start : span.stop])

    def mention(self, span: range, kind: str | None) -> Mention:
        return Mention(self._starts[span.start], self._ends[span.stop - 1], kind)


def is_capitalized(word: str) -> bool:
    """Whether a word has a capital and then small letters, or is an initial."""
    if any(c.isdigit() for c in word) or not word[0].isupper():
        return False
    return any(c.islower() for c in word) or is_initial(word)


def is_in_capitals(word: str) -> bool:
    """Whether a word has capitals alone."""
    return word.isupper() and word[0].isalpha() and not any(c.isdigit() for c in word)


class Found:
    """Token ranges that do not overlap, each with its type: the first to come stays."""

    def __init__(self, tokens: int) -> None:
        self.taken = [False] * tokens
        self._spans: list[tuple[range, str | None]] = []

    def add(self, span: range, kind: str | None) -> None:
        if not any(self.taken[i] for i in span):
            self._spans.append((span, kind))
            for i in span:
                self.taken[i] = True

    def in_order(self) -> list[tuple[range, str | None]]:
        return sorted(self._spans, key=lambda item: item[0].start)


class Phrases:
    """A set of word sequences to look for: the longest one at a place, from left to right."""

    def __init__(self, phrases: Iterable[Phrase]) -> None:
        self._known = frozenset(phrases)
        lengths: dict[str, set[int]] = defaultdict(set)
        for phrase in self._known:
            lengths[phrase[0]].add(len(phrase))
        self._lengths = {word: sorted(found, reverse=True) for word, found in lengths.items()}

    def occurrences(
        self, words: Sequence[str], joined: Sequence[bool], taken: Sequence[bool] | None = None
    ) -> Iterator[range]:
        """Where a phrase stands in neighbouring words none of which is taken."""
        i = 0
        while i < len(words):
            span = range(i, i + 1)
            for length in self._lengths.get(words[i], ()):
                candidate = range(i, min(i + length, len(words)))
                if tuple(words[i : candidate.stop]) in self._known and _unbroken(candidate, joined, taken):
                    yield candidate
                    span = candidate
                    break
            i = span.stop

    def mark(self, words: Sequence[str], joined: Sequence[bool]) -> list[bool]:
        """One truth value a word: is it part of a phrase?"""
        inside = [False] * len(words)
        for span in self.occurrences(words, joined):
            inside[span.start : span.stop] = [True] * len(span)
        return inside


def _unbroken(span: range, joined: Sequence[bool], taken: Sequence[bool] | None) -> bool:
    return all(joined[i] for i in span[1:]) and not (taken and any(taken[i] for i in span))
