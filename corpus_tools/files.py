"""Files: written whole or not at all, and never over another without being asked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

from aef.errors import InputError


class Unwritten(InputError, OSError):
    """A file that could not be written whole, as on a full disk; nothing of it is left."""


def read_bytes(path: str | Path) -> bytes:
    """What a file holds. Raises `InputError` where it cannot be read."""
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise InputError.at(path, "no such file") from error
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error


def must_be_new(paths: Iterable[str | Path], force: bool = False) -> None:
    """Raise `InputError` naming the first path that exists, unless ``force``; to call before long work begins."""
    for path in paths:
        if Path(path).is_dir():
            raise InputError.at(path, "is a folder", remedy="Name a file to write")
        if not force and Path(path).exists():
            raise InputError.at(path, "exists already", remedy="Name another output, or overwrite it with --force")


def write_atomic(path: str | Path, content: str | bytes, force: bool = False, private: bool = False) -> None:
    """Write a file whole: into a neighbour first, then renamed. Raises `InputError` where the path exists, and
    `Unwritten` where there is no room.

    It is on the disk, and read back as it was meant, before it takes the name: a power cut leaves no half of it. A
    ``private`` file is for its owner alone, from its first byte on, and so is a folder that is made for it.
    """
    path = Path(path)
    must_be_new([path], force)
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700 if private else 0o777)
        handle, neighbour = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise InputError.at(path, f"cannot be written ({error.strerror})") from error
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if Path(neighbour).read_bytes() != data:
            raise InputError.at(path, "was not written as it should be", remedy="Look after the disk")
        if not private:  # else it stays as mkstemp makes it
            Path(neighbour).chmod(0o666 & ~_umask())
        Path(neighbour).replace(path)
    except OSError as error:
        raise _unwritten(path, error) from error
    finally:
        Path(neighbour).unlink(missing_ok=True)


def _unwritten(path: Path, error: OSError) -> Unwritten:
    problem = Unwritten.at(path, f"cannot be written ({error.strerror})", remedy="Make room, or write elsewhere")
    problem.strerror = error.strerror
    return problem


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
