"""Word lists, forms and steps by which features of roles tell names from other words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import dropwhile, pairwise

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.names.parts import initials

WORDS = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*\.?")
_BRACKETS = 60
"""Within how many characters behind a company's name its short one stands."""
_LED = 2
"""How many words may stand before it in brackets: "the", "hereinafter called"."""
_COMPANY = ("legal_form", "generic_organization", "suffix_organization", "organization_words")
_GIVEN = ("given_female", "given_male", "given_other", "nicknames")
_OTHER = (
    *("common_words", "court_words", "law_words", "ordinary_words", "word_names", "place_names", "towns"),
    *("place_words", "month_names", "weekday_names", "nationalities", "peoples", "foreign_words", "title", "letters"),
    *("kin_names", "demographic_words", "money_words", "generic_place", "abbreviations", "particles", *_COMPANY),
    "surnames",
)
_STEPS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 0.99)


def folded(word: str) -> str:
    """A word as the lists here have it: in lower case, without a period."""
    return word.lower().rstrip(".")


@cache
def lists(language: str) -> dict[str, frozenset[str]]:
    """The word lists that tell something of a name; those of given names as one."""
    known = lexicons.load_all(language)
    return {name: _entries(known, (name,)) for name in _OTHER if name in known} | {"given names": given_names(language)}


@cache
def given_names(language: str) -> frozenset[str]:
    """Given names and nicknames."""
    return _entries(lexicons.load_all(language), _GIVEN)


@cache
def company(language: str) -> frozenset[str]:
    """Words of companies and bodies."""
    return _entries(lexicons.load_all(language), _COMPANY)


@cache
def beside(language: str) -> frozenset[str]:
    """Words that may stand beside a name as predicates though no ordinary words: of companies, courts and the law."""
    return _entries(lexicons.load_all(language), (*_COMPANY, "court_words", "law_words", "title"))


@cache
def pronouns(language: str) -> dict[str, str]:
    """What each pronoun stands for: somebody, something, several."""
    known = lexicons.load_all(language)
    kinds = {"somebody": "personal_pronouns", "something": "neuter_pronouns", "several": "plural_pronouns"}
    return {word: kind for kind, name in kinds.items() for word in known.get(name, ())}


def companies(document: Document) -> list[tuple[str, ...]]:
    """The names of companies in a document, their words folded: capitalized words in a row up to a legal form, or to
    what tells what a company is. Of two names the latter: "Ann Roe and Golden Investment Corp."."""
    ends, before, between = _around_company(document.language)
    runs = (list(map(folded, WORDS.findall(run[0]))) for run in _capitals(document.language).finditer(document.text))
    named = (_to_the_end(list(dropwhile(before.__contains__, run)), ends) for run in runs)
    return [tuple(_last(words, between, ends)) for words in named if words]


def short_names(document: Document) -> frozenset[tuple[str, ...]]:
    """What companies are called for short, in brackets behind names that have the words: "Roe Drilling Co. (Roe)"."""
    ends, text, found = _around_company(document.language)[0], document.text, set()
    for run in _capitals(document.language).finditer(text):
        name, _, behind = text[run.start() : run.end() + _BRACKETS].partition("(")
        if words := _to_the_end(list(map(folded, WORDS.findall(name.replace("-", " ")))), ends):
            held = WORDS.findall(behind.partition(")")[0].partition(" or ")[0])
            short = tuple(map(folded, dropwhile(str.islower, held)))
            if len(held) - len(short) <= _LED and short and set(words).issuperset(short):
                found.add(short)
    return frozenset(found)


def _to_the_end(words: list[str], ends: frozenset[str]) -> list[str]:
    """The words up to the last that ends a company's name, without it."""
    return words[: max((i for i, word in enumerate(words) if word in ends), default=0)]


def _last(words: list[str], between: frozenset[str], ends: frozenset[str]) -> list[str]:
    """The words behind the last that stands between two names; "and Sons" is no name."""
    parts = (i for i, (word, behind) in enumerate(pairwise(words)) if word in between and behind not in ends)
    return words[max(parts, default=-1) + 1 :]


@cache
def _around_company(language: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """The words that the name of a company ends in, those that stand before one and are not of it, and those that
    stand between two names."""
    known = lexicons.load_all(language)
    ends = _entries(known, ("legal_form", "generic_organization"))
    return ends, _entries(known, ("function_words", "title")), _entries(known, ("between_people",))


@cache
def _capitals(language: str) -> re.Pattern[str]:
    """Words with capitals in a row, joined by such as "of", and a legal form behind a comma: "J. Roe & Sons, Inc."."""
    known = lexicons.load_all(language)
    forms, joined = ("|".join(map(re.escape, sorted(known.get(n, ())))) for n in ("legal_form", "joiners"))
    word, blanks = r"[A-ZÀ-Þ&][\w’'.&-]*+", r"[^\S\n]++"
    words = rf"{word}(?:{blanks}(?:(?:{joined}){blanks})?\(?{word}\)?)*+"
    return re.compile(rf"(?<![\w’'.&-]){words}(?:,{blanks}(?i:{forms})(?!\w))?")


def _entries(known: Mapping[str, frozenset[str]], names: Iterable[str]) -> frozenset[str]:
    return frozenset[str]().union(*(_plain(known[name]) for name in names if name in known))


@lru_cache(maxsize=128)
def _plain(entries: frozenset[str]) -> frozenset[str]:
    """The entries in lower case, abbreviations folded; several ask for the same list."""
    entries = lexicons.lowered(entries)
    if "." not in "".join(entries):
        return entries
    ended = {entry for entry in entries if entry[-1] == "."}
    return (entries - ended).union(map(folded, ended))


def only_initials(name: str) -> bool:
    """Whether a name is no more than up to four letters: that of somebody who is anonymized already.

    >>> only_initials("K.B."), only_initials("AH"), only_initials("Al"), only_initials("J. Roe")
    (True, True, False, False)
    """
    letters = _letters(name)
    return letters.isupper() and len(letters) <= 4 and all(len(w.replace(".", "")) <= 3 for w in name.split())


def initials_of(names: Iterable[str]) -> frozenset[str]:
    """The initials of names without periods, those of names that are initials already among them.

    >>> sorted(initials_of(["Ann Roe", "K. B."]))
    ['AR', 'KB']
    """
    return frozenset(initials(name).replace(".", "") if not only_initials(name) else _letters(name) for name in names)


def _letters(name: str) -> str:
    return name.replace(".", "").replace(" ", "")


def sure(probability: float | None) -> float:
    """What a corpus has marked, without a probability, is sure."""
    return 1.0 if probability is None else probability


def step(probability: float | None) -> str:
    """The probability in steps that are finer near certainty.

    >>> step(0.42), step(0.97), step(None)
    ('0.4', '0.95', '0.99')
    """
    return str(max(edge for edge in _STEPS if sure(probability) >= edge))


def signs(between: str) -> str:
    """Characters with every letter as "a" and every digit as "0"."""
    return "".join("0" if c.isdecimal() else "a" if c.isalnum() else c for c in between)
