"""Words in lower case, their endings, shapes and kinds: alone and with their neighbours."""

from __future__ import annotations

from aef.features.registry import feature


@feature(name="L-1", tags=["rich"])
def lower_before(lower_before: str) -> str:
    """The word before, in lower case.

    >>> lower_before("mr.")
    'mr.'
    """
    return lower_before


@feature(name="L1", tags=["rich"])
def lower_after(lower_after: str) -> str:
    """The word after, in lower case.

    >>> lower_after("testified")
    'testified'
    """
    return lower_after


@feature(name="L-2L-1", tags=["rich"])
def two_lower_before(lower_before: str, lower_before2: str) -> str:
    """The two words before, in lower case.

    >>> two_lower_before("in", "practising")
    'practising in'
    """
    return f"{lower_before2} {lower_before}"


@feature(name="L0L1", tags=["rich"])
def lower_and_after(lower: str, lower_after: str) -> str:
    """The word and the one after, in lower case.

    >>> lower_and_after("state", "security")
    'state security'
    """
    return f"{lower} {lower_after}"


@feature(name="L0", tags=["rich-fr"])
def lower_word(lower: str) -> str:
    """The word itself, in lower case.

    >>> lower_word("garage")
    'garage'
    """
    return lower


@feature(name="L-1L0", tags=["rich-fr"])
def lower_before_and_word(lower_before: str, lower: str) -> str:
    """The word before and the word, in lower case.

    >>> lower_before_and_word("life", "sentence")
    'life sentence'
    """
    return f"{lower_before} {lower}"


@feature(name="Ending3", tags=["rich"])
def ending3(lower: str) -> str | None:
    """The last three characters of a longer word.

    >>> ending3("polish"), ending3("may")
    ('ish', None)
    """
    return lower[-3:] if len(lower) > 3 else None


@feature(name="Ending4", tags=["rich"])
def ending4(lower: str) -> str | None:
    """The last four characters of a longer word.

    >>> ending4("petrova")
    'rova'
    """
    return lower[-4:] if len(lower) > 4 else None


@feature(name="S-1S0", tags=["rich"])
def shape_and_before(shape_before: str, shape: str) -> str:
    """The shapes of the word before and of the word.

    >>> shape_and_before("Xx.", "Xxx")
    'Xx. Xxx'
    """
    return f"{shape_before} {shape}"


@feature(name="S0S1", tags=["rich"])
def shape_and_after(shape: str, shape_after: str) -> str:
    """The shapes of the word and of the word after.

    >>> shape_and_after("X.", "Xxx")
    'X. Xxx'
    """
    return f"{shape} {shape_after}"


@feature(name="K0", tags=["rich"])
def word_kind(kind: str) -> str:
    """The kind of the word: a word list that holds it, or its shape.

    >>> word_kind("month_names")
    'month_names'
    """
    return kind


@feature(name="K-1K0", tags=["rich"])
def kind_and_before(kind_before: str, kind: str) -> str:
    """The kinds of the word before and of the word.

    >>> kind_and_before("dd", "month_names")
    'dd month_names'
    """
    return f"{kind_before} {kind}"


@feature(name="K0K1", tags=["rich"])
def kind_and_after(kind: str, kind_after: str) -> str:
    """The kinds of the word and of the word after.

    >>> kind_and_after("nationalities", "organization_words")
    'nationalities organization_words'
    """
    return f"{kind} {kind_after}"


@feature(name="K-1K0K1", tags=["rich"])
def kind_between(kind_before: str, kind: str, kind_after: str) -> str:
    """The kinds of the word and of its two neighbours.

    >>> kind_between("dd", "month_names", "dddd")
    'dd month_names dddd'
    """
    return f"{kind_before} {kind} {kind_after}"


@feature(name="K-2K-1K0", tags=["rich"])
def kind_and_two_before(kind_before2: str, kind_before: str, kind: str) -> str:
    """The kinds of the two words before and of the word.

    >>> kind_and_two_before("dd", "month_names", "dddd")
    'dd month_names dddd'
    """
    return f"{kind_before2} {kind_before} {kind}"


@feature(name="L-1K0", tags=["rich"])
def lower_before_kind(lower_before: str, kind: str) -> str:
    """The word before, in lower case, and the kind of the word.

    >>> lower_before_kind("on", "dd")
    'on dd'
    """
    return f"{lower_before} {kind}"
