"""Recipes: what is checked, what JSON they are, what they find in files, and whose policy decides."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.batch.recipe import Recipe
from aef.corpus_tools.document import Mention
from aef.errors import InputError

TEXT = "Mr. Millar left Nelson with his children. Reasons for Judgment of Madam Justice Quist. Mr. Millar returned."

PIPELINE = """
language = "en"
{policy}
[[step]]
run = "gazetteer"
files = ["names.txt"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "ruling.txt").write_text(TEXT)
    (tmp_path / "names.txt").write_text("Millar\nQuist\n")
    (tmp_path / "plain.toml").write_text(PIPELINE.format(policy=""))
    (tmp_path / "decided.toml").write_text(PIPELINE.format(policy='policy = "psilence"'))
    (tmp_path / "own.toml").write_text(PIPELINE.format(policy='policy = "house.toml"'))
    (tmp_path / "house.toml").write_text('extends = "all"\n[roles]\njudge = "show"\n')
    monkeypatch.chdir(tmp_path)
    return tmp_path


# --- what is checked ------------------------------------------------------------------------------------------------

WRONG: list[tuple[dict[str, Any], str, str]] = [
    ({"annotator": "nome", "model": "en-all"}, "--model does not go with --annotator", "two finders"),
    ({"annotator": "nome", "threshold": 0.0}, "--threshold does not go with --annotator", "zero is a threshold, too"),
    ({"annotator": "nome", "consistency": False}, "--no-consistency does not go", "of a model"),
    ({"preset": "safe", "cost": 3.0}, "exclude each other", "two thresholds"),
    ({"cost": 0.0}, "cost 0.0: a number above 0", "no cost"),
    ({"cost": float("inf")}, "cost inf", "endless cost"),
    ({"scheme": "initial"}, "unknown scheme 'initial'. Did you mean initials", "misspelled scheme"),
    ({"policy": "lexun"}, "unknown policy 'lexun'", "misspelled policy"),
]


