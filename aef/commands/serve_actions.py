"""``aef serve ACTION``: what the operator does beside running the service."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path

from aef.errors import InputError


def add_actions(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="what", metavar="ACTION", help="'aef serve ACTION --help' explains each:")
    check = actions.add_parser("check", help="all settings, where each comes from, and what is wrong with them")
    _add_place(check)
    _add_keys(actions.add_parser("keys", help="make, renew and remove API keys"))


def _add_keys(keys: argparse.ArgumentParser) -> None:
    from aef.service.keys import MEANINGS

    actions = keys.add_subparsers(dest="action", required=True)
    add = actions.add_parser("add", help="make a key and show it, once")
    add.add_argument("name", help="the client; whoever has a key of this name sees its rulings")
    meanings = "; ".join(f"{right}: {meaning}" for right, meaning in MEANINGS.items())
    add.add_argument("--rights", default="submit,read", metavar="LIST", help=f"{meanings} (default: submit,read)")
    rotate = actions.add_parser("rotate", help="make a new key in the place of one, which ends some hours later")
    rotate.add_argument("--overlap", type=float, default=24.0, metavar="HOURS", help="until it ends (default: 24)")
    for action in (add, rotate):
        action.add_argument("--expires", type=float, metavar="DAYS", help="when the new key ends (default: never)")
    remove = actions.add_parser("remove", help="take a key back")
    for action in (rotate, remove):
        action.add_argument("id", help="of the key: the characters behind aef-")
    for action in (add, rotate, remove, actions.add_parser("list", help="ids, clients and rights; no keys")):
        _add_place(action)


def _add_place(action: argparse.ArgumentParser) -> None:
    for option in ("--config", "--data", "--keys"):
        action.add_argument(option, default=argparse.SUPPRESS, help=argparse.SUPPRESS)


def run(arguments: argparse.Namespace) -> int:
    """Do what was asked for."""
    try:
        return _RUN[arguments.what](arguments)
    except ImportError as error:
        raise missing(error) from error


def missing(error: ImportError) -> InputError:
    """What is told where a library of the service is not installed."""
    return InputError(
        f"the service needs the package '{error.name}'. Install all it needs: pip install 'aef-anonymizer[service]'"
    )


def _check(arguments: argparse.Namespace) -> int:
    """Show the settings; exit code 2 where something is wrong with them."""
    from aef.commands.common import say, table
    from aef.commands.serve_options import settings_of
    from aef.service.operation.check import wrong
    from aef.workers.database import shown

    values = {name: getattr(arguments, name) for name in arguments.sources}
    if arguments.queue is not None:
        values["queue"] = shown(arguments.queue)
    rows = [[name, "" if value is None else str(value), arguments.sources[name]] for name, value in values.items()]
    print(table(rows, ["setting", "value", "from"]))
    try:
        problems = list(wrong(settings_of(arguments)))
    except InputError as error:
        problems = [error]
    for problem in problems:
        say(f"aef serve: {problem}")
    say("nothing is wrong with these settings", arguments.quiet or bool(problems))
    return 2 if problems else 0


def _keys(arguments: argparse.Namespace) -> int:
    from aef.commands.common import say, table
    from aef.service import keys
    from aef.workers.settings import Settings

    settings = Settings(Path(arguments.data), keys_file=Path(arguments.keys) if arguments.keys else None)
    if arguments.action == "add":
        say(f"the key of '{arguments.name}', shown this once:", arguments.quiet)
        rights = [right.strip() for right in arguments.rights.split(",")]
        print(keys.add(settings.keys, arguments.name, rights, arguments.expires))
    elif arguments.action == "rotate":
        say("the new key, shown this once:", arguments.quiet)
        print(keys.rotate(settings.keys, arguments.id, arguments.overlap, arguments.expires))
    elif arguments.action == "remove":
        keys.remove(settings.keys, arguments.id)
    else:
        shown = ("id", "name", "rights", "created", "expires", "used")
        rows = [[row[name] for name in shown] for row in keys.listed(settings.keys, settings.used)]
        print(table(rows, ["id", "client", "rights", "made", "ends", "last used"]))
    return 0


_RUN: Mapping[str, Callable[[argparse.Namespace], int]] = {"check": _check, "keys": _keys}
