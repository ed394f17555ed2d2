"""``aef convert``: gold corpora from one format into another."""

from __future__ import annotations

import argparse

EPILOG = """examples:
  aef convert gold.jsonl -o brat/ --format brat          a text and an .ann file for each document
  aef convert brat/ -o gold.jsonl                        and back
  aef convert gold.jsonl -o tasks.json                   Label Studio: tasks with annotations, or predictions
  aef convert export.json admin.jsonl -o train.spacy     what Label Studio and doccano export, for 'spacy train'
  aef convert iula.tsv -o gold.jsonl --document-start PROCEDIMIENTO

formats, by the suffix or by name:
  jsonl        .jsonl .ndjson          a document a line: doc_id, text, mentions (the product's own)
  conll        .conll .tsv .bio        a token and its BIO tag a line; comments keep the rest
  conllup      .conllup .conllu        CoNLL-U Plus: columns AEF:NE, AEF:ENTITY, AEF:IDENTIFIER, offsets in MISC
  brat         .ann, or a folder       stand-off: .ann beside .txt; no further data and no parts of documents
  doccano      .doccano.jsonl          also seen by its keys in a .jsonl file
  labelstudio  .json                   JSON and JSON-MIN; <Labels name="label" toName="text">
  spacy        .spacy                  DocBin; needs spaCy (pip install 'aef-anonymizer[spacy]')

All keep texts, offsets and types. What a tool has no place for (entities, identifier types, probabilities, further
data) stands where the tool leaves it alone: in comments, notes, metadata. What a format cannot hold at all is said. The
same formats are read by 'aef train', 'aef evaluate' and all other commands that take a gold corpus."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import CORPUS_FORMATS, add_force

    parser.add_argument("corpora", nargs="+", metavar="IN", help="gold corpora, or folders of brat's files")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="the file to write; for brat a folder")
    parser.add_argument("--format", choices=CORPUS_FORMATS, help="of the output (default: by its suffix)")
    parser.add_argument("--from", dest="source", choices=CORPUS_FORMATS, help="of the input (default: by its suffix)")
    parser.add_argument(
        "--document-start",
        action="append",
        default=[],
        metavar="WORD",
        help="begins a document in a CoNLL file "
        "that does not mark them (default: the heading in capitals that the file begins with, wherever it comes again)",
    )
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import OWN, say
    from aef.corpus_tools.gold.corpora import check_target, format_of, losses, read_corpus, write_gold

    chosen = format_of(arguments.output, arguments.format)
    check_target(arguments.output, chosen, arguments.force)
    starts = arguments.document_start
    documents = read_corpus(arguments.corpora, arguments.source, labelled=False, document_start=starts)
    write_gold(documents, arguments.output, arguments.force, arguments.format)
    mentions = sum(len(document.mentions) for document in documents)
    say(f"{arguments.output}: {mentions} mentions in {len(documents)} documents; {OWN}", arguments.quiet)
    for lost in losses(documents, chosen):
        say(f"  not kept, for this format cannot hold it: {lost}", arguments.quiet)
    return 0
