"""Rulings in an object store, or anywhere else that fsspec reaches: ``s3://bucket/rulings``, ``abfs://``, ``gs://``.

Workers fetch what they work on; results come back with their outcomes, and are put into the store from here. What is
known of a batch stays in a folder of this machine, in which each ruling of the store has an empty file of its size and
date in its place. Keys are where the store's library looks for them (``AWS_...``, ``FSSPEC_...``), never in an address.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from aef.batch.orders import Order
from aef.batch.state import Carried, Outcome, State
from aef.batch.work import Setting, Unfit, Unit, do_unit
from aef.errors import InputError

_DATES = ("LastModified", "last_modified", "mtime", "updated", "created")
_SENT = "sent"


def is_address(text: str) -> bool:
    """Whether it is an address in a store, and no path."""
    scheme, sign, _ = text.partition("://")
    return bool(sign) and len(scheme) > 1 and scheme.isidentifier() and scheme.islower()


def opened(address: str) -> tuple[Any, str]:
    """The store, and the folder in it. Raises `InputError`."""
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        raise InputError(f"{address} needs the package fsspec: install aef-anonymizer[s3]") from error
    try:
        store, root = url_to_fs(address)
    except (ImportError, ValueError) as error:
        raise InputError.at(address, f"cannot be reached ({error})", remedy="s3:// needs aef-anonymizer[s3]") from error
    return store, str(root).rstrip("/")


@contextmanager
def _reaching(address: str) -> Iterator[None]:
    """Raise `InputError` where the store does not answer, or not as it should: each library has errors of its own."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        why = f"cannot be reached ({type(error).__name__})"
        raise InputError.at(address, why, remedy="Look at the address and the keys, and run the same again") from error


def mirrored(address: str, folder: Path) -> None:
    """Give each object an empty file of its size and date in a folder, and no other file. Raises `InputError`."""
    store, root = opened(address)
    with _reaching(address):
        store.invalidate_cache()
        found = {str(path)[len(root) + 1 :]: info for path, info in store.find(root, detail=True).items()}
    names = {name: info for name, info in found.items() if _is_plain(name)}
    for name, info in names.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch()
        os.truncate(path, int(info["size"] or 0))
        _date(path, info)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in folder.rglob("*"):
        if path.is_file() and path.relative_to(folder).as_posix() not in names:
            path.unlink()


def _is_plain(name: str) -> bool:
    """Whether an object's name is a path within a folder, and the same one again when it is read as one."""
    path = PurePosixPath(name)
    return bool(name) and str(path) == name and not path.is_absolute() and ".." not in path.parts


def _date(path: Path, info: Mapping[str, Any]) -> None:
    """In whole seconds: some stores tell the same date by less when they are asked for one object."""
    date = next((info[name] for name in _DATES if info.get(name)), 0)
    seconds = int(date.timestamp() if isinstance(date, datetime) else date)
    os.utime(path, (seconds, seconds))


# --- for workers ----------------------------------------------------------------------------------------------------


def must_reach(address: str) -> str:
    """Why a worker does not reach the store; empty where it does."""
    try:
        store, root = opened(address)
        with _reaching(address):
            store.ls(root)
    except InputError as error:
        return str(error)
    return ""


def do_away(address: str, setting: Setting, unit: Unit) -> list[Outcome]:
    """As `aef.batch.work.do_unit`, with rulings of a store; what was made comes with the outcomes.

    Raises `Unfit` where this worker does not reach the store.
    """
    _sweep()
    with tempfile.TemporaryDirectory(prefix=f"aef-batch-{os.getpid()}-") as folder:
        source, work = Path(folder, "in"), Path(folder, "work")
        work.mkdir()
        try:
            for ruling in unit.rulings:
                _fetch(address, ruling, source / ruling)
        except InputError as error:
            raise Unfit(f"a worker: {error}") from error
        near = replace(setting, source=str(source), work=str(work))
        return [_carried(outcome, work) for outcome in do_unit(near, unit)]


def _fetch(address: str, ruling: str, path: Path) -> None:
    """What is gone by now is missing, and refused as such. Raises `InputError`."""
    store, root = opened(address)
    path.parent.mkdir(parents=True, exist_ok=True)
    with _reaching(address), suppress(FileNotFoundError):
        store.invalidate_cache()
        store.get_file(f"{root}/{ruling}", str(path))
        _date(path, store.info(f"{root}/{ruling}"))


def _carried(outcome: Outcome, work: Path) -> Outcome:
    if not outcome.done:
        return outcome
    return Carried(**vars(outcome), content=Path(work, outcome.attempt, outcome.name).read_bytes())


def _sweep() -> None:
    """Remove what workers left that were killed: there are rulings in it."""
    for path in Path(tempfile.gettempdir()).glob("aef-batch-*-*"):
        pid = path.name.split("-")[2]
        with suppress(FileNotFoundError):  # of a worker that is done by now
            if pid.isdecimal() and path.stat().st_uid == os.getuid() and not _lives(int(pid)):
                shutil.rmtree(path, ignore_errors=True)


def _lives(pid: int) -> bool:
    with suppress(PermissionError):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
    return True


# --- what was made --------------------------------------------------------------------------------------------------


class Sender:
    """Puts outputs into a store, each once. force : over what is there that is none of ours."""

    def __init__(self, address: str, state: State, force: bool) -> None:
        self._address, self._state, self._force = address, state, force
        self._store, self._root = opened(address)
        self._path = state.folder / _SENT
        self._sent = set(self._path.read_text("utf-8").splitlines()) if self._path.exists() else set()

    def __call__(self, outcome: Outcome, place: str) -> None:
        """Raises `InputError` where the store cannot be reached, and `FileExistsError` for what is there."""
        line = f"{outcome.output} {place.encode('unicode_escape').decode('ascii')}"
        if line in self._sent:
            return
        content, target = (self._state.output / place).read_bytes(), f"{self._root}/{place}"
        with _reaching(self._address):
            free = self._put(target, content)
        if not free:
            raise FileExistsError(f"{self._address}/{place} is there already. Name another output, or give --force")
        self._sent.add(line)
        with self._path.open("a", encoding="utf-8") as stream:
            stream.write(f"{line}\n")

    def _put(self, target: str, content: bytes) -> bool:
        """Whether it is there now; not, where something else is."""
        self._store.invalidate_cache()
        there = self._store.cat_file(target) if self._store.exists(target) else None
        if there is not None and there != content and not self._force:
            return False
        if there != content:  # else a run before this one put it there
            self._store.makedirs(target.rpartition("/")[0], exist_ok=True)
            self._store.pipe_file(target, content)
        return True


def senders(order: Order, state: State) -> Iterator[Sender]:
    """Who puts the outputs into a store, where that is wanted. Raises `InputError`."""
    if order.put is not None:
        yield Sender(order.put, state, order.force)
