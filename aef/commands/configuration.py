"""Options of a command from a file and the environment, too: which value counts, and where it came from.

The command line goes before the environment, that before the file, that before the default. The parser itself reads
values from everywhere, so that each is checked in one way.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from aef.annotators.settings import read_toml
from aef.errors import InputError

SHOWN = "command line"
"""The source that every user of the computer can see."""
_YES, _NO = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")
_NEVER = frozenset({"what", "action", "config", "quiet", "plugin"})


@dataclass(frozen=True)
class Options:
    """The options of a parser that may be given elsewhere. prefix : of the environment's variables; tables : in the
    file, the beginning of the names of what stands in a table (``limits``: ``max_``)."""

    parser: argparse.ArgumentParser
    prefix: str
    tables: Mapping[str, str]
    defaults: Mapping[str, Any]

    @classmethod
    def of(cls, parser: argparse.ArgumentParser, prefix: str, tables: Mapping[str, str]) -> Options:
        """The options that a parser has by now; those that are not given are None from here on."""
        defaults = {name: value for name, value in vars(parser.parse_args([])).items() if name not in _NEVER}
        parser.set_defaults(**dict.fromkeys(defaults))
        return cls(parser, prefix, tables, defaults)

    def fill(self, arguments: argparse.Namespace) -> dict[str, str]:
        """Give each option its value; returns where it came from. Raises `InputError` for values that cannot be."""
        named = arguments.config or os.environ.get(f"{self.prefix}CONFIG")
        found = {name: (value, "default") for name, value in self.defaults.items()}
        found |= self._of_file(Path(named)) if named else {}
        found |= self._of_environment()
        given = {name: value for name in found if (value := getattr(arguments, name, None)) is not None}
        found |= {name: (value, SHOWN) for name, value in given.items()}
        for name, (value, _) in found.items():
            setattr(arguments, name, value)
        return {name: source for name, (_, source) in found.items()}

    def _of_environment(self) -> dict[str, tuple[Any, str]]:
        found = {}
        for variable in sorted(v for v in os.environ if v.startswith(self.prefix) and v != f"{self.prefix}CONFIG"):
            name, value = variable.removeprefix(self.prefix).lower(), os.environ[variable]
            if name not in self.defaults:
                raise InputError.at(variable, "there is no such setting", remedy=self._known())
            found[name] = (self._read(name, _truth(value) if self._is_flag(name) else value, variable), variable)
        return found

    def _of_file(self, path: Path) -> dict[str, tuple[Any, str]]:
        found = {}
        for key, name, value in self._settings(read_toml(path)):
            if name not in self.defaults:
                raise InputError.at(path, f"there is no setting '{key}'", remedy=self._known())
            place = f"{path}, {key}"
            found[name] = (self._read(name, value, place), place)
        return found

    def _settings(self, content: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
        """Each setting as it stands in the file, by its name, with its value."""
        for key, value in content.items():
            if key in self.tables and isinstance(value, Mapping):
                for inner, number in value.items():
                    yield f"{key}.{inner}", self.tables[key] + inner.replace("-", "_"), number
            else:
                yield key, key.replace("-", "_"), value

    def _read(self, name: str, value: Any, place: str) -> Any:
        """A value as the command line would have it. Raises `InputError`."""
        option = f"--{name.replace('_', '-')}"
        if self._is_flag(name):
            if not isinstance(value, bool):
                raise InputError.at(place, f"{str(value)[:40]!r}: true or false is wanted")
            return value
        if isinstance(value, bool) or not isinstance(value, (str, int, float)):
            raise InputError.at(place, f"{str(value)[:40]!r}: one string or number is wanted")
        self.parser.exit_on_error = False
        try:
            return getattr(self.parser.parse_args([f"{option}={value}"]), name)
        except argparse.ArgumentError as error:
            raise InputError.at(place, f"{error.message} ({option})") from error
        finally:
            self.parser.exit_on_error = True

    def _is_flag(self, name: str) -> bool:
        return isinstance(self.defaults.get(name), bool)

    def _known(self) -> str:
        plain = [name for name in self.defaults if not name.startswith(tuple(self.tables.values()))]
        return f"There are: {', '.join([*plain, *(f'[{table}]' for table in self.tables)])}"


def _truth(value: str) -> bool | str:
    """What a variable says of a flag; what says neither yes nor no stays as it is."""
    word = value.strip().lower()
    return True if word in _YES else False if word in _NO else value
