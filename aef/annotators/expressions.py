"""Expressions of files: pieces and word lists put in, compiled, and those of the program's own files kept compiled.

The `regex` library takes a tenth of a second to compile those of a pipeline. What it gives to whoever copies a compiled
one, it takes back in a hundredth of that. They lie in ``__pycache__`` next to their file, or where
``PYTHONPYCACHEPREFIX`` says, by the versions of Python and of the library. As with bytecode, nothing is written under
``PYTHONDONTWRITEBYTECODE`` or into a folder that may not be written to, and who may write there may change the program.
"""

from __future__ import annotations

import copyreg
import marshal
import sys
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import regex

from aef import lexicons
from aef.annotators.settings import Settings
from aef.corpus_tools.files import write_atomic
from aef.errors import InputError

SETS = Path(__file__).parent / "sets"
"""Where the program's own patterns are."""
_PIECE = regex.compile(r"%\{(\w+)\}")
_parts: Any = copyreg.dispatch_table[regex.Pattern]
"""What `copy` and `pickle` ask for what makes an expression, and of which parts; the first of these is its source."""
_make: Any = _parts(_PIECE)[0]


def compiled(expression: str, ignore_case: bool, table: Settings, name: str = "") -> regex.Pattern[str]:
    """An expression whose blanks do not count, by its name in a file. Raises `InputError` naming the table for none."""
    flags = int(regex.VERBOSE | (regex.IGNORECASE if ignore_case else 0))
    try:
        return kept(table.path).compiled(name, expression, flags)
    except regex.error as error:
        raise table.error(f"the expression is no regular expression: {error}") from error


class Kept:
    """Expressions by name: what an earlier process compiled of the same source, and kept at ``path``, is taken over."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._expressions = {} if path is None else _read(path)
        self._new = False

    def compiled(self, name: str, source: str, flags: int) -> regex.Pattern[str]:
        """The expression of a name. Raises `regex.error` for what is none."""
        made_with, parts = self._expressions.get(name, (0, ("",)))
        if (made_with, parts[0]) == (flags, source):
            expression: regex.Pattern[str] = _make(*parts)
            return expression
        expression = regex.compile(source, flags)
        if self.path is not None:
            self._expressions[name] = flags, _parts(expression)[1]
            self._new = True
        return expression

    def keep(self) -> None:
        """Write what is new, for processes to come."""
        if self._new and self.path and not sys.dont_write_bytecode:
            data = marshal.dumps(self._expressions)
            with suppress(InputError, OSError):
                write_atomic(self.path, zlib.crc32(data).to_bytes(4, "little") + data, force=True)
        self._new = False


@cache
def kept(file: Path) -> Kept:
    """The expressions of a file; a user's own are compiled by each process."""
    if file.parent != SETS:
        return Kept(None)
    return Kept(Path(cache_from_source(str(file))).with_suffix(f".{sys.byteorder}-regex-{regex.__version__}"))


def _read(path: Path) -> dict[str, tuple[int, tuple[Any, ...]]]:
    """What was kept, if it is whole."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        data = path.read_bytes()
        if data[:4] == zlib.crc32(data[4:]).to_bytes(4, "little"):
            found: dict[str, tuple[int, tuple[Any, ...]]] = marshal.loads(data[4:])
            return found
    return {}


Expander = Callable[[str, Settings], str]
"""Puts pieces and word lists in the place of their names; the table is named where there are none such."""


def expander(pieces: Mapping[str, str], language: str) -> Expander:
    """What puts pieces and the word lists of a language in the place of ``%{name}``."""
    lists = lexicons.load_all(language)

    def expand(expression: str, table: Settings, inside: tuple[str, ...] = ()) -> str:
        def put(match: regex.Match[str]) -> str:
            name = match[1]
            if name in inside:
                raise table.error(f"%{{{name}}} is made of itself")
            if name in pieces:
                return f"(?:{expand(pieces[name], table, (*inside, name))})"
            if name in lists:
                return _any(lists[name])
            known = ", ".join(pieces) or "none"
            raise table.error(f"%{{{name}}} is neither a piece nor a word list", f"Pieces: {known}")

        return _PIECE.sub(put, expression)

    return expand


def _any(entries: Iterable[str]) -> str:
    """An expression for one of the words, the longest that fits, written for an expression that ignores blanks."""
    ordered = sorted(entries, key=lambda w: (-len(w), w))
    return "(?:" + "|".join(r"\s+".join(map(regex.escape, word.split())) for word in ordered) + ")"
