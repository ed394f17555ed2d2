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
    from aef.replacement.case_file import Case
    from aef.roles.metadata import Known

EPILOG = """examples:
  aef anonymize ruling.docx -o safe.docx                            with the ready-made model
  aef anonymize ruling.docx -o safe.docx --model model.aef
  aef anonymize ruling.docx -o safe.docx --annotator court-en       by a pipeline: model, patterns, lists (aef pipeline)
  aef anonymize rulings/*.docx -o safe/ --model model.aef --scheme letters
  aef anonymize rulings/*.docx -o safe/ --scheme pseudonyms --case green.aefcase
  aef anonymize ruling.docx -o safe.docx --model model.aef --include hide.txt --exclude keep.txt
  aef anonymize ruling.docx -o safe.docx --gold reviewed.jsonl      the mentions given there, without a model
  aef anonymize ruling.docx -o safe.docx --review review.docx       and a copy to accept or reject in Word (aef apply)
  aef anonymize ruling.docx -o safe.docx --model en-person --policy lexum --metadata case.json --roles

Formatting stays as it is. Tracked changes are accepted; names are replaced in every place of the file, and what cannot
be looked into (embedded files, macros, custom XML ...) is taken out. The output is verified before it gets its name
(see aef verify): where a hidden name is left, nothing is written and the exit code is 1. The lists are text files, a
phrase a line; what is on both is hidden, and so are names of hidden people inside of a longer phrase of --exclude.
The key says who is who: keep it from the published ruling.

A policy says who of the people found is hidden, by their roles: lexum (parties, children, relatives and witnesses),
psilence (witnesses), uruguay (names of all but office holders), all, or a TOML file of one's own (extends = "lexum").
The metadata of a case are a JSON object of lists: parties, children, relatives, witnesses, judges, lawyers, experts,
officials, authors, arbitrators, tribunal_members, firms; or the same as TOML (case.toml). They tell nicknames and who
is who: {"name": "Robert Hale", "also": ["Skip"]}, in TOML [[parties]] with name = "Robert Hale" and also = ["Skip"].
Who is named there is looked for in the whole ruling, and all names of one entry have one label.

Where --policy is not given, a pipeline has what its file says (court-en: lexum); a gold corpus has decided already.

The language of each ruling is told from its text, and the ruling is read by the pipeline of that (court-es, court-fr;
'aef language' lists them); --language says it instead. Where nothing finds names in a language, the ruling is refused.
A paragraph that quotes another language is read by the pipeline of that. English, Spanish and French have a model that
tells people's roles: elsewhere everybody is hidden but those whom words around the name call judge, counsel and so on.

A model of your own (--model) takes the place of the model in the pipeline of its language: patterns, roles and policy
stay. What a model finds that has learned what is hidden (train --target all or person) is hidden whatever the
pipeline's policy says; --policy decides anew. The model alone: --annotator maxent:MODEL.

schemes (default: initials):
{schemes}

A case file (--case) makes the rulings of one case call everybody the same, and 'aef restore' get the originals back
with it. It is secret: it is written for its owner alone, and sealed under a passphrase where one is given, in a file
(--passphrase-file) or in the environment variable AEF_PASSPHRASE."""


