"""``aef explain``: why a word is hidden, or stays."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.corpus_tools.document import Document
    from aef.evaluation.explanation import TokenExplanation
    from aef.tagging.finder import Finder

EPILOG = """examples:
  aef explain ruling.docx --model model.aef                    every word that is hidden
  aef explain ruling.docx --model model.aef --word Millar      all places where it stands, hidden or not
  aef explain ruling.docx --model model.aef --at 1204          the word at an offset, as 'aef tag' prints them
  aef explain ruling.docx --model model.aef -o why.html        a page: point at any word (confidential)

A word is hidden when its probability exceeds the threshold. The probability comes from the log-odds: the intercept
plus the weight of each predicate that holds of the word; weights over zero speak for hiding it. A model trained with
--learner crf also weighs the labels of the whole sentence: that line is called neighbours. A word may also be hidden
because it repeats one that is hidden elsewhere in the ruling, which is then named."""

_CLICKABLE = 50_000
"""In a text with more tokens only those asked for can be clicked on the page."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json
    from aef.commands.decision import add_decision, add_model

    parser.add_argument("file", metavar="FILE", help="a ruling (.docx, .txt), or -")
    add_model(parser)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--at", type=int, metavar="OFFSET", help="the word at this code point of the text")
    which.add_argument("--word", metavar="WORD", help="a word, or several, wherever they stand")
    which.add_argument("--all-mentions", action="store_true", help="all words that are hidden (default)")
    add_decision(parser)
    parser.add_argument("--top", type=int, default=10, metavar="N", help="predicates to print of a word (default: 10)")
    parser.add_argument("-o", "--output", metavar="PAGE.html", help="write a page with the text instead of printing")
    add_json(parser)
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.commands.common import print_json, say
    from aef.corpus_tools.files import must_be_new
    from aef.corpus_tools.readers import read
    from aef.evaluation.explanation import explain

    must_be_new([arguments.output] if arguments.output else [], arguments.force)
    finder = _finder(arguments)
    tagged = finder.tag(read(arguments.file))
    asked = _asked(arguments, tagged)
    if arguments.output:
        _write_page(arguments, finder, tagged, asked)
    explained = explain(finder, tagged, asked) if arguments.json or not arguments.output else []
    if arguments.json:
        print_json(_json(finder, tagged, explained))
    elif explained:
        print("\n\n".join("\n".join(_lines(e, max(0, arguments.top))) for e in explained))
    if not asked:
        say(f"{arguments.file}: nothing is hidden; name a word with --word or --at", arguments.quiet)
    return 0


def _finder(arguments: argparse.Namespace) -> Finder:
    from aef.commands.decision import decide, load_model

    finder = load_model(arguments)
    decide(finder, arguments)
    return finder


def _asked(arguments: argparse.Namespace, tagged: Document) -> list[int]:
    from aef.errors import InputError
    from aef.evaluation.explanation import tokens_at, tokens_of, tokens_of_mentions

    try:
        if arguments.at is not None:
            return tokens_at(tagged, arguments.at)
        if arguments.word is not None:
            return tokens_of(tagged, arguments.word)
    except InputError as error:
        raise InputError.at(arguments.file, str(error)) from error
    return tokens_of_mentions(tagged)


def _write_page(arguments: argparse.Namespace, finder: Finder, tagged: Document, asked: Sequence[int]) -> None:
    from aef.commands.common import say
    from aef.corpus_tools.files import write_atomic
    from aef.evaluation.explanation import explain, tokens_of_mentions
    from aef.reports.explanation_page import explanation_page

    count = len(tagged.words)
    tokens = range(count) if count <= _CLICKABLE else sorted({*asked, *tokens_of_mentions(tagged)})
    source = f"{arguments.file}, tagged by {arguments.model} with threshold {finder.cut_probability:.3f}"
    text = explanation_page(tagged, explain(finder, tagged, tokens), source, asked[0] if asked else -1)
    write_atomic(arguments.output, text, arguments.force, private=True)
    say(f"{arguments.output}: confidential, it shows the original; only you can read it", arguments.quiet)
    if len(tokens) < count:
        say(f"{arguments.output}: of {count} words only those hidden or asked for are explained", arguments.quiet)


def _json(finder: Finder, tagged: Document, explained: Sequence[TokenExplanation]) -> dict[str, Any]:
    from dataclasses import asdict

    return {
        "document": tagged.doc_id,
        "target": finder.target,
        "threshold": finder.cut_probability,
        "tokens": [asdict(e) for e in explained],
    }


# --- text -----------------------------------------------------------------------------------------------------------


def _lines(e: TokenExplanation, top: int) -> Iterator[str]:
    """A token's table: what was decided, then the weights, their sum, and what the model does not know."""
    rest = e.predicates[top:]
    rows = [(e.intercept, "intercept", "")]
    rows += [(p.weight, _plain(str(p)), p.help) for p in e.predicates[:top]]
    rows += [(sum(p.weight for p in rest), f"{len(rest)} more", "")] if rest else []
    rows += [] if e.neighbours is None else [(e.neighbours, "neighbours", "What the rest of the sentence adds.")]
    width = max(len(name) for _, name, _ in rows)
    yield f"{e.start}-{e.end}  {_plain(e.text)}  {_decision(e)}"
    for weight, name, said in rows:
        yield f"  {weight:+7.2f}  {name:<{width}}  {said}".rstrip()
    model = " (model for heads, tables and notes)" if e.model == "outside" else ""
    yield f"  {e.log_odds:+7.2f}  = log-odds{model}"
    if e.unknown:
        more = f" and {len(e.unknown) - top} more" if len(e.unknown) > top else ""
        yield f"           unknown to the model: {_plain(', '.join(e.unknown[:top]))}{more}"


def _decision(e: TokenExplanation) -> str:
    from aef.evaluation.explanation import REASONS

    what = f"hidden{f' as {e.entity_type}' if e.entity_type else ''}" if e.hidden else "stays"
    reason = f"it repeats {_plain(e.repeats.text)} at {e.repeats.start}-{e.repeats.end}" if e.repeats else ""
    return f"{what}: {reason or REASONS[e.reason]}; probability {e.probability:.3f}, threshold {e.threshold:.3f}"


def _plain(text: str) -> str:
    """On one line, with what a terminal might take for a command replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))
