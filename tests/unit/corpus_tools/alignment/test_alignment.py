"""Alignment of an original with its anonymized version: labels, paragraphs, findings, what is no pair, the report."""

from __future__ import annotations

import json
import random
import re
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aef.corpus_tools.alignment.agreement import LEAST_AGREEMENT, agreement
from aef.corpus_tools.alignment.conventions import units
from aef.corpus_tools.alignment.findings import (
    INCONSISTENT,
    KINDS,
    MISSED,
    REWORDED,
    TWO_LABELS,
    TWO_PERSONS,
    UNPAIRED,
    Finding,
    may_be_one,
)
from aef.corpus_tools.alignment.report import report_html, report_json, totals
from aef.corpus_tools.alignment.run import Alignment, align
from aef.corpus_tools.alignment.token_alignment import KEPT, Sort, align_units
from aef.corpus_tools.document import Document
from aef.errors import InputError

ROOT = Path(__file__).resolve().parents[4]
REGRESSION = [json.loads(line) for line in (ROOT / "tests/regression/alignment.jsonl").read_text("utf-8").splitlines()]

RULING = (
    "The parties are the parents of William Millar, who lives with his mother.",
    "Ms. Green was represented by Ms. Bond at the trial, and Mr. Millar represented himself.",
    "The house stands on a hill above the lake. It was bought with the savings of both parties.",
    "Mr. Millar works as a carpenter. Ms. Green has not worked since the child was born.",
    "The court finds that joint custody is in the best interest of the child.",
    "Support is payable on the first day of each month, beginning with the month after this order.",
)
PUBLISHED = (
    "The parties are the parents of W.M., who lives with his mother.",
    "Ms. J.L.G. was represented by Ms. Bond at the trial, and Mr. D.W.M. represented himself.",
    "The house stands on a hill above the lake. It was bought with the savings of both parties.",
    "Mr. D.W.M. works as a carpenter. Ms. J.L.G. has not worked since the child was born.",
    "The court finds that joint custody is in the best interest of the child.",
    "Support is payable on the first day of each month, beginning with the month after this order.",
)
NAMES = ["William Millar", "Green", "Millar", "Millar", "Green"]


def pair(original: str | tuple[str, ...], anonymized: str | tuple[str, ...], fix_missed: bool = False) -> Alignment:
    here, there = ("\n\n".join([t] if isinstance(t, str) else t) for t in (original, anonymized))
    return align(Document.from_text(here, "original"), Document.from_text(there, "published"), fix_missed)


def hidden(alignment: Alignment) -> list[str]:
    return [alignment.document.cut(m) for m in alignment.document.mentions]


def findings(alignment: Alignment, kind: str) -> list[Finding]:
    return [f for f in alignment.findings if f.kind == kind]


# --- what is hidden -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", REGRESSION, ids=[case["reason"] for case in REGRESSION])
def test_labelled_cases(case: dict[str, str]) -> None:
    alignment = pair(case["original"], case["anonymized"])
    found = [[alignment.document.cut(m), m.extra["replacement"], m.entity_type] for m in alignment.document.mentions]
    assert found == case["hidden"]
    assert not findings(alignment, MISSED)


def test_mentions_are_masked_and_grouped_by_label() -> None:
    mentions = pair(RULING, PUBLISHED).document.mentions
    assert [m.entity_id for m in mentions] == ["W.M.", "J.L.G.", "D.W.M.", "D.W.M.", "J.L.G."]
    assert all(m.identifier_type == "DIRECT" and m.masked for m in mentions)


def test_deletion_throughout() -> None:
    published = tuple(re.sub("William Millar|Millar|Green", "", p) for p in RULING)
    alignment = pair(RULING, published)
    assert hidden(alignment) == NAMES
    assert {m.extra["replacement"] for m in alignment.document.mentions} == {""}


def test_where_names_are_deleted_so_are_phrases_that_leave_a_hole() -> None:
    original = "Mr. Green worked as a flower merchant in Nelson. Mr. Green met Anna Moss in Trail and hardly ever left."
    published = "Mr. worked as a in . Mr. met in and left."
    assert hidden(pair(original, published)) == ["Green", "flower merchant", "Nelson", "Green", "Anna Moss", "Trail"]


