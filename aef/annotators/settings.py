"""Settings from TOML files, read key by key: what is wrong in one is named with its file, its place and the remedy.

And the files behind an annotator's name: for its fingerprint, and for a process that works in another folder.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from aef.errors import InputError


def read_toml(path: Path) -> dict[str, Any]:
    """What a file holds. Raises `InputError` for one that cannot be read or is no TOML."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except FileNotFoundError as error:
        raise InputError.at(path, "no such file") from error
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise InputError.at(path, "cannot be read as UTF-8 text", remedy="Save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise InputError.at(path, f"is not valid TOML: {error}") from error


class Settings:
    """A table of a TOML file. Each key is taken once; `done` refuses those that nobody took.

    path : the file, for messages and for the paths in it; ``Path()`` for none. place : which table of it ("step 2").
    """

    def __init__(self, values: Mapping[str, Any], path: Path, place: str = "") -> None:
        self._left = dict(values)
        self.path = path
        self.place = place

    @classmethod
    def read(cls, path: str | Path) -> Settings:
        """The whole of a file. Raises `InputError` for one that cannot be read or is no TOML."""
        return cls(read_toml(Path(path)), Path(path))

    def error(self, problem: str, remedy: str = "") -> InputError:
        """An error that names this file and table."""
        if self.path == Path():  # settings of the command line
            return InputError.at(self.place, problem, remedy=remedy)
        return InputError.at(self.path, f"{self.place}: {problem}" if self.place else problem, remedy=remedy)

    def text(self, key: str, default: str | None = None) -> str:
        """A string; required without a default."""
        return str(self._take(key, str, "a string", default))

    def maybe(self, key: str) -> str | None:
        """A string, or None where the key is absent."""
        return self.text(key) if key in self._left else None

    def flag(self, key: str, default: bool = False) -> bool:
        return bool(self._take(key, bool, "true or false", default))

    def number(self, key: str, default: float | None = None) -> float:
        value = self._take(key, (int, float), "a number", default)
        if isinstance(value, bool):
            raise self.error(f"{key} is {str(value).lower()}", f"Write {key} as a number")
        return float(value)

    def share(self, key: str, default: float | None = None) -> float:
        """A number from 0 to 1."""
        value = self.number(key, default)
        if not 0 <= value <= 1:
            raise self.error(f"{key} is {value:g}", f"Write {key} as a number from 0 to 1")
        return value

    def texts(self, key: str, default: tuple[str, ...] | None = ()) -> tuple[str, ...]:
        """A list of strings; one string is a list of one."""
        value = self._take(key, (str, list), "a list of strings", default)
        values = (value,) if isinstance(value, str) else tuple(value)
        if not all(isinstance(v, str) for v in values):
            raise self.error(f"{key} holds something other than strings", f"Write {key} as a list of strings")
        return values

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of numbers, empty where the key is absent."""
        values = self._take(key, list, "a list of numbers", [])
        if not all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in values):
            raise self.error(f"{key} holds something other than numbers", f"Write {key} as a list of numbers")
        return tuple(map(float, values))

    def choice(self, key: str, known: tuple[str, ...], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in known:
            raise self.error(f"{key} is '{value}'", f"There are: {', '.join(known)}")
        return value

    def strings(self, key: str) -> dict[str, str]:
        """A table of strings by name, empty where the key is absent."""
        values = self._take(key, dict, "a table of strings", {})
        if not all(isinstance(v, str) for v in values.values()):
            raise self.error(f"{key} holds something other than strings", f"Write {key} as a table of strings")
        return dict(values)

    def tables(self, key: str) -> Iterator[Settings]:
        """The tables of ``[[key]]`` in order, each with its place; none where the key is absent."""
        values = self._take(key, list, f"tables, each under [[{key}]]", [])
        for number, value in enumerate(values, 1):
            place = f"{self.place}, {key} {number}" if self.place else f"{key} {number}"
            if not isinstance(value, dict):
                raise self.error(f"{key} holds something other than tables", f"Begin each with [[{key}]]")
            named = f"{place} ('{value['name']}')" if isinstance(value.get("name"), str) else place
            yield Settings(value, self.path, named)

    def has(self, key: str) -> bool:
        return key in self._left

    def file(self, name: str) -> Path:
        """A path of the file: beside it, unless it is absolute."""
        return self.path.parent / name

    def done(self, known: str) -> None:
        """Refuse what was not taken; ``known`` says what may stand here."""
        if self._left:
            raise self.error(f"unknown {', '.join(map(repr, sorted(self._left)))}", f"Known here: {known}")

    def _take(self, key: str, kind: type | tuple[type, ...], wanted: str, default: Any) -> Any:
        if key not in self._left:
            if default is None:
                raise self.error(f"'{key}' is missing", f"Write {key} = ... as {wanted}")
            return default
        value = self._left.pop(key)
        if not isinstance(value, kind):
            raise self.error(f"{key} is {value!r}", f"Write {key} as {wanted}")
        return value


# --- the files behind an annotator's name ---------------------------------------------------------------------------


def resolved(name: str | None) -> str | None:
    return str(Path(name).resolve()) if name is not None and Path(name).exists() else name


def resolved_annotator(name: str | None) -> str | None:
    """The annotator's name with absolute paths: ``FILE.toml``, ``FILE.toml:STEP``, ``gazetteer:FILE,FILE``."""
    if name is None or Path(name).is_file():
        return resolved(name)
    first, colon, rest = name.partition(":")
    parts = ",".join(str(resolved(part)) for part in rest.split(","))
    return f"{resolved(first) if first.endswith('.toml') else first}{colon}{parts if colon else ''}"


def annotator_files(name: str) -> Iterator[Path]:
    """The files behind an annotator's name: the pipeline's and those that it names, and what it may take unnamed."""
    from aef.annotators.pipeline import ready
    from aef.tagging.ready_models import models

    first, _, rest = name.partition(":")
    for part in [name, first, *rest.split(",")]:
        path = ready().get(part) or Path(part)
        if path.is_file():
            yield path
            yield from _named_in(path) if path.suffix == ".toml" else ()
    yield from models().values()


def _named_in(path: Path) -> Iterator[Path]:
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError):
        return  # loading it says what is wrong
    yield from (file for text in _texts(content) if (file := path.parent / text).is_file())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part)
