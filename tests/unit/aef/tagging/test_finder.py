"""The finder: learning, tagging, saving, and the mistakes it names."""

from __future__ import annotations

import io
import json
import zipfile
from copy import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nltk.tag.api import TaggerI

from aef.classifiers.maxent import MaxEntClassifier
from aef.corpus_tools.document import Block, Document, Mention
from aef.errors import InputError
from aef.features import feature_names
from aef.tagging.finder import Finder
from aef.tagging.hidden_tokens import FIRST, LEAST, Hidden, backed, with_mentions
from aef.tagging.labelled import gold_labels, gold_rulings, lay_out
from aef.tagging.model_file import AROUND
from aef.tagging.options import STRENGTHS
from aef.tagging.pooling import SHARES


@pytest.fixture(scope="module")
def finder(corpus: list[Document]) -> Finder:
    return Finder(target="all").fit(corpus[:-2])


def test_it_finds_in_a_new_ruling_what_it_learned_to_hide(finder: Finder, corpus: list[Document]) -> None:
    for document in corpus[-2:]:
        gold, _ = gold_labels(document, "all")
        found = document.mask(finder.tag(document).mentions)
        assert np.sum(gold & found) / np.sum(gold) > 0.9
        assert np.sum(gold & found) / np.sum(found) > 0.8


def test_the_penalty_is_chosen_by_cross_validation_or_as_asked(finder: Finder, corpus: list[Document]) -> None:
    chosen = {C: Finder("rich", "person", C=C, second_pass=False).fit(corpus[:4]) for C in (*STRENGTHS, None)}
    assert [chosen[C].solver["C"] for C in STRENGTHS] == list(STRENGTHS)
    assert chosen[None].tag(corpus[-1]) in [chosen[C].tag(corpus[-1]) for C in STRENGTHS]
    rulings = gold_rulings(corpus[:4], "person")
    judged = {C: sum(p.log_likelihood() for (p,) in f._out_of_fold(rulings)) for C, f in chosen.items() if C}
    assert chosen[None].solver["C"] == max(judged, key=judged.__getitem__), "documents not seen are likeliest"


@pytest.mark.parametrize(
    ("settings", "documents", "steps", "reason"),
    [
        ({"C": 0.5, "folds": 3}, 4, 4, "each fold, and the models"),
        ({"C": 0.5, "folds": 5}, 4, 5, "no more folds than documents"),
        ({"C": 0.5, "threshold": 0.5}, 4, 1, "nothing is to be chosen"),
        ({"C": 0.5, "threshold": 0.5, "target": "person"}, 4, 5, "the second pass learns of unseen documents"),
        ({"C": 0.5}, 1, 1, "one document alone"),
    ],
)
def test_it_ticks_as_often_as_it_says(
    corpus: list[Document], settings: dict[str, Any], documents: int, steps: int, reason: str
) -> None:
    ticks: list[None] = []
    finder = Finder("rich", **settings)
    finder.fit(corpus[:documents], tick=lambda: ticks.append(None))
    assert len(ticks) == finder.steps(corpus[:documents]) == steps, reason


def test_mentions_carry_type_and_probability(finder: Finder, corpus: list[Document]) -> None:
    mentions = finder.tag(corpus[-1]).mentions
    assert {m.entity_type for m in mentions} == {"PERSON", "LOC"}
    assert all(0 <= m.probability <= 1 for m in mentions if m.probability is not None)
    assert not any(corpus[-1].cut(m).startswith(("Mr.", "Ms.")) for m in mentions)


def test_tagging_ignores_the_mentions_a_document_comes_with(finder: Finder, corpus: list[Document]) -> None:
    bare = corpus[-1].with_mentions([])
    assert finder.tag(bare).mentions == finder.tag(corpus[-1]).mentions


def test_one_by_one_or_all_at_once_is_the_same(finder: Finder, corpus: list[Document]) -> None:
    together = finder.tag_all(corpus[-3:])
    assert [d.mentions for d in together] == [finder.tag(d).mentions for d in corpus[-3:]]


