"""Tokens and sentences as in section 3.2 of the AEF thesis, with exact offsets into the untouched text.

Words are cut at white space and cleaned of what is not part of them; nothing is ever rewritten, so that
``text[start:end]`` is the token. A sentence ends where a rule over the abbreviation and title lists says so. These
lists are the language's; so are the elisions, words that an apostrophe joins to the next one (``l'affaire``) and that
come apart.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

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
_NOTE = re.compile(r"([^\W\d_]{3,})[.,;:][\"”’]?(\d{1,3})")
"""A word and a note's number: ``Green.1``."""
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
LETTERS = re.compile(r"[^\W\d_]+")
"""Letters side by side."""
_TERMINATORS = (".", "!", "?", "…")
_LIST_NUMBER = re.compile(r"\(?(?:\d{1,4}|[ivxlc]{1,6}|[IVXLC]{1,6}|[A-Za-z])[.)]")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+(?:-(?:[^\W\d_]\.)*)?")
_OPENERS = "\"“”„«‘'([{‹¿¡"

Ints = NDArray[np.integer[Any]]


@dataclass(frozen=True)
class Tokens:
    """n tokens: their texts, their offsets (int64 arrays of length n) and whether each begins a sentence.

    The texts are ``forms[numbers]``: an array of strings, which many documents share, and each token's place in it.
    """

    forms: NDArray[np.object_]
    numbers: Ints
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    first: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.numbers)

    @cached_property
    def words(self) -> list[str]:
        """The texts of the tokens."""
        words: list[str] = self.forms[self.numbers].tolist()
        return words

    def between(self, low: int, high: int) -> Tokens:
        """The tokens ``low`` to ``high``, the arrays shared."""
        rows = slice(low, high)
        return Tokens(self.forms, self.numbers[rows], self.starts[rows], self.ends[rows], self.first[rows])

    @property
    def sentence_starts(self) -> NDArray[np.int64]:
        """The indices of the tokens that begin a sentence."""
        return np.flatnonzero(self.first).astype(np.int64)


class _Rules(NamedTuple):
    """What depends on the language: lower-cased titles, abbreviations and common words; elisions, where it has any."""

    titles: frozenset[str]
    abbreviations: frozenset[str]
    common: frozenset[str]
    elision: re.Pattern[str] | None


class _Chunk(NamedTuple):
    """What a white-space chunk holds, wherever it stands; a piece is a token: its offsets in the chunk, its text."""

    pieces: tuple[tuple[int, int, str], ...]
    final_pieces: tuple[tuple[int, int, str], ...]  # the same where it ends a sentence: the period goes
    ends: int  # 0 never ends a sentence, 1 only before a common word, 2 before anything that can begin one
    opens: int  # 0 begins no sentence, 1 can, 2 is a common word with a capital
    numbers: bool  # can be the number of a paragraph or heading


def tokenize(text: str, blocks: Iterable[tuple[int, int]] | None = None, language: str = "en") -> Tokens:
    """The tokens of ``text``, block by block (offsets of paragraphs; default: the whole text is one block).

    Raises `InputError` for a language without word lists.

    >>> tokenize("He saw Mr. Edgar at B.C. Cancer Agency.").words
    ['He', 'saw', 'Mr.', 'Edgar', 'at', 'B.C.', 'Cancer', 'Agency']
    >>> tokenize("L'avocat de M. Yalman vit à Saint-Denis.", language="fr").words
    ['L', 'avocat', 'de', 'M.', 'Yalman', 'vit', 'à', 'Saint', 'Denis']
    """
    return tokenize_all([(text, [(0, len(text))] if blocks is None else list(blocks))], language)[0]


def tokenize_all(texts: Iterable[tuple[str, Sequence[tuple[int, int]]]], language: str = "en") -> list[Tokens]:
    """What `tokenize` gives for each text and its blocks; quicker than one by one: a chunk is analysed once."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    scanned = [_scan(text, blocks, numbers) for text, blocks in texts]
    return _cut_all(_Forms(list(numbers), language), scanned)


def _scan(text: str, blocks: Sequence[tuple[int, int]], numbers: defaultdict[str, int]) -> tuple[Ints, Ints, Ints]:
    """The white-space chunks of a text: their numbers, their offsets, and where the blocks end, in chunks."""
    parts = [text[start:end] for start, end in blocks]
    joined = "\n".join(parts)
    offsets = _chunk_starts(joined)
    lengths = np.fromiter(map(len, parts), np.int64, len(parts)) + 1
    ends = np.cumsum(lengths)
    stops = np.searchsorted(offsets, ends)
    shifts = np.array([start for start, _ in blocks], np.int64) - (ends - lengths)
    ids = np.fromiter(map(numbers.__getitem__, joined.split()), np.int32, len(offsets))
    return ids, offsets + np.repeat(shifts, np.diff(stops, prepend=0)), stops


_BLACK = ~np.array([chr(c).isspace() for c in range(0x3001)] + [False])
"""Which code points are not white space; beyond there is none that is."""


def _chunk_starts(text: str) -> Ints:
    """Where the stretches without white space begin."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    black = _BLACK.take(codes, mode="clip")
    black[1:] &= ~black[:-1]
    return np.flatnonzero(black)