def registered() -> dict[str, str]:
    """What the help lists."""
    from aef.commands.common import first_lines, listing
    from aef.replacement.schemes import SCHEMES

    return {"schemes": listing(first_lines(SCHEMES))}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.case_options import add_case
    from aef.commands.common import RULINGS, add_force, add_json
    from aef.commands.decision import (
        add_annotator,
        add_decision,
        add_metadata,
        add_model,
        add_policy_name,
        add_replacement,
        add_spoken,
    )

    parser.add_argument("files", nargs="+", metavar="FILE", help=f"rulings ({RULINGS}; - is text on standard input)")
    parser.add_argument("-o", "--output", required=True, metavar="OUT", help="a file, or a folder for several rulings")
    what = parser.add_mutually_exclusive_group()
    add_model(what)
    add_annotator(what)
    what.add_argument("--gold", metavar="FILE", help="a gold corpus with the mentions to hide, by doc_id")
    add_spoken(parser)
    add_decision(parser)
    add_replacement(parser)
    add_case(parser)
    add_policy_name(parser)
    add_metadata(parser)
    parser.add_argument("--roles", action="store_true", help="list everybody's role, what is done, and what tells it")
    parser.add_argument("--key", metavar="FILE", help="write who is who (JSON) to this file")
    parser.add_argument(
        "--review", metavar="COPY", help="write a DOCX (or a folder of them) with every replacement to accept or reject"
    )
    parser.add_argument("--allow-remaining", action="store_true", help="write even where the verification finds a name")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.case_options import open_case
    from aef.commands.common import OWN, print_json, progress, say, tell
    from aef.commands.decision import hiding, roles_as_json, roles_listing, say_promise
    from aef.corpus_tools.files import must_be_new, write_atomic
    from aef.replacement.schemes import resolve

    targets = _targets(arguments.files, arguments.output)
    must_be_new([*targets, *filter(None, [arguments.key])], arguments.force)
    recipe = hiding(arguments)
    scheme = resolve(recipe.scheme)
    metadata = _metadata(arguments)
    case = open_case(arguments)
    _must_be_apart(arguments, targets)
    marks = _marks(arguments)
    anonymize = recipe.load(tagger=arguments.gold is None)
    say_promise(anonymize.tagger, arguments.quiet)
    if case is not None:
        _hear(case, arguments.files)
    rename = targets != [Path(arguments.output)]  # into a folder: the names of the files are ours to choose
    keys, figures = [], []
    written: list[Path] = []
    for file, target in zip(progress(arguments.files, "anonymize", arguments.quiet), targets, strict=True):
        result = anonymize(
            file,
            target,
            mentions=marks.get(file),
            case=case,
            force=arguments.force,
            allow_remaining=arguments.allow_remaining,
            taken=[*(t for t in targets if t != target), *written] if rename else None,
            metadata=metadata,
            review=f"{arguments.review}/" if arguments.review and rename else arguments.review,
        )
        target = result.target or target
        written.append(target)
        keys.append({"ruling": str(target), "scheme": scheme, "people": result.people})
        figures.append({"ruling": file, "output": str(target), "written": result.written, **_figures(result)})
        if arguments.roles:
            figures[-1]["roles"] = roles_as_json(result.decisions)
            if not arguments.json:
                tell(roles_listing(file, result.decisions))
        say(_summary(file, target, result), arguments.quiet and not result.remaining)
    if arguments.key:
        write_atomic(
            arguments.key, json.dumps(keys, ensure_ascii=False, indent=2) + "\n", arguments.force, private=True
        )
        say(f"{arguments.key}: who is who; {OWN}", arguments.quiet)
    if arguments.case:
        say(f"{arguments.case}: the case file; {OWN}", arguments.quiet)
    if arguments.json:
        print_json(figures)
    return int(any(f["remaining"] for f in figures))


def _metadata(arguments: argparse.Namespace) -> Sequence[Known]:
    """Who is who in the case. Raises `InputError` where it is wrong, or would have no effect."""
    from aef.roles.metadata import read_metadata

    metadata = read_metadata(arguments.metadata) if arguments.metadata is not None else ()
    if arguments.policy is None and arguments.gold is not None and (metadata or arguments.roles):
        given = "--metadata" if metadata else "--roles"
        raise InputError(f"{given}: a gold corpus has decided already. Give --policy to decide anew, such as lexum")
    return metadata


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


def _must_be_apart(arguments: argparse.Namespace, targets: Sequence[Path]) -> None:
    """Raise `InputError` where the case file would be written over another output, or another over it."""
    outputs = [*targets, *map(Path, filter(None, [arguments.key, arguments.review]))]
    if arguments.case and Path(arguments.case).resolve() in [path.resolve() for path in outputs]:
        raise InputError.at(arguments.case, "is the case file and an output", remedy="Name another output")


