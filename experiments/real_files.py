"""Real judgments as Word files: is each written, is anybody to hide left in any part of it, and what does it take?

``python -m aef.experiments.real_files [--unseen FOLDER] [--annotator court-en] [--each] [--plot FILE]``. Every DOCX
among the judgments that are marked by hand (`aef.experiments.real_gold`) is anonymized as ``aef anonymize`` does, by
models that have not seen it, or by those that the pipeline names. ``refused``: the reader, or the verification, would
not have it written. ``parties``: natural parties and children; ``gone``: those of whom no form stands in any part of
the output, nor in an attribute or the name of a part. A single word counts where the gold corpus has it for nobody
else, and the judgment never in small letters. ``seconds``: of processor time, reading, finding, writing and verifying
together.

The search shares nothing with the product's own verification: it reads the archive's parts and takes their tags off.
"""

from __future__ import annotations

import argparse
import io
import time
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lxml import etree

from aef.annotators.pipeline import Pipeline, load
from aef.anonymization import Result, anonymize
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document
from aef.corpus_tools.files import write_atomic
from aef.corpus_tools.tokenization.chunks import WORDS
from aef.errors import InputError
from aef.experiments.data import add_data, run_study
from aef.experiments.real import of_folds
from aef.experiments.real_gold import gold
from aef.roles.policy import Policy

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class File:
    """What became of a judgment: ``left`` are the parts in which each party that is not gone still stands."""

    name: str
    tokens: int = 0
    replacements: int = 0
    seconds: float = 0.0
    refused: str = ""
    parties: int = 0
    left: tuple[tuple[str, ...], ...] = ()

    @property
    def gone(self) -> int:
        return self.parties - len(self.left)


def parts(content: bytes) -> Iterator[tuple[str, str]]:
    """The names of an archive's parts of text, each with all its text: of elements, of paragraphs, where nothing parts
    the runs, of attributes, and the name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in archive.namelist():
            if name.endswith((".xml", ".rels")):
                root = etree.fromstring(archive.read(name), etree.XMLParser(resolve_entities=False))
                paragraphs = ("".join(paragraph.itertext()) for paragraph in root.iter("{*}p"))
                values = (value for element in root.iter() for value in element.attrib.values())
                yield name, " ".join((*root.itertext(), *paragraphs, *values, name))


def forms(document: Document) -> dict[str, set[tuple[str, ...]]]:
    """The names of each natural party and child to hide that tell of nobody else, as words."""
    others = {word for m in document.mentions if not m.masked for word in WORDS.findall(document.cut(m))}
    ordinary = others.union(word.capitalize() for word in WORDS.findall(document.text) if word.islower())
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for mention in document.mentions:
        if mention.masked and mention.extra["role"] in ("party", "child"):
            words = tuple(WORDS.findall(document.cut(mention)))
            if len(words) > 1 or (words and len(words[0]) > 1 and words[0] not in ordinary):
                found[mention.entity_id or ""].add(words)
    return found


def left(document: Document, content: bytes) -> Iterator[tuple[str, ...]]:
    """For each party who is not gone from a file, the parts in which the party stands."""
    texts = {name: f" {' '.join(WORDS.findall(text))} " for name, text in parts(content)}
    for names in forms(document).values():
        shown = [name for name, text in texts.items() if any(f" {' '.join(words)} " in text for words in names)]
        if shown:
            yield tuple(shown)


def file_of(document: Document, tagger: Pipeline, policy: Policy | None = None) -> File:
    """What becomes of a judgment; nothing is written."""
    name, begun = document.doc_id[:40], time.process_time()
    try:
        result: Result = anonymize(document.meta["path"], finder=tagger, policy=policy)
    except InputError as error:
        return File(name, refused=str(error))
    seconds = time.process_time() - begun
    refused = f"{len(result.remaining)} places" if result.remaining else ""
    parties = len(forms(document))
    return File(
        name, result.tokens, len(result.edits), seconds, refused, parties, tuple(left(document, result.content))
    )


def files_of(data: Path, annotator: str, folder: Path | None) -> Iterator[File]:
    """All of them; by models that have not seen them, kept in the folder, where there is one."""
    if folder is None:
        tagger = load(annotator)
        yield from (file_of(d, tagger) for d in progress(_of_word(gold(data)), "judgments"))
    else:
        for fold, tagger, policy in of_folds(data, annotator, folder):
            yield from (file_of(d, tagger, policy) for d in progress(_of_word(fold.real), f"fold {fold.number}"))


def _of_word(documents: Iterable[Document]) -> list[Document]:
    return [d for d in documents if str(d.meta["path"]).endswith(".docx")]


HEADER = ["judgment", "tokens", "replacements", "seconds", "tokens/s", "refused", "parties", "gone", "left in"]


def row(file: File) -> list[object]:
    speed = file.tokens / file.seconds if file.seconds else float("nan")
    where = ", ".join(sorted({part for places in file.left for part in places}))
    return [
        file.name,
        file.tokens,
        file.replacements,
        file.seconds,
        speed,
        file.refused,
        file.parties,
        file.gone,
        where,
    ]


def total(files: list[File]) -> list[object]:
    """The row of all files; what is refused counts no parties."""
    tokens, seconds = sum(f.tokens for f in files), sum(f.seconds for f in files)
    refused = sum(bool(f.refused) for f in files)
    counts = [sum(f.replacements for f in files), seconds, tokens / seconds if seconds else float("nan")]
    return [
        f"all {len(files)}",
        tokens,
        *counts,
        refused,
        sum(f.parties for f in files),
        sum(f.gone for f in files),
        "",
    ]


def picture(files: list[File]) -> Figure:
    """Processor time against tokens, larger points for more replacements."""
    from matplotlib.figure import Figure

    figure = Figure((7, 4.5), layout="constrained")
    axes = figure.subplots()
    dots = axes.scatter(
        [f.tokens / 1000 for f in files],
        [f.seconds for f in files],
        s=[10 + f.replacements / 5 for f in files],
        alpha=0.6,
    )
    axes.legend(*dots.legend_elements("sizes", num=4, func=_replacements), title="replacements")
    axes.set(xlabel="thousand tokens", ylabel="seconds of processor time", title="aef anonymize, real judgments (DOCX)")
    axes.grid(alpha=0.3)
    return figure


def _replacements(area: Any) -> Any:
    """How many replacements a point of this area stands for."""
    return 5 * (area - 10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_data(parser, "judgments")
    parser.add_argument("--annotator", default="court-en", metavar="NAME", help="a pipeline (default: court-en)")
    parser.add_argument("--unseen", type=Path, metavar="FOLDER", help="by models that have not seen them, kept here")
    parser.add_argument("--each", action="store_true", help="a line for each judgment, too")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw time against tokens (.png, .svg); overwrites")
    chosen = parser.parse_args()
    files = list(files_of(chosen.data, chosen.annotator, chosen.unseen))
    told = files if chosen.each else [f for f in files if f.refused or f.left]
    print(table([*map(row, told), total(files)], HEADER))
    if chosen.plot:
        image = io.BytesIO()
        picture(files).savefig(image, format=chosen.plot.suffix.lstrip(".") or "png")
        write_atomic(chosen.plot, image.getvalue(), force=True)


if __name__ == "__main__":
    run_study(main)
