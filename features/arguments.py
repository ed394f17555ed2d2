"""What features may ask for besides words and labels: see `aef.features.registry.argument`.

A run of capitalized words is unbroken; a phrase may hold words like "of" between its capitalized words.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby

import numpy as np

from aef.features.dictionary import Lexicons
from aef.features.registry import argument
from aef.features.ruling import Frequencies, Ruling


@argument
def lower(word: str) -> str:
    """The word in lower case."""
    return word.lower()


@argument
def shape(word: str) -> str:
    """The word's shape: X for a capital, x for a small letter, d for a digit; repeats without digits cut to two.

    >>> shape("Millar"), shape("GREEN"), shape("40016/98"), shape("A.-M.")
    ('Xxx', 'XX', 'ddddd/dd', 'X.-X.')
    """
    if word.isalpha():
        small, rest = word.islower(), word[1:]
        if small or (rest.islower() and word[0].isupper()):
            return ("x" if small else "X") + "x" * min(len(rest), 1 if small else 2)
    letters = "".join("X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in word)
    return letters if "d" in letters else _cut(letters)


def _cut(letters: str) -> str:
    """The shape with two of each run of letters."""
    runs = ((kind, "".join(run)) for kind, run in groupby(letters))
    return "".join(run[:2] if kind in "Xx" else run for kind, run in runs)


_KINDS = (
    "nationalities",
    "organization_words",
    "law_words",
    "money_words",
    "place_words",
    "unit_words",
    "demographic_words",
    "number_words",
    "month_names",
    "particles",
    "function_words",
    "title",
)


@argument
def kind(word: str, lexicons: Lexicons) -> str:
    """The first word list of a few that holds the word, else its shape, "x" for other words in lower case.

    >>> lists = dict.fromkeys(_KINDS, frozenset()) | {"month_names": frozenset({"march"})}
    >>> kind("March", lists), kind("17", lists), kind("met", lists)
    ('month_names', 'dd', 'x')
    """
    low = word.lower()
    for name in _KINDS:
        if low in lexicons[name] and (name != "particles" or word == low):
            return name
    return "x" if word.islower() else shape(word)


@argument
def run_before(document: Ruling) -> Sequence[str]:
    """The word before the run that the token is in; empty outside runs."""
    return document.over(document.runs, [document.before(start) or "^" for start, _ in document.runs])


@argument
def titled(document: Ruling) -> Sequence[bool]:
    """Whether the word stands behind a title in a run somewhere in the document."""
    titles = {title.rstrip(".").lower() for title in document.lexicons["title"]}
    known: set[str] = set()
    for start, end in document.runs:
        if document.lower[start].rstrip(".") in titles:
            known.update(document.words[start + 1 : end])
    return document.by_word(known.__contains__)


@argument
def rarity(document: Ruling, frequencies: Frequencies) -> Sequence[int]:
    """How common the word is in the training documents (0: rare, then one more each doubling)."""
    return document.rarity(frequencies)


@argument
def phrase_rarity(document: Ruling, frequencies: Frequencies) -> Sequence[int | str]:
    """The rarity of the phrase's rarest word; empty outside phrases."""
    joiners = document.lexicons["joiners"]
    words, rarity = document.words, list(document.rarity(frequencies))
    rarest = [min([rarity[i] for i in range(a, b) if words[i] not in joiners]) for a, b in document.phrases]
    return document.over(document.phrases, rarest)


@argument
def phrase_before(document: Ruling) -> Sequence[str]:
    """The word before the phrase that the token is in; empty outside phrases."""
    return document.over(document.phrases, [document.before(start) or "^" for start, _ in document.phrases])


@argument
def phrase_first(document: Ruling) -> Sequence[str]:
    """The first word of the phrase; empty outside phrases."""
    return document.over(document.phrases, [document.lower[start] for start, _ in document.phrases])


@argument
def phrase_organization(document: Ruling) -> Sequence[bool]:
    """Whether a word of the phrase heads names of organizations: "Court", "Ministry"."""
    heads = document.lexicons["organization_words"]
    return document.over(
        document.phrases, [not heads.isdisjoint(document.lower[start:end]) for start, end in document.phrases]
    )


@argument
def signs_before(document: Ruling) -> list[str]:
    """The signs between the token and the one before."""
    return document.gaps


