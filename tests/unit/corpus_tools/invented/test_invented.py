"""Invented rulings: the same every time, marked truly, and each unlike the others."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher
from itertools import combinations

import pytest

from aef.corpus_tools import invented
from aef.corpus_tools.document import Document
from aef.corpus_tools.handwritten import ROLES
from aef.corpus_tools.invented import names, prose
from aef.corpus_tools.invented.expand import RAISED, choose, expand, raise_capitals
from aef.corpus_tools.invented.people import HIDDEN
from aef.errors import InputError

SHARED_SHINGLES = 0.12
"""No two rulings share more of their runs of eight words."""

LIKE = 0.7
"""What a misspelt name has in common with its own, at least (difflib's ratio)."""


@pytest.fixture(scope="module")
def fifty() -> list[Document]:
    return invented.rulings(50, 3)


def folded(text: str) -> str:
    plain = unicodedata.normalize("NFD", text.replace("’", "'"))
    return "".join(c for c in plain if not unicodedata.combining(c)).casefold()


def is_name_of(surface: str, name: str) -> bool:
    """Whether every word of the surface is a word of the name, an initial of one, or one misspelt."""
    words = re.findall(r"\w+", folded(name))
    letters = "".join(word[0] for word in words)
    return all(
        set(part) <= set(letters)
        if len(part) < 3
        else any(SequenceMatcher(None, part, word).ratio() >= LIKE for word in words)
        for part in re.findall(r"\w+", folded(surface))
    )


def test_the_same_seed_gives_the_same_rulings_and_another_one_others() -> None:
    first = [(d.doc_id, d.text, d.mentions) for d in invented.rulings(4, 9)]
    assert first == [(d.doc_id, d.text, d.mentions) for d in invented.rulings(4, 9)]
    assert all(a[1] != b.text for a, b in zip(first, invented.rulings(4, 10), strict=True))


def test_more_rulings_begin_with_the_same_ones() -> None:
    assert [d.text for d in invented.rulings(3, 2)] == [d.text for d in invented.rulings(6, 2)[:3]]


def test_a_style_can_be_asked_for_and_all_styles_come_in_turn() -> None:
    assert {d.meta["style"] for d in invented.rulings(2, 1, "ireland")} == {"ireland"}
    assert [d.meta["style"] for d in invented.rulings(len(invented.STYLES))] == list(invented.STYLES)


@pytest.mark.parametrize(("number", "style"), [(-1, None), (1, "atlantis")])
def test_what_cannot_be_invented_is_an_error_that_names_the_styles(number: int, style: str | None) -> None:
    with pytest.raises(InputError, match="scotland"):
        invented.rulings(number, style=style)


def test_no_mark_or_slot_is_left(fifty: list[Document]) -> None:
    assert not [d.doc_id for d in fifty if re.search(r"[{}⟨⟩¦\x01]|~~|\^\^", d.text)]


def test_every_length_is_in_bounds(fifty: list[Document]) -> None:
    assert all(600 <= len(d.text.split()) <= 1500 for d in fifty)


def test_every_role_occurs_and_says_who_is_hidden(fifty: list[Document]) -> None:
    persons = [m for d in fifty for m in d.mentions if m.entity_type == "PERSON"]
    assert {m.extra["role"] for m in persons} == set(ROLES)
    assert all(m.masked == (m.extra["role"] in HIDDEN) for m in persons)


def test_things_to_hide_occur(fifty: list[Document]) -> None:
    assert {m.entity_type for d in fifty for m in d.mentions} == {"PERSON", "ORG", "LOC", "DATETIME", "CODE"}


def test_mentions_are_names_of_their_person(fifty: list[Document]) -> None:
    """All but few: nicknames and names borne before marriage are other words."""
    persons = [(d.cut(m), m.extra["name"]) for d in fifty for m in d.mentions if m.entity_type == "PERSON"]
    other = [pair for pair in persons if not is_name_of(*pair)]
    assert len(other) < 0.06 * len(persons), other[:20]


def test_titles_and_possessives_stand_outside(fifty: list[Document]) -> None:
    surfaces = [d.cut(m) for d in fifty for m in d.mentions if m.entity_type == "PERSON"]
    assert not [s for s in surfaces if re.match(r"(Mr|Mrs|Ms|Dr|Smt|Shri)\b", s) or re.search(r"['’]s$", s)]


def test_mentions_do_not_overlap(fifty: list[Document]) -> None:
    for d in fifty:
        assert all(a.end <= b.start for a, b in zip(d.mentions, d.mentions[1:], strict=False))


def test_no_two_rulings_are_alike(fifty: list[Document]) -> None:
    def shingles(document: Document) -> set[str]:
        words = document.text.lower().split()
        return {" ".join(words[i : i + 8]) for i in range(len(words) - 7)}

    sets = [shingles(d) for d in fifty]
    assert max(len(a & b) / min(len(a), len(b)) for a, b in combinations(sets, 2)) < SHARED_SHINGLES


def test_there_is_enough_to_tell() -> None:
    kinds = [
        template
        for kind in (*prose.kinds(), prose.general())
        for stage in kind.paragraphs.values()
        for template in stage
    ]
    assert all(set(kind.paragraphs) == set(prose.STAGES) for kind in (*prose.kinds(), prose.general()))
    sentences = sum(len(re.findall(r"[.?!](?=[ |\]\"]|$)", template)) for template in kinds)
    assert sentences + len(prose.listed("frames")) + len(prose.listed("dry")) > 900
    assert len(names.origins()) >= 40


@pytest.mark.parametrize("name", ["heads", "inserts", "signs"])
def test_layouts_are_distinct(name: str) -> None:
    assert len(set(prose.blocks(name))) == len(prose.blocks(name)) > 12


def test_templates_choose_then_fill_from_left_to_right() -> None:
    class First:
        def choice(self, entries: list[str]) -> str:
            return entries[0]

    seen: list[str] = []
    assert expand("[a [{b}|c]|d] {e}", First(), lambda slot: seen.append(slot) or slot.upper()) == "a B E"  # type: ignore[arg-type,func-returns-value]
    assert seen == ["b", "e"]
    assert choose("[|x]", First()) == ""  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "raised"),
    [
        ("\x01the mother left", "The mother left"),
        ("He left. \x01she stayed", "He left. She stayed"),
        ("then \x01she stayed", "then she stayed"),
        ('He said "\x01she stayed"', 'He said "She stayed"'),
        ("[1] \x01the court", "[1] The court"),
        ("one\n\n\x01the court", "one\n\nThe court"),
    ],
)
def test_capitals_stand_where_sentences_begin(text: str, raised: str) -> None:
    assert RAISED == "\x01"
    assert raise_capitals(text) == raised
