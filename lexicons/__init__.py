"""Word lists as plain text: one folder a language, one file a list, one entry a line.

The first line of a file, beginning with ``#``, says what the list is and where it comes from. A line ``< en/towns``
takes in another built-in list. A user's own folder replaces a list with a file of the same name (``title.txt``) and
extends it with ``title.add.txt``; new names in it become new lists. Whole languages of one's own lie in the folder that
the environment variable ``AEF_LANGUAGES`` names, each in a folder of its code.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path

from aef.errors import InputError

_HERE = Path(__file__).parent


def load(name: str, language: str = "en", folder: str | Path | None = None) -> frozenset[str]:
    """The entries of a list, as written in it.

    Raises `InputError` for a language or a list that is not there.

    >>> "Mr." in load("title")
    True
    """
    if folder is None and name in _lists_of(language):
        return _once(_lists_of(language)[name])  # the language's other lists stay unread
    lists = load_all(language, folder)
    if name not in lists:
        raise InputError(f"no word list '{name}' for language '{language}'. There are: {', '.join(sorted(lists))}")
    return lists[name]


@cache
def load_all(language: str = "en", folder: str | Path | None = None) -> dict[str, frozenset[str]]:
    """Every list of a language by name, a user's ``folder`` of lists taking precedence over the built-in ones.

    Raises `InputError` for a language without lists, a folder that is missing or holds none, a list that is not UTF-8.
    """
    if language not in languages():
        raise InputError(f"no word lists for language '{language}'. There are: {', '.join(languages())}")
    lists = {name: _once(path) for name, path in _lists_of(language).items()}
    for path in _files(Path(folder)) if folder is not None else ():
        name, extends = path.stem.removesuffix(".add"), path.stem.endswith(".add")
        lists[name] = (lists.get(name, frozenset()) if extends else frozenset()) | _entries(path)
    return lists


def line_of(entry: str, name: str, language: str = "en") -> tuple[Path, int]:
    """The file and the line in which an entry of a language's list stands; for the error about one that is no good."""
    path = _lists_of(language)[name]
    lines = [line.strip() for line in path.read_text(encoding="utf-8-sig").splitlines()]
    if entry in lines:
        return path, 1 + lines.index(entry)
    others = [(_HERE / line[1:].strip()).with_suffix(".txt") for line in lines if line[:1] == "<"]
    other = next(other for other in others if entry in _once(other))
    return line_of(entry, other.stem, other.parent.name)


def load_everywhere(name: str) -> frozenset[str]:
    """The entries of a built-in list in all languages that have it."""
    return frozenset[str]().union(*(load(name, code) for code in with_list(name)))


def with_list(name: str) -> list[str]:
    """The languages that have a list.

    >>> "ro" in with_list("function_words"), "ro" in with_list("law_reports")
    (True, False)
    """
    return [code for code in languages() if name in _lists_of(code)]


def lowered(entries: Iterable[str]) -> frozenset[str]:
    """Entries in lower case: all of them as one text, which takes a fifth of the time.

    >>> sorted(lowered(["Hale", "Roe"]))
    ['hale', 'roe']
    """
    return _lowered(entries) if isinstance(entries, frozenset) else _lowered(frozenset(entries))


@lru_cache(maxsize=128)
def _lowered(entries: frozenset[str]) -> frozenset[str]:
    """Several ask for the same list; many a list has nothing but lower case."""
    text = "\n".join(entries)
    lower = text.lower()
    return _without_blank(entries if lower == text else frozenset(lower.split("\n")))


def _without_blank(entries: frozenset[str]) -> frozenset[str]:
    """Copied only where there is something to leave out."""
    return entries - {""} if "" in entries else entries


_Tree = dict[str, "_Tree"]


def letter_tree(words: Iterable[str], blank: str = r"\ ") -> str:
    """An expression for any of the words, longer ones first; ``blank`` is that for a blank.

    Written as a tree of their letters: a search tries one branch at each place and not every word.

    >>> letter_tree(["art", "arts", "law clerk"], "_")
    '(?:art(?:s)?|law_clerk)'
    """
    tree: _Tree = {}
    for word in words:
        branch = tree
        for letter in word:
            branch = branch.setdefault(letter, {})
        branch[""] = {}
    return _written(tree, blank)


