"""What is known of a case beforehand: a JSON file of who is party, judge, counsel, expert, firm; matched with names.

    {"parties": ["Ann Roe", {"name": "Omkar Patil", "also": ["O. Patil"]}], "judges": ["Long J."], "firms": []}

Names are matched fuzzily (RapidFuzz, as in PSILENCE), and as `aef.names.matching` does: "R. S. Gill" is "Rupinder Singh
Gill". A surname alone is matched with the people of whom nothing more is known.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz

from aef.context.cues import cues
from aef.errors import InputError
from aef.names.matching import WHOLE, fit
from aef.names.parts import fold
from aef.names.person_name import Name, parse

SIMILAR = 0.85
"""Names at least so similar are taken for one, by default."""

ROLE_OF = {
    "parties": "party",
    "children": "child",
    "relatives": "relative",
    "witnesses": "witness",
    "judges": "judge",
    "lawyers": "counsel",
    "counsel": "counsel",
    "arbitrators": "arbitrator",
    "tribunal_members": "tribunal member",
    "experts": "expert",
    "officials": "official",
    "authors": "author",
    "firms": "law firm",
}
"""The keys of a metadata file, and the roles of those named there."""

FIRMS = ("law firm",)
"""Roles whose names are no persons' names."""


@dataclass(frozen=True, slots=True)
class Known:
    """Somebody the metadata name: the role, and the names."""

    role: str
    names: tuple[str, ...]


def read_metadata(path: str | Path) -> tuple[Known, ...]:
    """The people and firms of a metadata file, JSON or (``.toml``) TOML. Raises `InputError` naming the key and the
    line of what is wrong."""
    from aef.corpus_tools.rulings.readers import read_text

    text = read_text(path)
    try:
        content = tomllib.loads(text) if str(path).lower().endswith(".toml") else json.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError.at(path, f"is no valid TOML: {error}", remedy='Write parties = ["Ann Roe"]') from error
    except json.JSONDecodeError as error:
        remedy = "The metadata of a case are a JSON object of lists of names"
        raise InputError.at(path, f"is no valid JSON: {error.msg}", line=error.lineno, remedy=remedy) from error
    try:
        return known(content)
    except _Wrong as wrong:
        raise InputError.at(path, wrong.problem, line=_line(text, wrong.key), remedy=wrong.remedy) from None


def known(content: Any) -> tuple[Known, ...]:
    """The people and firms of metadata that were read already, keys as in `ROLE_OF`. Raises `InputError`."""
    if not isinstance(content, Mapping):
        raise _Wrong("", f"an object is wanted, not {_kind(content)}", f"Its keys may be {', '.join(ROLE_OF)}")
    return tuple(who for key, entries in content.items() for who in _of_key(key, entries))


def digest(metadata: Iterable[Known]) -> str:
    """SHA-256 of metadata, "" of none: where it is another one, what was made of them may be, too."""
    told = [(who.role, who.names) for who in metadata]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest() if told else ""


class _Wrong(InputError):
    def __init__(self, key: str, problem: str, remedy: str) -> None:
        super().__init__(f"metadata: {problem}. {remedy}")
        self.key, self.problem, self.remedy = key, problem, remedy


def _of_key(key: str, entries: Any) -> Iterable[Known]:
    if key not in ROLE_OF:
        raise _Wrong(key, f"unknown key '{key}'", f"There are: {', '.join(ROLE_OF)}")
    if not isinstance(entries, list):
        raise _Wrong(key, f"'{key}' is {_kind(entries)}", f'Write a list: "{key}": ["Ann Roe"]')
    for entry in entries:
        names = _names(entry)
        if not names:
            remedy = 'An entry is a name, or {"name": "Ann Roe", "also": ["A. Roe"]}'
            raise _Wrong(key, f"'{key}' has an entry that is no name", remedy)
        yield Known(ROLE_OF[key], names)


def _names(entry: Any) -> tuple[str, ...]:
    if isinstance(entry, Mapping):
        also = entry.get("also", [])
        entry = [entry.get("name"), *also] if isinstance(also, list) and set(entry) <= {"name", "also"} else [None]
    names = entry if isinstance(entry, list) else [entry]
    return tuple(names) if all(isinstance(name, str) and any(map(str.isalpha, name)) for name in names) else ()


def _kind(value: Any) -> str:
    kinds = {str: "a text", list: "a list", dict: "an object", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def _line(text: str, key: str) -> int | None:
    found = re.search(rf"{re.escape(json.dumps(key, ensure_ascii=False))}\s*:", text) if key else None
    return text.count("\n", 0, found.start()) + 1 if found else None


# --- matching -------------------------------------------------------------------------------------------------------


def matched(
    people: Mapping[str, Sequence[str]], metadata: Iterable[Known], similar: float = SIMILAR, language: str = "en"
) -> dict[str, tuple[Known, str]]:
    """Who of the people (names by id) the metadata name, and by which name.

    Full names first; then a surname alone is somebody's whose given name is not told, where only one bears it.
    """
    listed = [(who, name, _parsed(name, language)) for who in metadata for name in who.names]
    if not listed:
        return {}
    parsed = {key: [_parsed(name, language) for name in names] for key, names in people.items()}
    found: dict[str, tuple[Known, str]] = {}
    for key, names in parsed.items():
        scores = [(_likeness(people[key], names, *entry), *entry[:2]) for entry in listed]
        best = max(scores, key=lambda score: score[0], default=None)
        if best is not None and best[0] >= similar:
            found[key] = best[1:]
    taken = {who for who, _ in found.values()}
    for who, text, name in listed:
        bearer = _bearer(parsed, name, similar) if who not in taken else None
        if bearer is not None and bearer not in found:
            found[bearer] = (who, text)
    return found


def _likeness(texts: Sequence[str], names: Sequence[Name], who: Known, text: str, name: Name) -> float:
    if who.role in FIRMS:
        return max((fuzz.token_sort_ratio(fold(other), fold(text)) / 100 for other in texts), default=0.0)
    return max((_alike(other, name) for other in names), default=0.0)


def _parsed(name: str, language: str) -> Name:
    """The name without what tells an office: "Long J.", "Madam Justice Long"."""
    words = cues(language)
    before, behind = words["before"].pattern, words["behind"].pattern
    plain = re.sub(rf"^(?:(?:{before})\s+)+(?=\S)|(?<=\w)\.?,?\s+(?:{behind})$", "", name)
    return parse(plain, 0, len(plain), language)


def _alike(a: Name, b: Name) -> float:
    """How alike two full names are, 0 to 1; 0 where one is a surname alone."""
    if min(len(a.words), len(b.words)) < 2:
        return 0.0
    if (found := fit(a, b)) and found.level >= WHOLE:
        return 1.0
    return fuzz.token_sort_ratio(" ".join(a.words), " ".join(b.words)) / 100


def _bearer(parsed: Mapping[str, Sequence[Name]], name: Name, similar: float) -> str | None:
    """The one person of this surname whose given name is not told; the one of all where the given name is not known."""
    alike = {key: names for key, names in parsed.items() if any(_same_surname(n, name, similar) for n in names)}
    alone = [key for key, names in alike.items() if all(len(n.words) == 1 for n in names)]
    found = alone or (list(alike) if len(name.words) == 1 else [])
    return found[0] if len(found) == 1 else None


def _same_surname(a: Name, b: Name, similar: float) -> bool:
    return bool(a.words and b.words) and fuzz.ratio(a.words[-1], b.words[-1]) >= 100 * similar
