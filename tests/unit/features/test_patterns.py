"""What the patterns of the features match, and that no text takes them long."""

from __future__ import annotations

import time

import pytest

from aef import lexicons
from aef.features.patterns import compiled

PATTERNS = {pattern.name: pattern.expression for pattern in compiled(lexicons.load_all())}

MATCHED = [
    ("law", "under Articles 6, 8 and 13 of the", "Articles 6, 8 and 13", "a list"),
    ("law", "section 3 , , 4 says", "section 3 , , 4", "signs over and over"),
    ("law", "article 8 § 2, and so on", "article 8 § 2", "what joins nothing stays outside"),
    ("law", "Article 8 and others", "Article 8", "nor does a joiner before a word"),
    ("date", "on 1, 2 and 3 May 2010, they", "1, 2 and 3 May 2010", "days of a month"),
    ("money", "paid 1,250.50 euros", "1,250.50 euros", "an amount"),
    ("percent", "by 12.5 % of", "12.5 %", "a share"),
    ("duration", "for twenty-two years", "twenty-two years", "numbers in words"),
]


@pytest.mark.parametrize(("name", "text", "match", "reason"), MATCHED, ids=[c[-1] for c in MATCHED])
def test_matches(name: str, text: str, match: str, reason: str) -> None:
    found = PATTERNS[name].search(text)
    assert found is not None and found.group() == match, reason


ENDLESS = [
    ("Article 1" + " ," * 3000 + " x", "joints of a reference to the law: each blank may belong to two of them"),
    ("Article 1" + " and" * 3000 + " x", "words that join"),
    ("1." * 20_000, "a number with a period at each digit"),
    ("1, " * 20_000, "days of a month that never comes"),
    ("one-" * 20_000, "numbers in words without a unit"),
    ("1 " * 20_000, "numbers"),
    ("£1 " * 20_000, "amounts"),
]


@pytest.mark.parametrize("name", PATTERNS)
@pytest.mark.parametrize(("text", "reason"), ENDLESS, ids=[c[-1] for c in ENDLESS])
def test_no_text_takes_long(text: str, reason: str, name: str) -> None:
    began = time.process_time()
    for _ in PATTERNS[name].finditer(text):
        pass
    assert time.process_time() - began < 5, reason
