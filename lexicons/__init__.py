"""Word lists as plain text: one folder a language, one file a list, one entry a line.

The first line of a file, beginning with ``#``, says what the list is and where it comes from. A user's own folder
replaces a list with a file of the same name (``title.txt``) and extends it with ``title.add.txt``; new names in it
become new lists.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from aef.errors import InputError

_HERE = Path(__file__).parent


def load(name: str, language: str = "en", folder: str | Path | None = None) -> frozenset[str]:
    """The entries of a list, as written in it.

    Raises `InputError` for a language or a list that is not there.

    >>> "Mr." in load("title")
    True
    """
    if folder is None and name in _built_in(language):
        return _once(_built_in(language)[name])  # the language's other lists stay unread
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
    lists = {name: _once(path) for name, path in _built_in(language).items()}
    for path in _files(Path(folder)) if folder is not None else ():
        name, extends = path.stem.removesuffix(".add"), path.stem.endswith(".add")
        lists[name] = (lists.get(name, frozenset()) if extends else frozenset()) | _entries(path)
    return lists


def load_everywhere(name: str) -> frozenset[str]:
    """The entries of a built-in list in all languages that have it."""
    return frozenset[str]().union(*(load(name, code) for code in languages() if name in _built_in(code)))


def lowered(entries: Iterable[str]) -> frozenset[str]:
    """Entries in lower case: all of them as one text, which takes a fifth of the time.

    >>> sorted(lowered(["Hale", "Roe"]))
    ['hale', 'roe']
    """
    return frozenset("\n".join(entries).lower().split("\n")) - {""}


@cache
def invented(language: str = "en") -> dict[str, tuple[str, ...]]:
    """Names for invented people: "female", "male", "either" (given names) and "surnames", in order.

    They are no word lists: that a name is among them does not make it a word of the language, which a model may keep
    (`aef.tagging.privacy`). A language without such names has the English ones.

    >>> "Margaret" in invented()["female"]
    True
    """
    folder = _HERE / language / "invented"
    files = _files(folder if folder.is_dir() else _HERE / "en" / "invented")
    return {path.stem: tuple(sorted(_entries(path))) for path in files}


@cache
def word_classes(language: str = "en") -> dict[str, str]:
    """The class of each word that has one, by the class's most frequent word: the same words stand around its words.

    A language without classes has none.

    >>> word_classes()["wife"] == word_classes()["husband"]
    True
    """
    path = _HERE / language / "classes" / "words.txt"
    classes = [line.split() for line in sorted(_entries(path))] if path.is_file() else []
    return {word: words[0] for words in classes for word in words}


@cache
def _built_in(language: str) -> dict[str, Path]:
    """The files of a language's lists by name; of a language without lists none."""
    return {path.stem: path for path in _files(_HERE / language)} if language in languages() else {}


def languages() -> list[str]:
    """The languages that have built-in lists."""
    return sorted(path.name for path in _HERE.iterdir() if any(path.glob("*.txt")))


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
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(path, "cannot be read as UTF-8 text", remedy="Save the list as UTF-8") from error
    lines = frozenset(map(str.strip, text.splitlines()))
    return lines - {"", *(line for line in lines if line[:1] == "#")} if "#" in text else lines - {""}
