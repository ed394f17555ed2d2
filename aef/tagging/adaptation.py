"""A model carried to another court: by what it is sure of in that court's rulings, or by a few corrected ones.

The weights are learned anew under a Gaussian prior whose mean is the old model (Chelba & Acero 2004, "Adaptation of
Maximum Entropy Capitalizer", section 4): what the new rulings say little about stays as it was.

Without gold (self-training) it depends on how foreign the court is: on how much of what the model finds in the end its
first pass would not have found by itself, or would have found besides. In a court that it knows, a token's label is the
first pass's own probability, moved a little towards that of the end made surer: log-odds are doubled around the
threshold, and a capitalized word that is surely hidden elsewhere in its ruling counts as probably hidden. In a foreign
one the labels are what it finds in the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from aef.classifiers.linear import Linear
from aef.classifiers.newton import Problem, learn, one_hot
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.features import Column, Extractor
from aef.features.extraction import INACTIVE, Ints, vocabulary
from aef.features.ruling import Frequencies
from aef.tagging.finder import Finder
from aef.tagging.labelled import LabelledCorpus
from aef.tagging.options import Tick
from aef.tagging.privacy import K, private_words
from aef.tagging.public_predicates import public
from aef.tagging.targets import marks_only_hidden, only_names

Floats = NDArray[np.float64]

ROUNDS = 2
FOREIGN = 0.2
"""Above this share of `foreignness` a court is foreign: an invented court has 0.4 for a model that knows judgments of
Strasbourg alone, and 0.07 for one that knows seventeen others."""

_FOUND, _NOT_FOUND = 0.8, 0.02
"""The probabilities learned in a foreign court: at least where something was found, and at most elsewhere. With surer
ones what the model knew before suffers by more than a point."""


@dataclass(frozen=True)
class Adapted:
    """The new model, and what it does otherwise on the rulings it was adapted to.

    ``tokens``: of the rulings; ``hidden``, ``shown``: tokens that the new model hides and the old one did not, and the
    other way round; ``predicates``: new ones; ``foreign``: see `foreignness`, None where there was gold;
    ``hidden_only``: whether the gold marked only what is hidden, to a model of all names (see `correct`).
    """

    finder: Finder
    tokens: int
    hidden: int
    shown: int
    predicates: int
    foreign: float | None = None
    hidden_only: bool = False

    def figures(self) -> dict[str, float | None]:
        return {name: getattr(self, name) for name in ("tokens", "hidden", "shown", "predicates", "foreign")}


def adapt(finder: Finder, documents: Sequence[Document], rounds: int = ROUNDS, tick: Tick = bool) -> Adapted:
    """Adapt a model to rulings without gold. Raises `InputError` where there is none, nothing is found in them, or
    the model weighs whole sentences: a chain of labels has no such prior here. ``tick`` is called when all is tagged,
    and after each round.
    """
    documents = _checked(finder, documents)
    before = finder.tag_all(documents)
    tick()
    if not any(d.mentions for d in before):
        raise InputError(f"the model finds nothing to hide in the {len(documents)} rulings: nothing to learn from")
    foreign = foreignness(finder, before)
    share = (foreign / FOREIGN) ** 2
    pupil = _converted(finder, before) if share > 1 else _confirmed(finder, before, rounds, share, tick)
    return replace(_report(finder, pupil, before), foreign=foreign)


def foreignness(finder: Finder, tagged: Sequence[Document]) -> float:
    """The share of the tokens found by the first pass alone or in the end that are not found by both; 0 to 1.

    ``tagged``: rulings as the finder tags them.
    """
    by_first = np.concatenate([d.mask(d.mentions) for d in _first_pass(finder).tag_all(tagged)])
    in_the_end = np.concatenate([d.mask(d.mentions) for d in tagged])
    return float((by_first ^ in_the_end).sum() / max(1, (by_first | in_the_end).sum()))


def _first_pass(finder: Finder) -> Finder:
    """The finder without what looks at the whole of a ruling."""
    first = copy(finder)
    first.second, first.consistency = None, False
    return first


def _converted(finder: Finder, tagged: Sequence[Document]) -> Finder:
    """Having learned what it found in the end. Once: a second time, what it knew before suffers more than it gains."""
    probabilities = zip(tagged, finder.probabilities(tagged), strict=True)
    soft = np.concatenate([_surer(d, p, finder.cut) for d, p in probabilities])
    found = np.concatenate([d.mask(d.mentions) for d in tagged])
    return _relearned(finder, tagged, np.where(found, np.maximum(soft, _FOUND), np.minimum(soft, _NOT_FOUND)))


def _confirmed(finder: Finder, tagged: Sequence[Document], rounds: int, share: float, tick: Tick) -> Finder:
    """Having learned, round after round, its first pass's probabilities on the way to those of the end, made surer.

    ``share``: how far, 0 to 1. The more familiar the court, the less there is to gain, and what the model gets surer of
    here costs elsewhere.
    """
    pupil = finder
    for number in range(rounds):
        tagged = pupil.tag_all(tagged) if number else tagged
        found = zip(tagged, pupil.probabilities_by_pass(tagged), strict=True)
        labels = [(1 - share) * first + share * _surer(d, last, pupil.cut) for d, (first, last) in found]
        pupil = _relearned(finder, tagged, np.concatenate(labels))
        tick()
    return pupil


def correct(finder: Finder, documents: Sequence[Document], anchors: Sequence[Document] = ()) -> Adapted:
    """Go on learning from gold documents of another court. Raises `InputError` where they hide nothing.

    Other gold documents are ``anchors``: of them it learns what lies between gold and its first pass, and no new
    predicates, so as to forget nothing.

    Of gold that marks only what is hidden a model of all names learns the names among it; of all other words it learns
    what its first pass says of them, which changes nothing: counsel and judges are names, too.
    """
    documents = _checked(finder, documents)
    hidden_only = finder.target == "names" and marks_only_hidden(documents)
    learned = [only_names(document) for document in documents] if hidden_only else documents
    labels = LabelledCorpus.of(learned, finder.target).labels
    if not labels.any():
        raise InputError(f"the {len(documents)} gold documents mark nothing for target '{finder.target}'")
    probabilities = labels.astype(np.float64)
    if hidden_only:
        probabilities = np.maximum(probabilities, _by_first_pass(finder, documents))
    if anchors:
        anchors = [document.in_language(finder.language) for document in anchors]
        known = LabelledCorpus.of(anchors, finder.target).labels
        probabilities = np.concatenate([probabilities, (known + _by_first_pass(finder, anchors)) / 2])
    pupil = _relearned(finder, documents, probabilities, anchors)
    return replace(_report(finder, pupil, finder.tag_all(documents)), hidden_only=hidden_only)


def part_way(old: Finder, new: Finder, share: float) -> Finder:
    """The model at this share of the way from the log-odds of ``old`` to those of ``new``, which learned from it: 1 is
    the new one. What the old one does not know weighs nothing there."""
    between = copy(new)
    between.models = {name: _between(_widened(old, new, name), model, share) for name, model in new.models.items()}
    return between


def _between(old: Linear, new: Linear, share: float) -> Linear:
    blocks = {name: (1 - share) * old.blocks[name] + share * block for name, block in new.blocks.items()}
    return Linear((1 - share) * old.intercept + share * new.intercept, blocks)


def report(old: Finder, new: Finder, documents: Sequence[Document]) -> Adapted:
    """What a model that learned from ``old`` does otherwise on these documents."""
    return _report(old, new, old.tag_all(_checked(old, documents)))


def _by_first_pass(finder: Finder, documents: Sequence[Document]) -> Floats:
    return np.concatenate([first for first, _ in finder.probabilities_by_pass(documents)])


def _checked(finder: Finder, documents: Sequence[Document]) -> list[Document]:
    if not documents:
        raise InputError("there is no ruling to adapt to")
    if finder.learner != "maxent":
        raise InputError(
            f"a model of the learner '{finder.learner}' cannot go on learning. Train it anew on all gold documents "
            "together, or go on from a model of the learner 'maxent'"
        )
    return [document.in_language(finder.language) for document in documents]


def _surer(document: Document, probabilities: Floats, cut: float) -> Floats:
    """The labels to learn, as probabilities, from the model's own; ``cut``: its threshold on the log-odds."""
    scores = logit(np.clip(probabilities, _LEAST, 1 - _LEAST))
    _, words = np.unique(np.array(document.words), return_inverse=True)
    best = np.full(words.max(initial=-1) + 1, -np.inf)
    np.maximum.at(best, words, scores)
    capital = np.array([word[0].isupper() for word in document.words])
    repeats = capital & (best[words] > _SURE)
    scores = np.where(repeats, np.maximum(scores, _PROBABLE), scores)
    surer: Floats = expit(2 * (scores - cut) + cut)
    return surer


