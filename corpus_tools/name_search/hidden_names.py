"""The names that are hidden, found and replaced where no tagger reads: in attributes, properties, field codes, links.

Stricter than in the text of a ruling, where "green" may be a colour: here letter case does not matter, and a longer
name is found inside a longer word ("bookmark_zwetkow1", "annazwetkow@example.org").
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

from aef.corpus_tools.edits import Replacement, apply_edits
from aef.corpus_tools.name_search.folding import folded
from aef.corpus_tools.name_search.name_trie import WORDS, joined, letters, trie

INSIDE = 6
"""A word of so many letters is found inside other words, too."""
WHOLE = 4
"""A word of so many letters is found in any letter case; a shorter one with a capital alone."""
SAFE = 5
"""A name of so many letters is found in binary data."""


MANY = 50
"""No name has more words; what has is one thing over and over."""

_ASCII = re.compile(rb"[\x20-\x7e]{5,}")
_UTF16 = re.compile(rb"(?:[\x20-\x7e]\0){5,}")
_KINDS = bytes([0, *b"?" * 31, *b"a" * 95, *b"?" * 129])
"""What each byte is: zero, a letter or sign of ASCII, or another."""
_RUNS = ((_ASCII, b"a" * 5, 1), (_UTF16, b"a\0" * 5, 2))
"""What finds runs, how the shortest looks by the kinds of its bytes, and every how many bytes a letter stands."""
_ENCODINGS = ("utf-8", "utf-16-le", "cp1252", "cp1250")


class ShownNames:
    """Names as a reader sees them in a text: whole ones, of several words in any letter case.

    A name of one word has a capital, unless it is long; so has one of initials and a surname ("a hill" is nobody's).
    Words may be joined by spaces, hyphens, periods and what joins them in the name; with ``broken``, they may be broken
    at the end of a line. Where one begins another, the longer one is found.

    >>> [*ShownNames(["Anna Hale", "Hale"])("ANNA HALE, Hale and a hale man")]
    [(0, 9, 'annahale'), (11, 15, 'hale')]
    """

    def __init__(self, names: Iterable[str], broken: bool = False) -> None:
        longest_first = sorted(set(names), key=lambda name: (-len(name), name))
        found = [pieces for name in longest_first if (pieces := _pieces(folded(name)[0], broken))]
        self._pattern = re.compile(rf"(?<![^\W_]){trie(found)}(?![^\W\d_])") if found else None

    def __call__(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Where names begin and end, and their letters, folded and together; names that overlap are all told."""
        spelled, places = folded(text)
        last = 0
        for words in self._matches(spelled):
            start, end = places[words[0].start()], places[words[-1].end() - 1] + 1
            anyhow = _anyhow([word.group() for word in words])
            if words[-1].end() > last and (anyhow or all(text[places[w.start()]].isupper() for w in words)):
                last = words[-1].end()
                yield start, _with_marks(text, end), "".join(word.group() for word in words)

    def among(self, texts: Sequence[str]) -> set[int]:
        """The numbers of the texts that may hold a name: all are searched at once, a line each."""
        starts = [0, *accumulate(len(text) + 1 for text in texts)]
        spelled, places = folded("\n".join(texts))
        found = list(self._matches(spelled))
        if any(len(words) > MANY for words in found):
            return set(range(len(texts)))
        return {bisect_right(starts, places[words[0].start()]) - 1 for words in found}

    def _matches(self, spelled: str) -> Iterator[list[re.Match[str]]]:
        """The words of each match; what follows the first of them may begin another one, in a name without end one of
        the last."""
        match = self._pattern.search(spelled) if self._pattern else None
        while match and self._pattern:
            words = list(WORDS.finditer(spelled, *match.span()))
            yield words
            match = self._pattern.search(spelled, words[0 if len(words) <= MANY else -MANY].end())


def _pieces(spelled: str, broken: bool) -> list[str]:
    """A folded name as pieces of a pattern, its words joined by what joins them in it, or by what may."""
    inside = r"(?:-\s+)?" if broken else ""
    pieces: list[str] = []
    end = 0
    for match in WORDS.finditer(spelled):
        signs = {sign for sign in spelled[end : match.start()] if not sign.isspace()} | {".", "-"}
        pieces += [rf"[\s{re.escape(''.join(sorted(signs)))}]*"] if pieces else []
        pieces += letters(match.group(), inside)
        end = match.end()
    return pieces


def _anyhow(words: list[str]) -> bool:
    """Whether a name is one in any letter case: of two words that are no initials, or of a long one."""
    return sum(len(word) > 1 for word in words) > 1 or (len(words) == 1 and len(words[0]) >= INSIDE)


def printable(data: bytes) -> str:
    """The runs of ASCII letters and signs in binary data, also in UTF-16, a line each."""
    kinds = data.translate(_KINDS)
    searched = [(run, step) for run, in_kinds, step in _RUNS if in_kinds in kinds]  # most of a drawing has none
    if searched:
        for filling in (b"\xff", b"\0\0"):  # most of a large drawing is paper
            data = data.replace(filling * 16, filling)
    return "\n".join(found[::step].decode("ascii") for run, step in searched for found in run.findall(data))


class HiddenNames:
    """Names with the labels that stand for them; true of a text in which one is found.

    >>> names = HiddenNames({"Anna Zwetkow": "A.Z.", "Zwetkow": "A.Z."})
    >>> names.replaced("Ms. ZWETKOW's"), names.identifier("bm_zwetkow1"), names("Anna's")
    ("Ms. A.Z.'s", 'bm_AZ1', False)
    """

    def __init__(self, labels: Mapping[str, str]) -> None:
        self._given = [name for name in labels if len(name) >= WHOLE]
        self.labels = {key: label for name, label in labels.items() if (key := " ".join(_words(folded(name)[0])))}
        self._together = {name.replace(" ", ""): label for name, label in reversed(self.labels.items())}

    def __call__(self, text: str) -> bool:
        return next(self._found(text), None) is not None

    def among(self, texts: Iterable[str]) -> bool:
        """False where no text holds a name: all are searched at once, a line each."""
        return self("\n".join(texts))

    def replaced(self, text: str) -> str:
        """The text with labels in the place of names."""
        return apply_edits(text, self.edits(text))

    def identifier(self, text: str) -> str:
        """The text with letters and digits of labels in the place of names: equal for equal texts."""
        return apply_edits(text, self.edits(text, identifier=True))

    def edits(self, text: str, identifier: bool = False) -> list[Replacement]:
        """Where names stand in a text, and their labels (of an identifier: the letters and digits of them)."""
        found = self._found(text)
        if not identifier:
            return list(found)
        return [(start, end, "".join(filter(str.isalnum, label)) or "x") for start, end, label in found]

    def in_bytes(self, data: bytes) -> bool:
        """Whether a name stands in binary data, in one of the encodings in use."""
        return next(self.read_in(data), None) is not None

    def read_in(self, data: bytes) -> Iterator[str]:
        """The names that stand in binary data; short ones are there by chance."""
        text = printable(data)
        yield from (text[start:end] for start, end, _ in self._found(text) if end - start >= SAFE)
        yield from (form.decode("utf-8", "replace") for form in self._encoded if form in data)

    @cached_property
    def _encoded(self) -> set[bytes]:
        """The names with letters outside ASCII as bytes."""
        forms = {form for name in self._given for form in (name, name.lower(), name.upper(), name.title())}
        spelled = (
            (form, code, form.encode(code, "ignore")) for form in forms for code in _ENCODINGS if not form.isascii()
        )
        return {data for form, code, data in spelled if data.decode(code) == form}

    def _found(self, text: str) -> Iterator[Replacement]:
        if self._pattern is None:
            return
        spelled, places = folded(text)
        for match in self._pattern.finditer(spelled):
            start = places[match.start()]
            end = _with_marks(text, places[match.end() - 1] + 1)
            words = _words(match.group())
            if len(words) > 1 or len(words[0]) >= WHOLE or text[start].isupper():
                yield start, end, self._label(words)

    def _label(self, words: list[str]) -> str:
        label = self.labels.get(" ".join(words))
        return self._together["".join(words)] if label is None else label

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        return _any(name.split() for name in self.labels) if self.labels else None


def _with_marks(text: str, end: int) -> int:
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def _words(spelled: str) -> list[str]:
    return WORDS.findall(spelled)


def _any(names: Iterable[list[str]]) -> re.Pattern[str]:
    """What finds names, given as folded words: the long ones of one word inside of others, too."""
    sorts: dict[bool, list[list[str]]] = {True: [], False: []}
    for words in names:
        sorts[len(words) == 1 and len(words[0]) >= INSIDE and words[0].isalpha()].append(joined(words, r"[\W_]*"))
    whole = [rf"(?<![^\W_]){trie(sorts[False])}(?![^\W\d_])"] if sorts[False] else []
    return re.compile("|".join(whole + ([trie(sorts[True])] if sorts[True] else [])))
