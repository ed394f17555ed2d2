"""From what editors corrected to a model of their court: read, learned, and checked that nothing gets worse by kind.

What counts is what is hidden in the end, by the whole pipeline with its patterns, roles and policy. Each corrected
ruling is judged by a model that has learned from the others (leave one out, or five folds); the built-in rulings, which
the ready-made models know, by the model that is to be written.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, replace
from pathlib import Path

from aef.annotators.spoken import pipeline_with
from aef.anonymization.marking import Wanted, hidden_in
from aef.corpus_tools import handwritten
from aef.corpus_tools.alignment.run import align
from aef.corpus_tools.document import Document
from aef.corpus_tools.docx.decisions import decided, unreviewed
from aef.corpus_tools.rulings.readers import FORMATS, read
from aef.errors import InputError
from aef.names.parts import guess_type
from aef.roles.policy import DEFAULT, load_policy
from aef.tagging.adaptation import Adapted, correct, part_way, report
from aef.tagging.finder import Finder
from aef.tagging.options import Tick
from aef.tagging.targets import TITLES

FOLDS = 5
SHARES = (1.0, 0.5, 0.25, 0.125)
"""How far from the old weights to the new ones `learn` tries to go."""
_MORE = 1.1
"""So many times as many names may be hidden wrongly as before: a miss more is never borne."""
_FEW = 2  # names hidden wrongly that are no pattern
CORRECTED, BUILT_IN = "corrected rulings, each by a model of the others", "built-in rulings"


def of_review(path: str | Path) -> Document:
    """The gold document of a review copy that an editor has gone through: the original, with what is hidden in it now.

    Raises `InputError` for what is no review copy.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        raise InputError.at(path, f"cannot be read ({error.strerror})") from error
    stem = Path(path).name.partition(".")[0]
    versions = (unreviewed(data, str(path)), decided(data, str(path))[0])
    before, after = (FORMATS[".docx"](version, str(path)).document(stem) for version in versions)
    return _aligned(before, after, str(path))


def of_pair(original: str | Path, anonymized: str | Path) -> Document:
    """The gold document of a ruling and its anonymized version. Raises `InputError` where they are not that."""
    return _aligned(read(original), read(anonymized), f"{original} and {anonymized}")


def _aligned(original: Document, anonymized: Document, place: str) -> Document:
    try:
        return align(original, anonymized, fix_missed=True).document
    except InputError as error:
        raise InputError(f"{place}: {error}") from error


# --- what was hidden ------------------------------------------------------------------------------------------------


Counts = tuple[Counter[str], Counter[str], Counter[str], Counter[str]]
"""By kind: mentions that are to be hidden, those missed, words hidden wrongly, and names with such words, each once."""


@dataclass(frozen=True)
class Kind:
    """Of one kind of what is to be hidden: mentions there are, those missed, words hidden wrongly as it, and the names
    they stand in, before and after. A name counts once a ruling: an editor who brings it back does so once, and how
    often it stands there tells nothing of the next ruling."""

    kind: str
    mentions: int
    missed_before: int
    missed_after: int
    wrong_before: int
    wrong_after: int
    names_before: int
    names_after: int

    @property
    def worse(self) -> bool:
        """Whether more is missed, or clearly more names are hidden that should not be."""
        wrong = self.names_after > _MORE * self.names_before and self.names_after >= self.names_before + _FEW
        return self.missed_after > self.missed_before or wrong


def _numbers(kind: Kind) -> tuple[int, ...]:
    return astuple(kind)[1:]


def _name(kind: Kind) -> str:
    return kind.kind


def _errors(learned: Learned) -> int:
    return learned.errors


@dataclass(frozen=True)
class Learned:
    """The new model, for each set of rulings the kinds that it was checked on, and how far it goes from the old one."""

    adapted: Adapted
    checks: dict[str, list[Kind]]
    share: float = 1.0

    @property
    def worse(self) -> list[str]:
        """The kinds that got worse, with the set of rulings: in those of the court, and in all together.

        The old model has learned from the built-in rulings, so that hardly any other is as good there: what is lost
        there alone counts where it is more than what the court's own rulings win.
        """
        alone = len(self.checks) < 2
        judged = self.checks if alone else {CORRECTED: self.checks[CORRECTED], "all rulings": self.all}
        return [f"{kind.kind} in {name}" for name, kinds in judged.items() for kind in kinds if kind.worse]

    @property
    def errors(self) -> int:
        """Mentions missed, and names hidden wrongly, in all rulings."""
        return sum(kind.missed_after + kind.names_after for kind in self.all)

    @property
    def all(self) -> list[Kind]:
        """The kinds over all sets of rulings."""
        every = sorted((kind for kinds in self.checks.values() for kind in kinds), key=lambda kind: kind.kind)
        return [
            Kind(name, *map(sum, zip(*map(_numbers, kinds), strict=True)))
            for name, kinds in itertools.groupby(every, _name)
        ]


