"""``aef link``: which mentions are one person, organisation or thing."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document
    from aef.linking.linker import PersonLinker

EPILOG = """examples:
  aef link ruling.docx --model model.aef                  who is who: each entity with the names that stand for it
  aef link gold.jsonl -o linked.jsonl                     a corpus: its mentions stay, their entity_id is written anew
  aef link gold.jsonl --format psilence -o roles.json     clusters by role: {"clusters": {"WITNESS": [{"Bill_Scott": ...
  aef link gold.jsonl --evaluate                          how well that agrees with the entity_ids it came with
  aef link gold.jsonl --evaluate --model model.aef        end to end: the mentions found by a model
  aef link gold.jsonl --evaluate --distance overlap --threshold 0.45
      the published method instead of ours: agglomerative clustering over a distance of names (overlap, jaccard,
      sorensen, jaro_winkler, name_parts ...: a NAME that is none lists them all)

Ours knows titles, given names and surnames, initials, nicknames, two surnames, shared ones ("Pedro y Juan Pérez") and
misspellings. A name that may be several people's is not guessed: it gets an entity of its own, the people it may be
are listed under it, and in a corpus in 'candidates' beside its entity_id. A mention of two people has an entity of its
own, too, with them as 'members'.

The figures are those of coreference: MUC (a person named once counts as one decision), B3, CEAFe, their mean (CoNLL),
LEA, BLANC; and of clustering: homogeneity, completeness, V-measure, ARI, documents without error. Macro: the mean over
documents; micro: over the corpus as a whole. Persons alone are counted."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import READ_RULINGS, add_force, add_json, add_language

    parser.add_argument("files", nargs="+", metavar="FILE", help=f"rulings ({READ_RULINGS}), corpora (.jsonl), or -")
    parser.add_argument("--model", metavar="MODEL", help="finds the mentions; without it, those of a corpus are linked")
    parser.add_argument("-o", "--output", metavar="OUT", help="write the linked corpus (.jsonl)")
    parser.add_argument("--format", choices=["jsonl", "psilence"], default="jsonl", help="a corpus, or PSILENCE's JSON")
    parser.add_argument("--metadata", metavar="FILE", help="who is who in the case (JSON), for the roles of psilence")
    parser.add_argument("--evaluate", action="store_true", help="compare with the entity_ids of the corpus")
    parser.add_argument("--distance", metavar="NAME", help="cluster by this distance of names instead")
    parser.add_argument("--over", choices=["words", "characters"], help="what the distance compares (default: words)")
    parser.add_argument("--threshold", type=float, metavar="X", help="nearer names are one person (default: 0.45)")
    add_language(parser)
    add_json(parser)
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json, progress
    from aef.corpus_tools.files import must_be_new
    from aef.linking.linker import relink
    from aef.reports.who_is_who import Linked, cluster_table

    linker = _linker(arguments)
    if arguments.format == "psilence":
        return _run_psilence(arguments, linker)
    if arguments.output:
        _must_hold_entities(arguments.output)
        must_be_new([arguments.output], arguments.force)
    given = list(_documents(arguments))
    if arguments.evaluate:
        _must_have_entities(given, arguments.files)
    found = _tagged(given, arguments)
    linked = [relink(d, linker) for d in progress(found, "linking", arguments.quiet)]
    if arguments.output:
        _write(linked, arguments)
    who = Linked(linked)
    if arguments.evaluate:
        result = who.evaluate(given)
        told = {"counts": result.counts, "macro": result.macro, "micro": result.micro}
        print_json(told) if arguments.json else print(cluster_table(result))
    elif arguments.json:
        print_json([{"doc_id": name, "entities": _as_json(found)} for name, found in who.entities()])
    elif not arguments.output:
        print(who)
    return 0


def _as_json(found: dict[str, dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"entity_id": key, **entity} for key, entity in found.items()]


# --- what is linked, and how ----------------------------------------------------------------------------------------


def _run_psilence(arguments: argparse.Namespace, linker: PersonLinker | None) -> int:
    """The clusters by role as PSILENCE has them, to a file or on standard output."""
    import json

    from aef.commands.common import OWN, print_json, say
    from aef.corpus_tools.files import must_be_new, write_atomic
    from aef.linking.linker import relink
    from aef.reports.psilence import report
    from aef.roles.metadata import read_metadata

    if arguments.evaluate:
        raise InputError("--format psilence and --evaluate: one of them at a time")
    must_be_new(filter(None, [arguments.output]), arguments.force)
    metadata = read_metadata(arguments.metadata) if arguments.metadata else ()
    found = report([relink(d, linker) for d in _tagged(list(_documents(arguments)), arguments)], metadata)
    if arguments.output:
        write_atomic(
            arguments.output, json.dumps(found, ensure_ascii=False, indent=2) + "\n", arguments.force, private=True
        )
        say(f"{arguments.output}: who is who; {OWN}", arguments.quiet)
    else:
        print_json(found)
    return 0


def _linker(arguments: argparse.Namespace) -> PersonLinker | None:
    """The published method where a distance is named; None for ours."""
    if arguments.distance is None:
        given = [name for name in ("threshold", "over") if getattr(arguments, name) is not None]
        if given:
            raise InputError(f"--{given[0]} goes with --distance, such as --distance overlap --threshold 0.45")
        return None
    from aef.reports.who_is_who import THRESHOLD, linker_by

    threshold = THRESHOLD if arguments.threshold is None else arguments.threshold
    return linker_by(arguments.distance, arguments.over or "words", threshold)


def _documents(arguments: argparse.Namespace) -> Iterator[Document]:
    from aef.corpus_tools.gold.corpora import is_corpus, read_corpus
    from aef.corpus_tools.rulings.readers import read

    corpora = [file for file in arguments.files if is_corpus(file)]
    if rulings := [file for file in arguments.files if file not in corpora]:
        if arguments.model is None:
            remedy = "Give --model, or a corpus with mentions (.jsonl)"
            raise InputError.at(rulings[0], "nothing says where its names are", remedy=remedy)
        if arguments.evaluate:
            raise InputError.at(rulings[0], "holds no entities to compare with", remedy="Give a corpus (.jsonl)")
    for document in read_corpus(corpora) if corpora else []:
        yield document.in_language(arguments.language)
    yield from map(read, rulings)


def _tagged(documents: Sequence[Document], arguments: argparse.Namespace) -> list[Document]:
    if arguments.model is None:
        return list(documents)
    from aef.tagging.finder import Finder

    return Finder.load(arguments.model).tag_all(documents)


def _must_hold_entities(path: str) -> None:
    from aef.corpus_tools.gold.corpora import format_name

    if format_name(path) == "conll":
        raise InputError.at(path, "this format holds no entities", remedy="Name a .jsonl file")


def _must_have_entities(documents: Iterable[Document], files: Sequence[str]) -> None:
    if not any(m.entity_id for d in documents for m in d.mentions):
        remedy = "Leave out --evaluate, or give a corpus whose mentions have an entity_id"
        raise InputError(f"{', '.join(files)}: no mention has an entity_id to compare with. {remedy}")


def _write(documents: Sequence[Document], arguments: argparse.Namespace) -> None:
    from aef.commands.common import OWN, say
    from aef.corpus_tools.gold.corpora import write_gold
    from aef.linking.linker import unsure

    write_gold(documents, arguments.output, arguments.force)
    mentions = sum(len(d.mentions) for d in documents)
    entities = sum(len({m.entity_id for m in d.mentions}) for d in documents)
    say(f"{arguments.output}: {mentions} mentions of {entities} entities; {OWN}", arguments.quiet)
    if doubtful := sum(len(unsure(d)) for d in documents):
        say(f"  look at: {doubtful} mentions may be several people's ('candidates')", arguments.quiet)
