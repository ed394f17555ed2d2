"""``aef serve ACTION``: what the operator does beside running the service."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.workers.settings import Settings


def add_actions(parser: argparse.ArgumentParser) -> None:
    actions = parser.add_subparsers(dest="what", metavar="ACTION", help="'aef serve ACTION --help' explains each:")
    check = actions.add_parser("check", help="all settings, where each comes from, and what is wrong with them")
    _add_place(check)
    _add_keys(actions.add_parser("keys", help="make, renew and remove API keys"))
    _add_audit(actions.add_parser("audit", help="verify the audit log"))
    _add_copies(actions)


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
    add.add_argument("--rate", type=float, metavar="N", help="rulings a minute by it (default: as --max-rate)")
    remove = actions.add_parser("remove", help="take a key back")
    for action in (rotate, remove):
        action.add_argument("id", help="of the key: the characters behind aef-")
    for action in (add, rotate, remove, actions.add_parser("list", help="ids, clients and rights; no keys")):
        _add_place(action)


def _add_audit(audit: argparse.ArgumentParser) -> None:
    verify = audit.add_subparsers(dest="action", required=True).add_parser(
        "verify", help="is every line as it was written? exit code 1 where one is not; prints the last line's hash"
    )
    verify.add_argument("--known", metavar="HASH", help="of a line that was there: the last one of an earlier look")
    _add_place(verify)


def _add_copies(actions: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    said = {
        "backup": "write a copy of queue, keys and audit log (not of the sealing key), while the service runs or not",
        "restore": "bring such a copy back into a new data folder",
        "rotate-key": "seal everything with a new key, while the service does not run",
    }
    for name, help_text in said.items():
        action = actions.add_parser(name, help=help_text)
        action.add_argument(
            "file", metavar="FILE", help="the new key, to be made" if name == "rotate-key" else "the copy"
        )
        if name != "rotate-key":
            action.add_argument("--cases", metavar="FOLDER", help="of case files, which are copied, too")
        _add_place(action)


def _add_place(action: argparse.ArgumentParser) -> None:
    for option in ("--config", "--data", "--keys", "--queue", "--queue-file", "--queue-key"):
        action.add_argument(option, default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    action.add_argument("--quiet", action="store_true", default=argparse.SUPPRESS, help=argparse.SUPPRESS)


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
        print(token := keys.add(settings.keys, arguments.name, rights, arguments.expires, arguments.rate))
        _record(settings, "key_added", of=arguments.name, id=token.split("-")[1], rights=",".join(rights))
    elif arguments.action == "rotate":
        say("the new key, shown this once:", arguments.quiet)
        print(token := keys.rotate(settings.keys, arguments.id, arguments.overlap, arguments.expires))
        _record(settings, "key_rotated", id=arguments.id, new=token.split("-")[1])
    elif arguments.action == "remove":
        keys.remove(settings.keys, arguments.id)
        _record(settings, "key_removed", id=arguments.id)
    else:
        shown = ("id", "name", "rights", "rate", "created", "expires", "used")
        rows = [[row[name] for name in shown] for row in keys.listed(settings.keys, settings.used)]
        print(table(rows, ["id", "client", "rights", "a minute", "made", "ends", "last used"]))
    return 0


def _audit(arguments: argparse.Namespace) -> int:
    from aef.commands.common import say
    from aef.workers.audit import verified

    folder = Path(arguments.data) / "audit"
    if not folder.is_dir():
        raise InputError.at(folder, "no such folder", remedy="Name the service's data folder: --data")
    try:
        number, last = verified(folder, arguments.known)
    except InputError as broken:
        say(f"aef serve: {broken}")
        return 1
    say(f"{number} lines are as they were written; the hash of the last one:", arguments.quiet)
    print(last)
    return 0


def _copied(arguments: argparse.Namespace) -> int:
    from aef.commands.common import say
    from aef.commands.serve_options import settings_of
    from aef.service.operation.backup import back_up, restore

    how, what = (back_up, "backed_up") if arguments.what == "backup" else (restore, "restored")
    settings = settings_of(arguments)
    counts = how(settings, Path(arguments.file), Path(arguments.cases) if arguments.cases else None)
    _record(settings, what)
    say(f"{arguments.file}: " + ", ".join(f"{number} {name}" for name, number in counts.items()), arguments.quiet)
    return 0


def _rotate(arguments: argparse.Namespace) -> int:
    from aef.commands.common import say
    from aef.commands.serve_options import settings_of
    from aef.service.operation.sealing import reseal
    from aef.service.server import alone

    settings = settings_of(arguments)
    with alone(settings.data):
        number = reseal(settings, Path(arguments.file))
    _record(settings, "sealed_anew")
    said = f"{number} contents are sealed with {arguments.file}. Start the service with --queue-key {arguments.file}"
    say(f"{said}, and destroy the old key", arguments.quiet)
    return 0


def _record(settings: Settings, what: str, **more: str) -> None:
    """Write a deed of whoever sits at the command line."""
    import getpass

    from aef.workers.audit import ORIGIN, Audit, NotRecorded, Origin

    ORIGIN.set(Origin(f"operator {getpass.getuser()}", address="command line"))
    try:
        Audit(settings.audit).write(what, **more)
    except NotRecorded as error:
        remedy = "It is done, but for its line there: see that this folder can be written"
        raise InputError.at(settings.audit, "cannot be written", remedy=remedy) from error


_RUN: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "audit": _audit,
    "backup": _copied,
    "check": _check,
    "keys": _keys,
    "restore": _copied,
    "rotate-key": _rotate,
}
