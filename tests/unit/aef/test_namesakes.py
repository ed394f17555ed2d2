"""Who only shares a name with counsel, a judge or an expert is hidden, though a linker has taken them for one."""

from __future__ import annotations

import re

import pytest

from aef.corpus_tools.document import Document, Mention
from aef.namesakes import bearers, namesakes
from aef.policy import SHOW, decide, load_policy
from aef.role_evidence import Evidence

CASES = [
    (
        "For the father <Hope> S.C. The mother, <May Hope>, left.",
        "S.C.",
        ["May Hope"],
        "a given name that counsel lacks",
    ),
    ("For the father <Grace Hope> S.C. Then <Hope> rose.", "S.C.", [], "part of the name that tells the office"),
    (
        "<P. van Berg>, attorney. <Pieter van Berg> came.",
        "attorney",
        ["Pieter van Berg"],
        "an initial tells too little",
    ),
    ("<Pieter van Berg>, attorney. <P. van Berg> came.", "attorney", [], "an initial of the name"),
    ("Ms <Young>, who appears. Ms <I Young> rose.", "who appears", [], "an initial more than the surname"),
    (
        "Ms <Hope> S.C. argued. <May Hope> is the mother. Ms <Hope> left.",
        "S.C.",
        ["May Hope", "Hope"],
        "what could be either",
    ),
    ("Dr. <Neel Perera>, an expert. Dr. <Perrera> said so.", "expert", [], "a letter too many"),
    ("<Rose>, an expert. <Rosa> said so.", "expert", ["Rosa"], "a short name that differs by a letter"),
    ("Before <Walker>, JJ. <June Walker> kept the books.", "JJ", ["June Walker"], "a bench named by surnames"),
]


def parsed(marked: str) -> tuple[Document, list[Mention]]:
    text, mentions, last = "", [], 0
    for match in re.finditer(r"<(.*?)>", marked):
        text += marked[last : match.start()]
        mentions.append(Mention(len(text), len(text) + len(match[1]), "PERSON", entity_id="p1"))
        text += match[1]
        last = match.end()
    text += marked[last:]
    return Document.from_text(text, "made", mentions), mentions


@pytest.mark.parametrize(("marked", "cue", "wanted", "reason"), CASES, ids=[c[-1] for c in CASES])
def test_namesakes_are_told_apart(marked: str, cue: str, wanted: list[str], reason: str) -> None:
    document, mentions = parsed(marked)
    evidence = [Evidence("counsel", cue, "behind", document.text.index(cue))]
    assert [document.cut(m) for m in namesakes(document, mentions, evidence)] == wanted, reason


def test_who_is_told_to_hold_another_office_is_no_namesake() -> None:
    document, mentions = parsed("<Rose>, counsel. Dr <Neel Rose>, an expert. <May Rose> left.")
    counsel, expert = (Evidence(cue, cue, "noun", document.text.index(cue)) for cue in ("counsel", "expert"))
    assert [document.cut(m) for m in namesakes(document, mentions, [counsel], [expert])] == ["May Rose"]


def test_the_name_of_a_cited_case_stays_though_a_witness_bears_it() -> None:
    said = "Mrs <Rose Hunia>, a neighbour, saw it. Mrs <Hunia> and <Rose> spoke."
    document, _ = parsed(f"{said} I was referred to <Rose> v <Rose> [2009] NZSC 46.")
    decided = decide(document, load_policy("lexum"))
    assert [m.extra["decision"] != SHOW for m in decided.mentions] == [True, True, True, False, False]


def test_a_party_stays_hidden_in_the_name_of_another_case() -> None:
    document, _ = parsed("The applicant <Ann Lee> came. I was referred to <Lee> v Orr [2009] NZSC 46.")
    decided = decide(document, load_policy("lexum"))
    assert all(m.extra["decision"] != SHOW for m in decided.mentions)


def test_what_the_metadata_of_the_case_say_holds_for_all() -> None:
    document, mentions = parsed("<Hope> rose. <May Hope> left.")
    assert namesakes(document, mentions, [Evidence("counsel", "Hope", "metadata")]) == []


def test_the_policy_hides_the_namesake_and_shows_the_office() -> None:
    document, _ = parsed("Ms. <Hope> S.C. for the father. <May Josephine Hope> left with Ms. <Hope>'s purse.")
    decided = decide(document, load_policy("lexum"))
    hidden = [m.extra["decision"] != SHOW for m in decided.mentions]
    assert hidden == [False, True, True]
    assert len({m.entity_id for m in decided.mentions}) == 2


def test_namesakes_of_different_names_are_apart() -> None:
    document, mentions = parsed("<Ann Hope> and <Bea Hope> met. <Ann> sang. <Hope> left.")
    groups = [[document.cut(m) for m in group] for group in bearers(document, mentions)]
    assert groups == [["Ann Hope", "Ann"], ["Bea Hope"], ["Hope"]]
