"""Secret files under a passphrase: AES-256 in Galois/counter mode, its key made of the passphrase by scrypt.

A sealed file is a line that says what it is, a line of JSON (the salt, the cost, the nonce and a check of the
passphrase), and the compressed content, encrypted. Both lines are authenticated with it: a changed bit is noticed.
Every writing takes a nonce of its own; the salt is the file's, so that the slow making of the key is done once a run.
"""

from __future__ import annotations

import hmac
import json
import os
import unicodedata
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import Any

from aef.errors import InputError

PASSPHRASE = "AEF_PASSPHRASE"
MAGIC = b"aef sealed 1\n"
COST = 1 << 17
"""scrypt's n: with r = 8 and p = 1, 128 MB of memory and less than a second a guess."""
_MOST_COST = 1 << 20
_KEY, _CHECK, _SALT, _NONCE = 32, 16, 16, 12  # bytes


class Seal:
    """A passphrase, and the key made of it. Raises `InputError` for an empty one, and without the library."""

    def __init__(self, passphrase: str, *, cost: int | None = None) -> None:
        self._secret = unicodedata.normalize("NFC", passphrase).encode("utf-8")
        if not self._secret.strip():
            raise InputError("the passphrase is empty. Give one, in a file or in AEF_PASSPHRASE")
        _library()
        self._cost = COST if cost is None else cost
        self._made: dict[tuple[bytes, int], tuple[bytes, bytes]] = {}

    def closed(self, content: bytes) -> bytes:
        """The content, sealed."""
        made = (place for place in self._made if place[1] >= self._cost)  # a key that is too cheap is made anew
        salt, cost = next(made, (os.urandom(_SALT), self._cost))
        key, check = self._key(salt, cost)
        nonce = os.urandom(_NONCE)
        values = {"salt": salt, "nonce": nonce, "check": check}
        header = {"scrypt": cost, **{name: b64encode(value).decode() for name, value in values.items()}}
        head = MAGIC + json.dumps(header).encode() + b"\n"
        return head + bytes(_library().AESGCM(key).encrypt(nonce, zlib.compress(content), head))

    def opened(self, data: bytes, path: str | Path) -> bytes:
        """What was sealed. Raises `InputError` for another passphrase and for a file that was changed."""
        line, _, body = data.removeprefix(MAGIC).partition(b"\n")
        header = _header(line, path)
        key, check = self._key(header["salt"], header["scrypt"])
        if not hmac.compare_digest(check, header["check"]):
            raise InputError.at(path, "the passphrase is wrong", remedy="Give the one the file was made with")
        try:
            return zlib.decompress(_library().AESGCM(key).decrypt(header["nonce"], body, MAGIC + line + b"\n"))
        except _library().InvalidTag as error:
            raise _damaged(path) from error

    def _key(self, salt: bytes, cost: int) -> tuple[bytes, bytes]:
        """The key, and what tells a right passphrase without opening the file."""
        if (salt, cost) not in self._made:
            made = _library().Scrypt(salt=salt, length=_KEY + _CHECK, n=cost, r=8, p=1).derive(self._secret)
            self._made = {(salt, cost): (made[:_KEY], made[_KEY:])}
        return self._made[salt, cost]


def read_passphrase(path: str | Path | None) -> str | None:
    """The first line of a file, or what the environment variable `PASSPHRASE` says; None for neither."""
    if path is None:
        return os.environ.get(PASSPHRASE)
    from aef.corpus_tools.rulings.readers import read_text

    return read_text(path).splitlines()[0]


def is_sealed(data: bytes) -> bool:
    return data.startswith(MAGIC)


def _header(line: bytes, path: str | Path) -> dict[str, Any]:
    try:
        header = json.loads(line)
        cost = int(header["scrypt"])
        values = {name: b64decode(header[name], validate=True) for name in ("salt", "nonce", "check")}
    except (ValueError, KeyError, TypeError) as error:
        raise _damaged(path) from error
    sizes = {"salt": _SALT, "nonce": _NONCE, "check": _CHECK}
    if not 2 <= cost <= _MOST_COST or cost & (cost - 1) or any(len(values[n]) != size for n, size in sizes.items()):
        raise _damaged(path)
    return {"scrypt": cost, **values}


def _damaged(path: str | Path) -> InputError:
    return InputError.at(path, "is damaged or was changed", remedy="Take it from a backup")


class _Library:
    """What is used of the library `cryptography`, loaded when a passphrase is."""

    def __init__(self) -> None:
        from cryptography.exceptions import InvalidTag
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
        from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

        self.InvalidTag, self.AESGCM, self.Scrypt = InvalidTag, AESGCM, Scrypt


def _library() -> _Library:
    try:
        return _Library()
    except ImportError as error:
        raise InputError(
            "a passphrase needs the package 'cryptography'. Install it: pip install 'aef-anonymizer[case]'"
        ) from error
