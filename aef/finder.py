"""The finder: learns from a gold corpus which tokens must be hidden, and finds them in a new ruling."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from aef import lexicons
from aef.consistency import guard_words, spread
from aef.corpus_tools.document import Document, Mention, merge_adjacent
from aef.decoding import best_cut, decode
from aef.errors import InputError
from aef.features import Column, Extractor, feature_names
from aef.labelled import LabelledCorpus, lay_out
from aef.maxent import MaxEntClassifier

if TYPE_CHECKING:
    from nltk.tag.api import TaggerI

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]

TARGETS = {
    "person": "names of persons that must be hidden",
    "all": "everything that must be hidden: names, places, dates, numbers",
}


class Finder:
    """Features, classifier, decoding, threshold and consistency: from a document to its mentions.

    Parameters
    ----------
    features : a feature set (``nine``, ``thesis``, ``all``) or names of features.
    target : ``person`` or ``all``: which masked mentions of the gold corpus are learned.
    threshold : the probability from which a token is hidden; None chooses it by cross-validation over documents for
        F2 (after decoding).
    consistency : whether an entity tagged once is tagged everywhere in its document.
    C, solver, iterations, cutoff : see `aef.maxent.MaxEntClassifier`.
    language, lists : the built-in word lists, and a user's folder of lists that replaces or extends them.
    folds, seed : of the cross-validation that chooses the threshold.

    Learns from the body of rulings (AEF thesis, section 3.2); tags all of a ruling.
    """

    def __init__(
        self,
        features: str | Sequence[str] = "thesis",
        target: str = "all",
        threshold: float | None = None,
        consistency: bool = True,
        *,
        C: float = 3.0,
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
        self.features = feature_names(features)
        self.target = target
        self.threshold = threshold
        self.consistency = consistency
        self.solver: dict[str, Any] = {"C": C, "solver": solver, "iterations": iterations, "cutoff": cutoff}
        self.language = language
        self.lexicons: Mapping[str, frozenset[str]] = lexicons.load_all(language, lists)
        self.folds = folds
        self.seed = seed
        self.fitted = False

    # -- learning ------------------------------------------------------------------------------------------------

    def fit(self, documents: Sequence[Document]) -> Finder:
        """Learn from gold documents. Raises `InputError` where there is nothing to learn."""
        corpus = LabelledCorpus.of(documents, self.target, self.lexicons)
        if not corpus.labels[corpus.rows].any():
            raise InputError(_nothing_to_learn(documents, self.target))
        columns = list(Extractor(self.features, self.lexicons).columns(corpus.layout))
        events = _stack(columns, corpus.histories)
        self.cut = self._choose_cut(columns, events, corpus) if self.threshold is None else _log_odds(self.threshold)
        model = self._learn(events, corpus.labels, corpus.rows)
        self.intercept, weights = _log_odds_weights(model, columns)
        self.vocabulary = {c.name: {v: i for i, v in enumerate(c.values)} for c in columns}
        self.weights = dict(zip(self.vocabulary, weights, strict=True))
        self._fit_types(events, corpus, columns)
        self.fingerprints = sorted(_fingerprint(d) for d in documents)
        self.trained_tokens = len(corpus.rows)
        self.fitted = True
        return self

    def _learn(self, events: NDArray[np.int32], labels: NDArray[Any], rows: Ints) -> MaxEntClassifier:
        return MaxEntClassifier(**self.solver).fit(events[rows], labels[rows])

    def _choose_cut(self, columns: list[Column], events: NDArray[np.int32], corpus: LabelledCorpus) -> float:
        """The cut on the log-odds with the best F2 over decoded out-of-fold documents."""
        if len(corpus.layout.sizes) < 2:
            return 0.0
        scores = np.zeros((len(events), 8))
        folds = np.random.default_rng(self.seed).permutation(len(corpus.layout.sizes)) % self.folds
        fold_of = np.repeat(folds, corpus.layout.sizes)
        for fold in range(self.folds):
            rows = corpus.rows[fold_of[corpus.rows] != fold]
            if corpus.labels[rows].any() and not corpus.labels[rows].all():
                intercept, weights = _log_odds_weights(self._learn(events, corpus.labels, rows), columns)
                held_out = fold_of == fold
                scores[held_out] = _scores(columns, weights, intercept, held_out)
        return best_cut(scores, corpus.layout, corpus.labels, rows=corpus.rows)[0]

    def _fit_types(self, events: NDArray[np.int32], corpus: LabelledCorpus, columns: list[Column]) -> None:
        """A second model, over the hidden tokens alone: which type of entity they belong to."""
        rows = corpus.rows[corpus.labels[corpus.rows]]
        self.types = sorted(set(corpus.types[rows].tolist()))
        self.type_weights: dict[str, Floats] = {}
        self.type_intercept: Floats = np.zeros(len(self.types))
        if len(self.types) > 1:
            model = self._learn(events, corpus.types, rows)
            self.type_intercept = model.intercept_
            self.type_weights = dict(zip(self.vocabulary, _by_code(model, columns, model.weights_), strict=True))

    # -- tagging -------------------------------------------------------------------------------------------------

    def tag(self, document: Document) -> Document:
        """The document with the mentions found in it; the mentions it came with are ignored."""
        return self.tag_all([document])[0]

    def tag_all(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the mentions found in each; quicker than one by one."""
        self._must_be_fitted()
        layout = lay_out(documents)
        columns = [self._known(c) for c in Extractor(self.features, self.lexicons).columns(layout)]
        scores = _scores(columns, list(self.weights.values()), self.intercept, np.ones(layout.bounds[-1], np.bool_))
        labels, history = decode(scores, layout, self.cut)
        probabilities = expit(scores[np.arange(len(history)), history])
        types = self._types(columns, history, labels)
        return [
            self._mark(document, labels[low:high], probabilities[low:high], types[low:high])
            for document, low, high in zip(documents, layout.bounds[:-1], layout.bounds[1:], strict=True)
        ]

    def _mark(self, document: Document, labels: Bools, probabilities: Floats, types: NDArray[np.str_]) -> Document:
        repeats = {}
        if self.consistency:
            persons = labels & (types == ("PERSON" if "PERSON" in self.types else ""))
            repeats = spread(document, labels, guard_words(self.lexicons), persons)
            labels, probabilities, types = labels.copy(), probabilities.copy(), types.copy()
            for token, origin in repeats.items():
                labels[token], types[token] = True, types[origin]
                probabilities[token] = max(probabilities[token], probabilities[origin])
        found = []
        for run in merge_adjacent(document, labels):
            found += [_mention(document, part, probabilities, types, repeats) for part in _parts(document, run, types)]
        return document.with_mentions(found)

    def _known(self, column: Column) -> Column:
        """The column in the numbers of the training vocabulary."""
        vocabulary = self.vocabulary[column.name]
        numbers = np.array([vocabulary.get(v, -1) for v in column.values] + [-1], dtype=np.int32)
        return Column(column.name, numbers[column.codes], list(vocabulary))

    def _types(self, columns: list[Column], history: Ints, labels: Bools) -> NDArray[np.str_]:
        """The most probable type of each hidden token, "" for the others.

        Where the corpus has types but not for all (an editor's "[...]" tells none), those without are MISC.
        """
        types = np.full(len(labels), "", dtype="<U32")
        if len(self.types) == 1:
            types[labels] = self.types[0]
        elif self.types:
            rows = np.flatnonzero(labels)
            scores = np.tile(self.type_intercept, (len(rows), 1))
            for column in columns:
                padded = np.vstack([self.type_weights[column.name], np.zeros(len(self.types))])
                scores += padded[column.at(history)[rows]]
            types[rows] = np.array([t or "MISC" for t in self.types])[np.argmax(scores, axis=1)]
        return types

    # -- the rest ------------------------------------------------------------------------------------------------

    def events(self, documents: Sequence[Document]) -> tuple[NDArray[np.int32], NDArray[np.str_]]:
        """Events (n, features) and labels (n,) "A" or "N" of the documents' tokens, sequential features from gold."""
        corpus = LabelledCorpus.of(documents, self.target, self.lexicons)
        columns = list(Extractor(self.features, self.lexicons).columns(corpus.layout))
        if self.fitted:
            columns = [self._known(c) for c in columns]
        return _stack(columns, corpus.histories)[corpus.rows], np.where(corpus.labels, "A", "N")[corpus.rows]

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
    def load(cls, path: str | Path) -> Finder:
        """Read a model file. Raises `InputError` where the file is none, damaged or of a newer format."""
        from aef.model_file import load

        return load(path)

    def set_threshold(self, threshold: float) -> None:
        """Hide tokens from this probability on. Raises `InputError` for what is no probability."""
        self.cut = _log_odds(threshold)

    @property
    def cut_probability(self) -> float:
        """The threshold in force, as a probability."""
        return float(expit(self.cut))

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
    return np.stack([c.at(states) for c in columns], axis=1)


