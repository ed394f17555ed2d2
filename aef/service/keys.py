"""API keys: who may do what. A key is shown once, when it is made; kept is a hash of it.

A key is ``aef-ID-SECRET`` with 256 random bits of secret, so that a plain SHA-256 is as good as a slow hash: there is
nothing to guess. Rulings belong to the name of the client, so that a client who gets a new key still finds them.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import re
import secrets
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from aef.corpus_tools.files import write_atomic
from aef.errors import InputError

SUBMIT, READ, ADMIN = RIGHTS = ("submit", "read", "admin")
MEANINGS = {
    SUBMIT: "hand in rulings, and take them back",
    READ: "see the state of one's own rulings and fetch their results",
    ADMIN: "see the figures of the service; nobody's rulings",
}
_NAME = re.compile(r"[\w.@-][\w .@-]{0,62}", re.ASCII)
_TOKEN = re.compile(r"aef-([0-9a-f]{8})-[\w-]{43}", re.ASCII)


@dataclass(frozen=True)
class Client:
    """Who sent a request, by a key of this id."""

    name: str
    id: str = "-"
    rights: frozenset[str] = frozenset(RIGHTS)


LOCAL = Client("local")
"""Whoever is on this computer, where no key is asked for."""


@dataclass(frozen=True)
class _Record:
    id: str
    name: str
    rights: tuple[str, ...]
    sha256: str
    created: str


class KeyRing:
    """The keys of a file, read anew when it changes: a key that was added or removed counts at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stamp: tuple[int, int] | None = None
        self._records: dict[str, _Record] = {}
        self._reread()

    def client(self, token: str) -> Client | None:
        """Whose key it is, or None. The time it takes tells nothing of how much of a key was right."""
        self._reread()
        shape = _TOKEN.fullmatch(token)
        record = self._records.get(shape[1]) if shape else None
        wanted = record.sha256 if record else "0" * 64
        right = hmac.compare_digest(_hashed(token), wanted)
        return Client(record.name, record.id, frozenset(record.rights)) if record and right else None

    def _reread(self) -> None:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            self._stamp, self._records = None, {}
            return
        if (stamp := (found.st_mtime_ns, found.st_size)) != self._stamp:
            self._records = {record.id: record for record in _read(self._path)}
            self._stamp = stamp


def add(path: Path, name: str, rights: Iterable[str] = RIGHTS) -> str:
    """A new key for a client, written to the file; returns it. Raises `InputError` for a wrong name or right."""
    if not _NAME.fullmatch(name):
        raise InputError(f"'{name}' is no client's name. Write letters, digits, spaces and . @ - _, 63 at most")
    chosen = tuple(right for right in RIGHTS if right in set(rights))
    if unknown := sorted(set(rights) - set(RIGHTS)):
        raise InputError(f"unknown right '{unknown[0]}'. There are: {', '.join(RIGHTS)}")
    if not chosen:
        raise InputError(f"a key without rights opens nothing. There are: {', '.join(RIGHTS)}")
    with _alone(path):
        return _added(path, name, chosen)


def _added(path: Path, name: str, rights: tuple[str, ...]) -> str:
    records = _read(path)
    key_id = next(i for i in iter(lambda: secrets.token_hex(4), None) if i not in {r.id for r in records})
    token = f"aef-{key_id}-{secrets.token_urlsafe(32)}"
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    _write(path, [*records, _Record(key_id, name, rights, _hashed(token), created)])
    return token


def remove(path: Path, key_id: str) -> None:
    """Take a key back, by its id. Raises `InputError` where there is none."""
    with _alone(path):
        records = _read(path)
        kept = [record for record in records if record.id != key_id]
        if len(kept) == len(records):
            raise InputError.at(path, f"has no key '{key_id}'", remedy="'aef serve keys list' lists them")
        _write(path, kept)


def listed(path: Path) -> list[dict[str, str]]:
    """The keys without what is secret."""
    return [{"id": r.id, "name": r.name, "rights": ",".join(r.rights), "created": r.created} for r in _read(path)]


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> list[_Record]:
    try:
        content = json.loads(path.read_text("utf-8"))
        records = [_Record(**{**record, "rights": tuple(record["rights"])}) for record in content["keys"]]
        if not all(isinstance(value, str) for r in records for value in (r.id, r.name, r.sha256, *r.rights)):
            raise TypeError
        return records
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except (ValueError, TypeError, KeyError) as error:
        raise InputError.at(path, "is no file of API keys", remedy="Make keys with 'aef serve keys add'") from error


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One at a time changes the file; its folder is made, where it is missing. Raises `InputError`."""
    import fcntl

    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = os.open(path.parent, os.O_RDONLY)
    except OSError as error:
        raise InputError.at(path, f"cannot be written ({error.strerror})") from error
    try:
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield
    finally:
        os.close(folder)


def _write(path: Path, records: Iterable[_Record]) -> None:
    content = {"keys": [asdict(record) for record in records]}
    write_atomic(path, json.dumps(content, indent=1) + "\n", force=True, private=True)
