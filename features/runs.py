"""Runs of capitalized words seen as a whole: what stands around them, what they begin with, how rare they are."""

from __future__ import annotations

from aef.features.registry import feature


@feature(tags=["rich"])
def Titled(titled: bool) -> bool:
    """Stands behind a title somewhere in the document.

    >>> Titled(True)
    True
    """
    return titled


@feature(tags=["rich"])
def RunBefore(run_before: str, kind: str) -> str | None:
    """The word before the run of capitalized words, and the kind of the word.

    >>> RunBefore("mr.", "Xxx"), RunBefore("", "x")
    ('mr. Xxx', None)
    """
    return f"{run_before} {kind}" if run_before else None


@feature(tags=["rich"])
def Rarity(rarity: int) -> str:
    """In how many training documents the word occurs.

    >>> Rarity(0)
    '0'
    """
    return str(rarity)


@feature(tags=["rich"])
def RarityShape(rarity: int, shape: str) -> str:
    """In how many training documents the word occurs, and its shape.

    >>> RarityShape(0, "Xxx")
    '0 Xxx'
    """
    return f"{rarity} {shape}"


@feature(tags=["rich"])
def PhraseRarity(phrase_rarity: int | str, rarity: int, phrase_organization: bool) -> str | None:
    """How rare the rarest word of the phrase and the word are, and whether the phrase names an organization.

    >>> PhraseRarity(0, 5, True)
    '0 5 organization'
    """
    if phrase_rarity == "":
        return None
    return f"{phrase_rarity} {rarity} {'organization' if phrase_organization else 'other'}"


@feature(tags=["rich"])
def PhraseRarityBefore(phrase_rarity: int | str, phrase_before: str) -> str | None:
    """How rare the rarest word of the phrase is, and the word before the phrase.

    >>> PhraseRarityBefore(0, "represented by")
    '0 represented by'
    """
    return None if phrase_rarity == "" else f"{phrase_rarity} {phrase_before}"


@feature(tags=["rich"])
def PhraseEdge(phrase_before: str, phrase_first: str) -> str | None:
    """The word before the phrase and its first word.

    >>> PhraseEdge("the", "supreme")
    'the supreme'
    """
    return f"{phrase_before} {phrase_first}" if phrase_first else None


@feature(tags=["rich"])
def Parentheses(in_parentheses: bool, shape: str) -> str | None:
    """Stands in parentheses; the word's shape.

    >>> Parentheses(True, "Xxx"), Parentheses(False, "Xxx")
    ('Xxx', None)
    """
    return shape if in_parentheses else None


@feature
def SignsBefore(signs_before: str) -> str | None:
    """The signs between the word and the one before.

    >>> SignsBefore(","), SignsBefore("")
    (',', None)
    """
    return signs_before or None
