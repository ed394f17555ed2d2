"""What is said of a word is what is done with it, and why."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from aef.annotators import annotator
from aef.annotators.pipeline import DEFAULT, load
from aef.anonymization import anonymize
from aef.anonymization.explanation import Explainer, WordExplanation
from aef.anonymization.marking import Wanted
from aef.anonymization.why import explain
from aef.corpus_tools.document import Document
from aef.corpus_tools.rulings.readers import read
from aef.corpus_tools.samples import built_in
from aef.roles.metadata import Known
from aef.roles.policy import Policy, load_policy

_load = cache(load)


MORE = [pytest.param(number, marks=pytest.mark.slow) for number in range(4, 12)]


@pytest.mark.parametrize("number", [*range(4), *MORE])
def test_what_is_hidden_or_stays_is_what_anonymize_hides_or_leaves(number: int, tmp_path: Path) -> None:
    ruling = tmp_path / "ruling.docx"
    ruling.write_bytes(built_in()[number].original_docx())
    pipeline = _load(DEFAULT)
    anonymize(ruling, tmp_path / "safe.docx", finder=pipeline)
    explainer = Explainer(read(ruling), pipeline)
    words = explainer.explain(range(len(explainer.tagged.words)))
    before, after = (Counter(re.findall(r"\w\w+", read(path).text)) for path in (ruling, tmp_path / "safe.docx"))
    assert before - after == Counter(piece for w in words if w.hidden for piece in re.findall(r"\w\w+", w.text))
    assert not after - before
    assert sum(w.hidden for w in words) > 30
    assert {a.name for a in pipeline.steps} >= {f.by for w in words for f in w.found}


TEXT = (
    "Between Robert Hale, applicant, and Northwick Council.\n\nMr. John Carver appeared for the applicant.\n\n"
    "The applicant, Mr. Hale, born on 3 May 1971, worked for Bogal Marine Ltd. His passport number is A2214907. "
    "His daughter Emma Hale goes to Little Hunters School. Skip left."
)


def told(word: str, wanted: Wanted | None = None, last: bool = False) -> WordExplanation:
    document = Document.from_text(TEXT)
    place = TEXT.rindex(word) if last else TEXT.index(word)
    explainer = Explainer(document, _load(DEFAULT), wanted)
    return explainer.explain([explainer.tagged.token_range(place, place + 1).start])[0]


CASES = [
    ("Robert", True, "R.H.", "party, which the policy lexum hides", "people", "a party"),
    ("Carver", False, "", "counsel, which the policy lexum shows", "people", "counsel is found, and published"),
    ("A2214907", True, "[...]", "code, which the policy lexum hides", "numbers", "a pattern, which no model finds"),
    ("May", True, "[...] 1971", "birth date, which the policy lexum hides", "numbers", "a birth date"),
    ("1971", False, "[...] 1971", "birth date, which the policy lexum hides", "numbers", "of which the year stays"),
    ("School", False, "L.[...] School", "school, which the policy lexum hides", "quasi-identifiers", "a generic word"),
    ("Bogal", False, "", "shows: no name of somebody hidden is in it", "quasi-identifiers", "a firm"),
    ("Mr", False, "", "nothing found it", None, "a title"),
    ("passport", False, "", "nothing found it", None, "an ordinary word"),
]


@pytest.mark.parametrize(("word", "hidden", "replacement", "why", "by", "reason"), CASES, ids=[c[5] for c in CASES])
def test_why(word: str, hidden: bool, replacement: str, why: str, by: str | None, reason: str) -> None:
    said = told(word)
    assert (said.hidden, said.replacement) == (hidden, replacement) and why in said.why
    assert by in {f.by for f in said.found} if by else not said.found
    assert set(said.models) == {"people"} and said.models["people"].text == said.text
    start = f"hidden as {replacement}: " if hidden else f"stays in {replacement}: " if replacement else "stays: "
    assert next(said.said()).startswith(start)


def test_the_role_comes_with_probability_and_reasons() -> None:
    lines = list(told("Carver").said())
    assert any(re.search(r"counsel: 'probability \d\.\d\d: .+' \(learned\)", line) for line in lines)
    assert "counsel: 'appeared for' (behind" in "\n".join(lines)


def test_lists_metadata_and_policies_are_heard() -> None:
    pipeline = _load(DEFAULT)
    listed = Wanted.by(pipeline, include=["Bogal"], exclude=["Robert Hale"])
    assert told("Bogal", listed).why == "on the list of what is always hidden"
    assert (told("Robert", listed).hidden, told("Robert", listed).why) == (False, "on the list of what is never hidden")
    nickname = Wanted.by(pipeline, metadata=[Known("party", ("Robert Hale", "Skip"))])
    assert told("Skip", nickname).replacement == "R.H." != told("Skip").replacement
    everybody = Wanted.by(pipeline, policy=load_policy("all"))
    assert told("Carver", everybody).hidden and "the policy all hides" in told("Carver", everybody).why
    asking = Wanted.by(pipeline, policy=Policy("mine", roles={"counsel": "ask"}))
    assert "the policy mine asks" in told("Carver", asking).why


def test_annotators_without_a_model_are_explained() -> None:
    document = Document.from_text(TEXT)
    explainer = Explainer(document, annotator("patterns:en"))
    (word,) = explainer.explain([document.words.index("A2214907")])
    assert word.hidden and not word.models and word.found[0].pattern and word.decision is None
    assert "no policy shows what was found" in word.why and word.bare().hidden


def test_a_table_has_a_row_a_word(tmp_path: Path) -> None:
    ruling = tmp_path / "ruling.txt"
    ruling.write_text(TEXT, "utf-8")
    frame = explain(ruling, "Hale", finder=_load(DEFAULT)).to_frame()
    assert frame["text"].unique().tolist() == ["Hale"] and frame["hidden"].all()
    assert frame["paragraph"].tolist() == [1, 3, 3]
