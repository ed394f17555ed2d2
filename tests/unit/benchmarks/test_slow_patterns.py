"""The benchmark of patterns tells those apart that take longer than the text grows."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from aef.benchmarks.patterns import Found, is_slow, named

SLOW = [
    (r"\d+th", "1", False, True, "begins anew at each digit"),
    (r"(?<!\d)\d++th", "1", False, False, "begins once"),
    (r"\d+th", "1", True, False, "is asked for at the beginning alone"),
    (r"\s+$", " ", False, True, "blanks before no end"),
    (r"[a-z]", "1", False, False, "one sign at a time"),
]


@pytest.mark.parametrize(("pattern", "unit", "at_start", "slow", "reason"), SLOW, ids=[row[-1] for row in SLOW])
def test_which_pattern_is_slow(pattern: str, unit: str, at_start: bool, slow: bool, reason: str) -> None:
    one = Found(re.compile(pattern), "here", at_start)
    assert is_slow(one, unit, (10_000, 40_000)) == slow, reason


LIMIT = 120
"""Seconds of processor time for all patterns; they take an eighth."""


@pytest.mark.slow
def test_no_pattern_is_slow() -> None:
    """In a process of its own, which ends where one of them does not."""
    done = subprocess.run(
        [sys.executable, "-m", "aef.benchmarks.patterns"],
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT)),
    )
    assert (done.returncode, done.stdout) == (0, "no pattern is slow\n"), done.stdout + done.stderr[-300:]


USES = [
    ("_A = re.compile('a')\n_A.match(x)\n", True, "at the beginning alone"),
    ("_A = re.compile('a')\n_A.match(x)\n_A.search(x)\n", False, "anywhere, too"),
    ("_A = re.compile('a')\nf(_A)\n", False, "by somebody else, nobody knows how"),
    ("A = {1: re.compile('a')}\n_A[1].match(x)\n", False, "one of several"),
]


@pytest.mark.parametrize(("source", "expected", "reason"), USES, ids=[row[-1] for row in USES])
def test_where_a_pattern_is_looked_for(source: str, expected: bool, reason: str, tmp_path: Path) -> None:
    (tmp_path / "module.py").write_text(source)
    assert named(tmp_path / "module.py", 1)[1] == expected, reason
