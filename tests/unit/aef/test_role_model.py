"""The model of roles: what it is shown, what it holds, and what it decides."""

from __future__ import annotations

from dataclasses import replace

import pytest

from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.experiments.role_model import Person, learned
from aef.person_predicates import People, only_initials
from aef.policy import load_policy
from aef.privacy import private_words
from aef.role_model import INITIALS, NOBODY, PRIVATE, RoleModel, ready
from aef.roles import OFFICIAL, Role, roles
from aef.surroundings import Surroundings

MARKED = (
    (
        "Then Mr. <Hale> told the 2 men of <Ann Roe>'s, and ANN <ROE> wept.\n\n"
        "<Barrow> Fencing Limited sued. In <Moss> v Vale [2010] EWCA Civ 7 it lost. “<Term>” is defined. <K.B.> left."
    )
    .replace("«", "")
    .replace("»", "")
)
PREDICATES = [
    ("0", "title mr", "the title before a name"),
    ("0", "titled", "that there is one"),
    ("0", "before1 then", "a word before it, titles aside, small where a sentence begins"),
    ("0", "behind told", "a word behind it"),
    ("0", "behind1 told", "and how far behind"),
    ("0", "near men", "a word of its sentence"),
    ("0", "anchored", "a title says that a person is meant"),
    ("1", "given name and surname", "and so does a given name"),
    ("1", "sign behind 'a,", "what joins it to the next word"),
    ("1", "behind2 Capital", "another's name, which is not told"),
    ("1", "form XX", "how one of the mentions is written"),
    ("1", "behind1 wept", "all mentions count"),
    ("2", "company behind", "words of a company go on from the name"),
    ("2", "all in a company's name", "which is known of all its mentions"),
    ("3", "beside v.", "one side of a case"),
    ("4", "a defined term", "in quotes"),
    ("5", "only initials", "somebody who is anonymized already"),
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
    groups = {key: [m for m in document.mentions if m.entity_id == key] for key in sorted(keys)}
    return People.of(Surroundings(document, document.mentions), groups)


@pytest.mark.parametrize(("key", "predicate", "reason"), PREDICATES, ids=[r for *_, r in PREDICATES])
def test_predicates(key: str, predicate: str, reason: str) -> None:
    assert predicate in people(linked(MARKED, "0112345")).predicates(key), reason


def test_a_predicate_is_worth_the_root_of_the_share_of_mentions_that_show_it() -> None:
    shown = people(linked(MARKED, "0112345")).predicates("1")
    assert shown["behind1 wept"] == pytest.approx(0.5**0.5)
    assert shown["mentions 2"] == 1


def test_no_predicate_holds_a_name() -> None:
    found = people(linked("Mr <Quillfeather> met Ann Zzyzx and <Quillfeather>.", "00")).predicates("0")
    assert not [p for p in found if "quillfeather" in p.lower() or "zzyzx" in p.lower()]


INITIALS_CASES = [
    ("K.B.", True, "with periods"),
    ("AH", True, "without"),
    ("A. H.", True, "apart"),
    ("ZX", True, "no name at all"),
    ("Al", False, "a short name"),
    ("J. Roe", False, "initials of a surname that is told"),
    ("UNITED", False, "a word in capitals"),
]


@pytest.mark.parametrize(("name", "told", "reason"), INITIALS_CASES, ids=[r for *_, r in INITIALS_CASES])
def test_only_initials(name: str, told: bool, reason: str) -> None:
    assert only_initials(name) == told, reason


def shown(text: str) -> dict[str, float]:
    return dict.fromkeys(text.split(), 1.0)


def test_a_model_is_written_and_read_again() -> None:
    people_shown = [shown("a b"), shown("b"), shown("c"), {"a": 0.5, "c": 1.0}]
    model = RoleModel.learned(people_shown, ["judge", PRIVATE, "judge", PRIVATE])
    again = RoleModel.of_text(model.text())
    assert again.text() == model.text()
    for found in ({"a": 1.0}, {"b": 0.3, "c": 1.0}, {"never seen": 1.0}):
        shares = again.probabilities(found)
        assert sum(shares.values()) == pytest.approx(1)
        assert shares == pytest.approx(model.probabilities(found), abs=0.001)


def test_what_speaks_most_for_a_role_is_said() -> None:
    model = RoleModel.learned([shown("a x"), shown("b x"), shown("b")], ["judge", PRIVATE, PRIVATE])
    assert model.reasons(shown("a b x"), "judge", most=1)[0].split()[0] == "a"


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
    assert {PRIVATE, NOBODY} <= set(model.classes) <= {PRIVATE, NOBODY, INITIALS, *OFFICIAL}
    private = private_words(handwritten.rulings(half="open"))
    assert [predicate for predicate in model.weights if private.inside(predicate)] == []


def decided(text: str, probability: float = 0.12) -> Role:
    rules = replace(load_policy("lexum").rules, private=probability)
    return roles(linked(text, "p"), rules=rules)["p"]


DECIDED = [
    ("Before: Mr Justice <Hale>\n\nThe appeal is allowed.", "judge", "an office"),
    ("On Monday <K.B.> went home to her mother.", INITIALS, "who is anonymized already"),
    ("The child, <Ann Roe>, is six.\n\nA support worker, <Roe>, wrote.", "child", "no office outvotes a child"),
]


@pytest.mark.parametrize(("text", "role", "reason"), DECIDED, ids=[r for *_, r in DECIDED])
def test_what_is_decided(text: str, role: str, reason: str) -> None:
    rules = load_policy("lexum").rules
    assert roles(linked(text, "p" * text.count("<")), rules=rules)["p"].role == role, reason


def test_a_probability_of_nothing_hides_everybody_and_its_reasons_are_told() -> None:
    quiet = (
        "The boy was put in care.\n\nIt was <Kremer> who assessed the mother, and wrote a report for the court on it."
    )
    assert decided(quiet, 1e-9).role == "witness"
    found = decided(quiet, 1.0)
    assert found.role not in ("party", "child", "relative", "witness")
    assert [(e.source, e.start) for e in found.evidence if e.source == "learned"] == [("learned", -1)]


def test_what_one_ruling_alone_says_is_not_kept() -> None:
    often = {"before often": 1.0}
    roles_of_three = ("judge", PRIVATE, "judge")
    one = [person("a", often, role) for role in roles_of_three]
    three = [person(d, often, role) for d, role in zip("abc", roles_of_three, strict=True)]
    private = private_words([])
    assert "before often" not in learned([*one, *OTHERS], private).weights
    assert "before often" in learned([*three, *OTHERS], private).weights


def person(document: str, predicates: dict[str, float], role: str) -> Person:
    return Person(document, False, predicates, role, 0, 1)


OTHERS = [person(d, {"behind else": 1.0}, r) for d, r in zip("defg", ["judge", PRIVATE] * 2, strict=True)]


def test_the_default_policy_heeds_it_and_the_papers_rules_do_not() -> None:
    assert load_policy("lexum").rules.private == 0.12
    assert load_policy("psilence").rules.private == 0
