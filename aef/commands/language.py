"""``aef language``: the languages there are, a new one's word lists from a corpus, and what a language lacks."""

from __future__ import annotations

import argparse
from pathlib import Path

EPILOG = """examples:
  aef language                                     the languages, and what each of them has
  aef language new xx --from corpus.jsonl          lists induced from a gold corpus, in languages/xx
  aef language check xx                            what is missing, empty, thin or doubtful

A language is a folder of word lists and a gold corpus. 'new' counts out of the corpus what can be counted (frequent
words, words in lower case, abbreviations, titles, months, what stands before names) and lays out the other lists
empty, each with a line that says what it is for: go over all of them, and write what is missing. A line
'< en/towns' takes in another built-in list.

  AEF_LANGUAGES=languages aef language check xx
  AEF_LANGUAGES=languages aef train corpus.jsonl --language xx --target person -o xx-person.aef

AEF_LANGUAGES names the folder in which languages of one's own lie, each in a folder of its code. 'check' exits with 1
where a list is missing that learning needs."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json

    parser.add_argument("what", nargs="?", choices=["list", "new", "check"], default="list", help="default: list")
    parser.add_argument("code", nargs="?", metavar="CODE", help="the language, as ISO 639 has it: pt")
    parser.add_argument("--from", dest="corpora", nargs="+", default=[], metavar="GOLD", help="gold corpora, for new")
    parser.add_argument("-o", "--output", metavar="FOLDER", help="where new writes (default: languages/CODE)")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.errors import InputError

    if arguments.what == "list":
        return _list(arguments)
    if arguments.code is None:
        raise InputError(f"'aef language {arguments.what}' needs the code of a language, such as pt")
    return (_new if arguments.what == "new" else _check)(arguments)


def _list(arguments: argparse.Namespace) -> int:
    from aef import lexicons
    from aef.annotators.spoken import pipelines
    from aef.commands.common import print_json, table
    from aef.corpus_tools.languages import name_of
    from aef.tagging import ready_models as ready

    courts, models = pipelines(), list(ready.models())
    rows = [
        {
            "language": code,
            "name": name_of(code),
            "lists": len(lexicons.load_all(code)),
            "models": ", ".join(name for name in models if name.startswith(f"{code}-")),
            "pipeline": courts.get(code, ""),
        }
        for code in lexicons.languages()
    ]
    if arguments.json:
        print_json(rows)
    else:
        print(table([list(row.values()) for row in rows], list(rows[0])))
    return 0


def _new(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json, say, table
    from aef.corpus_tools.gold.corpora import read_gold
    from aef.errors import InputError
    from aef.learning.language.folder import checked_code, lay_out
    from aef.learning.language.induction import induced

    folder = Path(arguments.output or Path("languages") / checked_code(arguments.code))
    if not arguments.corpora:
        raise InputError("'aef language new' needs a gold corpus. Name one with --from")
    documents = [document for path in arguments.corpora for document in read_gold(path)]
    counts = lay_out(folder, induced(documents), arguments.force)
    if arguments.json:
        print_json({"folder": str(folder), "entries": counts})
        return 0
    print(table([[name, n or "to fill"] for name, n in counts.items()], ["list", "entries"]))
    say(f"{len(documents)} documents -> {folder}; go over the lists, then 'aef language check {arguments.code}'")
    return 0


def _check(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json, say
    from aef.learning.language.folder import check

    findings = check(arguments.code)
    if arguments.json:
        print_json([{"kind": f.kind, "list": f.name, "told": f.told} for f in findings])
    else:
        print("\n".join(map(str, findings)) or f"{arguments.code}: nothing is missing, thin or doubtful")
    bars = [finding.name for finding in findings if finding.bars]
    say(f"nothing can be learned without: {', '.join(bars)}", arguments.quiet or not bars)
    return int(bool(bars))
