"""Patterns of features are tried where they may begin, which finds what a search of all the text finds."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from aef import lexicons
from aef.features.patterns import compiled, matches
from aef.features.ruling import Ruling, Source

_PIECES = [
    "12",
    "./-",
    "£",
    "éü",
    "٣３A",
    "²½\n",
    "art.",
    "Art.",
    "février",
    "May",
    "No.",
    "EUR",
    "USD million",
    "§ (",
    "1999",
]


@pytest.mark.parametrize("language", ["en", "fr", "es", "ro"])
def test_the_same_as_a_search_of_all_the_text(language: str) -> None:
    chance, lists = Random(7), lexicons.load_all(language)
    words = [*_PIECES, *sorted(lists["month_names"]), *sorted(lists["number_words"])[:20], *"0123456789", " ", "/", "-"]
    for _ in range(20):
        text = "".join(chance.choice(words) + chance.choice(["", " "]) for _ in range(400))
        none = np.zeros(0, np.int64)
        ruling = Ruling([], [], Source(text, none, none), lists)
        plain = [(*m.span(), pattern.name) for pattern in compiled(lists) for m in pattern.expression.finditer(text)]
        assert list(matches(ruling)) == plain
