"""The folder of a language's word lists: laid out for a person to go over, and looked over.

A language is such a folder and a corpus. `LISTS` says what each list is for, and how many entries it has in a language
that is well served; lists that tokens and features ask for are `NEEDED`.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from aef import lexicons
from aef.context.cues import cues
from aef.corpus_tools.files import must_be_new, write_atomic
from aef.errors import InputError
from aef.roles.classifier import ROLES

LISTS: dict[str, tuple[str, int]] = {
    "abbreviations": ("abbreviations after which a period need not end a sentence, with the period", 50),
    "common_words": ("frequent words that are nobody's name", 200),
    "demographic_words": ("occupations, ranks, conditions, peoples and religions", 100),
    "function_words": ("articles, prepositions, conjunctions, pronouns, auxiliary verbs", 60),
    "given_female": ("given names of women", 200),
    "given_male": ("given names of men", 200),
    "joiners": ("words that may stand between the words of a name that have capitals", 5),
    "law_words": ("words before a number that refers to the law", 10),
    "money_words": ("currencies, and words that go with sums", 10),
    "month_names": ("the months", 12),
    "name_suffixes": ("what ends a name and is a title: Jr", 1),
    "nationalities": ("adjectives and nouns for the people of countries", 60),
    "nicknames": ("a given name, then its familiar forms, a name a line", 20),
    "nome_exclusion": ("words and phrases that the baseline never lists", 30),
    "nome_inclusion": ("what the baseline always lists", 1),
    "nome_title": ("titles and offices before a name, as written", 20),
    "number_words": ("numbers as words", 30),
    "organization_words": ("heads of the names of organisations", 20),
    "particles": ("words in lower case inside of a person's name", 3),
    "place_words": ("heads of the names of places, streets and buildings", 20),
    "related_words": ("kinship, and what parties are called", 30),
    "suffix_organization": ("what ends or begins the name of an organisation", 5),
    "surnames": ("surnames", 500),
    "title": ("titles before a name, as written", 5),
    "unit_words": ("units of time, length, area, weight and number", 20),
    "weekday_names": ("the days of the week", 7),
}
"""What a language's lists are for, and how many entries make them more than thin."""
MORE: dict[str, tuple[str, int]] = {
    "court_words": ("words that rulings write with a capital and that name nobody", 100),
    "given_other": ("given names borne elsewhere", 100),
    "kin_names": ("what families call each other instead of a name", 5),
    "ordinary_words": ("words of the language that are nobody's name", 1000),
    "place_names": ("countries, regions and cities", 100),
    "role_cues": ("what tells somebody's role: role | place | words", 10),
    "towns": ("towns and places elsewhere", 100),
}
"""Further lists, without which the language has less to go by."""
NEEDED = tuple(LISTS)
_TAKEN_IN = {
    "given_other": ("en/given_female", "en/given_male", "en/given_other"),
    "towns": ("en/towns", "en/place_names"),
}
_AS_WRITTEN = (
    *("abbreviations", "title", "nome_title", "nome_exclusion", "nome_inclusion"),
    *("name_suffixes", "role_cues", "nicknames"),
)
_TOLD_BY_CUES = frozenset({*ROLES, "person", "law firm", "birth date", "address"})
_NAMES = ("given_female", "given_male", "surnames")
_NO_NAMES = ("function_words", "common_words", "month_names", "weekday_names", "number_words")


def lay_out(folder: Path, entries: Mapping[str, Sequence[str]], force: bool = False) -> dict[str, int]:
    """Write a folder of lists with what was induced; how many entries each has, 0 for a person to fill.

    Raises `InputError` where one of the files is there, unless ``force``: nothing is written then.
    """
    files = {name: folder / f"{name}.txt" for name in {**LISTS, **MORE}}
    must_be_new(list(files.values()), force)
    folder.mkdir(parents=True, exist_ok=True)
    for name, path in files.items():
        lines = [f"< {other}" for other in _TAKEN_IN.get(name, ())] or list(entries.get(name, ()))
        write_atomic(path, "\n".join([_header(name), *lines]) + "\n", force)
    return {name: len(entries.get(name, _TAKEN_IN.get(name, ()))) for name in files}


def _header(name: str) -> str:
    purpose = {**LISTS, **MORE}[name][0]
    return f"# {name.capitalize().replace('_', '-')}: {purpose}; induced from a corpus, for a person to go over"


@dataclass(frozen=True)
class Finding:
    """What is wrong with a list: ``missing``, ``empty``, ``thin`` or ``doubtful``, and what that means."""

    kind: str
    name: str
    told: str

    @property
    def bars(self) -> bool:
        """Whether nothing can be learned in the language because of it."""
        return self.kind == "missing" and self.name in NEEDED

    def __str__(self) -> str:
        return f"{self.kind:<9}{self.name:<21}{self.told}"


def check(language: str) -> list[Finding]:
    """What is missing, empty, thin or doubtful in a language's lists.

    Raises `InputError` for a language without any, and for a line that is no good.
    """
    lists = lexicons.load_all(language)
    return [*_gaps(lists), *_doubts(lists), *(_doubts_of_cues(language) if "role_cues" in lists else ())]


def _gaps(lists: Mapping[str, frozenset[str]]) -> Iterator[Finding]:
    for name, (purpose, enough) in {**LISTS, **MORE}.items():
        if name not in lists:
            yield Finding("missing", name, purpose)
        elif not lists[name]:
            yield Finding("empty", name, purpose)
        elif len(lists[name]) < enough:
            yield Finding("thin", name, f"{len(lists[name])} entries, {enough} are usual: {purpose}")


def _doubts(lists: Mapping[str, frozenset[str]]) -> Iterator[Finding]:
    names = frozenset[str]().union(*(lists.get(name, frozenset()) for name in _NAMES))
    for name in (name for name in {**LISTS, **MORE} if name in lists):
        entries = lists[name]
        if name not in _AS_WRITTEN and (found := [e for e in entries if e != e.lower()]):
            yield Finding("doubtful", name, f"not in lower case, so never found: {_some(found)}")
        if found := [e for e in entries if e != unicodedata.normalize("NFC", e)]:
            yield Finding("doubtful", name, f"accents written apart, so never found: {_some(found)}")
        if name in _NO_NAMES and (found := sorted(entries & names)):
            yield Finding("doubtful", name, f"also somebody's name: {_some(found)}")


def _doubts_of_cues(language: str) -> Iterator[Finding]:
    told = {role for found in cues(language).values() for role, _ in found.told.values()}
    if unknown := sorted(told - _TOLD_BY_CUES):
        yield Finding("doubtful", "role_cues", f"no roles, so nobody's: {_some(unknown)}")


def _some(entries: Sequence[str], most: int = 6) -> str:
    more = f" and {len(entries) - most} more" if len(entries) > most else ""
    return ", ".join(sorted(entries)[:most]) + more


def checked_code(code: str) -> str:
    """A language's code. Raises `InputError` for what is none."""
    if not (2 <= len(code) <= 3 and code.isascii() and code.isalpha() and code.islower()):
        raise InputError(f"'{code}' is no code of a language. Write two or three small letters, such as pt (ISO 639)")
    return code
