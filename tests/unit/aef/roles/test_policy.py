"""Policies: the ready ones, files of one's own, what is wrong with them, and the decision they make."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.corpus_tools.rulings.readers import read
from aef.errors import InputError
from aef.linking.linker import CANDIDATES, MEMBERS
from aef.reports.psilence import TYPE_OF, as_psilence, psilence_type
from aef.roles.classifier import OFFICIAL, PRIVATE, ROLES, THINGS, UNNAMED, Role, Rules
from aef.roles.metadata import known
from aef.roles.policy import (
    ACTIONS,
    ASK,
    HIDE,
    KEEP,
    SHOW,
    asked,
    decide,
    decisions,
    decisions_of,
    load_policy,
    policies,
)

HOUSES = [
    ("lexum", PRIVATE, OFFICIAL),
    ("uruguay", PRIVATE, OFFICIAL),
    ("all", (*PRIVATE, *OFFICIAL), ("initials", "nobody")),
    # what remains is a witness, and the paper knows neither children nor officials
    ("psilence", ("child", "relative", "witness", "official"), ("party", "judge", "counsel", "expert", "author")),
]


@pytest.mark.parametrize(("name", "hidden", "shown"), HOUSES, ids=[case[0] for case in HOUSES])
def test_whom_the_ready_policies_hide(name: str, hidden: tuple[str, ...], shown: tuple[str, ...]) -> None:
    policy = load_policy(name)
    assert {policy.action(role) for role in hidden} == {HIDE}
    assert {policy.action(role) for role in shown} <= {SHOW}
    assert policy.description and set(policy.roles) == set(ROLES) and set(policy.types) == set(THINGS)


def test_there_are_four_ready_policies() -> None:
    assert policies() == ["all", "lexum", "psilence", "uruguay"]


def test_the_papers_rules_are_the_default_and_psilences() -> None:
    assert Rules().deciding == ("party",) and Rules().non_person == 0.3 and Rules().otherwise == "witness"
    assert load_policy("psilence").rules == replace(Rules(), outvoted=OFFICIAL)


def own(tmp_path: Path, text: str) -> Path:
    (tmp_path / "own.toml").write_text(text)
    return tmp_path / "own.toml"


def test_a_file_changes_what_it_says_and_no_more(tmp_path: Path) -> None:
    text = 'extends = "lexum"\n[roles]\nexpert = "ask"\n[types]\ndate = "hide"\n[reconcile]\nnon_person = 0.5\n'
    policy, lexum = load_policy(own(tmp_path, text)), load_policy("lexum")
    assert policy.roles == {**lexum.roles, "expert": ASK} and policy.types == {**lexum.types, "date": HIDE}
    assert policy.rules == replace(lexum.rules, non_person=0.5)
    assert (policy.name, policy.description) == ("own", lexum.description)


def test_a_file_that_says_nothing_hides_persons_and_keeps_the_rest(tmp_path: Path) -> None:
    policy = load_policy(own(tmp_path, "# nothing\n"))
    assert {policy.action(role) for role in (*PRIVATE, *OFFICIAL)} == {HIDE}
    assert {policy.action(role) for role in UNNAMED} == {SHOW} and {policy.action(thing) for thing in THINGS} == {KEEP}
    assert policy.rules == Rules()


WRONG = [
    (
        '[roles]\nparty = "hide"\njugde = "show"',
        r"own\.toml, line 3: unknown key 'jugde' in \[roles\]\. There are: party",
    ),
    (
        '[roles]\n"tribunal member" = "hid"',
        r"line 2: 'tribunal member' in \[roles\] is 'hid'\. Write hide, show, ask, keep or named",
    ),
    ("[types]\n\ndate = true", r"line 3: 'date' in \[types\] is True"),
    ("[rolls]", r"line 1: unknown key 'rolls'\. There are: description, extends, \[roles\]"),
    ('roles = "hide"', r"line 1: 'roles' is no table\. Begin it with the line \[roles\]"),
    ('extends = "lexus"', r"line 1: 'extends' is 'lexus'\. The ready policies are all, lexum"),
    ("[roles\n", r"own\.toml: is no valid TOML: .*line 1"),
    ("[reconcile]\nnon_person = 30", r"line 2: 'non_person' in \[reconcile\] is 30\. Write a number from 0 to 1"),
    ("[reconcile]\nsimilar = true", r"line 2: 'similar' in \[reconcile\] is True"),
    ('[reconcile]\ndeciding = "party"', r"line 2: 'deciding' .* Write a list of roles"),
    ('[reconcile]\ndeciding = ["part"]', r"Write a list of roles: party"),
    ("[reconcile]\ndeciding = [[1]]", r"Write a list of roles"),
    ("[reconcile]\noutvoted = 1", r"line 2: 'outvoted' .* Write a list of roles"),
    ('[reconcile]\notherwise = "anybody"', r"'otherwise' in \[reconcile\] is 'anybody'"),
    ("[reconcile]\nmodel = 1", r"line 2: 'model' in \[reconcile\] is 1\. Write the name of a file"),
    ("[reconcile]\nother = 1", r"line 2: unknown key 'other' in \[reconcile\]"),
]


@pytest.mark.parametrize(("text", "message"), WRONG, ids=[case[0] for case in WRONG])
def test_what_is_wrong_is_named_with_key_and_line(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        load_policy(own(tmp_path, text))


def test_an_unknown_policy_is_answered_with_those_there_are() -> None:
    with pytest.raises(InputError, match=r"unknown policy 'lexus'\. There are: all, lexum, psilence, uruguay"):
        load_policy("lexus")


# --- the decision ---------------------------------------------------------------------------------------------------

TEXT = "Her mother, Ann Roe, born on May 2, 1980, saw the expert, Dr. Lee Hart, and Judge Rose in Keremeos. Ann left."
NAMES = {
    "Ann Roe": ("PERSON", "a"),
    "May 2, 1980": ("DATETIME", "d"),
    "Lee Hart": ("PERSON", "h"),
    "Rose": ("PERSON", "j"),
    "Keremeos": ("LOC", "l"),
}


def linked(*more: Mention) -> Document:
    mentions = [
        Mention(TEXT.index(name), TEXT.index(name) + len(name), kind, "QUASI", key)
        for name, (kind, key) in NAMES.items()
    ]
    return Document.from_text(TEXT, mentions=[*mentions, *more])


def marks(document: Document) -> dict[str, str | None]:
    return {document.cut(m): m.identifier_type for m in document.mentions}


def test_what_lexum_does_with_a_ruling() -> None:
    decided = decide(linked(), load_policy("lexum"))
    assert marks(decided) == {
        "Ann Roe": "DIRECT",
        "May 2, 1980": "QUASI",
        "Lee Hart": "NO_MASK",
        "Rose": "NO_MASK",
        "Keremeos": "QUASI",  # as it came
    }
    assert {m.entity_id: (m.extra["role"], m.extra["decision"]) for m in decided.mentions} == {
        "a": ("relative", HIDE),
        "d": ("birth date", HIDE),
        "h": ("expert", SHOW),
        "j": ("judge", SHOW),
        "l": ("location", KEEP),
    }
    assert decided.mentions[0].extra["evidence"][0] == "relative: 'mother' (noun at 4)"
    assert decided.mentions[0].extra["evidence"][1].startswith("relative: 'probability ")


def test_all_hides_all_and_metadata_are_heard() -> None:
    assert set(marks(decide(linked(), load_policy("all"))).values()) <= {"DIRECT", "QUASI"}
    shown = decide(linked(), load_policy("lexum"), known({"officials": ["Ann Roe"], "parties": ["Lee Hart"]}))
    assert marks(shown)["Ann Roe"] == "NO_MASK" and marks(shown)["Lee Hart"] == "DIRECT"


def test_whoever_is_asked_about_is_hidden_and_listed(tmp_path: Path) -> None:
    decided = decide(linked(), load_policy(own(tmp_path, 'extends = "lexum"\n[roles]\nexpert = "ask"\n')))
    assert [decided.cut(m) for m in asked(decided)] == ["Lee Hart"] and marks(decided)["Lee Hart"] == "DIRECT"


SEVERAL = [
    (CANDIDATES, ["a", "j"], ASK, "one is hidden, one shown"),
    (CANDIDATES, ["h", "j"], SHOW, "all are shown"),
    (MEMBERS, ["a", "j"], ASK, "a mention of both"),
    (CANDIDATES, ["a", "a"], HIDE, "all are hidden"),
    (CANDIDATES, ["gone"], HIDE, "a candidate that is gone: a person of whom nothing is told"),
]


@pytest.mark.parametrize(("key", "people", "action", "reason"), SEVERAL, ids=[case[3] for case in SEVERAL])
def test_a_name_of_several_people(key: str, people: list[str], action: str, reason: str) -> None:
    last = TEXT.rindex("Ann")
    document = linked(Mention(last, last + 3, "PERSON", entity_id="x", extra={key: people}))
    found = {d.role.entity_id: d.action for d in decisions(document, load_policy("lexum"))}
    assert found["x"] == action, reason
    assert found["a"] == HIDE and set(found.values()) <= set(ACTIONS)


NAMED = [
    ("Roe & Sons Ltd", HIDE, "a firm with the name of somebody hidden"),
    ("Roe’s Bakery", HIDE, "with the name in the possessive"),
    ("Rose Bakery", SHOW, "with the name of somebody who stays"),
    ("Barrow Ltd", SHOW, "with nobody's"),
]


@pytest.mark.parametrize(("firm", "action", "reason"), NAMED, ids=[case[2] for case in NAMED])
def test_a_firm_is_hidden_for_the_names_in_it(firm: str, action: str, reason: str) -> None:
    text = f"{TEXT} She works for {firm}."
    document = linked()
    mentions = [*document.mentions, Mention(text.index(firm), text.index(firm) + len(firm), "ORG", "QUASI", "o")]
    found = {d.role.entity_id: d.action for d in decisions(Document.from_text(text, mentions=mentions), LEXUM)}
    assert found["o"] == action, reason


LEXUM = load_policy("lexum")


# --- PSILENCE's JSON ------------------------------------------------------------------------------------------------


def test_psilences_json() -> None:
    last = TEXT.rindex("Ann")
    found = as_psilence(linked(Mention(last, last + 3, "PERSON", entity_id="a")))
    assert found == {
        "clusters": {
            "WITNESS": [{"Ann_Roe": [[12, 19]], "Ann": [[last, last + 3]]}],
            "MISCELLANEOUS": [{"May_2,_1980": [[29, 40]]}],
            "EXPERT": [{"Lee_Hart": [[TEXT.index("Lee"), TEXT.index("Lee") + 8]]}],
            "JUDGE": [{"Rose": [[TEXT.index("Rose"), TEXT.index("Rose") + 4]]}],
            "LOCATION": [{"Keremeos": [[TEXT.index("Kere"), TEXT.index("Kere") + 8]]}],
        }
    }


def test_every_role_has_one_of_psilences_types() -> None:
    types = {psilence_type(role) for role in (*ROLES, *THINGS)}
    assert types == {*TYPE_OF.values()} and len(types) == 12  # the paper's twelve, WITNESS in the place of PERSON


ADDRESSES = [
    ("COURT\n12 High Street\n\nAnn Roe, 7 Elm Road\n", {"12 High Street"}, "the court's stays, a party's goes"),
    ("COURT\n12 High Street\n\n7 Elm Road\n", {"12 High Street"}, "one that stands in the body, too, goes"),
    ("Ann Roe, Claimant\n\nQuire Solicitors of 4 Ash Row", {"4 Ash Row"}, "her solicitors' stays"),
    ("COURT\n\nAnn Roe, Claimant, by Quire Ltd, Unit 4 Ash Row\n", {"4 Ash Row"}, "a company's stays"),
    ("COURT\n\nAnn Roe, of 4 Ash Row\n", set(), "hers goes"),
]
PROSE = "Since the spring of that year she had lived quietly with her two sons at 7 Elm Road, and before at 9 Oak Lane"


@pytest.mark.parametrize(("head", "shown", "reason"), ADDRESSES, ids=[r for *_, r in ADDRESSES])
def test_addresses_of_the_head_that_follow_nobody_hidden_stay(
    head: str, shown: set[str], reason: str, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text(f"{head}\n1. {PROSE}, as they all told the court in so many words.\n")
    document = read(tmp_path / "a.txt")
    things = [("Ann Roe", "PERSON"), ("12 High Street", "LOC"), ("7 Elm Road", "LOC"), ("9 Oak Lane", "LOC")]
    things.append(("4 Ash Row", "LOC"))
    found = [
        Mention(place.start(), place.end(), kind, "DIRECT", name)
        for name, kind in things
        for place in re.finditer(name, document.text)
    ]
    decided = decide(document.with_mentions(sorted(found, key=lambda m: m.start)), load_policy("lexum"))
    assert {document.cut(m) for m in decided.mentions if m.identifier_type == "NO_MASK"} == shown, reason


SURELY, HARDLY = Role("p", "witness", ("Ann Roe",), 1, private=0.9), Role("p", "witness", ("Ann Roe",), 1, private=0.3)
TOLD, INITIALS = Role("p", "witness", ("Ann Roe",), 1), Role("p", "initials", ("Ann Roe",), 1)
BEARERS = [
    (SURELY, HIDE, "of somebody surely private"),
    (HARDLY, SHOW, "of somebody who is hidden to be on the safe side"),
    (TOLD, HIDE, "of somebody whom metadata say to be a witness: no probability"),
]


@pytest.mark.parametrize(("bearer", "action", "reason"), BEARERS, ids=[case[2] for case in BEARERS])
def test_a_firm_is_hidden_for_names_of_the_surely_private(bearer: Role, action: str, reason: str) -> None:
    found = {"p": bearer, "o": Role("o", "organisation", ("Roe & Sons Ltd",), 1)}
    by_id = {d.role.entity_id: d.action for d in decisions_of(Document.from_text("Ann Roe"), found, LEXUM)}
    assert by_id == {"p": HIDE, "o": action}, reason


LIVES = [
    (SURELY, 500, 30_000, HIDE, "a name is near"),
    (SURELY, 2_000, 30_000, SHOW, "in a long ruling that names one person, somewhere else"),
    (SURELY, 2_000, 15_000, HIDE, "a ruling short enough to be about that person"),
    (HARDLY, 500, 30_000, SHOW, "nobody in it is surely private"),
    (INITIALS, 500, 30_000, HIDE, "somebody is under initials already"),
]


@pytest.mark.parametrize(("bearer", "apart", "long", "action", "reason"), LIVES, ids=[case[4] for case in LIVES])
@pytest.mark.parametrize("kind", ["address", "school"])
def test_addresses_and_schools_are_hidden_where_lives_are_told(
    kind: str, bearer: Role, apart: int, long: int, action: str, reason: str
) -> None:
    mentions = [
        Mention(9_000, 9_007, "PERSON", entity_id="p"),
        Mention(9_000 + apart, 9_009 + apart, "LOC", entity_id="a"),
    ]
    found = {"p": bearer, "a": Role("a", kind, ("7 Elm Road",), 1)}
    decided = decisions_of(Document.from_text("x " * (long // 2), mentions=mentions), found, LEXUM)
    assert {d.role.entity_id: d.action for d in decided}["a"] == action, reason


@pytest.mark.parametrize(
    ("behind", "action", "reason"),
    [
        (" (Official Shorthand Writers to the Court)", SHOW, "of those who wrote the judgment down"),
        (f"{' ' * 400}(Official Shorthand Writers to the Court)", HIDE, "far from them"),
        (" was on the tape transcribed by the police.", HIDE, "of somebody whose call was written down"),
    ],
)
def test_the_number_of_who_took_the_record_down_stays(behind: str, action: str, reason: str) -> None:
    text = f"Tel No: 020 7946 0018{behind}"
    document = Document.from_text(text, mentions=[Mention(8, 21, "CODE", "DIRECT", "n")])
    decided = decisions(document, LEXUM)
    assert [HIDE if d.action == KEEP else d.action for d in decided] == [action], reason


@pytest.mark.parametrize(
    ("sentence", "action", "reason"),
    [
        ("He was at Elm Road School. He failed there.", HIDE, "a school of somebody's life"),
        ("See Roe v Elm Road School [1999] UKHL 12. He failed.", SHOW, "a party of a cited case"),
    ],
)
def test_a_school_in_the_name_of_a_cited_case_is_nobodys(sentence: str, action: str, reason: str) -> None:
    text = f"The appellant, Ann Hale, was a pupil. {sentence}"
    school = text.index("Elm")
    mentions = [
        Mention(text.index("Ann"), text.index("Ann") + 8, "PERSON", entity_id="p"),
        Mention(school, school + 15, "ORG", entity_id="s", extra={"class": "SCHOOL"}),
    ]
    decided = decisions(Document.from_text(text, mentions=mentions), LEXUM)
    assert {d.role.entity_id: d.action for d in decided}["s"] == action, reason
