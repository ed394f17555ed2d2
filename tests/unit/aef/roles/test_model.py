"""The model of roles: what it is shown, what it holds, and what it decides."""

from __future__ import annotations

from dataclasses import replace
from importlib.resources import files
from math import log
from pathlib import Path

import pytest

from aef import lexicons
from aef.context.surroundings import Surroundings
from aef.corpus_tools import handwritten
from aef.corpus_tools.document import Document, Mention
from aef.experiments.role_model import Learner, Person, learned, second_looks
from aef.role_features import FEATURES, People, predicates
from aef.role_features.lists import only_initials
from aef.role_features.registry import feature_of, of_person
from aef.roles.classifier import OFFICIAL, Role, Rules, roles
from aef.roles.model import COMPANY, INITIALS, NOBODY, PRIVATE, RoleModel, ready
from aef.roles.policy import load_policy
from aef.roles.second_pass import Around
from aef.tagging.privacy import private_words
from aef.verification.model_audit import held

CLASSES = lexicons.word_classes()
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
    ("0", "before then", "a word before it, titles aside, small where a sentence begins"),
    ("0", "behind told", "a word behind it"),
    ("0", "behind & told the", "and the two nearest together"),
    ("0", "near men", "a word of its sentence"),
    ("0", f"class behind {CLASSES['told']}", "words around which the same words stand are one, told and asked"),
    ("0", f"class near {CLASSES['men']}", "in the sentence, too"),
    ("0", "anchored", "a title says that a person is meant"),
    ("1", "anchored by a given name", "and so does a given name"),
    ("1", "sign behind 'a,", "what joins it to the next word"),
    ("1", "behind Capital", "another's name, which is not told"),
    ("1", "behind wept", "all mentions count"),
    ("2", "goes on as a company", "words of a company go on from the name"),
    ("2", "elsewhere all: in a company's name", "which is known of all its mentions"),
    ("5", "initials alone", "somebody who is anonymized already"),
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


def shown_of(document: Document, key: str) -> dict[str, float]:
    keys = {m.entity_id or "" for m in document.mentions}
    groups = {key: [m for m in document.mentions if m.entity_id == key] for key in sorted(keys)}
    return predicates(People.of(Surroundings(document, document.mentions), groups).by_id[key])


@pytest.mark.parametrize(("key", "predicate", "reason"), PREDICATES, ids=[r for *_, r in PREDICATES])
def test_predicates(key: str, predicate: str, reason: str) -> None:
    assert predicate in shown_of(linked(MARKED, "0112345"), key), reason


def test_a_predicate_is_worth_the_root_of_the_share_of_mentions_that_show_it() -> None:
    shown = shown_of(linked(MARKED, "0112345"), "1")
    assert shown["sign behind 'a,"] == pytest.approx(0.5**0.5)
    assert shown["mentions 2"] == 1


LINES = (
    "THE COURT\n\nBetween\n<Roe>\nPlaintiff\n\nand <Poe>, <Vale>\nDefendants, who\n\nMs. <Roe> told so. {long}\nthe end"
)
AROUND = [
    ("own line and", "1", "an ordinary word of a short line"),
    ("own line", "0", "that the line is short"),
    ("line above between", "0", "of the line above"),
    ("line below plaintiff", "0", "of the line below"),
    ("second line above the", "0", "two lines above, empty ones aside"),
    ("second line below and", "0", "two lines below"),
    ("heading the", "0", "of the nearest short line further up"),
    ("lines above 2", "0", "how many lines stand above, by powers of two"),
    ("lines below 2", "1", "and how many below"),
    ("name beside", "1", "that a name stands beside it"),
    ("name beside without a title", "2", "and one without a title"),
]


@pytest.mark.parametrize(("predicate", "key", "reason"), AROUND, ids=[r for *_, r in AROUND])
def test_predicates_of_lines_and_of_names_beside(predicate: str, key: str, reason: str) -> None:
    assert predicate in shown_of(linked(LINES.format(long="so " * 60), "0120"), key), reason


def test_a_long_line_shows_nothing_and_a_name_far_away_is_not_beside() -> None:
    shown = shown_of(linked("<Roe> left. " + "so " * 60 + "<Poe>", "01"), "0")
    assert not [p for p in shown if p.startswith(("own line", "name beside"))]


