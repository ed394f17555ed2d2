"""Context features: the word itself and its neighbours (AEF thesis, section 3.1).

The thesis tried neighbours for all words, for words not capitalized and for capitalized ones, and kept the last; only
SW-1 is for the others.
"""

from __future__ import annotations

from aef.features.orthographic import capitalized, not_capitalized
from aef.features.registry import feature


@feature(name="W0", tags=["thesis"], when=capitalized)
def current_word(word: str) -> str:
    """The word itself, where it is capitalized.

    >>> current_word("Millar")
    'Millar'
    """
    return word


@feature(name="W-1", tags=["thesis", "nine"], when=capitalized)
def word_before(before: str) -> str:
    """The word before a capitalized one.

    >>> word_before("Mr.")
    'Mr.'
    """
    return before


@feature(name="W-2", tags=["thesis", "nine"], when=capitalized)
def second_word_before(before2: str) -> str:
    """The second word before a capitalized one.

    >>> second_word_before("sister")
    'sister'
    """
    return before2


@feature(name="W1", tags=["thesis", "nine"], when=capitalized)
def word_after(after: str) -> str:
    """The word after a capitalized one.

    >>> word_after("testified")
    'testified'
    """
    return after


@feature(name="W2", tags=["thesis"], when=capitalized)
def second_word_after(after2: str) -> str:
    """The second word after a capitalized one.

    >>> second_word_after("that")
    'that'
    """
    return after2


@feature(name="SW-1", tags=["thesis", "nine"], when=not_capitalized)
def word_before_others(before: str) -> str:
    """The word before one that is not capitalized (numbers among them).

    >>> word_before_others("born")
    'born'
    """
    return before


@feature(tags=["thesis", "rich"])
def FirstWord(first: bool) -> bool:
    """Is the first word of its sentence, where a capital says nothing.

    >>> FirstWord(True)
    True
    """
    return first
