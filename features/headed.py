"""Names that a common noun heads, however written: "cour d'appel de Cracovie", "prison de Wymott".

Whether an office, a court or a place is hidden depends on the name at the end, which stands beyond a token's window
and, where the noun is in lower case, outside phrases of capitalized words (`aef.features.ruling.Ruling.headed`). French
writes so; in English and Spanish these features, measured by cross-validation, gain nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from aef.features.registry import argument, feature
from aef.features.ruling import Frequencies, Ruling

_FAR = 4


@argument
def headed_noun(document: Ruling) -> Sequence[str]:
    """The noun that heads the name that the token is in, with a dash where it has none; empty outside of them."""
    alone = ("", " -")
    return document.over(document.headed, [document.lower[a] + alone[b == a + 1] for a, b in document.headed])


@argument
def headed_before(document: Ruling) -> Sequence[str]:
    """The word before the noun that heads the name that the token is in."""
    return document.over(document.headed, [document.before(start) or "^" for start, _ in document.headed])


@argument
def headed_rarity(document: Ruling, frequencies: Frequencies) -> Sequence[int | str]:
    """The rarity of the rarest capitalized word of a name that a noun heads, "-" for a noun without a name."""
    words, rarity = document.words, list(document.rarity(frequencies))
    named = [range(start, end) if end > start + 1 else () for start, end in document.headed]
    rarest = [min([rarity[i] for i in tokens if words[i][0].isupper()], default="-") for tokens in named]
    return document.over(document.headed, rarest)


@argument
def headed_place(document: Ruling) -> Sequence[str]:
    """How far the token is from both ends of the name that a noun heads."""
    places = [""] * len(document.words)
    for start, end in document.headed:
        for i in range(start, end):
            places[i] = f"{min(i - start, _FAR)}{min(end - 1 - i, _FAR)}"
    return places


@feature(tags=["rich-fr"])
def Headed(headed_noun: str, headed_rarity: int | str, kind: str) -> str | None:
    """The noun that heads the name, how rare the name is, and the kind of the word.

    >>> Headed("tribunal", 0, "particles"), Headed("", "", "x")
    ('tribunal 0 particles', None)
    """
    return f"{headed_noun} {headed_rarity} {kind}" if headed_noun else None


@feature(tags=["rich-fr"])
def HeadedBefore(headed_before: str, headed_noun: str) -> str | None:
    """The word before the noun that heads the name, and the noun.

    >>> HeadedBefore("le", "tribunal")
    'le tribunal'
    """
    return f"{headed_before} {headed_noun}" if headed_noun else None


@feature(tags=["rich-fr"])
def HeadedPlace(headed_place: str, headed_rarity: int | str, kind: str) -> str | None:
    """Where the word stands in the name that a noun heads, how rare the name is, and the kind of the word.

    >>> HeadedPlace("12", 0, "x")
    '12 0 x'
    """
    return f"{headed_place} {headed_rarity} {kind}" if headed_place else None
