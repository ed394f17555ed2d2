"""``aef tag``: rulings -> the mentions to hide."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.anonymization import Tagger
    from aef.corpus_tools.document import Document

EPILOG = """examples:
  aef tag ruling.docx                                        with the ready-made model
  aef tag ruling.docx --model model.aef                      a list: file, place, type, probability, text
  aef tag *.txt --model model.aef -o tagged.jsonl            a corpus, as 'aef train' and 'aef evaluate' read it
  aef tag gold.jsonl --model model.aef -o out.conll          a corpus in: its own mentions are ignored
  cat ruling.txt | aef tag - --model model.aef
  aef tag ruling.txt --annotator court-en                    by a pipeline: model, patterns, lists; see 'aef pipeline'
  aef tag ruling.txt --annotator patterns:common,en          by one annotator alone
  aef tag ruling.txt --model model.aef --preset safe         as another preset of the model decides
  aef tag ruling.txt --model model.aef --cost 20             a miss is worth 20 false alarms

Offsets are Unicode code points into the text that aef reads from the file. The format follows the output's name, or
--format. Nothing is changed in the rulings: to replace what was found, use 'aef anonymize'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force
    from aef.commands.decision import add_decision, add_model

    parser.add_argument("files", nargs="+", metavar="FILE", help="rulings (.docx, .txt), corpora (.jsonl), or -")
    add_model(parser)
    parser.add_argument(
        "--annotator",
        metavar="NAME",
        help="in place of a model: a pipeline (court-en, FILE.toml; court-en:STEP for a step of it), maxent:MODEL, "
        "nome:LANGUAGE, patterns:SET,SET or gazetteer:FILE; see 'aef pipeline'",
    )
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help="the file to write (default: -, the screen)")
    parser.add_argument("--format", choices=["list", "jsonl", "conll"], help="default: by the output's name, else list")
    add_decision(parser)
    parser.add_argument("--no-consistency", action="store_true", help="do not spread a found entity over its document")
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import progress, say
    from aef.corpus_tools.files import must_be_new, write_atomic

    if arguments.output != "-":
        must_be_new([arguments.output], arguments.force)
    tagger = _annotator(arguments) if arguments.annotator else _finder(arguments)
    documents = [d for file in arguments.files for d in _documents(file)]
    tagged = [tagger.tag(d) for d in progress(documents, "tagging", arguments.quiet)]
    text = _write(tagged, _format(arguments))
    if arguments.output == "-":
        print(text, end="")
        return 0
    write_atomic(arguments.output, text, arguments.force)
    found = sum(len(d.mentions) for d in tagged)
    say(f"{arguments.output}: {found} mentions in {len(tagged)} documents", arguments.quiet)
    return 0


def _finder(arguments: argparse.Namespace) -> Tagger:
    from aef.commands.decision import decide, load_model

    finder = load_model(arguments)
    finder.consistency = finder.consistency and not arguments.no_consistency
    decide(finder, arguments)
    return finder


def _annotator(arguments: argparse.Namespace) -> Tagger:
    from aef.annotators import annotator
    from aef.errors import InputError

    for option in ("model", "preset", "threshold", "cost", "no_consistency"):
        if getattr(arguments, option):
            name = f"--{option.replace('_', '-')}"
            raise InputError(f"{name} does not go with --annotator. Set it in a pipeline's file, see 'aef pipeline'")
    return annotator(arguments.annotator)


def _documents(file: str) -> Iterator[Document]:
    from aef.corpus_tools.gold import iter_jsonl
    from aef.corpus_tools.readers import read

    if Path(file).suffix.lower() == ".jsonl":
        yield from iter_jsonl(file, labelled=False)
    else:
        yield read(file)


def _format(arguments: argparse.Namespace) -> str:
    if arguments.format:
        return str(arguments.format)
    return {".jsonl": "jsonl", ".conll": "conll", ".tsv": "conll"}.get(Path(arguments.output).suffix.lower(), "list")


def _write(documents: Sequence[Document], name: str) -> str:
    """The documents in a corpus format, or a list: document, start, end, type, probability, text a line."""
    from aef.corpus_tools.gold import FORMATS

    if name != "list":
        return FORMATS[name].write(documents)
    return "".join(
        f"{d.doc_id}\t{m.start}\t{m.end}\t{m.entity_type or '-'}\t{m.probability:.2f}\t{' '.join(d.cut(m).split())}\n"
        for d in documents
        for m in d.mentions
    )
