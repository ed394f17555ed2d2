"""The model of roles: what it is shown, what it holds, and when it is heeded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.experiments.role_model import Person, learned
from aef.policy import load_policy
from aef.privacy import private_words
from aef.role_model import PRIVATE, People, RoleModel, ready
from aef.roles import OFFICIAL, Role, roles

MARKED = "Then Mr. <Hale> told the 2 men of <Ann Roe>'s, and ANN <ROE> wept."
PREDICATES = [
    ("0", "title mr", "the title before a name"),
    ("0", "before1 then", "a word before it, titles aside, small where a sentence begins"),
    ("0", "behind told", "a word behind it"),
    ("0", "behind1 told", "and how far behind"),
    ("0", "behind3 #", "a number"),
    ("1", "sign behind 'a", "what joins it to the next word"),
    ("1", "behind2 Capital", "another's name, which is not told"),
    ("1", "in capitals", "one of the mentions"),
    ("1", "behind1 wept", "all mentions count"),
]


def linked(marked: str, entities: str) -> Document:
    """A text with a mention for each pair of angle brackets, each with the entity of the same place."""
    mentions, text = [], ""
    for piece, entity in zip(marked.split("<")[1:], entities, strict=True):
        text = text or marked.split("<")[0]
        name, rest = piece.split(">")
        mentions.append(Mention(len(text), len(text) + len(name), "PERSON", None, entity))
        text += name + rest
    return Document.from_text(text, "d", mentions)


def people(document: Document) -> People:
    keys = {m.entity_id or "" for m in document.mentions}
    return People(document, {key: [m for m in document.mentions if m.entity_id == key] for key in sorted(keys)})


@pytest.mark.parametrize(("key", "predicate", "reason"), PREDICATES, ids=[r for *_, r in PREDICATES])
def test_predicates(key: str, predicate: str, reason: str) -> None:
    assert predicate in people(linked(MARKED, "011")).predicates(key), reason


def test_a_model_is_written_and_read_again() -> None:
    model = RoleModel.learned([{"a", "b"}, {"b"}, {"c"}, {"a", "c"}], ["judge", PRIVATE, "judge", PRIVATE])
    again = RoleModel.of_text(model.text())
    assert again.text() == model.text()
    for found in ({"a"}, {"b", "c"}, {"never seen"}):
        shares = again.probabilities(found)
        assert sum(shares.values()) == pytest.approx(1)
        assert shares == pytest.approx(model.probabilities(found), abs=0.001)


def test_another_prior_moves_the_odds_by_as_much() -> None:
    model = RoleModel.learned([{"a"}, {"b"}, {"c"}], ["judge", PRIVATE, "expert"])
    moved = model.with_prior(0.8, 0.5).probabilities({"a"})
    before = model.probabilities({"a"})
    assert moved[PRIVATE] / (1 - moved[PRIVATE]) == pytest.approx(4 * before[PRIVATE] / (1 - before[PRIVATE]))
    assert moved["judge"] / moved["expert"] == pytest.approx(before["judge"] / before["expert"])


QUIET_TEXTS = [
    "Ms. <Millar> left. He wept.",
    "In 2012 Ms. <Green> moved to Leeds.",
    "<Hale> came in the morning and hit her.",
    "The court heard from <Ann Roe>.",
]


@pytest.mark.parametrize("text", QUIET_TEXTS)
def test_who_does_nothing_of_an_office_is_hidden(text: str) -> None:
    assert roles(linked(text, "p"), rules=load_policy("lexum").rules)["p"].role == "witness"


def test_the_ready_model_knows_the_roles_and_holds_no_name() -> None:
    model = ready("en")
    assert model is not None and ready("es") is None
    assert set(model.classes) <= {PRIVATE, *OFFICIAL}
    private = private_words(handwritten.rulings(half="open"))
    assert [predicate for predicate in model.weights if private.inside(predicate)] == []


def decided(text: str, learned: float) -> Role:
    rules = replace(load_policy("lexum").rules, learned=learned)
    return roles(linked(text, "p"), rules=rules)["p"]


def test_what_one_ruling_alone_says_is_not_kept() -> None:
    roles_of_three = ("judge", PRIVATE, "judge")
    one = [Person("a", "style", frozenset({"before often"}), role, False) for role in roles_of_three]
    three = [
        Person(d, "style", frozenset({"before often"}), r, False) for d, r in zip("abc", roles_of_three, strict=True)
    ]
    private = private_words([])
    assert "before often" not in learned([*one, *OTHERS], private).weights
    assert "before often" in learned([*three, *OTHERS], private).weights


OTHERS = [
    Person(d, "style", frozenset({"behind else"}), r, False)
    for d, r in zip("defg", ["judge", PRIVATE] * 2, strict=True)
]

QUIET = "The boy was put in care.\n\nIt was <Kremer> who assessed the mother, and wrote a report for the court on it."


def test_it_is_heeded_only_where_nothing_else_tells_a_role() -> None:
    assert (decided(QUIET, 1.0).role, decided(QUIET, 1.0).evidence) == ("witness", ())
    found = decided(QUIET, 0.01)
    assert found.role in OFFICIAL
    assert [(e.source, e.start) for e in found.evidence] == [("learned", -1)]
    assert decided(QUIET.replace("<Kremer>", "his aunt, <Kremer>,"), 0.01).role == "relative"


def test_the_default_policy_heeds_it_and_the_papers_rules_do_not() -> None:
    assert load_policy("lexum").rules.learned == 0.7
    assert load_policy("psilence").rules.learned == 1
