"""Names in an index that holds hashes alone, so that millions of them fit into memory."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.names.parts import PARTICLES, fold

Sums = NDArray[np.uint64]
Bools = NDArray[np.bool_]
Endings = Callable[[str], Sequence[str]]
"""From a folded word to the folded nominatives it may be the oblique case of."""
_JOINTS = frozenset(("", "-", "‐", "‑", ".", ","))
_NO_WORD = re.compile(r"[^\w\n&]+")
_LINES = 1 << 16
_SMALL = PARTICLES | {"&"}
"""What has no capital in a name."""


class NameIndex:
    """The sums of many names, to look stretches of a document up in; built by `NameIndex.of`.

    names : the sums, ascending, shape (n,). words : the numbers of the words in them, ascending. longest : words of the
    longest name.
    """

    def __init__(self, names: Sums, words: Sums, longest: int) -> None:
        self.names = names
        self.words = words
        self.longest = longest

    @classmethod
    def of(cls, names: Iterable[str]) -> NameIndex:
        """The index of names, one a string; those without a letter or digit are left out."""
        sums, words, longest = [np.zeros(0, np.uint64)], [np.zeros(0, np.uint64)], 0
        remaining = iter(names)
        while chunk := list(islice(remaining, _LINES)):
            found, size, numbers = _sums(chunk)
            sums.append(found)
            words.append(numbers)
            longest = max(longest, size)
        return cls(np.unique(np.concatenate(sums)), np.unique(np.concatenate(words)), longest)

    def hits(
        self, document: Document, endings: Endings | None = None, capitals: bool = True
    ) -> Iterator[tuple[int, int, int]]:
        """The stretches that are a name, the longest at each place, from left to right: first token, number of tokens,
        and the name's sum.

        ``endings``: a word that no name has counts as one of its nominatives. ``capitals``: each word has a capital,
        but for particles.
        """
        numbers, usable = self._numbers(document, endings, capitals)
        reached = 0
        for low, size, total in self._candidates(numbers, usable, document.tokens.first):
            if low >= reached and _together(document, low, size):
                yield low, size, total
                reached = low + size

    def _numbers(self, document: Document, endings: Endings | None, capitals: bool) -> tuple[Sums, Bools]:
        """The number of each token, and whether it can be part of a name."""
        kinds, which = np.unique(document.tokens.numbers, return_inverse=True)
        forms: list[str] = document.tokens.forms[kinds].tolist()
        folded = [_folded(form) for form in forms]
        if endings is not None:
            folded = [self._nominative(word, endings) for word in folded]
        numbers = np.array([_number(word) for word in folded], np.uint64)
        usable = self._known(numbers, self.words)
        if capitals:
            cased = [
                any(map(str.isupper, f)) or f[:1].isdigit() or w in _SMALL for f, w in zip(forms, folded, strict=True)
            ]
            usable &= np.array(cased, np.bool_).reshape(-1)
        return numbers[which], usable[which]

    def _nominative(self, word: str, endings: Endings) -> str:
        """The word itself where a name has it, else the first of its nominatives that a name has."""
        forms = [word, *endings(word)]
        known = self._known(np.array([_number(form) for form in forms], np.uint64), self.words)
        return forms[int(np.argmax(known))] if known.any() else word

    def _candidates(self, numbers: Sums, usable: Bools, first: Bools) -> list[tuple[int, int, int]]:
        """Stretches of usable tokens of a sentence whose sum is a name's, by place, the longest first."""
        sums = np.concatenate([np.zeros(1, np.uint64), np.cumsum(numbers, dtype=np.uint64)])
        good = np.flatnonzero(usable)
        found: list[tuple[int, int, int]] = []
        for size in range(1, self.longest + 1):
            if size > 1:
                good = good[good + size - 1 < len(numbers)]
                good = good[usable[good + size - 1] & ~first[good + size - 1]]
            totals = sums[good + size] - sums[good]
            hit = self._known(totals, self.names)
            found += zip(good[hit].tolist(), [size] * int(hit.sum()), totals[hit].tolist(), strict=True)
        return sorted(found, key=lambda item: (item[0], -item[1]))

    @staticmethod
    def _known(numbers: Sums, among: Sums) -> Bools:
        """Which of the numbers are among the others (ascending); shape of ``numbers``."""
        if not len(among):
            return np.zeros(len(numbers), np.bool_)
        places = np.minimum(np.searchsorted(among, numbers), len(among) - 1)
        known: Bools = among[places] == numbers
        return known


def names_of(paths: Iterable[str | Path]) -> Iterator[str]:
    """The names of text files, one a line; lines that begin with ``#`` are left out.

    Raises `InputError` for a file that cannot be read as UTF-8, or without a name in it.
    """
    for path in map(Path, paths):
        lines = [line for line in _read(path).splitlines() if not line.startswith("#")]
        if not any(map(str.strip, lines)):
            raise InputError.at(path, "no name in it", remedy="Write one name a line")
        yield from lines


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError.at(path, "cannot be read as UTF-8 text", remedy="Save the list as UTF-8") from error


def _sums(names: Sequence[str]) -> tuple[Sums, int, Sums]:
    """The sums of names, the number of words of the longest, and the numbers of all words, each once."""
    text = _plain("\n".join(name.replace("\n", " ") for name in names))
    words = text.split()
    table = {word: _number(word) for word in dict.fromkeys(words)}
    numbers = np.fromiter(map(table.__getitem__, words), np.uint64, len(words))
    sizes = _sizes(text)
    distinct = np.fromiter(table.values(), np.uint64, len(table))
    if not len(sizes):
        return numbers, 0, distinct
    return np.add.reduceat(numbers, np.cumsum(sizes) - sizes), int(sizes.max()), distinct


def _plain(text: str) -> str:
    """The text folded as each word of a document is, blanks for all that is in no word, but for the lines' ends."""
    return _NO_WORD.sub(" ", fold(text))


def _sizes(text: str) -> NDArray[np.int64]:
    """The number of words in each line that has any; words are parted by blanks and lines' ends alone."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    ends = codes == ord("\n")
    begins = ~ends & (codes != ord(" "))
    begins[1:] &= ~begins[:-1]
    sizes = np.bincount(np.cumsum(ends)[begins])
    return sizes[sizes > 0]


@lru_cache(1 << 16)
def _folded(form: str) -> str:
    return fold(form)


@lru_cache(1 << 16)
def _number(word: str) -> int:
    """A number of 64 bits for a folded word, the same in every process."""
    return int.from_bytes(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def name_sum(words: Iterable[str]) -> int:
    """The sum of folded words, as `NameIndex` has it."""
    return sum(map(_number, words)) % (1 << 64)


def _together(document: Document, low: int, size: int) -> bool:
    """Whether nothing but white space, a hyphen, a period or a comma stands between the words of a stretch."""
    tokens, text = document.tokens, document.text
    gaps = (text[tokens.ends[i - 1] : tokens.starts[i]] for i in range(low + 1, low + size))
    return all(gap.strip() in _JOINTS and gap.count("\n") < 3 for gap in gaps)