class _Forms:
    """What distinct chunks hold, as arrays: over the chunks, and over all their pieces, one after the other.

    `first` and `count` have a row for a chunk inside a sentence, and one for a chunk at its end: its pieces.
    """

    def __init__(self, chunks: list[str], language: str) -> None:
        n = len(chunks)
        rules, analyse = _rules(language), _analyser(language)
        plain = np.fromiter(map(str.isalpha, chunks), np.bool_, n)
        special = np.flatnonzero(~plain)
        analysed = [analyse(chunks[i]) for i in special.tolist()]
        self.ends, self.opens = np.zeros(n, np.int8), np.zeros(n, np.int8)
        self.numbers = np.zeros(n, np.bool_)
        self.ends[special] = [c.ends for c in analysed]
        self.opens[special] = [c.opens for c in analysed]
        self.numbers[special] = [c.numbers for c in analysed]
        capital = [i for i in np.flatnonzero(plain).tolist() if not chunks[i][0].islower()]
        self.opens[capital] = [_can_open(rules, chunks[i], chunks[i]) for i in capital]
        pieces = [piece for c in analysed for piece in c.pieces + c.final_pieces]
        self.low = np.array([0] * n + [low for low, _, _ in pieces], np.int64)
        self.high = np.array([*map(len, chunks), *(high for _, high, _ in pieces)], np.int64)
        self.words = np.array(chunks + [word for _, _, word in pieces], dtype=object)
        self.count = np.ones((2, n), np.int64)
        self.count[:, special] = np.array([(len(c.pieces), len(c.final_pieces)) for c in analysed]).reshape(-1, 2).T
        self.first = np.tile(np.arange(n), (2, 1))
        counts = self.count[:, special].T
        self.first[:, special] = (n + np.cumsum(counts).reshape(-1, 2) - counts).T


def _cut_all(forms: _Forms, scanned: Sequence[tuple[Ints, Ints, Ints]]) -> list[Tokens]:
    """The tokens of texts whose chunks are given as by `_scan`: cut at once, then parted."""
    if not scanned:
        return []
    ids, offsets, stops = map(np.concatenate, zip(*scanned, strict=True))
    sizes = [len(chunks) for chunks, _, _ in scanned]
    stops += np.repeat(np.cumsum(sizes) - sizes, [len(blocks) for _, _, blocks in scanned])
    tokens, chunk = _cut(forms, ids, offsets, stops)
    edges = np.searchsorted(chunk, np.cumsum(sizes)).tolist()
    return [tokens.between(low, high) for low, high in pairwise([0, *edges])]


def _cut(forms: _Forms, ids: Ints, offsets: Ints, stops: Ints) -> tuple[Tokens, Ints]:
    """The tokens in the chunks, and the chunk that each is in."""
    last = _ends_sentence(forms, ids, stops)
    at_end = last.astype(np.int8)
    counts = forms.count[at_end, ids]
    chunk = np.repeat(np.arange(len(ids)), counts)
    piece = np.repeat(forms.first[at_end, ids] - np.cumsum(counts) + counts, counts) + np.arange(len(chunk))
    starts = offsets[chunk]
    sentence: NDArray[np.int64] = (np.cumsum(last) - last)[chunk]
    first = np.ones(len(chunk), np.bool_)
    first[1:] = sentence[1:] != sentence[:-1]
    return Tokens(forms.words, piece, starts + forms.low[piece], starts + forms.high[piece], first), chunk


def _ends_sentence(forms: _Forms, ids: Ints, stops: Ints) -> NDArray[np.bool_]:
    """Whether each chunk is the last of its sentence; ``stops``: where the blocks end."""
    ends, opens = forms.ends[ids], forms.opens[ids]
    last = np.zeros(len(ids), np.bool_)
    last[:-1] = (ends[:-1] + opens[1:] >= 3) & (ends[:-1] > 0) & (opens[1:] > 0)
    leads = np.append(0, stops)
    leads = leads[leads < len(ids)]
    last[leads] |= forms.numbers[ids[leads]]
    last[stops[stops > 0] - 1] = True
    return last


