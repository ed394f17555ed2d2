"""``aef explain``: why a word is hidden, or stays."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.anonymization.explanation import Explainer, WordExplanation
    from aef.anonymization.why import Explanation

EPILOG = """examples:
  aef explain ruling.docx                                      every word that 'aef anonymize' hides
  aef explain ruling.docx --word Millar                        all places where it stands, hidden or not
  aef explain ruling.docx --at 1204                            the word at an offset, as 'aef tag' prints them
  aef explain ruling.docx --model model.aef -o why.html        a page: point at any word (confidential)

It takes what 'aef anonymize' takes, and says of a word what that does: whether it is hidden and by what, which model or
pattern found it, the role of whom it names with its probability and reasons, and what the policy does with that role.

Then what the model looked at. It finds a word when its probability exceeds the threshold. The probability comes from
the log-odds: the intercept plus the weight of each predicate that holds of the word; weights over zero speak for a
name. A model trained with --learner crf also weighs the labels of the whole sentence: that line is called neighbours. A
word may also be found because it repeats one that was found elsewhere in the ruling, which is then named."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import READ_RULINGS, add_force, add_json
    from aef.commands.decision import (
        add_annotator,
        add_decision,
        add_metadata,
        add_model,
        add_policy_name,
        add_replacement,
    )

    parser.add_argument("file", metavar="FILE", help=f"a ruling ({READ_RULINGS}), or -")
    what = parser.add_mutually_exclusive_group()
    add_model(what)
    add_annotator(what)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--at", type=int, metavar="OFFSET", help="the word at this code point of the text")
    which.add_argument("--word", metavar="WORD", help="a word, or several, wherever they stand")
    which.add_argument("--all-mentions", action="store_true", help="all words that are hidden (default)")
    add_decision(parser)
    add_replacement(parser)
    add_policy_name(parser)
    add_metadata(parser)
    parser.add_argument("--top", type=int, default=10, metavar="N", help="predicates to print of a word (default: 10)")
    parser.add_argument("-o", "--output", metavar="PAGE.html", help="write a page with the text instead of printing")
    add_json(parser)
    add_force(parser)


def run(arguments: argparse.Namespace) -> int:
    from aef.anonymization.why import lines
    from aef.commands.common import print_json, say, say_language
    from aef.corpus_tools.files import must_be_new

    must_be_new([arguments.output] if arguments.output else [], arguments.force)
    found = _explanation(arguments)
    say_language([found.explainer.tagged], arguments.quiet)
    if arguments.output:
        _write_page(arguments, found)
    if arguments.json:
        print_json(_json(found.explainer, found.words))
    elif found.tokens and not arguments.output:
        print("\n\n".join("\n".join(lines(e, max(0, arguments.top))) for e in found.words))
    if not found.tokens:
        say(f"{arguments.file}: nothing is hidden; name a word with --word or --at", arguments.quiet)
    return 0


def _explanation(arguments: argparse.Namespace) -> Explanation:
    from aef.anonymization.why import Hiding, explain
    from aef.commands.decision import hiding, say_promise
    from aef.corpus_tools.rulings.readers import read
    from aef.errors import InputError
    from aef.roles.metadata import read_metadata

    recipe = hiding(arguments)
    metadata = read_metadata(arguments.metadata) if arguments.metadata is not None else ()
    document = read(arguments.file)
    anonymizer = recipe.load()
    say_promise(anonymizer.tagger, arguments.quiet)
    decided = Hiding(
        include=recipe.include,
        exclude=recipe.exclude,
        policy=anonymizer.policy,
        metadata=metadata,
        scheme=recipe.scheme,
    )
    asked = arguments.at if arguments.at is not None else arguments.word
    try:
        return explain(document, asked, finder=anonymizer.tagger, **decided)
    except InputError as error:
        raise InputError.at(arguments.file, str(error)) from error


def _write_page(arguments: argparse.Namespace, found: Explanation) -> None:
    from aef.commands.common import say
    from aef.corpus_tools.files import write_atomic

    text, left_out = found.page(_source(arguments, found.explainer))
    write_atomic(arguments.output, text, arguments.force, private=True)
    say(f"{arguments.output}: confidential, it shows the original; only you can read it", arguments.quiet)
    if left_out:
        count = len(found.explainer.tagged.words)
        say(f"{arguments.output}: of {count} words only those hidden or asked for are explained", arguments.quiet)


def _source(arguments: argparse.Namespace, explainer: Explainer) -> str:
    """What was explained, and by what it was tagged."""
    from aef.annotators.pipeline import DEFAULT

    by = arguments.annotator or arguments.model or DEFAULT
    cuts = (f"model {name} with threshold {f.cut_probability:.3f}" for name, f in explainer.finders.items())
    return ", ".join([f"{arguments.file}, tagged by {by}", *cuts])


def _json(explainer: Explainer, explained: Sequence[WordExplanation]) -> dict[str, Any]:
    policy = explainer.wanted.policy
    models = {name: {"target": f.target, "threshold": f.cut_probability} for name, f in explainer.finders.items()}
    return {
        "document": explainer.tagged.doc_id,
        "policy": policy.name if policy is not None else None,
        "models": models,
        "tokens": [_token(e) for e in explained],
    }


def _token(e: WordExplanation) -> dict[str, Any]:
    from aef.commands.common import flat
    from aef.commands.decision import roles_as_json

    decided = roles_as_json([e.decision])[0] if e.decision is not None else None
    return {**flat(e), "decision": decided}
