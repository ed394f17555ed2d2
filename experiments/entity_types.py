"""Entities by type, exact: precision, recall and F1 by cross-validation over documents, beside a CRF.

The folds are those of documents drawn once (`FOLDS`, `SEED`). Both systems see the feature set ``rich`` and the signs
before a word, names kept in:

- the product's finder: one maximum-entropy model of what is an entity, one of its type and of where it begins (see
  `aef.classifiers.spans`), no consistency;
- a linear-chain CRF (CRFsuite) over B- and I- labels of all types.

An entity counts where all its word tokens are found and no more, with the same type. That differs from the papers:
LeNER-Br (Luz de Araujo et al. 2018, an LSTM-CRF on word vectors) and Leitner et al. 2019 (CRFs and BiLSTM-CRFs) count
entities of their own tokens, punctuation among them, on splits of their own; the German figures are of sentences drawn
at random, and of ten folds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from aef import lexicons
from aef.classifiers.chain import sentence_bounds
from aef.classifiers.crf import attributes, trained
from aef.commands.common import progress, table
from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.gold.conll import entity_spans
from aef.evaluation.token_counts import Typed, judge
from aef.features import Extractor, feature_names
from aef.features.extraction import Layout
from aef.tagging.finder import Finder
from aef.tagging.labelled import lay_out

FOLDS, SEED = 5, 0
PUBLISHED = {
    "pt": "Luz de Araujo et al. 2018, LSTM-CRF, their test set: F1 97.04 (LEGISLACAO) and 88.82 (JURISPRUDENCIA)",
    "de": "Leitner et al. 2019, seven coarse classes, ten folds over sentences: F1 93.22 (CRF) and 95.95 (BiLSTM)",
}
HEADER = ["type", "P", "R", "F1", "CRF P", "R", "F1", "entities"]
FEATURES = "rich,SignsBefore"
STRENGTH = 1.0


def report(documents: Sequence[Document], language: str, folds: int = FOLDS) -> str:
    """The table of a corpus, over the first ``folds`` of the five."""
    held = folds_of(documents)
    counts: dict[str, Counter[tuple[str, str]]] = {"finder": Counter(), "crf": Counter()}
    jobs = [(fold, system) for fold in range(folds) for system in counts]
    for fold, system in progress(jobs, f"types, {language}"):
        train, test = ([documents[i] for i in np.flatnonzero(w).tolist()] for w in (held != fold, held == fold))
        found = by_finder(train, test, language) if system == "finder" else by_crf(train, test, language)
        counts[system] += counted(test, found)
    kinds = sorted({kind for counter in counts.values() for kind, _ in counter})
    rows = [_row(kind, [kind], counts) for kind in kinds] + [_row("all", kinds, counts)]
    return f"{table(rows, HEADER)}\n{PUBLISHED.get(language, '')}"


def folds_of(documents: Sequence[Document]) -> Any:
    """The number of each document's fold, shape (documents,)."""
    return np.random.default_rng(SEED).permutation(len(documents)) % FOLDS


def by_finder(train: Sequence[Document], test: Sequence[Document], language: str) -> list[Document]:
    """The documents as the finder tags them, which has learned from the others."""
    told = {"language": language, "names_free": False, "consistency": False, "C": STRENGTH, "folds": 3}
    finder = Finder(FEATURES, "all", **told, preset="balanced").fit(train)  # type: ignore[arg-type]
    return finder.tag_all(test)


def by_crf(train: Sequence[Document], test: Sequence[Document], language: str) -> list[Document]:
    """The same by a CRF over labels of all types."""
    from pycrfsuite import ItemSequence, Tagger

    extractor = Extractor(feature_names(FEATURES, language), lexicons.load_all(language))
    known = lay_out([d.in_language(language) for d in train])
    columns = list(extractor.columns(known))
    named = [[f"{c.name}={v}" for v in c.values] for c in columns]
    rows = list(attributes(_codes(columns), named))
    told = [label for document in train for label in labels(document)]
    bounds = pairwise(sentence_bounds(known.positions).tolist())
    model = trained(((ItemSequence(rows[low:high]), told[low:high]) for low, high in bounds), STRENGTH)
    tagger = Tagger()
    tagger.open_inmemory(model)
    unseen = lay_out([d.in_language(language) for d in test], known.frequencies)
    vocabulary = {c.name: {v: n for n, v in enumerate(c.values)} for c in columns}
    rows = list(attributes(_codes(list(extractor.columns(unseen, vocabulary))), named))
    guessed: list[str] = []
    for low, high in pairwise(sentence_bounds(unseen.positions).tolist()):
        guessed += tagger.tag(ItemSequence(rows[low:high]))
    return list(_tagged(test, unseen, guessed))


def _codes(columns: Sequence[Any]) -> Any:
    return np.stack([c.numbers for c in columns], axis=1, dtype=np.int32)


def labels(document: Document) -> list[str]:
    """B-, I- or N of each token."""
    found = ["N"] * len(document.tokens)
    for mention, tokens in zip(document.mentions, document.token_ranges(document.mentions), strict=True):
        for i in tokens:
            found[i] = f"{'B' if i == tokens.start else 'I'}-{mention.entity_type}"
    return found


def _tagged(documents: Sequence[Document], layout: Layout, guessed: Sequence[str]) -> Iterator[Document]:
    for document, (low, high) in zip(documents, pairwise(layout.bounds.tolist()), strict=True):
        starts, ends = document.tokens.starts, document.tokens.ends
        spans = entity_spans([label.replace("N", "O", 1) if label == "N" else label for label in guessed[low:high]])
        yield document.with_mentions(
            Mention(int(starts[first]), int(ends[last - 1]), kind, "DIRECT") for first, last, kind in spans
        )


def counted(gold: Sequence[Document], found: Sequence[Document]) -> Counter[tuple[str, str]]:
    """How many entities of each type there are, were found, and were found rightly."""
    counts: Counter[tuple[str, str]] = Counter()
    for judged in judge(gold, found, "all"):
        there, said = set(judged.gold_runs()), set(judged.predicted_runs())
        for what, runs in (("gold", there), ("said", said), ("right", there & said)):
            counts.update((_kind(run), what) for run in runs)
    return counts


def _kind(run: Typed) -> str:
    return run.entity_type or "MISC"


def _row(name: str, kinds: Sequence[str], counts: dict[str, Counter[tuple[str, str]]]) -> list[Any]:
    figures: list[Any] = []
    for counter in counts.values():
        gold, said, right = (sum(counter[kind, what] for kind in kinds) for what in ("gold", "said", "right"))
        figures += [100 * right / max(said, 1), 100 * right / max(gold, 1), 200 * right / max(gold + said, 1)]
    return [name, *figures, gold]
