"""``aef align``: pairs of rulings (original, anonymized) -> gold corpus and a report for the editor."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.corpus_tools.alignment.run import Alignment

EPILOG = """examples:
  aef align ruling.docx published.docx -o gold.jsonl
  aef align originals/ published/ -o gold.jsonl --report report.html
  aef align originals/ published/ -o gold.conll --fix-missed

Folders are paired by file name without suffix. The gold corpus holds the originals with what was replaced or deleted
as mentions; the report says what the editors missed, which labels do not agree, and what was reworded. Names that an
editor missed stay unlabelled, unless --fix-missed is given."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import CORPUS_FORMATS, READ_RULINGS, add_force, add_json

    parser.add_argument("original", metavar="ORIGINAL", help=f"a ruling ({READ_RULINGS}), or a folder of rulings")
    parser.add_argument("anonymized", metavar="ANONYMIZED", help="its anonymized version, or the folder of them")
    parser.add_argument("-o", "--output", required=True, metavar="GOLD", help="the gold corpus (.jsonl, .conll)")
    parser.add_argument("--format", choices=CORPUS_FORMATS, help="its format (default: as the suffix says)")
    parser.add_argument("--report", metavar="PAGE", help="the report (HTML; default: beside GOLD, .report.html)")
    parser.add_argument("--report-json", metavar="FILE", help="the report as JSON, too")
    parser.add_argument("--fix-missed", action="store_true", help="label the names the editor missed, too")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json, progress, say
    from aef.corpus_tools.alignment.report import report_html, report_json, totals
    from aef.corpus_tools.files import must_be_new, write_atomic
    from aef.corpus_tools.gold.corpora import format_of, write_gold

    gold = Path(arguments.output)
    report = Path(arguments.report or gold.with_suffix(".report.html"))
    outputs = [gold, report, *([Path(arguments.report_json)] if arguments.report_json else [])]
    pairs = pairs_of(Path(arguments.original), Path(arguments.anonymized))
    _must_differ(outputs, [path for pair in pairs for path in pair])
    must_be_new(outputs, arguments.force)
    format_of(gold, arguments.format)
    alignments = [_align(*pair, arguments.fix_missed) for pair in progress(pairs, "align", arguments.quiet)]
    page, record = report_html(alignments), json.dumps(report_json(alignments), ensure_ascii=False, indent=2)
    write_gold([a.document for a in alignments], gold, arguments.force, arguments.format)
    write_atomic(report, page, arguments.force, private=True)
    for path in outputs[2:]:
        write_atomic(path, record + "\n", arguments.force, private=True)
    if arguments.json:
        print_json(totals(alignments))
    else:
        print(summary(alignments))
    say(f"{gold}: the gold corpus; {report}: the report (both hold names, and only you can read them)", arguments.quiet)
    return 0


def summary(alignments: Sequence[Alignment]) -> str:
    """What was aligned and found, in a few lines."""
    from aef.corpus_tools.alignment.report import HEADINGS, totals

    sums = totals(alignments)
    lines = [
        f"{sums['pairs']} {'pair' if sums['pairs'] == 1 else 'pairs'}: {sums['paragraphs_paired']} of "
        f"{sums['paragraphs']} paragraphs paired; {sums['tokens']} tokens, {sums['tokens_a']} of them hidden "
        f"({100 * sums['tokens_a'] / max(1, sums['tokens']):.1f}%), in {sums['mentions']} mentions"
    ]
    lines += [f"  {HEADINGS[kind][0].lower():<30}{number:>6}" for kind, number in sums["findings"].items()]
    return "\n".join(lines)


def pairs_of(original: Path, anonymized: Path) -> list[tuple[Path, Path]]:
    """The pairs of files: the two given, or those of equal names in the two folders."""
    if not original.is_dir() and not anonymized.is_dir():
        return [(original, anonymized)]
    for path, other in ((original, anonymized), (anonymized, original)):
        if not path.is_dir():
            problem = "is not a folder" if path.exists() else "no such folder"
            raise InputError.at(path, problem, remedy=f"Give two files or two folders ({other} is a folder)")
    here, there = _by_name(original), _by_name(anonymized)
    alone = [f"{here[name]} (only in {original})" for name in sorted(here.keys() - there.keys())]
    alone += [f"{there[name]} (only in {anonymized})" for name in sorted(there.keys() - here.keys())]
    if alone:
        raise InputError(f"rulings without a counterpart: {', '.join(alone)}. Give both versions the same name")
    if not here:
        from aef.corpus_tools.rulings.readers import FORMATS

        remedy = f"Rulings are {', '.join(sorted(FORMATS))} files"
        raise InputError.at(original, "holds no rulings", remedy=remedy)
    return [(here[name], there[name]) for name in sorted(here)]


def _by_name(folder: Path) -> dict[str, Path]:
    from aef.corpus_tools.rulings.readers import read_folder

    found: dict[str, Path] = {}
    for path in read_folder(folder):
        if path.stem in found:
            raise InputError.at(folder, f"{path.name} and {found[path.stem].name} have one name")
        found[path.stem] = path
    return found


def _must_differ(outputs: Sequence[Path], inputs: Sequence[Path]) -> None:
    """No output may be another output or one of the rulings."""
    seen = {path.resolve() for path in inputs}
    for path in outputs:
        if path.resolve() in seen:
            raise InputError.at(path, "is read, or written twice", remedy="Name another output")
        seen.add(path.resolve())


def _align(original: Path, anonymized: Path, fix_missed: bool) -> Alignment:
    from aef.corpus_tools.alignment.run import align
    from aef.corpus_tools.rulings.readers import read

    documents = read(original), read(anonymized)
    try:
        return align(*documents, fix_missed)
    except InputError as error:
        raise InputError(f"{original} and {anonymized}: {error}") from error
