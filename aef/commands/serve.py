"""``aef serve``: the service, and its API keys."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.workers.settings import Settings

EPILOG = """examples:
  aef serve                                            on this computer, port 8000; the first start shows an API key
                                                       (where nobody sees it, it is written to first.key)
  aef serve --host 0.0.0.0 --certificate c.pem --private-key k.pem --model ours.aef
  aef serve --queue postgresql+psycopg://aef@db/aef    several services with one queue (they share --queue-key, --keys)
  aef serve keys add registry --rights submit,read     a key for a client; it is shown once
  aef serve keys add batch --rate 60                   a client that hands in 60 rulings a minute at most
  aef serve keys list
  aef serve keys remove 1f2e3d4c
  aef serve keys rotate 1f2e3d4c --overlap 24          a new key for the same client; the old one ends a day later
  aef serve --config aef.toml check                    all settings, where each comes from, and what is wrong with them
  aef serve audit verify                               is the audit log as it was written?
  aef serve backup copy.zip                            queue, keys and audit log, while the service runs; then: restore
  aef serve rotate-key new.key                         seal everything anew, while the service is stopped

  curl -H "Authorization: Bearer $KEY" -F file=@ruling.docx http://127.0.0.1:8000/v1/anonymize -o safe.docx
  curl -H "Authorization: Bearer $KEY" -F file=@ruling.docx http://127.0.0.1:8000/v1/rulings
  curl -H "Authorization: Bearer $KEY" "http://127.0.0.1:8000/v1/rulings/$ID/result?wait=60" -o safe.docx

http://127.0.0.1:8000/docs explains every address: rulings as REST resources, and SAROJ's startAnonymization, getResult,
doAnonymization, checkHealth, getVersion. Clients choose scheme, policy, seed, and a language or a ready pipeline; what
they do not choose is as the options here say.

Every option may stand in a TOML file, too (--config FILE or AEF_SERVE_CONFIG: port = 8443, workers = 2; those of the
limits in a table: [limits], size = 20), or in the environment (AEF_SERVE_PORT, AEF_SERVE_MAX_SIZE). The command line
goes before the environment, that before the file.

Rulings wait sealed (AES-256) in the data folder. A result is erased some minutes after it was delivered whole
(--max-again), so that a download that broke can be repeated, or at once by DELETE. The sealing key is made in that
folder, too, unless --queue-key or the environment variable AEF_QUEUE_KEY gives one (32 bytes in Base64: openssl rand
-base64 32): keep it elsewhere, and a copy of the folder is worth nothing. Folder and keys must be closed to others
(chmod o-rwx, chmod 600). While a worker is at a ruling, it lies in memory alone (where the system has no files in
memory, as a file of the owner's in --work). A worker takes 250 MB, and up to 400 bytes for each byte of a ruling's
text. rights: submit, read, urgent (what a client waits for, and -F priority=interactive, goes before the rest), review
(the editor's page, /edit/, for rulings handed in with -F reviewer=NAME), admin (figures, /status/, draining).
docs/how-to/operation.md tells how to run it, deploy/ has what that takes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.configuration import Options
    from aef.commands.decision import add_annotator, add_decision, add_model, add_policy_name, add_replacement
    from aef.commands.serve_actions import add_actions
    from aef.commands.serve_options import PREFIX, add_limits, add_place, add_sign_in

    add_place(parser)
    what = parser.add_mutually_exclusive_group()
    add_model(what)
    add_annotator(what)
    add_decision(parser)
    add_replacement(parser)
    add_policy_name(parser)
    add_limits(parser)
    add_sign_in(parser)
    parser.set_defaults(options=Options.of(parser, PREFIX, {"limits": "max_", "oidc": "oidc_"}))
    add_actions(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands import serve_actions

    arguments.sources = arguments.options.fill(arguments)
    if arguments.what is not None:
        return serve_actions.run(arguments)
    from aef.commands.serve_options import settings_of

    settings = settings_of(arguments)
    try:
        from aef.service.server import serve
    except ImportError as error:
        raise serve_actions.missing(error) from error
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
