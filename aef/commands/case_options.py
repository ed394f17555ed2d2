"""Case files and their passphrases: what commands that use them ask."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.replacement.case_file import Case


def add_case(parser: argparse.ArgumentParser, required: bool = False) -> None:
    parser.add_argument(
        "--case", metavar="FILE", required=required, help="the case's secret file: its rulings' labels and originals"
    )
    parser.add_argument(
        "--passphrase-file",
        metavar="FILE",
        help="its first line seals the case file (or: the environment variable AEF_PASSPHRASE)",
    )


def open_case(arguments: argparse.Namespace) -> Case | None:
    """The case asked for; None without one. Raises `InputError` as `aef.replacement.case_file.Case.open` does."""
    if arguments.case is None:
        if arguments.passphrase_file is not None:
            raise InputError("--passphrase-file goes with --case FILE")
        return None
    from aef.replacement.case_file import Case
    from aef.replacement.sealing import read_passphrase

    return Case.open(arguments.case, read_passphrase(arguments.passphrase_file))