_LEAST = 1e-6
_SURE, _PROBABLE = 2.5, 1.5  # log-odds


def _relearned(
    finder: Finder, documents: Sequence[Document], labels: Floats, anchors: Sequence[Document] = ()
) -> Finder:
    """The finder with weights learned from each token's probability of A, under its own weights as prior.

    Of the documents' mentions the words are kept out of the model, where it keeps names out.
    """
    pupil = copy(finder)
    rulings = [*documents, *anchors]
    corpus = LabelledCorpus.of(rulings, finder.target, Frequencies(finder.frequencies.documents))
    columns = list(Extractor(finder.features, finder.lexicons).columns(corpus.layout))
    new, layout = columns, corpus.layout
    if anchors:  # which tell nothing new
        layout = LabelledCorpus.of(documents, finder.target, layout.frequencies).layout
        new = list(Extractor(finder.features, finder.lexicons).columns(layout))
    if finder.names_free:
        new = public(new, layout, private_words(rulings), min(K, len(documents)))
    pupil.vocabulary = vocabulary(_extended(finder.vocabulary[c.name], c) for c in new)
    columns = [c.renumbered(pupil.vocabulary[c.name]) for c in columns]
    events = np.stack([c.at(corpus.histories) for c in columns], axis=1, dtype=np.int32)
    rows = {"body": corpus.rows, "outside": np.arange(len(labels))}
    pupil.models = {name: _widened(finder, pupil, name) for name in finder.models}
    for name in rows.keys() & finder.models.keys():
        pupil.models[name] = _moved(pupil.models[name], columns, events[rows[name]], labels[rows[name]], finder)
    pupil.promise = None
    pupil.remember(documents)
    return pupil