def test_person_is_a_target_of_its_own(corpus: list[Document]) -> None:
    finder = Finder(target="person", threshold=0.5).fit(corpus)
    assert finder.types == ["PERSON"]
    assert {m.entity_type for m in finder.tag(corpus[0]).mentions} == {"PERSON"}


def test_a_titled_mention_is_learned_without_its_title() -> None:
    text = "Mr Galip Yalman and Dr. Lord left."  # a title as such is counted for nothing, a name that is one is
    document = Document.from_text(text, mentions=[Mention(0, 15, "PERSON"), Mention(20, 28, "PERSON")])
    labels, _ = gold_labels(document, "person")
    assert [w for w, hidden in zip(document.words, labels, strict=True) if hidden] == ["Galip", "Yalman", "Lord"]


@pytest.mark.parametrize(
    ("target", "language", "kept", "reason"),
    [
        ("all", "es", True, "such a corpus hides lone letters, too"),
        ("names", "es", False, "a letter names nobody"),
        ("all", "en", True, "in any language"),
    ],
)
def test_a_lone_letter_is_kept_where_names_are_not_repaired(
    target: str, language: str, kept: bool, reason: str
) -> None:
    text = "pagaron a K por la obra"
    gold = Document.from_text(text, mentions=[Mention(10, 11, "PERSON", "DIRECT")])
    finder = Finder("W-1", target, threshold=0.2, second_pass=False, names_free=False, C=100.0, language=language)
    found = finder.fit([gold] * 3).tag(gold).mentions
    assert bool(found) is kept, reason


def test_it_learns_from_the_body_and_tags_all() -> None:
    text = "GREEN v. MILLAR\nThe plaintiff Green left. " + "Millar stayed. " * 3
    blocks = (Block(0, 15, "head"), Block(16, len(text), "body"))
    document = Document(text, "d", blocks, tuple(Mention(i, i + 5) for i in (text.index("Green"),)))
    finder = Finder(threshold=0.5)
    events, labels = finder.events([document])
    assert len(events) == len(labels) == len(document.words) - 3
    assert "GREEN" in [document.cut(m) for m in finder.fit([document]).tag(document).mentions]


def test_events_and_labels_are_plain_scikit_learn(corpus: list[Document]) -> None:
    events, labels = Finder(features="nine", target="all").events(corpus)
    assert events.shape == (len(labels), 9) and set(labels) == {"A", "N"}
    model = MaxEntClassifier().fit(events, labels)
    assert (model.predict(events) == labels).mean() > 0.9


def test_it_is_an_nltk_tagger(finder: Finder) -> None:
    tagger = finder.as_nltk()
    assert isinstance(tagger, TaggerI)
    sentence = ["The", "plaintiff", ",", "Millar", ",", "lives", "in", "Kelowna", "."]
    tagged = tagger.tag(sentence)
    assert [token for token, _ in tagged] == sentence
    assert {"Kelowna": "A", "The": "N"}.items() <= dict(tagged).items()
    assert tagger.tag_sents([sentence, [], sentence])[1] == []
    assert 0 <= tagger.accuracy([tagged]) <= 1


def test_the_threshold_is_chosen_by_cross_validation_or_given(corpus: list[Document]) -> None:
    assert 0 < Finder(target="all").fit(corpus).cut_probability < 1
    given = Finder(target="all", threshold=0.25).fit(corpus)
    assert given.cut_probability == pytest.approx(0.25)
    given.set_threshold(0.75)
    assert given.cut_probability == pytest.approx(0.75)
    with pytest.raises(InputError, match="between 0 and 1"):
        given.set_threshold(1.5)


def test_a_model_comes_back_as_it_was_saved(finder: Finder, corpus: list[Document], tmp_path: Path) -> None:
    finder.save(tmp_path / "m.aef")
    loaded = Finder.load(tmp_path / "m.aef")
    assert [d.mentions for d in loaded.tag_all(corpus)] == [d.mentions for d in finder.tag_all(corpus)]
    assert loaded.trained_on(corpus[0]) and not loaded.trained_on(corpus[-1])
    loaded.save(tmp_path / "again.aef")
    assert (tmp_path / "m.aef").read_bytes() == (tmp_path / "again.aef").read_bytes()
    with pytest.raises(InputError, match="--force"):
        finder.save(tmp_path / "m.aef")