def _written(tree: _Tree, blank: str) -> str:
    """The empty letter ends a word."""
    ways = [(blank if c == " " else re.escape(c)) + _written(branch, blank) for c, branch in tree.items() if c]
    if len(ways) == 1 and "" not in tree:
        return ways[0]
    return f"(?:{'|'.join(ways)})" + ("?" if "" in tree else "") if ways else ""


@cache
def invented(language: str = "en") -> dict[str, tuple[str, ...]]:
    """Names for invented people: "female", "male", "either" (given names) and "surnames", in order.

    They are no word lists: that a name is among them does not make it a word of the language, which a model may keep
    (`aef.tagging.privacy`). What a language lacks of these it has from English.

    >>> "Margaret" in invented()["female"]
    True
    """
    folders = (_HERE / "en" / "invented", _folders().get(language, _HERE / language) / "invented")
    files = {path.stem: path for folder in folders if folder.is_dir() for path in _files(folder)}
    return {name: tuple(sorted(_entries(path))) for name, path in sorted(files.items())}


@cache
def word_classes(language: str = "en") -> dict[str, str]:
    """The class of each word that has one, by the class's most frequent word: the same words stand around its words.

    A language without classes has none.

    >>> word_classes()["wife"] == word_classes()["husband"]
    True
    """
    path = _folders().get(language, _HERE) / "classes" / "words.txt"
    classes = [line.split() for line in sorted(_entries(path))] if path.is_file() else []
    return {word: words[0] for words in classes for word in words}


def _lists_of(language: str) -> dict[str, Path]:
    """The files of a language's lists by name; of a language without lists none."""
    folder = _folders().get(language)
    return _lists_in(folder) if folder is not None else {}


@cache
def _lists_in(folder: Path) -> dict[str, Path]:
    return {path.stem: path for path in _files(folder)}


def languages() -> list[str]:
    """The languages that have lists: built-in ones, and those of the folder that ``AEF_LANGUAGES`` names."""
    return sorted(_folders())


def _folders() -> dict[str, Path]:
    """The folder of each language; built-in ones go first."""
    own = Path(os.environ["AEF_LANGUAGES"]) if os.environ.get("AEF_LANGUAGES") else None
    if own is None:
        return _built_in()
    if not own.is_dir():
        raise InputError.at(own, "is no folder", remedy="Let AEF_LANGUAGES name the folder of your languages")
    return _with_lists(own) | _built_in()


@cache
def _built_in() -> dict[str, Path]:
    return _with_lists(_HERE)


def _with_lists(home: Path) -> dict[str, Path]:
    return {path.name: path for path in home.iterdir() if any(path.glob("*.txt"))}


def _files(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise InputError.at(folder, "is no folder", remedy="Name a folder of word lists")
    found = sorted(folder.glob("*.txt"), key=lambda path: path.stem.endswith(".add"))
    if not found:
        raise InputError.at(
            folder, "holds no word lists", remedy="A word list is a text file NAME.txt, one entry a line"
        )
    return found


@cache
def _once(path: Path) -> frozenset[str]:
    """The entries of a built-in list."""
    return _entries(path)


def _entries(path: Path) -> frozenset[str]:
    text = _text(path)
    lines = list(map(str.strip, text.splitlines()))
    header = lines.pop(0) if text[:1] == "#" else ""
    if text.find("#", len(header)) >= 0 or "<" in text:  # else no other line is anything but an entry
        taken = sorted({line for line in lines if line[:1] == "<"})
        lines = [line for line in lines if line[:1] not in ("#", "<")]
        lines.extend(chain.from_iterable(_taken_in(path, text, line) for line in taken))
    return _without_blank(frozenset(lines))


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode("utf-8-sig")  # half of the time that `read_text` takes
    except (OSError, UnicodeDecodeError) as error:
        line = 1 + error.object.count(b"\n", 0, error.start) if isinstance(error, UnicodeDecodeError) else None
        raise InputError.at(path, "cannot be read as UTF-8 text", line=line, remedy="Save the list as UTF-8") from error


def _taken_in(path: Path, text: str, line: str) -> frozenset[str]:
    """The list that a line names. Raises `InputError` naming the line where there is none."""
    other = (_HERE / line[1:].strip()).with_suffix(".txt")
    if other.parent.parent != _HERE or not other.is_file() or other == path:
        number = 1 + [written.strip() for written in text.splitlines()].index(line)
        raise InputError.at(path, f"'{line}' names no list", line=number, remedy="Write < LANGUAGE/LIST, as < en/towns")
    return _entries(other)
