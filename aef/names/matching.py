"""Whether two names can be one person's, and how well they fit: initials, familiar forms, misspellings, parts of names.

Only words are compared here; what titles and the text around tell is for `aef.linking.people`.
"""

from __future__ import annotations

from functools import lru_cache, partial
from itertools import combinations, takewhile
from math import comb
from typing import NamedTuple

from rapidfuzz.distance import OSA

from aef.names.person_name import Name, familiar, familiar_lines, is_given

EXACT, FAMILIAR, VARIANT, COUSIN, SLIP, INITIAL = 6, 5, 4, 3, 2, 1
"""How two words agree: equal; familiar form; other spelling; familiar forms of a third; but for a letter; initial."""

SAME, WHOLE, SURNAME, GIVEN, INNER = 5, 4, 3, 2, 1
"""How two names agree: all words; given name and more; a surname alone, a first given name, something between."""

_REMEMBERED = 1 << 16  # names and pairs of names: a long ruling's, not all that ever came through
_WAYS = 200
_SHORTEST = 4  # letters of a word that may be misspelt
_SOUNDS = str.maketrans("cqzyw", "kksiv")


class Fit(NamedTuple):
    """How two names agree as a whole and, at the worst, word by word; a better fit is greater."""

    level: int
    words: int


@lru_cache(_REMEMBERED)
def fit(a: Name, b: Name) -> Fit | None:
    """How well two names agree; None where they cannot be one person's. Titles are not looked at."""
    if a.suffix and b.suffix and a.suffix != b.suffix:
        return None
    if not a.words or not b.words:
        return Fit(SAME, EXACT) if a.words == b.words else None
    if any(one.suffix and not other.suffix and len(one.words) == 1 for one, other in ((a, b), (b, a))):
        return None  # Charles II and Charles
    if a.words == b.words:
        return Fit(SAME, EXACT)
    if a.abbreviated or b.abbreviated:
        return _initials(a.words, b.words)
    short, long = (a, b) if len(a.words) <= len(b.words) else (b, a)
    return max(filter(None, (_placed(short, long, places) for places in _ways(short, long))), default=None)


def _initials(a: tuple[str, ...], b: tuple[str, ...]) -> Fit | None:
    """Initials alone are those of a whole name, J.L.G. of Joanne Lynn Green, or all that stands before a surname."""
    short, long = sorted((a, b), key=len)
    if len(short) > 1 and long[: len(short)] == short and len(long) == len(short) + 1:
        return Fit(GIVEN, EXACT)  # H.C. of H.C. Berry
    same = len(a) == len(b) > 1 and all(x[0] == y[0] for x, y in zip(a, b, strict=True))
    return Fit(WHOLE, INITIAL) if same else None


def _ways(short: Name, long: Name) -> list[tuple[int, ...]]:
    """At which of the long name's words the short one's may stand, in order; or with the surname first."""
    if comb(len(long.words), len(short.words)) >= _WAYS:  # counted, not made: of names without end there are billions
        return []
    return [*combinations(range(len(long.words)), len(short.words)), *_turned(short, long)]


def _turned(short: Name, long: Name) -> list[tuple[int, ...]]:
    """The ways in which one of the names, without a comma, has the surname first: "Kim Soo Ah", "Maj Z."."""
    few, many, last = short.words, long.words, len(long.words) - 1
    if not 1 < len(few) <= len(many):
        return []
    turns = (many[i:] + many[:i] for i in range(1, len(many)))
    if len(few) == len(many) and sum(len(word) > 1 for word in few) > 1 and few in turns:
        return [tuple(many.index(word) for word in few)]
    if len(few) == 2 and _initial_last(few) != (last == 1 and _initial_last(many)):
        return [(last, 0)]
    if len(few) <= last and few[-1] == many[0] and len(many[0]) > 1 and not is_given(many[0]) and not long.surnames:
        return [(*places, 0) for places in combinations(range(1, last + 1), len(few) - 1)]
    return []


def _initial_last(words: tuple[str, ...]) -> bool:
    """Whether a name is a surname and an initial, "Maj Z."; "Faith G." is a given name and that of a surname."""
    return len(words[1]) == 1 < len(words[0]) and not is_given(words[0])


def _placed(short: Name, long: Name, places: tuple[int, ...]) -> Fit | None:
    """The fit with the short name's words at these places of the long one."""
    size = len(long.words)
    surnames = max(long.surnames, 1)
    fits = partial(_given_fit, styled=any(map(_is_styled, (short, long))), surname_follows=size > 1)
    given = range(max(1, size - surnames))
    grades = [
        fits(word, long.words[place]) if place in given else word_fit(word, long.words[place], False)
        for word, place in zip(short.words, places, strict=True)
    ]
    level = _level(short, long, places)
    if level >= WHOLE and grades.count(0) == 1 and max(grades) >= VARIANT:
        wrong = grades.index(0)
        grades[wrong] = SLIP if distant_slip(short.words[wrong], long.words[places[wrong]]) else 0
    if max(grades) == INITIAL and len(short.words) < size:
        return None  # no word is spelled out in both
    if not all(grades) or not level or (min(grades) < VARIANT and (level < WHOLE or len(places) < 2)):
        return None
    return Fit(level, min(grades))


def _is_styled(name: Name) -> bool:
    """Whether it is a word behind a title, and so a surname."""
    return len(name.words) == 1 and bool(name.titles) and not name.given_first


