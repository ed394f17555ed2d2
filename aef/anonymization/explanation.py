"""Why a word is hidden or stays: what found it, whom it names, what the policy does, and what the models looked at.

It goes the way of `aef.anonymization.anonymize` as far as to the edits, and so says what that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from aef.annotators.kinds import Signed
from aef.annotators.overlap import apart
from aef.annotators.pipeline import Pipeline
from aef.anonymization.marking import Lists, Marked, Tagger, Wanted, hidden_in
from aef.corpus_tools.document import Document, Mention, Places
from aef.evaluation.explanation import TokenExplanation
from aef.evaluation.explanation import explain as explain_tokens
from aef.replacement.plan import Edit, entities, plan
from aef.replacement.schemes import places_of
from aef.roles.policy import HIDE, NAMED, SHOW, WHY, Decision, Policy
from aef.tagging.finder import Finder


@dataclass(frozen=True, slots=True)
class Found:
    """What an annotator found around a word; of patterns, which one."""

    by: str
    text: str
    entity_type: str | None
    probability: float | None
    pattern: str | None = None

    def __str__(self) -> str:
        how = f"pattern {self.pattern}" if self.pattern else f"probability {self.probability or 1.0:.3f}"
        return f"found by {self.by}: {self.text!r}, {self.entity_type or 'of no type'}, {how}"


@dataclass(frozen=True, slots=True)
class WordExplanation:
    """A word, whether it is hidden and why.

    ``token``: its number in the document; ``start, end``: code points; ``replacement``: what stands for it and its
    neighbours; a word that this still says ("School", a year) is not hidden. ``why``: what was decided in the end.
    ``found``: what the annotators found around it. ``decision``: of the person or thing that it names. ``models``: by
    the name of the step, what each model looked at; that is about the model alone: what it finds another step or the
    policy may show, and hide what it does not find.
    """

    token: int
    text: str
    start: int
    end: int
    places: Places
    hidden: bool
    replacement: str
    entity_type: str | None
    why: str
    found: tuple[Found, ...]
    decision: Decision | None
    models: Mapping[str, TokenExplanation]

    def said(self) -> Iterator[str]:
        """What is said of it, a line each: the decision, what found it, and its role; models aside."""
        kept = f"stays in {self.replacement}" if self.replacement else "stays"
        yield f"{f'hidden as {self.replacement}' if self.hidden else kept}: {self.why}"
        yield from map(str, self.found)
        if self.decision is not None:
            yield from (str(evidence) for evidence in self.decision.role.evidence[-_MOST:])

    def bare(self) -> TokenExplanation:
        """As a token that no model looked at."""
        place = self.token, self.text, self.start, self.end
        return TokenExplanation(
            *place, 1.0, 1.0, self.hidden, "score", self.entity_type, None, "", 0.0, 0.0, (), None, ()
        )


_MOST = 5


class Explainer:
    """A ruling on the way through a tagger (or a pipeline's steps) and a policy, nothing thrown away.

    tagged : the document as the tagger leaves it, whose tokens can be asked for. edits : what is replaced.
    """

    def __init__(self, document: Document, tagger: Tagger, wanted: Wanted | None = None, scheme: str = "initials"):
        self.wanted = Wanted.by(tagger) if wanted is None else wanted
        self.finders = _finders(tagger)
        if isinstance(tagger, Pipeline):
            self.results = tagger.results(document)
            self.tagged = apart(self.results[tagger.steps[-1].name])
            self.annotators = tuple(step.name for step in tagger.steps if not step.of)
        else:
            name = tagger.name if isinstance(tagger, Signed) else "model"
            self.tagged = tagger.tag(document)
            self.results, self.annotators = {name: self.tagged}, (name,)
        self.marked: Marked = hidden_in(self.tagged, self.wanted)
        self.edits: Sequence[Edit] = plan(self.marked.hidden, scheme, hidden=entities(self.marked.hidden))
        self._edits = _by_token(self.tagged, self.edits)
        self._found = {name: _by_token(self.tagged, self.results[name].mentions) for name in self.annotators}
        self._named = [_by_token(self.tagged, d.mentions) for d in (self.marked.found, self.marked.hidden)]
        self._decided = {decision.role.entity_id: decision for decision in self.marked.decided}
        self._lists = Lists(self.tagged, self.wanted)

    @cached_property
    def shown(self) -> Document:
        """The document with a mention for each replacement, of its type and of the probability of what was found."""
        return self.tagged.with_mentions(map(self._replaced, self.edits))

    def explain(self, tokens: Sequence[int]) -> list[WordExplanation]:
        """Why each of these tokens of `tagged` is hidden or stays. Raises `InputError` for a number none has."""
        by_model = {name: self._of_model(finder, tokens) for name, finder in self.finders.items()}
        return [self._explained(t, {name: by[t] for name, by in by_model.items() if t in by}) for t in tokens]

    def _of_model(self, finder: Finder, tokens: Sequence[int]) -> dict[int, TokenExplanation]:
        """The explanations by token; a model of another language has other tokens."""
        spoken = self.tagged.in_language(finder.language)
        if spoken is self.tagged:
            return {e.token: e for e in explain_tokens(finder, spoken, tokens)}
        own = {t: next(iter(spoken.token_range(*self._span(t))), None) for t in tokens}
        told = explain_tokens(finder, spoken, sorted({t for t in own.values() if t is not None}))
        by_number = {e.token: e for e in told}
        return {t: by_number[number] for t, number in own.items() if number is not None}

    def _span(self, token: int) -> tuple[int, int]:
        tokens = self.tagged.tokens
        return int(tokens.starts[token]), int(tokens.ends[token])

    def _explained(self, token: int, models: Mapping[str, TokenExplanation]) -> WordExplanation:
        start, end = self._span(token)
        edit = next(iter(self._edits.get(token, ())), None)
        mention = _of_edit(self._named[edit is not None].get(token, ()), edit)
        decision = self._decided.get(mention.entity_id or "") if mention is not None else None
        found = tuple(self._finds(token))
        why = self._why_hidden(mention, decision) if edit else self._why_shown(start, end, mention, decision, found)
        return WordExplanation(
            token,
            self.tagged.words[token],
            start,
            end,
            self.tagged.places([start]),
            edit is not None and not _says(edit, self.tagged.words[token]),
            edit.replacement if edit else "",
            edit.type if edit else None,
            why,
            found,
            decision,
            models,
        )

    def _replaced(self, edit: Edit) -> Mention:
        tokens = self.tagged.token_range(edit.start, edit.end)
        mention = _of_edit([m for token in tokens for m in self._named[True].get(token, ())], edit)
        probability = mention.probability if mention is not None else None
        return Mention(edit.start, edit.end, edit.type, probability=1.0 if probability is None else probability)

    def _finds(self, token: int) -> Iterator[Found]:
        for name, by_token in self._found.items():
            for m in by_token.get(token, ()):
                text = " ".join(self.tagged.cut(m).split())
                yield Found(name, text, m.entity_type, m.probability, m.extra.get("pattern"))

    def _why_hidden(self, mention: Mention | None, decision: Decision | None) -> str:
        if mention is None:
            return "part of a neighbouring replacement"
        if told := mention.extra.get(WHY):
            return str(told)
        if self._lists.holds(mention):
            return "on the list of what is always hidden"
        policy = self.wanted.policy
        if decision is None or policy is None:
            return "it was found, and no policy shows what was found"
        if self.wanted.decided.intersection(mention.extra.get("by", ())):
            return f"{decision.role.role}; found by a model that has learned what is hidden"
        if decision.action != HIDE:
            return f"{decision.role.role}; the policy {policy.name} asks, and until then it is hidden"
        return f"{decision.role.role}, {_done(policy, decision, 'hides')}"

    def _why_shown(
        self, start: int, end: int, mention: Mention | None, decision: Decision | None, found: Sequence[Found]
    ) -> str:
        if self._lists.excludes(start, end):
            return "on the list of what is never hidden"
        if mention is None:
            last = next(reversed(self.results))
            left_out = f"the step {last} leaves it out of what was found" if found else "nothing found it"
            return left_out if len(self.results) > 1 or not found else "it was found, but is nothing to hide"
        policy = self.wanted.policy
        if decision is not None and policy is not None and decision.action == SHOW:
            return f"{decision.role.role}, {_done(policy, decision, 'shows')}"
        return "no part of the name it stands with: a title, or a word before or behind it"


def _done(policy: Policy, decision: Decision, what: str) -> str:
    """What was done by policy, or because of the names in it where the policy says that this counts."""
    named = policy.action(decision.role.role) == NAMED
    reason = f": {'the' if decision.action == HIDE else 'no'} name of somebody hidden is in it" if named else ""
    return f"which the policy {policy.name} {what}{reason}"


def _says(edit: Edit, word: str) -> bool:
    """Whether a replacement still says a word; initials are no words."""
    return len(word) > 1 and bool(places_of(word, edit.replacement))


Stretch = TypeVar("Stretch", Edit, Mention)


def _by_token(document: Document, stretches: Iterable[Stretch]) -> dict[int, list[Stretch]]:
    """The stretches that a token has a character of, by its number."""
    found: dict[int, list[Stretch]] = {}
    for stretch in stretches:
        for token in document.token_range(stretch.start, stretch.end):
            found.setdefault(token, []).append(stretch)
    return found


def _of_edit(mentions: Sequence[Mention], edit: Edit | None) -> Mention | None:
    """One of these mentions; that of the edit first."""
    own = (m for m in mentions if edit is not None and m.entity_id == edit.entity_id)
    return next(own, next(iter(mentions), None))


def _finders(tagger: Tagger) -> dict[str, Finder]:
    """The models that a tagger runs, by the name of the step."""
    if isinstance(tagger, Pipeline):
        return {step.name: step.finder for step in tagger.steps if step.finder is not None}
    model = tagger.annotator if isinstance(tagger, Signed) else tagger
    return {"model": model} if isinstance(model, Finder) else {}
