"""What a rule is worth: its patterns find nothing in a process of their own, and what it adds is counted right."""

from __future__ import annotations

import multiprocessing
import re
from collections import Counter
from typing import Any, NamedTuple

import pytest

from aef.experiments import rules
from aef.names import suffixes

ONE, OTHER = re.compile(r"(\d)"), re.compile("x")


class Pair(NamedTuple):
    first: re.Pattern[str]
    name: str


@pytest.mark.parametrize(
    ("value", "found"),
    [(ONE, 1), ((ONE, OTHER), 2), ({"a": [ONE]}, 1), (Pair(ONE, "one"), 1), ("text", 0), (3, 0)],
    ids=["a pattern", "in a tuple", "in a list of a table", "in a named tuple", "none in a text", "or a number"],
)
def test_patterns_are_found_in_what_holds_them(value: Any, found: int) -> None:
    assert len(rules._patterns(value)) == found
    silent = rules._silenced(value, frozenset([id(ONE)]))
    assert type(silent) is (rules.Silent if value is ONE else type(value))
    assert [p for p in rules._patterns(silent) if isinstance(p, re.Pattern) and p is ONE] == []


def test_a_silent_pattern_leaves_every_text_as_it_is() -> None:
    silent: Any = rules.Silent(ONE)
    assert (silent.search("1"), silent.match("1"), silent.fullmatch("1")) == (None, None, None)
    assert (silent.findall("1"), list(silent.finditer("1")), silent.sub("", "1"), silent.split("1")) == (
        [],
        [],
        "1",
        ["1"],
    )
    assert (silent.pattern, silent.groups) == (ONE.pattern, 1)


def test_groups_are_modules_or_single_patterns_of_the_rooms_that_decide() -> None:
    whole, single = rules.groups(each=False), rules.groups(each=True)
    assert set(whole) == {name.split(": ")[0] for name in single}
    assert sum(map(len, whole.values())) == len(frozenset().union(*single.values()))
    assert {name.split("/")[0] for name in whole} <= set(rules.ROOMS)


def _silenced_suffixes(_: int) -> list[str]:
    rules.silence(rules.groups(each=False)["names/suffixes.py"])
    return [type(pattern).__name__ for value in vars(suffixes).values() for pattern in rules._patterns(value)]


def test_all_of_a_module_is_silent_in_the_process_that_asked_for_it_alone() -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        (there,) = pool.map(_silenced_suffixes, [0])
    assert there and set(there) == {"Silent"}
    assert "Silent" not in {type(value).__name__ for value in vars(suffixes).values()}


def test_a_row_is_what_the_rule_adds() -> None:
    full = Counter({"people hidden": 10, "wrong": 3, "written: found with one": 5})
    left = Counter({"people hidden": 8, "wrong": 4, "written: found with one": 5})
    assert rules.row("names/x.py", 2, full, left) == ["names/x.py", 2, 2, 0, -1, 0, 0, 0]
    assert rules.row("names/x.py", 2, full, None)[2:] == ["needed"] * 6
