"""``aef nome``: the term list of the capitalization baseline, for an editor or for comparison."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from aef.commands.common import OWN, add_force, add_json, add_language, say
from aef.errors import InputError

if TYPE_CHECKING:
    from aef.annotators.nome import Term

EPILOG = """\
NOME lists what may be a proper name: two or more capitalized words in sequence, and whatever follows a title. It knows
no context, so the list is long: the editor keeps what must be hidden. A single name without a title, and a name in
capitals, escape it. 'aef tag' finds those too.

examples:
  aef nome ruling.docx                      print the list: occurrences, term, proposed replacement
  aef nome ruling.docx -o terms.csv         write it as a table for a spreadsheet, with the places of each term
  aef nome ruling.txt --json                print it as JSON
  aef nome ruling.docx --no-titles          how much is found by capitals alone?
  aef nome ruling.docx --lists my-lists     with your own word lists
  aef nome arret.docx --language fr         a ruling in French

A '!' marks replacements that two different terms share: give one of them a number (S.R.1, S.R.2).

A folder of lists holds text files, one entry a line, lines that begin with '#' ignored:
  nome_exclusion.add.txt    never listed, in addition to the built-in list (without '.add': in its place)
  nome_inclusion.add.txt    always listed: 'Deep Cove' is listed itself; an entry without a capital, such as 'born',
                            lists the date that follows it
  nome_title.add.txt        titles; what follows one is a name
For instance, to keep counsel out of the list:
  mkdir my-lists && echo "Bond" > my-lists/nome_exclusion.add.txt
"""

_LISTS = ("nome_inclusion", "nome_exclusion", "nome_title", "common_words", "month_names")
_HEADER = ("occurrences", "term", "replacement", "clash")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a ruling (DOCX or TXT; - reads text from standard input)")
    parser.add_argument("-o", "--output", metavar="OUT", help="write the list to OUT: .csv, .json or .txt")
    add_language(parser)
    parser.add_argument("--lists", metavar="FOLDER", help="a folder with your own word lists")
    parser.add_argument("--no-titles", action="store_true", help="list no name because of a title before it")
    add_json(parser)
    add_force(parser)


def run(args: argparse.Namespace) -> int:
    """Print or write the term list. Raises `InputError` for bad input, before anything is written."""
    from aef.annotators.nome import Nome
    from aef.corpus_tools.files import must_be_new, write_atomic
    from aef.corpus_tools.rulings.readers import read

    _check_output(args.output)
    must_be_new([args.output] if args.output else [], args.force)
    nome = Nome(use_titles=not args.no_titles, language=args.language, folder=_checked_lists(args.lists))
    terms = nome.terms(read(args.file))
    if args.output:
        write_atomic(args.output, _FORMATS[Path(args.output).suffix.lower()](terms), args.force, private=True)
    if args.json:
        print(_as_json(terms), end="")
    elif not args.output:
        print(_as_table(terms), end="")
    say(_summary(terms) + (f" -> {args.output}; {OWN}" if args.output else ""), args.quiet)
    return 0


def _check_output(output: str | None) -> None:
    if output and Path(output).suffix.lower() not in _FORMATS:
        raise InputError.at(output, "is no known kind of list", remedy="Name it .csv, .json or .txt")


def _checked_lists(folder: str | None) -> str | None:
    """The folder, where it holds at least one list that is used here."""
    if folder and Path(folder).is_dir():
        found = sorted(path.name for path in Path(folder).glob("*.txt"))
        if found and not any(name.removesuffix(".txt").removesuffix(".add") in _LISTS for name in found):
            names = ", ".join(f"{name}.txt" for name in _LISTS)
            raise InputError.at(
                folder, f"holds no list used here, only {', '.join(found[:5])}", remedy=f"Used: {names}"
            )
    return folder


def _summary(terms: Sequence[Term]) -> str:
    clashes = sum(term.clash for term in terms)
    total = sum(term.occurrences for term in terms)
    return f"{len(terms)} terms, {total} occurrences" + (f", {clashes} terms with a clash (!)" if clashes else "")


def _as_table(terms: Sequence[Term]) -> str:
    width = max([len(term.term) for term in terms] + [4])
    rows = [(str(t.occurrences), t.term, t.replacement, "!" if t.clash else "") for t in terms]
    lines = [_HEADER, ("-" * 11, "-" * width, "-" * 11, "-" * 5), *rows]
    return "".join(f"{n:>11}  {term:<{width}}  {new:<11}  {clash}".rstrip() + "\n" for n, term, new, clash in lines)


def _as_csv(terms: Sequence[Term]) -> str:
    """With a byte order mark, which spreadsheets need to see UTF-8."""
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([*_HEADER, "places"])
    for t in terms:
        places = " ".join(f"{start}-{end}" for start, end in t.places)
        writer.writerow([t.occurrences, t.term, t.replacement, "!" if t.clash else "", places])
    return "\ufeff" + out.getvalue()


def _as_json(terms: Sequence[Term]) -> str:
    return json.dumps([asdict(term) for term in terms], ensure_ascii=False, indent=2) + "\n"


_FORMATS = {".csv": _as_csv, ".json": _as_json, ".txt": _as_table}
