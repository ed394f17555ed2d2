"""API keys: who may do what. A key is shown once, when it is made; kept is a hash of it.

A key is ``aef-ID-SECRET`` with 256 random bits of secret, so that a plain SHA-256 is as good as a slow hash: there is
nothing to guess. Rulings belong to the name of the client, so that a client who gets a new key still finds them. When a
key was used last is written beside, to the minute; a key may end by itself, and be renewed without a gap.

The file has a format since there is the right `URGENT`: in one without, who may submit may do that, too.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import math
import os
import re
import secrets
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from aef.corpus_tools.files import write_atomic
from aef.errors import InputError

SUBMIT, READ, URGENT, REVIEW, ADMIN = RIGHTS = ("submit", "read", "urgent", "review", "admin")
MEANINGS = {
    SUBMIT: "hand in rulings, and take them back",
    READ: "see the state of one's own rulings and fetch their results",
    URGENT: "have rulings go before those of everybody without it",
    REVIEW: "open the editor's page on rulings that were handed in for one's review",
    ADMIN: "see the figures and the state of the service, and drain it; nobody's rulings",
}
CLIENT_NAME = re.compile(r"[\w.@-][\w .@-]{0,62}", re.ASCII)
FORMAT = 2
_TOKEN = re.compile(r"aef-([0-9a-f]{8})-[\w-]{43}", re.ASCII)


@dataclass(frozen=True)
class Client:
    """Who sent a request, by a key of this id. rate : rulings a minute that may come by it; None: as many as of any."""

    name: str
    id: str = "-"
    rights: frozenset[str] = frozenset(RIGHTS)
    rate: float | None = None


FOREIGN = "oidc"
"""In the place of a key's id, for whom an OpenID Connect provider vouches."""
LOCAL = Client("local")
"""Whoever is on this computer, where no key is asked for."""


@dataclass(frozen=True)
class _Record:
    id: str
    name: str
    rights: tuple[str, ...]
    sha256: str
    created: str
    expires: str = ""
    rate: float | None = None

    def is_over(self, now: float) -> bool:
        return bool(self.expires) and self.expires <= _written(now)


class KeyRing:
    """The keys of a file, read anew when it changes: a key that was added or removed counts at once. used : the file
    in which it is kept when each was used last."""

    def __init__(self, path: Path, used: Path | None = None, clock: Callable[[], float] = time.time) -> None:
        self._path, self._used, self._clock = path, used, clock
        self._stamp: tuple[int, int] | None = None
        self._records: dict[str, _Record] = {}
        self._noted: dict[str, float] = {}
        self._reread()

    def client(self, token: str) -> Client | None:
        """Whose key it is, or None. The time it takes tells nothing of how much of a key was right."""
        self._reread()
        shape = _TOKEN.fullmatch(token)
        record = self._records.get(shape[1]) if shape else None
        wanted = record.sha256 if record else "0" * 64
        right = hmac.compare_digest(_hashed(token), wanted)
        return self.with_id(record.id) if record and right else None

    def with_id(self, key_id: str) -> Client | None:
        """Whose key has that id, where it is (still) one."""
        self._reread()
        record = self._records.get(key_id)
        if record is None or record.is_over(self._clock()):
            return None
        self._note(key_id)
        return Client(record.name, record.id, frozenset(record.rights), record.rate)

    def _note(self, key_id: str) -> None:
        """Keep when the key was used, once a minute; where that cannot be written, the key works all the same."""
        now = self._clock()
        if self._used is None or now - self._noted.get(key_id, 0.0) < 60:
            return
        self._noted[key_id] = now
        with suppress(InputError, OSError), _alone(self._used):
            content = json.dumps({**_last_used(self._used), key_id: _written(now)})
            write_atomic(self._used, content, force=True, private=True)

    def _reread(self) -> None:
        try:
            found = self._path.stat()
        except FileNotFoundError:
            self._stamp, self._records = None, {}
            return
        if (stamp := (found.st_mtime_ns, found.st_size)) != self._stamp:
            self._records = {record.id: record for record in _read(self._path)}
            self._stamp = stamp


