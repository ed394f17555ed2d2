"""The features as a transformer of scikit-learn: documents go in, one event a token comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from aef import lexicons
from aef.corpus_tools.document import Document
from aef.features import Column, Extractor, feature_names
from aef.features.extraction import vocabulary
from aef.features.ruling import Frequencies
from aef.tagging.labelled import LabelledCorpus, stacked


class FeatureExtractor(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Documents as events: a row a token, a column a feature, the number of the predicate that holds or -1 for none.

    The tokens are those that `aef.Finder` learns from: of the ruling's body, or all where there is no body.

    Parameters
    ----------
    features : a feature set (``rich``, ``nine``, ``thesis`` ...) or names of features.
    target : ``person``, ``names`` or ``all``: which mentions count as A, for `labels` and for features that look at
        the labels before, which are the gold ones here.
    language, lists : the built-in word lists, and a user's folder of lists that replaces or extends them.

    Attributes
    ----------
    vocabulary_ : for each feature the number of each of its predicates, in order of first appearance.
    frequencies_ : in how many of the documents each word occurs, for features that ask how rare it is.

    Examples
    --------
    >>> from aef import Document, FeatureExtractor, Mention
    >>> ruling = Document.from_text("Ms. Zwetkow left.", mentions=[Mention(4, 11, "PERSON")])
    >>> extractor = FeatureExtractor("W0,FirstCap")
    >>> extractor.fit_transform([ruling]).tolist()
    [[0, 0], [1, 0], [-1, -1]]
    >>> extractor.labels([ruling]).tolist(), extractor.get_feature_names_out().tolist()
    (['N', 'A', 'N'], ['W0', 'FirstCap'])
    """

    def __init__(
        self,
        features: str | Sequence[str] = "rich",
        target: str = "all",
        language: str = "en",
        lists: str | Path | None = None,
    ) -> None:
        self.features = features
        self.target = target
        self.language = language
        self.lists = lists

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        return tags

    def fit(self, documents: Sequence[Document], y: object = None) -> FeatureExtractor:
        """Number the predicates of these documents. Raises `InputError` for a feature or target that is none."""
        self._fitted(documents)
        return self

    def fit_transform(self, documents: Sequence[Document], y: object = None) -> NDArray[np.int32]:
        """`fit` and then `transform`; quicker than both."""
        corpus, columns = self._fitted(documents)
        return stacked(columns, corpus.histories)[corpus.rows]

    def transform(self, documents: Sequence[Document]) -> NDArray[np.int32]:
        """The events, shape (tokens, features); what was not seen in `fit` is inactive."""
        check_is_fitted(self, "vocabulary_")
        corpus = self._corpus(documents, self.frequencies_)
        columns = list(self._extractor().columns(corpus.layout, self.vocabulary_))
        return stacked(columns, corpus.histories)[corpus.rows]

    def get_feature_names_out(self, input_features: object = None) -> NDArray[np.object_]:
        """The names of the columns."""
        return np.array(feature_names(self.features, self.language), dtype=object)

    def labels(self, documents: Sequence[Document]) -> NDArray[np.str_]:
        """The label of each row of `transform`, "A" or "N", shape (tokens,)."""
        corpus = self._corpus(documents)
        return np.where(corpus.labels, "A", "N")[corpus.rows]

    def groups(self, documents: Sequence[Document]) -> NDArray[np.int64]:
        """The number of the document that each row is of, shape (tokens,): what ``GroupKFold`` is to hold together."""
        corpus = self._corpus(documents)
        return np.repeat(np.arange(len(documents)), corpus.layout.sizes)[corpus.rows]

    def _fitted(self, documents: Sequence[Document]) -> tuple[LabelledCorpus, list[Column]]:
        corpus = self._corpus(documents)
        columns = list(self._extractor().columns(corpus.layout))
        self.vocabulary_, self.frequencies_ = vocabulary(columns), corpus.layout.frequencies.documents
        return corpus, columns

    def _corpus(self, documents: Sequence[Document], known: Mapping[str, int] | None = None) -> LabelledCorpus:
        spoken = [document.in_language(self.language) for document in documents]
        return LabelledCorpus.of(spoken, self.target, None if known is None else Frequencies(known))

    def _extractor(self) -> Extractor:
        return Extractor(feature_names(self.features, self.language), self._lists())

    def _lists(self) -> Mapping[str, frozenset[str]]:
        return lexicons.load_all(self.language, self.lists)
