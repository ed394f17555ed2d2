"""Features of all tokens, against plain loops that call each feature on each token."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from aef import lexicons
from aef.benchmarks.measure import Row, Setting, say, timed
from aef.benchmarks.training import first
from aef.corpus_tools.document import Document
from aef.features import Column, Extractor, feature_names
from aef.features.registry import OFFSETS, Feature, resolve
from aef.tagging.labelled import LabelledCorpus, lay_out


def extraction(setting: Setting) -> Iterator[Row]:
    """Tokens a second from documents tokenized already to the columns of all the thesis's features."""
    names, lists = feature_names("thesis"), lexicons.load_all()
    extractor = Extractor(names, lists)
    say("extraction: ours")
    seconds, _ = timed(lambda: list(extractor.columns(lay_out(setting.documents))), 5)
    part = first(setting.documents, 2000 if setting.short else 30_000)
    corpus = LabelledCorpus.of(part, "all")
    say("extraction: plain loops")
    plain, found = timed(lambda: [in_loops(d, names, lists, h) for d, h in _with_labels(part, corpus)])
    columns = list(extractor.columns(corpus.layout))
    same = texts(columns, corpus.histories) == [row for rows in found for row in rows]
    note = f"theirs on {len(corpus.labels):,} tokens; {'the same predicates' if same else 'OTHER PREDICATES'}"
    rates = setting.tokens / seconds, len(corpus.labels) / plain
    yield Row(
        "extraction", f"{len(names)} features", rates[0], "tokens/s", "Python loops", rates[1], "1.5 million", note
    )


def _with_labels(documents: Sequence[Document], corpus: LabelledCorpus) -> Iterator[tuple[Document, list[bool]]]:
    bounds = corpus.layout.bounds
    for number, document in enumerate(documents):
        yield document, corpus.labels[bounds[number] : bounds[number + 1]].tolist()


def in_loops(
    document: Document, names: Sequence[str], lists: Mapping[str, frozenset[str]], labels: Sequence[bool]
) -> list[list[str | None]]:
    """For each token the text of each feature's predicate, None where it is inactive."""
    features = [resolve(name) for name in names]
    words, places = _with_boundaries(document)
    levels = {f.name: f.function(document.words) for f in features if "tokens" in f.parameters}
    row, seen, found = [False] * len(words), set(), []
    for i, (place, label) in enumerate(zip(places, labels, strict=True)):
        known = {
            "lexicons": lists,
            "first": bool(document.tokens.first[i]),
            "label_before": row[place - 1],
            "label_before2": row[place - 2],
            "seen": words[place] in seen,
        }
        found.append([_predicate(f, words, place, known, levels.get(f.name), i) for f in features])
        row[place] = label
        if label:
            seen.add(words[place])
    return found


def _with_boundaries(document: Document) -> tuple[list[str], list[int]]:
    """The words with a period after each sentence and two empty words at either end; and their places."""
    words, places = ["", ""], []
    for i, (word, first_of_sentence) in enumerate(zip(document.words, document.tokens.first, strict=True)):
        if first_of_sentence and i:
            words.append(".")
        places.append(len(words))
        words.append(word)
    return [*words, ".", "", ""], places


def _predicate(
    feature: Feature, words: list[str], place: int, known: Mapping[str, Any], level: Any, token: int
) -> str | None:
    if level is not None:
        value = level[token]
    elif feature.when is not None and not feature.when(words[place]):
        return None
    else:
        texts_ = [words[place + OFFSETS[p]] if p in OFFSETS and p != "first" else known[p] for p in feature.parameters]
        value = feature.function(*texts_)
    if value is None or value is False or value == "":
        return None
    return "" if value is True else str(value)


def texts(columns: Sequence[Column], histories: Any) -> list[list[str | None]]:
    """The same from columns."""
    cells = [np.array([*c.values, None], dtype=object)[c.at(histories)].tolist() for c in columns]
    return [list(row) for row in zip(*cells, strict=True)]
