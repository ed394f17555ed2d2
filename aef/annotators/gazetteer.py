"""Lists of names, in any order of their words: "Popescu Ioana Maria" is found as "Ioana Maria Popescu".

A name is the sum of the numbers of its words (64 bits each, from a hash of the word without case and accents), so that
the order does not matter and a list of a million names is eight megabytes. A ruling's stretches of one, two, three ...
words, up to the longest name, are summed and looked up at once: linear in the text. That two different names have one
sum is a matter of one in 10^13 stretches for a list of a million.

(Weighed: ahocorasick_rs and pyahocorasick, which want the words of a name in a fixed order, k! entries for k words; a
trie of sorted words, which is ten times as large and searched token by token.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from aef import lexicons
from aef.annotators.name_index import Endings, NameIndex
from aef.corpus_tools.document import Document, Mention
from aef.names.parts import fold

_JOINTS = frozenset(("-", "‐", "‑", "."))


@cache
def case_endings(language: str) -> Endings | None:
    """The case endings of a language's names, by its list ``case_endings``; None where it has none.

    >>> case_endings("ro")("mariei")
    ['maria', 'marie', 'mariea']
    """
    lines = lexicons.load_all(language).get("case_endings", frozenset())
    pairs = sorted({(fold(e), fold("".join(to))) for e, *to in map(str.split, lines)}, key=lambda p: (-len(p[0]), p[1]))
    if not pairs:
        return None

    def nominatives(word: str) -> list[str]:
        stems = [word[: -len(e)] + to for e, to in pairs if word.endswith(e) and len(word) - len(e) > 1]
        return list(dict.fromkeys(stems))

    return nominatives


class Gazetteer:
    """Finds the names of lists.

    Parameters
    ----------
    index : the names; see `NameIndex.of` and `names_of`.
    entity_type : the type of what is found.
    language : whose case endings are taken off (see `case_endings`), and whose titles, months and common words are no
        names by themselves and do not belong to one as neighbours.
    capitals : whether a name counts only where each of its words has a capital.
    neighbours : whether capitalized words next to a name belong to it: a list of given names finds whole names.
    probability : of what is found.
    """

    def __init__(
        self,
        index: NameIndex,
        entity_type: str = "PERSON",
        *,
        language: str = "en",
        capitals: bool = True,
        neighbours: bool = False,
        probability: float = 0.9,
    ) -> None:
        self.index = index
        self.entity_type = entity_type
        self.language = language
        self.capitals = capitals
        self.neighbours = neighbours
        self.probability = probability
        lists = lexicons.load_all(language)
        words = (lists[name] for name in ("common_words", "title", "nome_title", "month_names", "weekday_names"))
        self._never = frozenset(word.lower().rstrip(".") for entries in words for word in entries)

    def tag(self, document: Document) -> Document:
        """The document with the names found in it, in place of its own mentions."""
        document = document.in_language(self.language)
        hits = self.index.hits(document, case_endings(self.language), self.capitals)
        spans = (range(low, low + size) for low, size, _ in hits if size > 1 or not self._common(document.words[low]))
        return document.with_mentions(self._mentions(document, spans))

    def _common(self, word: str) -> bool:
        return word.lower().rstrip(".") in self._never

    def _mentions(self, document: Document, spans: Iterable[range]) -> Iterator[Mention]:
        reached = 0
        for span in spans:
            grown = self._grown(document, span) if self.neighbours else span
            if grown.start >= reached:
                start, end = int(document.tokens.starts[grown.start]), int(document.tokens.ends[grown.stop - 1])
                yield Mention(start, end, self.entity_type, probability=self.probability)
            reached = max(reached, grown.stop)

    def _grown(self, document: Document, span: range) -> range:
        """The name with the capitalized words before and after it."""
        low, high, first = span.start, span.stop, document.tokens.first
        while low > 0 and not first[low] and self._joins(document, low - 1, low):
            low -= 1
        while high < len(document.tokens) and not first[high] and self._joins(document, high, high):
            high += 1
        return range(low, high)

    def _joins(self, document: Document, token: int, second: int) -> bool:
        """Whether the token is a name's word, next to it: ``second`` is the latter of the two."""
        word = document.words[token]
        gap = document.text[document.tokens.ends[second - 1] : document.tokens.starts[second]]
        near = gap in _JOINTS or ("\n" not in gap and gap.removeprefix(".").isspace())
        return word[0].isupper() and not self._common(word) and near
