"""What a language does to a name, done to the label in its place: English plurals and possessives, Romanian endings,
capitals."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from aef.corpus_tools.tokenization.chunks import LETTERS
from aef.names.parts import LOC, ORG, PERSON, fold, word_set

_OF_FAMILIES = frozenset({"los", "las", "les"})
_OPEN_QUOTE = re.compile(r"(?:‘|(?<![\w.])['’])[^'’]*$")
_SHORT = 3  # letters of a name in capitals that may be an abbreviation

_ENDINGS_RO = {
    "ului": ("", "u"),
    "elor": ("e", "ele"),
    "ilor": ("", "i", "ii"),
    "ei": ("a", "e", "ea"),
    "ii": ("a", "e", "ia"),
    "lui": ("",),
    "ul": ("", "u"),
    "i": ("a",),
}
"""Endings of genitive, dative and article, the longest first, and how the bare name ends that takes them."""
_SURE_RO = {"ului": 2, "elor": 4, "ilor": 4}  # telling by themselves after so many letters
_SHORTEST_GENITIVE_RO = 4
_NO_GENITIVE_RO = word_set("andrei matei sergei alexei timotei tadei moisei nicolaei macovei")


def family(text: str, start: int, end: int, surnames: Iterable[str], language: str = "en") -> str:
    """The surname where ``text[start:end]`` names a family by it: "the Hales" beside a "John Hale", "los Pérez".

    ``surnames``: those of the ruling, folded. The article may stand before or inside.

    >>> family("the Hales", 4, 9, {"hale"}), family("the Hales", 4, 9, {"hales"})
    ('Hale', '')
    """
    low = max(text.rfind(" ", 0, max(start - 1, 0)) + 1, start - 8, 0)
    for first in (start, low):
        article, name, *more = [*text[first:end].split(), "", ""]
        if not name or any(more):
            continue
        if language == "en" and article.lower() == "the" and name.isalpha() and name.endswith("s"):
            singulars = (name[:-1].removesuffix(cut) for cut in ("", "e", "E"))
            return next((s for s in singulars if s[:1].isupper() and fold(s) in surnames), "")
        if language != "en" and article.lower() in _OF_FAMILIES:
            return name if name[0].isupper() else ""
    return ""


def plural_label(words: str, label: str) -> str:
    """The label in the place of "Hales" or "the Hales"; of an invented name, the surname.

    >>> plural_label("the Hales", "J.H."), plural_label("Hales", "Mary Underwood")
    ('the J.H.s', 'Underwoods')
    """
    article = words[:4] if words[:3].lower() == "the" and words[3:4].isspace() else ""
    return f"{article}{label.split()[-1]}s"


def bare_possessive(text: str, start: int, end: int) -> bool:
    """Whether an apostrophe alone behind a name in s makes it a possessive: "James' house", not "‘Mr James’ said"."""
    if text[end - 1 : end].lower() != "s" or text[end : end + 1] not in ("'", "’"):
        return False
    behind = text[end + 1 : end + 8]
    if not behind[:1].isspace() or not behind.lstrip()[:1].isalpha():
        return False
    return not _OPEN_QUOTE.search(text, max(text.rfind("\n", 0, start), start - 200, 0), start)


def in_capitals(words: str, forms: Iterable[str], entity_type: str) -> bool:
    """Whether a name is written in capitals rather than an abbreviation.

    >>> in_capitals("JOANNE GREEN", [], "PERSON"), in_capitals("RBC", ["RBC Dominion"], "ORG")
    (True, False)
    """
    letters = [word for word in LETTERS.findall(words) if len(word) > 1]
    if entity_type not in (PERSON, ORG, LOC) or not letters or not words.isupper():
        return False
    spelled = {fold(other) for form in forms for other in form.split() if not other.isupper()}
    if spelled.intersection(map(fold, letters)):
        return True
    return len(letters) > 1 or (entity_type == PERSON and len(letters[0]) > _SHORT)


# --- Romanian -------------------------------------------------------------------------------------------------------


def ending(name: str, others: Iterable[str], entity_type: str) -> str:
    """The case ending of a Romanian name, by the ``others`` of the same ruling or by its own shape; "" where it has
    none.

    >>> ending("Mariei", ["Maria"], "PERSON"), ending("Clujului", [], "LOC"), ending("Andrei", [], "PERSON")
    ('ei', 'ului', '')
    """
    word = _first(name)
    told = {_inflected(word, _first(other)) for other in others} - {""}
    if told:
        return max(told, key=len)
    sure = next((s for s, least in _SURE_RO.items() if word.endswith(s) and len(word) - len(s) >= least), "")
    if sure or entity_type != PERSON or word in _NO_GENITIVE_RO:
        return sure
    return "ei" if len(word) > _SHORTEST_GENITIVE_RO and word.endswith("ei") else ""


def inflected(name: str, base: str) -> bool:
    """Whether a Romanian name is another one in another case: its first word is, and the rest is the same, or nothing.

    >>> inflected("Mariei Pop", "Maria Pop"), inflected("Mariei", "Maria Pop"), inflected("Ioanei Pop", "Ioan Pop")
    (True, True, False)
    """
    words, others = map(_words, (name, base))
    return bool(words and others and _inflected(words[0], others[0])) and words[1:] in ([], others[1:])


def _inflected(word: str, base: str) -> str:
    """The ending by which a word is a base in another case."""
    for suffix, of_base in _ENDINGS_RO.items():
        stem = word.removesuffix(suffix)
        if word.endswith(suffix) and len(stem) > 1 and base in {stem + end for end in of_base}:
            return suffix
    return ""


def _words(name: str) -> list[str]:
    """The words in lower case without accents, as long as they were."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c)).split()


def _first(name: str) -> str:
    return next(iter(_words(name)), "")
