"""The quick look before a search: it never leaves out what an expression matches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aef.annotators.needed import Read, Strings, Text, fold, read
from aef.annotators.patterns import load, sets

PIECES = {"way": "(?:Street|Road)", "month": "(?i:may|june)"}


def _piece(name: str) -> Read:
    return read(PIECES[name], _piece)


@pytest.mark.parametrize(
    ("expression", "needed", "why"),
    [
        (r"\b(?:Ltd|Limited)\b", [{"\0Ltd\0", "\0Limited\0"}], "one of several, between the edges of words"),
        (r"Ltd\b\.?\d+[ ]\bRd", [{"Ltd\0", "Ltd\0."}, {" \0Rd"}], "an edge behind what comes first, one inside"),
        (r"S(?:chool|eminary)", [{"School", "Seminary"}], "what is written apart is joined"),
        (r"\d+ [ ]%{way}\s+%{month}", [{" Street", " Road"}, {"may", "june"}], "pieces, and a group without case"),
        (r"cards?", [{"card", "cards"}], "what may be left out"),
        (r"(?:card)*\d", [], "what may be missing asks for nothing"),
        (r"card|\d+", [], "an alternative asks for nothing"),
        (r"(?!Street)\p{Lu}\w+(?=[ ]Road)", [{" Road"}], "ahead, not what may not be there"),
        (r"(?<=\bin[ ])\d", [{"\0in "}], "behind"),
        (r"(?(1)Street|Road)", [], "what is not understood"),
        (r"(?i)street", [], "flags for the rest"),
    ],
)
def test_what_must_stand_in_a_match(expression: str, needed: list[set[str]], why: str) -> None:
    assert [set(strings.any_of) for strings in read(expression, _piece).needs()] == needed, why


WORDS = st.text("abé’0_=", min_size=1, max_size=4)


@given(st.lists(WORDS, min_size=2), st.sampled_from(["", " ", "\n  "]), st.sampled_from(["", "?", "+", "{2}"]))
def test_a_choice_of_words_is_read_as_any_other_choice(words: list[str], blank: str, times: str) -> None:
    choice = f"1(?:{f'{blank}|{blank}'.join(words)}){times}[ ]2"
    apart = f"1(?:{'|'.join(f'(?:{word})' for word in words)}){times}[ ]2"
    assert read(choice, _piece) == read(apart, _piece)


@given(st.lists(st.text("aAbB0 ", max_size=6), min_size=1), st.text("aAbB0 ", max_size=12), st.booleans())
def test_some_string_is_found_where_python_finds_one(strings: list[str], text: str, folded: bool) -> None:
    needed = Strings(frozenset(map(fold, strings) if folded else strings), folded)
    there = any(string in (fold(text) if folded else text) for string in needed.any_of)
    assert Text(text).may_match((needed,)) == there


@pytest.mark.parametrize("text", ["BIRTH", "Bİrth", "bırth", "birth"])
def test_case_does_not_count_where_it_does_not_for_the_expression(text: str) -> None:
    assert Text(text).may_match((Strings(frozenset(["Birth"])).without_case(),))
    assert Text(text).may_match((Strings(frozenset(["Birth"])),)) == (text == "Birth")


@pytest.mark.parametrize(
    ("string", "text", "there", "why"),
    [
        ("inc\0", "since", False, "inside of a word"),
        ("inc\0", "since Roe Inc. and zinc", True, "one of several places"),
        ("\0inc", "zinc", False, "the end of a word"),
        ("\0inc\0", "inc", True, "all of the text"),
        ("\0inc", "ézinc, éinc", True, "beside a letter with an accent nothing is supposed"),
        ("\0& Co\0", "Roe & Co", False, "no word begins between a blank and a sign"),
        (" \0Rd", "1 Rd", True, "edges inside are not looked at"),
    ],
)
def test_edges_of_words(string: str, text: str, there: bool, why: str) -> None:
    assert Text(text).may_match((Strings(frozenset([string])).without_case(),)) == there, why


@pytest.mark.parametrize("name", sets())
def test_every_example_of_the_built_in_sets_is_searched(name: str) -> None:
    for pattern in load(name):
        for example in pattern.match:
            text = example.replace("<", "").replace(">", "")
            assert Text(text).may_match(pattern.needs), (pattern.name, text)