def _extended(old: Mapping[str, int], new: Column) -> Column:
    """With the predicates of the old model, which tell nothing of these documents, before its own."""
    return replace(new, values=list(dict.fromkeys([*old, *new.values])))


def _widened(finder: Finder, pupil: Finder, model: str) -> Linear:
    """A model's weights by the pupil's numbers; new predicates weigh nothing."""
    return finder.models[model].by_vocabulary(finder.vocabulary, pupil.vocabulary)


def _moved(prior: Linear, columns: Sequence[Column], events: Ints, labels: Floats, finder: Finder) -> Linear:
    """The log-odds learned from events (n, columns) and probabilities of A (n,), drawn to those of ``prior``.

    The intercept stays: nothing would draw it back.
    """
    sizes = [len(prior.blocks[c.name]) for c in columns]
    starts = np.cumsum([0, *sizes])
    centre = np.concatenate([prior.blocks[c.name] for c in columns])[:, None]
    design = one_hot(np.where(events >= 0, events + starts[:-1], INACTIVE), len(centre))
    counts = np.ones((len(labels), 1)), labels[:, None]
    problem = Problem(design, *counts, 1 / finder.solver["C"], _TOLERANCE, centre, free=False)
    found = learn(problem, centre, np.atleast_1d(prior.intercept), max_steps=1000)
    blocks = np.split(found.weights[:, 0], starts[1:-1])
    return Linear(prior.intercept, {c.name: block.astype(np.float64) for c, block in zip(columns, blocks, strict=True)})


_TOLERANCE = 1e-6


def _report(old: Finder, new: Finder, tagged: Sequence[Document]) -> Adapted:
    """What has changed; ``tagged``: the rulings as the old model tags them."""
    before, after = (np.concatenate([d.mask(d.mentions) for d in found]) for found in (tagged, new.tag_all(tagged)))
    predicates = sum(len(values.keys() - old.vocabulary[name].keys()) for name, values in new.vocabulary.items())
    changes = int(np.count_nonzero(after & ~before)), int(np.count_nonzero(before & ~after))
    return Adapted(new, len(before), *changes, predicates)
