"""The options of ``aef serve``, and the settings that they make."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, urlsplit

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.workers.settings import Limits, Settings, SignIn


PREFIX = "AEF_SERVE_"
"""Of the environment's variables."""


def add_place(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--config", metavar="FILE", help="these options as TOML, see below")
    parser.add_argument("--host", default="127.0.0.1", help="the address to listen to (default: this computer alone)")
    parser.add_argument("--port", type=int, default=8000, help="(default: 8000; 0: one that is free)")
    parser.add_argument("--data", default="aef-service", metavar="FOLDER", help="queue and keys (default: aef-service)")
    parser.add_argument("--queue", metavar="URL", help="a PostgreSQL database as queue: postgresql+psycopg://...")
    parser.add_argument(
        "--queue-file", metavar="FILE", help="a file with that URL (or AEF_QUEUE has it), where it has a password"
    )
    parser.add_argument("--queue-key", metavar="FILE", help="the key that seals rulings at rest, see below")
    parser.add_argument("--keys", metavar="FILE", help="the API keys (default: keys.json in the data folder)")
    parser.add_argument("--no-auth", action="store_true", help="ask for no API key; on this computer's address alone")
    parser.add_argument("--certificate", metavar="FILE", help="for HTTPS (PEM)")
    parser.add_argument("--private-key", metavar="FILE", help="of the certificate (PEM)")
    parser.add_argument(
        "--names", metavar="LIST", help="under which browsers reach the pages, beside the address: aef.court.example"
    )
    parser.add_argument(
        "--proxies", metavar="LIST", help="addresses of proxies, whose word on who asks is believed (default: none)"
    )
    parser.add_argument("--log", metavar="FILE", help="write the log here (default: standard error)")
    collector = "of an OpenTelemetry collector (extra: tracing): http://127.0.0.1:4318/v1/traces"
    parser.add_argument("--traces", metavar="URL", help=collector)
    parser.add_argument("--work", metavar="FOLDER", help="where workers put the ruling they are at, see below")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: as many as cores)")
    parser.add_argument(
        "--reserved", type=int, default=1, metavar="N", help="further ones for doAnonymization alone (default: 1)"
    )


_LIMITS = {
    "size": ("MB", "of a ruling", 1e6),
    "queued": ("N", "rulings that wait, of all clients", 1),
    "per_client": ("N", "rulings that wait, of one client", 1),
    "rate": ("N", "rulings a minute that one client hands in", 1),
    "time": ("SECONDS", "for one ruling in a worker", 1),
    "memory": ("MB", "for a worker", 1e6),
    "attempts": ("N", "workers that may die of a ruling", 1),
    "outages": ("N", "times that a ruling is begun anew where all is killed or the database is away", 1),
    "wait": ("SECONDS", "that a request waits for its ruling", 1),
    "keep": ("HOURS", "that a result waits to be fetched", 3600),
    "again": ("SECONDS", "that a result can be fetched again once it was delivered", 1),
    "review": ("DAYS", "that a ruling waits for its editor's next answer", 86400),
    "idle": ("MINUTES", "that a browser asks nothing before it signs in anew", 60),
    "audit": ("DAYS", "that the audit log is kept, by whole months", 86400),
    "grace": ("SECONDS", "that a stop waits for what is begun", 1),
    "connections": ("N", "connections at a time", 1),
    "per_address": ("N", "connections of one address", 1),
    "header": ("SECONDS", "for the header of a request", 1),
    "stall": ("SECONDS", "for a body or an answer, beyond a second for each 10 kB", 1),
}


def add_limits(parser: argparse.ArgumentParser) -> None:
    from dataclasses import fields

    from aef.workers.settings import Limits

    group = parser.add_argument_group("limits")
    defaults = {field.name: field.default for field in fields(Limits)}
    for name, (unit, what, factor) in _LIMITS.items():
        bound = defaults[name]
        assert isinstance(bound, int | float)
        said, option = f"{what} (default: {bound / factor:g})", f"--max-{name.replace('_', '-')}"
        group.add_argument(option, type=float, metavar=unit, default=bound / factor, help=said)


_SIGN_IN = {
    "issuer": ("URL", "of the provider, as it writes itself; without it, there are API keys alone"),
    "client": ("ID", "of this service at the provider"),
    "secret": ("FILE", "with the secret that goes with it, where it has one"),
    "audience": ("NAME", "of access tokens that programs bring (default: none are taken)"),
    "name": ("CLAIM", "that names who it is, for good: rulings belong to that name (default: sub)"),
    "claim": ("CLAIM", "that says what they may, by dots where it lies deeper (default: roles)"),
    "rights": ("LIST", "by its values: aef-editors=review,registry=submit+read"),
}


