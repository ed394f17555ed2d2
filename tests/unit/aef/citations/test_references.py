"""Cited cases and references, read from the text alone."""

from __future__ import annotations

import time

import pytest

from aef.citations.references import inside, named_cases, references
from aef.corpus_tools.document import Document

HEAD = "IN THE HIGH COURT\nZORAN QUILL v TESSA BRAMBLE\nJudgment\n"
PROSE = (
    "1. The claimant asks the court to set aside what the district judge ordered in the spring of last year, and the "
    "defendant resists that for reasons which she gave at some length in writing and again in her evidence to me.\n"
)
START = HEAD + PROSE


def cases(sentence: str) -> list[str]:
    text = START + sentence
    return [text[low:high] for low, high in named_cases(Document.from_text(text))[0] if low >= len(START)]


# (text, what the ruling itself is called, reason)
OWN_NAMES = [
    (START, ["ZORAN QUILL v TESSA BRAMBLE"], "in the head"),
    (f"R v Quill [2031] NSWCCA 11\n{HEAD}{PROSE}", ["R v Quill", "ZORAN QUILL v TESSA BRAMBLE"], "with its citation"),
    (f"{START}As in Quill v Bramble [2004] NSWSC 1.", ["ZORAN QUILL v TESSA BRAMBLE"], "not in the body"),
]


@pytest.mark.parametrize(("text", "names", "reason"), OWN_NAMES, ids=[case[2] for case in OWN_NAMES])
def test_what_the_ruling_itself_is_called(text: str, names: list[str], reason: str) -> None:
    assert [text[low:high] for low, high in named_cases(Document.from_text(text))[1]] == names, reason


NAMES = [
    ("as in Marlow v Tindle [2010] EWCA Civ 715.", ["Marlow v Tindle"], "a neutral citation"),
    ("See Marlow v. Tindle, 101 N.M. 129 (1984).", ["Marlow v. Tindle"], "a signal before, a report behind"),
    ("MARLOW V TINDLE [2010] EWCA Civ 715.", ["MARLOW V TINDLE"], "names in capitals"),
    ("relied on *Marlow v Tindle* [2010] EWCA Civ 715.", ["Marlow v Tindle"], "italics of a text"),
    ("People vs. Tindle, et al., G.R. No. 12345, was followed.", ["People vs. Tindle, et al."], "and others"),
    ("in Marlow v State of Keral AIR 1963 SC 1.", ["Marlow v State of Keral"], "an Indian report"),
    ("Tindle v. the United Kingdom, no. 1234/56, is in point.", ["Tindle v. the United Kingdom"], "an application"),
    ("in R (on the application of Tindle) v Parole Board [2014] AC 15.", None, "brackets of a judicial review"),
    ("in R (Tindle) (No 2) v HM Coroner for Hull and Goole [2004] 1 WLR 9.", None, "two brackets, two places"),
    ("in Ex parte Tindle [1990] 2 QB 13.", ["Ex parte Tindle"], "an application"),
    (
        "the court in R v Goole Coroner, Ex p Tindle [1982] QB 13.",
        ["R v Goole Coroner, Ex p Tindle"],
        "ex parte inside",
    ),
    ("as Marlow Shipping Co. Ltd and others v Tindle & Sons Inc. [1999] 1 WLR 13 shows.", None, "companies"),
    ("see Marlow v Tindle; Orme v Pask [1990] AC 3.", ["Marlow v Tindle", "Orme v Pask"], "two cases"),
    ("Marlow v Tindle and Orme v Pask were cited.", ["Marlow v Tindle", "Orme v Pask"], "two cases, joined"),
    ("said Jolly J in Marlow v Tindle Lord Jolly agreed.", ["Marlow v Tindle"], "a title ends a name"),
    ("in R v Tindle Costs Judge Jolly said no.", ["R v Tindle"], "an office ends a name"),
    ("see Tindle Motors [2018] UKUT 401 (AAC).", ["Tindle Motors"], "a name that only its report tells"),
    ("In Marlow v Tindle12 it was held so.", ["Marlow v Tindle"], "the number of a note"),
]


@pytest.mark.parametrize(("sentence", "expected", "reason"), NAMES, ids=[reason for *_, reason in NAMES])
def test_the_names_of_cases(sentence: str, expected: list[str] | None, reason: str) -> None:
    found = cases(sentence)
    assert (found == expected) if expected else (len(found) == 1 and " v " in found[0] and found[0] in sentence)


def test_long_names_are_whole() -> None:
    name = "R (on the application of Tindle) v Secretary of State for Work and Pensions"
    assert cases(f"It was so held in {name} [2014] EWCA Civ 15 at [3].") == [name]


