"""``aef restore``: an anonymized ruling and the file of its case -> the original."""

from __future__ import annotations

import argparse

EPILOG = """examples:
  aef restore safe.txt -o original.txt --case green.aefcase
  AEF_PASSPHRASE=... aef restore safe.docx -o original.docx --case green.aefcase

The ruling has to be the one that 'aef anonymize --case' wrote. A text file comes back byte for byte. So does a DOCX
where the case file has a passphrase: its bytes are kept in it. Without one, the text of a DOCX comes back; what was
taken out beside it (authors, properties, tracked deletions, the formatting inside a replaced stretch) does not.
The original is written for its owner alone (mode 0600)."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.case_options import add_case
    from aef.commands.common import add_force

    parser.add_argument("file", metavar="ANONYMIZED", help="the ruling that was published (.docx, .txt)")
    parser.add_argument("-o", "--output", required=True, metavar="ORIGINAL", help="where the original goes")
    add_case(parser, required=True)
    parser.add_argument("--ruling", metavar="NAME", help="the original's file name, where several became one text")
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.case_options import open_case
    from aef.commands.common import OWN, say
    from aef.errors import InputError
    from aef.replacement.restoration import restore

    case = open_case(arguments)
    if case is None or not case.path.exists():
        raise InputError.at(arguments.case, "no such file", remedy="Name the case file the ruling was anonymized with")
    restored = restore(arguments.file, arguments.output, case, ruling=arguments.ruling, force=arguments.force)
    how = "byte for byte" if restored.exact else "its text; authors, properties and tracked deletions are not kept"
    say(f"{arguments.file} -> {arguments.output} ({restored.name}, {how}); {OWN}", arguments.quiet)
    return 0
