"""What a stretch without white space holds: its tokens, and whether it can end or begin a sentence.

Words are cleaned of what is not part of them, and come apart where a sign or a missing blank joins them. Abbreviations
and titles are the language's; so are the elisions, words that an apostrophe joins to the next one (``l'affaire``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache, lru_cache, partial
from itertools import chain
from typing import NamedTuple

from aef import lexicons
from aef.corpus_tools.tokenization.word_edges import CLOSERS, Cleaner, clean, numbers_paragraph

_SIGN = r"(?:[/\-‐‑–—,;:!?|*_<>=]|\((?=[^\W\d_]{3})|(?<=[^\W\d_]{3})\))"
_JOINED = re.compile(
    r"[^\W\d_]+(?:[/\-‐‑–—]+[^\W\d_]+)+"
    rf"|(?=.*[^\W\d_]{{2}}){_SIGN}*[^\W\d_]+(?:{_SIGN}+[^\W\d_]+)*{_SIGN}*"
)
"""Words of letters that a sign joins, or stands beside; single letters (``A-B-``) are somebody's initials."""
_DASHED = re.compile(r"[^—-]+(?:-[^—-]+)*")
"""What a long dash parts: ``O'Brien—who``."""
_NOTE = re.compile(r"([^\W\d_]{3,})(?:['’]s)?[\"”’)]{0,2}[.,;:][\"”’)]{0,2}(\d{1,3})")
"""A word and a note's number: ``Green.1``, ``Hale's).12``."""
_PAGED = re.compile(r"\*?(\d{1,4})((?=[^\W\d_]{3}).+)|([^\W\d_]{3,})(\d{1,2})")
"""A page's number and the word it broke, or a word and a note's number without a sign: ``*66Green``, ``Green1``."""
_LETTER = r"[^\W\d_⁰¹²³⁴-⁹]"
_MARKED = re.compile(
    rf"[\"“‘]?((?=(?:{_LETTER}['’]?){{2}}){_LETTER}+(?:[-'’]{_LETTER}+)*?)(?:['’]s)?[.,;:]?[\"”’]?"
    r"(?:\[(?:[Ff][Nn]\.?)?\d{1,3}\]|(?<!\b[ckdm]m)(?<!\bft)[⁰¹²³⁴-⁹]{1,3}|[*†‡]{1,3})"
)
"""A word and the mark of a note: ``Green.[2]``, ``Hale’s¹``, ``Roe*``."""
_NO_BLANK = re.compile(r"(?:\d{1,3}[.)])?(?:[^\W\d_](?:/?[^\W\d_]+)?\.)*[^\W\d_]{2,}")
"""What a missing blank joins: ``Mr.Hale``, and in Indian rulings a number, initials and a name: ``1.K.Ramasamy``."""
_COMMA = re.compile(r"(?<=[^\W\d_]{3}),(vs?\.)?(?=[^\W\d_])")
"""A comma without a blank, and what stands between two parties: ``Appellant,v.Roe``."""
_GLUED = re.compile(r"\d+|(?:[^\W\d_]\.)+|[^\W\d_](?:/?[^\W\d_]+)?\.?")
_DEGREES = frozenset({"arch", "com", "ed", "litt", "pharm", "phil", "sc", "tech"})
"""What is one word with the letter before it: ``B.Com``."""
WORDS = re.compile(r"\w+")
LETTERS = re.compile(r"[^\W\d_]+")
"""Letters side by side."""
COMPOUNDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
"""The same, with what apostrophes and hyphens join to them."""
_TERMINATORS = (".", "!", "?", "…")
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,4}|[ivxlc]{1,6}|[IVXLC]{1,6}|[A-Za-z])[.)]")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+(?:-(?:[^\W\d_]\.)*)?")
_OPENERS = "\"“”„«‘'([{‹¿¡"


class Rules(NamedTuple):
    """What depends on the language: lower-cased titles, abbreviations and common words; elisions, where it has any."""

    titles: frozenset[str]
    abbreviations: frozenset[str]
    common: frozenset[str]
    elision: re.Pattern[str] | None


