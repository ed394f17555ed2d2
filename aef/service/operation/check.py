"""The settings of the service, looked at before it starts: all that is wrong at once; nothing is changed."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

from aef.errors import InputError
from aef.service.keys import listed
from aef.service.private import must_be_private
from aef.service.server import must_be_safe, traces_of, without_oidc
from aef.workers.database import must_answer
from aef.workers.settings import Settings
from aef.workers.vault import Vault


def wrong(settings: Settings) -> Iterator[InputError]:
    """All that would keep the service from starting, or from being safe."""
    for looks in _LOOKS:
        try:
            looks(settings)
        except InputError as error:
            yield error


def _places(settings: Settings) -> None:
    for path in (settings.data, settings.work, settings.log):
        if path is not None:
            _must_be_ours(path)


def _must_be_ours(path: Path) -> None:
    """Raise `InputError` for a place that cannot be made, or written."""
    there = next(p for p in (path.absolute(), *path.absolute().parents) if p.exists())
    if there != path.absolute() and not there.is_dir():
        raise InputError.at(path, f"cannot be made: {there} is a file", remedy="Name another place")
    if not os.access(there, os.W_OK):
        raise InputError.at(path, f"cannot be written: {there} is not yours", remedy="Name another place, or chown it")


def _private(settings: Settings) -> None:
    for path in (settings.data, settings.data / "queue.key", settings.key_file, settings.private_key, settings.keys):
        if path is not None:
            must_be_private(path)


def _keys(settings: Settings) -> None:
    if settings.auth:
        listed(settings.keys)


def _sealing(settings: Settings) -> None:
    Vault.found(settings.data, settings.key_file)


def _certificate(settings: Settings) -> None:
    """Certificate and key go together, and are in force."""
    if settings.certificate is None or settings.private_key is None:
        return
    from cryptography.x509 import load_pem_x509_certificate

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(settings.certificate, settings.private_key)
    except (ssl.SSLError, OSError) as error:
        remedy = f"Give a certificate (PEM) and the key it was made with: {settings.private_key}"
        raise InputError.at(settings.certificate, "cannot be used for HTTPS", remedy=remedy) from error
    until = load_pem_x509_certificate(settings.certificate.read_bytes()).not_valid_after_utc
    if until < datetime.now(UTC):
        raise InputError.at(settings.certificate, f"is in force no more, since {until:%Y-%m-%d}", remedy="Renew it")


def _queue(settings: Settings) -> None:
    must_answer(settings.url)


def _recipe(settings: Settings) -> None:
    settings.recipe.check()
    settings.recipe.fingerprint()


def _sign_in(settings: Settings) -> None:
    if settings.sign_in is None:
        return
    try:
        from aef.service.oidc.provider import must_be_usable
    except ModuleNotFoundError as error:
        raise without_oidc(error) from error
    must_be_usable(settings.sign_in)


def _traces(settings: Settings) -> None:
    if (traces := traces_of(settings)) is not None:
        traces.close()


_LOOKS: tuple[Callable[[Settings], None], ...] = (
    must_be_safe,
    _places,
    _private,
    _keys,
    _sealing,
    _certificate,
    _queue,
    _sign_in,
    _traces,
    _recipe,
)