def learn(
    base: Finder,
    documents: Sequence[Document],
    known: Sequence[Document] = (),
    anchors: Sequence[Document] = (),
    tick: Tick = bool,
) -> Learned:
    """Learn from corrected rulings and check the result, there and on the ``known`` ones (`built_in`); others are
    ``anchors`` (`aef.tagging.adaptation.correct`). The model goes so far from the old one as leaves the fewest errors:
    of the `SHARES` at which nothing gets worse that with the fewest, or the whole way where none will do. `steps`
    counts the calls of ``tick``.

    Raises `InputError` where there is nothing to learn.
    """
    whole = correct(base, documents, anchors)
    folds = _folds(documents) if len(documents) > 1 else ()
    models: list[tuple[str, Finder, Sequence[Document]]] = [
        (CORRECTED, correct(base, others, anchors).finder, held_out) for others, held_out in folds
    ]
    models += [(BUILT_IN, whole.finder, known)] * bool(known)
    tick()
    parts = [_Part(name, model, rulings, _counted(base, rulings, tick)) for name, model, rulings in models]
    tries = [Learned(whole, _judged(base, parts, share, tick), share) for share in SHARES]
    found = min((tried for tried in tries if not tried.worse), key=_errors, default=tries[0])
    if found.share == 1:
        return found
    adapted = report(base, part_way(base, whole.finder, found.share), documents)
    return replace(found, adapted=replace(adapted, hidden_only=whole.hidden_only))


def built_in(language: str, number: int) -> tuple[list[Document], list[Document]]:
    """So many built-in rulings, of all styles, to check on, and the others as anchors; none in other languages."""
    if language != "en":
        return [], []
    rulings = handwritten.rulings(half="open")
    checked = rulings[:: max(1, len(rulings) // max(1, number))][: max(0, number)]
    ids = {document.doc_id for document in checked}
    return checked, [document for document in rulings if document.doc_id not in ids]


def steps(documents: Sequence[Document], known: Sequence[Document] = ()) -> int:
    """How often `learn` calls its ``tick``."""
    return 1 + (1 + len(SHARES)) * (len(known) + (len(documents) if len(documents) > 1 else 0))


@dataclass(frozen=True)
class _Part:
    """Rulings of a set, the model that they are judged by, and what is hidden of them by the one it learned from."""

    name: str
    model: Finder
    documents: Sequence[Document]
    before: list[Counts]


def _judged(base: Finder, parts: Iterable[_Part], share: float, tick: Tick) -> dict[str, list[Kind]]:
    """The kinds of each set of rulings, by models that go this share of the way."""
    pairs: dict[str, list[tuple[Counts, Counts]]] = {}
    for part in parts:
        after = _counted(part_way(base, part.model, share), part.documents, tick)
        pairs.setdefault(part.name, []).extend(zip(part.before, after, strict=True))
    return {name: kinds(of_set) for name, of_set in pairs.items()}


def _folds(documents: Sequence[Document]) -> Iterator[tuple[list[Document], list[Document]]]:
    for fold in range(min(FOLDS, len(documents))):
        numbered = list(enumerate(documents))
        yield [d for i, d in numbered if i % FOLDS != fold], [d for i, d in numbered if i % FOLDS == fold]


def counts(finder: Finder, documents: Iterable[Document]) -> Iterator[Counts]:
    """For each gold document, what is hidden of it by the pipeline with this model in it."""
    pipeline = pipeline_with(finder)
    return (_counts(document, _hidden(pipeline, document)) for document in documents)


def _counted(finder: Finder, documents: Sequence[Document], tick: Tick) -> list[Counts]:
    found = []
    for hidden in counts(finder, documents):
        found.append(hidden)
        tick()
    return found


def _hidden(pipeline: object, document: Document) -> Document:
    tagged: Document = pipeline.tag(document.with_mentions(()))  # type: ignore[attr-defined]
    policy = getattr(pipeline, "policy", None) or load_policy(DEFAULT)
    return hidden_in(tagged, Wanted(policy=policy, decided=getattr(pipeline, "decided", frozenset()))).hidden


def _counts(gold: Document, hidden: Document) -> Counts:
    gold = gold.in_language(hidden.language)
    masked = [m for m in gold.mentions if m.masked]
    right, covered = gold.mask(masked), gold.mask(hidden.mentions)
    of_kind = [m.entity_type or guess_type(gold.text, m.start, m.end) for m in masked]
    missed = [
        kind
        for kind, mention in zip(of_kind, masked, strict=True)
        if any(
            not covered[token] and gold.words[token].rstrip(".") not in TITLES and gold.words[token].isalnum()
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
            names.add((kind, " ".join(gold.cut(mention).split()).casefold()))
    return Counter(of_kind), Counter(missed), wrong, Counter(kind for kind, _ in names)


def kinds(pairs: Sequence[tuple[Counts, Counts]]) -> list[Kind]:
    """The kinds of what is to be hidden, from the counts of each document before and after."""

    def total(side: int, which: int) -> Counter[str]:
        return sum((pair[side][which] for pair in pairs), Counter[str]())

    there, sums = total(0, 0), [total(side, which) for which in (1, 2, 3) for side in (0, 1)]
    names = sorted(set(there).union(*sums))
    return [Kind(name, there[name], *(found[name] for found in sums)) for name in names]
