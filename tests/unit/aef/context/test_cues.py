"""What the words around a name tell: a case each, with the reason."""

from __future__ import annotations

import pytest

from aef import lexicons
from aef.context.cues import LIST, PLACES, SUGGESTED, TOLD, cues
from aef.context.evidence import Evidence
from aef.context.surroundings import Surroundings
from aef.corpus_tools.document import HEAD, Block, Document, Mention
from aef.roles.classifier import ROLES
from aef.roles.entity_types import entity_type_of


def evidence(text: str, language: str = "en", head: bool = False) -> list[list[Evidence]]:
    """The evidence of each name in braces."""
    places, plain = [], ""
    for i, piece in enumerate(text.replace("}", "{").split("{")):
        if i % 2:
            places.append(Mention(len(plain), len(plain) + len(piece), "PERSON"))
        plain += piece
    document = Document.from_text(plain)
    if head:
        document = Document(plain, blocks=(Block(0, len(plain), HEAD),))
    found = Surroundings(document.in_language(language), places).evidence
    return [found[m.start, m.end] for m in places]


def told(text: str, language: str = "en", head: bool = False) -> set[str]:
    """The roles that are told, not only suggested, of the first name."""
    return {e.role for e in evidence(text, language, head)[0] if e.weight >= TOLD}


IN_BODY = [
    ("Madam Justice {Long} heard it.", "judge", "a judge's title right before"),
    ("The Honourable Madam Justice {Long} heard it.", "judge", "a title that tells goes before one that suggests"),
    ("MR JUSTICE {CASE}", "judge", "capitals"),
    ("As {Denham} J. held, it must be clear.", "judge", "J. behind"),
    ("By {SHERIFF T G URQUHART} it is held.", "official", "an office that the mention begins with"),
    ("BEFORE THE HON. JUSTICE (MRS.) {O. COLE}", "judge", "a title in brackets"),
    ("An old lady, Mrs. {Price}, saw it.", None, "no Lady"),
    ("the boys' team led by {Hale} won", None, "who leads others"),
    ("{Ann Roe}, leading the way, came in.", None, "who leads the way"),
    ("as Lord {Carloway} has it", None, "a judge's title that may be a peer's"),
    ("{Kremer}, who has been a burns surgeon for years, agreed.", "expert", "what somebody has been"),
    ("the protection officer, Smti {Dipali Terang}, had filed it", "official", "an officer, and a title"),
    ("{Moylan} LJ said so.", "judge", "LJ behind"),
    ("by Smt. {Goyal}, the then learned Additional District Judge, Jalandhar.", "judge", "an apposition's last noun"),
    ("I heard {Orla Meadows} S.C. on this.", "counsel", "letters behind"),
    ("{Hope Villanueva}, Legal Aid of the Coast, for Respondent.", "counsel", "acts, an apposition between"),
    ("{A. Roe}, represented by Mr. Lee", None, "the one who is represented"),
    ("He was represented by Mr. {Lee}.", "counsel", "the one who represents"),
    ("a report of the psychologist, Dr. {Rose},", "expert", "a noun before"),
    ("Dr. {Wanda Grant}, a registered psychologist, prepared it.", "expert", "a noun behind"),
    ("Dr. {Wei Zhang}, child and adolescent psychiatrist, found none.", "expert", "the last noun, not 'child'"),
    ("The expert on value was Ms {Ní Dhomhnaill} FCA.", "expert", "a noun and a verb before"),
    ("Cst. {Will Boudreau} was called.", "official", "a rank"),
    (
        "The long-term worker, {Hélène d'Entremont}, was asked about the father.",
        "official",
        "not what she was asked of",
    ),
    ("{Mary Ott}, an estate agent, saw it.", None, "an agent, not an officer"),
    ("His wife, {Kamal}, sat there.", "relative", "kinship before"),
    ("Mr. Sandhu's mother, {Harjit Kaur Sandhu}, came.", "relative", "kinship behind another's name"),
    ("{June Chester}, appellant's wife, brought a pie.", "relative", "the last noun, not 'appellant'"),
    ("their daughter {Asha}, in the fourth standard", "child", "a child"),
    ("The Appellant, {Dale Chester}, appeals.", "party", "a party's word"),
    ("lodged by an Austrian national, Dr {Heidemarie Roe}.", "party", "an applicant in Strasbourg"),
    ("{Gordon} v. Goertz, [1996] 2 S.C.R. 27, left this open.", "cited", "first name of a case with a citation"),
    ("Gordon v. {Goertz}, [1996] 2 S.C.R. 27, left this open.", "cited", "second name"),
    ("Re {B} (Children) [2008] UKHL 35", "cited", "Re, with a citation"),
    ("In re Marriage of {Nadkarni} (2009) 173 Cal.App.4th 1483", "cited", "an American one"),
    ("{Neulinger} and Shuruk v. Switzerland [GC], no. 41615/07, § 136", "cited", "Strasbourg's"),
    ("the textbook by {Hathaway}, The Law of Refugee Status (2nd ed., 2014).", "author", "a book behind"),
    ("a passage from {Modi} was read", "author", "a work before"),
    ("{Walker} Street is long.", None, "nothing is told"),
    ("{Ann Roe}, Mary Roe (2004) and Tom Roe (2006) live there.", None, "years of birth are no book's"),
    ("a meeting between {Ann Roe} and Lee", None, "'between' is of parties in capitals only"),
    ("He moved for the applicant, Mr. {Roe}, to leave.", None, "of whom 'applicant' is said is not clear"),
    ("She spoke to her counsel. {Karepour} saw neither.", None, "a sentence ends between"),
]


