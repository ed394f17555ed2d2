"""``aef demo``: the whole story on the built-in sample rulings."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document

EPILOG = """examples:
  aef demo                     into the folder aef-demo
  aef demo -o somewhere --force

What it does, and how to do each step on rulings of your own:
  1. align twelve pairs of rulings          aef align originals/ anonymized/ -o gold.jsonl
  2. cross-validate, beside NOME            aef evaluate gold.jsonl --cv 5
  3. train on eleven of them                aef train gold.jsonl -o model.aef
  4. anonymize the twelfth                  aef anonymize ruling.docx -o safe.docx --model model.aef"""

FOLDS = 3
LEFT = {
    "alignment.html": "what the editors did, and what they missed: open it in a browser",
    "gold.jsonl": "the gold corpus that came of the alignment",
    "model.aef": "the model",
    "anonymized.docx": "the last ruling, anonymized by a model that has not seen it",
}
"""What the demo leaves in its folder, besides the pairs of rulings."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force

    parser.add_argument("-o", "--output", default="aef-demo", metavar="FOLDER", help="default: aef-demo")
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.corpus_tools.gold.corpora import write_gold

    def tell(text: str) -> None:
        if not arguments.quiet:
            print(text, flush=True)

    folder, began = Path(arguments.output), time.perf_counter()
    files = {name: folder / name for name in LEFT}
    pairs = _pairs(folder, files, arguments.force)
    tell(f"1. {len(pairs)} pairs of rulings in {folder}/original and {folder}/anonymized, aligned:\n")
    gold, summary = _align(pairs, files["alignment.html"], arguments.quiet)
    write_gold(gold, files["gold.jsonl"], force=True)
    tell(f"{summary}\n\n2. {FOLDS}-fold cross-validation over the rulings, everything that is hidden (percent):\n")
    tell(_compare(gold, arguments.quiet))
    ruling = pairs[-1][0]
    tell(f"\n3. Learned from the other {len(gold) - 1} rulings; 4. anonymized {ruling.name}:\n")
    tell(_anonymize(gold, ruling, files))
    tell(f"\nIn {folder}/, after {time.perf_counter() - began:.0f} seconds:")
    tell("\n".join(f"  {name:<16} {what}" for name, what in LEFT.items()))
    return 0


def _pairs(folder: Path, files: dict[str, Path], force: bool) -> list[tuple[Path, Path]]:
    """The sample pairs, written to the folder; nothing is where the folder holds something already."""
    from aef.corpus_tools.files import must_be_new
    from aef.corpus_tools.samples import built_in, write_pairs
    from aef.errors import InputError

    if not force and folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        remedy = f"Type 'aef demo -o {folder}-2' for a new folder, or 'aef demo --force' to write it again"
        raise InputError.at(folder, "is not empty", remedy=remedy)
    must_be_new(files.values(), force)
    return write_pairs(folder, built_in(), force=force)


def _align(pairs: list[tuple[Path, Path]], page: Path, quiet: bool) -> tuple[list[Document], str]:
    from aef.commands.align import summary
    from aef.commands.common import progress
    from aef.corpus_tools.alignment.report import report_html
    from aef.corpus_tools.alignment.run import align
    from aef.corpus_tools.files import write_atomic
    from aef.corpus_tools.rulings.readers import read

    alignments = [align(read(a), read(b), fix_missed=True) for a, b in progress(pairs, "aligning", quiet)]
    write_atomic(page, report_html(alignments), force=True, private=True)
    return [alignment.document for alignment in alignments], summary(alignments)


def _compare(gold: list[Document], quiet: bool) -> str:
    from aef.annotators.nome import Nome
    from aef.commands.common import progress, table
    from aef.evaluation.figures import evaluate
    from aef.evaluation.folds import cross_validate
    from aef.tagging.finder import Finder

    systems: dict[str, Any] = {
        "NOME": Nome,
        "MaxEnt, the thesis's nine features": lambda: Finder("nine"),
        "MaxEnt, all the thesis's features": lambda: Finder("thesis"),
        "MaxEnt, the rich features": Finder,
    }
    rows = []
    for name, factory in progress(list(systems.items()), "cross-validating", quiet):
        micro = evaluate(gold, cross_validate(factory, gold, FOLDS), "all", bootstrap=0).micro
        rows.append([name, *(100 * micro[key] for key in ("precision", "recall", "f1", "f2", "entity_recall"))])
    return table(rows, ["system", "precision", "recall", "F1", "F2", "entities whole"])


def _anonymize(gold: list[Document], ruling: Path, files: dict[str, Path]) -> str:
    """Train on all rulings but the last, hide what must be hidden in that one, and count what was missed."""
    from aef.anonymization import anonymize
    from aef.evaluation.figures import evaluate
    from aef.tagging.finder import Finder

    finder = Finder().fit(gold[:-1])
    finder.save(files["model.aef"], force=True)
    result = anonymize(ruling, files["anonymized.docx"], finder=finder, force=True)
    micro = evaluate(gold[-1:], [finder.tag(gold[-1])], "all", bootstrap=0).micro
    return (
        f"   {len(result.edits)} replacements; of the tokens to hide {100 * micro['recall']:.1f}% found, "
        f"of the tokens hidden {100 * micro['precision']:.1f}% rightly"
    )
