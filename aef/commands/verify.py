"""``aef verify``: does a name that was hidden survive anywhere in a published file?"""

from __future__ import annotations

import argparse

from aef.errors import InputError

EPILOG = """examples:
  aef verify ruling.docx safe.docx                      what the output hides is found by comparing the two
  aef verify ruling.docx safe.docx --names parties.txt  these names, one a line, and the words of each

For files from any tool: DOCX (also the files inside it), HTML, TXT. Searched are the text, attributes, properties,
links, field codes, comments, names of parts, pictures' metadata and what stands between a package's entries, in
every spelling and with what formatting parts joined. Exit code 1 where a name is left, and where both files show the
same text; the place is named, and the paragraph, or the line of a text."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_json

    parser.add_argument("original", metavar="ORIGINAL", help="the ruling as it came in")
    parser.add_argument("output", metavar="OUTPUT", help="the ruling as it is to be published")
    parser.add_argument("--names", metavar="FILE", help="the names that must not be left, one a line")
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import flat, print_json, say
    from aef.corpus_tools.files import read_bytes
    from aef.verification.between import left_between
    from aef.verification.search import Sought, shown_text, verify

    original, output = (read_bytes(path) for path in (arguments.original, arguments.output))
    try:
        if arguments.names:
            names = _listed(arguments.names)
            findings = verify(output, Sought.of([*names, *_words(names)]), arguments.output)
        else:
            names, findings = left_between(original, output, arguments.output)
        same = shown_text(original, arguments.original) == shown_text(output, arguments.output)
    except ValueError as error:
        raise InputError(f"{arguments.output} beside {arguments.original}: {error}") from error
    if arguments.json:
        print_json({"names": len(names), "same_text": same, "findings": [flat(f) for f in findings]})
    for finding in findings if not arguments.json else ():
        print(f"{finding}: {finding.name}" + (f", {finding.times} times" if finding.times > 1 else ""))
    say(f"{len(names)} names and words sought, {len(findings)} left", arguments.quiet)
    if same:
        say(f"{arguments.output}: shows the same text as {arguments.original}: nothing in it is anonymized")
    return int(same or bool(findings))


def _listed(path: str) -> list[str]:
    from aef.corpus_tools.files import read_bytes

    lines = read_bytes(path).decode("utf-8-sig", "replace").splitlines()
    names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    if not names:
        raise InputError.at(path, "lists no name", remedy="Write one a line")
    return names


def _words(names: list[str]) -> list[str]:
    from aef.verification.search import words_of

    return [word for name in names for word in words_of(name)]
