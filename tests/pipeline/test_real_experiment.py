"""Real judgments: the gold corpus holds no words and fits the texts, and what is hidden in them is counted right."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError
from aef.experiments import real_gold
from aef.experiments.data import DATA
from aef.experiments.real import counted, row
from aef.replacement.plan import Edit

TEXT = "Mr Ann Roe saw Judge Lee and KB at 1 Elm Road. In Moss v Vale it rained on Barrow Ltd."
MARKS = [
    ("Ann Roe", "PERSON", "party", True),
    ("Lee", "PERSON", "judge", False),
    ("KB", "PERSON", "initials", False),
    ("1 Elm Road", "LOC", "-", True),
    ("Moss v Vale", "CASE", "cited", False),
    ("Barrow Ltd", "ORG", "-", False),
]


def document() -> Document:
    mentions = [
        Mention(TEXT.index(s), TEXT.index(s) + len(s), kind, "DIRECT" if hide else "NO_MASK", s, extra={"role": role})
        for s, kind, role, hide in MARKS
    ]
    return Document.from_text(TEXT, "d", mentions)


def hiding(*words: str) -> list[Edit]:
    return [Edit(TEXT.index(w), TEXT.index(w) + len(w), "", w, "PERSON") for w in words]


COUNTS = [
    (["Ann Roe"], {"right": 2, "wrong": 0, "people hidden": 2, "entities hidden": 1}, "a party"),
    (["Roe"], {"right": 1, "people hidden": 1, "entities hidden": 0}, "half of one is not hidden"),
    (["1 Elm Road"], {"right": 3, "things hidden": 3, "people hidden": 0}, "a home is a thing"),
    (["Lee", "KB"], {"wrong: judge": 1, "wrong: initials": 1, "offices hidden": 1, "wrong": 2}, "who stays"),
    (["Moss"], {"wrong: CASE": 1, "cited hidden": 1}, "a cited case is touched by a part"),
    (["rained", "Barrow"], {"wrong: other words": 1, "wrong: ORG": 1, "as PERSON": 2}, "other words, a company"),
    (["Mr"], {"hidden": 0, "words": 20}, "titles are left out"),
]


@pytest.mark.parametrize(("hidden", "expected", "reason"), COUNTS, ids=[reason for *_, reason in COUNTS])
def test_what_is_hidden_is_counted(hidden: list[str], expected: dict[str, int], reason: str) -> None:
    counts = counted(document(), hiding(*hidden))
    assert {name: counts[name] for name in expected} == expected, reason


def test_shares_are_of_words_and_the_mean_is_over_judgments_with_somebody_to_hide() -> None:
    counts = counted(document(), hiding("Ann Roe", "Lee"))
    nobody = counted(Document.from_text("It rained. " * 50), [Edit(0, 2, "", "x", "PERSON")])
    named = dict(
        zip(("found", "entities", "things", "rightly", "mean"), row("all", [counts, nobody])[3:], strict=False)
    )
    assert named == {"found": 100, "entities": 100, "things": 0, "rightly": 50, "mean": pytest.approx(200 / 3)}


GOLD = {"en": "real_gold.jsonl", "es": "real_gold.es.jsonl", "fr": "real_gold.fr.jsonl"}


def lines(language: str) -> list[str]:
    return files("aef.experiments").joinpath(GOLD[language]).read_text("utf-8").splitlines()


@pytest.mark.parametrize("language", GOLD)
def test_the_gold_corpus_holds_offsets_and_no_words(language: str) -> None:
    for line in lines(language):
        judgment = json.loads(line)
        assert set(judgment) == {"file", "sha256", "read", "entities"}
        for entity in judgment["entities"]:
            assert set(entity) == {"id", "type", "role", "hide", "spans"} and len(entity["id"]) < 6
            assert all(0 <= start < end for start, end in entity["spans"])


def test_another_text_than_the_one_that_was_marked_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    line = json.loads(lines("en")[0])
    corpus = tmp_path / "judgments" / line["file"]
    corpus.parent.mkdir(parents=True)
    corpus.write_text('{"text": "Another."}\n')
    monkeypatch.setattr(real_gold, "_lines", lambda _: iter([line]))
    with pytest.raises(InputError, match="a text in it is not the one that was marked"):
        real_gold.gold(tmp_path)


@pytest.mark.skipif(not (DATA / "judgments").exists(), reason="the judgments are not here: see AEF_DATA")
@pytest.mark.parametrize(
    ("language", "corpus", "least"), [("en", "uk", 16), ("es", "echr_es", 118), ("fr", "echr_fr", 118)]
)
def test_the_offsets_fit_the_judgments(language: str, corpus: str, least: int) -> None:
    documents = real_gold.gold(DATA, language=language)
    assert sum(d.meta["corpus"] == corpus for d in documents) >= least
    assert {d.language for d in documents} == {language}
    cut = [d.cut(m) for d in documents for m in d.mentions]
    assert all(text.strip() == text for text in cut)
    assert sum(m.extra["role"] == "initials" for d in real_gold.to_learn_from(documents) for m in d.mentions) == 0


@pytest.mark.skipif(not (DATA / "judgments").exists(), reason="the judgments are not here: see AEF_DATA")
def test_each_judgment_is_in_one_fold() -> None:
    folds = real_gold.parts(DATA, "fr").values()
    ids = [d.doc_id for fold in folds for d in fold]
    assert len(folds) == real_gold.FOLDS and sorted(ids) == sorted(
        d.doc_id for d in real_gold.gold(DATA, language="fr")
    )
    assert max(map(len, folds)) - min(map(len, folds)) <= 1
