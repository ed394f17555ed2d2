"""``aef tag``: rulings -> the mentions to hide."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document

EPILOG = """examples:
  aef tag ruling.docx                                        with the ready-made model
  aef tag ruling.docx --model model.aef                      a list: file, place, type, probability, text
  aef tag *.txt --model model.aef -o tagged.jsonl            a corpus, as 'aef train' and 'aef evaluate' read it
  aef tag gold.jsonl --model model.aef -o out.conll          a corpus in: its own mentions are ignored
  aef tag *.docx -o tasks.json                               for Label Studio; also brat, doccano, spaCy, CoNLL-U Plus
  aef tag *.docx -o roles.json --format psilence             linked, as PSILENCE has it: clusters by role
  cat ruling.txt | aef tag - --model model.aef
  aef tag ruling.txt --annotator court-en                    by a pipeline: model, patterns, lists; see 'aef pipeline'
  aef tag ruling.txt --annotator patterns:common,en          by one annotator alone
  aef tag ruling.txt --model model.aef --preset safe         as another preset of the model decides
  aef tag ruling.txt --model model.aef --cost 20             a miss is worth 20 false alarms

The language of a ruling is told from its text, and decides by which pipeline it is read; --language says it instead.
Offsets are Unicode code points into the text that aef reads from the file. The format follows the output's name, or
--format; see 'aef convert'. Nothing is changed in the rulings: to replace what was found, use 'aef anonymize'."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import CORPUS_FORMATS, READ_RULINGS, add_force
    from aef.commands.decision import add_annotator, add_decision, add_model, add_spoken

    parser.add_argument(
        "files", nargs="+", metavar="FILE", help=f"rulings ({READ_RULINGS}), corpora (.jsonl ...), or -"
    )
    add_model(parser)
    add_annotator(parser)
    parser.add_argument("-o", "--output", default="-", metavar="OUT", help="the file to write (default: -, the screen)")
    parser.add_argument(
        "--format", choices=["list", *CORPUS_FORMATS, "psilence"], help="default: by the output's name, else list"
    )
    add_spoken(parser)
    add_decision(parser)
    parser.add_argument("--no-consistency", action="store_true", help="do not spread a found entity over its document")
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import OWN, progress, say, say_language
    from aef.commands.decision import finding, say_promise

    name = _format(arguments)
    _check_output(arguments, name)
    tagger = finding(arguments).tagger()
    say_promise(tagger, arguments.quiet)
    documents = [d for file in arguments.files for d in _documents(file)]
    tagged = [tagger.tag(d) for d in progress(documents, "tagging", arguments.quiet)]
    say_language(tagged, arguments.quiet)
    if arguments.output == "-":
        print(_text(tagged, name), end="")
        return 0
    _write(tagged, name, arguments)
    found = sum(len(d.mentions) for d in tagged)
    many = f"{len(tagged)} document" + "s" * (len(tagged) != 1)
    say(f"{arguments.output}: {found} mentions in {many}; {OWN}", arguments.quiet)
    return 0


def _documents(file: str) -> Iterator[Document]:
    from aef.corpus_tools.gold.corpora import format_name, is_corpus, iter_jsonl, read_gold
    from aef.corpus_tools.rulings.readers import read

    if not is_corpus(file):
        yield read(file)
    elif format_name(file) == "jsonl":
        yield from iter_jsonl(file, labelled=False)
    else:
        yield from read_gold(file, labelled=False)


_NO_CORPUS = ("list", "psilence")


def _format(arguments: argparse.Namespace) -> str:
    from aef.corpus_tools.gold.corpora import format_name, is_corpus

    if arguments.format:
        return str(arguments.format)
    return format_name(arguments.output) if is_corpus(arguments.output) else "list"


def _check_output(arguments: argparse.Namespace, name: str) -> None:
    """Raise `InputError` for an output that cannot be written, before the work."""
    from aef.corpus_tools.files import must_be_new
    from aef.corpus_tools.gold.corpora import FORMATS, check_target
    from aef.errors import InputError

    if arguments.output == "-":
        if name in ("brat", "spacy"):
            raise InputError(
                f"--format {name} is not for the screen. Name a {'folder' if name == 'brat' else 'file'}: -o"
            )
    elif name in _NO_CORPUS:
        must_be_new([arguments.output], arguments.force)
    else:
        check_target(arguments.output, FORMATS[name], arguments.force)


def _write(documents: Sequence[Document], name: str, arguments: argparse.Namespace) -> None:
    from aef.corpus_tools.files import write_atomic
    from aef.corpus_tools.gold.corpora import FORMATS, write_all

    if name in _NO_CORPUS:
        write_atomic(arguments.output, _text(documents, name), arguments.force, private=True)
    else:
        write_all(FORMATS[name], documents, Path(arguments.output), arguments.force)


def _text(documents: Sequence[Document], name: str) -> str:
    """The documents in a format of text, or a list: document, start, end, type, probability, text a line."""
    if name == "psilence":
        return _psilence(documents)
    if name != "list":
        from aef.corpus_tools.gold.corpora import FORMATS

        return str(FORMATS[name].write(documents))
    return "".join(
        f"{d.doc_id}\t{m.start}\t{m.end}\t{m.entity_type or '-'}\t{m.probability:.2f}\t{' '.join(d.cut(m).split())}\n"
        for d in documents
        for m in d.mentions
    )


def _psilence(documents: Sequence[Document]) -> str:
    """The clusters of the documents by role, their mentions linked; see 'aef link'."""
    import json

    from aef.linking.linker import relink
    from aef.reports.psilence import report

    return json.dumps(report([relink(d) for d in documents]), ensure_ascii=False, indent=2) + "\n"