def add(
    path: Path, name: str, rights: Iterable[str] = RIGHTS, days: float | None = None, rate: float | None = None
) -> str:
    """A new key for a client, written to the file; returns it. days : after which it ends; None: never. rate : rulings
    a minute that may come by it; None: as many as of any. Raises `InputError` for a wrong name, right or number."""
    if not CLIENT_NAME.fullmatch(name):
        raise InputError(f"'{name}' is no client's name. Write letters, digits, spaces and . @ - _, 63 at most")
    chosen = tuple(right for right in RIGHTS if right in set(rights))
    if unknown := sorted(set(rights) - set(RIGHTS)):
        raise InputError(f"unknown right '{unknown[0]}'. There are: {', '.join(RIGHTS)}")
    if not chosen:
        raise InputError(f"a key without rights opens nothing. There are: {', '.join(RIGHTS)}")
    if rate is not None and not 0 < rate < math.inf:
        raise InputError(f"--rate {rate:g}: a number of rulings a minute above 0 is wanted")
    expires = "" if days is None else _after(86400 * days)
    with _alone(path):
        return _added(path, _read(path), _Record("", name, chosen, "", "", expires, rate))


def rotate(path: Path, key_id: str, hours: float = 24.0, days: float | None = None) -> str:
    """A new key for the client of another, with its rights; the other ends after so many hours. Returns the new one.
    Raises `InputError` where there is no such key, or it is over."""
    until = _after(3600 * hours)
    with _alone(path):
        records = _read(path)
        old = next((r for r in records if r.id == key_id and not r.is_over(time.time())), None)
        if old is None:
            raise _no_key(path, key_id)
        ends = replace(old, expires=min(until, old.expires or until))
        others = [ends if record is old else record for record in records]
        return _added(path, others, replace(old, expires="" if days is None else _after(86400 * days)))


def _added(path: Path, records: list[_Record], like: _Record) -> str:
    """A new key with what another has beside its secret."""
    key_id = next(i for i in iter(lambda: secrets.token_hex(4), None) if i not in {r.id for r in records})
    token = f"aef-{key_id}-{secrets.token_urlsafe(32)}"
    made = replace(like, id=key_id, sha256=_hashed(token), created=_written(time.time()))
    _write(path, [*records, made])
    return token


def remove(path: Path, key_id: str) -> None:
    """Take a key back, by its id. Raises `InputError` where there is none."""
    with _alone(path):
        records = _read(path)
        kept = [record for record in records if record.id != key_id]
        if len(kept) == len(records):
            raise _no_key(path, key_id)
        _write(path, kept)


def listed(path: Path, used: Path | None = None) -> list[dict[str, str]]:
    """The keys without what is secret; with the file of last uses, also when each was used last."""
    last = _last_used(used) if used is not None else {}
    return [
        {"id": r.id, "name": r.name, "rights": ",".join(r.rights), "created": r.created, "expires": r.expires}
        | {"rate": "" if r.rate is None else f"{r.rate:g}", "used": last.get(r.id, "")}
        for r in _read(path)
    ]


def _no_key(path: Path, key_id: str) -> InputError:
    return InputError.at(path, f"has no key '{key_id}'", remedy="'aef serve keys list' lists them")


def _written(seconds: float) -> str:
    """A moment, as it is written and compared."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))


def _after(seconds: float) -> str:
    """The moment after so many seconds. Raises `InputError` for what is no number of them."""
    if not 0 <= seconds < 1e10:
        raise InputError("a key ends after a number of days, or hours, from 0 on")
    return _written(time.time() + seconds)


def _last_used(path: Path) -> dict[str, str]:
    """By a key's id when it was used last; what is damaged tells nothing."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(k): str(v) for k, v in content.items()} if isinstance(content, dict) else {}


def _hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _read(path: Path) -> list[_Record]:
    try:
        content = json.loads(path.read_text("utf-8"))
        records = [_Record(**{**record, "rights": tuple(record["rights"])}) for record in content["keys"]]
        if not all(map(_is_sound, records)):
            raise TypeError
        return records if content.get("format") == FORMAT else [_of_before(record) for record in records]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    except (ValueError, TypeError, KeyError) as error:
        raise InputError.at(path, "is no file of API keys", remedy="Make keys with 'aef serve keys add'") from error


def _is_sound(record: _Record) -> bool:
    words = (record.id, record.name, record.sha256, record.expires, *record.rights)
    return all(isinstance(word, str) for word in words) and isinstance(record.rate, float | int | None)


def _of_before(record: _Record) -> _Record:
    """A key of the time when whoever handed in could have it done first."""
    return replace(record, rights=(*record.rights, URGENT)) if SUBMIT in record.rights else record


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
    content = {"format": FORMAT, "keys": [asdict(record) for record in records]}
    write_atomic(path, json.dumps(content, indent=1) + "\n", force=True, private=True)