def test_a_name_that_gave_way_to_other_words_is_hidden_where_it_is_hidden_elsewhere() -> None:
    published = (*PUBLISHED[:3], PUBLISHED[3].replace("Ms. J.L.G. has", "The woman has"), *PUBLISHED[4:])
    assert hidden(pair(RULING, published)) == NAMES


def test_labels_that_meet_in_one_token_make_one_mention() -> None:
    alignment = pair(
        "She was born on 12/03/2000 in the old hospital.", "She was born on **/**/2000 in the old hospital."
    )
    assert [(alignment.document.cut(m), m.extra["replacement"]) for m in alignment.document.mentions] == [
        ("12/03/2000", "** **")
    ]


def test_what_is_no_token_is_no_mention() -> None:
    alignment = pair(
        "[12] The court has said so before and says so again.", "[...] The court has said so before and says so again."
    )
    assert hidden(alignment) == []


# --- paragraphs -----------------------------------------------------------------------------------------------------

CHANGES = [
    ([0, 1, 2, 3, 4, 5], "nothing changed"),
    ([0, 1, 3, 4, 5], "a paragraph deleted"),
    ([0, 1, 2, 3, "Published with leave of the registrar.", 4, 5], "a paragraph inserted"),
    ([0, 2, 1, 3, 4, 5], "a paragraph moved a little"),
    ([3, 0, 1, 2, 4, 5], "a paragraph moved to the front"),
    ([0, 1, "Much has been left out here by us.", 3, 4, 5], "a paragraph exchanged"),
]


@pytest.mark.parametrize(("order", "reason"), CHANGES, ids=[r for _, r in CHANGES])
def test_paragraphs_find_their_partners(order: list[int | str], reason: str) -> None:
    alignment = pair(RULING, tuple(PUBLISHED[n] if isinstance(n, int) else n for n in order))
    assert hidden(alignment) == NAMES, reason
    got = {(p.original, p.anonymized) for p in alignment.pairs}
    assert got == {((n,), (place,)) for place, n in enumerate(order) if isinstance(n, int)}, reason
    alone = {f.text for f in findings(alignment, UNPAIRED)}
    expected = {RULING[n] for n in range(6) if n not in order} | {n for n in order if isinstance(n, str)}
    assert alone == expected, reason


@pytest.mark.parametrize(
    ("original", "published", "reason"),
    [
        (RULING, (PUBLISHED[0], f"{PUBLISHED[1]} {PUBLISHED[2]}", *PUBLISHED[3:]), "two paragraphs joined"),
        ((RULING[0], f"{RULING[1]} {RULING[2]}", *RULING[3:]), PUBLISHED, "one paragraph split"),
    ],
)
def test_split_and_joined_paragraphs(original: tuple[str, ...], published: tuple[str, ...], reason: str) -> None:
    alignment = pair(original, published)
    assert hidden(alignment) == NAMES, reason
    assert not findings(alignment, UNPAIRED), reason


def test_a_paragraph_of_labels_alone() -> None:
    alignment = pair((RULING[0], "Thomas Millar", *RULING[1:]), (PUBLISHED[0], "T.M.", *PUBLISHED[1:]))
    assert "Thomas Millar" in hidden(alignment)


def test_one_block_of_a_whole_ruling() -> None:
    alignment = pair(" ".join(RULING * 20), " ".join(PUBLISHED * 20))
    assert hidden(alignment) == NAMES * 20


def test_reworded_paragraphs_keep_their_partners_and_are_reported() -> None:
    changed = PUBLISHED[2].replace("stands on", "sits upon").replace("bought", "purchased")
    alignment = pair(RULING, (*PUBLISHED[:2], changed, *PUBLISHED[3:]))
    assert hidden(alignment) == NAMES
    assert [f.text for f in findings(alignment, REWORDED)] == ["stands on → sits upon", "bought → purchased"]


# --- findings -------------------------------------------------------------------------------------------------------