def add_sign_in(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("log-in by OpenID Connect, beside API keys")
    for name, (unit, said) in _SIGN_IN.items():
        group.add_argument(f"--oidc-{name}", metavar=unit, help=said)


def _sign_in(arguments: argparse.Namespace) -> SignIn | None:
    """Raises `InputError` for what does not go together."""
    from aef.workers.settings import SignIn

    given = {name: value for name in _SIGN_IN if (value := getattr(arguments, f"oidc_{name}")) is not None}
    if not given:
        return None
    for name in ("issuer", "client", "rights"):
        if name not in given:
            raise InputError(f"log-in by OpenID Connect needs --oidc-{name}, too")
    if given.get("audience") == given["client"]:
        raise InputError("--oidc-audience: access tokens need an audience of their own, which is not --oidc-client")
    if arguments.no_auth:
        raise InputError("--no-auth asks nobody who they are: leave it, or the --oidc- options, away")
    chosen = {**given, "rights": _rights(given["rights"])}
    return SignIn(**chosen | ({"secret": Path(given["secret"])} if "secret" in given else {}))


def _rights(value: str) -> dict[str, tuple[str, ...]]:
    """Raises `InputError`."""
    from aef.service.keys import RIGHTS

    found = {}
    for pair in _listed(value):
        claimed, _, rights = pair.rpartition("=")
        named = tuple(rights.split("+"))
        if not claimed or not set(named) <= set(RIGHTS):
            remedy = f"Write VALUE=RIGHT+RIGHT,... with {', '.join(RIGHTS)}"
            raise InputError.at("--oidc-rights", f"'{pair[:60]}' gives no rights", remedy=remedy)
        found[claimed] = named
    return found


def settings_of(arguments: argparse.Namespace) -> Settings:
    """Raises `InputError` for numbers that cannot be."""
    from aef.commands.decision import hiding
    from aef.workers.settings import Settings

    workers = arguments.workers if arguments.workers is not None else os.cpu_count() or 1
    if workers < 1 or arguments.reserved < 0:
        raise InputError(f"{workers} workers and {arguments.reserved} reserved ones: one worker is needed at least")
    if not 0 <= arguments.port <= 65535:
        raise InputError(f"port {arguments.port}: a number up to 65535 is wanted")
    given = {name: getattr(arguments, name) for name in ("certificate", "private_key", "log", "work")}
    given |= {"key_file": arguments.queue_key, "keys_file": arguments.keys}
    paths = {name: Path(value) if value is not None else None for name, value in given.items()}
    for name in ("certificate", "private_key", "key_file"):
        if (path := paths[name]) is not None and not path.is_file():
            raise InputError.at(path, "no such file")
    return Settings(
        data=Path(arguments.data),
        queue=_queue(arguments),
        host=arguments.host,
        port=arguments.port,
        workers=workers,
        reserved=arguments.reserved,
        recipe=hiding(arguments),
        limits=_limits(arguments),
        auth=not arguments.no_auth,
        names=_listed(arguments.names),
        proxies=_listed(arguments.proxies),
        key_file=paths["key_file"],
        keys_file=paths["keys_file"],
        certificate=paths["certificate"],
        private_key=paths["private_key"],
        log=paths["log"],
        work=paths["work"],
        sign_in=_sign_in(arguments),
        traces=_collector(arguments.traces),
    )


def _collector(address: str | None) -> str | None:
    """Raises `InputError` for what is no address."""
    parts = _parted(address or "")
    if address is not None and (parts.scheme not in ("http", "https") or not parts.netloc or len(address.split()) > 1):
        raise InputError.at("--traces", f"'{address[:60]}' is no address", remedy="Write http://HOST:4318/v1/traces")
    return address


def _parted(address: str) -> SplitResult:
    """The parts of an address, none of what is no address."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def _listed(value: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in (value or "").split(",") if word.strip())


def _queue(arguments: argparse.Namespace) -> str | None:
    """The URL of the queue: as given, of the file, or of the environment. Raises `InputError`."""
    from aef.commands.common import say
    from aef.commands.configuration import SHOWN
    from aef.service.private import must_be_private
    from aef.workers.settings import QUEUE

    if arguments.queue is not None:
        if arguments.sources["queue"] == SHOWN and _parted(arguments.queue).password:
            say(f"the password in --queue shows in the list of processes: give --queue-file, or {QUEUE}")
        return str(arguments.queue)
    if arguments.queue_file is None:
        return os.environ.get(QUEUE)
    path = Path(arguments.queue_file)
    must_be_private(path)
    try:
        return path.read_text("utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError.at(path, "cannot be read", remedy="Write the URL of the queue into it") from error


def _limits(arguments: argparse.Namespace) -> Limits:
    from aef.workers.settings import Limits

    given = {name: getattr(arguments, f"max_{name}") for name in _LIMITS}
    for name, value in given.items():
        if not 0 < value < float("inf"):
            raise InputError(f"--max-{name.replace('_', '-')} {value:g}: a number above 0 is wanted")
    wanted = {name: value * _LIMITS[name][2] for name, value in given.items()}
    whole = {name: round(value) for name, value in wanted.items() if isinstance(getattr(Limits, name), int)}
    return Limits(**{**wanted, **whole})
