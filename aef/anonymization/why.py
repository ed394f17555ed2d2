"""Why words are hidden or stay, from a ruling to text, table, page and picture: what ``aef explain`` does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from aef.anonymization.explanation import Explainer, WordExplanation
from aef.anonymization.marking import Tagger, Wanted, in_its_language
from aef.anonymization.run import default_tagger
from aef.corpus_tools.document import Document
from aef.corpus_tools.rulings.readers import read
from aef.errors import InputError
from aef.evaluation.explanation import REASONS, TokenExplanation, tokens_at, tokens_of, tokens_of_mentions
from aef.roles.metadata import Known
from aef.roles.policy import Policy

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

_CLICKABLE = 50_000
"""In a text with more tokens only those asked for can be clicked on the page."""


class Explanation:
    """The words of a ruling that were asked for, each with the reasons why it is hidden or stays.

    tokens : their numbers in the document. explainer : what explains every other word of the ruling, too.
    """

    def __init__(self, explainer: Explainer, tokens: Sequence[int]) -> None:
        self.explainer = explainer
        self.tokens = tokens

    @cached_property
    def words(self) -> list[WordExplanation]:
        """A word each, in the order of the text."""
        return self.explainer.explain(self.tokens)

    def __str__(self) -> str:
        """What the command prints."""
        return "\n\n".join("\n".join(lines(word)) for word in self.words)

    def to_frame(self) -> DataFrame:
        """A row a word: place, whether it is hidden, what stands there, why, and who found it."""
        from pandas import DataFrame

        told = ("text", "start", "end", "hidden", "replacement", "why")
        return DataFrame(
            {
                **{name: getattr(word, name) for name in told},
                "paragraph": word.places.paragraphs[0],
                "found": "; ".join(map(str, word.found)),
                **{f"probability {name}": model.probability for name, model in word.models.items()},
            }
            for word in self.words
        )

    def plot(self, number: int = 0, top: int = 12) -> Figure:
        """What spoke for and against a name, of the word with this number among ``words``, as a figure of matplotlib.

        Raises `InputError` where no model looked at that word.
        """
        from aef.evaluation.plots import of_weights

        models = [model for word in self.words[number : number + 1] for model in word.models.values()]
        if not models:
            raise InputError(f"no model looked at the word {number} of {len(self.words)}")
        return of_weights(models[0], top)

    def page(self, source: str) -> tuple[str, bool]:
        """A page with the text, every word of which can be clicked, and whether words were left out: it is too long."""
        from aef.reports.explanation_page import explanation_page

        shown, count = self.explainer.shown, len(self.explainer.tagged.words)
        whole = count <= _CLICKABLE
        tokens = range(count) if whole else sorted({*self.tokens, *tokens_of_mentions(shown)})
        explained = self.explainer.explain(tokens)
        by_models = [next(iter(e.models.values()), None) or e.bare() for e in explained]
        said = {e.token: (e.hidden, tuple(e.said())) for e in explained}
        first = self.tokens[0] if self.tokens else -1
        return explanation_page(shown, by_models, source, first, said), not whole


class Hiding(TypedDict, total=False):
    """What decides beside the finder, as in `aef.anonymize`."""

    include: Iterable[str]
    exclude: Iterable[str]
    policy: Policy | None
    metadata: Iterable[Known]
    scheme: str


def explain(
    source: str | Path | Document,
    word: str | int | None = None,
    *,
    finder: Tagger | None = None,
    **hiding: Unpack[Hiding],
) -> Explanation:
    """Why `aef.anonymize` hides the words of a ruling, by the same arguments.

    ``word``: a word or several, wherever they stand, or the offset of one (code points); None: all that is hidden.
    Raises `InputError` for a word that is not there, and as `aef.anonymize` does.

    >>> from aef import Document, explain
    >>> why = explain(Document.from_text("[1] The applicant, Ms. Anna Zwetkow, filed a petition."), "Zwetkow")
    >>> [(word.hidden, word.replacement) for word in why.words]
    [(True, 'A.Z.')]
    """
    document = source if isinstance(source, Document) else read(source)
    tagger = in_its_language(default_tagger() if finder is None else finder, document)
    include, exclude = tuple(hiding.get("include", ())), tuple(hiding.get("exclude", ()))
    wanted = Wanted.by(tagger, include, exclude, hiding.get("policy"), hiding.get("metadata", ()))
    explainer = Explainer(document, tagger, wanted, hiding.get("scheme", "initials"))
    if word is None:
        return Explanation(explainer, tokens_of_mentions(explainer.shown))
    found = tokens_at(explainer.tagged, word) if isinstance(word, int) else tokens_of(explainer.tagged, word)
    return Explanation(explainer, found)


# --- text -----------------------------------------------------------------------------------------------------------


def lines(e: WordExplanation, top: int = 10) -> Iterator[str]:
    """What was decided and why, then a table for each model."""
    decision, *reasons = map(_plain, e.said())
    yield f"{e.start}-{e.end}  {_plain(e.text)}  {decision} ({e.places})"
    yield from (f"  {reason}" for reason in reasons)
    for name, explanation in e.models.items():
        yield f"  model {name} {_plain(_model_said(explanation))}"
        yield from _table(explanation, top)


def _model_said(e: TokenExplanation) -> str:
    """What a model says of a word by itself."""
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
