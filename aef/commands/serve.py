"""``aef serve``: the service, and its API keys."""

from __future__ import annotations

import argparse
import os
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.workers.settings import Limits, Settings

EPILOG = """examples:
  aef serve                                            on this computer, port 8000; the first start shows an API key
                                                       (where nobody sees it, it is written to first.key)
  aef serve --host 0.0.0.0 --certificate c.pem --private-key k.pem --model ours.aef
  aef serve --queue postgresql+psycopg://aef@db/aef    several services with one queue (they share --queue-key, --keys)
  aef serve keys add registry --rights submit,read     a key for a client; it is shown once
  aef serve keys list
  aef serve keys remove 1f2e3d4c

  curl -H "Authorization: Bearer $KEY" -F file=@ruling.docx http://127.0.0.1:8000/v1/anonymize -o safe.docx
  curl -H "Authorization: Bearer $KEY" -F file=@ruling.docx http://127.0.0.1:8000/v1/rulings
  curl -H "Authorization: Bearer $KEY" "http://127.0.0.1:8000/v1/rulings/$ID/result?wait=60" -o safe.docx

http://127.0.0.1:8000/docs explains every address: rulings as REST resources, and SAROJ's startAnonymization, getResult,
doAnonymization, checkHealth, getVersion. Clients choose scheme, policy, seed, and a language or a ready pipeline; what
they do not choose is as the options here say.

Rulings wait sealed (AES-256) in the data folder. A result is erased some minutes after it was delivered whole
(--max-again), so that a download that broke can be repeated, or at once by DELETE. The sealing key is made in that
folder, too, unless --queue-key or the environment variable AEF_QUEUE_KEY gives one (32 bytes in Base64: openssl rand
-base64 32): keep it elsewhere, and a copy of the folder is worth nothing. Folder and keys must be closed to others
(chmod o-rwx, chmod 600). While a worker is at a ruling, it lies in memory alone (where the system has no files in
memory, as a file of the owner's in --work). A worker takes 250 MB, and up to 400 bytes for each byte of a ruling's
text. rights: submit, read, admin (figures)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.decision import add_annotator, add_decision, add_model, add_replacement
    from aef.commands.policy_options import add_policy_name

    _add_place(parser)
    what = parser.add_mutually_exclusive_group()
    add_model(what)
    add_annotator(what)
    add_decision(parser)
    add_replacement(parser)
    add_policy_name(parser)
    _add_limits(parser)
    _add_keys(parser)


def _add_place(parser: argparse.ArgumentParser) -> None:
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
    parser.add_argument("--log", metavar="FILE", help="write the log here (default: standard error)")
    parser.add_argument("--work", metavar="FOLDER", help="where workers put the ruling they are at, see below")
    parser.add_argument("--workers", type=int, metavar="N", help="processes (default: as many as cores)")
    parser.add_argument(
        "--reserved", type=int, default=1, metavar="N", help="further ones for doAnonymization alone (default: 1)"
    )


_LIMITS = {
    "size": ("MB", "of a ruling", 1e6),
    "queued": ("N", "rulings that wait, of all clients", 1),
    "per_client": ("N", "rulings that wait, of one client", 1),
    "time": ("SECONDS", "for one ruling in a worker", 1),
    "memory": ("MB", "for a worker", 1e6),
    "attempts": ("N", "workers that may die of a ruling", 1),
    "outages": ("N", "times that a ruling is begun anew where all is killed or the database is away", 1),
    "wait": ("SECONDS", "that a request waits for its ruling", 1),
    "keep": ("HOURS", "that a result waits to be fetched", 3600),
    "again": ("SECONDS", "that a result can be fetched again once it was delivered", 1),
    "grace": ("SECONDS", "that a stop waits for what is begun", 1),
    "connections": ("N", "connections at a time", 1),
    "per_address": ("N", "connections of one address", 1),
    "header": ("SECONDS", "for the header of a request", 1),
    "stall": ("SECONDS", "for a body or an answer, beyond a second for each 10 kB", 1),
}


def _add_limits(parser: argparse.ArgumentParser) -> None:
    from dataclasses import fields

    from aef.workers.settings import Limits

    group = parser.add_argument_group("limits")
    defaults = {field.name: field.default for field in fields(Limits)}
    for name, (unit, what, factor) in _LIMITS.items():
        default = defaults[name]
        assert isinstance(default, int | float)
        said = f"{what} (default: {default / factor:g})"
        group.add_argument(f"--max-{name.replace('_', '-')}", type=float, metavar=unit, help=said)


def _add_keys(parser: argparse.ArgumentParser) -> None:
    from aef.service.keys import MEANINGS

    keys = parser.add_subparsers(dest="what", metavar="keys", help="'aef serve keys --help': make and remove API keys")
    actions = keys.add_parser("keys").add_subparsers(dest="action", required=True)
    add = actions.add_parser("add", help="make a key and show it, once")
    add.add_argument("name", help="the client; whoever has a key of this name sees its rulings")
    meanings = "; ".join(f"{right}: {meaning}" for right, meaning in MEANINGS.items())
    add.add_argument("--rights", default="submit,read", metavar="LIST", help=f"{meanings} (default: submit,read)")
    remove = actions.add_parser("remove", help="take a key back")
    remove.add_argument("id", help="of the key: the characters behind aef-")
    for action in (add, remove, actions.add_parser("list", help="ids, clients and rights; no keys")):
        for option in ("--data", "--keys"):
            action.add_argument(option, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    if arguments.what == "keys":
        return _keys(arguments)
    settings = _settings(arguments)
    try:
        from aef.service.server import serve
    except ImportError as error:
        raise InputError(
            f"the service needs the package '{error.name}'. Install all it needs: pip install 'aef-anonymizer[service]'"
        ) from error
    serve(settings, lambda address: _greet(address, settings, arguments.quiet))
    return 0


def _greet(address: str, settings: Settings, quiet: bool) -> None:
    """Say where the service is, and at its first start make a key and show it."""
    from aef.commands.common import say
    from aef.corpus_tools.files import write_atomic
    from aef.service import keys
    from aef.service.server import is_loopback

    first = settings.data / "first.key"
    lines = [] if quiet else [f"aef serves on {address} (what it can do: {address}/docs); stop it with Ctrl-C"]
    if settings.auth and not keys.listed(settings.keys):
        token = keys.add(settings.keys, "first")
        if sys.stdout.isatty():
            lines += [f"the first API key, shown this once: {token}"]
        else:  # what is printed may be kept in a journal
            write_atomic(first, f"{token}\n", force=True, private=True)
            lines += [f"the first API key is in {first}: read it, and remove the file"]
    if settings.certificate is None and not is_loopback(settings.host):
        say("without --certificate, rulings and keys pass in clear: put a proxy that speaks HTTPS before it")
    print("\n".join(lines), end="\n" if lines else "", flush=True)


def _keys(arguments: argparse.Namespace) -> int:
    from aef.commands.common import say, table
    from aef.service import keys

    path = Path(arguments.keys or Path(arguments.data) / "keys.json")
    if arguments.action == "add":
        say(f"the key of '{arguments.name}', shown this once:", arguments.quiet)
        print(keys.add(path, arguments.name, [right.strip() for right in arguments.rights.split(",")]))
    elif arguments.action == "remove":
        keys.remove(path, arguments.id)
    else:
        rows = keys.listed(path)
        print(
            table([[r["id"], r["name"], r["rights"], r["created"]] for r in rows], ["id", "client", "rights", "made"])
        )
    return 0


def _settings(arguments: argparse.Namespace) -> Settings:
    """Raises `InputError` for numbers that cannot be."""
    from aef.commands.decision import hiding
    from aef.workers.settings import Settings

    workers = arguments.workers if arguments.workers is not None else os.cpu_count() or 1
    if workers < 1 or arguments.reserved < 0:
        raise InputError(f"{workers} workers and {arguments.reserved} reserved ones: one worker is needed at least")
    if not 0 <= arguments.port <= 65535:
        raise InputError(f"port {arguments.port}: a number up to 65535 is wanted")
    paths = {name: getattr(arguments, name) for name in ("certificate", "private_key", "log", "work")}
    paths |= {"key_file": arguments.queue_key, "keys_file": arguments.keys}
    for name in ("certificate", "private_key", "key_file"):
        if paths[name] is not None and not Path(paths[name]).is_file():
            raise InputError.at(paths[name], "no such file")
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
        **{name: Path(path) for name, path in paths.items() if path is not None},
    )


def _queue(arguments: argparse.Namespace) -> str | None:
    """The URL of the queue: as given, of the file, or of the environment. Raises `InputError`."""
    from aef.commands.common import say
    from aef.service.private import must_be_private
    from aef.workers.settings import QUEUE

    if arguments.queue is not None:
        if re.match(r"[^/]*//[^/@]*:[^/@]+@", arguments.queue):
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
        if value is not None and not 0 < value < float("inf"):
            raise InputError(f"--max-{name.replace('_', '-')} {value:g}: a number above 0 is wanted")
    wanted = {name: value * _LIMITS[name][2] for name, value in given.items() if value is not None}
    whole = {name: round(value) for name, value in wanted.items() if isinstance(getattr(Limits, name), int)}
    return Limits(**{**wanted, **whole})
