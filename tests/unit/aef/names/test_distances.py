"""Distances of names: by hand, against TextDistance where RapidFuzz computes them, and what all of them promise."""

from __future__ import annotations

import pytest
import textdistance
from hypothesis import given
from hypothesis import strategies as st

from aef.errors import InputError
from aef.names.distances import DISTANCES, OVER, resolve

_PUBLISHED = """overlap jaccard sorensen tversky bag lcsstr lcsseq ratcliff_obershelp levenshtein damerau_levenshtein
    strcmp95 jaro_winkler smith_waterman needleman_wunsch gotoh hamming postfix entropy_ncd"""
PUBLISHED = _PUBLISHED.split()

NAMES = st.lists(
    st.sampled_from(["ann", "bea", "roe", "lee", "j", "maria", "perez", "de"]), min_size=1, max_size=4
).map(" ".join)


def test_those_of_the_paper_and_ours() -> None:
    assert [*DISTANCES] == [*PUBLISHED, "name_parts"]


BY_HAND = [
    ("overlap", "words", "pedro perez", "pedro perez rodriguez", 0.0, "all of the shorter one"),
    ("overlap", "words", "ann roe", "bea roe", 1 / 2, "half of the shorter one"),
    ("jaccard", "words", "pedro perez", "pedro perez rodriguez", 1 / 3, "one of three"),
    ("sorensen", "words", "pedro perez", "pedro perez rodriguez", 1 / 5, "one of five"),
    ("tversky", "words", "pedro perez", "pedro perez rodriguez", 1 / 3, "as Jaccard"),
    ("bag", "words", "pedro perez", "pedro perez rodriguez", 1 / 3, "one too many of three"),
    ("lcsseq", "words", "ann roe", "ann bea roe", 1 / 3, "two of three, with a gap"),
    ("lcsstr", "words", "ann roe", "ann bea roe", 2 / 3, "one of three in a run"),
    ("ratcliff_obershelp", "words", "ann roe", "ann bea roe", 1 / 5, "two runs of one, of five"),
    ("levenshtein", "characters", "mahmood", "mahmoud", 1 / 7, "one of seven letters"),
    ("levenshtein", "words", "ann roe", "roe ann", 1.0, "both words changed"),
    ("damerau_levenshtein", "words", "ann roe", "roe ann", 1 / 2, "one swap"),
    ("damerau_levenshtein", "characters", "roe", "reo", 1 / 3, "one swap"),
    ("hamming", "characters", "roe", "row", 1 / 3, "one of three places"),
    ("postfix", "words", "ann roe", "bea roe", 1 / 2, "the same end"),
    ("jaro_winkler", "characters", "martha", "marhta", 1 - 0.9611111, "Winkler's own example"),
    ("strcmp95", "characters", "martha", "marhta", 1 - 0.9611111, "the same there"),
    ("name_parts", "words", "bill scott", "william scott", 0.1, "a familiar form of the given name, the rest equal"),
    ("name_parts", "words", "scott", "william scott", 0.2, "the surname alone"),
    ("name_parts", "words", "william", "william scott", 0.3, "the given name alone"),
    ("name_parts", "words", "ann roe", "bea roe", 1.0, "another given name"),
]


@pytest.mark.parametrize(
    ("name", "over", "a", "b", "expected", "reason"), BY_HAND, ids=[f"{c[0]}: {c[5]}" for c in BY_HAND]
)
def test_by_hand(name: str, over: str, a: str, b: str, expected: float, reason: str) -> None:
    assert resolve(name, over)(a, b) == pytest.approx(expected, abs=1e-6), reason


@pytest.mark.parametrize("over", OVER)
@pytest.mark.parametrize("name", DISTANCES)
@given(a=NAMES, b=NAMES)
def test_what_every_distance_promises(name: str, over: str, a: str, b: str) -> None:
    between = resolve(name, over)
    assert 0 <= between(a, b) <= 1
    assert between(a, b) == between(b, a)
    assert between(a, a) == 0


BY_RAPIDFUZZ = {
    "lcsseq": textdistance.LCSSeq(external=False),
    "levenshtein": textdistance.Levenshtein(external=False),
    "damerau_levenshtein": textdistance.DamerauLevenshtein(external=False),
    "jaro_winkler": textdistance.JaroWinkler(external=False),
    "hamming": textdistance.Hamming(external=False),
    "postfix": textdistance.Postfix(),
}


@pytest.mark.parametrize("name", BY_RAPIDFUZZ)
@given(a=st.text("abcd ", min_size=1, max_size=8), b=st.text("abcd ", min_size=1, max_size=8))
def test_rapidfuzz_computes_what_textdistance_does(name: str, a: str, b: str) -> None:
    expected = 0.0 if a == b else BY_RAPIDFUZZ[name].normalized_distance(*sorted((a, b)))
    assert resolve(name, "characters")(a, b) == pytest.approx(expected)


def test_a_distance_is_one_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(DISTANCES, "length", lambda a, b: 3.0 * abs(len(a) - len(b)))
    assert resolve("length", "words")("ann roe", "ann bea roe") == 1
    assert resolve("length", "characters")("ann", "bea") == 0


@pytest.mark.parametrize(
    ("name", "over", "message"), [("x", "words", "There are: overlap,"), ("bag", "lines", "'lines'")]
)
def test_unknown_ones(name: str, over: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        resolve(name, over)
