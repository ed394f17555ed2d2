"""Compiled expressions of the program's own files, kept beside its bytecode and made anew where they do not fit.

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
from contextlib import suppress
from functools import cache
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

import regex

from aef.corpus_tools.files import write_atomic
from aef.errors import InputError

_parts: Any = copyreg.dispatch_table[regex.Pattern]
"""What `copy` and `pickle` ask for what makes an expression, and of which parts; the first of these is its source."""
_make: Any = _parts(regex.compile(""))[0]


class Expressions:
    """The expressions of a file by name: what an earlier process compiled of the same source is taken over."""

    def __init__(self, source: Path) -> None:
        place = Path(cache_from_source(str(source)))
        self.path = place.with_suffix(f".{sys.byteorder}-regex-{regex.__version__}")
        self._kept = _read(self.path)
        self._new = False

    def compiled(self, name: str, source: str, flags: int) -> regex.Pattern[str]:
        """The expression of a name. Raises `regex.error` for what is none."""
        made_with, parts = self._kept.get(name, (0, ("",)))
        if (made_with, parts[0]) == (flags, source):
            expression: regex.Pattern[str] = _make(*parts)
            return expression
        expression = regex.compile(source, flags)
        self._kept[name] = int(flags), _parts(expression)[1]
        self._new = True
        return expression

    def keep(self) -> None:
        """Write what is new, for processes to come."""
        if self._new and not sys.dont_write_bytecode:
            data = marshal.dumps(self._kept)
            with suppress(InputError, OSError):
                write_atomic(self.path, zlib.crc32(data).to_bytes(4, "little") + data, force=True)
        self._new = False


@cache
def expressions(source: Path) -> Expressions:
    """Those of a file."""
    return Expressions(source)


def _read(path: Path) -> dict[str, tuple[int, tuple[Any, ...]]]:
    """What was kept, if it is whole."""
    with suppress(OSError, ValueError, EOFError, TypeError):
        data = path.read_bytes()
        if data[:4] == zlib.crc32(data[4:]).to_bytes(4, "little"):
            kept: dict[str, tuple[int, tuple[Any, ...]]] = marshal.loads(data[4:])
            return kept
    return {}