WHOLE = [
    ("<Roe> left, and her house was sold.", "pronoun behind somebody", "a pronoun stands for the name before it"),
    ("<Roe> left, and its shares were sold.", "pronoun behind something", "so does that of a thing"),
    ("<Roe> and <Poe> left. She wept.", "pronoun behind another name", "but for the last name alone"),
    ("<Roe> left. <Ann Roe> wept.", "shares a word with one of a given name", "another's name says that it is a name"),
    ("<Roe> left. Mr <J. Roe> wept.", "shares a word with one titled", "and so does another's title"),
    ("<Roe> left, and he wept. <Poe> wept. <Roe> saw her.", "somebody of something 4", "two pronouns of somebody"),
    ("<Roe> sued. Roe, Inc. paid.", "begins a company one, nothing, mentions 1", "the legal form behind a comma"),
    ("<Ann Roe> sued Ann Roe & Sons Ltd as did Ann Roe Co.", "begins a company several", "two of them"),
    ('<Roe> sued. Roe Drilling, Inc. ("Roe") paid.', "short for a company nothing", "a short name in brackets"),
    ("Ann Roe and <Golden> Trust Co. paid.", "begins a company one", "of two names the latter is the company's"),
    ("<Roe> is a large company.", "company near behind, nothing", "what the ruling says of it once"),
    ("The company Mr <Roe> left. <Roe> wept.", "company near before, titled, mentions 2", "before the title, too"),
    ("<Roe> left. <Roe> saw the roe.", "elsewhere all: in small letters", "a word like others"),
    ("The drug agent <Roe> saw it. <Roe> left.", "introduction before agent", "what is said of somebody at first"),
    ("Then Mr <Roe>, a baker, left. <Roe> wept.", "introduction title mr", "the title"),
    ("<Roe>, a baker, left. <Roe> wept.", "introduction near baker", "the sentence around"),
]


@pytest.mark.parametrize(("marked", "predicate", "reason"), WHOLE, ids=[r for *_, r in WHOLE])
def test_predicates_of_the_ruling(marked: str, predicate: str, reason: str) -> None:
    names = [piece.split(">")[0] for piece in marked.split("<")[1:]]
    document = linked(marked, "".join(str(names.index(name)) for name in names))
    assert predicate in shown_of(document, "0"), reason


def test_no_more_words_of_a_company_are_looked_at_than_a_person_has() -> None:
    document = linked("<Roe> sued " + "Timber " * 50 + "Inc.", "0")
    people = People.of(Surroundings(document, document.mentions), {"0": list(document.mentions)})
    assert set(people.begun) == {("timber",) * words for words in range(1, 9)}


def test_who_is_introduced_in_the_head_is_introduced_again_below() -> None:
    head = "THE SUPREME COURT\n\nBetween\n\n<Roe>\n\nPlaintiff\n\nand\n\n<Poe>\n\nDefendant\n\n"
    body = "1. The baker <Roe> sued for a cow that she had bought at the market in May and that died. She sued <Roe>."
    shown = shown_of(linked(head + body, "0100"), "0")
    assert "introduction before baker" in shown and "introduction before sued" not in shown


def test_the_weight_of_what_is_seen_often_is_drawn_to_none_more_than_of_what_is_rare() -> None:
    often, rarely = [{"often": 1.0}] * 40, [{"rarely": 1.0}] * 4
    people, classes = [*often, *rarely, *[{"else": 1.0}] * 44], ["judge"] * 44 + ["party"] * 44

    def ratio(growth: float) -> float:
        weights = RoleModel.learned(people, classes, growth=growth).weights
        return float(weights["often"][0] / weights["rarely"][0])

    assert ratio(0.35) < ratio(0)


def test_every_predicate_tells_its_feature() -> None:
    shown = shown_of(linked(MARKED, "0112345"), "1")
    assert {feature_of(predicate).name for predicate in shown} <= set(FEATURES)


def test_a_feature_of_roles_needs_a_docstring_and_a_name_of_its_own() -> None:
    def mentions(somebody: object) -> list[str]:
        """A second one of that name."""
        return []

    def silent(somebody: object) -> list[str]:
        return []

    for function in (mentions, silent):
        with pytest.raises(ValueError, match="twice, or has no docstring"):
            of_person()(function)


def test_no_predicate_holds_a_name() -> None:
    found = shown_of(linked("Mr <Quillfeather> met Ann Zzyzx and <Quillfeather>.", "00"), "0")
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


