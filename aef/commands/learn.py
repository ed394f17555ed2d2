"""``aef learn``: what editors corrected -> a model of their court, checked that nothing gets worse."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from aef.errors import InputError

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document
    from aef.corrections import Learned

EPILOG = """examples:
  aef learn reviewed/*.docx -o ours.aef                       review copies that an editor has gone through
  aef learn --pairs originals/ published/ -o ours.aef         rulings and their anonymized versions, by file name
  aef learn --pairs ruling.docx published.docx -o ours.aef
  aef learn *-safe.gold.jsonl -o ours.aef                     rulings finished in 'aef edit'
  aef learn reviewed/*.docx --from ours.aef -o better.aef     go on from a model of yours
  aef anonymize ruling.docx -o safe.docx --model ours.aef     the model in the place of the pipeline's

Review copies come from 'aef anonymize --review'; what an editor types there is seen where changes are tracked. Before
the model is written it is checked, with patterns, roles and policy as 'aef anonymize' has them: on the corrected
rulings, each by a model that has learned from the others, and on rulings that are built in (English). Tried are the
whole way from the old weights to the new, a half, a quarter and an eighth, and what gains most is taken. From five
rulings on it learns roles, too: whom of the people that it finds this court hides. Neither is taken where the gain is
not more than its standard error: then names or roles stay as they were. Never written is what misses more of a kind
than before, in the corrected rulings or in both together, or hides clearly more names wrongly: where all do, the exit
code is 1, unless --even-if-worse, which writes the whole way. What the corrections leave in clear teaches a model of
all names nothing: counsel and judges are names, too."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json

    parser.add_argument("reviewed", nargs="*", metavar="REVIEWED", help="review copies (.docx), gold (.jsonl)")
    parser.add_argument(
        "--pairs", nargs=2, metavar=("ORIGINAL", "ANONYMIZED"), help="two files, or two folders with equal file names"
    )
    parser.add_argument("-o", "--output", required=True, metavar="MODEL", help="the model file to write")
    parser.add_argument(
        "--from", dest="base", metavar="MODEL", help="go on from this model (default: the ready-made one)"
    )
    parser.add_argument("--built-in", type=int, default=24, metavar="N", help="built-in rulings to check on (24)")
    parser.add_argument("--even-if-worse", action="store_true", help="write the model whatever the check says")
    add_force(parser)
    add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.adapt import summary
    from aef.commands.common import bar, print_json, say
    from aef.corpus_tools.files import must_be_new
    from aef.corrections import built_in, learn, steps
    from aef.tagging.finder import Finder

    must_be_new([arguments.output], arguments.force)
    documents = list(_corrected(arguments))
    base = Finder.load(arguments.base)
    known, anchors = built_in(base.language, arguments.built_in)
    with bar(steps(documents, known), "learn and check", arguments.quiet) as tick:
        learned = learn(base, documents, known, anchors, tick)
    written = arguments.even_if_worse or not learned.worse
    if written:
        learned.adapted.finder.save(arguments.output, arguments.force)
    if arguments.json:
        result = {"written": written, "share": learned.share, "roles": learned.roles, "worse": learned.worse}
        print_json({**result, "checks": _json(learned)})
    else:
        print(_tables(learned))
    if len(documents) < 2:
        say("one ruling alone: it cannot be checked on itself; give a second one", arguments.quiet)
    if learned.worse:
        done = "written all the same" if written else "NOT WRITTEN (--even-if-worse writes it all the same)"
        say(f"worse: {'; '.join(learned.worse)}; {done}")
    if written:
        told = [*_far(learned), *[summary(learned.adapted, len(documents))] * bool(learned.share)]
        say(f"{arguments.output}: {'; '.join(told)}", arguments.quiet)
    return int(bool(learned.worse))


def _corrected(arguments: argparse.Namespace) -> Iterator[Document]:
    from aef.commands.align import pairs_of
    from aef.corpus_tools.gold.corpora import read_gold
    from aef.corrections import of_pair, of_review

    if not arguments.reviewed and not arguments.pairs:
        raise InputError("nothing to learn from. Name review copies, gold (.jsonl), or --pairs ORIGINAL ANONYMIZED")
    seen: dict[str, str] = {}
    for path in arguments.reviewed:
        for document in read_gold(path) if path.endswith(".jsonl") else [of_review(path)]:
            if document.doc_id in seen:
                raise InputError(f"{path} and {seen[document.doc_id]} have one name. Rename one, or leave it out")
            seen[document.doc_id] = path
            yield document
    for pair in pairs_of(*map(Path, arguments.pairs)) if arguments.pairs else ():
        yield of_pair(*pair)


def _far(learned: Learned) -> Iterator[str]:
    """How far the model goes from the old one."""
    if learned.roles:
        yield "has learned whom this court hides"
    if not learned.share:
        yield "finds names as the model before: what learning them gains may be chance"
    elif learned.share < 1:
        yield f"{learned.share:.1%} of the way, which gains most"


def _tables(learned: Learned) -> str:
    from dataclasses import astuple

    from aef.commands.common import table

    heads = ["kind", "mentions", "missed before", "after", "words wrongly hidden before", "after"]
    heads += ["names wrongly", "after", "names missed", "after"]
    parts = []
    for name, kinds in learned.checks.items():
        rows = [[*astuple(kind)] for kind in kinds]
        parts.append(f"{name}:\n{table(rows, heads)}")
    return "\n\n".join(parts)


def _json(learned: Learned) -> dict[str, Any]:
    from dataclasses import asdict

    return {name: [asdict(kind) for kind in kinds] for name, kinds in learned.checks.items()}
