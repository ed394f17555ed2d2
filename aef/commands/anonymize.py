"""``aef anonymize``: rulings -> the same rulings, safe to publish."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.anonymization import Result
    from aef.corpus_tools.document import Document

EPILOG = """examples:
  aef anonymize ruling.docx -o safe.docx --model model.aef
  aef anonymize rulings/*.docx -o safe/ --model model.aef --scheme labels
  aef anonymize ruling.docx -o safe.docx --model model.aef --include hide.txt --exclude keep.txt
  aef anonymize ruling.docx -o safe.docx --gold reviewed.jsonl      the mentions given there, without a model

Formatting stays as it is. Authors, comments' authors, tracked deletions and properties that hold a hidden name are
taken out. Where a hidden name can still be read outside the text (a chart, an embedded file), nothing is written
and the exit code is 1. The lists are text files, a phrase a line. Schemes: initials (W.M., M.[...] Ltd., [...]),
labels (AA, BB), counters (PERSON_1), omission ([...]). The key says who is who: keep it from the published ruling."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json
    from aef.commands.decision import add_decision

    parser.add_argument("files", nargs="+", metavar="FILE", help="rulings (.docx, .txt; - for text on standard input)")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="a file, or a folder for several rulings")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--model", metavar="MODEL", help="the model that finds what to hide")
    what.add_argument("--gold", metavar="FILE", help="a gold corpus with the mentions to hide, by doc_id")
    add_decision(parser)
    parser.add_argument("--scheme", default="initials", metavar="NAME", help="initials, labels, counters, omission")
    parser.add_argument("--include", metavar="LIST", help="phrases that are always hidden")
    parser.add_argument("--exclude", metavar="LIST", help="phrases that are never hidden")
    parser.add_argument("--key", metavar="FILE", help="write who is who (JSON) to this file")
    parser.add_argument(
        "--allow-remaining", action="store_true", help="write even where a name remains outside the text"
    )
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.anonymization import anonymize
    from aef.commands.common import print_json, progress, say
    from aef.corpus_tools.files import must_be_new, write_atomic

    targets = _targets(arguments.files, arguments.output)
    must_be_new([*targets, *filter(None, [arguments.key])], arguments.force)
    include, exclude = _phrases(arguments.include), _phrases(arguments.exclude)
    marks = _marks(arguments)
    keys, figures = [], []
    for file, target in zip(progress(arguments.files, "anonymize", arguments.quiet), targets, strict=True):
        result = anonymize(
            file,
            target,
            **marks[file],
            include=include,
            exclude=exclude,
            scheme=arguments.scheme,
            force=arguments.force,
            allow_remaining=arguments.allow_remaining,
        )
        keys.append({"ruling": str(target), "scheme": arguments.scheme, "people": result.people})
        figures.append({"ruling": file, "output": str(target), "written": result.written, **_figures(result)})
        say(_summary(file, target, result), arguments.quiet and not result.remaining)
    if arguments.key:
        write_atomic(arguments.key, json.dumps(keys, ensure_ascii=False, indent=2) + "\n", arguments.force)
    if arguments.json:
        print_json(figures)
    return int(any(f["remaining"] for f in figures))


def _targets(files: Sequence[str], output: str) -> list[Path]:
    """Where each ruling goes. Raises `InputError` where two would go to one place."""
    folder = Path(output)
    if len(files) == 1 and not folder.is_dir() and not output.endswith(("/", "\\")):
        return [folder]
    if folder.is_file():
        raise InputError.at(folder, "is a file", remedy="Name a folder for several rulings")
    targets = [folder / ("stdin.txt" if file == "-" else Path(file).name) for file in files]
    twice = sorted({t.name for t in targets if targets.count(t) > 1})
    if twice:
        raise InputError(f"several rulings have one name: {', '.join(twice)}. Anonymize them into different folders")
    return targets


def _phrases(path: str | None) -> list[str]:
    """The phrases of a list: one a line, # begins a comment."""
    if path is None:
        return []
    from aef.corpus_tools.readers import read_text

    lines = (line.strip() for line in read_text(path).splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def _marks(arguments: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """What says what to hide, for each file. All files are read once here, so that a bad one stops all."""
    from aef.corpus_tools.readers import read

    documents = {file: read(file) for file in arguments.files if file != "-"}
    if arguments.model is not None:
        from aef.commands.decision import decide
        from aef.finder import Finder

        finder = Finder.load(arguments.model)
        decide(finder, arguments)
        return {file: {"finder": finder} for file in arguments.files}
    return _gold_marks(arguments.files, documents, arguments.gold)


def _gold_marks(files: Sequence[str], documents: Mapping[str, Document], gold: str) -> dict[str, dict[str, Any]]:
    from aef.anonymization import given
    from aef.corpus_tools.gold import read_gold

    corpus = {document.doc_id: document for document in read_gold(gold)}
    marks: dict[str, dict[str, Any]] = {}
    for file in files:
        name = documents[file].doc_id if file in documents else "stdin"
        if name not in corpus:
            raise InputError.at(
                gold, f"has no document '{name}'", remedy="A ruling's doc_id is its file name without suffix"
            )
        if file in documents:
            given(documents[file], corpus[name])
        marks[file] = {"mentions": corpus[name]}
    return marks


def _figures(result: Result) -> dict[str, Any]:
    return {**result.counts, "remaining": result.remaining, "in_clear": result.in_clear}


def _summary(file: str, target: Path, result: Result) -> str:
    counts = result.counts
    lines = [
        f"{file}: {_many(counts['replacements'], 'replacement')} ({_many(counts['persons'], 'person')}, "
        f"{_many(counts['organisations'], 'organisation')}, {counts['other']} other)"
        + (f" -> {target}" if result.written else "")
    ]
    if result.in_clear:
        where = ", ".join(f"{part} {number}" for part, number in result.in_clear.items())
        lines.append(f"  look at: words of hidden names still stand in the text ({where})")
    if result.remaining:
        done = "written all the same" if result.written else "NOT WRITTEN (--allow-remaining writes it all the same)"
        lines.append(f"  warning: hidden names can still be read in: {', '.join(result.remaining)}; {done}")
    return "\n".join(lines)


def _many(number: int, what: str) -> str:
    return f"{number} {what}" + ("s" if number != 1 else "")
