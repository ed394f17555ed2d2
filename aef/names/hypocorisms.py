"""Short forms of names that no list has: the beginning or the end of a given name, and names written wrong.

"Gus" of an August, "Seun" of an Oluwaseun, "Harpeet" for Harpreet. Such a word is a clue and no proof: it counts only
where exactly one of the ruling's people can be meant and the word is nobody's name by itself; that is for
`aef.linking.people`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache

from rapidfuzz.distance import OSA

from aef import lexicons
from aef.features.head import deletions
from aef.names.parts import fold_all, word_set
from aef.names.person_name import is_given

_ENDINGS = word_set("ie ies ey y i o e u a s sie kin kins chen chan ka ko ek ik chka ochka enka ita ito bug")
"""What makes a pet name of the beginning of a name."""
_BEGINNING, _END, _LONGER = 3, 4, 2
"""Letters of a beginning and of an end, and how many more the name must have than the end."""
_WRONG = 5  # letters of a name that may be written wrong


@lru_cache(1 << 14)
def short_form(short: str, given: str) -> bool:
    """Whether a folded word may be short for a folded given name, or a pet name made of it.

    >>> short_form("emili", "emilia"), short_form("waseun", "oluwaseun"), short_form("markie", "mark")
    (True, True, True)
    >>> short_form("ann", "annabel"), short_form("marks", "mark"), short_form("mark", "marks")
    (False, False, False)
    """
    if short == given or len(given) < _BEGINNING or is_given(short) or _plural(short, given):
        return False
    ending = len(given) - len(short) >= _LONGER and len(short) >= _END and given.endswith(short)
    return ending or any(given.startswith(stem) for stem in _stems(short) if len(stem) >= _BEGINNING)


@lru_cache(1 << 12)
def _stems(short: str) -> tuple[str, ...]:
    """The word, and what is left of it without an ending of pet names, a double letter at the end also once."""
    longest = max((ending for ending in _ENDINGS if short.endswith(ending)), key=len, default="")
    bare = {short, short.removesuffix(longest)}
    return tuple(bare | {stem[:-1] for stem in bare if _twice(stem)})


def _twice(stem: str) -> bool:
    return len(stem) > 1 and stem[-1] == stem[-2]


@lru_cache(1 << 14)
def written_wrong(word: str, name: str) -> bool:
    """Whether a folded word that is no known name may be a name written wrong: by a letter, or by two changing places.

    >>> written_wrong("harpeet", "harpreet"), written_wrong("johnson", "johnston"), written_wrong("green", "greer")
    (True, False, False)
    """
    if word == name or min(len(word), len(name)) < _WRONG or word[0] != name[0] or _known(word):
        return False
    return not _plural(word, name) and OSA.distance(word, name) == 1


class GivenNames:
    """The folded given names of a ruling, found by what a word that may be meant for them shares with them."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names: dict[str, dict[str, None]] = defaultdict(dict)
        for name in names:
            for key in (f"{name[:_BEGINNING]}-", f"-{name[-_END:]}", *deletions(name)):
                self._names[key][name] = None

    def meant_by(self, word: str) -> list[str]:
        """Those that the word is short for, a slip away from, or the possessive of ("bobbys bike")."""
        keys = [f"{stem[:_BEGINNING]}-" for stem in _stems(word)]
        keys += [f"-{word[-_END:]}", word.removesuffix("s"), *deletions(word)]
        near = dict.fromkeys(name for key in keys for name in self._names.get(key, ()))
        return [name for name in near if _may_mean(word, name)]


def _may_mean(word: str, given: str) -> bool:
    possessive = word == f"{given}s" and is_given(given)
    return possessive or short_form(word, given) or written_wrong(word, given)


def _plural(a: str, b: str) -> bool:
    return a in (f"{b}s", f"{b}es") or b in (f"{a}s", f"{a}es")


def _known(word: str) -> bool:
    """Whether a folded word is a name or a word by itself."""
    return is_given(word) or word in _surnames()


@lru_cache(1)
def _surnames() -> frozenset[str]:
    lists = ("surnames", "given_other", "common_words")
    return frozenset(fold_all(word for name in lists for word in lexicons.load(name)))
