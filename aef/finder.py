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
from aef.labelled import LabelledCorpus, in_body, lay_out
from aef.linear import Linear
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

    Learns from the body of rulings (AEF thesis, section 3.2); tags all of a ruling. Where the gold corpus has something
    to hide outside the bodies (heads, tables, notes), a second model learned from all parts labels those parts: names
    stand there in capitals and without sentences, which a body does not teach.
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
        self.vocabulary = {c.name: {v: i for i, v in enumerate(c.values)} for c in columns}
        self.models = {"body": Linear.log_odds(self._learn(events, corpus.labels, corpus.rows), columns)}
        if corpus.labels.sum() > corpus.labels[corpus.rows].sum():
            everything = self._learn(events, corpus.labels, np.arange(len(corpus.labels)))
            self.models["outside"] = Linear.log_odds(everything, columns)
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
                model = Linear.log_odds(self._learn(events, corpus.labels, rows), columns)
                scores[fold_of == fold] = model.scores(columns, fold_of == fold)
        return best_cut(scores, corpus.layout, corpus.labels, rows=corpus.rows)[0]

    def _fit_types(self, events: NDArray[np.int32], corpus: LabelledCorpus, columns: list[Column]) -> None:
        """A model over the hidden tokens alone: which type of entity they belong to."""
        rows = np.flatnonzero(corpus.labels)
        self.types = sorted(set(corpus.types[rows].tolist()))
        if len(self.types) > 1:
            self.models["types"] = Linear.classes(self._learn(events, corpus.types, rows), columns)

    # -- tagging -------------------------------------------------------------------------------------------------

    def tag(self, document: Document) -> Document:
        """The document with the mentions found in it; the mentions it came with are ignored."""
        return self.tag_all([document])[0]

    def tag_all(self, documents: Sequence[Document]) -> list[Document]:
        """The documents with the mentions found in each; quicker than one by one."""
        self._must_be_fitted()
        layout = lay_out(documents)
        columns = [self._known(c) for c in Extractor(self.features, self.lexicons).columns(layout)]
        scores = self._scores(columns, documents)
        labels, history = decode(scores, layout, self.cut)
        probabilities = expit(scores[np.arange(len(history)), history])
        types = self._types(columns, history, labels)
        return [
            self._mark(document, labels[low:high], probabilities[low:high], types[low:high])
            for document, low, high in zip(documents, layout.bounds[:-1], layout.bounds[1:], strict=True)
        ]

    def _scores(self, columns: list[Column], documents: Sequence[Document]) -> Floats:
        """The log-odds of all tokens, shape (n, 8): the body by what was learned from bodies, the rest from all."""
        body = np.concatenate([np.empty(0, np.bool_), *(in_body(document) for document in documents)])
        scores = np.zeros((len(body), 8))
        for name, tokens in (("body", body), ("outside", ~body)):
            if tokens.any():
                scores[tokens] = self.models.get(name, self.models["body"]).scores(columns, tokens)
        return scores

    def _mark(self, document: Document, labels: Bools, probabilities: Floats, types: NDArray[np.str_]) -> Document:
        repeats = {}
        labels = labels & ~self._plain(document, labels, types)
        if self.consistency:
            persons = labels & (types == ("PERSON" if "PERSON" in self.types else ""))
            repeats = spread(document, labels, guard_words(self.lexicons), persons)
            probabilities, types = probabilities.copy(), types.copy()
            for token, origin in repeats.items():
                labels[token], types[token] = True, types[origin]
                probabilities[token] = max(probabilities[token], probabilities[origin])
        found = []
        for run in merge_adjacent(document, labels):
            found += [_mention(document, part, probabilities, types, repeats) for part in _parts(document, run, types)]
        return document.with_mentions(m for m in found if any(map(str.isalnum, document.cut(m))))

    def _plain(self, document: Document, labels: Bools, types: NDArray[np.str_]) -> Bools:
        """Words in lower case that are no part of a person's name: "and", "v."."""
        plain = np.zeros(len(labels), dtype=np.bool_)
        for i in np.flatnonzero(labels & (types == "PERSON")):
            word = document.words[i]
            plain[i] = word.islower() and (word in self.lexicons["common_words"] or word in ("v.", "vs."))
        return plain

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
            scores = self.models["types"].class_scores(columns, history, rows)
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
