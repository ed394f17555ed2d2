"""Correction rules and unification: examples of the built-in rules, one type for one name, nothing left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from aef.annotators.correction import Rule, correct, load_rules, rule_sets
from aef.annotators.unification import unify
from aef.corpus_tools.document import Document, Mention
from aef.errors import InputError

RULES = [rule for name in rule_sets() for rule in load_rules(name)]

ONE = """
[[rule]]
name = "ours"
do = "cut-start"
find = 'old\\s+'
change = ["<old Ana> left -> old <Ana> left"]
keep = ["<Ana> left"]
"""

BAD = [
    (ONE.replace("cut-start", "cut"), "do is 'cut'. There are: cut-start, cut-end, grow-start", "an unknown deed"),
    (ONE.replace("keep = [", "keep = [] #"), "has no example", "no example"),
    (ONE.replace("<old Ana> left ->", "old Ana left ->"), "marks no mention", "no mention in an example"),
    (ONE.replace(" -> ", " > "), "marks no mention|has no ' -> '", "no arrow in an example"),
    (ONE.replace("cut-start", "retype"), "'to' is missing", "no type to give"),
    ("", "holds no rule", "an empty file"),
]


@pytest.mark.parametrize("rule", RULES, ids=[rule.name for rule in RULES])
def test_examples_come_out_as_they_say(rule: Rule) -> None:
    assert list(rule.failures()) == []


@pytest.mark.parametrize(("content", "message", "reason"), BAD, ids=[c[2] for c in BAD])
def test_what_is_wrong_in_a_file_is_named(tmp_path: Path, content: str, message: str, reason: str) -> None:
    path = tmp_path / "ours.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=rf"ours\.toml.*(?:{message})") as error:
        load_rules(path)
    assert reason and error.type is InputError


def deed(tmp_path: Path, do: str, change: str, keep: str, **more: str) -> Rule:
    path = tmp_path / f"{do}.toml"
    settings = "".join(f"{key} = '{value}'\n" for key, value in more.items())
    path.write_text(f"[[rule]]\nname = 'r'\ndo = '{do}'\n{settings}change = ['{change}']\nkeep = ['{keep}']\n")
    return load_rules(path)[0]


DEEDS = [
    ("cut-start", {"find": "the\\s+"}, "<the Ana> left -> the <Ana> left", "<Ana> left"),
    ("cut-end", {"find": "\\s+left"}, "<Ana left> then -> <Ana> left then", "<Ana> left"),
    ("grow-start", {"find": "Dr\\s+"}, "Dr <Ana> left -> <Dr Ana> left", "the <Ana> left"),
    ("grow-end", {"find": "\\s+Pop"}, "<Ana> Pop left -> <Ana Pop> left", "<Ana> Rus left"),
    ("drop", {"find": "Court"}, "the <Court> sat -> the Court sat", "the <Courtney> sat"),
    ("drop", {"before": "the\\s+"}, "the <Crown> sat -> the Crown sat", "in <Crown> sat"),
    ("drop", {"find": "May", "behind": "\\s+\\d"}, "<May> 12 -> May 12", "<May> left"),
    ("retype", {"find": "Cluj", "to": "LOC"}, "in <Cluj> -> in <Cluj>", "in <Clujana>"),
]


@pytest.mark.parametrize(("do", "more", "change", "keep"), DEEDS, ids=[f"{d[0]}-{i}" for i, d in enumerate(DEEDS)])
def test_what_rules_can_do(tmp_path: Path, do: str, more: dict[str, str], change: str, keep: str) -> None:
    assert list(deed(tmp_path, do, change, keep, **more).failures()) == []


@pytest.mark.parametrize(("do", "more", "change", "keep"), DEEDS, ids=[f"{d[0]}-{i}" for i, d in enumerate(DEEDS)])
def test_an_example_that_does_not_come_out_is_told(
    tmp_path: Path, do: str, more: dict[str, str], change: str, keep: str
) -> None:
    swapped = f"{keep} -> {keep.replace('<', '').replace('>', '')}"
    assert len(list(deed(tmp_path, do, swapped, change.partition(" -> ")[0], **more).failures())) == 2


def test_only_types_and_annotators_that_a_rule_names(tmp_path: Path) -> None:
    rule = deed(tmp_path, "drop", "<Ana> -> Ana", "<Dan>", find="Ana", types="PERSON", by="list")
    found = [Mention(0, 3, kind, extra={"by": [by]}) for kind, by in [("PERSON", "list"), ("LOC", "list")]]
    found.append(Mention(0, 3, "PERSON", extra={"by": ["model"]}))
    left = correct(Document.from_text("Ana left", mentions=found), [rule])
    assert [(m.entity_type, m.extra["by"]) for m in left.mentions] == [("LOC", ["list"]), ("PERSON", ["model"])]


def unified(text: str, tagged: list[tuple[str, str, float]], language: str = "en", words: bool = True) -> list[str]:
    """Mentions as "text:type" after unification; each of the phrases is tagged where it first stands."""
    found = [Mention(text.index(p), text.index(p) + len(p), kind, probability=q) for p, kind, q in tagged]
    document = unify(Document.from_text(text, mentions=found).in_language(language), words=words)
    return [f"{document.cut(m)}:{m.entity_type}" for m in document.mentions]


UNIFIED = [
    ("Ana Pop met POP ANA.", [("Ana Pop", "PERSON", 0.9)], ["Ana Pop:PERSON", "POP ANA:PERSON"], "another order"),
    (
        "Rus left. Near Rus they met. Again Rus",
        [("Rus left", "LOC", 0.2)],
        ["Rus left:LOC"],
        "a mention of two words is no other of one",
    ),
    (
        "Cluj Pop, POP CLUJ",
        [("Cluj Pop", "LOC", 0.4), ("POP CLUJ", "PERSON", 0.9)],
        ["Cluj Pop:PERSON", "POP CLUJ:PERSON"],
        "the more probable type",
    ),
    ("Ana Pop left. Pop came.", [("Ana Pop", "PERSON", 0.9)], ["Ana Pop:PERSON", "Pop:PERSON"], "a surname alone"),
    ("Anna Hope left. Hope came, she hoped; hope", [("Anna Hope", "PERSON", 0.9)], ["Anna Hope:PERSON"], "a word, too"),
    ("AB-1 and AB-1", [("AB-1", "CODE", 0.9)], ["AB-1:CODE"], "codes are no names"),
]


@pytest.mark.parametrize(("text", "tagged", "expected", "reason"), UNIFIED, ids=[c[3] for c in UNIFIED])
def test_unification(text: str, tagged: list[tuple[str, str, float]], expected: list[str], reason: str) -> None:
    assert unified(text, tagged) == expected, reason


def test_case_endings_are_the_same_name() -> None:
    text = "Ioana Pop a venit. Cererea Ioanei Pop a fost admisă."
    assert unified(text, [("Ioana Pop", "PERSON", 0.9)], "ro") == ["Ioana Pop:PERSON", "Ioanei Pop:PERSON"]
    assert unified(text, [("Ioanei Pop", "PERSON", 0.9)], "ro") == ["Ioana Pop:PERSON", "Ioanei Pop:PERSON"]


def test_single_words_only_where_they_are_asked_for() -> None:
    assert unified("Ana Pop left. Pop came.", [("Ana Pop", "PERSON", 0.9)], words=False) == ["Ana Pop:PERSON"]


def test_unification_twice_changes_nothing_more() -> None:
    document = Document.from_text("Ana Pop met POP ANA. Pop left.", mentions=[Mention(0, 7, "PERSON", probability=0.9)])
    once = unify(document)
    assert [(m.start, m.end) for m in unify(once).mentions] == [(m.start, m.end) for m in once.mentions]
