"""Where a phrase stands in a text, in whatever spelling: for the lists of what is always or never hidden, and for
names that are hidden elsewhere."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from aef.corpus_tools.name_search.folding import folded
from aef.corpus_tools.name_search.name_trie import WORDS, joined, trie
from aef.names.parts import word_set

SHORT = 3
"""A word of so few letters that is written with a capital is found with one only: Mr. May may go."""

_BROKEN = re.compile(r"[^\W\d_]-\s+(?=[^\W\d_])")
_BREAK = r"(?:-\s+)?"
_ENDINGS = word_set(
    "com org net edu gov info eu uk ca us ie in au fr es de ro co doc docx odt pdf txt rtf htm html jpg jpeg png gif "
    "tif tiff xls xlsx csv ppt pptx zip msg eml mp3 mp4 wav mov"
)
"""What behind a period makes a word without spaces an address or the name of a file."""
_OUTSIDE = frozenset('<>()[]{}"“”«»')
_JOINTS, _STROKES = frozenset(".&@:;,"), frozenset("_/\\")
_CAMEL = re.compile(r"(?<=[^\W\d_A-Z])(?=[A-ZÀ-Þ])")
_IN_MAILBOX, _IN_ADDRESS = 4, 6
"""A word of so many letters is found inside of longer ones in what stands before @, and elsewhere in an address."""


def occurrences(text: str, phrase: str) -> Iterator[tuple[int, int]]:
    """The places of a phrase as whole words, in order, without overlap.

    Not looked at: letter case (but see `SHORT`), accents, which of the hyphens, quotes and spaces stand there, soft
    hyphens and other signs without width, line breaks and words broken at them, and whether hyphen or space joins two
    words. A possessive is not part of the place, in the phrase nor in the text.

    >>> list(occurrences("ANNE‑MARIE\\u00a0ROÉ’s house", "Anne Marie Roe's"))
    [(0, 14)]
    """
    spelled, places = folded(text)
    plain = " ".join(folded(phrase)[0].split())
    plain = next((plain.removesuffix(end) for end in ("'s", "'") if plain[:-1] and plain.endswith(end)), plain)
    pattern, last = _pattern(plain, bool(is_broken(text))), 0
    capital = len(phrase) <= SHORT and phrase.isalpha() and not phrase.islower()
    for place in _beginnings(text, _words_of(plain)[0]) if pattern else ():
        if place >= last and pattern and (match := pattern.match(spelled, place)):
            last = match.end()
            start, end = places[match.start()], places[last]
            if not capital or any(map(str.isupper, text[start:end])):
                yield start, end


def _beginnings(text: str, word: str) -> Iterator[int]:
    """Where in the folded text a word's letters stand, also broken at the end of a line; many names are looked for in
    one text, and this is much quicker than a regular expression."""
    whole, places = _unbroken(text)
    place = whole.find(word)
    while place >= 0:
        yield places[place]
        place = whole.find(word, place + 1)


def glued(
    text: str, names: Iterable[str], given: Iterable[str] = (), titles: Collection[str] = ()
) -> Iterator[tuple[int, int]]:
    """The places of names that are no words of their own, in order: in addresses and names of files in any letter case
    ("anna.hale@example.org", "HALE_1.pdf"), grown together with a sign, a number, a title or one another ("Mr.Hale",
    "AnnaHale", "GreenSmith"), or broken by a hyphen. Words that are ``given`` names are found in addresses alone.

    >>> [(a, b) for a, b in glued("Mr.Hale, of McHale, HaleGreen or ann@hale.org", ["Hale", "Green"], ["Ann"])]
    [(3, 7), (20, 24), (24, 29), (33, 36), (37, 41)]
    """
    spelled, places = folded(text)
    surnames, given = _spelled(names), _spelled(given)
    pattern = _inside(tuple(sorted({*surnames, *given})), bool(is_broken(text)))
    glue = _Glue(text, {*surnames, *given, *titles})
    for match in pattern.finditer(spelled) if pattern else ():
        start, end = places[match.start()], places[match.end()]
        if glue.is_glued(start, end, match.group() in given):
            yield start, end


def _spelled(names: Iterable[str]) -> set[str]:
    found = (" ".join(folded(name)[0].split()) for name in names)
    return {spelled for spelled in found if sum(map(str.isalnum, spelled)) >= SHORT}


class _Glue:
    """What is around the places of a text, asked in order: of a word or an address with many names in it once."""

    def __init__(self, text: str, known: Collection[str]) -> None:
        self._text, self._known = text, known
        self._word = self._outer = _Run(0, 0, False)
        self._all_known = self._is_address = False
        self._at = -1  # the last @ of the address

    def is_glued(self, start: int, end: int, given: bool) -> bool:
        text = self._text
        self._look_around(start, end)
        whole = (self._word.start, self._word.end) == (start, end)
        if self._is_address:
            return whole or end - start >= (_IN_MAILBOX if self._at >= end else _IN_ADDRESS)
        if not text[start].isupper() or (whole and given):
            return False
        if whole:
            inner = text[start:end]
            broken = _BROKEN.search(inner) is not None
            grown = any(low.islower() and up.isupper() for low, up in pairwise(inner)) or "_" in inner or "." in inner
            return broken or grown or _joined(text, start - 1, -1) or _joined(text, end, 1)
        return self._all_known

    def _look_around(self, start: int, end: int) -> None:
        """Move on to the word and to the address that a place is in."""
        text = self._text
        if not self._word.holds(start, end):
            self._word = _Run.around(text, start, end, _is_letter)
            pieces = _CAMEL.split(text[self._word.start : self._word.end])
            self._all_known = all(folded(piece)[0] in self._known for piece in pieces)
        if not self._outer.holds(start, end):
            self._outer = _Run.around(text, start, end, lambda char: char not in _OUTSIDE and not char.isspace())
            self._is_address = _is_address(text[self._outer.start : self._outer.end].lower())
            self._at = text.rfind("@", self._outer.start, self._outer.end)


class _Run(NamedTuple):
    """A stretch around a place in which all characters are of a kind; ``pure``: at the place itself, too."""

    start: int
    end: int
    pure: bool

    @classmethod
    def around(cls, text: str, start: int, end: int, inside: Callable[[str], object]) -> _Run:
        pure = all(map(inside, text[start:end]))
        while start and inside(text[start - 1]):
            start -= 1
        while end < len(text) and inside(text[end]):
            end += 1
        return cls(start, end, pure)

    def holds(self, start: int, end: int) -> bool:
        """Whether it is the stretch around this place, too."""
        return self.pure and self.start <= start and end <= self.end


def _is_address(word: str) -> bool:
    ended = (WORDS.match(part) for part in word.split(".")[1:])
    return any(sign in word for sign in ("@", "://", "www.")) or any(end and end[0] in _ENDINGS for end in ended)


def _is_letter(char: str) -> bool:
    return char.isalpha() or bool(unicodedata.combining(char))


def _joined(text: str, place: int, step: int) -> bool:
    """Whether a word goes on at a place: with a digit or stroke, or over another sign with a letter or digit."""
    here, beyond = (text[i : i + 1] if i >= 0 else "" for i in (place, place + step))
    return here.isdigit() or here in _STROKES or (here in _JOINTS and beyond.isalnum())


@lru_cache(maxsize=64)
def _inside(names: tuple[str, ...], broken: bool) -> re.Pattern[str] | None:
    """What finds folded names, the longest first, inside of anything; their words together or parted by signs."""
    found = [joined(WORDS.findall(n), r"[\W_]*", _BREAK if broken else "") for n in names]
    return re.compile(trie(found)) if found else None


@lru_cache(maxsize=2)
def is_broken(text: str) -> bool:
    """Whether words of a text are broken at the ends of lines."""
    return _BROKEN.search(folded(text)[0]) is not None


@lru_cache(maxsize=2)
def _unbroken(text: str) -> tuple[str, Sequence[int]]:
    """The folded text with the parts of broken words together, and the place in it of each character."""
    spelled = folded(text)[0]
    if not is_broken(text):
        return spelled, range(len(spelled))
    kept: list[int] = []
    last = 0
    for match in re.finditer(r"-\s+", spelled):
        kept += range(last, match.start())
        last = match.end()
    kept += range(last, len(spelled))
    return "".join(map(spelled.__getitem__, kept)), kept


def _words_of(phrase: str) -> list[str]:
    return phrase.replace("-", " ").split()


@lru_cache(maxsize=1024)
def _pattern(phrase: str, broken: bool) -> re.Pattern[str] | None:
    """What finds a folded phrase in a folded text; ``broken``: words may be broken at the end of a line."""
    words = _words_of(phrase)
    if not words:
        return None
    spelled = [(_BREAK if broken else "").join(map(re.escape, word)) for word in words]
    first, last = (r"(?<![^\W_])" if words[0][0].isalnum() else ""), (r"(?![^\W_])" if words[-1][-1].isalnum() else "")
    return re.compile(first + r"[\s-]+".join(spelled) + last)
