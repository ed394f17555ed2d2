"""What features may ask for besides words and labels: see `aef.features.registry.argument`.

A run of capitalized words is unbroken; a phrase may hold words like "of" between its capitalized words.
"""

from __future__ import annotations

import re

from aef.features.dictionary import Lexicons
from aef.features.registry import argument
from aef.features.ruling import Ruling

_LONG = re.compile(r"(X{2})X+|(x{2})x+")


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
    letters = "".join("X" if c.isupper() else "x" if c.isalpha() else "d" if c.isdigit() else c for c in word)
    return letters if "d" in letters else _LONG.sub(lambda m: m[1] or m[2], letters)


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
def run_before(document: Ruling) -> list[str]:
    """The word before the run that the token is in; empty outside runs."""
    return document.over(document.runs, [document.before(start) or "^" for start, _ in document.runs])


@argument
def titled(document: Ruling) -> list[bool]:
    """Whether the word stands behind a title in a run somewhere in the document."""
    titles = {title.rstrip(".").lower() for title in document.lexicons["title"]}
    known: set[str] = set()
    for start, end in document.runs:
        if document.lower[start].rstrip(".") in titles:
            known.update(document.words[start + 1 : end])
    return [word in known for word in document.words]


@argument
def rarity(document: Ruling) -> list[int]:
    """How common the word is in the training documents (0: rare, then one more each doubling)."""
    return document.rarity


@argument
def phrase_rarity(document: Ruling) -> list[int | str]:
    """The rarity of the phrase's rarest word; empty outside phrases."""
    joiners = document.lexicons["joiners"]
    rarities = [
        min(r for r, word in zip(document.rarity[a:b], document.words[a:b], strict=True) if word not in joiners)
        for a, b in document.phrases
    ]
    return document.over(document.phrases, rarities)


@argument
def phrase_before(document: Ruling) -> list[str]:
    """The word before the phrase that the token is in; empty outside phrases."""
    return document.over(document.phrases, [document.before(start) or "^" for start, _ in document.phrases])


@argument
def phrase_first(document: Ruling) -> list[str]:
    """The first word of the phrase; empty outside phrases."""
    return document.over(document.phrases, [document.lower[start] for start, _ in document.phrases])


@argument
def phrase_organization(document: Ruling) -> list[bool]:
    """Whether a word of the phrase heads names of organizations: "Court", "Ministry"."""
    heads = document.lexicons["organization_words"]
    return document.over(
        document.phrases, [not heads.isdisjoint(document.lower[start:end]) for start, end in document.phrases]
    )


@argument
def in_parentheses(document: Ruling) -> list[bool]:
    """Whether the token stands in parentheses that its paragraph opened."""
    inside, depth = [], 0
    for gap in document.gaps:
        if gap:
            depth = 0 if gap == "\n" else max(0, depth + gap.count("(") - gap.count(")"))
        inside.append(depth > 0)
    return inside


_LISTS = {
    "given_female": "g",
    "given_male": "g",
    "given_other": "g",
    "surnames": "s",
    "word_names": "w",
    "place_names": "p",
    "court_words": "c",
    "common_words": "o",
}


@argument
def listed(word: str, lexicons: Lexicons) -> str:
    """Which lists of names (and of what is none) hold a capitalized word; empty for other words.

    >>> lists = {"surnames": frozenset({"hale"}), "given_male": frozenset({"Hale"})}
    >>> listed("Hale", lists), listed("hale", lists), listed("Qux", lists)
    ('gs', '', '-')
    """
    if not word[:1].isupper():
        return ""
    forms = {word, word.lower(), word.capitalize()}
    found = {sign for name, sign in _LISTS.items() if not forms.isdisjoint(lexicons.get(name, ()))}
    return "".join(sorted(found)) or "-"


@argument
def also_lower(document: Ruling) -> list[bool]:
    """Whether the word also stands in lower case in the document."""
    written = {word for word in document.words if word.islower()}
    return [lower in written for lower in document.lower]
