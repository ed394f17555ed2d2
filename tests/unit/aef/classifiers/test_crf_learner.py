"""A finder that learned a chain of labels does all that others do, or says that it cannot."""

from __future__ import annotations

import io
import json
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from aef.corpus_tools.document import Block, Document, Mention
from aef.errors import InputError
from aef.evaluation.explanation import explain
from aef.tagging import ready_models as ready
from aef.tagging.adaptation import adapt, correct
from aef.tagging.finder import Finder
from aef.tagging.labelled import gold_labels
from aef.tagging.model_file import CHAINS, OLDEST
from aef.verification.model_audit import findings, held


@pytest.fixture(scope="module")
def finder(corpus: list[Document]) -> Finder:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    return Finder(learner="crf").fit(corpus[:-2])


def described(path: Path) -> dict[str, Any]:
    with zipfile.ZipFile(path) as archive:
        found: dict[str, Any] = json.loads(archive.read("model.json"))
    return found


def headed(document: Document) -> Document:
    """With its first name once more, in a head."""
    name = document.cut(document.mentions[0])
    shift = len(name) + 1
    blocks = tuple(Block(b.start + shift, b.end + shift, b.part) for b in document.blocks)
    mentions = [Mention(m.start + shift, m.end + shift, m.entity_type) for m in document.mentions]
    first = Block(0, len(name), "head"), Mention(0, len(name), "PERSON")
    return Document(f"{name.upper()}\n{document.text}", document.doc_id, (first[0], *blocks), (first[1], *mentions))


# --- learning and tagging -------------------------------------------------------------------------------------------


def test_it_finds_in_a_new_ruling_what_it_learned_to_hide(finder: Finder, corpus: list[Document]) -> None:
    for document in corpus[-2:]:
        gold, _ = gold_labels(document, "all")
        found = document.mask(finder.tag(document).mentions)
        assert np.sum(gold & found) > 0.9 * np.sum(gold)
        assert np.sum(gold & found) > 0.8 * np.sum(found)


def test_its_presets_are_chosen_on_the_scores_of_sentences(finder: Finder, corpus: list[Document]) -> None:
    assert set(finder.cuts) == {"balanced", "f2", "safe"}
    assert all(0.8 < score <= 1 for score in finder.expected.values())
    assert finder.models["body"].transitions is not None and finder.models["types"].transitions is None
    together = finder.tag_all(corpus)
    assert [d.mentions for d in together] == [finder.tag(d).mentions for d in corpus]
    for document, probabilities in zip(corpus, finder.probabilities(corpus), strict=True):
        assert len(probabilities) == len(document.words)
        assert ((probabilities >= 0) & (probabilities <= 1)).all()


def test_what_is_outside_the_body_has_a_chain_of_its_own(corpus: list[Document], tmp_path: Path) -> None:
    pytest.importorskip("pycrfsuite", reason="python-crfsuite is not installed")
    documents = [headed(document) for document in corpus[:6]]
    finder = Finder(learner="crf", threshold=0.3).fit(documents[1:])
    transitions = {name: model.transitions for name, model in finder.models.items()}
    body, outside = transitions["body"], transitions["outside"]
    assert body is not None and outside is not None and not np.array_equal(body, outside)
    finder.save(tmp_path / "m.aef")
    tagged = Finder.load(tmp_path / "m.aef").tag(documents[0])
    assert tagged.mentions == finder.tag(documents[0]).mentions
    assert [e.model for e in explain(finder, documents[0], [0, 1])] == ["outside", "body"]


def test_features_that_look_at_labels_are_refused() -> None:
    with pytest.raises(InputError, match=r"labels before \(Anony, C7, C8.*Leave them out"):
        Finder("thesis", learner="crf")
    with pytest.raises(InputError, match="learner 'hmm': there are maxent, crf"):
        Finder(learner="hmm")