def _by_code(model: MaxEntClassifier, columns: list[Column], weights: Floats) -> list[Floats]:
    """The rows of the weights as one array a column, indexed by the column's codes; unseen codes weigh nothing."""
    found, offset = [], 0
    for column, known in zip(columns, model.categories_, strict=True):
        table = np.zeros((len(column.values), *weights.shape[1:]))
        table[known] = weights[offset : offset + len(known)]
        found.append(table)
        offset += len(known)
    return found


def _log_odds_weights(model: MaxEntClassifier, columns: list[Column]) -> tuple[float, list[Floats]]:
    """The intercept and, for each column, the weights by code of "A" (True) against "N"."""
    difference = model.weights_[:, 1] - model.weights_[:, 0]
    return float(model.intercept_[1] - model.intercept_[0]), _by_code(model, columns, difference)


def _scores(columns: list[Column], weights: list[Floats], intercept: float, rows: Bools) -> Floats:
    """The log-odds of A under each of the eight histories, shape (rows, 8)."""
    static = np.full(int(rows.sum()), intercept)
    sequential = np.zeros((len(static), 8))
    for column, weight in zip(columns, weights, strict=True):
        padded = np.append(weight, 0.0)
        if column.codes.ndim == 1:
            static += padded[column.codes[rows]]
        else:
            sequential += padded[column.codes[rows]]
    return static[:, None] + sequential