@cache
def _rules(language: str) -> _Rules:
    lists = lexicons.load_all(language)
    titles, abbreviations = (frozenset(w.lower() for w in lists[name]) for name in ("title", "abbreviations"))
    elided = "|".join(sorted(lists.get("elisions", ())))
    elision = re.compile(rf"(?:{elided})['’](?=[\w\"“„«])", re.IGNORECASE) if elided else None
    return _Rules(titles, abbreviations, lists["common_words"], elision)


@cache
def _analyser(language: str) -> Callable[[str], _Chunk]:
    return lru_cache(maxsize=200_000)(partial(_analyse, _rules(language)))


def _analyse(rules: _Rules, chunk: str) -> _Chunk:
    if chunk[-1] in ",;:." and chunk[:-1].isalpha():  # what follows from the rules below for most, said at once
        return _analyse_plain(rules, chunk, chunk[:-1])
    if chunk[0] == "[" and numbers_paragraph(chunk):
        return _Chunk((), (), 0, 1, True)
    low, high = clean(chunk, 0, len(chunk))
    pieces = final = _split(rules, chunk, low, high)
    opens = _can_open(rules, chunk, chunk[low:high])
    word = chunk[_elided(rules.elision, chunk, low, high) if rules.elision else low : high]
    keeps = word.endswith(".") and _keeps_period(rules, word)
    if word.endswith(".") and not keeps:
        final = _split(rules, chunk, *clean(chunk, low, high - 1))
    return _Chunk(pieces, final, _can_end(rules, chunk, word, keeps), opens, _numbers(rules, chunk))


def _analyse_plain(rules: _Rules, chunk: str, word: str) -> _Chunk:
    """Letters, and a comma, semicolon, colon or period behind them."""
    bare = ((0, len(word), word),)
    if chunk[-1] != ".":
        return _Chunk(bare, bare, 0, _can_open(rules, chunk, word), False)
    keeps, whole = _keeps_period(rules, chunk), ((0, len(chunk), chunk),)
    opens, ends = _can_open(rules, chunk, chunk), _can_end(rules, chunk, chunk, keeps)
    return _Chunk(whole, whole if keeps else bare, ends, opens, _numbers(rules, chunk))


def _numbers(rules: _Rules, chunk: str) -> bool:
    """Whether it can be the number of a paragraph or heading."""
    return chunk[-1] in ".)" and bool(_LIST_NUMBER.fullmatch(chunk)) and chunk.lower() not in rules.titles


def _split(rules: _Rules, chunk: str, low: int, high: int) -> tuple[tuple[int, int, str], ...]:
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


def _parts(rules: _Rules, word: str, start: int) -> tuple[tuple[int, int, str], ...]:
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


def _dashed(rules: _Rules, part: str, start: int) -> Iterable[tuple[int, int, str]]:
    """The tokens in what a long dash parts from the rest."""
    low, high = clean(part, 0, len(part))
    low, _, word = _unglued(rules, part[low:high], low)
    return _parts(rules, word, start + low)


def _names(word: str) -> bool:
    """Whether what stands behind the last period is a word of its own."""
    *before, last = re.split("[.)]", word)
    long = 2 if len(before[-1]) > 1 and before[-1].isalpha() else 3
    return len(last) >= long and last[0].isupper() and last.lower() not in _DEGREES


def _unglued(rules: _Rules, part: str, start: int) -> tuple[int, int, str]:
    """A part of words that a missing blank joins, without the period that ended a sentence."""
    bare = part if _keeps_period(rules, part) else part.rstrip(".")
    return start, start + len(bare), bare


def _elided(pattern: re.Pattern[str], chunk: str, low: int, high: int) -> int:
    """Where the word behind an elision and its apostrophe begins; ``low`` where there is none."""
    elision = pattern.match(chunk, low, high)
    return elision.end() if elision else low


def _keeps_period(rules: _Rules, word: str) -> bool:
    lowered = word.lower()
    return lowered in rules.titles or lowered in rules.abbreviations or bool(_INITIALS.fullmatch(word))


def _can_end(rules: _Rules, chunk: str, word: str, keeps_period: bool) -> int:
    if not chunk.rstrip(CLOSERS).endswith(_TERMINATORS):
        return 0
    if not keeps_period:
        return 2
    never = word.lower() in rules.titles or (word.lower() in rules.abbreviations and not word[0].isupper())
    return 0 if never else 1


def _can_open(rules: _Rules, chunk: str, word: str) -> int:
    bare = chunk.lstrip(_OPENERS)
    if not bare or bare[0].islower():
        return 0
    if word.lower() in rules.common:
        return 2
    return 2 if rules.elision and rules.elision.match(word) else 1
