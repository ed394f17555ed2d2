"""Patterns that were slow on texts of one thing over and over find what they found before they were mended."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from aef.context.case_titles import _CITATION
from aef.linking.linker import _AND
from aef.names.person_name import _NUMERAL
from aef.names.titles import _BEFORE

# (as it is, as it was, of what the texts are made)
SAME = [
    (_CITATION, _CITATION.pattern.replace(r"(?<!§)§+", "§+"), "§ 1a\n"),
    (_AND, r"\s+(and|&|et|y|e)\s+", [*" \n&yea", "and", "et"]),
    (_BEFORE, r"(?:[^\W\d_]+\.?\s+){1,3}$", "ab. \n1"),
    (_NUMERAL, r"\s+(?:([IVX]+)|the ([A-Z][a-z]+))$", [*" \nIXa", "the", "Third"]),
]


@pytest.mark.parametrize(("mended", "before", "parts"), SAME, ids=[row[1][:30] for row in SAME])
def test_what_was_mended_finds_what_it_found(mended: re.Pattern[str], before: str, parts: list[str]) -> None:
    slow = re.compile(before, mended.flags)

    @given(st.lists(st.sampled_from(list(parts)), max_size=14).map("".join))
    @example("")
    def same(text: str) -> None:
        assert [m.span() for m in mended.finditer(text)] == [m.span() for m in slow.finditer(text)]
        assert bool(mended.fullmatch(text)) == bool(slow.fullmatch(text))

    same()
