"""Rulings sealed at rest: AES-256 in Galois/counter mode under one key of the service.

The key comes from a file or the environment variable ``AEF_QUEUE_KEY`` (32 bytes in Base64); without either, one is
made at the first start and kept in the data folder for its owner alone. What is sealed is bound to the ruling it
belongs to: the content of one row opened under another is refused.
"""

from __future__ import annotations

import binascii
import hmac
import os
from base64 import b64decode, b64encode
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from aef.corpus_tools.files import read_bytes, write_atomic
from aef.errors import InputError
from aef.workers.settings import SEALING as ENVIRONMENT

_KEY, _NONCE = 32, 12  # bytes


class Unsealable(Exception):
    """What was sealed under another key, for another ruling, or was changed."""


class Vault:
    """Seals and opens under a key of 32 bytes."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)
        self._digest = hmac.digest(key, b"aef service: digests", "sha256")

    @classmethod
    def load(cls, data: Path, key_file: Path | None = None) -> Vault:
        """With the key of the file, else of the environment, else of the data folder, made where there is none.

        Raises `InputError` for what is no key.
        """
        found = cls.found(data, key_file)
        if found is not None:
            return found
        path = data / "queue.key"
        write_atomic(path, new_key(), private=True)
        return cls(_key(read_bytes(path), str(path)))

    @classmethod
    def found(cls, data: Path, key_file: Path | None = None) -> Vault | None:
        """The same, but None where a key would have to be made."""
        if key_file is not None:
            return cls(_key(read_bytes(key_file), str(key_file)))
        if ENVIRONMENT in os.environ:
            return cls(_key(os.environ[ENVIRONMENT], ENVIRONMENT))
        path = data / "queue.key"
        return cls(_key(read_bytes(path), str(path))) if path.exists() else None

    def sealed(self, content: bytes, place: str) -> bytes:
        """The content under a nonce of its own, bound to its place (which ruling, and what of it)."""
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, content, place.encode())

    def opened(self, sealed: bytes, place: str) -> bytes:
        """Raises `Unsealable`."""
        try:
            return self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], place.encode())
        except (InvalidTag, ValueError) as error:
            raise Unsealable from error

    @property
    def check(self) -> str:
        """What tells whether a queue was made with this key."""
        return self.digest(b"key check")

    def digest(self, *parts: bytes) -> str:
        """64 characters that are the same for the same parts, and tell nobody without the key what they were."""
        total = hmac.new(self._digest, digestmod="sha256")
        for part in parts:
            total.update(len(part).to_bytes(8, "big") + part)
        return total.hexdigest()


def new_key() -> bytes:
    """A key as a file has it."""
    return b64encode(os.urandom(_KEY)) + b"\n"


def _key(text: str | bytes, place: str) -> bytes:
    try:
        key = b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError) as error:
        raise _no_key(place) from error
    if len(key) != _KEY:
        raise _no_key(place)
    return key


def _no_key(place: str) -> InputError:
    return InputError.at(place, f"holds no key of {_KEY} bytes in Base64", remedy="Make one: openssl rand -base64 32")
