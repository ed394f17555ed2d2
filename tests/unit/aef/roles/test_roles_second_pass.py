"""The second pass of the model of roles: who stands near, who right beside, who bears the surname."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.context.surroundings import Surroundings
from aef.corpus_tools.document import Document, Mention
from aef.role_features import People
from aef.roles.model import RoleModel
from aef.roles.second_pass import Around, verdicts

FIRST = {
    "a": {"counsel": 0.9, "private": 0.1},
    "b": {"counsel": 0.7, "private": 0.3},
    "c": {"counsel": 0.0, "private": 1.0},
}
CASES = [
    ("<Poe:a>, <Vale:b>", "b", "beside counsel", 0.9, "a comma between two names"),
    ("<Poe:a> saw <Vale:b>", "b", "beside counsel", 0.9, "a short word, too"),
    ("<Poe:a> told somebody of <Vale:b>", "b", "beside counsel", None, "a sentence's words do not"),
    ("<Poe:a> told somebody of <Vale:b>", "b", "near counsel", 0.9, "but it is near"),
    ("<Poe:a> left. {far} <Vale:b>", "b", "near counsel", None, "a page away it is not"),
    ("<Poe:a>, <Vale:b>, <Roe:c>", "b", "beside private", 0.55, "two count alike"),
    ("<Poe:b>, <Vale:b>, <Roe:c>", "b", "beside private", 1.0, "a person is not near himself"),
    ("<Vale:b> {long} <Poe:a>, <Roe:c>", "c", "near counsel", 0.9 * 0.75 + 0.7 * 0.25, "who is nearer counts more"),
    ("<Ann Roe:a> {far} <Bo Roe:b> {far} <Cy Roe:c>", "a", "namesake private", 0.65, "the mean of who bears the name"),
    ("<Roe Ann:a> {far} <Roe Bo:b>", "a", "namesake", None, "a given name is no surname"),
    ("<Ann Roe:a> {far} <Poe:b>", "a", "namesake", None, "nobody bears it"),
]


def around(marked: str) -> Around:
    """A text with a mention for each pair of angle brackets, with the name and the person's id."""
    marked = marked.format(far="so " * 200, long="s" * 91)
    text, mentions = "", []
    for piece in marked.split("<"):
        name, _, rest = piece.partition(">") if ">" in piece else ("", "", piece)
        if name:
            name, key = name.split(":")
            mentions.append(Mention(len(text), len(text) + len(name), "PERSON", None, key))
        text += name + rest
    document = Document.from_text(text, "d", mentions)
    groups = {k: [m for m in mentions if m.entity_id == k] for k in sorted({m.entity_id or "" for m in mentions})}
    return Around.of(People.of(Surroundings(document, mentions), groups))


@pytest.mark.parametrize(("marked", "key", "predicate", "value", "reason"), CASES, ids=[c[-1] for c in CASES])
def test_what_others_show(marked: str, key: str, predicate: str, value: float | None, reason: str) -> None:
    here = around(marked)
    shown = here.predicates({k: FIRST[k] for k in here.surnames})[key]
    assert shown.get(predicate) == (None if value is None else pytest.approx(value, abs=0.02)), reason


@given(st.lists(st.sampled_from(["<Ann Roe:a>, ", "<Poe:b> and ", "<Cy Roe:c> told ", "so ", "\n"]), max_size=12))
def test_what_others_are_is_a_share_of_one(pieces: list[str]) -> None:
    here = around("".join(pieces))
    for shown in here.predicates({k: FIRST[k] for k in here.surnames}).values():
        for relation in ("near", "beside", "namesake"):
            total = sum(value for name, value in shown.items() if name.startswith(f"{relation} "))
            assert total == pytest.approx(shown.get(relation, 0.0))


def model(second: RoleModel | None) -> RoleModel:
    classes = ("counsel", "private")
    return RoleModel(classes, np.zeros(2), {"behind is": np.array([1.0, 0.0])}, second)


def people(text: str) -> People:
    start = text.index("Roe")
    mentions = [Mention(0, 3, "PERSON", None, "a"), Mention(start, start + 3, "PERSON", None, "b")]
    document = Document.from_text(text, "d", mentions)
    return People.of(Surroundings(document, mentions), {"a": mentions[:1], "b": mentions[1:]})


def test_counsel_beside_make_counsel_and_are_a_reason() -> None:
    second = RoleModel(("counsel", "private"), np.zeros(2), {"near counsel": np.array([2.0, -2.0])})
    text = "Poe is counsel, as Roe told."
    alone, both = verdicts(model(None), people(text))["b"], verdicts(model(second), people(text))["b"]
    assert alone.probabilities["counsel"] == pytest.approx(0.5)
    assert both.probabilities["counsel"] > 0.9
    assert any(reason.startswith("near counsel +") for reason in both.reasons("counsel"))


def test_a_file_holds_the_second_pass() -> None:
    second = RoleModel(("counsel", "private"), np.array([0.5, -0.5]), {"near counsel": np.array([2.0, -2.0])})
    read = RoleModel.of_text(model(second).text())
    assert read.second
    assert read.second.text() == second.text()
    assert RoleModel.of_text(model(None).text()).second is None