def _parts(document: Document, run: range, types: NDArray[np.str_]) -> list[range]:
    """A run of hidden tokens cut where the type changes or where more than a joint stands between two tokens."""
    parts = [range(run.start, run.start + 1)]
    for i in run[1:]:
        gap = document.text[document.tokens.ends[i - 1] : document.tokens.starts[i]]
        if types[i] == types[i - 1] and not set(gap) & set(',;:()[]"“”\n'):
            parts[-1] = range(parts[-1].start, i + 1)
        else:
            parts.append(range(i, i + 1))
    return parts


def _mention(
    document: Document, part: range, probabilities: Floats, types: NDArray[np.str_], repeats: Mapping[int, int]
) -> Mention:
    extra = {"by": "consistency"} if all(i in repeats for i in part) else {}
    return Mention(
        int(document.tokens.starts[part.start]),
        int(document.tokens.ends[part.stop - 1]),
        entity_type=str(types[part.start]) or None,
        identifier_type="DIRECT",
        probability=round(float(np.mean(probabilities[part.start : part.stop])), 4),
        extra=extra,
    )


def _log_odds(threshold: float) -> float:
    if not 0 < threshold < 1:
        raise InputError(f"threshold {threshold}: a probability between 0 and 1 is wanted")
    return float(np.log(threshold / (1 - threshold)))


def _fingerprint(document: Document) -> str:
    return hashlib.sha256(document.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
