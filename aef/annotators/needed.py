"""A quick look before a search: what must stand in a text so that an expression can match anything in it.

The expression is read for its literals, nothing else: `Needs` are several sets of strings, and a text in which one of
the sets has no member holds no match. What is not understood asks for nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import compress, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Strings(NamedTuple):
    """Any of some strings, of which `_EDGE` begins or ends those at whose end there must be an edge of a word;
    ``folded``: in any case, and written without (see `fold`)."""

    any_of: frozenset[str]
    folded: bool = False

    def without_case(self) -> Strings:
        return self if self.folded else Strings(frozenset(map(fold, self.any_of)), True)


Needs = tuple[Strings, ...]
"""One string of each must be there."""

_TOKEN = re.compile(
    r"(?P<letters>[\w’,=&@/]+(?![*+?{])|[\w’,=&@/])"
    r"|\[(?P<few>[^\^\\\]\[-]{1,3})\]"
    r"|\(\?:(?P<choice>[\w’,=&@/]+(?:\s*\|\s*[\w’,=&@/]+)++)\)"
    r"|(?P<open>\((?:(?!\?)|\?(?:[:>=!]|<[=!]|P?<\w+>|[a-zA-Z-]+:)))"
    r"|(?P<bar>\|)|(?P<close>\))"
    r"|(?P<times>[*+?][?+]?|\{\d*(?:,\d*)?\}[?+]?)"
    r"|(?P<many>\[\^?\]?(?:\\.|[^\]\\])*\]|\.|\\[pP]\{[^}]*\}|\\[dDsSwWhHXntrfv]|\\\d|\(\?&\w+\))"
    r"|%\{(?P<piece>\w+)\}"
    r"|(?P<edge>\\[bBAZmMG]|\^|\$|\(\?[a-zA-Z]+\))"
    r"|(?P<blank>\s+|\#[^\n]*)"
    r"|\\(?P<escaped>\W)|(?P<other>[^\\(\[])"
)
_EDGE = "\0"
_NONE = ("*", "?", "{0", "{,")
_MOST = 300
"""So many strings make a set at most."""


def fold(text: str) -> str:
    """The text without case. What matches a literal in any case is the same after this; the Turkish i is no other."""
    return text.casefold().replace(f"i{_DOT}", "i").replace("ı", "i")


_DOT = "\u0307"


class Text:
    """A text in which strings are looked for."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._folded = fold(text)

    @cached_property
    def _grams(self) -> NDArray[np.bool_]:
        """Which three and four characters stand side by side, by the numbers of `_side_by_side`."""
        threes, fours = _side_by_side(self._folded)
        there = np.zeros(_NONE_AT_ALL + 1, np.bool_)
        there[fours] = there[_THREES + threes] = there[_NONE_AT_ALL] = True
        return there

    def may_match(self, needs: Needs) -> bool:
        """Whether one string of each set stands in it."""
        return all(any(self._has(string, n.folded) for string in self._possible(n)) for n in needs)

    def _possible(self, strings: Strings) -> Iterator[str]:
        """The strings all parts of which are there."""
        listed, numbers, starts = _laid_out(strings)
        return compress(listed, np.logical_and.reduceat(self._grams[numbers], starts).tolist())

    def _has(self, string: str, folded: bool) -> bool:
        bare = _bare(string)
        text = self._folded if folded else self._text
        if bare == string:
            return string in text
        first, last = string.startswith(_EDGE), string.endswith(_EDGE)
        at = text.find(bare)
        while at >= 0:
            end = at + len(bare)
            if (not first or _may_be_edge(text, at)) and (not last or _may_be_edge(text, end)):
                return True
            at = text.find(bare, at + 1)
        return False


def _bare(string: str) -> str:
    """The string without the edges of words."""
    return string.replace(_EDGE, "")


def _may_be_edge(text: str, at: int) -> bool:
    """Whether a word may begin or end at a place; beside letters that are not those of ASCII nothing is supposed."""
    left, right = text[max(0, at - 1) : at], text[at : at + 1]
    return not (left + right).isascii() or _in_word(left) != _in_word(right)


def _in_word(letter: str) -> bool:
    return letter.isalnum() or letter == "_"


_THREES = 32**4
_NONE_AT_ALL = _THREES + 32**3


@cache
def _laid_out(strings: Strings) -> tuple[list[str], NDArray[np.int32], NDArray[np.int64]]:
    """The strings, the numbers of their parts one after the other, and where those of each begin.

    The parts are all four characters side by side, of a string of three these; of a shorter one nothing is known."""
    listed = sorted(strings.any_of)
    bare = [fold(_bare(string)) for string in listed] or [""]
    lengths = np.array(list(map(len, bare)))
    parts = np.maximum(lengths - 3, 1)
    first, starts = np.cumsum(lengths) - lengths, np.cumsum(parts) - parts
    threes, fours = _side_by_side("".join(bare) + "\0\0\0\0")
    numbers = fours[np.repeat(first - starts, parts) + np.arange(parts.sum())]
    numbers[starts[lengths == 3]] = _THREES + threes[first[lengths == 3]]
    numbers[starts[lengths < 3]] = _NONE_AT_ALL
    return listed, numbers, starts