def test_a_model_keeps_the_users_word_lists(corpus: list[Document], tmp_path: Path) -> None:
    (tmp_path / "lists").mkdir()
    (tmp_path / "lists" / "towns.txt").write_text("# towns\nNanaimo\n")
    finder = Finder(["W0", "list:towns"], "all", threshold=0.5, lists=tmp_path / "lists").fit(corpus)
    finder.save(tmp_path / "m.aef")
    assert Finder.load(tmp_path / "m.aef").lexicons["towns"] == {"Nanaimo"}


def rewritten(model: Path, change: dict[str, Any], arrays: dict[str, bytes] | None = None) -> bytes:
    """The model's bytes with some of its JSON changed and some of its members replaced."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(model) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "model.json":
                data = json.dumps(json.loads(data) | change).encode()
            new.writestr(name, (arrays or {}).get(name, data))
    return buffer.getvalue()


def huge_header() -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array_header_1_0(stream, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    return stream.getvalue()


def pickled() -> bytes:
    stream = io.BytesIO()
    np.lib.format.write_array(stream, np.array([{"a": 1}], dtype=object), allow_pickle=True)
    return stream.getvalue()


def test_the_features_are_those_of_the_target_unless_asked_for() -> None:
    assert Finder().features == feature_names("wide")
    assert Finder(target="person").features == Finder(learner="crf").features == feature_names("rich")
    assert Finder("nine").features == feature_names("nine")


def test_a_file_holds_the_predicates_of_tokens_beside_once(finder: Finder, tmp_path: Path) -> None:
    drawn = copy(finder)
    drawn.share = SHARES[-1]
    drawn.save(tmp_path / "m.aef")
    with zipfile.ZipFile(tmp_path / "m.aef") as archive:
        described = json.loads(archive.read("model.json"))
    assert described["format_version"] == AROUND
    assert set(described["vocabulary"]) == set(feature_names("rich"))
    loaded = Finder.load(tmp_path / "m.aef")
    assert (loaded.share, loaded.vocabulary) == (SHARES[-1], finder.vocabulary)
    assert loaded.models["types"].blocks.keys() == set(feature_names("rich"))


DAMAGED = [
    (lambda m: b"no zip at all", "not a model", "some other file"),
    (lambda m: m.read_bytes()[:-200], "not a model", "a truncated download"),
    (lambda m: b"", "not a model", "an empty file"),
    (lambda m: rewritten(m, {"format": "other"}), "not a model", "another program's zip"),
    (lambda m: rewritten(m, {"format_version": 99}), "newer", "a model of a later version"),
    (lambda m: rewritten(m, {"features": ["Nonsense"]}), "no feature is called 'Nonsense'", "a feature not known here"),
    (lambda m: rewritten(m, {"vocabulary": {}}), "damaged", "parts that do not fit"),
    (lambda m: rewritten(m, {"phrase_share": 7}), "damaged", "more than all of a token's log-odds"),
    (lambda m: rewritten(m, {"types": ["PERSON"]}), "damaged", "types that the weights do not have"),
    (lambda m: rewritten(m, {}, {"body.npy": huge_header()}), "damaged", "a header that promises petabytes"),
    (lambda m: rewritten(m, {}, {"body.npy": pickled()}), "damaged", "a pickle where an array should be"),
]


@pytest.mark.parametrize(("make", "message", "reason"), DAMAGED, ids=[r for _, _, r in DAMAGED])
def test_a_file_that_is_no_good_model_is_refused(
    make: Any, message: str, reason: str, finder: Finder, tmp_path: Path
) -> None:
    finder.save(tmp_path / "good.aef")
    (tmp_path / "bad.aef").write_bytes(make(tmp_path / "good.aef"))
    with pytest.raises(InputError, match=message) as caught:
        Finder.load(tmp_path / "bad.aef")
    assert "bad.aef" in str(caught.value)


def test_a_model_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Finder.load(tmp_path / "none.aef")
    with pytest.raises(InputError, match="cannot be read"):
        Finder.load(tmp_path)


def test_a_corpus_with_nothing_to_hide_is_named(corpus: list[Document]) -> None:
    with pytest.raises(InputError, match=r"no token .* is to be hidden .*none"):
        Finder().fit([d.with_mentions([]) for d in corpus])
    places = [d.with_mentions([m for m in d.mentions if m.entity_type == "LOC"]) for d in corpus]
    with pytest.raises(InputError, match="LOC"):
        Finder(target="person").fit(places)
    with pytest.raises(InputError, match="no document"):
        Finder().fit([])


def test_tagging_before_learning_and_a_wrong_target() -> None:
    with pytest.raises(InputError, match="learned nothing"):
        Finder().tag(Document.from_text("Text."))
    with pytest.raises(InputError, match="there are person, names, all"):
        Finder(target="persons")


GAPS = [
    ("Ann Roe", 1, "a name"),
    ("Ann  Roe", 1, "two blanks, as a typist may leave them"),
    ("Ann Roe      Bea Lee", 2, "two columns"),
    ("Ann Roe\tBea Lee", 2, "a tab"),
    ("Ann Roe, Bea Lee", 2, "a list"),
]


@pytest.mark.parametrize(("text", "mentions", "reason"), GAPS, ids=[r for *_, r in GAPS])
def test_what_stands_apart_is_two_mentions(text: str, mentions: int, reason: str) -> None:
    document = Document.from_text(text)
    tokens = np.arange(len(document.words))
    sure = np.ones(len(tokens))
    hidden = Hidden(tokens, np.full(len(tokens), "PERSON"), sure, sure, tokens < 0)
    assert len(with_mentions([document], lay_out([document]), hidden)[0].mentions) == mentions, reason


def test_a_document_without_tokens_is_tagged_with_nothing(finder: Finder) -> None:
    assert finder.tag(Document.from_text("")).mentions == ()
    assert [d.mentions for d in finder.tag_all([])] == []


def retyped(document: Document, types: dict[str, str | None]) -> Document:
    return document.with_mentions([Mention(m.start, m.end, types[m.entity_type or ""]) for m in document.mentions])


TYPES = [
    ({"PERSON": "PERSON", "LOC": None}, {"PERSON", "MISC"}, "an editor's [...] beside initials is something else"),
    ({"PERSON": None, "LOC": None}, {None}, "a corpus without types teaches none"),
    ({"PERSON": "PERSON", "LOC": "LOC"}, {"PERSON", "LOC"}, "gold types are learned"),
]


@pytest.mark.parametrize(("types", "expected", "reason"), TYPES, ids=[r for _, _, r in TYPES])
def test_types(types: dict[str, str | None], expected: set[str | None], reason: str, corpus: list[Document]) -> None:
    finder = Finder(threshold=0.5).fit([retyped(d, types) for d in corpus[:-1]])
    assert {m.entity_type for m in finder.tag(corpus[-1]).mentions} == expected, reason


BACKED = [
    ([LEAST / 2, LEAST / 3], 0, "next to nothing speaks for either"),
    ([LEAST / 2, 0.9], 2, "one of them was found for what stands beside it"),
    ([LEAST / 2], 1, "a name that stands once has but one place to be known by"),
    ([None, None], 2, "given, not found"),
]


@pytest.mark.parametrize(("first", "left", "reason"), BACKED, ids=[r for *_, r in BACKED])
def test_names_that_another_name_alone_speaks_for_go(first: list[float | None], left: int, reason: str) -> None:
    document = Document.from_text("the Branch, the Branch")
    extras = [{} if each is None else {FIRST: each} for each in first]
    found = document.with_mentions(Mention(4 + 12 * i, 10 + 12 * i, "PERSON", extra=e) for i, e in enumerate(extras))
    assert len(backed(found).mentions) == left, reason
