"""The finder: learns from a gold corpus which tokens must be hidden, and finds them in a new ruling."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from aef import crf, lexicons
from aef.collector import collector_paused
from aef.consistency import guard_words, spread_all
from aef.corpus_tools.document import Document, Mention, batches
from aef.decoding import Judged, Scores, best_cuts, calibrated_cuts, decode, logistic
from aef.errors import InputError
from aef.features import Column, Extractor, feature_names, resolve
from aef.features.extraction import Ints, Layout, vocabulary
from aef.features.ruling import Frequencies
from aef.judged import TARGETS
from aef.labelled import LabelledCorpus, in_body, lay_out, learned_from
from aef.linear import Linear, scores_by
from aef.pooling import SHARES, pooled
from aef.presets import PRESETS
from aef.privacy import K, known_words, private_words, public, public_lists
from aef.repair import GIVEN, lowered, repaired
from aef.second_pass import SecondPass

if TYPE_CHECKING:
    from nltk.tag.api import TaggerI

    from aef.maxent import MaxEntClassifier

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


class Finder:
    """Features, classifier, decoding, threshold and consistency: from a document to its mentions.

    Parameters
    ----------
    features : a feature set (``wide``, ``rich``, ``nine``, ``thesis``, ``all``) or names of features. None: ``wide``
        for the target ``all`` by maximum entropy, else ``rich``.
    target : ``person``, ``names`` or ``all``: which mentions of the gold corpus are learned; see `aef.judged.TARGETS`.
    threshold : the probability from which a token is hidden; None chooses it by cross-validation over documents (after
        decoding), one for each preset of `aef.presets.PRESETS`.
    preset : which of them is in force: ``balanced``, ``f2`` or ``safe``.
    names_free : whether what the corpus hides is kept out of the model; see `aef.privacy`.
    consistency : whether an entity tagged once is tagged everywhere in its document.
    second_pass : whether what is sure in a document becomes evidence for the rest of it; see `aef.second_pass`. None:
        where people are looked for by maximum entropy, which is what pays. Needs features that do not look at labels.
    learner : ``maxent``, which labels from left to right by the labels before, or ``crf``, a linear chain that weighs
        the labels of a whole sentence (`aef.crf`) and has no features that look at labels. Learning it needs
        python-crfsuite, tagging does not. Types of entities are learned by maximum entropy either way.
    C, solver, iterations, cutoff : see `aef.maxent.MaxEntClassifier`; a chain heeds C and cutoff. C None: the one of
        `STRENGTHS` under which documents that the model has not seen are likeliest; for a chain the first.
    language, lists : the built-in word lists, and a user's folder of lists that replaces or extends them.
    folds, seed : of the cross-validation that chooses the threshold.

    Learns from the body of rulings (AEF thesis, section 3.2); tags all of a ruling. Where the gold corpus has something
    to hide outside the bodies (heads, tables, notes), a second model learned from all parts labels those parts: names
    stand there in capitals and without sentences, which a body does not teach.
    """

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
        if target not in TARGETS:
            raise InputError(f"target '{target}': there are {', '.join(TARGETS)}")
        self.features = feature_names(features or _set_for(target, learner), language)
        self.learner = _checked_learner(learner, self.features)
        self.target = target
        self.threshold = threshold
        self.preset = _checked_preset(preset, PRESETS)
        self.names_free = names_free
        self.consistency = consistency
        self.second_pass = self._two_passes(second_pass)
        self.second: SecondPass | None = None
        self.strengths = (C,) if C is not None else self._strengths(learner, solver)
        self.share = 0.0
        self.shares = SHARES if self._one_pass() else SHARES[:1]
        self.solver: dict[str, Any] = {"solver": solver, "iterations": iterations, "cutoff": cutoff}
        self.solver["C"] = self.strengths[0]
        self.solver |= {"growth": GROWTH} if self._looks_around else {}
        self.language = language
        self.lexicons: Mapping[str, frozenset[str]] = lexicons.load_all(language, lists)
        self.folds = folds
        self.seed = seed
        self.promise: dict[str, Any] | None = None
        self.fitted = False

    def _two_passes(self, asked: bool | None) -> bool:
        sequential = [name for name in self.features if resolve(name).sequential]
        if asked and sequential:
            raise InputError(f"a second pass needs features that do not look at labels, unlike {sequential[0]}")
        return not sequential and ((self.target, self.learner) in _TWO if asked is None else asked)

    @property
    def _looks_around(self) -> bool:
        return any(resolve(name).offset for name in self.features)

    def _strengths(self, learner: str, solver: str) -> tuple[float, ...]:
        strengths = STRENGTHS_AROUND if self._looks_around else STRENGTHS
        return strengths if (learner, solver) in _DRAWN else strengths[:1]

    def _one_pass(self) -> bool:
        """Whether each token's log-odds are its own alone: labels before, sentences and the ruling add nothing."""
        static = not any(resolve(name).sequential for name in self.features)
        return static and self.learner == "maxent" and self.target == "all" and not self.second_pass

    # -- learning ------------------------------------------------------------------------------------------------

    def fit(self, documents: Sequence[Document]) -> Finder:
        """Learn from gold documents. Raises `InputError` where there is nothing to learn, or the library is missing."""
        if self.learner == "crf":
            crf.must_be_installed()
        documents = [document.in_language(self.language) for document in documents]
        corpus = LabelledCorpus.of(documents, self.target, self.lexicons)
        if not corpus.labels[corpus.rows].any():
            raise InputError(_nothing_to_learn(documents, self.target))
        found = self._choose_cuts(self._likeliest(self._out_of_fold(documents)))
        self.cuts = {name: cut for name, (cut, _) in found.items()}
        self.expected = {name: score for name, (_, score) in found.items()}
        self.promise = None  # was made of the model before
        self.preset = self.preset if self.preset in PRESETS else "f2"
        self.cut = self.cuts[self.preset] if self.threshold is None else _log_odds(self.threshold)
        self._learn(self._observe(documents, corpus))
        self.fingerprints: list[str] = []
        self.trained_tokens, self.fitted = 0, True
        self.remember(documents)
        return self

    def _observe(self, documents: list[Document], corpus: LabelledCorpus) -> Learned:
        """What a model learns from, and by which numbers it knows predicates."""
        corpus, columns = self._observed(documents, corpus)
        learned = Learned(corpus, columns, _stack(columns, corpus.histories))
        self.frequencies = corpus.layout.frequencies
        self.vocabulary = vocabulary(columns)
        return learned

    def _learn(self, learned: Learned) -> None:
        """The model of bodies, that of what is outside them, where something is hidden there, and that of types."""
        labels = learned.corpus.labels
        self.models = {"body": self._log_odds(learned, learned.corpus.rows)}
        if labels.sum() > labels[learned.corpus.rows].sum():
            self.models["outside"] = self._log_odds(learned, np.arange(len(labels)))
        self._fit_types(learned.events, learned.corpus, learned.columns)

    def _log_odds(self, learned: Learned, rows: Ints) -> Linear:
        if self.learner == "crf":
            sentences = learned.corpus.labels[rows], learned.corpus.layout.positions[rows]
            options = self.solver["C"], self.solver["cutoff"]
            return crf.learn(learned.columns, learned.events[rows], *sentences, *options)
        return Linear.log_odds(self._classifier(learned.events, learned.corpus.labels, rows), learned.columns)

    def _observed(self, documents: list[Document], corpus: LabelledCorpus) -> tuple[LabelledCorpus, list[Column]]:
        """The corpus and its predicates, where asked for without those that would carry what it hides."""
        if not self.names_free:
            return corpus, list(Extractor(self.features, self.lexicons).columns(corpus.layout))
        private = private_words(documents)
        self.lexicons = public_lists(self.lexicons, self.language, private)
        frequencies = known_words(corpus.layout.frequencies, private)
        corpus = LabelledCorpus.of(documents, self.target, self.lexicons, frequencies)
        columns = Extractor(self.features, self.lexicons).columns(corpus.layout)
        return corpus, public(columns, corpus.layout, private, min(K, 1 + len(documents) // _FEW))

    def _classifier(self, events: NDArray[np.int32], labels: NDArray[Any], rows: Ints) -> MaxEntClassifier:
        from aef.maxent import MaxEntClassifier  # here, so that tagging does without scikit-learn

        return MaxEntClassifier(**{"tol": _FINE, **self.solver}).fit(events[rows], labels[rows])

    def _out_of_fold(self, documents: list[Document]) -> list[list[Judged]]:
        """The documents as first passes score them that have not seen them: for each fold a part a strength and share.

        Nothing where nobody asks for it.
        """
        if len(documents) < 2 or (self.threshold is not None and not self.second_pass):
            return []
        folds = np.random.default_rng(self.seed).permutation(len(documents)) % self.folds
        parts = []
        for fold in range(min(self.folds, len(documents))):
            others, held_out = ([documents[i] for i in np.flatnonzero(w)] for w in (folds != fold, folds == fold))
            parts.append(self._unseen(others, held_out))
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
            self.second = SecondPass.learned(parts, self.lexicons)
            parts = [self._rescored(part, [p for p in parts if p is not part]) for part in parts]
        if self.threshold is not None:
            return {}
        choose = calibrated_cuts if self._one_pass() else best_cuts
        return choose(parts, PRESETS) if parts else dict.fromkeys(PRESETS, (0.0, 0.0))

    def _rescored(self, part: Judged, others: list[Judged]) -> Judged:
        scores = part.scores if isinstance(part.scores, Scores) else Scores.of(part.scores)
        taught = SecondPass.learned(others, self.lexicons)
        return replace(part, scores=taught.rescored(part.layout, self.lexicons, scores))

    def _unseen(self, documents: list[Document], held_out: list[Document]) -> list[Judged]:
        """The held-out documents scored by what the others teach, once a strength and share, names kept out."""
        pupil = copy(self)
        corpus = LabelledCorpus.of(documents, self.target, self.lexicons)
        learns = corpus.labels[corpus.rows].any() and not corpus.labels[corpus.rows].all()
        learned = pupil._observe(documents, corpus) if learns else None
        known = pupil.frequencies.documents if learns else {}
        unseen = LabelledCorpus.of(held_out, self.target, pupil.lexicons, Frequencies(known))
        columns = list(
            Extractor(self.features, pupil.lexicons).columns(unseen.layout, pupil.vocabulary if learned else None)
        )
        parts = []
        for C in self.strengths:
            pupil.solver = {**self.solver, "C": C, "tol": _ROUGH}
            model = pupil._log_odds(learned, learned.corpus.rows) if learned else Linear.nothing(columns)
            scores = model.in_context(columns, unseen.layout)
            parts += [
                Judged(pooled(scores, unseen.layout, pupil.lexicons, share), unseen.layout, unseen.labels, unseen.rows)
                for share in self.shares
            ]
        return parts

    def _fit_types(self, events: NDArray[np.int32], corpus: LabelledCorpus, columns: list[Column]) -> None:
        """A model over the hidden tokens alone: which type of entity they belong to. It does not look beside them."""
        rows = np.flatnonzero(corpus.labels)
        own = [number for number, column in enumerate(columns) if not resolve(column.name).offset]
        columns, events = [columns[number] for number in own], events[:, own]
        self.types = sorted(set(corpus.types[rows].tolist()))
        if len(self.types) > 1:
            self.models["types"] = Linear.classes(self._classifier(events, corpus.types, rows), columns)

    # -- tagging -------------------------------------------------------------------------------------------------

    def tag(self, document: Document) -> Document:
        """The document with the mentions found in it; the mentions it came with are ignored."""
        return self.tag_all([document])[0]

    def tag_all(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the mentions found in each; quicker than one by one."""
        self._must_be_fitted()
        return [self._repaired(tagged) for batch in batches(documents) for tagged in self._tag(batch)]

    def _repaired(self, tagged: Document) -> Document:
        """With mentions of people repaired (`aef.repair`), where the whole document is looked at."""
        if not self.consistency:
            return tagged
        return repaired(tagged, self.lexicons, "PERSON" if "PERSON" in self.types else None, self.cut)

    def probabilities(self, documents: Sequence[Document]) -> list[Floats]:
        """The probability of each token of each document that it must be hidden, before consistency; shape (n,) each.

        The tokens are those of the document read in the finder's language.
        """
        return [after for _, after in self.probabilities_by_pass(documents)]

    def probabilities_by_pass(self, documents: Sequence[Document]) -> list[tuple[Floats, Floats]]:
        """`probabilities` as the first pass alone would give them, and as they are in the end."""
        self._must_be_fitted()
        return [found for batch in batches(documents) for found in self._probabilities(batch)]

    def _probabilities(self, documents: list[Document]) -> list[tuple[Floats, Floats]]:
        documents = [document.in_language(self.language) for document in documents]
        layout = lay_out(documents, Frequencies(self.frequencies.documents))
        columns = list(Extractor(self.features, self.lexicons).columns(layout, self.vocabulary))
        passes = [self._first_scores(self.models, columns, layout, documents)]
        passes.append(self._revised(passes[0], layout))
        found = [logistic(scores.at(decode(scores, layout, self.cut)[1])) for scores in passes]
        first, last = (np.split(found[i], layout.bounds[1:-1]) for i in (0, -1))
        return list(zip(first, last, strict=True))

    @collector_paused()
    def _tag(self, documents: list[Document]) -> list[Document]:
        documents = [document.in_language(self.language) for document in documents]
        layout = lay_out(documents, Frequencies(self.frequencies.documents))
        columns = list(Extractor(self.features, self.lexicons).columns(layout, self.vocabulary))
        first = self._first_scores(self.models, columns, layout, documents)
        scores = self._revised(first, layout)
        labels, history = decode(scores, layout, self.cut)
        tokens = np.flatnonzero(labels)
        types = self._types(self.models, columns, history, tokens)
        kept = ~self._plain(layout, tokens, types)
        tokens, types = tokens[kept], types[kept]
        repeats, repeated = self._repeats(layout, tokens, types, scores.at(history[tokens], tokens))
        origins = np.concatenate([np.arange(len(tokens)), np.searchsorted(tokens, repeated)])
        tokens = np.concatenate([tokens, repeats])
        probabilities = logistic(scores.at(history[tokens], tokens))
        probabilities = np.maximum(probabilities, probabilities[origins])
        order = np.argsort(tokens)
        before = logistic(first.at(history[tokens], tokens)) if self.second is not None else probabilities
        hidden = Hidden(tokens[order], types[origins][order], probabilities[order], before[order], order >= len(types))
        return _with_mentions(documents, layout, hidden)

    def _revised(self, scores: Scores, layout: Layout) -> Scores:
        """After the second pass, where there is one, or drawn to those of phrases."""
        if self.second is not None:
            return self.second.rescored(layout, self.lexicons, scores)
        return pooled(scores, layout, self.lexicons, self.share)

    def _first_scores(
        self, models: Mapping[str, Linear], columns: list[Column], layout: Layout, documents: list[Document]
    ) -> Scores:
        """The log-odds of all tokens: the body by what was learned from bodies, the rest from all."""
        outside = ~np.concatenate([in_body(document) for document in documents])
        if "outside" not in models or not outside.any():
            return models["body"].in_context(columns, layout)
        return scores_by([models["body"], models["outside"]], outside.astype(np.int64), columns, layout)

    def _types(
        self, models: Mapping[str, Linear], columns: list[Column], history: Ints, tokens: Ints
    ) -> NDArray[np.str_]:
        """The most probable type of each of the tokens, "" where there is none to learn.

        Where the corpus has types but not for all (an editor's "[...]" tells none), those without are MISC.
        """
        if len(self.types) < 2:
            return np.full(len(tokens), "".join(self.types))
        scores = models["types"].class_scores(columns, history, tokens)
        found: NDArray[np.str_] = np.array([t or "MISC" for t in self.types])[np.argmax(scores, axis=1)]
        return found

    def _plain(self, layout: Layout, tokens: Ints, types: NDArray[np.str_]) -> Bools:
        """Words in lower case that are no part of a person's name: "and", "v."."""
        plain: Bools = types == "PERSON"
        words = map(layout.types.__getitem__, layout.word_ids[tokens[plain]].tolist())
        common = self.lexicons["common_words"] - lowered(self.lexicons, *GIVEN)
        plain[plain] = [word.islower() and (word in common or word in ("v.", "vs.")) for word in words]
        return plain

    def _repeats(self, layout: Layout, tokens: Ints, types: NDArray[np.str_], log_odds: Floats) -> tuple[Ints, Ints]:
        """Tokens that repeat one of the hidden ``tokens`` of their document, and for each a token of the entity."""
        if not self.consistency:
            return tokens[:0], tokens[:0]
        labels, persons = np.zeros((2, len(layout.positions)), dtype=np.bool_)
        labels[tokens] = True
        odds = np.zeros(len(labels))
        odds[tokens] = log_odds
        persons[tokens[types == ("PERSON" if "PERSON" in self.types else "")]] = True
        return spread_all(layout, labels, guard_words(self.lexicons), persons, odds)

    # -- the rest ------------------------------------------------------------------------------------------------

    def events(self, documents: Sequence[Document]) -> tuple[NDArray[np.int32], NDArray[np.str_]]:
        """Events (n, features) and labels (n,) "A" or "N" of the documents' tokens, sequential features from gold."""
        known = Frequencies(self.frequencies.documents) if self.fitted else None
        corpus = LabelledCorpus.of(documents, self.target, self.lexicons, known)
        columns = list(Extractor(self.features, self.lexicons).columns(corpus.layout))
        if self.fitted:
            columns = [c.renumbered(self.vocabulary[c.name]) for c in columns]
        return _stack(columns, corpus.histories)[corpus.rows], np.where(corpus.labels, "A", "N")[corpus.rows]

    def remember(self, documents: Sequence[Document]) -> None:
        """Count the documents among those learned from; see `trained_on`."""
        self.fingerprints = sorted([*self.fingerprints, *map(_fingerprint, documents)])
        self.trained_tokens += sum(int(learned_from(d).sum()) for d in documents)

    def trained_on(self, document: Document) -> bool:
        """Whether the model learned from this very text."""
        return self.fitted and _fingerprint(document) in self.fingerprints

    def as_nltk(self) -> TaggerI:
        """The same tagger with NLTK's interface: ``tag(tokens)`` gives (token, "A" or "N") pairs."""
        from aef.nltk_tagger import NltkTagger

        return NltkTagger(self)

    def save(self, path: str | Path, force: bool = False) -> None:
        """Write the model as one file; see `aef.model_file`."""
        from aef.model_file import save

        self._must_be_fitted()
        save(self, path, force)

    @classmethod
    def load(cls, path: str | Path | None = None) -> Finder:
        """Read a model file, a ready-made model by its name (see `aef.ready`), or (None) the English one for names.

        Raises `InputError` where the file is none, damaged or of a newer format.
        """
        from aef import ready
        from aef.model_file import load

        return load(ready.default() if path is None else ready.find(path))

    def set_threshold(self, threshold: float) -> None:
        """Hide tokens from this probability on. Raises `InputError` for what is no probability."""
        self.cut = _log_odds(threshold)

    def set_preset(self, preset: str) -> None:
        """Decide as a preset of the model says. Raises `InputError` for one that it lacks."""
        self.cut = self.cuts[_checked_preset(preset, self.cuts)]
        self.preset = preset

    @property
    def cut_probability(self) -> float:
        """The threshold in force, as a probability."""
        return float(logistic(self.cut))

    def _must_be_fitted(self) -> None:
        if not self.fitted:
            raise InputError("the finder has learned nothing yet: call fit, or load a model")


def _nothing_to_learn(documents: Sequence[Document], target: str) -> str:
    present = sorted({m.entity_type or "without type" for d in documents for m in d.mentions if m.masked})
    what = ", ".join(present) or "none"
    return (
        f"no token of the gold corpus's {len(documents)} documents is to be hidden for target '{target}' "
        f"(types of the masked mentions: {what}). Check the mentions, or choose another --target"
    )


def _stack(columns: list[Column], states: Ints) -> NDArray[np.int32]:
    events = np.empty((len(states), len(columns)), dtype=np.int32)
    for number, column in enumerate(columns):
        events[:, number] = column.at(states)
    return events


@dataclass(frozen=True)
class Learned:
    """What a model was learned from: the corpus, its predicates, and each token's event, shape (n, features)."""

    corpus: LabelledCorpus
    columns: list[Column]
    events: NDArray[np.int32]


@dataclass(frozen=True)
class Hidden:
    """The tokens to hide, ascending: numbers in the layout, types, probabilities in the end and after the first pass,
    and whether each repeats another."""

    tokens: Ints
    types: NDArray[np.str_]
    probabilities: Floats
    first: Floats
    repeated: Bools


def _with_mentions(documents: list[Document], layout: Layout, hidden: Hidden) -> list[Document]:
    """The documents with a mention for each run of hidden tokens."""
    starts = np.concatenate([d.tokens.starts for d in documents])[hidden.tokens]
    ends = np.concatenate([d.tokens.ends for d in documents])[hidden.tokens]
    owners = np.searchsorted(layout.bounds, hidden.tokens, side="right") - 1
    begins = np.flatnonzero(_begins(documents, layout, hidden, owners, starts, ends))
    lasts = np.append(begins, len(starts))[1:] - 1
    means, first = (
        np.add.reduceat(each, begins) / (lasts - begins + 1) for each in (hidden.probabilities, hidden.first)
    )
    repeated = np.logical_and.reduceat(hidden.repeated, begins)
    runs = (owners[begins], starts[begins], ends[lasts], hidden.types[begins], means, first, repeated)
    found: list[list[Mention]] = [[] for _ in documents]
    for owner, start, end, kind, probability, before, repeats in zip(*(run.tolist() for run in runs), strict=True):
        if _WORDLIKE.search(documents[owner].text, start, end):
            extra = {FIRST: round(before, 4)} | ({"by": "consistency"} if repeats else {})
            found[owner].append(Mention(start, end, kind or None, "DIRECT", None, round(probability, 4), extra))
    return [document.with_mentions(mentions) for document, mentions in zip(documents, found, strict=True)]


def _begins(documents: list[Document], layout: Layout, hidden: Hidden, owners: Ints, starts: Ints, ends: Ints) -> Bools:
    """Which hidden tokens begin a mention: where sentence, type or more than a joint parts them from the last."""
    begins: Bools = np.diff(layout.positions[hidden.tokens], prepend=-1) != 1
    begins[1:] |= hidden.types[1:] != hidden.types[:-1]
    going_on = np.flatnonzero(~begins)
    gaps = zip(owners[going_on].tolist(), ends[going_on - 1].tolist(), starts[going_on].tolist(), strict=True)
    begins[going_on] = [_SEPARATOR.search(documents[owner].text, low, high) is not None for owner, low, high in gaps]
    return begins


_FEW = 6
"""So many documents more let a predicate be asked for in one document more, up to `aef.privacy.K`."""

_WORDLIKE = re.compile(r"[^\W_]")  # a letter or digit: signs alone are no mention

_SEPARATOR = re.compile(r'[,;:()\[\]"“”\n\t]|[^\S\n]{3}')
"""What parts two mentions: such a sign, or the gap between two columns."""


_DRAWN = frozenset(("maxent", solver) for solver in ("newton-cg", "lbfgs", "liblinear"))
"""Which learners learn fast enough to try penalties, and have one."""

STRENGTHS = (0.5, 0.2)
"""Inverse strengths of the L2 penalty to choose from; the second is for labels that differ from ruling to ruling."""

STRENGTHS_AROUND, GROWTH = (0.1, 0.05), 0.2
"""The same where the tokens beside tell, too: of thrice as many predicates each is to weigh less, common ones most."""

_FINE, _ROUGH = 1e-4, 1e-3
"""The gain in log-likelihood at which learning stops: of a model to keep, and of scores to choose by."""

_TWO = frozenset([("person", "maxent"), ("names", "maxent")])
"""What is done in two passes unasked: a chain has seen its neighbours already, and `all` gains nothing."""

FIRST = "first"
"""The key of a mention's further data that holds the probability of the first pass."""

LEARNERS = ("maxent", "crf")
"""What may learn which tokens to hide."""


def _set_for(target: str, learner: str) -> str:
    """The feature set where none is asked for; a chain weighs the tokens beside by itself."""
    return "wide" if (target, learner) == ("all", "maxent") else "rich"


def _checked_learner(learner: str, features: Sequence[str]) -> str:
    if learner not in LEARNERS:
        raise InputError(f"learner '{learner}': there are {', '.join(LEARNERS)}")
    sequential = [name for name in features if resolve(name).sequential]
    if learner == "crf" and sequential:
        raise InputError(
            f"features that look at the labels before ({', '.join(sequential)}) do not go with the learner 'crf', "
            "which weighs neighbouring labels itself. Leave them out, or take the learner 'maxent'"
        )
    return learner


def _checked_preset(preset: str, known: Collection[str]) -> str:
    if preset not in known:
        there = f"there are {', '.join(known)}" if known else "it has none: it was trained with a given threshold"
        raise InputError(f"preset '{preset}' is not in the model: {there}")
    return preset


def _log_odds(threshold: float) -> float:
    if not 0 < threshold < 1:
        raise InputError(f"threshold {threshold}: a probability between 0 and 1 is wanted")
    return float(np.log(threshold / (1 - threshold)))


def _fingerprint(document: Document) -> str:
    return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