def _hear(case: Case, files: Sequence[str]) -> None:
    """Have the case know the words of all files before the first label is given, so that none is a word of a later
    file."""
    from aef.corpus_tools.rulings.readers import read

    for file in files:
        if file != "-":
            case.hear(read(file).text)


def _marks(arguments: argparse.Namespace) -> dict[str, Document]:
    """What a gold corpus says to hide in each file. Several files are read once here, so that a bad one stops all."""
    from aef.corpus_tools.rulings.readers import read

    if len(arguments.files) == 1 and arguments.gold is None:
        return {}
    documents = {file: read(file) for file in arguments.files if file != "-"}
    return _gold_marks(arguments.files, documents, arguments.gold) if arguments.gold is not None else {}


def _gold_marks(files: Sequence[str], documents: Mapping[str, Document], gold: str) -> dict[str, Document]:
    from aef.anonymization import given
    from aef.corpus_tools.gold.corpora import read_gold

    corpus = {document.doc_id: document for document in read_gold(gold)}
    marks: dict[str, Document] = {}
    for file in files:
        name = documents[file].doc_id if file in documents else "stdin"
        if name not in corpus:
            raise InputError.at(
                gold, f"has no document '{name}'", remedy="A ruling's doc_id is its file name without suffix"
            )
        if file in documents:
            given(documents[file], corpus[name])
        marks[file] = corpus[name]
    return marks


def _figures(result: Result) -> dict[str, Any]:
    from aef.commands.common import flat

    listed: dict[str, Sequence[Any]] = {
        "asked": result.asked,
        "findings": result.findings,
        "clashes": result.clashes,
        "in_clear": result.in_clear,
        "unsure": result.unsure,
    }
    told = {key: [flat(one) for one in values] for key, values in listed.items()}
    further = {"remaining": result.remaining, "dropped": result.dropped}
    language = {"language": result.language, "read_as": result.read_as}
    return {**result.counts, **told, **further, **language}


def _summary(file: str, target: Path, result: Result) -> str:
    from aef.commands.common import OTHER_LANGUAGE, OWN, still_there
    from aef.corpus_tools.languages import name_of

    counts, told = result.counts, result.read_as not in ("", "en")
    lines = [
        f"{file}: {_many(counts['replacements'], 'replacement')} ({_many(counts['persons'], 'person')}, "
        f"{_many(counts['organisations'], 'organisation')}, {counts['other']} other)"
        + (f" -> {target}" if result.written else "")
        + (f"; read as {name_of(result.read_as)}" if told else "")
        + (f"; for review, not for publication: {result.review} ({OWN})" if result.written and result.review else "")
    ]
    lines += [f"  look at: it {result.language}; {OTHER_LANGUAGE}"] if result.language else []
    lines += [f"  look at: {one}" for one in result.in_clear]
    lines += _looks(result)
    if result.dropped:
        lines.append(f"  taken out of the file: {', '.join(result.dropped)}")
    if result.remaining:
        done = "written all the same" if result.written else "NOT WRITTEN (--allow-remaining writes it all the same)"
        places = still_there(result.remaining, result.findings)
        lines.append(f"  warning: hidden names can still be read in: {places}; {done}")
    return "\n".join(lines)


_SHOWN = 7


def _looks(result: Result) -> list[str]:
    """What somebody has to look at among the labels."""
    either = [doubt for doubt in result.unsure if doubt.candidates]
    lines = [f"  look at: {doubt}" for doubt in either[:_SHOWN]]
    if len(either) > _SHOWN:
        lines.append(f"  look at: {len(either) - _SHOWN} more names that may be several people's (--json lists them)")
    return [*lines, *(f"  look at: {one}" for one in (*result.asked, *result.clashes))]


def _many(number: int, what: str) -> str:
    return f"{number} {what}" + ("s" if number != 1 else "")
