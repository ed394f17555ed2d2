"""The ready-made models: listed, loaded by name, carried to another court; what goes wrong is said."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest

from aef.commands import main
from aef.corpus_tools import handwritten, invented
from aef.corpus_tools.gold.corpora import write_gold
from aef.errors import InputError
from aef.experiments.ready_models import LONG
from aef.features import resolve
from aef.tagging import ready_models as ready
from aef.tagging.adaptation import FOREIGN
from aef.tagging.finder import Finder
from aef.verification.model_audit import held

Captured = pytest.CaptureFixture[str]


def test_the_models_are_listed_and_small(capsys: Captured) -> None:
    assert main(["models", "--json"]) == 0
    rows = {row["name"]: row for row in json.loads(capsys.readouterr().out)}
    assert {"en-person", "en-all"} <= set(rows)
    assert sum(path.stat().st_size for name, path in ready.models().items() if name.startswith("en-")) < 4_000_000
    assert main(["models"]) == 0 and "en-all" in capsys.readouterr().out


def test_the_card_says_what_they_are_for(capsys: Captured) -> None:
    assert main(["models", "--card"]) == 0
    card = capsys.readouterr().out
    assert all(word in card for word in ("Data", "Figures", "Limits", "Licence", *ready.models()))


@pytest.mark.parametrize("name", ["en-person", "en-all"])
def test_no_hidden_name_of_the_hand_written_rulings_is_in_a_model(name: str) -> None:
    """Names of two words and more: a word of them alone, or "the shop", may be what all courts write."""
    text = "\n".join(string.string.casefold() for string in held(ready.find(name)))
    hidden = {d.cut(m) for d in handwritten.rulings(half="open") for m in d.mentions if m.masked}
    names = {name.casefold() for name in hidden if not name.islower()}
    told = [name for name in names if len(name.split()) > 1 and name.replace(" ", "").isalpha() and name in text]
    assert not [name for name in told if min(map(len, name.split())) > 1], "A. Long is also a long road"


@pytest.mark.parametrize("name", ready.models())
def test_each_predicate_of_a_model_weighs_something(name: str) -> None:
    """What weighs nothing changes nothing, and is room for what a model need not know."""
    finder = Finder.load(name)
    weighing: dict[str, Counter[str]] = defaultdict(Counter)
    for feature, values in finder.vocabulary.items():
        base = weighing[resolve(feature).base or feature]
        base.update(dict.fromkeys(values, 0))
        for block in (model.blocks[feature] for model in finder.models.values() if feature in model.blocks):
            base.update({value: int(np.any(block[number])) for value, number in values.items()})
    assert sum(map(len, weighing.values())) > 1000
    assert {feature: value for feature, found in weighing.items() for value, n in found.items() if not n} == {}


def test_the_closed_half_was_not_learned_from() -> None:
    for name in ("en-person", "en-all"):
        finder = Finder.load(name)
        assert not any(map(finder.trained_on, handwritten.rulings(half="closed")))
        learned = [d for d in handwritten.rulings(half="open") if name == "en-person" or len(d.words) <= LONG]
        assert all(map(finder.trained_on, learned))


def test_a_ruling_is_tagged_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.txt").write_text("[1] Ms. Quillback and her son, Tarrow Quillback, live in Leeds.\n", encoding="utf-8")
    assert main(["tag", "r.txt", "--model", "en-person"]) == 0
    assert "Quillback" in capsys.readouterr().out


def test_a_name_that_no_model_has() -> None:
    with pytest.raises(InputError, match=r"no ready-made model is called 'klingon-all'.*en-all"):
        ready.find("klingon-all")


def test_adapt_and_train_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    monkeypatch.chdir(tmp_path)
    rulings = invented.rulings(6, 5, "ireland")
    Path("court").mkdir()
    for document in rulings:
        Path("court", f"{document.doc_id}.txt").write_text(document.text, encoding="utf-8")
    assert main(["adapt", "court", "--model", "en-person", "-o", "ours.aef", "--rounds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["rulings"] == 6 and 0 < told["foreign"] < FOREIGN
    assert Finder.load("ours.aef").trained_on(rulings[0])
    write_gold(rulings[:3], "few.jsonl")
    assert main(["train", "few.jsonl", "--from", "en-person", "-o", "better.aef"]) == 0
    assert Finder.load("better.aef").target == "names"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["adapt", "empty", "-o", "m.aef"], "holds no ruling"),
        (["adapt", "absent.txt", "-o", "m.aef"], "absent.txt"),
        (["adapt", "r.txt", "-o", "m.aef", "--rounds", "0"], "at least one round"),
        (["adapt", "r.txt", "-o", "there.aef"], "there.aef"),
        (["adapt", "r.txt", "--model", "klingon", "-o", "m.aef"], "no ready-made model"),
        (["train", "absent.jsonl", "--from", "en-person", "-o", "m.aef"], "absent.jsonl"),
    ],
)
def test_what_goes_wrong(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("empty").mkdir()
    Path("r.txt").write_text("The rain fell all day.\n", encoding="utf-8")
    Path("there.aef").write_text("x", encoding="utf-8")
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
    assert not Path("m.aef").exists() and Path("there.aef").read_text("utf-8") == "x"