@pytest.mark.parametrize(("values", "message", "why"), WRONG, ids=[w[2] for w in WRONG])
def test_what_is_wrong_is_told_before_anything_is_loaded(values: dict[str, Any], message: str, why: str) -> None:
    with pytest.raises(InputError, match=message):
        Recipe(**values).check()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"model": "nosuch"}, "no ready-made model is called 'nosuch'"),
        ({"annotator": "nosuch"}, "'nosuch' is no pipeline"),
        ({"preset": "nosuch"}, "nosuch"),
        ({"threshold": 1.5}, "1.5"),
    ],
)
def test_what_is_wrong_is_told_when_it_is_loaded(values: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Recipe(**values).load()


# --- plain values ---------------------------------------------------------------------------------------------------

names = st.none() | st.text(max_size=5)
recipes = st.builds(
    Recipe,
    annotator=names,
    model=names,
    threshold=st.none() | st.floats(0, 1),
    consistency=st.none() | st.booleans(),
    seed=st.integers(),
    keep_initials=st.booleans(),
    include=st.lists(st.text(max_size=4), max_size=3).map(tuple),
)


@given(recipes)
def test_json_and_back(recipe: Recipe) -> None:
    assert Recipe.from_dict(json.loads(json.dumps(recipe.as_dict()))) == recipe
    assert pickle.loads(pickle.dumps(recipe)) == recipe


BAD_VALUES = [
    ([], "is no JSON object", "a list"),
    ({"scheme": 3}, "'scheme' is 3. Write a string", "a number for a name"),
    ({"seed": True}, "'seed' is true. Write a whole number", "true is no number"),
    ({"seed": 1.5}, "'seed' is 1.5", "no whole number"),
    ({"keep_initials": 1}, "'keep_initials' is 1. Write true or false", "a number for a truth value"),
    ({"include": "Green"}, "'include' is \"Green\". Write a list of strings", "a phrase alone"),
    ({"include": [1]}, "'include'", "a list of something else"),
    ({"schema": "x"}, "unknown key 'schema'. There are: annotator", "misspelled key"),
]


@pytest.mark.parametrize(("values", "message", "why"), BAD_VALUES, ids=[b[2] for b in BAD_VALUES])
def test_bad_values_are_named(values: Any, message: str, why: str) -> None:
    with pytest.raises(InputError, match=message):
        Recipe.from_dict(values)


def test_whole_numbers_do_for_thresholds() -> None:
    assert Recipe.from_dict({"threshold": 1, "cost": None}) == Recipe(threshold=1)


# --- files ----------------------------------------------------------------------------------------------------------


def test_paths_are_found_from_anywhere(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "elsewhere").mkdir()
    given = Recipe(annotator="gazetteer:names.txt,plain.toml", policy="house.toml")
    resolved = given.resolved()
    step, ready = Recipe(annotator="plain.toml:gazetteer").resolved(), Recipe(annotator="court-en:numbers").resolved()
    monkeypatch.chdir(folder / "elsewhere")
    assert resolved.annotator == f"gazetteer:{folder / 'names.txt'},{folder / 'plain.toml'}"
    assert resolved.policy == str(folder / "house.toml")
    assert step.annotator == f"{folder / 'plain.toml'}:gazetteer" and step.load().tagger is not None
    assert ready.annotator == "court-en:numbers" and Recipe(model="en-all", policy="lexum").resolved().policy == "lexum"


CHANGES = [
    ("names.txt", "Nelson\n", "a list that the pipeline names"),
    ("plain.toml", PIPELINE.format(policy='policy = "all"'), "the pipeline"),
    ("house.toml", 'extends = "lexum"\n', "the policy"),
]


@pytest.mark.parametrize(("file", "content", "why"), CHANGES, ids=[c[2] for c in CHANGES])
def test_another_file_is_another_recipe(folder: Path, file: str, content: str, why: str) -> None:
    recipe = Recipe(annotator="plain.toml", policy="house.toml")
    before = recipe.fingerprint()
    assert before == Recipe(annotator="plain.toml", policy="house.toml").fingerprint()
    (folder / file).write_text(content)
    assert recipe.fingerprint() != before, why


def test_other_values_are_another_recipe(folder: Path) -> None:
    recipes = [
        Recipe(),
        Recipe(seed=1),
        Recipe(model="en-person"),
        Recipe(include=("Green",)),
        Recipe(annotator="nome"),
    ]
    assert len({recipe.fingerprint() for recipe in recipes}) == len(recipes)


# --- anonymizing ----------------------------------------------------------------------------------------------------

POLICIES = [
    (Recipe(annotator="plain.toml"), ["Millar", "Quist"], "no policy: all that was found"),
    (Recipe(annotator="plain.toml", policy="lexum"), ["Millar"], "the one given: judges are shown"),
    (Recipe(annotator="own.toml"), ["Millar"], "the pipeline's own, a file beside it"),
    (Recipe(annotator="own.toml", policy="all"), ["Millar", "Quist"], "the one given goes before the pipeline's"),
    (Recipe(annotator="gazetteer:names.txt"), ["Millar", "Quist"], "an annotator alone"),
]


@pytest.mark.parametrize(("recipe", "hidden", "why"), POLICIES, ids=[p[2] for p in POLICIES])
def test_whose_policy_decides(folder: Path, recipe: Recipe, hidden: list[str], why: str) -> None:
    result = recipe.load()("ruling.txt", "safe.txt")
    assert sorted(name for names in result.people.values() for name in names) == hidden, why
    assert all(name not in Path("safe.txt").read_text() for name in hidden)


def test_a_pipelines_policy_is_checked_when_it_is_loaded(folder: Path) -> None:
    (folder / "house.toml").write_text('extends = "nosuch"\n')
    with pytest.raises(InputError, match=r"own\.toml: policy: .*'extends' is 'nosuch'"):
        Recipe(annotator="own.toml").load()
    (folder / "own.toml").write_text(PIPELINE.format(policy="policy = 3"))
    with pytest.raises(InputError, match="policy is 3"):
        Recipe(annotator="own.toml").load()


def test_a_recipe_without_tagger_takes_mentions(folder: Path) -> None:
    anonymize = Recipe(scheme="letters").load(tagger=False)
    assert anonymize("ruling.txt", mentions=[Mention(4, 10, "PERSON")]).people == {"AA": ["Millar"]}
    with pytest.raises(InputError, match="nothing says what to hide"):
        anonymize("ruling.txt")


def test_one_that_is_loaded_anonymizes_many(folder: Path) -> None:
    anonymize = Recipe(annotator="gazetteer:names.txt", scheme="letters", exclude=("Quist",)).load()
    outputs = [anonymize("ruling.txt", f"{i}.txt").content for i in range(2)]
    assert outputs[0] == outputs[1] == TEXT.replace("Millar", "AA").encode()