@argument
def in_parentheses(document: Ruling) -> list[bool]:
    """Whether the token stands in parentheses that its paragraph opened."""
    inside, depth = [], 0
    for gap in document.gaps:
        if gap:
            depth = 0 if gap == "\n" else max(0, depth + gap.count("(") - gap.count(")"))
        inside.append(depth > 0)
    return inside


_ENDINGS = ("s", "es", "ed", "ing", "ly", "er")

_LISTS = {
    "given_female": "g",
    "given_male": "g",
    "given_other": "g",
    "surnames": "s",
    "word_names": "w",
    "place_names": "p",
    "towns": "t",
    "court_words": "c",
    "common_words": "o",
    "ordinary_words": "e",
    "foreign_words": "f",
}


@argument
def listed(word: str, lexicons: Lexicons) -> str:
    """Which lists of names (and of what is none) hold a capitalized word; empty for other words.

    >>> lists = {"surnames": frozenset({"hale"}), "given_male": frozenset({"Hale"})}
    >>> listed("Hale", lists), listed("hale", lists), listed("Qux", lists)
    ('gs', '', '-')
    """
    return _signs(word, *[lexicons.get(name, _NONE) for name in _LISTS]) if word[:1].isupper() else ""


_NONE = frozenset[str]()


@lru_cache(maxsize=1 << 15)
def _signs(word: str, *lists: frozenset[str]) -> str:
    """`listed` of a capitalized word: words come back, within a ruling and in the next one; the lists are `_LISTS`."""
    lower, capital = word.lower(), word.capitalize()
    found = {
        sign
        for sign, words in zip(_LISTS.values(), lists, strict=True)
        if word in words or lower in words or capital in words
    }
    if _EVERYDAY not in found and not _stems(lower).isdisjoint(lists[_ORDINARY]):
        found.add(_EVERYDAY)
    return "".join(sorted(found)) or "-"


_EVERYDAY, _ORDINARY = _LISTS["ordinary_words"], list(_LISTS).index("ordinary_words")


def _stems(lower: str) -> set[str]:
    """What a regularly inflected English word may be made of.

    >>> sorted(_stems("replies")), sorted(_stems("stopped"))
    (['repli', 'replie', 'repliee', 'reply'], ['stop', 'stopp', 'stoppe'])
    """
    found: set[str] = set()
    if not lower.endswith(_ENDINGS):
        return found
    for ending in _ENDINGS:
        if lower.endswith(ending) and len(lower) > len(ending) + 2:
            stem = lower.removesuffix(ending)
            found |= {stem, stem + "e", stem[:-1] if stem[-1] == stem[-2] else stem}
            found |= {stem[:-1] + "y"} if stem[-1] == "i" else set()
    return found


@argument
def small_name(document: Ruling) -> Sequence[str]:
    """Of a word in lower case that elsewhere has a capital within a sentence: which lists hold it, and how it stands.

    "mostly" tells that it has the capital more often than not, "informal" that its sentence begins in lower case or
    says "i": somebody typed a message.
    """
    forms, codes = document.forms.values, document.forms.codes
    within = np.bincount(codes[~np.array(document.first, np.bool_)], minlength=len(forms)).tolist()
    capitals = {word: times for word, times in zip(forms, within, strict=True) if times and word[0].isupper()}
    small = [i for i, word in enumerate(forms) if word.islower() and word.capitalize() in capitals]
    if not small:
        return document.over([], [])
    everywhere = np.bincount(codes).tolist()
    told = [""] * len(forms)
    for i in small:
        capital = forms[i].capitalize()
        told[i] = listed(capital, document.lexicons) + (" mostly" if capitals[capital] >= everywhere[i] else "")
    found = [told[code] for code in codes.tolist()]
    for low, high in document.sentences:
        if any(found[low:high]) and _informal(document.words[low:high]):
            found[low:high] = [f and f"{f} informal" for f in found[low:high]]
    return found


def _informal(sentence: Sequence[str]) -> bool:
    """Whether it is typed without capitals."""
    begin = next((word for word in sentence if word[0].isalpha()), "")
    return begin.islower() or (begin != "" and "i" in sentence)


@argument
def also_lower(document: Ruling) -> Sequence[bool]:
    """Whether the word also stands in lower case in the document."""
    written = {word for word in document.forms.values if word.islower()}
    return document.by_word(lambda word: word.lower() in written)
