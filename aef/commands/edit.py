"""``aef edit``: rulings, and questions in the browser -> the same rulings, safe to publish."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.editing.web.desk import Ruling

EPILOG = """examples:
  aef edit ruling.docx                       asks what is doubtful, the most useful question first; one key an answer
  aef edit case/*.docx -o safe/
  aef edit ruling.docx --model ours.aef --scheme letters --no-browser

The page opens in the browser. It is served to this computer alone (127.0.0.1), under a key that works once; it loads
nothing from elsewhere, and ends after --idle minutes without a request, or with Ctrl-C. Every answer decides the rest
of the ruling anew, and is saved at once beside the ruling, in .RULING.aefedit: places only, no words, for its owner
alone. The next 'aef edit' goes on there; --anew begins anew.

Finishing checks the ruling as 'aef anonymize' does and writes RULING-safe beside it, or into -o; where a hidden name is
left nothing is written, and the page shows the place. Beside it stand RULING-safe.key.json, who is who and who decided
it, and RULING-safe.gold.jsonl, what was hidden and what not, for 'aef learn *-safe.gold.jsonl -o ours.aef': both
hold the names, so keep them secret."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.decision import add_annotator, add_decision, add_model, add_policy_name

    parser.add_argument("rulings", nargs="+", metavar="RULING", help="DOCX, HTML or TXT")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="where the safe files go (default: beside rulings)")
    what = parser.add_mutually_exclusive_group()
    add_model(what)
    add_annotator(what)
    add_decision(parser)
    add_policy_name(parser)
    parser.add_argument("--scheme", default="initials", metavar="NAME", help="the labels (default: initials)")
    parser.add_argument("--anew", action="store_true", help="forget the answers that were saved")
    parser.add_argument("--port", type=int, default=0, metavar="N", help="(default: one that is free)")
    parser.add_argument("--idle", type=float, default=60, metavar="MINUTES", help="end after (default: 60)")
    parser.add_argument("--no-browser", action="store_true", help="print the address, open nothing")


def run(arguments: argparse.Namespace) -> int:
    try:
        from aef.editing.web.desk import Desk
        from aef.editing.web.server import serve
    except ImportError as error:
        raise InputError(
            f"the page needs the package '{error.name}'. Install all it needs: pip install 'aef-anonymizer[service]'"
        ) from error
    if not arguments.idle > 0 or not 0 <= arguments.port <= 65535:
        raise InputError("--idle is a number of minutes above 0, and --port a number up to 65535")
    mask = os.umask(0o077)  # what is written is the owner's alone
    try:
        desk = Desk(_opened(arguments))
        serve(desk, arguments.port, 60 * arguments.idle, lambda address: _greet(address, arguments))
    finally:
        os.umask(mask)
    return 0


def _opened(arguments: argparse.Namespace) -> list[Ruling]:
    """The rulings asked for, with what was told of them before. Raises `InputError`."""
    from aef.commands.common import progress
    from aef.commands.decision import finding
    from aef.corpus_tools.rulings.readers import READ_ONLY
    from aef.replacement.schemes import resolve
    from aef.roles.policy import load_policy

    paths = [Path(name) for name in arguments.rulings]
    if twice := {p.name for p in paths if [q.name for q in paths].count(p.name) > 1 and arguments.output}:
        raise InputError(f"two rulings are called '{min(twice)}': they cannot both be written into {arguments.output}")
    resolve(arguments.scheme)
    policy = load_policy(arguments.policy) if arguments.policy else None
    tagger = finding(arguments).tagger()
    found = []
    for path in progress(paths, "rulings", arguments.quiet):
        from aef.editing.saving import resume, save_path
        from aef.editing.session import Session
        from aef.editing.web.desk import GOLD, Ruling

        session = Session(path, tagger, policy, scheme=arguments.scheme)
        if not arguments.anew:
            resume(session, save_path(path))
        folder = Path(arguments.output) if arguments.output else path.parent
        suffix = ".txt" if path.suffix.lower() in READ_ONLY else path.suffix
        target = folder / f"{path.stem}-safe{suffix}"
        found.append(Ruling(session, target, folder / f"{path.stem}{GOLD}", target.with_suffix(".key.json")))
    return found


def _greet(address: str, arguments: argparse.Namespace) -> None:
    print(address, flush=True)
    if not arguments.quiet:
        from aef.commands.common import say

        say("aef edit: the address works once, in one browser; stop with Ctrl-C. Answers are saved as you give them.")
    if not arguments.no_browser:
        import webbrowser

        webbrowser.open(address)
