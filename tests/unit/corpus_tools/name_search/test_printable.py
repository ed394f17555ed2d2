"""What is read of binary data is what two plain patterns find, however large or empty it is."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from aef.corpus_tools.name_search.hidden_names import printable

PIECES = (b"A", b"b\0", b"Zoe\0", b" ", b"~", b"\x1f", b"\x7f", b"\0", b"\xff", b"\0" * 33, b"\xff" * 17)


def plain(data: bytes) -> list[bytes]:
    """The runs of ASCII, and behind them those of UTF-16."""
    wide = re.findall(rb"(?:[\x20-\x7e]\0){5,}", data)
    return re.findall(rb"[\x20-\x7e]{5,}", data) + [run[::2] for run in wide]


@given(st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join))
def test_no_run_is_missed_for_the_shortcuts_of_large_drawings(data: bytes) -> None:
    assert printable(data) == "\n".join(run.decode("ascii") for run in plain(data))