class Chunk(NamedTuple):
    """What a white-space chunk holds, wherever it stands; a piece is a token: its offsets in the chunk, its text."""

    pieces: tuple[tuple[int, int, str], ...]
    final_pieces: tuple[tuple[int, int, str], ...]  # the same where it ends a sentence: the period goes
    ends: int  # 0 never ends a sentence, 1 only before a common word, 2 before anything that can begin one
    opens: int  # 0 begins no sentence, 1 can, 2 is a common word with a capital
    numbers: bool  # can be the number of a paragraph or heading


@cache
def rules_of(language: str) -> Rules:
    """What depends on the language."""
    lists = lexicons.load_all(language)
    titles, abbreviations = (frozenset(w.lower() for w in lists[name]) for name in ("title", "abbreviations"))
    elided = "|".join(sorted(lists.get("elisions", ())))
    elision = re.compile(rf"(?:{elided})['’](?=[\w\"“„«])", re.IGNORECASE) if elided else None
    return Rules(titles, abbreviations, lists["common_words"], elision)


@cache
def analyser(language: str) -> Callable[[str], Chunk]:
    """The function from a chunk to what it holds; it remembers what it was asked."""
    return lru_cache(maxsize=200_000)(partial(_analyse, rules_of(language)))


def _analyse(rules: Rules, chunk: str) -> Chunk:
    if chunk[-1] in ",;:." and chunk[:-1].isalpha():  # what follows from the rules below for most, said at once
        return _analyse_plain(rules, chunk, chunk[:-1])
    if chunk[0] == "[" and numbers_paragraph(chunk):
        return Chunk((), (), 0, 1, True)
    low, high = clean(chunk, 0, len(chunk))
    pieces = final = _split(rules, chunk, low, high)
    opens = can_open(rules, chunk, chunk[low:high])
    word = chunk[_elided(rules.elision, chunk, low, high) if rules.elision else low : high]
    keeps = word.endswith(".") and _keeps_period(rules, word)
    if word.endswith(".") and not keeps:
        final = _split(rules, chunk, *clean(chunk, low, high - 1))
    return Chunk(pieces, final, _can_end(rules, chunk, word, keeps), opens, _numbers(rules, chunk))


def _analyse_plain(rules: Rules, chunk: str, word: str) -> Chunk:
    """Letters, and a comma, semicolon, colon or period behind them."""
    bare = ((0, len(word), word),)
    if chunk[-1] != ".":
        return Chunk(bare, bare, 0, can_open(rules, chunk, word), False)
    keeps, whole = _keeps_period(rules, chunk), ((0, len(chunk), chunk),)
    opens, ends = can_open(rules, chunk, chunk), _can_end(rules, chunk, chunk, keeps)
    return Chunk(whole, whole if keeps else bare, ends, opens, _numbers(rules, chunk))


def _numbers(rules: Rules, chunk: str) -> bool:
    """Whether it can be the number of a paragraph or heading."""
    return chunk[-1] in ".)" and bool(_LIST_NUMBER.fullmatch(chunk)) and chunk.lower() not in rules.titles


def _split(rules: Rules, chunk: str, low: int, high: int) -> tuple[tuple[int, int, str], ...]:
    """The tokens in a cleaned chunk: elisions come apart, and so does what a word holds behind them."""
    word = chunk[low:high]
    if rules.elision is None or word.isalnum():
        return _parts(rules, word, low)
    elided: list[tuple[int, int, str]] = []
    cleaner: Cleaner | None = None
    while (after := _elided(rules.elision, chunk, low, high)) > low:
        elided.append((low, after - 1, chunk[low : after - 1]))
        cleaner = cleaner or Cleaner(chunk)
        low, high = cleaner.clean(after, high)
    return (*elided, *_parts(rules, chunk[low:high], low))