def test_steps_are_no_private_words_though_a_name_may_hold_a_digit() -> None:
    people = [person(d, {"probability 0.9": 1.0, "near 0.9": 1.0}, PRIVATE) for d in "abc"]
    private = private_words([linked("<0.9> left.", "p")])
    model = learned([*people, *(person(d, {"mentions 1": 1.0}, NOBODY) for d in "abc")], private)
    assert set(model.weights) == {"probability 0.9", "mentions 1"}


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


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_the_ready_model_knows_the_roles_and_holds_no_name(language: str) -> None:
    model = ready(language)
    assert model is not None and ready("de") is None
    assert {PRIVATE, NOBODY} <= set(model.classes) <= {PRIVATE, COMPANY, NOBODY, INITIALS, *OFFICIAL}
    private = private_words(handwritten.rulings(half="open", language=language))
    assert [p for p in model.weights if feature_of(p).quotes and private.inside(p)] == []
    own = {word for p in model.weights if not feature_of(p).quotes for word in p.split()}
    assert {"none", "titled", "0.99"} <= own and not own.intersection({"hale", "Hale", "roe", "Roe"})


@pytest.mark.parametrize("language", ["en", "es", "fr"])
def test_the_audit_knows_every_predicate_of_the_ready_models(language: str) -> None:
    """One that it did not know would be told with its feature's name as a word of the ruling."""
    strings = held(Path(str(files("aef").joinpath("models", f"{language}-roles.json"))))
    assert [s.string for s in strings if s.where == "weights" and s.kind == "predicate"] == []


def decided(text: str, probability: float = 0.1) -> Role:
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


@pytest.mark.parametrize(
    ("mentions", "hidden", "reason"),
    [
        (1, True, "one mention gives a person away"),
        (3, True, "few"),
        (8, False, "many wrong ones cost the reader more"),
    ],
)
def test_who_is_named_often_is_hidden_only_where_it_is_more_probable(
    mentions: int, hidden: bool, reason: str, tmp_path: Path
) -> None:
    file = tmp_path / "roles.json"  # a model that takes everybody to be private by 0.08
    file.write_text(
        f'{{"classes": ["{NOBODY}", "{PRIVATE}"], "weights": {{"": [{round(1000 * log(0.92 / 0.08))}, 0]}}}}'
    )
    text = linked("Then <Roe> left. " * mentions, "p" * mentions)
    found = roles(text, rules=Rules(private=0.06, model=str(file)))["p"]
    assert (found.role == "witness") == hidden, reason


def test_who_is_named_ever_so_often_can_be_hidden(tmp_path: Path) -> None:
    file = tmp_path / "roles.json"  # a model that takes everybody to be private by 0.99
    file.write_text(f'{{"classes": ["{NOBODY}", "{PRIVATE}"], "weights": {{"": [0, {round(1000 * log(99))}]}}}}')
    text = linked("Then <Roe> left. " * 1500, "p" * 1500)
    assert roles(text, rules=Rules(private=0.2, model=str(file)))["p"].role == "witness"


def test_what_one_ruling_alone_says_is_not_kept() -> None:
    often = {"before often": 1.0}
    roles_of_three = ("judge", PRIVATE, "judge")
    one = [person("a", often, role) for role in roles_of_three]
    three = [person(d, often, role) for d, role in zip("abc", roles_of_three, strict=True)]
    private = private_words([])
    assert "before often" not in learned([*one, *OTHERS], private).weights
    assert "before often" in learned([*three, *OTHERS], private).weights


def test_who_stands_among_counsel_is_learned_to_be_counsel() -> None:
    parts = [
        [p for d in range(20) for role in ("counsel", PRIVATE) for p in pair(f"{part}{d}", role)] for part in "abc"
    ]
    learner = Learner(parts, private_words([]))
    model = learner.model(learner.all)
    assert model.second
    shown = second_looks(model, pair("new", "counsel"))[1]
    assert model.second.probabilities(shown)["counsel"] > 0.6 > model.probabilities({})["counsel"]


def pair(document: str, role: str) -> list[Person]:
    """Somebody of whom the words around tell the role, and somebody right beside, of whom nothing does."""
    document = f"{document} {role}"
    beside = {"sure": {"unsure": 1.0}, "unsure": {"sure": 1.0}}
    others = Around(beside, beside, {"sure": frozenset(), "unsure": frozenset()})
    known: list[tuple[str, dict[str, float]]] = [("sure", {f"cue {role} before 2": 1.0}), ("unsure", {})]
    return [Person(document, True, shown, role, 0, 1, False, key, others) for key, shown in known]


def person(document: str, predicates: dict[str, float], role: str) -> Person:
    return Person(document, False, predicates, role, 0, 1)


OTHERS = [person(d, {"behind else": 1.0}, r) for d, r in zip("defg", ["judge", PRIVATE] * 2, strict=True)]


def test_the_default_policy_heeds_it_and_the_papers_rules_do_not() -> None:
    assert load_policy("lexum").rules.private == 0.16
    assert load_policy("psilence").rules.private == 0
