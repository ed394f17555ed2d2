"""The features of parts of speech: the tags are NLTK's own, and without its data the remedy is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import nltk
import pytest
from nltk.tag import PerceptronTagger

from aef import lexicons
from aef.errors import InputError
from aef.features import Extractor, feature_names, part_of_speech
from aef.features.extraction import Layout

TAGGED = [
    [("Ms.", "NNP"), ("Hale", "NNP"), ("met", "VBD"), ("him", "PRP"), (".", ".")],
    [("He", "PRP"), ("met", "VBD"), ("Ms.", "NNP"), ("Green", "NNP"), ("in", "IN"), ("May", "NNP"), (".", ".")],
    [("The", "DT"), ("green", "JJ"), ("house", "NN"), ("may", "MD"), ("stay", "VB"), (".", ".")],
]
SENTENCES = [["The", "green", "house"], ["Ms.", "Green", "may", "stay", "in", "May", "."]]


@pytest.fixture(autouse=True)
def no_tagger_kept() -> Iterator[None]:
    part_of_speech._tagger.cache_clear()
    yield
    part_of_speech._tagger.cache_clear()


@pytest.fixture
def tagger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> PerceptronTagger:
    """A tagger taught by a few sentences, its data where NLTK looks for them."""
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    taught = PerceptronTagger(load=False)
    taught.train(TAGGED * 5)
    folder = tmp_path / "taggers" / part_of_speech.RESOURCE
    folder.parent.mkdir()
    taught.save_to_json("eng", str(folder))
    return taught


def test_tags_are_those_of_nltk_sentence_by_sentence(tagger: PerceptronTagger) -> None:
    words = [word for sentence in SENTENCES for word in sentence]
    first = [n == 0 for sentence in SENTENCES for n in range(len(sentence))]
    columns = Extractor(["Pos"], lexicons.load_all("en")).columns(Layout([(words, first)]))
    (found,) = [[c.values[code] for code in c.codes] for c in columns]
    assert found == [tag for sentence in SENTENCES for _, tag in tagger.tag(sentence)]
    assert found[1] != found[4], "green and Green"


def test_without_the_data_the_remedy_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nltk.data, "path", [str(tmp_path)])
    columns = Extractor(["Pos"], lexicons.load_all("en")).columns(Layout([(["Green"], [True])]))
    with pytest.raises(InputError, match=f"nltk.downloader {part_of_speech.RESOURCE}"):
        list(columns)


def test_in_no_set_but_their_own() -> None:
    assert set(feature_names("pos")) == {"Pos", "PosAround", "PosShape"}
    assert not set(feature_names("pos")) & set(feature_names("all"))
    assert set(feature_names("rich,pos")) == {*feature_names("rich"), *feature_names("pos")}