MORE = "Ms. Green sold the green house on Green Street to her sister, who has let it since that day."
MISSES = [
    (MORE, MORE.replace("Ms. Green", "Ms. J.L.G."), [], "a colour and a street are not the person"),
    (MORE, MORE, ["Green"], "a name after a title"),
    ("Her friend said that Millar drank.", "Her friend said that Millar drank.", ["Millar"], "a surname alone"),
    ("He is called Millar's boy by all.", "He is called Millar's boy by all.", ["Millar"], "a possessive"),
    ("THE CLAIM OF MR. MILLAR", "THE CLAIM OF MR. MILLAR", ["MILLAR"], "in capitals"),
    ("In Ross v. Millar (1990) it was so held.", "In Ross v. Millar (1990) it was so held.", [], "a cited case"),
    ("Anna Millar-Ray came to see the boy.", "Anna Millar-Ray came to see the boy.", [], "part of another name"),
    ("William told her what he had seen.", "William told her what he had seen.", ["William"], "a given name alone"),
    ("William Millar is ten years old.", "William Millar is ten years old.", ["William Millar"], "the full name once"),
    ("Nothing was said about the mother.", "Nothing was said about the mother.", [], "no name at all"),
]


@pytest.mark.parametrize(("original", "published", "missed", "reason"), MISSES, ids=[r for *_, r in MISSES])
def test_missed_names(original: str, published: str, missed: list[str], reason: str) -> None:
    alignment = pair((*RULING, original), (*PUBLISHED, published))
    found = findings(alignment, MISSED)
    assert [p.text for f in found for p in f.places] == missed, reason
    for place in (p for f in found for p in f.places):
        assert alignment.document.text[place.start : place.end] == place.text
        assert (place.side, place.paragraph) == ("original", 7)
        assert place.counterpart is not None and place.counterpart.paragraph == 7


def test_a_missed_name_says_what_to_put() -> None:
    (found,) = findings(pair((*RULING, MORE), (*PUBLISHED, MORE)), MISSED)
    assert (found.text, found.suggestion) == ("Green", "Replace it by J.L.G., as elsewhere")


def test_a_name_in_an_inserted_paragraph_is_missed_on_that_side() -> None:
    (found,) = findings(pair(RULING, (*PUBLISHED, "Note: Mr. Millar has since died.")), MISSED)
    assert [(p.side, p.paragraph, p.text) for p in found.places] == [("anonymized", 7, "Millar")]


def test_missed_names_stay_unlabelled_unless_asked_for() -> None:
    original, published = (*RULING, MORE), (*PUBLISHED, MORE)
    assert hidden(pair(original, published)) == NAMES
    last = pair(original, published, fix_missed=True).document.mentions[-1]
    assert last.start == "\n\n".join(original).rindex("Ms. Green") + 4
    assert dict(last.extra) == {"missed": True, "replacement": "J.L.G."}
    assert (last.entity_type, last.entity_id, last.identifier_type) == ("PERSON", "J.L.G.", "DIRECT")


def test_single_words_of_an_address_or_a_company_are_not_missed() -> None:
    original = (
        "He lives at 12 Keith Street in the north of the town with his dog.",
        "The office is on Water Street, and the Bank of Nelson is on Baker Street near the court.",
        "He worked for Indian River Bank until it closed for good. The river is near the office.",
    )
    published = (
        original[0].replace("12 Keith Street", "[...]"),
        original[1],
        original[2].replace("Indian River", "I.[...]"),
    )
    assert not findings(pair(original, published), MISSED)


def test_a_word_that_mostly_stays_is_inconsistent_not_missed() -> None:
    line = "The train to Nelson leaves at noon on every day of the week but one."
    original = ("She was born in Nelson and grew up beside the lake there.", *[line] * 4)
    alignment = pair(original, (original[0].replace("Nelson", "[...]"), *[line] * 4))
    assert not findings(alignment, MISSED)
    (found,) = findings(alignment, INCONSISTENT)
    assert found.text == "Nelson"
    assert len(found.places) == 5


def test_one_person_under_two_labels() -> None:
    published = (*PUBLISHED[:3], PUBLISHED[3].replace("J.L.G.", "J.G."), *PUBLISHED[4:])
    (found,) = findings(pair(RULING, published), TWO_LABELS)
    assert "J.L.G. (1)" in found.text and "J.G. (1)" in found.text
    assert [p.text for p in found.places] == ["Green", "Green"]


def test_father_and_son_may_share_a_surname() -> None:
    original = ("David Millar and William Millar were heard in court.", "Millar was late. Then Millar spoke at length.")
    published = ("D.M. and W.M. were heard in court.", "D.M. was late. Then W.M. spoke at length.")
    alignment = pair(original, published)
    assert not findings(alignment, TWO_LABELS)
    assert not findings(alignment, TWO_PERSONS)


