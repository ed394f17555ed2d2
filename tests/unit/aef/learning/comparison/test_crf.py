"""The conditional random field sees the predicates of the events; spaCy's recognizer learns."""

from __future__ import annotations

import numpy as np
import pytest

from aef.classifiers.crf import BIAS
from aef.corpus_tools.document import Document
from aef.features import Extractor
from aef.learning.comparison.crf import Crf, chunk_labels
from aef.learning.comparison.scoring import Options
from aef.learning.comparison.spacy_ner import SpacyNer
from aef.tagging.finder import Finder
from aef.tagging.labelled import LabelledCorpus, lay_out

OPTIONS = Options(features="thesis", inner=3)


def test_the_attributes_are_the_predicates_of_the_events(corpus: list[Document]) -> None:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    crf, finder = Crf(OPTIONS), Finder("thesis")
    sentences = crf.observe(lay_out(corpus))
    found = [set(attributes) for items in sentences.items for attributes in items.items()]
    events, _ = finder.events(corpus)
    features = Extractor(finder.features, finder.lexicons)
    columns = list(features.columns(lay_out(corpus)))
    expected = [
        {BIAS}
        | {
            f"{column.name}={column.values[code]}"
            for feature, column, code in zip(features.features, columns, row, strict=True)
            if code >= 0 and not feature.sequential
        }
        for row in events.tolist()
    ]
    assert found == expected


def test_each_sentence_is_a_sequence(corpus: list[Document]) -> None:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    sentences = Crf(OPTIONS).observe(lay_out(corpus[:3]))
    first = np.concatenate([d.tokens.first for d in corpus[:3]])
    assert sentences.bounds.tolist() == [*np.flatnonzero(first).tolist(), len(first)]
    assert [len(items.items()) for items in sentences.items] == np.diff(sentences.bounds).tolist()


def test_runs_begin_with_b_and_end_with_their_sentence() -> None:
    document = Document.from_text("Ann Lee met Bo. Cy left.")
    layout = lay_out([document])
    labels = np.isin(document.words, ["Ann", "Lee", "Bo", "Bo.", "Cy"])
    assert dict(zip(document.words, chunk_labels(labels, layout).tolist(), strict=True)) == {
        **dict.fromkeys(document.words, "N"),
        "Ann": "B",
        "Lee": "I",
        "Bo": "B",
        "Cy": "B",
    }


@pytest.mark.parametrize("target", ["person", "all"])
def test_the_crf_finds_what_it_has_not_seen(target: str, corpus: list[Document]) -> None:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    system = Crf(Options(target, "thesis", inner=3)).fit(corpus[:9])
    assert len(system.saved()) > 1000
    for document in corpus[9:]:
        gold = LabelledCorpus.of([document], target).labels
        found = document.mask(system.tag(document).mentions)
        assert (gold & found).sum() > 0.7 * gold.sum()


def test_spacy_learns_and_gives_offsets_of_the_whole_document(
    corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("spacy", reason="spaCy is not installed")
    monkeypatch.setattr(SpacyNer, "EPOCHS", 4)
    system = SpacyNer(Options("person")).fit(corpus[:9])
    document = corpus[10]
    tagged = system.tag(document.with_mentions(()))
    gold = {(m.start, m.end) for m in document.mentions if m.entity_type == "PERSON"}
    assert len(gold & {(m.start, m.end) for m in tagged.mentions}) > 0.5 * len(gold)
    assert {m.entity_type for m in tagged.mentions} == {"PERSON"}
    assert len(system.saved()) > 10_000