def _side_by_side(text: str) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """A number for all three characters side by side and for all four, each told from others modulo 32, as letters."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int32) % 32
    threes = (codes[:-2] * 32 + codes[1:-1]) * 32 + codes[2:]
    return threes, threes[:-1] * 32 + codes[3:]


@dataclass(frozen=True)
class Read:
    """What was read of an expression: all that it can match, where that is known, and what must stand in a match."""

    exact: Strings | None
    sets: Needs = ()

    def needs(self) -> Needs:
        """What must stand in a match."""
        useful = self.exact is not None and min(map(len, map(_bare, self.exact.any_of)), default=0) > 1
        return (*self.sets, self.exact) if useful and self.exact is not None else self.sets

    def without_case(self) -> Read:
        """The same of an expression in which case does not count."""
        sets = tuple(strings.without_case() for strings in self.sets)
        return Read(None if self.exact is None else self.exact.without_case(), sets)


Piece = Callable[[str], Read]
"""What a part of an expression is, by its name."""

_ANY, _EMPTY = Read(None), Read(Strings(frozenset([""])))


def read(expression: str, piece: Piece) -> Read:
    """What an expression of the `regex` library says, in its verbose form; `_ANY` where it is not understood."""
    if _DOT in expression:
        return _ANY
    try:
        return _Reader(expression, piece).alternatives()
    except ValueError:
        return _ANY


def words(entries: Collection[str]) -> Read:
    """Any of the entries of a word list."""
    if not entries or any(" " in entry for entry in entries):
        return _ANY
    return _limited(Strings(frozenset(entries)))


class _Reader:
    def __init__(self, expression: str, piece: Piece) -> None:
        self._tokens = self._read(expression)
        self._piece = piece
        self._take()

    def _read(self, expression: str) -> Iterator[tuple[str, str]]:
        """The kind of each token, and its text."""
        at = 0
        while token := _TOKEN.match(expression, at):
            at, kind = token.end(), str(token.lastgroup)
            if kind != "blank":
                yield kind, token[kind]
        if at < len(expression):
            raise ValueError(expression[at:])
        while True:
            yield "end", ""

    def _take(self) -> tuple[str, str]:
        """The token whose turn it is, and on to the next, which `kind` and `text` tell."""
        taken = getattr(self, "kind", ""), getattr(self, "text", "")
        self.kind, self.text = next(self._tokens)
        return taken

    def alternatives(self) -> Read:
        """All up to the bracket that closes, which is taken."""
        branches = [self._sequence()]
        while self._take()[0] == "bar":
            branches.append(self._sequence())
        exact = [branch.exact for branch in branches if branch.exact is not None]
        if len(exact) == len(branches):
            return _limited(_union(exact))
        if len(branches) == 1:
            return Read(None, branches[0].needs())
        best = [max(needs, key=_worth) for branch in branches if (needs := branch.needs())]
        return Read(None, (_union(best),)) if len(best) == len(branches) else _ANY

    def _sequence(self) -> Read:
        parts: list[Read] = []
        while self.kind not in ("bar", "close", "end"):
            part = self._atom()
            while self.kind == "times":
                part = _repeated(part, self._take()[1])
            parts.append(part)
        return _in_a_row(parts)

    def _atom(self) -> Read:
        kind, text = self._take()
        if kind in ("letters", "escaped", "other"):
            return Read(Strings(frozenset([text])))
        if kind == "piece":
            return self._piece(text)
        if kind == "few":
            return Read(Strings(frozenset(text)))
        if kind == "choice":
            return _limited(Strings(frozenset(map(str.strip, text.split("|")))))
        if kind == "open":
            inside = self.alternatives().without_case() if "i" in text.partition("<")[0] else self.alternatives()
            if text[-1] == "=":
                return Read(_EMPTY.exact, inside.needs())
            return _EMPTY if text[-1] == "!" else inside
        if kind == "edge" and "i" in text:
            raise ValueError(text)  # flags for all of the rest
        if kind == "edge":
            return Read(Strings(frozenset([_EDGE]))) if text == r"\b" else _EMPTY
        return _ANY


def _repeated(part: Read, times: str) -> Read:
    """The part as often as "?", "+" or "{2,3}" say."""
    if times[0] == "?" and part.exact is not None:
        return _limited(_union([part.exact, Strings(frozenset([""]))]))
    return _ANY if times.startswith(_NONE) else Read(None, part.needs())


def _limited(exact: Strings) -> Read:
    if len(exact.any_of) <= _MOST:
        return Read(exact)
    return Read(None, Read(exact).needs())


def _union(several: Sequence[Strings]) -> Strings:
    folded = any(strings.folded for strings in several)
    parts = [strings.without_case() if folded else strings for strings in several]
    return Strings(frozenset[str]().union(*(strings.any_of for strings in parts)), folded)


def _in_a_row(parts: list[Read]) -> Read:
    """The parts one after the other: what is exact is joined as far as it goes."""
    sets: list[Strings] = []
    row, whole = _EMPTY, True
    for part in parts:
        sets += part.sets
        joined = _joined(row, part)
        if joined is None:
            sets += row.needs()
            row, whole = Read(part.exact or _EMPTY.exact), False
        else:
            row = joined
    return Read(row.exact, tuple(sets)) if whole else Read(None, (*sets, *row.needs()))


def _joined(row: Read, part: Read) -> Read | None:
    if row.exact is None or part.exact is None or len(row.exact.any_of) * len(part.exact.any_of) > _MOST:
        return None
    one, other = row.exact, part.exact
    if one.folded != other.folded:
        one, other = one.without_case(), other.without_case()
    return Read(Strings(frozenset(a + b for a, b in product(one.any_of, other.any_of)), one.folded))


def _worth(needed: Strings) -> tuple[int, int]:
    """How much a set rules out: long words do more than few."""
    return min(len(_bare(string).strip()) for string in needed.any_of), -len(needed.any_of)
