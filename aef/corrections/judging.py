"""What the whole pipeline hides of a corrected ruling, beside what must be hidden: counts by kind, and its people."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from aef.annotators.pipeline import Pipeline
from aef.anonymization.marking import Marked, Wanted, hidden_in
from aef.corpus_tools.document import Document, Mention
from aef.corrections.kinds import Counts
from aef.names.parts import guess_type
from aef.role_features.lists import only_initials
from aef.roles.correction import UNANSWERED, Bools, Example
from aef.roles.policy import DEFAULT, load_policy
from aef.tagging.finder import Finder
from aef.tagging.targets import TITLES

Made = Callable[[Finder], Pipeline]
"""The pipeline that a model is judged in."""


@dataclass(frozen=True)
class Judged:
    """The counts of a ruling, and the people found in it, as examples for the model of roles."""

    counts: Counts
    people: tuple[Example, ...]


def tagged(pipeline: Pipeline, documents: Iterable[Document]) -> Iterator[Document]:
    """Gold documents as a pipeline tags them."""
    return (pipeline.tag(document.with_mentions(())) for document in documents)


def judged(pipeline: Pipeline, documents: Iterable[Document], found: Iterable[Document]) -> Iterator[Judged]:
    """For each gold document, what a pipeline with a policy and roles hides of it; ``found``: as `tagged`."""
    wanted = Wanted.by(pipeline)
    wanted = wanted if wanted.policy else Wanted.by(pipeline, policy=load_policy(DEFAULT))
    for document, mentions in zip(documents, found, strict=True):
        marked = hidden_in(mentions, wanted)
        gold = document.in_language(marked.hidden.language)
        yield Judged(counted(gold, marked.hidden), tuple(people(gold, marked)))


def counted(gold: Document, hidden: Document) -> Counts:
    """What is hidden of a gold document, of what the editor said something of."""
    unsaid = _unanswered(gold)
    gold, hidden = _answered(gold, unsaid), _answered(hidden, unsaid)
    masked = [m for m in gold.mentions if m.masked]
    right, covered = gold.mask(masked), gold.mask(hidden.mentions)
    of_kind = [m.entity_type or guess_type(gold.text, m.start, m.end) for m in masked]
    missed = [
        (kind, _name(gold, mention))
        for kind, mention in zip(of_kind, masked, strict=True)
        if any(
            not covered[token] and _tells(gold.words[token]) and gold.words[token].isalnum()
            for token in gold.token_range(mention.start, mention.end)
        )
    ]
    wrong: Counter[str] = Counter()
    names = set()
    for mention in hidden.mentions:
        kind = mention.entity_type or guess_type(gold.text, mention.start, mention.end)
        words = sum(not right[token] for token in gold.token_range(mention.start, mention.end))
        wrong[kind] += words
        if words:
            names.add((kind, _name(gold, mention)))
    return Counter(of_kind), _of_kinds(missed), wrong, _of_kinds(names), _of_kinds(set(missed))


def _name(gold: Document, mention: Mention) -> str:
    return " ".join(gold.cut(mention).split()).casefold()


def _of_kinds(names: Iterable[tuple[str, str]]) -> Counter[str]:
    return Counter(kind for kind, _ in names)


def people(gold: Document, marked: Marked) -> Iterator[Example]:
    """Those of whom the model of roles was asked, and, mostly, the editor; not who is initials already."""
    unsaid = _unanswered(gold)
    right = gold.mask([m for m in gold.mentions if m.masked])
    tokens: dict[str | None, list[int]] = defaultdict(list)
    for mention in marked.found.mentions:
        tokens[mention.entity_id] += gold.token_range(mention.start, mention.end)
    for role in (decision.role for decision in marked.decided):
        if role.verdict is None or role.private is None or all(map(only_initials, role.names)):
            continue
        words = [token for token in tokens[role.entity_id] if _tells(gold.words[token])]
        if 2 * unsaid[words].sum() > len(words):
            continue
        known, private = role.verdict.model.known(role.verdict.shown), int(right[words].sum())
        yield Example(gold.doc_id, known, role.private, 0.0 if role.certain else role.bound, len(words), private)


def _unanswered(gold: Document) -> Bools:
    """The tokens of which nobody said whether they are to be hidden."""
    return gold.mask([m for m in gold.mentions if m.extra.get(UNANSWERED)])


def _answered(document: Document, unsaid: Bools) -> Document:
    """A document with those mentions alone in which not every token is one of which nobody said anything."""
    tokens = ((m, [*document.token_range(m.start, m.end)]) for m in document.mentions)
    return document.with_mentions(m for m, inside in tokens if not inside or not unsaid[inside].all())


def _tells(word: str) -> bool:
    return word.rstrip(".") not in TITLES
