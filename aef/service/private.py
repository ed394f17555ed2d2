"""Files and folders of the service that nobody else may read or write."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from aef.errors import InputError

_OTHERS = stat.S_IRWXO
_GROUP = stat.S_IWGRP | stat.S_IXGRP  # a group may read a key: that is how some systems hand one out


def must_be_private(path: Path) -> None:
    """Raise `InputError` for a file that others can read or the group can change, and a folder that others can enter.

    What is not there is nobody's yet.
    """
    if os.name != "posix" or not path.exists():
        return
    mode = stat.S_IMODE(path.stat().st_mode)
    if path.is_dir() and mode & _OTHERS:
        raise _open_to_others(path, mode, "chmod o-rwx")
    if path.is_file() and mode & (_OTHERS | _GROUP):
        raise _open_to_others(path, mode, "chmod 600")


def _open_to_others(path: Path, mode: int, remedy: str) -> InputError:
    return InputError.at(path, f"is open to others (mode {mode:o})", remedy=f"Keep it to its owner: {remedy} {path}")
