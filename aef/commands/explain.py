"""``aef explain``: why a word is hidden, or stays."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from aef.anonymization.explanation import Explainer, WordExplanation
    from aef.evaluation.explanation import TokenExplanation

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

_CLICKABLE = 50_000
"""In a text with more tokens only those asked for can be clicked on the page."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from aef.commands.common import add_force, add_json
    from aef.commands.decision import add_annotator, add_decision, add_model, add_replacement
    from aef.commands.policy_options import add_metadata, add_policy_name

    parser.add_argument("file", metavar="FILE", help="a ruling (.docx, .html, .txt), or -")
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
    from aef.commands.common import print_json, say, say_language
    from aef.corpus_tools.files import must_be_new

    must_be_new([arguments.output] if arguments.output else [], arguments.force)
    explainer = _explainer(arguments)
    say_language([explainer.tagged], arguments.quiet)
    asked = _asked(arguments, explainer)
    if arguments.output:
        _write_page(arguments, explainer, asked)
    explained = explainer.explain(asked) if arguments.json or not arguments.output else []
    if arguments.json:
        print_json(_json(explainer, explained))
    elif explained:
        print("\n\n".join("\n".join(_lines(e, max(0, arguments.top))) for e in explained))
    if not asked:
        say(f"{arguments.file}: nothing is hidden; name a word with --word or --at", arguments.quiet)
    return 0


def _explainer(arguments: argparse.Namespace) -> Explainer:
    from aef.anonymization.explanation import Explainer
    from aef.anonymization.marking import Wanted, in_its_language
    from aef.commands.decision import hiding, say_promise
    from aef.corpus_tools.readers import read
    from aef.roles.metadata import read_metadata

    recipe = hiding(arguments)
    metadata = read_metadata(arguments.metadata) if arguments.metadata is not None else ()
    document = read(arguments.file)
    anonymizer = recipe.load()
    say_promise(anonymizer.tagger, arguments.quiet)
    tagger = in_its_language(anonymizer.tagger, document)
    wanted = Wanted.by(tagger, recipe.include, recipe.exclude, anonymizer.policy, metadata)
    return Explainer(document, tagger, wanted, recipe.scheme)


def _asked(arguments: argparse.Namespace, explainer: Explainer) -> list[int]:
    from aef.errors import InputError
    from aef.evaluation.explanation import tokens_at, tokens_of, tokens_of_mentions

    try:
        if arguments.at is not None:
            return tokens_at(explainer.tagged, arguments.at)
        if arguments.word is not None:
            return tokens_of(explainer.tagged, arguments.word)
    except InputError as error:
        raise InputError.at(arguments.file, str(error)) from error
    return tokens_of_mentions(explainer.shown)


def _write_page(arguments: argparse.Namespace, explainer: Explainer, asked: Sequence[int]) -> None:
    from aef.commands.common import say
    from aef.corpus_tools.files import write_atomic
    from aef.evaluation.explanation import tokens_of_mentions
    from aef.reports.explanation_page import explanation_page

    shown, count = explainer.shown, len(explainer.tagged.words)
    tokens = range(count) if count <= _CLICKABLE else sorted({*asked, *tokens_of_mentions(shown)})
    explained = explainer.explain(tokens)
    by_models = [next(iter(e.models.values()), None) or e.bare() for e in explained]
    said = {e.token: (e.hidden, tuple(e.said())) for e in explained}
    text = explanation_page(shown, by_models, _source(arguments, explainer), asked[0] if asked else -1, said)
    write_atomic(arguments.output, text, arguments.force, private=True)
    say(f"{arguments.output}: confidential, it shows the original; only you can read it", arguments.quiet)
    if len(tokens) < count:
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
    from dataclasses import asdict

    from aef.commands.policy_options import roles_as_json

    decided = roles_as_json([e.decision])[0] if e.decision is not None else None
    return {**asdict(e), "decision": decided}


# --- text -----------------------------------------------------------------------------------------------------------


def _lines(e: WordExplanation, top: int) -> Iterator[str]:
    """What was decided and why, then a table for each model."""
    decision, *reasons = map(_plain, e.said())
    yield f"{e.start}-{e.end}  {_plain(e.text)}  {decision} (paragraph {e.paragraph})"
    yield from (f"  {reason}" for reason in reasons)
    for name, explanation in e.models.items():
        yield f"  model {name} {_plain(_model_said(explanation))}"
        yield from _table(explanation, top)


def _model_said(e: TokenExplanation) -> str:
    """What a model says of a word by itself."""
    from aef.evaluation.explanation import REASONS

    reason = f"it repeats {e.repeats.text} at {e.repeats.start}-{e.repeats.end}" if e.repeats else REASONS[e.reason]
    found = f"finds it{f' as {e.entity_type}' if e.entity_type else ''}" if e.hidden else "does not find it"
    return f"{found}: {reason}; probability {e.probability:.3f}, threshold {e.threshold:.3f}"


def _table(e: TokenExplanation, top: int) -> Iterator[str]:
    """The weights, their sum, and what the model does not know."""
    rest = e.predicates[top:]
    rows = [(e.intercept, "intercept", "")]
    rows += [(p.weight, _plain(str(p)), p.help) for p in e.predicates[:top]]
    rows += [(sum(p.weight for p in rest), f"{len(rest)} more", "")] if rest else []
    rows += [] if e.neighbours is None else [(e.neighbours, "neighbours", "What the rest of the sentence adds.")]
    width = max(len(name) for _, name, _ in rows)
    for weight, name, said in rows:
        yield f"  {weight:+7.2f}  {name:<{width}}  {said}".rstrip()
    model = " (model for heads, tables and notes)" if e.model == "outside" else ""
    yield f"  {e.log_odds:+7.2f}  = log-odds{model}"
    if e.unknown:
        more = f" and {len(e.unknown) - top} more" if len(e.unknown) > top else ""
        yield f"           unknown to the model: {_plain(', '.join(e.unknown[:top]))}{more}"


def _plain(text: str) -> str:
    """On one line, with what a terminal might take for a command replaced."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))
