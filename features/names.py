"""Names as word lists know them, and what the rest of the document says of a word."""

from __future__ import annotations

from aef.features.registry import feature


@feature(tags=["rich"])
def Listed(listed: str, shape: str) -> str | None:
    """Which lists of names hold the word, and its shape.

    >>> Listed("gs", "Xxx"), Listed("", "xx")
    ('gs Xxx', None)
    """
    return f"{listed} {shape}" if listed else None


@feature(tags=["rich"])
def ListedBefore(listed: str, listed_before: str, kind_before: str) -> str | None:
    """Which lists of names hold the word and the one before, or what kind of word that is.

    >>> ListedBefore("s", "g", "Xxx"), ListedBefore("s", "", "x")
    ('g s', 'x s')
    """
    return f"{listed_before or kind_before} {listed}" if listed else None


@feature(tags=["rich"])
def ListedAfter(listed: str, listed_after: str, kind_after: str) -> str | None:
    """Which lists of names hold the word and the one after, or what kind of word that is.

    >>> ListedAfter("g", "s", "Xxx")
    'g s'
    """
    return f"{listed} {listed_after or kind_after}" if listed else None


@feature(tags=["rich"])
def ListedL1(listed: str, lower_after: str) -> str | None:
    """Which lists of names hold the word, and the word after in lower case.

    >>> ListedL1("g", "said")
    'g said'
    """
    return f"{listed} {lower_after}" if listed else None


@feature(tags=["rich"])
def ListedL_1(listed: str, lower_before: str) -> str | None:
    """Which lists of names hold the word, and the word before in lower case.

    >>> ListedL_1("g", "and")
    'and g'
    """
    return f"{lower_before} {listed}" if listed else None


@feature(tags=["rich"])
def AlsoLower(also_lower: bool, listed: str, first: bool) -> str | None:
    """Whether the word also stands in lower case in the document, which lists hold it, whether it begins a sentence.

    >>> AlsoLower(True, "-", False), AlsoLower(False, "gs", True)
    ('lower -', 'capital gs first')
    """
    if not listed:
        return None
    return f"{'lower' if also_lower else 'capital'} {listed}{' first' if first else ''}"


@feature(tags=["rich"])
def SmallName(small_name: str) -> str | None:
    """In lower case what elsewhere has a capital: which lists hold it, whether mostly, whether in a typed message.

    >>> SmallName("gs mostly informal"), SmallName("")
    ('gs mostly informal', None)
    """
    return small_name or None


@feature(tags=["rich"])
def SmallNameBefore(small_name: str, lower_before: str) -> str | None:
    """The same, and the word before.

    >>> SmallNameBefore("g mostly", "ask")
    'ask g mostly'
    """
    return f"{lower_before} {small_name}" if small_name else None


@feature(tags=["rich"])
def SmallNameAfter(small_name: str, lower_after: str) -> str | None:
    """The same, and the word after.

    >>> SmallNameAfter("g mostly", "has")
    'g mostly has'
    """
    return f"{small_name} {lower_after}" if small_name else None