NO_CASES = [
    ("In Quill v Bramble [2019] EWHC 3 (Ch) I had refused it.", "the ruling's own title"),
    ("QUILL v BRAMBLE", "the heading of a page"),
    ("The judge heard Marlow and Tindle on 3 May 2010.", "witnesses and a date"),
    ("Renan V. Tindle filed a complaint.", "an initial"),
    ("Ann Tindle, Petitioner, versus Marlow", "a caption"),
    ("Re Tindle: your letter", "a heading of a letter"),
    ("the London Plan (2016), Policy D1, says so.", "a year in round brackets and no volume"),
    ("Mr Tindle and Ms Marlow gave evidence.", "titles"),
]


@pytest.mark.parametrize(("sentence", "reason"), NO_CASES, ids=[reason for _, reason in NO_CASES])
def test_what_is_no_cited_case(sentence: str, reason: str) -> None:
    assert cases(sentence) == []


CITED = "In Marlow v Tindle [2010] EWCA Civ 715 it was so. "
SHORT = [
    ("As Pask LJ said in Marlow at [23], no.", ["Marlow"], "a paragraph behind"),
    ("In Marlow it was held. But Marlow does not help.", ["Marlow", "Marlow"], "told once, it stands alone"),
    ("He met Marlow in the street.", [], "told nowhere"),
    ("In Marlow it was held. Mr Marlow gave evidence. Marlow left early.", ["Marlow"], "a witness of this ruling"),
    ("In Marlow it was held. Ann Marlow came. Marlow left early.", ["Marlow"], "a given name stands before it"),
    ("In Quill at [23] it was held.", [], "a party of this ruling"),
]


@pytest.mark.parametrize(("sentence", "expected", "reason"), SHORT, ids=[reason for *_, reason in SHORT])
def test_the_short_forms(sentence: str, expected: list[str], reason: str) -> None:
    assert cases(CITED + sentence) == ["Marlow v Tindle", *expected]


def test_a_short_form_that_is_given_with_the_case() -> None:
    given = "In Marlow v Tindle [2010] EWCA Civ 715 (“the Ocean Lark”) it was so. The Ocean Lark binds me."
    assert cases(given) == ["Marlow v Tindle", "Ocean Lark", "Ocean Lark"]


def test_the_title_of_the_ruling_with_its_own_report() -> None:
    text = f"Quill v. Bramble, 101 N.M. 129 (1984)\n{PROSE}Quill sued Bramble. Orme v. Pask, 7 P.2d 8 (1990), helps.\n"
    assert [text[low:high] for low, high in named_cases(Document.from_text(text))[0]] == ["Orme v. Pask"]


REFERENCES = [
    ("under section 12 of the Children Act 1989 he", ["section 12", "Children Act 1989"], "a section of an act"),
    ("see CPR 31.16 and", ["CPR 31.16"], "a rule of procedure"),
    ("his rights under Article 8 ECHR are", ["Article 8 ECHR"], "a convention by its letters"),
    ("the Mental Capacity Act 2005 applies", ["Mental Capacity Act 2005"], "a year"),
    ("the Trade Marks Act says", ["Trade Marks Act"], "no year"),
    ("the Order of the judge", [], "an order that is no law"),
    ("the Fostering Services Regulations 2011 say", ["Fostering Services Regulations 2011"], "regulations"),
    ("in [2010] EWCA Civ 715 and", ["[2010] EWCA Civ 715"], "a neutral citation"),
    ("in 129 N.M. 632, 11 P.3d 596 it", ["129 N.M. 632", "11 P.3d 596"], "two reports"),
    ("under 42 U.S.C. § 1983 he", ["42 U.S.C. § 1983"], "a section of a code"),
]


@pytest.mark.parametrize(("text", "expected", "reason"), REFERENCES, ids=[reason for *_, reason in REFERENCES])
def test_references(text: str, expected: list[str], reason: str) -> None:
    assert [text[low:high] for low, high in references(Document.from_text(text))] == expected


def test_inside_is_inside_whole() -> None:
    holds = inside([(10, 20), (4, 8), (20, 25)])
    assert holds(10, 20) and holds(12, 24) and holds(4, 5)
    assert not holds(3, 5) and not holds(7, 11) and not holds(24, 26)


HOSTILE = [
    "R. v. ",
    "Roe v Lum ",
    "\n",
    "(",
    "[ ",
    " )",
    "Re ",
    "v\n",
    "Xyz",
    "A1 v B1 (“A",
    "(2010) 1 A ",
    "1 A. ",
    "A, ",
]


@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear(unit: str) -> None:
    def seconds(length: int) -> float:
        document = Document.from_text(unit * (length // len(unit)))
        start = time.process_time()
        named_cases(document)
        references(document)
        return time.process_time() - start

    seconds(1_000)
    short, long = seconds(50_000), seconds(200_000)
    assert long < 10 * short + 0.5, "four times the text"
