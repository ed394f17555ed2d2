"""The names that are hidden, found and replaced where no tagger reads: in attributes, properties, field codes, links.

Stricter than in the text of a ruling, where "green" may be a colour: here letter case does not matter, and a longer
name is found inside a longer word ("bookmark_zwetkow1", "annazwetkow@example.org").
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import cached_property

from aef.corpus_tools.folding import folded
from aef.corpus_tools.plain_text import Replacement, apply_edits

INSIDE = 6
"""A word of so many letters is found inside other words, too."""
WHOLE = 4
"""A word of so many letters is found in any letter case; a shorter one with a capital alone."""


_ASCII = re.compile(rb"[\x20-\x7e]{5,}")
_UTF16 = re.compile(rb"(?:[\x20-\x7e]\0){5,}")
_ENCODINGS = ("utf-8", "utf-16-le", "cp1252", "cp1250")


def printable(data: bytes) -> str:
    """The runs of ASCII letters and signs in binary data, also in UTF-16, a line each."""
    for filling in (b"\xff", b"\0\0"):  # most of a large drawing is paper
        data = data.replace(filling * 16, filling)
    runs = [run.decode("ascii") for run in _ASCII.findall(data)]
    return "\n".join(runs + [run[::2].decode("ascii") for run in _UTF16.findall(data)])


class HiddenNames:
    """Names with the labels that stand for them; true of a text in which one is found.

    >>> names = HiddenNames({"Anna Zwetkow": "A.Z.", "Zwetkow": "A.Z."})
    >>> names.replaced("Ms. ZWETKOW's"), names.identifier("bm_zwetkow1"), names("Anna's")
    ("Ms. A.Z.'s", 'bm_AZ1', False)
    """

    def __init__(self, labels: Mapping[str, str]) -> None:
        self._given = [name for name in labels if len(name) >= WHOLE]
        self.labels = {key: label for name, label in labels.items() if (key := " ".join(_words(folded(name)[0])))}

    def __call__(self, text: str) -> bool:
        return next(self._found(text), None) is not None

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
        return self(printable(data)) or any(form in data for form in self._encoded)

    @cached_property
    def _encoded(self) -> set[bytes]:
        """The names with letters outside ASCII as bytes."""
        forms = {form for name in self._given for form in (name, name.lower(), name.upper(), name.title())}
        return {form.encode(code, "ignore") for form in forms for code in _ENCODINGS if not form.isascii()}

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
        key = " ".join(words)
        if key in self.labels:
            return self.labels[key]
        together = "".join(words)
        return next(label for name, label in self.labels.items() if name.replace(" ", "") == together)

    @cached_property
    def _pattern(self) -> re.Pattern[str] | None:
        names = sorted(self.labels, key=lambda name: (-len(name), name))
        return re.compile("|".join(map(_pattern, names))) if names else None


def _with_marks(text: str, end: int) -> int:
    while end < len(text) and unicodedata.combining(text[end]):
        end += 1
    return end


def _words(spelled: str) -> list[str]:
    return re.findall(r"[^\W_]+", spelled)


def _pattern(name: str) -> str:
    words = name.split()
    if len(words) == 1 and len(name) >= INSIDE and name.isalpha():
        return re.escape(name)
    return r"(?<![^\W_])" + r"[\W_]*".join(map(re.escape, words)) + r"(?![^\W\d_])"