def test_two_persons_under_one_label() -> None:
    more = "Wanda Moss, a teacher, has known William since he was a baby."
    alignment = pair((*RULING, more), (*PUBLISHED, more.replace("Wanda Moss", "W.M.").replace("William", "W.M.")))
    (found,) = findings(alignment, TWO_PERSONS)
    assert found.text == "W.M.: Wanda Moss / William Millar"
    assert {p.text for p in found.places} == {"Wanda Moss", "William Millar"}


PERSONS = [
    ("Millar", "William Millar", True, "a surname of a full name"),
    ("William", "William Millar", True, "a given name of a full name"),
    ("W. Millar", "William Millar", True, "an initial of a given name"),
    ("M.Z. Sokolov", "Mirko Zoran Sokolov", True, "initials written together"),
    ("MacDonald", "Macdonald", True, "capitals inside"),
    ("Sokolow", "Sokolov", True, "a slip of spelling"),
    ("William Millar", "Wanda Moss", False, "nothing in common"),
    ("Jane Millar", "William Millar", False, "a surname only"),
    ("Juan", "Pedro", False, "two given names"),
]


@pytest.mark.parametrize(("one", "two", "same", "reason"), PERSONS, ids=[r for *_, r in PERSONS])
def test_names_that_may_be_one_persons(one: str, two: str, same: bool, reason: str) -> None:
    assert may_be_one(tuple(one.split()), tuple(two.split())) is same, reason
    assert may_be_one(tuple(two.split()), tuple(one.split())) is same, reason


def test_given_name_and_surname_may_be_one_person_under_initials_that_have_both() -> None:
    assert may_be_one(("William",), ("Millar",), "W.M.")
    assert not may_be_one(("Moss",), ("Millar",), "W.M.")


# --- pairs that are none --------------------------------------------------------------------------------------------


def test_what_is_no_pair_says_how_little_matches() -> None:
    with pytest.raises(InputError, match=r"only 0% of the paragraphs of original have a partner in published"):
        pair(RULING, ("An invoice for twelve chairs.", "It is payable at once.", "No discount can be given."))


def test_the_same_form_with_other_names_is_no_pair() -> None:
    other = tuple(p.replace("William Millar", "Peter Hall").replace("Millar", "Hall") for p in RULING)
    others = tuple(p.replace("Green", "Ray").replace("Bond", "Lund") for p in other)
    with pytest.raises(InputError, match="names and numbers are others"):
        pair(RULING, others)


@pytest.mark.parametrize(("kept", "reason"), [(RULING[:2], "an excerpt"), (RULING, "the same text")])
def test_excerpts_and_copies_are_pairs(kept: tuple[str, ...], reason: str) -> None:
    documents = (Document.from_text("\n\n".join(t)) for t in (RULING, kept))
    assert agreement(*documents).score >= LEAST_AGREEMENT, reason


@pytest.mark.parametrize("texts", [("", "x"), ("x", ""), ("", ""), ("***", "***")])
def test_nothing_to_compare_is_no_pair(texts: tuple[str, str]) -> None:
    with pytest.raises(InputError):
        pair(*texts)


# --- properties -----------------------------------------------------------------------------------------------------

WORDS = st.sampled_from(
    ["the", "court", "Green", "Millar", "Mr.", "[...]", "W.M.", "****", "AA", "1990", "and", "(a)", "…"]
)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=12).map(" ".join), min_size=1, max_size=6).map("\n\n".join)


@given(TEXTS)
def test_a_ruling_against_itself_has_nothing_hidden_and_nothing_to_report(text: str) -> None:
    text = f"The court has read what the parties say in full.\n\n{text}"
    alignment = align(Document.from_text(text), Document.from_text(text))
    assert alignment.document.mentions == ()
    assert alignment.findings == ()
    assert alignment.counts["paragraphs"] == alignment.counts["paragraphs_paired"]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.booleans())
def test_mentions_are_whole_tokens_of_the_original_apart_from_each_other(seed: int, fix_missed: bool) -> None:
    original, published = _scribbled(random.Random(seed))
    alignment = align(original, published, fix_missed)
    tokens, mentions = original.tokens, alignment.document.mentions
    starts, ends = set(tokens.starts.tolist()), set(tokens.ends.tolist())
    assert alignment.document.text == original.text
    assert alignment.document.blocks == original.blocks
    assert all(m.start in starts and m.end in ends and m.start < m.end for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))
    for f in alignment.findings:
        assert f.kind in KINDS and f.places
        for p in f.places:
            side = original if p.side == "original" else published
            assert side.text[p.start : p.end] == p.text
            block = side.blocks[p.paragraph - 1]
            assert block.start <= p.start <= p.end <= block.end


