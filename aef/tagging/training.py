"""Learning which tokens must be hidden: the models of a finder, and its threshold, from a gold corpus."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from aef import lexicons
from aef.classifiers import crf, spans
from aef.classifiers.decoding import Judged, best_cuts, calibrated_cuts
from aef.classifiers.linear import Linear
from aef.corpus_tools.document import Document
from aef.errors import InputError
from aef.features import Column, Extractor, feature_names, resolve
from aef.features.extraction import Ints, vocabulary
from aef.features.ruling import Frequencies
from aef.tagging import PRESETS
from aef.tagging.estimator import Estimator
from aef.tagging.labelled import (
    Begun,
    GoldRuling,
    LabelledCorpus,
    Learned,
    gold_rulings,
    learned_from,
    must_teach,
    stacked,
)
from aef.tagging.options import (
    GROWTH,
    Tick,
    checked_learner,
    checked_preset,
    grows,
    log_odds_of,
    set_for,
    strengths,
    two_passes,
)
from aef.tagging.pooling import SHARES, pooled
from aef.tagging.privacy import K, known_words, private_among, public_lists
from aef.tagging.public_predicates import Remembered, public
from aef.tagging.second_pass import SecondPass, Seen
from aef.tagging.targets import TARGETS

if TYPE_CHECKING:
    from aef.classifiers.maxent import MaxEntClassifier

_FEW = 6
"""So many documents more let a predicate be asked for in one document more, up to `aef.tagging.privacy.K`."""

_FINE, _ROUGH = 1e-6, 1e-3
"""The gain in log-likelihood at which learning stops: of a model to keep, and of scores to choose by."""


class Learner(Estimator):
    """Features, classifier and threshold, learned from gold documents; `aef.tagging.finder.Finder`, which tags, says
    how."""

    def __init__(
        self,
        features: str | Sequence[str] | None = None,
        target: str = "all",
        threshold: float | None = None,
        consistency: bool = True,
        *,
        learner: str = "maxent",
        preset: str = "f2",
        names_free: bool = True,
        second_pass: bool | None = None,
        C: float | None = None,
        solver: str = "newton-cg",
        iterations: int = 50,
        cutoff: int = 0,
        language: str = "en",
        lists: str | Path | None = None,
        folds: int = 5,
        seed: int = 0,
    ) -> None:
        self.asked = {name: value for name, value in locals().items() if name != "self"}
        if target not in TARGETS:
            raise InputError(f"target '{target}': there are {', '.join(TARGETS)}")
        self.features = feature_names(features or set_for(target, learner), language)
        self.learner = checked_learner(learner, self.features)
        self.target = target
        self.threshold = threshold
        self.preset = checked_preset(preset, PRESETS)
        self.names_free, self.consistency = names_free, consistency
        self.second_pass = two_passes(second_pass, target, learner, self.features)
        self.second: SecondPass | None = None
        self.strengths = (C,) if C is not None else strengths(learner, solver, self.features)
        self.share = 0.0
        self.shares = SHARES if self._one_pass() else SHARES[:1]
        how = {"solver": solver, "iterations": iterations, "cutoff": cutoff, "C": self.strengths[0]}
        self.solver: dict[str, Any] = how | ({"growth": GROWTH} if grows(target, self.features, language) else {})
        self.language = language
        self.lexicons: Mapping[str, frozenset[str]] = lexicons.load_all(language, lists)
        self.folds, self.seed = folds, seed
        self.promise: dict[str, Any] | None = None
        self.roles: Mapping[str, Any] | None = None  # what corrected rulings taught, see `aef.roles.correction`
        self._remembered = Remembered()
        self.fitted = False

    def _one_pass(self) -> bool:
        """Whether each token's log-odds are its own alone: labels before, sentences and the ruling add nothing."""
        static = not any(resolve(name).sequential for name in self.features)
        return static and self.learner == "maxent" and self.target == "all" and not self.second_pass

    # -- learning ------------------------------------------------------------------------------------------------

    def fit(self, documents: Sequence[Document], y: object = None, *, tick: Tick = bool) -> Self:
        """Learn from gold documents, which hold their labels; `steps` says how often ``tick`` is called on the way.

        Raises `InputError` where there is nothing to learn, or the library is missing.
        """
        if self.learner == "crf":
            crf.must_be_installed()
        documents = [document.in_language(self.language) for document in documents]
        rulings = gold_rulings(documents, self.target)
        must_teach(rulings, self.target)
        found = self._choose(rulings, tick)
        self.cuts = {name: cut for name, (cut, _) in found.items()}
        self.expected = {name: score for name, (_, score) in found.items()}
        self.promise = self.roles = None  # were made of the model before
        self.preset = self.preset if self.preset in PRESETS else "f2"
        self.cut = self.cuts[self.preset] if self.threshold is None else log_odds_of(self.threshold)
        self._learn(self._observe(rulings))
        tick()
        self.fingerprints: list[str] = []
        self.trained_tokens, self.fitted, self._remembered = 0, True, Remembered()
        self.remember(documents)
        return self

    def steps(self, documents: Sequence[Document]) -> int:
        """How often `fit` calls its ``tick``, and `choose` once less: after each fold, and when all is learned."""
        return 1 + (min(self.folds, len(documents)) if self._scores_unseen(len(documents)) else 0)

    def _scores_unseen(self, documents: int) -> bool:
        return documents > 1 and (self.threshold is None or self.second_pass)

    def choose(self, documents: list[Document], tick: Tick = bool) -> dict[str, tuple[float, float]]:
        """For each preset the cut on the log-odds and the F-beta there, over documents scored by folds without them."""
        return self._choose(gold_rulings(documents, self.target), tick)

    def _choose(self, rulings: list[GoldRuling], tick: Tick) -> dict[str, tuple[float, float]]:
        return self._choose_cuts(self._likeliest(self._out_of_fold(rulings, tick)))

    def _observe(self, rulings: list[GoldRuling]) -> Learned:
        """What a model learns from, and by which numbers it knows predicates."""
        corpus, columns = self._observed(rulings)
        learned = Learned(corpus, columns, stacked(columns, corpus.histories))
        self.frequencies = corpus.layout.frequencies
        self.vocabulary = vocabulary(columns)
        return learned

    def _learn(self, learned: Learned) -> None:
        """The model of bodies, that of what is outside them, where something is hidden there, and that of types."""
        labels, strength = learned.corpus.labels, (self.solver["C"],)
        self.models = {"body": (body := next(self._log_odds(learned, learned.corpus.rows, strength)))}
        if labels.sum() > labels[learned.corpus.rows].sum():
            alike = Begun(body, self.vocabulary)
            (self.models["outside"],) = self._log_odds(learned, np.arange(len(labels)), strength, alike)
        self._learn_types(learned)

    def _log_odds(
        self, learned: Learned, rows: Ints, strengths: Sequence[float], begun: Begun | None = None, tol: float = _FINE
    ) -> Iterator[Linear]:
        """A model a strength; maximum entropy begins at what was learned of documents like these."""
        events, labels = learned.events[rows], learned.corpus.labels[rows]
        if self.learner == "crf":
            told = learned.columns, events, labels, learned.corpus.layout.positions[rows]
            yield from (crf.learn(*told, C, self.solver["cutoff"]) for C in strengths)
            return
        start = None if begun is None else begun.start(vocabulary(learned.columns))
        path = self._classifier(tol).fit_path(events, labels, strengths, start=start)
        yield from (Linear.log_odds(model, learned.columns) for model in path)

    def _observed(self, rulings: list[GoldRuling]) -> tuple[LabelledCorpus, list[Column]]:
        """The corpus and its predicates, where asked for without those that would carry what it hides."""
        corpus = LabelledCorpus.of_rulings(rulings)
        if not self.names_free:
            return corpus, list(Extractor(self.features, self.lexicons).columns(corpus.layout))
        private, few = private_among([ruling.shown for ruling in rulings]), min(K, 1 + len(rulings) // _FEW)
        self.lexicons = public_lists(self.lexicons, self.language, private)
        corpus = corpus.among(known_words(corpus.layout.frequencies, private))
        columns = Extractor(self.features, self.lexicons).columns(corpus.layout)
        return corpus, public(columns, corpus.layout, private, few, self._remembered)

    def _classifier(self, tol: float = _FINE) -> MaxEntClassifier:
        from aef.classifiers.maxent import MaxEntClassifier  # here, so that tagging does without scikit-learn

        return MaxEntClassifier(**{"tol": tol, **self.solver})

    def _out_of_fold(self, rulings: list[GoldRuling], tick: Tick = bool) -> list[list[Judged]]:
        """The rulings as first passes score them that have not seen them: for each fold a part a strength and share.

        Nothing where nobody asks for it. A fold's model begins where that of the fold before ended.
        """
        if not self._scores_unseen(len(rulings)):
            return []
        folds = np.random.default_rng(self.seed).permutation(len(rulings)) % self.folds
        parts, begun = list[list[Judged]](), None
        for fold in range(min(self.folds, len(rulings))):
            others, held_out = ([rulings[i] for i in np.flatnonzero(w)] for w in (folds != fold, folds == fold))
            found, begun = self._unseen(others, held_out, begun)
            parts.append(found)
            tick()
        return parts

    def _likeliest(self, folds: list[list[Judged]]) -> list[Judged]:
        """The parts of the strength and share under which their gold labels are likeliest, which the finder takes."""
        if not folds:
            return []
        likelihoods = [sum(part.log_likelihood() for part in parts) for parts in zip(*folds, strict=True)]
        best = int(np.argmax(likelihoods))
        strength, self.share = list(product(self.strengths, self.shares))[best]
        self.solver = {**self.solver, "C": strength}
        return [parts[best] for parts in folds]

    def _choose_cuts(self, parts: list[Judged]) -> dict[str, tuple[float, float]]:
        """For each preset the best cut on the log-odds over decoded out-of-fold documents, and the F-beta there.

        On the way the second pass is learned; what it would say of each part, the others teach.
        """
        if self.second_pass and parts:
            seen = [Seen.of(part, self.lexicons) for part in parts]
            self.second = SecondPass.of(seen)
            parts = [SecondPass.of([other for other in seen if other is not own]).rejudged(own) for own in seen]
        if self.threshold is not None:
            return {}
        choose = calibrated_cuts if self._one_pass() else best_cuts
        return choose(parts, PRESETS) if parts else dict.fromkeys(PRESETS, (0.0, 0.0))

    def _unseen(
        self, rulings: list[GoldRuling], held_out: list[GoldRuling], begun: Begun | None
    ) -> tuple[list[Judged], Begun | None]:
        """The held-out rulings scored by what the others teach, once a strength and share, names kept out.

        With the last model, for the next to begin at.
        """
        pupil = copy(self)
        told = np.concatenate([r.labels[r.learned_from] for r in rulings])
        learned = pupil._observe(rulings) if told.any() and not told.all() else None
        known = pupil.frequencies.documents if learned else {}
        unseen = LabelledCorpus.of_rulings(held_out, Frequencies(known))
        vocabulary = pupil.vocabulary if learned else None
        columns = list(Extractor(self.features, pupil.lexicons).columns(unseen.layout, vocabulary))
        models = [Linear.nothing(columns)] * len(self.strengths)
        if learned:
            models = list(pupil._log_odds(learned, learned.corpus.rows, self.strengths, begun, _ROUGH))
            begun = Begun(models[-1], pupil.vocabulary)
        parts = []
        for model in models:
            scores = model.in_context(columns, unseen.layout)
            parts += [
                Judged(pooled(scores, unseen.layout, pupil.lexicons, share), unseen.layout, unseen.labels, unseen.rows)
                for share in self.shares
            ]
        return parts, begun

    def _learn_types(self, learned: Learned) -> None:
        """A model over the hidden tokens alone: their types, and, if signs do not tell it, where they begin."""
        corpus, rows = learned.corpus, learned.corpus.labels
        own = [n for n, c in enumerate(learned.columns) if not resolve(c.name).offset]
        columns, events, types = [learned.columns[n] for n in own], learned.events[rows][:, own], corpus.types[rows]
        self.types = sorted(set(types.tolist()))
        if len(self.types) > 1 or corpus.signs_mislead:
            begins = corpus.begins[rows] if corpus.signs_mislead else None
            self.models["types"] = spans.learn(self._classifier(), columns, events, types, begins)

    # -- what was learned from ---------------------------------------------------------------------------------------

    def events(self, documents: Sequence[Document]) -> tuple[NDArray[np.int32], NDArray[np.str_]]:
        """Events (n, features) and labels (n,) "A" or "N" of the documents' tokens, sequential features from gold."""
        known = Frequencies(self.frequencies.documents) if self.fitted else None
        corpus = LabelledCorpus.of(documents, self.target, known)
        columns = list(Extractor(self.features, self.lexicons).columns(corpus.layout))
        if self.fitted:
            columns = [c.renumbered(self.vocabulary[c.name]) for c in columns]
        return stacked(columns, corpus.histories)[corpus.rows], np.where(corpus.labels, "A", "N")[corpus.rows]

    def remember(self, documents: Sequence[Document]) -> None:
        """Count the documents among those learned from; see `trained_on`."""
        self.fingerprints = sorted([*self.fingerprints, *map(_fingerprint, documents)])
        self.trained_tokens += sum(int(learned_from(d).sum()) for d in documents)

    def trained_on(self, document: Document) -> bool:
        """Whether the model learned from this very text."""
        return self.fitted and _fingerprint(document) in self.fingerprints


def _fingerprint(document: Document) -> str:
    return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
