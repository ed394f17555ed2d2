"""A gold corpus of the size of the AEF thesis's, from the real judgments and novels in the folder of corpora.

``python -m aef.benchmarks.corpus -o FILE [--tokens N] [--data FOLDER]``. In this order: the English judgments of the
Text Anonymization Benchmark (train, dev); its unlabelled judgments, tagged by a finder trained on these; the openings
of the novels of LitBank with the proper names of persons; Spanish and French judgments. What is too little is repeated
from the start under other ids, what is too much is cut off, so that the same folder gives the same corpus.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from aef.corpus_tools.document import Document, Mention, tokenize_documents
from aef.corpus_tools.gold.corpora import read_gold, write_gold
from aef.errors import InputError
from aef.tagging.finder import Finder

DATA = Path(os.environ.get("AEF_DATA", "../shared/data"))
TOKENS = 567_000


def build(data: Path, tokens: int = TOKENS) -> list[Document]:
    """The corpus, ``tokens`` tokens large. Raises `InputError` where the folder of corpora is missing or incomplete."""
    if not data.is_dir():
        raise InputError(f"no corpora in {data}. Name their folder in the environment variable AEF_DATA or with --data")
    return trimmed(_sources(data), tokens)


def _sources(data: Path) -> Iterator[list[Document]]:
    """The documents, source after source."""
    judgments = [d for part in ("train", "dev") for d in read_gold(data / "tab_en" / f"{part}.jsonl")]
    yield judgments
    finder = Finder("thesis", "all").fit(judgments)
    known = {document.doc_id for document in judgments}
    unlabelled = read_gold(data / "tab_en" / "unlabelled.jsonl", labelled=False)
    yield finder.tag_all([document for document in unlabelled if document.doc_id not in known])
    yield novels(data / "litbank")
    for part in ("train", "dev"):
        for folder, start in (("echr_es", "PROCEDIMIENTO"), ("echr_fr", "PROCÉDURE")):
            found = read_gold(data / folder / f"{part}.tsv", document_start=start)
            yield [replace(document, doc_id=f"{folder}-{document.doc_id}") for document in found]


def novels(folder: Path) -> list[Document]:
    """LitBank's novels; their mentions are the proper names of persons (PROP_PER), all to be masked."""
    return [Document.from_text(_text(a.with_suffix(".txt")), a.stem, _persons(_text(a))) for a in _files(folder)]


def _files(folder: Path) -> list[Path]:
    found = sorted(folder.glob("*.ann"))
    if not found:
        raise InputError.at(folder, "holds no .ann files of LitBank")
    return found


def _text(path: Path) -> str:
    with path.open(encoding="utf-8", newline="") as stream:  # offsets count carriage returns
        return stream.read()


def _persons(annotations: str) -> list[Mention]:
    """The spans of brat lines such as ``T1<TAB>PROP_PER 10 17<TAB>Emma``, each once."""
    cells = [line.split("\t") for line in annotations.splitlines()]
    found = [cell[1].split() for cell in cells if cell[0].startswith("T") and cell[1].startswith("PROP_PER")]
    spans = sorted({(int(words[1]), int(words[-1])) for words in found})
    return [Mention(start, end, "PERSON", "DIRECT") for start, end in spans]


def trimmed(sources: Iterator[list[Document]] | Sequence[list[Document]], tokens: int) -> list[Document]:
    """Just so many tokens: from the sources, then from the start again; the last document is cut."""
    taken: list[Document] = []
    left = tokens
    for document in _with_repeats(sources):
        tokenize_documents([document])
        if len(document.words) >= left:
            return [*taken, _cut(document, left)]
        taken.append(document)
        left -= len(document.words)
    raise InputError("the corpora hold no token")


def _with_repeats(sources: Iterator[list[Document]] | Sequence[list[Document]]) -> Iterator[Document]:
    once: list[Document] = []
    for documents in sources:
        once += documents
        yield from documents
    number = 2
    while once and any(document.words for document in once):
        yield from repeated(once, number)
        number += 1


def repeated(documents: Sequence[Document], number: int) -> list[Document]:
    """The same documents under other ids."""
    return [replace(document, doc_id=f"{document.doc_id}#{number}") for document in documents]


def _cut(document: Document, tokens: int) -> Document:
    """The first tokens of a document; what is cut off takes its mentions along."""
    end = int(document.tokens.ends[tokens - 1])
    kept = [m for m in document.mentions if m.end <= end]
    blocks = tuple(replace(b, end=min(b.end, end)) for b in document.blocks if b.start < end)
    return Document(document.text[:end], document.doc_id, blocks, tuple(kept), document.meta)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m aef.benchmarks.corpus", description=__doc__)
    parser.add_argument("-o", "--output", required=True, metavar="FILE", help="where to write it (.jsonl)")
    parser.add_argument("--tokens", type=int, default=TOKENS, help=f"size (default: {TOKENS})")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder of corpora (default: AEF_DATA)")
    parser.add_argument("--force", action="store_true", help="overwrite the output where it exists")
    given = parser.parse_args(arguments)
    try:
        if given.tokens < 1:
            raise InputError(f"--tokens {given.tokens}: a corpus has at least 1")
        documents = build(given.data, given.tokens)
        write_gold(documents, given.output, given.force)
    except InputError as error:
        print(f"aef.benchmarks.corpus: {error}", file=sys.stderr)
        return 2
    print(f"{given.output}: {len(documents)} documents, {sum(len(d.words) for d in documents)} tokens", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