def _scribbled(rng: random.Random) -> tuple[Document, Document]:
    """A ruling and a version an editor went over at random."""
    labels = ["[...]", "W.M.", "****", "AA", "", "WITNESS_1", "O.[...]", "12/**/2000", "somebody", "X"]
    original = [p.replace("carpenter", "carpenter/joiner (since 12/03/1999)") for p in RULING]
    published = []
    for paragraph in original:
        words = [rng.choice(labels) if rng.random() < 0.12 else w for w in paragraph.split(" ")]
        published.append(" ".join(words))
    if rng.random() < 0.5:
        published.insert(rng.randrange(7), "Mr. Millar was here, says a note that was added.")
    if rng.random() < 0.5:
        del published[rng.randrange(len(published))]
    return Document.from_text("\n\n".join(original)), Document.from_text("\n\n".join(published))


@given(st.lists(WORDS, max_size=40), st.lists(WORDS, max_size=40))
def test_the_steps_cover_both_sides_in_order_and_keep_only_equals(here: list[str], there: list[str]) -> None:
    one, two = units(" ".join(here)), units(" ".join(there))
    steps = align_units(one, [Sort.LOWER] * len(one), two)
    assert [i for s in steps for i in range(s.o_start, s.o_end)] == list(range(len(one)))
    assert [j for s in steps for j in range(s.a_start, s.a_end)] == list(range(len(two)))
    for s in (s for s in steps if s.kind == KEPT):
        assert [u.key for u in one[s.o_start : s.o_end]] == [u.key for u in two[s.a_start : s.a_end]]


# --- the report -----------------------------------------------------------------------------------------------------


def reported() -> Alignment:
    original = (*RULING, MORE, "A <b>bold</b> remark & more was cut.")
    published = (
        *PUBLISHED[:4],
        PUBLISHED[4].replace("joint", "shared"),
        PUBLISHED[5],
        MORE,
        "Added by <us> for clarity.",
    )
    return pair(original, published)


def test_the_json_report_is_json_and_complete() -> None:
    alignment = reported()
    record = json.loads(json.dumps(report_json([alignment])))
    assert record["totals"]["pairs"] == 1
    assert record["totals"]["findings"][MISSED] == 1
    (ruling,) = record["rulings"]
    assert ruling["doc_id"] == "original"
    assert len(ruling["findings"]) == len(alignment.findings)
    assert {r["label"]: r["count"] for r in ruling["replacements"]} == {"D.W.M.": 2, "J.L.G.": 2, "W.M.": 1}
    assert sum(r["count"] for r in ruling["replacements"]) == len(alignment.document.mentions)


def test_the_page_is_self_contained_and_escaped() -> None:
    page = report_html([reported()])
    assert "<b>bold</b>" not in page and "&lt;b&gt;bold&lt;/b&gt;" in page
    assert "Added by <us>" not in page
    assert not re.search(r"(?:src|href)\s*=\s*[\"'](?!#)", page), "no file or address is needed"
    assert "<script" not in page
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', page)
    assert policy is not None and policy[1].split("; ")[0] == "default-src 'none'", "nothing is loaded, nothing runs"
    for sign in ('<mark class="hidden" title="→ J.L.G.">Green</mark>', '<mark class="missed"', "shared"):
        assert sign in page


def test_the_page_of_several_rulings_has_an_overview() -> None:
    alignments = [reported(), pair(RULING, PUBLISHED)]
    page = report_html(alignments)
    assert "Alignment of 2 rulings" in page
    assert page.count('<section id="r') == 2
    assert totals(alignments)["tokens"] == sum(len(a.document.words) for a in alignments)


# --- real judgments -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("convention", ["initials, O.[...], [...]", "AA, BB", "plain deletion"])
def test_pairs_made_from_real_judgments(data: Path, convention: str) -> None:
    experiment = pytest.importorskip("aef.experiments.alignment")
    documents = experiment.judgments(data / "tab_en")[::8]
    score = experiment.measure(documents, experiment.CONVENTIONS[convention], seed=3)
    assert score.f1 >= 0.985
    assert score.reported >= 0.9 * score.missed