def _given_fit(word: str, given: str, styled: bool, surname_follows: bool) -> int:
    """How a word agrees with a given name; as a surname, "Madam Justice Will", it is not short for one."""
    if styled and surname_follows and word != given:
        return 0
    return word_fit(word, given, not styled)


def _level(short: Name, long: Name, places: tuple[int, ...]) -> int:
    size = len(long.words)
    surnames = long.surnames or (1 if size > 1 else 0)
    if len(places) == size:
        return SAME if size > 1 or short.surnames == long.surnames else SURNAME
    if list(places) != sorted(places):
        return WHOLE
    if places[0] >= size - surnames:
        return SURNAME
    if len(places) > 1:  # not "William Millar" for "David William Millar": the son has one of the father's names
        begins = all(len(word) == 1 for word in long.words[: places[0]])  # but "D. William Millar" goes by William
        return WHOLE if begins and not _only_surnames(short) else 0
    return GIVEN if places[0] == 0 and not short.surnames else INNER


def _only_surnames(name: Name) -> bool:
    return name.surnames == len(name.words)


# --- words ----------------------------------------------------------------------------------------------------------


@lru_cache(_REMEMBERED)
def word_fit(a: str, b: str, given: bool = True) -> int:
    """How two folded words agree, 0 for not at all; familiar forms are looked for in given names alone.

    >>> word_fit("mahmood", "mahmoud"), word_fit("bill", "william"), word_fit("j", "joanne"), word_fit("anna", "hanna")
    (4, 5, 1, 0)
    """
    if a == b:
        return EXACT if len(a) > 1 else INITIAL
    if min(len(a), len(b)) == 1:
        return INITIAL if a[:1] == b[:1] else 0
    if given and (short := familiar(a, b)):
        return FAMILIAR if short == 2 else COUSIN
    return VARIANT if _spelt_alike(a, b) and not (given and _other_ending(a, b)) else 0


def _spelt_alike(a: str, b: str) -> bool:
    """Whether the words differ by a slip that leaves the sound: a vowel, a double letter, s for z, rn read for m.

    Two common given names are two names, however alike: Anna and Anne, Mario and María. A plural is no slip.
    """
    short, long = sorted((a, b), key=len)
    if len(short) < _SHORTEST or (is_given(a) and is_given(b)) or long in (f"{short}s", f"{short}es"):
        return False
    return skeleton(a) == skeleton(b) and OSA.distance(_read(a), _read(b)) <= (2 if len(short) > 8 else 1)


def _other_ending(a: str, b: str) -> bool:
    """Whether the words differ by their last vowel alone, as those of a man and a woman do: Carlo and Carla."""
    stems = {word[:-1] if word[-1] in "aeio" else word for word in (a, b)}
    return len(stems) == 1


def _read(word: str) -> str:
    """The word as it sounds and as a scanner may have read it, double letters once."""
    sounds = word.replace("rn", "m").replace("ph", "f").replace("vv", "w").translate(_SOUNDS)
    return "".join(c for i, c in enumerate(sounds) if not i or c != sounds[i - 1])


@lru_cache(_REMEMBERED)
def skeleton(word: str) -> str:
    """The word's first letter and its consonants, double ones once: the same for words that sound alike.

    >>> skeleton("mahmood"), skeleton("philipp"), skeleton("gonzales")
    ('md', 'flp', 'gnsls')
    """
    sounds = _read(word)
    rest = [c for c in sounds[1:] if c not in "aeiouh"]
    letters = [sounds[:1], *rest]
    return "".join(c for i, c in enumerate(letters) if not i or c != letters[i - 1])


@lru_cache(_REMEMBERED)
def keys(name: Name) -> frozenset[str]:
    """What a name shares with those `sought` for each that may fit it: words as they sound, familiar forms, initials.

    Names without a single letter do not share initials: of two that fit, some word sounds alike, or is familiar.
    """
    signs = ".~" if _has_initial(name) else "."
    return _of_words(name) | {f"{sign}{first}" for first in _first_letters(name) for sign in signs}


@lru_cache(_REMEMBERED)
def sought(name: Name) -> frozenset[str]:
    """Of what a name that may fit this one has at least one among its `keys`."""
    sign = "." if _has_initial(name) else "~"
    return _of_words(name) | {f"{sign}{first}" for first in _first_letters(name)}


def _of_words(name: Name) -> frozenset[str]:
    sounds = {skeleton(word) for word in name.words if len(word) > 1}
    return frozenset(sounds | {f"#{line}" for word in name.words for line in familiar_lines(word)})


def _first_letters(name: Name) -> set[str]:
    """The first letters of all words, and the initials that are written before a surname."""
    first = "".join(word[:1] for word in name.words)
    initials = "".join(takewhile(lambda word: len(word) == 1, name.words))
    return {letters for letters in (first, initials) if len(letters) > 1 or name.abbreviated}


def _has_initial(name: Name) -> bool:
    return any(len(word) < 2 for word in name.words)


def distant_slip(a: str, b: str) -> bool:
    """Whether long words differ by one letter that changes the sound: only with other evidence are they one name.

    >>> distant_slip("johnson", "johnston"), distant_slip("fernandez", "hernandez")
    (True, False)
    """
    known = (is_given(a) and is_given(b)) or _other_ending(a, b)
    return min(len(a), len(b)) > _SHORTEST and a[0] == b[0] and not known and OSA.distance(a, b) == 1
