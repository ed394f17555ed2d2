"""What strings a model file holds, and whether any comes from what a gold corpus hides."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.features import REGISTRY
from aef.roles import model as role_model
from aef.roles.classifier import ROLES
from aef.tagging import PRESETS
from aef.tagging import ready_models as ready
from aef.tagging.finder import Finder
from aef.tagging.model_file import FORMAT
from aef.tagging.privacy import K, Private, gives_away, holds_words, private_words, words_of
from aef.tagging.targets import TARGETS

KINDS = {
    "predicate": "words in predicates: neighbouring words, endings",
    "form": "shapes, kinds and counts in predicates: no words of a text",
    "frequency word": "words whose document frequency is known",
    "own list": "names and entries of the user's own word lists",
    "feature": "names of features",
    "type": "types of entities, roles of people",
    "fingerprint": "hashes of the documents learned from",
    "setting": "everything else: names and values of settings, members and comments of the file",
}


@dataclass(frozen=True)
class Held:
    """A string that a model holds: its kind (see `KINDS`), where it stands (a feature, a list, a setting), itself."""

    kind: str
    where: str
    string: str


def held(path: str | Path) -> list[Held]:
    """Every string of a model file, or of a ready-made model, whatever the member of the file or the place in it.

    Also of a model of roles (`aef.roles.model`). Raises `InputError` for what is no model, or damaged.
    """
    path = model_path(path)
    if is_of_roles(path):
        return list(_of_roles(path))
    Finder.load(path)  # that it is a model, its size and its parts are checked there
    with zipfile.ZipFile(path) as archive:
        described = json.loads(archive.read("model.json"))
        outside = [b for i in archive.infolist() for b in (i.filename.encode(), i.comment, i.extra)]
        found = [Held("setting", "file", b.decode(errors="replace")) for b in (*outside, archive.comment) if b]
    for key, value in described.items():
        found += _strings(key, value)
    return found


def model_path(name: str | Path) -> Path:
    """The file of a model, of roles, too: that of a ready-made one's name, else the path given.

    Raises `InputError` as `aef.tagging.ready_models.find` does.
    """
    return ready.role_models().get(str(name)) or ready.find(name)


def is_of_roles(path: Path) -> bool:
    """Whether a file is to be read as a model of roles: these are JSON, all others ZIP archives."""
    return path.suffix.lower() == ".json"


_PLACE_OF_ROLES = r"(?:before|behind)(?: &)?"
_LINE_OF_ROLES = r"(?:own line|(?:second )?line (?:above|below)|heading)"
_INTRODUCTION = "introduction (?:title|near|before|behind)"
_OF_WORDS = f"{_PLACE_OF_ROLES}|title|near|class (?:before|behind|near)|{_LINE_OF_ROLES}|{_INTRODUCTION}"
_ROLE = "|".join(ROLES)
_WORD_OF_ROLES = re.compile(rf"({_OF_WORDS})((?: Capital)?) (.+)", re.DOTALL)
"""Predicates of roles with words: where they stand, with which capital if the first has one, and the words."""
_FORM_OF_ROLES = re.compile(
    rf"(?:(?:{_PLACE_OF_ROLES}|{_INTRODUCTION})(?: (?:Capital|#))* ?|sign (?:before|behind)(?: (?:a|0|_|\W)*)?|"
    rf"{_LINE_OF_ROLES}|lines (?:above|below) \d|name beside(?: (?:titled|without a title|{_ROLE}))?|"
    rf"shared word of (?:{_ROLE})|(?:best )?(?:probability|first pass) [\d.]+|"
    r"(?:ever: )?(?:cue [a-z]+ [a-z ]+ \d|in the head(?: as [a-z-]*)?|titled|"
    r"goes on (?:with a capital|as a company)|pronoun behind (?:somebody|something|several|another name))|"
    r"mention of [a-z]+|(?:mentions|forms|words|share of its word|first named|somebody of something) \d|"
    r"(?:listed|elsewhere) (?:all|some): (?:[a-z_]+|given names|in small letters|in a company's name)|at the end|"
    r"anchored(?: by a given name)?|initials alone|in a (?:cited case|reference)|"
    r"shares a word(?: with one (?:titled|of a given name))?|"
    r"told by a title (?:none|few|some|most) of \d(?:, (?:no )?given name|, words \d)?|"
    r"told otherwise by (?:pronouns (?:none|\d)|the first pass [\d.]+), (?:no title|titled), \d|"
    r"short for a company(?: (?:titled|given name|nothing))?|"
    r"(?:begins a company|company near) "
    r"(?:(?:(?:one|several|before|behind)(?:, )?)?(?:titled|given name|nothing)?(?:, )?(?:mentions \d)?)|)"
)
"""Predicates of roles without a word of a ruling."""


def _of_roles(path: Path) -> Iterator[Held]:
    """The strings of a model of roles."""
    role_model.read(path)
    for key, value in json.loads(path.read_text("utf-8")).items():
        yield Held("setting", "name", key)
        if key == "weights":
            yield from map(_of_role, value)
        else:
            yield from _all("type" if key == "classes" else "setting", key, value)


def _of_role(predicate: str) -> Held:
    if _FORM_OF_ROLES.fullmatch(predicate):
        return Held("form", "weights", predicate)
    found = _WORD_OF_ROLES.fullmatch(predicate)
    return Held("predicate", found[1] + found[2], found[3]) if found else Held("predicate", "weights", predicate)


def _strings(key: str, value: Any) -> Iterator[Held]:
    """The strings under a key of the description, by kind."""
    yield Held("setting", "name", key)
    if key == "vocabulary":
        for feature, predicates in value.items():
            kind = "predicate" if holds_words(feature) else "form"
            yield from [Held("feature", key, feature), *_all(kind, feature, predicates)]
    elif key == "lists":
        for name, words in value.items():
            yield from [Held("own list", "name", name), *_all("own list", name, words)]
    elif key == "roles":
        yield from [Held("setting", key, name) for name in value]
        yield from map(_of_role, value["weights"])
    elif key == "trained_on":
        yield from _all("setting", key, [*value, *(v for k, v in value.items() if k != "documents")])
        yield from _all("fingerprint", key, value["documents"])
    else:
        yield from _all(_KIND_OF.get(key, "setting"), key, value)


_KIND_OF = {"frequencies": "frequency word", "features": "feature", "types": "type"}


def _all(kind: str, where: str, value: Any) -> Iterator[Held]:
    """The strings in a JSON value, keys among them."""
    if isinstance(value, str):
        yield Held(kind, where, value)
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield Held(kind, where, key)
            yield from _all(kind, where, inner)
    elif isinstance(value, Sequence):
        for inner in value:
            yield from _all(kind, where, inner)


def count(strings: Iterable[Held]) -> dict[str, int]:
    """How many strings there are of each kind of `KINDS`."""
    counts = dict.fromkeys(KINDS, 0)
    for string in strings:
        counts[string.kind] += 1
    return counts


def findings(strings: Iterable[Held], gold: Sequence[Document], language: str = "en", k: int = K) -> list[Held]:
    """The strings with a word that a masked mention of a gold corpus holds and that is not public; see
    `aef.tagging.privacy`.

    Raises `InputError` where the gold corpus hides nothing, so that nothing could be found.
    """
    if not any(m.masked for d in gold for m in d.mentions):
        raise InputError(f"the gold corpus's {len(gold)} documents hide nothing to look for. Check the mentions")
    private = private_words([d.in_language(language) for d in gold], k)
    return [string for string in strings if _gives_away(string, private)]


def _is_of_words(where: str) -> bool:
    return where == "weights" or _WORD_OF_ROLES.fullmatch(f"{where} x") is not None


def _gives_away(held: Held, private: Private) -> bool:
    if _is_of_words(held.where) and held.kind in ("predicate", "form"):
        return held.kind == "predicate" and bool(private.inside(held.string))
    if held.kind in ("predicate", "form"):
        return bool(gives_away(held.where, held.string, private))
    if held.string.partition("[")[0] in _OURS or (held.where == "aef_version" and _VERSION.fullmatch(held.string)):
        return False
    if held.kind in ("fingerprint", "setting"):  # whole words alone: "language" says nothing of a Lang
        return not words_of(held.string).isdisjoint(private.words)
    return bool(private.inside(held.string))


_SETTINGS = (
    "C",
    "promise",
    "solver",
    "iterations",
    "cutoff",
    "newton-cg",
    "lbfgs",
    "liblinear",
    "gis",
    "learner",
    "phrase_share",
    "growth",
    "maxent",
    "crf",
    "transitions",
    "body",
    "outside",
    "types",
)
_TYPES = ("PERSON", "ORG", "LOC", "CODE", "DATETIME", "DEM", "QUANTITY", "MISC")
_OFFICES = ("author", "cited", "counsel", "expert", "judge", "official", "private", "classes", "weights")
_MEMBERS = ("model.json", "body.npy", "outside.npy", "types.npy")
_OURS = frozenset(
    (*REGISTRY, *PRESETS, *TARGETS, *lexicons.languages(), FORMAT, *_SETTINGS, *_TYPES, *_OFFICES, *_MEMBERS)
)
"""Words of the program itself, which a model holds whatever it learned from."""

_VERSION = re.compile(r"\d{1,3}(?:\.\w{1,8}){1,4}")