def _parts(rules: Rules, word: str, start: int) -> tuple[tuple[int, int, str], ...]:
    """The tokens in a word without elision: words of letters joined by a slash or a hyphen, or by a missing blank."""
    if not word.isalpha() and (marked := _MARKED.fullmatch(word)):
        return _parts(rules, marked[1], start + marked.start(1))
    if not word.isalpha() and (paged := _PAGED.fullmatch(word)) and (paged[2] or paged[3]).istitle():
        places = [paged.span(part) for part in range(1, 5) if paged[part]]
        return tuple(chain.from_iterable(_parts(rules, word[low:high], start + low) for low, high in places))
    if not word.isalnum():
        if _JOINED.fullmatch(word):
            return tuple([(start + m.start(), start + m.end(), m.group()) for m in LETTERS.finditer(word)])
        if len(word) > 1 and ("—" in word or "--" in word):
            return tuple(
                chain.from_iterable(_dashed(rules, m.group(), start + m.start()) for m in _DASHED.finditer(word))
            )
        if "," in word and (commas := list(_COMMA.finditer(word))):
            edges = [0, *chain.from_iterable((c.start(), c.end()) for c in commas), len(word)]
            between = [
                _parts(rules, word[low:high], start + low) for low, high in zip(edges[::2], edges[1::2], strict=True)
            ]
            versus = [((start + c.start(1), start + c.end(1), c[1]),) if c[1] else () for c in commas]
            return tuple(chain.from_iterable(chain.from_iterable(zip(between, [*versus, ()], strict=True))))
        if note := _NOTE.fullmatch(word):
            return tuple([(start + note.start(part), start + note.end(part), note[part]) for part in (1, 2)])
        if _NO_BLANK.fullmatch(word) and _names(word):
            return tuple([_unglued(rules, m.group(), start + m.start()) for m in _GLUED.finditer(word)])
        if len(word) != 1 and not any(map(str.isalnum, word)):
            return ()
    return ((start, start + len(word), word),)


def _dashed(rules: Rules, part: str, start: int) -> Iterable[tuple[int, int, str]]:
    """The tokens in what a long dash parts from the rest."""
    low, high = clean(part, 0, len(part))
    low, _, word = _unglued(rules, part[low:high], low)
    return _parts(rules, word, start + low)


def _names(word: str) -> bool:
    """Whether what stands behind the last period is a word of its own."""
    *before, last = word.replace(")", ".").split(".")
    long = 2 if len(before[-1]) > 1 and before[-1].isalpha() else 3
    return len(last) >= long and last[0].isupper() and last.lower() not in _DEGREES


def _unglued(rules: Rules, part: str, start: int) -> tuple[int, int, str]:
    """A part of words that a missing blank joins, without the period that ended a sentence."""
    bare = part if _keeps_period(rules, part) else part.rstrip(".")
    return start, start + len(bare), bare


def _elided(pattern: re.Pattern[str], chunk: str, low: int, high: int) -> int:
    """Where the word behind an elision and its apostrophe begins; ``low`` where there is none."""
    elision = pattern.match(chunk, low, high)
    return elision.end() if elision else low


def _keeps_period(rules: Rules, word: str) -> bool:
    lowered = word.lower()
    return lowered in rules.titles or lowered in rules.abbreviations or bool(_INITIALS.fullmatch(word))


def _can_end(rules: Rules, chunk: str, word: str, keeps_period: bool) -> int:
    if not chunk.rstrip(CLOSERS).endswith(_TERMINATORS):
        return 0
    if not keeps_period:  # zeros in the list are any digits: "00." for the ordinals of a language
        return 1 if "".join("0" if c.isdecimal() else c for c in word) in rules.abbreviations else 2
    never = word.lower() in rules.titles or (word.lower() in rules.abbreviations and not word[0].isupper())
    return 0 if never else 1


def can_open(rules: Rules, chunk: str, word: str) -> int:
    bare = chunk.lstrip(_OPENERS)
    if not bare or bare[0].islower():
        return 0
    if word.lower() in rules.common:
        return 2
    return 2 if rules.elision and rules.elision.match(word) else 1
