"""Pipelines: what files may say, steps alone, the ready ones, and twenty Romanian sentences."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aef.annotators import annotator
from aef.annotators.kinds import Signed
from aef.annotators.pipeline import Pipeline, load, ready
from aef.corpus_tools.document import Block, Document, Mention
from aef.errors import InputError
from aef.tagging.finder import Finder

SENTENCES = [
    json.loads(line)
    for line in (Path(__file__).parents[3] / "regression" / "romanian.jsonl").read_text(encoding="utf-8").splitlines()
]

SAROJ = {"AUTO", "CADASTRU", "CASE", "CNP", "CUI", "DATE", "DECISION", "DOCNUMBER", "ECLI", "EMAIL", "IBAN", "ID"}
SAROJ |= {"INITIALS", "LOC", "ORG", "PERSON", "PHONE"}

LISTS = """
language = "en"

[[step]]
name = "people"
run = "gazetteer"
files = ["people.txt"]

[[step]]
name = "numbers"
run = "patterns"
sets = ["common"]
"""

VOTE = '[[step]]\nrun = "vote"\nrule = "add"\nof = ["people", "numbers"]\n'

BAD = [
    ("", "holds no step", "an empty file"),
    ('language = "xx"\n', "language is 'xx'. There are: de, en, es, fr, pt, ro", "an unknown language"),
    ('[[step]]\nrun = "magic"\n', r"step 1: run is 'magic'\. There are: maxent, nome", "an unknown annotator"),
    ('[[step]]\nrun = "vote"\nrule = "add"\n', "there is no step before it", "a vote without voters"),
    ('[[step]]\nrun = "nome"\n[[step]]\nrun = "nome"\n', "a step before is called 'nome', too", "one name for two"),
    ('[[step]]\nrun = "nome"\ncolour = 1\n', r"step 1: unknown 'colour'", "an unknown setting"),
    ('[[step]]\nrun = "nome"\n[[step]]\nrun = "correct"\nrules = ["none"]\n', "no set of rules", "unknown rules"),
    ('[[step]]\nrun = "gazetteer"\n', "no list of names. Give files", "a gazetteer without lists"),
    ('[[step]]\nrun = "gazetteer"\nfiles = ["nowhere.txt"]\n', r"nowhere\.txt: cannot be read", "a missing list"),
    ('[[step]]\nrun = "patterns"\nsets = ["xx"]\n', "no set of patterns is called", "unknown patterns"),
    ('[[step]]\nrun = "maxent"\nmodel = "nowhere.aef"\n', r"no model 'nowhere\.aef', neither ready-made", "no model"),
    ('[[step]]\nrun = "maxent"\nmodel = "xx-all"\n', "no ready-made model is called 'xx-all'", "no ready model"),
    ("step = [1]\n", "step holds something other than tables", "no tables"),
    ('[step]\nrun = "nome"\n', r"step is .* Write step as tables, each under \[\[step\]\]", "single brackets"),
    (LISTS + VOTE.replace("numbers", "number"), "no step before it is called 'number'", "a step misspelt"),
    (LISTS + VOTE.replace("add", "sum"), "rule is 'sum'. There are: add, majority", "an unknown rule"),
    (LISTS + VOTE + "threshold = 0.5\n", "do not go with rule 'add'", "a threshold where none counts"),
    (LISTS + VOTE.replace("add", "weighted") + "weights = [1]\n", "1 weights for 2 steps", "too few weights"),
    (LISTS + VOTE.replace('"vote"\nrule = "add"', '"unify"'), "of names 2 steps. Name one", "two steps where one goes"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "people.txt").write_text("Ana Pop\n", encoding="utf-8")
    return tmp_path


def made(folder: Path, content: str, last: str | None = None) -> Pipeline:
    path = folder / "ours.toml"
    path.write_text(content, encoding="utf-8")
    return load(path, last)


def told(document: Document) -> list[tuple[str, list[str]]]:
    return [(document.cut(m), m.extra["by"]) for m in document.mentions]


@pytest.mark.parametrize(("content", "message", "reason"), BAD, ids=[c[2] for c in BAD])
def test_what_is_wrong_in_a_file_is_named(folder: Path, content: str, message: str, reason: str) -> None:
    with pytest.raises(InputError, match=message) as error:
        made(folder, content)
    assert reason and str(folder) in str(error.value)


TEXT = Document.from_text("POP ANA wrote to a.b@example.org.")


def test_what_is_found_is_put_together_and_says_who_found_it(folder: Path) -> None:
    pipeline = made(folder, LISTS + VOTE)
    assert told(pipeline.tag(TEXT)) == [("POP ANA", ["people"]), ("a.b@example.org", ["numbers"])]
    assert pipeline.idle == () and list(pipeline.failures()) == []


def test_a_step_alone_and_what_nobody_takes(folder: Path) -> None:
    assert told(made(folder, LISTS + VOTE, "people").tag(TEXT)) == [("POP ANA", ["people"])]
    pipeline = made(folder, LISTS)
    assert pipeline.idle == ("people",) and told(pipeline.tag(TEXT)) == [("a.b@example.org", ["numbers"])]


def test_a_step_alone_loads_nothing_else(folder: Path) -> None:
    content = '[[step]]\nrun = "maxent"\nmodel = "nowhere.aef"\n' + LISTS.partition('"en"\n')[2]
    assert told(made(folder, content, "people").tag(TEXT)) == [("POP ANA", ["people"])]
    with pytest.raises(InputError, match=r"no step is called 'nobody'\. Steps: maxent, people, numbers"):
        made(folder, content, "nobody")


def test_the_mentions_that_a_ruling_comes_with_are_ignored(folder: Path) -> None:
    document = TEXT.with_mentions([Mention(8, 13)])
    assert told(made(folder, LISTS, "people").tag(document)) == [("POP ANA", ["people"])]


def test_the_tokens_stay(folder: Path) -> None:
    assert made(folder, LISTS + VOTE).tag(TEXT).words == TEXT.words


def test_an_annotator_may_look_at_some_parts_only(folder: Path) -> None:
    text = "Ana Pop\nAna Pop"
    document = Document(text, "d", (Block(0, 7, "head"), Block(8, 15)))
    content = LISTS.replace('files = ["people.txt"]', 'files = ["people.txt"]\nparts = ["head"]')
    assert [m.start for m in made(folder, content, "people").tag(document).mentions] == [0]


def test_a_model_beside_the_file(folder: Path, corpus: list[Document]) -> None:
    Finder("nine", threshold=0.5).fit(corpus).save(folder / "ours.aef")
    pipeline = made(folder, '[[step]]\nrun = "maxent"\nmodel = "ours.aef"\nthreshold = 0.4\n')
    mentions = pipeline.tag(corpus[0]).mentions
    assert mentions and all(m.extra["by"] == ["maxent"] and m.probability is not None for m in mentions)


@pytest.mark.parametrize("name", sorted(ready()))
def test_ready_pipelines_are_whole(
    name: str, folder: Path, corpus: list[Document], monkeypatch: pytest.MonkeyPatch
) -> None:
    Finder("nine", folds=2).fit(corpus).save(folder / "small.aef")
    monkeypatch.setattr("aef.tagging.ready_models.find", lambda _: folder / "small.aef")
    pipeline = load(name)
    assert pipeline.description and pipeline.idle == () and list(pipeline.failures()) == []
    assert pipeline.tag(corpus[0]).text == corpus[0].text


def test_a_model_of_ones_own_needs_no_preset_of_the_pipeline(corpus: list[Document]) -> None:
    own = Finder("nine", threshold=0.5).fit(corpus)
    cut = own.cut
    assert load("court-es", finder=own).finders == [own] and own.cut == cut


def test_there_are_the_promised_pipelines() -> None:
    courts = {f"court-{code}" for code in ("en", "es", "fr", "pt", "de")}
    assert set(ready()) == {"aef", "nome", "saroj-ro", *courts}


NAMES = [
    ("nome", "Then Mr Pop left.", ["Pop"]),
    ("nome:fr", "Puis M. Pop partit.", ["Pop"]),
    ("patterns", "to a.b@example.org", ["a.b@example.org"]),
    ("patterns:ro", "CNP 2840916267542", ["2840916267542"]),
    ("saroj-ro:places", "la Cluj", ["Cluj"]),
    ("court-en:numbers", "born on 3 May 1970", ["3 May 1970"]),
]


@pytest.mark.parametrize(("name", "text", "cuts"), NAMES, ids=[n[0] for n in NAMES])
def test_annotators_by_name(name: str, text: str, cuts: list[str]) -> None:
    document = annotator(name).tag(Document.from_text(text))
    assert [document.cut(m) for m in document.mentions] == cuts
    assert all(m.probability is not None and m.extra["by"] for m in document.mentions)


WRONG = [
    ("court-xx", "'court-xx' is no pipeline and no file. Ready pipelines: aef, court-de, court-en"),
    ("court-en:nothing", "no step is called 'nothing'"),
    ("gazetteer", "--annotator gazetteer: no list of names"),
    ("patterns:de", "--annotator patterns:de: no set of patterns"),
]


@pytest.mark.parametrize(("name", "message"), WRONG, ids=[w[0] for w in WRONG])
def test_annotators_that_there_are_not(name: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        annotator(name)


WHOLE = [
    ("Mr. James Hale ran Hale & Sons Towing.", "Hale & Sons Towing", "a firm with a person's name in it"),
    ("James Hale met Grace Price at Hale & Price Freight Pty Ltd again.", "Hale & Price Freight Pty Ltd", "with two"),
    ("Mr. James Hale lived at 12 Hale Road, Burnaby.", "12 Hale Road, Burnaby", "an address with one"),
]


@pytest.mark.parametrize(("text", "whole", "reason"), WHOLE, ids=[w[-1] for w in WHOLE])
def test_what_has_a_persons_name_in_it_is_hidden_in_full(text: str, whole: str, reason: str) -> None:
    document = annotator("court-en").tag(Document.from_text(text))
    assert whole in [document.cut(m) for m in document.mentions], reason


def test_an_annotators_own_probability_is_kept() -> None:
    class Fixed:
        def tag(self, document: Document) -> Document:
            return document.with_mentions([Mention(0, 3, probability=0.2), Mention(4, 7)])

    signed = Signed(Fixed(), "fixed", 0.5)
    assert [m.probability for m in signed.tag(TEXT).mentions] == [0.2, 0.5]


@pytest.fixture(scope="module")
def romanian() -> Pipeline:
    return load("saroj-ro")


@pytest.mark.parametrize("case", SENTENCES, ids=[case["reason"] for case in SENTENCES])
def test_romanian_sentences(romanian: Pipeline, case: dict[str, object]) -> None:
    document = romanian.tag(Document.from_text(str(case["text"])))
    assert [[document.cut(m), m.entity_type] for m in document.mentions] == case["hidden"]


def test_the_romanian_sentences_have_every_class(romanian: Pipeline) -> None:
    documents = [romanian.tag(Document.from_text(case["text"])) for case in SENTENCES]
    found = {m.extra.get("class", m.entity_type) for d in documents for m in d.mentions}
    assert len(SENTENCES) >= 20
    assert found >= SAROJ