@pytest.mark.parametrize(("text", "role", "reason"), IN_BODY, ids=[case[2] for case in IN_BODY])
def test_what_is_told_in_the_body(text: str, role: str | None, reason: str) -> None:
    body = f"He came here in the summer of that year and said what he had to say about all this. {text}"
    found = told(body)
    assert found == ({role} if role else set()), reason


def test_the_rulings_own_name_is_of_a_party_with_its_citation() -> None:
    prose = "and the court heard what he had to say about all this in the summer of that year, " * 6
    assert told(f"R v {{Quill}} [2031] NSWCCA 11 (28 April 2031) {prose}.\n{prose}") == {"party"}


IN_HEAD = [
    ("BETWEEN\n\n{ZBIGNIEW ROE}\n\nAPPLICANT", "party", "between, and the role in the next paragraph"),
    ("{HARPREET KAUR}            ...RESPONDENT", "party", "the role in the next column"),
    ("{Walker} v. Sandhu, 2013 BCSC 1482", "party", "the style of cause is this case's, citation or not"),
    ("IN THE MATTER OF {ZOFIA ROE}", "party", "in the matter of"),
    ("{PANDURANG} S/O KISAN ROE\nAge : 38", "party", "an Indian party's descent"),
]


@pytest.mark.parametrize(("text", "role", "reason"), IN_HEAD, ids=[case[2] for case in IN_HEAD])
def test_what_is_told_in_the_head(text: str, role: str, reason: str) -> None:
    assert told(text, head=True) == {role}, reason


ELSEWHERE = [
    ("es", "La jueza Dra. {Ana Pérez} dictó sentencia.", "judge"),
    ("es", "El letrado Sr. {Juan Ruiz}, en representación del demandante, alegó.", "counsel"),
    ("es", "su madre, {Rosa Díaz}, declaró", "relative"),
    ("es", "la testigo {Marta Sosa} dijo", "witness"),
    ("fr", "représenté par Me {Paul Roy}, avocat au barreau de Lyon", "counsel"),
    ("fr", "Mme la juge {Claire Bon} a rendu", "judge"),
    ("fr", "sa mère, {Anne Petit}, a déclaré", "relative"),
    ("fr", "Le requérant, M. {Jean Blanc}, est né en 1950", "party"),
]


@pytest.mark.parametrize(("language", "text", "role"), ELSEWHERE, ids=[case[1] for case in ELSEWHERE])
def test_what_is_told_in_other_languages(language: str, text: str, role: str) -> None:
    assert told(text, language) == {role}


def test_a_title_of_learning_only_suggests_an_expert() -> None:
    (found,) = evidence("Nothing more is known of it here, and Dr. {Ann Roe} said so in the hearing of the case.")
    assert [(e.role, e.weight) for e in found] == [("expert", SUGGESTED)]


def test_evidence_says_which_cue_and_where() -> None:
    text = "and Madam Justice {Long} heard it on the day that had been set for it by all of those concerned."
    (found,) = evidence(text)
    assert str(found[0]) == "judge: 'Madam Justice' (before at 4)"


@pytest.mark.parametrize("language", [code for code in lexicons.languages() if LIST in lexicons.load_all(code)])
def test_the_lists_are_well_formed(language: str) -> None:
    known = {*ROLES, "person", "law firm", "birth date", "address"}
    for line in lexicons.load(LIST, language):
        role, place, words = line.split(" | ")
        assert role in known and place.rstrip("?") in PLACES and all(words.split(", ")), line
    assert {"before", "noun", "versus", "firm", "address", "born"} <= set(cues(language))


THINGS = [
    ("She was born on {May 2, 2009}.", "DATETIME", "birth date"),
    ("They married on {May 2, 2009}.", "DATETIME", "date"),
    ("Date of birth: {2 June}", "DATETIME", "birth date"),
    ("They live at {2217 Rose Hip Lane}.", "LOC", "address"),
    ("They live in {Keremeos}.", "LOC", "location"),
    ("instructed by {Rose & Hope LLP}", "ORG", "law firm"),
    ("She worked for {Orchard Dental}.", "ORG", "organisation"),
    ("File {F32}", "CODE", "code"),
    ("{blue}", "COLOUR", "miscellaneous"),
]


@pytest.mark.parametrize(("text", "kind", "wanted"), THINGS, ids=[case[0] for case in THINGS])
def test_types_of_things(text: str, kind: str, wanted: str) -> None:
    start, end = text.index("{"), text.index("}") - 1
    document = Document.from_text(text.replace("{", "").replace("}", ""))
    assert entity_type_of(document, Mention(start, end, kind), kind) == wanted
