"""Case files and their passphrases: what commands that use them ask."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.case_file import Case

PASSPHRASE = "AEF_PASSPHRASE"


def add_case(parser: argparse.ArgumentParser, required: bool = False) -> None:
    parser.add_argument(
        "--case", metavar="FILE", required=required, help="the case's secret file: its rulings' labels and originals"
    )
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        help=f"its first line seals the case file (or: the environment variable {PASSPHRASE})",
    )


def open_case(arguments: argparse.Namespace) -> Case | None:
    """The case asked for; None without one. Raises `InputError` as `aef.case_file.Case.open` does."""
    if arguments.case is None:
        if arguments.passphrase_file is not None:
            raise InputError("--passphrase-file goes with --case FILE")
        return None
    from aef.case_file import Case

    return Case.open(arguments.case, _passphrase(arguments.passphrase_file))


def _passphrase(path: str | None) -> str | None:
    if path is None:
        return os.environ.get(PASSPHRASE)
    from aef.corpus_tools.readers import read_text

    return read_text(path).splitlines()[0]
