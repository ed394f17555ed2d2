"""Jr. and Sr. behind a name, and what only looks like them."""

from __future__ import annotations

import pytest

from aef.names.person_name import parse
from aef.names.suffixes import hidden_to, told

BEHIND = [
    ("John Roe| Jr. left", "jr", " Jr.", "a blank before it"),
    ("John Roe|, Jr., left", "jr", ", Jr.", "a comma"),
    ("John Roe| jr left", "jr", " jr", "small, without a period"),
    ("JOHN ROE| SNR., LEFT", "sr", " SNR.", "in capitals"),
    ("John Roe| Jnr", "jr", " Jnr", "the last word"),
    ("John Roe\n|Sr., left", "sr", "Sr.", "on the next line"),
    ("John Roe|\nSr., left", "sr", "\nSr.", "the line's end behind the name"),
    ("John Roe|\n\nSr., left", "", "", "another paragraph"),
    ("John Roe|Jr. left", "", "", "nothing between"),
    ("John Roe| junior left", "jr", "", "in full it tells, and gives nobody away"),
    ("John Roe| Senior, a farmer", "sr", "", "with a capital"),
    ("John Roe|, senior, left", "sr", "", "in full between commas"),
    ("Ann Roe|, senior counsel, rose", "", "", "an office"),
    ("Ann Roe|, Senior Counsel", "", "", "an office in capitals"),
    ("Ann Roe| senior counsel for the Crown", "", "", "an office without a comma"),
    ("Ann Roe| Junior Counsel", "", "", "the other one"),
    ("Ann Roe|, senior nurse at", "", "", "behind a comma whatever follows"),
    ("Ann Roe|\nSenior Associate", "", "", "on a line of its own"),
    ("Juan Roe|, Sr. Lum", "", "", "the title of the next one tells nothing of this one"),
    ("Ann Roe| srta", "", "", "the beginning of another word"),
    ("Ann Roe|, seniority", "", "", "or of this one"),
]


@pytest.mark.parametrize(("marked", "which", "hidden", "reason"), BEHIND, ids=[c[-1] for c in BEHIND])
def test_behind_a_name(marked: str, which: str, hidden: str, reason: str) -> None:
    text, end = marked.replace("|", ""), marked.index("|")
    assert told(text, end) == which, reason
    assert text[end : hidden_to(text, end)] == hidden, reason


def test_senior_counsel_is_told_apart_from_nobody() -> None:
    assert parse("Ann Roe, senior counsel", 0, 7).suffix == ""