def test_without_the_library_learning_says_what_to_install(
    corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(InputError, match=r"needs python-crfsuite.*aef-anonymizer\[compare\]"):
        Finder(learner="crf").fit(corpus)


# --- model files ----------------------------------------------------------------------------------------------------


def test_it_comes_back_as_it_was_saved_and_tags_without_the_library(
    finder: Finder, corpus: list[Document], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    finder.save(tmp_path / "m.aef")
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    loaded = Finder.load(tmp_path / "m.aef")
    assert loaded.learner == "crf"
    assert [d.mentions for d in loaded.tag_all(corpus)] == [d.mentions for d in finder.tag_all(corpus)]
    loaded.save(tmp_path / "again.aef")
    assert (tmp_path / "m.aef").read_bytes() == (tmp_path / "again.aef").read_bytes()


def test_only_it_has_the_new_format(finder: Finder, corpus: list[Document], tmp_path: Path) -> None:
    finder.save(tmp_path / "crf.aef")
    Finder("nine", threshold=0.5).fit(corpus).save(tmp_path / "maxent.aef")
    new, old = described(tmp_path / "crf.aef"), described(tmp_path / "maxent.aef")
    assert new["format_version"] == CHAINS and old["format_version"] == OLDEST
    assert new.keys() - old.keys() == {"learner", "transitions"}
    assert Finder.load(tmp_path / "maxent.aef").learner == "maxent"


def test_models_written_before_still_load() -> None:
    assert described(ready.models()["en-person"])["format_version"] == OLDEST
    for path in ready.models().values():
        assert "learner" not in described(path)
        assert Finder.load(path).learner == "maxent"


def rewritten(model: Path, change: Callable[[dict[str, Any]], object]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(model) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name == "model.json":
                change(record := json.loads(content))
                content = json.dumps(record).encode()
            new.writestr(name, content)
    return buffer.getvalue()


DAMAGED: list[tuple[Callable[[dict[str, Any]], object], str, str]] = [
    (lambda m: m.pop("transitions"), "damaged", "a chain without transitions"),
    (lambda m: m.pop("learner"), "damaged", "transitions without a chain"),
    (lambda m: m.update(transitions={"body": [[1, 2]]}), "damaged", "transitions of another shape"),
    (
        lambda m: m.update(transitions={"body": [[1, 2], [3, float("nan")]]}),
        "damaged",
        "transitions that are no number",
    ),
    (lambda m: m["transitions"].update(types=[[1, 2], [3, 4]]), "damaged", "transitions of types"),
    (lambda m: m.update(learner="hmm"), "learner 'hmm'", "a learner not known here"),
    (lambda m: m.update(learner=["crf"]), "learner", "a learner that is no name"),
]


@pytest.mark.parametrize(("change", "message", "reason"), DAMAGED, ids=[r for _, _, r in DAMAGED])
def test_a_file_with_other_transitions_is_refused(
    change: Callable[[dict[str, Any]], object], message: str, reason: str, finder: Finder, tmp_path: Path
) -> None:
    finder.save(tmp_path / "good.aef")
    (tmp_path / "bad.aef").write_bytes(rewritten(tmp_path / "good.aef", change))
    with pytest.raises(InputError, match=message) as caught:
        Finder.load(tmp_path / "bad.aef")
    assert "bad.aef" in str(caught.value)


def test_it_holds_no_word_of_what_the_corpus_hides(finder: Finder, corpus: list[Document], tmp_path: Path) -> None:
    assert finder.names_free
    finder.save(tmp_path / "m.aef")
    strings = held(tmp_path / "m.aef")
    assert findings(strings, corpus[:-2]) == []
    assert {"crf", "transitions"} <= {s.string for s in strings if s.kind == "setting"}


# --- what else a model is for ---------------------------------------------------------------------------------------


def test_the_weights_and_the_neighbours_add_up(finder: Finder, corpus: list[Document]) -> None:
    document = corpus[-1]
    explained = explain(finder, document, range(len(document.words)))
    for e, probability in zip(explained, finder.probabilities([document])[0], strict=True):
        assert e.neighbours is not None
        total = e.intercept + sum(p.weight for p in e.predicates) + e.neighbours
        assert total == pytest.approx(e.log_odds, abs=1e-9)
        assert e.probability == pytest.approx(probability)
    assert max(abs(e.neighbours or 0) for e in explained) > 0.5
    plain = Finder("W0,FirstCap", threshold=0.3).fit(corpus[:-2])
    assert [e.neighbours for e in explain(plain, document, [0, 1])] == [None, None]


@pytest.mark.parametrize("how", [adapt, correct])
def test_going_on_from_it_is_refused(how: Any, finder: Finder, corpus: list[Document]) -> None:
    with pytest.raises(InputError, match=r"learner 'crf' cannot go on learning.*Train it anew"):
        how(finder, corpus[-2:])
